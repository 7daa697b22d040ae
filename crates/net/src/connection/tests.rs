use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::atomic::AtomicUsize;
use std::task::{Context, Poll};

use bytes::Bytes;
use stoa_state::origin::ConnectionOrigin;
use stoa_state::packet_class::PacketClass;
use stoa_wire::packet::{Connect, EncodedPacket, MqttVersion, Packet, Publish, PublishProperties, Qos, encode};
use stoa_wire::topic::Topic;
use tokio::io::{DuplexStream, ReadBuf};

use super::*;

/// A pipe that counts the writes that reach it.
struct Counted {
    io: DuplexStream,
    writes: Arc<AtomicUsize>,
}

impl AsyncRead for Counted {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, into)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        Pin::new(&mut self.io).poll_write(cx, bytes)
    }
    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let whole: Vec<u8> = parts.iter().flat_map(|part| part.iter().copied()).collect();
        self.poll_write(cx, &whole)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

struct Rig {
    client: DuplexStream,
    inputs: mpsc::Receiver<(ConnectionId, ConnectionEvent)>,
    outbox: Arc<ConnectionOutbox>,
    intake: MqttConnectionService,
    writes: Arc<AtomicUsize>,
    serving: tokio::task::JoinHandle<()>,
}

async fn rig() -> Rig {
    let (sender, mut inputs) = mpsc::channel(64);
    let intake = MqttConnectionService::new(sender, BackgroundThreads::start(1).unwrap());
    let (io, client) = tokio::io::duplex(1_024 * 1_024);
    let writes = Arc::new(AtomicUsize::new(0));
    let counted = Counted { io, writes: Arc::clone(&writes) };
    let serving_intake = intake.clone();
    let serving = tokio::spawn(async move { serving_intake.serve(ConnectionOrigin::Here, counted).await });
    let Some((_, ConnectionEvent::Opened { outbox, .. })) = inputs.recv().await else {
        panic!("a connection opens first")
    };
    Rig { client, inputs, outbox, intake, writes, serving }
}

fn pose(number: usize) -> EncodedPacket {
    let publish = Publish {
        topic: Topic::parse(&format!("realm/s/public/lobby/u/uc/{number}")).unwrap(),
        payload: Bytes::from(vec![b'x'; 300]),
        qos: Qos::AtMostOnce,
        retain: false,
        dup: false,
        packet_id: None,
        properties: PublishProperties::default(),
    };
    encode(&Packet::Publish(publish), MqttVersion::V311)
}

#[tokio::test(start_paused = true)]
async fn packets_queued_before_a_wakeup_leave_in_one_write() {
    let mut rig = rig().await;
    let mut expected = 0;
    for batch in 0..10 {
        for number in 0..100 {
            let frame = pose(batch * 100 + number);
            expected += frame.len();
            rig.outbox.push(frame, PacketClass::Event).unwrap();
        }
        rig.outbox.wake();
        let mut received = vec![0; expected];
        rig.client.read_exact(&mut received).await.unwrap();
        expected = 0;
    }
    let counters = rig.intake.counters();
    assert_eq!(counters.frames.get(), 1_000, "negative control: all were delivered");
    assert_eq!(counters.writes.get(), 10);
    assert!(counters.writes.get() <= counters.wakeups.get());
    assert_eq!(rig.writes.load(Ordering::Relaxed), 10, "what the counters say is what the socket saw");
}

#[tokio::test(start_paused = true)]
async fn packets_queued_before_a_wakeup_leave_in_one_write_over_websocket() {
    let (sender, mut inputs) = mpsc::channel(64);
    let intake = MqttConnectionService::new(sender, BackgroundThreads::start(1).unwrap());
    let (io, client) = tokio::io::duplex(1_024 * 1_024);
    let writes = Arc::new(AtomicUsize::new(0));
    let counted = Counted { io, writes: Arc::clone(&writes) };
    let serving_intake = intake.clone();
    let serving = tokio::spawn(async move {
        use crate::websocket::{Role, WebSocketIo};
        serving_intake.serve(ConnectionOrigin::Here, WebSocketIo::over(counted, Role::Server).await).await;
    });
    let Some((_, ConnectionEvent::Opened { outbox, .. })) = inputs.recv().await else {
        panic!("a connection opens first")
    };
    let mut client = crate::websocket::WebSocketIo::over(client, crate::websocket::Role::Client).await;
    for _ in 0..5 {
        let mut expected = 0;
        for number in 0..100 {
            expected += pose(number).len();
            outbox.push(pose(number), PacketClass::Event).unwrap();
        }
        outbox.wake();
        let mut received = vec![0; expected];
        client.read_exact(&mut received).await.unwrap();
    }
    assert_eq!(writes.load(Ordering::Relaxed), 5);
    client.write_all(&[0xc0, 0x00]).await.unwrap();
    client.flush().await.unwrap();
    assert!(matches!(inputs.recv().await, Some((_, ConnectionEvent::Malformed(_)))), "the first packet is no CONNECT");
    drop(client);
    serving.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_dropped_connection_is_reported_closed_exactly_once() {
    let mut rig = rig().await;
    drop(rig.client);
    assert!(matches!(rig.inputs.recv().await, Some((_, ConnectionEvent::Closed))));
    rig.serving.await.unwrap();
    drop(rig.intake);
    assert!(rig.inputs.recv().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn queued_packets_are_written_before_the_connection_closes() {
    let mut rig = rig().await;
    rig.outbox.push(pose(1), PacketClass::Control).unwrap();
    rig.outbox.close();
    let mut received = Vec::new();
    rig.client.read_to_end(&mut received).await.unwrap();
    assert_eq!(received.len(), pose(1).len());
    assert!(matches!(rig.inputs.recv().await, Some((_, ConnectionEvent::Closed))));
}

#[tokio::test(start_paused = true)]
async fn an_unfinished_packet_closes_the_connection_at_the_packet_timeout() {
    let mut rig = rig().await;
    rig.client.write_all(&[0x10, 0x20, 0x00]).await.unwrap();
    let begun = Instant::now();
    assert!(matches!(rig.inputs.recv().await, Some((_, ConnectionEvent::Closed))));
    assert_eq!(begun.elapsed(), limits::PACKET_TIMEOUT);
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_stays_open_past_the_packet_timeout() {
    let mut rig = rig().await;
    let waited = timeout(limits::PACKET_TIMEOUT * 10, rig.inputs.recv()).await;
    assert!(waited.is_err(), "silence between packets is the keep-alive's matter");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_nothing_is_closed_within_the_close_timeout() {
    let mut rig = rig().await;
    for number in 0..4_000 {
        if rig.outbox.push(pose(number), PacketClass::Event).is_err() {
            break;
        }
    }
    rig.outbox.wake();
    tokio::task::yield_now().await;
    assert!(rig.outbox.queued_bytes() > 0, "negative control: the pipe is full");
    rig.outbox.close();
    let begun = Instant::now();
    assert!(matches!(rig.inputs.recv().await, Some((_, ConnectionEvent::Closed))));
    assert!(begun.elapsed() <= limits::CLOSE_TIMEOUT);
}

#[tokio::test(start_paused = true)]
async fn packets_queued_for_the_realm_are_bounded_in_bytes() {
    let (sender, mut inputs) = mpsc::channel(100_000);
    let intake = MqttConnectionService::new(sender, BackgroundThreads::start(1).unwrap());
    let large = |number: usize| {
        let publish = Publish {
            topic: Topic::parse("t").unwrap(),
            payload: Bytes::from(vec![b'x'; 256 * 1_024]),
            qos: Qos::AtMostOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties::default(),
        };
        if number == 0 { hello() } else { encode(&Packet::Publish(publish), MqttVersion::V311) }
    };
    let mut clients = Vec::new();
    for _ in 0..20 {
        let (mut client, io) = tokio::io::duplex(64 * 1_024);
        let intake = intake.clone();
        tokio::spawn(async move { intake.serve(ConnectionOrigin::Here, io).await });
        clients.push(tokio::spawn(async move {
            for number in 0..20 {
                for part in large(number).parts() {
                    if client.write_all(part).await.is_err() {
                        return;
                    }
                }
            }
            std::future::pending::<()>().await;
        }));
    }
    // Nothing is taken: paused time advances only when all tasks wait.
    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    let waiting = |inputs: &mpsc::Receiver<(ConnectionId, ConnectionEvent)>| inputs.len();
    let before = waiting(&inputs);
    assert!((70..=90).contains(&before), "12 MiB of 100 MiB, and two small inputs of each: {before}");
    let mut taken = 0;
    while taken < 20 * 20 + 20 {
        let input = tokio::time::timeout(std::time::Duration::from_secs(1), inputs.recv()).await;
        assert!(input.expect("readers go on as room is given back").is_some());
        taken += 1;
    }
}

/// An update of an object with this number of keys, below a scene's topic.
fn update(keys: usize) -> EncodedPacket {
    let keys: Vec<String> = (0..keys).map(|number| format!("\"k{number}\":0")).collect();
    let publish = Publish {
        topic: Topic::parse("realm/s/public/lobby/o/somebody/box").unwrap(),
        payload: format!(r#"{{"object_id":"box","action":"update","data":{{{}}}}}"#, keys.join(",")).into(),
        qos: Qos::AtMostOnce,
        retain: false,
        dup: false,
        packet_id: None,
        properties: PublishProperties::default(),
    };
    encode(&Packet::Publish(publish), MqttVersion::V311)
}

async fn write(client: &mut DuplexStream, packet: EncodedPacket) {
    for part in packet.parts() {
        client.write_all(part).await.unwrap();
    }
}

#[tokio::test]
async fn long_json_reaches_the_realm_parsed_and_in_order() {
    let mut rig = rig().await;
    for packet in [hello(), update(20), update(3_000), update(20)] {
        write(&mut rig.client, packet).await;
    }
    let mut parsed = Vec::new();
    while parsed.len() < 4 {
        let Some((_, ConnectionEvent::Packet(received, _permit))) = rig.inputs.recv().await else { panic!("a packet") };
        parsed.push(received.parsed.is_some());
    }
    assert_eq!(parsed, [false, false, true, false]);
}

#[tokio::test]
async fn parsed_payloads_count_towards_the_bytes_queued_for_the_realm() {
    let (sender, mut inputs) = mpsc::channel(100_000);
    let intake = MqttConnectionService::new(sender, BackgroundThreads::start(1).unwrap());
    let mut clients = Vec::new();
    for _ in 0..60 {
        let (mut client, io) = tokio::io::duplex(64 * 1_024);
        let intake = intake.clone();
        tokio::spawn(async move { intake.serve(ConnectionOrigin::Here, io).await });
        for packet in [hello(), update(4_000)] {
            write(&mut client, packet).await;
        }
        clients.push(client);
    }
    // Nothing is taken, so permits are not returned. The readers wait once the 3.7 MiB that a payload may need are not
    // left. It keeps some 750 KiB, which it needs.
    let is_full = || intake.json_parser.permits.available_permits() < 3_700 && inputs.len() >= 2 * clients.len() + 20;
    let full = timeout(limits::PACKET_TIMEOUT, async {
        while !is_full() {
            tokio::task::yield_now().await;
        }
    });
    full.await.expect("readers queue parsed payloads until the permits are used up");
    let parsed = inputs.len() - 2 * clients.len();
    assert!((20..=26).contains(&parsed), "20 MiB at 750 KiB each: {parsed}");
    for _ in 0..3 * clients.len() {
        let input = timeout(std::time::Duration::from_secs(1), inputs.recv()).await;
        assert!(input.expect("readers go on as room is given back").is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_paused_connection_is_not_read_until_it_resumes() {
    let mut rig = rig().await;
    write(&mut rig.client, hello()).await;
    assert!(matches!(rig.inputs.recv().await, Some((_, ConnectionEvent::Packet(..)))));
    rig.outbox.pause_reading();
    write(&mut rig.client, update(20)).await;
    let waited = timeout(limits::PACKET_TIMEOUT, rig.inputs.recv()).await;
    assert!(waited.is_err(), "paused time advances only when all tasks wait");
    rig.outbox.resume_reading();
    assert!(matches!(rig.inputs.recv().await, Some((_, ConnectionEvent::Packet(..)))));
}

/// A message of this many bytes.
fn message(bytes: usize) -> Vec<u8> {
    let publish = Publish {
        topic: Topic::parse("t").unwrap(),
        payload: Bytes::from(vec![b'x'; bytes]),
        qos: Qos::AtMostOnce,
        retain: false,
        dup: false,
        packet_id: None,
        properties: PublishProperties::default(),
    };
    encode(&Packet::Publish(publish), MqttVersion::V311).parts().concat()
}

/// A client at an address that has sent its CONNECT.
async fn connected(intake: &MqttConnectionService, address: [u8; 4]) -> DuplexStream {
    let (io, mut client) = tokio::io::duplex(16 * 1_024);
    let intake = intake.clone();
    tokio::spawn(async move { intake.serve(std::net::IpAddr::from(address).into(), io).await });
    write(&mut client, hello()).await;
    client
}

/// The connection of the next message of more than a CONNECT's size, within half of the time of a packet.
async fn next_message(inputs: &mut mpsc::Receiver<(ConnectionId, ConnectionEvent)>) -> Option<ConnectionId> {
    let next = async {
        loop {
            let (id, input) = inputs.recv().await?;
            if let ConnectionEvent::Packet(received, _) = input
                && matches!(received.packet, Packet::Publish(_))
            {
                return Some(id);
            }
        }
    };
    timeout(limits::PACKET_TIMEOUT / 4, next).await.ok().flatten()
}

#[tokio::test(start_paused = true)]
async fn a_network_at_the_unfinished_input_bound_waits_while_another_is_read() {
    const LARGE: usize = 300 * 1_024;
    let (sender, mut inputs) = mpsc::channel(1_000);
    let mut intake = MqttConnectionService::new(sender, BackgroundThreads::start(1).unwrap());
    intake.unfinished = UnfinishedInputLimiter::new(4 * LARGE as u64, 8 * LARGE as u64);
    let packet = message(LARGE);
    let (half, rest) = packet.split_at(LARGE / 2);
    let mut begun = Vec::new();
    let _beyond = loop {
        assert!(begun.len() < 10, "none waits");
        let mut client = connected(&intake, [192, 0, 2, 1]).await;
        match timeout(2 * limits::UNFINISHED_RETRY, client.write_all(half)).await {
            Ok(written) => written.unwrap(),
            Err(_) => break client,
        }
        begun.push(client);
    };
    let bytes = intake.unfinished.bytes();
    assert!(begun.len() >= 3 && bytes < 6 * LARGE as u64, "{} begun, {bytes} bytes", begun.len());
    let mut other = connected(&intake, [198, 51, 100, 7]).await;
    other.write_all(&packet).await.unwrap();
    assert!(next_message(&mut inputs).await.is_some(), "another network is read");
    assert_eq!(next_message(&mut inputs).await, None, "negative control: the half packets are no messages");
    begun[0].write_all(rest).await.unwrap();
    assert!(next_message(&mut inputs).await.is_some(), "a packet that was begun is finished");
}

#[tokio::test(start_paused = true)]
async fn a_websocket_message_beyond_the_unfinished_input_bound_waits_to_be_read() {
    use crate::websocket::{Role, WebSocketIo};
    const LARGE: u64 = 400 * 1_024;
    let shares = UnfinishedInputLimiter::new(LARGE + 1_024, LARGE + 1_024);
    let mut served = Vec::new();
    for key in 0..2 {
        let (io, mut client) = tokio::io::duplex(16 * 1_024);
        let unfinished = shares.open(key, std::net::IpAddr::from([192, 0, 2, 1]).into());
        let mut socket = WebSocketIo::over(io, Role::Server).await.counted(unfinished);
        served.push(tokio::spawn(async move { socket.read_u8().await }));
        let head = [&[0x82, 0xff][..], &LARGE.to_be_bytes(), &[0; 4]].concat();
        client.write_all(&head).await.unwrap();
        let half = vec![b'x'; LARGE as usize / 2];
        let written = timeout(limits::PACKET_TIMEOUT, client.write_all(&half)).await.is_ok();
        assert_eq!(written, key == 0, "the second is not read");
        assert_eq!(shares.bytes(), LARGE);
        if key == 1 {
            served.remove(0).abort();
            timeout(limits::PACKET_TIMEOUT, client.write_all(&half)).await.expect("now it is read").unwrap();
        } else {
            served.push(tokio::spawn(async move {
                let _open = client;
                std::future::pending().await
            }));
        }
    }
}

fn hello() -> EncodedPacket {
    let connect = Connect::new(MqttVersion::V311, "somebody");
    encode(&Packet::Connect(connect), MqttVersion::V311)
}

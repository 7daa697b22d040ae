use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use stoa_wire::limits::FRAME_BYTES_MAX;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::*;

const PATIENCE: Duration = Duration::from_secs(20);

struct Guest {
    frames: mpsc::UnboundedSender<Bytes>,
    end: Arc<Notify>,
}

impl MotionSessionHandle for Guest {
    fn handle_frame(&self, frame: Bytes) {
        let _ = self.frames.send(frame);
    }

    async fn ended(&self) {
        self.end.notified().await;
    }
}

/// The realm's end of one client's WebSocket.
struct ServedClient {
    sink: Box<dyn FrameSink>,
    frames: mpsc::UnboundedReceiver<Bytes>,
    end: Arc<Notify>,
    counters: Arc<MotionTransportCounters>,
    running: JoinHandle<()>,
}

fn open(room: usize) -> (ServedClient, DuplexStream) {
    let (ours, theirs) = duplex(room);
    (open_over(ours), theirs)
}

fn open_over(ours: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> ServedClient {
    let counters = Arc::new(MotionTransportCounters::default());
    let (sink, source) = frame_queue(&counters);
    let (sender, frames) = mpsc::unbounded_channel();
    let end = Arc::new(Notify::new());
    let guest = Guest { frames: sender, end: Arc::clone(&end) };
    let running = tokio::spawn(source.run(ours, guest));
    ServedClient { sink: Box::new(sink), frames, end, counters, running }
}

async fn client(io: DuplexStream) -> WebSocketStream<DuplexStream> {
    WebSocketStream::from_raw_socket(io, Role::Client, None).await
}

impl ServedClient {
    async fn counters_at_end(self) -> Arc<MotionTransportCounters> {
        timeout(PATIENCE, self.running).await.expect("it ends in time").unwrap();
        assert_eq!((self.counters.opened.get(), self.counters.closed.get()), (1, 1));
        self.counters
    }
}

#[tokio::test]
async fn each_frame_is_a_binary_message() {
    let (mut served, io) = open(64 * 1_024);
    let mut client = client(io).await;
    for length in [1, 125, 126, FRAME_BYTES_MAX] {
        let frame = vec![length as u8; length];
        served.sink.put(FrameClass::Poses, &[&frame[..length / 2], &frame[length / 2..]]);
        served.sink.put(FrameClass::Poses, &[b"second"]);
        served.sink.flush();
        assert_eq!(client.next().await.unwrap().unwrap(), Message::binary(frame.clone()));
        assert_eq!(client.next().await.unwrap().unwrap(), Message::binary(&b"second"[..]));
        client.send(Message::binary(frame.clone())).await.unwrap();
        assert_eq!(served.frames.recv().await.unwrap(), frame);
    }
    client.send(Message::Ping(Bytes::from_static(b"there?"))).await.unwrap();
    assert_eq!(client.next().await.unwrap().unwrap(), Message::Pong(Bytes::from_static(b"there?")));
    client.close(None).await.unwrap();
    let counters = served.counters_at_end().await;
    assert_eq!((counters.frames_out.get(), counters.frames_in.get(), counters.frames_dropped.get()), (8, 4, 0));
}

#[tokio::test]
async fn a_text_or_oversized_message_ends_the_connection() {
    for wrong in [Message::text("hello"), Message::binary(vec![1; FRAME_BYTES_MAX + 1])] {
        let (served, io) = open(64 * 1_024);
        let mut client = client(io).await;
        client.send(wrong.clone()).await.unwrap();
        let counters = served.counters_at_end().await;
        assert_eq!((counters.frames_refused.get(), counters.frames_in.get()), (1, 0), "{wrong:?}");
    }
}

#[tokio::test]
async fn a_lost_connection_is_no_refused_message() {
    let (served, io) = open(64 * 1_024);
    drop(client(io).await);
    assert_eq!(served.counters_at_end().await.frames_refused.get(), 0);
}

#[tokio::test]
async fn a_waiting_tick_is_replaced_by_a_newer_one() {
    let (mut served, mut io) = open(16);
    for tick in 0..100_u8 {
        (0..20).for_each(|number| served.sink.put(FrameClass::Poses, &[&[tick, number], &[0; 1_000]]));
        served.sink.flush();
        // The write in progress fills the transport.
        tokio::task::yield_now().await;
    }
    assert_eq!(served.counters.frames_dropped.get(), 98 * 20, "one tick is being written, one waits");
    let mut read = vec![0; 2 * 20 * (4 + 1_002)];
    timeout(PATIENCE, io.read_exact(&mut read)).await.unwrap().unwrap();
    let frames: Vec<[u8; 2]> = read.chunks(4 + 1_002).map(|message| [message[4], message[5]]).collect();
    let expected: Vec<[u8; 2]> = [0, 99].into_iter().flat_map(|tick| (0..20).map(move |n| [tick, n])).collect();
    assert_eq!(frames, expected, "whole messages, and the newest");
    drop(io);
    served.counters_at_end().await;
}

#[tokio::test]
async fn voice_is_written_in_order_and_before_a_waiting_tick() {
    let (mut served, mut io) = open(16);
    let frame = |class, byte: u8| (class, [byte; 100]);
    for tick in 0..3_u8 {
        for (class, bytes) in [frame(FrameClass::Poses, tick), frame(FrameClass::Voice, 10 + tick)] {
            served.sink.put(class, &[&bytes]);
        }
        served.sink.flush();
    }
    let mut read = vec![0; 4 * (2 + 100)];
    timeout(PATIENCE, io.read_exact(&mut read)).await.unwrap().unwrap();
    let firsts: Vec<u8> = read.chunks(2 + 100).map(|message| message[2]).collect();
    assert_eq!(firsts, [10, 11, 12, 2]);
    assert_eq!(served.counters.frames_dropped.get(), 2, "poses of two ticks");
    drop(io);
    served.counters_at_end().await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_nothing_is_disconnected_when_its_session_ends() {
    let (mut served, mut io) = open(16);
    (0..20).for_each(|_| served.sink.put(FrameClass::Poses, &[&[1; 1_000]]));
    served.sink.flush();
    tokio::task::yield_now().await;
    served.end.notify_one();
    served.counters_at_end().await;
    let mut read = Vec::new();
    io.read_to_end(&mut read).await.unwrap();
    assert_eq!(read.len(), 16, "half a message is followed by nothing");
}

#[tokio::test]
async fn an_ended_session_sends_a_close_message() {
    for by_sink in [false, true] {
        let (mut served, io) = open(64 * 1_024);
        let mut client = client(io).await;
        served.sink.put(FrameClass::Poses, &[b"last"]);
        served.sink.flush();
        assert_eq!(client.next().await.unwrap().unwrap(), Message::binary(&b"last"[..]));
        if by_sink {
            let (unused, _) = frame_queue(&Arc::default());
            std::mem::replace(&mut served.sink, Box::new(unused)).close();
        } else {
            served.end.notify_one();
        }
        assert!(matches!(client.next().await, Some(Ok(Message::Close(_)))));
        drop(client);
        served.counters_at_end().await;
    }
}

#[tokio::test]
async fn random_bytes_never_panic_and_the_closed_connection_is_counted() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..100 {
        let (served, mut io) = open(4 * 1_024);
        let bytes: Vec<u8> = (0..2_000).map(|_| random.u8(..)).collect();
        let _ = io.write_all(&bytes).await;
        drop(io);
        served.counters_at_end().await;
    }
}

/// Both ends of a connection with small kernel buffers.
async fn narrow_tcp() -> (TcpStream, TcpStream) {
    const ROOM_BYTES: u32 = 16 * 1_024;
    let listening = TcpSocket::new_v4().unwrap();
    listening.set_send_buffer_size(ROOM_BYTES).unwrap();
    listening.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener: TcpListener = listening.listen(1).unwrap();
    let calling = TcpSocket::new_v4().unwrap();
    calling.set_recv_buffer_size(ROOM_BYTES).unwrap();
    let theirs = calling.connect(listener.local_addr().unwrap()).await.unwrap();
    (listener.accept().await.unwrap().0, theirs)
}

#[tokio::test]
async fn queued_pongs_are_bounded_for_a_client_that_reads_nothing() {
    let (ours, theirs) = narrow_tcp().await;
    let mut served = open_over(ours);
    // More than the kernel's buffers hold: the answers queue behind it.
    (0..limits::RUN_DATAGRAMS_MAX).for_each(|_| served.sink.put(FrameClass::Poses, &[&[1; FRAME_BYTES_MAX]]));
    served.sink.flush();
    let (mut from, mut to) = theirs.into_split();
    let pings = 20_000;
    let ping = [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'x'; 125]].concat();
    let last = [0x82, 0x81, 0, 0, 0, 0, 7];
    to.write_all(&[ping.repeat(pings), last.to_vec()].concat()).await.unwrap();
    assert_eq!(timeout(PATIENCE, served.frames.recv()).await.unwrap().unwrap(), [7][..], "all of them were read");
    // Only queued messages follow.
    drop(served.sink);
    let mut read = Vec::new();
    timeout(PATIENCE, from.read_to_end(&mut read)).await.unwrap().unwrap();
    let tick = limits::RUN_DATAGRAMS_MAX * (4 + FRAME_BYTES_MAX);
    let answers = read.len() - tick;
    assert!((1..=limits::FRAMES_ANSWER_BYTES_MAX + 2 * 127).contains(&answers), "{answers} bytes of answers waited");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_stops_reading_is_disconnected_while_it_keeps_sending() {
    let (mut served, io) = open(16);
    let (mut from, mut to) = tokio::io::split(io);
    (0..20).for_each(|_| served.sink.put(FrameClass::Poses, &[&[1; 1_000]]));
    served.sink.flush();
    let talk = [&[0x82, 0x81, 0, 0, 0, 0, 7][..], &[0x89, 0x80, 0, 0, 0, 0]].concat();
    for _ in 0..8 {
        to.write_all(&talk).await.unwrap();
        assert!(timeout(limits::FRAMES_STUCK_TIMEOUT / 2, &mut served.running).await.is_err(), "it takes a little");
        from.read_exact(&mut [0; 16]).await.unwrap();
    }
    let begun = Instant::now();
    for _ in 0..32 {
        if served.running.is_finished() {
            break;
        }
        let _ = to.write_all(&talk).await;
        let _ = timeout(limits::FRAMES_STUCK_TIMEOUT / 8, &mut served.running).await;
    }
    let after = begun.elapsed();
    assert!(after > limits::FRAMES_STUCK_TIMEOUT / 2 && after < 2 * limits::FRAMES_STUCK_TIMEOUT, "{after:?}");
}

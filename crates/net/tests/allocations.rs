//! The motion plane opens, seals, sends and receives datagrams of an entered session without allocating. Parsed JSON
//! takes at most the bytes that are counted for it.
//!
//! The counting allocator counts the test's own thread alone, so the test harness can't disturb it. It does not see
//! allocations of the cipher's C code, which makes none.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time::{Duration, Instant};

use renetcode::NetcodeClient;
use stoa_net::datagrams::{DatagramAddresses, DatagramSocket};
use stoa_net::netcode::{
    DropReason, NetcodeConfig, NetcodeDatagramOutcome, NetcodeServer, NetcodeSessionId, TokenContent, TokenIssuer,
    TokenRandomness,
};
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::envelope::{ParsedPayload, parsed_bytes_max};

#[path = "independent/client.rs"]
mod independent;

const STARTED_AT: UnixSeconds = UnixSeconds(1_700_000_000);
const FROM: DatagramAddresses =
    DatagramAddresses { remote: SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 1)), local: None };

fn allocated(during: impl FnOnce()) -> u64 {
    allocation_counter::measure(during).count_total
}

#[test]
fn parsed_json_takes_at_most_the_bytes_that_are_counted_for_it() {
    let repeated = |part: &str, count| vec![part; count].join(",");
    let keys: Vec<String> = (0..3_000).map(|number| format!("\"k{number}\":\"a text of some bytes\"")).collect();
    let nested: Vec<String> = (0..2_000).map(|number| format!("\"k{number}\":{{\"a\":[]}}")).collect();
    for (name, payload) in [
        ("keys", format!("{{{}}}", keys.join(","))),
        ("objects of one key", format!("{{{}}}", nested.join(","))),
        ("numbers", format!("{{\"a\":[{}]}}", repeated("1", 10_000))),
        ("lists of one number", format!("{{\"a\":[{}]}}", repeated("[1]", 5_000))),
        ("texts", format!("{{\"a\":[{}]}}", repeated("\"text\"", 5_000))),
        ("a text of commas", format!("{{\"a\":\"{}\"}}", ",:[".repeat(10_000))),
        ("an unfinished list", format!("{{\"a\":[{}", repeated("1", 10_000))),
    ] {
        let mut parsed = None;
        let allocated = allocation_counter::measure(|| parsed = Some(ParsedPayload::of(payload.as_bytes())));
        let (counted, most) = (parsed.unwrap().size_bytes(), parsed_bytes_max(payload.as_bytes()));
        assert!(allocated.bytes_current <= i64::try_from(counted).unwrap(), "{name}: {allocated:?} of {counted}");
        assert!(counted <= most, "{name}: {counted} of {most}");
        assert!(name != "a text of commas" || counted <= 2 * payload.len(), "{name}: {counted}");
    }
}

fn token(server: SocketAddr) -> Vec<u8> {
    let random = TokenRandomness { nonce: [1; 24], client_to_server: [2; 32], server_to_client: [3; 32] };
    let entry = TokenContent {
        client_id: 1,
        ticket: b"ticket",
        servers: vec![server],
        created_at: STARTED_AT,
        expires_at: UnixSeconds(STARTED_AT.0 + 10),
        silence_max: Duration::from_secs(5),
        random,
    };
    TokenIssuer::new(7, [4; 32]).issue(&entry).expect("a token")
}

/// A server with one admitted client.
fn entered() -> (NetcodeServer, NetcodeClient, NetcodeSessionId) {
    let server = SocketAddr::from((Ipv4Addr::LOCALHOST, 8_444));
    let (token_key, challenge_key) = ([4; 32], [5; 32]);
    let config = NetcodeConfig { protocol_id: 7, token_key, challenge_key, started_at: STARTED_AT };
    let mut netcode = NetcodeServer::new(&config);
    let mut client = independent::client(&token(server), 1);
    for step in 0..10 {
        let Some((said, _)) = client.update(Duration::from_millis(250)) else { continue };
        let mut said = said.to_vec();
        match netcode.handle(&mut said, FROM, Time::from_millis(250 * step)) {
            NetcodeDatagramOutcome::Answer(bytes) => {
                client.process_packet(&mut bytes.to_vec());
            }
            NetcodeDatagramOutcome::Entered { session, answer, .. } => {
                client.process_packet(&mut answer.to_vec());
                assert!(client.is_connected());
                return (netcode, client, session);
            }
            _ => {}
        }
    }
    panic!("not in after ten steps");
}

#[test]
fn opening_sealing_dropping_sending_and_receiving_do_not_allocate() {
    assert!(allocated(|| drop(std::hint::black_box(vec![0_u8; 100]))) > 0, "negative control");

    let (mut netcode, mut client, session) = entered();
    let mut frames: Vec<Vec<u8>> =
        (0..200).map(|_| client.generate_payload_packet(&[7; 100]).unwrap().1.to_vec()).collect();
    let mut forged = frames.clone();
    forged.iter_mut().for_each(|frame| frame[20] ^= 1);
    let (mut out, mut opened, mut sealed) = ([0; 1_200], 0, 0);
    let now = Time::from_secs(3);
    let blocks = allocated(|| {
        for (frame, forged) in frames.iter_mut().zip(&mut forged) {
            assert_eq!(netcode.handle(forged, FROM, now), NetcodeDatagramOutcome::Nothing);
            opened += usize::from(matches!(netcode.handle(frame, FROM, now), NetcodeDatagramOutcome::Frame { .. }));
            sealed += usize::from(netcode.seal(session, &[b"head", &[7; 1_100]], &mut out) > 0);
        }
        netcode.handle_timeout(now);
        while netcode.poll_due().is_some() {}
    });
    assert_eq!((opened, sealed, netcode.drops()[DropReason::Forged]), (200, 200, 200));
    assert_eq!(blocks, 0);

    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let (mut sender, mut receiver) = (DatagramSocket::bind(here).unwrap(), DatagramSocket::bind(here).unwrap());
    let to = DatagramAddresses { remote: receiver.local_address().unwrap(), local: None };
    let until = Instant::now() + Duration::from_secs(10);
    let mut came = 0;
    let blocks = allocated(|| {
        for length in [1_200, 700, 1_200] {
            (0..40).for_each(|_| sender.outgoing.add(to, |_| length));
        }
        sender.outgoing.flush();
        while came < 120 {
            let batch = receiver.incoming.receive(until).unwrap().count();
            assert!(batch > 0, "{came} of 120 came");
            came += batch;
        }
    });
    assert_eq!((came, blocks), (120, 0));
    let others: Vec<DatagramSocket> = (0..2).map(|_| DatagramSocket::bind(here).unwrap()).collect();
    let ways =
        others.iter().map(|other| DatagramAddresses { remote: other.local_address().unwrap(), local: Some(here.ip()) });
    let ways: Vec<DatagramAddresses> = ways.collect();
    let mut sent = |count: usize| {
        (0..count).for_each(|n| sender.outgoing.add(ways[n % 2], |_| 40 + n));
        sender.outgoing.flush();
    };
    // Allocates the thread's buffers.
    sent(2);
    assert_eq!(allocated(|| sent(200)), 0, "of datagrams to receivers in turn");
    assert_eq!(sender.counts().sent, 120 + 202);
}

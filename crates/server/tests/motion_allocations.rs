//! After all people have entered, a thread of the motion plane forwards datagrams without allocating for them. The
//! counting allocator covers all threads, so this test is alone in its process. Its people send frames made
//! beforehand, and do not read what they receive.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test; clippy sees tests only where the attribute is")]
#![allow(missing_docs, reason = "a test's name is its documentation")]

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use stoa_net::datagrams::DatagramSocket;
use stoa_server::motion::{
    BrowserEndpointAddresses, MotionConfig, MotionHandle, SharedThreadCounters, TicketRequestContext, start,
};
use stoa_state::motion::{MotionRights, MotionSettings};
use stoa_state::realm::{MotionGrant, MotionGrantId};
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FrameEntriesWriter, FrameHeader, FramePartKind, MotionObjectKind, ObjectDeclaration, OwnPose, PackedPose, Rotation,
};

#[path = "motion/netcode.rs"]
mod netcode;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const PATIENCE: Duration = Duration::from_secs(30);
const PEOPLE: u64 = 20;
/// Frames that each person sends before counting starts.
const WARM: usize = 150;
/// Frames that each person sends while allocations are counted.
const COUNTED: usize = 100;

struct Person {
    socket: UdpSocket,
    server: SocketAddr,
    said: Vec<Vec<u8>>,
}

impl Person {
    /// A person in the scene with all frames it will send.
    fn enter(handle: &MotionHandle, number: u64) -> Person {
        let grant = MotionGrant {
            id: MotionGrantId(number),
            scene: "public/lobby".parse().unwrap(),
            user_client: format!("person{number}_test"),
            id_tag: format!("person{number}"),
            rights: MotionRights { may_track: false, ..MotionRights::ALL },
            settings: MotionSettings::default(),
        };
        handle.hold(grant);
        let document = handle.document(MotionGrantId(number), &TicketRequestContext::default()).unwrap();
        let token = STANDARD.decode(document.netcode.unwrap().token).unwrap();
        let mut client = netcode::client(&token);
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let (begun, mut updated, mut datagram) = (Instant::now(), Instant::now(), [0; 2_048]);
        while !client.is_connected() {
            assert!(begun.elapsed() < PATIENCE, "not in");
            let passed = updated.elapsed();
            updated += passed;
            if let Some((said, to)) = client.update(passed) {
                socket.send_to(said, to).unwrap();
            }
            if let Ok(length) = socket.recv(&mut datagram) {
                client.process_packet(&mut datagram[..length]);
            }
        }
        let server = handle.bound().unwrap();
        let said = (1..=WARM + COUNTED).map(|step| {
            client.generate_payload_packet(&frame(number, u32::try_from(step).unwrap())).unwrap().1.to_vec()
        });
        Person { socket, server, said: said.collect() }
    }
}

/// A frame with the head's pose at one step.
fn frame(number: u64, step: u32) -> Vec<u8> {
    let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
    let mut declared = Vec::new();
    ObjectDeclaration { index: 0, kind: MotionObjectKind::Head, name: "" }.write(&mut declared);
    parts.put(FramePartKind::Declare, &declared);
    let position = [i32::try_from(number).unwrap() * 1_000, 1_600, i32::try_from(step).unwrap() * 20];
    let pose = PackedPose { position, rotation: Rotation::default() };
    parts.put(FramePartKind::Own, &OwnPose { index: 0, age_ms: 0, pose }.to_bytes());
    [&FrameHeader { sequence: step, time_ms: step * 10 }.to_bytes(), parts.bytes()].concat()
}

/// Sends the frames of these steps for all people, ten milliseconds apart.
fn say(people: &[Person], steps: std::ops::Range<usize>) {
    let begun = Instant::now();
    for (at, step) in steps.enumerate() {
        for person in people {
            person.socket.send_to(&person.said[step], person.server).unwrap();
        }
        let due = begun + Duration::from_millis(10) * u32::try_from(at).unwrap();
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}

/// Waits for the next report of counters, once a second, and returns the number of frames sent by then.
fn told(figures: &SharedThreadCounters, before: u64) -> u64 {
    let begun = Instant::now();
    loop {
        let sent = figures.get().datagrams.sent;
        if sent > before {
            return sent;
        }
        assert!(begun.elapsed() < PATIENCE, "nothing goes out");
        std::thread::yield_now();
    }
}

#[test]
fn a_motion_thread_does_not_allocate_per_datagram() {
    let _profiler = dhat::Profiler::builder().testing().build();
    let sockets = vec![DatagramSocket::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap()];
    let (handle, running) = start(MotionConfig {
        zero: Instant::now(),
        started_at: stoa_state::time::UnixSeconds(1_000_000),
        sockets,
        browsers: BrowserEndpointAddresses::default(),
        serving: stoa_state::motion::send_timing::SendTimingMode::Auto,
    })
    .unwrap();
    let people: Vec<Person> = (1..=PEOPLE).map(|number| Person::enter(&handle, number)).collect();
    say(&people, 0..WARM);
    let figures = handle.figures().next().unwrap();
    let sent_before = told(figures, 0);
    let (taken_before, blocks_before) = (figures.get().frames.taken, dhat::HeapStats::get().total_blocks);
    say(&people, WARM..WARM + COUNTED);
    let sent = told(figures, sent_before) - sent_before;
    let blocks = dhat::HeapStats::get().total_blocks - blocks_before;
    let taken = figures.get().frames.taken - taken_before;
    assert!(taken > 500, "negative control: {taken} frames were taken");
    assert!(sent > 100, "negative control: {sent} datagrams went out");
    // Once a second the socket's counters are read from a file of the system.
    assert!(blocks < 100 + sent / 20, "{blocks} allocations for {sent} datagrams out and {taken} in");
    drop(running);
}

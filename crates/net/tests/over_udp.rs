//! The loop as a server runs it, over real sockets: batched datagrams, the machine, independent clients.

#[path = "independent/client.rs"]
mod independent;

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use renetcode::NetcodeClient;
use stoa_net::datagrams::{DatagramAddresses, DatagramSender, DatagramSocket};
use stoa_net::netcode::{
    DueAction, NetcodeConfig, NetcodeDatagramOutcome, NetcodeServer, NetcodeSessionId, TokenContent, TokenIssuer,
    TokenRandomness,
};
use stoa_state::time::{Time, UnixSeconds};

const TOKEN_KEY: [u8; 32] = [4; 32];
const PROTOCOL: u64 = 7;
const STARTED_AT: UnixSeconds = UnixSeconds(1_700_000_000);
/// Longer than any step takes; only a hang exceeds it.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends each received frame to all clients, once per batch.
struct Echo {
    datagrams: DatagramSocket,
    netcode: NetcodeServer,
    begun: Instant,
    people: Vec<NetcodeSessionId>,
}

impl Echo {
    fn now(&self) -> Time {
        Time::from_nanos(u64::try_from(self.begun.elapsed().as_nanos()).expect("five hundred years"))
    }

    fn turn(&mut self) {
        let now = self.now();
        let wake_at = self.begun + Duration::from_nanos(self.netcode.poll_timeout().as_nanos());
        let Echo { datagrams, netcode, people, .. } = self;
        let mut heard = Vec::new();
        for (peer, datagram) in datagrams.incoming.receive(wake_at).expect("a socket") {
            match netcode.handle(datagram, peer, now) {
                NetcodeDatagramOutcome::Nothing => {}
                NetcodeDatagramOutcome::Answer(bytes) => send(&mut datagrams.outgoing, peer, bytes),
                NetcodeDatagramOutcome::Entered { session, answer, .. } => {
                    send(&mut datagrams.outgoing, peer, answer);
                    people.push(session);
                }
                NetcodeDatagramOutcome::Frame { bytes, .. } => heard.push(bytes.to_vec()),
                NetcodeDatagramOutcome::Left { session } => people.retain(|other| *other != session),
            }
        }
        for &session in people.iter() {
            let Some(peer) = netcode.peer(session) else { continue };
            datagrams.outgoing.add(peer, |room| netcode.seal_greeting(session, room));
            for frame in &heard {
                datagrams.outgoing.add(peer, |room| netcode.seal(session, &[frame], room));
            }
        }
        self.say_what_is_due();
    }

    fn say_what_is_due(&mut self) {
        let now = self.now();
        self.netcode.handle_timeout(now);
        while let Some(due) = self.netcode.poll_due() {
            match due {
                DueAction::KeepAlive { peer, bytes } => send(&mut self.datagrams.outgoing, peer, bytes),
                DueAction::Left { session } => self.people.retain(|other| *other != session),
            }
        }
        self.datagrams.outgoing.flush();
    }
}

fn send(outgoing: &mut DatagramSender, peer: DatagramAddresses, bytes: &[u8]) {
    outgoing.add(peer, |room| {
        room[..bytes.len()].copy_from_slice(bytes);
        bytes.len()
    });
}

/// Runs until it is dropped.
struct Server {
    address: SocketAddr,
    ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn start() -> Server {
        let datagrams = DatagramSocket::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a port");
        let address = datagrams.local_address().expect("it is bound");
        let config = NetcodeConfig {
            protocol_id: PROTOCOL,
            token_key: TOKEN_KEY,
            challenge_key: [5; 32],
            started_at: STARTED_AT,
        };
        let ending = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&ending);
        let mut echo =
            Echo { datagrams, netcode: NetcodeServer::new(&config), begun: Instant::now(), people: Vec::new() };
        let thread = spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                echo.turn();
            }
        });
        Server { address, ending, thread: Some(thread) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(matches!(ended, Some(Ok(()))) || std::thread::panicking(), "the server died");
    }
}

struct Person {
    name: u8,
    client: NetcodeClient,
    socket: UdpSocket,
    at: Instant,
    heard: BTreeSet<u8>,
}

fn socket() -> UdpSocket {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    socket.set_read_timeout(Some(Duration::from_millis(2))).expect("a time");
    socket
}

impl Person {
    fn new(server: &Server, name: u8) -> Person {
        let random = TokenRandomness { nonce: [name; 24], client_to_server: [name; 32], server_to_client: [!name; 32] };
        let entry = TokenContent {
            client_id: u64::from(name),
            ticket: b"ticket",
            servers: vec![server.address],
            created_at: STARTED_AT,
            expires_at: UnixSeconds(STARTED_AT.0 + 60),
            silence_max: Duration::from_secs(20),
            random,
        };
        let token = TokenIssuer::new(PROTOCOL, TOKEN_KEY).issue(&entry).expect("a token");
        let client = independent::client(&token, u64::from(name));
        Person { name, client, socket: socket(), at: Instant::now(), heard: BTreeSet::new() }
    }

    /// Sends and receives once.
    fn turn(&mut self) {
        let passed = self.at.elapsed();
        self.at += passed;
        if let Some((said, to)) = self.client.update(passed) {
            self.socket.send_to(said, to).expect("a way");
        }
        if let Ok((to, said)) = self.client.generate_payload_packet(&[self.name; 100]) {
            self.socket.send_to(said, to).expect("a way");
        }
        let mut datagram = [0; 2_048];
        while let Ok(length) = self.socket.recv(&mut datagram) {
            if let Some(frame) = self.client.process_packet(&mut datagram[..length]) {
                assert!(frame.len() == 100 && frame.iter().all(|byte| *byte == frame[0]));
                self.heard.insert(frame[0]);
            }
        }
    }
}

#[test]
fn clients_connect_over_udp_and_receive_each_others_frames() {
    let server = Server::start();
    let mut people: Vec<Person> = (0..20).map(|name| Person::new(&server, name)).collect();
    let deadline = Instant::now() + PATIENCE;
    while people.iter().any(|person| person.heard.len() < 20) {
        assert!(Instant::now() < deadline, "{:?}", people.iter().map(|person| person.heard.len()).collect::<Vec<_>>());
        people.iter_mut().for_each(Person::turn);
    }
}

#[test]
fn a_client_continues_after_an_address_change_without_a_new_token() {
    let server = Server::start();
    let mut person = Person::new(&server, 1);
    let deadline = Instant::now() + PATIENCE;
    while person.heard.is_empty() {
        assert!(Instant::now() < deadline, "not in");
        person.turn();
    }
    person.socket = socket();
    // Slowly, so that its sequence doesn't run ahead.
    person.socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    person.heard.clear();
    while person.heard.is_empty() {
        assert!(Instant::now() < deadline, "not found");
        person.turn();
    }
}

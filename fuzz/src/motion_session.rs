//! The session machine: netcode and a scene's motion, combined as in a server. A few clients enter, leave, change
//! their addresses and send anything.
//!
//! The bytes are a walk: each step is a byte with its arguments. The expected state is tracked here: bytes sent to
//! unproved addresses, and the frames sent there.

mod client;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use stoa_net::datagrams::DatagramAddresses;
use stoa_net::limits::DATAGRAM_BYTES_MAX;
use stoa_net::netcode::{
    DueAction, NetcodeConfig, NetcodeDatagramOutcome, NetcodeServer, NetcodeSessionId, TokenContent, TokenIssuer,
    TokenRandomness,
};
use stoa_state::motion::interest::InterestSetPolicy;
use stoa_state::motion::{
    MotionCounts, MotionEntrant, MotionRights, MotionScene, MotionSessionId, MotionSettings, PartialPose,
};
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{FrameAck, FramePartKind, MotionFrame, MotionObjectKind, serial};
use stoa_wire::netcode::SealedPacketKind;

use self::client::FuzzClient;

const PROTOCOL: u64 = 7;
const STARTED_AT: u64 = 1_700_000_000;
/// More steps would slow an input down without finding more.
const STEPS_MAX: usize = 200;
const CLIENTS: usize = 3;
const ADDRESSES: u8 = 5;
/// Number of datagrams kept for repetition.
const REMEMBERED: usize = 16;

/// Walks through the session machine.
pub fn motion_session(bytes: &[u8]) {
    let mut script = StepReader(bytes);
    let mut world = SessionWorld::new(policy(script.byte()));
    for _ in 0..STEPS_MAX {
        if script.0.is_empty() {
            break;
        }
        world.step(&mut script);
        world.check();
    }
}

fn policy(number: u8) -> InterestSetPolicy {
    match InterestSetPolicy::SAMPLES[usize::from(number) % InterestSetPolicy::SAMPLES.len()] {
        InterestSetPolicy::Nearest { .. } => InterestSetPolicy::Nearest { count: 1 },
        policy => policy,
    }
}

/// The remaining bytes, followed by zeros.
struct StepReader<'a>(&'a [u8]);

impl<'a> StepReader<'a> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Reads a length byte, and that many bytes.
    fn piece(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte()).min(self.0.len());
        let (piece, rest) = self.0.split_at(length);
        self.0 = rest;
        piece
    }

    fn address(&mut self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], u16::from(self.byte() % ADDRESSES) + 1))
    }
}

/// Bytes received from and sent to an address since a client moved there.
#[derive(Clone, Copy, Debug, Default)]
struct ByteBalance {
    received: usize,
    sent: usize,
}

/// A client with a session.
struct ConnectedClient {
    client: usize,
    motion_session: MotionSessionId,
    /// `Some` until its address is proved.
    unproved: Option<ByteBalance>,
    /// Sequences of the frames sent since the client last moved. `last` is the newest sequence of all.
    made: BTreeSet<u32>,
    last: u32,
}

struct SessionWorld {
    netcode: NetcodeServer,
    issuer: TokenIssuer,
    scene: MotionScene,
    now: Time,
    tickets: u64,
    clients: [Option<FuzzClient>; CLIENTS],
    connected: BTreeMap<NetcodeSessionId, ConnectedClient>,
    said: Vec<Vec<u8>>,
    counts: MotionCounts,
    drops: u64,
}

/// Result of an event, with copied bytes.
enum NetcodeOutcome {
    Nothing,
    Answer(Vec<u8>),
    Entered(NetcodeSessionId, Vec<u8>),
    Frame(NetcodeSessionId, Vec<u8>, bool),
    Left(NetcodeSessionId),
}

impl SessionWorld {
    fn new(policy: InterestSetPolicy) -> SessionWorld {
        let (token_key, challenge_key) = ([1; 32], [2; 32]);
        let started_at = UnixSeconds(STARTED_AT);
        let config = NetcodeConfig { protocol_id: PROTOCOL, token_key, challenge_key, started_at };
        SessionWorld {
            netcode: NetcodeServer::new(&config),
            issuer: TokenIssuer::new(PROTOCOL, token_key),
            scene: MotionScene::new(MotionSettings { policy, has_voice: true, ..MotionSettings::default() }),
            now: Time::from_millis(1),
            tickets: 0,
            clients: [const { None }; CLIENTS],
            connected: BTreeMap::new(),
            said: Vec::new(),
            counts: MotionCounts::default(),
            drops: 0,
        }
    }

    fn step(&mut self, script: &mut StepReader<'_>) {
        let step = script.byte();
        let client = usize::from(step >> 4) % CLIENTS;
        match step & 15 {
            0 => self.come(client, script.address()),
            1 => {
                let from = script.address();
                self.deliver(&mut script.piece().to_vec(), from);
            }
            2 => self.say_raw(client, script),
            3 => self.say_parts(client, script),
            4..8 => self.say_frame(client, script),
            8..10 => self.pass(script.byte()),
            10 => (0..5).for_each(|_| self.serve(true)),
            11 => self.serve(false),
            12 => self.say_again(script),
            13 => self.go(client, script.byte()),
            14 => self.move_home(client, script.address()),
            _ => self.change(script),
        }
    }

    /// Enters a client with a new ticket, and answers its challenge.
    fn come(&mut self, client: usize, from: SocketAddr) {
        self.tickets += 1;
        let fill = self.tickets.to_le_bytes()[0];
        let created_at = UnixSeconds(STARTED_AT + self.now.since(Time::ZERO).as_secs());
        let entry = TokenContent {
            client_id: self.tickets,
            ticket: &[client as u8],
            servers: vec![SocketAddr::from(([127, 0, 0, 1], 8_444))],
            created_at,
            expires_at: UnixSeconds(created_at.0 + 10),
            silence_max: Duration::from_secs(5),
            random: TokenRandomness { nonce: [fill; 24], client_to_server: [fill; 32], server_to_client: [!fill; 32] },
        };
        let token = self.issuer.issue(&entry).expect("it fits");
        let mut newcomer = FuzzClient::new(&token, from);
        let mut request = newcomer.request.clone();
        let NetcodeOutcome::Answer(challenge) = self.hear(&mut request, from) else { return };
        assert!(challenge.len() < request.len(), "an answer is shorter than its request");
        let response = newcomer.respond(&challenge);
        let NetcodeOutcome::Entered(session, answer) = self.hear(&mut response.clone(), from) else { return };
        assert!(answer.len() < response.len() && newcomer.open(&answer).is_some());
        self.remember(response);
        newcomer.session = Some(session);
        // The earlier client of the same name is silent from now on. Its session goes on until the first frame of this
        // one, but a session that is still pending ends.
        self.clients[client] = Some(newcomer);
        let is_pending = |(_, connected): &(&NetcodeSessionId, &ConnectedClient)| {
            connected.client == client && self.scene.is_pending(connected.motion_session)
        };
        let pending = self.connected.iter().find(is_pending).map(|(id, _)| *id);
        pending.into_iter().for_each(|pending| self.put_out(pending));
        let entrant = MotionEntrant {
            id_tag: format!("c{client}"),
            rights: MotionRights { may_track: client != 2, ..MotionRights::ALL },
        };
        let motion_session = self.scene.enter(entrant, self.now);
        let connected_client =
            ConnectedClient { client, motion_session, unproved: None, made: BTreeSet::new(), last: 0 };
        assert!(self.connected.insert(session, connected_client).is_none(), "a name that was given before");
    }

    /// Sends arbitrary bytes as a payload.
    fn say_raw(&mut self, client: usize, script: &mut StepReader<'_>) {
        let (from, kind) = (self.from(client, script), SealedPacketKind::Payload);
        let payload = script.piece();
        if let Some(client) = &mut self.clients[client] {
            let said = client.seal(kind, payload);
            self.say(said, from);
        }
    }

    /// Sends a frame with arbitrary bytes as parts.
    fn say_parts(&mut self, client: usize, script: &mut StepReader<'_>) {
        let from = self.from(client, script);
        let parts = script.piece();
        let now = self.now;
        if let Some(client) = &mut self.clients[client] {
            let frame = [&client.head(now)[..], parts].concat();
            let said = client.seal(SealedPacketKind::Payload, &frame);
            self.say(said, from);
        }
    }

    /// Sends a client's valid frame, sometimes with a guessed acknowledgement.
    fn say_frame(&mut self, client: usize, script: &mut StepReader<'_>) {
        let from = self.from(client, script);
        let (place, guess, now) = (script.byte(), script.byte(), self.now);
        // A small guess may name a frame that was sent since; a large guess may name a skipped sequence.
        let guess = if guess < 128 { 0 } else { u32::from(guess - 127) << (guess % 3 * 8) };
        if let Some(client) = &mut self.clients[client] {
            let frame = client.frame(place, guess, now);
            let said = client.seal(SealedPacketKind::Payload, &frame);
            self.say(said, from);
        }
    }

    /// The client's home address for three of four bytes, else any address.
    fn from(&self, client: usize, script: &mut StepReader<'_>) -> SocketAddr {
        let byte = script.byte();
        let elsewhere = SocketAddr::from(([127, 0, 0, 1], u16::from(byte % ADDRESSES) + 1));
        self.clients[client].as_ref().filter(|_| byte < 192).map_or(elsewhere, |client| client.home)
    }

    fn say(&mut self, mut said: Vec<u8>, from: SocketAddr) {
        self.remember(said.clone());
        self.deliver(&mut said, from);
    }

    fn remember(&mut self, said: Vec<u8>) {
        self.said.push(said);
        if self.said.len() > REMEMBERED {
            self.said.remove(0);
        }
    }

    /// Repeats an earlier datagram, whole or changed, from any address.
    fn say_again(&mut self, script: &mut StepReader<'_>) {
        let (which, from, flip) = (usize::from(script.byte()), script.address(), script.byte());
        let Some(mut said) = self.said.get(which % REMEMBERED).cloned() else { return };
        if flip > 0 {
            let at = which * 7 % said.len();
            said[at] ^= flip;
        }
        self.deliver(&mut said, from);
    }

    /// Changes a client's address.
    fn move_home(&mut self, client: usize, home: SocketAddr) {
        if let Some(client) = &mut self.clients[client] {
            client.home = home;
        }
    }

    /// Ends a client's session, by the client or by the server.
    fn go(&mut self, client: usize, how: u8) {
        let Some(gone) = &mut self.clients[client] else { return };
        if how < 128 {
            let (said, home) = (gone.seal(SealedPacketKind::Disconnect, &[]), gone.home);
            self.say(said, home);
        } else if let Some(session) = gone.session {
            self.put_out(session);
        }
    }

    fn change(&mut self, script: &mut StepReader<'_>) {
        let (what, id_tag) = (script.byte(), format!("c{}", script.byte() % 5));
        match what % 3 {
            0 => {
                let bytes_per_s = 1 + (u32::from(what) << 12);
                self.scene.change_settings(MotionSettings {
                    policy: policy(what / 3),
                    bytes_per_s,
                    has_voice: what % 7 > 0,
                });
            }
            1 => {
                let place = PartialPose { position: Some([f64::from(what); 3]), rotation: None };
                self.scene.show_bridged(&id_tag, MotionObjectKind::Head, place, self.now);
            }
            _ => self.scene.hide_bridged(&id_tag, None, self.now),
        }
    }

    fn hear(&mut self, datagram: &mut [u8], from: SocketAddr) -> NetcodeOutcome {
        let length = datagram.len();
        for (session, connected_client) in &mut self.connected {
            let is_there = self.netcode.peer(*session).is_some_and(|peer| peer.remote == from);
            if let Some(balance) = connected_client.unproved.as_mut().filter(|_| is_there) {
                balance.received += length;
            }
        }
        match self.netcode.handle(datagram, DatagramAddresses { remote: from, local: None }, self.now) {
            NetcodeDatagramOutcome::Nothing => NetcodeOutcome::Nothing,
            NetcodeDatagramOutcome::Answer(answer) => {
                assert!(answer.len() < length, "{} bytes in answer to {length}", answer.len());
                NetcodeOutcome::Answer(answer.to_vec())
            }
            NetcodeDatagramOutcome::Entered { session, answer, .. } => {
                NetcodeOutcome::Entered(session, answer.to_vec())
            }
            NetcodeDatagramOutcome::Frame { session, bytes, moved } => {
                NetcodeOutcome::Frame(session, bytes.to_vec(), moved)
            }
            NetcodeDatagramOutcome::Left { session } => NetcodeOutcome::Left(session),
        }
    }

    fn deliver(&mut self, datagram: &mut [u8], from: SocketAddr) {
        let length = datagram.len();
        match self.hear(datagram, from) {
            NetcodeOutcome::Nothing | NetcodeOutcome::Answer(_) => {}
            NetcodeOutcome::Entered(session, _) => {
                // A late response: its client has another ticket by now.
                assert!(!self.connected.contains_key(&session));
                self.netcode.end(session);
            }
            NetcodeOutcome::Left(session) => self.leave(session),
            NetcodeOutcome::Frame(session, bytes, moved) => {
                self.take(session, &bytes, from, moved.then_some(length));
            }
        }
    }

    /// Passes a frame to the scene as the server does. `moved_bytes` is the datagram's length if it came from a new
    /// address.
    fn take(&mut self, session: NetcodeSessionId, bytes: &[u8], from: SocketAddr, moved_bytes: Option<usize>) {
        let Some(connected_client) = self.connected.get_mut(&session) else { panic!("a frame without a client") };
        assert_eq!(self.netcode.peer(session).map(|peer| peer.remote), Some(from));
        if let Some(length) = moved_bytes {
            // Random as far as clients can tell.
            let random = (u64::from(connected_client.last) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            self.scene.handle_moved(connected_client.motion_session, random as u32, self.now);
            (connected_client.unproved, connected_client.made) =
                (Some(ByteBalance { received: length, sent: 0 }), BTreeSet::new());
        }
        let was_proved = self.scene.is_proved(connected_client.motion_session);
        assert_eq!(was_proved, connected_client.unproved.is_none());
        let motion_session = connected_client.motion_session;
        let was_pending = self.scene.is_pending(motion_session);
        let takeover = self.scene.handle_frame(motion_session, bytes, self.now);
        assert_eq!(takeover.is_some(), was_pending && !self.scene.is_pending(motion_session));
        if let Some(replaced) = takeover.and_then(|takeover| takeover.replaced) {
            let replaced = self.connected.iter().find(|(_, earlier)| earlier.motion_session == replaced);
            let replaced = replaced.map(|(id, _)| *id).expect("the earlier session was connected");
            self.netcode.end(replaced);
            self.connected.remove(&replaced);
        }
        let Some(connected_client) = self.connected.get_mut(&session) else { panic!("it took over") };
        if was_proved || !self.scene.is_proved(connected_client.motion_session) {
            return;
        }
        let parts = MotionFrame::read(bytes).map(|frame| frame.parts().collect::<Vec<_>>()).unwrap_or_default();
        let acks = parts.into_iter().filter(|(kind, _)| *kind == FramePartKind::Ack as u8);
        let first = acks
            .filter_map(|(_, content)| FrameAck::read(content))
            .find(|ack| connected_client.made.contains(&ack.newest));
        assert!(first.is_some(), "an address is proved by a frame that was never sent there");
        connected_client.unproved = None;
        self.netcode.prove(session);
    }

    fn leave(&mut self, session: NetcodeSessionId) {
        let Some(connected_client) = self.connected.remove(&session) else { panic!("a client leaves twice") };
        assert!(self.scene.leave(connected_client.motion_session, self.now));
        if let Some(client) = self.clients[connected_client.client].take_if(|client| client.session == Some(session)) {
            drop(client);
        }
    }

    fn put_out(&mut self, session: NetcodeSessionId) {
        if !self.connected.contains_key(&session) {
            return;
        }
        let goodbye = self.netcode.end(session).map_or(0, |goodbye| goodbye.bytes.len() * goodbye.times);
        self.note_sent(session, goodbye);
        self.leave(session);
    }

    /// Advances the time by `time` times 8 ms, at most 2.04 s, and handles all that is due.
    fn pass(&mut self, time: u8) {
        self.now = self.now + Duration::from_millis(u64::from(time) * 8);
        self.netcode.handle_timeout(self.now);
        loop {
            let (to, bytes) = match self.netcode.poll_due() {
                None => break,
                Some(DueAction::KeepAlive { peer, bytes }) => (peer.remote, bytes.len()),
                Some(DueAction::Left { session }) => {
                    self.leave(session);
                    continue;
                }
            };
            let reached =
                self.connected.iter().find(|(id, _)| self.netcode.peer(**id).is_some_and(|peer| peer.remote == to));
            let session = reached.map(|(id, _)| *id).expect("a keep-alive belongs to a session");
            self.note_sent(session, bytes);
        }
        while let Some((motion_session, _)) = self.scene.poll_ended(self.now) {
            let session = self
                .connected
                .iter()
                .find(|(_, connected_client)| connected_client.motion_session == motion_session)
                .map(|(id, _)| *id);
            self.put_out(session.expect("whose stay ends was in"));
        }
    }

    fn note_sent(&mut self, session: NetcodeSessionId, bytes: usize) {
        let connected_client = self.connected.get_mut(&session).expect("it was reached just now");
        if let Some(balance) = &mut connected_client.unproved {
            balance.sent += bytes;
            assert!(balance.sent <= balance.received, "to an address that proved nothing: {balance:?}");
        }
    }

    /// Serves a fifth of the receivers, or all of them.
    fn serve(&mut self, is_tick: bool) {
        let mut frames = Vec::new();
        let mut out = |frame: stoa_state::motion::OutgoingFrame<'_>| {
            let bytes = [&frame.head[..], frame.own, frame.shared, &vec![0; frame.padding]].concat();
            frames.push((frame.session, bytes));
        };
        match is_tick {
            true => self.scene.tick(self.now, &mut out),
            false => self.scene.flush(self.now, &mut out),
        }
        for (motion_session, frame) in frames {
            self.post(motion_session, &frame);
        }
    }

    fn post(&mut self, motion_session: MotionSessionId, frame: &[u8]) {
        assert!((HEAD_BYTES..=FRAME_BYTES_MAX).contains(&frame.len()));
        assert!(!self.scene.is_pending(motion_session), "a pending session is sent nothing");
        let sequence = MotionFrame::read(frame).expect("a server says frames").head.sequence;
        let found =
            self.connected.iter_mut().find(|(_, connected_client)| connected_client.motion_session == motion_session);
        let (session, connected_client) =
            found.map(|(id, connected_client)| (*id, connected_client)).expect("only connected clients get frames");
        assert!(
            connected_client.last == 0 || serial::is_newer(sequence, connected_client.last),
            "{sequence} after {}",
            connected_client.last
        );
        connected_client.last = sequence;
        connected_client.made.insert(sequence);
        let (client, mut room) = (connected_client.client, [0; DATAGRAM_BYTES_MAX]);
        let length = self.netcode.seal(session, &[frame], &mut room);
        if length == 0 {
            return;
        }
        self.note_sent(session, length);
        let to = self.netcode.peer(session).expect("it was sealed for it").remote;
        let hearing =
            self.clients[client].as_mut().filter(|client| client.session == Some(session) && client.home == to);
        if let Some(client) = hearing {
            let (kind, payload) = client.open(&room[..length]).expect("it is for this client");
            assert!(kind == SealedPacketKind::Payload && payload == frame);
            client.replica.handle_frame(&payload, self.now).expect("a server says frames");
        }
    }

    /// Checks the invariants after each step.
    fn check(&mut self) {
        let pending = self.connected.values().filter(|client| self.scene.is_pending(client.motion_session)).count();
        assert_eq!((self.netcode.len(), self.scene.len() + pending), (self.connected.len(), self.connected.len()));
        let (before, now) = (fields(&self.counts), fields(&self.scene.counts()));
        assert!(before.iter().zip(&now).all(|(before, now)| before <= now), "{before:?} then {now:?}");
        assert!(self.drops <= self.netcode.drops().total());
        (self.counts, self.drops) = (self.scene.counts(), self.netcode.drops().total());
    }
}

fn fields(counts: &MotionCounts) -> [u64; 11] {
    let MotionCounts { sent, sent_bytes, thinned, taken, malformed, .. } = *counts;
    let MotionCounts { repeated, flooding, undeclared, beyond, refused, untrue, .. } = *counts;
    [sent, sent_bytes, thinned, taken, malformed, repeated, flooding, undeclared, beyond, refused, untrue]
}

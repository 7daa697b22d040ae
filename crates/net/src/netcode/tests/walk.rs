//! Seeded walks: clients send anything at any time from any address, while an attacker on the path holds back,
//! changes and repeats datagrams.

use std::collections::{BTreeMap, BTreeSet};

use stoa_wire::netcode::{PacketContent, SealedPacketKind};

use super::*;

const CLIENTS: usize = 4;
const ADDRESSES: u16 = 6;
const STEPS: usize = 3_000;

/// Bytes received from and sent to an address since it was first counted.
#[derive(Clone, Copy, Debug, Default)]
struct Balance {
    received: usize,
    sent: usize,
}

struct Walk {
    door: Door,
    chance: fastrand::Rng,
    /// Each with a unique name.
    clients: Vec<(u64, Client)>,
    /// Datagrams sent so far, each with its client.
    said: Vec<(Vec<u8>, u64)>,
    challenges: BTreeMap<u64, Vec<u8>>,
    balances: BTreeMap<SocketAddr, Balance>,
    proved: BTreeSet<SocketAddr>,
    sessions: BTreeMap<NetcodeSessionId, u64>,
    /// Sender of each frame, by the frame's number.
    frames: Vec<u64>,
    delivered: BTreeSet<usize>,
    moves: usize,
}

impl Walk {
    fn new(seed: u64) -> Walk {
        let mut walk = Walk {
            door: Door::new(),
            chance: fastrand::Rng::with_seed(seed),
            clients: Vec::new(),
            said: Vec::new(),
            challenges: BTreeMap::new(),
            balances: BTreeMap::new(),
            proved: BTreeSet::new(),
            sessions: BTreeMap::new(),
            frames: Vec::new(),
            delivered: BTreeSet::new(),
            moves: 0,
        };
        walk.clients = (0..CLIENTS).map(|_| walk.newcomer()).collect();
        walk
    }

    fn newcomer(&mut self) -> (u64, Client) {
        let now_s = self.door.now.since(Time::ZERO).as_secs();
        let entry = TokenContent { expires_at: UnixSeconds(STARTED_AT + now_s + GOOD_FOR_S), ..self.door.entry() };
        (entry.client_id, Client::new(&self.door.issuer.issue(&entry).unwrap(), here(1)))
    }

    fn somewhere(&mut self) -> SocketAddr {
        here(self.chance.u16(1..=ADDRESSES))
    }

    fn step(&mut self) {
        let (who, from) = (self.chance.usize(0..CLIENTS), self.somewhere());
        let name = self.clients[who].0;
        // Most clients keep their address, so that the walk reaches sessions.
        let home = if self.chance.u8(0..8) == 0 { from } else { here(who as u16 + 1) };
        match self.chance.u8(0..24) {
            0..3 => self.say(who, home, |client| Some(client.request.clone())),
            3..6 => {
                let challenge = self.challenges.get(&name).cloned();
                self.say(who, home, |client| challenge.map(|challenge| client.respond(&challenge)));
            }
            6..14 => {
                let number = self.frames.len();
                self.frames.push(name);
                self.say(who, home, |client| Some(client.frame(&number.to_le_bytes())));
            }
            14..17 => self.repeat(from),
            17..20 => self.pass(),
            20..22 => self.seal(),
            22 => self.rarely(who, home),
            _ => {
                let noise = (0..self.chance.usize(0..80)).map(|_| self.chance.u8(..)).collect::<Vec<_>>();
                self.deliver(&noise, from, name);
            }
        }
    }

    fn say(&mut self, who: usize, from: SocketAddr, what: impl FnOnce(&mut Client) -> Option<Vec<u8>>) {
        let (name, client) = &mut self.clients[who];
        let name = *name;
        let Some(datagram) = what(client) else { return };
        self.said.push((datagram.clone(), name));
        // Some are lost, or held back by the attacker and sent later.
        if self.chance.u8(0..8) > 0 {
            self.deliver(&datagram, from, name);
        }
    }

    /// Repeats an earlier datagram, whole or changed, from any address.
    fn repeat(&mut self, from: SocketAddr) {
        if self.said.is_empty() {
            return;
        }
        let oldest = self.said.len().saturating_sub(40);
        let (mut datagram, name) = self.said[self.chance.usize(oldest..self.said.len())].clone();
        if self.chance.bool() {
            let at = self.chance.usize(0..datagram.len());
            datagram[at] ^= 1 << self.chance.u8(0..8);
        }
        self.deliver(&datagram, from, name);
    }

    fn rarely(&mut self, who: usize, from: SocketAddr) {
        match self.chance.u8(0..4) {
            0 => self.say(who, from, |client| Some(client.say(&PacketContent::Disconnect))),
            1 => self.say(who, from, |client| Some(client.say_as(SealedPacketKind::Payload, b""))),
            2 => self.clients[who] = self.newcomer(),
            _ => {
                let everybody: Vec<NetcodeSessionId> = self.sessions.keys().copied().collect();
                for session in everybody {
                    self.door.netcode.prove(session);
                    self.proved.extend(self.door.netcode.peer(session).map(|peer| peer.remote));
                }
            }
        }
    }

    fn pass(&mut self) {
        self.door.now = self.door.now + Duration::from_millis(self.chance.u64(0..300));
        self.door.netcode.handle_timeout(self.door.now);
        loop {
            let (to, bytes) = match self.door.netcode.poll_due() {
                None => return,
                Some(DueAction::Left { .. }) => continue,
                Some(DueAction::KeepAlive { peer, bytes }) => (peer.remote, bytes.len()),
            };
            self.sent(to, bytes);
        }
    }

    fn seal(&mut self) {
        let everybody: Vec<NetcodeSessionId> = self.sessions.keys().copied().collect();
        for session in everybody {
            let Some(peer) = self.door.netcode.peer(session) else { continue };
            let frame = vec![7; self.chance.usize(1..1_150)];
            let bytes = self.door.seal(session, &frame).len();
            self.sent(peer.remote, bytes);
        }
    }

    fn sent(&mut self, to: SocketAddr, bytes: usize) {
        let balance = self.balances.entry(to).or_default();
        balance.sent += bytes;
        assert!(self.proved.contains(&to) || balance.sent <= balance.received, "{to}: {balance:?}");
    }

    fn deliver(&mut self, datagram: &[u8], from: SocketAddr, name: u64) {
        self.balances.entry(from).or_default().received += datagram.len();
        match self.door.handle(datagram, from) {
            OwnedEvent::Nothing | OwnedEvent::Left { .. } => {}
            OwnedEvent::Answer(challenge) => {
                self.sent(from, challenge.len());
                self.challenges.insert(name, challenge);
            }
            OwnedEvent::Entered { session, answer, .. } => {
                assert!(self.sessions.insert(session, name).is_none(), "a name that was given before");
                assert!(
                    !self.sessions.iter().any(|(other, of)| *other != session && *of == name),
                    "{name} is in twice"
                );
                self.sent(from, answer.len());
                self.proved.insert(from);
            }
            OwnedEvent::Frame { session, bytes, moved } => {
                let number = usize::from_le_bytes(bytes[..].try_into().expect("as it was said"));
                assert_eq!(self.frames[number], self.sessions[&session], "whose frame this is");
                assert!(self.delivered.insert(number), "frame {number} came twice");
                if moved {
                    self.moves += 1;
                    self.proved.remove(&from);
                    self.balances.insert(from, Balance { received: datagram.len(), sent: 0 });
                }
            }
        }
    }
}

#[test]
fn random_walks_never_flood_an_address_impersonate_a_client_or_repeat_a_frame() {
    let (mut entered, mut delivered, mut moves) = (0, 0, 0);
    for seed in 0..25 {
        let mut walk = Walk::new(seed);
        for _ in 0..STEPS {
            walk.step();
        }
        entered += walk.sessions.len();
        delivered += walk.delivered.len();
        moves += walk.moves;
    }
    eprintln!("{entered} entered, {delivered} frames came, {moves} moved");
    assert!(entered > 60 && delivered > 500 && moves > 5, "the walks get somewhere: {entered}, {delivered}, {moves}");
}

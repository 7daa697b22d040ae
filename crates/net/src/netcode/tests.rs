//! The handshake, its failures, and the safety of existing sessions. The client here is ours (`client.rs`);
//! `stranger.rs` runs the independent client of renetcode.

mod bad_input;
mod client;
mod crowd;
mod entering;
mod moved;
mod stranger;
mod walk;

use std::net::SocketAddr;
use std::time::Duration;

use stoa_state::time::{Time, UnixSeconds};

use self::client::Client;
use super::*;
use crate::datagrams::DatagramAddresses;
use crate::limits;

const PROTOCOL: u64 = 0x312d_616f_7473;
const SERVER: &str = "127.0.0.1:8444";
const STARTED_AT: u64 = 1_700_000_000;
const SILENCE_MAX: Duration = Duration::from_secs(5);
/// Tokens are valid for this many seconds from the start.
const GOOD_FOR_S: u64 = 10;

/// A server, and the issuer of its tokens.
struct Door {
    netcode: NetcodeServer,
    issuer: TokenIssuer,
    now: Time,
    tokens: u64,
}

/// An event that keeps its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OwnedEvent {
    Nothing,
    Answer(Vec<u8>),
    Entered { session: NetcodeSessionId, ticket: Vec<u8>, answer: Vec<u8> },
    Frame { session: NetcodeSessionId, bytes: Vec<u8>, moved: bool },
    Left { session: NetcodeSessionId },
}

impl Door {
    fn new() -> Door {
        let (token_key, challenge_key) = ([1; 32], [2; 32]);
        let started_at = UnixSeconds(STARTED_AT);
        let netcode =
            NetcodeServer::new(&NetcodeConfig { protocol_id: PROTOCOL, token_key, challenge_key, started_at });
        Door { netcode, issuer: TokenIssuer::new(PROTOCOL, token_key), now: Time::from_millis(1), tokens: 0 }
    }

    fn entry(&mut self) -> TokenContent<'static> {
        self.tokens += 1;
        let mut chance = fastrand::Rng::with_seed(self.tokens);
        let random = TokenRandomness {
            nonce: bytes(&mut chance),
            client_to_server: bytes(&mut chance),
            server_to_client: bytes(&mut chance),
        };
        TokenContent {
            client_id: self.tokens,
            ticket: b"the ticket's 24 bytes...",
            servers: vec![SERVER.parse().unwrap()],
            created_at: UnixSeconds(STARTED_AT),
            expires_at: UnixSeconds(STARTED_AT + GOOD_FOR_S),
            silence_max: SILENCE_MAX,
            random,
        }
    }

    fn token(&mut self) -> Vec<u8> {
        let entry = self.entry();
        self.issuer.issue(&entry).unwrap()
    }

    fn handle(&mut self, datagram: &[u8], from: SocketAddr) -> OwnedEvent {
        match self.netcode.handle(&mut datagram.to_vec(), peer_at(from), self.now) {
            NetcodeDatagramOutcome::Nothing => OwnedEvent::Nothing,
            NetcodeDatagramOutcome::Answer(bytes) => OwnedEvent::Answer(bytes.to_vec()),
            NetcodeDatagramOutcome::Entered { session, ticket, answer } => {
                OwnedEvent::Entered { session, ticket: ticket.to_vec(), answer: answer.to_vec() }
            }
            NetcodeDatagramOutcome::Frame { session, bytes, moved } => {
                OwnedEvent::Frame { session, bytes: bytes.to_vec(), moved }
            }
            NetcodeDatagramOutcome::Left { session } => OwnedEvent::Left { session },
        }
    }

    /// Admits a client from a port of its own.
    fn enter(&mut self, port: u16) -> (Client, NetcodeSessionId) {
        let token = self.token();
        let mut client = Client::new(&token, here(port));
        let session = client.enter(self);
        (client, session)
    }

    fn seal(&mut self, session: NetcodeSessionId, frame: &[u8]) -> Vec<u8> {
        let mut out = [0; limits::DATAGRAM_BYTES_MAX];
        let length = self.netcode.seal(session, &[frame], &mut out);
        out[..length].to_vec()
    }

    /// Advances time and returns all due packets.
    fn pass(&mut self, time: Duration) -> Vec<(Option<NetcodeSessionId>, Vec<u8>)> {
        let until = self.now + time;
        let mut all = Vec::new();
        while self.now < until {
            self.now = until.min(self.netcode.poll_timeout().max(self.now + Duration::from_millis(1)));
            self.netcode.handle_timeout(self.now);
            while let Some(due) = self.netcode.poll_due() {
                all.push(match due {
                    DueAction::KeepAlive { bytes, .. } => (None, bytes.to_vec()),
                    DueAction::Left { session } => (Some(session), Vec::new()),
                });
            }
        }
        all
    }

    /// Asserts that `datagram` is dropped for `why`, once, without other effects.
    fn assert_dropped(&mut self, datagram: &[u8], from: SocketAddr, why: DropReason) {
        let before = *self.netcode.drops();
        assert_eq!(self.handle(datagram, from), OwnedEvent::Nothing, "{}", why.name());
        let after = *self.netcode.drops();
        assert_eq!(after[why], before[why] + 1, "{}: {before:?} then {after:?}", why.name());
        assert_eq!(after.total(), before.total() + 1, "{}", why.name());
    }
}

fn here(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

fn bytes<const N: usize>(chance: &mut fastrand::Rng) -> [u8; N] {
    std::array::from_fn(|_| chance.u8(..))
}

fn peer_at(remote: SocketAddr) -> DatagramAddresses {
    DatagramAddresses { remote, local: None }
}

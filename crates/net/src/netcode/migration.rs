//! Goes on with a client that comes from another address: a phone that leaves its WLAN, a router that gives another port. The standard has no number by which a packet
//! could be told to be somebody's, so keys are tried. This is bounded so that it can't be turned against the server:
//! * only of sessions of which nothing came for `MOVE_SILENCE` (whoever sends from the old address has not moved),
//! * only of those whose next sequence it could be, `MOVE_KEYS_MAX` at most for each datagram,
//! * for `MOVES_TRIED_PER_S` datagrams a second in all. Not for each address: senders' addresses cost nothing to invent.
//!
//! Nor can it be turned against others. What opens was sealed by the client and is newer than all that came, but somebody on the way may have held it back and sent it
//! from an address that is not his; or the client itself says that it is where it is not. Until the client acknowledges, in what it seals, a frame that was sent there, no
//! more bytes go there than came from there; whoever reads frames says so by [`super::NetcodeServer::prove`], and sees to it that such a frame can't be guessed.

use stoa_state::bucket::TokenBucket;
use stoa_state::time::Time;
use stoa_wire::netcode::{PACKET_PAYLOAD_BYTES_MAX, SealedKind, TAG_BYTES};

use super::drops::DropReason;
use super::machine::{DatagramVerdict, NetcodeServer, SealedArrival};
use super::sessions::{AmplificationBudget, NetcodeSessionId};
use crate::limits;

#[derive(Debug)]
pub(super) struct AddressMigration {
    tries: TokenBucket,
    /// Sessions that may have moved: looked up at each sweep.
    pub(super) silent: Vec<NetcodeSessionId>,
    scratch: Box<[u8; PACKET_PAYLOAD_BYTES_MAX]>,
}

impl AddressMigration {
    pub(super) fn new() -> AddressMigration {
        let scratch = Box::new([0; PACKET_PAYLOAD_BYTES_MAX]);
        AddressMigration {
            tries: TokenBucket::new(limits::MOVES_TRIED_PER_S, limits::MOVES_TRIED_PER_S, Time::ZERO),
            silent: Vec::new(),
            scratch,
        }
    }
}

impl NetcodeServer {
    /// A sealed packet from an address that nobody is at.
    pub(super) fn judge_stranger(&mut self, arrived: SealedArrival<'_>) -> Result<DatagramVerdict, DropReason> {
        let content_bytes = arrived.datagram.len().saturating_sub(arrived.head.length() + TAG_BYTES);
        let is_frame = arrived.head.kind() == SealedKind::Payload;
        if !is_frame || !(1..=PACKET_PAYLOAD_BYTES_MAX).contains(&content_bytes) || !self.moving.tries.take(self.now) {
            return Err(DropReason::Stranger);
        }
        let session = self.who_moved(&arrived).ok_or(DropReason::Stranger)?;
        let moved = self.sessions.get_mut(session).expect("its key has just opened something");
        self.by_address.remove(&moved.peer.remote);
        self.by_address.insert(arrived.peer.remote, session);
        moved.peer = arrived.peer;
        moved.unproved = Some(AmplificationBudget::default());
        match self.judge_session(session, arrived)? {
            DatagramVerdict::Frame { session, range, .. } => Ok(DatagramVerdict::Frame { session, range, moved: true }),
            other => Ok(other),
        }
    }

    fn who_moved(&mut self, arrived: &SealedArrival<'_>) -> Option<NetcodeSessionId> {
        let (sequence, sealed) = (arrived.head.sequence(), arrived.datagram.get(arrived.head.length()..)?);
        let associated = arrived.head.associated(self.protocol_id);
        let (sessions, now) = (&self.sessions, self.now);
        let AddressMigration { silent, scratch, .. } = &mut self.moving;
        let could_be = silent.iter().filter_map(|&id| {
            let session = sessions.get(id)?;
            let is_silent = now.since(session.heard_at) >= limits::MOVE_SILENCE;
            let ahead = session.replay.ahead(sequence)?;
            (is_silent && ahead <= limits::MOVE_SEQUENCES_AHEAD_MAX).then_some((id, &session.theirs))
        });
        let mut tried = could_be.take(limits::MOVE_KEYS_MAX);
        tried.find(|(_, key)| key.opens(sequence, &associated, (sealed, &mut scratch[..]))).map(|(id, _)| id)
    }
}

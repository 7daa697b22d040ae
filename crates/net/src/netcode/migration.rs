//! Continues a session from a new address: a phone that leaves its WLAN, or a router that assigns another port.
//! netcode packets carry no connection id, so the session is found by trying keys. Limits prevent abuse of this search
//! against the server:
//! * Only sessions that were silent for `MOVE_SILENCE` are tried: a client that still sends from its old address has
//!   not moved.
//! * Of these, only sessions whose next sequence the packet could have, at most `MOVE_KEYS_MAX` per datagram.
//! * `MOVES_TRIED_PER_S` bounds the datagrams a second for which keys are tried, and `DATAGRAMS_OPENED_PER_S` those of
//!   one network. The total is needed because source addresses are free to forge.
//!
//! A move can't be abused against third parties either. A packet that opens was sealed by the client and is newer than
//! all received ones. But an attacker on the path may have held the packet back and sent it from a forged address, or
//! the client itself may forge its address. So the new address is sent no more bytes than it sent, until the client
//! acknowledges, in a sealed packet, a frame that was sent there. The reader of frames reports the acknowledgement by
//! [`super::NetcodeServer::prove`], and ensures that such a frame can't be guessed.

use stoa_state::bucket::TokenBucket;
use stoa_state::time::Time;
use stoa_wire::netcode::{PACKET_PAYLOAD_BYTES_MAX, SealedPacketKind, TAG_BYTES};

use super::drops::DropReason;
use super::machine::{NetcodeServer, OwnedDatagramOutcome, ReceivedSealedPacket};
use super::sessions::{NetcodeSessionId, UnvalidatedAddressTraffic};
use super::source_rates::opening_rate;
use crate::limits;

#[derive(Debug)]
pub(super) struct MigratedSessionFinder {
    tries: TokenBucket,
    /// Sessions that may have moved; updated at each sweep.
    pub(super) silent: Vec<NetcodeSessionId>,
    scratch: Box<[u8; PACKET_PAYLOAD_BYTES_MAX]>,
}

impl MigratedSessionFinder {
    pub(super) fn new() -> MigratedSessionFinder {
        let scratch = Box::new([0; PACKET_PAYLOAD_BYTES_MAX]);
        MigratedSessionFinder {
            tries: TokenBucket::new(limits::MOVES_TRIED_PER_S, limits::MOVES_TRIED_PER_S, Time::ZERO),
            silent: Vec::new(),
            scratch,
        }
    }
}

impl NetcodeServer {
    /// Judges a sealed packet from an address without a session.
    pub(super) fn judge_stranger(
        &mut self,
        arrived: ReceivedSealedPacket<'_>,
    ) -> Result<OwnedDatagramOutcome, DropReason> {
        let content_bytes = arrived.datagram.len().saturating_sub(arrived.head.length() + TAG_BYTES);
        let is_frame = arrived.head.kind() == SealedPacketKind::Payload;
        if !is_frame || !(1..=PACKET_PAYLOAD_BYTES_MAX).contains(&content_bytes) {
            return Err(DropReason::Stranger);
        }
        let source = arrived.peer.remote.ip();
        if !self.admission.sources.take(source, self.now) || !self.moving.tries.take(self.now) {
            return Err(DropReason::Stranger);
        }
        let session = self.find_moved_session(&arrived).ok_or(DropReason::Stranger)?;
        let moved = self.sessions.get_mut(session).expect("its key has just opened something");
        self.by_address.remove(&moved.peer.remote);
        self.by_address.insert(arrived.peer.remote, session);
        moved.peer = arrived.peer;
        moved.unproved = Some(UnvalidatedAddressTraffic::default());
        // Forged packets to the old address may have used up the rate.
        moved.rate = opening_rate(self.now);
        match self.judge_session(session, arrived)? {
            OwnedDatagramOutcome::Frame { session, range, .. } => {
                Ok(OwnedDatagramOutcome::Frame { session, range, moved: true })
            }
            other => Ok(other),
        }
    }

    fn find_moved_session(&mut self, arrived: &ReceivedSealedPacket<'_>) -> Option<NetcodeSessionId> {
        let (sequence, sealed) = (arrived.head.sequence(), arrived.datagram.get(arrived.head.length()..)?);
        let associated = arrived.head.associated(self.protocol_id);
        let (sessions, now) = (&self.sessions, self.now);
        let MigratedSessionFinder { silent, scratch, .. } = &mut self.moving;
        let could_be = silent.iter().filter_map(|&id| {
            let session = sessions.get(id)?;
            let is_silent = now.since(session.received_at) >= limits::MOVE_SILENCE;
            let ahead = session.replay.ahead(sequence)?;
            (is_silent && ahead <= limits::MOVE_SEQUENCES_AHEAD_MAX).then_some((id, &session.receive_key))
        });
        let mut tried = could_be.take(limits::MOVE_KEYS_MAX);
        tried.find(|(_, key)| key.opens(sequence, &associated, (sealed, &mut scratch[..]))).map(|(id, _)| id)
    }
}

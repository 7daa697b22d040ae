//! Timed actions: ends silent sessions, seals keep-alives, lists sessions that may have moved, and forgets unanswered
//! challenges and expired tokens.

use stoa_state::time::Time;
use stoa_wire::netcode::SealedPacketKind;

use super::machine::{KEEP_ALIVE, NetcodeServer};
use super::sealing::PacketSealParameters;
use super::sessions::NetcodeSessionId;
use crate::datagrams::DatagramAddresses;
use crate::limits;

/// A timed action.
#[derive(Debug, PartialEq, Eq)]
pub enum DueAction<'a> {
    /// Send a keep-alive.
    KeepAlive {
        /// The client's address.
        peer: DatagramAddresses,
        /// The sealed packet.
        bytes: &'a [u8],
    },
    /// The session has ended, because nothing was received for too long.
    Left {
        /// The session that ended.
        session: NetcodeSessionId,
    },
}

/// Walks through all sessions once per period.
#[derive(Debug, Default)]
pub(super) struct SessionSweep {
    due_at: Time,
    /// The next slot; `None` between two sweeps.
    slot: Option<usize>,
}

impl NetcodeServer {
    /// When to call [`NetcodeServer::handle_timeout`]. A late call is safe, an early one does nothing.
    pub fn poll_timeout(&self) -> Time {
        self.sweep.due_at
    }

    /// Begins a sweep, whose actions [`NetcodeServer::poll_due`] returns.
    pub fn handle_timeout(&mut self, now: Time) {
        self.now = self.now.max(now);
        if now < self.sweep.due_at {
            return;
        }
        self.sweep = SessionSweep { due_at: now + limits::SWEEP_PERIOD, slot: Some(0) };
        self.moving.silent.clear();
        let clocks = self.clocks();
        self.admission.forget(clocks);
    }

    /// Returns the next due action of the sweep.
    pub fn poll_due(&mut self) -> Option<DueAction<'_>> {
        let now = self.now;
        loop {
            let Some((id, next)) = self.sessions.next_from(self.sweep.slot?) else {
                self.sweep.slot = None;
                return None;
            };
            self.sweep.slot = Some(next);
            let session = self.sessions.get_mut(id).expect("it was found just now");
            let silence = now.since(session.received_at);
            if session.silence_max.is_some_and(|silence_max| silence >= silence_max) {
                self.remove(id);
                return Some(DueAction::Left { session: id });
            }
            if silence >= limits::MOVE_SILENCE {
                self.moving.silent.push(id);
            }
            if now.since(session.sent_at) < limits::KEEP_ALIVE_PERIOD {
                continue;
            }
            let packet = PacketSealParameters { kind: SealedPacketKind::KeepAlive, protocol_id: self.protocol_id, now };
            let length = session.write(packet, &[&KEEP_ALIVE], &mut self.answer[..]);
            if length > 0 {
                return Some(DueAction::KeepAlive { peer: session.peer, bytes: &self.answer[..length] });
            }
        }
    }
}

//! What is due with time: those who have gone, those who want to hear that we are there.

use stoa_state::time::Time;
use stoa_wire::netcode::SealedKind;

use super::machine::{KEEP_ALIVE, NetcodeServer};
use super::sealing::SessionPacket;
use super::sessions::NetcodeSessionId;
use crate::datagrams::PeerAddress;
use crate::limits;

/// What is to be done now.
#[derive(Debug, PartialEq, Eq)]
pub enum DueAction<'a> {
    /// To be sent: the client hears that we are there.
    KeepAlive {
        /// The client's address.
        peer: PeerAddress,
        /// The sealed packet.
        bytes: &'a [u8],
    },
    /// Nothing was heard of it for too long: it is gone.
    Left {
        /// The session that ended.
        session: NetcodeSessionId,
    },
}

/// Goes by all sessions, once in each period.
#[derive(Debug, Default)]
pub(super) struct SessionSweep {
    due_at: Time,
    /// The place that comes next; `None` between two sweeps.
    slot: Option<usize>,
}

impl NetcodeServer {
    /// When [`NetcodeServer::handle_timeout`] is to be called. Late is safe, early does nothing.
    pub fn poll_timeout(&self) -> Time {
        self.sweep.due_at
    }

    /// Begins to look for what is due; [`NetcodeServer::poll_due`] tells it.
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

    /// What is due, one after the other.
    pub fn poll_due(&mut self) -> Option<DueAction<'_>> {
        let now = self.now;
        loop {
            let Some((id, next)) = self.sessions.next_from(self.sweep.slot?) else {
                self.sweep.slot = None;
                return None;
            };
            self.sweep.slot = Some(next);
            let session = self.sessions.get_mut(id).expect("it was found just now");
            let silence = now.since(session.heard_at);
            if session.silence_max.is_some_and(|silence_max| silence >= silence_max) {
                self.remove(id);
                return Some(DueAction::Left { session: id });
            }
            if silence >= limits::MOVE_SILENCE {
                self.moving.silent.push(id);
            }
            if now.since(session.told_at) < limits::KEEP_ALIVE_PERIOD {
                continue;
            }
            let saying = SessionPacket { kind: SealedKind::KeepAlive, protocol_id: self.protocol_id, now };
            let length = session.write(saying, &[&KEEP_ALIVE], &mut self.answer[..]);
            if length > 0 {
                return Some(DueAction::KeepAlive { peer: session.peer, bytes: &self.answer[..length] });
            }
        }
    }
}

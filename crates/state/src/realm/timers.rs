//! The realm's deadlines, a few for each client at most. A client's deadline moves with every packet. Its timer
//! doesn't move, and checks the deadline when it fires.

use alloc::collections::BTreeSet;

use stoa_wire::packet::ReasonCode;
use stoa_wire::topic::SceneName;

use super::ending::DisconnectCause;
use super::{ConnectionId, MotionGrantId, Realm};
use crate::limits;
use crate::mqtt::connection::ProtocolViolation;
use crate::mqtt::session::SessionId;
use crate::time::Time;

/// The subject of a deadline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TimerKey {
    /// The timeout of CONNECT and authentication, the keep-alive, the grant's end, a pending refusal notice.
    Client(ConnectionId),
    /// The expiry of a session without a connection. The serial detects a reused id.
    Session(SessionId, u64),
    /// A will's delay. The serial detects a reused id.
    Will(SessionId, u64),
    /// Objects that expire, and the next part of deletions or template copies.
    Scene(SceneName),
    /// The network graph.
    Graph,
    /// The repair after a failed commit.
    Repair,
    /// The end of a motion grant.
    MotionGrant(MotionGrantId),
}

#[derive(Debug, Default)]
pub(super) struct TimerQueue(BTreeSet<(Time, TimerKey)>);

impl TimerQueue {
    pub(super) fn first(&self) -> Option<Time> {
        self.0.first().map(|(at, _)| *at)
    }

    /// Makes `timer` fire no later than `wanted`. `armed` is its present time.
    pub(super) fn arm(&mut self, timer: TimerKey, wanted: Option<Time>, armed: &mut Option<Time>) {
        let Some(wanted) = wanted else {
            return;
        };
        if armed.is_some_and(|armed| armed <= wanted) {
            return;
        }
        if let Some(armed) = armed.replace(wanted) {
            self.0.remove(&(armed, timer.clone()));
        }
        self.0.insert((wanted, timer));
    }

    pub(super) fn once(&mut self, timer: TimerKey, at: Time) {
        self.0.insert((at, timer));
    }

    pub(super) fn cancel(&mut self, timer: TimerKey, armed: Option<Time>) {
        if let Some(armed) = armed {
            self.0.remove(&(armed, timer));
        }
    }

    fn pop(&mut self, now: Time) -> Option<TimerKey> {
        if self.first()? > now {
            return None;
        }
        self.0.pop_first().map(|(_, timer)| timer)
    }
}

impl Realm {
    /// Fires due timers, of a few scenes at most. Due timers that were not fired remain due.
    pub(super) fn fire(&mut self, now: Time) {
        let mut scenes_left = limits::SCENES_FIRED_AT_ONCE_MAX;
        while scenes_left > 0
            && let Some(timer) = self.timers.pop(now)
        {
            scenes_left -= usize::from(matches!(timer, TimerKey::Scene(_)));
            match timer {
                TimerKey::Client(connection) => self.fire_client(connection, now),
                TimerKey::Session(session, serial) => self.fire_session(session, serial, now),
                TimerKey::Will(session, serial) => self.fire_will(session, serial, now),
                TimerKey::Scene(name) => self.fire_scene(&name, now),
                TimerKey::Graph => self.fire_graph(now),
                TimerKey::Repair => self.fire_repair(now),
                TimerKey::MotionGrant(motion_grant) => self.end_motion_grant(motion_grant),
            }
        }
    }

    pub(super) fn arm_client(&mut self, connection: ConnectionId) {
        if let Some(client) = self.clients.get_mut(&connection) {
            let wanted = client.poll_timeout();
            self.timers.arm(TimerKey::Client(connection), wanted, &mut client.armed);
        }
    }

    fn fire_client(&mut self, connection: ConnectionId, now: Time) {
        let Some(client) = self.clients.get_mut(&connection) else {
            return;
        };
        client.armed = None;
        let silent = client.protocol.poll_timeout().is_some_and(|at| at <= now);
        let expired = client.access.as_ref().is_some_and(|access| access.ends_at <= now);
        if silent || expired {
            let violation = match (silent, client.protocol.is_live()) {
                (true, true) => ProtocolViolation {
                    code: ReasonCode::KEEP_ALIVE_TIMEOUT,
                    reason: "the client has been silent for too long",
                },
                (true, false) => {
                    ProtocolViolation { code: ReasonCode::NOT_AUTHORIZED, reason: "authentication took too long" }
                }
                (false, _) => ProtocolViolation { code: ReasonCode::NOT_AUTHORIZED, reason: "the token has expired" },
            };
            self.end(connection, DisconnectCause::Because(violation), now);
            return;
        }
        self.send_notice(connection, now);
        self.arm_client(connection);
    }

    fn fire_session(&mut self, id: SessionId, serial: u64, now: Time) {
        let ended = |at: Time| at <= now;
        let over = self.sessions.get(id).is_some_and(|s| s.serial == serial && s.expires_at.is_some_and(ended));
        if over {
            self.close_session(id, now);
        }
    }

    fn fire_will(&mut self, id: SessionId, serial: u64, now: Time) {
        let is_same = self.sessions.get(id).is_some_and(|session| session.serial == serial);
        if let Some(will) = self.take_will(id, |will| is_same && will.due_at <= now) {
            self.keep_will(id, None);
            self.publish_delayed(id, will, now);
        }
    }

    fn fire_scene(&mut self, name: &SceneName, now: Time) {
        let Some(hosted) = self.scenes.get_mut(name) else {
            return;
        };
        hosted.armed = None;
        hosted.scene.handle_timeout(now);
        self.drain_scene(name, now);
    }
}

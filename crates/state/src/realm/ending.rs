//! Ends a connection: sends its DISCONNECT, publishes or delays its will, and detaches its session.

use stoa_wire::packet::{ConnAck, ConnAckProperties, Disconnect, MqttVersion, Packet, ReasonCode};
use stoa_wire::topic::SceneTopic;

use super::clients::{ClientAccess, holder};
use super::timers::TimerKey;
use super::{ConnectionId, Realm, RealmCounter, RealmOutput, costs};
use crate::limits;
use crate::mqtt::connection::ProtocolViolation;
use crate::mqtt::session::DelayedWill;
use crate::time::Time;

/// The cause of a connection's end.
#[derive(Clone, Copy, Debug)]
pub(super) enum DisconnectCause {
    /// The client sent DISCONNECT.
    Requested,
    /// The transport has closed, so nothing can be sent.
    Closed,
    /// The realm ends it, with a reason as far as the protocol can express one.
    Because(ProtocolViolation),
}

impl Realm {
    /// Ends a connection, if it is still open.
    pub(super) fn end(&mut self, connection: ConnectionId, cause: DisconnectCause, now: Time) {
        let Some(client) = self.clients.get(&connection) else {
            return;
        };
        if client.access.is_none() && matches!(cause, DisconnectCause::Because(_)) && client.protocol.has_spoken() {
            self.count(RealmCounter::ConnectRefused, 1);
        }
        if let DisconnectCause::Because(violation) = cause {
            self.send_reason(connection, violation);
        }
        if !matches!(cause, DisconnectCause::Closed) {
            self.outputs.push_back(RealmOutput::Close { connection });
        }
        let delayed = self.take_delayed_will(connection, now);
        self.detach(connection, delayed, now);
        self.publish_will(connection, now);
        let Some(client) = self.clients.remove(&connection) else {
            return;
        };
        self.timers.cancel(TimerKey::Client(connection), client.armed);
        self.note_left(connection, &client, now);
        if let Some(ClientAccess { grant, allowance, payer, will_bytes, .. }) = &client.access {
            self.ledger.release(*payer, costs::will(*will_bytes));
            self.remembered.end(holder(grant), allowance.clone(), now);
        }
        for name in client.access.iter().flat_map(|access| &access.scenes) {
            if let Some(hosted) = self.scenes.get_mut(name) {
                hosted.scene.handle_connection_ended(connection);
                self.drain_scene(name, now);
            }
        }
    }

    /// Counts a packet that no message allowance covers. Ends the connection and returns false beyond the limit.
    pub(super) fn count_unpaid(&mut self, connection: ConnectionId, now: Time) -> bool {
        if self.access_mut(connection).is_none_or(|access| access.allowance.count_unpaid(now)) {
            return true;
        }
        let violation =
            ProtocolViolation { code: ReasonCode::MESSAGE_RATE_TOO_HIGH, reason: "too many packets per second" };
        self.end(connection, DisconnectCause::Because(violation), now);
        false
    }

    fn send_reason(&mut self, connection: ConnectionId, ProtocolViolation { code, reason }: ProtocolViolation) {
        let Some(client) = self.clients.get(&connection) else {
            return;
        };
        let (version, reason) = (client.protocol.version(), Some(reason.into()));
        if client.protocol.is_live() {
            // MQTT 3.1.1 has no DISCONNECT from the server.
            if version == MqttVersion::V5 {
                self.control(connection, &Packet::Disconnect(Disconnect { code, session_expiry_s: None, reason }));
            }
        } else if client.protocol.has_spoken() || code == ReasonCode::UNSUPPORTED_PROTOCOL_VERSION {
            let properties = ConnAckProperties { reason, ..ConnAckProperties::default() };
            self.control(connection, &Packet::ConnAck(ConnAck { session_present: false, code, properties }));
        }
    }

    /// Takes the will if it is delayed. A will on a scene's topic is never delayed: a late message of a departed
    /// person would recreate its objects.
    fn take_delayed_will(&mut self, connection: ConnectionId, now: Time) -> Option<DelayedWill> {
        let client = self.clients.get_mut(&connection)?;
        let access = client.access.as_ref()?;
        let (topic, delay) = client.protocol.will()?;
        if delay.is_zero() || SceneTopic::parse(topic.as_str()).is_some() {
            return None;
        }
        let (grant, grant_ends_at) = (access.grant.clone(), access.ends_at);
        let publish = client.protocol.take_will()?;
        Some(DelayedWill { publish, grant, grant_ends_at, due_at: now + delay })
    }

    /// Detaches the session from the connection. The session ends or becomes idle.
    fn detach(&mut self, connection: ConnectionId, delayed: Option<DelayedWill>, now: Time) {
        let Some(client) = self.clients.get(&connection) else {
            return;
        };
        let Some(access) = &client.access else {
            return;
        };
        let (id, grant, requested_expiry) = (access.session, access.grant.clone(), client.protocol.session_expiry());
        // A DISCONNECT may have changed the expiry.
        let guest = grant.claims().guest;
        let expiry = if guest { requested_expiry.min(limits::GUEST_SESSION_EXPIRY_MAX) } else { requested_expiry };
        let stays = !expiry.is_zero() && self.may_idle(id, now);
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        session.expiry = expiry;
        session.attached = None;
        session.subscriptions.keys().for_each(|filter| self.routes.refresh(filter));
        self.shares.refresh(id, session);
        session.outgoing.pause();
        session.incoming.pause();
        let serial = session.serial;
        self.delay_will(id, delayed, now);
        if !stays {
            self.close_session(id, now);
            return;
        }
        let session = self.sessions.get_mut(id).expect("it stays");
        session.last_grant = Some(grant);
        if let Some(will) = &session.will {
            self.timers.once(TimerKey::Will(id, serial), will.due_at);
        }
        self.set_idle(id, expiry, now);
        self.keep_lasting(id);
        let will = self.will_to_keep(id, now);
        self.keep_will(id, will);
    }

    fn publish_will(&mut self, connection: ConnectionId, now: Time) {
        let Some(will) = self.clients.get_mut(&connection).and_then(|client| client.protocol.take_will()) else {
            return;
        };
        // The client has gone, so a refusal is only counted.
        if let Err(refused) = self.take_message(connection, will, now) {
            self.count_refused(refused.reason);
        }
        // A will has no acknowledgement.
        self.begun_load = None;
    }
}

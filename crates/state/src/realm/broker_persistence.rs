//! Sessions and retained messages that survive a restart: writing their changes and restoring them. Source:
//! `spec/mqtt.md` section 3.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::packet::{EncodedPacket, MqttVersion, Packet, Publish};
use stoa_wire::reason::Refusal;
use stoa_wire::topic::SceneTopic;
use stoa_wire::topic_filter::TopicFilter;

use super::acknowledging::DeferredAck;
use super::repairing::BrokerRecordKey;
use super::timers::TimerKey;
use super::{Realm, RealmOutput, StoreWrite};
use crate::connection_id::ConnectionId;
use crate::grant::Grant;
use crate::ledger::{Payer, PayerClass};
use crate::mqtt::connection::message_of;
use crate::mqtt::incoming::InboundPacketIds;
use crate::mqtt::outgoing::{self, OutboundMessages};
use crate::mqtt::retained::RetainedMessage;
use crate::mqtt::routes::SubscriptionOptions;
use crate::mqtt::session::{DelayedWill, Session, SessionId};
use crate::mqtt::sessions::IdlePermission;
use crate::mqtt::shared_subscriptions::{MemberPresence, SharedFilter};
use crate::mqtt::stored::{
    BrokerWrite, SessionWrite, StoredBroker, StoredMessage, StoredRetained, StoredSession, StoredWill,
};
use crate::packet_class::PacketClass;
use crate::time::Time;

impl Realm {
    /// Gives a write to the store, at the payer's expense.
    pub(super) fn write(&mut self, write: BrokerWrite, payer: Option<Payer>) {
        self.repairs.note(self.sequence + 1, &write);
        self.give_to_store(StoreWrite::Broker(write), payer);
    }

    /// Writes a change of a session, if it survives a restart.
    pub(super) fn keep(&mut self, id: SessionId, write: SessionWrite) {
        if let Some(session) = self.sessions.get(id).filter(|session| session.is_kept) {
            let (session, payer) = (Arc::clone(&session.name), session.payer);
            let record = BrokerRecordKey::Session(Arc::clone(&session));
            if self.repairs.take_stale(&record) && write != SessionWrite::Ended {
                self.rewrite(&record);
            }
            self.write(BrokerWrite::Session { session, write }, payer);
        }
    }

    /// Writes a session's expiry, if it survives a restart.
    pub(super) fn keep_lasting(&mut self, id: SessionId) {
        let Some(session) = self.sessions.get(id) else {
            return;
        };
        let lasts = self.lasting(id, session);
        self.keep(id, lasts);
    }

    pub(super) fn lasting(&self, id: SessionId, session: &Session) -> SessionWrite {
        let is_identity = self.sessions.of_identity(&session.name.client_id) == Some(id);
        let expiry_s = u32::try_from(session.expiry.as_secs()).unwrap_or(u32::MAX);
        SessionWrite::Lasts { expiry_s, expires_at: session.expires_at.map(|at| self.unix(at)), is_identity }
    }

    /// Writes a session's pending will, if the session survives a restart.
    pub(super) fn keep_will(&mut self, id: SessionId, will: Option<StoredWill>) {
        let Some(session) = self.sessions.get_mut(id).filter(|session| session.is_kept) else {
            return;
        };
        let was_kept = core::mem::replace(&mut session.will_is_kept, will.is_some());
        if was_kept || will.is_some() {
            self.keep(id, SessionWrite::Will(will.map(Box::new)));
        }
    }

    /// Returns the will to store: the connection's, or the delayed one. A will on a scene's topic is not stored,
    /// because a restart ends that person's presence.
    pub(super) fn will_to_keep(&self, id: SessionId, now: Time) -> Option<StoredWill> {
        let session = self.sessions.get(id)?;
        let (publish, grant, delay_s, due_at) = match (&session.will, session.attached) {
            (Some(will), _) => (will.publish.clone(), &will.grant, 0, Some(self.unix(will.due_at))),
            (None, Some(attachment)) => {
                let client = self.clients.get(&attachment.connection)?;
                let will = client.protocol.whole_will()?;
                (message_of(will.clone()), &client.access.as_ref()?.grant, will.delay_s, None)
            }
            (None, None) => return None,
        };
        if SceneTopic::parse(publish.topic.as_str()).is_some() {
            return None;
        }
        let message = StoredMessage::new(&publish, self.unix(now));
        let (claims, qos, retain) = (grant.claims().clone(), publish.qos, publish.retain);
        Some(StoredWill { claims, message, qos, retain, delay_s, due_at })
    }

    /// Restores a will; `None` if its message doesn't decode or its grant is invalid.
    fn restored_will(&self, kept: &StoredWill, client_id: &str, now: Time) -> Option<DelayedWill> {
        let grant = Grant::new(kept.claims.clone(), client_id).ok()?;
        let left = match kept.due_at {
            Some(at) => at.0.saturating_sub(self.unix(now).0),
            None => u64::from(kept.delay_s),
        };
        let (grant_ends_at, due_at) = (self.end_of(&grant), now + Duration::from_secs(left));
        Some(DelayedWill { publish: kept.publish()?, grant, grant_ends_at, due_at })
    }

    /// Changes a session's outgoing messages and writes the difference.
    pub(super) fn change_outgoing<T>(
        &mut self,
        id: SessionId,
        change: impl FnOnce(&mut OutboundMessages) -> T,
    ) -> Option<T> {
        let (result, writes) = self.sessions.change(id, |session| {
            let result = change(&mut session.outgoing);
            (result, session.outgoing.take_writes())
        })?;
        for write in writes {
            self.keep(id, write);
        }
        Some(result)
    }

    /// Keeps a retained message, or clears its topic. Errors: the exceeded limit.
    pub(super) fn retain(&mut self, message: RetainedMessage) -> Result<(), Refusal> {
        let topic = message.publish.topic.clone();
        self.retained.keep(message)?;
        let record = BrokerRecordKey::Retained(topic);
        self.repairs.take_stale(&record);
        self.rewrite(&record);
        Ok(())
    }

    /// Sends an answer once all writes since `before` are on disk; at once if there were none.
    pub(super) fn control_after(&mut self, connection: ConnectionId, packet: &Packet, before: u64) {
        if self.sequence == before {
            self.control(connection, packet);
            return;
        }
        let version = self.clients.get(&connection).map_or(MqttVersion::V311, |client| client.protocol.version());
        let frame = stoa_wire::packet::encode(packet, version);
        self.deferred_acks.push_back(DeferredAck::answer(connection, frame, self.sequence));
    }

    /// Sends a packet whose writes are on disk. If its connection has ended, the client or the session repeats the
    /// exchange after a reconnect.
    pub(super) fn answer(&mut self, connection: ConnectionId, frame: EncodedPacket) {
        if self.clients.contains_key(&connection) {
            self.outputs.push_back(RealmOutput::Send { connection, frame, class: PacketClass::Control });
        }
    }

    /// Restores the stored sessions and retained messages. Must precede any connection.
    pub(super) fn restore_broker(&mut self, kept: StoredBroker, now: Time) {
        let unix = self.unix(now);
        for StoredRetained { topic, subject, qos, message } in kept.retained {
            let publish = message.restore(unix).map(|publish| Arc::new(Publish { qos, retain: true, ..publish }));
            let kept =
                publish.map(|publish| self.retained.restore(RetainedMessage { publish, taken_at: now, subject }));
            if !matches!(kept, Some(Ok(()))) {
                self.write(BrokerWrite::Retain { topic, message: None }, None);
            }
        }
        let mut sessions = kept.sessions;
        // The sessions that last longest come first, since there may be no capacity for all.
        sessions.sort_by_key(|session| core::cmp::Reverse(session.ends_at(unix)));
        // Wills of sessions that don't fit are published once all other sessions are restored.
        let without_room: Vec<SessionId> =
            sessions.into_iter().filter_map(|session| self.restore_session(session, now)).collect();
        for id in without_room {
            self.close_session(id, now);
        }
    }

    /// Restores one session. Returns its id if it doesn't fit.
    fn restore_session(&mut self, kept: StoredSession, now: Time) -> Option<SessionId> {
        let unix = self.unix(now);
        let last = kept.deliveries.iter().map(|delivery| delivery.number).max();
        self.deliveries = self.deliveries.max(last.unwrap_or(0));
        let left = Duration::from_secs(kept.ends_at(unix).0.saturating_sub(unix.0));
        let name = Arc::new(kept.name);
        // An ended session with a will is restored too: its timer publishes the will once all sessions are restored.
        if left.is_zero() && kept.will.is_none() {
            self.write(BrokerWrite::Session { session: name, write: SessionWrite::Ended }, None);
            return None;
        }
        let id = self.sessions.open(&name.subject, &name.client_id);
        let payer = self.ledger.payer(PayerClass::Members, &name.subject, None, now);
        self.sessions.set_identity(id, &name.client_id, kept.is_identity);
        let will = kept.will.as_ref().and_then(|will| self.restored_will(will, &name.client_id, now));
        let session = self.sessions.get_mut(id).expect("was just opened");
        session.expiry = Duration::from_secs(u64::from(kept.expiry_s));
        session.is_kept = true;
        session.payer = Some(payer);
        session.will_is_kept = kept.will.is_some();
        if let Some(will) = &will {
            self.timers.once(TimerKey::Will(id, session.serial), will.due_at);
        }
        session.incoming = InboundPacketIds::restored(kept.received);
        session.outgoing = outgoing::restored(kept.deliveries, unix, now);
        self.delay_will(id, will, now);
        for (filter, wanted) in kept.subscriptions {
            self.restore_subscription(id, &filter, wanted);
        }
        // Sessions that had a connection were not counted as idle before.
        if self.sessions.check_idle(id, now) != IdlePermission::Free {
            return Some(id);
        }
        self.set_idle(id, left, now);
        if kept.expires_at.is_none() {
            self.keep_lasting(id);
            let will = self.will_to_keep(id, now);
            self.keep_will(id, will);
        }
        self.change_outgoing(id, |_| ());
        None
    }

    fn restore_subscription(&mut self, id: SessionId, filter: &str, wanted: SubscriptionOptions) {
        let session = self.sessions.get_mut(id).expect("was just opened");
        match SharedFilter::parse(filter) {
            Some(Ok(shared)) => {
                self.shares.join(&shared, id, wanted, MemberPresence::of(session));
                session.shares.insert(shared, wanted);
            }
            Some(Err(_)) => {}
            None => {
                if let Ok(filter) = TopicFilter::parse(filter) {
                    session.subscribe(&filter, wanted);
                    self.routes.insert(&filter, id, wanted);
                }
            }
        }
    }

    /// Marks a session as idle from now on, to end after `left`.
    pub(super) fn set_idle(&mut self, id: SessionId, left: Duration, now: Time) {
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        let (expires_at, serial) = (now + left, session.serial);
        session.expires_at = Some(expires_at);
        self.sessions.set_idle(id);
        self.free_idle_space(id, 0, now);
        self.timers.once(TimerKey::Session(id, serial), expires_at);
    }

    /// Whether a session may continue without a connection. May end a session of the guest with the largest share for
    /// it.
    pub(super) fn may_idle(&mut self, id: SessionId, now: Time) -> bool {
        match self.sessions.check_idle(id, now) {
            IdlePermission::Free => true,
            IdlePermission::After(other) => {
                self.close_session(other, now);
                self.sessions.check_idle(id, now) == IdlePermission::Free
            }
            IdlePermission::Never => false,
        }
    }

    /// Frees `bytes` for a session without a connection by dropping the oldest messages of the same subject's
    /// fullest sessions, and for a guest within its fair share those of the guest with the largest share. Returns
    /// false if dropping them is not enough.
    pub(super) fn free_idle_space(&mut self, id: SessionId, bytes: usize, now: Time) -> bool {
        loop {
            match self.sessions.check_idle_space(id, bytes, now) {
                IdlePermission::Free => return true,
                IdlePermission::After(fullest)
                    if self.change_outgoing(fullest, OutboundMessages::give_way) == Some(true) => {}
                IdlePermission::After(_) | IdlePermission::Never => return false,
            }
        }
    }

    /// Ends a session: publishes a delayed will and removes all its state.
    pub(super) fn close_session(&mut self, id: SessionId, now: Time) {
        let will = self.take_will(id, |_| true);
        self.keep(id, SessionWrite::Ended);
        let Some(session) = self.sessions.close(id) else {
            return;
        };
        let Session { serial, expires_at, subscriptions, shares, .. } = session;
        self.timers.cancel(TimerKey::Session(id, serial), expires_at);
        self.timers.cancel(TimerKey::Will(id, serial), will.as_ref().map(|will| will.due_at));
        for filter in subscriptions.keys() {
            self.routes.remove(filter, id);
        }
        for shared in shares.keys() {
            self.shares.leave(shared, id);
        }
        if let Some(will) = will {
            self.publish_delayed(id, will, now);
        }
    }

    /// Drops the subscriptions, shared ones too, that do not satisfy `is_covered`.
    pub(super) fn drop_subscriptions(&mut self, id: SessionId, is_covered: impl Fn(&TopicFilter) -> bool) {
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        let mut dropped = Vec::new();
        session.subscriptions.retain(|filter, _| {
            let kept = is_covered(filter);
            if !kept {
                self.routes.remove(filter, id);
                dropped.push(alloc::format!("{filter}"));
            }
            kept
        });
        session.shares.retain(|shared, _| {
            let kept = is_covered(shared.filter());
            if !kept {
                self.shares.leave(shared, id);
                dropped.push(alloc::format!("{shared}"));
            }
            kept
        });
        for filter in dropped {
            self.keep(id, SessionWrite::Unsubscribed { filter });
        }
    }
}

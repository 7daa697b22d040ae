//! The model's handling of CONNECT, DISCONNECT, lost connections, expiry, wills and revocation.

use core::time::Duration;

use stoa_state::time::Time;

use super::{BrokerModel, BrokerSituation, DurableKey, ModelSession, ModelTokenRights, ModelWill};

/// A CONNECT.
#[derive(Clone, Debug)]
pub(in crate::broker) struct ModelConnect {
    pub(in crate::broker) connection: u64,
    pub(in crate::broker) is_clean: bool,
    pub(in crate::broker) is_guest: bool,
    pub(in crate::broker) expiry: Duration,
    pub(in crate::broker) receive_max: usize,
    pub(in crate::broker) token: u64,
    pub(in crate::broker) rights: ModelTokenRights,
    pub(in crate::broker) will: Option<ModelWill>,
}

/// A DISCONNECT.
#[derive(Clone, Copy, Debug)]
pub(in crate::broker) struct ModelDisconnect {
    pub(in crate::broker) with_will: bool,
    pub(in crate::broker) expiry: Option<Duration>,
}

impl BrokerModel {
    /// Handles a CONNECT; returns whether a session was present.
    pub(in crate::broker) fn connect(&mut self, index: usize, entry: ModelConnect, now: Time) -> bool {
        self.clock += 1;
        if self.sessions.get(&index).is_some_and(|session| session.connection.is_some()) {
            self.met.push(BrokerSituation::TakenOver);
            self.end(index, now);
        }
        let lived = self.sessions.contains_key(&index);
        if lived && entry.is_clean {
            self.met.push(BrokerSituation::CleanStart);
            self.close(index);
        }
        let is_present = lived && !entry.is_clean;
        self.met.push(if is_present { BrokerSituation::SessionPresent } else { BrokerSituation::SessionGone });
        let session = self.sessions.entry(index).or_default();
        if session.will.is_some() {
            self.met.push(BrokerSituation::WillOfBackInTime);
        }
        session.has_lasted = session.is_kept();
        let rights = entry.rights;
        session.connection = Some(entry.connection);
        (session.is_guest, session.expiry, session.ends_at) = (entry.is_guest, entry.expiry, None);
        (session.token, session.rights, session.will) = (Some(entry.token), rights, entry.will);
        session.receive_max = entry.receive_max;
        session.last.clear();
        let before = session.subscriptions.len() + session.owed.len();
        session.subscriptions.retain(|filter, _| rights.cover(filter));
        session.owed.retain(|_, owed| owed.is_released || rights.cover(&owed.message.topic));
        if session.subscriptions.len() + session.owed.len() < before {
            self.met.push(BrokerSituation::RightLost);
        }
        is_present
    }

    /// Handles a DISCONNECT; [`BrokerModel::end`] follows.
    pub(in crate::broker) fn leave(&mut self, index: usize, leaving: ModelDisconnect) {
        let Some(session) = self.sessions.get_mut(&index) else { return };
        self.met.push(BrokerSituation::Disconnected);
        if !leaving.with_will && session.will.take().is_some() {
            self.met.push(BrokerSituation::WillUnsaid);
        }
        if let Some(expiry) = leaving.expiry {
            session.expiry = expiry;
            self.met.push(BrokerSituation::ExpiryChanged);
        }
    }

    /// Handles the end of a session's connection.
    pub(in crate::broker) fn end(&mut self, index: usize, now: Time) {
        self.clock += 1;
        let Some(session) = self.sessions.get_mut(&index).filter(|session| session.connection.is_some()) else {
            return;
        };
        session.connection = None;
        session.owed_acks.values_mut().for_each(|owed_ack| owed_ack.is_awaited = false);
        let at_once = session.will.take_if(|will| will.delay.is_zero());
        if let Some(will) = &mut session.will {
            will.due_at = Some(now + will.delay);
        }
        session.ends_at = Some(now + session.expiry);
        if session.expiry.is_zero() {
            self.close(index);
        }
        if let Some(will) = at_once {
            self.met.push(BrokerSituation::WillAtOnce);
            self.say(will);
        }
    }

    /// The client of a connection.
    pub(in crate::broker) fn of_connection(&self, connection: u64) -> Option<usize> {
        self.sessions.iter().find(|(_, session)| session.connection == Some(connection)).map(|(index, _)| *index)
    }

    /// Ends a session and publishes its will.
    fn close(&mut self, index: usize) {
        let Some(session) = self.drop_session(index) else { return };
        if let Some(will) = session.will {
            self.met.push(BrokerSituation::WillAtSessionEnd);
            self.say(will);
        }
    }

    /// Removes a session. Its client may publish again the messages without an acknowledgement, and those of QoS 2 that
    /// it hasn't released: a crash may bring the session back, or the client never learns that its next session is new.
    fn drop_session(&mut self, index: usize) -> Option<ModelSession> {
        let session = self.sessions.remove(&index)?;
        self.spoiled.extend(session.owed_acks.values().map(|owed_ack| owed_ack.id));
        self.spoiled.extend(session.received.values());
        self.forget_candidate(index);
        Some(session)
    }

    fn say(&mut self, will: ModelWill) {
        if will.rights.cover(&will.message.topic) {
            self.take(&will.message);
        } else {
            self.met.push(BrokerSituation::WillWithoutRight);
        }
    }

    /// Removes a client from the candidates of shared deliveries, which are no longer certain then.
    fn forget_candidate(&mut self, index: usize) {
        for shared_delivery in &mut self.shared_deliveries {
            if shared_delivery.candidates.remove(&index).is_some() {
                shared_delivery.is_certain = false;
            }
        }
        self.shared_deliveries.retain(|shared_delivery| !shared_delivery.candidates.is_empty());
    }

    /// Ends sessions and publishes wills that are due, in order.
    pub(in crate::broker) fn pass(&mut self, now: Time) {
        self.clock += 1;
        loop {
            let sessions = self.sessions.iter();
            let ends = sessions.clone().filter_map(|(index, session)| Some((session.ends_at?, false, *index)));
            let wills = sessions.filter_map(|(index, session)| Some((session.will.as_ref()?.due_at?, true, *index)));
            let Some((_, is_will, index)) = ends.chain(wills).filter(|(at, ..)| *at <= now).min() else { return };
            let is_restored = self.sessions[&index].token.is_none();
            if !is_will {
                self.met.push(if is_restored {
                    BrokerSituation::SessionExpiredOverRestart
                } else {
                    BrokerSituation::SessionExpired
                });
                self.close(index);
                continue;
            }
            self.met.push(if is_restored { BrokerSituation::WillOverRestart } else { BrokerSituation::WillDelayed });
            let will = self.sessions.get_mut(&index).and_then(|session| session.will.take());
            will.into_iter().for_each(|will| self.say(will));
        }
    }

    /// Revokes a token: removes the sessions with this token or with a will of this token, and publishes no will.
    pub(in crate::broker) fn revoke(&mut self, token: u64) {
        self.clock += 1;
        let by_it = |session: &ModelSession| {
            session.token == Some(token) || session.will.as_ref().is_some_and(|will| will.token == token)
        };
        let meant = self.sessions.iter().filter(|(_, session)| by_it(session)).map(|(index, _)| *index);
        for index in meant.collect::<Vec<_>>() {
            self.met.push(BrokerSituation::Revoked);
            self.drop_session(index);
        }
    }

    /// The session's record, if the session survives the server.
    pub(super) fn own(&self, index: usize) -> Option<DurableKey> {
        self.sessions.get(&index).filter(|session| session.is_kept()).map(|_| DurableKey::Session(index))
    }
}

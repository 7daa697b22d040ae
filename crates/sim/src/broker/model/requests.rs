//! The model's handling of client packets: PUBLISH, SUBSCRIBE, UNSUBSCRIBE and acknowledgements.

use std::collections::BTreeMap;

use stoa_wire::packet::{Qos, RetainHandling};

use super::{
    BrokerModel, BrokerSituation, DurableKey, ExpectedPublish, ModelMessage, OwedAck, OwedSubAck,
    PendingSharedDelivery, UnackedDelivery, matches, shared,
};

/// A PUBLISH of a client.
#[derive(Clone, Debug)]
pub(in crate::broker) struct PublishFromClient {
    pub(in crate::broker) message: ModelMessage,
    pub(in crate::broker) packet_id: Option<u16>,
}

/// A SUBSCRIBE of a client.
#[derive(Clone, Debug)]
pub(in crate::broker) struct SubscribeFromClient {
    pub(in crate::broker) packet_id: u16,
    pub(in crate::broker) filters: Vec<(String, Qos, RetainHandling)>,
}

impl BrokerModel {
    /// Handles a PUBLISH.
    pub(in crate::broker) fn publish(&mut self, index: usize, received: PublishFromClient) {
        self.clock += 1;
        let Some(session) = self.sessions.get(&index) else { return };
        let PublishFromClient { mut message, packet_id } = received;
        let exactly = message.qos == Qos::ExactlyOnce;
        let is_known = |packet_id: u16| {
            session.owed_acks.contains_key(&packet_id) || exactly && session.received.contains_key(&packet_id)
        };
        if let Some(packet_id) = packet_id.filter(|packet_id| is_known(*packet_id)) {
            self.met.push(BrokerSituation::TakenAgain);
            let owed_ack = self.sessions.get_mut(&index).and_then(|session| session.owed_acks.get_mut(&packet_id));
            owed_ack.into_iter().for_each(|owed_ack| owed_ack.is_awaited = true);
            return;
        }
        let is_refused = !session.rights.cover(&message.topic);
        message.retain &= !session.is_guest;
        let mut needs = Vec::new();
        if is_refused {
            self.met.push(BrokerSituation::PublishRefused);
        } else {
            self.met.push(match message.qos {
                Qos::AtMostOnce => BrokerSituation::SaidAtMostOnce,
                Qos::AtLeastOnce => BrokerSituation::SaidAtLeastOnce,
                Qos::ExactlyOnce => BrokerSituation::SaidExactlyOnce,
            });
            needs = self.take(&message);
        }
        let own = self.own(index).filter(|_| exactly);
        let (Some(packet_id), Some(session)) = (packet_id, self.sessions.get_mut(&index)) else { return };
        if exactly && !is_refused {
            session.received.insert(packet_id, message.id);
            needs.extend(own.map(|own| vec![own]));
        }
        let owed_ack =
            OwedAck { id: message.id, clock: self.clock, needs, is_refused, has_failed: false, is_awaited: true };
        session.owed_acks.insert(packet_id, owed_ack);
    }

    /// Delivers a message to all matching subscriptions. Returns alternatives: of each inner list, one record has
    /// to be on disk before the acknowledgement.
    pub(super) fn take(&mut self, message: &ModelMessage) -> Vec<Vec<DurableKey>> {
        let mut needs = Vec::new();
        if !self.accepted.insert(message.id) {
            // The repetitions are indistinguishable, so no member is certain to get one.
            self.shared_deliveries
                .iter_mut()
                .filter(|shared_delivery| shared_delivery.message.id == message.id)
                .for_each(|shared_delivery| shared_delivery.is_certain = false);
            self.repeated.insert(message.id);
        }
        if message.retain && message.id == 0 {
            self.met.push(BrokerSituation::RetainedCleared);
            self.retained.remove(&message.topic);
        } else if message.retain {
            self.met.push(BrokerSituation::Retained);
            self.retained.insert(message.topic.clone(), message.clone());
        }
        if message.retain {
            needs.push(vec![DurableKey::Retained(message.topic.clone())]);
        }
        self.deliveries += 1;
        let (clock, delivery, mut overlapped) = (self.clock, self.deliveries, false);
        for (index, session) in &mut self.sessions {
            let meant = session.subscriptions.iter().filter(|(filter, _)| matches(filter, &message.topic));
            let (wanted, count) = meant.fold((None, 0), |(most, count), (_, qos)| (most.max(Some(*qos)), count + 1));
            let Some(wanted) = wanted else { continue };
            overlapped |= count > 1;
            let own = ModelMessage { qos: message.qos.min(wanted), retain: false, ..message.clone() };
            if own.qos > Qos::AtMostOnce {
                if session.is_kept() {
                    needs.push(vec![DurableKey::Session(*index)]);
                }
                session.owed.insert(delivery, UnackedDelivery::new(own, clock));
            } else if let Some(connection) = session.connection {
                self.expected.push(ExpectedPublish {
                    connection,
                    id: message.id,
                    topic: message.topic.clone(),
                    retain: false,
                });
            }
        }
        if overlapped {
            self.met.push(BrokerSituation::Overlapped);
        }
        self.take_shared(message, &mut needs);
        needs
    }

    fn take_shared(&mut self, message: &ModelMessage, needs: &mut Vec<Vec<DurableKey>>) {
        let mut groups: BTreeMap<&str, Vec<(usize, Qos)>> = BTreeMap::new();
        for (index, session) in &self.sessions {
            for (filter, wanted) in &session.subscriptions {
                if shared(filter).is_some_and(|own| matches(own, &message.topic)) {
                    groups.entry(filter).or_default().push((*index, message.qos.min(*wanted)));
                }
            }
        }
        for members in groups.into_values() {
            let is_there = |index: &usize| self.sessions[index].connection.is_some();
            let there = members.iter().filter(|(index, _)| is_there(index)).copied();
            let mut candidates: BTreeMap<usize, Qos> = there.collect();
            if candidates.is_empty() {
                candidates = members.into_iter().filter(|(_, qos)| *qos > Qos::AtMostOnce).collect();
                if candidates.is_empty() {
                    continue;
                }
                self.met.push(BrokerSituation::SharedByAway);
            }
            // A member at QoS 0, or without a durable session, needs nothing on disk.
            let is_kept = |(index, qos): (&usize, &Qos)| *qos > Qos::AtMostOnce && self.sessions[index].is_kept();
            if candidates.iter().all(is_kept) {
                needs.push(candidates.keys().map(|index| DurableKey::Session(*index)).collect());
            }
            self.deliveries += 1;
            let is_certain = !self.repeated.contains(&message.id);
            let (delivery, clock, message) = (self.deliveries, self.clock, message.clone());
            self.shared_deliveries.push(PendingSharedDelivery {
                delivery,
                clock,
                message,
                candidates,
                is_certain,
                is_fresh: true,
            });
        }
    }

    /// Handles a SUBSCRIBE.
    pub(in crate::broker) fn subscribe(&mut self, index: usize, subscribe: SubscribeFromClient) {
        self.clock += 1;
        let (mut granted, mut fresh) = (Vec::new(), Vec::new());
        for (filter, qos, handling) in subscribe.filters {
            let Some(session) = self.sessions.get_mut(&index) else { return };
            if !session.rights.cover(&filter) {
                self.met.push(BrokerSituation::SubscriptionRefused);
                granted.push(None);
                continue;
            }
            granted.push(Some(qos));
            let is_new = session.subscriptions.insert(filter.clone(), qos).is_none();
            let is_sent = match handling {
                RetainHandling::Send => true,
                RetainHandling::SendIfNew => is_new,
                RetainHandling::DoNotSend => false,
            };
            if is_sent && shared(&filter).is_none() {
                self.send_retained(index, &filter, qos);
            }
            fresh.extend(is_new.then_some(filter));
        }
        let is_stored = self.own(index).is_some() && granted.iter().any(Option::is_some);
        let (clock, granted) = (self.clock, Some(granted));
        let Some(session) = self.sessions.get_mut(&index) else { return };
        let connection = session.connection;
        session.owed_subacks.insert(
            subscribe.packet_id,
            OwedSubAck { connection, clock, is_stored, granted, fresh, has_failed: false },
        );
    }

    fn send_retained(&mut self, index: usize, filter: &str, wanted: Qos) {
        let Some(session) = self.sessions.get_mut(&index) else { return };
        for message in self.retained.values().filter(|message| matches(filter, &message.topic)) {
            self.met.push(BrokerSituation::RetainedSent);
            let own = ModelMessage { qos: message.qos.min(wanted), retain: true, ..message.clone() };
            if own.qos > Qos::AtMostOnce {
                self.deliveries += 1;
                session.owed.insert(self.deliveries, UnackedDelivery::new(own, self.clock));
            } else if let Some(connection) = session.connection {
                self.expected.push(ExpectedPublish {
                    connection,
                    id: message.id,
                    topic: message.topic.clone(),
                    retain: true,
                });
            }
        }
    }

    /// Handles an UNSUBSCRIBE.
    pub(in crate::broker) fn unsubscribe(&mut self, index: usize, packet_id: u16, filters: &[String]) {
        self.clock += 1;
        let own = self.own(index);
        let Some(session) = self.sessions.get_mut(&index) else { return };
        let before = session.subscriptions.len();
        session.subscriptions.retain(|filter, _| !filters.contains(filter));
        let is_changed = session.subscriptions.len() < before;
        if is_changed {
            self.met.push(BrokerSituation::Unsubscribed);
        }
        let is_stored = is_changed && own.is_some();
        let (connection, clock, fresh) = (session.connection, self.clock, Vec::new());
        session
            .owed_subacks
            .insert(packet_id, OwedSubAck { connection, clock, is_stored, granted: None, fresh, has_failed: false });
    }

    /// QoS 2: handles a client's PUBREL.
    pub(in crate::broker) fn release(&mut self, index: usize, packet_id: u16) {
        self.clock += 1;
        let Some(session) = self.sessions.get_mut(&index) else { return };
        // PUBREL counts only after PUBREC was sent.
        if !session.owed_acks.contains_key(&packet_id) && session.received.remove(&packet_id).is_some() {
            session.released.insert(packet_id, self.clock);
        }
    }

    /// Handles a client's PUBACK or PUBCOMP.
    pub(in crate::broker) fn done(&mut self, index: usize, packet_id: u16) {
        self.clock += 1;
        let Some(session) = self.sessions.get_mut(&index) else { return };
        session.owed.retain(|_, owed| owed.packet_id != Some(packet_id));
    }

    /// QoS 2: handles a client's PUBREC.
    pub(in crate::broker) fn received(&mut self, index: usize, packet_id: u16) {
        self.clock += 1;
        let Some(session) = self.sessions.get_mut(&index) else { return };
        for owed in session.owed.values_mut().filter(|owed| owed.packet_id == Some(packet_id) && !owed.is_released) {
            (owed.is_released, owed.clock) = (true, self.clock);
        }
    }
}

impl UnackedDelivery {
    pub(super) fn new(message: ModelMessage, clock: u64) -> UnackedDelivery {
        UnackedDelivery { message, clock, packet_id: None, sent_on: None, is_released: false, is_shared: false }
    }
}

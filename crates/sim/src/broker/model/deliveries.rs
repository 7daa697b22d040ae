//! Checks that packets to clients are due, and in order.

use stoa_wire::packet::{MqttVersion, Qos, ReasonCode, SubscribeAck};

use super::{
    BrokerModel, BrokerSituation, DurableKey, ModelMessage, OwedAck, OwedSubAck, PendingSharedDelivery, UnackedDelivery,
};

/// A PUBLISH to a client.
#[derive(Clone, Debug)]
pub(in crate::broker) struct PublishToClient {
    pub(in crate::broker) message: ModelMessage,
    pub(in crate::broker) is_dup: bool,
    pub(in crate::broker) packet_id: Option<u16>,
}

/// An answer to a client.
#[derive(Clone, Copy, Debug)]
pub(in crate::broker) struct AnswerToClient {
    pub(in crate::broker) packet_id: u16,
    pub(in crate::broker) code: ReasonCode,
    pub(in crate::broker) version: MqttVersion,
    pub(in crate::broker) exactly: bool,
}

impl BrokerModel {
    /// Checks a PUBLISH. Errors: it is not due.
    pub(in crate::broker) fn sent(&mut self, index: usize, sent: &PublishToClient) -> Result<(), String> {
        let PublishToClient { message, .. } = sent;
        let session = self.sessions.get(&index).ok_or("a client without session receives something")?;
        let connection = session.connection.ok_or("a client without connection receives something")?;
        if !session.rights.cover(&message.topic) {
            return Err(format!("{index} has no right to {message:?}"));
        }
        if !self.accepted.contains(&message.id) {
            return Err(format!("{index} receives {message:?}, which ought not to have been said"));
        }
        if message.qos == Qos::AtMostOnce {
            return self.sent_loosely(index, message);
        }
        let unsent =
            |owed: &UnackedDelivery| owed.message == *message && !owed.is_released && owed.sent_on != Some(connection);
        let own = session.owed.iter().find(|(_, owed)| unsent(owed)).map(|(delivery, _)| *delivery);
        match own.or_else(|| self.draw_share(index, message)) {
            Some(delivery) => self.sent_surely(index, delivery, sent),
            None => {
                let past = self.sessions[&index].owed.iter().find(|(_, owed)| owed.message.id == message.id);
                Err(format!("{index} receives {sent:?}, which is not due: {past:?}"))
            }
        }
    }

    fn sent_loosely(&mut self, index: usize, message: &ModelMessage) -> Result<(), String> {
        let connection = self.sessions[&index].connection;
        let own = self.expected.iter().position(|each| {
            let what = (each.id, &each.topic, each.retain);
            Some(each.connection) == connection && what == (message.id, &message.topic, message.retain)
        });
        if let Some(own) = own {
            self.expected.swap_remove(own);
            return Ok(());
        }
        if self.draw_due(index, message).is_some() {
            return Ok(());
        }
        Err(format!("{index} receives {message:?}, which is not for it, or a repetition"))
    }

    /// Assigns a shared delivery to the member that received it.
    fn draw_due(&mut self, index: usize, message: &ModelMessage) -> Option<PendingSharedDelivery> {
        let is_for_client = |shared_delivery: &PendingSharedDelivery| {
            shared_delivery.message.id == message.id
                && shared_delivery.message.topic == message.topic
                && shared_delivery.candidates.get(&index) == Some(&message.qos)
        };
        // A message that is published again has one delivery for each time, and its packets don't tell the deliveries
        // apart. A fresh delivery comes first, then the delivery with the fewest candidates, which leaves most
        // candidates for the other deliveries.
        let positions = self
            .shared_deliveries
            .iter()
            .enumerate()
            .filter(|(_, shared_delivery)| is_for_client(shared_delivery) && !message.retain);
        let (position, _) = positions.min_by_key(|(position, shared_delivery)| {
            (!shared_delivery.is_fresh, shared_delivery.candidates.len(), *position)
        })?;
        self.met.push(BrokerSituation::Shared);
        Some(self.shared_deliveries.remove(position))
    }

    fn draw_share(&mut self, index: usize, message: &ModelMessage) -> Option<u64> {
        let shared_delivery = self.draw_due(index, message)?;
        let session = self.sessions.get_mut(&index)?;
        let owed = UnackedDelivery::new(message.clone(), shared_delivery.clock);
        session.owed.insert(shared_delivery.delivery, UnackedDelivery { is_shared: true, ..owed });
        Some(shared_delivery.delivery)
    }

    fn sent_surely(&mut self, index: usize, delivery: u64, sent: &PublishToClient) -> Result<(), String> {
        let PublishToClient { message, is_dup, packet_id } = sent;
        let owed = &self.sessions[&index].owed[&delivery];
        let (clock, is_first) = (owed.clock, owed.packet_id.is_none());
        if !is_first && (!is_dup || owed.packet_id != *packet_id) {
            return Err(format!("{index} receives {sent:?} again, changed from {owed:?}"));
        }
        let own = self.own(index).filter(|_| message.qos == Qos::ExactlyOnce);
        if own.as_ref().is_some_and(|own| !self.is_durable(own, clock)) {
            return Err(format!("{index} receives {message:?} before that is on disk"));
        }
        let session = self.sessions.get_mut(&index).ok_or("was just there")?;
        let twice = session.owed.iter().find(|(other, owed)| **other != delivery && owed.packet_id == *packet_id);
        if let Some((_, other)) = twice {
            return Err(format!("{index} receives {sent:?} with the packet id of {other:?}"));
        }
        let owed = session.owed.get_mut(&delivery).ok_or("was just there")?;
        (owed.packet_id, owed.sent_on) = (*packet_id, session.connection);
        let is_indistinct = owed.is_shared && self.repeated.contains(&message.id);
        let under_way = session.owed.values().filter(|owed| owed.sent_on == session.connection).count();
        if under_way > session.receive_max {
            return Err(format!("{under_way} messages are under way to {index}"));
        }
        if !message.retain && !is_indistinct {
            let before = session.last.insert((message.topic.clone(), message.qos), delivery);
            if before.is_some_and(|before| before >= delivery) {
                return Err(format!("{index} receives {sent:?} out of order"));
            }
        }
        self.met.extend((!is_first).then_some(BrokerSituation::SentAgain));
        self.met.extend((own.is_some() && self.clock > clock).then_some(BrokerSituation::HeldForTheDisk));
        self.met.extend((is_first && self.clock > clock + 8).then_some(BrokerSituation::Waited));
        Ok(())
    }

    /// Checks a PUBREL. Errors: it is not due.
    pub(in crate::broker) fn released(&mut self, index: usize, answered: AnswerToClient) -> Result<(), String> {
        let AnswerToClient { packet_id, code, .. } = answered;
        let own = self.own(index);
        let session = self.sessions.get_mut(&index).ok_or("a client without session receives PUBREL")?;
        let connection = session.connection;
        let owed = session.owed.values_mut().find(|owed| owed.packet_id == Some(packet_id) && owed.is_released);
        let Some(owed) = owed else {
            return Err(format!("{index} receives PUBREL {packet_id}, code {code}, for no message"));
        };
        if code.is_error() {
            return Err(format!("{index} receives an error for {owed:?}"));
        }
        let is_again = std::mem::replace(&mut owed.sent_on, connection) != connection;
        let (clock, shown) = (owed.clock, format!("{owed:?}"));
        if own.is_some_and(|own| !self.is_durable(&own, clock)) {
            return Err(format!("{index} receives PUBREL before that is on disk: {shown}"));
        }
        self.met.extend(is_again.then_some(BrokerSituation::ReleasedAgain));
        Ok(())
    }

    /// Checks a PUBACK or PUBREC. Errors: it is not due.
    pub(in crate::broker) fn acknowledged(&mut self, index: usize, answered: AnswerToClient) -> Result<(), String> {
        let AnswerToClient { packet_id, code, version, exactly } = answered;
        let session = self.sessions.get_mut(&index).ok_or("a client without session receives an acknowledgement")?;
        let Some(owed_ack) = session.owed_acks.remove(&packet_id) else {
            let again = exactly && session.received.contains_key(&packet_id) && !code.is_error();
            return if again {
                Ok(())
            } else {
                Err(format!("packet {packet_id} of {index} is acknowledged for nothing"))
            };
        };
        if !owed_ack.is_awaited {
            return Err(format!("{index} is acknowledged {owed_ack:?}, but did not say it on this connection"));
        }
        let is_hushed = version == MqttVersion::V311 && owed_ack.is_refused;
        if (owed_ack.has_failed || owed_ack.is_refused) != code.is_error() && !is_hushed {
            return Err(format!("{index} receives {code} for {owed_ack:?}"));
        }
        let late = owed_ack.needs.iter().find(|any| !any.iter().any(|record| self.is_durable(record, owed_ack.clock)));
        match late.filter(|_| !owed_ack.has_failed) {
            Some(late) => Err(format!("{} of {index} is acknowledged, but {late:?} is not on disk", owed_ack.id)),
            None => Ok(()),
        }
    }

    /// Checks a PUBCOMP. Errors: it is not due.
    pub(in crate::broker) fn completed(&mut self, index: usize, packet_id: u16) -> Result<(), String> {
        let session = self.sessions.get(&index).ok_or("a client without session receives PUBCOMP")?;
        if session.received.contains_key(&packet_id) {
            return Err(format!("packet {packet_id} of {index} is complete without its PUBREL"));
        }
        match self.own(index).zip(session.released.get(&packet_id)) {
            Some((own, clock)) if !self.is_durable(&own, *clock) => {
                Err(format!("packet {packet_id} of {index} is complete before that is on disk"))
            }
            _ => Ok(()),
        }
    }

    /// Checks a SUBACK or UNSUBACK. Errors: it is not due.
    pub(in crate::broker) fn answered(&mut self, index: usize, acks: &SubscribeAck) -> Result<(), String> {
        let session = self.sessions.get_mut(&index).ok_or("a client without session receives SUBACK")?;
        let owed_suback = session
            .owed_subacks
            .remove(&acks.packet_id)
            .filter(|owed_suback| owed_suback.connection == session.connection);
        let owed_suback = owed_suback.ok_or("SUBACK for nothing")?;
        if let Some(granted) = &owed_suback.granted {
            let fits = |(code, granted): (&ReasonCode, &Option<Qos>)| match granted {
                Some(qos) if !owed_suback.has_failed => *code == ReasonCode::granted(*qos),
                _ => code.is_error(),
            };
            if granted.len() != acks.codes.len() || !acks.codes.iter().zip(granted).all(fits) {
                return Err(format!("{index} receives {acks:?} for {owed_suback:?}"));
            }
        }
        let is_late = owed_suback.is_stored
            && !owed_suback.has_failed
            && !self.is_durable(&DurableKey::Session(index), owed_suback.clock);
        if is_late { Err(format!("{index} receives {acks:?} before {owed_suback:?} is on disk")) } else { Ok(()) }
    }

    /// Whether the message was ever accepted; only then may its sender get a success.
    pub(in crate::broker) fn was_accepted(&self, id: u64) -> bool {
        self.accepted.contains(&id)
    }

    /// Whether the message may be published once more.
    pub(in crate::broker) fn is_spoiled(&self, id: u64) -> bool {
        self.spoiled.contains(&id)
    }

    /// Checks that an input has caused all of its outputs. Errors: one is missing.
    pub(in crate::broker) fn settle(&mut self) -> Result<(), String> {
        if let Some(missing) = self.expected.pop() {
            return Err(format!("{missing:?} did not go out"));
        }
        for shared_delivery in self.shared_deliveries.iter_mut().filter(|shared_delivery| shared_delivery.is_fresh) {
            shared_delivery.is_fresh = false;
            shared_delivery.candidates.retain(|_, qos| *qos > Qos::AtMostOnce);
            if shared_delivery.candidates.is_empty() && shared_delivery.is_certain {
                return Err(format!("no member got {shared_delivery:?}"));
            }
        }
        self.shared_deliveries.retain(|shared_delivery| !shared_delivery.candidates.is_empty());
        let is_paid = |owed_ack: &OwedAck| {
            let is_durable = |any: &Vec<DurableKey>| any.iter().any(|record| self.is_durable(record, owed_ack.clock));
            // The model doesn't know the member of a share that has the message, so the acknowledgement may or may not
            // wait for the disk.
            let is_committed = owed_ack.clock <= self.durable.clock || self.written_at < owed_ack.clock;
            owed_ack.has_failed || is_committed && owed_ack.needs.iter().all(is_durable)
        };
        let mut over = Vec::new();
        for (index, session) in &self.sessions {
            let is_known = |owed_suback: &OwedSubAck| self.is_durable(&DurableKey::Session(*index), owed_suback.clock);
            let suback = session
                .owed_subacks
                .values()
                .find(|owed_suback| owed_suback.granted.is_some() && is_known(owed_suback));
            if let Some(suback) = suback.filter(|suback| suback.connection == session.connection && !suback.has_failed)
            {
                return Err(format!("{index} waits for an answer to {suback:?}"));
            }
            for (packet_id, owed_ack) in session.owed_acks.iter().filter(|(_, owed_ack)| is_paid(owed_ack)) {
                if owed_ack.is_awaited && !owed_ack.has_failed {
                    return Err(format!("{index} waits for an acknowledgement of {owed_ack:?}"));
                }
                over.push((*index, *packet_id));
            }
        }
        let durable = self.durable.clock;
        for session in self.sessions.values_mut() {
            // Requests of an earlier connection are no longer answered.
            let (connection, is_over) =
                (session.connection, |owed_suback: &OwedSubAck| owed_suback.has_failed || owed_suback.clock <= durable);
            session.owed_subacks.retain(|_, owed_suback| owed_suback.connection == connection || !is_over(owed_suback));
        }
        for (index, packet_id) in over {
            self.sessions.get_mut(&index).map(|session| session.owed_acks.remove(&packet_id));
        }
        Ok(())
    }
}

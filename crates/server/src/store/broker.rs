//! Stored MQTT state: retained messages and sessions. A group commit writes only the net result of its changes: a
//! message queued and delivered within one commit is never written.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use stoa_state::mqtt::routes::SubscriptionOptions;
use stoa_state::mqtt::stored::{
    BrokerWrite, SessionKey, SessionWrite, StoredBroker, StoredDelivery, StoredRetained, StoredWill,
};
use stoa_state::time::UnixSeconds;

use super::StoreError;

/// Reads retained messages and sessions. [`super::SceneStorage::append`] writes them, in the same transactions as
/// changes of scenes.
#[async_trait]
pub trait BrokerStorage {
    /// All retained messages and sessions.
    async fn load_broker(&self) -> Result<StoredBroker, StoreError>;
}

/// The net changes of one group commit to retained messages and sessions.
#[derive(Debug, Default, PartialEq)]
pub(super) struct BrokerBatch {
    /// The retained message of each topic; `None` clears the topic.
    pub(super) retained: BTreeMap<String, Option<StoredRetained>>,
    pub(super) sessions: BTreeMap<Arc<SessionKey>, SessionNetChanges>,
}

/// The net changes of one group commit to one session.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SessionNetChanges {
    /// Deletes the stored session before the other fields are written.
    pub(super) ended: bool,
    pub(super) lifetime: Option<SessionLifetime>,
    /// `Some(None)` removes the will.
    pub(super) will: Option<Option<StoredWill>>,
    /// The subscriptions by filter; `None` removes a subscription.
    pub(super) subscriptions: BTreeMap<String, Option<SubscriptionOptions>>,
    pub(super) deliveries: BTreeMap<u64, DeliveryChange>,
    /// QoS 2 packet ids from the client: received (`true`) or released (`false`).
    pub(super) received: BTreeMap<u16, bool>,
}

/// A session's expiry settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SessionLifetime {
    pub(super) expiry_s: u32,
    pub(super) expires_at: Option<UnixSeconds>,
    pub(super) is_identity: bool,
}

/// The net change of one group commit to one delivery.
#[derive(Debug, PartialEq)]
pub(super) enum DeliveryChange {
    New(StoredDelivery),
    Stage { packet_id: Option<u16>, released: bool },
    Arrived,
}

impl BrokerBatch {
    pub(super) fn is_empty(&self) -> bool {
        self.retained.is_empty() && self.sessions.values().all(|session| *session == SessionNetChanges::default())
    }

    pub(super) fn take(&mut self, write: BrokerWrite) {
        match write {
            BrokerWrite::Retain { topic, message } => {
                self.retained.insert(topic.as_str().to_owned(), message);
            }
            BrokerWrite::Session { session, write } => self.sessions.entry(session).or_default().take(write),
        }
    }
}

impl SessionNetChanges {
    /// Whether the batch adds anything that needs a stored session. Deletions may refer to a session that is already
    /// gone.
    pub(super) fn has_contents(&self) -> bool {
        self.subscriptions.values().any(Option::is_some)
            || self.will.as_ref().is_some_and(Option::is_some)
            || self.deliveries.values().any(|change| matches!(change, DeliveryChange::New(_)))
            || self.received.values().any(|taken| *taken)
    }

    fn take(&mut self, write: SessionWrite) {
        match write {
            SessionWrite::Lasts { expiry_s, expires_at, is_identity } => {
                self.lifetime = Some(SessionLifetime { expiry_s, expires_at, is_identity });
            }
            SessionWrite::Will(will) => self.will = Some(will.map(|will| *will)),
            SessionWrite::Ended => *self = SessionNetChanges { ended: true, ..SessionNetChanges::default() },
            SessionWrite::Subscribed { filter, wanted } => {
                self.subscriptions.insert(filter, Some(wanted));
            }
            SessionWrite::Unsubscribed { filter } => {
                self.subscriptions.insert(filter, None);
            }
            SessionWrite::Queued(delivery) => {
                self.deliveries.insert(delivery.number, DeliveryChange::New(delivery));
            }
            SessionWrite::Sent { number, packet_id } => self.stage(number, Some(packet_id), false),
            SessionWrite::Released { number } => self.stage(number, None, true),
            SessionWrite::Arrived { number } => match self.deliveries.get(&number) {
                Some(DeliveryChange::New(_)) => {
                    self.deliveries.remove(&number);
                }
                _ => {
                    self.deliveries.insert(number, DeliveryChange::Arrived);
                }
            },
            SessionWrite::Received { packet_id } => {
                self.received.insert(packet_id, true);
            }
            SessionWrite::Forgotten { packet_id } => {
                self.received.insert(packet_id, false);
            }
        }
    }

    fn stage(&mut self, number: u64, sent_as: Option<u16>, has_come: bool) {
        let fresh = DeliveryChange::Stage { packet_id: None, released: false };
        match self.deliveries.entry(number).or_insert(fresh) {
            DeliveryChange::New(StoredDelivery { packet_id, released, .. })
            | DeliveryChange::Stage { packet_id, released } => {
                *packet_id = sent_as.or(*packet_id);
                *released |= has_come;
            }
            DeliveryChange::Arrived => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use stoa_state::mqtt::stored::StoredMessage;
    use stoa_wire::packet::{EncodedPacket, MqttVersion, Packet, Publish, PublishProperties, Qos, encode};
    use stoa_wire::topic::Topic;

    use super::*;

    fn message(topic: &str, text: &str) -> StoredMessage {
        let publish = Publish {
            topic: Topic::parse(topic).unwrap(),
            payload: text.to_owned().into(),
            qos: Qos::AtMostOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties { user_properties: vec![("a".into(), "b".into())], ..Default::default() },
        };
        let frame: EncodedPacket = encode(&Packet::Publish(publish), MqttVersion::V5);
        StoredMessage { packet: frame.parts().concat().into(), taken_at: UnixSeconds(1_700_000_000) }
    }

    #[test]
    fn a_delivery_queued_and_acknowledged_in_one_commit_is_not_written() {
        let session = Arc::new(SessionKey { subject: "ada".into(), client_id: "client".into() });
        let mut batch = BrokerBatch::default();
        let mut take = |write| batch.take(BrokerWrite::Session { session: Arc::clone(&session), write });
        take(SessionWrite::Queued(StoredDelivery {
            number: 1,
            message: message("a", "x"),
            qos: Qos::AtLeastOnce,
            retain: false,
            subscription_ids: Vec::new(),
            packet_id: Some(1),
            released: false,
        }));
        take(SessionWrite::Arrived { number: 1 });
        assert!(batch.is_empty(), "{batch:?}");
    }
}

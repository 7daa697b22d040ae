//! Random changes like those of a busy realm, from a seed, and the store's expected content after them.

use std::collections::BTreeMap;
use std::sync::Arc;

use fastrand::Rng;
use serde_json::json;
use stoa_server::store::Store;
use stoa_state::grant::TokenFilters;
use stoa_state::mqtt::routes::SubscriptionOptions;
use stoa_state::mqtt::stored::{
    BrokerWrite, SessionKey, SessionWrite, StoredBroker, StoredDelivery, StoredMessage, StoredRetained, StoredWill,
};
use stoa_state::realm::StoreWrite;
use stoa_state::scene::{PendingLogEntry, ReplacedState, StoredObject, StoredObjectEffect, UnixMillis};
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::packet::{MqttVersion, Packet, Publish, PublishProperties, Qos, encode};
use stoa_wire::topic::{SceneName, Topic};

/// The content of a store.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    pub(crate) objects: BTreeMap<String, StoredObject>,
    revision: u64,
    pub(crate) broker: StoredBroker,
}

/// Generates changes, one group commit after the other.
pub(crate) struct Changes {
    rng: Rng,
    /// Epoch of the scene's current opening.
    pub(crate) epoch: u64,
    number: u64,
}

pub(crate) fn lobby() -> SceneName {
    "public/lobby".parse().unwrap()
}

impl Content {
    /// Reads a store's content.
    pub(crate) async fn of(store: &Store) -> Content {
        let scenes = store.load_scenes().await.unwrap();
        let stored = scenes.into_iter().find(|(name, ..)| *name == lobby()).map(|(.., stored)| stored);
        let stored = stored.unwrap_or_default();
        let objects = stored.objects.into_iter().map(|object| (object.object_id.clone(), object)).collect();
        let broker = sorted(store.load_broker().await.unwrap());
        Content { objects, revision: stored.revision, broker }
    }

    fn apply(&mut self, write: StoreWrite) {
        match write {
            StoreWrite::Change(PendingLogEntry { revision, object_id, kind, .. }) => {
                self.revision = revision;
                match kind {
                    StoredObjectEffect::Put(object) => self.objects.insert(object_id, object),
                    StoredObjectEffect::Delete { .. } => self.objects.remove(&object_id),
                };
            }
            StoreWrite::Broker(write) => self.broker.apply(write),
        }
    }
}

fn sorted(mut broker: StoredBroker) -> StoredBroker {
    broker.retained.sort_by(|a, b| a.message.packet.cmp(&b.message.packet));
    broker.sessions.sort_by(|a, b| a.name.cmp(&b.name));
    for session in &mut broker.sessions {
        session.subscriptions.sort_by(|a, b| a.0.cmp(&b.0));
        session.received.sort_unstable();
        session.received.dedup();
    }
    broker
}

impl Changes {
    pub(crate) fn new(rng: Rng) -> Changes {
        Changes { rng, epoch: 0, number: 0 }
    }

    /// The writes of one group commit, and the store's content after it.
    pub(crate) fn batch(&mut self, before: &Content) -> (Vec<StoreWrite>, Content) {
        let (mut after, mut writes) = (before.clone(), Vec::new());
        for _ in 0..self.rng.usize(1..20) {
            let write =
                if self.rng.bool() { self.of_scene(after.revision + 1) } else { StoreWrite::Broker(self.of_broker()) };
            if may_follow(&after.broker, &write) {
                after.apply(write.clone());
                writes.push(write);
            }
        }
        after.broker = sorted(after.broker);
        (writes, after)
    }

    fn of_scene(&mut self, revision: u64) -> StoreWrite {
        let object_id = format!("box{}", self.rng.u8(..30));
        // An occasional large object makes SQLite fold its log into the database often.
        let length = if self.rng.u8(..20) == 0 { 60_000 } else { self.rng.usize(..300) };
        let data = json!({"object_type": "text", "value": self.rng.alphabetic().to_string().repeat(length)});
        let at = UnixMillis(1_700_000_000_000 + revision);
        let kind = if self.rng.u8(..5) == 0 {
            StoredObjectEffect::Delete { descendants: Vec::new() }
        } else {
            StoredObjectEffect::Put(StoredObject {
                object_id: object_id.clone(),
                type_name: "object".into(),
                attributes: data.as_object().cloned().unwrap(),
                expires_at: None,
                created_at: at,
                updated_at: at,
            })
        };
        let patch = match &kind {
            StoredObjectEffect::Put(_) => json!({"action": "update", "data": data}),
            StoredObjectEffect::Delete { .. } => json!({"action": "delete"}),
        };
        let (scene, epoch, at, author) = (lobby(), self.epoch, Time::from_secs(revision), "alice".into());
        let (unix_at, before) = (UnixMillis(1), Box::new(ReplacedState::Objects(Vec::new())));
        StoreWrite::Change(PendingLogEntry {
            scene,
            epoch,
            revision,
            at,
            unix_at,
            author,
            guest_name: None,
            object_id,
            kind,
            patch,
            before,
        })
    }

    fn of_broker(&mut self) -> BrokerWrite {
        if self.rng.u8(..6) == 0 {
            let topic = format!("kept/{}", self.rng.u8(..4));
            let message = (self.rng.u8(..3) > 0).then(|| self.message(&topic));
            let message = message.map(|message| StoredRetained {
                topic: Topic::parse(&topic).unwrap(),
                subject: "ada".into(),
                qos: Qos::AtLeastOnce,
                message,
            });
            return BrokerWrite::Retain { topic: Topic::parse(&topic).unwrap(), message };
        }
        let client_id = format!("client-{}", self.rng.u8(..3));
        let session = Arc::new(SessionKey { subject: "ada".into(), client_id });
        BrokerWrite::Session { session, write: self.of_session() }
    }

    fn of_session(&mut self) -> SessionWrite {
        let (filter, packet_id) = (format!("{}/#", self.rng.u8(..3)), self.rng.u16(..3));
        let number = self.number.saturating_sub(self.rng.u64(..5));
        match self.rng.u8(..13) {
            0 => SessionWrite::Ended,
            1 | 2 => SessionWrite::Lasts {
                expiry_s: 600,
                expires_at: self.rng.bool().then_some(UnixSeconds(1_700_000_600)),
                is_identity: self.rng.bool(),
            },
            12 => SessionWrite::Will(self.rng.bool().then(|| Box::new(self.will()))),
            3 => {
                let subscription_id = self.rng.bool().then_some(7);
                let (no_local, retain_as_published) = (self.rng.bool(), self.rng.bool());
                let wanted =
                    SubscriptionOptions { qos: Qos::ExactlyOnce, no_local, retain_as_published, subscription_id };
                SessionWrite::Subscribed { filter, wanted }
            }
            4 => SessionWrite::Unsubscribed { filter },
            5 | 6 => {
                self.number += 1;
                SessionWrite::Queued(StoredDelivery {
                    number: self.number,
                    message: self.message("a/b"),
                    qos: Qos::ExactlyOnce,
                    retain: false,
                    subscription_ids: vec![1, 2],
                    packet_id: self.rng.bool().then_some(packet_id + 1),
                    released: false,
                })
            }
            7 => SessionWrite::Sent { number, packet_id },
            8 => SessionWrite::Released { number },
            9 => SessionWrite::Arrived { number },
            10 => SessionWrite::Forgotten { packet_id },
            _ => SessionWrite::Received { packet_id },
        }
    }

    fn will(&mut self) -> StoredWill {
        let claims = stoa_server::claims::new("ada", TokenFilters { publ: Vec::new(), subs: Vec::new() }, 60);
        let due_at = self.rng.bool().then_some(UnixSeconds(1_700_000_600));
        let message = self.message("a/will");
        StoredWill { claims, message, qos: Qos::AtLeastOnce, retain: self.rng.bool(), delay_s: 60, due_at }
    }

    fn message(&mut self, topic: &str) -> StoredMessage {
        let publish = Publish {
            topic: Topic::parse(topic).unwrap(),
            payload: self.rng.u64(..).to_string().into(),
            qos: Qos::AtMostOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties { user_properties: vec![("a".into(), "b".into())], ..Default::default() },
        };
        let frame = encode(&Packet::Publish(publish), MqttVersion::V5);
        StoredMessage { packet: frame.parts().concat().into(), taken_at: UnixSeconds(1_700_000_000) }
    }
}

/// A session must be created before any other write of it.
fn may_follow(kept: &StoredBroker, write: &StoreWrite) -> bool {
    match write {
        StoreWrite::Change(_) | StoreWrite::Broker(BrokerWrite::Retain { .. }) => true,
        StoreWrite::Broker(BrokerWrite::Session { write: SessionWrite::Lasts { .. }, .. }) => true,
        StoreWrite::Broker(BrokerWrite::Session { session, .. }) => {
            kept.sessions.iter().any(|kept| kept.name == **session)
        }
    }
}

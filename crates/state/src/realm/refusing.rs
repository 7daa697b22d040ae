//! Reports refusals to the sender alone: by a reason code where the protocol has one, else by at most one message a
//! second. Source: `spec/topics.md` section 2.4.

use alloc::string::ToString;

use bytes::Bytes;
use serde_json::json;
use stoa_wire::packet::{MqttVersion, Publish};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SceneName, SceneTopic, Topic};

use super::acknowledging::PublishAckTarget;
use super::clients::ClientAccess;
use super::publishing::own_message;
use super::{ConnectionId, Realm, RealmCounter, RealmOutput};
use crate::limits;
use crate::mqtt::sessions::Sessions;
use crate::time::Time;

/// A refused message.
pub(super) struct RefusedMessage {
    pub(super) refused: Refusal,
    pub(super) receipt: Option<PublishAckTarget>,
    pub(super) topic: Topic,
}

/// A client's pending refusal notice.
#[derive(Debug, Default)]
pub(super) struct RefusalNoticeThrottle {
    /// Earliest time of the next notice.
    next_at: Time,
    /// The last refusal, and its scene.
    pending: Option<(Refusal, SceneName)>,
    /// Refusals since the last notice.
    count: u64,
}

impl RefusalNoticeThrottle {
    fn note(&mut self, refused: Refusal, scene: SceneName) {
        self.count += 1;
        self.pending = Some((refused, scene));
    }

    fn take(&mut self, now: Time) -> Option<(Refusal, SceneName, u64)> {
        if now < self.next_at {
            return None;
        }
        let (refused, scene) = self.pending.take()?;
        self.next_at = now + limits::REFUSAL_INTERVAL;
        Some((refused, scene, core::mem::take(&mut self.count)))
    }

    pub(super) fn poll_timeout(&self) -> Option<Time> {
        self.pending.as_ref().map(|_| self.next_at)
    }
}

impl Realm {
    pub(super) fn count_refused(&mut self, reason: Reason) {
        self.outputs.push_back(RealmOutput::Count {
            counter: RealmCounter::Refused,
            reason: Some(reason.as_str()),
            times: 1,
        });
    }

    pub(super) fn refuse(&mut self, connection: ConnectionId, refusal: RefusedMessage, now: Time) {
        let RefusedMessage { refused, receipt, topic } = refusal;
        self.count_refused(refused.reason);
        if refused.reason == Reason::Flood && !self.count_unpaid(connection, now) {
            return;
        }
        let Some(client) = self.clients.get_mut(&connection) else {
            return;
        };
        let version = client.protocol.version();
        let words = client.access.as_ref().is_some_and(|access| access.wants_reasons).then(|| refused.to_string());
        if let Some(receipt) = receipt {
            self.acknowledge(receipt, refused.reason.code(), words);
            if version == MqttVersion::V5 {
                return;
            }
        }
        // A token for one scene receives nothing of other scenes, so the notice goes to that scene.
        let own = self.access(connection).and_then(|access| access.grant.claims().scene.clone());
        let named = || SceneTopic::parse(topic.as_str())?.ok().map(|topic| topic.scene);
        if let Some(scene) = own.or_else(named) {
            self.queue_notice(connection, refused, scene, now);
        }
    }

    /// Notifies a client of a store failure, on the topic of any scene in which the client published: the scene of the
    /// failure doesn't matter.
    pub(super) fn notify_store_failure(&mut self, connection: ConnectionId, now: Time) {
        let scene = self.access(connection).and_then(|access| access.scenes.first().cloned());
        if let Some(scene) = scene {
            self.queue_notice(connection, Reason::NotStored.into(), scene, now);
        }
    }

    fn queue_notice(&mut self, connection: ConnectionId, refused: Refusal, scene: SceneName, now: Time) {
        if let Some(access) = self.access_mut(connection) {
            access.notice.note(refused, scene);
        }
        self.send_notice(connection, now);
        self.arm_client(connection);
    }

    /// Sends the pending notice if it is due and the client subscribed to it.
    pub(super) fn send_notice(&mut self, connection: ConnectionId, now: Time) {
        let Some(access) = self.access_mut(connection) else {
            return;
        };
        let Some((refused, scene, count)) = access.notice.take(now) else {
            return;
        };
        let topic = alloc::format!("realm/s/{scene}/d/stoa/-/{}", access.grant.id_tag());
        let mut payload =
            json!({"object_id": "-", "action": "refused", "reason": refused.reason.as_str(), "count": count});
        if let Some(limit) = refused.limit {
            payload["limit"] = json!(limit.to_string());
        }
        if let Some(publish) = own_message(&topic, payload.to_string().into()) {
            self.send_alone(connection, &publish);
        }
    }

    /// Whether a client may receive messages on a topic and subscribed to it.
    pub(super) fn is_heard(&self, connection: ConnectionId, topic: &str) -> bool {
        self.access(connection).is_some_and(|access| is_heard_by(access, &self.sessions, topic))
    }

    /// Sends a message to one client, if a subscription and the grant cover it. The packet shares the payload.
    pub(super) fn send_alone(&mut self, connection: ConnectionId, publish: &Publish) {
        let begun = Publish { payload: Bytes::new(), ..publish.clone() };
        self.send_continued(connection, &begun, publish.payload.clone());
    }

    /// Sends a message whose payload continues with `rest`.
    pub(super) fn send_continued(&mut self, connection: ConnectionId, publish: &Publish, rest: Bytes) {
        if self.is_heard(connection, publish.topic.as_str()) {
            let version = self.clients.get(&connection).map_or(MqttVersion::V311, |client| client.protocol.version());
            let frame = stoa_wire::packet::encode_continued(publish, rest, version);
            self.count(RealmCounter::Encoded, 1);
            self.count(RealmCounter::Delivered, 1);
            self.send_all(connection, alloc::vec![frame]);
        }
    }
}

/// Whether an admitted client may receive messages on a topic and subscribed to it.
pub(super) fn is_heard_by(access: &ClientAccess, sessions: &Sessions, topic: &str) -> bool {
    let session = sessions.get(access.session);
    let is_subscribed = session.is_some_and(|s| s.subscriptions.keys().any(|filter| filter.matches(topic)));
    is_subscribed && access.grant.may_receive(topic)
}

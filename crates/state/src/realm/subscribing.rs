//! SUBSCRIBE and UNSUBSCRIBE: checks filters against the grant, and sends retained messages and presence to new
//! subscribers.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use stoa_wire::packet::{
    MqttVersion, Packet, Publish, Qos, ReasonCode, RetainHandling, Subscribe, SubscribeAck, SubscriptionRequest,
    Unsubscribe,
};
use stoa_wire::reason::Reason;
use stoa_wire::topic::SceneName;
use stoa_wire::topic_filter::TopicFilter;

use super::acknowledging::{self, DeferredAck};
use super::ending::DisconnectCause;
use super::fan_out::SessionDelivery;
use super::publishing::own_message;
use super::{ConnectionId, Realm, RealmCounter};
use crate::limits;
use crate::mqtt::connection::ProtocolViolation;
use crate::mqtt::outgoing::personal;
use crate::mqtt::retained::RetainedMessage;
use crate::mqtt::routes::SubscriptionOptions;
use crate::mqtt::session::SessionId;
use crate::mqtt::shared_subscriptions::{MemberPresence, SharedFilter};
use crate::mqtt::stored::{SessionWrite, StoredMessage};
use crate::time::Time;

impl Realm {
    pub(super) fn handle_subscribe(&mut self, connection: ConnectionId, subscribe: Subscribe, now: Time) {
        if subscribe.subscriptions.iter().any(|asked| asked.no_local && asked.filter.starts_with("$share/")) {
            let violation =
                ProtocolViolation { code: ReasonCode::PROTOCOL_ERROR, reason: "a shared subscription with No Local" };
            self.end(connection, DisconnectCause::Because(violation), now);
            return;
        }
        let Some(id) = self.access(connection).map(|access| access.session) else {
            return;
        };
        let before = self.sequence;
        let mut codes = Vec::with_capacity(subscribe.subscriptions.len());
        let (mut begun, mut fresh) = (Vec::new(), Vec::new());
        for asked in &subscribe.subscriptions {
            let count_before = self.subscriptions_of(id);
            match self.subscribe(connection, asked, subscribe.subscription_id, now) {
                Ok(subscribed) => {
                    codes.push(ReasonCode::granted(asked.qos));
                    if self.subscriptions_of(id) > count_before {
                        fresh.push(asked.filter.clone());
                    }
                    begun.extend(subscribed.map(|subscribed| (subscribed, asked.retain_handling)));
                }
                Err(FilterRefusal { code, reason }) => {
                    self.count_refused(reason);
                    codes.push(code);
                }
            }
        }
        let acks = SubscribeAck { packet_id: subscribe.packet_id, codes };
        if self.sequence == before {
            self.control(connection, &Packet::SubAck(acks));
        } else {
            let serial = self.sessions.get(id).map_or(0, |session| session.serial);
            let held = acknowledging::DeferredSubAck { connection, session: id, serial, acks, fresh };
            self.deferred_acks.push_back(DeferredAck::subscribed(held, self.sequence));
        }
        let mut new = Vec::new();
        for (subscribed, handling) in begun {
            let retained = match handling {
                RetainHandling::Send => true,
                RetainHandling::SendIfNew => subscribed.is_new,
                RetainHandling::DoNotSend => false,
            };
            if retained {
                self.send_retained(connection, &subscribed, now);
            }
            new.extend(subscribed.is_new.then_some(subscribed.filter));
        }
        self.replay_presence(connection, &new, now);
    }

    fn subscriptions_of(&self, id: SessionId) -> usize {
        self.sessions.get(id).map_or(0, |session| session.subscriptions.len() + session.shares.len())
    }

    /// Adds or changes one subscription. `None` for a shared one, which gets nothing at once. Errors: the code for the
    /// SUBACK, and the counted reason.
    fn subscribe(
        &mut self,
        connection: ConnectionId,
        asked: &SubscriptionRequest,
        subscription_id: Option<u32>,
        now: Time,
    ) -> Result<Option<AcceptedSubscription>, FilterRefusal> {
        let flood = FilterRefusal { code: ReasonCode::QUOTA_EXCEEDED, reason: Reason::Flood };
        let malformed = FilterRefusal { code: ReasonCode::TOPIC_FILTER_INVALID, reason: Reason::BadTopic };
        let not_granted = FilterRefusal { code: ReasonCode::NOT_AUTHORIZED, reason: Reason::NotGranted };
        // The replay to a new subscriber is work too.
        if self.access_mut(connection).is_none_or(|access| access.allowance.take(0, now).is_err()) {
            return Err(flood);
        }
        let shared = SharedFilter::parse(&asked.filter).transpose().map_err(|_| malformed)?;
        let filter = match &shared {
            Some(shared) => shared.filter().clone(),
            None => TopicFilter::parse(&asked.filter).map_err(|_| malformed)?,
        };
        let access = self.access(connection).ok_or(not_granted)?;
        if !access.grant.may_subscribe(&filter) {
            return Err(not_granted);
        }
        let id = access.session;
        let guest = access.grant.claims().guest;
        let most = if guest { limits::GUEST_SUBSCRIPTIONS_MAX } else { limits::SUBSCRIPTIONS_MAX };
        if self.check_session_write(id, asked.filter.len(), now).is_err() {
            return Err(flood);
        }
        let session = self.sessions.get_mut(id).ok_or(not_granted)?;
        let is_new = match &shared {
            Some(shared) => !session.shares.contains_key(shared),
            None => !session.subscriptions.contains_key(&filter),
        };
        if is_new && session.subscriptions.len() + session.shares.len() >= most {
            return Err(flood);
        }
        let held_bytes: usize = session
            .subscriptions
            .keys()
            .chain(session.shares.keys().map(SharedFilter::filter))
            .map(|held| held.as_str().len())
            .sum();
        if is_new && held_bytes + filter.as_str().len() > limits::SUBSCRIPTION_BYTES_MAX {
            return Err(flood);
        }
        let SubscriptionRequest { qos, no_local, retain_as_published, .. } = *asked;
        let wanted = SubscriptionOptions { qos, no_local, retain_as_published, subscription_id };
        let subscribed = match shared {
            Some(shared) => {
                self.shares.join(&shared, id, wanted, MemberPresence::of(session));
                session.shares.insert(shared, wanted);
                None
            }
            None => {
                if session.subscribe(&filter, wanted) {
                    session.subscriptions.keys().for_each(|filter| self.routes.refresh(filter));
                }
                self.routes.insert(&filter, id, wanted);
                Some(AcceptedSubscription { filter, wanted, is_new })
            }
        };
        self.keep(id, SessionWrite::Subscribed { filter: asked.filter.clone(), wanted });
        Ok(subscribed)
    }

    pub(super) fn handle_unsubscribe(&mut self, connection: ConnectionId, unsubscribe: &Unsubscribe) {
        let Some(id) = self.access(connection).map(|access| access.session) else {
            return;
        };
        let before = self.sequence;
        let mut codes = Vec::with_capacity(unsubscribe.filters.len());
        for text in &unsubscribe.filters {
            let removed = self.unsubscribe(id, text);
            if removed {
                self.keep(id, SessionWrite::Unsubscribed { filter: text.clone() });
            }
            codes.push(if removed { ReasonCode::SUCCESS } else { ReasonCode::NO_SUBSCRIPTION_EXISTED });
        }
        let ack = Packet::UnsubAck(SubscribeAck { packet_id: unsubscribe.packet_id, codes });
        self.control_after(connection, &ack, before);
    }

    /// Removes a subscription. Returns whether it existed.
    pub(super) fn unsubscribe(&mut self, id: SessionId, text: &str) -> bool {
        let Some(session) = self.sessions.get_mut(id) else {
            return false;
        };
        match SharedFilter::parse(text) {
            Some(shared) => shared.is_ok_and(|shared| {
                let removed = session.shares.remove(&shared).is_some();
                if removed {
                    self.shares.leave(&shared, id);
                }
                removed
            }),
            None => TopicFilter::parse(text).is_ok_and(|filter| {
                let removed = session.subscriptions.remove(&filter).is_some();
                if removed {
                    self.routes.remove(&filter, id);
                }
                removed
            }),
        }
    }

    fn send_retained(&mut self, connection: ConnectionId, subscribed: &AcceptedSubscription, now: Time) {
        let AcceptedSubscription { filter, wanted, .. } = subscribed;
        let (messages, compared) = self.retained.matching(filter, now);
        self.charge_compared(connection, compared, now);
        self.charge(connection, messages.iter().map(|kept| kept.publish.size_bytes()), now);
        let ids = wanted.subscription_id.as_slice();
        for RetainedMessage { publish, taken_at, .. } in messages {
            let qos = publish.qos.min(wanted.qos);
            if !self.access(connection).is_some_and(|access| access.grant.may_receive(publish.topic.as_str())) {
                continue;
            }
            if qos == Qos::AtMostOnce {
                let own = personal(&publish, ids, now.since(taken_at).as_secs());
                let own = own.unwrap_or_else(|| (*publish).clone());
                self.send_alone(connection, &Publish { qos, retain: true, dup: false, packet_id: None, ..own });
                continue;
            }
            let Some(id) = self.access(connection).map(|access| access.session) else {
                return;
            };
            let is_kept = self.sessions.get(id).is_some_and(|session| session.is_kept);
            let kept = is_kept.then(|| StoredMessage::new(&publish, self.unix(taken_at)));
            let subscription_ids = ids.to_vec();
            let onward =
                SessionDelivery { publish, forward: None, qos, retain: true, subscription_ids, taken_at, kept };
            if self.send_surely(id, onward, now) {
                self.count(RealmCounter::Delivered, 1);
            }
        }
    }

    /// MQTT 3.1.1 clients have no snapshot. They get the scene's presence on the original topics, camera before
    /// join, once for all matching filters.
    fn replay_presence(&mut self, connection: ConnectionId, filters: &[TopicFilter], now: Time) {
        if self.clients.get(&connection).is_none_or(|client| client.protocol.version() != MqttVersion::V311) {
            return;
        }
        let mut replayed = Vec::new();
        let covered = self.scenes_covered(filters);
        let compared = covered.compared;
        for name in &covered.names {
            replayed.extend(self.scenes.get(name).into_iter().flat_map(|hosted| hosted.scene.presence()));
        }
        self.charge_compared(connection, compared, now);
        if replayed.is_empty() {
            return;
        }
        // The first replay is free, so that the client's first messages still fit into its allowance.
        let again =
            self.access_mut(connection).is_some_and(|access| core::mem::replace(&mut access.was_told_presence, true));
        if again {
            self.charge(connection, replayed.iter().map(|(_, payload)| payload.len()), now);
        }
        for (topic, payload) in replayed {
            if let Some(publish) = own_message(&topic, payload) {
                self.send_alone(connection, &publish);
            }
        }
    }
}

/// Scenes of which filters cover all presence.
struct CoveredScenes {
    names: BTreeSet<SceneName>,
    /// Number of scenes compared with a filter.
    compared: usize,
}

impl Realm {
    /// The scenes of which one of the filters covers all presence. Only a filter with a wildcard for the scene's name
    /// is compared with all open scenes.
    fn scenes_covered(&self, filters: &[TopicFilter]) -> CoveredScenes {
        let mut covered = CoveredScenes { names: BTreeSet::new(), compared: 0 };
        for filter in filters {
            if !TopicFilter::parse("realm/s/+/+/u/+/+").is_ok_and(|presence| presence.overlaps(filter)) {
                continue;
            }
            let mut name = filter.levels().skip(2);
            let named =
                name.next().zip(name.next()).and_then(|(namespace, scene)| SceneName::new(namespace, scene).ok());
            let is_covered = |name: &SceneName| {
                let whole = ["u", "x"].map(|kind| TopicFilter::parse(&format!("realm/s/{name}/{kind}/+/+")));
                whole.iter().flatten().all(|whole| filter.covers(whole))
            };
            let candidates: &mut dyn Iterator<Item = &SceneName> = match &named {
                Some(name) => &mut core::iter::once(name),
                None => &mut self.scenes.keys(),
            };
            for name in candidates {
                covered.compared += 1;
                if is_covered(name) {
                    covered.names.insert(name.clone());
                }
            }
        }
        covered
    }

    /// Charges a client for the messages that its request caused.
    fn charge(&mut self, connection: ConnectionId, sizes: impl Iterator<Item = usize>, now: Time) {
        let (messages, bytes) = sizes.fold((0, 0), |(messages, bytes), size| (messages + 1, bytes + size));
        if let Some(access) = self.access_mut(connection) {
            access.allowance.spend(messages, bytes, now);
        }
    }

    /// Charges a client for the topics or scenes that its new filter was compared with.
    fn charge_compared(&mut self, connection: ConnectionId, compared: usize, now: Time) {
        if let Some(access) = self.access_mut(connection) {
            access.allowance.spend(compared / limits::COMPARED_PER_MESSAGE, 0, now);
        }
    }
}

struct AcceptedSubscription {
    filter: TopicFilter,
    wanted: SubscriptionOptions,
    is_new: bool,
}

/// A refused filter.
#[derive(Clone, Copy)]
struct FilterRefusal {
    code: ReasonCode,
    reason: Reason,
}

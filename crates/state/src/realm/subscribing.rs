//! SUBSCRIBE and UNSUBSCRIBE: within the grant, and what a new subscriber is sent at once.

use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::{Acks, Code, Packet, Publish, RetainHandling, Subscribe, Subscription, Unsubscribe, Version};
use stoa_wire::reason::Reason;
use stoa_wire::topic_filter::TopicFilter;

use super::ending::Farewell;
use super::publishing::own_message;
use super::{ConnectionId, Realm};
use crate::limits;
use crate::mqtt::connection::Violation;
use crate::mqtt::routes::Wanted;
use crate::mqtt::session::Queued;
use crate::time::Time;

impl Realm {
    pub(super) fn handle_subscribe(&mut self, connection: ConnectionId, subscribe: Subscribe, now: Time) {
        if subscribe.subscription_id.is_some() {
            let violation = Violation {
                code: Code::SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED,
                reason: "subscription identifiers are not supported",
            };
            self.end(connection, Farewell::Because(violation), now);
            return;
        }
        let mut codes = Vec::with_capacity(subscribe.subscriptions.len());
        let mut begun = Vec::new();
        for asked in &subscribe.subscriptions {
            match self.subscribe(connection, asked, now) {
                Ok(subscribed) => {
                    codes.push(Code::granted(asked.qos));
                    begun.push((subscribed, asked));
                }
                Err(FilterRefusal { code, reason }) => {
                    self.count_refused(reason);
                    codes.push(code);
                }
            }
        }
        self.control(connection, &Packet::SubAck(Acks { packet_id: subscribe.packet_id, codes }));
        for (Subscribed { filter, is_new }, asked) in begun {
            let retained = match asked.retain_handling {
                RetainHandling::Send => true,
                RetainHandling::SendIfNew => is_new,
                RetainHandling::DoNotSend => false,
            };
            if retained {
                self.send_retained(connection, &filter, asked);
            }
            self.replay_presence(connection, &filter);
        }
    }

    /// Errors: the code for the SUBACK, and what is counted.
    fn subscribe(
        &mut self,
        connection: ConnectionId,
        asked: &Subscription,
        now: Time,
    ) -> Result<Subscribed, FilterRefusal> {
        // What is replayed to a new subscriber is work too.
        if !self.access_mut(connection).is_some_and(|access| access.allowance.take(0, now)) {
            return Err(FilterRefusal { code: Code::QUOTA_EXCEEDED, reason: Reason::Flood });
        }
        if asked.filter.starts_with("$share/") {
            return Err(FilterRefusal { code: Code::SHARED_SUBSCRIPTIONS_NOT_SUPPORTED, reason: Reason::BadTopic });
        }
        let malformed = FilterRefusal { code: Code::TOPIC_FILTER_INVALID, reason: Reason::BadTopic };
        let not_granted = FilterRefusal { code: Code::NOT_AUTHORIZED, reason: Reason::NotGranted };
        let filter = TopicFilter::parse(&asked.filter).map_err(|_| malformed)?;
        let access = self.clients.get(&connection).and_then(|client| client.access.as_ref()).ok_or(not_granted)?;
        if !access.grant.may_subscribe(&filter) {
            return Err(not_granted);
        }
        let session = self.sessions.get_mut(access.session).ok_or(not_granted)?;
        let is_new = !session.subscriptions.contains_key(&filter);
        if is_new && session.subscriptions.len() >= limits::SUBSCRIPTIONS_MAX {
            return Err(FilterRefusal { code: Code::QUOTA_EXCEEDED, reason: Reason::Flood });
        }
        let wanted =
            Wanted { qos: asked.qos, no_local: asked.no_local, retain_as_published: asked.retain_as_published };
        if session.subscribe(&filter, wanted) {
            session.subscriptions.keys().for_each(|filter| self.routes.refresh(filter));
        }
        self.routes.insert(&filter, access.session, wanted);
        Ok(Subscribed { filter, is_new })
    }

    pub(super) fn handle_unsubscribe(&mut self, connection: ConnectionId, unsubscribe: &Unsubscribe) {
        let Some(id) = self.access(connection).map(|access| access.session) else {
            return;
        };
        let mut codes = Vec::with_capacity(unsubscribe.filters.len());
        for text in &unsubscribe.filters {
            let filter = TopicFilter::parse(text).ok();
            let session = self.sessions.get_mut(id);
            let removed = filter.zip(session).and_then(|(filter, session)| session.subscriptions.remove_entry(&filter));
            if let Some((filter, _)) = &removed {
                self.routes.remove(filter, id);
            }
            codes.push(if removed.is_some() { Code::SUCCESS } else { Code::NO_SUBSCRIPTION_EXISTED });
        }
        self.control(connection, &Packet::UnsubAck(Acks { packet_id: unsubscribe.packet_id, codes }));
    }

    fn send_retained(&mut self, connection: ConnectionId, filter: &TopicFilter, asked: &Subscription) {
        let messages: Vec<Arc<Publish>> = self.retained.matching(filter).cloned().collect();
        for publish in messages {
            let qos = publish.qos.min(asked.qos);
            let alone = Publish { qos, retain: true, packet_id: None, ..(*publish).clone() };
            if qos == stoa_wire::packet::Qos::AtMostOnce {
                self.send_alone(connection, &alone);
                continue;
            }
            let queued = Queued { publish, forward: None, qos, retain: true };
            let pushed = self.session_of(connection).map(|session| session.outgoing.push(queued, true));
            match pushed {
                Some(Ok(Some(frame))) => self.send_all(connection, alloc::vec![frame]),
                Some(Err(_)) => self.doomed.push(connection),
                Some(Ok(None)) | None => {}
            }
        }
    }

    /// MQTT 3.1.1 clients know no snapshot: who is there is told on the original topics, camera before join.
    fn replay_presence(&mut self, connection: ConnectionId, filter: &TopicFilter) {
        if self.clients.get(&connection).is_none_or(|client| client.protocol.version() != Version::V311) {
            return;
        }
        let mut replayed = Vec::new();
        for (name, hosted) in &self.scenes {
            let covers = |kind: &str| {
                let whole = TopicFilter::parse(&alloc::format!("realm/s/{name}/{kind}/+/+"));
                whole.is_ok_and(|whole| filter.covers(&whole))
            };
            if covers("u") && covers("x") {
                replayed.extend(hosted.scene.presence());
            }
        }
        for (topic, payload) in replayed {
            if let Some(publish) = own_message(&topic, payload) {
                self.send_alone(connection, &publish);
            }
        }
    }
}

struct Subscribed {
    filter: TopicFilter,
    is_new: bool,
}

/// A filter that was not taken.
#[derive(Clone, Copy)]
struct FilterRefusal {
    code: Code,
    reason: Reason,
}

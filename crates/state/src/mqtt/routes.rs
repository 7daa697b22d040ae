//! All subscriptions by filter, and the cached receivers of each filter.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::Qos;
use stoa_wire::topic_filter::TopicFilter;

use super::audience::FilterReceivers;
use super::filter_tree::FilterTree;
use super::session::SessionId;
use super::sessions::Sessions;

/// Options of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubscriptionOptions {
    /// Maximum QoS.
    pub qos: Qos,
    /// No Local: skip the subscriber's own messages.
    pub no_local: bool,
    /// Retain As Published: keep the message's retain flag.
    pub retain_as_published: bool,
    /// MQTT 5: Subscription Identifier.
    pub subscription_id: Option<u32>,
}

impl SubscriptionOptions {
    /// Combines the options of a session's overlapping subscriptions, which get each message once.
    fn merged(self, other: SubscriptionOptions) -> SubscriptionOptions {
        SubscriptionOptions {
            qos: self.qos.max(other.qos),
            no_local: self.no_local && other.no_local,
            retain_as_published: self.retain_as_published || other.retain_as_published,
            // Marks that one exists; fan-out collects all matching ones.
            subscription_id: self.subscription_id.or(other.subscription_id),
        }
    }
}

/// The subscribers of one filter, with their cached audience.
#[derive(Debug, Default)]
struct FilterSubscribers {
    subscribers: BTreeMap<SessionId, SubscriptionOptions>,
    /// Cached from the first message until a subscriber changes.
    audience: Option<Arc<FilterReceivers>>,
}

impl FilterSubscribers {
    /// Drops the cache. Returns the number of subscribers that the next message must find again.
    fn drop_audience(&mut self) -> usize {
        self.audience.take().map_or(0, |_| self.subscribers.len())
    }
}

/// All subscriptions of all sessions.
#[derive(Debug, Default)]
pub struct SubscriptionRoutes {
    ends: FilterTree<FilterSubscribers>,
    /// Subscribers in the caches that were dropped since the last [`SubscriptionRoutes::take_dropped`].
    dropped: usize,
}

impl SubscriptionRoutes {
    /// Adds or changes a subscription.
    pub fn insert(&mut self, filter: &TopicFilter, session: SessionId, wanted: SubscriptionOptions) {
        let end = self.ends.entry(filter);
        self.dropped += end.drop_audience();
        end.subscribers.insert(session, wanted);
    }

    /// Removes a subscription.
    pub fn remove(&mut self, filter: &TopicFilter, session: SessionId) {
        let Some(end) = self.ends.get_mut(filter) else {
            return;
        };
        self.dropped += end.drop_audience();
        end.subscribers.remove(&session);
        if end.subscribers.is_empty() {
            self.ends.remove(filter);
        }
    }

    /// Drops the cache of `filter`, because a subscriber's connection, grant or other subscriptions changed.
    pub fn refresh(&mut self, filter: &TopicFilter) {
        if let Some(end) = self.ends.get_mut(filter) {
            self.dropped += end.drop_audience();
        }
    }

    /// Subscribers that later messages must find again because of changes since the last call.
    pub fn take_dropped(&mut self) -> usize {
        core::mem::take(&mut self.dropped)
    }

    /// Fills `audiences` with the receivers of a message on `topic`.
    pub fn audiences(&mut self, topic: &str, sessions: &Sessions, audiences: &mut Vec<Arc<FilterReceivers>>) {
        audiences.clear();
        self.ends.visit(topic, |FilterSubscribers { subscribers, audience }| {
            let made = audience.get_or_insert_with(|| Arc::new(FilterReceivers::of(subscribers, sessions)));
            audiences.push(Arc::clone(made));
        });
    }
}

/// Sorts receivers and merges duplicates: a receiver without a group may match several filters.
pub fn merge(receivers: &mut Vec<(SessionId, SubscriptionOptions)>) {
    receivers.sort_by_key(|(session, _)| *session);
    receivers.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 = kept.1.merged(later.1);
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: SubscriptionOptions = SubscriptionOptions {
        qos: Qos::AtMostOnce,
        no_local: false,
        retain_as_published: false,
        subscription_id: None,
    };

    /// Receivers with unknown sessions, which form no group.
    fn receivers(routes: &mut SubscriptionRoutes, topic: &str) -> Vec<(SessionId, SubscriptionOptions)> {
        let mut audiences = Vec::new();
        routes.audiences(topic, &Sessions::default(), &mut audiences);
        let mut receivers = audiences.iter().flat_map(|audience| audience.apart.iter().copied()).collect();
        merge(&mut receivers);
        receivers
    }

    #[test]
    fn a_filter_without_subscribers_is_removed() {
        let mut routes = SubscriptionRoutes::default();
        let filter = TopicFilter::parse("a/+").unwrap();
        for session in [1, 2] {
            routes.insert(&filter, SessionId(session), WANTED);
        }
        routes.remove(&filter, SessionId(1));
        assert_eq!(receivers(&mut routes, "a/b"), [(SessionId(2), WANTED)]);
        routes.remove(&filter, SessionId(2));
        assert!(routes.ends.is_empty());
    }

    #[test]
    fn a_subscription_change_counts_the_dropped_cached_receivers_once() {
        let mut routes = SubscriptionRoutes::default();
        let filter = TopicFilter::parse("a/+").unwrap();
        for session in 0..5 {
            routes.insert(&filter, SessionId(session), WANTED);
        }
        assert_eq!(routes.take_dropped(), 0, "no message has looked for them yet");
        for change in [SubscriptionRoutes::refresh, |routes: &mut SubscriptionRoutes, filter: &_| {
            routes.remove(filter, SessionId(0))
        }] {
            receivers(&mut routes, "a/b");
            change(&mut routes, &filter);
            change(&mut routes, &filter);
            assert_eq!(routes.take_dropped(), 5, "once");
        }
        receivers(&mut routes, "a/b");
        routes.insert(&filter, SessionId(5), WANTED);
        assert_eq!((routes.take_dropped(), routes.take_dropped()), (4, 0));
    }

    #[test]
    fn overlapping_subscriptions_deliver_once_at_the_higher_qos() {
        let mut routes = SubscriptionRoutes::default();
        let filter = |text| TopicFilter::parse(text).unwrap();
        routes.insert(&filter("a/+"), SessionId(7), SubscriptionOptions { no_local: true, ..WANTED });
        routes.insert(&filter("a/#"), SessionId(7), SubscriptionOptions { qos: Qos::AtLeastOnce, ..WANTED });
        assert_eq!(
            receivers(&mut routes, "a/b"),
            [(SessionId(7), SubscriptionOptions { qos: Qos::AtLeastOnce, ..WANTED })]
        );
    }
}

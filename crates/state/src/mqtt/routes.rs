//! Who gets what: a trie of subscriptions, a level of a topic at a time.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::Qos;
use stoa_wire::topic_filter::TopicFilter;

use super::audience::Audience;
use super::session::SessionId;
use super::sessions::Sessions;

/// How a subscriber wants its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// At most.
    pub qos: Qos,
    /// Not its own.
    pub no_local: bool,
    /// With the retain flag they were published with.
    pub retain_as_published: bool,
    /// MQTT 5: named in what is delivered.
    pub subscription_id: Option<u32>,
}

impl Wanted {
    /// What a session gets whose subscriptions overlap: each message once.
    fn merged(self, other: Wanted) -> Wanted {
        Wanted {
            qos: self.qos.max(other.qos),
            no_local: self.no_local && other.no_local,
            retain_as_published: self.retain_as_published || other.retain_as_published,
            // Whether there is one; which there are, the session knows.
            subscription_id: self.subscription_id.or(other.subscription_id),
        }
    }
}

/// The subscribers of one filter.
#[derive(Debug, Default)]
struct End {
    subscribers: BTreeMap<SessionId, Wanted>,
    /// Made when the first message meets it; dropped when something of the subscribers changes.
    audience: Option<Arc<Audience>>,
}

impl End {
    fn insert(&mut self, session: SessionId, wanted: Wanted) {
        self.subscribers.insert(session, wanted);
        self.audience = None;
    }

    fn remove(&mut self, session: SessionId) {
        self.subscribers.remove(&session);
        self.audience = None;
    }

    fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }
}

#[derive(Debug, Default)]
struct Node {
    /// Filters that end here.
    here: End,
    /// Filters that end in `#` below here.
    rest: End,
    /// The next level is `+`.
    any: Option<Box<Node>>,
    /// The next level has a name.
    named: BTreeMap<Box<str>, Node>,
}

impl Node {
    fn is_empty(&self) -> bool {
        self.here.is_empty() && self.rest.is_empty() && self.any.is_none() && self.named.is_empty()
    }
}

/// All subscriptions of all sessions.
#[derive(Debug, Default)]
pub struct Routes {
    root: Node,
}

impl Routes {
    /// Adds or changes a subscription.
    pub fn insert(&mut self, filter: &TopicFilter, session: SessionId, wanted: Wanted) {
        let mut node = &mut self.root;
        for level in filter.levels() {
            node = match level {
                "#" => {
                    node.rest.insert(session, wanted);
                    return;
                }
                "+" => node.any.get_or_insert_default(),
                name => {
                    if !node.named.contains_key(name) {
                        node.named.insert(name.into(), Node::default());
                    }
                    node.named.get_mut(name).expect("was just inserted")
                }
            };
        }
        node.here.insert(session, wanted);
    }

    /// Takes a subscription away; nodes that hold nothing go with it.
    pub fn remove(&mut self, filter: &TopicFilter, session: SessionId) {
        let levels: Vec<&str> = filter.levels().collect();
        remove_below(&mut self.root, &levels, session);
    }

    /// Something changed about a subscriber of `filter`: its connection, its grant, its other subscriptions.
    pub fn refresh(&mut self, filter: &TopicFilter) {
        let mut node = &mut self.root;
        for level in filter.levels() {
            let below = match level {
                "#" => {
                    node.rest.audience = None;
                    return;
                }
                "+" => node.any.as_deref_mut(),
                name => node.named.get_mut(name),
            };
            let Some(below) = below else { return };
            node = below;
        }
        node.here.audience = None;
    }

    /// Fills `audiences` with who gets a message on `topic`. A topic that begins with `$` is not for filters that begin with a wildcard.
    pub fn audiences(&mut self, topic: &str, sessions: &Sessions, audiences: &mut Vec<Arc<Audience>>) {
        audiences.clear();
        let mut gathering = Gathering { sessions, audiences };
        if topic.starts_with('$') {
            let (first, below) = topic.split_once('/').map_or((topic, None), |(first, below)| (first, Some(below)));
            if let Some(node) = self.root.named.get_mut(first) {
                gathering.collect(node, below);
            }
        } else {
            gathering.collect(&mut self.root, Some(topic));
        }
    }
}

/// Sorts receivers, each once: who is asked one by one may match several filters.
pub fn merge(receivers: &mut Vec<(SessionId, Wanted)>) {
    receivers.sort_by_key(|(session, _)| *session);
    receivers.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 = kept.1.merged(later.1);
        }
        same
    });
}

fn remove_below(node: &mut Node, levels: &[&str], session: SessionId) {
    match levels {
        [] => {
            node.here.remove(session);
        }
        ["#", ..] => {
            node.rest.remove(session);
        }
        ["+", below @ ..] => {
            if let Some(next) = &mut node.any {
                remove_below(next, below, session);
                if next.is_empty() {
                    node.any = None;
                }
            }
        }
        [name, below @ ..] => {
            if let Some(next) = node.named.get_mut(*name) {
                remove_below(next, below, session);
                if next.is_empty() {
                    node.named.remove(*name);
                }
            }
        }
    }
}

struct Gathering<'a> {
    sessions: &'a Sessions,
    audiences: &'a mut Vec<Arc<Audience>>,
}

impl Gathering<'_> {
    /// `topic` is what is left of it; `None` when all its levels are used up. Depth is bounded by the levels of the filters that were let in.
    fn collect(&mut self, node: &mut Node, topic: Option<&str>) {
        self.meet(&mut node.rest);
        let Some(topic) = topic else {
            self.meet(&mut node.here);
            return;
        };
        let (level, below) = topic.split_once('/').map_or((topic, None), |(level, below)| (level, Some(below)));
        if let Some(next) = &mut node.any {
            self.collect(next, below);
        }
        if let Some(next) = node.named.get_mut(level) {
            self.collect(next, below);
        }
    }

    fn meet(&mut self, end: &mut End) {
        if end.is_empty() {
            return;
        }
        let audience = match &end.audience {
            Some(audience) => audience,
            None => {
                let made = Arc::new(Audience::of(&end.subscribers, self.sessions));
                end.audience.insert(made)
            }
        };
        self.audiences.push(Arc::clone(audience));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WANTED: Wanted =
        Wanted { qos: Qos::AtMostOnce, no_local: false, retain_as_published: false, subscription_id: None };

    /// Of sessions that nobody knows, which are all apart.
    fn receivers(routes: &mut Routes, topic: &str) -> Vec<(SessionId, Wanted)> {
        let mut audiences = Vec::new();
        routes.audiences(topic, &Sessions::default(), &mut audiences);
        let mut receivers = audiences.iter().flat_map(|audience| audience.apart.iter().copied()).collect();
        merge(&mut receivers);
        receivers
    }

    proptest! {
        #[test]
        fn the_trie_agrees_with_the_filters(
            filters in prop::collection::vec("[ab$+]?(/[ab+]){0,3}(/#)?", 1..12),
            topic in "[ab$]?(/[ab]?){0,4}",
        ) {
            let filters: Vec<_> = filters.iter().filter_map(|text| TopicFilter::parse(text).ok()).collect();
            let mut routes = Routes::default();
            for (index, filter) in filters.iter().enumerate() {
                routes.insert(filter, SessionId(index), WANTED);
            }
            if !topic.is_empty() {
                let expected: Vec<_> = (0..filters.len()).filter(|index| filters[*index].matches(&topic)).map(SessionId).collect();
                let found: Vec<_> = receivers(&mut routes, &topic).into_iter().map(|(session, _)| session).collect();
                prop_assert_eq!(found, expected);
            }
            for (index, filter) in filters.iter().enumerate() {
                routes.remove(filter, SessionId(index));
            }
            prop_assert!(routes.root.is_empty());
        }
    }

    #[test]
    fn overlapping_subscriptions_deliver_once_at_the_higher_quality() {
        let mut routes = Routes::default();
        let filter = |text| TopicFilter::parse(text).unwrap();
        routes.insert(&filter("a/+"), SessionId(7), Wanted { no_local: true, ..WANTED });
        routes.insert(&filter("a/#"), SessionId(7), Wanted { qos: Qos::AtLeastOnce, ..WANTED });
        assert_eq!(receivers(&mut routes, "a/b"), [(SessionId(7), Wanted { qos: Qos::AtLeastOnce, ..WANTED })]);
    }
}

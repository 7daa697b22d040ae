//! Who gets what: a trie of subscriptions, a level of a topic at a time.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use stoa_wire::packet::Qos;
use stoa_wire::topic_filter::TopicFilter;

use super::session::SessionId;

/// How a subscriber wants its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// At most.
    pub qos: Qos,
    /// Not its own.
    pub no_local: bool,
    /// With the retain flag they were published with.
    pub retain_as_published: bool,
}

impl Wanted {
    /// What a session gets whose subscriptions overlap: each message once.
    fn merged(self, other: Wanted) -> Wanted {
        Wanted {
            qos: self.qos.max(other.qos),
            no_local: self.no_local && other.no_local,
            retain_as_published: self.retain_as_published || other.retain_as_published,
        }
    }
}

#[derive(Debug, Default)]
struct Node {
    /// Filters that end here.
    here: BTreeMap<SessionId, Wanted>,
    /// Filters that end in `#` below here.
    rest: BTreeMap<SessionId, Wanted>,
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

    /// Fills `receivers` with who gets a message on `topic`: ascending, each once. A topic that begins with `$` is not for filters that begin
    /// with a wildcard.
    pub fn receivers(&self, topic: &str, receivers: &mut Vec<(SessionId, Wanted)>) {
        receivers.clear();
        if topic.starts_with('$') {
            let (first, below) = topic.split_once('/').map_or((topic, None), |(first, below)| (first, Some(below)));
            if let Some(node) = self.root.named.get(first) {
                collect(node, below, receivers);
            }
        } else {
            collect(&self.root, Some(topic), receivers);
        }
        receivers.sort_by_key(|(session, _)| *session);
        receivers.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = kept.1.merged(later.1);
            }
            same
        });
    }
}

fn remove_below(node: &mut Node, levels: &[&str], session: SessionId) {
    match levels {
        [] => {
            node.here.remove(&session);
        }
        ["#", ..] => {
            node.rest.remove(&session);
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

/// `topic` is what is left of it; `None` when all its levels are used up. Depth is bounded by the levels of the filters that were let in.
fn collect(node: &Node, topic: Option<&str>, receivers: &mut Vec<(SessionId, Wanted)>) {
    receivers.extend(node.rest.iter().map(|(session, wanted)| (*session, *wanted)));
    let Some(topic) = topic else {
        receivers.extend(node.here.iter().map(|(session, wanted)| (*session, *wanted)));
        return;
    };
    let (level, below) = topic.split_once('/').map_or((topic, None), |(level, below)| (level, Some(below)));
    if let Some(next) = &node.any {
        collect(next, below, receivers);
    }
    if let Some(next) = node.named.get(level) {
        collect(next, below, receivers);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WANTED: Wanted = Wanted { qos: Qos::AtMostOnce, no_local: false, retain_as_published: false };

    fn receivers(routes: &Routes, topic: &str) -> Vec<SessionId> {
        let mut receivers = Vec::new();
        routes.receivers(topic, &mut receivers);
        receivers.into_iter().map(|(session, _)| session).collect()
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
                prop_assert_eq!(receivers(&routes, &topic), expected);
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
        let mut found = Vec::new();
        routes.receivers("a/b", &mut found);
        assert_eq!(found, [(SessionId(7), Wanted { qos: Qos::AtLeastOnce, ..WANTED })]);
    }
}

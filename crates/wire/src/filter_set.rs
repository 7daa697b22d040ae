//! The filters on which a token allows publishing, compiled into a trie: one walk per topic, whatever the number of
//! filters. Each connection's `Grant` has one. Subscriptions are not matched here, but by `stoa-state`'s filter tree.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::topic_filter::TopicFilter;

/// Index of the root. It is no node's child, so a link to it means "none".
const ROOT: u32 = 0;

/// A set of filters, compiled for matching. Immutable and stored in two allocations, because each connection's grant
/// has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterSet {
    /// The root is first. A node's named children are consecutive, in ascending order of names.
    nodes: Box<[TrieNode]>,
    /// All names, concatenated.
    names: Box<str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct TrieNode {
    /// Range of the node's name in `names`.
    name: Range<u32>,
    /// Range of the named children in `nodes`.
    named: Range<u32>,
    /// Child for `+`.
    any: u32,
    /// Whether a filter ends at this node.
    ends: bool,
    /// Whether a filter continues with `#` after this node.
    rest: bool,
}

impl FilterSet {
    /// Compiles filters.
    pub fn new<'a>(filters: impl IntoIterator<Item = &'a TopicFilter>) -> FilterSet {
        let mut planting = TrieBuilder { nodes: Vec::from([TrieNode::named(0..0)]), names: String::new() };
        // Breadth first; each entry is a node with the remaining levels of the filters that lead to it.
        let mut wanting = Vec::from([(ROOT, filters.into_iter().map(|filter| Some(filter.as_str())).collect())]);
        let mut next = 0;
        while next < wanting.len() {
            let (node, tails) = core::mem::take(&mut wanting[next]);
            next += 1;
            planting.grow(node, tails, &mut wanting);
        }
        FilterSet { nodes: planting.nodes.into(), names: planting.names.into() }
    }

    /// Whether any filter matches, see [`TopicFilter::matches`]. Hot path: called for each message of a client, before
    /// it is accepted.
    pub fn matches(&self, topic: &str) -> bool {
        if !topic.starts_with('$') {
            return self.matches_below(ROOT, Some(topic));
        }
        let (token, below) = cut(topic);
        self.child(&self.nodes[ROOT as usize], token).is_some_and(|child| self.matches_below(child, below))
    }

    /// Matches the remaining levels of a topic; `None` after the last. Recurses only where a name and `+` both
    /// match.
    fn matches_below(&self, mut number: u32, mut topic: Option<&str>) -> bool {
        loop {
            let node = &self.nodes[number as usize];
            // `#` matches the parent level too.
            if node.rest {
                return true;
            }
            let Some(text) = topic else { return node.ends };
            let (token, below) = cut(text);
            number = match (self.child(node, token), node.any) {
                (None, ROOT) => return false,
                (Some(child), ROOT) => child,
                (None, any) => any,
                (Some(child), any) => {
                    if self.matches_below(child, below) {
                        return true;
                    }
                    any
                }
            };
            topic = below;
        }
    }

    fn child(&self, node: &TrieNode, token: &str) -> Option<u32> {
        let (first, end) = (node.named.start as usize, node.named.end as usize);
        let place = self.nodes[first..end].binary_search_by(|child| self.name(child).cmp(token.as_bytes())).ok()?;
        Some(node.named.start + place as u32)
    }

    fn name(&self, node: &TrieNode) -> &[u8] {
        &self.names.as_bytes()[node.name.start as usize..node.name.end as usize]
    }
}

impl TrieNode {
    fn named(name: Range<u32>) -> TrieNode {
        TrieNode { name, named: 0..0, any: ROOT, ends: false, rest: false }
    }
}

/// A set under construction.
struct TrieBuilder {
    nodes: Vec<TrieNode>,
    names: String,
}

/// Remaining levels of the filters that lead to a node; `None` for a filter that ends there.
type FilterTails<'a> = Vec<Option<&'a str>>;

impl TrieBuilder {
    /// Adds a node's children, and queues the remaining levels of each.
    fn grow<'a>(&mut self, node: u32, tails: FilterTails<'a>, wanting: &mut Vec<(u32, FilterTails<'a>)>) {
        let mut steps: Vec<(&str, Option<&str>)> = Vec::new();
        for tail in tails {
            match tail.map(cut) {
                None => self.nodes[node as usize].ends = true,
                Some(("#", _)) => self.nodes[node as usize].rest = true,
                Some(step) => steps.push(step),
            }
        }
        steps.sort_unstable_by_key(|(level, _)| *level);
        let first = self.next();
        for same in steps.chunk_by(|one, other| one.0 == other.0).filter(|same| same[0].0 != "+") {
            wanting.push((self.add(same[0].0), same.iter().map(|(_, below)| *below).collect()));
        }
        self.nodes[node as usize].named = first..self.next();
        let below: FilterTails<'a> = steps.iter().filter(|(level, _)| *level == "+").map(|(_, below)| *below).collect();
        if !below.is_empty() {
            let any = self.add("");
            self.nodes[node as usize].any = any;
            wanting.push((any, below));
        }
    }

    fn add(&mut self, name: &str) -> u32 {
        let number = self.next();
        let start = number_of(self.names.len());
        self.names.push_str(name);
        self.nodes.push(TrieNode::named(start..number_of(self.names.len())));
        number
    }

    fn next(&self) -> u32 {
        number_of(self.nodes.len())
    }
}

fn number_of(count: usize) -> u32 {
    u32::try_from(count).expect("the text of all filters is far below 4 GiB")
}

/// The first level, and the remaining ones.
fn cut(topic: &str) -> (&str, Option<&str>) {
    // Levels are short, and a search optimised for long texts takes longer.
    match topic.bytes().position(|byte| byte == b'/') {
        Some(end) => (&topic[..end], Some(&topic[end + 1..])),
        None => (topic, None),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(texts: &[&str]) -> FilterSet {
        let filters: Vec<_> = texts.iter().map(|text| TopicFilter::parse(text).unwrap()).collect();
        FilterSet::new(&filters)
    }

    proptest! {
        #[test]
        fn a_filter_set_matches_a_topic_if_one_of_its_filters_does(
            filters in prop::collection::vec("([ab$+]?|ab)(/[ab+]?){0,3}(/#)?|#", 0..12),
            topics in prop::collection::vec("([ab$]?|ab)(/[ab]?){0,3}", 1..24),
        ) {
            let filters: Vec<_> = filters.iter().filter_map(|text| TopicFilter::parse(text).ok()).collect();
            let set = FilterSet::new(&filters);
            for topic in topics {
                prop_assert_eq!(set.matches(&topic), filters.iter().any(|filter| filter.matches(&topic)), "{}", topic);
            }
        }
    }

    #[test]
    fn a_failed_named_branch_falls_back_to_the_wildcard() {
        let set = set(&["a/b/c", "a/+/d", "+/x/#"]);
        for topic in ["a/b/c", "a/b/d", "a/q/d", "a/x", "b/x/y/z"] {
            assert!(set.matches(topic), "{topic}");
        }
        for topic in ["a/b", "a/b/e", "a/b/c/d", "b/b/c", "", "a"] {
            assert!(!set.matches(topic), "{topic}");
        }
    }

    #[test]
    fn a_dollar_topic_matches_no_filter_that_begins_with_a_wildcard() {
        assert!(!set(&["#", "+/latency"]).matches("$NETWORK/latency"));
        assert!(set(&["$NETWORK/+"]).matches("$NETWORK/latency"));
        assert!(set(&["$NETWORK/#"]).matches("$NETWORK"));
        assert!(!set(&[]).matches("a"), "no filter, no match");
    }

    #[test]
    fn a_filter_with_the_maximum_number_of_levels_matches() {
        let filter = "+/".repeat(crate::limits::TOPIC_LEVELS_MAX - 1) + "a";
        let topic = "a/".repeat(crate::limits::TOPIC_LEVELS_MAX - 1) + "a";
        let both = set(&[&filter, &topic]);
        assert!(both.matches(&topic));
        assert!(!both.matches(&(topic + "/a")));
    }
}

//! A map from topic filters to values, searched by topic: a trie over topic levels.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use stoa_wire::topic_filter::TopicFilter;

/// One `T` for each filter. The depth is limited by the levels of a filter.
#[derive(Debug)]
pub(crate) struct FilterTree<T> {
    root: FilterNode<T>,
}

#[derive(Debug)]
struct FilterNode<T> {
    /// Value of the filter that ends here.
    exact: Option<T>,
    /// Value of the filter that continues with `#`.
    rest: Option<T>,
    /// Child for the level `+`.
    any: Option<Box<FilterNode<T>>>,
    /// Children for named levels.
    named: BTreeMap<Box<str>, FilterNode<T>>,
}

impl<T> Default for FilterNode<T> {
    fn default() -> FilterNode<T> {
        FilterNode { exact: None, rest: None, any: None, named: BTreeMap::new() }
    }
}

impl<T> Default for FilterTree<T> {
    fn default() -> FilterTree<T> {
        FilterTree { root: FilterNode::default() }
    }
}

impl<T> FilterTree<T> {
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.root.is_empty()
    }

    /// Returns the value of `filter`.
    pub(crate) fn get_mut(&mut self, filter: &TopicFilter) -> Option<&mut T> {
        let mut node = &mut self.root;
        for level in filter.levels() {
            node = match level {
                "#" => return node.rest.as_mut(),
                "+" => node.any.as_deref_mut()?,
                name => node.named.get_mut(name)?,
            };
        }
        node.exact.as_mut()
    }

    /// Removes the value of `filter`, and nodes that become empty.
    pub(crate) fn remove(&mut self, filter: &TopicFilter) {
        let levels: Vec<&str> = filter.levels().collect();
        self.root.remove(&levels);
    }

    /// Visits the values of all filters that match `topic`. Filters that begin with a wildcard don't match a topic
    /// that begins with `$`.
    pub(crate) fn visit(&mut self, topic: &str, mut visit_value: impl FnMut(&mut T)) {
        if !topic.starts_with('$') {
            self.root.visit(Some(topic), &mut visit_value);
            return;
        }
        let (first, below) = cut(topic);
        if let Some(node) = self.root.named.get_mut(first) {
            node.visit(below, &mut visit_value);
        }
    }
}

impl<T: Default> FilterTree<T> {
    /// Returns the value of `filter`, inserting a default if absent.
    pub(crate) fn entry(&mut self, filter: &TopicFilter) -> &mut T {
        let mut node = &mut self.root;
        for level in filter.levels() {
            node = match level {
                "#" => return node.rest.get_or_insert_default(),
                "+" => node.any.get_or_insert_default(),
                name => {
                    if !node.named.contains_key(name) {
                        node.named.insert(name.into(), FilterNode::default());
                    }
                    node.named.get_mut(name).expect("was just inserted")
                }
            };
        }
        node.exact.get_or_insert_default()
    }
}

impl<T> FilterNode<T> {
    fn is_empty(&self) -> bool {
        self.exact.is_none() && self.rest.is_none() && self.any.is_none() && self.named.is_empty()
    }

    fn remove(&mut self, levels: &[&str]) {
        match levels {
            [] => self.exact = None,
            ["#", ..] => self.rest = None,
            ["+", below @ ..] => {
                if let Some(next) = &mut self.any {
                    next.remove(below);
                    if next.is_empty() {
                        self.any = None;
                    }
                }
            }
            [name, below @ ..] => {
                if let Some(next) = self.named.get_mut(*name) {
                    next.remove(below);
                    if next.is_empty() {
                        self.named.remove(*name);
                    }
                }
            }
        }
    }

    /// `topic` is the remaining part; `None` after its last level.
    fn visit(&mut self, topic: Option<&str>, visit_value: &mut impl FnMut(&mut T)) {
        // `#` matches the parent level too.
        self.rest.iter_mut().for_each(&mut *visit_value);
        let Some(topic) = topic else {
            self.exact.iter_mut().for_each(visit_value);
            return;
        };
        let (level, below) = cut(topic);
        if let Some(next) = &mut self.any {
            next.visit(below, visit_value);
        }
        if let Some(next) = self.named.get_mut(level) {
            next.visit(below, visit_value);
        }
    }
}

/// Splits off the first level.
fn cut(topic: &str) -> (&str, Option<&str>) {
    topic.split_once('/').map_or((topic, None), |(level, below)| (level, Some(below)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_tree_finds_exactly_the_filters_that_match_a_topic(
            filters in prop::collection::btree_set("[ab$+]?(/[ab+]){0,3}(/#)?", 1..12),
            topic in "[ab$]?(/[ab]?){0,4}",
        ) {
            let filters: Vec<_> = filters.iter().filter_map(|text| TopicFilter::parse(text).ok()).collect();
            let mut tree = FilterTree::default();
            for (index, filter) in filters.iter().enumerate() {
                *tree.entry(filter) = Some(index);
                prop_assert_eq!(tree.get_mut(filter), Some(&mut Some(index)));
            }
            if !topic.is_empty() {
                let expected: Vec<_> = (0..filters.len()).filter(|index| filters[*index].matches(&topic)).collect();
                let mut found = Vec::new();
                tree.visit(&topic, |index| found.extend(*index));
                found.sort_unstable();
                prop_assert_eq!(found, expected);
            }
            for filter in &filters {
                tree.remove(filter);
                prop_assert_eq!(tree.get_mut(filter), None);
            }
            prop_assert!(tree.is_empty());
        }
    }
}

//! An index of objects by their parent (`data.parent`), to find all descendants of an object.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::limits::{DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX};

/// The children of each parent. A parent need not exist, and parents may form a cycle.
#[derive(Debug, Default)]
pub(super) struct ChildIndex {
    below: BTreeMap<String, BTreeSet<String>>,
}

impl ChildIndex {
    /// Adds `id` as a child of `parent`.
    pub(super) fn add(&mut self, parent: Option<&str>, id: &str) {
        if let Some(parent) = parent {
            self.below.entry(parent.to_string()).or_default().insert(id.to_string());
        }
    }

    /// Removes `id` as a child of `parent`.
    pub(super) fn remove(&mut self, parent: Option<&str>, id: &str) {
        let Some(parent) = parent else { return };
        if let Some(children) = self.below.get_mut(parent) {
            children.remove(id);
            if children.is_empty() {
                self.below.remove(parent);
            }
        }
    }

    /// Direct children of `id`.
    pub(super) fn of(&self, id: &str) -> impl Iterator<Item = &str> {
        self.below.get(id).into_iter().flatten().map(String::as_str)
    }

    /// All descendants of `id`, breadth first, within the limits of number and depth.
    pub(super) fn descendants(&self, id: &str) -> Vec<String> {
        self.first_descendants(id, DESCENDANTS_MAX)
    }

    /// All descendants of `id`, breadth first, within the limit of depth. `None` if they are more than `most`, after a
    /// search of no more than these.
    pub(super) fn few_descendants(&self, id: &str, most: usize) -> Option<Vec<String>> {
        let found = self.first_descendants(id, most + 1);
        (found.len() <= most).then_some(found)
    }

    fn first_descendants(&self, id: &str, most: usize) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut seen = BTreeSet::from([id]);
        let mut level = Vec::from([id]);
        for _ in 0..DESCENDANT_DEPTH_MAX {
            let mut below = Vec::new();
            for child in level.iter().flat_map(|parent| self.of(parent)) {
                if found.len() == most {
                    return found;
                }
                if seen.insert(child) {
                    found.push(child.to_string());
                    below.push(child);
                }
            }
            level = below;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn descendants_come_breadth_first_and_a_circle_ends() {
        let mut children = ChildIndex::default();
        for (parent, id) in [("a", "b"), ("a", "c"), ("b", "d"), ("d", "a")] {
            children.add(Some(parent), id);
        }
        assert_eq!(children.descendants("a"), ["b", "c", "d"]);
        children.remove(Some("a"), "b");
        assert_eq!(children.descendants("a"), ["c"]);
    }

    #[test]
    fn a_search_ends_at_its_bound() {
        let mut children = ChildIndex::default();
        for i in 0..5 {
            children.add(Some("0"), &format!("{}", i + 1));
        }
        assert_eq!(children.few_descendants("0", 5).map(|found| found.len()), Some(5));
        assert_eq!(children.few_descendants("0", 4), None);
    }

    #[test]
    fn descendants_end_at_the_limits() {
        let mut deep = ChildIndex::default();
        let mut wide = ChildIndex::default();
        for i in 0..DESCENDANTS_MAX + 5 {
            deep.add(Some(&format!("{i}")), &format!("{}", i + 1));
            wide.add(Some("0"), &format!("{}", i + 1));
        }
        assert_eq!(deep.descendants("0").len(), DESCENDANT_DEPTH_MAX);
        assert_eq!(wide.descendants("0").len(), DESCENDANTS_MAX);
    }
}

//! An index of objects by their parent (`data.parent`), to find all descendants of an object, and the queue of objects
//! that unfinished deletions still delete.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::deletion::UnfinishedDeletion;
use crate::limits::{DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX};

/// The children of each parent. A parent need not exist, and parents may form a cycle.
#[derive(Debug, Default)]
pub(super) struct ChildIndex {
    below: BTreeMap<String, BTreeSet<String>>,
    /// Objects still to be deleted, by their parent; `""` for objects without a parent.
    orphans: BTreeMap<String, OrphansToDelete>,
    /// The keys of `orphans` in order of insertion, and keys that `orphans` no longer has.
    order: VecDeque<String>,
}

/// Objects of one parent that are still to be deleted.
#[derive(Debug)]
struct OrphansToDelete {
    ids: BTreeSet<String>,
    deletion: UnfinishedDeletion,
}

/// The next step of deletions.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OrphanStep {
    /// An object is to be deleted.
    Delete(String),
    /// Objects beyond [`DESCENDANTS_MAX`] remain.
    Kept,
}

impl ChildIndex {
    /// Adds `id` as a child of `parent`.
    pub(super) fn add(&mut self, parent: Option<&str>, id: &str) {
        if let Some(parent) = parent {
            self.below.entry(parent.to_string()).or_default().insert(id.to_string());
        }
    }

    /// Removes `id` as a child of `parent`, or as its orphan.
    pub(super) fn remove(&mut self, parent: Option<&str>, id: &str) {
        let parent = parent.unwrap_or_default();
        if let Some(children) = self.below.get_mut(parent) {
            let was_there = children.remove(id);
            if children.is_empty() {
                self.below.remove(parent);
            }
            if was_there {
                return;
            }
        }
        if let Some(orphans) = self.orphans.get_mut(parent) {
            orphans.ids.remove(id);
            if orphans.ids.is_empty() {
                self.orphans.remove(parent);
            }
        }
    }

    /// Queues the present children of a deleted parent for a deletion.
    pub(super) fn orphan_children(&mut self, parent: &str, deletion: UnfinishedDeletion) {
        if let Some(children) = self.below.remove(parent) {
            self.orphan(parent, children, deletion);
        }
    }

    /// Queues one object for a deletion.
    pub(super) fn orphan_one(&mut self, parent: Option<&str>, id: &str, deletion: UnfinishedDeletion) {
        self.remove(parent, id);
        self.orphan(parent.unwrap_or_default(), BTreeSet::from([id.to_string()]), deletion);
    }

    fn orphan(&mut self, parent: &str, mut ids: BTreeSet<String>, deletion: UnfinishedDeletion) {
        if let Some(earlier) = self.orphans.get_mut(parent) {
            if earlier.ids.len() < ids.len() {
                core::mem::swap(&mut earlier.ids, &mut ids);
            }
            earlier.ids.extend(ids);
            return;
        }
        self.orphans.insert(parent.to_string(), OrphansToDelete { ids, deletion });
        self.order.push_back(parent.to_string());
    }

    /// Whether objects are queued for deletion.
    pub(super) fn has_orphans(&self) -> bool {
        !self.orphans.is_empty()
    }

    /// The unfinished deletion for which `id`, a child of `parent`, is queued.
    pub(super) fn deletion_of(&self, parent: Option<&str>, id: &str) -> Option<&UnfinishedDeletion> {
        let orphans = self.orphans.get(parent.unwrap_or_default()).filter(|orphans| orphans.ids.contains(id))?;
        Some(&orphans.deletion).filter(|deletion| !deletion.is_used_up())
    }

    /// Returns the next step, parents before their children. An object to delete stays queued until
    /// [`ChildIndex::remove`].
    pub(super) fn next_orphan(&mut self) -> Option<OrphanStep> {
        loop {
            let parent = self.order.front()?;
            let Some(orphans) = self.orphans.get(parent) else {
                self.order.pop_front();
                continue;
            };
            if !orphans.deletion.is_used_up() {
                return orphans.ids.first().cloned().map(OrphanStep::Delete);
            }
            let mut kept = self.orphans.remove(parent).map(|orphans| orphans.ids).unwrap_or_default();
            let below = self.below.entry(parent.clone()).or_default();
            if below.len() < kept.len() {
                core::mem::swap(below, &mut kept);
            }
            below.extend(kept);
            return Some(OrphanStep::Kept);
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

    /// All descendants of `id`, breadth first, within the limit of depth. `None` if there are more than `most`; the
    /// search then ends early.
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
    fn descendants_are_listed_breadth_first_and_cycles_end() {
        let mut children = ChildIndex::default();
        for (parent, id) in [("a", "b"), ("a", "c"), ("b", "d"), ("d", "a")] {
            children.add(Some(parent), id);
        }
        assert_eq!(children.descendants("a"), ["b", "c", "d"]);
        children.remove(Some("a"), "b");
        assert_eq!(children.descendants("a"), ["c"]);
    }

    #[test]
    fn few_descendants_returns_none_above_its_bound() {
        let mut children = ChildIndex::default();
        for i in 0..5 {
            children.add(Some("0"), &format!("{}", i + 1));
        }
        assert_eq!(children.few_descendants("0", 5).map(|found| found.len()), Some(5));
        assert_eq!(children.few_descendants("0", 4), None);
    }

    #[test]
    fn descendants_are_limited_in_depth_and_number() {
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

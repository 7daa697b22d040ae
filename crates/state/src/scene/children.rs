//! An index of objects by their parent (`data.parent`), to find all descendants of an object.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::deletion::UnfinishedDeletion;
use crate::limits::{DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX};

/// The children of each parent. A parent need not exist, and parents may form a cycle.
#[derive(Debug, Default)]
pub(super) struct ChildIndex {
    below: BTreeMap<String, BTreeSet<String>>,
    /// Objects that are to be deleted after their parent, by that parent; `""` for objects without one.
    orphans: BTreeMap<String, OrphansToDelete>,
    /// These parents in order, some of them without orphans by now.
    order: VecDeque<String>,
}

/// Objects that are to be deleted.
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

    /// Leaves the present children of a deleted parent to a deletion.
    pub(super) fn orphan_children(&mut self, parent: &str, deletion: UnfinishedDeletion) {
        if let Some(children) = self.below.remove(parent) {
            self.orphan(parent, children, deletion);
        }
    }

    /// Leaves one object to a deletion.
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

    /// Whether objects are to be deleted.
    pub(super) fn has_orphans(&self) -> bool {
        !self.orphans.is_empty()
    }

    /// The deletion to which a child of `parent` is left.
    pub(super) fn deletion_of(&self, parent: Option<&str>, id: &str) -> Option<&UnfinishedDeletion> {
        let orphans = self.orphans.get(parent.unwrap_or_default()).filter(|orphans| orphans.ids.contains(id))?;
        Some(&orphans.deletion).filter(|deletion| !deletion.is_used_up())
    }

    /// The next object to delete, those next to the top of their deletion first.
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

//! A queue in which groups take turns, and so do the groups within a group.

use std::collections::BTreeMap;

use super::TurnGroup;

/// Entries by group, with the groups around it.
#[derive(Debug)]
pub(super) struct TurnQueue<T> {
    queued: QueuedGroup<T>,
    /// Number of the next entry or turn. Numbers are never reused.
    next: u64,
}

/// The entries of a group, and the groups within it that have entries.
#[derive(Debug)]
struct QueuedGroup<T> {
    entries: BTreeMap<u64, T>,
    /// Each with the number of its turn.
    groups: BTreeMap<TurnGroup, (u64, QueuedGroup<T>)>,
    turns: BTreeMap<u64, TurnGroup>,
}

impl<T> Default for TurnQueue<T> {
    fn default() -> TurnQueue<T> {
        TurnQueue { queued: QueuedGroup::default(), next: 0 }
    }
}

impl<T> TurnQueue<T> {
    /// Adds an entry to a group, given with the groups around it, widest first. Returns the entry's number.
    pub(super) fn push(&mut self, group: &[TurnGroup], entry: T) -> u64 {
        let number = self.next;
        self.next += 1;
        self.queued.push(group, number, entry);
        number
    }

    /// Removes the entry whose turn it is.
    pub(super) fn pop(&mut self) -> Option<T> {
        let number = self.next;
        self.next += 1;
        self.queued.pop(number)
    }

    /// Removes an entry, unless it was removed before.
    pub(super) fn remove(&mut self, group: &[TurnGroup], number: u64) -> Option<T> {
        self.queued.remove(group, number)
    }
}

impl<T> Default for QueuedGroup<T> {
    fn default() -> QueuedGroup<T> {
        QueuedGroup { entries: BTreeMap::new(), groups: BTreeMap::new(), turns: BTreeMap::new() }
    }
}

impl<T> QueuedGroup<T> {
    fn push(&mut self, group: &[TurnGroup], number: u64, entry: T) {
        let Some((widest, rest)) = group.split_first() else {
            self.entries.insert(number, entry);
            return;
        };
        let (_, queued) = self.groups.entry(widest.clone()).or_insert_with(|| {
            self.turns.insert(number, widest.clone());
            (number, QueuedGroup::default())
        });
        queued.push(rest, number, entry);
    }

    /// `number` is that of the group's next turn.
    fn pop(&mut self, number: u64) -> Option<T> {
        let Some((_, group)) = self.turns.pop_first() else {
            return self.entries.pop_first().map(|(_, entry)| entry);
        };
        let (turn, queued) = self.groups.get_mut(&group)?;
        let entry = queued.pop(number);
        if queued.is_empty() {
            self.groups.remove(&group);
        } else {
            *turn = number;
            self.turns.insert(number, group);
        }
        entry
    }

    fn remove(&mut self, group: &[TurnGroup], number: u64) -> Option<T> {
        let Some((widest, rest)) = group.split_first() else { return self.entries.remove(&number) };
        let (turn, queued) = self.groups.get_mut(widest)?;
        let entry = queued.remove(rest, number);
        if queued.is_empty() {
            self.turns.remove(turn);
            self.groups.remove(widest);
        }
        entry
    }

    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.groups.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(names: &[&str]) -> Vec<TurnGroup> {
        names.iter().map(|name| TurnGroup::Name((*name).to_owned())).collect()
    }

    fn order(queue: &mut TurnQueue<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn groups_take_turns_and_so_do_groups_within_a_group() {
        let mut queue = TurnQueue::default();
        for (names, entry) in [
            (&["greedy", "first"][..], "1"),
            (&["greedy", "first"], "2"),
            (&["greedy", "first"], "3"),
            (&["greedy", "second"], "4"),
            (&["alice"], "a"),
            (&["bob"], "b"),
            (&["alice"], "c"),
        ] {
            queue.push(&group(names), entry);
        }
        assert_eq!(order(&mut queue), ["1", "a", "b", "4", "c", "2", "3"]);
        assert!(queue.queued.is_empty() && queue.queued.turns.is_empty());
    }

    #[test]
    fn a_removed_entry_leaves_no_trace_and_its_number_means_no_later_one() {
        let mut queue = TurnQueue::default();
        let number = queue.push(&group(&["alice", "laptop"]), "removed");
        queue.push(&group(&["bob"]), "b");
        assert_eq!(queue.remove(&group(&["alice", "laptop"]), number), Some("removed"));
        queue.push(&group(&["alice", "laptop"]), "later");
        assert_eq!(queue.remove(&group(&["alice", "laptop"]), number), None);
        assert_eq!(order(&mut queue), ["b", "later"]);
        assert!(queue.queued.is_empty() && queue.queued.turns.is_empty());
    }
}

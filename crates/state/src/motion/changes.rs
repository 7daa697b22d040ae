//! Objects entering and leaving one receiver's view, sent until acknowledged. Source: `spec/wire.md` section 4.

use alloc::collections::VecDeque;
use core::time::Duration;

use crate::limits;
use crate::time::Time;

/// A change that the receiver has not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnackedChange {
    pub(super) id: u16,
    pub(super) entered: bool,
}

/// One receiver's unacknowledged changes.
#[derive(Debug)]
pub(super) struct UnackedChanges {
    /// Number of the first one.
    first: u32,
    unknown: VecDeque<UnackedChange>,
    /// There were more than the limit.
    is_over: bool,
    /// How many of them, from the front, were sent since `said_at`.
    said: usize,
    said_at: Time,
}

impl UnackedChanges {
    pub(super) fn new() -> UnackedChanges {
        UnackedChanges { first: 1, unknown: VecDeque::new(), is_over: false, said: 0, said_at: Time::ZERO }
    }

    pub(super) fn push(&mut self, crossing: UnackedChange) {
        if self.unknown.len() < limits::MOTION_CHANGES_MAX {
            self.unknown.push_back(crossing);
        } else {
            self.is_over = true;
        }
    }

    /// Whether a change was dropped. The receiver's state is then wrong.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Acknowledges all changes up to that number.
    pub(super) fn handle_known(&mut self, number: u32) {
        let known = number.wrapping_add(1).wrapping_sub(self.first) as usize;
        // An impossible or old number.
        if known <= self.unknown.len() {
            self.unknown.drain(..known);
            self.first = self.first.wrapping_add(known as u32);
            self.said = self.said.saturating_sub(known);
        }
    }

    /// Returns the changes to send now, and the number of the first. After `patience` without acknowledgement that
    /// is all of them.
    pub(super) fn poll(&mut self, patience: Duration, now: Time) -> (u32, impl Iterator<Item = UnackedChange> + '_) {
        if self.said > 0 && now.since(self.said_at) >= patience {
            self.said = 0;
        }
        (self.first.wrapping_add(self.said as u32), self.unknown.iter().skip(self.said).copied())
    }

    /// Notes that this many of them were sent.
    pub(super) fn handle_said(&mut self, count: usize, now: Time) {
        if self.said == 0 {
            self.said_at = now;
        }
        self.said = (self.said + count).min(self.unknown.len());
    }

    /// Whether all changes are acknowledged.
    pub(super) fn is_empty(&self) -> bool {
        self.unknown.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_millis(100);

    fn told(changes: &mut UnackedChanges, now_ms: u64) -> (u32, alloc::vec::Vec<u16>) {
        let now = Time::from_millis(now_ms);
        let (first, crossings) = changes.poll(PATIENCE, now);
        let ids: alloc::vec::Vec<u16> = crossings.map(|crossing| crossing.id).collect();
        changes.handle_said(ids.len(), now);
        (first, ids)
    }

    #[test]
    fn what_is_not_known_is_said_again_and_what_is_new_at_once() {
        let mut changes = UnackedChanges::new();
        let push = |changes: &mut UnackedChanges, id| changes.push(UnackedChange { id, entered: true });
        [7, 8].into_iter().for_each(|id| push(&mut changes, id));
        assert_eq!(told(&mut changes, 0), (1, [7, 8].into()));
        push(&mut changes, 9);
        assert_eq!(told(&mut changes, 50), (3, [9].into()));
        changes.handle_known(1);
        assert_eq!(told(&mut changes, 60), (4, [].into()));
        assert_eq!(told(&mut changes, 100), (2, [8, 9].into()), "not known in time");
        changes.handle_known(3);
        assert!(changes.is_empty());
    }

    #[test]
    fn no_more_are_kept_than_may_be_and_it_is_known_that_some_are_not() {
        let mut changes = UnackedChanges::new();
        (0..limits::MOTION_CHANGES_MAX).for_each(|id| changes.push(UnackedChange { id: id as u16, entered: true }));
        assert!(!changes.is_over(), "all are there");
        (0..1_000).for_each(|id| changes.push(UnackedChange { id, entered: true }));
        assert!(changes.is_over());
        assert_eq!(changes.unknown.len(), limits::MOTION_CHANGES_MAX);
        changes.handle_known(9);
        assert!(changes.is_over(), "what is not kept is not known by that");
    }

    #[test]
    fn numbers_that_are_old_or_not_true_change_nothing() {
        let mut changes = UnackedChanges::new();
        (0..3).for_each(|id| changes.push(UnackedChange { id, entered: false }));
        changes.handle_known(2);
        for number in [0, 1, 2, 4, 99, u32::MAX] {
            changes.handle_known(number);
            assert_eq!(changes.first, 3, "{number}");
        }
    }
}

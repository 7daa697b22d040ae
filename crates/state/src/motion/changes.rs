//! Objects entering and leaving one receiver's view, sent until acknowledged. Source: `spec/wire.md` section 4.

use alloc::collections::VecDeque;
use core::time::Duration;

use crate::limits;
use crate::time::Time;

/// A change that the receiver has not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnackedInterestChange {
    pub(super) id: u16,
    pub(super) entered: bool,
}

/// One receiver's unacknowledged changes.
#[derive(Debug)]
pub(super) struct UnackedInterestChanges {
    /// Number of the first unacknowledged change.
    first: u32,
    unacked: VecDeque<UnackedInterestChange>,
    /// A new change was dropped, because [`limits::MOTION_CHANGES_MAX`] were unacknowledged.
    has_overflowed: bool,
    /// How many changes, from the front, were sent.
    sent: usize,
    /// When the first of the `sent` changes was sent. A resend restarts it; an acknowledgement of some changes doesn't.
    sent_at: Time,
}

impl UnackedInterestChanges {
    pub(super) fn new() -> UnackedInterestChanges {
        UnackedInterestChanges {
            first: 1,
            unacked: VecDeque::new(),
            has_overflowed: false,
            sent: 0,
            sent_at: Time::ZERO,
        }
    }

    pub(super) fn push(&mut self, change: UnackedInterestChange) {
        if self.unacked.len() < limits::MOTION_CHANGES_MAX {
            self.unacked.push_back(change);
        } else {
            self.has_overflowed = true;
        }
    }

    /// Whether a change was dropped. The receiver's state is then wrong.
    pub(super) fn has_overflowed(&self) -> bool {
        self.has_overflowed
    }

    /// Removes all changes up to the acknowledged number.
    pub(super) fn handle_acked(&mut self, number: u32) {
        let acked = number.wrapping_add(1).wrapping_sub(self.first) as usize;
        // An impossible or old number changes nothing.
        if acked <= self.unacked.len() {
            self.unacked.drain(..acked);
            self.first = self.first.wrapping_add(acked as u32);
            self.sent = self.sent.saturating_sub(acked);
        }
    }

    /// Returns the number of the first change to send now, and these changes: the unsent ones, or all unacknowledged ones
    /// once `patience` has passed since `sent_at`.
    pub(super) fn poll(
        &mut self,
        patience: Duration,
        now: Time,
    ) -> (u32, impl Iterator<Item = UnackedInterestChange> + '_) {
        if self.sent > 0 && now.since(self.sent_at) >= patience {
            self.sent = 0;
        }
        (self.first.wrapping_add(self.sent as u32), self.unacked.iter().skip(self.sent).copied())
    }

    /// Notes that this many of the changes from [`UnackedInterestChanges::poll`] were sent.
    pub(super) fn handle_sent(&mut self, count: usize, now: Time) {
        if self.sent == 0 {
            self.sent_at = now;
        }
        self.sent = (self.sent + count).min(self.unacked.len());
    }

    /// Whether all changes are acknowledged.
    pub(super) fn is_empty(&self) -> bool {
        self.unacked.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_millis(100);

    fn told(changes: &mut UnackedInterestChanges, now_ms: u64) -> (u32, alloc::vec::Vec<u16>) {
        let now = Time::from_millis(now_ms);
        let (first, crossings) = changes.poll(PATIENCE, now);
        let ids: alloc::vec::Vec<u16> = crossings.map(|change| change.id).collect();
        changes.handle_sent(ids.len(), now);
        (first, ids)
    }

    #[test]
    fn unacknowledged_changes_are_resent_after_the_patience_and_new_ones_at_once() {
        let mut changes = UnackedInterestChanges::new();
        let push = |changes: &mut UnackedInterestChanges, id| changes.push(UnackedInterestChange { id, entered: true });
        [7, 8].into_iter().for_each(|id| push(&mut changes, id));
        assert_eq!(told(&mut changes, 0), (1, [7, 8].into()));
        push(&mut changes, 9);
        assert_eq!(told(&mut changes, 50), (3, [9].into()));
        changes.handle_acked(1);
        assert_eq!(told(&mut changes, 60), (4, [].into()));
        assert_eq!(told(&mut changes, 100), (2, [8, 9].into()), "not acked in time");
        changes.handle_acked(3);
        assert!(changes.is_empty());
    }

    #[test]
    fn changes_beyond_the_limit_are_dropped_and_reported_as_an_overflow() {
        let mut changes = UnackedInterestChanges::new();
        (0..limits::MOTION_CHANGES_MAX)
            .for_each(|id| changes.push(UnackedInterestChange { id: id as u16, entered: true }));
        assert!(!changes.has_overflowed(), "all are there");
        (0..1_000).for_each(|id| changes.push(UnackedInterestChange { id, entered: true }));
        assert!(changes.has_overflowed());
        assert_eq!(changes.unacked.len(), limits::MOTION_CHANGES_MAX);
        changes.handle_acked(9);
        assert!(changes.has_overflowed(), "what is not kept is not acked by that");
    }

    #[test]
    fn old_and_impossible_acknowledgement_numbers_are_ignored() {
        let mut changes = UnackedInterestChanges::new();
        (0..3).for_each(|id| changes.push(UnackedInterestChange { id, entered: false }));
        changes.handle_acked(2);
        for number in [0, 1, 2, 4, 99, u32::MAX] {
            changes.handle_acked(number);
            assert_eq!(changes.first, 3, "{number}");
        }
    }
}

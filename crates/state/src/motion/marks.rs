//! Marked frames, whose senders learn when all receivers have them. Source: `spec/wire.md` section 6.1. For a marked
//! frame the server gathers acknowledgements like the active server of Fernández et al. (experiment `car`).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::sent::PoseNumberRange;
use super::session::MotionSessionId;
use crate::limits;
use crate::time::Time;

/// Identifies a marked frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkedFrameId {
    /// The sender's session.
    pub(super) session: MotionSessionId,
    /// The frame's sequence.
    pub(super) sequence: u32,
}

/// Marked frames of one scene that some receiver has not acknowledged.
#[derive(Debug, Default)]
pub(super) struct MarkedFrameTracker {
    /// The marked frames, by the number of the last pose in each.
    waiting: BTreeMap<u64, PendingMarkedFrame>,
    /// The number of waiting frames of each session, by its slot.
    counts: Vec<usize>,
    /// Frames that reached all receivers, to be reported.
    reached: Vec<MarkedFrameId>,
    /// Reused memory.
    spare: Vec<Vec<u64>>,
}

#[derive(Debug)]
struct PendingMarkedFrame {
    marked: MarkedFrameId,
    at: Time,
    /// A bit for each receiver without an acknowledgement, by its slot.
    missing: Vec<u64>,
    /// Number of receivers without an acknowledgement.
    left: usize,
}

impl MarkedFrameTracker {
    /// Whether no frame is pending. Then sent frames need not be noted.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Adds a marked frame, unless [`limits::MOTION_MARKS_MAX`] of its sender are pending. `came` is the number of its
    /// last pose; `receivers` are slots, duplicates allowed.
    pub(super) fn push(&mut self, marked: MarkedFrameId, came: u64, now: Time, receivers: impl Iterator<Item = usize>) {
        self.forget(now);
        let owner = marked.session.slot();
        if self.counts.len() <= owner {
            self.counts.resize(owner + 1, 0);
        }
        if self.counts[owner] >= limits::MOTION_MARKS_MAX {
            return;
        }
        let mut missing = self.spare.pop().unwrap_or_default();
        missing.clear();
        let mut left = 0;
        for slot in receivers {
            if missing.len() <= slot / 64 {
                missing.resize(slot / 64 + 1, 0);
            }
            let bit = 1 << (slot % 64);
            left += usize::from(missing[slot / 64] & bit == 0);
            missing[slot / 64] |= bit;
        }
        if left == 0 {
            self.reached.push(marked);
            self.spare.push(missing);
        } else {
            self.counts[owner] += 1;
            self.waiting.insert(came, PendingMarkedFrame { marked, at: now, missing, left });
        }
    }

    /// Notes that a receiver has all poses in this range.
    pub(super) fn handle_confirmed(&mut self, slot: usize, known: PoseNumberRange) {
        let MarkedFrameTracker { waiting, counts, reached, spare } = self;
        for (_, over) in waiting.extract_if(known.after + 1..known.to + 1, |_, waiting| waiting.clear(slot)) {
            reached.push(over.marked);
            over.end(counts, spare);
        }
    }

    /// Removes a session as sender and as receiver.
    pub(super) fn handle_left(&mut self, session: MotionSessionId) {
        let MarkedFrameTracker { waiting, counts, reached, spare } = self;
        let is_over =
            |waiting: &mut PendingMarkedFrame| waiting.marked.session == session || waiting.clear(session.slot());
        for (_, over) in waiting.extract_if(.., |_, waiting| is_over(waiting)) {
            reached.push(over.marked);
            over.end(counts, spare);
        }
        reached.retain(|marked| marked.session != session);
    }

    /// Drops all pending frames, because their receivers are no longer known.
    pub(super) fn clear(&mut self) {
        let MarkedFrameTracker { waiting, counts, spare, .. } = self;
        while let Some((_, over)) = waiting.pop_first() {
            over.end(counts, spare);
        }
    }

    /// Returns a frame that reached all receivers.
    pub(super) fn poll_reached(&mut self) -> Option<MarkedFrameId> {
        self.reached.pop()
    }

    /// Drops frames that have been pending for too long.
    pub(super) fn forget(&mut self, now: Time) {
        while let Some(first) = self.waiting.first_entry()
            && now.since(first.get().at) >= limits::MOTION_MARK_LIFE
        {
            first.remove().end(&mut self.counts, &mut self.spare);
        }
    }
}

impl PendingMarkedFrame {
    /// Removes a receiver. Returns whether it was the last.
    fn clear(&mut self, slot: usize) -> bool {
        let Some(word) = self.missing.get_mut(slot / 64) else { return false };
        let bit = 1 << (slot % 64);
        self.left -= usize::from(*word & bit != 0);
        *word &= !bit;
        self.left == 0
    }

    /// Removes the frame from the counts and keeps its memory for reuse.
    fn end(self, counts: &mut [usize], spare: &mut Vec<Vec<u64>>) {
        counts[self.marked.session.slot()] -= 1;
        spare.push(self.missing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: MotionSessionId = MotionSessionId { slot: 0, generation: 0 };
    const NOW: Time = Time::from_secs(1);

    fn mark(marks: &mut MarkedFrameTracker, sequence: u32, came: u64) {
        marks.push(MarkedFrameId { session: OWNER, sequence }, came, NOW, [1, 2, 70].into_iter());
    }

    fn reached(marks: &mut MarkedFrameTracker) -> Vec<u32> {
        core::iter::from_fn(|| marks.poll_reached()).map(|marked| marked.sequence).collect()
    }

    #[test]
    fn a_marked_frame_is_reached_when_the_last_receiver_has_its_poses() {
        let mut marks = MarkedFrameTracker::default();
        mark(&mut marks, 7, 10);
        mark(&mut marks, 8, 12);
        for slot in [70, 1] {
            marks.handle_confirmed(slot, PoseNumberRange { after: 0, to: 11 });
        }
        assert!(reached(&mut marks).is_empty());
        marks.handle_confirmed(2, PoseNumberRange { after: 10, to: 12 });
        assert!(reached(&mut marks).is_empty(), "it has what came after, and not that");
        marks.handle_confirmed(2, PoseNumberRange { after: 9, to: 10 });
        assert_eq!(reached(&mut marks), [7]);
        [70, 1, 1].into_iter().for_each(|slot| marks.handle_confirmed(slot, PoseNumberRange { after: 11, to: 20 }));
        assert_eq!(reached(&mut marks), [8]);
    }

    #[test]
    fn a_marked_frame_does_not_wait_for_receivers_that_left() {
        let mut marks = MarkedFrameTracker::default();
        mark(&mut marks, 7, 10);
        [1, 2].into_iter().for_each(|slot| marks.handle_confirmed(slot, PoseNumberRange { after: 0, to: 11 }));
        marks.handle_left(MotionSessionId { slot: 70, generation: 3 });
        assert_eq!(reached(&mut marks), [7]);
        mark(&mut marks, 8, 12);
        marks.handle_left(OWNER);
        [1, 2, 70].into_iter().for_each(|slot| marks.handle_confirmed(slot, PoseNumberRange { after: 0, to: 20 }));
        assert!(reached(&mut marks).is_empty());
    }

    #[test]
    fn a_session_in_a_reused_slot_has_its_own_marked_frames() {
        let mut marks = MarkedFrameTracker::default();
        (0..100).for_each(|sequence| mark(&mut marks, sequence, u64::from(sequence)));
        marks.handle_left(OWNER);
        assert!(marks.is_empty());
        let next = MarkedFrameId { session: MotionSessionId { generation: 1, ..OWNER }, sequence: 3 };
        marks.push(next, 200, NOW, [1, 1].into_iter());
        marks.handle_confirmed(1, PoseNumberRange { after: 0, to: 200 });
        assert_eq!(reached(&mut marks), [3]);
        (0..10).for_each(|sequence| mark(&mut marks, sequence, u64::from(sequence)));
        marks.clear();
        marks.handle_confirmed(1, PoseNumberRange { after: 0, to: 200 });
        assert!(marks.is_empty() && reached(&mut marks).is_empty());
    }

    #[test]
    fn marked_frames_are_limited_per_session_and_expire() {
        let mut marks = MarkedFrameTracker::default();
        (0..100).for_each(|sequence| mark(&mut marks, sequence, u64::from(sequence)));
        assert_eq!(marks.waiting.len(), limits::MOTION_MARKS_MAX);
        for slot in [1, 2, 70] {
            marks.handle_confirmed(slot, PoseNumberRange { after: 4, to: 6 });
        }
        assert_eq!(reached(&mut marks), [6, 5]);
        (100..110).for_each(|sequence| mark(&mut marks, sequence, u64::from(sequence)));
        assert_eq!(
            marks.waiting.len(),
            limits::MOTION_MARKS_MAX,
            "two of those before are over, though older ones wait"
        );
        let later = NOW + limits::MOTION_MARK_LIFE;
        marks.push(MarkedFrameId { session: OWNER, sequence: 200 }, 200, later, core::iter::empty());
        assert_eq!(reached(&mut marks), [200], "alone, it is with all");
        assert!(marks.is_empty());
    }
}

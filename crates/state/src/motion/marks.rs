//! Frames whose senders want to know when all have them. Source: `spec/wire.md` section 6.1; the active server of Fernández et al., which gathers acknowledgements (experiment `car`), for whoever asks.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::sent::Known;
use super::stay::StayId;
use crate::limits;
use crate::time::Time;

/// A frame that its sender marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marked {
    /// Whose.
    pub(super) stay: StayId,
    /// Which.
    pub(super) sequence: u32,
}

/// The frames of one scene that are marked, and not known to be with all.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// By the poses that had come by then. What is over goes when it is in front.
    waiting: VecDeque<Waiting>,
    /// How many of them each stay has, by its slot.
    counts: Vec<usize>,
    /// With all, and not told yet.
    reached: Vec<Marked>,
    /// Memory that is used again.
    spare: Vec<Vec<u64>>,
}

#[derive(Debug)]
struct Waiting {
    marked: Marked,
    /// The number of the last pose in it.
    came: u64,
    at: Time,
    /// A bit for each who has not acknowledged it, by the slot of its stay.
    missing: Vec<u64>,
    /// How many these are; none where it is over.
    left: usize,
}

impl Marks {
    /// Whether nobody waits for anything: then nobody needs to note what goes out.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// A frame was marked: the number of the last pose in it, and by the slots of their stays those who are to have it.
    pub(super) fn push(&mut self, marked: Marked, (came, now): (u64, Time), receivers: impl Iterator<Item = usize>) {
        self.forget(now);
        let owner = marked.stay.slot();
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
            missing[slot / 64] |= 1 << (slot % 64);
            left += 1;
        }
        if left == 0 {
            self.reached.push(marked);
            self.spare.push(missing);
        } else {
            self.counts[owner] += 1;
            self.waiting.push_back(Waiting { marked, came, at: now, missing, left });
        }
    }

    /// A receiver has all poses of these numbers.
    pub(super) fn handle_known(&mut self, slot: usize, known: Known) {
        let from = self.waiting.partition_point(|waiting| waiting.came <= known.after);
        let held = self.waiting.range_mut(from..).take_while(|waiting| waiting.came <= known.to);
        self.reached.extend(held.filter_map(|waiting| waiting.clear(slot)));
    }

    /// A stay is over: nobody waits for it, and it for nothing.
    pub(super) fn handle_left(&mut self, stay: StayId) {
        for waiting in &mut self.waiting {
            self.reached.extend(waiting.clear(stay.slot()));
            if waiting.marked.stay == stay {
                waiting.left = 0;
            }
        }
        self.reached.retain(|marked| marked.stay != stay);
    }

    /// One that all have.
    pub(super) fn poll_reached(&mut self) -> Option<Marked> {
        self.reached.pop()
    }

    /// Forgets what is over, or waited for too long.
    pub(super) fn forget(&mut self, now: Time) {
        let is_over = |waiting: &mut Waiting| waiting.left == 0 || now.since(waiting.at) >= limits::MOTION_MARK_LIFE;
        while let Some(over) = self.waiting.pop_front_if(is_over) {
            self.counts[over.marked.stay.slot()] -= 1;
            self.spare.push(over.missing);
        }
    }
}

impl Waiting {
    /// That one has it, or is not waited for; the mark where it was the last.
    fn clear(&mut self, slot: usize) -> Option<Marked> {
        let (word, bit) = (self.missing.get_mut(slot / 64)?, 1 << (slot % 64));
        if self.left == 0 || *word & bit == 0 {
            return None;
        }
        *word &= !bit;
        self.left -= 1;
        (self.left == 0).then_some(self.marked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: StayId = StayId { slot: 0, generation: 0 };
    const NOW: Time = Time::from_secs(1);

    fn mark(marks: &mut Marks, sequence: u32, came: u64) {
        marks.push(Marked { stay: OWNER, sequence }, (came, NOW), [1, 2, 70].into_iter());
    }

    fn reached(marks: &mut Marks) -> Vec<u32> {
        core::iter::from_fn(|| marks.poll_reached()).map(|marked| marked.sequence).collect()
    }

    #[test]
    fn a_frame_has_reached_all_when_the_last_has_its_poses() {
        let mut marks = Marks::default();
        mark(&mut marks, 7, 10);
        mark(&mut marks, 8, 12);
        for slot in [70, 1] {
            marks.handle_known(slot, Known { after: 0, to: 11 });
        }
        assert!(reached(&mut marks).is_empty());
        marks.handle_known(2, Known { after: 10, to: 12 });
        assert!(reached(&mut marks).is_empty(), "it has what came after, and not that");
        marks.handle_known(2, Known { after: 9, to: 10 });
        assert_eq!(reached(&mut marks), [7]);
        [70, 1, 1].into_iter().for_each(|slot| marks.handle_known(slot, Known { after: 11, to: 20 }));
        assert_eq!(reached(&mut marks), [8]);
    }

    #[test]
    fn nobody_waits_for_those_who_have_left() {
        let mut marks = Marks::default();
        mark(&mut marks, 7, 10);
        [1, 2].into_iter().for_each(|slot| marks.handle_known(slot, Known { after: 0, to: 11 }));
        marks.handle_left(StayId { slot: 70, generation: 3 });
        assert_eq!(reached(&mut marks), [7]);
        mark(&mut marks, 8, 12);
        marks.handle_left(OWNER);
        [1, 2, 70].into_iter().for_each(|slot| marks.handle_known(slot, Known { after: 0, to: 20 }));
        assert!(reached(&mut marks).is_empty());
    }

    #[test]
    fn marks_are_few_for_each_and_forgotten_in_the_end() {
        let mut marks = Marks::default();
        (0..100).for_each(|sequence| mark(&mut marks, sequence, u64::from(sequence)));
        assert_eq!(marks.waiting.len(), limits::MOTION_MARKS_MAX);
        let later = NOW + limits::MOTION_MARK_LIFE;
        marks.push(Marked { stay: OWNER, sequence: 200 }, (200, later), core::iter::empty());
        assert_eq!(reached(&mut marks), [200], "alone, it is with all");
        assert!(marks.is_empty());
    }
}

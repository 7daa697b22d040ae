//! The k nearest. Who falls out of them stays for a while, so that whoever moves about the limit does not come and go. Source: Ubiq section IV-B (k = 20, 5 Hz, 500 ms).
//!
//! Cost of an evaluation: O(n) for the grid; for each observer the cells around it, ring by ring, until what is left is farther than the k-th of those found: about 2.5 k
//! items where they lie evenly: by estimate 0.6 µs with k = 20, so 1 to 2 ms for 2,000 people. The worst is a crowd in a few cells of a wide scene: at most n² distances, by
//! estimate 2 ns each.

use alloc::vec::Vec;
use core::time::Duration;

use super::field::ItemIndex;
use super::pairs::{ObservedItem, ObservedPairs, ObserverSelection};
use super::{InterestChange, InterestInput, Observer};
use crate::limits;
use crate::motion::grid::{Grid, distance_squared};

/// Cells for `count` items: then those nearest are nearly always within two rings of the observer's cell. (They reach √(10 / π) = 1.78 sides of a cell, two rings 2 at least.)
const CELLS_FOR_COUNT: u32 = 10;

#[derive(Debug)]
pub(super) struct NearestSets {
    best: NearestCandidates,
    field: ItemIndex,
    pub(super) pairs: ObservedPairs,
}

impl NearestSets {
    pub(super) fn new(count: u32) -> NearestSets {
        NearestSets {
            best: NearestCandidates::new(count as usize),
            field: ItemIndex::default(),
            pairs: ObservedPairs::default(),
        }
    }

    /// `elapsed` since the evaluation before.
    pub(super) fn update(
        &mut self,
        present: InterestInput<'_>,
        elapsed: Duration,
        crossings: &mut Vec<InterestChange>,
    ) {
        let elapsed_ms = u16::try_from(elapsed.as_millis()).unwrap_or(u16::MAX);
        self.field.rebuild(present, self.best.count as u32 / CELLS_FOR_COUNT);
        self.pairs.keep(present);
        for observer in present.observers {
            self.field.mark_own(observer.id);
            let ItemIndex { grid, indices, marks, .. } = &mut self.field;
            self.best.find(grid, observer);
            for &(_, index) in &self.best.found {
                marks.set(index as usize);
            }
            let wanted = marks.drain().map(|index| present.items[index].id);
            let stays = |seen: &mut ObservedItem| {
                let out_for_ms = seen.out_for_ms.map_or(0, |out_for_ms| out_for_ms.saturating_add(elapsed_ms));
                seen.out_for_ms = Some(out_for_ms);
                // What is gone altogether does not wait.
                indices.get(seen.item).is_some() && Duration::from_millis(out_for_ms.into()) < limits::NEAREST_STAY
            };
            self.pairs.renew(observer.id, ObserverSelection { wanted, stays }, crossings);
        }
    }

    #[cfg(test)]
    pub(super) fn room(&self) -> usize {
        self.field.room() + self.pairs.room() + self.best.found.capacity()
    }
}

/// The nearest so far: square of the distance and index, the lower index where they are equally far.
#[derive(Debug)]
struct NearestCandidates {
    count: usize,
    found: Vec<(u64, u32)>,
    /// Only what is less may still be among the nearest.
    limit: (u64, u32),
}

const NO_LIMIT: (u64, u32) = (u64::MAX, u32::MAX);

impl NearestCandidates {
    fn new(count: usize) -> NearestCandidates {
        // Of what is offered, a part is thrown away each time that it is full: four times as many makes that seldom.
        NearestCandidates { count, found: Vec::with_capacity(4 * count), limit: NO_LIMIT }
    }

    /// Finds those nearest to an observer; what is its own does not count.
    fn find(&mut self, grid: &Grid, observer: &Observer) {
        self.found.clear();
        self.limit = NO_LIMIT;
        if self.count == 0 {
            return;
        }
        let centre = grid.cell(observer.place);
        for ring in 0.. {
            grid.visit_ring(centre, ring, |entry| {
                if entry.owner != Some(observer.id) {
                    self.offer((distance_squared(entry.place, observer.place), entry.index));
                }
            });
            self.settle();
            let Some(gap) = grid.beyond(observer.place, centre, ring) else { return };
            // Not `>=`: what is just as far may have the lower index.
            if gap.saturating_mul(gap) > self.limit.0 {
                return;
            }
        }
    }

    fn offer(&mut self, candidate: (u64, u32)) {
        if candidate < self.limit {
            self.found.push(candidate);
            if self.found.len() == 4 * self.count {
                self.settle();
            }
        }
    }

    /// Throws away what is not among the nearest of those found.
    fn settle(&mut self) {
        if self.found.len() >= self.count {
            self.limit = *self.found.select_nth_unstable(self.count - 1).1;
            self.found.truncate(self.count);
        }
    }
}

//! The k nearest items. An item that falls out remains for a while, so that movement near the limit causes few
//! changes. Source: Ubiq section IV-B (k = 20, 5 Hz, 500 ms).
//!
//! Cost of an evaluation: O(n) for the grid. Each observer scans rings of cells until the rest is farther than the
//! k-th item found. For evenly spread items that is about 2.5 k items, by estimate 0.6 µs with k = 20, so 1 to 2 ms
//! for 2,000 people. The worst case is a crowd in a few cells of a wide scene: at most n² distances, by estimate 2
//! ns each.

use alloc::vec::Vec;
use core::time::Duration;

use super::field::ItemIndexes;
use super::pairs::{ObservedItem, ObservedPairs, ObserverSelection};
use super::{InterestInput, InterestMembershipChange, Observer};
use crate::limits;
use crate::motion::grid::{SpatialGrid, distance_squared};

/// Divisor of `count` for the items of a cell. The nearest are then almost always within two rings of the
/// observer's cell: they reach √(10 / π) = 1.78 cell sides, two rings at least 2.
const CELLS_FOR_COUNT: u32 = 10;

#[derive(Debug)]
pub(super) struct NearestSets {
    best: NearestCandidates,
    field: ItemIndexes,
    pub(super) pairs: ObservedPairs,
}

impl NearestSets {
    pub(super) fn new(count: u32) -> NearestSets {
        NearestSets {
            best: NearestCandidates::new(count as usize),
            field: ItemIndexes::default(),
            pairs: ObservedPairs::default(),
        }
    }

    /// `elapsed` is the time since the previous evaluation.
    pub(super) fn update(
        &mut self,
        present: InterestInput<'_>,
        elapsed: Duration,
        changes: &mut Vec<InterestMembershipChange>,
    ) {
        let elapsed_ms = u16::try_from(elapsed.as_millis()).unwrap_or(u16::MAX);
        self.field.rebuild(present, self.best.count as u32 / CELLS_FOR_COUNT);
        self.pairs.keep(present);
        for observer in present.observers {
            self.field.mark_own(observer.id);
            let ItemIndexes { grid, indices, marks, .. } = &mut self.field;
            self.best.find(grid, observer);
            for &(_, index) in &self.best.found {
                marks.set(index as usize);
            }
            let selected = marks.drain().map(|index| present.items[index].id);
            let keeps = |observed_item: &mut ObservedItem| {
                let out_for_ms = observed_item.out_for_ms.map_or(0, |out_for_ms| out_for_ms.saturating_add(elapsed_ms));
                observed_item.out_for_ms = Some(out_for_ms);
                // Absent items leave at once.
                indices.get(observed_item.item).is_some()
                    && Duration::from_millis(out_for_ms.into()) < limits::NEAREST_STAY
            };
            self.pairs.renew(observer.id, ObserverSelection { selected, keeps }, changes);
        }
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.field.capacity() + self.pairs.capacity() + self.best.found.capacity()
    }
}

/// The nearest items so far: squared distance and index. Ties go to the lower index.
#[derive(Debug)]
struct NearestCandidates {
    count: usize,
    found: Vec<(u64, u32)>,
    /// Only a smaller candidate can still be among the nearest.
    limit: (u64, u32),
}

const NO_LIMIT: (u64, u32) = (u64::MAX, u32::MAX);

impl NearestCandidates {
    fn new(count: usize) -> NearestCandidates {
        // A full buffer is cut to `count`; four times the size makes that rare.
        NearestCandidates { count, found: Vec::with_capacity(4 * count), limit: NO_LIMIT }
    }

    /// Finds the items nearest to an observer, without its own.
    fn find(&mut self, grid: &SpatialGrid, observer: &Observer) {
        self.found.clear();
        self.limit = NO_LIMIT;
        if self.count == 0 {
            return;
        }
        let centre = grid.cell(observer.position);
        for ring in 0.. {
            grid.visit_ring(centre, ring, |entry| {
                if entry.owner != Some(observer.id) {
                    self.offer((distance_squared(entry.position, observer.position), entry.index));
                }
            });
            self.settle();
            let Some(gap) = grid.beyond(observer.position, centre, ring) else { return };
            // Not `>=`: an item at the same distance may have a lower index.
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

    /// Drops all but the nearest found so far.
    fn settle(&mut self) {
        if self.found.len() >= self.count {
            self.limit = *self.found.select_nth_unstable(self.count - 1).1;
            self.found.truncate(self.count);
        }
    }
}

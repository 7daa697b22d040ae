//! Items within a distance. They enter at the radius and leave a tenth beyond it, so that swaying at the border
//! causes no changes. Source: Ubiq section II, areas of interest of fixed radius (NPSNET).
//!
//! Cost of an evaluation: O(n) for the grid, and for each observer the items in the cells that its square touches,
//! about 5/4 of those visible. Where all see each other, that is n² distances, by estimate 2 ns each, and as many
//! pairs: crowds need `nearest` or `hex`.

use alloc::vec::Vec;

use super::field::ItemIndexes;
use super::pairs::{ObservedItem, ObservedPairs, ObserverSelection};
use super::{InterestInput, InterestMembershipChange, ItemId, Observer};
use crate::limits;
use crate::motion::grid::distance_squared;

/// Items in a cell: a compromise between visiting more cells and scanning more items in vain.
const PER_CELL: u32 = 4;

#[derive(Debug)]
pub(super) struct RadiusSets {
    radius_mm: u32,
    in_squared: u64,
    out_squared: u64,
    field: ItemIndexes,
    pub(super) pairs: ObservedPairs,
}

impl RadiusSets {
    pub(super) fn new(radius_mm: u32) -> RadiusSets {
        let out_mm = u64::from(radius_mm) * limits::RADIUS_OUT_PERCENT / 100;
        let square = |length: u64| length.saturating_mul(length);
        RadiusSets {
            radius_mm,
            in_squared: square(radius_mm.into()),
            out_squared: square(out_mm),
            field: ItemIndexes::default(),
            pairs: ObservedPairs::default(),
        }
    }

    pub(super) fn update(&mut self, present: InterestInput<'_>, changes: &mut Vec<InterestMembershipChange>) {
        self.field.rebuild(present, PER_CELL);
        self.pairs.keep(present);
        for observer in present.observers {
            self.renew(observer, present, changes);
        }
    }

    fn renew(&mut self, observer: &Observer, present: InterestInput<'_>, changes: &mut Vec<InterestMembershipChange>) {
        self.field.mark_own(observer.id);
        let ItemIndexes { grid, indices, marks, .. } = &mut self.field;
        for entry in grid.around(observer.position, self.radius_mm.into()) {
            if distance_squared(entry.position, observer.position) <= self.in_squared {
                marks.set(entry.index as usize);
            }
        }
        let selected = marks.drain().map(|index| present.items[index].id);
        let is_within = |item: ItemId| {
            let position = indices.get(item).map(|index| present.items[index].position);
            position.is_some_and(|position| distance_squared(position, observer.position) <= self.out_squared)
        };
        self.pairs.renew(
            observer.id,
            ObserverSelection { selected, keeps: |observed_item: &mut ObservedItem| is_within(observed_item.item) },
            changes,
        );
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.field.capacity() + self.pairs.capacity()
    }
}

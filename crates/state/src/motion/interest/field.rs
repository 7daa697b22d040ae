//! Lookup tables of one evaluation for the policies by distance (`radius`, `nearest`): items by position, by id and by
//! owner. They are rebuilt for each evaluation in O(n). `ItemsByOwner` serves `hex` too.

use alloc::vec::Vec;

use super::{InterestInput, InterestItem, ItemId, ObserverId};
use crate::motion::grid::SpatialGrid;

/// Items of one evaluation: by position, by id, by owner.
#[derive(Debug, Default)]
pub(super) struct ItemIndexes {
    pub(super) grid: SpatialGrid,
    pub(super) indices: ItemIndexBySlot,
    pub(super) owned: ItemsByOwner,
    pub(super) marks: IndexBitmap,
}

impl ItemIndexes {
    /// Rebuilds all tables.
    pub(super) fn rebuild(&mut self, present: InterestInput<'_>, per_cell: u32) {
        self.grid.rebuild(present.items, per_cell);
        self.indices.rebuild(present.items);
        self.owned.rebuild(present.items);
        self.marks.rebuild(present.items.len());
    }

    /// Marks an observer's own items, which it sees at any distance.
    pub(super) fn mark_own(&mut self, observer: ObserverId) {
        for item in self.owned.of(observer) {
            let index = self.indices.get(item).expect("both are made of the same items");
            self.marks.set(index);
        }
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.grid.capacity() + self.indices.0.capacity() + self.owned.capacity() + self.marks.0.capacity()
    }
}

/// Index of each item in the input, by its slot.
#[derive(Debug, Default)]
pub(super) struct ItemIndexBySlot(Vec<u32>);

const ABSENT: u32 = u32::MAX;

impl ItemIndexBySlot {
    fn rebuild(&mut self, items: &[InterestItem]) {
        self.0.clear();
        self.0.resize(items.last().map_or(0, |item| item.id.slot() + 1), ABSENT);
        for (index, item) in (0..).zip(items) {
            self.0[item.id.slot()] = index;
        }
    }

    /// Returns an item's index; `None` if it is absent.
    pub(super) fn get(&self, item: ItemId) -> Option<usize> {
        self.0.get(item.slot()).filter(|&&index| index != ABSENT).map(|&index| index as usize)
    }
}

/// Ascending by owner, then by item.
#[derive(Debug, Default)]
pub(super) struct ItemsByOwner(Vec<(ObserverId, ItemId)>);

impl ItemsByOwner {
    /// Rebuilds the table.
    pub(super) fn rebuild(&mut self, items: &[InterestItem]) {
        self.0.clear();
        self.0.extend(items.iter().filter_map(|item| Some((item.owner?, item.id))));
        self.0.sort_unstable();
    }

    /// An owner's items, ascending.
    pub(super) fn of(&self, observer: ObserverId) -> impl Iterator<Item = ItemId> {
        let from = self.0.partition_point(|(owner, _)| *owner < observer);
        self.0[from..].iter().take_while(move |(owner, _)| *owner == observer).map(|(_, item)| *item)
    }

    pub(super) fn remove(&mut self, owner: ObserverId, item: ItemId) {
        if let Ok(at) = self.0.binary_search(&(owner, item)) {
            self.0.remove(at);
        }
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

/// A bitmap of indices: it returns them in order without sorting.
#[derive(Debug, Default)]
pub(super) struct IndexBitmap(Vec<u64>);

impl IndexBitmap {
    fn rebuild(&mut self, count: usize) {
        self.0.clear();
        self.0.resize(count.div_ceil(64), 0);
    }

    pub(super) fn set(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Removes and returns all indices, ascending.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = usize> {
        let words = self.0.iter_mut().enumerate();
        words.flat_map(|(at, word)| SetBits(core::mem::take(word)).map(move |bit| at * 64 + bit))
    }
}

/// Indices of a word's set bits, lowest first.
struct SetBits(u64);

impl Iterator for SetBits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.checked_sub(1)?;
        Some(bit as usize)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn a_bitmap_returns_its_indices_once_in_ascending_order() {
        let mut marks = IndexBitmap::default();
        marks.rebuild(200);
        for index in [199, 0, 64, 63, 64, 128] {
            marks.set(index);
        }
        assert_eq!(marks.drain().collect::<Vec<_>>(), [0, 63, 64, 128, 199]);
        assert_eq!(marks.drain().count(), 0);
    }

    #[test]
    fn an_absent_item_has_no_index_and_an_observer_without_items_owns_none() {
        let item =
            |id, owner: Option<u32>| InterestItem { id: ItemId(id), owner: owner.map(ObserverId), position: [0; 3] };
        let items = vec![item(2, Some(9)), item(5, None), item(6, Some(1)), item(7, Some(9))];
        let mut field = ItemIndexes::default();
        field.rebuild(InterestInput { items: &items, observers: &[] }, 1);
        assert_eq!([2, 3, 5, 8].map(|id| field.indices.get(ItemId(id))), [Some(0), None, Some(1), None]);
        assert_eq!(field.owned.of(ObserverId(9)).collect::<Vec<_>>(), [ItemId(2), ItemId(7)]);
        assert_eq!(field.owned.of(ObserverId(5)).count(), 0);
    }
}

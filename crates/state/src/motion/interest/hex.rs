//! Hexagonal cells. An item belongs to its cell, and an observer sees the items of its own cell and of the six
//! around it. A person stays in a cell up to 1 m beyond its sides (with cells of 20 m), so that standing on a
//! border causes no changes. One evaluation reports all changes of a move together: an item visible before and
//! after neither leaves nor enters. Source: Ubiq section IV-A.
//!
//! No pairs are kept: visibility follows from two lists by cell. Cost of an evaluation: O(n log n) for the lists,
//! and for each change of cell the items visible before and after. At 3 m/s about one person in twenty changes its
//! cell in 200 ms. By estimate that is 1 ms for 2,000 people, spread or in a crowd.

mod lattice;

use alloc::vec::Vec;
use core::mem;

pub use self::lattice::{HexCell, HexLattice};
use super::field::ItemsByOwner;
use super::{InterestInput, InterestMembershipChange, ItemId, ObserverId};

#[derive(Debug)]
pub(super) struct HexSets {
    lattice: HexLattice,
    current: HexCellAssignments,
    /// The previous evaluation's cells, used during an evaluation only.
    earlier: HexCellAssignments,
    moved_items: Vec<ItemId>,
    moved_observers: Vec<ObserverId>,
    found: Vec<InterestMembershipChange>,
}

impl HexSets {
    pub(super) fn new(cell_mm: u32) -> HexSets {
        HexSets {
            lattice: HexLattice::new(cell_mm),
            current: HexCellAssignments::default(),
            earlier: HexCellAssignments::default(),
            moved_items: Vec::new(),
            moved_observers: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Hot path: allocates only where a buffer holds more than ever before.
    pub(super) fn update(&mut self, present: InterestInput<'_>, changes: &mut Vec<InterestMembershipChange>) {
        mem::swap(&mut self.earlier, &mut self.current);
        self.current.rebuild(&self.earlier, &self.lattice, present);
        self.find_moved();
        self.found.clear();
        self.compare_observers();
        self.compare_items();
        self.found.sort_unstable();
        changes.extend_from_slice(&self.found);
    }

    /// Finds items and observers that appeared, disappeared, or changed their cell or owner.
    fn find_moved(&mut self) {
        let (now, before) = (&self.current, &self.earlier);
        let slots = |one: usize, other: usize| (0..).take(one.max(other));
        let items = slots(now.items.len(), before.items.len()).map(ItemId);
        self.moved_items.clear();
        self.moved_items.extend(items.filter(|&item| now.item(item) != before.item(item)));
        let observers = slots(now.observers.len(), before.observers.len()).map(ObserverId);
        self.moved_observers.clear();
        self.moved_observers.extend(observers.filter(|&it| now.observer(it) != before.observer(it)));
    }

    /// Compares, for each moved observer, the items visible before and now.
    fn compare_observers(&mut self) {
        let HexSets { current, earlier, moved_observers, found, .. } = self;
        for &observer in &*moved_observers {
            for assignment in [&*earlier, &*current] {
                for item in assignment.visible(observer) {
                    compare(earlier, current, observer, item, found);
                }
            }
        }
    }

    /// Compares, for each moved item, the observers before and now. Moved observers were compared already.
    fn compare_items(&mut self) {
        let HexSets { current, earlier, moved_items, found, .. } = self;
        for &item in &*moved_items {
            for assignment in [&*earlier, &*current] {
                for observer in assignment.watchers(item) {
                    if current.observer(observer) == earlier.observer(observer) {
                        compare(earlier, current, observer, item, found);
                    }
                }
            }
        }
    }

    /// Removes an item, which leaves every set at once.
    pub(super) fn remove_item(&mut self, item: ItemId, changes: &mut Vec<InterestMembershipChange>) {
        self.found.clear();
        self.found.extend(self.current.watchers(item).map(|observer| InterestMembershipChange {
            observer,
            item,
            entered: false,
        }));
        self.found.sort_unstable();
        changes.extend_from_slice(&self.found);
        self.current.remove_item(item);
    }

    /// Removes an observer without reporting changes.
    pub(super) fn remove_observer(&mut self, observer: ObserverId) {
        self.current.remove_observer(observer);
    }

    /// Each item once, cell by cell.
    pub(super) fn visible(&self, observer: ObserverId) -> impl Iterator<Item = ItemId> {
        self.current.visible(observer)
    }

    /// Each observer once, cell by cell.
    pub(super) fn watchers(&self, item: ItemId) -> impl Iterator<Item = ObserverId> {
        self.current.watchers(item)
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        let moved = self.moved_items.capacity() + self.moved_observers.capacity() + self.found.capacity();
        self.current.capacity() + self.earlier.capacity() + moved
    }
}

/// Reports a pair that is visible either before or now, but not at both times. It is then in only one of the two lists,
/// so it is reported once. Absent observers get no changes.
fn compare(
    earlier: &HexCellAssignments,
    current: &HexCellAssignments,
    observer: ObserverId,
    item: ItemId,
    found: &mut Vec<InterestMembershipChange>,
) {
    let entered = current.sees(observer, item);
    if entered != earlier.sees(observer, item) && current.observer(observer).is_some() {
        found.push(InterestMembershipChange { observer, item, entered });
    }
}

/// An item's cell and owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ItemCell {
    cell: HexCell,
    owner: Option<ObserverId>,
}

/// Cells of all items and observers at one evaluation.
#[derive(Debug, Default)]
struct HexCellAssignments {
    /// By slot.
    items: Vec<Option<ItemCell>>,
    /// By slot.
    observers: Vec<Option<HexCell>>,
    items_by_cell: MembersByCell<ItemId>,
    /// Observers by their cell.
    observers_by_cell: MembersByCell<ObserverId>,
    owned: ItemsByOwner,
}

impl HexCellAssignments {
    fn rebuild(&mut self, earlier: &HexCellAssignments, lattice: &HexLattice, present: InterestInput<'_>) {
        let cell_of = |before: Option<HexCell>, position: [i32; 3]| {
            before.filter(|&cell| lattice.keeps(cell, position)).unwrap_or_else(|| lattice.cell(position))
        };
        self.items.clear();
        self.items.resize(present.items.last().map_or(0, |item| item.id.slot() + 1), None);
        self.items_by_cell.0.clear();
        for item in present.items {
            let cell = cell_of(earlier.item(item.id).map(|item_cell| item_cell.cell), item.position);
            self.items[item.id.slot()] = Some(ItemCell { cell, owner: item.owner });
            self.items_by_cell.0.push((cell, item.id));
        }
        self.observers.clear();
        self.observers.resize(present.observers.last().map_or(0, |observer| observer.id.slot() + 1), None);
        self.observers_by_cell.0.clear();
        for observer in present.observers {
            let cell = cell_of(earlier.observer(observer.id), observer.position);
            self.observers[observer.id.slot()] = Some(cell);
            self.observers_by_cell.0.push((cell, observer.id));
        }
        self.items_by_cell.0.sort_unstable();
        self.observers_by_cell.0.sort_unstable();
        self.owned.rebuild(present.items);
    }

    fn item(&self, item: ItemId) -> Option<ItemCell> {
        self.items.get(item.slot()).copied().flatten()
    }

    fn observer(&self, observer: ObserverId) -> Option<HexCell> {
        self.observers.get(observer.slot()).copied().flatten()
    }

    fn sees(&self, observer: ObserverId, item: ItemId) -> bool {
        let both = self.observer(observer).zip(self.item(item));
        both.is_some_and(|(cell, item_cell)| item_cell.owner == Some(observer) || cell.touches(item_cell.cell))
    }

    fn visible(&self, observer: ObserverId) -> impl Iterator<Item = ItemId> {
        let from = self.observer(observer);
        let around = from.into_iter().flat_map(move |cell| self.items_by_cell.around(cell));
        let is_far = move |item: &ItemId| {
            let both = from.zip(self.item(*item));
            both.is_some_and(|(cell, item_cell)| !cell.touches(item_cell.cell))
        };
        around.chain(self.owned.of(observer).filter(is_far))
    }

    fn watchers(&self, item: ItemId) -> impl Iterator<Item = ObserverId> {
        let item_cell = self.item(item);
        let around = item_cell.into_iter().flat_map(move |item_cell| self.observers_by_cell.around(item_cell.cell));
        let owner = item_cell.and_then(|item_cell| {
            let cell = self.observer(item_cell.owner?)?;
            item_cell.owner.filter(|_| !cell.touches(item_cell.cell))
        });
        around.chain(owner)
    }

    fn remove_item(&mut self, item: ItemId) {
        let Some(item_cell) = self.items.get_mut(item.slot()).and_then(Option::take) else { return };
        self.items_by_cell.remove(item_cell.cell, item);
        if let Some(owner) = item_cell.owner {
            self.owned.remove(owner, item);
        }
    }

    fn remove_observer(&mut self, observer: ObserverId) {
        if let Some(cell) = self.observers.get_mut(observer.slot()).and_then(Option::take) {
            self.observers_by_cell.remove(cell, observer);
        }
    }

    #[cfg(test)]
    fn capacity(&self) -> usize {
        let by_cell = self.items_by_cell.0.capacity() + self.observers_by_cell.0.capacity();
        self.items.capacity() + self.observers.capacity() + by_cell + self.owned.capacity()
    }
}

/// Members of cells, ascending by cell, then by id.
#[derive(Debug)]
struct MembersByCell<T>(Vec<(HexCell, T)>);

impl<T> Default for MembersByCell<T> {
    fn default() -> MembersByCell<T> {
        MembersByCell(Vec::new())
    }
}

/// A cell and those around it, row by row: row, first and last column, relative to the cell.
const AROUND: [(i32, i32, i32); 3] = [(-1, 0, 1), (0, -1, 1), (1, -1, 0)];

impl<T: Copy + Ord> MembersByCell<T> {
    /// All members of a cell and of the six around it.
    fn around(&self, HexCell { r, q }: HexCell) -> impl Iterator<Item = T> {
        AROUND.into_iter().flat_map(move |(row, first, last)| {
            let cell = |column: i32| HexCell { r: r + row, q: q + column };
            let from = self.0.partition_point(|(at, _)| *at < cell(first));
            let to = from + self.0[from..].partition_point(|(at, _)| *at <= cell(last));
            self.0[from..to].iter().map(|(_, member)| *member)
        })
    }

    fn remove(&mut self, cell: HexCell, member: T) {
        let at = self.0.binary_search(&(cell, member)).expect("a cell lists all its members");
        self.0.remove(at);
    }
}

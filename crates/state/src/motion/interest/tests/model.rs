//! A reference model of the interest sets. It checks each pair by itself, without indexes, and in whole millimetres
//! only where necessary. It shares no code with the policies.

use alloc::collections::BTreeMap;
use core::time::Duration;

use crate::motion::interest::{InterestInput, InterestItem, InterestSetPolicy, ItemId, Observer, ObserverId};
use crate::time::Time;

/// Column and row.
type Cell = (i64, i64);

/// The visible pairs, each with the time when it fell out of the nearest.
#[derive(Debug)]
pub(super) struct Model {
    policy: InterestSetPolicy,
    pub(super) pairs: BTreeMap<(ObserverId, ItemId), Option<Time>>,
    item_cells: BTreeMap<ItemId, Cell>,
    observer_cells: BTreeMap<ObserverId, Cell>,
}

impl Model {
    /// Cells have 20 m.
    pub(super) fn new(policy: InterestSetPolicy) -> Model {
        Model { policy, pairs: BTreeMap::new(), item_cells: BTreeMap::new(), observer_cells: BTreeMap::new() }
    }

    pub(super) fn update(&mut self, present: InterestInput<'_>, now: Time) {
        let item_cells =
            present.items.iter().map(|item| (item.id, settled(self.item_cells.get(&item.id), item.position)));
        self.item_cells = item_cells.collect();
        let observer_cells =
            present.observers.iter().map(|it| (it.id, settled(self.observer_cells.get(&it.id), it.position)));
        self.observer_cells = observer_cells.collect();
        let mut pairs = BTreeMap::new();
        for observer in present.observers {
            for item in present.items {
                if let Some(fell_out_at) = self.verdict(observer, item, (present.items, now)) {
                    pairs.insert((observer.id, item.id), fell_out_at);
                }
            }
        }
        self.pairs = pairs;
    }

    /// Whether a pair is visible, and if only by hysteresis, since when.
    fn verdict(
        &self,
        observer: &Observer,
        item: &InterestItem,
        (items, now): (&[InterestItem], Time),
    ) -> Option<Option<Time>> {
        let before = self.pairs.get(&(observer.id, item.id)).copied();
        let visible = |is_visible: bool| is_visible.then_some(None);
        if item.owner == Some(observer.id) {
            return Some(None);
        }
        match self.policy {
            InterestSetPolicy::All => Some(None),
            InterestSetPolicy::Radius { radius_mm } => {
                let tenths = if before.is_some() { 11 } else { 10 };
                visible(100 * square(observer.position, item.position) <= (i128::from(radius_mm) * tenths).pow(2))
            }
            InterestSetPolicy::Nearest { count } => {
                let rank = |item: &InterestItem| (square(observer.position, item.position), item.id);
                let others = items.iter().filter(|other| other.owner != Some(observer.id));
                if others.filter(|other| rank(other) < rank(item)).count() < count as usize {
                    return Some(None);
                }
                let fell_out_at = before?.unwrap_or(now);
                (now - fell_out_at < Duration::from_millis(500)).then_some(Some(fell_out_at))
            }
            InterestSetPolicy::Hex { .. } => {
                let ((q, r), (column, row)) = (self.observer_cells[&observer.id], self.item_cells[&item.id]);
                let (q, r) = (q - column, r - row);
                visible((q.abs() + r.abs() + (q + r).abs()) / 2 <= 1)
            }
        }
    }

    pub(super) fn remove_item(&mut self, item: ItemId) {
        self.pairs.retain(|(_, it), _| *it != item);
        self.item_cells.remove(&item);
    }

    pub(super) fn remove_observer(&mut self, observer: ObserverId) {
        self.pairs.retain(|(it, _), _| *it != observer);
        self.observer_cells.remove(&observer);
    }
}

fn square(one: [i32; 3], other: [i32; 3]) -> i128 {
    one.iter().zip(other).map(|(one, other)| (i128::from(*one) - i128::from(other)).pow(2)).sum()
}

/// Squared ground distance from a cell's centre.
fn from_centre((q, r): Cell, position: [i32; 3]) -> i64 {
    (i64::from(position[0]) - 17_320 * q - 8_660 * r).pow(2) + (i64::from(position[2]) - 15_000 * r).pow(2)
}

/// The previous cell, unless left by more than a metre; else the cell with the nearest centre, within 100 m or so
/// of the origin.
fn settled(before: Option<&Cell>, position: [i32; 3]) -> Cell {
    let is_left = |&(q, r): &Cell| {
        [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)].into_iter().any(|(column, row): Cell| {
            let way = (17_320 * column + 8_660 * row).pow(2) + (15_000 * row).pow(2);
            // Distance beyond the midpoint towards that neighbour, times twice the distance to it.
            let beyond = from_centre((q, r), position) - from_centre((q + column, r + row), position);
            beyond > 2 * 1_000 * way.isqrt()
        })
    };
    let kept = before.copied().filter(|cell| !is_left(cell));
    let all = (-12..=12).flat_map(|q| (-12..=12).map(move |r| (q, r)));
    kept.or_else(|| all.min_by_key(|&(q, r)| (from_centre((q, r), position), r, q))).expect("there are cells")
}

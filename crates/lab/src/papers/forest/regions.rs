//! Divides the arena into a rectangular grid of regions, and finds the regions visible from each cell. Source: Forest
//! section 4.1.

use crate::bots::GroundVector;
use crate::bots::halls::{CELL_M, CellId, HallMap, SIDE_CELLS};

/// Maximum regions on a side: a set of regions has 256 bits.
pub(super) const SIDE_MAX: usize = 16;

/// A set of regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RegionBitset([u64; SIDE_MAX * SIDE_MAX / 64]);

impl RegionBitset {
    pub(super) fn insert(&mut self, region: usize) {
        self.0[region / 64] |= 1 << (region % 64);
    }

    pub(super) fn has(&self, region: usize) -> bool {
        self.0[region / 64] >> (region % 64) & 1 == 1
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn join(&mut self, other: &RegionBitset) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    /// Number of regions in exactly one of the two sets.
    pub(super) fn differences(&self, other: &RegionBitset) -> u32 {
        self.0.iter().zip(other.0).map(|(word, other)| (word ^ other).count_ones()).sum()
    }
}

/// The grid.
pub(super) struct RegionGrid {
    side: usize,
    /// For each cell the region of its middle.
    of_cells: Vec<usize>,
    /// For each cell the regions with a visible cell.
    visible: Vec<RegionBitset>,
}

impl RegionGrid {
    /// A grid of equal regions, `side` on each side.
    pub(super) fn new(halls: &HallMap, side: usize) -> RegionGrid {
        assert!((1..=SIDE_MAX).contains(&side), "{side} regions to a side");
        let of_cells: Vec<usize> = halls.cells().map(|cell| region_of(halls.middle(cell), side)).collect();
        let visible = halls
            .cells()
            .map(|cell| {
                let mut set = RegionBitset::default();
                halls.visible(cell).iter().for_each(|seen| set.insert(of_cells[usize::from(seen.0)]));
                set
            })
            .collect();
        RegionGrid { side, of_cells, visible }
    }

    pub(super) fn count(&self) -> usize {
        self.side * self.side
    }

    pub(super) fn of(&self, cell: CellId) -> usize {
        self.of_cells[usize::from(cell.0)]
    }

    pub(super) fn visible(&self, cell: CellId) -> &RegionBitset {
        &self.visible[usize::from(cell.0)]
    }
}

fn region_of(position: GroundVector, side: usize) -> usize {
    let extent = SIDE_CELLS as f64 * CELL_M;
    let [column, row] = position.map(|ordinate| ((ordinate / extent + 0.5) * side as f64) as usize);
    row.min(side - 1) * side + column.min(side - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_cell_is_in_a_visible_region() {
        let halls = HallMap::new(1);
        for side in [1, 6, 12] {
            let regions = RegionGrid::new(&halls, side);
            for cell in halls.cells() {
                let set = regions.visible(cell);
                assert!(set.has(regions.of(cell)));
                assert!(halls.visible(cell).iter().all(|seen| set.has(regions.of(*seen))));
                assert!(set.count() as usize <= halls.visible(cell).len().min(regions.count()));
            }
        }
        let regions = RegionGrid::new(&halls, 12);
        let is_hidden = |cell: CellId| regions.visible(cell).count() < 72;
        assert!(halls.cells().all(is_hidden), "negative control: nobody sees half of the arena");
    }

    #[test]
    fn a_region_bitset_counts_joins_and_compares_regions() {
        let (mut one, mut other) = (RegionBitset::default(), RegionBitset::default());
        [0, 63, 64, 255].into_iter().for_each(|region| one.insert(region));
        [63, 100].into_iter().for_each(|region| other.insert(region));
        assert_eq!((one.count(), one.differences(&other)), (4, 4));
        assert!(one.has(255) && !one.has(100));
        one.join(&other);
        assert_eq!((one.count(), one.differences(&other)), (5, 3));
    }
}

//! A uniform grid over the ground plane for neighbourhood queries. It is rebuilt for each evaluation in O(n), so it
//! needs no upkeep when items move.

use alloc::vec::Vec;

use super::interest::{InterestItem, ObserverId};

/// Axes of the ground; y is up.
const GROUND: [usize; 2] = [0, 2];

/// Divisor of the item count: the share at each end of an axis that doesn't determine the grid's extent. Otherwise
/// one item a thousand kilometres away would put all the rest into one cell.
const STRAY_SHARE: usize = 16;

/// Divisor of the extent: the margin at each end. Evenly spread items are then all inside.
const MARGIN_SHARE: i64 = 8;

/// Column and row.
pub(super) type GridCell = [i64; 2];

/// An item in its cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridEntry {
    /// In millimetres.
    pub(super) position: [i32; 3],
    /// Index in the list of items.
    pub(super) index: u32,
    pub(super) owner: Option<ObserverId>,
}

/// Items by cell. Border cells also hold all items beyond them.
#[derive(Debug, Default)]
pub(super) struct SpatialGrid {
    /// Lowest corner, in millimetres.
    origin: [i64; 2],
    /// Side of a cell, in millimetres.
    side: i64,
    /// Cells along each axis.
    cells: [i64; 2],
    /// Row by row; within a cell in the items' order.
    entries: Vec<GridEntry>,
    /// Index of each cell's first entry, and the end of the last one.
    starts: Vec<u32>,
    cell_of: Vec<u32>,
    ordinates: Vec<i32>,
}

impl SpatialGrid {
    /// Rebuilds the grid for these items. Most items get cells of about `per_cell` items, and there are at most
    /// about eight cells for each item. Hot path: allocates only for more items than ever before.
    pub(super) fn rebuild(&mut self, items: &[InterestItem], per_cell: u32) {
        self.lay_out_cells(items, per_cell);
        let cells = (self.cells[0] * self.cells[1]) as usize;
        self.starts.clear();
        self.starts.resize(cells + 2, 0);
        self.cell_of.clear();
        for item in items {
            let [column, row] = self.cell(item.position);
            let cell = (row * self.cells[0] + column) as u32;
            self.cell_of.push(cell);
            self.starts[cell as usize + 2] += 1;
        }
        // Counts, shifted by two, become starts, shifted by one. Filling a cell then advances its start to its end,
        // which is the next cell's start.
        for cell in 2..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.entries.resize(items.len(), GridEntry { position: [0; 3], index: 0, owner: None });
        for (index, (item, &cell)) in items.iter().zip(&self.cell_of).enumerate() {
            let at = &mut self.starts[cell as usize + 1];
            self.entries[*at as usize] = GridEntry { position: item.position, index: index as u32, owner: item.owner };
            *at += 1;
        }
    }

    fn lay_out_cells(&mut self, items: &[InterestItem], per_cell: u32) {
        let [(west, width), (north, depth)] = GROUND.map(|axis| self.spread(items, axis));
        let count = items.len().max(1) as u128;
        let shared = |whole: u128| whole * u128::from(per_cell.max(1)) / count;
        let (width, depth) = (width.unsigned_abs(), depth.unsigned_abs());
        let even = shared(u128::from(width) * u128::from(depth)).isqrt();
        // Items in a line have no area.
        let in_line = shared(u128::from(width.max(depth)));
        self.side = even.max(in_line).max(1) as i64;
        self.origin = [west, north];
        self.cells = [width, depth].map(|length| length as i64 / self.side + 1);
    }

    /// Start and length of the extent along an axis, with the margins.
    fn spread(&mut self, items: &[InterestItem], axis: usize) -> (i64, i64) {
        self.ordinates.clear();
        self.ordinates.extend(items.iter().map(|item| item.position[axis]));
        let Some(last) = self.ordinates.len().checked_sub(1) else { return (0, 0) };
        let strays = self.ordinates.len() / STRAY_SHARE;
        let low = i64::from(*self.ordinates.select_nth_unstable(strays).1);
        let high = i64::from(*self.ordinates.select_nth_unstable(last - strays).1);
        let margin = (high - low) / MARGIN_SHARE;
        (low - margin, high - low + 2 * margin)
    }

    fn along(&self, axis: usize, ordinate: i64) -> i64 {
        ((ordinate - self.origin[axis]) / self.side).clamp(0, self.cells[axis] - 1)
    }

    /// The cell of a position, or the border cell nearest to it.
    pub(super) fn cell(&self, position: [i32; 3]) -> GridCell {
        [0, 1].map(|axis| self.along(axis, i64::from(position[GROUND[axis]])))
    }

    fn run(&self, row: i64, first: i64, last: i64) -> &[GridEntry] {
        let cell = |column: i64| (row * self.cells[0] + column) as usize;
        &self.entries[self.starts[cell(first)] as usize..self.starts[cell(last) + 1] as usize]
    }

    /// All entries of cells that touch a square of half side `reach_mm` around a position: everything within that
    /// range on the ground, and more.
    pub(super) fn around(&self, position: [i32; 3], reach_mm: i64) -> impl Iterator<Item = &GridEntry> {
        let corner = |reach_mm| [0, 1].map(|axis| self.along(axis, i64::from(position[GROUND[axis]]) + reach_mm));
        let ([west, north], [east, south]) = (corner(-reach_mm), corner(reach_mm));
        (north..=south).flat_map(move |row| self.run(row, west, east))
    }

    /// Visits all entries of cells at distance `ring` from `centre`: 0 is the cell itself, 1 the eight around it.
    pub(super) fn visit_ring(&self, centre: GridCell, ring: i64, mut visit: impl FnMut(&GridEntry)) {
        let ([column, row], [columns, rows]) = (centre, self.cells);
        let (west, east) = (column - ring, column + ring);
        for at in (row - ring).max(0)..=(row + ring).min(rows - 1) {
            if (at - row).abs() == ring {
                self.run(at, west.max(0), east.min(columns - 1)).iter().for_each(&mut visit);
                continue;
            }
            if west >= 0 {
                self.run(at, west, west).iter().for_each(&mut visit);
            }
            if east < columns {
                self.run(at, east, east).iter().for_each(&mut visit);
            }
        }
    }

    /// Lower bound in millimetres of the distance from a position in `centre` to anything outside rings 0 to
    /// `ring`; `None` if no cell is outside.
    pub(super) fn beyond(&self, position: [i32; 3], centre: GridCell, ring: i64) -> Option<u64> {
        let mut least: Option<i64> = None;
        let mut shorten = |gap: i64| least = Some(least.map_or(gap, |least| least.min(gap)));
        for axis in [0, 1] {
            let at = i64::from(position[GROUND[axis]]) - self.origin[axis];
            let (low, high) = (centre[axis] - ring, centre[axis] + ring);
            if low > 0 {
                shorten(at - low * self.side);
            }
            if high < self.cells[axis] - 1 {
                shorten((high + 1) * self.side - at);
            }
        }
        least.map(i64::unsigned_abs)
    }

    /// Capacity of all buffers, in elements of any kind.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.entries.capacity() + self.starts.capacity() + self.cell_of.capacity() + self.ordinates.capacity()
    }
}

/// Squared distance in mm², in all three axes. It saturates, beyond any distance within a scene's extent.
pub(super) fn distance_squared(one: [i32; 3], other: [i32; 3]) -> u64 {
    let squares = one.iter().zip(other).map(|(one, other)| u64::from(one.abs_diff(other)).pow(2));
    squares.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::motion::interest::ItemId;

    const EXTENT_MM: i32 = 1_000_000_000;

    fn items(places: impl IntoIterator<Item = [i32; 3]>) -> Vec<InterestItem> {
        let item = |(id, position)| InterestItem { id: ItemId(id), owner: None, position };
        (0..).zip(places).map(item).collect()
    }

    fn grid(items: &[InterestItem]) -> SpatialGrid {
        let mut grid = SpatialGrid::default();
        grid.rebuild(items, 2);
        grid
    }

    /// Scattered, in a line, on one spot, or mostly close together with some far off.
    fn places(rng: &mut fastrand::Rng) -> Vec<[i32; 3]> {
        let count = rng.usize(0..80);
        let shape = rng.u32(0..4);
        let position = |rng: &mut fastrand::Rng| {
            let mut within = |reach: i32| rng.i32(-reach..=reach);
            match shape {
                0 => [within(50_000), within(2_000), within(50_000)],
                1 => [within(50_000), 0, 7],
                2 => [3, 4, 5],
                _ if within(8) == 0 => [within(EXTENT_MM), 0, within(EXTENT_MM)],
                _ => [within(5_000), 0, within(5_000)],
            }
        };
        (0..count).map(|_| position(rng)).collect()
    }

    #[test]
    fn every_item_is_in_one_ring_and_not_nearer_than_the_rings_lower_bound() {
        for seed in 0..1_000 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let items = items(places(&mut rng));
            let grid = grid(&items);
            let from = [rng.i32(-60_000..60_000), 0, rng.i32(-60_000..60_000)];
            let (centre, mut met, mut nearest) = (grid.cell(from), vec![0; items.len()], 0);
            for ring in 0.. {
                grid.visit_ring(centre, ring, |entry| {
                    met[entry.index as usize] += 1;
                    assert_eq!(entry.position, items[entry.index as usize].position);
                    let ground = [entry.position[0], 0, entry.position[2]];
                    assert!(distance_squared(from, ground) >= nearest, "seed {seed}, ring {ring}");
                });
                let Some(gap) = grid.beyond(from, centre, ring) else { break };
                nearest = gap.saturating_mul(gap);
            }
            assert!(met.iter().all(|&met| met == 1), "seed {seed}: {met:?}");
        }
    }

    #[test]
    fn a_square_query_returns_every_near_item_and_no_item_twice() {
        for seed in 0..1_000 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let items = items(places(&mut rng));
            let grid = grid(&items);
            let (from, reach) = ([rng.i32(-60_000..60_000), 0, rng.i32(-60_000..60_000)], rng.i32(0..30_000));
            let mut met = vec![0; items.len()];
            grid.around(from, i64::from(reach)).for_each(|entry| met[entry.index as usize] += 1);
            for (item, met) in items.iter().zip(met) {
                let is_near = distance_squared(from, item.position) <= u64::from(reach.unsigned_abs()).pow(2);
                assert!(met == 1 || (met == 0 && !is_near), "seed {seed}: {item:?} met {met} times");
            }
        }
    }

    #[test]
    fn one_far_item_does_not_put_the_rest_into_one_cell() {
        let line = |count: i32| (0..count).map(|at| [at % 32 * 1_000, 0, at / 32 * 1_000]);
        let fullest = |grid: &SpatialGrid| {
            let cells = (0..grid.cells[1]).flat_map(|row| (0..grid.cells[0]).map(move |column| (row, column)));
            cells.map(|(row, column)| grid.run(row, column, column).len()).max()
        };
        let together = grid(&items(line(1_024)));
        assert!(fullest(&together) <= Some(8), "negative control: {:?}", fullest(&together));
        let stray = grid(&items(line(1_024).chain([[EXTENT_MM, 0, -EXTENT_MM]])));
        assert!(fullest(&stray) <= Some(8), "{:?}", fullest(&stray));
    }

    #[test]
    fn the_number_of_cells_is_bounded_by_that_of_the_items() {
        for seed in 0..1_000 {
            let items = items(places(&mut fastrand::Rng::with_seed(seed)));
            let grid = grid(&items);
            assert!(grid.cells[0] * grid.cells[1] <= 8 * items.len() as i64 + 1, "seed {seed}: {:?}", grid.cells);
        }
    }

    #[test]
    fn distances_at_the_extent_and_integer_limits_do_not_overflow() {
        let far = distance_squared([EXTENT_MM; 3], [-EXTENT_MM; 3]);
        assert_eq!(far, 12_000_000_000_000_000_000);
        assert_eq!(distance_squared([i32::MIN; 3], [i32::MAX; 3]), u64::MAX);
        let items = items([[i32::MIN; 3], [i32::MAX; 3], [0; 3]]);
        let grid = grid(&items);
        assert_eq!(grid.around([0; 3], i64::from(u32::MAX)).count(), 3);
    }
}

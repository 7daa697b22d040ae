//! Hexagonal cells of the ground plane in whole millimetres, so that every server finds the same cell for a
//! position.
//!
//! A cell has corners to the north and south (±z) and flat sides to the east and west (±x). Its size is its
//! diameter from corner to corner, as in Ubiq's *20m diameter hexagonal cells* with *a radius of 10m*. Ubiq's
//! public code (`HexGridPartition`) scales by the outer radius, too. Rows are 3/4 of a diameter apart. A cell's
//! width, √3/2 of the diameter, is rounded down to an even number of millimetres: 17,320 for 20,000. The nearest
//! centre decides; ties go to the lower row, then to the lower column.

use crate::limits;

/// A cell in axial coordinates: `q` + 1 is one cell east, `r` + 1 one row south and half a cell east.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HexCell {
    /// Row, towards +z.
    pub r: i32,
    /// Column, towards +x.
    pub q: i32,
}

impl HexCell {
    /// Whether the cells are equal or neighbours.
    pub fn touches(self, other: HexCell) -> bool {
        let (q, r) = (self.q - other.q, self.r - other.r);
        q.abs() <= 1 && r.abs() <= 1 && (q + r).abs() <= 1
    }
}

/// A lattice of cells of one size.
#[derive(Clone, Copy, Debug)]
pub struct HexLattice {
    /// In millimetres, like the fields below.
    half_width: i64,
    /// Distance of two rows.
    row: i64,
    /// Distance of two centres in adjacent rows, rounded down.
    slant: i64,
    /// Distance beyond a side up to which a person stays in the cell.
    border: i64,
}

impl HexLattice {
    /// Creates a lattice of cells of `cell_mm` from corner to corner, rounded down to a multiple of 4 and clamped
    /// to `limits::HEX_CELL_MM_MIN` and `HEX_CELL_MM_MAX`.
    pub fn new(cell_mm: u32) -> HexLattice {
        let diameter = i64::from(cell_mm.clamp(limits::HEX_CELL_MM_MIN, limits::HEX_CELL_MM_MAX) / 4 * 4);
        let half_width = (3 * diameter * diameter / 4).isqrt() / 2;
        let row = diameter / 4 * 3;
        let slant = (half_width * half_width + row * row).isqrt();
        HexLattice { half_width, row, slant, border: diameter / limits::HEX_BORDER_SHARE }
    }

    /// The cell of a position (x, y, z in millimetres).
    pub fn cell(&self, position: [i32; 3]) -> HexCell {
        let (x, z) = (i64::from(position[0]), i64::from(position[2]));
        let row = z.div_euclid(self.row);
        // The centre is in one of the two adjacent rows, next to the position on either side.
        let candidates = [row, row + 1].into_iter().flat_map(|r| {
            let q = (x - self.half_width * r).div_euclid(2 * self.half_width);
            [q, q + 1].map(|q| HexCell { r: r as i32, q: q as i32 })
        });
        let distance = |cell: HexCell| {
            let [x, z] = self.offset(cell, position);
            x * x + z * z
        };
        candidates.min_by_key(|&cell| (distance(cell), cell)).expect("there are four")
    }

    /// Whether a position is within a cell's sides plus the border, a twentieth of the diameter. A person in the
    /// cell then stays in it.
    pub fn keeps(&self, cell: HexCell, position: [i32; 3]) -> bool {
        let [x, z] = self.offset(cell, position).map(i64::abs);
        // Projects the position on the direction to each neighbour and compares with half the distance to it plus
        // the border. Both sides are multiplied by twice that distance.
        let is_within_slanted = 2 * (x * self.half_width + z * self.row)
            <= self.half_width * self.half_width + self.row * self.row + 2 * self.border * self.slant;
        x <= self.half_width + self.border && is_within_slanted
    }

    fn offset(&self, cell: HexCell, position: [i32; 3]) -> [i64; 2] {
        let (q, r) = (i64::from(cell.q), i64::from(cell.r));
        [i64::from(position[0]) - self.half_width * (2 * q + r), i64::from(position[2]) - self.row * r]
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    const CELL: HexCell = HexCell { q: 0, r: 0 };

    fn lattice() -> HexLattice {
        HexLattice::new(limits::HEX_CELL_MM_DEFAULT)
    }

    /// The centre of a cell.
    fn centre(lattice: &HexLattice, cell: HexCell) -> [i32; 3] {
        let [x, z] = lattice.offset(cell, [0; 3]).map(|ordinate| i32::try_from(-ordinate).unwrap());
        [x, 0, z]
    }

    fn cells() -> impl Iterator<Item = HexCell> {
        (-4..=4).flat_map(|r| (-4..=4).map(move |q| HexCell { r, q }))
    }

    #[test]
    fn a_cell_of_20_m_is_20_m_from_corner_to_corner() {
        let lattice = lattice();
        assert_eq!((lattice.half_width, lattice.row, lattice.border), (8_660, 15_000, 1_000));
        assert_eq!(lattice.cell([0, 0, 9_999]), CELL);
        assert_ne!(lattice.cell([0, 0, 10_001]), CELL);
        assert_eq!(lattice.cell([8_659, 0, 0]), CELL);
        assert_eq!(lattice.cell([8_661, 0, 0]), HexCell { q: 1, r: 0 });
        assert_eq!(lattice.cell([8_660, 0, 15_000]), HexCell { q: 0, r: 1 });
    }

    #[test]
    fn a_position_is_in_the_cell_with_the_nearest_centre() {
        let (lattice, mut rng) = (lattice(), fastrand::Rng::with_seed(1));
        for _ in 0..10_000 {
            let position = [rng.i32(-40_000..40_000), rng.i32(-9_000..9_000), rng.i32(-40_000..40_000)];
            let distance = |cell: &HexCell| {
                let [x, _, z] = centre(&lattice, *cell);
                (i64::from(x - position[0]).pow(2) + i64::from(z - position[2]).pow(2), *cell)
            };
            assert_eq!(Some(lattice.cell(position)), cells().min_by_key(distance), "{position:?}");
        }
    }

    #[test]
    fn a_cell_touches_itself_and_its_six_neighbours() {
        let lattice = lattice();
        let around: Vec<HexCell> = cells().filter(|&cell| cell.touches(CELL)).collect();
        assert_eq!(around.len(), 7);
        for cell in cells() {
            let [x, _, z] = centre(&lattice, cell).map(i64::from);
            let is_near = x * x + z * z < 18_000 * 18_000;
            assert_eq!(cell.touches(CELL), is_near, "{cell:?}");
            assert_eq!(cell.touches(CELL), CELL.touches(cell));
        }
    }

    #[test]
    fn a_cell_keeps_positions_within_its_border_and_none_beyond_it() {
        let lattice = lattice();
        for step in cells().filter(|&cell| cell != CELL && cell.touches(CELL)) {
            let [x, _, z] = centre(&lattice, step).map(i64::from);
            let length = (x * x + z * z).isqrt();
            // Moves this many millimetres beyond the midpoint towards the neighbour.
            let beyond = |by: i64| {
                let along = length / 2 + by;
                [(x * along / length) as i32, 0, (z * along / length) as i32]
            };
            assert!(lattice.keeps(CELL, beyond(990)), "{step:?}");
            assert!(!lattice.keeps(CELL, beyond(1_010)), "{step:?}");
            assert_eq!(lattice.cell(beyond(10)), step, "negative control: it is the neighbour's");
        }
    }

    #[test]
    fn positions_at_the_extent_limits_have_cells_of_any_size() {
        for cell_mm in [0, limits::HEX_CELL_MM_MIN, limits::HEX_CELL_MM_DEFAULT, u32::MAX] {
            let lattice = HexLattice::new(cell_mm);
            for position in [[i32::MIN; 3], [i32::MAX; 3], [i32::MIN, 0, i32::MAX], [1_000_000_000, 0, -1_000_000_000]]
            {
                let cell = lattice.cell(position);
                assert!(lattice.keeps(cell, position), "{cell_mm} {position:?} {cell:?}");
                assert!(!lattice.keeps(cell, position.map(|ordinate| ordinate.wrapping_add(i32::MIN))));
            }
        }
    }
}

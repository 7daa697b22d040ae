//! Generates a walled arena of corridors and small rooms from a seed, with the visibility set of each cell. The arena
//! is for the game of Forest ("Performance-Engineered Network Overlays for High Quality Interaction in Virtual
//! Worlds", Haitjema et al., section 5.2). The paper has only "a fairly large custom map that consists largely of
//! corridors and small rooms". Other values follow maps of Quake; they were fixed once and not fitted to the
//! paper's curves.

use fastrand::Rng;

use super::GroundVector;

/// Side of a cell, the width of a corridor. Quake builds corridors 128 units wide, and its player is 56 units tall:
/// 32 units to the metre.
pub(crate) const CELL_M: f64 = 4.0;
/// Cells on each side: 200 m, or 6,400 units. Quake's largest maps have 8,192.
pub(crate) const SIDE_CELLS: usize = 50;
/// Crossings on each side, evenly spaced. Corridors leave a crossing in up to four directions.
const CROSSINGS: usize = 10;
const CROSSING_CELLS: usize = SIDE_CELLS / CROSSINGS;
/// Share of the crossings that are rooms. The rest are as narrow as corridors.
const ROOMS_SHARE: f64 = 0.6;
/// Sides of a room, in cells: 8 m or 12 m.
const ROOM_CELLS: std::ops::RangeInclusive<usize> = 2..=3;
/// Share of the corridors outside the spanning tree that are built too. Without them a map would be a maze of dead
/// ends.
const LOOPS_SHARE: f64 = 0.2;
/// Eye positions in a cell, from its centre, as a share of its side. A visibility set holds every cell with an eye
/// position that an eye position of this cell sees: an approximation of Quake's sets, which hold for every position in
/// the cell.
const EYES: [[f64; 2]; 4] = [[-0.35, -0.35], [-0.35, 0.35], [0.35, -0.35], [0.35, 0.35]];

/// A walkable cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellId(pub(crate) u16);

/// The map.
#[derive(Clone, Debug)]
pub(crate) struct HallMap {
    /// For each square of the map the walkable cell, if any.
    squares: Vec<Option<CellId>>,
    /// Column and row of each cell.
    cells: Vec<[usize; 2]>,
    /// Cells in rooms.
    rooms: Vec<CellId>,
    /// For each cell its visibility set, which includes itself.
    visible: Vec<Vec<CellId>>,
}

impl HallMap {
    /// Generates the map of a seed.
    pub(crate) fn new(seed: u64) -> HallMap {
        let mut rng = Rng::with_seed(seed);
        let mut squares = vec![None; SIDE_CELLS * SIDE_CELLS];
        let mut halls = HallMap { squares: Vec::new(), cells: Vec::new(), rooms: Vec::new(), visible: Vec::new() };
        let mut dig = |squares: &mut Vec<Option<CellId>>, [column, row]: [usize; 2]| {
            *squares[row * SIDE_CELLS + column].get_or_insert_with(|| {
                halls.cells.push([column, row]);
                CellId((halls.cells.len() - 1) as u16)
            })
        };
        for crossing in 0..CROSSINGS * CROSSINGS {
            let [column, row] = square_of(crossing);
            let is_room = rng.f64() < ROOMS_SHARE;
            let [width, depth] = [(); 2].map(|()| if is_room { rng.usize(ROOM_CELLS) } else { 1 });
            for (x, y) in (0..width).flat_map(|x| (0..depth).map(move |y| (x, y))) {
                let cell = dig(&mut squares, [column - width / 2 + x, row - depth / 2 + y]);
                halls.rooms.extend(is_room.then_some(cell));
            }
        }
        for (one, other) in corridors(&mut rng) {
            let ([mut column, mut row], end) = (square_of(one), square_of(other));
            while [column, row] != end {
                (column, row) = if column < end[0] { (column + 1, row) } else { (column, row + 1) };
                dig(&mut squares, [column, row]);
            }
        }
        halls.squares = squares;
        halls.visible = halls.look_about();
        halls
    }

    /// All cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.cells.len() as u16).map(CellId)
    }

    /// All cells in rooms.
    pub(crate) fn rooms(&self) -> &[CellId] {
        &self.rooms
    }

    /// The middle of a cell, in metres from the middle of the arena.
    pub(crate) fn middle(&self, cell: CellId) -> GroundVector {
        self.cells[usize::from(cell.0)].map(|at| (at as f64 + 0.5 - SIDE_CELLS as f64 / 2.0) * CELL_M)
    }

    /// The cell at a position; `None` within a wall.
    pub(crate) fn cell_at(&self, position: GroundVector) -> Option<CellId> {
        let [column, row] = position.map(|ordinate| (ordinate / CELL_M + SIDE_CELLS as f64 / 2.0).floor());
        let inside = 0.0..SIDE_CELLS as f64;
        (inside.contains(&column) && inside.contains(&row))
            .then(|| self.squares[row as usize * SIDE_CELLS + column as usize])
            .flatten()
    }

    /// The visibility set of a cell.
    pub(crate) fn visible(&self, cell: CellId) -> &[CellId] {
        &self.visible[usize::from(cell.0)]
    }

    /// The cells of the shortest path, without the first. Among equal paths the choice is deterministic.
    pub(crate) fn way(&self, from: CellId, to: CellId) -> Vec<CellId> {
        let mut next = vec![None; self.cells.len()];
        let mut reached = std::collections::VecDeque::from([to]);
        next[usize::from(to.0)] = Some(to);
        while let Some(cell) = reached.pop_front().filter(|_| next[usize::from(from.0)].is_none()) {
            for beside in self.beside(cell) {
                let next = &mut next[usize::from(beside.0)];
                if next.is_none() {
                    *next = Some(cell);
                    reached.push_back(beside);
                }
            }
        }
        let step = |&at: &CellId| next[usize::from(at.0)].filter(|next| *next != at);
        std::iter::successors(Some(from), step).skip(1).collect()
    }

    fn beside(&self, cell: CellId) -> impl Iterator<Item = CellId> {
        let [column, row] = self.cells[usize::from(cell.0)].map(|at| at as i64);
        [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().filter_map(move |(x, y)| self.square(column + x, row + y))
    }

    fn square(&self, column: i64, row: i64) -> Option<CellId> {
        let inside = 0..SIDE_CELLS as i64;
        (inside.contains(&column) && inside.contains(&row))
            .then(|| self.squares[row as usize * SIDE_CELLS + column as usize])
            .flatten()
    }

    fn look_about(&self) -> Vec<Vec<CellId>> {
        let mut visible: Vec<Vec<CellId>> = self.cells().map(|cell| vec![cell]).collect();
        for one in self.cells() {
            for other in self.cells().skip(usize::from(one.0) + 1) {
                if self.sees(one, other) {
                    visible[usize::from(one.0)].push(other);
                    visible[usize::from(other.0)].push(one);
                }
            }
        }
        visible
    }

    fn sees(&self, one: CellId, other: CellId) -> bool {
        let eye = |cell: CellId, [x, y]: [f64; 2]| {
            let [column, row] = self.cells[usize::from(cell.0)];
            [column as f64 + 0.5 + x, row as f64 + 0.5 + y]
        };
        EYES.iter().any(|&from| EYES.iter().any(|&to| self.is_clear(eye(one, from), eye(other, to))))
    }

    /// Whether no wall is between two positions (in cells): all squares on the line are open.
    fn is_clear(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        let way = [to[0] - from[0], to[1] - from[1]];
        let mut at = from.map(|ordinate| ordinate as i64);
        let end = to.map(|ordinate| ordinate as i64);
        while at != end {
            if self.square(at[0], at[1]).is_none() {
                return false;
            }
            // The fraction of the line at which it leaves this square, along each axis.
            let leaves = |axis: usize| {
                let side = at[axis] + i64::from(way[axis] > 0.0);
                if at[axis] == end[axis] { f64::INFINITY } else { (side as f64 - from[axis]) / way[axis] }
            };
            let axis = usize::from(leaves(1) < leaves(0));
            at[axis] += if way[axis] > 0.0 { 1 } else { -1 };
        }
        true
    }
}

/// The square of a crossing.
fn square_of(crossing: usize) -> [usize; 2] {
    [crossing % CROSSINGS, crossing / CROSSINGS].map(|at| at * CROSSING_CELLS + CROSSING_CELLS / 2)
}

/// The pairs of crossings with a corridor, the lower number first: a random spanning tree, and some more.
fn corridors(rng: &mut Rng) -> Vec<(usize, usize)> {
    let count = CROSSINGS * CROSSINGS;
    let across = (0..count).filter(|one| one % CROSSINGS + 1 < CROSSINGS).map(|one| (one, one + 1));
    let down = (0..count - CROSSINGS).map(|one| (one, one + CROSSINGS));
    let mut all: Vec<(usize, usize)> = across.chain(down).collect();
    rng.shuffle(&mut all);
    let mut joined: Vec<usize> = (0..count).collect();
    all.retain(|&(one, other)| {
        let (one, other) = (joined[one], joined[other]);
        joined.iter_mut().filter(|group| **group == other).for_each(|group| *group = one);
        one != other || rng.f64() < LOOPS_SHARE
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_reachable_by_a_path_of_neighbouring_cells() {
        for seed in 0..2 {
            let halls = HallMap::new(seed);
            let start = CellId(0);
            for cell in halls.cells().skip(1).step_by(9) {
                let way = halls.way(start, cell);
                assert_eq!(way.last(), Some(&cell), "seed {seed}: {cell:?}");
                let mut before = start;
                for step in way {
                    let [from, to] = [before, step].map(|cell| halls.middle(cell));
                    let apart = (from[0] - to[0]).abs() + (from[1] - to[1]).abs();
                    assert!((apart - CELL_M).abs() < 1e-9, "seed {seed}: from {before:?} to {step:?}");
                    before = step;
                }
            }
        }
    }

    #[test]
    fn cell_visibility_is_symmetric_and_limited_by_walls() {
        let halls = HallMap::new(2);
        let count = halls.cells().count();
        for cell in halls.cells() {
            assert!(halls.visible(cell).contains(&cell));
            assert!(halls.visible(cell).iter().all(|other| halls.visible(*other).contains(&cell)), "{cell:?}");
            assert!(halls.visible(cell).len() < count / 3, "{cell:?} sees {}", halls.visible(cell).len());
        }
        for beside in halls.beside(CellId(0)) {
            assert!(halls.visible(CellId(0)).contains(&beside), "negative control: {beside:?}");
        }
    }

    #[test]
    fn a_line_through_a_wall_is_not_clear() {
        let mut squares = vec![None; SIDE_CELLS * SIDE_CELLS];
        // Three squares in a row, the middle one a wall, and a path around it.
        for (number, at) in [0, 2, SIDE_CELLS, SIDE_CELLS + 1, SIDE_CELLS + 2].into_iter().enumerate() {
            squares[at] = Some(CellId(number as u16));
        }
        let cells = vec![[0, 0], [2, 0], [0, 1], [1, 1], [2, 1]];
        let halls = HallMap { squares, cells, rooms: Vec::new(), visible: Vec::new() };
        assert!(!halls.is_clear([0.5, 0.5], [2.5, 0.5]));
        assert!(halls.is_clear([0.5, 1.5], [2.5, 1.5]), "negative control");
        assert!(halls.is_clear([2.5, 1.5], [0.5, 1.5]), "the other way");
        assert!(halls.is_clear([0.5, 0.8], [1.5, 1.5]) && !halls.is_clear([0.5, 0.5], [2.5, 1.4]));
    }

    #[test]
    fn the_middle_of_each_cell_maps_back_to_that_cell() {
        let halls = HallMap::new(3);
        for cell in halls.cells() {
            assert_eq!(halls.cell_at(halls.middle(cell)), Some(cell));
        }
        assert_eq!(halls.cell_at([1e6, 0.0]), None);
    }
}

//! Cells, lines and flips on the 10×10 board, as bits.
//!
//! The inner 8×8 is one word, `a1` the lowest bit, row by row from the top. Jokers lie on the border ring; what the
//! lines need of them is the set of inner cells from which one step in a direction meets a joker ([`Jokers`]).
//! The four directions that raise the cell number are worked out side by side, and so are the four opposite ones.

use std::ops::{BitAnd, BitOr};

use serde::{Deserialize, Serialize};

/// An inner cell, 0 to 63, row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell(pub(super) u8);

impl Cell {
    /// The cell as a set of one.
    #[inline(always)]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// A border cell, 0 to 35, clockwise from the top left corner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Border(pub(super) u8);

impl Border {
    /// The cell as a set of one.
    #[inline(always)]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// Number of border cells (MAPE-1).
pub const NUM_BORDER: u8 = 36;

/// Row and column of a cell on the 10×10 board, both 0 to 9 (MAPE-1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the inner 8×8.
    Inner(Cell),
    /// On the border ring.
    Border(Border),
}

impl Place {
    /// The cell at a row and column of the 10×10 board, if there is one.
    #[must_use]
    pub fn at(row: usize, column: usize) -> Option<Self> {
        if row > 9 || column > 9 {
            return None;
        }
        if (1..9).contains(&row) && (1..9).contains(&column) {
            return Some(Self::Inner(Cell(((row - 1) * 8 + column - 1) as u8)));
        }
        let clockwise = match (row, column) {
            (0, _) => column,
            (_, 9) => 9 + row,
            (9, _) => 18 + (9 - column),
            _ => 27 + (9 - row),
        };
        Some(Self::Border(Border(clockwise as u8)))
    }

    /// Row and column on the 10×10 board.
    #[must_use]
    pub const fn row_column(self) -> (usize, usize) {
        match self {
            Self::Inner(Cell(cell)) => (cell as usize / 8 + 1, cell as usize % 8 + 1),
            Self::Border(Border(clockwise)) => match clockwise as usize {
                n @ 0..9 => (0, n),
                n @ 9..18 => (n - 9, 9),
                n @ 18..27 => (9, 27 - n),
                n => (36 - n, 0),
            },
        }
    }
}

/// The four centre squares.
pub const CENTRE: u64 = 0x0000_0018_1800_0000;
/// The squares d4 and e5.
pub const CENTRE_MAIN: u64 = 1 << 27 | 1 << 36;
/// The squares e4 and d5.
pub const CENTRE_OTHER: u64 = 1 << 28 | 1 << 35;

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const ALL: u64 = u64::MAX;

/// East, south-west, south, south-east: how far a step raises the cell number.
const STEP: [u32; 4] = [1, 7, 8, 9];
/// Row and column of those steps.
const DELTA: [(isize, isize); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];
/// Where a step up may land.
const LAND_UP: Four = Four([NOT_A, NOT_H, ALL, NOT_A]);
/// Where a step down, in the opposite direction, may land.
const LAND_DOWN: Four = Four([NOT_H, NOT_A, ALL, NOT_H]);

/// A set of inner cells for each of four directions: one vector register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Four([u64; 4]);

impl Four {
    #[inline(always)]
    fn all(cells: u64) -> Self {
        Self([cells; 4])
    }

    /// Every cell moved `steps` steps along its direction.
    #[inline(always)]
    fn up(mut self, steps: u32) -> Self {
        for i in 0..4 {
            self.0[i] <<= STEP[i] * steps;
        }
        self
    }

    /// Every cell moved `steps` steps against its direction.
    #[inline(always)]
    fn down(mut self, steps: u32) -> Self {
        for i in 0..4 {
            self.0[i] >>= STEP[i] * steps;
        }
        self
    }

    /// The sets whose counterpart in `condition` is not empty.
    #[inline(always)]
    fn where_any(mut self, condition: Self) -> Self {
        for i in 0..4 {
            self.0[i] &= u64::from(condition.0[i] != 0).wrapping_neg();
        }
        self
    }

    #[inline(always)]
    fn union(self) -> u64 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }
}

impl BitAnd for Four {
    type Output = Self;

    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for i in 0..4 {
            self.0[i] &= other.0[i];
        }
        self
    }
}

impl BitOr for Four {
    type Output = Self;

    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for i in 0..4 {
            self.0[i] |= other.0[i];
        }
        self
    }
}

/// Extends `run` along `line` as far as it reaches, at most 8 cells; `shift` moves cells by a number of steps.
#[inline(always)]
fn flood(mut run: Four, line: Four, shift: impl Fn(Four, u32) -> Four) -> Four {
    let pairs = line & shift(line, 1);
    let fours = pairs & shift(pairs, 2);
    run = run | line & shift(run, 1);
    run = run | pairs & shift(run, 2);
    run | fours & shift(run, 4)
}

/// The jokers of a set-up: where they lie, and which lines they end (MAPE-8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub struct Jokers {
    ring: u64,
    /// Inner cells next to a joker in the directions of `STEP`.
    up: Four,
    /// The same for the opposite directions.
    down: Four,
}

impl Jokers {
    /// The border cells with a joker, a bit per [`Border`].
    #[inline(always)]
    #[must_use]
    pub const fn ring(&self) -> u64 {
        self.ring
    }
}

impl From<u64> for Jokers {
    fn from(ring: u64) -> Self {
        let towards = |(down, right): (isize, isize)| {
            (0..64).map(Cell).fold(0, |cells, cell| {
                let (row, column) = Place::Inner(cell).row_column();
                match Place::at(row.wrapping_add_signed(down), column.wrapping_add_signed(right)) {
                    Some(Place::Border(Border(n))) if ring >> n & 1 == 1 => cells | cell.bit(),
                    _ => cells,
                }
            })
        };
        Self {
            ring,
            up: Four(DELTA.map(towards)),
            down: Four(DELTA.map(|(row, column)| towards((-row, -column)))),
        }
    }
}

impl From<Jokers> for u64 {
    fn from(jokers: Jokers) -> Self {
        jokers.ring
    }
}

/// The discs that `own` flips by placing a disc on the one cell of `placed` (MAPE-7, MAPE-8).
#[inline(always)]
#[must_use]
pub fn flips(placed: u64, own: u64, other: u64, jokers: &Jokers) -> u64 {
    let [placed, own, other] = [placed, own, other].map(Four::all);

    let line = other & LAND_UP;
    let run = flood(line & placed.up(1), line, Four::up);
    let up = run.where_any(run.up(1) & LAND_UP & own | run & jokers.up);

    let line = other & LAND_DOWN;
    let run = flood(line & placed.down(1), line, Four::down);
    let down = run.where_any(run.down(1) & LAND_DOWN & own | run & jokers.down);

    (up | down).union()
}

/// The cells of `free` on which `own` may place a disc: those that flip something (MAPE-6).
#[inline(always)]
#[must_use]
pub fn moves(own: u64, other: u64, free: u64, jokers: &Jokers) -> u64 {
    let [own, other] = [own, other].map(Four::all);

    let line = other & LAND_DOWN;
    let run = flood(line & own.down(1) | other & jokers.up, line, Four::down);
    let down = run.down(1) & LAND_DOWN;

    let line = other & LAND_UP;
    let run = flood(line & own.up(1) | other & jokers.down, line, Four::up);
    let up = run.up(1) & LAND_UP;

    (up | down).union() & free
}

/// For each of the four axes, the cells whose disc can never be flipped along it: beside them is a wall, or the border
/// without a joker.
#[must_use]
pub fn dead_ends(walls: u64, jokers: &Jokers) -> [u64; 4] {
    let walls = Four::all(walls);
    let open = Four::all(ALL);
    let beside_wall = walls.down(1) & LAND_DOWN | walls.up(1) & LAND_UP;
    // Cells from which a step stays on the inner board.
    let staying_up = open.down(1) & LAND_DOWN;
    let staying_down = open.up(1) & LAND_UP;
    std::array::from_fn(|i| {
        let border = !(staying_up.0[i] | jokers.up.0[i]) | !(staying_down.0[i] | jokers.down.0[i]);
        beside_wall.0[i] | border
    })
}

//! Cells, lines and flips on the 10×10 board, as bits.
//!
//! The inner 8×8 is one word, `a1` the lowest bit, row by row from the top. Jokers lie on the border ring; what the
//! lines need of them is the set of inner cells from which one step in a direction meets a joker ([`Jokers`]).
//! The four directions that raise the cell number are worked out side by side, and so are the four opposite ones.

use serde::{Deserialize, Serialize};

use crate::bits::{self, OnSets, Sets};

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

/// A cell of the 10×10 board, where rows and columns are 0 to 9 (MAPE-1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Square {
    /// On the inner 8×8.
    Inner(Cell),
    /// On the border ring.
    Border(Border),
}

impl Square {
    /// The cell at a row and column of the 10×10 board, if there is one.
    #[must_use]
    pub const fn at(row: usize, column: usize) -> Option<Self> {
        if row > 9 || column > 9 {
            return None;
        }
        if row > 0 && row < 9 && column > 0 && column < 9 {
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

/// The inner cells around the centred board of so many rows and columns: none around 8 (MAPE-20).
#[must_use]
pub const fn outside(size: u8) -> u64 {
    match size {
        4 => 0xffff_c3c3_c3c3_ffff,
        6 => 0xff81_8181_8181_81ff,
        _ => 0,
    }
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const ALL: u64 = u64::MAX;

/// East, south-west, south, south-east: how far a step raises the cell number.
const STEP: [u64; 4] = [1, 7, 8, 9];
/// Row and column of a step.
const DELTA: [(isize, isize); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];
/// Where a step up may land.
const LAND_UP: [u64; 4] = [NOT_A, NOT_H, ALL, NOT_A];
/// Where a step down, in the opposite direction, may land.
const LAND_DOWN: [u64; 4] = [NOT_H, NOT_A, ALL, NOT_H];

/// How far so many steps raise the cell number.
#[inline(always)]
fn steps(n: u64) -> [u64; 4] {
    STEP.map(|step| n * step)
}

/// Extends `run` along `line` as far as it reaches, at most 8 cells; `shift` moves cells by so many steps.
#[inline(always)]
fn flood<V: Sets<N>, const N: usize>(run: V, line: V, shift: impl Fn(V, u64) -> V) -> V {
    let pairs = line.and(shift(line, 1));
    let fours = pairs.and(shift(pairs, 2));
    let run = run.or(line.and(shift(run, 1)));
    let run = run.or(pairs.and(shift(run, 2)));
    run.or(fours.and(shift(run, 4)))
}

/// The jokers of a set-up: where they lie, and which lines they end (MAPE-8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub struct Jokers {
    ring: u64,
    /// Inner cells next to a joker in the directions of `STEP`.
    up: [u64; 4],
    /// The same for the opposite directions.
    down: [u64; 4],
}

impl Jokers {
    /// No joker.
    pub const NONE: Self = Self { ring: 0, up: [0; 4], down: [0; 4] };

    /// The border cells with a joker, a bit per [`Border`].
    #[inline(always)]
    #[must_use]
    pub const fn ring(&self) -> u64 {
        self.ring
    }
}

/// What a joker on each border cell adds to [`Jokers`].
const LINES: [Jokers; NUM_BORDER as usize] = {
    let mut lines = [Jokers::NONE; NUM_BORDER as usize];
    let mut n = 0;
    while n < NUM_BORDER {
        let (row, column) = Square::Border(Border(n)).row_column();
        let mut i = 0;
        while i < 4 {
            let (down, right) = DELTA[i];
            lines[n as usize].up[i] = inner_bit(row.wrapping_add_signed(-down), column.wrapping_add_signed(-right));
            lines[n as usize].down[i] = inner_bit(row.wrapping_add_signed(down), column.wrapping_add_signed(right));
            i += 1;
        }
        n += 1;
    }
    lines
};

const fn inner_bit(row: usize, column: usize) -> u64 {
    match Square::at(row, column) {
        Some(Square::Inner(cell)) => cell.bit(),
        _ => 0,
    }
}

impl From<u64> for Jokers {
    fn from(ring: u64) -> Self {
        let mut jokers = Self { ring, ..Self::default() };
        for n in bits::each(ring & ((1 << NUM_BORDER) - 1)) {
            let lines = &LINES[usize::from(n)];
            jokers.up = jokers.up.or(lines.up);
            jokers.down = jokers.down.or(lines.down);
        }
        jokers
    }
}

impl From<Jokers> for u64 {
    fn from(jokers: Jokers) -> Self {
        jokers.ring
    }
}

/// From each cell, the cells up and down its four lines.
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

const RAYS: [Rays; 64] = {
    let mut rays = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let mut cell = 0;
    while cell < 64 {
        let mut i = 0;
        while i < 4 {
            let (mut up, mut down) = (1_u64 << cell, 1_u64 << cell);
            let mut steps = 0;
            while steps < 7 {
                up |= up << STEP[i] & LAND_UP[i];
                down |= down >> STEP[i] & LAND_DOWN[i];
                steps += 1;
            }
            rays[cell].up[i] = up & !(1 << cell);
            rays[cell].down[i] = down & !(1 << cell);
            i += 1;
        }
        cell += 1;
    }
    rays
};

/// The discs that `own` flips by placing a disc on a cell (MAPE-7, MAPE-8).
#[inline(always)]
#[must_use]
pub fn flips(placed: Cell, own: u64, other: u64, jokers: &Jokers) -> u64 {
    struct Flips<'a>(&'a Rays, u64, u64, &'a Jokers);

    impl OnSets<4> for Flips<'_> {
        type Output = u64;

        #[inline(always)]
        fn run<V: Sets<4>>(self) -> u64 {
            let Self(rays, own, other, jokers) = self;
            let [own, other] = [V::all(own), V::all(other)];

            // Up a line, the first cell without an opposing disc is the lowest; the run lies below it.
            let line = V::of(rays.up);
            let first = line.without(other).lowest();
            let run = line.and(first.below());
            let up = run.where_any(first.and(own).or(run.and(V::of(jokers.up))));

            // Down a line it is the highest: everything from it on ends the run.
            let line = V::of(rays.down);
            let stops = line.without(other);
            let beyond = stops.or(stops.down(steps(1)));
            let beyond = beyond.or(beyond.down(steps(2)));
            let beyond = beyond.or(beyond.down(steps(4)));
            let first = stops.without(beyond.down(steps(1)));
            let run = line.without(beyond);
            let down = run.where_any(first.and(own).or(run.and(V::of(jokers.down))));

            up.or(down).union()
        }
    }

    bits::with_four(Flips(&RAYS[usize::from(placed.0 & 63)], own, other, jokers))
}

/// The cells of `free` on which `own` may place a disc: those that flip something (MAPE-6).
#[inline(always)]
#[must_use]
pub fn moves(own: u64, other: u64, free: u64, jokers: &Jokers) -> u64 {
    struct Moves<'a>(u64, u64, &'a Jokers);

    impl OnSets<4> for Moves<'_> {
        type Output = u64;

        #[inline(always)]
        fn run<V: Sets<4>>(self) -> u64 {
            let Self(own, other, jokers) = self;
            let [own, other] = [V::all(own), V::all(other)];
            let [land_up, land_down] = [V::of(LAND_UP), V::of(LAND_DOWN)];

            // From the far end of a line back to the cell that would start it.
            let line = other.and(land_down);
            let ends = line.and(own.down(steps(1))).or(other.and(V::of(jokers.up)));
            let up = flood(ends, line, |cells, n| cells.down(steps(n))).down(steps(1)).and(land_down);

            let line = other.and(land_up);
            let ends = line.and(own.up(steps(1))).or(other.and(V::of(jokers.down)));
            let down = flood(ends, line, |cells, n| cells.up(steps(n))).up(steps(1)).and(land_up);

            up.or(down).union()
        }
    }

    bits::with_four(Moves(own, other, jokers)) & free
}

/// Eight boards as the side to move sees them.
#[derive(Clone, Copy, Debug)]
pub struct Eight {
    /// Its discs.
    pub own: [u64; 8],
    /// Discs of the other side.
    pub other: [u64; 8],
    /// Cells where it may place a disc if they are free.
    pub moves: [u64; 8],
}

/// What comes of placing a disc on each of eight boards, as the other side sees it (MAPE-6 to MAPE-8); where `placed` is
/// empty, that nothing is placed. `jokers` are only needed if a board has some.
///
/// A register holds one line of each board, where [`flips`] and [`moves`] have the four lines of one board and have to put
/// them together.
#[inline(always)]
#[must_use]
pub fn after_eight(placed: &[u64; 8], own: &[u64; 8], other: &[u64; 8], jokers: Option<[&Jokers; 8]>) -> Eight {
    struct After<'a>(&'a [u64; 8], &'a [u64; 8], &'a [u64; 8], Option<[&'a Jokers; 8]>);

    impl OnSets<8> for After<'_> {
        type Output = Eight;

        #[inline(always)]
        fn run<V: Sets<8>>(self) -> Eight {
            let Self(placed, own, other, jokers) = self;
            let (placed, discs) = (V::of(*placed), [V::of(*own), V::of(*other)]);
            match jokers {
                None => after(placed, discs, [None; 4]),
                Some(each) => after(
                    placed,
                    discs,
                    [
                        Some([V::of(each.map(|jokers| jokers.up[0])), V::of(each.map(|jokers| jokers.down[0]))]),
                        Some([V::of(each.map(|jokers| jokers.up[1])), V::of(each.map(|jokers| jokers.down[1]))]),
                        Some([V::of(each.map(|jokers| jokers.up[2])), V::of(each.map(|jokers| jokers.down[2]))]),
                        Some([V::of(each.map(|jokers| jokers.up[3])), V::of(each.map(|jokers| jokers.down[3]))]),
                    ],
                ),
            }
        }
    }

    bits::with_eight(After(placed, own, other, jokers))
}

/// See [`after_eight`]; `jokers` are the cells next to one up and down each axis.
#[inline(always)]
fn after<V: Sets<8>>(placed: V, [own, other]: [V; 2], jokers: [Option<[V; 2]>; 4]) -> Eight {
    let lines = Lines(other, jokers);
    let flipped = lines.flips::<0>(placed, own).or(lines.flips::<1>(placed, own));
    let flipped = flipped.or(lines.flips::<2>(placed, own)).or(lines.flips::<3>(placed, own));
    let (own, other) = (other.without(flipped), own.or(flipped).or(placed));
    let lines = Lines(other, jokers);
    let moves = lines.moves::<0>(own).or(lines.moves::<1>(own)).or(lines.moves::<2>(own)).or(lines.moves::<3>(own));
    Eight { own: own.sets(), other: other.sets(), moves: moves.sets() }
}

/// The discs that may be flipped on eight boards, and the jokers.
struct Lines<V>(V, [Option<[V; 2]>; 4]);

impl<V: Sets<8>> Lines<V> {
    /// What placed discs flip along an axis.
    #[inline(always)]
    fn flips<const AXIS: usize>(&self, placed: V, own: V) -> V {
        self.way::<AXIS, true>().flips(placed, own).or(self.way::<AXIS, false>().flips(placed, own))
    }

    /// Where a disc flips some along an axis.
    #[inline(always)]
    fn moves<const AXIS: usize>(&self, own: V) -> V {
        self.way::<AXIS, true>().ends(own, self.0).or(self.way::<AXIS, false>().ends(own, self.0))
    }

    #[inline(always)]
    fn way<const AXIS: usize, const UP: bool>(&self) -> Way<V, AXIS, UP> {
        let Self(discs, jokers) = *self;
        match jokers[AXIS] {
            // Without jokers no disc beside the border is flipped along a line that ends there.
            None => Way { line: discs.and(V::all(LAND_UP[AXIS] & LAND_DOWN[AXIS])), jokers: None },
            Some([up, down]) => {
                let jokers = Some(if UP { [up, down] } else { [down, up] });
                Way { line: discs.and(V::all(if UP { LAND_UP[AXIS] } else { LAND_DOWN[AXIS] })), jokers }
            }
        }
    }
}

/// Up or down an axis on eight boards.
struct Way<V, const AXIS: usize, const UP: bool> {
    /// The discs that may be flipped on which a step may land.
    line: V,
    /// The cells next to a joker ahead, and behind, if there are jokers.
    jokers: Option<[V; 2]>,
}

impl<V: Sets<8>, const AXIS: usize, const UP: bool> Way<V, AXIS, UP> {
    #[inline(always)]
    fn step(cells: V, n: u64) -> V {
        if UP { cells.up([n * STEP[AXIS]; 8]) } else { cells.down([n * STEP[AXIS]; 8]) }
    }

    /// A step that stays on the board; with jokers one from the border could leave it.
    #[inline(always)]
    fn step_within(&self, cells: V) -> V {
        let ahead = Self::step(cells, 1);
        if self.jokers.is_none() {
            return ahead;
        }
        ahead.and(V::all(if UP { LAND_UP[AXIS] } else { LAND_DOWN[AXIS] }))
    }

    /// What placed discs flip this way: the run that follows, if one of the own discs or a joker ends it.
    #[inline(always)]
    fn flips(&self, placed: V, own: V) -> V {
        let run = self.reach(self.line.and(Self::step(placed, 1)));
        let ends = self.step_within(run).and(own);
        run.where_any(self.jokers.map_or(ends, |[ahead, _]| ends.or(run.and(ahead))))
    }

    /// The cells behind runs that begin beside an own disc or a joker.
    #[inline(always)]
    fn ends(&self, own: V, other: V) -> V {
        let begins = self.line.and(Self::step(own, 1));
        let begins = self.jokers.map_or(begins, |[_, behind]| begins.or(other.and(behind)));
        self.step_within(self.reach(begins))
    }

    /// Extends `run` along the line, as far as it reaches: without jokers to 6 cells at the most.
    #[inline(always)]
    fn reach(&self, run: V) -> V {
        if self.jokers.is_some() {
            return flood(run, self.line, |cells, n| Self::step(cells, n));
        }
        let pairs = self.line.and(Self::step(self.line, 1));
        let run = run.or(self.line.and(Self::step(run, 1)));
        let run = run.or(pairs.and(Self::step(run, 2)));
        run.or(pairs.and(Self::step(run, 2)))
    }
}

/// For each of the four axes, the cells whose disc can never be flipped along it: beside them is a wall, or the border
/// without a joker.
#[must_use]
pub fn dead_ends(walls: u64, jokers: &Jokers) -> [u64; 4] {
    std::array::from_fn(|i| {
        let beside_wall = walls >> STEP[i] & LAND_DOWN[i] | walls << STEP[i] & LAND_UP[i];
        // Cells from which a step stays on the inner board.
        let (staying_up, staying_down) = (ALL >> STEP[i] & LAND_DOWN[i], ALL << STEP[i] & LAND_UP[i]);
        beside_wall | !(staying_up | jokers.up[i]) | !(staying_down | jokers.down[i])
    })
}

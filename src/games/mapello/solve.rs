//! Perfect play to the end of a game.
//!
//! Every search asks one question, whether a position is worth more than a bound, and answers with a better bound. The
//! value is where the answers from above and from below meet; the line is read off the same answers.

use std::sync::atomic::{AtomicBool, Ordering};

use super::board::{Cell, Jokers, dead_ends, flips, moves};
use super::rules::{Action, BONUS, View};
use crate::bits;

/// What perfect play by both sides comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Points of the side to move less those of the other at the end of the game (MAPE-12).
    pub score: i32,
    /// A best line to the end of the game.
    pub line: Vec<Action>,
    /// Positions looked at, the last ones of every game included; one that is met again counts again.
    pub nodes: u64,
}

/// Solves the game at hand for the side to move; `None` if `stop` was set before the end. The phase is play.
#[must_use]
pub fn solve(view: View<'_>, stop: &AtomicBool) -> Option<Solved> {
    let (_, sides) = view.mover();
    let root = Discs { own: sides.mine, other: sides.theirs };
    let mut search = Search::new(&view, root, stop);
    let value = search.value(root)?;
    let line = search.line(root, value)?;
    let [mine, theirs] = sides.taken.map(i32::from);
    Some(Solved { score: value + BONUS as i32 * (mine - theirs), line, nodes: search.nodes })
}

/// Discs of the side to move and of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Discs {
    pub own: u64,
    pub other: u64,
}

impl Discs {
    /// The same as the other side sees it.
    #[inline(always)]
    pub fn turned(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// Discs that the side to move has more than the other.
    #[inline(always)]
    pub fn lead(self) -> i32 {
        self.own.count_ones() as i32 - self.other.count_ones() as i32
    }
}

/// The four axes: how far a step raises the cell number, and where it may land.
const AXES: [(u32, u64); 4] =
    [(1, 0xfefe_fefe_fefe_fefe), (7, 0x7f7f_7f7f_7f7f_7f7f), (8, u64::MAX), (9, 0xfefe_fefe_fefe_fefe)];

/// Cells next to these along an axis.
#[inline(always)]
fn beside(cells: u64, (step, land): (u32, u64)) -> u64 {
    cells << step & land | (cells & land) >> step
}

/// What stays as it is while discs are placed.
pub(super) struct Field {
    walls: u64,
    bonuses: u64,
    jokers: Jokers,
    /// For each axis, the cells whose disc can never be flipped along it.
    dead_ends: [u64; 4],
    /// For each axis, the lines of cells between walls or the border.
    lines: [Vec<u64>; 4],
}

impl Field {
    pub fn new(view: &View<'_>) -> Self {
        let (walls, jokers) = (view.walls(), *view.jokers());
        let lines = AXES.map(|axis| {
            let (mut lines, mut left) = (Vec::new(), !walls);
            while left != 0 {
                let mut line = left & left.wrapping_neg();
                for _ in 0..7 {
                    line |= beside(line, axis) & !walls;
                }
                lines.push(line);
                left &= !line;
            }
            lines
        });
        Self { walls, bonuses: view.bonuses(), jokers, dead_ends: dead_ends(walls, &jokers), lines }
    }

    /// Cells where a disc can never be flipped along any axis, whatever else lies on the board.
    pub fn safe(&self) -> u64 {
        self.dead_ends.iter().fold(!self.walls, |safe, line| safe & line)
    }

    /// For each axis, the cells whose disc cannot be flipped along it any more, by either side: nothing can be placed on
    /// the line, or it ends beside the cell.
    #[inline(always)]
    pub fn dead(&self, free: u64) -> [u64; 4] {
        std::array::from_fn(|axis| {
            self.lines[axis]
                .iter()
                .fold(self.dead_ends[axis], |dead, line| dead | if line & free == 0 { *line } else { 0 })
        })
    }

    /// Discs of one side that can never be flipped again: along every axis the line is dead, or such a disc lies beside.
    #[inline(always)]
    pub fn stable(side: u64, dead: [u64; 4]) -> u64 {
        let mut stable = 0;
        loop {
            let held = (0..4).fold(side, |held, i| held & (dead[i] | beside(stable, AXES[i])));
            if held == stable {
                return stable;
            }
            stable = held;
        }
    }

    #[inline(always)]
    pub fn free(&self, discs: Discs) -> u64 {
        !(discs.own | discs.other | self.walls)
    }

    /// Cells where the side to move may place a disc.
    #[inline(always)]
    pub fn moves(&self, discs: Discs) -> u64 {
        moves(discs.own, discs.other, self.free(discs), &self.jokers)
    }

    /// The discs after a legal move, as the other side sees them.
    #[inline(always)]
    pub fn placed(&self, discs: Discs, cell: u8) -> Discs {
        let flipped = flips(Cell(cell), discs.own, discs.other, &self.jokers);
        Discs { own: discs.other & !flipped, other: discs.own | flipped | 1 << cell }
    }

    /// Bonuses that nobody had taken at the start.
    #[inline(always)]
    pub fn bonuses(&self) -> u64 {
        self.bonuses
    }

    /// 1 if a disc on a free cell takes a bonus (MAPE-9), 0 if not.
    #[inline(always)]
    pub fn bonus(&self, cell: u8) -> i32 {
        (self.bonuses >> cell & 1) as i32
    }

    /// What the bonus on a free cell is worth.
    #[inline(always)]
    pub fn points(&self, cell: u8) -> i32 {
        BONUS as i32 * self.bonus(cell)
    }
}

/// Up to so many free cells every one is tried, without a table.
const FEW: u32 = 6;
/// Below every value there is.
const NOTHING: i32 = -100;
/// Nodes between two looks at `stop`.
const BETWEEN_LOOKS: u64 = 4096;

/// The quarter of the board around each cell.
const QUARTER: [u64; 64] = {
    let mut quarters = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        quarters[cell] = 0x0f0f_0f0f << (cell & 4) << (cell & 32);
        cell += 1;
    }
    quarters
};

/// Cells of the quarters that hold an odd number of these.
fn odd_quarters(free: u64) -> u64 {
    bits::each(free).fold(0, |odd, cell| odd ^ QUARTER[usize::from(cell)])
}

struct Search<'a> {
    field: Field,
    table: Table<Known>,
    stack: Vec<Child>,
    nodes: u64,
    next_look: u64,
    stop: &'a AtomicBool,
}

/// A move and where it leads.
#[derive(Clone, Copy)]
struct Child {
    discs: Discs,
    cell: u8,
    order: i32,
}

impl<'a> Search<'a> {
    fn new(view: &View<'_>, root: Discs, stop: &'a AtomicBool) -> Self {
        let field = Field::new(view);
        let left = field.free(root).count_ones();
        Self {
            field,
            table: Table::new(left.saturating_sub(4).min(20)),
            stack: Vec::new(),
            nodes: 0,
            next_look: 0,
            stop,
        }
    }

    /// What a position is worth: points from here on, discs on the board included.
    fn value(&mut self, root: Discs) -> Option<i32> {
        let (mut lower, mut upper) = (NOTHING, -NOTHING);
        let mut guess = 0;
        while lower < upper {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let alpha = if guess == lower { guess } else { guess - 1 };
            guess = self.deep(root, alpha)?;
            if guess > alpha {
                lower = guess;
            } else {
                upper = guess;
            }
        }
        Some(lower)
    }

    /// A line of moves from a position of this value, each of which keeps it.
    fn line(&mut self, mut discs: Discs, mut value: i32) -> Option<Vec<Action>> {
        let mut line = Vec::new();
        loop {
            let moves = self.field.moves(discs);
            if moves == 0 {
                if self.field.moves(discs.turned()) == 0 {
                    return Some(line);
                }
                line.push(Action::Pass);
                (discs, value) = (discs.turned(), -value);
                continue;
            }
            let known = self.table.get(discs).map_or(0, |known| 1 << known.best & moves);
            for cell in bits::each(known).chain(bits::each(moves & !known)) {
                let next = self.field.placed(discs, cell);
                let rest = self.field.points(cell) - value;
                if moves.is_power_of_two() || self.deep(next, rest)? <= rest {
                    line.push(Action::Disc(Cell(cell)));
                    (discs, value) = (next, rest);
                    break;
                }
            }
        }
    }

    /// Whether a position is worth more than `alpha`: if so the result is a lower bound above it, if not an upper bound.
    fn deep(&mut self, discs: Discs, alpha: i32) -> Option<i32> {
        bits::wide(
            #[inline(always)]
            || self.deep_wide(discs, alpha),
        )
    }

    #[inline(always)]
    fn deep_wide(&mut self, discs: Discs, alpha: i32) -> Option<i32> {
        let free = self.field.free(discs);
        let left = free.count_ones();
        if left <= FEW {
            return Some(self.few(discs, free, odd_quarters(free), alpha));
        }
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + BETWEEN_LOOKS;
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
        }
        let moves = self.field.moves(discs);
        if moves == 0 {
            if self.field.moves(discs.turned()) == 0 {
                return Some(discs.lead());
            }
            return self.deep(discs.turned(), -alpha - 1).map(|value| -value);
        }
        let (mut lower, mut upper) = (NOTHING, -NOTHING);
        let mut known_best = 64;
        if let Some(known) = self.table.get(discs) {
            (lower, upper) = (i32::from(known.lower), i32::from(known.upper));
            if lower > alpha || lower == upper {
                return Some(lower);
            }
            if upper <= alpha {
                return Some(upper);
            }
            known_best = known.best;
        }
        let odd = odd_quarters(free);
        let base = self.stack.len();
        for cell in bits::each(moves) {
            let next = self.field.placed(discs, cell);
            let mut order = 0;
            if cell == known_best {
                order = 1 << 20;
            } else {
                let replies = self.field.moves(next);
                order -= (replies.count_ones() as i32) << 4;
                order += i32::from(odd & 1 << cell != 0) << 3;
            }
            self.stack.push(Child { discs: next, cell, order });
        }
        let mut best = NOTHING;
        let mut best_cell = 64;
        for at in base..self.stack.len() {
            let rest = &mut self.stack[at..];
            let first = (0..rest.len()).max_by_key(|&i| rest[i].order).unwrap_or(0);
            rest.swap(0, first);
            let Child { discs: next, cell, .. } = rest[0];
            let points = self.field.points(cell);
            let value = points - self.deep(next, points - alpha - 1)?;
            if value > best {
                (best, best_cell) = (value, cell);
                if best > alpha {
                    break;
                }
            }
        }
        self.stack.truncate(base);
        if best > alpha {
            lower = best;
        } else {
            upper = best;
        }
        self.table.put(discs, left as u8, Known { lower: lower as i8, upper: upper as i8, best: best_cell });
        Some(best)
    }

    fn few(&mut self, discs: Discs, free: u64, odd: u64, alpha: i32) -> i32 {
        bits::wide(
            #[inline(always)]
            || self.few_wide(discs, free, odd, alpha),
        )
    }

    /// As `deep`, trying every free cell, those in odd quarters first.
    #[inline(always)]
    fn few_wide(&mut self, discs: Discs, free: u64, odd: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        let moves = self.field.moves(discs);
        if moves == 0 {
            if self.field.moves(discs.turned()) == 0 {
                return discs.lead();
            }
            return -self.few(discs.turned(), free, odd, -alpha - 1);
        }
        let mut best = NOTHING;
        for set in [moves & odd, moves & !odd] {
            for cell in bits::each(set) {
                let next = self.field.placed(discs, cell);
                let points = self.field.points(cell);
                let value =
                    points - self.few(next, free ^ 1 << cell, odd ^ QUARTER[usize::from(cell)], points - alpha - 1);
                if value > best {
                    best = value;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Default)]
struct Known {
    lower: i8,
    upper: i8,
    best: u8,
}

/// What is known of positions, by their discs: bonuses that are left follow from them.
pub(super) struct Table<T>(Vec<[Entry<T>; 2]>);

#[derive(Clone, Copy, Default)]
struct Entry<T> {
    discs: Discs,
    /// What it took to know this; 0 in an entry that holds nothing.
    effort: u8,
    known: T,
}

impl<T: Copy + Default> Table<T> {
    /// Room for two to the power of `bits` pairs of positions.
    pub fn new(bits: u32) -> Self {
        Self(vec![[Entry::default(); 2]; 1 << bits])
    }

    #[inline(always)]
    fn index(&self, Discs { own, other }: Discs) -> usize {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32) as usize & (self.0.len() - 1)
    }

    #[inline(always)]
    pub fn get(&self, discs: Discs) -> Option<T> {
        let found = self.0[self.index(discs)].iter().find(|entry| entry.discs == discs && entry.effort > 0);
        found.map(|entry| entry.known)
    }

    /// The first of a pair keeps what cost most, the second what came last.
    #[inline(always)]
    pub fn put(&mut self, discs: Discs, effort: u8, known: T) {
        let index = self.index(discs);
        let [first, second] = &mut self.0[index];
        let entry = Entry { discs, effort, known };
        if first.discs == discs {
            *first = entry;
        } else if effort >= first.effort {
            *second = *first;
            *first = entry;
        } else {
            *second = entry;
        }
    }
}

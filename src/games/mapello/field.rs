//! A game as a search sees it: discs by side to move, the board that they lie on, and a memory of positions.

use super::board::{Cell, Jokers, dead_ends, flips, moves};
use super::rules::{BONUS, View};

/// Discs of the side to move and of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Discs {
    pub own: u64,
    pub other: u64,
}

impl Discs {
    /// The same as the other side sees it.
    #[inline(always)]
    pub fn turned(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// The discs after one that flips these, as the other side sees them.
    #[inline(always)]
    pub fn placed(self, cell: u8, flipped: u64) -> Self {
        Self { own: self.other & !flipped, other: self.own | flipped | 1 << cell }
    }

    /// Discs that the side to move has more than the other.
    #[inline(always)]
    pub fn lead(self) -> i32 {
        self.own.count_ones() as i32 - self.other.count_ones() as i32
    }
}

/// A move and where it leads.
#[derive(Clone, Copy)]
pub struct Child {
    pub discs: Discs,
    pub cell: u8,
    /// How good it looks; the best is searched first.
    pub order: i32,
}

impl Child {
    /// Brings the child of highest order to the front.
    #[inline(always)]
    pub fn pick(children: &mut [Self]) -> Self {
        let best = (0..children.len()).max_by_key(|&i| children[i].order).unwrap_or(0);
        children.swap(0, best);
        children[0]
    }
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The four axes: how far a step raises the cell number, and where it may land.
const AXES: [(u32, u64); 4] = [(1, NOT_A), (7, NOT_H), (8, u64::MAX), (9, NOT_A)];

/// Cells next to these along an axis.
#[inline(always)]
fn beside(cells: u64, (step, land): (u32, u64)) -> u64 {
    cells << step & land | (cells & land) >> step
}

/// These cells and all next to them.
#[inline(always)]
pub fn around(cells: u64) -> u64 {
    let row = cells | beside(cells, AXES[0]);
    row | beside(row, AXES[2])
}

/// For each axis, the cells of the lines between walls or the border that have no free cell.
#[inline(always)]
pub fn shut(free: u64, walls: u64) -> [u64; 4] {
    AXES.map(|(step, land)| {
        let (mut up, mut up_through) = (free, land & !walls);
        let (mut down, mut down_through) = (free, land >> step & !walls);
        for step in [step, 2 * step, 4 * step] {
            up |= up_through & up << step;
            up_through &= up_through << step;
            down |= down_through & down >> step;
            down_through &= down_through >> step;
        }
        !(up | down)
    })
}

/// What stays as it is while discs are placed.
pub struct Field {
    walls: u64,
    /// Bonuses that nobody had taken at the start. One on a free cell is still there.
    pub bonuses: u64,
    jokers: Jokers,
    /// Cells where a disc can never be flipped, whatever else lies on the board.
    pub safe: u64,
    /// For each axis, the cells whose disc can never be flipped along it.
    dead_ends: [u64; 4],
    /// For each axis, the lines of cells between walls or the border.
    lines: [Vec<u64>; 4],
}

impl Field {
    pub fn new(view: &View<'_>) -> Self {
        let (walls, jokers) = (view.walls(), *view.jokers());
        let dead_ends = dead_ends(walls, &jokers);
        let safe = dead_ends.iter().fold(!walls, |safe, cells| safe & cells);
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
        Self { walls, bonuses: view.bonuses(), jokers, safe, dead_ends, lines }
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

    #[inline(always)]
    pub fn flips(&self, discs: Discs, cell: u8) -> u64 {
        flips(Cell(cell), discs.own, discs.other, &self.jokers)
    }

    /// The discs after a legal move, as the other side sees them.
    #[inline(always)]
    pub fn after(&self, discs: Discs, cell: u8) -> Discs {
        discs.placed(cell, self.flips(discs, cell))
    }

    /// Bonuses that a disc on a free cell takes (MAPE-9).
    #[inline(always)]
    pub fn taken(&self, cell: u8) -> i32 {
        (self.bonuses >> cell & 1) as i32
    }

    /// Points of the bonus on a free cell.
    #[inline(always)]
    pub fn points(&self, cell: u8) -> i32 {
        BONUS as i32 * self.taken(cell)
    }

    /// For each axis, the cells whose disc cannot be flipped along it any more: no cell of the line is free, or it ends
    /// beside the disc.
    #[inline(always)]
    pub fn dead(&self, free: u64) -> [u64; 4] {
        let mut dead = self.dead_ends;
        for (dead, lines) in dead.iter_mut().zip(&self.lines) {
            for line in lines {
                *dead |= if line & free == 0 { *line } else { 0 };
            }
        }
        dead
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
}

/// What is known of positions, by their discs: the bonuses that are left follow from them.
pub struct Table<T>(Vec<Pair<T>>);

/// Two positions in as few cache lines as possible.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Pair<T>([Entry<T>; 2]);

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
        Self(vec![Pair::default(); 1 << bits])
    }

    #[inline(always)]
    fn index(&self, Discs { own, other }: Discs) -> usize {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32) as usize & (self.0.len() - 1)
    }

    #[inline(always)]
    pub fn get(&self, discs: Discs) -> Option<T> {
        let Pair(pair) = &self.0[self.index(discs)];
        pair.iter().find(|entry| entry.discs == discs && entry.effort > 0).map(|entry| entry.known)
    }

    /// The first of a pair keeps what cost most, the second what came last.
    #[inline(always)]
    pub fn put(&mut self, discs: Discs, effort: u8, known: T) {
        let index = self.index(discs);
        let Pair([first, second]) = &mut self.0[index];
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

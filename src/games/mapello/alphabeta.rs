//! An agent that looks ahead.

use crate::game::Viewer;
use std::sync::atomic::{AtomicBool, Ordering};

use super::board::Cell;
use super::field::{Child, Discs, Field, Table, around};
use super::rules::{Action, BONUS, Mapello, Phase, State};
use super::solve::solve;
use crate::agents::{Agent, Greedy};
use crate::bits;
use crate::rng::Rng;

/// What counts for a side, and against it if it is the other's: a move.
const MOVE: i32 = 8;
/// A move onto a cell where the disc would be safe for good.
const SAFE_MOVE: i32 = 30;
/// A disc that can never be flipped.
const STABLE: i32 = 15;
/// A disc beside a free cell.
const FRONTIER: i32 = -3;
/// A disc beside a free cell where a disc would be safe for good.
const BESIDE_SAFE: i32 = -10;
/// A bonus taken.
const TAKEN: i32 = 10 * BONUS as i32;
/// A move onto a bonus.
const BONUS_MOVE: i32 = TAKEN / 3;
/// A game won at once.
const VICTORY: i32 = 100_000;
/// Beyond every value.
pub(super) const INFINITY: i32 = 1_000_000;
/// Discs that a game has room for.
const MOST_DEPTH: u32 = 60;
/// Pairs of positions to remember, as a power of two.
const MOST_BITS: u32 = 16;
/// Nodes between two looks at `stop`.
const BETWEEN_LOOKS: u64 = 1024;

/// Looks ahead so many discs by alpha-beta with a transposition table, and to the end once few cells are left.
pub struct AlphaBeta {
    /// Discs to look ahead.
    pub depth: u32,
    /// Free cells from which on it plays perfectly.
    pub endgame: u32,
}

impl Agent<Mapello> for AlphaBeta {
    fn choose(
        &self,
        rules: &Mapello,
        state: &State,
        random: u64,
        stop: &AtomicBool,
        scratch: &mut Vec<Action>,
    ) -> Action {
        let view = state.view(Viewer::Everything);
        if view.phase() != Phase::Play {
            return Greedy.choose(rules, state, random, stop, scratch);
        }
        let moves = view.moves();
        if moves.count_ones() < 2 {
            return bits::each(moves).next().map_or(Action::Pass, |cell| Action::Disc(Cell(cell)));
        }
        let (_, sides) = view.mover();
        let root = Discs { own: sides.mine, other: sides.theirs };
        let field = Field::new(&view);
        if field.free(root).count_ones() <= self.endgame
            && let Some(best) = solve(view, stop).and_then(|solved| solved.line.first().copied())
        {
            return best;
        }
        let [mine, theirs] = sides.taken.map(i32::from);
        let depth = self.depth.min(MOST_DEPTH);
        let mut outlook = Outlook::new(&field, (2 * depth).saturating_sub(2).min(MOST_BITS), stop);
        Action::Disc(Cell(outlook.best(root, mine - theirs, depth, random)))
    }
}

/// Bounds on the value of a position to a depth with a lead in bonuses, and the best move.
#[derive(Clone, Copy, Default)]
struct Known {
    lower: i32,
    upper: i32,
    taken: i8,
    depth: u8,
    best: u8,
}

/// Looks ahead. Values are for the side to move; `taken` is its lead in bonuses.
pub(super) struct Outlook<'a> {
    field: &'a Field,
    table: Table<Known>,
    stack: Vec<Child>,
    nodes: u64,
    next_look: u64,
    stop: &'a AtomicBool,
}

impl<'a> Outlook<'a> {
    /// With room for two to the power of `bits` pairs of positions.
    pub fn new(field: &'a Field, bits: u32, stop: &'a AtomicBool) -> Self {
        Self { field, table: Table::new(bits), stack: Vec::new(), nodes: 0, next_look: 0, stop }
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best move by the deepest search that was finished; `random` shuffles moves that look equal at first.
    fn best(&mut self, root: Discs, taken: i32, depth: u32, random: u64) -> u8 {
        let mut rng = Rng::from_bits(random);
        let mut children = Vec::new();
        for cell in bits::each(self.field.moves(root)) {
            let discs = self.field.after(root, cell);
            let child = Child { discs, cell, order: self.promise(discs, cell) };
            children.insert(rng.below(children.len() as u64 + 1) as usize, child);
        }
        children.sort_by_key(|child| -child.order);
        for depth in 1..=depth {
            let mut alpha = -INFINITY;
            let mut best = 0;
            for (at, &child) in children.iter().enumerate() {
                let Some(value) = self.value_of(child, taken, depth, [alpha, INFINITY], at == 0) else {
                    return children[0].cell;
                };
                if value > alpha {
                    (alpha, best) = (value, at);
                }
            }
            children[..=best].rotate_right(1);
        }
        children[0].cell
    }

    /// What a move is worth within a window. Unless it is the first, the question is whether it is better at all.
    #[inline(always)]
    fn value_of(
        &mut self,
        child: Child,
        taken: i32,
        depth: u32,
        [alpha, beta]: [i32; 2],
        is_first: bool,
    ) -> Option<i32> {
        let taken = -taken - self.field.taken(child.cell);
        if !is_first {
            let value = -self.value(child.discs, taken, depth - 1, [-alpha - 1, -alpha])?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        self.value(child.discs, taken, depth - 1, [-beta, -alpha]).map(|value| -value)
    }

    /// What a position is worth within a window, so many discs ahead; a bound if it is outside. `None` once it is time
    /// to stop.
    pub fn value(&mut self, discs: Discs, taken: i32, depth: u32, window: [i32; 2]) -> Option<i32> {
        bits::wide(
            #[inline(always)]
            || self.value_wide(discs, taken, depth, window),
        )
    }

    #[inline(always)]
    fn value_wide(&mut self, discs: Discs, taken: i32, depth: u32, [alpha, beta]: [i32; 2]) -> Option<i32> {
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
                let lead = discs.lead() + BONUS as i32 * taken;
                return Some(VICTORY * lead.signum() + lead);
            }
            return self.value(discs.turned(), -taken, depth, [-beta, -alpha]).map(|value| -value);
        }
        if depth == 0 {
            return Some(self.judge(discs, moves) + TAKEN * taken);
        }
        let mut best_cell = 64;
        let known = if depth > 1 { self.table.get(discs) } else { None };
        if let Some(known) = known {
            best_cell = known.best;
            if u32::from(known.depth) == depth && i32::from(known.taken) == taken {
                if known.lower >= beta || known.lower == known.upper {
                    return Some(known.lower);
                }
                if known.upper <= alpha {
                    return Some(known.upper);
                }
            }
        }
        let base = self.stack.len();
        for cell in bits::each(moves) {
            let next = self.field.after(discs, cell);
            let order = match depth {
                _ if cell == best_cell => INFINITY,
                1 => 0,
                _ => self.promise(next, cell),
            };
            self.stack.push(Child { discs: next, cell, order });
        }
        let mut best = -INFINITY;
        for at in base..self.stack.len() {
            let child = Child::pick(&mut self.stack[at..]);
            let value = self.value_of(child, taken, depth, [alpha.max(best), beta], at == base)?;
            if value > best {
                (best, best_cell) = (value, child.cell);
                if best >= beta {
                    break;
                }
            }
        }
        self.stack.truncate(base);
        if depth > 1 {
            let lower = if best > alpha { best } else { -INFINITY };
            let upper = if best < beta { best } else { INFINITY };
            let known = Known { lower, upper, taken: taken as i8, depth: depth as u8, best: best_cell };
            self.table.put(discs, depth as u8, known);
        }
        Some(best)
    }

    /// How good a move to these discs looks before it is searched.
    #[inline(always)]
    fn promise(&self, next: Discs, cell: u8) -> i32 {
        let replies = self.field.moves(next);
        count(SAFE_MOVE, self.field.safe & 1 << cell) + BONUS_MOVE * self.field.taken(cell)
            - count(MOVE, replies)
            - count(SAFE_MOVE, replies & self.field.safe)
    }

    /// How good a position looks to the side to move, which has these moves. Bonuses taken count apart.
    #[inline(always)]
    fn judge(&self, discs: Discs, moves: u64) -> i32 {
        let free = self.field.free(discs);
        let dead = self.field.dead(free);
        let replies = self.field.moves(discs.turned());
        self.judge_side(discs.own, moves, free, dead) - self.judge_side(discs.other, replies, free, dead)
    }

    #[inline(always)]
    fn judge_side(&self, side: u64, moves: u64, free: u64, dead: [u64; 4]) -> i32 {
        let stable = Field::stable(side, dead);
        let loose = side & !stable;
        count(MOVE, moves)
            + count(SAFE_MOVE, moves & self.field.safe)
            + count(BONUS_MOVE, moves & self.field.bonuses)
            + count(STABLE, stable)
            + count(FRONTIER, loose & around(free))
            + count(BESIDE_SAFE, loose & around(free & self.field.safe))
    }
}

#[inline(always)]
fn count(weight: i32, set: u64) -> i32 {
    weight * set.count_ones() as i32
}

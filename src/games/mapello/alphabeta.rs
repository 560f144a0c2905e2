//! An agent that looks ahead.

use std::sync::atomic::{AtomicBool, Ordering};

use super::board::Cell;
use super::rules::{Action, BONUS, Mapello, Phase, State};
use super::solve::{Discs, Field, Table, solve};
use crate::agents::{Agent, Greedy};
use crate::bits;
use crate::rng::Rng;

/// A move, with the other player's counted against it.
const MOVE: i32 = 8;
/// A move onto a cell where the disc would be safe for good.
const SAFE_MOVE: i32 = 30;
/// A disc that can never be flipped.
const STABLE: i32 = 25;
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
const INFINITY: i32 = 1_000_000;
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
        let view = state.view(None);
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
        if field.free(root).count_ones() <= self.endgame {
            if let Some(best) = solve(view, stop).and_then(|solved| solved.line.first().copied()) {
                return best;
            }
        }
        let [mine, theirs] = sides.taken.map(i32::from);
        let table = Table::new(self.depth.saturating_sub(1).saturating_mul(2).min(16));
        let mut search = Search { safe: field.safe(), field, table, stack: Vec::new(), nodes: 0, next_look: 0, stop };
        Action::Disc(Cell(search.best(root, mine - theirs, self.depth, random)))
    }
}

/// What is known of a position to some depth.
#[derive(Clone, Copy, Default)]
struct Known {
    lower: i32,
    upper: i32,
    taken: i8,
    depth: u8,
    best: u8,
}

struct Search<'a> {
    field: Field,
    safe: u64,
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

impl Search<'_> {
    /// The best move by the deepest search that was finished; among equals, any. `taken` is the lead in bonuses.
    fn best(&mut self, root: Discs, taken: i32, depth: u32, random: u64) -> u8 {
        let mut rng = Rng::from_bits(random);
        let mut moves = Vec::new();
        for cell in bits::each(self.field.moves(root)) {
            let discs = self.field.placed(root, cell);
            moves.insert(
                rng.below(moves.len() as u64 + 1) as usize,
                Child { discs, cell, order: self.promise(discs, cell) },
            );
        }
        moves.sort_by_key(|child| -child.order);
        for depth in 1..=depth {
            let mut alpha = -INFINITY;
            let mut best = 0;
            for (at, child) in moves.iter().enumerate() {
                let taken = taken + self.field.bonus(child.cell);
                let Some(value) = self.value_after(child.discs, taken, depth, [alpha, INFINITY], at == 0) else {
                    return moves[0].cell;
                };
                if value > alpha {
                    (alpha, best) = (value, at);
                }
            }
            moves[..=best].rotate_right(1);
        }
        moves[0].cell
    }

    /// What a move to these discs is worth within a window, if it is not the first without more than asking whether it
    /// is better.
    #[inline(always)]
    fn value_after(
        &mut self,
        next: Discs,
        taken: i32,
        depth: u32,
        [alpha, beta]: [i32; 2],
        first: bool,
    ) -> Option<i32> {
        if !first {
            let value = -self.value(next, -taken, depth - 1, [-alpha - 1, -alpha])?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        self.value(next, -taken, depth - 1, [-beta, -alpha]).map(|value| -value)
    }

    fn value(&mut self, discs: Discs, taken: i32, depth: u32, window: [i32; 2]) -> Option<i32> {
        bits::wide(
            #[inline(always)]
            || self.value_wide(discs, taken, depth, window),
        )
    }

    #[inline(always)]
    fn value_wide(&mut self, discs: Discs, taken: i32, depth: u32, [mut alpha, beta]: [i32; 2]) -> Option<i32> {
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
        let mut known_best = 64;
        let known = if depth > 1 { self.table.get(discs) } else { None };
        if let Some(known) = known {
            known_best = known.best;
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
            let next = self.field.placed(discs, cell);
            let order = if cell == known_best {
                INFINITY
            } else if depth > 1 {
                self.promise(next, cell)
            } else {
                0
            };
            self.stack.push(Child { discs: next, cell, order });
        }
        let start = alpha;
        let mut best = -INFINITY;
        for at in base..self.stack.len() {
            let rest = &mut self.stack[at..];
            let first = (0..rest.len()).max_by_key(|&i| rest[i].order).unwrap_or(0);
            rest.swap(0, first);
            let Child { discs: next, cell, .. } = rest[0];
            let taken = taken + self.field.bonus(cell);
            let value = self.value_after(next, taken, depth, [alpha, beta], at == base)?;
            if value > best {
                (best, known_best) = (value, cell);
                alpha = alpha.max(best);
                if best >= beta {
                    break;
                }
            }
        }
        self.stack.truncate(base);
        if depth > 1 {
            let lower = if best > start { best } else { -INFINITY };
            let upper = if best < beta { best } else { INFINITY };
            let known = Known { lower, upper, taken: taken as i8, depth: depth as u8, best: known_best };
            self.table.put(discs, depth as u8, known);
        }
        Some(best)
    }

    /// How good a move to these discs looks before it is searched.
    #[inline(always)]
    fn promise(&self, next: Discs, cell: u8) -> i32 {
        let replies = self.field.moves(next);
        SAFE_MOVE * (self.safe >> cell & 1) as i32 + BONUS_MOVE * self.field.bonus(cell)
            - MOVE * replies.count_ones() as i32
            - SAFE_MOVE * (replies & self.safe).count_ones() as i32
    }

    /// How good a position looks to the side to move, which has these moves, bonuses taken apart.
    #[inline(always)]
    fn judge(&self, discs: Discs, moves: u64) -> i32 {
        let free = self.field.free(discs);
        let replies = self.field.moves(discs.turned());
        let dead = self.field.dead(free);
        let [own, other] = [(discs.own, moves), (discs.other, replies)].map(|(side, moves)| {
            let stable = Field::stable(side, dead);
            let loose = side & !stable;
            let count = |weight: i32, set: u64| weight * set.count_ones() as i32;
            count(MOVE, moves)
                + count(SAFE_MOVE, moves & self.safe)
                + count(BONUS_MOVE, moves & self.field.bonuses())
                + count(STABLE, stable)
                + count(FRONTIER, loose & around(free))
                + count(BESIDE_SAFE, loose & around(free & self.safe))
        });
        own - other
    }
}

/// Cells next to these in any direction.
#[inline(always)]
fn around(cells: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    let row = cells | cells << 1 & NOT_A | (cells & NOT_A) >> 1;
    row | row << 8 | row >> 8
}

//! Perfect play to the end of a game.
//!
//! Every search asks one question, whether a position is worth more than a bound, and answers with a better bound. The
//! value is where the answers from above and from below meet; the line is read off the same answers.

use std::sync::atomic::{AtomicBool, Ordering};

use super::alphabeta::{INFINITY, Outlook};
use super::board::Cell;
use super::field::{Child, Discs, Field, Table, around};
use super::rules::{Action, BONUS, View};
use crate::bits;
use crate::game::Solution;

/// Up to so many free cells moves are tried without a table or an order.
const FEW: u32 = 6;
/// From so many free cells on, looking ahead helps to order moves.
const MANY: u32 = 14;
/// For every so many more, a disc further.
const PER_DISC: u32 = 2;
/// Pairs of positions to remember at most, in the search and in looking ahead, as powers of two.
const MOST_BITS: u32 = 20;
const OUTLOOK_BITS: u32 = 12;
/// Below every value there is.
const NOTHING: i32 = -100;
/// Nodes between two looks at `stop`.
const BETWEEN_LOOKS: u64 = 4096;

/// What makes a move likely to be good: a reply less, a reply less onto a safe cell, a free cell less beside the own
/// discs, a cell in an odd quarter, a safe cell.
const REPLY: i32 = -16;
const SAFE_REPLY: i32 = -16;
const OPEN: i32 = -4;
const ODD: i32 = 8;
const SAFE: i32 = 8;
/// A move that looks worse than another by so much need not be looked at more closely.
const HOPELESS: i32 = 100;

/// Solves the game at hand for the side to move; `None` if `stop` was set before the end. The phase is play.
///
/// The score counts points (MAPE-12); a position that is met again counts again among the nodes.
#[must_use]
pub fn solve(view: View<'_>, stop: &AtomicBool) -> Option<Solution<Action>> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let (_, sides) = view.mover();
    let root = Discs { own: sides.mine, other: sides.theirs };
    let field = Field::new(&view);
    let left = field.free(root).count_ones();
    let mut search = Search {
        field: &field,
        outlook: Outlook::new(&field, if left < MANY { 0 } else { OUTLOOK_BITS }, stop),
        table: Table::new(left.saturating_sub(4).min(MOST_BITS)),
        stack: Vec::new(),
        nodes: 0,
        next_look: 0,
        stop,
    };
    let value = search.value(root)?;
    let line = search.line(root, value)?;
    let [mine, theirs] = sides.taken.map(i32::from);
    let nodes = search.nodes + search.outlook.nodes();
    Some(Solution { score: value + BONUS as i32 * (mine - theirs), line, nodes })
}

/// The quarter of the board that each cell lies in.
const QUARTER: [u64; 64] = {
    let mut quarters = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        quarters[cell] = 0x0f0f_0f0f << (cell & 4) << (cell & 32);
        cell += 1;
    }
    quarters
};

/// The quarters that have an odd number of these cells.
#[inline(always)]
fn odd_quarters(cells: u64) -> u64 {
    bits::each(cells).fold(0, |odd, cell| odd ^ QUARTER[usize::from(cell)])
}

/// Bounds on the value of a position, and the move that came out best, or 64.
#[derive(Clone, Copy, Default)]
struct Known {
    lower: i8,
    upper: i8,
    best: u8,
}

/// Values are points from here on for the side to move, discs on the board included, bonuses taken before not.
struct Search<'a> {
    field: &'a Field,
    outlook: Outlook<'a>,
    table: Table<Known>,
    stack: Vec<Child>,
    nodes: u64,
    next_look: u64,
    stop: &'a AtomicBool,
}

impl Search<'_> {
    fn value(&mut self, root: Discs) -> Option<i32> {
        let (mut lower, mut upper) = (NOTHING, -NOTHING);
        let mut guess = 0;
        while lower < upper {
            let alpha = if guess == lower { guess } else { guess - 1 };
            guess = self.bound(root, alpha)?;
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
            let likely = self.table.get(discs).map_or(0, |known| bit(known.best)) & moves;
            let mut untried = moves;
            for cell in bits::each(likely).chain(bits::each(moves & !likely)) {
                untried &= !bit(cell);
                let next = self.field.after(discs, cell);
                let rest = self.field.points(cell) - value;
                if untried == 0 || self.bound(next, rest)? <= rest {
                    line.push(Action::Disc(Cell(cell)));
                    (discs, value) = (next, rest);
                    break;
                }
            }
        }
    }

    /// Whether a position is worth more than `alpha`: if so a lower bound above it, if not an upper bound. `None` once it
    /// is time to stop.
    fn bound(&mut self, discs: Discs, alpha: i32) -> Option<i32> {
        bits::wide(
            #[inline(always)]
            || self.bound_wide(discs, alpha),
        )
    }

    #[inline(always)]
    fn bound_wide(&mut self, discs: Discs, alpha: i32) -> Option<i32> {
        let free = self.field.free(discs);
        let left = free.count_ones();
        if left <= FEW {
            return Some(self.bound_few(discs, free, odd_quarters(free), alpha));
        }
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + BETWEEN_LOOKS;
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
        }
        let mut known = Known { lower: NOTHING as i8, upper: -NOTHING as i8, best: 64 };
        if let Some(found) = self.table.get(discs) {
            if i32::from(found.lower) > alpha {
                return Some(found.lower.into());
            }
            if i32::from(found.upper) <= alpha {
                return Some(found.upper.into());
            }
            known = found;
        }
        if let Some(most) = self.most(discs, free, alpha) {
            return Some(most);
        }
        let moves = self.field.moves(discs);
        if moves == 0 {
            if self.field.moves(discs.turned()) == 0 {
                return Some(discs.lead());
            }
            return self.bound(discs.turned(), -alpha - 1).map(|bound| -bound);
        }

        let base = self.stack.len();
        let mut best = NOTHING;
        let likely = bit(known.best) & moves;
        'moves: for moves in [likely, moves & !likely] {
            let bound = self.unfold(discs, moves, free, alpha)?;
            if bound > alpha {
                self.stack.truncate(base);
                return Some(bound);
            }
            for at in base..self.stack.len() {
                let Child { discs: next, cell, .. } = Child::pick(&mut self.stack[at..]);
                let points = self.field.points(cell);
                let bound = points - self.bound(next, points - alpha - 1)?;
                if bound > best {
                    (best, known.best) = (bound, cell);
                    if best > alpha {
                        break 'moves;
                    }
                }
            }
            self.stack.truncate(base);
        }
        self.stack.truncate(base);
        if best > alpha {
            known.lower = best as i8;
        } else {
            known.upper = best as i8;
        }
        self.table.put(discs, left as u8, known);
        Some(best)
    }

    /// An upper bound that does not exceed `alpha`, if stable discs of the other side show one: at best all other cells
    /// and all bonuses become the own.
    #[inline(always)]
    fn most(&self, discs: Discs, free: u64, alpha: i32) -> Option<i32> {
        let cells = discs.own | discs.other | free;
        let all = cells.count_ones() as i32 + BONUS as i32 * (self.field.bonuses & free).count_ones() as i32;
        if all - 2 * discs.other.count_ones() as i32 > alpha {
            return None;
        }
        let stable = Field::stable(discs.other, self.field.dead(free));
        let most = all - 2 * stable.count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    /// Puts moves on the stack, and returns the lower bound that is known of them. They have an order unless there is
    /// only one, or the bound is above `alpha`.
    #[inline(always)]
    fn unfold(&mut self, discs: Discs, moves: u64, free: u64, alpha: i32) -> Option<i32> {
        let base = self.stack.len();
        for cell in bits::each(moves) {
            self.stack.push(Child { discs: self.field.after(discs, cell), cell, order: 0 });
        }
        let mut bound = NOTHING;
        if moves.count_ones() < 2 {
            return Some(bound);
        }
        let left = free.count_ones();
        if left > FEW + 1 {
            for child in &self.stack[base..] {
                if let Some(known) = self.table.get(child.discs) {
                    bound = bound.max(self.field.points(child.cell) - i32::from(known.upper));
                }
            }
            if bound > alpha {
                return Some(bound);
            }
        }
        let odd = odd_quarters(free);
        let mut top = -INFINITY;
        for child in &mut self.stack[base..] {
            let replies = self.field.moves(child.discs);
            let count = |weight: i32, set: u64| weight * set.count_ones() as i32;
            child.order = count(REPLY, replies)
                + count(SAFE_REPLY, replies & self.field.safe)
                + count(OPEN, around(child.discs.other) & free)
                + count(ODD, odd & bit(child.cell))
                + count(SAFE, self.field.safe & bit(child.cell));
            if left >= MANY {
                let (taken, depth) = (self.field.taken(child.cell), 1 + (left - MANY) / PER_DISC);
                let looks = -self.outlook.value(child.discs, -taken, depth, [-INFINITY, HOPELESS - top])?;
                top = top.max(looks);
                child.order += looks;
            }
        }
        Some(bound)
    }

    /// As `bound`; of the free cells, those in odd quarters come first.
    fn bound_few(&mut self, discs: Discs, free: u64, odd: u64, alpha: i32) -> i32 {
        bits::wide(
            #[inline(always)]
            || self.bound_few_wide(discs, free, odd, alpha),
        )
    }

    #[inline(always)]
    fn bound_few_wide(&mut self, discs: Discs, free: u64, odd: u64, alpha: i32) -> i32 {
        let left = free.count_ones();
        if left <= 2 {
            return self.bound_two(discs, free, alpha);
        }
        self.nodes += 1;
        let moves = self.field.moves(discs);
        if moves == 0 {
            if self.field.moves(discs.turned()) == 0 {
                return discs.lead();
            }
            return -self.bound_few(discs.turned(), free, odd, -alpha - 1);
        }
        let mut best = NOTHING;
        for moves in [moves & odd, moves & !odd] {
            for cell in bits::each(moves) {
                let next = self.field.after(discs, cell);
                let points = self.field.points(cell);
                let (free, alpha_next) = (free & !bit(cell), points - alpha - 1);
                let bound = if left == 3 {
                    self.bound_two(next, free, alpha_next)
                } else {
                    self.bound_few(next, free, odd ^ QUARTER[usize::from(cell)], alpha_next)
                };
                best = best.max(points - bound);
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// As `bound`, with two free cells at most.
    #[inline(always)]
    fn bound_two(&mut self, discs: Discs, free: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        if let Some(bound) = self.bound_moves_of_two(discs, free, alpha) {
            return bound;
        }
        if let Some(bound) = self.bound_moves_of_two(discs.turned(), free, -alpha - 1) {
            return -bound;
        }
        discs.lead()
    }

    /// The same, if the side to move has a move.
    #[inline(always)]
    fn bound_moves_of_two(&mut self, discs: Discs, free: u64, alpha: i32) -> Option<i32> {
        let mut best = NOTHING;
        for cell in bits::each(free) {
            let flipped = self.field.flips(discs, cell);
            if flipped != 0 {
                best = best.max(self.field.points(cell) - self.last(discs.placed(cell, flipped), free & !bit(cell)));
                if best > alpha {
                    break;
                }
            }
        }
        (best > NOTHING).then_some(best)
    }

    /// The value with one free cell at most.
    #[inline(always)]
    fn last(&mut self, discs: Discs, free: u64) -> i32 {
        self.nodes += 1;
        let lead = discs.lead();
        if free == 0 {
            return lead;
        }
        let cell = free.trailing_zeros() as u8;
        let gain = |flipped: u64| 2 * flipped.count_ones() as i32 + 1 + self.field.points(cell);
        let flipped = self.field.flips(discs, cell);
        if flipped != 0 {
            return lead + gain(flipped);
        }
        let flipped = self.field.flips(discs.turned(), cell);
        if flipped != 0 {
            return lead - gain(flipped);
        }
        lead
    }
}

/// A cell as a set of one; nothing if there is no such cell.
#[inline(always)]
fn bit(cell: u8) -> u64 {
    1_u64.checked_shl(cell.into()).unwrap_or(0)
}

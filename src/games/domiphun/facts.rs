//! What a player sees about an action in Domiphun: the hand, the ends of the path and the numbers as they are after it.
//!
//! A take changes the hand by a piece that nobody knows yet; its row is about the hand and the ends before it.

use super::heuristic::{can_go_on, count};
use super::pieces::{EACH, Facing, NUM_VALUES, Pieces, Squares, Values};
use super::rules::{Action, Domiphun, Limits, MAX_ENDS, State, View};
use crate::bits;
use crate::game::{Seat, Viewer};
use crate::layout::{Layout, Writer};
use crate::list::List;

const KINDS: [&str; 8] = ["open", "play", "join", "star", "plate", "place", "take", "miss"];
const STAR: usize = 3;
const MISS: usize = 7;
/// The end that the action changes, and all others.
const ENDS: [&str; 2] = ["this end", "other ends"];
const OUTCOMES: [&str; 3] = ["fewest", "shared", "more"];
/// How chances are written: this is certain.
const SURE: u8 = 200;
/// The most pieces that are told apart near the end.
const FEW: usize = 5;
const TOP: u8 = NUM_VALUES as u8 - 1;
const MAX_MOVES: u8 = 2 * NUM_VALUES as u8;
const MAX_LEAD: u8 = 10;
const MAX_WAYS: u8 = 12;
/// Hardly anybody has more pips.
const MOST_PIPS: u8 = 120;
/// Pieces of a hand are counted up to this, those that fit an end up to [`FITTING`].
const MANY: u8 = 20;
const FITTING: u8 = 6;
/// Pieces taken in a turn are counted up to this.
const MAX_TAKEN: u8 = 8;
/// Dominoes in a row that are looked for in the traditional game.
const ROW: u8 = 4;

pub(super) fn facts(limits: &Limits) -> Layout {
    let layout = Layout::new()
        .flags("kind", &[KINDS.len()], "what sort of action it is")
        .labelled(KINDS)
        .counts("inner", &[], TOP, "the touching value of the domino; with 3-5 A: 3")
        .counts("outer", &[], TOP, "the value that it shows; with 3-5 A: 5")
        .flags("double", &[], "whether both are the same")
        .flags("shows", &[NUM_VALUES], "the value that the end in question shows then; with 3-5 A: the flag of 5")
        .flags("ends", &[NUM_VALUES], "the values that any end of the path shows then");
    let layout = counts_of_hand(layout);
    let layout = chances(layout);
    outcome(layout, limits)
}

fn counts_of_hand(layout: Layout) -> Layout {
    layout
        .counts("hand", &[NUM_VALUES], EACH, "own pieces left that show each value")
        .counts("left", &[], MANY, "own pieces left, 20 at most")
        .flags("few_left", &[FEW], "whether 0, 1, 2, 3 or 4 own pieces are left")
        .flags("odd_left", &[], "whether the number of own pieces left is odd: squares go two at a time")
        .counts("values", &[], NUM_VALUES as u8, "different values in the hand then")
        .counts("pairs", &[], NUM_VALUES as u8, "values that the hand then has twice or more")
        .counts("fits", &[2], FITTING, "own pieces left that show the value of an end")
        .labelled(ENDS)
        .flags("fitting", &[2], "whether an own piece left shows it")
        .labelled(ENDS)
        .flags("any_fits", &[], "whether an own piece left shows the value of any end")
        .counts("moves", &[], MAX_MOVES, "dominoes of the hand left that could be played then, by value and end")
        .counts(
            "row",
            &[],
            MANY / 2,
            "own dominoes that could go one after the other if nobody else played; traditional: up to 4 are looked for",
        )
        .flags("row_out", &[], "whether nothing would be left then")
}

fn chances(layout: Layout) -> Layout {
    layout
        .counts("unseen_fits", &[2], EACH, "unseen pieces that show the value of an end")
        .labelled(ENDS)
        .counts("alone", &[], 2, "ends that own pieces fit and no unseen one")
        .counts("closed", &[], 2, "ends that no piece fits that is not on the table")
        .counts("owned", &[], NUM_VALUES as u8, "values that only the own hand has left")
        .counts("next_lacks", &[2], SURE, "the chance that the next player has no piece for an end; 200 is certain")
        .labelled(ENDS)
        .counts("next_stuck", &[], SURE, "the chance that the next player has no piece for any end; 200 is certain")
        .counts("next_out", &[], SURE, "the chance that the next player goes out in the next turn; 200 is certain")
        .counts("draw_fits", &[], SURE, "the chance that an unseen piece fits an end; 200 is certain")
        .counts("answers", &[], SURE, "the chance that an unseen piece shows a value of the hand left; 200 is certain")
}

fn outcome(layout: Layout, limits: &Limits) -> Layout {
    layout
        .flags(
            "ends_game",
            &[OUTCOMES.len()],
            "whether the game is over then, by what the player has left of what counts",
        )
        .labelled(OUTCOMES)
        .flags("standing", &[OUTCOMES.len()], "who has least of what counts when nobody can play: squares, or pips")
        .labelled(OUTCOMES)
        .counts("lead", &[], 2 * MAX_LEAD, "pieces that the best of the others has more than the player then")
        .offset(MAX_LEAD)
        .counts("pips_left", &[], limits.pips.clamp(1, MOST_PIPS), "the sum of the own pieces left, 120 at most")
        .counts("pips_gone", &[], 2 * TOP, "the sum of the domino")
        .counts("next_pieces", &[], MANY, "pieces of the next player, 20 at most")
        .flags("next_few", &[FEW], "whether the next player has 0, 1, 2, 3 or 4 pieces")
        .flags("next_odd", &[], "whether that number is odd")
        .counts("pool", &[], limits.pool, "pieces in the pool")
        .flags("pool_empty", &[], "whether there are none")
        .counts("taken", &[], MAX_TAKEN, "pieces taken in this turn, 8 at most")
        .counts(
            "misses",
            &[],
            limits.players,
            "misses in a row with an empty pool: so many players before had nothing for the ends",
        )
        .counts("laid", &[], limits.dominoes, "dominoes on the table")
        .flags("uses_x", &[], "advanced: whether an X joiner is used")
        .counts("x_joiners", &[], limits.x_joiners.max(1), "advanced: own X joiners left")
        .counts("starjoiners", &[], limits.starjoiners.max(1), "advanced: own Starjoiners left")
        .counts(
            "ways",
            &[2],
            if limits.is_advanced { MAX_WAYS } else { 1 },
            "advanced: ways to join a domino to the square in question",
        )
        .labelled(["plainly", "with an X joiner"])
        .counts(
            "go_on",
            &[2],
            if limits.is_advanced { 2 } else { 1 },
            "advanced: ends at which a domino can go straight on, once it is placed",
        )
        .labelled(["own value", "other value"])
}

/// What is the same for all actions of a moment.
pub(super) struct Seen<'a> {
    rules: &'a Domiphun,
    state: &'a State,
    view: View<'a>,
    turn: Seat,
    hand: Pieces,
    unseen: Pieces,
    /// By value, unseen pieces that show it.
    unseen_by_value: [u8; NUM_VALUES],
    next_pieces: usize,
    /// Pieces of the other who has fewest.
    fewest: usize,
}

/// How it is after an action.
struct After {
    kind: usize,
    domino: Option<Facing>,
    hand: Pieces,
    /// The values of the ends, the one in question first.
    ends: List<u8, MAX_ENDS>,
    /// The state with the domino placed, in the advanced game.
    placed: Option<State>,
    ways: [u8; 2],
}

impl<'a> Seen<'a> {
    pub(super) fn new(rules: &'a Domiphun, state: &'a State) -> Self {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let unseen = view.unseen();
        let hand = view.hand(turn).unwrap_or(unseen.none());
        let others = turn.around(rules.players()).skip(1).map(|seat| view.num_pieces(seat));
        let next_pieces = others.clone().next().unwrap_or_default();
        let fewest = others.min().unwrap_or_default();
        let unseen_by_value = std::array::from_fn(|value| count(unseen, value as u8) as u8);
        Self { rules, state, view, turn, hand, unseen, unseen_by_value, next_pieces, fewest }
    }

    fn after(&self, action: Action) -> After {
        let hand_without = |domino: Facing| {
            let mut hand = self.hand;
            hand.remove(domino);
            hand
        };
        let (domino, hand, end) = match action {
            Action::Open(domino) => (Some(domino.facing()), hand_without(domino.facing()), None),
            Action::Play { domino, end } => (Some(domino), hand_without(domino), Some(end)),
            Action::Join(domino) => (Some(domino), hand_without(domino), self.view.phase().end()),
            Action::Star(end) => (None, self.hand, Some(end)),
            Action::Plate(_) | Action::Place { .. } => (self.view.phase().domino(), self.hand, self.view.phase().end()),
            Action::Take | Action::Miss => (None, self.hand, None),
        };
        let kind = match action {
            Action::Open(_) => 0,
            Action::Play { .. } => 1,
            Action::Join(_) => 2,
            Action::Star(_) => STAR,
            Action::Plate(_) => 4,
            Action::Place { .. } => 5,
            Action::Take => 6,
            Action::Miss => MISS,
        };
        let placed = self.rules.placed(self.state, action);
        let table = placed.as_ref().map_or(self.view.table(), |state| state.view(self.turn).table());
        let mut ends = List::new();
        if let Action::Open(domino) = action {
            let (low, high) = domino.values();
            ends.push(high);
            ends.push(low);
        } else {
            // A Starjoiner leaves the other ends alone.
            domino.filter(|_| end.is_some()).into_iter().for_each(|domino| ends.push(domino.outer));
            let others = table.ends().iter().zip(0..).filter(|&(_, number)| Some(number) != end);
            others.for_each(|(other, _)| ends.push(other.value));
        }
        let ways = Domiphun::ways(self.state, action);
        After { kind, domino, hand, ends, placed, ways }
    }

    pub(super) fn describe(&self, action: Action, row: &mut [u8]) {
        let after = self.after(action);
        let mut out = Writer::new(row);
        let Facing { inner, outer } = after.domino.unwrap_or_default();
        out.one_hot(Some(after.kind), KINDS.len());
        out.number(inner);
        out.number(outer);
        out.flag(after.domino.is_some() && inner == outer);
        let shown = after.ends.iter().fold(0, |values: Values, &value| values | 1 << value);
        out.one_hot(after.ends.first().map(|&value| value.into()), NUM_VALUES);
        write_values(shown, &mut out);
        let by_value = write_hand(&after, &mut out);
        self.write_chances(&after, by_value, shown, &mut out);
        self.write_outcome(&after, &mut out);
        out.number(inner + outer);
        self.write_numbers(&after, &mut out);
    }

    fn write_chances(&self, after: &After, by_value: [u8; NUM_VALUES], shown: Values, out: &mut Writer<'_>) {
        let unseen = self.unseen_by_value;
        let at = |values: [u8; NUM_VALUES], value: u8| values[usize::from(value)];
        out.next(2).copy_from_slice(&at_ends(&after.ends, unseen).map(|fits| fits.min(EACH)));
        let ends_where = |test: &dyn Fn(u8) -> bool| after.ends.iter().filter(|&&value| test(value)).count().min(2);
        out.number(ends_where(&|value| at(unseen, value) == 0 && at(by_value, value) > 0));
        out.number(ends_where(&|value| at(unseen, value) == 0 && at(by_value, value) == 0));
        out.number((0..NUM_VALUES).filter(|&value| unseen[value] == 0 && by_value[value] > 0).count());
        let first = after.ends.first().map_or(0, |&value| 1 << value);
        let others = after.ends.iter().skip(1).fold(0, |values: Values, &value| values | 1 << value);
        let all = self.unseen.len();
        let lacks = |values: Values, held: usize| chance_of_none(all, self.showing(values), held);
        out.number(lacks(first, self.next_pieces));
        out.number(lacks(others, self.next_pieces));
        out.number(lacks(shown, self.next_pieces));
        out.number(self.chance_of_out(shown));
        out.number(SURE - lacks(shown, 1));
        let held =
            (0..NUM_VALUES).filter(|&value| by_value[value] > 0).fold(0, |values: Values, value| values | 1 << value);
        out.number(SURE - lacks(held, 1));
    }

    /// Unseen pieces that show one of the values.
    fn showing(&self, values: Values) -> usize {
        let sum: usize =
            bits::each(values.into()).map(|value| usize::from(self.unseen_by_value[usize::from(value)])).sum();
        let counted_twice = match self.unseen {
            Pieces::Squares(_) => 0,
            // A domino of two different values that both are there.
            Pieces::Dominoes(_) => {
                bits::each(values.into())
                    .map(|value| (self.unseen.beside(value) & values & !(1 << value)).count_ones() as usize)
                    .sum::<usize>()
                    / 2
            }
        };
        sum - counted_twice
    }

    /// The chance that the next player plays all that is left: the last domino, or a square and the next from the pool.
    fn chance_of_out(&self, shown: Values) -> u8 {
        let is_out_with = |held| SURE - chance_of_none(self.unseen.len(), self.showing(shown), held);
        let can_take = self.view.num_pool() > 0;
        match (self.unseen, self.next_pieces) {
            (Pieces::Squares(_), 2) => is_out_with(2),
            (Pieces::Squares(_), 1) if can_take => is_out_with(2),
            (Pieces::Dominoes(_), 1) => is_out_with(1),
            _ => 0,
        }
    }

    fn write_outcome(&self, after: &After, out: &mut Writer<'_>) {
        let left = after.hand.len();
        let (own, each) = match after.hand {
            Pieces::Squares(_) => (left, 1),
            // What the others hold has as many pips as the unseen dominoes have on average.
            Pieces::Dominoes(_) => {
                (usize::from(after.hand.pips()) * self.unseen.len(), usize::from(self.unseen.pips()))
            }
        };
        let is_out = after.domino.is_some() && left == 0 && self.x_joiners(after) == 0;
        let standing = if is_out { 0 } else { (own.cmp(&(self.fewest * each)) as i8 + 1) as usize };
        out.one_hot((is_out || self.is_stuck(after)).then_some(standing), OUTCOMES.len());
        out.one_hot(Some(standing), OUTCOMES.len());
        let most = i32::from(MAX_LEAD);
        out.number((self.fewest as i32 - left as i32).clamp(-most, most) + most);
        out.number(after.hand.pips().min(MOST_PIPS.into()));
    }

    /// Whether it can be seen that nobody plays any more (DOMI-10).
    fn is_stuck(&self, after: &After) -> bool {
        if let Some(placed) = &after.placed {
            return self.rules.is_dead(placed);
        }
        if after.kind == MISS {
            return self.view.num_pool() == 0 && usize::from(self.view.misses()) + 1 == self.rules.players();
        }
        if self.rules.is_advanced() || after.domino.is_none() {
            return false;
        }
        let fits = |pieces: Pieces| after.ends.iter().any(|&value| pieces.beside(value) != 0);
        let mut all = self.unseen;
        all.add(after.hand);
        !fits(all) || self.view.num_pool() == 0 && !fits(self.unseen) && !fits(after.hand)
    }

    fn x_joiners(&self, after: &After) -> u8 {
        let view = after.placed.as_ref().map_or(self.view, |placed| placed.view(self.turn));
        view.x_joiners()[self.turn.index()]
    }

    fn write_numbers(&self, after: &After, out: &mut Writer<'_>) {
        let Self { view, turn, next_pieces, .. } = self;
        out.number((*next_pieces).min(MANY.into()));
        out.one_hot(Some(*next_pieces), FEW);
        out.flag(next_pieces % 2 == 1);
        out.up_to(self.rules.limits.pool, view.num_pool());
        out.flag(view.num_pool() == 0);
        out.number(view.taken().min(MAX_TAKEN));
        out.number(view.misses());
        out.number(view.table().laid().len());
        let x_joiners = self.x_joiners(after);
        out.flag(x_joiners < view.x_joiners()[turn.index()]);
        out.number(x_joiners);
        out.number(view.starjoiners()[turn.index()] - u8::from(after.kind == STAR));
        out.next(2).copy_from_slice(&after.ways.map(|ways| ways.min(MAX_WAYS)));
        let go_on = out.next(2);
        go_on.fill(0);
        let Some(placed) = &after.placed else { return };
        let placed = placed.view(*turn);
        for end in placed.table().ends().iter().filter(|end| can_go_on(&placed, end.plate)) {
            let entry = &mut go_on[usize::from(count(after.hand, end.value) == 0)];
            *entry = (*entry + 1).min(2);
        }
    }
}

/// Own pieces; returns how many show each value.
fn write_hand(after: &After, out: &mut Writer<'_>) -> [u8; NUM_VALUES] {
    let After { hand, ends, .. } = after;
    let left = hand.len();
    let by_value: [u8; NUM_VALUES] = std::array::from_fn(|value| count(*hand, value as u8) as u8);
    out.next(NUM_VALUES).copy_from_slice(&by_value);
    out.number(left.min(MANY.into()));
    out.one_hot(Some(left), FEW);
    out.flag(left % 2 == 1);
    out.number(by_value.iter().filter(|&&held| held > 0).count());
    out.number(by_value.iter().filter(|&&held| held > 1).count());
    let fits = at_ends(ends, by_value);
    out.next(2).copy_from_slice(&fits.map(|fits| fits.min(FITTING)));
    out.next(2).copy_from_slice(&fits.map(|fits| u8::from(fits > 0)));
    out.flag(fits != [0, 0]);
    let moves: u32 = ends.iter().map(|&value| hand.beside(value).count_ones()).sum();
    out.number(moves.min(MAX_MOVES.into()));
    let row = match *hand {
        Pieces::Squares(squares) => row_of_squares(squares, ends),
        Pieces::Dominoes(_) => row_of_dominoes(*hand, [ends.first(), ends.get(1)].map(Option::<&u8>::copied), ROW),
    };
    out.number(row.min(MANY / 2));
    let each = if matches!(hand, Pieces::Squares(_)) { 2 } else { 1 };
    out.flag(usize::from(row) * each == left);
    by_value
}

fn write_values(values: Values, out: &mut Writer<'_>) {
    for (entry, value) in out.next(NUM_VALUES).iter_mut().zip(0..) {
        *entry = values >> value & 1;
    }
}

/// A number by value, for the first end and summed over the others.
fn at_ends(ends: &[u8], by_value: [u8; NUM_VALUES]) -> [u8; 2] {
    let at = |value: &u8| by_value[usize::from(*value)];
    [ends.first().map_or(0, at), ends.iter().skip(1).map(at).sum()]
}

/// The chance that none of `held` pieces out of `all` is one of the `wanted`.
fn chance_of_none(all: usize, wanted: usize, held: usize) -> u8 {
    const ONE: u64 = 1 << 32;
    let none = (0..held.min(all))
        .fold(ONE, |chance, drawn| chance * all.saturating_sub(wanted + drawn) as u64 / (all - drawn) as u64);
    ((none * u64::from(SURE) + ONE / 2) / ONE) as u8
}

/// The most dominoes that can go one after the other at two ends: each row takes a square of the end's value, then
/// squares two by two, and a last one.
fn row_of_squares(squares: Squares, ends: &[u8]) -> u8 {
    let row_from = |starts: &[u8]| {
        let mut rest = squares;
        for &value in starts {
            if rest.count(value) == 0 {
                return 0;
            }
            rest.remove(value);
        }
        let singles = (0..NUM_VALUES as u8).filter(|&value| rest.count(value) % 2 == 1).count();
        let pairs = (rest.len() - singles) / 2;
        // A pair more is broken for each row that has no single square to end with; two make one pair.
        let rows = starts.len();
        let lacking = rows.saturating_sub(singles);
        let broken = lacking.div_ceil(2);
        if pairs < broken { 0 } else { (pairs - broken + rows) as u8 }
    };
    let mut most = 0;
    for (number, &one) in ends.iter().enumerate().take(2) {
        most = most.max(row_from(&[one]));
        if let Some(&other) = ends.get(number + 1) {
            most = most.max(row_from(&[one, other]));
        }
    }
    most
}

/// The most dominoes, up to `depth`, that can go one after the other at two ends.
fn row_of_dominoes(hand: Pieces, ends: [Option<u8>; 2], depth: u8) -> u8 {
    if depth == 0 {
        return 0;
    }
    let mut most = 0;
    for number in 0..2 {
        let Some(inner) = ends[number] else { continue };
        for outer in bits::each(hand.beside(inner).into()) {
            let (mut rest, mut then) = (hand, ends);
            rest.remove(Facing { inner, outer });
            then[number] = Some(outer);
            most = most.max(1 + row_of_dominoes(rest, then, depth - 1));
            if most == depth {
                return most;
            }
        }
    }
    most
}

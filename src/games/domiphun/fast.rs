//! Fast paths of Domiphun.
//!
//! Nearly always two play at a path with two ends. Then every block of a row has a fixed place, and what is legal at the
//! beginning of a play is a few words of bits: drawing, the mask and the row are made of such words, without a list. What
//! is written beyond the end of a block is written over by the next one.

use super::encode::{facing, number};
use super::facts::Seen;
use super::lattice::{Construction, Sides};
use super::pieces::{Domino, NUM_DOMINOES, NUM_SQUARES, NUM_VALUES, Pieces};
use super::rules::{Action, Domiphun, Phase, State, Turn, View, ways_to_put};
use crate::bits::{self, Flag};
use crate::game::{Encode as _, Fast, Rules as _, Seat, Viewer, by_list};
use crate::rng::scale;

/// How long the rows of two players at two ends are.
const TRADITIONAL: usize = NUMBERS_OF_DOMINOES + NUMBERS;
const STANDARD: usize = NUMBERS_OF_SQUARES + NUMBERS;
const ADVANCED: usize = JOINERS + 6 * NUM_SQUARES;

/// Where the flags of the ends are over; the hand comes next, then what is unseen.
const HAND: usize = 2 * NUM_VALUES;
const PAIRS: usize = NUM_VALUES * NUM_VALUES;
/// Where the numbers begin, and how many there are.
const NUMBERS_OF_DOMINOES: usize = HAND + 2 * PAIRS;
const NUMBERS_OF_SQUARES: usize = HAND + 2 * NUM_VALUES;
const NUMBERS: usize = 14;
/// Where the blocks of the advanced game begin.
const PHASE: usize = STANDARD;
const JOINERS_LEFT: usize = PHASE + 4;
const TOUCHING: usize = JOINERS_LEFT + 4;
const OUTER: usize = TOUCHING + NUM_VALUES;
const PLAYING_AT: usize = OUTER + NUM_VALUES;
const CHOSEN: usize = PLAYING_AT + 2;
const END_SQUARES: usize = CHOSEN + NUM_SQUARES;
const CLOSED: usize = END_SQUARES + 2 * NUM_SQUARES;
const VALUES: usize = CLOSED + NUM_SQUARES;
const PLACES: usize = VALUES + NUM_SQUARES;
const AXES: usize = PLACES + 3 * NUM_SQUARES;
const JOINERS: usize = AXES + 3 * NUM_SQUARES;

/// The ids of plays at two ends.
const PLAYS: usize = 2 * PAIRS;
/// How long the masks are for two ends, without and with what the advanced game adds.
const PLAIN_IDS: usize = NUM_DOMINOES + PLAYS + 2;
const ADVANCED_IDS: usize = PLAIN_IDS + PAIRS + 2 + NUM_SQUARES + 36;

impl Fast for Domiphun {
    const PAYS_AT_THE_END: bool = true;

    fn heap_bytes(&self) -> usize {
        if self.is_advanced() { size_of::<Construction>() } else { 0 }
    }

    #[inline(always)]
    fn write_turn(&self, state: &State, row: &mut [u8], mask: &mut [i8], scratch: &mut Vec<Action>) -> Option<Seat> {
        let seat = self.to_act(state)?;
        if !self.write_fixed_row(state, seat, row) {
            self.observe(state, seat, row);
        }
        self.write_mask(state, mask, scratch);
        Some(seat)
    }

    #[inline(always)]
    fn write_mask(&self, state: &State, mask: &mut [i8], scratch: &mut Vec<Action>) {
        // The length tells that there are two ends.
        let phase = state.view(Viewer::Everything).phase();
        if let (Phase::Turn, Ok(mask)) = (phase, <&mut [i8; PLAIN_IDS]>::try_from(&mut *mask)) {
            let [low, high] = Begin::of(self, state).with_taking();
            write_flags(mask, 0, low);
            return write_flags(mask, 64, high);
        }
        if let Ok(mask) = <&mut [i8; ADVANCED_IDS]>::try_from(&mut *mask) {
            match phase {
                Phase::Turn => {
                    let Begin { ids: [low, high], stars, take, miss } = Begin::of(self, state);
                    let stars = stars << (PLAIN_IDS - 2 + PAIRS - 128);
                    return write_words(mask, [low, high, stars, 0], u64::from(take) << 62 | u64::from(miss) << 63);
                }
                // The ways are the last but two.
                Phase::Place { plate, .. } => {
                    return write_words(mask, [0; 4], ways_to_put(state, plate) << (64 - 2 - 36));
                }
                Phase::Star { .. } | Phase::Plate { .. } | Phase::Over => {}
            }
        }
        by_list::write_mask(self, state, mask, scratch);
    }

    fn describe_actions(&self, state: &State, actions: &[Action], rows: &mut [u8]) {
        let seen = Seen::new(self, state);
        for (&action, row) in actions.iter().zip(rows.chunks_exact_mut(self.facts().size())) {
            seen.describe(action, row);
        }
    }

    #[inline(always)]
    fn random_action(&self, state: &State, random: u64, scratch: &mut Vec<Action>) -> Action {
        match state.view(Viewer::Everything).phase() {
            Phase::Turn if self.num_ends() == 2 => {
                let begin = Begin::of(self, state);
                if !self.is_advanced() {
                    let ids = begin.with_taking();
                    return Begin::action(nth(ids, scale(random, count(ids))));
                }
                let [plays, stars] = [count(begin.ids), begin.stars.count_ones()];
                let number = scale(random, plays + stars + u32::from(begin.take) + u32::from(begin.miss));
                if number < plays {
                    Begin::action(nth(begin.ids, number))
                } else if number < plays + stars {
                    Action::Star(bits::nth(begin.stars, number - plays) as u8)
                } else if begin.take && number == plays + stars {
                    Action::Take
                } else {
                    Action::Miss
                }
            }
            Phase::Place { plate, .. } => {
                let ways = ways_to_put(state, plate);
                Action::way(bits::nth(ways, scale(random, ways.count_ones())) as usize)
            }
            _ => by_list::random_action(self, state, random, scratch),
        }
    }
}

/// With what a play can begin where the path has two ends.
struct Begin {
    /// A bit for each id of the blocks "open" and "play".
    ids: [u64; 2],
    stars: u64,
    take: bool,
    miss: bool,
}

impl Begin {
    #[inline(always)]
    fn of(rules: &Domiphun, state: &State) -> Self {
        let turn = if rules.is_advanced() { rules.turn::<2>(state) } else { rules.flat_turn(state) };
        let Turn { opens, plays, stars, take, miss } = turn;
        let low = bits::in_turn(plays.map(|pairs| pairs as u32));
        let high = bits::in_turn(plays.map(|pairs| (pairs >> 32) as u32));
        let ids = [u64::from(opens) | low << NUM_DOMINOES, low >> (64 - NUM_DOMINOES) | high << NUM_DOMINOES];
        Self { ids, stars: stars.into(), take, miss }
    }

    /// The action with one of the ids, taking and missing next to them. Not from the table: who asks for its id again need
    /// not look for its kind.
    #[inline(always)]
    fn action(id: usize) -> Action {
        if let Some(domino) = Domino::numbered(id) {
            return Action::Open(domino);
        }
        match id - NUM_DOMINOES {
            play @ ..PLAYS => Action::Play { domino: facing(play / 2), end: (play % 2) as u8 },
            PLAYS => Action::Take,
            _ => Action::Miss,
        }
    }

    /// The ids with taking and missing, where these come next.
    #[inline(always)]
    fn with_taking(&self) -> [u64; 2] {
        let [low, high] = self.ids;
        [low, high | u64::from(self.take) << 62 | u64::from(self.miss) << 63]
    }
}

#[inline(always)]
fn count([low, high]: [u64; 2]) -> u32 {
    low.count_ones() + high.count_ones()
}

#[inline(always)]
fn nth([low, high]: [u64; 2], number: u32) -> usize {
    // Without a branch: the number is chance.
    let before = low.count_ones();
    let is_low = number < before;
    let (word, number, start) = if is_low { (low, number, 0) } else { (high, number - before, 64) };
    start + bits::nth(word, number) as usize
}

impl Domiphun {
    /// Writes what the seat to act knows, if two play at two ends, as the length of the row tells; else nothing.
    #[inline(always)]
    fn write_fixed_row(&self, state: &State, seat: Seat, row: &mut [u8]) -> bool {
        let view = state.view(Some(seat));
        let unseen = view.unseen();
        let hand = view.hand(seat).unwrap_or(unseen.none());
        let shown = |width: usize| match view.table().ends() {
            [one, other] => [one, other].map(|end| 1_u64 << (width * usize::from(end.value))),
            _ => [0; 2],
        };
        match (hand, unseen) {
            (Pieces::Dominoes(hand), Pieces::Dominoes(unseen)) => {
                let Ok(row) = <&mut [u8; TRADITIONAL]>::try_from(row) else { return false };
                let numbers = self.numbers(&view, seat, hand.len(), unseen.len());
                let (hand, unseen, [one, other]) = (hand.both_ways(), unseen.both_ways(), shown(1));
                // The second word ends with the row, and begins with the last of the hand.
                write_flags(row, 0, one | other << NUM_VALUES | hand << HAND);
                write_flags(row, TRADITIONAL - 64, hand >> (PAIRS - 1) | unseen << 1);
                write(row, NUMBERS_OF_DOMINOES, numbers);
            }
            (Pieces::Squares(hand), Pieces::Squares(unseen)) => {
                let numbers = self.numbers(&view, seat, hand.len(), unseen.len());
                let [one, other] = shown(8);
                let blocks = [one.to_le_bytes(), other.to_le_bytes(), hand.counts(), unseen.counts()];
                if let Ok(row) = <&mut [u8; ADVANCED]>::try_from(&mut *row) {
                    write_squares(row, blocks, numbers);
                    write_advanced(&view, seat, row);
                } else if let Ok(row) = <&mut [u8; STANDARD]>::try_from(row) {
                    write_squares(row, blocks, numbers);
                } else {
                    return false;
                }
            }
            // A game has pieces of one kind.
            _ => return false,
        }
        true
    }

    /// Pieces, wins and points of both, who decides and who began; the pool and so on. So many pieces are in the own hand,
    /// and so many in the other and in the pool.
    #[inline(always)]
    fn numbers(&self, view: &View<'_>, viewer: Seat, hand: usize, unseen: usize) -> [u8; NUMBERS] {
        let (limits, pool) = (&self.limits, view.num_pool());
        let [own, other] = both(viewer);
        let pieces = |number: usize| number.min(limits.hand.into()) as u8;
        let points = |seat: usize| view.points()[seat].min(limits.points.into()) as u8;
        let (wins, began) = (view.wins(), view.first() == viewer);
        [
            pieces(hand),
            pieces(unseen - pool),
            wins[own],
            wins[other],
            points(own),
            points(other),
            1,
            0,
            began.into(),
            (!began).into(),
            pool.min(limits.pool.into()) as u8,
            view.taken().min(limits.taken),
            view.misses(),
            view.table().laid().len() as u8,
        ]
    }
}

/// The viewer's seat and the other one of two.
#[inline(always)]
fn both(viewer: Seat) -> [usize; 2] {
    let own = viewer.index() % 2;
    [own, 1 - own]
}

/// Writes a set as 64 flags from a fixed place on.
#[inline(always)]
fn write_flags<T: Flag, const N: usize>(row: &mut [T; N], start: usize, set: u64) {
    if let Some(flags) = row[start..].first_chunk_mut() {
        bits::spread(set, flags);
    }
}

/// Writes entries at a fixed place.
#[inline(always)]
fn write<const N: usize, const M: usize>(row: &mut [u8; N], start: usize, entries: [u8; M]) {
    row[start..start + M].copy_from_slice(&entries);
}

/// Writes the first 256 ids of a mask and the last 64.
#[inline(always)]
fn write_words(mask: &mut [i8; ADVANCED_IDS], words: [u64; 4], last: u64) {
    for (number, word) in words.into_iter().enumerate() {
        write_flags(mask, 64 * number, word);
    }
    write_flags(mask, ADVANCED_IDS - 64, last);
}

/// Writes what the ends show, the hand and what is unseen, each with a byte more than it has entries; then the numbers.
#[inline(always)]
fn write_squares<const N: usize>(row: &mut [u8; N], blocks: [[u8; NUM_VALUES + 1]; 4], numbers: [u8; NUMBERS]) {
    for (number, block) in blocks.into_iter().enumerate() {
        write(row, NUM_VALUES * number, block);
    }
    write(row, NUMBERS_OF_SQUARES, numbers);
}

/// Writes what the advanced game adds.
#[inline(always)]
fn write_advanced(view: &View<'_>, viewer: Seat, row: &mut [u8; ADVANCED]) {
    let Some(construction) = view.table().construction() else { return };
    let phase = view.phase();
    let at = |number: Option<u8>| number.map_or(0, |number| 1_u64 << (number & 63));
    let one = |number: Option<u8>, start: usize| at(number) << (start - PHASE);
    let domino = phase.domino();
    let choice = number(phase).map_or(0, |number| 1 << number)
        | one(domino.map(|domino| domino.inner), TOUCHING)
        | one(domino.map(|domino| domino.outer), OUTER)
        | one(phase.end(), PLAYING_AT);
    let chosen = at(phase.plate());
    let [end, other_end] = match view.table().ends() {
        [one, other] => [one, other].map(|end| at(Some(end.plate))),
        _ => [0; 2],
    };
    // All flags before the values as words, and a byte of the values.
    let words = [
        choice | chosen << (CHOSEN - PHASE),
        chosen >> (64 - (CHOSEN - PHASE)) | end << (END_SQUARES - PHASE - 64),
        end >> (128 - (END_SQUARES - PHASE)) | other_end << (END_SQUARES + NUM_SQUARES - PHASE - 128),
        construction.closed(),
    ];
    for (number, word) in words.into_iter().enumerate() {
        write_flags(row, PHASE + 64 * number, word);
    }
    let ([own, other], x, stars) = (both(viewer), view.x_joiners(), view.starjoiners());
    write(row, JOINERS_LEFT, [x[own], x[other], stars[own], stars[other]]);
    let mut values = [0; NUM_SQUARES];
    let squares = construction.len();
    for (number, (entry, value)) in values.iter_mut().zip(construction.room_of_values()).enumerate() {
        *entry = if number < squares { value + 1 } else { 0 };
    }
    write(row, VALUES, values);
    write(row, PLACES, *construction.corners());
    for (number, word) in construction.axes().into_iter().enumerate() {
        write_flags(row, AXES + 64 * number, word);
    }
    let [ordinary, x] = construction.sides_held().map(Sides::words);
    // The last word is not full: it is written together with the end of the one before.
    let last = |words: [u64; 6]| words[4] >> 16 | words[5] << 48;
    for number in 0..5 {
        write_joiners(row, JOINERS + 64 * number, ordinary[number], x[number]);
    }
    write_joiners(row, ADVANCED - 64, last(ordinary), last(x));
}

/// Writes 1 for sides that hold an ordinary joiner and 2 for those that hold an X joiner alone.
#[inline(always)]
fn write_joiners(row: &mut [u8; ADVANCED], start: usize, ordinary: u64, x: u64) {
    if let Some(entries) = row[start..].first_chunk_mut() {
        bits::spread_two(ordinary, x & !ordinary, entries);
    }
}

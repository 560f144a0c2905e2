//! Domiphun as a learner sees it.

use super::facts::Seen;
use super::lattice::{Construction, DIRECTIONS, Direction, Joiner};
use super::pieces::{Domino, Facing, NUM_DOMINOES, NUM_SQUARES, NUM_VALUES, Pieces};
use super::rules::{Action, Domiphun, Limits, Options, Phase, State, Table, Variant, View};
use super::words::{end_name, facing_name};
use crate::bits;
use crate::game::{Encode, Fast, Rules as _, Seat, Viewer, by_list};
use crate::layout::{Layout, Writer};
use crate::rng::scale;

const PHASES: &[&str] = &["turn", "star", "plate", "place"];
const AXES: usize = 3;
/// What is added to a coordinate, so that none is negative.
const OFFSET: u8 = 64;
const SIDES: usize = DIRECTIONS.len();
const PAIRS: usize = NUM_VALUES * NUM_VALUES;

pub(super) struct Layouts {
    pub actions: Layout,
    pub observation: Layout,
}

/// Ends that the path can have.
fn num_ends(options: &Options, x_joiners: u8) -> usize {
    if options.fork { 2 + usize::from(options.players) * usize::from(x_joiners) } else { 2 }
}

/// Hardly anybody takes more in a turn.
const MOST_TAKEN: u8 = 16;
/// Hardly anybody is left with more pips.
const MOST_PIPS: u8 = 120;

/// The highest number of points that is told apart.
fn most_points(limits: &Limits) -> u8 {
    limits.pips.min(MOST_PIPS).saturating_mul(limits.games).max(1)
}

pub(super) fn layouts(options: &Options, limits: &Limits) -> Layouts {
    let ends = num_ends(options, limits.x_joiners);
    Layouts { actions: actions(options.variant, ends), observation: observation(options, limits, ends) }
}

fn end_names(ends: usize) -> impl Iterator<Item = char> {
    (0..ends as u8).map(end_name)
}

fn actions(variant: Variant, ends: usize) -> Layout {
    let layout = Layout::new()
        .flags("open", &[NUM_DOMINOES], "lay the first domino")
        .labelled(Domino::all().map(|domino| facing_name(domino.facing())))
        .flags("play", &[NUM_VALUES, NUM_VALUES, ends], "play a domino, by touching value, outer value and end")
        .labelled(end_names(ends));
    let layout = if variant == Variant::Advanced {
        layout
            .flags(
                "join",
                &[NUM_VALUES, NUM_VALUES],
                "choose the domino after a Starjoiner, by touching and outer value",
            )
            .flags("star", &[ends], "put a Starjoiner on an end")
            .labelled(end_names(ends))
            .flags("plate", &[NUM_SQUARES], "choose the square to which that domino is joined")
            .flags("place", &[SIDES, SIDES], "choose the side of the square, and where the domino goes from there")
            .labelled(DIRECTIONS.map(Direction::name))
    } else {
        layout
    };
    layout.flags("take", &[], "take a piece from the pool").flags("miss", &[], "miss the turn")
}

fn observation(options: &Options, limits: &Limits, ends: usize) -> Layout {
    let players = usize::from(options.players);
    let pieces = |layout: Layout, name, meaning| match options.variant {
        Variant::Traditional => layout.flags(name, &[NUM_VALUES, NUM_VALUES], meaning),
        Variant::Standard | Variant::Advanced => layout.counts(name, &[NUM_VALUES], limits.each, meaning),
    };
    let traditional = options.variant == Variant::Traditional;
    let [hand, unseen] = if traditional {
        ["the viewer's dominoes, both ways round", "dominoes in other hands or in the pool, both ways round"]
    } else {
        ["the viewer's squares, by value", "squares in other hands or in the pool, by value"]
    };
    let layout =
        Layout::new().flags("ends", &[ends, NUM_VALUES], "the value that an end shows; none before the first domino");
    let layout = pieces(pieces(layout, "hand", hand), "unseen", unseen)
        .counts("pieces", &[players], limits.hand, "squares or dominoes in the hands")
        .by_seat()
        .counts("wins", &[players], limits.games, "games won in this match")
        .by_seat()
        .counts(
            "points",
            &[players],
            most_points(limits),
            "points over the finished games of this match; no more are told apart than the highest",
        )
        .by_seat()
        .flags("to_act", &[players], "who decides now")
        .by_seat()
        .flags("first", &[players], "who started the game")
        .by_seat()
        .counts("pool", &[], limits.pool, "squares or dominoes in the pool")
        .counts("taken", &[], limits.pool.min(MOST_TAKEN), "taken in this turn, 16 at most")
        .counts("misses", &[], limits.players, "misses in a row with an empty pool")
        .counts("dominoes", &[], limits.dominoes, "dominoes on the table");
    if options.variant != Variant::Advanced {
        return layout;
    }
    layout
        .flags("phase", &[PHASES.len()], "what is being decided; none when the match is over")
        .labelled(PHASES.iter().copied())
        .counts("x_joiners", &[players], limits.x_joiners.max(1), "X joiners left")
        .by_seat()
        .counts("starjoiners", &[players], limits.starjoiners.max(1), "Starjoiners left")
        .by_seat()
        .flags("touching", &[NUM_VALUES], "the touching value of the domino that is being played")
        .flags("outer", &[NUM_VALUES], "the outer value of the domino that is being played")
        .flags("playing_at", &[ends], "the end at which it is being played")
        .labelled(end_names(ends))
        .flags("chosen", &[NUM_SQUARES], "the square to which it is being joined")
        .flags("end_squares", &[ends, NUM_SQUARES], "the square of each end")
        .flags("closed", &[NUM_SQUARES], "squares that hold a Starjoiner")
        .category(
            "values",
            &[NUM_SQUARES],
            1 + NUM_VALUES as u16,
            "the value of each square plus 1; 0 where there is none",
        )
        .counts(
            "places",
            &[NUM_SQUARES, AXES],
            OFFSET + NUM_SQUARES as u8,
            "the least corner of each square: x, y, z; 0 where there is none",
        )
        .offset(OFFSET)
        .flags("axes", &[NUM_SQUARES, AXES], "the axis to which each square is perpendicular: x, y, z")
        .category(
            "joiners",
            &[NUM_SQUARES, SIDES],
            3,
            "what each side of a square holds: 1 an ordinary joiner, 2 an X joiner",
        )
        .labelled(DIRECTIONS.map(Direction::name))
}

/// Where the ids of the kinds of actions begin.
#[derive(Clone, Copy)]
struct Starts {
    ends: usize,
    join: usize,
    star: usize,
    plate: usize,
    place: usize,
    take: usize,
}

const PLAY: usize = NUM_DOMINOES;

impl Domiphun {
    #[inline(always)]
    fn starts(&self) -> Starts {
        if !self.is_advanced() {
            let take = PLAY + 2 * PAIRS;
            return Starts { ends: 2, join: take, star: take, plate: take, place: take, take };
        }
        let ends = self.num_ends();
        let join = PLAY + ends * PAIRS;
        let star = join + PAIRS;
        let plate = star + ends;
        let take = plate + NUM_SQUARES + SIDES * SIDES;
        Starts { ends, join, star, plate, place: plate + NUM_SQUARES, take }
    }

    #[inline(always)]
    pub(super) fn num_ends(&self) -> usize {
        num_ends(self.options(), self.x_joiners_each())
    }

    #[inline(always)]
    fn play_id(domino: Facing, end: usize, ends: usize) -> usize {
        PLAY + pair(domino) * ends + end
    }

    #[inline(always)]
    fn write_joined(&self, view: &View<'_>, viewer: Seat, out: &mut Writer<'_>) {
        let (players, ends) = (self.players(), self.num_ends());
        let phase = view.phase();
        out.one_hot(PHASES.iter().position(|name| *name == phase.name()), PHASES.len());
        for joiners in [view.x_joiners(), view.starjoiners()] {
            viewer.around(players).for_each(|seat| out.number(joiners[seat.index()]));
        }
        out.one_hot(phase.domino().map(|domino| domino.inner.into()), NUM_VALUES);
        out.one_hot(phase.domino().map(|domino| domino.outer.into()), NUM_VALUES);
        out.one_hot(phase.end().map(Into::into), ends);
        out.one_hot(phase.plate().map(Into::into), NUM_SQUARES);
        for end in 0..ends {
            out.one_hot(view.table().ends().get(end).map(|end| end.plate.into()), NUM_SQUARES);
        }
        if let Some(construction) = view.table().construction() {
            write_construction(construction, out);
        }
    }
}

#[inline(always)]
fn write_construction(construction: &Construction, out: &mut Writer<'_>) {
    let squares = construction.len() as u8;
    out.set(construction.closed(), NUM_SQUARES);
    let [values, places, axes, joiners] = [1, AXES, AXES, SIDES].map(|size| {
        let block = out.next(size * NUM_SQUARES);
        block.fill(0);
        block
    });
    for (value, &shown) in values.iter_mut().zip(construction.values()) {
        *value = shown + 1;
    }
    let places = places.chunks_exact_mut(AXES).zip(axes.chunks_exact_mut(AXES));
    for (((place, axis), joiners), plate) in places.zip(joiners.chunks_exact_mut(SIDES)).zip(0..squares) {
        let at = construction.place(plate);
        for (entry, coordinate) in place.iter_mut().zip(at.corner()) {
            *entry = OFFSET.wrapping_add_signed(coordinate);
        }
        axis[at.axis()] = 1;
        for (entry, side) in joiners.iter_mut().zip(DIRECTIONS) {
            *entry = construction.held(plate, side).map_or(0, |joiner| 1 + u8::from(joiner == Joiner::X));
        }
    }
}

#[inline(always)]
fn pair(domino: Facing) -> usize {
    usize::from(domino.inner) * NUM_VALUES + usize::from(domino.outer)
}

fn facing(pair: usize) -> Facing {
    Facing { inner: (pair / NUM_VALUES) as u8, outer: (pair % NUM_VALUES) as u8 }
}

#[inline(always)]
fn write_pieces(pieces: Pieces, out: &mut Writer<'_>) {
    match pieces {
        Pieces::Squares(squares) => {
            for (entry, value) in out.next(NUM_VALUES).iter_mut().zip(0..) {
                *entry = squares.count(value);
            }
        }
        Pieces::Dominoes(dominoes) => out.set(dominoes.both_ways(), PAIRS),
    }
}

impl Encode for Domiphun {
    #[inline(always)]
    fn actions(&self) -> &Layout {
        &self.actions
    }

    #[inline(always)]
    fn action_id(&self, action: Action) -> usize {
        let starts = self.starts();
        match action {
            Action::Open(domino) => domino.number(),
            Action::Play { domino, end } => Self::play_id(domino, end.into(), starts.ends),
            Action::Join(domino) => starts.join + pair(domino),
            Action::Star(end) => starts.star + usize::from(end),
            Action::Plate(plate) => starts.plate + usize::from(plate),
            Action::Place { side, heading } => starts.place + side.number() * SIDES + heading.number(),
            Action::Take => starts.take,
            Action::Miss => starts.take + 1,
        }
    }

    #[inline(always)]
    fn action(&self, id: usize) -> Action {
        let starts = self.starts();
        let within = |start: usize, end: usize| (id >= start && id < end).then(|| id - start);
        if let Some(domino) = within(0, PLAY).and_then(|number| Domino::all().nth(number)) {
            Action::Open(domino)
        } else if let Some(play) = within(PLAY, starts.join) {
            Action::Play { domino: facing(play / starts.ends), end: (play % starts.ends) as u8 }
        } else if let Some(pair) = within(starts.join, starts.star) {
            Action::Join(facing(pair))
        } else if let Some(end) = within(starts.star, starts.plate) {
            Action::Star(end as u8)
        } else if let Some(plate) = within(starts.plate, starts.place) {
            Action::Plate(plate as u8)
        } else if let Some(place) = within(starts.place, starts.take) {
            Action::Place { side: DIRECTIONS[place / SIDES], heading: DIRECTIONS[place % SIDES] }
        } else if id == starts.take {
            Action::Take
        } else {
            Action::Miss
        }
    }

    #[inline(always)]
    fn observation(&self) -> &Layout {
        &self.observation
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        let view = state.view(Some(viewer));
        let table: &Table = view.table();
        let players = self.players();
        let around = || viewer.around(players);
        let mut out = Writer::new(row);
        let ends = out.next(self.starts().ends * NUM_VALUES);
        ends.fill(0);
        for (shown, end) in ends.chunks_exact_mut(NUM_VALUES).zip(table.ends()) {
            shown[usize::from(end.value)] = 1;
        }
        let unseen = view.unseen();
        write_pieces(view.hand(viewer).unwrap_or(unseen.none()), &mut out);
        write_pieces(unseen, &mut out);
        around().for_each(|seat| out.up_to(self.limits.hand, view.num_pieces(seat)));
        around().for_each(|seat| out.number(view.wins()[seat.index()]));
        around().for_each(|seat| out.up_to(most_points(&self.limits), view.points()[seat.index()].into()));
        around().for_each(|seat| out.flag(view.to_act() == Some(seat)));
        around().for_each(|seat| out.flag(seat == view.first()));
        out.up_to(self.limits.pool, view.num_pool());
        out.up_to(self.limits.pool.min(MOST_TAKEN), view.taken().into());
        out.number(view.misses());
        out.number(table.laid().len());
        if self.is_advanced() {
            self.write_joined(&view, viewer, &mut out);
        }
    }

    fn facts(&self) -> &Layout {
        &self.facts
    }

    fn describe_action(&self, state: &State, action: Action, row: &mut [u8]) {
        Seen::new(self, state).describe(action, row);
    }
}

impl Fast for Domiphun {
    const PAYS_AT_THE_END: bool = true;

    fn heap_bytes(&self) -> usize {
        if self.is_advanced() { size_of::<Construction>() } else { 0 }
    }

    #[inline(always)]
    fn write_mask(&self, state: &State, mask: &mut [i8], scratch: &mut Vec<Action>) {
        if state.view(Viewer::Everything).phase() != Phase::Turn
            || state.view(Viewer::Everything).table().laid().is_empty()
        {
            return by_list::write_mask(self, state, mask, scratch);
        }
        let starts = self.starts();
        mask.fill(0);
        let turn = self.turn(state);
        for (number, (end, plays)) in state.view(Viewer::Everything).table().ends().iter().zip(turn.plays).enumerate() {
            for outer in bits::each(plays.into()) {
                mask[Self::play_id(Facing { inner: end.value, outer }, number, starts.ends)] = 1;
            }
        }
        bits::each(turn.stars.into()).for_each(|end| mask[starts.star + usize::from(end)] = 1);
        mask[starts.take] = turn.take.into();
        mask[starts.take + 1] = turn.miss.into();
    }

    fn describe_actions(&self, state: &State, actions: &[Action], rows: &mut [u8]) {
        let seen = Seen::new(self, state);
        for (&action, row) in actions.iter().zip(rows.chunks_exact_mut(self.facts.size())) {
            seen.describe(action, row);
        }
    }

    #[inline(always)]
    fn random_action(&self, state: &State, random: u64, scratch: &mut Vec<Action>) -> Action {
        let [one, other] = match state.view(Viewer::Everything).table().ends() {
            [one, other] if !self.is_advanced() => [one, other],
            _ => return by_list::random_action(self, state, random, scratch),
        };
        // The plays in the order of their ids, without a list.
        let turn = self.turn(state);
        let [first, second] = [turn.plays[0].count_ones(), turn.plays[1].count_ones()];
        let number = scale(random, first + second + u32::from(turn.take) + u32::from(turn.miss));
        let play = |end: u8, value: u8, number: u32| {
            let outer = bits::nth(turn.plays[usize::from(end)].into(), number) as u8;
            Action::Play { domino: Facing { inner: value, outer }, end }
        };
        if number >= first + second {
            return if turn.take && number == first + second { Action::Take } else { Action::Miss };
        }
        if one.value == other.value {
            return play((number % 2) as u8, one.value, number / 2);
        }
        let (near, far) = if one.value < other.value {
            ((0, one.value, first), (1, other.value))
        } else {
            ((1, other.value, second), (0, one.value))
        };
        if number < near.2 { play(near.0, near.1, number) } else { play(far.0, far.1, number - near.2) }
    }
}

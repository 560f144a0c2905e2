//! Domiphun as a learner sees it.

use super::facts::Seen;
use super::lattice::{Construction, DIRECTIONS, Direction, RAISED, Sides};
use super::pieces::{Domino, Facing, NUM_DOMINOES, NUM_SQUARES, NUM_VALUES, Pieces};
use super::rules::{Action, Domiphun, Limits, Options, Phase, State, Table, Variant, View};
use super::words::{end_name, facing_name};
use crate::bits;
use crate::game::{Encode, Rules as _, Seat};
use crate::layout::{Layout, Writer};

const PHASES: [&str; 4] = ["turn", "star", "plate", "place"];
const AXES: usize = 3;
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
            limits.points,
            "points over the finished games of this match; no more are told apart than the highest",
        )
        .by_seat()
        .flags("to_act", &[players], "who decides now")
        .by_seat()
        .flags("first", &[players], "who started the game")
        .by_seat()
        .counts("pool", &[], limits.pool, "squares or dominoes in the pool")
        .counts("taken", &[], limits.taken, "taken in this turn, 16 at most")
        .counts("misses", &[], limits.players, "misses in a row with an empty pool")
        .counts("dominoes", &[], limits.dominoes, "dominoes on the table");
    if options.variant != Variant::Advanced {
        return layout;
    }
    layout
        .flags("phase", &[PHASES.len()], "what is being decided; none when the match is over")
        .labelled(PHASES)
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
            RAISED + NUM_SQUARES as u8,
            "the least corner of each square: x, y, z; 0 where there is none",
        )
        .offset(RAISED)
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

    /// The action with this number, worked out anew.
    pub(super) fn decoded(&self, id: usize) -> Action {
        let starts = self.starts();
        let within = |start: usize, end: usize| (id >= start && id < end).then(|| id - start);
        if let Some(domino) = Domino::numbered(id) {
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
            Action::way(place)
        } else if id == starts.take {
            Action::Take
        } else {
            Action::Miss
        }
    }

    #[inline(always)]
    fn play_id(domino: Facing, end: usize, ends: usize) -> usize {
        PLAY + pair(domino) * ends + end
    }

    #[inline(always)]
    fn write_joined(&self, view: &View<'_>, viewer: Seat, out: &mut Writer<'_>) {
        let (players, ends) = (self.players(), self.num_ends());
        let phase = view.phase();
        out.one_hot(number(phase), PHASES.len());
        by_seat(viewer, players, out, |seat| [view.x_joiners(), view.starjoiners()].map(|left| left[seat.index()]));
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

/// Writes a few blocks of an entry a seat, the viewer's own first.
#[inline(always)]
fn by_seat<const N: usize>(viewer: Seat, players: usize, out: &mut Writer<'_>, entries: impl Fn(Seat) -> [u8; N]) {
    let blocks = out.next(N * players);
    for (place, seat) in viewer.around(players).enumerate() {
        for (number, entry) in entries(seat).into_iter().enumerate() {
            blocks[number * players + place] = entry;
        }
    }
}

/// The number of a phase among [`PHASES`].
pub(super) const fn number(phase: Phase) -> Option<usize> {
    match phase {
        Phase::Turn => Some(0),
        Phase::Star { .. } => Some(1),
        Phase::Plate { .. } => Some(2),
        Phase::Place { .. } => Some(3),
        Phase::Over => None,
    }
}

/// Writes the squares and what holds them together.
fn write_construction(construction: &Construction, out: &mut Writer<'_>) {
    out.set(construction.closed(), NUM_SQUARES);
    let values = out.next(NUM_SQUARES);
    values.fill(0);
    for (entry, &value) in values.iter_mut().zip(construction.values()) {
        *entry = value + 1;
    }
    out.next(AXES * NUM_SQUARES).copy_from_slice(construction.corners());
    for (number, word) in construction.axes().into_iter().enumerate() {
        out.set(word, (AXES * NUM_SQUARES - 64 * number).min(64));
    }
    let [ordinary, x] = construction.sides_held().map(Sides::words);
    let words = ordinary.into_iter().zip(x);
    for ((ordinary, x), entries) in words.zip(out.next(SIDES * NUM_SQUARES).chunks_mut(64)) {
        let mut held = [0; 64];
        bits::spread_two(ordinary, x & !ordinary, &mut held);
        entries.copy_from_slice(&held[..entries.len()]);
    }
}

#[inline(always)]
fn pair(domino: Facing) -> usize {
    usize::from(domino.inner) * NUM_VALUES + usize::from(domino.outer)
}

#[inline(always)]
pub(super) fn facing(pair: usize) -> Facing {
    Facing { inner: (pair / NUM_VALUES) as u8, outer: (pair % NUM_VALUES) as u8 }
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
        self.by_id.get(id).copied().unwrap_or(Action::Miss)
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
        let mut out = Writer::new(row);
        let unseen = view.unseen();
        let hand = view.hand(viewer).unwrap_or(unseen.none());
        for end in 0..self.num_ends() {
            out.one_hot(table.ends().get(end).map(|end| end.value.into()), NUM_VALUES);
        }
        for pieces in [hand, unseen] {
            match pieces {
                Pieces::Dominoes(dominoes) => out.set(dominoes.both_ways(), PAIRS),
                Pieces::Squares(squares) => out.first(squares.counts(), NUM_VALUES),
            }
        }
        let (most_pieces, most_points) = (self.limits.hand.into(), u16::from(self.limits.points));
        let (wins, points) = (view.wins(), view.points());
        by_seat(viewer, players, &mut out, |seat| {
            let pieces = view.num_pieces(seat).min(most_pieces) as u8;
            let points = points[seat.index()].min(most_points) as u8;
            let [is_to_act, is_first] = [view.to_act() == Some(seat), view.first() == seat];
            [pieces, wins[seat.index()], points, is_to_act.into(), is_first.into()]
        });
        let pool = view.num_pool().min(self.limits.pool.into()) as u8;
        let taken = view.taken().min(self.limits.taken);
        out.first([pool, taken, view.misses(), table.laid().len() as u8], 4);
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

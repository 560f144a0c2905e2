//! Domiphun as a learner sees it.

use super::facts::Seen;
use super::lattice::{Construction, DIRECTIONS, Direction, Sides};
use super::pieces::{Domino, Facing, NUM_DOMINOES, NUM_SQUARES, NUM_VALUES, Pieces, Values};
use super::rules::{Action, Domiphun, Limits, Options, Phase, State, Table, Turn, Variant, View, ways_to_put};
use super::words::{end_name, facing_name};
use crate::bits;
use crate::game::{Encode, Fast, Rules as _, Seat, Viewer, by_list};
use crate::layout::{Layout, Writer};
use crate::rng::scale;

const PHASES: [&str; 4] = ["turn", "star", "plate", "place"];
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

    /// Writes what can be decided after the beginning of a play.
    #[inline(always)]
    fn write_rest_of_play(&self, state: &State, mask: &mut [i8]) {
        let Phase::Place { plate, .. } = state.view(Viewer::Everything).phase() else {
            mask.fill(0);
            return self.list(state, |action| mask[self.action_id(action)] = 1);
        };
        let mut out = Writer::new(mask);
        for _ in 0..4 {
            out.set(0, 64);
        }
        // The ways are the last but two.
        write_last(mask, ways_to_put(state, plate) << (64 - 2 - SIDES * SIDES));
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
    if players == 2 {
        // Nearly always: without loops of unknown length.
        let blocks = out.next(2 * N);
        let [own, other] = [entries(viewer), entries(Seat::new(usize::from(viewer.index() == 0)))];
        for number in 0..N {
            blocks[2 * number] = own[number];
            blocks[2 * number + 1] = other[number];
        }
        return;
    }
    let blocks = out.next(N * players);
    for place in 0..players {
        let seat = viewer.index() + place;
        let seat = Seat::new(if seat < players { seat } else { seat - players });
        for (number, entry) in entries(seat).into_iter().enumerate() {
            blocks[number * players + place] = entry;
        }
    }
}

/// Writes the last 64 ids of a mask.
#[inline(always)]
fn write_last(mask: &mut [i8], ids: u64) {
    if let Some((_, last)) = mask.split_last_chunk_mut() {
        bits::spread(ids, last);
    }
}

/// The number of a phase among [`PHASES`].
const fn number(phase: Phase) -> Option<usize> {
    match phase {
        Phase::Turn => Some(0),
        Phase::Star { .. } => Some(1),
        Phase::Plate { .. } => Some(2),
        Phase::Place { .. } => Some(3),
        Phase::Over => None,
    }
}

#[inline(always)]
fn write_construction(construction: &Construction, out: &mut Writer<'_>) {
    const PLACES: usize = NUM_SQUARES;
    const AXES_OF_SQUARES: usize = PLACES + AXES * NUM_SQUARES;
    const JOINERS: usize = AXES_OF_SQUARES + AXES * NUM_SQUARES;
    out.set(construction.closed(), NUM_SQUARES);
    let Some(entries) = out.next(JOINERS + SIDES * NUM_SQUARES).first_chunk_mut() else { return };
    let entries: &mut [u8; JOINERS + SIDES * NUM_SQUARES] = entries;
    entries[..JOINERS].fill(0);
    for (entry, &value) in entries.iter_mut().zip(construction.values()) {
        *entry = value + 1;
    }
    // Four bytes at a time, the last 0: what comes there is written later.
    for (number, place) in construction.places().iter().enumerate().take(NUM_SQUARES) {
        let start = PLACES + AXES * number;
        entries[start..start + 4].copy_from_slice(&place.raised(OFFSET));
    }
    for (number, place) in construction.places().iter().enumerate().take(NUM_SQUARES) {
        let (start, axis) = (AXES_OF_SQUARES + AXES * number, 1_u32 << (8 * (place.axis() & 3)));
        entries[start..start + 4].copy_from_slice(&axis.to_le_bytes());
    }
    write_joiners(construction.sides_held().map(Sides::words), &mut entries[JOINERS..]);
}

/// 1 for a side that holds an ordinary joiner, 2 for one that holds an X joiner.
#[inline(always)]
fn write_joiners([ordinary, x]: [[u64; 6]; 2], entries: &mut [u8]) {
    // The last word is not full: it is written together with the end of the one before.
    let mut words = ordinary;
    words[5] = words[4] >> 16 | words[5] << 48;
    for (word, start) in words.into_iter().zip([0, 64, 128, 192, 256, 272]) {
        if let Some(flags) = entries[start..].first_chunk_mut() {
            bits::spread(word, flags);
        }
    }
    for ((ordinary, x), entries) in ordinary.into_iter().zip(x).zip(entries.chunks_mut(64)) {
        bits::each(x & !ordinary).for_each(|side| entries[usize::from(side)] = 2);
    }
}

/// The dominoes with which a play can begin where the path has two ends: a bit for each id of the blocks "open" and
/// "play". Both drawing and the mask are made from them without a list.
struct Begin {
    ids: [u64; 2],
}

impl Begin {
    #[inline(always)]
    fn of(state: &State, turn: &Turn) -> Self {
        let mut ids = u128::from(turn.opens);
        if let [one, other] = state.view(Viewer::Everything).table().ends() {
            ids |= Self::at(one.value, turn.plays[0]) | Self::at(other.value, turn.plays[1]) << 1;
        }
        Self { ids: [ids as u64, (ids >> 64) as u64] }
    }

    /// The plays at end A, if it shows this value, with these outer values. The ids of both ends alternate.
    #[inline(always)]
    fn at(value: u8, outer: Values) -> u128 {
        let outer = u64::from(outer);
        let outer = (outer | outer << 4) & 0x0f0f;
        let outer = (outer | outer << 2) & 0x3333;
        let outer = (outer | outer << 1) & 0x5555;
        u128::from(outer) << (PLAY + 2 * NUM_VALUES * usize::from(value))
    }

    #[inline(always)]
    fn len(&self) -> u32 {
        self.ids[0].count_ones() + self.ids[1].count_ones()
    }

    #[inline(always)]
    fn nth(&self, number: u32) -> usize {
        let [low, high] = self.ids;
        match number.checked_sub(low.count_ones()) {
            None => bits::nth(low, number) as usize,
            Some(number) => 64 + bits::nth(high, number) as usize,
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
        if let Some(domino) = Domino::numbered(id) {
            Action::Open(domino)
        } else if let Some(play) = within(PLAY, starts.join) {
            // Nearly always 2: no division.
            let (pair, end) =
                if starts.ends == 2 { (play / 2, play % 2) } else { (play / starts.ends, play % starts.ends) };
            Action::Play { domino: facing(pair), end: end as u8 }
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
        match (hand, unseen) {
            (Pieces::Dominoes(hand), Pieces::Dominoes(unseen)) => {
                // All three blocks as two words, cut where both have room in the smallest row: the second begins with
                // the last of the hand.
                let (hand, unseen) = (hand.both_ways(), unseen.both_ways());
                let shown = match table.ends() {
                    [one, other] => 1 << one.value | 1 << NUM_VALUES << other.value,
                    _ => 0,
                };
                out.set(shown | hand << (2 * NUM_VALUES), 2 * NUM_VALUES + PAIRS - 1);
                out.set(hand >> (PAIRS - 1) | unseen << 1, 1 + PAIRS);
            }
            (Pieces::Squares(hand), Pieces::Squares(unseen)) => {
                for end in 0..self.starts().ends {
                    let shown: u64 = table.ends().get(end).map_or(0, |end| 1 << (8 * end.value));
                    out.first(shown.to_le_bytes(), NUM_VALUES);
                }
                for squares in [hand, unseen] {
                    out.first(squares.counts(), NUM_VALUES);
                }
            }
            // A game has pieces of one kind.
            _ => {}
        }
        let (most_pieces, most_points) = (self.limits.hand.into(), u16::from(most_points(&self.limits)));
        let (wins, points) = (view.wins(), view.points());
        by_seat(viewer, players, &mut out, |seat| {
            let pieces = view.num_pieces(seat).min(most_pieces) as u8;
            let points = points[seat.index()].min(most_points) as u8;
            let [is_to_act, is_first] = [view.to_act() == Some(seat), view.first() == seat];
            [pieces, wins[seat.index()], points, is_to_act.into(), is_first.into()]
        });
        let pool = view.num_pool().min(self.limits.pool.into()) as u8;
        let taken = view.taken().min(self.limits.pool.min(MOST_TAKEN));
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

impl Fast for Domiphun {
    const PAYS_AT_THE_END: bool = true;

    fn heap_bytes(&self) -> usize {
        if self.is_advanced() { size_of::<Construction>() } else { 0 }
    }

    #[inline(always)]
    fn write_mask(&self, state: &State, mask: &mut [i8], scratch: &mut Vec<Action>) {
        let starts = self.starts();
        let phase = state.view(Viewer::Everything).phase();
        if starts.ends != 2 || phase.is_over() {
            return by_list::write_mask(self, state, mask, scratch);
        }
        if !phase.is_turn() {
            return self.write_rest_of_play(state, mask);
        }
        let turn = self.turn(state);
        let [low, high] = Begin::of(state, &turn).ids;
        let mut out = Writer::new(mask);
        out.set(low, 64);
        if !self.is_advanced() {
            return out.set(high | u64::from(turn.take) << 62 | u64::from(turn.miss) << 63, 64);
        }
        out.set(high, 64);
        out.set(u64::from(turn.stars) << (starts.star - 128), 64);
        out.set(0, 64);
        write_last(mask, u64::from(turn.take) << 62 | u64::from(turn.miss) << 63);
    }

    fn describe_actions(&self, state: &State, actions: &[Action], rows: &mut [u8]) {
        let seen = Seen::new(self, state);
        for (&action, row) in actions.iter().zip(rows.chunks_exact_mut(self.facts.size())) {
            seen.describe(action, row);
        }
    }

    #[inline(always)]
    fn random_action(&self, state: &State, random: u64, scratch: &mut Vec<Action>) -> Action {
        match state.view(Viewer::Everything).phase() {
            Phase::Turn if self.starts().ends == 2 => {
                let turn = self.turn(state);
                let begin = Begin::of(state, &turn);
                let [plays, stars] = [begin.len(), turn.stars.count_ones()];
                let number = scale(random, plays + stars + u32::from(turn.take) + u32::from(turn.miss));
                if number < plays {
                    self.action(begin.nth(number))
                } else if number < plays + stars {
                    Action::Star(bits::nth(turn.stars.into(), number - plays) as u8)
                } else if turn.take && number == plays + stars {
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

//! What a player may do, and why not.

use super::super::lattice::{Construction, DIRECTIONS, Direction, Joiner, Misfit, Spot};
use super::super::pieces::{Domino, Facing, NUM_VALUES, Pieces, Values};
use super::super::ways::Ways;
use super::super::words::{end_name, facing_name};
use super::{Action, Domiphun, ENOUGH_TAKEN, End, MAX_ENDS, PLAIN_DOMINOES, Phase, State, Variant};
use crate::bits;
use crate::game::{Refusal, Seat, Wording};

/// The joiners with which a domino may be joined.
#[derive(Clone, Copy)]
pub(in super::super) struct May {
    /// None of one's own.
    plainly: bool,
    /// An X joiner of one's own.
    with_x: bool,
}

impl May {
    const PLAINLY: Self = Self { plainly: true, with_x: false };

    #[inline(always)]
    fn use_joiner(self, joiner: Joiner) -> bool {
        if joiner == Joiner::X { self.with_x } else { self.plainly }
    }

    /// Those of the ways to a square that may be gone.
    #[inline(always)]
    fn among(self, [plainly, with_x]: [Ways; 2]) -> [Ways; 2] {
        [if self.plainly { plainly } else { 0 }, if self.with_x { with_x } else { 0 }]
    }
}

/// What can be decided at the beginning of a play on a path of at most so many ends.
pub(in super::super) struct Turn<const ENDS: usize> {
    /// Dominoes that can be laid first, a bit each.
    pub opens: u32,
    /// By end, the dominoes that can be played there, a bit for every touching and outer value.
    pub plays: [u64; ENDS],
    /// Ends on which a Starjoiner can be put, a bit each.
    pub stars: u32,
    pub take: bool,
    pub miss: bool,
}

impl<const ENDS: usize> Turn<ENDS> {
    /// Every action, in the order of the ids.
    #[inline(always)]
    fn list(&self, see: &mut impl FnMut(Action)) {
        bits::each(self.opens.into())
            .filter_map(|number| Domino::numbered(number.into()))
            .map(Action::Open)
            .for_each(&mut *see);
        let all = self.plays.iter().fold(0, |all, plays| all | plays);
        for pair in bits::each(all) {
            let domino = Facing { inner: pair / NUM_VALUES as u8, outer: pair % NUM_VALUES as u8 };
            for (end, plays) in (0..).zip(self.plays) {
                if plays >> pair & 1 == 1 {
                    see(Action::Play { domino, end });
                }
            }
        }
        bits::each(self.stars.into()).for_each(|end| see(Action::Star(end)));
        if self.take {
            see(Action::Take);
        }
        if self.miss {
            see(Action::Miss);
        }
    }
}

impl Domiphun {
    /// What the seat to act can decide at the beginning of a play.
    #[inline(always)]
    pub(in super::super) fn turn<const ENDS: usize>(&self, state: &State) -> Turn<ENDS> {
        let (hand, ends) = (state.hand(), state.table.ends());
        let opens = if state.table.laid.is_empty() { openings(hand) } else { 0 };
        let shown = std::array::from_fn(|number| ends.get(number).map_or(0, |end| end.value));
        let mut plays: [u64; ENDS] = hand.pairs(shown);
        let mut has_ordinary_play = opens != 0;
        let may = Self::may(state, state.turn);
        for (number, plays) in plays.iter_mut().enumerate() {
            let Some(end) = ends.get(number).filter(|_| *plays != 0) else {
                *plays = 0;
                continue;
            };
            let [plainly, with_x] = may.among(ways(state, end.plate));
            has_ordinary_play |= plainly != 0;
            *plays = if plainly | with_x == 0 { 0 } else { *plays };
        }
        let stars = Self::ends_to_close(state, state.turn, hand);
        let [take, miss] = self.taking(state, has_ordinary_play);
        Turn { opens, plays, stars, take, miss }
    }

    /// The same where there is no construction, and so two ends at most.
    #[inline(always)]
    pub(in super::super) fn flat_turn(&self, state: &State) -> Turn<2> {
        let hand = state.hand();
        let opens = if state.table.laid.is_empty() { openings(hand) } else { 0 };
        let plays = match state.table.ends() {
            [one, other] => hand.pairs([one.value, other.value]),
            _ => [0; 2],
        };
        let has_play = plays[0] | plays[1] | u64::from(opens) != 0;
        let [take, miss] = self.taking(state, has_play);
        Turn { opens, plays, stars: 0, take, miss }
    }

    /// Whether a piece may be taken, and the turn missed. Without a branch: nobody can tell who will have to take.
    #[inline(always)]
    fn taking(&self, state: &State, has_ordinary_play: bool) -> [bool; 2] {
        [!has_ordinary_play & !state.pool.is_empty(), !has_ordinary_play & self.may_miss(state)]
    }

    /// Whether a player who has no ordinary play may miss the turn (DOMI-4, DOMI-7).
    #[inline(always)]
    fn may_miss(&self, state: &State) -> bool {
        state.pool.is_empty() || self.options.variant != Variant::Traditional && state.taken >= ENOUGH_TAKEN
    }

    /// What a play at an end may use (DOMI-12).
    #[inline(always)]
    fn may(state: &State, seat: Seat) -> May {
        let with_x = state.x_joiners[seat.index()] > 0 && state.table.laid.len() >= PLAIN_DOMINOES;
        May { plainly: true, with_x }
    }

    /// What a play after a Starjoiner may use: it must not win (DOMI-17).
    #[inline(always)]
    fn may_after_star(state: &State, seat: Seat, is_last_domino: bool) -> May {
        let x_joiners = state.x_joiners[seat.index()];
        let wins_with = |used| is_last_domino && x_joiners == used;
        May { plainly: !wins_with(0), with_x: x_joiners > 0 && !wins_with(1) }
    }

    /// Whether a play without a Starjoiner or an X joiner of one's own exists (DOMI-8, DOMI-19).
    #[inline(always)]
    fn has_ordinary_play(state: &State, seat: Seat) -> bool {
        Self::has_play(state, state.hands[seat.index()], May::PLAINLY)
    }

    #[inline(always)]
    fn has_play(state: &State, hand: Pieces, may: May) -> bool {
        if state.table.laid.is_empty() {
            return can_open(hand);
        }
        for end in state.table.ends() {
            if hand.beside(end.value) != 0 && can_place(state, end.plate, may) {
                return true;
            }
        }
        false
    }

    /// Whether a seat could play if it had the turn and this hand.
    #[inline(always)]
    pub(super) fn can_play(state: &State, seat: Seat, hand: Pieces) -> bool {
        Self::has_play(state, hand, Self::may(state, seat)) || Self::ends_to_close(state, seat, hand) != 0
    }

    /// The values that the ends show at which a seat could put a domino, if it had one for each.
    pub(in super::super) fn open_ends(state: &State, seat: Seat) -> impl Iterator<Item = u8> {
        let may = Self::may(state, seat);
        let is_closed = |plate: u8| state.table.construction().is_some_and(|built| built.is_closed(plate));
        let has_room = move |end: &&End| !is_closed(end.plate) && can_place(state, end.plate, may);
        state.table.ends.iter().filter(has_room).map(|end| end.value)
    }

    /// The ends on which a seat with this hand can put a Starjoiner, a bit each (DOMI-17).
    #[inline(always)]
    fn ends_to_close(state: &State, seat: Seat, hand: Pieces) -> u32 {
        if state.starjoiners[seat.index()] == 0 || state.table.laid.len() < PLAIN_DOMINOES {
            return 0;
        }
        let may = Self::may_after_star(state, seat, hand.len() == 2);
        // Two are enough: one of them is not the square that is closed.
        let open = open_squares(state, hand.touching(), may, 2);
        let closing = state.table.ends.iter().zip(0..).filter(|(end, _)| open & !(1 << end.plate) != 0);
        closing.fold(0, |set, (_, number)| set | 1 << number)
    }

    /// Whether a domino can follow the Starjoiner that was just put.
    pub(super) fn can_restart(state: &State) -> bool {
        let hand = state.hand();
        let may = Self::may_after_star(state, state.turn, hand.len() == 2);
        open_squares(state, hand.touching(), may, 1) != 0
    }

    /// What may be used in this phase by the domino that is on its way.
    #[inline(always)]
    fn may_now(state: &State) -> May {
        match state.phase {
            Phase::Place { end, plate, .. } if state.table.end(end).is_some_and(|end| end.plate == plate) => {
                Self::may(state, state.turn)
            }
            Phase::Star { .. } => Self::may_after_star(state, state.turn, state.hand().len() == 2),
            _ => Self::may_after_star(state, state.turn, state.hand().is_empty()),
        }
    }

    /// In how many ways a domino can be joined to the square that an action chooses, plainly and with an X joiner; none
    /// where there is no construction.
    pub(in super::super) fn ways(state: &State, action: Action) -> [u8; 2] {
        if state.table.construction.is_none() {
            return [0, 0];
        }
        let (plate, may) = match action {
            Action::Play { end, .. } => match state.table.end(end) {
                Some(end) => (end.plate, Self::may(state, state.turn)),
                None => return [0, 0],
            },
            Action::Plate(plate) => (plate, Self::may_now(state)),
            _ => return [0, 0],
        };
        may.among(ways(state, plate)).map(|ways| ways.count_ones() as u8)
    }

    /// The values that squares show to which a domino can be joined after a Starjoiner.
    fn values_to_join(state: &State) -> Values {
        let may = Self::may_now(state);
        bits::wide(
            #[inline(always)]
            || {
                let mut values = 0;
                for value in bits::each(state.hand().touching().into()) {
                    values |= Values::from(open_squares(state, 1 << value, may, 1) != 0) << value;
                }
                values
            },
        )
    }

    /// The squares to which the chosen domino can be joined after a Starjoiner, a bit each.
    fn squares_to_join(state: &State, domino: Facing) -> u64 {
        bits::wide(
            #[inline(always)]
            || open_squares(state, 1 << domino.inner, Self::may_now(state), u32::MAX),
        )
    }

    /// Every legal action, in the order of the ids.
    #[inline(always)]
    pub(in super::super) fn list(&self, state: &State, mut see: impl FnMut(Action)) {
        match state.phase {
            Phase::Turn => {
                self.list_turn(state, &mut see);
            }
            Phase::Star { .. } => {
                for inner in bits::each(Self::values_to_join(state).into()) {
                    for outer in bits::each(state.hand().beside(inner).into()) {
                        see(Action::Join(Facing { inner, outer }));
                    }
                }
            }
            Phase::Plate { domino, .. } => {
                bits::each(Self::squares_to_join(state, domino)).map(Action::Plate).for_each(see);
            }
            Phase::Place { plate, .. } => {
                for way in bits::each(ways_to_put(state, plate)) {
                    see(Action::way(way.into()));
                }
            }
            Phase::Over => {}
        }
    }

    #[inline(always)]
    fn list_turn(&self, state: &State, see: &mut impl FnMut(Action)) {
        // With no more room for ends than needed.
        if state.table.construction.is_none() {
            self.flat_turn(state).list(see);
        } else if state.table.ends.len() <= 2 {
            self.turn::<2>(state).list(see);
        } else {
            self.turn::<MAX_ENDS>(state).list(see);
        }
    }

    /// Whether a turn can begin with an action.
    #[inline(always)]
    pub(super) fn can_begin(&self, state: &State, action: Action) -> bool {
        let hand = state.hand();
        match action {
            Action::Open(domino) => state.table.laid.is_empty() && hand.has(domino.facing()),
            Action::Play { domino, end } => match state.table.end(end) {
                Some(end) => {
                    end.value == domino.inner
                        && hand.has(domino)
                        && can_place(state, end.plate, Self::may(state, state.turn))
                }
                None => false,
            },
            Action::Star(end) => Self::ends_to_close(state, state.turn, hand) >> end & 1 == 1,
            Action::Take => !state.pool.is_empty() && !Self::has_ordinary_play(state, state.turn),
            Action::Miss => self.may_miss(state) && !Self::has_ordinary_play(state, state.turn),
            Action::Join(_) | Action::Plate(_) | Action::Place { .. } => false,
        }
    }

    /// Whether a domino can follow a Starjoiner.
    #[inline(always)]
    pub(super) fn can_join(state: &State, domino: Facing) -> bool {
        state.hand().has(domino) && open_squares(state, 1 << domino.inner, Self::may_now(state), 1) != 0
    }

    /// Whether that domino can be joined to a square.
    #[inline(always)]
    pub(super) fn can_join_to(state: &State, domino: Facing, plate: u8) -> bool {
        state.table.construction().is_some_and(|construction| {
            construction.values().get(usize::from(plate)) == Some(&domino.inner)
                && !construction.is_closed(plate)
                && can_place(state, plate, Self::may_now(state))
        })
    }

    /// Whether the chosen domino can be put at a spot.
    #[inline(always)]
    pub(super) fn can_put(state: &State, spot: Spot) -> bool {
        let way = DIRECTIONS.len() * spot.side.number() + spot.heading.number();
        ways_to_put(state, spot.plate) >> way & 1 == 1
    }

    /// Why a turn cannot begin with an action.
    pub(super) fn why_not_begin(&self, state: &State, action: Action) -> Refusal {
        let seat = state.turn;
        let has_begun = !state.table.laid.is_empty();
        match action {
            Action::Join(_) | Action::Plate(_) | Action::Place { .. } => Refusal::new("", "no domino is chosen yet"),
            Action::Open(_) if has_begun => Refusal::new("DOMI-6", "the path has begun: name the end, such as 3-5 A"),
            Action::Open(domino) => has_no(seat, domino.facing()),
            Action::Play { .. } if !has_begun => {
                Refusal::new("DOMI-5", "the first domino is laid by itself, such as 3-5")
            }
            Action::Play { domino, end } => Self::why_not_play(state, domino, end),
            Action::Star(end) => self.why_not_close(state, end),
            Action::Take | Action::Miss if Self::has_ordinary_play(state, seat) => {
                Refusal::new("DOMI-8", "a player who can play must")
            }
            Action::Take => Refusal::new("DOMI-7", "the pool is empty"),
            Action::Miss if self.options.variant == Variant::Traditional => {
                Refusal::new("DOMI-4", "there are dominoes to draw")
            }
            Action::Miss => {
                let when = format!("after {ENOUGH_TAKEN} squares are taken or when the pool is empty");
                Refusal::new("DOMI-7", format!("the turn may be missed {when}"))
            }
        }
    }

    fn why_not_close(&self, state: &State, end: u8) -> Refusal {
        let seat = state.turn;
        if !self.is_advanced() || state.starjoiners[seat.index()] == 0 {
            Refusal::new("DOMI-11", Wording::player(seat, "has").text(" no Starjoiner left"))
        } else if state.table.laid.len() < PLAIN_DOMINOES {
            too_early()
        } else if state.table.end(end).is_none() {
            no_end(end)
        } else if state.hand().len() == 2 && state.x_joiners[seat.index()] < 2 {
            star_wins()
        } else {
            Refusal::new("DOMI-17", "no domino could follow a Starjoiner there")
        }
    }

    fn why_not_play(state: &State, domino: Facing, end: u8) -> Refusal {
        let Some(at) = state.table.end(end) else { return no_end(end) };
        if !state.hand().has(domino) {
            return has_no(state.turn, domino);
        }
        if at.value != domino.inner {
            let shown = format!("end {} shows {}, not {}", end_name(end), at.value, domino.inner);
            return Refusal::new("DOMI-6", shown);
        }
        let heading = state.table.construction().map_or(Direction::East, |built| built.heading(at.plate));
        let spot = Spot { plate: at.plate, side: heading, heading };
        let there = why_not_there(state, spot, Self::may(state, state.turn));
        let nowhere = Wording::from(format!("no place for a domino at end {}: ", end_name(end)));
        Refusal { reason: nowhere.and(there.reason), ..there }
    }

    /// Why a domino cannot follow a Starjoiner.
    pub(super) fn why_not_join(state: &State, domino: Facing) -> Refusal {
        if state.hand().has(domino) {
            Refusal::new("DOMI-17", format!("no square that shows {} takes a domino", domino.inner))
        } else {
            has_no(state.turn, domino)
        }
    }

    /// Why that domino cannot be joined to a square.
    pub(super) fn why_not_join_to(state: &State, domino: Facing, plate: u8) -> Refusal {
        let shown =
            |built: &Construction| built.values().get(usize::from(plate)).map(|&value| (value, built.is_closed(plate)));
        match state.table.construction().and_then(shown) {
            None => Refusal::new("", format!("there is no square {plate}")),
            Some((_, true)) => Refusal::new("DOMI-17", format!("square {plate} holds a Starjoiner")),
            Some((value, _)) if value != domino.inner => {
                Refusal::new("DOMI-17", format!("square {plate} shows {value}, not {}", domino.inner))
            }
            Some(_) => Refusal::new("DOMI-17", format!("no domino can be joined to square {plate}")),
        }
    }

    /// Why the chosen domino cannot be put at a spot.
    pub(super) fn why_not_put(state: &State, spot: Spot) -> Refusal {
        why_not_there(state, spot, Self::may_now(state))
    }
}

fn has_no(seat: Seat, domino: Facing) -> Refusal {
    Refusal::new("", Wording::player(seat, "has").text(format!(" no {} to play", facing_name(domino))))
}

fn no_end(end: u8) -> Refusal {
    Refusal::new("DOMI-20", format!("there is no end {} yet", end_name(end)))
}

fn too_early() -> Refusal {
    Refusal::new("DOMI-12", "the first four dominoes are played without X joiners and Starjoiners")
}

fn star_wins() -> Refusal {
    Refusal::new("DOMI-17", "a Starjoiner may not be used with the play that wins")
}

fn can_open(hand: Pieces) -> bool {
    hand.touching() != 0
}

/// The dominoes of a hand by their numbers, a bit each.
fn openings(hand: Pieces) -> u32 {
    let mut first = 0;
    (0..NUM_VALUES as u8).fold(0, |set, low| {
        let with_low = u32::from(hand.beside(low) >> low) << first;
        first += NUM_VALUES as u8 - low;
        set | with_low
    })
}

/// The ways to put the chosen domino to a square: bit 6i + j for side i and heading j, in the order of the ids.
#[inline(always)]
pub(in super::super) fn ways_to_put(state: &State, plate: u8) -> u64 {
    let Some(construction) = &state.table.construction else { return 0 };
    let [plainly, with_x] = Domiphun::may_now(state).among(construction.ways(plate));
    construction.place(plate).around().ids(plainly | with_x)
}

/// The ways to join a domino to a square, without and with an X joiner of one's own; where there is no construction, one
/// without.
#[inline(always)]
fn ways(state: &State, plate: u8) -> [Ways; 2] {
    match &state.table.construction {
        Some(construction) => construction.ways(plate),
        None => [1, 0],
    }
}

/// Whether a domino can be joined somewhere to a square.
#[inline(always)]
fn can_place(state: &State, plate: u8, may: May) -> bool {
    may.among(ways(state, plate)) != [0, 0]
}

/// The first squares of some values to which a domino can be joined after a Starjoiner, a bit each, until there are enough.
#[inline(always)]
fn open_squares(state: &State, values: Values, may: May, enough: u32) -> u64 {
    let Some(construction) = &state.table.construction else { return 0 };
    let mut open: u64 = 0;
    for plate in bits::each(construction.showing(values) & !construction.closed()) {
        if may.among(construction.ways(plate)) != [0, 0] {
            open |= 1 << plate;
            if open.count_ones() == enough {
                break;
            }
        }
    }
    open
}

/// Why a domino cannot be joined at a spot.
#[cold]
fn why_not_there(state: &State, spot: Spot, may: May) -> Refusal {
    let Some(construction) = state.table.construction() else {
        return Refusal::new("DOMI-13", "only the advanced game has sides");
    };
    let fit = match construction.fit(spot) {
        Ok(fit) => fit,
        Err(misfit) => return why_unfit(construction, spot, misfit),
    };
    let seat = state.turn;
    if fit.joiner == Joiner::X && state.table.laid.len() < PLAIN_DOMINOES {
        return too_early();
    }
    if fit.joiner == Joiner::X && state.x_joiners[seat.index()] == 0 {
        return Refusal::new("DOMI-11", Wording::player(seat, "has").text(" no X joiner left"));
    }
    if !may.use_joiner(fit.joiner) {
        return star_wins();
    }
    let distance = construction.balance().distance_with(fit.places);
    let beyond = format!("the centre of mass would lie {distance} beyond the support");
    Refusal::new("DOMI-16", format!("the construction would topple: {beyond}"))
}

/// What is in the way of a domino.
pub(super) fn why_unfit(construction: &Construction, spot: Spot, misfit: Misfit) -> Refusal {
    let side = spot.side.name();
    match misfit {
        Misfit::NoSide => Refusal::new("DOMI-13", format!("the square has no {side} side")),
        Misfit::NoWay => {
            let [one, other] = Direction::along(construction.place(spot.plate).axis()).map(Direction::name);
            let ways = format!("goes {side}, or at a right angle {one} or {other}");
            Refusal::new("DOMI-14", format!("a domino at the {side} side {ways}"))
        }
        Misfit::Held => Refusal::new("DOMI-13", format!("the {side} side is not free")),
        Misfit::Taken => Refusal::new("DOMI-15", "another square is there"),
        Misfit::Below => Refusal::new("DOMI-15", "that is below the table"),
    }
}

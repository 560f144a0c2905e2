//! Dealing.

use super::super::position::{Position, Reader};
use super::{Action, Mapominoes, Phase, State, Tally, Transit, options};
use crate::atlas::Source;
use crate::error::Error;
use crate::game::{Seat, Show as _};
use crate::games::mapominoes::table::Card;
use crate::position_text::{by_seat, seat};
use crate::rng::Rng;
use crate::set::Set;

impl Mapominoes {
    /// Deals a round (MAPO-7 to MAPO-9), again if nobody could ever go.
    pub(super) fn deal_round(&self, state: &mut State, rng: &mut Rng) {
        let players = self.players();
        state.turn = self.left_of(state.dealer);
        loop {
            state.table.clear();
            state.shown = Set::EMPTY;
            state.aside = Set::EMPTY;
            state.hands = Default::default();
            let start = deal(self.first, true, &mut state.hands[..players], state.turn, rng);
            if let Some(county) = start {
                state.table.lay(&self.frame, self.frame.middle(), Card { place: county, is_transit: false });
            }
            state.undealt = self.deck - self.first;
            state.transit = Default::default();
            state.transit[..players].fill(self.transit_each);
            state.pile = self.options.transit_cards - self.transit_each * players as u8;
            state.passes = 0;
            state.phase = Phase::Go;
            if state.pile > 0 || !self.nobody_can_go(state) {
                return;
            }
        }
    }

    /// Deals the remaining nations, beginning with the player who played their last card (MAPO-23).
    #[cold]
    pub(super) fn deal_rest(&self, state: &mut State, rng: &mut Rng) {
        deal(state.undealt, false, &mut state.hands[..self.players()], state.turn, rng);
        state.undealt = Set::EMPTY;
    }
}

/// Deals cards one at a time from `first` on; the last one stays over, if one is to start with.
fn deal(cards: Set, keep_last: bool, hands: &mut [Set], first: Seat, rng: &mut Rng) -> Option<u8> {
    let mut order = [0; 256];
    let mut count = 0;
    for card in cards.iter() {
        order[count] = card;
        count += 1;
    }
    shuffle(&mut order[..count], rng);
    let (dealt, start) = if keep_last { (count - 1, Some(order[count - 1])) } else { (count, None) };
    for (index, &card) in order[..dealt].iter().enumerate() {
        hands[(first.index() + index) % hands.len()].insert(card);
    }
    start
}

/// Puts cards into a uniform random order.
pub(super) fn shuffle(cards: &mut [u8], rng: &mut Rng) {
    for end in (1..cards.len()).rev() {
        let other = rng.below(end as u64 + 1) as usize;
        cards.swap(end, other);
    }
}

impl Mapominoes {
    /// Deals what `viewer` has not seen among the others, as many to each as they hold, until it fits what everybody
    /// sees: that somebody can go, and that a transit card on its way can be followed.
    pub(super) fn deal_unseen(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        let players = self.players();
        let chosen: Set = state.phase.county().into_iter().collect();
        let seen = state.shown | chosen;
        let others: Vec<usize> = (0..players).filter(|&seat| seat != viewer.index()).collect();
        let sizes: Vec<usize> = others.iter().map(|&seat| (state.hands[seat] - seen).len()).collect();
        if others.len() < 2 {
            return;
        }
        let unseen = others.iter().fold(Set::EMPTY, |all, &seat| all | (state.hands[seat] - seen));
        let mut cards: Vec<u8> = unseen.iter().collect();
        loop {
            shuffle(&mut cards, rng);
            let mut rest = &cards[..];
            for (&seat, &size) in others.iter().zip(&sizes) {
                let (dealt, left) = rest.split_at(size);
                state.hands[seat] = state.hands[seat] & seen | dealt.iter().copied().collect();
                rest = left;
            }
            if self.is_playable(state) {
                return;
            }
        }
    }

    /// Whether somebody has something to decide, and can complete what they have begun.
    pub(super) fn is_playable(&self, state: &State) -> bool {
        match state.phase {
            Phase::Go => state.pile > 0 || !self.nobody_can_go(state),
            Phase::Follow { .. } => !self.find_counties(state).is_empty(),
            Phase::PlaceTransit { nominee } => {
                self.options.challenges || self.can_nominate(state, nominee, state.hand())
            }
            Phase::Place { .. } | Phase::PlaceFollow { .. } | Phase::Challenge { .. } | Phase::Over => true,
        }
    }

    /// Fails if no deal leads to a play.
    pub(super) fn require_a_game(&self) -> Result<(), Error> {
        let (columns, rows) = self.frame.size();
        let meet = |one: u8, other: u8| self.frame.near(one).contains(other);
        let share = |one: u8, other: u8| one != other && self.frame.near(one).meets(self.frame.near(other));
        let cards = self.first;
        let some_pair =
            |test: &dyn Fn(u8, u8) -> bool| cards.iter().any(|one| cards.iter().any(|other| test(one, other)));
        let beside = columns * rows > 1 && some_pair(&meet);
        let has_transit = self.transit_each > 0 || self.options.transit_cards > 0;
        let has_room = columns > 3 || rows > 3 || (columns > 1 && rows > 1);
        let through = has_transit && has_room && some_pair(&share);
        if beside || through {
            return Ok(());
        }
        let (width, height) = self.options.table;
        options::refuse(format!("table = ({width}, {height}): no card of this deck could ever be laid (MAPO-11)"))
    }

    /// Fails if the name of a region of somebody's own atlas reads as another action.
    pub(super) fn require_clear_names(&self) -> Result<(), Error> {
        if !matches!(self.options.atlas, Source::Custom(_)) {
            return Ok(());
        }
        for (place, number) in self.atlas.places()[..self.atlas.num_regions()].iter().zip(0..) {
            if self.parse(&place.name) != Some(Action::County(number)) {
                return options::refuse(format!("atlas: the name {:?} reads as another action", place.name));
            }
        }
        Ok(())
    }
}

impl Mapominoes {
    /// A match as described.
    pub(in super::super) fn state_at(&self, position: &Position) -> Result<State, String> {
        let players = self.players();
        let seat_in = |number| seat(number, players);
        let read = Reader { atlas: &self.atlas, frame: &self.frame };
        let mut state = self.before_the_first_round();
        for (name, card) in &position.table {
            let (cell, card) = (read.cell(name)?, read.card(card)?);
            if !state.table.is_free(cell) {
                return Err(format!("table: two cards on {name}"));
            }
            if !card.is_transit && state.table.counties().contains(card.place) {
                return Err(format!("table: {} lies there twice", self.atlas.place(card.place).name));
            }
            if card.is_transit && state.table.transits().len() == usize::from(self.options.transit_cards) {
                return Err(format!("table: more than {} transit cards", self.options.transit_cards));
            }
            state.table.lay(&self.frame, cell, card);
        }
        if position.hands.len() != self.players() {
            return Err(format!("hands: {} hands for {} players", position.hands.len(), self.players()));
        }
        for (hand, names) in state.hands.iter_mut().zip(&position.hands) {
            *hand = read.regions(names)?;
        }
        state.undealt = read.regions(&position.undealt)?;
        state.shown = read.regions(&position.shown)?;
        let placed = state.hands.iter().fold(state.undealt | state.table.counties(), |all, &hand| all | hand);
        state.aside = self.deck - placed;
        state.transit = by_seat("transit", &position.transit, players)?;
        state.pile = position.pile;
        state.points = by_seat("points", &position.points, players)?;
        state.round = position.round.checked_sub(1).ok_or("round: rounds are counted from 1")?;
        state.dealer = seat_in(position.dealer.unwrap_or(self.players() - 1))?;
        state.turn = position.turn.map_or(Ok(self.left_of(state.dealer)), seat_in)?;
        state.passes = position.passes;
        state.tally = Tally {
            blocked_rounds: position.blocked_rounds,
            double_connections: by_seat("double_connections", &position.double_connections, players)?,
            transit_played: by_seat("transit_played", &position.transit_played, players)?,
        };
        let missing = |name: &str| format!("phase {:?}: {name} is missing", position.phase);
        let county = || read.region(position.county.as_ref().ok_or_else(|| missing("county"))?);
        let nominee = || read.place(position.nominee.as_ref().ok_or_else(|| missing("nominee"))?);
        let cell = || read.cell(position.cell.as_ref().ok_or_else(|| missing("cell"))?);
        let transit_cell = || read.cell(position.transit_cell.as_ref().ok_or_else(|| missing("transit_cell"))?);
        let transit = || Ok::<_, String>(Transit { nominee: nominee()?, cell: transit_cell()? });
        let has_transit = position.nominee.is_some() || position.transit_cell.is_some();
        let asked = || seat_in(position.asked.ok_or_else(|| missing("asked"))?);
        state.phase = match &*position.phase {
            "go" => Phase::Go,
            "place" => Phase::Place { county: county()? },
            "place_transit" => Phase::PlaceTransit { nominee: nominee()? },
            "follow" => Phase::Follow { transit: transit()? },
            "place_follow" => Phase::PlaceFollow { transit: transit()?, county: county()? },
            "challenge" => {
                let transit = has_transit.then(transit).transpose()?;
                Phase::Challenge { transit, county: county()?, cell: cell()?, asked: asked()? }
            }
            "over" => Phase::Over,
            other => {
                let known = "go, place, place_transit, follow, place_follow, challenge, over";
                return Err(format!("no phase {other:?}: the phases are {known}"));
            }
        };
        Ok(state)
    }
}

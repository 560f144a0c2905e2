//! What a player may do, and why not.

use super::{Action, Draw, Mapominoes, Phase, State, Transit};
use crate::game::{Refusal, Seat};
use crate::games::mapominoes::table::{Cell, Table};
use crate::set::Set;

impl Mapominoes {
    /// The counties that the seat to act may choose now.
    #[inline(always)]
    pub(in super::super) fn counties(&self, state: &State) -> Set {
        let hand = state.hand();
        match state.phase {
            Phase::Go if self.options.challenges => {
                let mut cells = state.table.cells_beside_cards();
                if cells.next().is_some() { hand } else { Set::EMPTY }
            }
            Phase::Go => hand & state.table.fitting(),
            Phase::Follow { .. } if self.options.challenges => hand,
            Phase::Follow { transit: Transit { nominee, cell } } => {
                let counties = hand & self.frame.near(nominee);
                let following = state.table.followers(&self.frame, cell, counties);
                following.fold(Set::EMPTY, |all, (_, set)| all | set)
            }
            _ => Set::EMPTY,
        }
    }

    /// The places that the seat to act may nominate now.
    #[inline(always)]
    pub(in super::super) fn nominees(&self, state: &State) -> Set {
        match state.phase {
            Phase::Go if self.options.challenges => {
                let mut cells = state.table.cells_for_any_transit(&self.frame);
                let may = state.transit[state.turn.index()] > 0 && cells.next().is_some();
                if may { self.bordered } else { Set::EMPTY }
            }
            Phase::Go => self.nominees_of(state, state.turn),
            _ => Set::EMPTY,
        }
    }

    /// Whether a transit card may be laid and one of the hand's counties follow, as the seat to act holds them.
    pub(super) fn may_lay_transit(&self, state: &State, Transit { nominee, cell }: Transit) -> bool {
        let (table, frame) = (&state.table, &self.frame);
        if self.options.challenges {
            return self.bordered.contains(nominee) && table.takes_any_transit(frame, cell);
        }
        table.takes_transit(frame, cell, nominee, state.hand() & frame.near(nominee))
    }

    /// Whether a county on a cell, and the transit card that it follows, border all that lies beside them (MAPO-11 to
    /// MAPO-13).
    #[inline(always)]
    pub(in super::super) fn is_right(&self, table: &Table, transit: Option<Transit>, county: u8, cell: Cell) -> bool {
        let frame = &self.frame;
        let is_led = |Transit { nominee, cell }: Transit| {
            table.borders_all(frame, cell, nominee) && frame.near(nominee).contains(county)
        };
        transit.is_none_or(is_led) && table.borders_all(frame, cell, county)
    }

    /// The places that a seat could nominate, had it a go now (MAPO-12, MAPO-13).
    fn nominees_of(&self, state: &State, seat: Seat) -> Set {
        if state.transit[seat.index()] == 0 {
            return Set::EMPTY;
        }
        let hand = state.hands[seat.index()];
        let reached = hand.iter().fold(Set::EMPTY, |all, county| all | self.frame.near(county));
        // Where there is an empty cell to follow on, anything that borders the nominee can. The others need a search.
        let mut nominees = reached & state.table.opening();
        for nominee in (reached & (state.table.fitting() - nominees)).iter() {
            if self.can_nominate(state, nominee, hand) {
                nominees.insert(nominee);
            }
        }
        nominees
    }

    /// Whether a transit card for the nominee can be laid and one of the hand's counties follow.
    pub(super) fn can_nominate(&self, state: &State, nominee: u8, hand: Set) -> bool {
        let followers = hand & self.frame.near(nominee);
        let is_open = state.table.opening().contains(nominee);
        is_open && !followers.is_empty()
            || state.table.cells_for_transit(&self.frame, nominee, followers).next().is_some()
    }

    /// Whether a seat could go, had it a go now: rightly, whatever challenges allow (MAPO-17, MAPO-20).
    fn can_go(&self, state: &State, seat: Seat) -> bool {
        state.hands[seat.index()].meets(state.table.fitting()) || !self.nominees_of(state, seat).is_empty()
    }

    /// Whether no player has a legal play (MAPO-20).
    pub(super) fn nobody_can_go(&self, state: &State) -> bool {
        !(0..self.players()).any(|ahead| self.can_go(state, self.seat_after(state.turn, ahead)))
    }

    /// Whether the seat to act may say that it cannot go (MAPO-17).
    #[inline(always)]
    pub(in super::super) fn may_take(&self, state: &State) -> bool {
        state.phase == Phase::Go && (self.options.draw == Draw::Free || !self.can_go(state, state.turn))
    }

    /// Every cell that the seat to act may choose now, once, in no order.
    #[inline(always)]
    pub(in super::super) fn cells(&self, state: &State, mut see: impl FnMut(Cell)) {
        let (table, frame) = (&state.table, &self.frame);
        match state.phase {
            Phase::Place { .. } if self.options.challenges => table.cells_beside_cards().for_each(see),
            Phase::Place { county } => table.cells_for_county(frame, county).for_each(see),
            Phase::PlaceTransit { .. } if self.options.challenges => table.cells_for_any_transit(frame).for_each(see),
            Phase::PlaceTransit { nominee } => {
                let followers = state.hand() & frame.near(nominee);
                table.cells_for_transit(frame, nominee, followers).for_each(see);
            }
            Phase::PlaceFollow { transit, .. } if self.options.challenges => {
                table.free_beside(frame, transit.cell).for_each(see);
            }
            Phase::PlaceFollow { transit, county } => {
                let only = [county].into_iter().collect();
                table.followers(frame, transit.cell, only).for_each(|(cell, _)| see(cell));
            }
            Phase::Go | Phase::Follow { .. } | Phase::Challenge { .. } | Phase::Over => {}
        }
    }

    #[inline(always)]
    fn may_choose(&self, state: &State, cell: Cell) -> bool {
        let (table, frame) = (&state.table, &self.frame);
        match state.phase {
            Phase::Place { .. } if self.options.challenges => table.is_beside_cards(cell),
            Phase::Place { county } => table.takes_county(frame, cell, county),
            Phase::PlaceTransit { nominee } => self.may_lay_transit(state, Transit { nominee, cell }),
            Phase::PlaceFollow { transit, county } => {
                let is_beside = table.free_beside(frame, transit.cell).any(|other| other == cell);
                is_beside && (self.options.challenges || table.borders_all(frame, cell, county))
            }
            Phase::Go | Phase::Follow { .. } | Phase::Challenge { .. } | Phase::Over => false,
        }
    }

    #[inline(always)]
    pub(super) fn is_legal(&self, state: &State, action: Action) -> bool {
        match action {
            Action::County(county) => self.counties(state).contains(county),
            Action::Nominate(nominee) if self.options.challenges => self.nominees(state).contains(nominee),
            Action::Nominate(nominee) => {
                let may = state.phase == Phase::Go && state.transit[state.turn.index()] > 0;
                may && self.can_nominate(state, nominee, state.hand())
            }
            Action::Cell(cell) => self.may_choose(state, cell),
            Action::Take => self.may_take(state),
            Action::Challenge | Action::LetItBe => matches!(state.phase, Phase::Challenge { .. }),
        }
    }

    /// Why an action that is not legal is not.
    #[cold]
    pub(super) fn why_not(&self, state: &State, action: Action) -> Refusal {
        let name = |place: u8| &*self.atlas.place(place).name;
        let held = |county| state.hand().contains(county);
        let turn = state.turn.index();
        let reason = match (state.phase, action) {
            (Phase::Over, _) => "the match is over".to_owned(),
            (Phase::Challenge { .. }, _) => "a card waits: challenge it or let it be (MAPO-24)".to_owned(),
            (_, Action::Challenge | Action::LetItBe) => "there is no card to challenge now (MAPO-24)".to_owned(),
            (Phase::Place { .. } | Phase::PlaceFollow { .. }, Action::County(_) | Action::Nominate(_)) => {
                "a county card is chosen already; it needs a cell (MAPO-10)".to_owned()
            }
            (Phase::PlaceTransit { .. }, Action::County(_) | Action::Nominate(_)) => {
                "a transit card is chosen already; it needs a cell (MAPO-12)".to_owned()
            }
            (Phase::Follow { .. }, Action::Nominate(_)) => {
                "a transit card is played; a county card has to follow (MAPO-13)".to_owned()
            }
            (Phase::Go, Action::Cell(_)) => "choose a card before its cell (MAPO-10)".to_owned(),
            (Phase::Follow { .. }, Action::Cell(_)) => "choose the county card that follows (MAPO-13)".to_owned(),
            (Phase::Go, Action::Take) => "a player who can go may not take a card (MAPO-17)".to_owned(),
            (_, Action::Take) => "the go has begun: it is too late to take a card (MAPO-10)".to_owned(),
            (_, Action::County(county)) if !held(county) => format!("seat {turn} does not hold that card (MAPO-10)"),
            (Phase::Go, Action::County(county)) => {
                let near: Vec<_> = (self.frame.near(county) & self.deck).iter().map(name).collect();
                match near[..] {
                    [] => "it borders no county in play, so it can only follow a transit card (MAPO-11, MAPO-13)"
                        .to_owned(),
                    _ => format!("it borders {}; no free cell lies next to these alone (MAPO-11)", near.join(", ")),
                }
            }
            (Phase::Follow { transit: Transit { nominee, .. } }, Action::County(county))
                if !self.frame.near(nominee).contains(county) =>
            {
                format!("{} does not border {} (MAPO-13)", name(county), name(nominee))
            }
            (Phase::Follow { .. }, Action::County(county)) => {
                format!("no free cell beside the transit card fits {} (MAPO-13)", name(county))
            }
            (Phase::Go, Action::Nominate(_)) if state.transit[turn] == 0 => {
                format!("seat {turn} holds no transit card (MAPO-12)")
            }
            (Phase::Go, Action::Nominate(nominee)) if self.options.challenges && !self.bordered.contains(nominee) => {
                format!("no county in play borders {} (MAPO-24)", name(nominee))
            }
            (Phase::Go, Action::Nominate(_)) if self.options.challenges => {
                "no free cell is next to county cards alone, with a free cell beside it for a county card (MAPO-13)"
                    .to_owned()
            }
            (Phase::Go, Action::Nominate(nominee)) => format!(
                "no free cell is next to counties that all border {0}, with a cell beside it for a county of the hand that borders {0} (MAPO-13)",
                name(nominee)
            ),
            (phase, Action::Cell(cell)) => self.why_not_there(state, phase, cell),
        };
        Refusal::new("", reason)
    }

    fn why_not_there(&self, state: &State, phase: Phase, cell: Cell) -> String {
        let name = |place: u8| &*self.atlas.place(place).name;
        let table = &state.table;
        if let Some(card) = table.card(cell) {
            let kind = if card.is_transit { "a transit card" } else { "a card" };
            return format!("{kind} ({}) lies there (MAPO-6)", name(card.place));
        }
        let laid = match phase {
            Phase::PlaceFollow { transit, .. } if transit.cell == cell => {
                return "the transit card lies there (MAPO-6)".to_owned();
            }
            Phase::PlaceFollow { transit, .. } if self.frame.beside(transit.cell).all(|other| other != cell) => {
                return "the county card has to lie next to the transit card (MAPO-13)".to_owned();
            }
            Phase::Place { county } | Phase::PlaceFollow { county, .. } => county,
            Phase::PlaceTransit { nominee } => nominee,
            _ => return "no card is chosen (MAPO-10)".to_owned(),
        };
        let beside = || self.frame.beside(cell).filter_map(|other| table.card(other));
        if matches!(phase, Phase::PlaceTransit { .. }) && beside().any(|card| card.is_transit) {
            return "it would lie next to another transit card (MAPO-12)".to_owned();
        }
        if beside().next().is_none() {
            return "no card lies next to that cell (MAPO-11)".to_owned();
        }
        if self.options.challenges {
            return "no free cell is left beside it for the county card that follows (MAPO-13)".to_owned();
        }
        if let Some(wrong) = beside().find(|card| !self.frame.near(laid).contains(card.place)) {
            return format!("{} does not border {} (MAPO-11)", name(laid), name(wrong.place));
        }
        format!("no county of the hand that borders {} could follow from there (MAPO-13)", name(laid))
    }
}

//! What a player may do.

use super::{Draw, Mapominoes, Phase, State, Transit};
use crate::game::Seat;
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

    /// Whether the seat to act may nominate a place now.
    #[inline(always)]
    pub(super) fn may_nominate(&self, state: &State, nominee: u8) -> bool {
        if self.options.challenges {
            return self.nominees(state).contains(nominee);
        }
        let may = state.phase == Phase::Go && state.transit[state.turn.index()] > 0;
        may && self.can_nominate(state, nominee, state.hand())
    }

    /// Whether the seat to act may choose a cell now.
    #[inline(always)]
    pub(super) fn may_choose(&self, state: &State, cell: Cell) -> bool {
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
}

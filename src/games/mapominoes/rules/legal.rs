//! What a player may do.

use std::hash::{Hash, Hasher};

use super::{Draw, Mapominoes, Phase, State, Transit};
use crate::game::Seat;
use crate::games::mapominoes::table::{Cell, Cells, Table};
use crate::set::Set;

/// What follows from the rest of a state: no part of what is compared, hashed or saved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Derived<T>(T);

impl<T> PartialEq for Derived<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Derived<T> {}

impl<T> Hash for Derived<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// What the seat to act may choose, found once per decision: choosing, checking and the mask all ask for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Legal {
    /// To be found by whoever asks.
    #[default]
    Unknown,
    /// Cards, or nothing of the kind.
    Cards(Cards),
    /// Cells.
    Cells(Cells),
}

/// The cards that the seat to act may choose.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Cards {
    /// The counties.
    pub counties: Set,
    /// What a transit card may stand for.
    pub nominees: Set,
    /// Whether it may say that it cannot go (MAPO-17).
    pub may_take: bool,
}

impl Mapominoes {
    /// Keeps what the seat to act may choose; to be called after every change.
    #[inline(always)]
    pub(super) fn keep_legal(&self, state: &mut State) {
        let (hand, frame) = (state.hand(), &self.frame);
        let cells = match state.phase {
            _ if self.options.challenges => None,
            Phase::Place { county } => state.table.cells_of(frame, county),
            Phase::PlaceTransit { nominee } => {
                let followers = hand & frame.near(nominee);
                let cells = state.table.cells_of(frame, nominee);
                cells.map(|cells| cells.filtered(|cell| state.table.leads(frame, cell, followers)))
            }
            Phase::PlaceFollow { transit, county } => {
                Cells::sorted(state.table.followers(frame, transit.cell, only(county)).map(|(cell, _)| cell))
            }
            Phase::Go | Phase::Follow { .. } | Phase::Challenge { .. } | Phase::Over => {
                state.legal.0 = Legal::Cards(self.find_cards(state));
                return;
            }
        };
        state.legal.0 = cells.map_or(Legal::Unknown, Legal::Cells);
    }

    /// The cards that the seat to act may choose now.
    #[inline(always)]
    pub(in super::super) fn cards(&self, state: &State) -> Cards {
        match state.legal.0 {
            Legal::Cards(cards) => cards,
            Legal::Cells(_) => Cards::default(),
            Legal::Unknown => self.cards_anew(state),
        }
    }

    /// Every cell that the seat to act may choose now, in order, if that is known.
    #[inline(always)]
    pub(in super::super) fn known_cells(state: &State) -> Option<&[Cell]> {
        match &state.legal.0 {
            Legal::Cells(cells) => Some(cells.get()),
            _ => None,
        }
    }

    /// Every cell that the seat to act may choose now, once, in no order.
    #[inline(always)]
    pub(in super::super) fn cells(&self, state: &State, see: impl FnMut(Cell)) {
        match &state.legal.0 {
            Legal::Cards(_) => {}
            Legal::Cells(cells) => cells.get().iter().copied().for_each(see),
            Legal::Unknown => self.cells_anew(state, see),
        }
    }

    #[inline(never)]
    fn cards_anew(&self, state: &State) -> Cards {
        self.find_cards(state)
    }

    #[inline(never)]
    fn cells_anew(&self, state: &State, see: impl FnMut(Cell)) {
        self.find_cells(state, see);
    }

    #[inline(always)]
    fn find_cards(&self, state: &State) -> Cards {
        let (counties, nominees) = (self.find_counties(state), self.find_nominees(state));
        let may_take = state.phase == Phase::Go
            && (self.options.draw == Draw::Free
                || if self.options.challenges {
                    !self.can_go(state, state.turn)
                } else {
                    counties.is_empty() && nominees.is_empty()
                });
        Cards { counties, nominees, may_take }
    }

    /// The counties that the seat to act may choose now.
    #[inline(always)]
    pub(super) fn find_counties(&self, state: &State) -> Set {
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
    pub(super) fn find_nominees(&self, state: &State) -> Set {
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
    #[inline(always)]
    fn nominees_of(&self, state: &State, seat: Seat) -> Set {
        if state.transit[seat.index()] == 0 {
            return Set::EMPTY;
        }
        let (table, frame, hand) = (&state.table, &self.frame, state.hands[seat.index()]);
        let reached = self.led_by(hand);
        // Where there is an empty cell to follow on, anything that borders the nominee can. The others need a search.
        let mut nominees = reached & table.opening();
        let others = reached & (table.fitting() - nominees);
        if !others.is_empty() {
            table.cells_leading(
                frame,
                others,
                hand,
                #[inline(always)]
                |_, taken, following| nominees |= taken & self.led_by(following),
            );
        }
        nominees
    }

    /// The places that border one of some counties.
    #[inline(always)]
    fn led_by(&self, counties: Set) -> Set {
        let mut led = Set::EMPTY;
        counties.for_each(
            #[inline(always)]
            |county| led |= self.frame.near(county),
        );
        led
    }

    /// Whether a transit card for the nominee can be laid and one of the hand's counties follow.
    pub(super) fn can_nominate(&self, state: &State, nominee: u8, hand: Set) -> bool {
        let followers = hand & self.frame.near(nominee);
        let mut can = state.table.opening().contains(nominee) && !followers.is_empty();
        state
            .table
            .cells_leading(&self.frame, only(nominee), followers, |_, _, following| can |= !following.is_empty());
        can
    }

    /// Whether a seat could go, had it a go now: rightly, whatever challenges allow (MAPO-17, MAPO-20).
    fn can_go(&self, state: &State, seat: Seat) -> bool {
        state.hands[seat.index()].meets(state.table.fitting()) || !self.nominees_of(state, seat).is_empty()
    }

    /// Whether no player has a legal play (MAPO-20).
    pub(super) fn nobody_can_go(&self, state: &State) -> bool {
        !(0..self.players()).any(|ahead| self.can_go(state, self.seat_after(state.turn, ahead)))
    }

    /// Every cell that the seat to act may choose, once, in no order.
    #[inline(always)]
    fn find_cells(&self, state: &State, mut see: impl FnMut(Cell)) {
        let (table, frame) = (&state.table, &self.frame);
        match state.phase {
            Phase::Place { .. } if self.options.challenges => table.cells_beside_cards().for_each(see),
            Phase::Place { county } => table.cells_taking(
                frame,
                only(county),
                #[inline(always)]
                |cell, _| see(cell),
            ),
            Phase::PlaceTransit { .. } if self.options.challenges => table.cells_for_any_transit(frame).for_each(see),
            Phase::PlaceTransit { nominee } => {
                let followers = state.hand() & frame.near(nominee);
                table.cells_leading(
                    frame,
                    only(nominee),
                    followers,
                    #[inline(always)]
                    |cell, _, following| {
                        if !following.is_empty() {
                            see(cell);
                        }
                    },
                );
            }
            Phase::PlaceFollow { transit, .. } if self.options.challenges => {
                table.free_beside(frame, transit.cell).for_each(see);
            }
            Phase::PlaceFollow { transit, county } => {
                table.followers(frame, transit.cell, only(county)).for_each(|(cell, _)| see(cell));
            }
            Phase::Go | Phase::Follow { .. } | Phase::Challenge { .. } | Phase::Over => {}
        }
    }

    /// Whether the seat to act may choose a cell now.
    #[inline(always)]
    pub(super) fn may_choose(&self, state: &State, cell: Cell) -> bool {
        if let Legal::Cells(cells) = &state.legal.0 {
            return cells.contains(cell);
        }
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

/// A set of one place.
#[inline(always)]
fn only(place: u8) -> Set {
    [place].into_iter().collect()
}

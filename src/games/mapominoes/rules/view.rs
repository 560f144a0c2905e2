//! What a seat may know of a match: the table, the numbers, its own hand, and the cards that everybody has seen.

use super::super::table::Table;
use super::{MAX_PLAYERS, Phase, State, Tally};
use crate::game::{Seat, Viewer};
use crate::set::Set;

/// The only window on [`State`] for everyone outside the rules.
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a State,
    viewer: Viewer,
}

impl<'a> View<'a> {
    #[inline(always)]
    pub(super) fn new(state: &'a State, viewer: Viewer) -> Self {
        Self { state, viewer }
    }

    /// Who looks; `None` sees everything.
    #[inline(always)]
    #[must_use]
    pub fn viewer(&self) -> Option<Seat> {
        self.viewer.seat()
    }

    /// What is being decided.
    #[inline(always)]
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// The seat whose decision it is.
    #[inline(always)]
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.state.to_act()
    }

    /// The seat whose go it is.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self) -> Seat {
        self.state.turn
    }

    /// The seat that dealt.
    #[inline(always)]
    #[must_use]
    pub fn dealer(&self) -> Seat {
        self.state.dealer
    }

    /// Number of the round, from 0.
    #[inline(always)]
    #[must_use]
    pub fn round(&self) -> u8 {
        self.state.round
    }

    /// The cards on the table.
    #[inline(always)]
    #[must_use]
    pub fn table(&self) -> &'a Table {
        &self.state.table
    }

    /// The cards of a seat that the viewer knows: all of the viewer's own, the others' that everybody has seen.
    #[inline(always)]
    #[must_use]
    pub fn known(&self, seat: Seat) -> Set {
        let sees = self.viewer.sees(seat);
        if sees { self.state.hands[seat.index()] } else { self.shown(seat) }
    }

    /// The cards of a seat that everybody has seen.
    #[inline(always)]
    #[must_use]
    pub fn shown(&self, seat: Seat) -> Set {
        self.state.hands[seat.index()] & self.all_shown()
    }

    /// The cards that everybody has seen, and that on its way to the table.
    #[inline(always)]
    fn all_shown(&self) -> Set {
        let mut shown = self.state.shown;
        if let Some(county) = self.state.phase.county() {
            shown.insert(county);
        }
        shown
    }

    /// The same without the one on its way to the table.
    #[inline(always)]
    #[must_use]
    pub fn shown_for_good(&self, seat: Seat) -> Set {
        self.state.hands[seat.index()] & self.state.shown
    }

    /// Who is asked for a challenge.
    #[inline(always)]
    #[must_use]
    pub fn asked(&self) -> Option<Seat> {
        match self.state.phase {
            Phase::Challenge { asked, .. } => Some(asked),
            _ => None,
        }
    }

    /// The cards that the viewer knows to be in one of the other hands, without knowing in which.
    #[inline(always)]
    #[must_use]
    pub fn unseen(&self) -> Set {
        self.held_by_others() - self.all_shown()
    }

    /// By seat, the cards that everybody has seen.
    #[inline(always)]
    #[must_use]
    pub fn all_hands_shown(&self) -> [Set; MAX_PLAYERS] {
        let shown = self.all_shown();
        self.state.hands.map(|hand| hand & shown)
    }

    /// The cards that the viewer knows to be in the other hands, in whichever.
    #[inline(always)]
    #[must_use]
    pub fn held_by_others(&self) -> Set {
        let held = self.state.hands.iter().fold(Set::EMPTY, |held, &hand| held | hand);
        self.viewer.seat().map_or(Set::EMPTY, |seat| held - self.state.hands[seat.index()])
    }

    /// How many county cards a seat holds, the one on its way to the table among them.
    #[inline(always)]
    #[must_use]
    pub fn num_counties(&self, seat: Seat) -> usize {
        self.state.hands[seat.index()].len()
    }

    /// How many transit cards a seat holds: all come from the open deal and the pile.
    #[inline(always)]
    #[must_use]
    pub fn num_transit(&self, seat: Seat) -> u8 {
        self.state.transit[seat.index()]
    }

    /// How many cards the draw pile has.
    #[inline(always)]
    #[must_use]
    pub fn pile(&self) -> u8 {
        self.state.pile
    }

    /// Cards that are dealt later in the round.
    #[inline(always)]
    #[must_use]
    pub fn undealt(&self) -> Set {
        self.state.undealt
    }

    /// Goes in a row that ended with neither a card laid nor a card taken.
    #[inline(always)]
    #[must_use]
    pub fn passes(&self) -> u8 {
        self.state.passes
    }

    /// Points over the finished rounds, by seat.
    #[inline(always)]
    #[must_use]
    pub fn points(&self) -> [u16; MAX_PLAYERS] {
        self.state.points
    }

    /// What the rounds were like.
    #[inline(always)]
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.state.tally
    }
}

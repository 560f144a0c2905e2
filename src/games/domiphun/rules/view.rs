//! What a seat may know of a match: the table, the numbers, and its own pieces.

use super::super::pieces::Pieces;
use super::{MAX_PLAYERS, Phase, State, Table};
use crate::game::{Seat, Viewer};

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

    /// Who looks; none for somebody who sees everything.
    #[must_use]
    pub fn viewer(&self) -> Option<Seat> {
        self.viewer.seat()
    }

    /// What is being decided, and what of a play is settled; all of it is open to all.
    #[inline(always)]
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Whether the play being made follows a Starjoiner.
    #[must_use]
    pub fn is_restart(&self) -> bool {
        let at_end = |end| self.state.table.end(end).map(|end| end.plate);
        self.state.phase.end().is_some_and(|end| self.state.phase.plate() != at_end(end))
    }

    /// Whether the viewer sees a hand: the own one, and all of them when they are counted at the end.
    #[inline(always)]
    fn sees(&self, seat: Seat) -> bool {
        self.state.phase.is_over() || self.viewer.sees(seat)
    }

    /// The seat whose decision it is.
    #[inline(always)]
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.state.to_act()
    }

    /// The seat whose turn it is.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self) -> Seat {
        self.state.turn
    }

    /// The seat that started the game.
    #[inline(always)]
    #[must_use]
    pub fn first(&self) -> Seat {
        self.state.first
    }

    /// Number of the game within the match, from 0.
    #[must_use]
    pub fn game(&self) -> u8 {
        self.state.game
    }

    /// Games won, by seat.
    #[inline(always)]
    #[must_use]
    pub fn wins(&self) -> &'a [u8; MAX_PLAYERS] {
        &self.state.wins
    }

    /// Points over the finished games, by seat.
    #[inline(always)]
    #[must_use]
    pub fn points(&self) -> &'a [u16; MAX_PLAYERS] {
        &self.state.points
    }

    /// What lies on the table.
    #[inline(always)]
    #[must_use]
    pub fn table(&self) -> &'a Table {
        &self.state.table
    }

    /// The pieces of a seat, if the viewer may see them.
    #[inline(always)]
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Option<Pieces> {
        self.sees(seat).then_some(self.state.hands[seat.index()])
    }

    /// How many pieces a seat holds.
    #[inline(always)]
    #[must_use]
    pub fn num_pieces(&self, seat: Seat) -> usize {
        self.state.hands[seat.index()].len()
    }

    /// The pieces that the viewer has not seen: in other hands or in the pool.
    #[inline(always)]
    #[must_use]
    pub fn unseen(&self) -> Pieces {
        let State { hands, pool, .. } = self.state;
        if self.state.phase.is_over() || self.viewer.sees_everything() {
            return *pool;
        }
        let all = pool.with_all(hands);
        self.viewer.seat().map_or(all, |seat| all.without(hands[seat.index()]))
    }

    /// The pieces of the pool; for somebody who sees everything.
    #[must_use]
    pub fn pool(&self) -> Option<Pieces> {
        self.viewer.sees_everything().then_some(self.state.pool)
    }

    /// How many pieces the pool has.
    #[inline(always)]
    #[must_use]
    pub fn num_pool(&self) -> usize {
        self.state.pool.len()
    }

    /// X joiners by seat.
    #[inline(always)]
    #[must_use]
    pub fn x_joiners(&self) -> &'a [u8; MAX_PLAYERS] {
        &self.state.x_joiners
    }

    /// Starjoiners by seat.
    #[inline(always)]
    #[must_use]
    pub fn starjoiners(&self) -> &'a [u8; MAX_PLAYERS] {
        &self.state.starjoiners
    }

    /// Pieces taken in this turn.
    #[inline(always)]
    #[must_use]
    pub fn taken(&self) -> u8 {
        self.state.taken
    }

    /// Misses in a row with an empty pool.
    #[inline(always)]
    #[must_use]
    pub fn misses(&self) -> u8 {
        self.state.misses
    }
}

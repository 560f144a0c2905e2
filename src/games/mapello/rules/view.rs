//! What a seat may know of a match: in Mapello, everything.

use super::super::board::Jokers;
use super::{Colour, Phase, State, other_seat};
use crate::game::Seat;

/// The only window on [`State`] for everyone outside the rules.
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a State,
    viewer: Option<Seat>,
}

impl<'a> View<'a> {
    #[inline(always)]
    pub(super) fn new(state: &'a State, viewer: Option<Seat>) -> Self {
        Self { state, viewer }
    }

    /// Who looks.
    #[must_use]
    pub fn viewer(&self) -> Option<Seat> {
        self.viewer
    }

    /// What is being decided.
    #[inline(always)]
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// The side to move.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self) -> Colour {
        self.state.turn
    }

    /// Whether the seats have their colours.
    #[inline(always)]
    #[must_use]
    pub fn has_colours(&self) -> bool {
        matches!(self.state.phase, Phase::Play | Phase::Over)
    }

    /// The colour of a seat, once it has one.
    #[inline(always)]
    #[must_use]
    pub fn colour(&self, seat: Seat) -> Option<Colour> {
        self.has_colours().then(|| if seat == self.state.black { Colour::Black } else { Colour::White })
    }

    /// The seat of a colour, once it has one.
    #[must_use]
    pub fn seat(&self, colour: Colour) -> Option<Seat> {
        self.has_colours().then(|| self.state.seat(colour))
    }

    /// Discs of black and of white.
    #[inline(always)]
    #[must_use]
    pub fn discs(&self) -> [u64; 2] {
        self.state.discs()
    }

    /// Cells where the side to move may place a disc.
    #[inline(always)]
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.state.moves
    }

    /// Walls.
    #[inline(always)]
    #[must_use]
    pub fn walls(&self) -> u64 {
        self.state.walls
    }

    /// Bonuses that nobody has taken.
    #[inline(always)]
    #[must_use]
    pub fn bonuses(&self) -> u64 {
        self.state.bonuses
    }

    /// Jokers.
    #[inline(always)]
    #[must_use]
    pub fn jokers(&self) -> &'a Jokers {
        &self.state.jokers
    }

    /// Bonuses taken by black and by white.
    #[inline(always)]
    #[must_use]
    pub fn taken(&self) -> [u8; 2] {
        self.state.taken
    }

    /// Points of black and of white in this game.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        self.state.score()
    }

    /// The number of the game within the match, from 0.
    #[inline(always)]
    #[must_use]
    pub fn game(&self) -> u8 {
        self.state.game
    }

    /// Games won by each seat.
    #[inline(always)]
    #[must_use]
    pub fn wins(&self) -> [u8; 2] {
        self.state.wins
    }

    /// Points of each seat over the finished games.
    #[inline(always)]
    #[must_use]
    pub fn points(&self) -> [i16; 2] {
        self.state.points
    }

    /// Who sets up this game, where that is played.
    #[must_use]
    pub fn set_up_seat(&self) -> Seat {
        self.state.set_up_seat()
    }

    /// Who decides.
    #[inline(always)]
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        match self.state.phase {
            Phase::Play => Some(self.state.seat(self.state.turn)),
            Phase::SetUp => Some(self.set_up_seat()),
            Phase::Colour => Some(other_seat(self.set_up_seat())),
            Phase::Over => None,
        }
    }
}

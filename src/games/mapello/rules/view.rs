//! What a seat may know of a match: in Mapello, everything.

use std::cmp::Ordering;

use super::super::board::{Jokers, Square, after_eight};
use super::{Colour, Content, Phase, Piece, State, other_seat};
use crate::game::{Seat, Viewer};

/// The only window on [`State`] for everyone outside the rules.
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a State,
    viewer: Viewer,
}

/// A game as one seat sees it.
#[derive(Clone, Copy)]
pub struct Sides {
    /// The seat's discs.
    pub mine: u64,
    /// The other seat's discs.
    pub theirs: u64,
    /// Bonuses taken by the seat and by the other.
    pub taken: [u8; 2],
    /// Whether the seat plays black.
    pub is_black: bool,
}

impl<'a> View<'a> {
    #[inline(always)]
    pub(super) fn new(state: &'a State, viewer: Viewer) -> Self {
        Self { state, viewer }
    }

    /// Who looks.
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

    /// The game as a seat sees it. Nobody owns the discs before the colours are picked.
    #[inline(always)]
    #[must_use]
    pub fn sides(&self, seat: Seat) -> Sides {
        let State { own, other, taken: [black_taken, white_taken], turn, .. } = *self.state;
        if !self.has_colours() {
            return Sides { mine: 0, theirs: 0, taken: [0; 2], is_black: false };
        }
        let is_black = seat == self.state.black;
        let (mine, theirs) = if is_black == (turn == Colour::Black) { (own, other) } else { (other, own) };
        let taken = if is_black { [black_taken, white_taken] } else { [white_taken, black_taken] };
        Sides { mine, theirs, taken, is_black }
    }

    /// Cells where the side to move may place a disc.
    #[inline(always)]
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.state.moves
    }

    /// The side to move: its seat, and the game as it sees it.
    #[inline(always)]
    #[must_use]
    pub fn mover(&self) -> (Seat, Sides) {
        let State { own, other, taken, turn, .. } = *self.state;
        let taken = u16::from_le_bytes(taken).rotate_right(8 * turn as u32).to_le_bytes();
        (self.state.seat(turn), Sides { mine: own, theirs: other, taken, is_black: turn == Colour::Black })
    }

    /// How many replies the legal moves leave, all together; `None` if there is no move, or one without a reply.
    #[inline(always)]
    #[must_use]
    pub fn count_replies(&self) -> Option<u64> {
        let State { own, other, walls, ref jokers, .. } = *self.state;
        let jokers = (jokers.ring() != 0).then_some([jokers; 8]);
        let (mut left, mut count) = (self.state.moves, 0);
        while left != 0 {
            let mut placed = [0; 8];
            for placed in &mut placed {
                *placed = left & left.wrapping_neg();
                left ^= *placed;
            }
            let after = after_eight(&placed, &[own; 8], &[other; 8], jokers);
            for i in (0..8).filter(|&i| placed[i] != 0) {
                let replies = after.moves[i] & !(after.own[i] | after.other[i] | walls);
                if replies == 0 {
                    return None;
                }
                count += u64::from(replies.count_ones());
            }
        }
        (count > 0).then_some(count)
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

    /// What lies on a cell, if something does.
    #[must_use]
    pub fn content(&self, square: Square) -> Option<Content> {
        match square {
            Square::Border(cell) => (cell.bit() & self.jokers().ring() != 0).then_some(Content::Piece(Piece::Joker)),
            Square::Inner(cell) => {
                let [black, white] = self.discs();
                let sets = [
                    (black, Content::Disc(Colour::Black)),
                    (white, Content::Disc(Colour::White)),
                    (self.walls(), Content::Piece(Piece::Wall)),
                    (self.bonuses(), Content::Piece(Piece::Bonus)),
                ];
                sets.into_iter().find(|(set, _)| set & cell.bit() != 0).map(|(_, content)| content)
            }
        }
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

    /// The seat that has done better in the finished games, if one has.
    #[must_use]
    pub fn leader(&self) -> Option<Seat> {
        match self.state.order() {
            Ordering::Greater => Some(Seat::new(0)),
            Ordering::Less => Some(Seat::new(1)),
            Ordering::Equal => None,
        }
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
        if self.state.phase == Phase::Play {
            return Some(self.state.seat(self.state.turn));
        }
        self.rarely_to_act()
    }

    #[cold]
    fn rarely_to_act(&self) -> Option<Seat> {
        match self.state.phase {
            Phase::SetUp => Some(self.set_up_seat()),
            Phase::Colour => Some(other_seat(self.set_up_seat())),
            Phase::Play | Phase::Over => None,
        }
    }
}

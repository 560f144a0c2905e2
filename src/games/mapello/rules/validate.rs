//! Contradictions in a state from outside.

use super::super::board::{CENTRE, moves, outside};
use super::options::{RING, WHOLE};
use super::{BONUS, Colour, Mapello, NUM_PIECES, Phase, Setup, State, setup};
use crate::game::Seat;
use crate::position_text::first_wrong;

/// The most points of a seat in a game: a disc on every cell, and all bonuses (MAPE-12).
const MOST_POINTS: i16 = 64 + BONUS as i16 * NUM_PIECES as i16;

impl Mapello {
    /// The first thing that is wrong with a state, if something is.
    pub(super) fn flaw(&self, state: &State) -> Option<&'static str> {
        self.flaw_of_board(state)
            .or_else(|| self.flaw_of_match(state))
            .or_else(|| self.flaw_of_set_up(state))
            .or_else(|| self.flaw_of_phase(state))
    }

    fn flaw_of_board(&self, state: &State) -> Option<&'static str> {
        let State { own, other, walls, bonuses, all_bonuses, taken: [black_taken, white_taken], .. } = *state;
        let (discs, jokers, outside) = (own | other, state.jokers.ring(), outside(self.options.size));
        let taken = u32::from(black_taken) + u32::from(white_taken);
        let is_too_many = |count: u32| count > u32::from(NUM_PIECES);
        first_wrong(&[
            (own & other != 0, "a cell with two discs"),
            (discs & walls != 0, "a disc on a wall"),
            (discs & bonuses != 0, "a bonus under a disc that nobody took"),
            (walls & all_bonuses != 0, "a bonus on a wall"),
            ((walls | all_bonuses) & CENTRE != 0, "a piece on a centre square"),
            (bonuses & !all_bonuses != 0, "a bonus that was not set up"),
            (jokers & !RING != 0, "a joker off the border"),
            (walls | outside != walls, "no wall around a smaller board"),
            (is_too_many((walls & !outside).count_ones()), "more than 8 walls"),
            (is_too_many(bonuses.count_ones() + taken), "more than 8 bonuses"),
            (is_too_many(all_bonuses.count_ones()), "more than 8 bonuses"),
            (is_too_many(jokers.count_ones()), "more than 8 jokers"),
            (jokers != 0 && self.options.size < WHOLE, "a joker around a smaller board"),
        ])
    }

    fn flaw_of_match(&self, state: &State) -> Option<&'static str> {
        let finished = state.num_finished();
        let [wins_0, wins_1] = state.wins;
        let possible = 0..=i16::from(finished) * MOST_POINTS;
        first_wrong(&[
            (state.black.index() > 1, "a third player"),
            (state.game >= self.options.games, "a game after the last"),
            (wins_0.saturating_add(wins_1) > finished, "more games won than finished"),
            (state.points.iter().any(|points| !possible.contains(points)), "impossible points"),
        ])
    }

    fn flaw_of_set_up(&self, state: &State) -> Option<&'static str> {
        if !matches!(state.phase, Phase::SetUp | Phase::Colour) {
            return None;
        }
        first_wrong(&[
            (self.options.setup != Setup::Free, "a set-up in progress that the options do not have"),
            (self.before_set_up(state) != *state, "a game that began before the set-up was finished"),
            (!self.is_as_agreed(state), "a set-up that cannot be finished as agreed"),
        ])
    }

    fn flaw_of_phase(&self, state: &State) -> Option<&'static str> {
        let legal = moves(state.own, state.other, state.free(), &state.jokers);
        let can_pass = moves(state.other, state.own, state.free(), &state.jokers) != 0;
        let is_last = state.num_finished() == self.options.games;
        match state.phase {
            Phase::Play => first_wrong(&[
                (state.moves != legal, "legal moves that do not fit the discs"),
                (legal == 0 && !can_pass, "a turn after the end of the game"),
            ]),
            Phase::Over => first_wrong(&[
                (legal != 0 || can_pass, "an end while there are moves"),
                (!is_last, "an end before the last game"),
            ]),
            Phase::SetUp | Phase::Colour => None,
        }
    }

    /// The same set-up in progress, with everything else as it is before a game.
    fn before_set_up(&self, state: &State) -> State {
        let [own, other] = setup::opening(self.options.opening);
        State {
            own,
            other,
            moves: 0,
            taken: [0; 2],
            all_bonuses: state.bonuses,
            turn: Colour::Black,
            black: Seat::new(0),
            ..state.clone()
        }
    }

    /// Whether a set-up has no more pieces than agreed and can be finished, or has been (MAPE-15).
    fn is_as_agreed(&self, state: &State) -> bool {
        let board = self.board(state);
        self.agreed().is_some_and(|agreed| {
            let is_complete = state.phase == Phase::SetUp || agreed.missing(&board) == [0; 3];
            is_complete && agreed.has_no_more(&board) && agreed.is_in_reach(&board, &self.options)
        })
    }
}

impl State {
    /// Games of the match that are over.
    fn num_finished(&self) -> u8 {
        self.game.saturating_add(u8::from(self.phase == Phase::Over))
    }
}

//! Contradictions in a state from outside.

use super::super::lattice::Construction;
use super::super::pieces::{Facing, Pieces};
use super::{Domiphun, MAX_PLAYERS, PLAIN_DOMINOES, Phase, State};
use crate::game::Seat;
use crate::position_text::first_wrong;

/// The sum of all values.
const ALL_PIPS: u32 = 168;

impl Domiphun {
    /// A table that no plays lead to.
    pub(super) fn impossible_table(&self, state: &State) -> Option<String> {
        let plays: Vec<_> = state.table.plays().collect();
        let mut table = match self.table_of(&plays) {
            Ok(table) => table,
            Err(message) => return Some(message),
        };
        if let Some(end) = state.phase.end() {
            let Some(at) = table.end(end).filter(|_| self.is_advanced()) else {
                return Some("a play at an end that is not there".to_owned());
            };
            if state.phase.plate() != Some(at.plate) {
                if table.laid.len() < PLAIN_DOMINOES {
                    return Some("a Starjoiner among the first four dominoes (DOMI-12)".to_owned());
                }
                table.close(end);
            }
            let value = |plate: u8| table.construction()?.values().get(usize::from(plate)).copied();
            let is_joined = |(plate, domino): (u8, Facing)| value(plate) == Some(domino.inner);
            if !state.phase.plate().zip(state.phase.domino()).is_none_or(is_joined) {
                return Some("a domino that does not match its square (DOMI-6)".to_owned());
            }
        }
        (table != state.table).then(|| "a table that does not fit its dominoes".to_owned())
    }

    /// Pieces, joiners or results that are not those of the game.
    pub(super) fn impossible_pieces(&self, state: &State) -> Option<&'static str> {
        let all = self.pieces;
        let is_kind = |pieces: &Pieces| pieces.none() == all.none();
        let is_sound = |pieces: &Pieces| match pieces {
            Pieces::Squares(squares) => squares.is_sound(),
            Pieces::Dominoes(dominoes) => dominoes.is_sound(),
        };
        let piles = || state.hands.iter().chain([&state.pool, &state.aside]);
        if !piles().all(is_kind) || !piles().all(is_sound) {
            return Some("pieces that are not those of the game (DOMI-1)");
        }
        let mut left = all;
        let laid = state.table.laid.iter().map(|laid| laid.domino).chain(state.phase.domino());
        for domino in laid {
            if left.take_domino(domino, self.options.values).is_err() {
                return Some("a piece in two places (DOMI-1)");
            }
        }
        let mut together = all.none();
        for &pile in piles() {
            if together.overlaps(pile) {
                return Some("a piece in two places (DOMI-1)");
            }
            together.add(pile);
        }
        let construction = state.table.construction.as_deref();
        let used_x = construction.map_or(0, Construction::num_x_joiners);
        let used_stars = construction.map_or(0, |construction| construction.closed().count_ones() as usize);
        let sum = |numbers: [u8; MAX_PLAYERS]| numbers.iter().map(|&number| usize::from(number)).sum::<usize>();
        let players = self.players();
        let is_at_most =
            |left: [u8; MAX_PLAYERS], given: [u8; MAX_PLAYERS]| left.iter().zip(given).all(|(&l, g)| l <= g);
        let given_x = self.before_the_deal(Seat::new(0)).x_joiners;
        let cases = [
            (together != left, "pieces that are not those of the game (DOMI-1)"),
            (state.hands[players..].iter().any(|hand| !hand.is_empty()), "a player too many (DOMI-2)"),
            (
                state.wins[players..].iter().any(|&wins| wins > 0) || state.points[players..].iter().any(|&p| p > 0),
                "a player too many (DOMI-2)",
            ),
            (
                !is_at_most(state.x_joiners, given_x) || sum(state.x_joiners) + used_x != sum(given_x),
                "X joiners that do not fit those in the construction (DOMI-11)",
            ),
            (
                !is_at_most(state.starjoiners, self.starjoiners)
                    || sum(state.starjoiners) + used_stars != sum(self.starjoiners),
                "Starjoiners that do not fit those in the construction (DOMI-11)",
            ),
        ];
        first_wrong(&cases)
    }

    /// A turn, an end or results that cannot be.
    pub(super) fn impossible_turn(&self, state: &State) -> Option<&'static str> {
        let players = self.players();
        if state.turn.index() >= players || state.first.index() >= players {
            return Some("a seat that is not at the table");
        }
        let is_over = state.phase == Phase::Over;
        let is_between = matches!(state.phase, Phase::Turn | Phase::Over);
        let is_playing = |seat: usize| !is_between && seat == state.turn.index();
        let is_out = |seat: usize| !is_playing(seat) && state.is_out(Seat::new(seat));
        let is_stuck = || self.is_dead(state) || self.is_blocked(state);
        let has_ended = (0..players).any(is_out) || is_between && is_stuck() || usize::from(state.misses) >= players;
        let finished = u32::from(state.game) + u32::from(is_over);
        let wins: u32 = state.wins.iter().map(|&wins| u32::from(wins)).sum();
        let mut has_choice = false;
        self.list(state, |_| has_choice = true);
        let cases = [
            (state.game >= self.games(), "a game after the last (DOMI-21)"),
            (is_over != has_ended, "an end of the game that is none, or none that is one (DOMI-9, DOMI-10)"),
            (is_over && state.game + 1 != self.games(), "an end of the match before the last game (DOMI-21)"),
            (!is_over && !has_choice, "a decision that nobody could have to take"),
            (state.misses > 0 && !state.pool.is_empty(), "misses that do not count while there is a pool (DOMI-10)"),
            (usize::from(state.misses) > players, "more misses than players (DOMI-10)"),
            (usize::from(state.taken) + state.pool.len() > self.pieces.len(), "more taken than there is (DOMI-7)"),
            (state.points.iter().any(|&points| u32::from(points) > finished * ALL_PIPS), "more points than there are"),
            (wins < finished || wins > finished * players as u32, "wins that do not fit the games played"),
            (state.wins.iter().any(|&wins| u32::from(wins) > finished), "more wins than games"),
        ];
        first_wrong(&cases)
    }
}

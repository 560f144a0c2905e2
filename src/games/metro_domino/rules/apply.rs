//! What happens.

use super::super::tiles::{Play, Tile};
use super::{Action, MetroDomino, Opening, Phase, STATIONS_TO_END, State};
use crate::bits;
use crate::game::Seat;
use crate::rng::Rng;

impl MetroDomino {
    #[inline(always)]
    pub(super) fn apply_action(&self, state: &mut State, action: Action, rng: &mut Rng) {
        if action != Action::Pass {
            state.passes = 0;
        }
        match action {
            Action::Play(play) => self.play(state, play, rng),
            Action::Draw => {
                let number = rng.below(state.store.len() as u64) as u32;
                let tile = Tile(bits::nth(state.store.0, number) as u8);
                state.store.remove(tile);
                state.hands[state.turn.index()].insert(tile);
                state.phase = Phase::Drawn { tile };
            }
            Action::Pass => {
                state.passes += 1;
                if usize::from(state.passes) == self.players() {
                    return self.end_game(state, rng); // METR-15
                }
                self.end_turn(state);
            }
            Action::Spend => {
                state.tokens[state.turn.index()] -= 1;
                state.phase = Phase::Spent;
            }
            Action::Keep | Action::Stop => self.end_turn(state),
        }
    }

    #[inline(always)]
    fn end_turn(&self, state: &mut State) {
        state.turn = self.left_of(state.turn);
        state.phase = Phase::Turn;
    }

    #[inline(always)]
    fn play(&self, state: &mut State, play: Play, rng: &mut Rng) {
        let seat = state.turn.index();
        let length = self.limits.lengths[usize::from(play.line)];
        state.hands[seat].remove(play.tile);
        state.laid.push(play);
        let tiles = state.lines.add(play.line, play.inward_outward().1);
        let is_double = play.tile.is_double();
        state.tokens[seat] += u8::from(is_double && state.supply() > 0); // METR-11
        if tiles == 1 && length > 1 {
            state.active += 1;
        }
        if tiles == length {
            state.active -= u8::from(length > 1);
            self.close(state, play.line, rng);
        }
        if state.hands[seat].is_empty() || state.stations_of(seat) >= STATIONS_TO_END {
            return self.end_game(state, rng); // METR-14
        }
        if is_double {
            state.phase = Phase::Extra;
        } else if state.tokens[seat] > 0 {
            state.phase = Phase::More;
        } else {
            self.end_turn(state);
        }
    }

    /// A line has its full length (METR-8).
    fn close(&self, state: &mut State, line: u8, rng: &mut Rng) {
        state.open &= !(1 << line);
        let Some(station) = Self::next_station(state, rng) else { return };
        state.unopened &= !(1 << station);
        state.open |= self.lines_of[usize::from(station)];
        state.openings.push(Opening { station, by: state.turn.index() as u8, line });
    }

    /// The station that comes next, if any is left.
    #[inline(always)]
    pub(in super::super) fn next_station(state: &State, rng: &mut Rng) -> Option<u8> {
        let left = state.unopened.count_ones();
        (left > 0).then(|| bits::nth(state.unopened, rng.below(left.into()) as u32) as u8)
    }

    /// Counts the wins (METR-16), and deals the next game, if there is one (METR-17).
    #[cold]
    fn end_game(&self, state: &mut State, rng: &mut Rng) {
        let result = |seat: usize| (state.score(seat), state.stations_of(seat));
        let best = (0..self.players()).map(result).max();
        let mut wins = state.wins;
        for seat in (0..self.players()).filter(|&seat| Some(result(seat)) == best) {
            wins[seat] += 1;
        }
        if wins.iter().any(|&wins| wins >= self.options.wins_needed) {
            state.wins = wins;
            state.phase = Phase::Over;
            return;
        }
        let first: Seat = self.left_of(state.first);
        *state = State { wins, game: state.game + 1, ..self.before_the_deal(first) };
        self.deal(state, rng);
    }
}

//! What happens.

use super::super::lattice::{Joiner, Spot};
use super::super::pieces::Facing;
use super::{Action, Domiphun, Phase, State, Variant};
use crate::bits;
use crate::game::Seat;
use crate::rng::Rng;

impl Domiphun {
    #[inline(always)]
    pub(super) fn apply_action(&self, state: &mut State, action: Action, rng: &mut Rng) {
        let seat = state.turn.index();
        match action {
            Action::Open(domino) => {
                state.hands[seat].remove(domino.facing());
                state.table.open(domino);
                self.end_turn_after_play(state, rng);
            }
            Action::Play { domino, end } => {
                state.hands[seat].remove(domino);
                if self.is_advanced() {
                    let plate = state.table.ends[usize::from(end)].plate;
                    state.phase = Phase::Place { end, domino, plate };
                } else {
                    state.table.extend(domino, end);
                    self.end_turn_after_play(state, rng);
                }
            }
            Action::Take => {
                Self::take(state, rng);
                state.taken += 1;
                state.misses = 0;
                if self.is_blocked(state) {
                    self.end_game(state, None, rng);
                }
            }
            Action::Miss => {
                state.misses = if state.pool.is_empty() { state.misses + 1 } else { 0 };
                if usize::from(state.misses) == self.players() {
                    self.end_game(state, None, rng); // DOMI-10
                } else {
                    self.pass_turn(state);
                }
            }
            Action::Star(end) => {
                state.starjoiners[seat] -= 1;
                state.table.close(end);
                state.phase = Phase::Star { end };
            }
            Action::Join(_) | Action::Plate(_) | Action::Place { .. } => self.go_on(state, action, rng),
        }
    }

    #[inline(always)]
    fn take(state: &mut State, rng: &mut Rng) {
        state.pool.give(&mut state.hands[state.turn.index()], rng);
    }

    /// The state when the last piece of the pool is taken, before it is seen whether the game is over.
    pub(in super::super) fn with_last_taken(state: &State, action: Action, rng: &mut Rng) -> Option<State> {
        (action == Action::Take && state.pool.len() == 1).then(|| {
            let mut taken = state.clone();
            Self::take(&mut taken, rng);
            taken
        })
    }

    /// What follows a first decision; with wide instructions, also where the search asks for it.
    #[inline(never)]
    fn go_on(&self, state: &mut State, action: Action, rng: &mut Rng) {
        let seat = state.turn.index();
        match (state.phase, action) {
            (Phase::Star { end }, Action::Join(domino)) => {
                state.hands[seat].remove(domino);
                state.phase = Phase::Plate { end, domino };
            }
            (Phase::Plate { end, domino }, Action::Plate(plate)) => state.phase = Phase::Place { end, domino, plate },
            (Phase::Place { end, domino, plate }, Action::Place { side, heading }) => bits::wide(
                #[inline(always)]
                || {
                    self.place(state, end, domino, Spot { plate, side, heading });
                    self.end_turn_after_play(state, rng);
                },
            ),
            _ => {}
        }
    }

    /// The state right after a domino is put to its place in the advanced game, still in the same turn.
    pub(in super::super) fn placed(&self, state: &State, action: Action) -> Option<State> {
        let (Phase::Place { end, domino, plate }, Action::Place { side, heading }) = (state.phase, action) else {
            return None;
        };
        let mut placed = state.clone();
        bits::wide(
            #[inline(always)]
            || self.place(&mut placed, end, domino, Spot { plate, side, heading }),
        );
        Some(placed)
    }

    #[inline(always)]
    fn place(&self, state: &mut State, end: u8, domino: Facing, spot: Spot) {
        let fit = state.table.construction.as_deref().and_then(|construction| construction.fit(spot).ok());
        if let Some(fit) = fit {
            state.x_joiners[state.turn.index()] -= u8::from(fit.joiner == Joiner::X);
            state.table.join(domino, end, spot, fit, self.options.fork);
        }
    }

    #[inline(always)]
    fn pass_turn(&self, state: &mut State) {
        state.turn = self.left_of(state.turn);
        state.taken = 0;
        state.phase = Phase::Turn;
    }

    #[inline(always)]
    fn end_turn_after_play(&self, state: &mut State, rng: &mut Rng) {
        let seat = state.turn;
        state.misses = 0;
        if state.is_out(seat) {
            return self.end_game(state, Some(seat), rng); // DOMI-9, DOMI-18
        }
        self.pass_turn(state);
        if self.is_dead(state) || self.is_blocked(state) {
            self.end_game(state, None, rng);
        }
    }

    /// Whether nobody can play and nothing can be taken (DOMI-10).
    #[inline(always)]
    pub(super) fn is_blocked(&self, state: &State) -> bool {
        if !state.pool.is_empty() {
            return false;
        }
        for seat in 0..self.players() {
            if Self::can_play(state, Seat::new(seat), state.hands[seat]) {
                return false;
            }
        }
        true
    }

    /// Whether nobody could play even with every piece that is not on the table (DOMI-10).
    #[inline(always)]
    pub(in super::super) fn is_dead(&self, state: &State) -> bool {
        let pieces = state.off_the_table();
        for seat in 0..self.players() {
            if Self::can_play(state, Seat::new(seat), pieces) {
                return false;
            }
        }
        true
    }

    /// Counts wins and points (DOMI-9, DOMI-10, DOMI-21), and deals the next game, if there is one.
    #[cold]
    fn end_game(&self, state: &mut State, winner: Option<Seat>, rng: &mut Rng) {
        let left = |seat: usize| match self.options.variant {
            Variant::Traditional => state.hands[seat].pips(),
            Variant::Standard | Variant::Advanced => state.hands[seat].len() as u16,
        };
        let fewest = (0..self.players()).map(left).min();
        let (mut wins, mut points) = (state.wins, state.points);
        for seat in 0..self.players() {
            let is_winner = winner.map_or(Some(left(seat)) == fewest, |winner| winner.index() == seat);
            wins[seat] += u8::from(is_winner);
            points[seat] += state.hands[seat].pips();
        }
        let game = state.game + 1;
        if game == self.games() {
            (state.wins, state.points, state.phase) = (wins, points, Phase::Over);
            return;
        }
        let first = self.left_of(state.first);
        *state = State { wins, points, game, ..self.before_the_deal(first) };
        self.deal(state, rng);
    }
}

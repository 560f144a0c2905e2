//! What happens.

use super::{Action, Mapominoes, Phase, State};
use crate::game::Seat;
use crate::games::mapominoes::table::{Card, Cell};
use crate::rng::Rng;

impl Mapominoes {
    #[inline(always)]
    pub(super) fn apply_action(&self, state: &mut State, action: Action, rng: &mut Rng) {
        match (state.phase, action) {
            (Phase::Go, Action::County(county)) => state.phase = Phase::Place { county },
            (Phase::Go, Action::Nominate(nominee)) => state.phase = Phase::PlaceTransit { nominee },
            (Phase::Go, Action::Take) => self.take(state, rng),
            (Phase::Place { county }, Action::Cell(cell)) if self.options.challenges => {
                state.phase = Phase::Challenge { county, cell, asked: self.left_of(state.turn) };
            }
            (Phase::Place { county }, Action::Cell(cell)) => self.lay_county(state, county, cell, rng),
            (Phase::PlaceTransit { nominee }, Action::Cell(cell)) => state.phase = Phase::Follow { nominee, cell },
            (Phase::Follow { nominee, cell }, Action::County(county)) => {
                state.phase = Phase::PlaceFollow { nominee, cell, county };
            }
            (Phase::PlaceFollow { nominee, cell: transit, county }, Action::Cell(cell)) => {
                let seat = state.turn.index();
                state.transit[seat] -= 1;
                state.tally.transit_played[seat] = state.tally.transit_played[seat].saturating_add(1);
                state.table.lay(&self.frame, transit, Card { place: nominee, is_transit: true });
                self.lay_county(state, county, cell, rng);
            }
            (Phase::Challenge { county, cell, asked }, Action::LetItBe) => {
                let next = self.left_of(asked);
                if next == state.turn {
                    self.lay_county(state, county, cell, rng);
                } else {
                    state.phase = Phase::Challenge { county, cell, asked: next };
                }
            }
            (Phase::Challenge { county, cell, .. }, Action::Challenge) => self.challenge(state, county, cell, rng),
            _ => {}
        }
    }

    /// The player cannot go, or ran out of time (MAPO-17, MAPO-18).
    pub(super) fn take(&self, state: &mut State, rng: &mut Rng) {
        if state.pile > 0 {
            state.pile -= 1;
            state.transit[state.turn.index()] += 1;
            state.passes = 0;
        } else {
            state.passes = state.passes.saturating_add(1);
        }
        self.begin_go(state, self.left_of(state.turn), rng);
    }

    /// A wrong card goes back, a right one stays (MAPO-25).
    fn challenge(&self, state: &mut State, county: u8, cell: Cell, rng: &mut Rng) {
        if state.table.borders_all(&self.frame, cell, county) {
            self.lay_county(state, county, cell, rng);
        } else {
            state.shown.insert(county);
            state.passes = state.passes.saturating_add(1);
            self.begin_go(state, self.left_of(state.turn), rng);
        }
    }

    /// A county card comes to lie for good.
    #[inline(always)]
    fn lay_county(&self, state: &mut State, county: u8, cell: Cell, rng: &mut Rng) {
        let turn = state.turn;
        let is_double = state.table.cards_beside(cell) >= 2; // MAPO-16
        state.table.lay(&self.frame, cell, Card { place: county, is_transit: false });
        state.hands[turn.index()].remove(county);
        state.shown.remove(county);
        state.passes = 0;
        let doubles = &mut state.tally.double_connections[turn.index()];
        *doubles = doubles.saturating_add(u16::from(is_double));
        if state.hands[turn.index()].is_empty() {
            if state.undealt.is_empty() {
                return self.end_round(state, rng); // MAPO-19
            }
            self.deal_rest(state, rng);
        }
        self.begin_go(state, if is_double { turn } else { self.left_of(turn) }, rng);
    }

    /// A go begins, unless the round is blocked (MAPO-20).
    #[inline(always)]
    fn begin_go(&self, state: &mut State, seat: Seat, rng: &mut Rng) {
        state.turn = seat;
        state.phase = Phase::Go;
        if state.pile == 0 && (usize::from(state.passes) >= self.players() || self.nobody_can_go(state)) {
            state.tally.blocked_rounds += 1;
            self.end_round(state, rng);
        }
    }

    /// Scores what is left in the hands (MAPO-19), and deals the next round, if there is one (MAPO-21, MAPO-22).
    #[cold]
    fn end_round(&self, state: &mut State, rng: &mut Rng) {
        for (points, hand) in state.points.iter_mut().zip(&state.hands) {
            *points += hand.len() as u16;
        }
        if state.round + 1 == self.rounds {
            state.phase = Phase::Over;
            return;
        }
        state.round += 1;
        state.dealer = self.left_of(state.dealer);
        self.deal_round(state, rng);
    }
}

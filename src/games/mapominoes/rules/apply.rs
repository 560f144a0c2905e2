//! What happens.

use super::legal::Derived;
use super::{Action, Mapominoes, Phase, State, Transit};
use crate::game::Seat;
use crate::games::mapominoes::table::{Card, Cell, Table};
use crate::rng::Rng;

/// What comes to lie for good.
struct Laid {
    /// The transit card that the county follows, if it follows one.
    transit: Option<Transit>,
    county: u8,
    cell: Cell,
}

/// What is decided next, when a card or the cell of a transit card is chosen.
#[inline(always)]
fn chosen(phase: Phase, action: Action) -> Phase {
    match (phase, action) {
        (Phase::Go, Action::County(county)) => Phase::Place { county },
        (Phase::Go, Action::Nominate(nominee)) => Phase::PlaceTransit { nominee },
        (Phase::PlaceTransit { nominee }, Action::Cell(cell)) => Phase::Follow { transit: Transit { nominee, cell } },
        (Phase::Follow { transit }, Action::County(county)) => Phase::PlaceFollow { transit, county },
        _ => phase,
    }
}

impl Mapominoes {
    #[inline(always)]
    pub(super) fn apply_action(&self, state: &mut State, action: Action, rng: &mut Rng) {
        let laid = match (state.phase, action) {
            (Phase::Place { county }, Action::Cell(cell)) => self.propose(state, Laid { transit: None, county, cell }),
            (Phase::PlaceFollow { transit, county }, Action::Cell(cell)) => {
                self.propose(state, Laid { transit: Some(transit), county, cell })
            }
            (Phase::Challenge { transit, county, cell, asked }, Action::LetItBe) => {
                let next = self.left_of(asked);
                let is_last = next == state.turn;
                if !is_last {
                    state.phase = Phase::Challenge { transit, county, cell, asked: next };
                }
                is_last.then_some(Laid { transit, county, cell })
            }
            (Phase::Challenge { transit, county, cell, .. }, Action::Challenge) => {
                let is_right = self.is_right(&state.table, transit, county, cell);
                if !is_right {
                    self.take_back(state, county, rng);
                }
                is_right.then_some(Laid { transit, county, cell }) // MAPO-25
            }
            (Phase::Go, Action::Take) => {
                self.take(state, rng);
                None
            }
            (phase, action) => {
                state.phase = chosen(phase, action);
                None
            }
        };
        if let Some(laid) = laid {
            self.lay(state, laid, rng);
        }
    }

    /// The player cannot go, or ran out of time (MAPO-17, MAPO-18).
    pub(super) fn take(&self, state: &mut State, rng: &mut Rng) {
        if state.pile > 0 {
            Self::draw(state);
            state.passes = 0;
        } else {
            state.passes = state.passes.saturating_add(1);
        }
        self.begin_go(state, self.left_of(state.turn), rng);
    }

    fn draw(state: &mut State) {
        state.pile -= 1;
        state.transit[state.turn.index()] += 1;
    }

    /// The state when the last card of the draw pile is taken, before it is seen whether the round is blocked.
    pub(in super::super) fn with_last_taken(state: &State, action: Action) -> Option<State> {
        (action == Action::Take && state.pile == 1).then(|| {
            let mut taken = state.clone();
            Self::draw(&mut taken);
            taken.legal = Derived::default();
            taken
        })
    }

    /// A county card, and the transit card that it follows, wait for the others, if they may challenge (MAPO-24);
    /// otherwise they come to lie at once.
    #[inline(always)]
    fn propose(&self, state: &mut State, laid: Laid) -> Option<Laid> {
        if !self.options.challenges {
            return Some(laid);
        }
        let Laid { transit, county, cell } = laid;
        state.phase = Phase::Challenge { transit, county, cell, asked: self.left_of(state.turn) };
        None
    }

    /// What was laid wrongly goes back to the hand (MAPO-25).
    fn take_back(&self, state: &mut State, county: u8, rng: &mut Rng) {
        state.shown.insert(county);
        state.passes = state.passes.saturating_add(1);
        self.begin_go(state, self.left_of(state.turn), rng);
    }

    /// A county card, and the transit card that it follows, come to lie for good.
    #[inline(always)]
    fn lay(&self, state: &mut State, Laid { transit, county, cell }: Laid, rng: &mut Rng) {
        let turn = state.turn;
        if transit.is_some() {
            state.transit[turn.index()] -= 1;
            let played = &mut state.tally.transit_played[turn.index()];
            *played = played.saturating_add(1);
        }
        let transit = transit.map(|Transit { nominee, cell }| (cell, Card { place: nominee, is_transit: true }));
        for (cell, card) in transit.into_iter().chain([(cell, Card { place: county, is_transit: false })]) {
            state.table.lay(&self.frame, cell, card);
        }
        let is_double = self.connections(&state.table, cell) >= 2; // MAPO-16
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

    /// How many of the cards beside a cell count for a double connection (MAPO-16).
    #[inline(always)]
    pub(in super::super) fn connections(&self, table: &Table, cell: Cell) -> u8 {
        if self.options.double_with_transit { table.cards_beside(cell) } else { table.counties_beside(cell) }
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

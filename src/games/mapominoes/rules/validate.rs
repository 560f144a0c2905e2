//! Contradictions in a state from outside.

use super::{MAX_PLAYERS, Mapominoes, Phase, State, Transit};
use crate::position_text::first_wrong;
use crate::set::Set;

impl Mapominoes {
    pub(super) fn impossible_table(&self, state: &State) -> Option<&'static str> {
        let (table, frame) = (&state.table, &self.frame);
        if table.laid_anew(frame, &self.atlas).as_ref() != Some(table) {
            return Some("cards that cannot lie so, or counts that do not fit them");
        }
        let pairs = || {
            table
                .cards()
                .flat_map(|(cell, card)| frame.beside(cell).filter_map(move |other| Some((card, table.card(other)?))))
        };
        let cases = [
            (table.card(frame.middle()).is_none_or(|card| card.is_transit), "no county card in the middle (MAPO-8)"),
            (!table.is_connected(frame), "cards that do not hang together (MAPO-11)"),
            (pairs().any(|(one, other)| one.is_transit && other.is_transit), "transit cards side by side (MAPO-12)"),
            (
                !self.options.challenges && pairs().any(|(one, other)| !frame.near(one.place).contains(other.place)),
                "neighbours that do not border each other (MAPO-11)",
            ),
        ];
        first_wrong(&cases)
    }

    pub(super) fn impossible_cards(&self, state: &State) -> Option<&'static str> {
        let players = self.players();
        let piles = || state.hands.iter().copied().chain([state.undealt, state.aside, state.table.counties()]);
        let all = piles().fold(Set::EMPTY, |all, pile| all | pile);
        let held = state.hands.iter().fold(Set::EMPTY, |all, &hand| all | hand);
        let transit: usize = state.transit.iter().copied().chain([state.pile]).map(usize::from).sum();
        let cases = [
            (piles().map(|pile| pile.len()).sum::<usize>() != all.len(), "a card in two places"),
            (all != self.deck, "cards that are not those of the deck"),
            (!(state.undealt - (self.deck - self.first)).is_empty(), "cards undealt that the first deal has dealt"),
            (!(state.shown - held).is_empty(), "a card shown that nobody holds"),
            (
                state.phase != Phase::Over && state.hands[..players].iter().any(Set::is_empty),
                "a player without county cards (MAPO-19)",
            ),
            (
                transit + state.table.transits().len() > usize::from(self.options.transit_cards),
                "more transit cards than there are",
            ),
            (
                state.hands[players..].iter().any(|hand| !hand.is_empty())
                    || state.transit[players..].iter().any(|&cards| cards > 0),
                "a player too many",
            ),
        ];
        first_wrong(&cases)
    }

    pub(super) fn impossible_phase(&self, state: &State) -> Option<&'static str> {
        let players = self.players();
        if state.turn.index() >= players || state.dealer.index() >= players {
            return Some("a seat that is not at the table");
        }
        let phase = state.phase;
        let is_known = phase.county().is_none_or(|county| usize::from(county) < self.atlas.num_regions())
            && phase.nominee().is_none_or(|nominee| usize::from(nominee) < self.atlas.places().len())
            && phase.waiting().all(|(cell, _)| usize::from(cell.0) < self.frame.num_cells());
        if !is_known {
            return Some("a choice of something that is not there");
        }
        let is_blocked = |passes: usize| state.pile == 0 && passes >= players;
        let go = State { phase: Phase::Go, ..state.clone() };
        let may_follow = |transit: Transit, county: u8| {
            let follow = State { phase: Phase::Follow { transit }, ..state.clone() };
            self.has_laid(state, transit) && self.find_counties(&follow).contains(county)
        };
        let is_possible = match phase {
            Phase::Over => {
                let is_won = state.undealt.is_empty() && state.hands[..players].iter().any(Set::is_empty);
                is_won || is_blocked(state.passes.into()) || state.pile == 0 && self.nobody_can_go(state)
            }
            _ if is_blocked(state.passes.into()) => false,
            Phase::Go => self.is_playable(state),
            Phase::Place { county } => self.find_counties(&go).contains(county),
            Phase::PlaceTransit { nominee } => self.find_nominees(&go).contains(nominee),
            Phase::Follow { transit } => self.has_laid(state, transit),
            Phase::PlaceFollow { transit, county } => may_follow(transit, county),
            Phase::Challenge { transit, county, cell, asked } => {
                let is_laid = match transit {
                    None => self.find_counties(&go).contains(county) && state.table.is_beside_cards(cell),
                    Some(transit) => {
                        let mut cells = state.table.free_beside(&self.frame, transit.cell);
                        may_follow(transit, county) && cells.any(|other| other == cell)
                    }
                };
                self.options.challenges && asked != state.turn && asked.index() < players && is_laid
            }
        };
        (!is_possible).then_some("a decision that nobody could have to take")
    }

    /// Whether the seat whose go it is can have begun with this transit card.
    fn has_laid(&self, state: &State, transit: Transit) -> bool {
        state.transit[state.turn.index()] > 0 && self.may_lay_transit(state, transit)
    }

    pub(super) fn impossible_match(&self, state: &State) -> Option<&'static str> {
        let finished = usize::from(state.round) + usize::from(state.phase == Phase::Over);
        let most = finished * self.deck.len();
        let players = self.players();
        let is_tally = |numbers: [u16; MAX_PLAYERS]| numbers[players..].iter().all(|&number| number == 0);
        let cases = [
            (state.round >= self.rounds, "a round after the last (MAPO-22)"),
            (
                state.phase == Phase::Over && finished != usize::from(self.rounds),
                "an end before the last round (MAPO-22)",
            ),
            (state.points.iter().any(|&points| usize::from(points) > most), "impossible points"),
            (
                !is_tally(state.points)
                    || !is_tally(state.tally.double_connections)
                    || !is_tally(state.tally.transit_played),
                "a player too many",
            ),
            (usize::from(state.tally.blocked_rounds) > finished, "more rounds blocked than finished"),
        ];
        first_wrong(&cases)
    }
}

//! Why a player may not do something.

use super::{Action, Mapominoes, Phase, State, Transit};
use crate::game::{Refusal, Wording};
use crate::games::mapominoes::table::Cell;

/// Why an action is none of those that are being decided about, if it is not.
pub(super) fn not_now(phase: Phase, action: Action) -> Option<Refusal> {
    let (clause, reason) = match (phase, action) {
        (Phase::Over, _) => ("", "the match is over"),
        (Phase::Challenge { .. }, _) => ("MAPO-24", "a card waits: challenge it or let it be"),
        (Phase::Place { .. } | Phase::PlaceFollow { .. }, Action::County(_) | Action::Nominate(_)) => {
            ("MAPO-10", "a county card is chosen already; it needs a cell")
        }
        (Phase::PlaceTransit { .. }, Action::County(_) | Action::Nominate(_)) => {
            ("MAPO-12", "a transit card is chosen already; it needs a cell")
        }
        (Phase::Follow { .. }, Action::Nominate(_)) => {
            ("MAPO-13", "a transit card is played; a county card has to follow")
        }
        (Phase::Go, Action::Cell(_)) => ("MAPO-10", "choose a card before its cell"),
        (Phase::Follow { .. }, Action::Cell(_)) => ("MAPO-13", "choose the county card that follows"),
        (
            Phase::Place { .. } | Phase::PlaceTransit { .. } | Phase::Follow { .. } | Phase::PlaceFollow { .. },
            Action::Take,
        ) => ("MAPO-10", "the go has begun: it is too late to take a card"),
        _ => return None,
    };
    Some(Refusal::new(clause, reason))
}

impl Mapominoes {
    fn name_of(&self, place: u8) -> &str {
        &self.atlas.place(place).name
    }

    /// Why a county card cannot be played, in a go or after a transit card.
    pub(super) fn why_not_county(&self, state: &State, county: u8) -> Refusal {
        if !state.hand().contains(county) {
            return Refusal::new("MAPO-10", Wording::player(state.turn, "does").text(" not hold that card"));
        }
        if let Some(Transit { nominee, .. }) = state.phase.transit() {
            let [county_name, nominee_name] = [county, nominee].map(|place| self.name_of(place));
            let reason = if self.frame.near(nominee).contains(county) {
                format!("no free cell beside the transit card fits {county_name}")
            } else {
                format!("{county_name} does not border {nominee_name}")
            };
            return Refusal::new("MAPO-13", reason);
        }
        let near: Vec<&str> = (self.frame.near(county) & self.deck).iter().map(|place| self.name_of(place)).collect();
        if near.is_empty() {
            let reason = "it borders no county in play, so it can only follow a transit card";
            return Refusal::new("MAPO-11, MAPO-13", reason);
        }
        Refusal::new("MAPO-11", format!("it borders {}; no free cell lies next to these alone", near.join(", ")))
    }

    /// Why no transit card can be played for a place, in a go.
    pub(super) fn why_not_nominee(&self, state: &State, nominee: u8) -> Refusal {
        if state.transit[state.turn.index()] == 0 {
            return Refusal::new("MAPO-12", Wording::player(state.turn, "holds").text(" no transit card"));
        }
        let name = self.name_of(nominee);
        if !self.options.challenges {
            let reason = format!(
                "no free cell is next to counties that all border {name}, with a cell beside it for a county of the \
                 hand that borders {name}"
            );
            return Refusal::new("MAPO-13", reason);
        }
        if !self.bordered.contains(nominee) {
            return Refusal::new("MAPO-24", format!("no county in play borders {name}"));
        }
        let reason = "no free cell is next to county cards alone, with a free cell beside it for a county card";
        Refusal::new("MAPO-13", reason)
    }

    /// Why the card that is chosen cannot lie on a cell.
    pub(super) fn why_not_there(&self, state: &State, cell: Cell) -> Refusal {
        let (table, phase) = (&state.table, state.phase);
        if let Some(card) = table.card(cell) {
            let kind = if card.is_transit { "a transit card" } else { "a card" };
            return Refusal::new("MAPO-6", format!("{kind} ({}) lies there", self.name_of(card.place)));
        }
        let laid = match phase {
            Phase::PlaceFollow { transit, .. } if transit.cell == cell => {
                return Refusal::new("MAPO-6", "the transit card lies there");
            }
            Phase::PlaceFollow { transit, .. } if self.frame.beside(transit.cell).all(|other| other != cell) => {
                return Refusal::new("MAPO-13", "the county card has to lie next to the transit card");
            }
            Phase::Place { county } | Phase::PlaceFollow { county, .. } => county,
            Phase::PlaceTransit { nominee } => nominee,
            _ => return Refusal::new("MAPO-10", "no card is chosen"),
        };
        let beside = || self.frame.beside(cell).filter_map(|other| table.card(other));
        if matches!(phase, Phase::PlaceTransit { .. }) && beside().any(|card| card.is_transit) {
            return Refusal::new("MAPO-12", "it would lie next to another transit card");
        }
        if beside().next().is_none() {
            return Refusal::new("MAPO-11", "no card lies next to that cell");
        }
        if self.options.challenges {
            return Refusal::new("MAPO-13", "no free cell is left beside it for the county card that follows");
        }
        if let Some(wrong) = beside().find(|card| !self.frame.near(laid).contains(card.place)) {
            let [laid, wrong] = [laid, wrong.place].map(|place| self.name_of(place));
            return Refusal::new("MAPO-11", format!("{laid} does not border {wrong}"));
        }
        let name = self.name_of(laid);
        Refusal::new("MAPO-13", format!("no county of the hand that borders {name} could follow from there"))
    }
}

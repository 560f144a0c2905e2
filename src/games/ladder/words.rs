//! Ladder as people see it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::picture;
use super::rules::{Action, Ladder, State};
use crate::bits;
use crate::drawing::{Picture, Place};
use crate::game::{Describe, Looks, Moment, Part, Phrase, Rules, Seat, Setting, Show, Spoken, Tally, Viewer};
use crate::text::{counted, won_by};

impl Show for Ladder {
    const RULES_IN_SHORT: &'static str = include_str!("short.txt");
    const EXAMPLES: &'static str = include_str!("examples.json");

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        vec![("players", Setting::Number(2, 3)), ("hand", Setting::Number(1, 6))]
    }

    fn say(&self, action: Action) -> Spoken {
        match action {
            Action::Lay(card) => {
                Spoken::new(format!("lay {card}"), Phrase::does("lay", format!("the {card}")), "lay a card")
                    .at([card_place(card)])
            }
            Action::Pass => Spoken::new("pass", Phrase::does("pass", ""), "pass"),
        }
    }

    fn parse(&self, text: &str) -> Option<Action> {
        let text = text.trim().to_ascii_lowercase();
        if text == "pass" {
            return Some(Action::Pass);
        }
        let card = text.strip_prefix("lay ")?.trim_start().parse().ok()?;
        (1..=self.options().cards).contains(&card).then_some(Action::Lay(card))
    }

    fn text(&self, state: &State, viewer: Viewer) -> String {
        let view = state.view(viewer);
        let heading = match self.to_act(state) {
            Some(seat) => format!("seat {} to lay a card", seat.index()),
            None => won_by(self.num_seats(), self.winners(state)),
        };
        let mut out = format!("{}, {heading}\ntop card {}", Self::TITLE, view.top());
        for seat in self.seats() {
            let hand = view.hand(seat).map_or_else(|| "hidden".to_owned(), |hand| format!("{:?}", cards(hand)));
            let count = counted(view.num_cards(seat).into(), "card");
            let _ = write!(out, "\nseat {}, {count}: {hand}", seat.index());
        }
        out
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
        let view = state.view(viewer);
        let hand = |seat: Seat| json!({"count": view.num_cards(seat), "cards": view.hand(seat).map(cards)});
        let legal: Vec<String> = self.choices(state, viewer).into_iter().map(|action| self.notation(action)).collect();
        json!({
            "game": Self::NAME,
            "viewer": viewer.seat(),
            "to_act": self.to_act(state),
            "laid": cards(view.laid()),
            "hands": self.seats().map(hand).collect::<Vec<_>>(),
            "legal": legal,
            "returns": &self.returns(state)[..self.num_seats()],
        })
    }

    fn picture(&self, state: &State, viewer: Viewer, _: Option<Action>, looks: Looks<'_>) -> Picture {
        let legal = if looks.hides_moves() { Vec::new() } else { self.choices(state, viewer) };
        picture::draw(self, &state.view(viewer), &legal, looks)
    }

    fn moment(&self, state: &State) -> Moment {
        let values = self.seats().map(|seat| state.view(Viewer::Everything).num_cards(seat).into()).collect();
        let tally = Tally { what: "cards left", values };
        Moment { part: Part { noun: "game", number: 1, of: 1, tally, tie_break: None }, is_half_made: false }
    }
}

impl Describe for Ladder {}

impl Ladder {
    /// The legal actions, if the viewer may know them: somebody else's tell what they hold.
    fn choices(&self, state: &State, viewer: Viewer) -> Vec<Action> {
        let mut legal = Vec::new();
        if viewer.knows_actions_of(self.to_act(state)) {
            self.legal_actions(state, &mut legal);
        }
        legal
    }
}

/// What is clicked to lay a card.
pub(super) fn card_place(card: u8) -> Place {
    Place::new("card", card.to_string())
}

/// The cards of a set.
pub(super) fn cards(set: u64) -> Vec<u8> {
    bits::each(set).map(|bit| bit + 1).collect()
}

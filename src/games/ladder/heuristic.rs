//! What agents think of an action in Ladder, and what a person hears who asks for a hint.

use super::rules::{Action, Ladder, State};
use crate::agents;
use crate::game::{Advise, Heuristic, Rules as _};
use crate::text::counted;

impl Heuristic for Ladder {
    /// Lay what is legal, the lowest card first: it leaves most room for the rest.
    fn value(&self, _: &State, action: Action) -> i32 {
        match action {
            Action::Lay(card) => i32::from(self.options().cards - card),
            Action::Pass => -1,
        }
    }
}

impl Advise for Ladder {
    /// Nobody passes who can lay a card.
    fn drop_mistakes(&self, _: &State, actions: &mut Vec<Action>) {
        agents::keep_where(actions, |&action| action != Action::Pass);
    }

    fn reason(&self, state: &State, action: Action) -> String {
        let hand = self.to_act(state).and_then(|seat| state.view(Some(seat)).hand(seat)).unwrap_or_default();
        match action {
            Action::Lay(_) if hand.count_ones() == 1 => "it is your last card".to_owned(),
            Action::Lay(card) => match (hand >> card).count_ones() as usize {
                0 => "it is your highest card".to_owned(),
                above => format!("you keep {} that can go above it", counted(above, "card")),
            },
            Action::Pass => "none of your cards is high enough".to_owned(),
        }
    }
}

//! What agents think of an action in Ladder, and what a person hears who asks for a hint.

use super::rules::{Action, Ladder, State};
use crate::agents;
use crate::game::{Advise, Heuristic, Rules as _};

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

    fn reason(&self, _: &State, action: Action) -> String {
        match action {
            Action::Lay(_) => "the lowest card leaves most room for the rest".to_owned(),
            Action::Pass => "none of your cards is high enough".to_owned(),
        }
    }
}

//! What the greedy agent thinks of an action in Connections.

use super::rules::{Action, Connections, State};
use crate::game::Judge;

impl Judge for Connections {
    fn judge(&self, _: &State, action: Action) -> i32 {
        match action {
            Action::Set(_) | Action::Play(_) => 1,
            _ => 0,
        }
    }
}

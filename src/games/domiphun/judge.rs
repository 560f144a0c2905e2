//! What the greedy agent thinks of an action in Domiphun.

use super::rules::{Action, Domiphun, State};
use crate::game::Judge;

impl Judge for Domiphun {
    fn judge(&self, _: &State, action: Action) -> i32 {
        match action {
            Action::Open(_) | Action::Play { .. } | Action::Join(_) | Action::Plate(_) | Action::Place { .. } => 1,
            Action::Star(_) | Action::Take | Action::Miss => 0,
        }
    }
}

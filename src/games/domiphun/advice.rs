//! What a person hears who asks for a hint in Domiphun.

use super::heuristic::{STAR, WIN, count};
use super::pieces::Facing;
use super::rules::{Action, Domiphun, State};
use crate::agents::keep_where;
use crate::game::{Advise, Heuristic as _, Rules as _, Viewer};
use crate::rng::Rng;

impl Advise for Domiphun {
    /// The game is won where it can be; nothing is taken, missed or closed while a domino can be played.
    fn drop_mistakes(&self, state: &State, actions: &mut Vec<Action>) {
        let judged = |action: &Action| self.value(state, *action);
        let wins = keep_where(actions, |action| judged(action) >= WIN);
        if !wins {
            keep_where(actions, |action| judged(action) > STAR);
        }
    }

    fn reason(&self, state: &State, action: Action) -> String {
        let text = match action {
            Action::Open(domino) => return Self::reason_for_domino(state, domino.facing()),
            Action::Play { domino, .. } | Action::Join(domino) => return Self::reason_for_domino(state, domino),
            Action::Plate(_) => "it has a side where the domino stands",
            Action::Place { .. } if self.value(state, action) >= WIN => "it wins the game",
            Action::Place { .. } if self.uses_x_joiner(state, action) => "it stands there, and uses up an X joiner",
            Action::Place { .. } => "it stands there",
            Action::Star(_) => "it opens the path at another square, where you can go on",
            Action::Miss => "you have taken enough for one turn",
            Action::Take => "nothing of yours fits an end",
        };
        text.to_owned()
    }
}

impl Domiphun {
    fn uses_x_joiner(&self, state: &State, action: Action) -> bool {
        let mut after = state.clone();
        self.apply(&mut after, action, &mut Rng::from_bits(0));
        after.view(Viewer::Everything).x_joiners() != state.view(Viewer::Everything).x_joiners()
    }

    fn reason_for_domino(state: &State, domino: Facing) -> String {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let mut hand = view.hand(turn).unwrap_or(view.unseen().none());
        hand.remove(domino);
        let Facing { inner, outer } = domino;
        if hand.is_empty() {
            "it is the last that you have".to_owned()
        } else if count(hand, outer) > 0 {
            format!("it ends in {outer}, and you have more to follow that")
        } else if inner == outer {
            format!("a double is harder to play later, and {inner} fits now")
        } else {
            format!("it gets {} points off your hand", inner + outer)
        }
    }
}

//! What a person hears who asks for a hint in Metro Domino.

use super::heuristic::END;
use super::rules::{Action, MetroDomino, State};
use super::tiles::Play;
use crate::agents::keep_where;
use crate::game::{Advise, Heuristic as _, Rules as _, Viewer};
use crate::rng::Rng;
use crate::text::counted;

impl Advise for MetroDomino {
    /// The game is won where it can be, and not ended otherwise; a tile that fits is laid.
    fn drop_mistakes(&self, state: &State, actions: &mut Vec<Action>) {
        let judged = |action: &Action| self.value(state, *action);
        let wins = keep_where(actions, |action| judged(action) >= END);
        if !wins {
            keep_where(actions, |action| judged(action) > -END);
            keep_where(actions, |action| matches!(action, Action::Play(_)));
        }
    }

    fn reason(&self, state: &State, action: Action) -> String {
        let can_play = self.num_plays(state) > 0;
        let text = match action {
            Action::Play(play) => return self.reason_for_play(state, play),
            Action::Draw => "none of your tiles fits",
            Action::Pass => "none of your tiles fits, and the store is empty",
            Action::Spend => "it lets you add one more tile",
            Action::Stop if self.is_legal(state, Action::Spend) => "a metro token can be of more use later",
            Action::Keep | Action::Stop if can_play => "a tile that fits can be of more use later",
            Action::Keep => "it fits nowhere now",
            Action::Stop => "none of your tiles fits now",
        };
        text.to_owned()
    }
}

impl MetroDomino {
    fn reason_for_play(&self, state: &State, play: Play) -> String {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let mut hand = view.hand(turn).unwrap_or_default();
        hand.remove(play.tile);
        let length = self.deck.tracks()[usize::from(play.line)].line.length;
        let is_complete = view.line(play.line).tiles + 1 == length;
        if hand.is_empty() {
            "it is your last tile".to_owned()
        } else if is_complete && view.num_unopened() > 0 {
            "it completes the line, and you open a station".to_owned()
        } else if play.tile.is_double() {
            "a double brings a metro token and one more tile".to_owned()
        } else {
            let mut after = state.clone();
            self.apply(&mut after, Action::Play(play), &mut Rng::from_bits(0));
            match (hand.0 & self.fitting(&after).0).count_ones() as usize {
                0 => "it is one tile less in your hand".to_owned(),
                fitting => format!("it leaves you {} that can follow", counted(fitting, "tile")),
            }
        }
    }
}

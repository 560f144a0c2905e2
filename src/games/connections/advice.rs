//! What a person hears who asks for a hint in Connections.

use super::deck::Kind;
use super::rules::{Action, Connections, Phase, State, View};
use crate::agents::keep_where;
use crate::game::{Advise, Heuristic as _, Viewer};
use crate::text::counted;

/// A card in the hand is worth so much if it can be played soon: it fits at once, or two others of its region wait.
const WANTED: i32 = 12;

impl Advise for Connections {
    /// What scores is played, a card that is wanted is not thrown away for one that is not, and no trade, partnership or
    /// announcement is to the own loss.
    fn drop_mistakes(&self, state: &State, actions: &mut Vec<Action>) {
        let view = state.view(state.view(Viewer::Everything).to_act());
        let judged = |action: &Action| self.value(state, *action);
        match view.phase() {
            Phase::Discard { .. } => {
                keep_where(actions, |action| judged(action) > -WANTED);
            }
            Phase::Play => {
                let scores = |action: &Action| self.gain_of(&view, *action) > 0;
                let is_exchange = |action: &Action| matches!(action, Action::Draw | Action::Take | Action::Pass);
                if actions.iter().any(scores) {
                    actions.retain(|action| !is_exchange(action));
                }
                keep_where(actions, |action| judged(action) >= 0);
            }
            _ => {
                keep_where(actions, |action| judged(action) >= 0);
            }
        }
    }

    fn reason(&self, state: &State, action: Action) -> String {
        let view = state.view(state.view(Viewer::Everything).to_act());
        let text = match (action, view.phase()) {
            (Action::Set(face), _) => return self.reason_for_set(face),
            (Action::Play(_), _) => return self.reason_for_play(&view, action),
            (Action::Discard(_), _) => "it is of least use to you",
            (Action::Offer { .. }, _) => "you can spare it, and may get a better one for it",
            (Action::Answer(_) | Action::Accept, _) => "what you get is of more use to you than what you give",
            (Action::Invite { .. }, _) => "half of what you have together is more than all that you have alone",
            (Action::Join, _) => "half of what you have together can be more than what you have alone",
            (Action::Announce, _) => "you are ahead, and the others have only two turns left",
            (Action::Take, _) => "the top of the discard pile goes with your cards",
            (Action::Draw, Phase::Play) => "nothing that you can play brings points now",
            (Action::Draw, _) => "the pile may well be better than the top of the discard pile",
            (Action::Pass, _) => "there is nothing else to do",
            (Action::No, Phase::Announce) => "you can gain more than the others while the round goes on",
            (Action::No, Phase::Invited { .. }) => "half of what you would have together is less than you have alone",
            (Action::No, _) => "you would give more than you get",
        };
        text.to_owned()
    }
}

impl Connections {
    /// The points that an action brings to the table at once; a set's, as soon as it is whole.
    fn gain_of(&self, view: &View<'_>, action: Action) -> i32 {
        match action {
            Action::Set(_) => 1,
            Action::Play(face) => {
                let after = view.table().with(&self.deck, view.turn(), face);
                self.scorer(&after).points(view.turn()) - self.scorer(view.table()).points(view.turn())
            }
            _ => 0,
        }
    }

    fn reason_for_set(&self, face: u8) -> String {
        let Kind::Region(region) = self.deck.face(face).kind else { return String::new() };
        format!("it is for a set of {}", self.deck.regions()[usize::from(region)].name)
    }

    fn reason_for_play(&self, view: &View<'_>, action: Action) -> String {
        match self.gain_of(view, action) {
            points @ 1.. => format!("it brings {}", counted(points as usize, "point")),
            _ => "it is a step to a larger group".to_owned(),
        }
    }
}

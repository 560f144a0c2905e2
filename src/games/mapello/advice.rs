//! What a person hears who asks for a hint in Mapello.

use super::board::{Cell, dead_ends, flips, moves};
use super::heuristic::VICTORY;
use super::rules::{Action, Colour, Mapello, State};
use crate::agents::keep_where;
use crate::game::{Advise, Heuristic as _, Viewer};
use crate::text::{counted, listed};

impl Advise for Mapello {
    /// A game is won where it can be won at once, and not ended without a win where it can go on.
    fn drop_mistakes(&self, state: &State, actions: &mut Vec<Action>) {
        let judged = |action: &Action| self.value(state, *action);
        let is_won = keep_where(actions, |action| judged(action) > VICTORY / 2);
        if !is_won {
            keep_where(actions, |action| judged(action) > -VICTORY / 2);
        }
    }

    fn reason(&self, state: &State, action: Action) -> String {
        let text = match action {
            Action::Disc(cell) => return reason_for_disc(state, cell),
            Action::Pass => "there is no cell where a disc would flip any",
            Action::Take(Colour::Black) => "black, who begins, looks the stronger on this board",
            Action::Take(Colour::White) => "white, who answers, looks the stronger on this board",
            Action::Finish => "there is enough on the board",
            Action::Wall(_) | Action::Bonus(_) | Action::Joker(_) if self.value(state, action) > 0 => {
                "it makes the board look the same from both sides, which is fair"
            }
            Action::Wall(_) | Action::Bonus(_) | Action::Joker(_) => "it gives both players something to play around",
        };
        text.to_owned()
    }
}

fn reason_for_disc(state: &State, cell: Cell) -> String {
    let view = state.view(Viewer::Everything);
    let me = view.turn() as usize;
    let (own, other, jokers) = (view.discs()[me], view.discs()[1 - me], view.jokers());
    let flipped = flips(cell, own, other, jokers);
    let (own, other) = (own | flipped | cell.bit(), other & !flipped);
    let free = !(own | other | view.walls());
    let has_bonus = view.bonuses() & cell.bit() != 0;
    let mut parts = vec![format!("flips {}", counted(flipped.count_ones() as usize, "disc"))];
    if has_bonus {
        parts.push("takes a bonus".to_owned());
    }
    let is_safe = dead_ends(view.walls(), jokers).iter().all(|line| line & cell.bit() != 0);
    if is_safe {
        parts.push("stays for good".to_owned());
    }
    match moves(other, own, free, jokers).count_ones() as usize {
        0 if moves(own, other, free, jokers) == 0 => parts.push("ends the game".to_owned()),
        0 => parts.push("leaves the other player no move".to_owned()),
        replies if parts.len() == 1 => parts.push(format!("leaves the other player {}", counted(replies, "move"))),
        _ => {}
    }
    format!("it {}", listed(&parts))
}

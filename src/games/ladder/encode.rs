//! Ladder as a learner sees it.

use super::rules::{Action, Ladder, Options, State};
use crate::game::{Encode, Fast, Rules as _, Seat};
use crate::layout::{Layout, Writer};

pub(super) fn actions(options: &Options) -> Layout {
    Layout::new().flags("lay", &[options.cards.into()], "lay a card").flags("pass", &[], "lay none")
}

pub(super) fn observation(&Options { players, cards, hand }: &Options) -> Layout {
    let (seats, all) = (usize::from(players), usize::from(cards));
    Layout::new()
        .flags("hand", &[all], "the viewer's cards")
        .flags("laid", &[all], "cards on the table")
        .counts("cards", &[seats], hand, "cards in the hands")
        .by_seat()
        .flags("to_act", &[seats], "who decides now")
        .by_seat()
        .counts("passes", &[], players, "passes in a row")
}

impl Encode for Ladder {
    fn actions(&self) -> &Layout {
        &self.actions
    }

    fn action_id(&self, action: Action) -> usize {
        match action {
            Action::Lay(card) => usize::from(card) - 1,
            Action::Pass => self.options().cards.into(),
        }
    }

    fn action(&self, id: usize) -> Action {
        if id < self.options().cards.into() { Action::Lay(id as u8 + 1) } else { Action::Pass }
    }

    fn observation(&self) -> &Layout {
        &self.observation
    }

    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        let (view, cards) = (state.view(Some(viewer)), self.options().cards.into());
        let mut row = Writer::new(row);
        row.set(view.hand(viewer).unwrap_or_default(), cards);
        row.set(view.laid(), cards);
        for seat in viewer.around(self.num_seats()) {
            row.number(view.num_cards(seat));
        }
        for seat in viewer.around(self.num_seats()) {
            row.flag(self.to_act(state) == Some(seat));
        }
        row.number(view.passes());
    }

    fn facts(&self) -> &Layout {
        &self.facts
    }

    fn describe_action(&self, state: &State, action: Action, row: &mut [u8]) {
        self.write_facts(state, action, row);
    }
}

impl Fast for Ladder {}

//! What a table of simulated matches of Ladder tells.

use super::rules::{Action, Ladder, State};
use crate::game::{Account, MAX_SEATS, Rules as _, Statistic, Statistics, Viewer};

/// What is counted while a match is played.
#[derive(Clone, Default)]
pub struct Count {
    turns: u32,
    passes: i32,
}

impl Statistics for Ladder {
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "laid", meaning: "cards laid", by_seat: true },
        Statistic { name: "passes", meaning: "turns without a card", by_seat: false },
    ];
    const ENDINGS: &'static [&'static str] = &["last card", "all passed"];

    type Count = Count;

    fn before(&self, count: &mut Count, _: &State, action: Action) {
        count.turns += 1;
        count.passes += i32::from(action == Action::Pass);
    }

    fn account(&self, count: &Count, state: &State, own: &mut [i32]) -> Account {
        let view = state.view(Viewer::Everything);
        let mut scores = [0; MAX_SEATS];
        for seat in self.seats() {
            scores[seat.index()] = view.num_cards(seat).into();
            own[seat.index()] = i32::from(self.options().hand) - scores[seat.index()];
        }
        own[self.num_seats()] = count.passes;
        let rounds = u32::from(self.to_act(state).is_none());
        Account { turns: count.turns, rounds, ended: u8::from(view.passes() == self.options().players), scores }
    }

    fn standing(&self, state: &State) -> [i32; MAX_SEATS] {
        let mut standing = [0; MAX_SEATS];
        for seat in self.seats() {
            standing[seat.index()] = -i32::from(state.view(Viewer::Everything).num_cards(seat));
        }
        standing
    }
}

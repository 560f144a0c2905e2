//! What an analyst sees of Ladder at any moment.

use super::rules::{Action, Ladder, State};
use crate::bits;
use crate::game::{Inspect, Lay, Rules as _, Seat, Statistic, Viewer};

impl Inspect for Ladder {
    const FIGURES: &'static [Statistic] = &[
        Statistic { name: "hand", meaning: "cards in the hand", by_seat: true },
        Statistic { name: "table", meaning: "cards on the table", by_seat: false },
    ];

    fn figures(&self, state: &State, out: &mut [i32]) {
        let view = state.view(Viewer::Everything);
        let hands = self.seats().map(|seat| view.num_cards(seat).into());
        out.iter_mut().zip(hands.chain([view.laid().count_ones() as i32])).for_each(|(out, figure)| *out = figure);
    }

    fn pieces(&self) -> Vec<String> {
        (1..=self.options().cards).map(|card| card.to_string()).collect()
    }

    fn count_hand(&self, state: &State, seat: Seat, counts: &mut [u8]) {
        for card in bits::each(state.view(Viewer::Everything).hand(seat).unwrap_or_default()) {
            counts[usize::from(card)] += 1;
        }
    }

    fn lays(&self, state: &State, action: Action, out: &mut Vec<Lay>) {
        if let (Action::Lay(card), Some(seat)) = (action, self.to_act(state)) {
            out.push(Lay { seat, piece: u16::from(card) - 1, spot: None });
        }
    }
}

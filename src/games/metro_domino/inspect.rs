//! What an analyst sees of Metro Domino at any moment.

use super::encode::tile_name;
use super::rules::{Action, LineState, MetroDomino, State};
use super::tiles::ALL;
use super::words::line_place;
use crate::drawing::Place;
use crate::game::{Inspect, Lay, Rules as _, Seat, Statistic, Viewer};

impl Inspect for MetroDomino {
    const FIGURES: &'static [Statistic] = &[
        Statistic { name: "hand", meaning: "tiles in the hand", by_seat: true },
        Statistic { name: "fit", meaning: "tiles of the hand that some line takes", by_seat: true },
        Statistic { name: "tokens_held", meaning: "metro tokens that the seat has", by_seat: true },
        Statistic { name: "stations", meaning: "stations opened in the game", by_seat: true },
        Statistic { name: "table", meaning: "tiles on the table", by_seat: false },
        Statistic { name: "store", meaning: "tiles in the store", by_seat: false },
        Statistic { name: "open_lines", meaning: "lines that can be begun or go on", by_seat: false },
        Statistic { name: "active", meaning: "lines that are begun and not complete", by_seat: false },
        Statistic { name: "unopened", meaning: "stations that nobody has opened", by_seat: false },
        Statistic { name: "deal", meaning: "the number of the game within the match, from 0", by_seat: false },
    ];

    fn figures(&self, state: &State, out: &mut [i32]) {
        let view = state.view(Viewer::Everything);
        let seats = || (0..self.players()).map(Seat::new);
        let taken = self.fitting(state);
        let fit = |seat: Seat| (view.hand(seat).unwrap_or_default().0 & taken.0).count_ones() as usize;
        let active = view.open_lines().filter(|&line| view.line(line).state() == LineState::Active);
        let of_match = [
            view.laid().len(),
            view.num_store(),
            view.open_lines().count(),
            active.count(),
            view.num_unopened() as usize,
            view.game().into(),
        ];
        let figures = seats()
            .map(|seat| view.num_tiles(seat))
            .chain(seats().map(fit))
            .chain(seats().map(|seat| view.tokens(seat).into()))
            .chain(seats().map(|seat| view.num_stations(seat)))
            .chain(of_match);
        out.iter_mut().zip(figures).for_each(|(out, figure)| *out = figure as i32);
    }

    fn pieces(&self) -> Vec<String> {
        ALL.iter().map(tile_name).collect()
    }

    fn spots(&self) -> Vec<Place> {
        self.deck.tracks().iter().map(line_place).collect()
    }

    fn count_hand(&self, state: &State, seat: Seat, counts: &mut [u8]) {
        for tile in state.view(Viewer::Everything).hand(seat).unwrap_or_default().iter() {
            counts[usize::from(tile.0)] += 1;
        }
    }

    fn lays(&self, state: &State, action: Action, out: &mut Vec<Lay>) {
        if let (Action::Play(play), Some(seat)) = (action, self.to_act(state)) {
            out.push(Lay { seat, piece: play.tile.0.into(), spot: Some(play.line.into()) });
        }
    }

    fn deal(&self, state: &State) -> u32 {
        state.view(Viewer::Everything).game().into()
    }
}

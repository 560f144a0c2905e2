//! What an analyst sees of Mapominoes at any moment.

use super::picture::ground;
use super::rules::{Action, Mapominoes, Phase, State, Transit, View};
use super::table::Cell;
use crate::drawing::{Picture, Place};
use crate::game::{Inspect, Lay, Rules as _, Seat, Statistic, Viewer};
use crate::rng::Rng;

/// What comes to lie for good.
#[derive(Clone, Copy)]
pub(super) struct Laid {
    /// The transit card that the county follows, if it follows one.
    pub transit: Option<Transit>,
    pub county: u8,
    /// Where the county lies.
    pub cell: Cell,
}

impl Inspect for Mapominoes {
    const FIGURES: &'static [Statistic] = &[
        Statistic { name: "hand", meaning: "cards in the hand, county and transit cards", by_seat: true },
        Statistic { name: "counties", meaning: "county cards in the hand", by_seat: true },
        Statistic { name: "fit", meaning: "county cards of the hand that fit some cell", by_seat: true },
        Statistic { name: "points", meaning: "points of the finished rounds", by_seat: true },
        Statistic { name: "table", meaning: "county cards on the table", by_seat: false },
        Statistic { name: "transits", meaning: "transit cards on the table", by_seat: false },
        Statistic { name: "cells", meaning: "free cells next to a card", by_seat: false },
        Statistic { name: "pile", meaning: "cards in the draw pile", by_seat: false },
        Statistic { name: "undealt", meaning: "county cards that are dealt later in the round", by_seat: false },
        Statistic { name: "deal", meaning: "the number of the round, from 0", by_seat: false },
    ];

    fn figures(&self, state: &State, out: &mut [i32]) {
        let view = state.view(Viewer::Everything);
        let table = view.table();
        let seats = || (0..self.players()).map(Seat::new);
        let fit = |seat: Seat| (view.known(seat) & table.fitting()).len();
        let of_match = [
            table.counties().len(),
            table.transits().len(),
            table.cells_beside_cards().count(),
            view.pile().into(),
            view.undealt().len(),
            view.round().into(),
        ];
        let figures = seats()
            .map(|seat| view.num_counties(seat) + usize::from(view.num_transit(seat)))
            .chain(seats().map(|seat| view.num_counties(seat)))
            .chain(seats().map(fit))
            .chain(seats().map(|seat| view.points()[seat.index()].into()))
            .chain(of_match);
        out.iter_mut().zip(figures).for_each(|(out, figure)| *out = figure as i32);
    }

    fn pieces(&self) -> Vec<String> {
        let counties = self.deck().iter().map(|county| self.atlas.place(county).name.clone());
        counties.chain(["transit card".to_owned()]).collect()
    }

    fn spots(&self) -> Vec<Place> {
        (0..self.frame.num_cells() as u16).map(|cell| self.cell_place(Cell(cell))).collect()
    }

    fn ground(&self, state: &State) -> Picture {
        ground(self, state)
    }

    fn count_hand(&self, state: &State, seat: Seat, counts: &mut [u8]) {
        let view = state.view(Viewer::Everything);
        let held = view.known(seat);
        counts[usize::from(self.transit_piece())] += view.num_transit(seat);
        let kinds = self.deck().iter().zip(counts).filter(|(county, _)| held.contains(*county));
        kinds.for_each(|(_, count)| *count += 1);
    }

    /// With challenges a card lies when nobody challenges it any more (MAPO-24 to MAPO-26).
    fn lays(&self, state: &State, action: Action, out: &mut Vec<Lay>) {
        let view = state.view(Viewer::Everything);
        let Some(Laid { transit, county, cell }) = self.laid_by(view, action) else { return };
        let lay = |piece: u16, cell: Cell| Lay { seat: view.turn(), piece, spot: Some(cell.0) };
        out.extend(transit.map(|transit| lay(self.transit_piece(), transit.cell)));
        let piece = self.deck().iter().position(|other| other == county);
        out.extend(piece.map(|piece| lay(piece as u16, cell)));
    }

    fn deal(&self, state: &State) -> u32 {
        state.view(Viewer::Everything).round().into()
    }

    fn closing(&self, state: &State, action: Action, _: &mut Rng) -> Option<State> {
        Self::with_last_taken(state, action)
    }
}

impl Mapominoes {
    /// What comes to lie for good by a legal action.
    #[inline(always)]
    pub(super) fn laid_by(&self, view: View<'_>, action: Action) -> Option<Laid> {
        let may_be_challenged = self.options().challenges;
        match (view.phase(), action) {
            (Phase::Place { county }, Action::Cell(cell)) if !may_be_challenged => {
                Some(Laid { transit: None, county, cell })
            }
            (Phase::PlaceFollow { transit, county }, Action::Cell(cell)) if !may_be_challenged => {
                Some(Laid { transit: Some(transit), county, cell })
            }
            (Phase::Challenge { transit, county, cell, asked }, answer) => {
                let stays = match answer {
                    Action::Challenge => self.is_right(view.table(), transit, county, cell),
                    _ => (asked.index() + 1) % self.players() == view.turn().index(),
                };
                stays.then_some(Laid { transit, county, cell })
            }
            _ => None,
        }
    }

    /// The number of the transit cards among the pieces: the counties come first.
    fn transit_piece(&self) -> u16 {
        self.deck().len() as u16
    }
}

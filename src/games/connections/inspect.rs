//! What an analyst sees of Connections at any moment.

use super::rules::{Action, Connections, Phase, State, each};
use crate::bits;
use crate::drawing::Place;
use crate::game::{Inspect, Lay, Seat, Statistic, Viewer};
use crate::rng::Rng;

impl Inspect for Connections {
    const FIGURES: &'static [Statistic] = &[
        Statistic { name: "hand", meaning: "cards in the hand", by_seat: true },
        Statistic { name: "pairs", meaning: "unplayed pairs in the hand", by_seat: true },
        Statistic { name: "tokens", meaning: "tokens left", by_seat: true },
        Statistic { name: "sets", meaning: "sets on the table", by_seat: true },
        Statistic { name: "links", meaning: "links on the table", by_seat: true },
        Statistic { name: "partnerships", meaning: "partnerships that the seat is in", by_seat: true },
        Statistic { name: "fit", meaning: "cards that the seat in turn can play from its hand", by_seat: false },
        Statistic { name: "pile", meaning: "cards in the draw pile", by_seat: false },
        Statistic { name: "discard_pile", meaning: "cards in the discard pile", by_seat: false },
        Statistic { name: "announced", meaning: "1 once the end of the round is announced, else 0", by_seat: false },
        Statistic { name: "deal", meaning: "the number of the round, from 0", by_seat: false },
    ];

    fn figures(&self, state: &State, out: &mut [i32]) {
        let view = state.view(Viewer::Everything);
        let (table, bonds) = (view.table(), view.table().bonds());
        let seats = || (0..self.players()).map(Seat::new);
        let links = |seat: Seat| bonds.iter().filter(|bond| bond.owner == seat).count();
        let is_in = |seat: Seat| bonds.iter().filter(move |bond| bond.owner == seat || bond.partner == Some(seat));
        let partnerships = |seat: Seat| is_in(seat).filter(|bond| bond.partner.is_some()).count();
        let alone = if matches!(view.phase(), Phase::Set { .. }) { 0 } else { self.playable(state) };
        let faces = each(alone | self.for_set(state));
        let cards = faces.fold(0_u64, |cards, face| cards | 1 << self.deck.face(face).card);
        let of_match = [
            cards.count_ones() as usize,
            view.num_pile() as usize,
            view.discard().len(),
            view.announced().is_some().into(),
            self.deal(state) as usize,
        ];
        let figures = seats()
            .map(|seat| view.num_cards(seat) as usize)
            .chain(seats().map(|seat| self.num_pairs(view.hand(seat)) as usize))
            .chain(seats().map(|seat| view.tokens(seat).into()))
            .chain(seats().map(|seat| table.sets(seat).count_ones() as usize))
            .chain(seats().map(links))
            .chain(seats().map(partnerships))
            .chain(of_match);
        out.iter_mut().zip(figures).for_each(|(out, figure)| *out = figure as i32);
    }

    /// The others may be asked for offers before (CONN-14).
    fn begins(&self, state: &State) -> Option<Seat> {
        Some(state.view(Viewer::Everything).turn())
    }

    fn pieces(&self) -> Vec<String> {
        (0..self.deck.num_cards() as u8).map(|card| self.deck.card_name(card)).collect()
    }

    fn spots(&self) -> Vec<Place> {
        (0..self.deck.cities().len() as u8).map(|city| self.city_place(city)).collect()
    }

    fn count_hand(&self, state: &State, seat: Seat, counts: &mut [u8]) {
        for card in bits::each(state.view(Viewer::Everything).hand(seat)) {
            counts[usize::from(card)] += 1;
        }
    }

    /// A set comes to lie with its third city (CONN-6).
    fn lays(&self, state: &State, action: Action, out: &mut Vec<Lay>) {
        let view = state.view(Viewer::Everything);
        let phase = view.phase();
        let chosen = match (phase, action) {
            (Phase::Play, Action::Play(_)) | (Phase::Set { second: Some(_), .. }, _) => phase.chosen(),
            _ => return,
        };
        out.extend(chosen.chain(action.face()).map(|face| {
            let shown = self.deck.face(face);
            Lay { seat: view.turn(), piece: shown.card.into(), spot: Some(shown.city.into()) }
        }));
    }

    fn deal(&self, state: &State) -> u32 {
        let view = state.view(Viewer::Everything);
        view.history().len() as u32 - u32::from(view.phase() == Phase::Over)
    }

    fn closing(&self, state: &State, action: Action, rng: &mut Rng) -> Option<State> {
        Self::with_last_card_moved(state, action, rng)
    }
}

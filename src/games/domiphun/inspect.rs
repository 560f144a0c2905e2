//! What an analyst sees of Domiphun at any moment.

use super::lattice::{Construction, Joiner, Spot};
use super::pieces::{Domino, Facing, NUM_VALUES, Pieces, Values};
use super::places;
use super::rules::{Action, Domiphun, Phase, State, Variant, View};
use super::words::facing_name;
use crate::bits;
use crate::drawing::Place;
use crate::game::{Inspect, Lay, Rules as _, Seat, Statistic, Viewer};
use crate::rng::Rng;

impl Inspect for Domiphun {
    const FIGURES: &'static [Statistic] = &[
        Statistic { name: "hand", meaning: "pieces that the seat has, joiners among them", by_seat: true },
        Statistic { name: "squares", meaning: "squares, or dominoes, in the hand", by_seat: true },
        Statistic {
            name: "fit",
            meaning: "squares, or dominoes, of the hand that can be laid at an end",
            by_seat: true,
        },
        Statistic { name: "x_left", meaning: "X joiners left", by_seat: true },
        Statistic { name: "stars_left", meaning: "Starjoiners left", by_seat: true },
        Statistic { name: "table", meaning: "dominoes on the table", by_seat: false },
        Statistic { name: "ends", meaning: "ends where the seat in turn could put a domino", by_seat: false },
        Statistic { name: "height", meaning: "height of the construction", by_seat: false },
        Statistic { name: "pool", meaning: "squares, or dominoes, in the pool", by_seat: false },
        Statistic { name: "taken", meaning: "squares, or dominoes, taken in this turn", by_seat: false },
        Statistic { name: "deal", meaning: "the number of the game within the match, from 0", by_seat: false },
    ];

    fn figures(&self, state: &State, out: &mut [i32]) {
        let view = state.view(Viewer::Everything);
        let seats = || (0..self.players()).map(Seat::new);
        let [x_joiners, starjoiners] = [view.x_joiners(), view.starjoiners()];
        let joiners = |seat: Seat| usize::from(x_joiners[seat.index()] + starjoiners[seat.index()]);
        let of_match = [
            view.table().laid().len(),
            Self::open_ends(state, view.turn()).count(),
            view.table().construction().map_or(0, Construction::height) as usize,
            view.num_pool(),
            view.taken().into(),
            view.game().into(),
        ];
        let figures = seats()
            .map(|seat| view.num_pieces(seat) + 2 * usize::from(on_its_way(view, seat).is_some()) + joiners(seat))
            .chain(seats().map(|seat| view.num_pieces(seat)))
            .chain(seats().map(|seat| num_fitting(state, seat)))
            .chain(seats().map(|seat| x_joiners[seat.index()].into()))
            .chain(seats().map(|seat| starjoiners[seat.index()].into()))
            .chain(of_match);
        out.iter_mut().zip(figures).for_each(|(out, figure)| *out = figure as i32);
    }

    fn pieces(&self) -> Vec<String> {
        if self.options().variant == Variant::Traditional {
            return self.dominoes().map(|domino| facing_name(domino.facing())).collect();
        }
        let joiners = ["X joiner", "Starjoiner"].into_iter().filter(|_| self.is_advanced()).map(str::to_owned);
        (0..self.options().values).map(|value| value.to_string()).chain(joiners).collect()
    }

    /// The ends of the path; the first domino lies at none.
    fn spots(&self) -> Vec<Place> {
        (0..self.num_ends() as u8).map(places::end).collect()
    }

    fn count_hand(&self, state: &State, seat: Seat, counts: &mut [u8]) {
        let view = state.view(Viewer::Everything);
        match view.hand(seat) {
            Some(Pieces::Squares(squares)) => squares.iter().for_each(|value| counts[usize::from(value)] += 1),
            Some(Pieces::Dominoes(dominoes)) => {
                let held = self.dominoes().zip(counts).filter(|&(domino, _)| dominoes.contains(domino));
                return held.for_each(|(_, count)| *count += 1);
            }
            None => {}
        }
        if let Some(Facing { inner, outer }) = on_its_way(view, seat) {
            counts[usize::from(inner)] += 1;
            counts[usize::from(outer)] += 1;
        }
        if self.is_advanced() {
            counts[usize::from(self.x_joiner())] += view.x_joiners()[seat.index()];
            counts[usize::from(self.starjoiner())] += view.starjoiners()[seat.index()];
        }
    }

    fn lays(&self, state: &State, action: Action, out: &mut Vec<Lay>) {
        let view = state.view(Viewer::Everything);
        let (domino, end) = match (view.phase(), action) {
            (_, Action::Open(domino)) => (domino.facing(), None),
            (_, Action::Play { domino, end }) if !self.is_advanced() => (domino, Some(end)),
            (Phase::Place { end, domino, .. }, _) => (domino, Some(end)),
            (_, Action::Star(end)) => {
                out.push(Lay { seat: view.turn(), piece: self.starjoiner(), spot: Some(end.into()) });
                return;
            }
            _ => return,
        };
        let joiner = takes_x_joiner(view, action).then(|| self.x_joiner());
        let pieces = self.pieces_of(domino).into_iter().flatten().chain(joiner);
        out.extend(pieces.map(|piece| Lay { seat: view.turn(), piece, spot: end.map(u16::from) }));
    }

    fn deal(&self, state: &State) -> u32 {
        state.view(Viewer::Everything).game().into()
    }

    fn closing(&self, state: &State, action: Action, rng: &mut Rng) -> Option<State> {
        Self::with_last_taken(state, action, rng)
    }
}

impl Domiphun {
    /// The dominoes of the traditional game.
    fn dominoes(&self) -> impl Iterator<Item = Domino> {
        let values = self.options().values;
        Domino::all().filter(move |domino| domino.values().1 < values)
    }

    /// The numbers of the pieces of a domino: its squares, or itself in the traditional game.
    fn pieces_of(&self, domino: Facing) -> [Option<u16>; 2] {
        if self.options().variant == Variant::Traditional {
            let number = domino.domino().and_then(|domino| self.dominoes().position(|other| other == domino));
            [number.map(|number| number as u16), None]
        } else {
            [domino.inner, domino.outer].map(|value| Some(value.into()))
        }
    }

    /// The number of the X joiners among the pieces of the advanced game.
    fn x_joiner(&self) -> u16 {
        self.options().values.into()
    }

    /// That of the Starjoiners.
    fn starjoiner(&self) -> u16 {
        self.x_joiner() + 1
    }
}

/// The domino that a seat has chosen, in the advanced game.
fn on_its_way(view: View<'_>, seat: Seat) -> Option<Facing> {
    view.phase().domino().filter(|_| seat == view.turn())
}

/// Whether an action puts the chosen domino to its place with an X joiner of the player's.
fn takes_x_joiner(view: View<'_>, action: Action) -> bool {
    let (Some(plate), Action::Place { side, heading }) = (view.phase().plate(), action) else { return false };
    let fit = |built: &Construction| built.fit(Spot { plate, side, heading }).ok();
    view.table().construction().and_then(fit).is_some_and(|fit| fit.joiner == Joiner::X)
}

/// Pieces of a seat's hand that it could lay, alone or as a half of a domino: at an end of the path, or to begin it.
fn num_fitting(state: &State, seat: Seat) -> usize {
    let view = state.view(Viewer::Everything);
    let any: Values = (1 << NUM_VALUES) - 1;
    let at_ends = || Domiphun::open_ends(state, seat).fold(0, |values: Values, value| values | 1 << value);
    let shown = if view.table().laid().is_empty() { any } else { at_ends() };
    match view.hand(seat) {
        Some(hand @ Pieces::Squares(squares)) => {
            let halves = bits::each(shown.into()).map(|value| (value, hand.beside(value)));
            let fitting =
                halves.filter(|(_, outer)| *outer != 0).fold(0, |all, (value, outer)| all | outer | 1 << value);
            bits::each(fitting.into()).map(|value| usize::from(squares.count(value))).sum()
        }
        Some(Pieces::Dominoes(dominoes)) => {
            let fits = |(low, high): (u8, u8)| shown >> low & 1 == 1 || shown >> high & 1 == 1;
            dominoes.iter().filter(|domino| fits(domino.values())).count()
        }
        None => 0,
    }
}

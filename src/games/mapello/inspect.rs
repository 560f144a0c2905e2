//! What an analyst sees of Mapello at any moment.

use super::board::{Border, Cell, NUM_BORDER, Square};
use super::rules::{Action, Mapello, Phase, Piece, State};
use super::words::cell_place;
use crate::drawing::{Picture, Place};
use crate::game::{Inspect, Lay, Looks, Seat, Show as _, Statistic, Viewer};

/// Numbers of the kinds of pieces.
const DISC: u16 = 0;
const WALL: u16 = 1;
const BONUS: u16 = 2;
const JOKER: u16 = 3;
/// How many inner cells there are, before those of the border.
const INNER: u16 = 64;
/// The corners of the whole board.
const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;

impl Inspect for Mapello {
    const FIGURES: &'static [Statistic] = &[
        Statistic { name: "discs", meaning: "discs on the board", by_seat: true },
        Statistic { name: "taken", meaning: "bonuses taken", by_seat: true },
        Statistic { name: "corners", meaning: "corners of the whole board held", by_seat: true },
        Statistic { name: "moves", meaning: "cells where the side to move may place a disc", by_seat: false },
        Statistic { name: "empty", meaning: "empty cells", by_seat: false },
        Statistic { name: "bonuses", meaning: "bonuses that nobody has taken", by_seat: false },
        Statistic { name: "walls", meaning: "walls inside the board", by_seat: false },
    ];

    fn figures(&self, state: &State, out: &mut [i32]) {
        let view = state.view(Viewer::Everything);
        let sides = [0, 1].map(|seat| view.sides(Seat::new(seat)));
        let [black, white] = view.discs();
        let moves = if view.phase() == Phase::Play { view.moves().count_ones() } else { 0 };
        let by_seat = [
            sides.map(|side| side.mine.count_ones()),
            sides.map(|side| side.taken[0].into()),
            sides.map(|side| (side.mine & CORNERS).count_ones()),
        ];
        let empty = (!(black | white | view.walls())).count_ones();
        let of_match = [moves, empty, view.bonuses().count_ones(), (view.walls() & !self.outside()).count_ones()];
        let figures = by_seat.into_iter().flatten().chain(of_match);
        out.iter_mut().zip(figures).for_each(|(out, figure)| *out = figure as i32);
    }

    fn pieces(&self) -> Vec<String> {
        let set_up = [Piece::Wall, Piece::Bonus, Piece::Joker].map(|piece| piece.name().to_owned());
        ["disc".to_owned()].into_iter().chain(set_up).collect()
    }

    fn spots(&self) -> Vec<Place> {
        let inner = (0..INNER as u8).map(|cell| Square::Inner(Cell(cell)));
        inner.chain((0..NUM_BORDER).map(|cell| Square::Border(Border(cell)))).map(cell_place).collect()
    }

    fn ground(&self, _: &State) -> Picture {
        self.picture(self.without_chance(), Viewer::Seat(Seat::new(0)), None, Looks::of(&[1]))
    }

    fn lays(&self, state: &State, action: Action, out: &mut Vec<Lay>) {
        let piece = match action.piece() {
            None => DISC,
            Some(Piece::Wall) => WALL,
            Some(Piece::Bonus) => BONUS,
            Some(Piece::Joker) => JOKER,
        };
        let seat = state.view(Viewer::Everything).to_act();
        out.extend(action.square().zip(seat).map(|(square, seat)| {
            let spot = match square {
                Square::Inner(Cell(cell)) => cell.into(),
                Square::Border(Border(cell)) => INNER + u16::from(cell),
            };
            Lay { seat, piece, spot: Some(spot) }
        }));
    }

    fn deal(&self, state: &State) -> u32 {
        state.view(Viewer::Everything).game().into()
    }
}

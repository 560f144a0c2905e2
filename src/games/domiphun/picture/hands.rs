//! Below the table: the pool and what the players hold.

use std::collections::BTreeSet;

use super::super::pieces::{Domino, Pieces};
use super::super::places;
use super::super::rules::{Action, Variant};
use super::path::domino_name;
use super::{EDGE, MARK, Painter, mark, plus, star};
use crate::drawing::{
    Drawing, Element, HALF, INK, NARROW, Nameplate, PAPER, Place, Role, Rows, SOFT, Sheet, measure, polygon, rect,
    target, text_from, tile,
};
use crate::game::{Rules as _, Seat};

/// The size of what is said about the pool.
const WORDS: f64 = 13.0;
/// How large a piece of which only the back is seen is drawn.
const SMALL: f64 = 0.75;
/// How large a piece that is seen is drawn, and what is around it for its marks: left and above, right, below.
const HELD: f64 = 1.4;
const AROUND: f64 = 3.0;
const BELOW: f64 = 9.0;
/// From a Starjoiner to the next.
const STARJOINER: f64 = 22.0;

/// The pool, face down.
pub(super) fn pool(painter: &Painter<'_>, y: f64, out: &mut Sheet) {
    let wide = piece_width(painter);
    let words = format!("pool {}", painter.view.num_pool());
    let across = wide + 10.0 + measure(&words, WORDS, false);
    let mut parts = Drawing::from_iter([target(0.0, -4.0, across, HALF + 8.0)]);
    parts.extend(back(0.0, 0.0, wide, HALF));
    parts.push(text_from(wide + 10.0, 16.0, &words, WORDS, INK));
    if painter.is_legal(Action::Take) {
        parts.push(frame(wide));
        parts.extend(mark(wide, HALF));
    }
    out.put(Role::Stock, (EDGE, y), [-3.0, -5.0, across + 5.0, HALF + 13.0], painter.placed(&places::pool(), parts));
}

/// What every player holds, from `y` on; where it ends.
pub(super) fn hands(painter: &Painter<'_>, y: f64, right: f64, out: &mut Sheet) -> f64 {
    let seats = (0..painter.rules.players()).map(Seat::new);
    seats.fold(y, |y, seat| Hand { painter, seat }.draw(y, right, out))
}

/// What a player holds.
struct Hand<'a> {
    painter: &'a Painter<'a>,
    seat: Seat,
}

impl Hand<'_> {
    /// Draws the hand from `y` on, and says where it ends.
    fn draw(&self, y: f64, right: f64, out: &mut Sheet) -> f64 {
        let Painter { rules, view, looks, .. } = self.painter;
        let is_to_act = view.to_act() == Some(self.seat);
        let plate = Nameplate::new(self.seat, &looks.name(self.seat), &rules.holding(view, self.seat), is_to_act);
        let shown = view.hand(self.seat).filter(|pieces| self.is_own() || !pieces.is_empty());
        let Some(pieces) = shown else { return self.draw_backs(plate, y, out) };
        let mut rows = Rows::new((EDGE + Nameplate::INDENT, y + plate.height + 2.0), right, 2.0);
        out.put(Role::Seat, (EDGE, y), [0.0, 0.0, plate.width, plate.height], plate.drawing);
        self.draw_pieces(pieces, &mut rows, out);
        let starjoiners = view.starjoiners()[self.seat.index()];
        if self.is_own() && starjoiners > 0 {
            let (drawing, wide, high) = self.starjoiners(starjoiners);
            out.put(Role::Hand, rows.next(wide, high), [0.0, 0.0, wide, high], drawing);
        }
        rows.bottom() + 6.0
    }

    fn is_own(&self) -> bool {
        self.painter.view.viewer() == Some(self.seat)
    }

    /// The own Starjoiners, and how wide and high they are.
    fn starjoiners(&self, number: u8) -> (Drawing, f64, f64) {
        let (wide, high) = (STARJOINER * f64::from(number) + 6.0, HALF + AROUND + BELOW);
        let middle = high / 2.0;
        let mut parts = Drawing::from_iter([target(0.0, 0.0, wide, high)]);
        let one = |n: u8| polygon(&star(13.0 + STARJOINER * f64::from(n), middle, 10.0), MARK).with("stroke", INK);
        parts.extend((0..number).map(one));
        if self.painter.legal.iter().any(|action| matches!(action, Action::Star(_))) {
            parts.extend(mark(wide - 8.0, middle + 9.0));
        }
        let mut scaled = Drawing::new();
        scaled.scaled(HELD, parts);
        let mut place = Drawing::new();
        place.place(&places::starjoiner(), scaled);
        (place, HELD * wide, HELD * high)
    }

    /// A player with pieces that the viewer does not see; where that ends.
    fn draw_backs(&self, plate: Nameplate, y: f64, out: &mut Sheet) -> f64 {
        let (wide, high) = (SMALL * piece_width(self.painter), SMALL * HALF);
        let mut rows = Rows::new((Nameplate::INDENT, plate.height + 2.0), NARROW, 4.0);
        let (mut drawing, mut right, mut bottom) = (plate.drawing, plate.width, plate.height);
        for _ in 0..self.painter.view.num_pieces(self.seat) {
            let (left, top) = rows.next(wide, high);
            drawing.extend(back(left, top, wide, high));
            (right, bottom) = (right.max(left + wide + 1.0), top + high + 1.0);
        }
        out.put(Role::Seat, (EDGE, y), [0.0, 0.0, right, bottom], drawing);
        y + bottom + 8.0
    }

    /// Pieces that the viewer sees.
    fn draw_pieces(&self, pieces: Pieces, rows: &mut Rows, out: &mut Sheet) {
        let wide = piece_width(self.painter);
        let size = [wide + 2.0 * AROUND, HALF + AROUND + BELOW].map(|side| HELD * side);
        let playable = self.playable();
        for (halves, place) in held(pieces) {
            let mut piece = tile(&halves, 0.0, 0.0);
            if playable.contains(&place) {
                piece.push(frame(wide));
                piece.extend(plus(wide / 2.0, HALF + 4.5));
            }
            if halves.len() == 2 {
                let mut thing = Drawing::new();
                thing.thing(&domino_name(&halves), piece);
                piece = thing;
            }
            let mut scaled = Drawing::new();
            scaled.scaled(HELD, piece);
            let mut drawing = Drawing::new();
            drawing.moved(HELD * AROUND, HELD * AROUND, scaled);
            let role = if self.is_own() { Role::Hand } else { Role::Seat };
            if self.is_own() {
                let mut own = Drawing::new();
                own.place(&place, drawing);
                drawing = own;
            }
            out.put(role, rows.next(size[0], size[1]), [0.0, 0.0, size[0], size[1]], drawing);
        }
    }

    /// The pieces that a legal action names.
    fn playable(&self) -> BTreeSet<Place> {
        let domino = |action: &Action| match *action {
            Action::Open(domino) => Some(domino.facing()),
            Action::Play { domino, .. } | Action::Join(domino) => Some(domino),
            Action::Star(_) | Action::Plate(_) | Action::Place { .. } | Action::Take | Action::Miss => None,
        };
        let is_to_act = self.painter.view.to_act() == Some(self.seat);
        let legal = self.painter.legal.iter().filter(|_| is_to_act);
        legal.filter_map(domino).flat_map(places::sources).flatten().collect()
    }
}

/// The values of every piece, and what it is to those who click it.
fn held(pieces: Pieces) -> Vec<(Vec<u8>, Place)> {
    match pieces {
        Pieces::Squares(squares) => squares.iter().map(|value| (vec![value], places::square(value))).collect(),
        Pieces::Dominoes(dominoes) => dominoes
            .iter()
            .map(Domino::facing)
            .map(|facing| (vec![facing.inner, facing.outer], places::domino(facing)))
            .collect(),
    }
}

/// How wide a piece is.
fn piece_width(painter: &Painter<'_>) -> f64 {
    match painter.rules.options().variant {
        Variant::Traditional => 2.0 * HALF,
        Variant::Standard | Variant::Advanced => HALF,
    }
}

/// A piece with its face down.
fn back(left: f64, top: f64, wide: f64, high: f64) -> [Element; 2] {
    let inner = rect(left + 3.0, top + 3.0, wide - 6.0, high - 6.0, "none");
    [
        rect(left, top, wide, high, SOFT).with("rx", 3).with("stroke", INK),
        inner.with("rx", 1).with("stroke", PAPER).with("stroke-width", 1),
    ]
}

/// The frame of a piece that can be played or taken.
fn frame(wide: f64) -> Element {
    let frame = rect(0.0, 0.0, wide, HALF, "none").with("rx", 3).with("stroke", MARK);
    frame.with("stroke-width", 3.5).with("data-legal", "frame")
}

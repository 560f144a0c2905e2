//! Below the table: the pool and what the players hold.

use std::collections::BTreeSet;

use super::super::pieces::{Domino, Pieces};
use super::super::places;
use super::super::rules::{Action, Variant};
use super::{EDGE, MARK, Painter, mark, plus, star};
use crate::drawing::{
    Drawing, Element, HALF, INK, PAPER, Place, SOFT, badge, measure, polygon, rect, target, text_from, tile,
};
use crate::game::{Rules as _, Seat};

/// The size of what is said about a hand.
const WORDS: f64 = 13.0;
/// How large a piece of which only the back is seen is drawn.
const SMALL: f64 = 0.75;
/// From a row of backs to the next.
const ROW_OF_BACKS: f64 = 22.0;
/// From a row of pieces to the next.
const ROW: f64 = 34.0;
/// Between the border and the words and pieces of a hand, where its badge is.
const INDENT: f64 = EDGE + 28.0;
/// From a Starjoiner to the next.
const STARJOINER: f64 = 22.0;

/// The pool, face down.
pub(super) fn pool(painter: &Painter<'_>, y: f64, out: &mut Drawing) {
    let wide = piece_width(painter);
    let mut parts = Drawing::from_iter([target(EDGE, y - 4.0, wide + 90.0, HALF + 8.0)]);
    parts.extend(back(EDGE, y, wide, HALF));
    let words = format!("pool {}", painter.view.num_pool());
    parts.push(text_from(EDGE + wide + 10.0, y + 16.0, &words, WORDS, INK));
    if painter.is_legal(Action::Take) {
        parts.push(frame(EDGE, y, wide));
        parts.extend(mark(EDGE + wide, y + HALF));
    }
    out.add(painter.placed(&places::pool(), parts));
}

/// What every player holds, from `y` on; where it ends.
pub(super) fn hands(painter: &Painter<'_>, y: f64, width: f64, out: &mut Drawing) -> f64 {
    let seats = || (0..painter.rules.players()).map(Seat::new);
    let words: Vec<String> = seats().map(|seat| painter.rules.holding(&painter.view, seat)).collect();
    let widest = words.iter().map(|words| measure(words, WORDS, true)).fold(0.0, f64::max);
    seats().zip(&words).fold(y, |y, (seat, words)| {
        let hand = Hand { painter, seat, x: INDENT + 20.0 + widest, y, width };
        hand.draw(words, out)
    })
}

/// What a player holds, and where it is drawn.
struct Hand<'a> {
    painter: &'a Painter<'a>,
    seat: Seat,
    /// Where the words about all hands have ended.
    x: f64,
    y: f64,
    /// The width of the picture.
    width: f64,
}

impl Hand<'_> {
    /// Draws the hand, and says where it ends.
    fn draw(&self, words: &str, out: &mut Drawing) -> f64 {
        let view = &self.painter.view;
        let weight = if view.to_act() == Some(self.seat) { "bold" } else { "normal" };
        out.add(badge(self.seat, EDGE + 10.0, self.y + 12.0, 10.0));
        out.push(text_from(INDENT, self.y + 17.0, words, WORDS, INK).with("font-weight", weight));
        let starjoiners = view.starjoiners()[self.seat.index()];
        if self.is_own() && starjoiners > 0 {
            out.place(&places::starjoiner(), self.starjoiners(starjoiners));
        }
        match view.hand(self.seat) {
            Some(pieces) if !pieces.is_empty() => self.pieces(pieces, out),
            _ => self.backs(out),
        }
    }

    fn is_own(&self) -> bool {
        self.painter.view.viewer() == Some(self.seat)
    }

    fn starjoiners(&self, number: u8) -> Drawing {
        let (x, y, length) = (self.x, self.y + 12.0, STARJOINER * f64::from(number));
        let mut parts = Drawing::from_iter([target(x - 4.0, y - 12.0, length + 8.0, 24.0)]);
        let one = |n: u8| polygon(&star(x + 10.0 + STARJOINER * f64::from(n), y, 10.0), MARK).with("stroke", INK);
        parts.extend((0..number).map(one));
        if self.painter.legal.iter().any(|action| matches!(action, Action::Star(_))) {
            parts.extend(mark(x + length - 2.0, y + 8.0));
        }
        parts
    }

    /// Pieces that the viewer does not see.
    fn backs(&self, out: &mut Drawing) -> f64 {
        let (wide, high) = (SMALL * piece_width(self.painter), SMALL * HALF);
        let in_a_row = fitting(self.width - EDGE - self.x, wide + 4.0);
        let pieces = self.painter.view.num_pieces(self.seat);
        for n in 0..pieces {
            let left = self.x + (n % in_a_row) as f64 * (wide + 4.0);
            let top = self.y + 4.0 + (n / in_a_row) as f64 * ROW_OF_BACKS;
            out.extend(back(left, top, wide, high));
        }
        self.y + pieces.div_ceil(in_a_row).max(1) as f64 * ROW_OF_BACKS + 8.0
    }

    /// Pieces that the viewer sees, in rows below the words.
    fn pieces(&self, pieces: Pieces, out: &mut Drawing) -> f64 {
        let (y, wide) = (self.y + 27.0, piece_width(self.painter));
        let in_a_row = fitting(self.width - EDGE - INDENT, wide + 8.0);
        let playable = self.playable();
        let held = held(pieces);
        for (n, (halves, place)) in held.iter().enumerate() {
            let left = INDENT + (n % in_a_row) as f64 * (wide + 8.0);
            let top = y + (n / in_a_row) as f64 * ROW;
            let mut piece = tile(halves, left, top);
            if playable.contains(place) {
                piece.push(frame(left, top, wide));
                piece.extend(plus(left + wide / 2.0, top + HALF + 4.5));
            }
            if self.is_own() {
                out.place(place, piece);
            } else {
                out.add(piece);
            }
        }
        y + held.len().div_ceil(in_a_row) as f64 * ROW + 4.0
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

/// How many steps there is room for, at least one.
fn fitting(room: f64, step: f64) -> usize {
    ((room / step) as usize).max(1)
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
fn frame(left: f64, top: f64, wide: f64) -> Element {
    let frame = rect(left, top, wide, HALF, "none").with("rx", 3).with("stroke", MARK);
    frame.with("stroke-width", 3.5).with("data-legal", "frame")
}

//! Dominoes and the badges of seats.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use super::{
    Drawing, INK, SEATS, SOFT, circle, ink_on, measure, polygon, rect, shortened, tenth, text, text_from, wrapped,
};
use crate::game::Seat;

/// The side of a square, and of a domino's half.
pub const HALF: f64 = 22.0;

/// Where the pips of a value are, by column and row.
pub const PIPS: [&[(u8, u8)]; 10] = [
    &[],
    &[(1, 1)],
    &[(0, 0), (2, 2)],
    &[(0, 0), (1, 1), (2, 2)],
    &[(0, 0), (0, 2), (2, 0), (2, 2)],
    &[(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)],
    &[(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)],
    &[(0, 0), (0, 1), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2)],
    &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)],
    &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)],
];

/// The corners of the seats' badges, none for a circle, and where the first is.
const SHAPES: [(u8, f64); SEATS.len()] =
    [(0, 0.0), (4, FRAC_PI_4), (4, 0.0), (6, 0.0), (5, -FRAC_PI_2), (3, -FRAC_PI_2)];

/// A domino, or a single square, with its pips.
#[must_use]
pub fn tile(halves: &[u8], x: f64, y: f64) -> Drawing {
    let mut drawing = Drawing::new();
    drawing.push(rect(x, y, halves.len() as f64 * HALF, HALF, "#ffffff").with("rx", 3).with("stroke", INK));
    if halves.len() == 2 {
        drawing.push(rect(x + HALF - 0.5, y + 3.0, 1.0, HALF - 6.0, SOFT));
    }
    for (half, &value) in halves.iter().enumerate() {
        for &(column, row) in PIPS.get(usize::from(value)).copied().unwrap_or_default() {
            let across = x + half as f64 * HALF + HALF * (0.24 + 0.26 * f64::from(column));
            drawing.push(circle(across, y + HALF * (0.24 + 0.26 * f64::from(row)), 1.9, INK));
        }
    }
    drawing
}

/// The badge of a seat: its colour, shape and number.
#[must_use]
pub fn badge(seat: Seat, x: f64, y: f64, radius: f64) -> Drawing {
    let (corners, first) = SHAPES[seat.index()];
    let colour = SEATS[seat.index()];
    let corner = |n: u8| {
        let turn = first + TAU * f64::from(n) / f64::from(corners);
        (tenth(x + radius * turn.cos()), tenth(y + radius * turn.sin()))
    };
    let mut drawing = Drawing::new();
    drawing.push(match corners {
        0 => circle(x, y, radius - 1.0, colour),
        _ => polygon(&(0..corners).map(corner).collect::<Vec<_>>(), colour),
    });
    drawing.push(text(x, y + 4.0, &seat.index().to_string(), 11.0, ink_on(colour)).bold());
    drawing
}

/// The most that a piece with words takes across: on a phone it can be read as it is.
pub const NARROW: f64 = 368.0;

/// What says who sits at a seat: its badge, its name and a few lines about it, from 0, 0 on.
#[derive(Clone, Debug)]
pub struct Nameplate {
    /// All of it.
    pub drawing: Drawing,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
}

impl Nameplate {
    /// Left of the name and the lines, where the badge is.
    pub const INDENT: f64 = 28.0;
    /// The most that the lines take.
    pub const ROOM: f64 = NARROW - Self::INDENT;

    /// The plate of a seat, its name as far as there is room, in bold if it is to act.
    #[must_use]
    pub fn new(seat: Seat, name: &str, about: &str, is_to_act: bool) -> Self {
        let name = shortened(name, 14.0, Self::ROOM, true);
        let lines = wrapped(about.split_whitespace(), 12.0, Self::ROOM, false);
        let widths = lines.iter().map(|line| measure(line, 12.0, false));
        let width = Self::INDENT + widths.fold(measure(&name, 14.0, true), f64::max);
        let weight = if is_to_act { "bold" } else { "normal" };
        let mut drawing = badge(seat, 11.0, 11.0, 10.0);
        drawing.push(text_from(Self::INDENT, 16.0, &name, 14.0, INK).with("font-weight", weight));
        let mut height = 22.0;
        for line in lines {
            drawing.push(text_from(Self::INDENT, height + 10.0, &line, 12.0, INK));
            height += 16.0;
        }
        Self { drawing, width, height }
    }
}

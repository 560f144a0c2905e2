//! The picture of Ladder: the cards that lie, then a row for each seat.

use super::rules::{Action, Ladder, View};
use super::words::{card_place, cards};
use crate::drawing::{Drawing, INK, PAPER, Picture, badge, rect, text, text_from};
use crate::game::Rules;

const WIDE: f64 = 40.0;
const HIGH: f64 = 56.0;
const STEP: f64 = 50.0;
const EDGE: f64 = 20.0;
const LEGAL: &str = "#e69f00";

pub(super) fn draw(rules: &Ladder, view: &View<'_>, legal: &[Action]) -> Picture {
    let most = cards(view.laid()).len().max(usize::from(rules.options().hand) + 1).max(8);
    let width = 2.0 * EDGE + most as f64 * STEP;
    let height = 130.0 + 70.0 * rules.num_seats() as f64;
    let mut table = Drawing::new();
    table.push(rect(0.0, 0.0, width, height, PAPER));
    table.push(text_from(EDGE, 28.0, Ladder::TITLE, 16.0, INK).bold());
    for (column, number) in cards(view.laid()).into_iter().enumerate() {
        table.add(card(column, 40.0, Some(number), false));
    }
    for seat in rules.seats() {
        let top = 120.0 + 70.0 * seat.index() as f64;
        table.add(badge(seat, EDGE + 10.0, top + HIGH / 2.0, 10.0));
        let hand = view.hand(seat).map(cards).unwrap_or_default();
        for column in 0..usize::from(view.num_cards(seat)) {
            match hand.get(column) {
                Some(&number) if view.viewer == Some(seat) => {
                    let is_legal = legal.contains(&Action::Lay(number));
                    table.place(&card_place(number), card(column + 1, top, Some(number), is_legal));
                }
                // A hidden card has a back and no place.
                number => table.add(card(column + 1, top, number.copied(), false)),
            }
        }
    }
    table.into_picture(width, height, Ladder::TITLE)
}

fn card(column: usize, y: f64, number: Option<u8>, is_legal: bool) -> Drawing {
    let x = EDGE + column as f64 * STEP;
    let (edge, width) = if is_legal { (LEGAL, 4) } else { (INK, 1) };
    let ground = if number.is_some() { "#ffffff" } else { "#8a8a8a" };
    let mut drawing = Drawing::new();
    drawing.push(rect(x, y, WIDE, HIGH, ground).with("rx", 5).with("stroke", edge).with("stroke-width", width));
    if let Some(number) = number {
        drawing.push(text(x + WIDE / 2.0, y + 36.0, &number.to_string(), 20.0, INK));
    }
    drawing
}

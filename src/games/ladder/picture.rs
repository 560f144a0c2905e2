//! The picture of Ladder: the cards that lie, then a row for each seat.

use super::rules::{Action, Ladder, View};
use super::words::{card_place, cards};
use crate::drawing::{Drawing, INK, Picture, Role, Sheet, badge, rect, shortened, text, text_from};
use crate::game::{Looks, Rules};

const WIDE: f64 = 40.0;
const HIGH: f64 = 56.0;
const STEP: f64 = 50.0;
const EDGE: f64 = 20.0;
const LEGAL: &str = "#e69f00";

pub(super) fn draw(rules: &Ladder, view: &View<'_>, legal: &[Action], looks: Looks<'_>) -> Picture {
    let most = cards(view.laid()).len().max(usize::from(rules.options().hand) + 1).max(8);
    let width = 2.0 * EDGE + most as f64 * STEP;
    let mut sheet = Sheet::new();
    let title = text_from(EDGE, 28.0, Ladder::TITLE, 16.0, INK).bold();
    sheet.add(Role::Title, [EDGE, 10.0, width - 2.0 * EDGE, 24.0], [title].into_iter().collect());
    let mut laid = Drawing::new();
    for (column, number) in cards(view.laid()).into_iter().enumerate() {
        laid.thing(&number.to_string(), card(column, 40.0, Some(number), false));
    }
    sheet.add(Role::Table, [EDGE - 2.0, 38.0, width - 2.0 * EDGE + 4.0, HIGH + 4.0], laid);
    for seat in rules.seats() {
        let top = 120.0 + 70.0 * seat.index() as f64;
        let mut row = badge(seat, EDGE + 10.0, top + HIGH / 2.0, 10.0);
        // Beside the cards that a hand has as pieces of its own, there is less room.
        let wide = if view.viewer == seat.into() { STEP - 4.0 } else { width - 2.0 * EDGE };
        let name = shortened(&looks.name(seat), 11.0, wide - 4.0, false);
        row.push(text_from(EDGE, top + HIGH + 8.0, &name, 11.0, INK));
        let hand = view.hand(seat).map(cards).unwrap_or_default();
        for column in 0..usize::from(view.num_cards(seat)) {
            let number = hand.get(column).copied();
            let is_legal = number.is_some_and(|number| legal.contains(&Action::Lay(number)));
            let face = card(column + 1, top, number, is_legal);
            match number {
                Some(number) if view.viewer == seat.into() => {
                    let mut own = Drawing::new();
                    let mut thing = Drawing::new();
                    thing.thing(&number.to_string(), face);
                    own.place(&card_place(number), thing);
                    let left = EDGE + (column + 1) as f64 * STEP;
                    sheet.add(Role::Hand, [left - 2.0, top - 2.0, WIDE + 4.0, HIGH + 4.0], own);
                }
                // A hidden card has a back and no place.
                _ => row.add(face),
            }
        }
        sheet.add(Role::Seat, [EDGE - 2.0, top - 2.0, wide, HIGH + 14.0], row);
    }
    sheet.into_picture(width, 130.0 + 70.0 * rules.num_seats() as f64, Ladder::TITLE)
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

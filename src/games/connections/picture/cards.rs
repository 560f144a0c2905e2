//! Cards, face up.

use super::{MARK, Scene};
use crate::drawing::{Drawing, INK, Point, SOFT, circle, measure, rect, shortened, text_from};

/// How wide and how high a card is.
const CARD: f64 = 100.0;
pub(super) const HIGH: f64 = 50.0;
/// From one card to the next.
const GAP: f64 = 4.0;

/// How cards lie.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// Where the first one is.
    pub at: Point,
    pub in_a_row: usize,
    /// Whether they are open to the viewer; those that are known in a hidden hand are dashed.
    pub is_seen: bool,
    /// Whether they are the viewer's own, to be clicked.
    pub is_own: bool,
}

impl Scene<'_> {
    /// Cards in rows, and where they end.
    pub fn draw_cards(&self, cards: impl Iterator<Item = u8>, rows: Rows, out: &mut Drawing) -> f64 {
        let Rows { at: (left, top), in_a_row, .. } = rows;
        let mut count = 0_usize;
        for (n, card) in cards.enumerate() {
            let (column, row) = ((n % in_a_row) as f64, (n / in_a_row) as f64);
            let drawn = self.card(card, (left + column * (CARD + GAP), top + row * (HIGH + GAP)), rows.is_seen);
            if rows.is_own {
                out.place(&self.rules.card_place(card), drawn);
            } else {
                out.add(drawn);
            }
            count = n + 1;
        }
        top + count.div_ceil(in_a_row) as f64 * (HIGH + GAP)
    }

    fn card(&self, card: u8, (x, y): Point, is_seen: bool) -> Drawing {
        let mut edge = rect(x, y, CARD, HIGH, "#ffffff").with("rx", 3);
        if !is_seen {
            edge = edge.with("stroke-dasharray", "4 3");
        }
        edge = if self.marked >> card & 1 == 1 {
            edge.with("stroke", MARK).with("stroke-width", 3)
        } else {
            edge.with("stroke", if is_seen { INK } else { SOFT })
        };
        let mut drawn = Drawing::from_iter([edge]);
        let cities: Vec<u8> = self.rules.deck.cities_of_card(card).collect();
        for (row, &city) in cities.iter().enumerate() {
            self.draw_side(city, (x, y + HIGH * (row as f64 + 0.5) / cities.len() as f64), &mut drawn);
        }
        drawn
    }

    /// A city on a card and its regions, around a height.
    fn draw_side(&self, city: u8, (x, middle): Point, out: &mut Drawing) {
        let name = shortened(self.rules.deck.city_name(city), 10.0, CARD - 8.0, false);
        out.push(text_from(x + 5.0, middle - 1.0, &name, 10.0, INK));
        let regions: Vec<u8> = self.rules.deck.regions_of_city(city).collect();
        let mut left = x + 9.0;
        for &region in &regions {
            let sign = &self.signs[usize::from(region)];
            let code = shortened(&sign.code, 8.0, CARD / regions.len() as f64 - 13.0, false);
            out.push(circle(left, middle + 5.5, 3.5, &sign.colour).with("stroke", INK).with("stroke-width", 0.5));
            out.push(text_from(left + 6.0, middle + 8.5, &code, 8.0, SOFT));
            left += 14.0 + measure(&code, 8.0, false);
        }
    }
}

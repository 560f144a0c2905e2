//! Cards, face up.

use super::{MARK, Scene};
use crate::drawing::{Drawing, INK, SOFT, circle, measure, rect, shortened, text_from};

/// How wide and how high a card is.
pub(super) const CARD: f64 = 112.0;
pub(super) const HIGH: f64 = 56.0;
/// From one card to the next.
pub(super) const GAP: f64 = 6.0;
/// The room for a name.
pub(super) const ROOM: f64 = CARD - 9.0;
/// What a card fills with its mark.
pub(super) const AREA: [f64; 4] = [-2.0, -2.0, CARD + 4.0, HIGH + 4.0];
/// The size of the codes of regions.
const CODE: f64 = 9.0;

impl Scene<'_> {
    /// A card from 0, 0 on, which is the same thing wherever it lies; dashed if it is known in a hidden hand.
    pub fn card(&self, card: u8, is_seen: bool) -> Drawing {
        let mut edge = rect(0.0, 0.0, CARD, HIGH, "#ffffff").with("rx", 3);
        if !is_seen {
            edge = edge.with("stroke-dasharray", "4 3");
        }
        edge = if self.marked >> card & 1 == 1 {
            edge.with("stroke", MARK).with("stroke-width", 3)
        } else {
            edge.with("stroke", if is_seen { INK } else { SOFT })
        };
        if self.playable >> card & 1 == 1 {
            edge = edge.with("data-legal", "card");
        }
        let mut drawn = Drawing::from_iter([edge]);
        let cities: Vec<u8> = self.rules.deck.cities_of_card(card).collect();
        for (row, &city) in cities.iter().enumerate() {
            self.draw_side(city, HIGH * (row as f64 + 0.5) / cities.len() as f64, &mut drawn);
        }
        let mut thing = Drawing::new();
        thing.thing(&self.rules.deck.card_name(card), drawn);
        thing
    }

    /// A city on a card and its regions, around a height.
    fn draw_side(&self, city: u8, middle: f64, out: &mut Drawing) {
        let name = shortened(self.rules.deck.city_name(city), self.lettering, ROOM, false);
        out.push(text_from(5.0, middle - 1.0, &name, self.lettering, INK));
        let regions: Vec<u8> = self.rules.deck.regions_of_city(city).collect();
        let mut left = 9.0;
        for &region in &regions {
            let sign = &self.signs[usize::from(region)];
            let code = shortened(&sign.code, CODE, CARD / regions.len() as f64 - 13.0, false);
            out.push(circle(left, middle + 6.0, 3.5, &sign.colour).with("stroke", INK).with("stroke-width", 0.5));
            out.push(text_from(left + 6.0, middle + 9.5, &code, CODE, SOFT));
            left += 14.0 + measure(&code, CODE, false);
        }
    }
}

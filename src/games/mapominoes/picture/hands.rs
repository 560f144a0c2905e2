//! The pile, and what everybody holds.

use super::cards::{Edge, HAND_HIGH, HAND_WIDE, STACK, framed, stack};
use super::{EDGE, Room, Scene};
use crate::drawing::maps::DARK;
use crate::drawing::{Drawing, INK, badge, rect, text_from};
use crate::game::Seat;
use crate::games::mapominoes::places;
use crate::games::mapominoes::rules::Action;
use crate::text::counted;

/// What is kept free between the cards of a hand.
const APART: f64 = 7.0;
/// County cards face down.
const BACK: &str = "#8a7a5c";

impl Scene<'_> {
    /// The pile and all seats, the viewer first. Returns where they end.
    pub(super) fn draw_hands(&self, room: &Room, y: f64, out: &mut Drawing) -> f64 {
        let is_viewer = |seat: &Seat| Some(*seat) == self.view.viewer();
        let seats = self.seats().filter(is_viewer).chain(self.seats().filter(|seat| !is_viewer(seat)));
        let y = self.draw_stock(y, out);
        seats.fold(y, |y, seat| self.draw_seat(seat, room, y, out))
    }

    /// The pile of transit cards, and what is dealt later. Returns where they end.
    fn draw_stock(&self, y: f64, out: &mut Drawing) -> f64 {
        let (y, pile, later) = (y + 14.0, self.view.pile().into(), self.view.undealt().len());
        let can_take = self.legal.contains(&Action::Take);
        let mut parts = Drawing::new();
        parts.moved(EDGE, y, stack(pile, DARK, can_take));
        self.add(&places::pile(), parts, out);
        let x = EDGE + STACK + 12.0;
        out.push(text_from(x, y + 24.0, &format!("pile: {}", counted(pile, "transit card")), 12.0, INK));
        if can_take {
            let words = if pile > 0 { "take one" } else { "take: none is left, so pass" };
            out.push(text_from(x, y + 38.0, words, 11.0, INK).with("font-style", "italic"));
        }
        if later > 0 {
            let x = x + 180.0;
            out.moved(x, y, stack(later, BACK, false));
            let words = format!("{} dealt later", counted(later, &format!("{} card", self.atlas.noun())));
            out.push(text_from(x + STACK + 12.0, y + 24.0, &words, 12.0, INK));
        }
        y + HAND_HIGH + 8.0
    }

    /// A seat with its points and the cards that the viewer knows. Returns where they end.
    fn draw_seat(&self, seat: Seat, room: &Room, y: f64, out: &mut Drawing) -> f64 {
        let y = y + 26.0;
        let weight = if self.view.to_act() == Some(seat) { "bold" } else { "normal" };
        out.add(badge(seat, EDGE + 9.0, y - 5.0, 10.0));
        out.push(text_from(EDGE + 26.0, y, &self.standing(seat), 13.0, INK).with("font-weight", weight));
        let cards = self.hand(seat);
        if cards.is_empty() {
            return y;
        }
        let (mut x, mut y) = (EDGE, y + 10.0);
        for (wide, card) in cards {
            if x + wide > room.right(y) {
                (x, y) = (EDGE, y + HAND_HIGH + APART);
            }
            out.moved(x, y, card);
            x += wide + APART;
        }
        y + HAND_HIGH
    }

    /// How many cards and points a seat has, and whether it is to act.
    fn standing(&self, seat: Seat) -> String {
        let counties = counted(self.view.num_counties(seat), &format!("{} card", self.atlas.noun()));
        let transit = counted(self.view.num_transit(seat).into(), "transit card");
        let points = counted(self.view.points()[seat.index()].into(), "point");
        let is_next = if self.view.to_act() == Some(seat) { " (to play)" } else { "" };
        format!("seat {}: {counties}, {transit}, {points}{is_next}", seat.index())
    }

    /// The cards of a seat that the viewer knows, and how wide they are.
    fn hand(&self, seat: Seat) -> Vec<(f64, Drawing)> {
        let (counties, transit) = (self.view.known(seat), self.view.num_transit(seat));
        let is_own = self.view.viewer() == Some(seat);
        let choosable = |place, parts: Drawing| {
            let mut card = Drawing::new();
            if is_own {
                card.place(&place, parts);
            } else {
                card.add(parts);
            }
            card
        };
        let has_stack = transit > 0 && (is_own || !counties.is_empty());
        let stack = has_stack.then(|| (STACK, choosable(places::transit_card(), stack(transit.into(), DARK, false))));
        let cards = counties
            .iter()
            .map(|county| (HAND_WIDE, choosable(self.rules.card_place(county), self.held_card(seat, county))));
        stack.into_iter().chain(cards).collect()
    }

    /// A county card in a hand.
    fn held_card(&self, seat: Seat, county: u8) -> Drawing {
        let can_play = self.view.to_act() == Some(seat) && self.playable.contains(county);
        let is_chosen = self.view.phase().county() == Some(county);
        let (note, edge) = match (can_play, is_chosen) {
            (true, _) => ("play", Edge::PLAIN),
            (false, true) => ("chosen", Edge::MARKED),
            (false, false) => ("", Edge::PLAIN),
        };
        let mut card = self.county_card(county, HAND_WIDE, HAND_HIGH, note, edge);
        if can_play {
            card.push(framed(rect(-2.0, -2.0, HAND_WIDE + 4.0, HAND_HIGH + 4.0, "none").with("rx", 7)));
        }
        card
    }
}

//! What stands below the table: the legend, the piles, the seats, the key.

use super::cards::{HIGH, Rows};
use super::tokens::token;
use super::{DASHES, EDGE, Scene, WIDTH};
use crate::bits;
use crate::drawing::{
    Drawing, INK, PAPER, Point, SEATS, SOFT, circle, line, measure, rect, shortened, target, text, text_from, wrapped,
};
use crate::game::Seat;
use crate::games::connections::places;

/// The room for a seat.
const HALF: f64 = (WIDTH - 2.0 * EDGE) / 2.0;
/// From the left of a seat's room to its words and cards.
const INDENT: f64 = 22.0;
/// The room for words about a seat.
const LINE: f64 = HALF - 30.0;
/// The most cards of the discard pile that are shown.
const DISCARDED: usize = 9;

const KEY: &str = "thick line: set; thin curve: link; thick curve: partnership; dashed card: known to all; \
                   orange: can be played or is chosen; ring: played last; (+1): the next seat";

/// What the signs mean, below a height, and where the picture ends.
pub(super) fn draw_key(y: f64, out: &mut Drawing) -> f64 {
    out.push(text_from(EDGE, y + 12.0, KEY, 11.0, SOFT));
    y + 24.0
}

impl Scene<'_> {
    /// The colours and codes of the regions, below a height, and where they end.
    pub fn draw_legend(&self, y: f64, out: &mut Drawing) -> f64 {
        let in_a_row = 4;
        let regions = self.signs.iter().map(|sign| (format!("{} {}", sign.code, sign.name), &*sign.colour, 0.8));
        for (n, (name, fill, edge)) in regions.chain([("linking city".to_owned(), "#ffffff", 2.0)]).enumerate() {
            let (x, y) = (EDGE + (n % in_a_row) as f64 * 240.0, y + 18.0 + (n / in_a_row) as f64 * 18.0);
            out.push(circle(x + 6.0, y - 4.0, 5.0, fill).with("stroke", INK).with("stroke-width", edge));
            out.push(text_from(x + 17.0, y, &shortened(&name, 12.0, 215.0, false), 12.0, SOFT));
        }
        y + 8.0 + (self.signs.len() / in_a_row + 1) as f64 * 18.0
    }

    /// The pile, face down, and the top of the discard pile; and where they end.
    pub fn draw_piles(&self, y: f64, out: &mut Drawing) -> f64 {
        let x = EDGE + INDENT;
        self.place(&places::pile(), self.pile((x, y)), out);
        let shown = self.view.discard().iter().rev().take(DISCARDED).copied();
        if shown.len() == 0 {
            return y + HIGH + 4.0;
        }
        let mut parts = Drawing::new();
        if self.view.viewer().is_some() {
            parts.push(target(x + 76.0, y, 70.0, HIGH));
        }
        let rows = Rows { at: (x + 146.0, y), in_a_row: 7, is_seen: true, is_own: false };
        let bottom = self.draw_cards(shown, rows, &mut parts);
        parts.push(text_from(x + 78.0, y + 14.0, "discarded,", 11.0, SOFT));
        parts.push(text_from(x + 78.0, y + 28.0, "top first:", 11.0, SOFT));
        self.place(&places::discard_pile(), parts, out);
        bottom
    }

    fn pile(&self, (x, y): Point) -> Drawing {
        let (wide, high, count) = (64.0, HIGH - 4.0, self.view.num_pile());
        let mut parts = Drawing::new();
        if count == 0 {
            parts.push(rect(x, y, wide, high, PAPER).with("rx", 3).with("stroke", SOFT));
        } else {
            let card = |depth| rect(x + depth, y + depth, wide, high, SOFT).with("rx", 3).with("stroke", PAPER);
            parts.extend([4.0, 2.0, 0.0].map(card));
        }
        let ink = if count == 0 { SOFT } else { "#ffffff" };
        parts.push(text(x + 32.0, y + HIGH / 2.0 + 2.0, &format!("pile {count}"), 12.0, ink));
        parts
    }

    /// The seats, two in a row, the viewer's first; and where they end.
    pub fn draw_seats(&self, mut y: f64, out: &mut Drawing) -> f64 {
        let first = self.view.viewer().unwrap_or(Seat::new(0));
        let seats: Vec<Seat> = first.around(self.rules.players()).collect();
        for pair in seats.chunks(2) {
            let mut bottom = y;
            for (&seat, column) in pair.iter().zip([0.0, 1.0]) {
                bottom = self.draw_seat(seat, (EDGE + column * HALF, y), out).max(bottom);
            }
            y = bottom;
        }
        y
    }

    /// A seat's numbers, cards and table, and where they end.
    fn draw_seat(&self, seat: Seat, (x, y): Point, out: &mut Drawing) -> f64 {
        let (view, left) = (&self.view, self.places_left(seat));
        let (points, worth) = self.rules.score_in_words(view, seat);
        let mut parts = Drawing::new();
        self.draw_numbers(seat, points, (x, y), &mut parts);
        let is_own = view.viewer() == Some(seat);
        let rows = Rows { at: (x + INDENT, y + 42.0), in_a_row: 4, is_seen: view.sees_hand(seat), is_own };
        let mut cards = Drawing::new();
        let mut bottom = self.draw_cards(bits::each(view.hand(seat)), rows, &mut cards);
        for words in self.table_words(seat).into_iter().chain(worth) {
            bottom += 15.0;
            let size = (LINE / measure(&words, 1.0, false)).min(12.0);
            let size = (size * 100.0).round_ties_even() / 100.0;
            parts.push(text_from(x + INDENT, bottom, &words, size, SOFT));
        }
        parts.add(cards);
        if let Some(left) = left {
            let mut place = Drawing::from_iter([target(x, y + 2.0, HALF - 8.0, bottom + 4.0 - y)]);
            place.add(parts);
            parts = Drawing::new();
            parts.place(&places::player(left), place);
        }
        out.add(parts);
        bottom + 10.0
    }

    /// A seat's token, line, cards, tokens and points.
    fn draw_numbers(&self, seat: Seat, points: i32, (x, y): Point, out: &mut Drawing) {
        let (view, n) = (&self.view, seat.index());
        let left = self.places_left(seat).map_or_else(String::new, |left| format!(" (+{left})"));
        let mut known = String::new();
        if !view.sees_hand(seat) {
            known = format!(" ({} known)", view.hand(seat).count_ones());
        }
        let words = format!("seat {n}{left}: cards {}{known}, tokens {}", view.num_cards(seat), view.tokens(seat));
        let weight = if view.to_act() == Some(seat) { "bold" } else { "normal" };
        out.add(token(seat, x + 8.0, y + 14.0));
        out.push(text_from(x + INDENT, y + 19.0, &words, 13.0, INK).with("font-weight", weight));
        let line = line(&[(x + 360.0, y + 14.0), (x + 440.0, y + 14.0)], SEATS[n], 3.5);
        out.push(line.with("stroke-dasharray", DASHES[n]));
        let (all, turns) = (view.points()[n], view.turns(seat));
        let announced = if view.announced() == Some(seat) { ", has announced the end" } else { "" };
        let words = format!("points {all}, in this round {points}, turns {turns}{announced}");
        out.push(text_from(x + INDENT, y + 35.0, &words, 12.0, INK));
    }

    /// How many places to the viewer's left another player sits.
    fn places_left(&self, seat: Seat) -> Option<u8> {
        let left = self.view.viewer()?.around(self.rules.players()).position(|other| other == seat)?;
        (left > 0).then_some(left as u8)
    }

    /// What a seat has on the table, in lines.
    fn table_words(&self, seat: Seat) -> Vec<String> {
        let table = self.view.table();
        let sets = self.rules.region_names(table.sets(seat));
        let own = table.bonds().iter().filter(|bond| bond.owner == seat);
        let links: Vec<String> = own
            .map(|bond| {
                let name = self.rules.link_name(bond.link);
                bond.invited.map_or_else(|| name.to_owned(), |guest| format!("{name} (seat {} invited)", guest.index()))
            })
            .collect();
        let listed = [("sets", sets), ("links", links)].into_iter().filter(|(_, names)| !names.is_empty());
        let listed: Vec<String> = listed.map(|(what, names)| format!("{what}: {}", names.join(", "))).collect();
        wrapped(listed.join("; ").split_whitespace(), 12.0, LINE, false)
    }
}

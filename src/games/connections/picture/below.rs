//! What stands below the table: the legend, the piles, the seats.

use super::cards::{AREA, CARD, GAP, HIGH};
use super::{DASHES, EDGE, Scene, WIDTH};
use crate::bits;
use crate::drawing::{
    Drawing, INK, NARROW, Nameplate, PAPER, Point, Role, Rows, SEATS, SOFT, Sheet, circle, line, measure, rect,
    shortened, target, text, text_from, wrapped,
};
use crate::game::Seat;
use crate::games::connections::places;

/// From one seat to the next beside it.
const HALF: f64 = (WIDTH - 2.0 * EDGE) / 2.0;
/// The most cards of the discard pile that are shown, and how many in a row.
const DISCARDED: usize = 6;
const IN_A_ROW: usize = 3;
/// Where the line of a seat is, beside its name.
const SAMPLE: [f64; 2] = [NARROW - 70.0, NARROW - 4.0];

/// What the signs mean.
pub(super) const KEY: [&str; 7] = [
    "thick line: set",
    "thin curve: link",
    "thick curve: partnership",
    "dashed card: known to all",
    "orange: can be played or is chosen",
    "ring: played last",
    "(+1): the next seat",
];

impl Scene<'_> {
    /// The colours and codes of the regions, below a height, and where they end.
    pub fn draw_legend(&self, y: f64, out: &mut Sheet) -> f64 {
        let mut rows = Rows::new((EDGE, y), WIDTH - EDGE, 16.0);
        let regions = self.signs.iter().map(|sign| (format!("{} {}", sign.code, sign.name), &*sign.colour, 0.8));
        for (name, fill, edge) in regions.chain([("linking city".to_owned(), "#ffffff", 2.0)]) {
            let name = shortened(&name, 12.0, 215.0, false);
            let wide = 18.0 + measure(&name, 12.0, false);
            let dot = circle(7.0, 8.0, 5.0, fill).with("stroke", INK).with("stroke-width", edge);
            let entry = [dot, text_from(18.0, 12.0, &name, 12.0, SOFT)];
            out.put(Role::Key, rows.next(wide, 16.0), [0.0, 0.0, wide, 16.0], entry.into_iter().collect());
        }
        rows.bottom()
    }

    /// The pile, face down, and the top of the discard pile; and where they end.
    pub fn draw_piles(&self, y: f64, out: &mut Sheet) -> f64 {
        let mut pile = Drawing::new();
        self.place(&places::pile(), self.pile(), &mut pile);
        out.put(Role::Stock, (EDGE, y + 2.0), [-1.0, -1.0, 74.0, HIGH + 2.0], pile);
        let shown: Vec<u8> = self.view.discard().iter().rev().take(DISCARDED).copied().collect();
        if shown.is_empty() {
            return y + HIGH + 6.0;
        }
        let columns = shown.len().min(IN_A_ROW) as f64;
        let wide = (columns * (CARD + GAP)).max(130.0);
        let high = 20.0 + shown.len().div_ceil(IN_A_ROW) as f64 * (HIGH + GAP);
        let mut parts = Drawing::new();
        if self.view.viewer().is_some() {
            parts.push(target(0.0, 0.0, wide, high));
        }
        parts.push(text_from(2.0, 13.0, "discarded, top first:", 11.0, SOFT));
        let mut rows = Rows::new((2.0, 20.0), wide, GAP);
        for card in shown {
            let (left, top) = rows.next(CARD, HIGH);
            parts.moved(left, top, self.card(card, true));
        }
        let mut place = Drawing::new();
        self.place(&places::discard_pile(), parts, &mut place);
        out.put(Role::Stock, (EDGE + 90.0, y), [0.0, 0.0, wide, high], place);
        y + high
    }

    fn pile(&self) -> Drawing {
        let (wide, high, count) = (68.0, HIGH - 4.0, self.view.num_pile());
        let mut parts = Drawing::new();
        if count == 0 {
            parts.push(rect(0.0, 0.0, wide, high, PAPER).with("rx", 3).with("stroke", SOFT));
        } else {
            let card = |depth| rect(depth, depth, wide, high, SOFT).with("rx", 3).with("stroke", PAPER);
            parts.extend([4.0, 2.0, 0.0].map(card));
        }
        let ink = if count == 0 { SOFT } else { "#ffffff" };
        parts.push(text(wide / 2.0, HIGH / 2.0 + 2.0, &format!("pile {count}"), 13.0, ink));
        parts
    }

    /// The seats, two in a row, the viewer's first; and where they end.
    pub fn draw_seats(&self, mut y: f64, out: &mut Sheet) -> f64 {
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

    /// A seat's numbers, table and cards, and where they end.
    fn draw_seat(&self, seat: Seat, (x, y): Point, out: &mut Sheet) -> f64 {
        let (mut parts, mut bottom) = self.plate(seat);
        let cards = bits::each(self.view.hand(seat));
        let is_one = !self.viewer.sees(seat);
        let mut rows = Rows::new((2.0, bottom + 4.0), if is_one { NARROW } else { HALF - 10.0 }, GAP);
        let mut held = Sheet::new();
        for card in cards {
            let (left, top) = rows.next(CARD, HIGH);
            let drawn = self.card(card, !is_one);
            if is_one {
                parts.moved(left, top, drawn);
                bottom = top + HIGH + 2.0;
            } else if self.view.viewer() == Some(seat) {
                let mut own = Drawing::new();
                own.place(&self.rules.card_place(card), drawn);
                held.put(Role::Hand, (left, top), AREA, own);
            } else {
                held.put(Role::Seat, (left, top), AREA, drawn);
            }
        }
        if let Some(left) = self.places_left(seat) {
            let mut place = Drawing::from_iter([target(0.0, 0.0, NARROW, bottom)]);
            place.add(parts);
            parts = Drawing::new();
            parts.place(&places::player(left), place);
        }
        out.put(Role::Seat, (x, y), [0.0, 0.0, NARROW, bottom], parts);
        out.moved(x, y, held);
        y + rows.bottom().max(bottom) + 10.0
    }

    /// A seat's badge, name, line, numbers and what it has on the table; and how high that is.
    fn plate(&self, seat: Seat) -> (Drawing, f64) {
        let (points, worth) = self.rules.score_in_words(&self.view, seat);
        let left = self.places_left(seat).map_or_else(String::new, |left| format!(" (+{left})"));
        let name = shortened(&self.looks.name(seat), 14.0, SAMPLE[0] - 70.0, true);
        let is_to_act = self.view.to_act() == Some(seat);
        let plate = Nameplate::new(seat, &format!("{name}{left}"), &self.numbers(seat, points), is_to_act);
        let (mut parts, mut bottom) = (plate.drawing, plate.height);
        let line = line(&[(SAMPLE[0], 11.0), (SAMPLE[1], 11.0)], SEATS[seat.index()], 3.5);
        parts.push(line.with("stroke-dasharray", DASHES[seat.index()]));
        let worth = worth.iter().flat_map(|words| wrapped(words.split_whitespace(), 12.0, Nameplate::ROOM, false));
        for words in self.table_words(seat).into_iter().chain(worth) {
            parts.push(text_from(Nameplate::INDENT, bottom + 10.0, &words, 12.0, SOFT));
            bottom += 15.0;
        }
        (parts, bottom)
    }

    /// A seat's cards, tokens and points.
    fn numbers(&self, seat: Seat, points: i32) -> String {
        let (view, n) = (&self.view, seat.index());
        let mut known = String::new();
        if !view.sees_hand(seat) {
            known = format!(" ({} known)", view.hand(seat).count_ones());
        }
        let (all, turns) = (view.points()[n], view.turns(seat));
        let announced = if view.announced() == Some(seat) { ", has announced the end" } else { "" };
        let cards = format!("cards {}{known}, tokens {}", view.num_cards(seat), view.tokens(seat));
        format!("{cards}, turns {turns}, points {all}, in this round {points}{announced}")
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
                bond.invited.map_or_else(
                    || name.to_owned(),
                    |guest| {
                        let guest = shortened(&self.looks.name(guest), 12.0, 120.0, false);
                        format!("{name} ({guest} invited)")
                    },
                )
            })
            .collect();
        let listed = [("sets", sets), ("links", links)].into_iter().filter(|(_, names)| !names.is_empty());
        let listed: Vec<String> = listed.map(|(what, names)| format!("{what}: {}", names.join(", "))).collect();
        wrapped(listed.join("; ").split_whitespace(), 12.0, Nameplate::ROOM, false)
    }
}

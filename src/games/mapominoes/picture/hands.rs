//! The pile, and what everybody holds.

use super::cards::{Edge, Face, HAND_HIGH, HAND_WIDE, STACK_HIGH, STACK_WIDE, framed, stack};
use super::{EDGE, Laid, Room, Scene};
use crate::drawing::maps::DARK;
use crate::drawing::{Drawing, INK, NARROW, Nameplate, Point, Role, Rows, Sheet, measure, rect, text_from};
use crate::game::Seat;
use crate::games::mapominoes::places;
use crate::games::mapominoes::rules::Action;
use crate::text::counted;

/// What is kept free between the cards of a hand.
const APART: f64 = 7.0;
/// What the frame of a card takes around it.
const FRAME: f64 = 3.0;
/// County cards face down.
const BACK: &str = "#8a7a5c";

/// Something of a hand, from 0, 0 on, and its size.
struct Held {
    card: Drawing,
    wide: f64,
    high: f64,
}

impl Held {
    fn area(&self) -> [f64; 4] {
        [-FRAME, -FRAME, self.wide + 2.0 * FRAME, self.high + 2.0 * FRAME]
    }
}

impl Scene<'_> {
    /// The pile and all seats, the viewer first. Returns where they end.
    pub(super) fn draw_hands(&self, room: &Room, y: f64, out: &mut Sheet) -> f64 {
        let is_viewer = |seat: &Seat| Some(*seat) == self.view.viewer();
        let seats = self.seats().filter(is_viewer).chain(self.seats().filter(|seat| !is_viewer(seat)));
        let face = Face::held(self.counties());
        let y = self.draw_stock(room, y, out);
        seats.fold(y, |y, seat| self.draw_seat(seat, &face, room, y, out))
    }

    /// The pile of transit cards, and what is dealt later. Returns where they end.
    fn draw_stock(&self, room: &Room, y: f64, out: &mut Sheet) -> f64 {
        let (pile, later) = (self.view.pile().into(), self.view.undealt().len());
        let can_take = self.legal.contains(&Action::Take);
        let mut lines = vec![format!("pile: {}", counted(pile, "transit card"))];
        if can_take {
            lines.push(if pile > 0 { "take one" } else { "take: none is left, so pass" }.to_owned());
        }
        let (parts, wide) = beside(stack(pile, "transit", DARK, can_take), &lines);
        let mut place = Drawing::new();
        self.add(&places::pile(), parts, &mut place);
        let mut rows = Rows::new((EDGE, y + 14.0), room.beside, 16.0);
        let high = STACK_HIGH + 10.0;
        out.put(Role::Stock, rows.next(wide, high), [-5.0, -5.0, wide + 5.0, high], place);
        if later > 0 {
            let words = format!("{} dealt later", counted(later, &format!("{} card", self.atlas.noun())));
            let (parts, wide) = beside(stack(later, "later", BACK, false), &[words]);
            out.put(Role::Stock, rows.next(wide, high), [-5.0, -5.0, wide + 5.0, high], parts);
        }
        rows.bottom() - 2.0
    }

    /// A seat with its points and the cards that the viewer knows. Returns where they end.
    fn draw_seat(&self, seat: Seat, face: &Face, room: &Room, y: f64, out: &mut Sheet) -> f64 {
        let (at, is_own) = ((EDGE, y + 10.0), self.view.viewer() == Some(seat));
        let is_to_act = self.view.to_act() == Some(seat);
        let plate = Nameplate::new(seat, &self.looks.name(seat), &self.standing(seat), is_to_act);
        let cards = self.hand(seat, face);
        if !is_own && !self.viewer.sees_everything() {
            return draw_other(plate, &cards, at, out);
        }
        out.put(Role::Seat, at, [0.0, 0.0, plate.width, plate.height], plate.drawing);
        let mut rows = Rows::new((EDGE, at.1 + plate.height + 4.0), room.beside, APART);
        for held in cards {
            rows.right = room.right(rows.y);
            let at = rows.next(held.wide, held.high);
            out.put(if is_own { Role::Hand } else { Role::Seat }, at, held.area(), held.card);
        }
        rows.bottom()
    }

    /// How many cards and points a seat has, and whether it is to act.
    fn standing(&self, seat: Seat) -> String {
        let counties = counted(self.view.num_counties(seat), &format!("{} card", self.atlas.noun()));
        let transit = counted(self.view.num_transit(seat).into(), "transit card");
        let points = counted(self.view.points()[seat.index()].into(), "point");
        let is_next = if self.view.to_act() == Some(seat) { " (to play)" } else { "" };
        format!("{counties}, {transit}, {points}{is_next}")
    }

    /// The cards of a seat that the viewer knows.
    fn hand(&self, seat: Seat, face: &Face) -> Vec<Held> {
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
        let stack = has_stack.then(|| Held {
            card: choosable(places::transit_card(), stack(transit.into(), "transit", DARK, false)),
            wide: STACK_WIDE,
            high: STACK_HIGH,
        });
        let cards = counties.iter().map(|county| Held {
            card: choosable(self.rules.card_place(county), self.held_card(seat, county, face)),
            wide: HAND_WIDE,
            high: HAND_HIGH,
        });
        stack.into_iter().chain(cards).collect()
    }

    /// A county card in a hand.
    fn held_card(&self, seat: Seat, county: u8, face: &Face) -> Drawing {
        let can_play = self.view.to_act() == Some(seat) && self.playable.contains(county);
        let is_chosen = self.view.phase().county() == Some(county);
        let (note, edge) = match (can_play, is_chosen) {
            (true, _) => ("play", Edge::PLAIN),
            (false, true) => ("chosen", Edge::MARKED),
            (false, false) => ("", Edge::PLAIN),
        };
        let mut card = self.county_card(county, face, note, edge);
        if can_play {
            card.push(framed(rect(-2.0, -2.0, HAND_WIDE + 4.0, HAND_HIGH + 4.0, "none").with("rx", 7)));
        }
        let is_lying = |laid: &Laid| !laid.card.is_transit && laid.card.place == county;
        if self.cards.iter().any(is_lying) {
            return card;
        }
        let mut thing = Drawing::new();
        thing.thing(&self.atlas.place(county).name, card);
        thing
    }
}

/// Cards face down with words beside them, and how wide both are.
fn beside(mut parts: Drawing, lines: &[String]) -> (Drawing, f64) {
    let (mut wide, left) = (STACK_WIDE, STACK_WIDE + 8.0);
    for (words, n) in lines.iter().zip(0..) {
        let base = STACK_HIGH / 2.0 + 18.0 * f64::from(n);
        parts.push(text_from(left, base, words, 12.0, INK));
        wide = (left + measure(words, 12.0, false)).max(wide);
    }
    (parts, wide)
}

/// What is known about a seat that is not the viewer's, all in one piece. Returns where it ends.
fn draw_other(plate: Nameplate, cards: &[Held], (x, y): Point, out: &mut Sheet) -> f64 {
    let (mut drawing, mut width) = (plate.drawing, plate.width);
    let mut rows = Rows::new((FRAME, plate.height + 4.0), NARROW, APART);
    for held in cards {
        let (left, top) = rows.next(held.wide, held.high);
        drawing.moved(left, top, held.card.clone());
        width = width.max(left + held.wide + FRAME);
    }
    let height = if cards.is_empty() { plate.height } else { rows.bottom() + FRAME };
    out.put(Role::Seat, (x, y), [0.0, 0.0, width, height], drawing);
    y + height
}

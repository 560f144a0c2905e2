//! What is below the map: the piles, facts, and the seats with their tiles.

use super::super::encode::tile_name;
use super::super::rules::Action;
use super::super::tiles::Tile;
use super::super::words::{pile_place, tile_place, token_place};
use super::pieces::{BACK, back, frame, plus, token};
use super::{EDGE, MARK, Scene};
use crate::drawing::{
    Drawing, HALF, INK, NARROW, Nameplate, Role, Rows, Sheet, circle, line, measure, rect, shortened, target,
    text_from, tile, wrapped,
};
use crate::game::{Seat, Show as _};

/// What the signs mean.
const KEY: [&str; 6] = [
    "ringed letter: active line, three at most",
    "dashed: empty, with the value to match",
    "crossed end: out of service",
    "orange with a plus: can be played",
    "heavy frame: played last",
    "bar above: just drawn",
];
/// How large a tile in a hand is drawn, and what it fills at first, with its marks.
const HELD: f64 = 1.3;
const HELD_AREA: [f64; 4] = [-3.0, -7.0, 2.0 * HALF + 8.0, HALF + 10.0];
/// How far apart the metro tokens of a seat are.
const TOKEN: f64 = 24.0;
/// The size of words.
const WORDS: f64 = 13.0;

impl Scene<'_> {
    /// What is below the map. Returns how high it is.
    pub(super) fn below(&self, width: f64, out: &mut Sheet) -> f64 {
        let right = width - EDGE;
        let caption = shortened(&self.caption(), 15.0, right - EDGE, true);
        let title = [text_from(EDGE, 0.0, &caption, 15.0, INK).bold()];
        out.add(Role::Title, [EDGE, -16.0, right - EDGE, 20.0], title.into_iter().collect());
        self.piles(12.0, right, out);
        let mut y = 42.0;
        for words in wrapped(self.facts().split_whitespace(), WORDS, NARROW, false) {
            let area = [EDGE, y - 4.0, measure(&words, WORDS, false), 18.0];
            out.add(Role::Facts, area, [text_from(EDGE, y + 10.0, &words, WORDS, INK)].into_iter().collect());
            y += 20.0;
        }
        for seat in (0..self.rules.players()).map(Seat::new) {
            y = self.seat(seat, y + 6.0, right, out);
        }
        out.key((EDGE, y + 10.0), right, KEY)
    }

    /// The store, the stations that are left and the metro tokens in the supply.
    fn piles(&self, y: f64, right: f64, out: &mut Sheet) {
        let station = rect(1.0, 4.0, 18.0, 14.0, "white").with("rx", 7).with("stroke", INK).with("stroke-width", 2);
        let mut store = Drawing::from_iter([target(0.0, 0.0, 36.0, 24.0)]);
        store.add(back(0.0, 3.0));
        let piles = [
            (Role::Stock, store, 36.0, format!("store {}", self.view.num_store())),
            (Role::Facts, [station].into_iter().collect(), 22.0, format!("stations left {}", self.view.num_unopened())),
            (
                Role::Facts,
                token(9.0, 11.0).into_iter().collect(),
                20.0,
                format!("metro tokens left {}", self.view.supply()),
            ),
        ];
        let mut rows = Rows::new((EDGE, y - 3.0), right, 40.0);
        for (role, mut parts, left, words) in piles {
            parts.push(text_from(left + 5.0, 16.0, &words, WORDS, INK));
            if role == Role::Stock && self.viewer.seat().is_some() {
                let mut place = Drawing::new();
                place.place(&pile_place(), parts);
                parts = place;
            }
            let wide = left + 5.0 + measure(&words, WORDS, false);
            out.put(role, rows.next(wide, 24.0), [0.0, 0.0, wide, 24.0], parts);
        }
    }

    /// Passes, what can be done without a tile, and how a match of several games stands.
    fn facts(&self) -> String {
        let passes = Some(self.view.passes()).filter(|&passes| passes > 0);
        let others = self.legal.iter().filter(|action| !matches!(action, Action::Play(_)));
        let others: Vec<String> = others.map(|&action| self.rules.notation(action)).collect();
        let facts = [
            passes.map(|passes| format!("passes {passes}")),
            (!others.is_empty()).then(|| format!("possible: {}", others.join(", "))),
            self.rules.games_won(&self.view),
        ];
        facts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// A seat with its tiles. Returns where it ends.
    fn seat(&self, seat: Seat, y: f64, right: f64, out: &mut Sheet) -> f64 {
        let is_to_act = self.view.to_act() == Some(seat);
        let plate = Nameplate::new(seat, &self.looks.name(seat), &self.standing(seat), is_to_act);
        let (mut drawing, mut wide, mut high) = (plate.drawing, plate.width, plate.height);
        let is_own = self.viewer == seat.into();
        let Some(hand) = self.view.hand(seat).filter(|hand| is_own || !hand.is_empty()) else {
            let mut rows = Rows::new((Nameplate::INDENT, high + 2.0), NARROW, 4.0);
            for _ in 0..self.view.num_tiles(seat) {
                let (left, top) = rows.next(BACK[0], BACK[1]);
                drawing.add(back(left, top));
                (wide, high) = (wide.max(left + BACK[0] + 1.0), top + BACK[1] + 1.0);
            }
            out.put(Role::Seat, (EDGE, y), [0.0, 0.0, wide, high], drawing);
            return y + high + 4.0;
        };
        out.put(Role::Seat, (EDGE, y), [0.0, 0.0, wide, high], drawing);
        let mut rows = Rows::new((EDGE + Nameplate::INDENT, y + high + 4.0), right, 4.0);
        let [_, _, tile_wide, tile_high] = HELD_AREA.map(|side| side * HELD);
        for one in hand.iter() {
            let at = rows.next(tile_wide, tile_high);
            let role = if is_own { Role::Hand } else { Role::Seat };
            out.put(role, at, [0.0, 0.0, tile_wide, tile_high], self.held(seat, one));
        }
        let tokens = self.view.tokens(seat);
        if is_own && tokens > 0 {
            let wide = 4.0 + TOKEN * f64::from(tokens);
            out.put(Role::Hand, rows.next(wide, tile_high), [0.0, 0.0, wide, tile_high], own_tokens(tokens, wide));
        }
        rows.bottom() + 4.0
    }

    fn standing(&self, seat: Seat) -> String {
        let view = &self.view;
        let (tiles, stations) = (view.num_tiles(seat), view.num_stations(seat));
        let (score, tokens) = (view.score(seat), view.tokens(seat));
        format!("tiles {tiles}, stations {stations}, score {score}, tokens {tokens}")
    }

    /// A tile of a hand in its area, from 0, 0 on; to be clicked by its owner.
    fn held(&self, seat: Seat, one: Tile) -> Drawing {
        let mut thing = Drawing::new();
        thing.thing(&tile_name(one), self.face(seat, one));
        let mut scaled = Drawing::new();
        scaled.scaled(HELD, thing);
        let mut moved = Drawing::new();
        moved.moved(-HELD_AREA[0] * HELD, -HELD_AREA[1] * HELD, scaled);
        if self.viewer != seat.into() {
            return moved;
        }
        let mut place = Drawing::new();
        place.place(&tile_place(one), moved);
        place
    }

    /// A tile of a hand, marked if it is the turn of that seat and the tile can be played or was just drawn.
    fn face(&self, seat: Seat, one: Tile) -> Drawing {
        let (low, high) = one.halves();
        let is_turn = self.view.to_act() == Some(seat);
        let mut face = tile(&[low, high], 0.0, 0.0);
        if is_turn && self.playable().contains(one) {
            face.push(frame(0.0, 0.0, MARK).with("data-tile", tile_name(one)));
            face.push(circle(2.0 * HALF - 1.0, -1.0, 5.0, MARK));
            face.extend(plus(2.0 * HALF - 1.0, -1.0, 3.0));
        }
        if is_turn && self.view.drawn() == Some(one) {
            face.push(line(&[(0.0, -4.5), (2.0 * HALF, -4.5)], INK, 2.5));
        }
        face
    }
}

/// The viewer's metro tokens, to be clicked.
fn own_tokens(count: u8, wide: f64) -> Drawing {
    let [.., high] = HELD_AREA.map(|side| side * HELD);
    let mut tokens = Drawing::from_iter([target(0.0, 0.0, wide, high)]);
    for n in 0..count {
        let mut scaled = Drawing::new();
        scaled.scaled(HELD, token(0.0, 0.0).into_iter().collect());
        tokens.moved(2.0 + TOKEN * (f64::from(n) + 0.5), high / 2.0, scaled);
    }
    let mut place = Drawing::new();
    place.place(&token_place(), tokens);
    place
}

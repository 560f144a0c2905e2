//! What is below the map: the piles, a line of facts, and the seats with their tiles.

use super::super::encode::tile_name;
use super::super::rules::Action;
use super::super::tiles::{Tile, Tiles};
use super::super::words::{pile_place, tile_place, token_place};
use super::pieces::{BACK, back, frame, plus, token};
use super::{EDGE, MARK, Scene};
use crate::drawing::{Drawing, HALF, INK, Point, SOFT, badge, line, measure, rect, target, text_from, tile};
use crate::game::{Seat, Show as _};

/// What the signs mean.
const KEY: [&str; 2] = [
    "ringed letter: active line, three at most; dashed: empty, with the value to match; crossed end: out of service",
    "orange with a plus: can be played; heavy frame: played last; bar above: just drawn",
];
/// Where the words and the tiles of a seat begin.
const LEFT: f64 = EDGE + 28.0;
/// The least room for a seat in words.
const WORDS: f64 = 368.0;
/// How far apart the metro tokens of a seat are.
const TOKEN: f64 = 18.0;

/// Equal things in rows, as many in each as there is room for.
struct Grid {
    left: f64,
    top: f64,
    across: f64,
    down: f64,
    in_a_row: usize,
}

impl Grid {
    fn new((left, top): Point, room: f64, [across, down]: [f64; 2]) -> Self {
        Self { left, top, across, down, in_a_row: (room / across).max(1.0) as usize }
    }

    /// Where the thing with this number is.
    fn at(&self, number: usize) -> Point {
        let (row, column) = (number / self.in_a_row, number % self.in_a_row);
        (self.left + column as f64 * self.across, self.top + row as f64 * self.down)
    }

    /// How high so many things are together.
    fn height(&self, count: usize) -> f64 {
        count.div_ceil(self.in_a_row) as f64 * self.down
    }
}

impl Scene<'_> {
    /// What is below the map, and how high it is.
    pub(super) fn below(&self, width: f64) -> (Drawing, f64) {
        let mut below = Drawing::new();
        below.push(text_from(EDGE, 0.0, &self.caption(), 15.0, INK).bold());
        below.add(self.piles(12.0));
        let mut y = 42.0;
        let facts = self.facts();
        if !facts.is_empty() {
            below.push(text_from(EDGE, y + 10.0, &facts, 13.0, INK));
            y += 20.0;
        }
        for seat in (0..self.rules.players()).map(Seat::new) {
            let (hand, high) = self.hand(seat, width);
            below.moved(0.0, y, hand);
            y += high;
        }
        for words in KEY {
            y += 15.0;
            below.push(text_from(EDGE, y, words, 11.0, SOFT));
        }
        (below, y)
    }

    /// The store, the stations that are left and the metro tokens in the supply.
    fn piles(&self, y: f64) -> Drawing {
        let mut parts = Drawing::new();
        if self.viewer.seat().is_some() {
            let mut pile = Drawing::from_iter([target(EDGE, y - 4.0, 36.0, 24.0)]);
            pile.add(back(EDGE, y));
            parts.place(&pile_place(), pile);
        } else {
            parts.add(back(EDGE, y));
        }
        let middle = y + 8.0;
        let station = rect(EDGE + 128.0, middle - 7.0, 18.0, 14.0, "white").with("rx", 7);
        parts.push(station.with("stroke", INK).with("stroke-width", 2));
        parts.extend(token(EDGE + 298.0, middle));
        let piles = [
            (42.0, format!("store {}", self.view.num_store())),
            (154.0, format!("stations left {}", self.view.num_unopened())),
            (312.0, format!("metro tokens left {}", self.view.supply())),
        ];
        parts.extend(piles.map(|(x, words)| text_from(EDGE + x, middle + 5.0, &words, 13.0, INK)));
        parts
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

    /// A seat with its tiles, and how high that is.
    fn hand(&self, seat: Seat, width: f64) -> (Drawing, f64) {
        let words = self.seat_in_words(seat);
        let weight = if self.view.to_act() == Some(seat) { "bold" } else { "normal" };
        let mut parts = badge(seat, EDGE + 10.0, 12.0, 10.0);
        parts.push(text_from(LEFT, 17.0, &words, 13.0, INK).with("font-weight", weight));
        let x = LEFT + WORDS.max(measure(&words, 13.0, true) + 10.0);
        if self.viewer == seat.into() {
            parts.add(self.tokens(seat, x));
        }
        let held = self.view.hand(seat).filter(|hand| !hand.is_empty());
        let (tiles, high) = match held {
            Some(hand) => self.faces(seat, hand, width),
            None => backs(self.view.num_tiles(seat), x, width),
        };
        parts.add(tiles);
        (parts, high)
    }

    fn seat_in_words(&self, seat: Seat) -> String {
        let view = &self.view;
        let (tiles, stations) = (view.num_tiles(seat), view.num_stations(seat));
        let (score, tokens) = (view.score(seat), view.tokens(seat));
        format!("seat {}: tiles {tiles}, stations {stations}, score {score}, tokens {tokens}", seat.index())
    }

    /// The viewer's metro tokens, to be clicked.
    fn tokens(&self, seat: Seat, x: f64) -> Drawing {
        let count = self.view.tokens(seat);
        let mut place = Drawing::new();
        if count > 0 {
            let mut tokens = Drawing::from_iter([target(x, 1.0, 4.0 + TOKEN * f64::from(count), 22.0)]);
            tokens.extend((0..count).flat_map(|n| token(x + 11.0 + TOKEN * f64::from(n), 12.0)));
            place.place(&token_place(), tokens);
        }
        place
    }

    /// The tiles of a seat below its words, and how high all of it is.
    fn faces(&self, seat: Seat, hand: Tiles, width: f64) -> (Drawing, f64) {
        let top = 27.0;
        let grid = Grid::new((LEFT, top), width - EDGE - LEFT, [2.0 * HALF + 8.0, 34.0]);
        let playable = self.playable();
        let mut parts = Drawing::new();
        for (number, one) in hand.iter().enumerate() {
            let face = self.face(seat, one, playable.contains(one), grid.at(number));
            if self.viewer == seat.into() {
                parts.place(&tile_place(one), face);
            } else {
                parts.add(face);
            }
        }
        (parts, top + grid.height(hand.len()) + 4.0)
    }

    /// A tile of a hand, marked if it is the turn of that seat and the tile can be played or was just drawn.
    fn face(&self, seat: Seat, one: Tile, is_playable: bool, (x, y): Point) -> Drawing {
        let (low, high) = one.halves();
        let is_turn = self.view.to_act() == Some(seat);
        let mut face = tile(&[low, high], x, y);
        if is_turn && is_playable {
            face.push(frame(x, y, MARK).with("data-tile", tile_name(one)));
            face.extend(plus(x + HALF, y + HALF + 4.5, 3.5));
        }
        if is_turn && self.view.drawn() == Some(one) {
            face.push(line(&[(x, y - 4.0), (x + 2.0 * HALF, y - 4.0)], INK, 2.5));
        }
        face
    }
}

/// So many tiles with their faces down beside the words of a seat, and how high both are.
fn backs(count: usize, x: f64, width: f64) -> (Drawing, f64) {
    let grid = Grid::new((x, 4.0), width - EDGE - x, [BACK[0] + 4.0, 24.0]);
    let mut parts = Drawing::new();
    for (left, top) in (0..count).map(|number| grid.at(number)) {
        parts.add(back(left, top));
    }
    (parts, grid.height(count.max(1)) + 6.0)
}

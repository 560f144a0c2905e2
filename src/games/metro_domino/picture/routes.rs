//! Where the lines of the map are: each in a row of its own, those of a station one above the other. The row of a line
//! that leads to a station goes on as that of the station's line nearest to the start station.

use super::super::rules::{LineState, View};
use super::super::stations::{Deck, Station, Track};
use super::super::tiles::Play;
use super::{EDGE, WIDTHS};
use crate::bits;
use crate::drawing::{HALF, measure, shortened};
use crate::game::Seat;

/// How far right of a station the letters of its lines are.
pub(super) const LETTER: f64 = 34.0;
/// How far right of a station the first tiles of its lines are.
pub(super) const FIRST: f64 = 48.0;
/// The size of a station's name.
pub(super) const NAME_SIZE: f64 = 12.0;
/// The size of a line's limits.
pub(super) const LIMITS_SIZE: f64 = 10.0;
/// What is left free between a tile and the next.
pub(super) const GAP: f64 = 3.0;
/// How far apart the tiles of a line are.
pub(super) const STEP: f64 = 2.0 * HALF + GAP;
/// How far apart the lines are that leave a station up or down.
pub(super) const TRUNK: f64 = 11.0;

/// How far apart the empty places beyond the next of a line are: as far as there is room.
const STEPS: [f64; 2] = [STEP, 28.0];
/// The same where there is never enough.
const LEAST_STEP: f64 = 16.0;
/// How much wider than a picture a map may be: it is made smaller then.
const TOO_WIDE: f64 = 1.1;
/// How far right of its last tile a line ends.
const END: f64 = 26.0;
/// How far the rows of two lines are apart.
const ROW: f64 = 58.0;
/// What lies between the rows that go up from the start station and those that go down.
const APART: f64 = 22.0;
/// What is above the highest row.
const HEAD: f64 = 34.0;
/// The most room that the name of a station takes.
const NAME: f64 = 170.0;

/// A line on the map.
pub(super) struct Route<'a> {
    /// The number of the line.
    pub number: u8,
    pub track: &'a Track,
    pub state: LineState,
    /// The value that the next tile has to match; none before the first.
    pub end: Option<u8>,
    pub tiles: Vec<Play>,
    /// Its limits in words.
    pub limits: String,
    /// Whether it goes up from the start station.
    pub is_upper: bool,
    /// Its number on its side of its station, the nearest to the start station first.
    pub nth: usize,
    /// The middle of its station.
    pub x: f64,
    /// The row in which the nearest line on its side of its station is.
    pub station_y: f64,
    /// Its own row.
    pub y: f64,
    /// How far right of its first tile its places for tiles begin, and where one more would.
    pub slots: Vec<f64>,
    /// Where it ends.
    pub ends: f64,
    /// How far right anything of it is.
    pub right: f64,
    /// The station at its end, if one was opened there.
    pub stop: Option<Stop<'a>>,
}

/// A station at the end of a line.
pub(super) struct Stop<'a> {
    pub number: u8,
    pub station: &'a Station,
    /// Who opened it.
    pub owner: Seat,
    /// As much of its name as there is room for, and half the room that this takes.
    pub label: String,
    half: f64,
}

/// All lines that can be seen in their order, and how far right the map goes. The start station is at `x`.
pub(super) fn lay_out<'a>(deck: &'a Deck, view: &View<'a>, x: f64) -> (Vec<Route<'a>>, f64) {
    let attempt = |step| {
        let routes = Planner { deck, view, step, routes: Vec::new() }.plan(x);
        let right = routes.iter().map(|route| route.right).fold(x, f64::max) + EDGE;
        (routes, right)
    };
    let fits = |(_, right): &(Vec<Route<'_>>, f64)| *right <= WIDTHS[1] * TOO_WIDE;
    STEPS.into_iter().map(attempt).find(fits).unwrap_or_else(|| attempt(LEAST_STEP))
}

/// As much of the name of a station as there is room for, and how wide that is.
pub(super) fn label(station: &Station) -> (String, f64) {
    let label = shortened(&station.name, NAME_SIZE, NAME, true);
    let width = measure(&label, NAME_SIZE, true);
    (label, width)
}

/// How much wider than a circle a station is for its lines that leave up or down on each of so many sides.
pub(super) fn widening(station: &Station, sides: usize) -> f64 {
    station.lines.len().div_ceil(sides).saturating_sub(2) as f64 * TRUNK
}

struct Planner<'a, 'v> {
    deck: &'a Deck,
    view: &'v View<'a>,
    /// How far apart the empty places beyond the next of a line are.
    step: f64,
    routes: Vec<Route<'a>>,
}

/// The rows on one side of the start station, from the nearest on.
struct Rows {
    is_upper: bool,
    taken: u8,
}

impl Rows {
    /// How far below the middle of the start station the next row is.
    fn take(&mut self) -> f64 {
        self.taken += 1;
        let away = (f64::from(self.taken) - 0.5) * ROW + APART / 2.0;
        if self.is_upper { -away } else { away }
    }
}

impl<'a> Planner<'a, '_> {
    fn plan(mut self, x: f64) -> Vec<Route<'a>> {
        let mut lower: Vec<u8> = bits::each(self.deck.lines_of(0)).collect();
        let mut upper: Vec<u8> = lower.drain(..lower.len().div_ceil(2)).collect();
        upper.reverse();
        self.put(x, 0.0, &upper, &mut Rows { is_upper: true, taken: 0 });
        self.put(x, 0.0, &lower, &mut Rows { is_upper: false, taken: 0 });
        let highest = self.routes.iter().map(|route| route.y).fold(0.0, f64::min);
        for route in &mut self.routes {
            route.y += EDGE + HEAD - highest;
            route.station_y += EDGE + HEAD - highest;
        }
        self.routes.sort_by_key(|route| route.number);
        self.routes
    }

    /// Puts lines on one side of a station, the nearest to the start station first, and all that they lead to. The
    /// name of the station reaches `reach` to the right of its middle. Returns the row of the first line.
    fn put(&mut self, x: f64, reach: f64, lines: &[u8], rows: &mut Rows) -> Option<f64> {
        let mut first = None;
        for (nth, &number) in lines.iter().enumerate() {
            let mut route = Route { nth, is_upper: rows.is_upper, ..self.begun(number, x) };
            if let Some(stop) = &route.stop {
                route.ends = (route.ends + widening(stop.station, 1)).max(x + reach + stop.half + 12.0);
                route.right = route.ends + stop.half + 8.0;
                let mut following: Vec<u8> = bits::each(self.deck.lines_of(stop.number)).collect();
                if rows.is_upper {
                    following.reverse();
                }
                route.y = self.put(route.ends, stop.half, &following, rows).unwrap_or_else(|| rows.take());
            } else {
                route.y = rows.take();
            }
            route.station_y = *first.get_or_insert(route.y);
            self.routes.push(route);
        }
        first
    }

    /// A line of a station at `x`, without a row, as long as it is by itself.
    fn begun(&self, number: u8, x: f64) -> Route<'a> {
        let track = &self.deck.tracks()[usize::from(number)];
        let stretch = self.view.line(number);
        let limits = track.line.limits();
        let slots = self.slots(stretch.tiles, track.line.length);
        let tiles_end = FIRST + slots.last().copied().unwrap_or_default();
        let ends = x + tiles_end.max(LETTER + measure(&limits, LIMITS_SIZE, false)) + END;
        Route {
            number,
            track,
            state: stretch.state(),
            end: stretch.end,
            tiles: self.view.laid_on(number).collect(),
            limits,
            is_upper: false,
            nth: 0,
            x,
            station_y: 0.0,
            y: 0.0,
            slots,
            ends,
            right: ends + 8.0,
            stop: self.stop(number),
        }
    }

    /// Tiles and the next place are a tile apart, the places beyond it as far as there is room.
    fn slots(&self, tiles: u8, length: u8) -> Vec<f64> {
        let whole = length.min(tiles.saturating_add(1));
        let slot = |n: u8| f64::from(n.min(whole)) * STEP + f64::from(n.saturating_sub(whole)) * self.step;
        (0..=length).map(slot).collect()
    }

    fn stop(&self, line: u8) -> Option<Stop<'a>> {
        let opening = self.view.opened_by(line)?;
        let station = self.deck.stations().get(usize::from(opening.station))?;
        let (label, width) = label(station);
        let owner = Seat::new(opening.by.into());
        Some(Stop { number: opening.station, station, owner, label, half: width / 2.0 })
    }
}

//! The map itself.

use super::super::encode::tile_name;
use super::super::rules::LineState;
use super::super::stations::Station;
use super::super::words::line_place;
use super::pieces::{cross, frame, plus};
use super::routes::{FIRST, GAP, LETTER, LIMITS_SIZE, NAME_SIZE, Route, Stop, TRUNK, label, lay_out, widening};
use super::{EDGE, MARK, Scene};
use crate::drawing::{
    Drawing, Element, HALF, INK, PAPER, PIPS, SOFT, badge, circle, ink_on, line, rect, target, text, text_from,
    text_to, tile,
};

/// The colours of the lines, again and again.
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6aa8", "#8c6d46"];
/// How far a track that leaves a station up or down goes on while it bends into its row.
const BEND: f64 = 18.0;
/// How wide a track is.
const TRACK: f64 = 7.0;
/// The radius of a station.
const RADIUS: f64 = 13.0;
/// How far the name of the start station is from it.
const BESIDE: f64 = 8.0;
/// The top of a tile whose line goes through its middle.
const TOP: f64 = -HALF / 2.0;

/// The lines with where they are, around the start station.
pub(super) struct Map<'a> {
    scene: &'a Scene<'a>,
    start: &'a Station,
    /// As much of the start station's name as there is room for.
    name: String,
    /// The middle of the start station.
    x: f64,
    routes: Vec<Route<'a>>,
    /// How wide the map is.
    pub right: f64,
}

impl<'a> Map<'a> {
    pub fn new(scene: &'a Scene<'a>) -> Self {
        let deck = &scene.rules.deck;
        let start = deck.start();
        let (name, width) = label(start);
        let x = EDGE + width + BESIDE + RADIUS + widening(start, 2);
        let (routes, right) = lay_out(deck, &scene.view, x);
        Self { scene, start, name, x, routes, right }
    }

    /// The lowest row.
    pub fn bottom(&self) -> f64 {
        self.routes.iter().map(|route| route.y).fold(0.0, f64::max)
    }

    /// What all of it fills: the names and limits above and below the rows too.
    pub fn area(&self) -> [f64; 4] {
        let highest = self.routes.iter().map(|route| route.y).fold(f64::INFINITY, f64::min);
        let (left, top) = (EDGE - 4.0, highest - 30.0);
        [left, top, self.right - EDGE + 4.0 - left, self.bottom() + 34.0 - top]
    }

    pub fn draw(&self) -> Drawing {
        let mut map = Drawing::new();
        let mut by_x: Vec<&Route<'_>> = self.routes.iter().collect();
        by_x.sort_by(|one, other| other.x.total_cmp(&one.x));
        map.extend(by_x.into_iter().flat_map(track));
        for route in &self.routes {
            map.moved(route.x, route.y, self.line(route));
            if let Some(stop) = &route.stop {
                map.add(station(route, stop));
            }
        }
        map.extend(self.start_station());
        map
    }

    /// The start station from its nearest row above to that below, with its name.
    fn start_station(&self) -> [Element; 2] {
        let rows = || self.routes.iter().filter(|route| route.track.station == 0).map(|route| route.station_y);
        let (top, bottom) = (rows().fold(f64::INFINITY, f64::min), rows().fold(0.0, f64::max));
        let wider = widening(self.start, 2);
        let at = self.x - wider - RADIUS - BESIDE;
        let name = text_to(at, f64::midpoint(top, bottom) + 4.0, &self.name, NAME_SIZE, INK);
        [lozenge(self.x, [top, bottom], wider), name.bold()]
    }

    /// What can be clicked of a line, from its station on.
    fn line(&self, route: &Route<'_>) -> Drawing {
        let stops = self.stops(route);
        if self.scene.viewer.seat().is_none() {
            return stops;
        }
        let left = LETTER - 14.0;
        let mut parts = Drawing::from_iter([target(left, -18.0, route.ends - route.x - 14.0 - left, 36.0)]);
        parts.add(stops);
        let mut line = Drawing::new();
        line.place(&line_place(route.track), parts);
        line
    }

    /// A line's letter, limits, tiles, empty places and end.
    fn stops(&self, route: &Route<'_>) -> Drawing {
        let mut parts = letter(route);
        if !route.limits.is_empty() {
            let y = if route.is_upper { -15.0 } else { 24.0 };
            parts.push(text_from(FIRST, y, &route.limits, LIMITS_SIZE, INK));
        }
        for (play, slot) in route.tiles.iter().zip(&route.slots) {
            let (inward, outward) = play.inward_outward();
            parts.thing(&tile_name(play.tile), tile(&[inward, outward], FIRST + slot, TOP));
            if self.scene.last == Some(*play) {
                parts.push(frame(FIRST + slot, TOP, INK).with_text("data-last", self.station_id(route)));
            }
        }
        let free = route.slots.windows(2).skip(route.tiles.len());
        for (n, slots) in free.enumerate() {
            let &[slot, next] = slots else { continue };
            parts.push(empty(route, FIRST + slot, next - slot - GAP));
            if n == 0 {
                parts.add(self.next_place(route, FIRST + slot));
            }
        }
        if route.stop.is_none() {
            parts.extend(self.end(route));
        }
        parts
    }

    /// In the place for a line's next tile, the value to match, and whether somebody can.
    fn next_place(&self, route: &Route<'_>, left: f64) -> Drawing {
        let mut parts = Drawing::new();
        let pips = route.end.and_then(|end| PIPS.get(usize::from(end))).copied().unwrap_or_default();
        for &(column, row) in pips {
            let [x, y] = [column, row].map(|n| HALF * (0.24 + 0.26 * f64::from(n)));
            parts.push(rect(left + x - 1.3, TOP + y - 1.3, 2.6, 2.6, SOFT));
        }
        if self.scene.legal_plays().any(|play| play.line == route.number) {
            parts.push(frame(left, TOP, MARK).with_text("data-legal", self.station_id(route)));
            parts.extend(plus(left + HALF * 1.5, 0.0, 5.0));
        }
        parts
    }

    /// The end of a line that leads nowhere yet, or never will.
    fn end(&self, route: &Route<'_>) -> Vec<Element> {
        let (x, colour) = (route.ends - route.x, colour(route));
        if route.state == LineState::Closed {
            return vec![rect(x - 3.0, -10.0, 6.0, 20.0, colour)];
        }
        if self.scene.rules.is_out_of_service(&self.scene.view, route.number) {
            let ring = circle(x, 0.0, 9.0, PAPER).with("stroke", INK).with("stroke-width", 2.5);
            let [down, up] = cross(x, 0.0, 4.0);
            return vec![ring.with_text("data-out-of-service", &route.track.name), down, up];
        }
        let ring = circle(x, 0.0, 7.0, PAPER).with("stroke", colour).with("stroke-width", 2);
        vec![ring.with("stroke-dasharray", "3 3")]
    }

    /// The id of the station where a line begins.
    fn station_id(&self, route: &Route<'_>) -> &'a str {
        let stations = self.scene.rules.deck.stations();
        stations.get(usize::from(route.track.station)).map_or("", |station| &station.id)
    }
}

fn colour(route: &Route<'_>) -> &'static str {
    COLOURS[usize::from(route.number) % COLOURS.len()]
}

/// The track of a line: along its row, or up or down and then along it; none between empty places.
fn track(route: &Route<'_>) -> Vec<Element> {
    let &Route { x, y, ends, .. } = route;
    let mut points = match route.nth.checked_sub(1) {
        None => vec![(x, y)],
        Some(nth) => {
            let trunk = x - TRUNK * nth as f64;
            let bend = if route.is_upper { y + BEND } else { y - BEND };
            vec![(trunk, route.station_y), (trunk, bend), (trunk + BEND, y)]
        }
    };
    let mut parts = Vec::new();
    if let [first, .., last] = route.slots[route.tiles.len()..] {
        points.push((x + FIRST + first, y));
        parts.push(vec![(x + FIRST + last - GAP, y), (ends, y)]);
    } else {
        points.push((ends, y));
    }
    parts.insert(0, points);
    let drawn = parts.iter().map(|points| line(points, colour(route), TRACK).with("stroke-linejoin", "round"));
    let dashed = |track: Element| match route.state {
        LineState::Open => track.with("stroke-dasharray", "7 4").with("opacity", 0.6),
        _ => track,
    };
    drawn.map(dashed).collect()
}

/// The letter of a line, with a ring while it is active.
fn letter(route: &Route<'_>) -> Drawing {
    let colour = colour(route);
    let mut parts = Drawing::new();
    if route.state == LineState::Active {
        parts.push(circle(LETTER, 0.0, 12.5, PAPER).with("stroke", INK).with("stroke-width", 2));
    }
    parts.push(circle(LETTER, 0.0, 9.5, colour));
    parts.push(text(LETTER, 4.0, &route.track.letter, 11.0, ink_on(colour)).bold());
    parts
}

/// A place for a tile.
fn empty(route: &Route<'_>, left: f64, wide: f64) -> Element {
    let place = rect(left, TOP, wide, HALF, PAPER).with("rx", 3);
    place.with("stroke", colour(route)).with("stroke-dasharray", "3 3")
}

/// A station that somebody opened, at the end of a line.
fn station(route: &Route<'_>, stop: &Stop<'_>) -> Drawing {
    let &Route { ends: x, y, .. } = route;
    let below = if route.is_upper { 28.0 } else { -19.0 };
    let mut parts = Drawing::from_iter([lozenge(x, [y, y], widening(stop.station, 1))]);
    parts.add(badge(stop.owner, x, y, 10.0));
    parts.push(text(x, y + below, &stop.label, NAME_SIZE, INK).bold());
    parts
}

/// A station: a circle around a point, drawn out from a row to another, and to the left.
fn lozenge(x: f64, [top, bottom]: [f64; 2], wider: f64) -> Element {
    let (wide, high) = (2.0 * RADIUS + wider, bottom - top + 2.0 * RADIUS);
    let lozenge = rect(x - RADIUS - wider, top - RADIUS, wide, high, "white").with("rx", RADIUS);
    lozenge.with("stroke", INK).with("stroke-width", 3)
}

//! What the tokens lie on: a map of the part of the world where the cities are, or lists of them by region.

use super::{EDGE, WIDTH};
use crate::drawing::maps::{SEA, coast};
use crate::drawing::{Area, Drawing, Element, INK, PAPER, Point, distance, line, shortened, tenths, text_from};
use crate::games::connections::deck::{City, Deck};

/// The most that a map takes.
const ROOM: (f64, f64) = (WIDTH - 2.0 * EDGE, 540.0);
/// The least distance of two cities on a map, so that their tokens do not cover each other.
const APART: f64 = 22.0;
/// The least distance of a city from the edges of a map.
const MARGIN: f64 = 14.0;
/// How often cities are moved aside; by then they are apart, or there is no room.
const MOVES: usize = 50;
/// Degrees from one line of the grid to the next.
const STEPS: [f64; 5] = [0.1, 1.0, 5.0, 10.0, 30.0];
/// The most lines of the grid, north to south.
const LINES: f64 = 13.0;
/// The least part of the world that a map shows, in degrees.
const LEAST: f64 = 0.1;
const GRID: &str = "#ccd6dc";
/// Kilometres of a degree at the equator.
const KILOMETRES: f64 = 111.2;

/// How wide a list is, and how high a line of it.
pub(super) const COLUMN: f64 = 240.0;
const ROW: f64 = 24.0;

/// What the tokens lie on.
pub(super) struct Ground {
    pub edges: Area,
    /// Where the cities are.
    pub points: Vec<Point>,
    /// What is drawn first.
    pub below: Drawing,
    /// What is drawn after the lines between the cities.
    pub words: Drawing,
    /// How far it is once around the world, if this is a map.
    pub around: Option<f64>,
}

impl Ground {
    /// A map if every city has coordinates, lists otherwise.
    pub fn new(deck: &Deck) -> Self {
        let degrees = |city: &City| Some((city.lon?, city.lat?));
        match deck.cities().iter().map(degrees).collect::<Option<Vec<_>>>() {
            Some(degrees) => map(&degrees),
            None => lists(deck),
        }
    }
}

/// How degrees become points.
struct Projection {
    west: f64,
    north: f64,
    /// Degrees from west to east, and from north to south.
    size: (f64, f64),
    /// How wide a degree is drawn.
    scale: f64,
    /// How wide a degree is drawn for one of latitude.
    flat: f64,
    left: f64,
}

impl Projection {
    /// A map of the part of the world where some places are, as large as there is room.
    fn around(degrees: &[Point]) -> Self {
        let east = degrees.iter().fold(f64::MIN, |most, &(lon, _)| most.max(lon));
        let west = degrees.iter().fold(f64::MAX, |least, &(lon, _)| least.min(lon));
        let north = degrees.iter().fold(f64::MIN, |most, &(_, lat)| most.max(lat));
        let south = degrees.iter().fold(f64::MAX, |least, &(_, lat)| least.min(lat));
        let wide = 1.05 * (east - west).max((north - south) / 2.0).max(LEAST);
        let high = 1.1 * (north - south).max((east - west) / 4.0).max(LEAST);
        let middle = (f64::midpoint(west, east), f64::midpoint(south, north));
        // As in the middle of the map, or narrower to fill the room downwards.
        let true_shape = middle.1.to_radians().cos().max(0.2);
        let flat = true_shape * (high / true_shape / wide * ROOM.0 / ROOM.1).clamp(0.65, 1.0);
        let scale = (ROOM.0 / wide).min(ROOM.1 * flat / high);
        Self {
            west: middle.0 - wide / 2.0,
            north: middle.1 + high / 2.0,
            size: (wide, high),
            scale,
            flat,
            left: (WIDTH - wide * scale) / 2.0,
        }
    }

    fn edges(&self) -> Area {
        let (wide, high) = self.size;
        let bottom = EDGE + high * self.scale / self.flat;
        Area { left: self.left, top: EDGE, right: self.left + wide * self.scale, bottom }
    }

    fn point(&self, place: Point) -> Point {
        tenths(self.plain_point(place))
    }

    fn plain_point(&self, (lon, lat): Point) -> Point {
        (self.left + (lon - self.west) * self.scale, EDGE + (self.north - lat) * self.scale / self.flat)
    }

    /// The lines of the grid; the equator is thicker.
    fn grid(&self, out: &mut Drawing) {
        let ((wide, high), edges) = (self.size, self.edges());
        let step = STEPS.into_iter().find(|step| wide < LINES * step).unwrap_or(STEPS[STEPS.len() - 1]);
        let lines = |from: f64, to: f64| (from / step).ceil() as i32..(to / step).ceil() as i32;
        for lon in lines(self.west, self.west + wide) {
            let (x, _) = self.point((f64::from(lon) * step, self.north));
            out.push(line(&[(x, edges.top), (x, edges.bottom)], GRID, 1.0));
        }
        for lat in lines(self.north - high, self.north) {
            let (_, y) = self.point((self.west, f64::from(lat) * step));
            out.push(line(&[(edges.left, y), (edges.right, y)], GRID, if lat == 0 { 2.0 } else { 1.0 }));
        }
    }
}

fn map(degrees: &[Point]) -> Ground {
    let projection = Projection::around(degrees);
    let edges = projection.edges();
    let mut below = Drawing::new();
    below.push(edges.filled(SEA));
    below.add(coast(KILOMETRES / projection.scale, edges, |[lon, lat]| projection.plain_point((lon, lat))));
    projection.grid(&mut below);
    let points = apart(degrees.iter().map(|&place| projection.point(place)).collect(), edges);
    Ground { edges, points, below, words: Drawing::new(), around: Some(360.0 * projection.scale) }
}

/// Points, moved aside where two tokens would cover each other.
fn apart(mut points: Vec<Point>, edges: Area) -> Vec<Point> {
    for _ in 0..MOVES {
        for one in 0..points.len() {
            for other in one + 1..points.len() {
                let (at, to) = (points[one], points[other]);
                if (at.0 - to.0).abs() < APART && distance(at, to) < APART {
                    (points[one], points[other]) = pushed(at, to);
                }
            }
        }
        for point in &mut points {
            *point = edges.inside(*point, MARGIN, MARGIN);
        }
    }
    points.into_iter().map(tenths).collect()
}

/// Two points, pushed away from each other until they are apart.
fn pushed((x, y): Point, (u, v): Point) -> (Point, Point) {
    let away = distance((x, y), (u, v));
    let (across, down) = if away > 0.0 { ((u - x) / away, (v - y) / away) } else { (1.0, 0.0) };
    let push = (APART + 0.5 - away) / 2.0;
    ((x - push * across, y - push * down), (u + push * across, v + push * down))
}

/// The names of the cities by region.
fn lists(deck: &Deck) -> Ground {
    let mut ground = Ground {
        edges: Area::default(),
        points: vec![(0.0, 0.0); deck.cities().len()],
        below: Drawing::new(),
        words: Drawing::new(),
        around: None,
    };
    let in_a_row = ((WIDTH - 2.0 * EDGE) / COLUMN) as usize;
    let mut y = EDGE;
    for row in titled(deck).chunks(in_a_row) {
        for (column, (title, cities)) in row.iter().enumerate() {
            write_list(deck, (EDGE + column as f64 * COLUMN, y), title, cities, &mut ground);
        }
        let longest = row.iter().map(|(_, cities)| cities.len()).max().unwrap_or_default();
        y += 34.0 + longest as f64 * ROW;
    }
    let columns = titled(deck).len().min(in_a_row);
    ground.edges = Area { left: EDGE - 8.0, top: EDGE - 8.0, right: EDGE + columns as f64 * COLUMN, bottom: y };
    ground
}

/// The cities of each region, and those that link regions, under their titles.
fn titled(deck: &Deck) -> Vec<(&str, Vec<u8>)> {
    let mut lists: Vec<(&str, Vec<u8>)> = deck.regions().iter().map(|region| (&*region.name, Vec::new())).collect();
    let mut links = Vec::new();
    for city in 0..deck.cities().len() as u8 {
        match deck.regions_of_city(city).collect::<Vec<_>>()[..] {
            [region] => lists[usize::from(region)].1.push(city),
            _ => links.push(city),
        }
    }
    if !links.is_empty() {
        lists.push(("Linking cities", links));
    }
    lists
}

fn write_list(deck: &Deck, (x, y): Point, title: &str, cities: &[u8], ground: &mut Ground) {
    let title = shortened(title, 13.0, COLUMN - 12.0, true);
    ground.words.push(with_halo(text_from(x, y + 12.0, &title, 13.0, INK).bold()));
    for (n, &city) in cities.iter().enumerate() {
        let down = y + n as f64 * ROW;
        ground.points[usize::from(city)] = (x + 12.0, down + 32.0);
        let name = shortened(deck.city_name(city), 12.0, COLUMN - 36.0, false);
        ground.words.push(with_halo(text_from(x + 28.0, down + 36.0, &name, 12.0, INK)));
    }
}

/// Words that can be read on the lines beneath them.
fn with_halo(words: Element) -> Element {
    words.with("stroke", PAPER).with("stroke-width", 4).with("paint-order", "stroke")
}

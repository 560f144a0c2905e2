//! What lies on the ground: tokens, and lines for sets, links and partnerships.

use super::{DASHES, MARK, Scene, Spot};
use crate::bits;
use crate::drawing::{Area, Drawing, INK, Point, SEATS, badge, circle, curve, line, target};
use crate::game::Seat;
use crate::games::connections::deck::Regions;

/// How wide and how high a token is to be clicked.
pub(super) const REACH: f64 = 22.0;

/// The token of a seat.
pub(super) fn token(seat: Seat, x: f64, y: f64) -> Drawing {
    let mut drawing = Drawing::from_iter([circle(x, y, 8.0, "#ffffff")]);
    drawing.add(badge(seat, x, y, 8.5));
    drawing
}

impl Scene<'_> {
    /// Lines through the cities of each set. What they lead through is added to `lines`.
    pub fn draw_sets(&self, lines: &mut Vec<[Point; 2]>, out: &mut Drawing) {
        let table = self.view.table();
        for seat in (0..self.rules.players()).map(Seat::new) {
            for region in bits::each(table.sets(seat).into()) {
                let is_in = |city: &&Spot<'_>| city.token == Some(seat) && city.regions == 1 << region;
                let mut points: Vec<Point> = self.cities.iter().filter(is_in).map(|city| city.at).collect();
                points.sort_by(|(x, y), (u, v)| x.total_cmp(u).then(y.total_cmp(v)));
                lines.extend(points.windows(2).map(|pair| [pair[0], pair[1]]));
                let line = line(&points, SEATS[seat.index()], 5.0).with("opacity", 0.6);
                out.push(line.with("stroke-dasharray", DASHES[seat.index()]).with("stroke-linejoin", "round"));
            }
        }
    }

    /// Curves from the links to the cities around them, thin until there is a partner. `around` is how far it is once
    /// around the world. What they lead through, roughly, is added to `lines`.
    pub fn draw_bonds(&self, edges: Area, around: Option<f64>, lines: &mut Vec<[Point; 2]>, out: &mut Drawing) {
        let mut curves = Drawing::new();
        for bond in self.view.table().bonds() {
            let link = self.rules.deck.links()[usize::from(bond.link)];
            let width = if bond.partner.is_some() { 3.5 } else { 1.5 };
            for (city, seat) in self.cities_around(link.regions, [Some(bond.owner), bond.partner]) {
                for [begin, end] in ways(self.cities[usize::from(link.city)].at, city.at, around) {
                    lines.extend(straightened(begin, bend(begin, end), end));
                    let curve = curve(begin, bend(begin, end), end, SEATS[seat.index()], width);
                    curves.push(curve.with("stroke-dasharray", DASHES[seat.index()]).with("opacity", 0.8));
                }
            }
        }
        out.clipped(edges.edges(), curves);
    }

    /// The cities of some regions with a token of one of some seats.
    fn cities_around(&self, regions: Regions, seats: [Option<Seat>; 2]) -> impl Iterator<Item = (&Spot<'_>, Seat)> {
        let is_in = move |city: &&Spot<'_>| !city.is_link() && city.regions & regions != 0;
        self.cities.iter().filter(is_in).filter_map(move |city| {
            let seat = city.token.filter(|&seat| seats.contains(&Some(seat)))?;
            Some((city, seat))
        })
    }

    /// The cities and their tokens, links in a ring; those that can be played are marked, and so is the city of the face
    /// that was played last. To choose a city, it is `wide` from the left of its token on.
    pub fn draw_tokens(&self, last: Option<u8>, wide: f64, out: &mut Drawing) {
        let last = last.map(|face| self.rules.deck.face(face));
        for (number, city) in (0..).zip(&self.cities) {
            let (x, y) = city.at;
            let mut drawn = Drawing::new();
            if self.view.viewer().is_some() {
                drawn.push(target(x - REACH / 2.0, y - REACH / 2.0, wide, REACH));
            }
            let played = last.filter(|face| city.token.is_some() && face.city == number);
            self.draw_city(city, played.map(|face| face.card), &mut drawn);
            if played.is_some() {
                drawn.push(circle(x, y, 14.0, "none").with("stroke", INK).with("stroke-width", 2));
            }
            self.place(&self.rules.city_place(number), drawn, out);
        }
    }

    /// A city with its token, which comes from a card that was just played, or lay there before.
    fn draw_city(&self, city: &Spot<'_>, card: Option<u8>, out: &mut Drawing) {
        let (x, y) = city.at;
        if city.is_marked {
            let ring = circle(x, y, 10.0, "none").with("stroke", MARK).with("stroke-width", 3);
            out.push(if city.is_playable { ring.with("data-legal", "city") } else { ring });
        }
        let (fill, edge) = match self.signs.get(city.regions.trailing_zeros() as usize) {
            Some(sign) if !city.is_link() => (&*sign.colour, 0.8),
            _ => ("#ffffff", 2.0),
        };
        let radius = match city.token {
            None => 4.5,
            Some(_) if city.is_link() => 12.0,
            Some(_) => 11.0,
        };
        out.push(circle(x, y, radius, fill).with("stroke", INK).with("stroke-width", edge));
        if let Some(seat) = city.token {
            let name = card.map_or_else(|| format!("token {}", city.name), |card| self.rules.deck.card_name(card));
            out.thing(&name, token(seat, x, y));
        }
    }
}

/// From a point to another: straight, or out at one edge and in at the other where it is shorter around the world.
fn ways(begin: Point, end: Point, around: Option<f64>) -> Vec<[Point; 2]> {
    let across = begin.0 - end.0;
    match around {
        Some(around) if across.abs() > around / 2.0 => {
            let over = around.copysign(across);
            vec![[begin, (end.0 + over, end.1)], [(begin.0 - over, begin.1), end]]
        }
        _ => vec![[begin, end]],
    }
}

/// A curve as short lines.
fn straightened(begin: Point, bend: Point, end: Point) -> impl Iterator<Item = [Point; 2]> {
    const PARTS: u8 = 8;
    let at = move |part: u8| {
        let part = f64::from(part) / f64::from(PARTS);
        let between =
            |a: f64, b: f64, c: f64| (1.0 - part) * (1.0 - part) * a + 2.0 * part * (1.0 - part) * b + part * part * c;
        (between(begin.0, bend.0, end.0), between(begin.1, bend.1, end.1))
    };
    (0..PARTS).map(move |part| [at(part), at(part + 1)])
}

/// Where a curve from a point to another is bent to, so that curves to neighbours do not cover each other.
fn bend((x, y): Point, (u, v): Point) -> Point {
    (f64::midpoint(x, u) + (v - y) / 8.0, f64::midpoint(y, v) - (u - x).abs() / 8.0)
}

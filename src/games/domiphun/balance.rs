//! Does it stand? In exact integers (DOMI-16).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::lattice::Place;
use super::ways::{ROOM, Ways};
use crate::list::List;

/// A point of the table.
pub type Point = [i8; 2];

/// The corners of a support: 34 different ways between points of the lattice, the shortest there are, take 118 steps
/// along the axes, and around 56 plates that hang together it is at most 116.
const MAX_CORNERS: usize = 34;
/// The corners of what a domino stands on.
const MAX_CONTACTS: usize = 4;

/// The convex hull of all that touches the table: its corners counter-clockwise, from the least x and then y.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Support(List<Point, MAX_CORNERS>);

/// Where the weight of a construction lies, and what it stands on.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Balance {
    centre: Centre,
    support: Support,
}

/// The point below the centre of mass of some plates: each coordinate is half of `sum` divided by their number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Centre {
    sum: [i32; 2],
    plates: i32,
}

impl Centre {
    /// With two more plates.
    #[inline(always)]
    fn with(self, places: [Place; 2]) -> Self {
        let mut sum = self.sum;
        for place in places {
            let (corner, axis) = (place.corner(), place.axis());
            sum[0] += 2 * i32::from(corner[0]) + i32::from(axis != 0);
            sum[1] += 2 * i32::from(corner[1]) + i32::from(axis != 1);
        }
        Self { sum, plates: self.plates + 2 }
    }

    /// Its coordinates are `sum` divided by this.
    #[inline(always)]
    const fn scale(self) -> i32 {
        2 * self.plates
    }

    /// About where it is.
    #[must_use]
    pub fn point(self) -> [f64; 2] {
        self.sum.map(|sum| f64::from(sum) / f64::from(self.scale()))
    }

    /// Its coordinates as fractions.
    #[must_use]
    pub fn fractions(self) -> [String; 2] {
        self.sum.map(|sum| fraction(sum.into(), self.scale().into()))
    }

    /// Twice the area of the triangle with a side from `from` to `to`, times the scale: negative to the right of it.
    #[inline(always)]
    fn left_of(self, from: Point, to: Point) -> i32 {
        let [along_x, along_y] = [0, 1].map(|axis| i32::from(to[axis]) - i32::from(from[axis]));
        let [x, y] = self.from(from);
        along_x * y - along_y * x
    }

    /// The way from a point, times the scale.
    #[inline(always)]
    fn from(self, point: Point) -> [i32; 2] {
        [0, 1].map(|axis| self.sum[axis] - self.scale() * i32::from(point[axis]))
    }
}

impl Support {
    /// Its sides, each from a corner to the next.
    pub(super) fn sides(&self) -> impl Iterator<Item = (Point, Point)> {
        let corners = &*self.0;
        corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
    }

    /// Whether a point is in it, its edge included.
    #[inline(always)]
    fn contains(&self, centre: Centre) -> bool {
        let corners = &*self.0;
        let Some(&last) = corners.last() else { return false };
        let mut from = last;
        for &to in corners {
            if centre.left_of(from, to) < 0 {
                return false;
            }
            from = to;
        }
        true
    }

    /// The hull with more points: Andrew's monotone chain, from the least to the greatest and back. Its own corners are
    /// in order already.
    fn with(&self, mut contacts: [Point; MAX_CONTACTS]) -> Self {
        contacts.sort_unstable_by_key(rank);
        let corners = &*self.0;
        let greatest = (0..corners.len()).max_by_key(|&number| rank(&corners[number])).unwrap_or_default();
        let (there, back) = (corners.iter().take(greatest + 1), corners.iter().skip(greatest).chain(corners.first()));
        let mut hull = List::new();
        add_chain(&mut hull, there, contacts, rank);
        contacts.reverse();
        add_chain(&mut hull, back, contacts, |point| -rank(point));
        hull.pop();
        Self(hull.iter().copied().collect())
    }

    /// Whether a point of the lattice is in it, its edge included.
    fn holds(&self, point: Point) -> bool {
        self.contains(Centre { sum: point.map(|coordinate| 2 * i32::from(coordinate)), plates: 1 })
    }

    /// Its corners.
    #[must_use]
    pub fn corners(&self) -> &[Point] {
        &self.0
    }

    /// How far a point is from its edge.
    fn distance(&self, centre: Centre) -> Distance {
        let is_inside = self.contains(centre);
        let scale = i64::from(centre.scale());
        let to_side = |(from, to): (Point, Point)| {
            let [along_x, along_y] = [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from[axis]));
            let length = along_x * along_x + along_y * along_y;
            let [x, y] = centre.from(from).map(i64::from);
            let along = along_x * x + along_y * y;
            if is_inside || (0..=length * scale).contains(&along) {
                let area = i64::from(centre.left_of(from, to));
                Distance { square: area * area, over: length * scale * scale }
            } else {
                let [x, y] = if along < 0 { [x, y] } else { centre.from(to).map(i64::from) };
                Distance { square: x * x + y * y, over: scale * scale }
            }
        };
        let shorter = |one: Distance, other: Distance| {
            let is_shorter =
                i128::from(other.square) * i128::from(one.over) < i128::from(one.square) * i128::from(other.over);
            if is_shorter { other } else { one }
        };
        self.sides().map(to_side).reduce(shorter).unwrap_or(Distance { square: 0, over: 1 })
    }
}

/// Goes on with a hull: by corners and contacts, both in order, as far as it turns left.
#[inline(always)]
fn add_chain<'a>(
    hull: &mut List<Point, { MAX_CORNERS + MAX_CONTACTS + 1 }>,
    corners: impl Iterator<Item = &'a Point>,
    contacts: [Point; MAX_CONTACTS],
    order: impl Fn(&Point) -> i32,
) {
    let begun = hull.len().max(1);
    let mut add = |point: Point| {
        while hull.len() > begun && !turns_left(hull[hull.len() - 2], hull[hull.len() - 1], point) {
            hull.pop();
        }
        if hull.last() != Some(&point) {
            hull.push(point);
        }
    };
    let mut contacts = contacts.into_iter().peekable();
    for corner in corners {
        while let Some(contact) = contacts.next_if(|contact| order(contact) < order(corner)) {
            add(contact);
        }
        add(*corner);
    }
    contacts.for_each(add);
}

/// The order of points: by x, then by y.
#[inline(always)]
fn rank(&[x, y]: &Point) -> i32 {
    256 * i32::from(x) + i32::from(y)
}

#[inline(always)]
fn turns_left(from: Point, over: Point, to: Point) -> bool {
    let way = |to: Point| [0, 1].map(|axis| i32::from(to[axis]) - i32::from(from[axis]));
    let ([x, y], [next_x, next_y]) = (way(over), way(to));
    x * next_y - y * next_x > 0
}

/// The points on which a plate stands.
#[inline(always)]
fn contacts(place: Place) -> impl Iterator<Item = Point> {
    let [x, y, z] = place.corner();
    let (x_to, y_to) = (x + i8::from(place.axis() != 0), y + i8::from(place.axis() != 1));
    let touching = if z != 0 {
        0
    } else if place.axis() == 2 {
        4
    } else {
        2
    };
    [[x, y], [x_to, y_to], [x_to, y], [x, y_to]].into_iter().take(touching)
}

impl Balance {
    /// Of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self { centre: Centre::default(), support: Support(List::new()) }
    }

    /// Adds a domino.
    #[inline(always)]
    pub(super) fn add(&mut self, places: [Place; 2]) {
        self.centre = self.centre.with(places);
        if let Some(support) = self.wider(places) {
            self.support = support;
        }
    }

    /// The support with a domino more, if that touches the table beyond it: on a rectangle, or a line.
    fn wider(&self, places: [Place; 2]) -> Option<Support> {
        let beyond = ([i8::MAX; 2], [i8::MIN; 2]);
        let (low, high) = places.into_iter().flat_map(contacts).fold(beyond, |(low, high), point| {
            ([0, 1].map(|axis| low[axis].min(point[axis])), [0, 1].map(|axis| high[axis].max(point[axis])))
        });
        let contacts = [low, [low[0], high[1]], [high[0], low[1]], high];
        let is_wider = low <= high && !contacts.iter().all(|&contact| self.support.holds(contact));
        is_wider.then(|| self.support.with(contacts))
    }

    /// Whether a construction that stands does so with a domino more.
    ///
    /// One that touches the table lies above what it touches: the centre of mass moves towards a point of the wider
    /// support, and stays in it. So no hull is made to find out.
    #[inline(always)]
    #[must_use]
    pub fn stands_with(&self, places: [Place; 2]) -> bool {
        places.iter().any(|place| place.bottom() == 0) || self.support.contains(self.centre.with(places))
    }

    /// The ways to join a domino to a square with which the centre of mass stays above the support.
    #[inline(always)]
    pub(super) fn carries(&self, square: Place) -> Ways {
        let around = square.around();
        let mut centre = Centre { sum: self.centre.sum, plates: self.centre.plates + 2 };
        for (sum, corner) in centre.sum.iter_mut().zip(square.corner()) {
            *sum += 4 * i32::from(corner);
        }
        // The least over all sides of what is negative to the right of one: see Centre::left_of.
        let mut least = [i32::MAX; ROOM];
        let corners = &*self.support.0;
        let mut from = corners.last().copied().unwrap_or_default();
        for &to in corners {
            let area = centre.left_of(from, to);
            let [along_x, along_y] = [0, 1].map(|axis| i32::from(to[axis]) - i32::from(from[axis]));
            let [x, y] = &around.centres;
            for way in 0..ROOM {
                least[way] = least[way].min(area + along_x * y[way] - along_y * x[way]);
            }
            from = to;
        }
        let mut ways = 0;
        for (way, &least) in least.iter().enumerate() {
            ways |= Ways::from(least >= 0) << way;
        }
        ways
    }

    /// How far the centre of mass would lie from the edge of the support with two more plates.
    #[must_use]
    pub fn distance_with(&self, places: [Place; 2]) -> Distance {
        let mut next = self.clone();
        next.add(places);
        next.distance()
    }

    /// How far the centre of mass lies from the edge of the support.
    #[must_use]
    pub fn distance(&self) -> Distance {
        self.support.distance(self.centre)
    }

    /// The point below the centre of mass.
    #[must_use]
    pub const fn centre(&self) -> Centre {
        self.centre
    }

    /// What it stands on.
    #[must_use]
    pub const fn support(&self) -> &Support {
        &self.support
    }

    /// Whether it stands.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.support.contains(self.centre)
    }
}

impl Default for Balance {
    fn default() -> Self {
        Self::new()
    }
}

/// The root of a fraction. It is written as a fraction where it is one, else with three decimals.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    square: i64,
    over: i64,
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let common = greatest_common(self.square, self.over);
        let (square, over) = (self.square / common, self.over / common);
        let (root, root_over) = (square.isqrt(), over.isqrt());
        if root * root == square && root_over * root_over == over {
            f.write_str(&fraction(root, root_over))
        } else {
            write!(f, "{:.3}", self.length())
        }
    }
}

impl Distance {
    /// About how much it is.
    #[must_use]
    pub fn length(self) -> f64 {
        (self.square as f64 / self.over as f64).sqrt()
    }

    /// What it means for a construction that stands: "about 0.8 squares from toppling".
    #[must_use]
    pub fn in_words(&self) -> String {
        match format!("{:.1}", self.length()).as_str() {
            "0.0" => "on the brink of toppling".to_owned(),
            "1.0" => "about a square from toppling".to_owned(),
            squares => format!("about {squares} squares from toppling"),
        }
    }
}

/// A number over a positive one, in lowest terms.
fn fraction(number: i64, over: i64) -> String {
    let common = greatest_common(number.abs(), over);
    match (number / common, over / common) {
        (number, 1) => number.to_string(),
        (number, over) => format!("{number}/{over}"),
    }
}

const fn greatest_common(mut one: i64, mut other: i64) -> i64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    if one == 0 { 1 } else { one }
}

#[cfg(test)]
mod tests {
    use super::{Balance, Distance, Support, contacts};
    use crate::games::domiphun::lattice::Place;
    use crate::list::List;

    const FLAT: [Place; 2] = [Place::new([0, 0, 0], 2), Place::new([1, 0, 0], 2)];

    fn balance() -> Balance {
        let mut balance = Balance::new();
        balance.add(FLAT);
        balance
    }

    #[test]
    fn the_support_is_the_hull_of_what_touches_the_table() {
        assert_eq!(balance().support().corners(), [[0, 0], [2, 0], [2, 1], [0, 1]]);
        assert_eq!(contacts(Place::new([3, 4, 0], 0)).collect::<Vec<_>>(), [[3, 4], [3, 5]]);
        assert_eq!(contacts(Place::new([3, 4, 1], 2)).count(), 0);
        let points = [[0, 0], [4, 0], [2, 0], [2, 2]];
        let more = [[0, 4], [4, 4], [1, 3], [0, 4]];
        assert_eq!(Support(List::new()).with(points).with(more).corners(), [[0, 0], [4, 0], [4, 4], [0, 4]]);
    }

    #[test]
    fn the_edge_of_the_support_still_carries() {
        // Two flat plates, centre 1, and two at height 1 whose centre is c: together (1 + c) / 2.
        let above = |x| [Place::new([x, 0, 1], 2), Place::new([x + 1, 0, 1], 2)];
        let cases = [
            (0, true, "1/2"),
            (1, true, "1/2"),
            (2, true, "0"),
            (3, false, "1/2"),
            (-2, true, "0"),
            (-3, false, "1/2"),
        ];
        for (x, stands, distance) in cases {
            assert_eq!(balance().stands_with(above(x)), stands, "{x}");
            assert_eq!(balance().distance_with(above(x)).to_string(), distance, "{x}");
        }
    }

    #[test]
    fn distances_are_exact_where_they_are_fractions() {
        assert_eq!(Distance { square: 18, over: 8 }.to_string(), "3/2");
        assert_eq!(Distance { square: 4, over: 1 }.to_string(), "2");
        assert_eq!(Distance { square: 1, over: 8 }.to_string(), "0.354");
        let words = [0, 1, 8].map(|square| Distance { square, over: 8 }.in_words());
        let numbers = ["on the brink of toppling", "about 0.4 squares from toppling", "about a square from toppling"];
        assert_eq!(words, numbers);
    }
}

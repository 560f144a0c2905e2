//! Words beside places where they hide nothing, neither each other.

use super::{Area, Element, Point, line, measure, text};

/// What is kept free between words.
const GAP: f64 = 1.0;
/// How far from their place words may be, beyond beside it.
const AWAY: [f64; 9] = [0.0, 7.0, 15.0, 25.0, 38.0, 54.0, 74.0, 100.0, 130.0];
/// Where words can be, seen from their place: right, left, above, below, then askew.
const DIRECTIONS: [Point; 12] = [
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.0, -1.0),
    (0.0, 1.0),
    (1.0, -1.0),
    (-1.0, -1.0),
    (1.0, 1.0),
    (-1.0, 1.0),
    (1.0, -0.5),
    (-1.0, -0.5),
    (1.0, 0.5),
    (-1.0, 0.5),
];
/// Words that are farther from their place have a line to it.
const NEAR: f64 = 5.0;

/// A sheet that is being written on.
#[derive(Clone, Debug)]
pub struct Labels {
    edges: Area,
    taken: Vec<Area>,
    lines: Vec<[Point; 2]>,
}

/// What words belong to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// Where it is.
    pub at: Point,
    /// How far it reaches around that: words that fit are in it.
    pub reach: f64,
    /// How far from there words are beside it.
    pub beside: f64,
    /// Whether words may be farther away, with a line to it.
    pub has_leader: bool,
}

/// Words, and where they are.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The box that they fill.
    pub area: Area,
    /// A line to their place, if they are not in it or beside it.
    pub leader: Option<[Point; 2]>,
}

impl Labels {
    /// Nothing yet, within some edges.
    #[must_use]
    pub fn new(edges: Area) -> Self {
        Self { edges, taken: Vec::new(), lines: Vec::new() }
    }

    /// Keeps words away from an area.
    pub fn keep_free(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// Keeps words away from a line.
    pub fn keep_line(&mut self, line: [Point; 2]) {
        self.lines.push(line);
    }

    /// Finds room for a box of a size: in its place if that is large enough, else beside it, else farther away with a
    /// line; across lines only if there is no other way. What is found is taken.
    pub fn place(&mut self, size: (f64, f64), anchor: Anchor) -> Option<Label> {
        let found = spots(size, anchor).find(|label| self.fits(label, anchor.at, true));
        let crossed = || spots(size, anchor).find(|label| self.fits(label, anchor.at, false));
        let found = found.or_else(|| if self.lines.is_empty() { None } else { crossed() })?;
        self.taken.push(found.area);
        self.lines.extend(found.leader);
        Some(found)
    }

    /// The same for words of a size.
    pub fn write(&mut self, words: &str, size: f64, bold: bool, anchor: Anchor) -> Option<Label> {
        self.place((measure(words, size, bold), size), anchor)
    }

    fn fits(&self, label: &Label, at: Point, avoids_lines: bool) -> bool {
        let free = Area { left: label.area.left - GAP, right: label.area.right + GAP, ..label.area };
        let is_own = |area: &&Area| area.contains(Area::around(at, 0.0, 0.0));
        let is_clear = |[begin, end]: [Point; 2]| {
            !self.taken.iter().filter(|area| !is_own(area)).any(|area| area.is_crossed(begin, end))
        };
        let has_room = self.edges.contains(free) && !self.taken.iter().any(|&other| free.common(other) > 0.0);
        let is_crossed = || self.lines.iter().any(|&[begin, end]| free.is_crossed(begin, end));
        has_room && !(avoids_lines && is_crossed()) && label.leader.is_none_or(is_clear)
    }
}

/// Where a box of a size could be, the best first.
fn spots((wide, high): (f64, f64), anchor: Anchor) -> impl Iterator<Item = Label> {
    let Anchor { at, reach, beside, has_leader } = anchor;
    let is_inside = wide.min(3.0 * high) <= 3.2 * reach;
    let inside = is_inside.then_some(Label { area: Area::around(at, wide, high), leader: None });
    let away = if has_leader { &AWAY[..] } else { &AWAY[..1] };
    let around = away.iter().flat_map(move |more| {
        DIRECTIONS.into_iter().map(move |(across, down)| {
            let middle = (at.0 + across * (beside + more + wide / 2.0), at.1 + down * (beside + more + high / 2.0));
            let area = Area::around(middle, wide, high);
            let end = area.nearest(at);
            let leader = (super::distance(at, end) > beside + NEAR).then_some([at, end]);
            Label { area, leader }
        })
    });
    inside.into_iter().chain(around)
}

impl Label {
    /// The words, readable on whatever is below them, and their line.
    #[must_use]
    pub fn draw(&self, words: &str, size: f64, ink: &str, halo: &str) -> Vec<Element> {
        let (x, y) = self.area.centre();
        let words = text(x, y + size * 0.36, words, size, ink);
        let words = words.with("stroke", halo).with("stroke-width", 2.5).with("paint-order", "stroke");
        let leader = self.leader.map(|ends| line(&ends, ink, 0.7));
        leader.into_iter().chain([words.with("stroke-linejoin", "round")]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Area, Labels};

    #[test]
    fn words_are_in_their_place_or_beside_it_or_have_a_line() {
        let mut labels = Labels::new(Area::around((100.0, 100.0), 200.0, 200.0));
        let anchor = |at, reach| Anchor { at, reach, beside: 5.0, has_leader: true };
        let inside = labels.write("Kent", 9.0, false, anchor((100.0, 20.0), 40.0)).unwrap();
        assert_eq!(inside.area.centre(), (100.0, 20.0));
        let beside = labels.write("Kent", 9.0, false, anchor((150.0, 180.0), 1.0)).unwrap();
        assert!(beside.leader.is_none() && beside.area.left > 150.0);
        let places = (0..60).map(|n| (f64::from(n % 10) * 14.0 + 30.0, f64::from(n / 10) * 14.0 + 60.0));
        let all: Vec<_> = places.filter_map(|at| labels.write("Essex", 9.0, false, anchor(at, 1.0))).collect();
        assert!(all.len() > 20 && all.len() < 60, "{}", all.len());
        assert!(all.iter().any(|label| label.leader.is_some()));
        for (number, one) in all.iter().enumerate() {
            assert!(all[number + 1..].iter().all(|other| one.area.common(other.area) <= 0.0));
        }
    }
}

//! Rectangles of a picture.

use super::{Element, Point, rect, tenth};

/// A rectangle; `top` is less than `bottom`.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Area {
    /// Its left edge.
    pub left: f64,
    /// Its upper edge.
    pub top: f64,
    /// Its right edge.
    pub right: f64,
    /// Its lower edge.
    pub bottom: f64,
}

impl Area {
    /// The area of this size around a point.
    #[must_use]
    pub fn around((x, y): Point, wide: f64, high: f64) -> Self {
        Self { left: x - wide / 2.0, top: y - high / 2.0, right: x + wide / 2.0, bottom: y + high / 2.0 }
    }

    /// Its middle.
    #[must_use]
    pub fn centre(self) -> Point {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }

    /// The point in it that is nearest to another one and so far from its edges, across and down. Where it is too small
    /// for that, the right and the lower edge count.
    #[must_use]
    pub fn inside(self, (x, y): Point, across: f64, down: f64) -> Point {
        let x = x.max(self.left + across).min(self.right - across);
        let y = y.max(self.top + down).min(self.bottom - down);
        (x, y)
    }

    /// The point in it that is nearest to another one.
    #[must_use]
    pub fn nearest(self, point: Point) -> Point {
        self.inside(point, 0.0, 0.0)
    }

    /// How much of it another one covers.
    #[must_use]
    pub fn common(self, other: Self) -> f64 {
        let across = self.right.min(other.right) - self.left.max(other.left);
        let down = self.bottom.min(other.bottom) - self.top.max(other.top);
        across.max(0.0) * down.max(0.0)
    }

    /// Whether another one is all in it.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.left <= other.left && self.top <= other.top && other.right <= self.right && other.bottom <= self.bottom
    }

    /// Whether a line between two points goes through it.
    #[must_use]
    pub fn is_crossed(self, (x, y): Point, (u, v): Point) -> bool {
        // The part of the line that is between the edges, across and then down.
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (start, end, low, high) in [(x, u, self.left, self.right), (y, v, self.top, self.bottom)] {
            let way = end - start;
            if way.abs() < 1e-9 {
                if start <= low || start >= high {
                    return false;
                }
                continue;
            }
            let (one, other) = ((low - start) / way, (high - start) / way);
            (from, to) = (from.max(one.min(other)), to.min(one.max(other)));
        }
        from < to
    }

    /// It, drawn.
    #[must_use]
    pub fn filled(self, colour: &str) -> Element {
        rect(self.left, self.top, self.right - self.left, self.bottom - self.top, colour)
    }

    /// Left, top, right, bottom.
    #[must_use]
    pub fn edges(self) -> [f64; 4] {
        [self.left, self.top, self.right, self.bottom]
    }
}

/// How far two points are apart.
#[must_use]
pub fn distance((x, y): Point, (u, v): Point) -> f64 {
    (u - x).hypot(v - y)
}

/// A point as it is drawn: to a tenth.
#[must_use]
pub fn tenths((x, y): Point) -> Point {
    (tenth(x), tenth(y))
}

#[cfg(test)]
mod tests {
    use super::{Area, distance};
    use crate::drawing::number;

    #[test]
    fn areas_know_what_they_share_and_what_is_near() {
        let area = Area::around((5.0, 5.0), 10.0, 4.0);
        assert_eq!(area.edges().map(number), ["0", "3", "10", "7"]);
        let shared = [(10.0, 7.0), (20.0, 5.0)].map(|middle| area.common(Area::around(middle, 2.0, 2.0)));
        assert_eq!(shared.map(number), ["1", "0"]);
        assert_eq!((area.nearest((-3.0, 4.0)), area.centre()), ((0.0, 4.0), (5.0, 5.0)));
        assert_eq!(area.inside((0.0, 9.0), 1.0, 3.0), (1.0, 4.0));
        assert_eq!(number(distance((0.0, 0.0), (3.0, 4.0))), "5");
        assert!(area.is_crossed((-5.0, 0.0), (6.0, 6.0)) && !area.is_crossed((-5.0, 0.0), (2.0, 2.0)));
        assert!(area.is_crossed((5.0, 0.0), (5.0, 9.0)) && !area.is_crossed((11.0, 0.0), (11.0, 9.0)));
    }
}

//! Rectangles of a picture.

use crate::drawing::{Element, Point, rect, tenth};

/// A rectangle; `top` is less than `bottom`.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    /// The area of this size around a point.
    pub fn around((x, y): Point, wide: f64, high: f64) -> Self {
        Self { left: x - wide / 2.0, top: y - high / 2.0, right: x + wide / 2.0, bottom: y + high / 2.0 }
    }

    /// Its middle.
    pub fn centre(self) -> Point {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }

    /// The point in it that is nearest to another one and so far from its edges, across and down. Where it is too small
    /// for that, the right and the lower edge count.
    pub fn inside(self, (x, y): Point, across: f64, down: f64) -> Point {
        let x = x.max(self.left + across).min(self.right - across);
        let y = y.max(self.top + down).min(self.bottom - down);
        (x, y)
    }

    /// The point in it that is nearest to another one.
    pub fn nearest(self, point: Point) -> Point {
        self.inside(point, 0.0, 0.0)
    }

    /// How much of it another one covers.
    pub fn common(self, other: Self) -> f64 {
        let across = self.right.min(other.right) - self.left.max(other.left);
        let down = self.bottom.min(other.bottom) - self.top.max(other.top);
        across.max(0.0) * down.max(0.0)
    }

    /// It, drawn.
    pub fn filled(self, colour: &str) -> Element {
        rect(self.left, self.top, self.right - self.left, self.bottom - self.top, colour)
    }

    /// Left, top, right, bottom.
    pub fn edges(self) -> [f64; 4] {
        [self.left, self.top, self.right, self.bottom]
    }
}

/// How far two points are apart.
pub(super) fn distance((x, y): Point, (u, v): Point) -> f64 {
    (u - x).hypot(v - y)
}

/// A point as it is drawn: to a tenth.
pub(super) fn tenths((x, y): Point) -> Point {
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
    }
}

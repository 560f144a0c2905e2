//! How far drawings reach.

use super::Point;

/// A box around a drawing in hundredths: left, top, right, bottom. Letters, and paths in SVG's own words, do not count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Bounds([i64; 4]);

impl Bounds {
    /// The box around points.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Option<Self> {
        points.into_iter().map(|(x, y)| Self([x, y, x, y].map(hundredths))).reduce(Self::with)
    }

    /// The box around both.
    fn with(self, other: Self) -> Self {
        let (mine, theirs) = (self.0, other.0);
        let least = |end: usize| mine[end].min(theirs[end]);
        let most = |end: usize| mine[end].max(theirs[end]);
        Self([least(0), least(1), most(2), most(3)])
    }

    /// The box around both, if there are any.
    pub fn joined(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        one.into_iter().chain(other).reduce(Self::with)
    }

    /// The box at another point.
    pub fn moved(self, (x, y): Point) -> Self {
        let [left, top, right, bottom] = self.0;
        let (x, y) = (hundredths(x), hundredths(y));
        Self([left + x, top + y, right + x, bottom + y])
    }

    /// The box, larger or smaller.
    pub fn scaled(self, scale: f64) -> Self {
        Self(self.0.map(|end| (end as f64 * scale).round() as i64))
    }

    /// Left, top, width and height.
    pub fn area(self) -> [f64; 4] {
        let [left, top, right, bottom] = self.0;
        [left, top, right - left, bottom - top].map(|number| number as f64 / 100.0)
    }
}

fn hundredths(number: f64) -> i64 {
    (100.0 * number).round() as i64
}

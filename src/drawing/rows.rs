//! Boxes beside each other, as words are written.

use super::Point;

/// Where boxes go that lie in rows: from left to right, and below that again.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    left: f64,
    /// How far right a row may go now; a box that is wider has a row of its own.
    pub right: f64,
    gap: f64,
    x: f64,
    /// Where the row begins, from above.
    pub y: f64,
    bottom: f64,
}

impl Rows {
    /// Rows from a point on, with so much between boxes.
    #[must_use]
    pub fn new((left, top): Point, right: f64, gap: f64) -> Self {
        Self { left, right, gap, x: left, y: top, bottom: top }
    }

    /// Where the next box of a size goes.
    pub fn next(&mut self, wide: f64, high: f64) -> Point {
        if self.x > self.left && self.x + wide > self.right {
            (self.x, self.y) = (self.left, self.bottom + self.gap.min(7.0));
        }
        let at = (self.x, self.y);
        self.x += wide + self.gap;
        self.bottom = self.bottom.max(self.y + high);
        at
    }

    /// Where the boxes end, below.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.bottom
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn boxes_go_on_in_the_next_row_where_there_is_no_room() {
        let mut rows = Rows::new((10.0, 20.0), 100.0, 5.0);
        assert_eq!(
            [40.0, 40.0, 200.0, 10.0].map(|wide| rows.next(wide, 10.0)),
            [(10.0, 20.0), (55.0, 20.0), (10.0, 35.0), (10.0, 50.0)]
        );
        assert!((rows.bottom() - 60.0).abs() < 1e-9);
    }
}

//! What lies on the map as well as below it.

use crate::drawing::{Drawing, Element, HALF, INK, PAPER, SOFT, circle, line, rect, text};

/// How wide and high a tile is with its face down.
pub(super) const BACK: [f64; 2] = [HALF * 1.5, HALF * 0.75];

/// A frame around a tile or its place.
pub(super) fn frame(left: f64, top: f64, colour: &str) -> Element {
    let frame = rect(left, top, 2.0 * HALF, HALF, "none").with("rx", 3);
    frame.with("stroke", colour).with("stroke-width", 3.5)
}

/// A plus around a point.
pub(super) fn plus(x: f64, y: f64, arm: f64) -> [Element; 2] {
    [line(&[(x - arm, y), (x + arm, y)], INK, 2.0), line(&[(x, y - arm), (x, y + arm)], INK, 2.0)]
}

/// A cross around a point.
pub(super) fn cross(x: f64, y: f64, arm: f64) -> [Element; 2] {
    let stroke = |down: f64| line(&[(x - arm, y - down), (x + arm, y + down)], INK, 2.5);
    [stroke(arm), stroke(-arm)]
}

/// A tile with its face down.
pub(super) fn back(left: f64, top: f64) -> Drawing {
    let [wide, high] = BACK;
    let inner = rect(left + 3.0, top + 3.0, wide - 6.0, high - 6.0, "none").with("rx", 1);
    Drawing::from_iter([
        rect(left, top, wide, high, SOFT).with("rx", 3).with("stroke", INK),
        inner.with("stroke", PAPER).with("stroke-width", 1),
    ])
}

/// A metro token.
pub(super) fn token(x: f64, y: f64) -> [Element; 2] {
    let disc = circle(x, y, 7.0, "#ffffff").with("stroke", INK).with("stroke-width", 1.5);
    [disc, text(x, y + 3.5, "M", 9.0, INK).bold()]
}

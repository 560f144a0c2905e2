//! Closed lines on a sheet, in whole steps.

use crate::drawing::{Area, Point};

/// The steps of a unit.
pub const STEPS: f64 = 10.0;

/// A closed line: its corners in steps. The last one is joined to the first one.
pub type Ring = Vec<(i32, i32)>;

/// A point in steps.
pub(super) fn step((x, y): Point) -> (i32, i32) {
    ((x * STEPS).round() as i32, (y * STEPS).round() as i32)
}

/// A point in units.
#[must_use]
pub fn unit((x, y): (i32, i32)) -> Point {
    (f64::from(x) / STEPS, f64::from(y) / STEPS)
}

/// The corners, each with the one that follows.
fn sides(ring: &Ring) -> impl Iterator<Item = ((i32, i32), (i32, i32))> + '_ {
    ring.iter().enumerate().map(|(at, &corner)| (corner, ring[(at + 1) % ring.len()]))
}

/// The box around a ring, in units.
pub(super) fn area(ring: &Ring) -> Area {
    let nothing = (i32::MAX, i32::MAX, i32::MIN, i32::MIN);
    let (left, top, right, bottom) = ring
        .iter()
        .fold(nothing, |(left, top, right, bottom), &(x, y)| (left.min(x), top.min(y), right.max(x), bottom.max(y)));
    let (left, top) = unit((left, top));
    let (right, bottom) = unit((right, bottom));
    Area { left, top, right, bottom }
}

/// The larger side of the box around a ring, in units.
pub(super) fn extent(ring: &Ring) -> f64 {
    let area = area(ring);
    (area.right - area.left).max(area.bottom - area.top)
}

/// Twice the area in square steps, more than 0 if it runs clockwise.
fn doubled_area(ring: &Ring) -> i64 {
    sides(ring).map(|((x, y), (u, v))| i64::from(x) * i64::from(v) - i64::from(u) * i64::from(y)).sum()
}

/// What of a ring is in a picture of a size in steps, without corners that say nothing; `None` if that is no area.
pub(super) fn clipped(ring: Ring, (wide, high): (i32, i32)) -> Option<Ring> {
    let is_inside = |&(x, y): &(i32, i32)| (0..=wide).contains(&x) && (0..=high).contains(&y);
    let mut ring = ring;
    if !ring.iter().all(is_inside) {
        for (part, limit, is_low) in [(0, 0, true), (0, wide, false), (1, 0, true), (1, high, false)] {
            ring = cut(&ring, part, limit, is_low);
        }
    }
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    (ring.len() >= 3 && doubled_area(&ring) != 0).then_some(ring)
}

/// What of a ring is on one side of a limit across (part 0) or down (part 1).
fn cut(ring: &Ring, part: usize, limit: i32, is_low: bool) -> Ring {
    let value = |corner: (i32, i32)| if part == 0 { corner.0 } else { corner.1 };
    let is_in = |corner: (i32, i32)| if is_low { value(corner) >= limit } else { value(corner) <= limit };
    let mut found = Ring::with_capacity(ring.len());
    for (from, to) in sides(ring) {
        if is_in(from) {
            found.push(from);
        }
        if is_in(from) != is_in(to) {
            // The same point from either end: neighbours share it.
            let (low, high) = if from < to { (from, to) } else { (to, from) };
            let share = f64::from(limit - value(low)) / f64::from(value(high) - value(low));
            let between = |a: i32, b: i32| (f64::from(a) + share * f64::from(b - a)).round() as i32;
            found.push(if part == 0 { (limit, between(low.1, high.1)) } else { (between(low.0, high.0), limit) });
        }
    }
    found
}

/// Whether a point is in some rings: in an odd number of them.
#[must_use]
pub fn contains(rings: &[Ring], point: Point) -> bool {
    rings.iter().filter(|ring| is_in(ring, point)).count() % 2 == 1
}

fn is_in(ring: &Ring, (x, y): Point) -> bool {
    let crosses = |&(from, to): &((i32, i32), (i32, i32))| {
        let (from, to) = (unit(from), unit(to));
        (from.1 > y) != (to.1 > y) && x < (to.0 - from.0) * (y - from.1) / (to.1 - from.1) + from.0
    };
    sides(ring).filter(crosses).count() % 2 == 1
}

/// How far a point is from a side, in units.
fn distance(from: (i32, i32), to: (i32, i32), (x, y): Point) -> (f64, Point) {
    let (from, to) = (unit(from), unit(to));
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let length = across * across + down * down;
    let along = (x - from.0) * across + (y - from.1) * down;
    let part = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
    let near = (from.0 + part * across, from.1 + part * down);
    ((near.0 - x).hypot(near.1 - y), near)
}

/// Whether a point is in a ring or at most so far from it.
pub(super) fn is_near(ring: &Ring, point: Point, reach: f64) -> bool {
    is_in(ring, point) || sides(ring).any(|(from, to)| distance(from, to, point).0 < reach)
}

/// The point in some rings that is farthest from all lines, as far as a search on a grid finds it, and how far.
pub(super) fn pole(rings: &[Ring]) -> (Point, f64) {
    const ACROSS: i32 = 7;
    let largest = rings.iter().max_by_key(|ring| doubled_area(ring).abs());
    let Some(largest) = largest else { return ((0.0, 0.0), 0.0) };
    let Area { left, top, right, bottom } = area(largest);
    let (mut across, mut down) = ((left, right), (top, bottom));
    // Only what is in the largest ring, or a hole in it, matters.
    let near: Vec<&Ring> = rings.iter().filter(|ring| area(ring).common(area(largest)) > 0.0).collect();
    let reach = |point: Point| {
        if !contains(rings, point) {
            return 0.0;
        }
        let sides = near.iter().flat_map(|ring| sides(ring));
        sides.map(|(from, to)| distance(from, to, point).0).fold(f64::INFINITY, f64::min)
    };
    let mut best = (unit(largest[0]), 0.0);
    for _ in 0..2 {
        let cell = ((across.1 - across.0) / f64::from(ACROSS), (down.1 - down.0) / f64::from(ACROSS));
        for (column, row) in (0..ACROSS).flat_map(|column| (0..ACROSS).map(move |row| (column, row))) {
            let at = (across.0 + (f64::from(column) + 0.5) * cell.0, down.0 + (f64::from(row) + 0.5) * cell.1);
            let found = reach(at);
            if found > best.1 {
                best = (at, found);
            }
        }
        let ((x, y), _) = best;
        (across, down) = ((x - cell.0, x + cell.0), (y - cell.1, y + cell.1));
    }
    best
}

/// Where some rings come nearest to others: a point of each.
pub(super) fn nearest(one: &[Ring], other: &[Ring]) -> [Point; 2] {
    let mut best = (f64::INFINITY, [(0.0, 0.0); 2]);
    for (rings, others, is_turned) in [(one, other, false), (other, one, true)] {
        for corner in rings.iter().flatten().map(|&corner| unit(corner)) {
            for (from, to) in others.iter().flat_map(sides) {
                let (far, near) = distance(from, to, corner);
                if far < best.0 {
                    best = (far, if is_turned { [near, corner] } else { [corner, near] });
                }
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::{Ring, clipped, contains, extent, nearest, pole};
    use crate::drawing::number;

    fn square(left: i32, top: i32, side: i32) -> Ring {
        vec![(left, top), (left + side, top), (left + side, top + side), (left, top + side)]
    }

    #[test]
    fn rings_are_cut_at_the_edges_of_the_picture() {
        let cut = clipped(square(-50, -50, 100), (1000, 1000)).unwrap();
        assert_eq!((cut.len(), extent(&cut)), (4, 5.0));
        assert_eq!(clipped(square(-50, -50, 40), (1000, 1000)), None);
        assert_eq!(clipped(square(10, 10, 40), (1000, 1000)), Some(square(10, 10, 40)));
    }

    #[test]
    fn a_point_well_inside_is_found() {
        let rings = [square(0, 0, 900), square(100, 100, 700)];
        assert!(!contains(&rings, (45.0, 45.0)) && contains(&rings, (5.0, 5.0)));
        let (at, reach) = pole(&rings);
        assert!(contains(&rings, at) && reach > 3.5, "{at:?} {reach}");
        let (at, reach) = pole(&[square(0, 0, 900)]);
        assert!((at.0 - 45.0).abs() < 2.0 && (reach - 45.0).abs() < 2.0);
    }

    #[test]
    fn what_is_nearest_is_found() {
        let found = nearest(&[square(0, 0, 100)], &[square(150, 20, 10)]);
        assert_eq!(found.map(|(x, _)| number(x)), ["10", "15"]);
    }
}

//! How the construction stands: its support, its centre of mass, and the way to the edge.

use super::super::balance::{Balance, Support};
use super::scene::{Scene, turned};
use super::{WHITE, between};
use crate::drawing::{Element, Point, circle, line, polygon};

const SUPPORT: &str = "#56b4e9";
const SUPPORT_EDGE: &str = "#0072b2";
const CENTRE: &str = "#d1495b";

/// How far the centre of mass is from the edge.
pub(super) fn in_words(balance: &Balance) -> String {
    let [x, y] = balance.centre().fractions();
    let distance = balance.distance();
    format!("the point below the centre of mass, ({x}, {y}), is {distance} from the nearest edge of the support")
}

/// What it stands on, below everything.
pub(super) fn support(balance: &Balance, scene: &Scene) -> Element {
    polygon(&outline(balance.support(), scene), SUPPORT).with("fill-opacity", 0.45).with("stroke", SUPPORT_EDGE)
}

/// The edge of the support again, the centre of mass, its point on the table, and the way from there to the edge.
pub(super) fn centre(balance: &Balance, scene: &Scene) -> [Element; 7] {
    let [x, y] = balance.centre().point();
    let edge = nearest(balance.support(), (x, y));
    let spots = [[x, y, mean_height(scene)], [x, y, 0.0], [edge.0, edge.1, 0.0]];
    let [centre, below, near] = spots.map(|spot| scene.camera.at(turned(spot, scene.turn)));
    let edge = polygon(&outline(balance.support(), scene), "none").with("stroke", SUPPORT_EDGE);
    [
        edge.with("stroke-width", 1.5).with("stroke-dasharray", "2 4"),
        line(&[centre, below], CENTRE, 1.5).with("stroke-dasharray", "4 3"),
        line(&[below, near], CENTRE, 3.0),
        circle(near.0, near.1, 3.0, CENTRE),
        circle(centre.0, centre.1, 4.0, CENTRE).with("stroke", WHITE),
        circle(below.0, below.1, 5.0, "none").with("stroke", CENTRE).with("stroke-width", 2),
        circle(below.0, below.1, 1.5, CENTRE),
    ]
}

fn outline(support: &Support, scene: &Scene) -> Vec<Point> {
    let corners = support.corners().iter().map(|&[x, y]| [x.into(), y.into(), 0]);
    corners.map(|corner| scene.camera.corner(turned(corner, scene.turn))).collect()
}

fn mean_height(scene: &Scene) -> f64 {
    let heights = scene.plates.iter().flat_map(|plate| plate.corners.map(|[_, _, z]| z));
    f64::from(heights.sum::<i32>()) / (4 * scene.plates.len()) as f64
}

/// The point of a support's edge that is nearest to a point.
fn nearest(support: &Support, point: Point) -> Point {
    let on_side = |(begin, end): (Point, Point)| {
        let (across, up) = (end.0 - begin.0, end.1 - begin.1);
        let along = (point.0 - begin.0) * across + (point.1 - begin.1) * up;
        between(begin, end, (along / (across * across + up * up)).clamp(0.0, 1.0))
    };
    let distance = |at: &Point| (at.0 - point.0).powi(2) + (at.1 - point.1).powi(2);
    let sides = support.sides().map(|(begin, end)| (coordinates(begin), coordinates(end)));
    let nearest = sides.map(on_side).min_by(|one, other| distance(one).total_cmp(&distance(other)));
    nearest.unwrap_or(point)
}

fn coordinates([x, y]: [i8; 2]) -> Point {
    (x.into(), y.into())
}

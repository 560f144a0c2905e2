//! The construction as it is looked at: turned, scaled to the room there is, and with the spots where a domino may go.

use std::ops::Neg;

use super::super::lattice::{Construction, Direction, Place, Spot};
use super::super::places;
use super::super::words::way_name;
use super::EDGE;
use crate::drawing::{self, Point, measure};

/// Where a step along x, y and z leads on the screen. The eye is above; x runs to the right and towards it, y to the
/// right and away from it.
const EAST: Point = (42.0, 18.0);
const NORTH: Point = (32.0, -23.0);
const UP: Point = (0.0, -44.0);

/// The most room that a construction takes.
const MOST: (f64, f64) = (820.0, 420.0);
/// Left of the construction, where the compass is.
const LEFT: f64 = 120.0;
/// Above it.
const TOP: f64 = EDGE + 10.0;
/// The size of the letters in a tab, and the height of a tab.
pub(super) const TAB_LETTERS: f64 = 11.0;
pub(super) const TAB_HEIGHT: f64 = 16.0;

/// A point of the lattice, turned.
pub(super) type Corner = [i32; 3];

/// A square, turned.
pub(super) struct Plate {
    /// One after the other around it.
    pub corners: [Corner; 4],
    /// The axis to which it is perpendicular.
    pub axis: usize,
    /// The least of its coordinates.
    pub least: Corner,
}

/// Where the chosen domino may go.
pub(super) struct Ghost {
    side: Direction,
    heading: Direction,
    pub plates: [Plate; 2],
    /// Where the name of the spot is written, if there is room for it.
    pub tab: Option<Tab>,
}

/// A label: its middle, and half its width.
#[derive(Clone, Copy)]
pub(super) struct Tab {
    pub at: Point,
    pub half: f64,
}

/// The edges of the table.
pub(super) struct Ground {
    pub west: i32,
    pub east: i32,
    pub south: i32,
    pub north: i32,
}

/// How points of space come into the picture.
pub(super) struct Camera {
    pub scale: f64,
    pub left: f64,
    pub top: f64,
}

/// All of it.
pub(super) struct Scene {
    /// Quarter turns.
    pub turn: u8,
    pub plates: Vec<Plate>,
    pub ghosts: Vec<Ghost>,
    pub ground: Ground,
    pub camera: Camera,
    /// How wide and high the picture is with it.
    pub width: f64,
    pub bottom: f64,
}

impl Scene {
    /// A construction after quarter turns, and the spots where a domino may go.
    pub fn new(built: &Construction, spots: impl Iterator<Item = Spot>, turn: u8) -> Self {
        let plate = |number: u8| Plate::new(built.place(number).corners().map(corner), turn);
        let plates: Vec<Plate> = (0..built.len() as u8).map(plate).collect();
        let mut ghosts: Vec<Ghost> = spots.filter_map(|spot| Ghost::new(built, spot, turn)).collect();
        let ground = Ground::around(&plates);
        let all_plates = plates.iter().chain(ghosts.iter().flat_map(|ghost| &ghost.plates));
        let corners = all_plates.flat_map(|plate| plate.corners).chain(ground.corners());
        let (camera, [right, bottom]) = Camera::showing(corners);
        put_tabs(&mut ghosts, &camera);
        let tabs = || ghosts.iter().filter_map(|ghost| ghost.tab);
        let width = tabs().map(|tab| tab.at.0 + tab.half).fold(right, f64::max) + EDGE;
        let bottom = tabs().map(|tab| tab.at.1 + TAB_HEIGHT / 2.0).fold(bottom, f64::max) + 10.0;
        Self { turn, plates, ghosts, ground, camera, width, bottom }
    }

    /// A square by its number.
    pub fn plate(&self, number: u8) -> Option<&Plate> {
        self.plates.get(usize::from(number))
    }
}

impl Plate {
    fn new(corners: [Corner; 4], turn: u8) -> Self {
        let corners = corners.map(|corner| turned(corner, turn));
        let along = |axis: usize| corners.map(|corner| corner[axis]);
        let least = [0, 1, 2].map(|axis| along(axis).into_iter().fold(i32::MAX, i32::min));
        let is_flat = |axis: &usize| along(*axis).into_iter().all(|at| at == least[*axis]);
        let axis = (0..3).find(is_flat).unwrap_or_default();
        Self { corners, axis, least }
    }

    /// Where a unit square has to be drawn so that it covers the plate, its text upright, as SVG writes a matrix.
    pub fn matrix(&self) -> [f64; 6] {
        let [x, y, z] = self.least;
        let (across, up, upper_left) = match self.axis {
            0 => (NORTH, UP, [x, y, z + 1]),
            1 => (EAST, UP, [x, y, z + 1]),
            _ => (EAST, NORTH, [x, y + 1, z]),
        };
        let (left, top) = seen(upper_left);
        [across.0, across.1, -up.0, -up.1, left, top]
    }
}

impl Ghost {
    fn new(built: &Construction, Spot { plate, side, heading }: Spot, turn: u8) -> Option<Self> {
        let squares = joined(built.place(plate), side, heading)?;
        Some(Self { side, heading, plates: squares.map(|corners| Plate::new(corners, turn)), tab: None })
    }

    /// What is clicked to choose it.
    pub fn place(&self) -> drawing::Place {
        places::side(self.side, self.heading)
    }

    /// What it is called.
    pub fn name(&self) -> String {
        way_name(self.side, self.heading)
    }
}

impl Ground {
    /// The table with a border of a square around what stands on it.
    fn around(plates: &[Plate]) -> Self {
        let along = |axis: usize| plates.iter().flat_map(move |plate| plate.corners.map(|corner| corner[axis]));
        let least = |axis: usize| along(axis).min().unwrap_or_default() - 1;
        let greatest = |axis: usize| along(axis).max().unwrap_or_default() + 1;
        Self { west: least(0), east: greatest(0), south: least(1), north: greatest(1) }
    }

    /// Its corners, one after the other around it.
    pub fn corners(&self) -> [Corner; 4] {
        let Self { west, east, south, north } = *self;
        [[west, south, 0], [east, south, 0], [east, north, 0], [west, north, 0]]
    }
}

impl Camera {
    /// A camera that has some points in its picture, as large as there is room for; where they end, right and below.
    fn showing(corners: impl Iterator<Item = Corner>) -> (Self, [f64; 2]) {
        let (mut least, mut most) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        for (x, y) in corners.map(seen) {
            least = (least.0.min(x), least.1.min(y));
            most = (most.0.max(x), most.1.max(y));
        }
        let (width, height) = (most.0 - least.0, most.1 - least.1);
        let scale = (MOST.0 / width).min(MOST.1 / height).min(1.0);
        let camera = Self { scale, left: LEFT - scale * least.0, top: TOP - scale * least.1 };
        (camera, [LEFT + scale * width, TOP + scale * height])
    }

    /// Where a turned point is in the picture.
    pub fn at(&self, point: [f64; 3]) -> Point {
        self.moved(screen(point))
    }

    /// Where a turned point of the lattice is in the picture.
    pub fn corner(&self, corner: Corner) -> Point {
        self.at(corner.map(f64::from))
    }

    /// Where something on the screen comes into the picture.
    pub fn moved(&self, (across, down): Point) -> Point {
        (rounded(self.left + self.scale * across), rounded(self.top + self.scale * down))
    }

    /// The outline of a plate in the picture.
    pub fn face(&self, plate: &Plate) -> [Point; 4] {
        plate.corners.map(|corner| self.corner(corner))
    }

    /// The middle of a plate in the picture.
    pub fn middle(&self, plate: &Plate) -> Point {
        let sum = |axis: usize| plate.corners.iter().map(|corner| corner[axis]).sum::<i32>();
        self.at([0, 1, 2].map(|axis| f64::from(sum(axis)) / 4.0))
    }
}

/// Where a point of space is seen, before it is scaled and moved.
fn screen([x, y, z]: [f64; 3]) -> Point {
    (x * EAST.0 + y * NORTH.0 + z * UP.0, x * EAST.1 + y * NORTH.1 + z * UP.1)
}

/// Where a point of the lattice is seen.
pub(super) fn seen(corner: Corner) -> Point {
    screen(corner.map(f64::from))
}

/// A point after quarter turns around the vertical, anticlockwise as seen from above.
pub(super) fn turned<T: Neg<Output = T>>([x, y, z]: [T; 3], turn: u8) -> [T; 3] {
    match turn % 4 {
        0 => [x, y, z],
        1 => [-y, x, z],
        2 => [-x, -y, z],
        _ => [y, -x, z],
    }
}

/// Where a plate, or an edge, comes in the order of drawing, in quarters of a step.
///
/// A plate that hides a part of another has the greater nearness. Where a line of sight goes through both, the nearer
/// point has the greater x, the smaller y and the greater z. Along an axis, a plate takes a unit interval of the lattice
/// or a point of it, so its middle is then no further away than the other's, and nearer along the axis to which the
/// plate is perpendicular.
pub(super) fn nearness<const N: usize>(corners: [Corner; N]) -> i32 {
    const { assert!(4 % N == 0, "the mean is in quarters") };
    corners.into_iter().map(|[x, y, z]| x - y + z).sum::<i32>() * (4 / N as i32)
}

fn corner(corner: [i8; 3]) -> Corner {
    corner.map(i32::from)
}

/// The corners of a domino's two squares, joined to a square.
fn joined(square: Place, side: Direction, heading: Direction) -> Option<[[Corner; 4]; 2]> {
    let corners = square.corners().map(corner);
    let reach = |corner: &Corner| corner[side.axis()] * i32::from(side.vector()[side.axis()]);
    let furthest = corners.iter().map(reach).max();
    let edge: Vec<Corner> = corners.into_iter().filter(|corner| Some(reach(corner)) == furthest).collect();
    let [one, other] = edge[..] else { return None };
    // Straight on, the outline goes around the same way as that of the square.
    let is_closing = one == corners[0] && other == corners[3];
    let edge = if side == heading && is_closing { [other, one] } else { [one, other] };
    let step = corner(heading.vector());
    let row = |steps: i32| edge.map(|at| [0, 1, 2].map(|axis| at[axis] + steps * step[axis]));
    Some([0, 1].map(|square| {
        let ([one, other], [beyond_one, beyond_other]) = (row(square), row(square + 1));
        [one, other, beyond_other, beyond_one]
    }))
}

/// Whether a domino that is joined like this would lie where no square is.
pub(super) fn is_free(built: &Construction, Spot { plate, side, heading }: Spot) -> bool {
    let square = built.place(plate);
    let normal = Plate::new(square.corners().map(corner), 0).axis;
    let is_way = side.axis() != normal && (heading == side || heading.axis() == normal);
    let sorted = |mut corners: [Corner; 4]| {
        corners.sort_unstable();
        corners
    };
    let taken = |corners: &[Corner; 4]| {
        let squares = (0..built.len() as u8).map(|number| built.place(number).corners().map(corner));
        squares.map(sorted).any(|other| other == sorted(*corners))
    };
    is_way && joined(square, side, heading).is_some_and(|squares| !squares.iter().any(taken))
}

/// Writes the names of ghosts where the dominoes would end: near, and side by side.
fn put_tabs(ghosts: &mut [Ghost], camera: &Camera) {
    let ways = if ghosts.is_empty() { Vec::new() } else { ways_around() };
    let mut tabs: Vec<Tab> = Vec::with_capacity(ghosts.len());
    for ghost in ghosts {
        let [(from_x, from_y), (x, y)] = [0, 1].map(|square| camera.middle(&ghost.plates[square]));
        let (x, y) = (x + 0.4 * (x - from_x), y + 0.4 * (y - from_y));
        let half = rounded(measure(&ghost.name(), TAB_LETTERS, true) / 2.0 + 5.0);
        let tab = |&(right, down): &(i32, i32)| {
            let (left, top) = (x + f64::from(right), y + f64::from(down));
            Tab { at: (rounded(left.max(half + 4.0)), rounded(top.max(12.0))), half }
        };
        ghost.tab = ways.iter().map(tab).find(|tab| !tabs.iter().any(|other| tab.touches(*other)));
        tabs.extend(ghost.tab);
    }
}

impl Tab {
    /// Whether there is less than a little space between two tabs.
    fn touches(self, other: Self) -> bool {
        let (across, down) = ((self.at.0 - other.at.0).abs(), (self.at.1 - other.at.1).abs());
        across < self.half + other.half + 2.0 && down < TAB_HEIGHT + 2.0
    }
}

/// Ways from a point to others around it, the shortest first.
fn ways_around() -> Vec<(i32, i32)> {
    let column = |right: i32| (-90..=90).step_by(6).map(move |down| (right, down));
    let mut ways: Vec<(i32, i32)> = (-120..=120).step_by(8).flat_map(column).collect();
    ways.sort_by_key(|(right, down)| right * right + down * down);
    ways
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round_ties_even() / 100.0
}

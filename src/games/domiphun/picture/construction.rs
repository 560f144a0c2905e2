//! The construction in space: squares and joiners, the ends, and where the chosen domino may go.

use std::collections::BTreeSet;

use super::super::lattice::{Construction, DIRECTIONS, Direction, Joiner, Joint, Spot};
use super::super::places;
use super::super::rules::{Action, Phase};
use super::scene::{Corner, Ghost, Plate, Scene, TAB_HEIGHT, TAB_LETTERS, is_free, nearness, seen, turned};
use super::{EDGE, GRID, MARK, Painter, Panel, WHITE, WIDTH, between, end_badge, end_colour, mark, standing, star};
use crate::drawing::{Drawing, Element, INK, PIPS, Point, SOFT, circle, line, number, polygon, rect, text, text_from};

/// The table on which the construction stands.
const CLOTH: &str = "#fbf9f4";
/// A square's colour by the axis to which it is perpendicular, as if light fell on it from above.
const FACES: [&str; 3] = ["#d3dbe2", "#ebe3d0", "#ffffff"];
const X_JOINER: &str = "#cc79a7";
const X_JOINER_MIDDLE: &str = "#8a3c66";
const GHOST: &str = "#8a5a00";

pub(super) fn panel(painter: &Painter<'_>, built: &Construction, turn: u8, has_balance: bool) -> Panel {
    let spots = spots(painter, built).into_iter();
    let scene = Scene::new(built, spots, turn);
    let view = Solid { painter, built, scene };
    let mut parts = Drawing::new();
    view.ground(&mut parts);
    if has_balance {
        parts.push(standing::support(built.balance(), &view.scene));
    }
    view.shadows(&mut parts);
    view.body(&mut parts);
    if has_balance {
        parts.extend(standing::centre(built.balance(), &view.scene));
    }
    view.marks(&mut parts);
    view.ends(&mut parts);
    view.ghosts(&mut parts);
    view.compass(&mut parts);
    let Scene { width, bottom, .. } = view.scene;
    Panel { parts, area: [8.0, 4.0, width - 12.0, bottom], width: width.max(WIDTH), bottom }
}

/// Where the chosen domino may go. If that is not to be marked, wherever there is room for its first square.
fn spots(painter: &Painter<'_>, built: &Construction) -> Vec<Spot> {
    let Phase::Place { plate, .. } = painter.view.phase() else { return Vec::new() };
    let spot = |side, heading| Spot { plate, side, heading };
    if painter.looks.hides_moves() && painter.view.viewer() == painter.view.to_act() {
        let all = DIRECTIONS.into_iter().flat_map(|side| DIRECTIONS.map(|heading| spot(side, heading)));
        return all.filter(|&spot| is_free(built, spot)).collect();
    }
    let place = |action: &Action| match *action {
        Action::Place { side, heading } => Some(spot(side, heading)),
        _ => None,
    };
    painter.legal.iter().filter_map(place).collect()
}

/// A construction, and how it is looked at.
struct Solid<'a> {
    painter: &'a Painter<'a>,
    built: &'a Construction,
    scene: Scene,
}

impl Solid<'_> {
    fn ground(&self, out: &mut Drawing) {
        let (ground, camera) = (&self.scene.ground, &self.scene.camera);
        out.push(polygon(&ground.corners().map(|corner| camera.corner(corner)), CLOTH).with("stroke", GRID));
        let grid = |from: Corner, to: Corner| line(&[camera.corner(from), camera.corner(to)], GRID, 1.0);
        out.extend((ground.west + 1..ground.east).map(|x| grid([x, ground.south, 0], [x, ground.north, 0])));
        out.extend((ground.south + 1..ground.north).map(|y| grid([ground.west, y, 0], [ground.east, y, 0])));
    }

    /// The shadow of all that is above the table, everywhere as dark.
    fn shadows(&self, out: &mut Drawing) {
        let above = self.scene.plates.iter().filter(|plate| plate.least[2] > 0);
        let shadow = |plate: &Plate| {
            let corners = plate.corners.map(|[x, y, _]| self.scene.camera.corner([x, y, 0]));
            polygon(&corners, INK).with("stroke", INK)
        };
        let shadows: BTreeSet<Element> = above.map(shadow).collect();
        if !shadows.is_empty() {
            out.grouped("opacity", 0.18, shadows.into_iter().collect());
        }
    }

    /// Squares and joiners, what is nearer above what it hides.
    fn body(&self, out: &mut Drawing) {
        let squares = (0..).zip(&self.scene.plates).map(|(number, plate)| self.square(number, plate));
        let joiners = (0..self.built.len() / 2).filter_map(|domino| self.joiner(domino));
        let mut parts: Vec<(i32, Drawing)> = squares.chain(joiners).collect();
        parts.sort_by_key(|(nearness, _)| *nearness);
        let mut body = Drawing::new();
        for (_, part) in parts {
            body.add(part);
        }
        let camera = &self.scene.camera;
        let [left, top, scale] = [camera.left, camera.top, camera.scale].map(number);
        out.grouped("transform", format_args!("translate({left} {top}) scale({scale})"), body);
    }

    /// A square with its pips, its number and its Starjoiner.
    fn square(&self, plate: u8, at: &Plate) -> (i32, Drawing) {
        let face = self.around_from_fold(plate, at.corners).map(seen);
        let outline = line(&face, INK, if self.is_last(plate) { 3.5 } else { 1.5 });
        let mut parts: Drawing = [
            polygon(&face, FACES[at.axis]).with("data-plate", plate).with("stroke", SOFT).with("stroke-width", 0.5),
            outline.with("stroke-linejoin", "round"),
        ]
        .into_iter()
        .collect();
        let matrix = at.matrix().map(number).join(" ");
        parts.grouped("transform", format_args!("matrix({matrix})"), self.inside(plate));
        if matches!(self.painter.view.phase(), Phase::Plate { .. }) {
            parts = self.painter.placed(&places::plate(plate), parts);
        }
        (nearness(at.corners), parts)
    }

    /// What is on a square, which is 1 by 1.
    fn inside(&self, plate: u8) -> Drawing {
        let value = self.built.values().get(usize::from(plate)).copied().unwrap_or_default();
        let pips = PIPS.get(usize::from(value)).copied().unwrap_or_default().iter();
        let pip = |&(i, j): &(u8, u8)| circle(0.32 + 0.2 * f64::from(i), 0.32 + 0.2 * f64::from(j), 0.07, INK);
        let mut inside: Drawing = pips.map(pip).collect();
        inside.push(text_from(0.06, 0.22, &plate.to_string(), 0.22, INK));
        if self.built.is_closed(plate) {
            inside.push(polygon(&star(0.82, 0.82, 0.17), MARK).with("stroke", INK).with("stroke-width", 0.02));
        }
        inside
    }

    /// The corners of a square from where its domino is folded, all around and back to there: an outline that leaves
    /// the fold out.
    fn around_from_fold(&self, plate: u8, mut corners: [Corner; 4]) -> [Corner; 4] {
        let Some(partner) = self.scene.plate(plate ^ 1) else { return corners };
        let is_shared = |corner: &Corner| partner.corners.contains(corner);
        for _ in 0..corners.len() {
            if is_shared(&corners[0]) && is_shared(&corners[3]) {
                break;
            }
            corners.rotate_left(1);
        }
        corners
    }

    /// Whether a square was placed with the last decision.
    fn is_last(&self, plate: u8) -> bool {
        let has_placed = match self.painter.last {
            Some(Action::Open(domino)) => self.built.values() == <[u8; 2]>::from(domino.values()),
            Some(Action::Place { .. }) => true,
            _ => false,
        };
        has_placed && usize::from(plate) + 2 >= self.built.len()
    }

    /// The joiner of a domino, above the two squares that it joins and below what hides it.
    fn joiner(&self, domino: usize) -> Option<(i32, Drawing)> {
        let Joint { spot, joiner } = self.built.joint(domino)?;
        let (one, other) = (self.scene.plates.get(2 * domino)?, self.scene.plate(spot.plate)?);
        let edge: Vec<Corner> = one.corners.into_iter().filter(|corner| other.corners.contains(corner)).collect();
        let &[begin, end] = &edge[..] else { return None };
        let near = nearness([begin, end]) + 4;
        let (begin, end) = (seen(begin), seen(end));
        let parts = match joiner {
            Joiner::Ordinary => {
                let bar = [between(begin, end, 0.35), between(begin, end, 0.65)];
                Drawing::from_iter([line(&bar, INK, 4.0)])
            }
            Joiner::X | Joiner::Arm => {
                let (x, y) = between(begin, end, 0.5);
                let arm = |way: f64| line(&[(x - 3.0, y - way), (x + 3.0, y + way)], WHITE, 2.0);
                let middle = circle(x, y, 6.0, X_JOINER_MIDDLE);
                [line(&[begin, end], X_JOINER, 4.0), middle, arm(3.0), arm(-3.0)].into_iter().collect()
            }
        };
        Some((near, parts))
    }

    /// The squares that can be chosen or are chosen; nothing hides them.
    fn marks(&self, out: &mut Drawing) {
        let chosen = self.painter.view.phase().plate();
        let mut marks: Vec<(i32, Drawing)> = Vec::new();
        for (plate, at) in (0..).zip(&self.scene.plates) {
            let is_legal = self.painter.is_legal(Action::Plate(plate));
            if !is_legal && chosen != Some(plate) {
                continue;
            }
            let face = polygon(&self.scene.camera.face(at), MARK).with("fill-opacity", 0.3);
            let mut parts = Drawing::from_iter([face.with("stroke", MARK).with("stroke-width", 3)]);
            if is_legal {
                let (x, y) = self.scene.camera.middle(at);
                parts.extend(mark(x, y));
                parts = self.painter.placed(&places::plate(plate), parts);
            }
            marks.push((nearness(at.corners), parts));
        }
        add_sorted(marks, out);
    }

    /// The ends; nothing hides them.
    fn ends(&self, out: &mut Drawing) {
        let ends = self.painter.view.table().ends();
        for (number, end) in ends.iter().enumerate() {
            let Some(plate) = self.scene.plate(end.plate) else { continue };
            let before = ends[..number].iter().filter(|other| other.plate == end.plate).count();
            let (number, letter) = (number as u8, self.letter_of_end(plate, before));
            let face = polygon(&self.scene.camera.face(plate), WHITE).with("fill-opacity", 0);
            let dashed = face.with("stroke", end_colour(number)).with("stroke-width", 3);
            let mut parts = Drawing::from_iter([dashed.with("stroke-dasharray", "6 3")]);
            parts.extend(end_badge(number, letter));
            parts.add(self.painter.end_mark(number, letter));
            match self.painter.view.phase() {
                Phase::Plate { .. } | Phase::Place { .. } => out.grouped("pointer-events", "none", parts),
                Phase::Turn | Phase::Star { .. } | Phase::Over => {
                    out.add(self.painter.placed(&places::end(number), parts));
                }
            }
        }
    }

    /// Where on a square the letter of an end is, beside those of so many other ends on the same square.
    fn letter_of_end(&self, plate: &Plate, before: usize) -> Point {
        let [across, across_down, down_across, down, left, top] = plate.matrix();
        let (along, upwards) = (0.6 - 0.5 * before as f64, -0.2);
        let x = left + along * across + upwards * down_across;
        self.scene.camera.moved((x, top + along * across_down + upwards * down))
    }

    /// Where the chosen domino may go: its squares in outline, then tabs with the names of the spots above all of them.
    fn ghosts(&self, out: &mut Drawing) {
        let outline = |ghost: &Ghost, plate: &Plate| {
            let face = polygon(&self.scene.camera.face(plate), MARK).with("data-ghost", ghost.name());
            let dashed = face.with("fill-opacity", 0.15).with("stroke", GHOST).with("stroke-width", 1.5);
            dashed.with("stroke-dasharray", "4 3")
        };
        let squares = |ghost: &Ghost| {
            let parts = ghost.plates.iter().map(|plate| outline(ghost, plate)).collect();
            (nearness(ghost.plates[0].corners), self.painter.placed(&ghost.place(), parts))
        };
        add_sorted(self.scene.ghosts.iter().map(squares).collect(), out);
        for ghost in &self.scene.ghosts {
            let Some(tab) = ghost.tab else { continue };
            let ((x, y), half) = (tab.at, tab.half);
            let ground = rect(x - half, y - TAB_HEIGHT / 2.0, 2.0 * half, TAB_HEIGHT, MARK);
            let name = text(x, y + 4.0, &ghost.name(), TAB_LETTERS, INK).bold();
            let parts = [ground.with("rx", 4).with("stroke", INK), name].into_iter().collect();
            out.add(self.painter.placed(&ghost.place(), parts));
        }
    }

    fn compass(&self, out: &mut Drawing) {
        let (x, y) = (EDGE + 46.0, self.scene.bottom - 36.0);
        for direction in [Direction::East, Direction::North, Direction::Up] {
            let (right, down) = seen(turned(direction.vector().map(i32::from), self.scene.turn));
            out.push(line(&[(x, y), (x + right * 0.6, y + down * 0.6)], SOFT, 1.5));
            out.push(text(x + right * 0.9, y + down * 0.9 + 4.0, direction.name(), 11.0, SOFT));
        }
    }
}

/// Adds parts by their nearness; those that are as near do not hide each other.
fn add_sorted(mut parts: Vec<(i32, Drawing)>, out: &mut Drawing) {
    parts.sort();
    for (_, part) in parts {
        out.add(part);
    }
}

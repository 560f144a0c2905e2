//! The path on the table, from end A to end B, row by row there and back.

use super::super::places;
use super::super::rules::{Action, End, Variant};
use super::{EDGE, GRID, Painter, Panel, WIDTH, end_badge};
use crate::drawing::{Drawing, HALF, INK, Point, SOFT, line, rect, target, text, text_from, tile};
use crate::game::Rules as _;

/// From a domino to the next.
const STEP: f64 = 2.0 * HALF + 4.0;
const IN_A_ROW: usize = 12;
/// From a row to the next.
const ROW: f64 = 50.0;
/// Where a domino before the first would lie: end A is there.
const BEFORE: Point = (EDGE, EDGE);

pub(super) fn panel(painter: &Painter<'_>) -> Panel {
    let values = painter.view.table().path();
    let dominoes: Vec<&[u8]> = values.chunks_exact(2).collect();
    if dominoes.is_empty() {
        let area = [EDGE - 2.0, EDGE - 2.0, 2.0 * STEP + 60.0, HALF + 4.0];
        return Panel { parts: empty(), area, width: WIDTH, bottom: EDGE + 32.0 };
    }
    let after = spot(dominoes.len());
    let spots = || (0..dominoes.len()).map(spot);
    let track: Vec<Point> = [BEFORE].into_iter().chain(spots()).chain([after]).map(middle).collect();
    let mut parts = Drawing::from_iter([line(&track, GRID, 6.0).with("stroke-linejoin", "round")]);
    for (number, ((x, y), halves)) in spots().zip(&dominoes).enumerate() {
        let mut halves = halves.to_vec();
        if is_backward(number) {
            halves.reverse();
        }
        let domino = tile(&halves, x, y);
        match painter.rules.options().variant {
            Variant::Traditional => parts.thing(&domino_name(&halves), domino),
            Variant::Standard | Variant::Advanced => parts.add(domino),
        }
    }
    if let Some(number) = last_played(painter.last, &dominoes) {
        let (x, y) = spot(number);
        let frame = rect(x, y, 2.0 * HALF, HALF, "none").with("rx", 3).with("stroke", INK);
        parts.push(frame.with("stroke-width", 3.5).with("data-last", number));
    }
    for ((end, number), at) in painter.view.table().ends().iter().zip(0..).zip([BEFORE, after]) {
        let mut letter = end_letter(*end, number, middle(at));
        letter.add(painter.end_mark(number, middle(at)));
        parts.add(painter.placed(&places::end(number), letter));
    }
    let right = spots().chain([after]).map(|(x, _)| x).fold(0.0, f64::max) + 2.0 * HALF + 4.0;
    let (left, top, bottom) = (EDGE - 4.0, EDGE - 8.0, after.1 + ROW);
    Panel { parts, area: [left, top, right - left, bottom - 6.0 - top], width: WIDTH, bottom }
}

/// What a domino of the traditional game is called, wherever it is and whichever way round.
pub(super) fn domino_name(halves: &[u8]) -> String {
    let mut halves = halves.to_vec();
    halves.sort_unstable();
    halves.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}

fn empty() -> Drawing {
    let outline = rect(EDGE, EDGE, 2.0 * HALF, HALF, "none").with("rx", 3).with("stroke", SOFT);
    let words = text_from(EDGE + STEP + 8.0, EDGE + 15.0, "no domino yet", 13.0, SOFT);
    [outline.with("stroke-dasharray", "3 3"), words].into_iter().collect()
}

/// An end's letter and what it shows, on a ground that is easy to click.
fn end_letter(end: End, number: u8, (x, y): Point) -> Drawing {
    let mut letter = Drawing::from_iter([target(x - 22.0, y - 15.0, 44.0, 44.0)]);
    letter.extend(end_badge(number, (x, y)));
    letter.push(text(x, y + 24.0, &format!("shows {}", end.value), 11.0, INK));
    letter
}

/// Where a domino of the path lies.
fn spot(number: usize) -> Point {
    let (row, column) = (number / IN_A_ROW, number % IN_A_ROW);
    let along = if is_backward(number) { IN_A_ROW - 1 - column } else { column };
    (EDGE + (along + 1) as f64 * STEP, EDGE + row as f64 * ROW)
}

/// Whether a domino lies in a row that runs from right to left.
fn is_backward(number: usize) -> bool {
    number / IN_A_ROW % 2 == 1
}

fn middle((x, y): Point) -> Point {
    (x + HALF, y + HALF / 2.0)
}

/// Which domino of the path was played with the last decision.
fn last_played(last: Option<Action>, dominoes: &[&[u8]]) -> Option<usize> {
    match (last?, dominoes) {
        (Action::Open(domino), &[only]) => (only == <[u8; 2]>::from(domino.values())).then_some(0),
        (Action::Play { domino, end: 0 }, &[first, ..]) => (first == [domino.outer, domino.inner]).then_some(0),
        (Action::Play { domino, end: 1 }, &[.., last]) => {
            (last == [domino.inner, domino.outer]).then_some(dominoes.len() - 1)
        }
        _ => None,
    }
}

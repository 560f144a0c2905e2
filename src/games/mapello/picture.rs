//! The board of Mapello with its ring, pieces, discs and moves; who has what.

use std::f64::consts::PI;
use std::fmt::Write as _;

use super::board::Square;
use super::position::square_name;
use super::rules::{Action, Colour, Content, Mapello, Phase, Piece, State, View};
use super::words::{cell_place, colour_place, piece_place};
use crate::drawing::{
    Drawing, Element, INK, PAPER, Picture, Place, Point, Role, SOFT, Sheet, badge, circle, line, measure, polygon,
    rect, shortened, text, text_from,
};
use crate::game::{Looks, Rules as _, Seat, Show as _, Viewer};

/// The side of a cell.
const CELL: f64 = 44.0;
/// The room around the ring for the names of columns and rows.
const EDGE: f64 = 26.0;
/// The width of the picture, and the height of the board with its edge.
const SIZE: f64 = 10.0 * CELL + 2.0 * EDGE;
/// Where everything below the board begins.
const LEFT: f64 = 20.0;
/// How far apart the things to pick are below the board, and how much height they take.
const CHOICE: f64 = 156.0;
const CHOICE_HEIGHT: f64 = 52.0;

const BOARD: &str = "#2f7d5b";
const LINES: &str = "#1f5a41";
const RING: &str = "#d9d2c3";
const RING_LINES: &str = "#c4bba7";
/// What can be played.
const MARK: &str = "#e69f00";

/// The bricks of a wall, course by course: where each begins, and how long it is with the joint.
const COURSES: [&[(f64, f64)]; 3] =
    [&[(0.0, 19.0), (19.0, 19.0)], &[(0.0, 9.5), (9.5, 19.0), (28.5, 9.5)], &[(0.0, 19.0), (19.0, 19.0)]];

const KEY: [&str; 5] = [
    "brick: wall",
    "+3 in a diamond: bonus",
    "star: joker, a disc of whoever moves",
    "orange with a plus: can be played",
    "frame: played last",
];

/// See [`crate::game::Show::picture`].
pub(super) fn draw(rules: &Mapello, state: &State, viewer: Viewer, last: Option<Action>, looks: Looks<'_>) -> Picture {
    let mut legal = Vec::new();
    if !looks.hides_moves() && viewer != Viewer::Onlooker {
        rules.legal_actions(state, &mut legal);
    }
    let left_and_missing = rules.left_and_missing(state);
    Scene { rules, view: state.view(viewer), legal, left_and_missing, last, looks }.draw()
}

/// What there is to draw.
struct Scene<'a> {
    rules: &'a Mapello,
    view: View<'a>,
    legal: Vec<Action>,
    /// See [`Mapello::left_and_missing`].
    left_and_missing: [[u8; 3]; 2],
    last: Option<Action>,
    looks: Looks<'a>,
}

impl Scene<'_> {
    fn draw(&self) -> Picture {
        let caption = self.caption();
        let mut sheet = Sheet::new();
        sheet.add(Role::Table, [4.0, 6.0, SIZE - EDGE, SIZE - EDGE - 4.0], self.board());
        let line = |sheet: &mut Sheet, role, y, words: Element| {
            sheet.add(role, [LEFT, y - 14.0, SIZE - 2.0 * LEFT, 19.0], [words].into_iter().collect());
        };
        let mut y = SIZE + 10.0;
        let title = shortened(&caption, 15.0, SIZE - 2.0 * LEFT, true);
        line(&mut sheet, Role::Title, y, text_from(LEFT, y, &title, 15.0, INK).bold());
        if let Some(facts) = self.facts() {
            y += 20.0;
            line(&mut sheet, Role::Facts, y, text_from(LEFT, y, &facts, 13.0, INK));
        }
        y += 14.0;
        let choices = self.choices(y);
        let height = if choices.is_empty() { 0.0 } else { CHOICE_HEIGHT };
        for (n, choice) in choices.into_iter().enumerate() {
            let left = choice_middle(n) - CELL / 2.0 - 2.0;
            sheet.add(Role::Stock, [left, y, CHOICE, CHOICE_HEIGHT - 4.0], choice);
        }
        y += height;
        for seat in [0, 1].map(Seat::new) {
            let (line, right) = self.seat(seat, y);
            sheet.add(Role::Seat, [LEFT - 2.0, y, right - LEFT + 4.0, 26.0], line);
            y += 30.0;
        }
        let height = sheet.key((LEFT, y + 4.0), SIZE - LEFT, KEY) + 14.0;
        sheet.into_picture(SIZE, height, &caption)
    }

    fn is_set_up(&self) -> bool {
        self.view.phase() == Phase::SetUp
    }

    /// Parts as a place, if somebody looks at them who may choose.
    fn placed(&self, place: &Place, parts: Drawing) -> Drawing {
        if self.view.viewer().is_none() {
            return parts;
        }
        let mut drawing = Drawing::new();
        drawing.place(place, parts);
        drawing
    }

    fn board(&self) -> Drawing {
        let mut drawing = Drawing::new();
        drawing.push(rect(EDGE, EDGE, 10.0 * CELL, 10.0 * CELL, RING).with("rx", 8));
        for (n, letter) in (1..).zip('a'..='h') {
            drawing.push(text(middle(n), EDGE - 8.0, &letter.to_string(), 14.0, INK));
            drawing.push(text(EDGE / 2.0, middle(n) + 5.0, &n.to_string(), 14.0, INK));
        }
        for square in self.squares() {
            let cell = self.cell(square);
            if matches!(square, Square::Inner(_)) || self.is_set_up() {
                drawing.add(self.placed(&cell_place(square), cell));
            } else {
                drawing.add(cell);
            }
        }
        drawing.extend(self.frame().into_iter().flatten());
        drawing
    }

    /// The cells to draw, row by row: a smaller board has no ring (MAPE-20).
    fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let shown = match usize::from(self.rules.options().size) {
            8 => 0..10,
            size => 5 - size / 2..5 + size / 2,
        };
        shown.clone().flat_map(move |row| shown.clone().filter_map(move |column| Square::at(row, column)))
    }

    fn cell(&self, square: Square) -> Drawing {
        let (x, y) = centre(square);
        let content = self.view.content(square);
        let ground = |fill| rect(x - CELL / 2.0, y - CELL / 2.0, CELL, CELL, fill);
        let mut drawing = Drawing::new();
        match square {
            Square::Inner(_) => drawing.push(ground(BOARD).with("stroke", LINES)),
            Square::Border(_) if self.is_set_up() => {
                drawing.push(ground(RING).with("rx", 8).with("stroke", RING_LINES));
                if content.is_none() {
                    drawing.push(text(x, y + 14.0, &square_name(square), 11.0, SOFT));
                }
            }
            Square::Border(_) => {}
        }
        if let Some(content) = content {
            let side = if let Content::Disc(colour) = content { colour.name() } else { "" };
            drawing.sided_thing(&square_name(square), side, draw_content(content, x, y));
        }
        if self.legal.iter().any(|action| action.square() == Some(square)) {
            match content {
                _ if self.is_set_up() => drawing.push(circle(x, y, 3.0, MARK)),
                None => drawing.extend(plus(x, y, 9.0)),
                Some(_) => drawing.extend(plus(x + 13.0, y + 13.0, 7.0)),
            }
        }
        drawing
    }

    /// A frame around what was put on the board last, if it is there.
    fn frame(&self) -> Option<[Element; 2]> {
        let last = self.last?;
        let square = last.square()?;
        let is_there = match self.view.content(square)? {
            Content::Disc(_) => last.piece().is_none(),
            Content::Piece(piece) => last.piece() == Some(piece),
        };
        let (x, y) = centre(square);
        let border = |colour, width| {
            let around = rect(x - 20.5, y - 20.5, 41.0, 41.0, "none");
            around.with("rx", 3).with("stroke", colour).with("stroke-width", width)
        };
        is_there.then(|| [border(INK, 5).with("data-last", square_name(square)), border("white", 2)])
    }

    /// What there is to pick beside cells.
    fn choices(&self, y: f64) -> Vec<Drawing> {
        match self.view.phase() {
            Phase::SetUp => self.pieces(y),
            Phase::Colour => self.colours(y),
            Phase::Play | Phase::Over => Vec::new(),
        }
    }

    /// The pieces to set up, with how many of each are on the board and how many more are needed or left.
    fn pieces(&self, y: f64) -> Vec<Drawing> {
        let [left, missing] = self.left_and_missing;
        let piece = |(n, ((piece, left), missing)): (usize, ((Piece, u8), u8))| {
            let content = Content::Piece(piece);
            let placed = self.squares().filter(|&square| self.view.content(square) == Some(content)).count();
            let more = if missing > 0 { format!("{missing} needed") } else { format!("{left} left") };
            let (x, middle) = (choice_middle(n), y + 24.0);
            let mut parts = choice(content, self.legal.iter().any(|action| action.piece() == Some(piece)), x, y);
            parts.push(text_from(x + 28.0, middle, piece.name(), 13.0, INK).bold());
            parts.push(text_from(x + 28.0, middle + 15.0, &format!("{placed} placed, {more}"), 10.0, SOFT));
            self.placed(&piece_place(piece), parts)
        };
        Piece::ALL.into_iter().zip(left).zip(missing).enumerate().map(piece).collect()
    }

    /// The colours to pick from.
    fn colours(&self, y: f64) -> Vec<Drawing> {
        let colour = |(n, colour): (usize, Colour)| {
            let x = choice_middle(n);
            let mut parts = choice(Content::Disc(colour), !self.legal.is_empty(), x, y);
            parts.push(text_from(x + 28.0, y + 29.0, colour.name(), 13.0, INK).bold());
            self.placed(&colour_place(colour), parts)
        };
        [Colour::Black, Colour::White].into_iter().enumerate().map(colour).collect()
    }

    /// The line of a seat: its colour, discs, bonuses and points; and where it ends.
    fn seat(&self, seat: Seat, y: f64) -> (Drawing, f64) {
        let mut drawing = badge(seat, LEFT + 10.0, y + 12.0, 10.0);
        let (mut x, mut words) = (LEFT + 28.0, String::new());
        if let Some(colour) = self.view.colour(seat) {
            let of_colour = colour as usize;
            let discs = self.view.discs()[of_colour].count_ones();
            let (bonuses, points) = (self.view.taken()[of_colour], self.view.score()[of_colour]);
            let (fill, edge) = disc_colours(colour);
            drawing.push(circle(x + 9.0, y + 12.0, 9.0, fill).with("stroke", edge).with("data-seat", seat.index()));
            let _ = write!(words, ", {}: discs {discs}, bonuses {bonuses}, points {points}", colour.name());
            x += 26.0;
        }
        let weight = if self.view.to_act() == Some(seat) { "bold" } else { "normal" };
        let room = SIZE - LEFT - 4.0 - x - measure(&words, 13.0, true);
        let words = format!("{}{words}", shortened(&self.looks.name(seat), 13.0, room, true));
        drawing.push(text_from(x, y + 17.0, &words, 13.0, INK).with("font-weight", weight));
        (drawing, x + measure(&words, 13.0, true))
    }

    /// What can be done without a click, and how a match of several games stands.
    fn facts(&self) -> Option<String> {
        let without_click = self.legal.iter().find(|action| matches!(action, Action::Pass | Action::Finish));
        let possible = without_click.map(|&action| format!("possible: {}", self.rules.notation(action)));
        let facts: Vec<String> = possible.into_iter().chain(self.rules.standing(&self.view)).collect();
        (!facts.is_empty()).then(|| facts.join("; "))
    }

    fn caption(&self) -> String {
        let doing = match self.view.phase() {
            Phase::SetUp => "sets up",
            Phase::Colour => "picks a colour",
            Phase::Play if self.view.turn() == Colour::Black => "(black) to move",
            Phase::Play => "(white) to move",
            Phase::Over => "",
        };
        match (self.view.to_act(), self.view.leader()) {
            (Some(seat), _) => format!("Mapello: {} {doing}", self.looks.name(seat)),
            (None, Some(winner)) => format!("Mapello: over, won by {}", self.looks.name(winner)),
            (None, None) => "Mapello: over, a draw".to_owned(),
        }
    }
}

/// The middle of a column across, and of a row down.
fn middle(n: usize) -> f64 {
    EDGE + (n as f64 + 0.5) * CELL
}

fn centre(square: Square) -> Point {
    let (row, column) = square.row_column();
    (middle(column), middle(row))
}

/// The middle of the picture of something to pick, across.
fn choice_middle(n: usize) -> f64 {
    LEFT + CELL / 2.0 + CHOICE * n as f64
}

/// Something to pick, without its name.
fn choice(content: Content, can_be_picked: bool, x: f64, y: f64) -> Drawing {
    let mut drawing = Drawing::new();
    drawing.push(rect(x - CELL / 2.0, y + 2.0, CHOICE - 6.0, CELL, PAPER));
    drawing.add(draw_content(content, x, y + 24.0));
    if can_be_picked {
        drawing.extend(plus(x + 14.0, y + 38.0, 7.0));
    }
    drawing
}

/// A piece or a disc: each has a shape of its own.
fn draw_content(content: Content, x: f64, y: f64) -> Drawing {
    match content {
        Content::Disc(colour) => {
            let (fill, edge) = disc_colours(colour);
            [circle(x, y, 18.0, fill).with("stroke", edge).with("stroke-width", 1.5)].into_iter().collect()
        }
        Content::Piece(Piece::Wall) => wall(x - 19.0, y - 19.0),
        Content::Piece(Piece::Bonus) => bonus(x, y),
        Content::Piece(Piece::Joker) => joker(x, y),
    }
}

/// The inside and the edge of a disc.
const fn disc_colours(colour: Colour) -> (&'static str, &'static str) {
    match colour {
        Colour::Black => ("#161616", "#000000"),
        Colour::White => ("#fbfbf8", "#7a7a72"),
    }
}

fn wall(left: f64, top: f64) -> Drawing {
    let mut drawing = Drawing::new();
    drawing.push(rect(left, top, 38.0, 38.0, "#e5e0d6").with("rx", 2).with("stroke", INK));
    for (course, bricks) in COURSES.into_iter().enumerate() {
        let y = top + course as f64 * 12.3 + 1.5;
        drawing.extend(bricks.iter().map(|(from, length)| rect(left + from + 1.5, y, length - 3.0, 10.4, SOFT)));
    }
    drawing
}

fn bonus(x: f64, y: f64) -> Drawing {
    let around = [(x, y - 20.0), (x + 20.0, y), (x, y + 20.0), (x - 20.0, y)];
    let diamond = polygon(&around, "#3d7dd8").with("stroke", PAPER).with("stroke-width", 2);
    let worth = text(x, y + 5.0, "+3", 15.0, "#ffffff").bold();
    [diamond.with("stroke-linejoin", "round"), worth].into_iter().collect()
}

fn joker(x: f64, y: f64) -> Drawing {
    let ground = rect(x - 17.0, y - 17.0, 34.0, 34.0, "#c0392b").with("rx", 4);
    [ground, polygon(&star(x, y, 13.0), "#ffffff")].into_iter().collect()
}

/// The corners of a star with five points, the first at the top.
fn star(x: f64, y: f64, radius: f64) -> [Point; 10] {
    let rounded = |value: f64| (value * 100.0).round_ties_even() / 100.0;
    std::array::from_fn(|n| {
        let turn = PI * n as f64 / 5.0;
        let radius = if n % 2 == 0 { radius } else { 0.45 * radius };
        (rounded(x + radius * turn.sin()), rounded(y - radius * turn.cos()))
    })
}

/// The mark of what can be played.
fn plus(x: f64, y: f64, radius: f64) -> [Element; 3] {
    let arm = radius * 0.55;
    [
        circle(x, y, radius, MARK).with("data-legal", "plus"),
        line(&[(x - arm, y), (x + arm, y)], INK, 2.0),
        line(&[(x, y - arm), (x, y + arm)], INK, 2.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Colour, Content, Piece, disc_colours, draw_content};

    #[test]
    fn pieces_and_discs_differ_without_colours() {
        let shape = |content| {
            let svg = draw_content(content, 0.0, 0.0).into_picture(1.0, 1.0, "").svg();
            let mut kept = svg.as_str();
            let mut shape = String::new();
            while let Some((before, after)) = kept.split_once("=\"#") {
                shape.push_str(before);
                kept = after.split_once('"').map_or("", |(_, rest)| rest);
            }
            shape + kept
        };
        let mut shapes: Vec<String> = Piece::ALL.into_iter().map(|piece| shape(Content::Piece(piece))).collect();
        shapes.push(shape(Content::Disc(Colour::Black)));
        assert_eq!(shapes[3], shape(Content::Disc(Colour::White)));
        shapes.sort();
        shapes.dedup();
        assert_eq!(shapes.len(), 4);
        let [black, white] =
            [Colour::Black, Colour::White].map(|colour| crate::drawing::ink_on(disc_colours(colour).0));
        assert_ne!(black, white, "a light disc and a dark one");
    }
}

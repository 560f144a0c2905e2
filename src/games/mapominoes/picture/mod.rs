//! The picture of a table: the cards that lie, below them the hands, and the maps of an atlas that has them.

mod cards;
mod grid;
mod hands;
mod legend;
mod nations;

use std::collections::BTreeMap;

use super::position::cell_name;
use super::rules::{Action, Mapominoes, State, View};
use super::table::{Card, Cell};
use crate::atlas::Atlas;
use crate::drawing::maps::{self, Colours, DARK, Marks, Panel};
use crate::drawing::{Drawing, INK, PAPER, Picture, Place, measure, rect, text, text_from, wrapped};
use crate::game::{Rules as _, Seat, Show as _, Viewer};
use crate::set::Set;
use crate::text::{caption_of_end, counted};
use nations::Nation;

/// The width of a picture with maps, and the least of one without.
const WIDTH: f64 = 1200.0;
const LEAST_WIDTH: f64 = 640.0;
/// What is kept free around everything.
const EDGE: f64 = 30.0;
/// What is kept free between the hands and the maps.
const BETWEEN: f64 = 26.0;
/// What is kept free above the maps, and at the bottom.
const MARGIN: f64 = 14.0;

/// The table as `viewer` sees it; `last` is what was played last.
pub(super) fn draw(rules: &Mapominoes, state: &State, viewer: Viewer, last: Option<Action>) -> Picture {
    let scene = Scene::new(rules, state, viewer, last);
    let panel = maps::panel(scene.atlas, &scene.marks());
    let mut table = Drawing::new();
    let (right, bottom) = scene.draw_grid(&mut table);
    let width = if panel.is_some() { WIDTH } else { LEAST_WIDTH.max(right + EDGE) };
    let has_tiles = panel.as_ref().is_some_and(|panel| panel.has_tiles);
    let top = scene.draw_legend(has_tiles, width, bottom + 8.0, &mut table);
    let mut below = Drawing::new();
    let height = top + scene.draw_below(panel, width, &mut below) + MARGIN;
    let mut drawing = Drawing::new();
    drawing.push(rect(0.0, 0.0, width, height, PAPER));
    drawing.add(table);
    drawing.moved(0.0, top, below);
    drawing.into_picture(width, height, &scene.caption())
}

/// A card on the table, or one that waits there for a follower or a challenge.
#[derive(Clone, Copy)]
struct Laid {
    cell: Cell,
    card: Card,
    waits: bool,
}

/// What all parts of a picture need.
struct Scene<'a> {
    rules: &'a Mapominoes,
    atlas: &'a Atlas,
    view: View<'a>,
    /// What the viewer may do.
    legal: Vec<Action>,
    /// The county cards that the viewer may play.
    playable: Set,
    /// The cell that was chosen last.
    last: Option<Cell>,
    cards: Vec<Laid>,
    nations: Vec<Nation<'a>>,
}

/// How far right what lies below the table may go: less beside the maps.
struct Room {
    beside: f64,
    edge: f64,
    /// Where the maps end.
    end: f64,
}

impl Room {
    fn right(&self, y: f64) -> f64 {
        if y < self.end { self.beside } else { self.edge }
    }
}

impl<'a> Scene<'a> {
    fn new(rules: &'a Mapominoes, state: &'a State, viewer: Viewer, last: Option<Action>) -> Self {
        let view = state.view(viewer);
        let mut legal = Vec::new();
        if viewer.knows_actions_of(view.to_act()) {
            rules.legal_actions(state, &mut legal);
        }
        let county = |action: &Action| if let Action::County(county) = *action { Some(county) } else { None };
        let laid = view.table().cards().map(|(cell, card)| Laid { cell, card, waits: false });
        let waiting = view.phase().waiting().map(|(cell, card)| Laid { cell, card, waits: true });
        Self {
            rules,
            atlas: &rules.atlas,
            view,
            playable: legal.iter().filter_map(county).collect(),
            legal,
            last: if let Some(Action::Cell(cell)) = last { Some(cell) } else { None },
            cards: laid.chain(waiting).collect(),
            nations: nations::of(&rules.atlas),
        }
    }

    /// The mark and the colours of the nation that a county belongs to.
    fn nation(&self, county: u8) -> (&str, Colours) {
        let name = self.atlas.place(county).nations.first();
        let nation = name.and_then(|name| self.nations.iter().find(|nation| nation.name == name));
        nation.map_or(("", nations::NOBODY), |nation| (&nation.mark, nation.colours))
    }

    /// Adds something that the viewer can choose, if there is one.
    fn add(&self, place: &Place, parts: Drawing, out: &mut Drawing) {
        if self.view.viewer().is_some() {
            out.place(place, parts);
        } else {
            out.add(parts);
        }
    }

    fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.rules.players()).map(Seat::new)
    }

    /// What the maps show.
    fn marks(&self) -> Marks {
        let viewer = self.view.viewer();
        let of_kind =
            |is_transit: bool| self.cards.iter().map(|laid| laid.card).filter(move |c| c.is_transit == is_transit);
        let last = self.cards.iter().find(|laid| Some(laid.cell) == self.last);
        Marks {
            coloured: of_kind(false).map(|card| (card.place, self.nation(card.place).1)).collect(),
            crossed: of_kind(true).map(|card| card.place).collect(),
            links: self.links(),
            held: viewer.map_or(Set::EMPTY, |viewer| self.view.known(viewer)),
            possible: self.playable,
            last: last.map(|laid| laid.card.place),
            has_places: viewer.is_some(),
        }
    }

    /// What lies side by side on the table.
    fn links(&self) -> Vec<(u8, u8)> {
        let frame = &self.rules.frame;
        let at: BTreeMap<Cell, u8> = self.cards.iter().map(|laid| (laid.cell, laid.card.place)).collect();
        let link = |laid: &Laid| {
            let (row, column) = frame.row_column(laid.cell);
            let after = [frame.cell(row, column + 1), frame.cell(row + 1, column)];
            after.map(|cell| Some((laid.card.place, *at.get(&cell?)?)))
        };
        self.cards.iter().flat_map(link).flatten().collect()
    }

    /// What is below the table. Returns where it ends.
    fn draw_below(&self, panel: Option<Panel>, width: f64, out: &mut Drawing) -> f64 {
        let edge = width - EDGE;
        let Some(panel) = panel else {
            let y = self.draw_words(edge, out);
            let y = self.draw_nominees(EDGE, edge, y, out);
            return self.draw_hands(&Room { beside: edge, edge, end: 0.0 }, y, out);
        };
        let mut maps = panel.drawing;
        let end = self.draw_nominees(0.0, panel.width, panel.height + 6.0, &mut maps) + MARGIN;
        let left = edge - panel.width;
        let room = Room { beside: left - BETWEEN, edge, end };
        let y = self.draw_words(room.beside, out);
        let bottom = self.draw_hands(&room, y, out);
        out.moved(left, MARGIN, maps);
        bottom.max(end)
    }

    /// What is going on, and the decisions that are marked nowhere else. Returns where the last line stands.
    fn draw_words(&self, right: f64, out: &mut Drawing) -> f64 {
        let mut y = 4.0;
        for words in wrapped(self.caption().split_whitespace(), 15.0, right - EDGE, true) {
            y += 20.0;
            out.push(text_from(EDGE, y, &words, 15.0, INK).bold());
        }
        for words in self.circumstances() {
            y += 18.0;
            out.push(text_from(EDGE, y, &words, 12.0, INK));
        }
        y
    }

    fn caption(&self) -> String {
        let what = self.rules.question(&self.view).unwrap_or_else(|| {
            let (fewest, leaders) = self.rules.leaders(&self.view);
            let ending = caption_of_end(self.rules.players(), leaders);
            format!("{ending} with {}", counted(fewest.into(), "point"))
        });
        format!("Mapominoes: {what}")
    }

    fn circumstances(&self) -> Vec<String> {
        let view = &self.view;
        let (round, dealer) = (view.round() + 1, view.dealer().index());
        let passes = match view.passes() {
            0 => String::new(),
            1 => "; 1 pass in a row".to_owned(),
            passes => format!("; {passes} passes in a row"),
        };
        let mut lines = vec![format!("round {round} of {}, dealt by seat {dealer}{passes}", self.rules.rounds())];
        if view.asked().is_some() && !self.legal.is_empty() {
            let answers: Vec<String> = self.legal.iter().map(|&action| self.rules.notation(action)).collect();
            lines.push(format!("may choose: {}", answers.join(", ")));
        }
        lines
    }

    /// What a transit card can be nominated as, one beside the other. Returns where it ends.
    fn draw_nominees(&self, left: f64, right: f64, y: f64, out: &mut Drawing) -> f64 {
        let nominee = |action: &Action| if let Action::Nominate(nominee) = *action { Some(nominee) } else { None };
        let mut nominees = self.legal.iter().filter_map(nominee).peekable();
        if nominees.peek().is_none() {
            return y;
        }
        let words = "transit cards lead through";
        let mut y = y + 22.0;
        out.push(text_from(left, y, words, 12.0, INK));
        let mut x = left + measure(words, 12.0, false) + 8.0;
        for nominee in nominees {
            let name = &self.atlas.place(nominee).name;
            let wide = measure(name, 10.0, false) + 10.0;
            if x + wide > right {
                (x, y) = (left, y + 23.0);
            }
            let chip = [
                rect(0.0, -14.0, wide, 20.0, "#ffffff").with("rx", 10).with("stroke", DARK),
                text(wide / 2.0, 0.0, name, 10.0, INK),
            ];
            let mut parts = Drawing::new();
            parts.moved(x, y, chip.into_iter().collect());
            self.add(&maps::place(self.atlas, nominee), parts, out);
            x += wide + 6.0;
        }
        y + 6.0
    }

    /// The name of a cell.
    fn cell_name(&self, cell: Cell) -> String {
        cell_name(&self.rules.frame, cell)
    }
}

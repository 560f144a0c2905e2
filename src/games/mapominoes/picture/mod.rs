//! The picture of a table: the cards that lie, below them the hands, and the maps of an atlas that has them.

mod cards;
mod grid;
mod hands;
mod legend;
mod nations;

use std::collections::BTreeMap;

use super::position::cell_name;
use super::rules::{Action, Mapominoes, Phase, State, View};
use super::table::{Card, Cell};
use crate::atlas::{self, Atlas};
use crate::drawing::maps::{self, Colours, DARK, Marks, Panel};
use crate::drawing::{
    Drawing, INK, Picture, Place, Role, Rows, Sheet, measure, rect, shortened, text, text_from, wrapped,
};
use crate::game::{HIDE_MOVES, Look, LookKind, Looks, Rules as _, Seat, Show as _, Viewer};
use crate::set::Set;
use crate::text::counted;
use nations::Nation;

/// What changes how a table is drawn.
pub(super) const LOOKS: &[Look] = &[
    HIDE_MOVES,
    Look {
        name: "hide_borders",
        meaning: "do not print what a card borders, nor names on the map",
        kind: LookKind::Switch,
    },
    Look { name: "tile_map", meaning: "a tile for every region in place of the map", kind: LookKind::Switch },
];
/// Where they are in [`LOOKS`].
const HIDE_BORDERS: usize = 1;
const TILE_MAP: usize = 2;

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
pub(super) fn draw(
    rules: &Mapominoes,
    state: &State,
    viewer: Viewer,
    last: Option<Action>,
    looks: Looks<'_>,
) -> Picture {
    let scene = Scene::new(rules, state, viewer, last, looks);
    let marks = scene.marks();
    let wants_tiles = looks.get(TILE_MAP) == 1;
    let tiles = if wants_tiles { maps::tile_panel(scene.atlas, rules.deck(), &marks) } else { None };
    let has_tiles = tiles.is_some();
    let panel = tiles.or_else(|| Some(rules.chart()?.panel(scene.atlas, &marks)));
    let mut sheet = Sheet::new();
    let (right, bottom) = scene.draw_grid(&mut sheet);
    let width = if panel.is_some() { WIDTH } else { LEAST_WIDTH.max(right + EDGE) };
    let top = scene.draw_legend(has_tiles, width, bottom + 8.0, &mut sheet);
    let mut below = Sheet::new();
    let height = top + scene.draw_below(panel, width, &mut below) + MARGIN;
    sheet.moved(0.0, top, below);
    sheet.into_picture(width, height, &scene.caption())
}

/// The table with all its cells, and no card.
pub(super) fn ground(rules: &Mapominoes, state: &State) -> Picture {
    let viewer = Viewer::Seat(Seat::new(0));
    let scene = Scene { cards: Vec::new(), is_whole: true, ..Scene::new(rules, state, viewer, None, Looks::default()) };
    let mut sheet = Sheet::new();
    let (right, bottom) = scene.draw_grid(&mut sheet);
    sheet.into_picture(right + EDGE, bottom + MARGIN, &scene.caption())
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
    viewer: Viewer,
    looks: Looks<'a>,
    hides_borders: bool,
    /// What the viewer may do; nothing if that is not to be marked.
    legal: Vec<Action>,
    /// The county cards that the viewer may play.
    playable: Set,
    /// The cell that was chosen last.
    last: Option<Cell>,
    cards: Vec<Laid>,
    /// Whether all cells of the table are shown.
    is_whole: bool,
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
    fn new(rules: &'a Mapominoes, state: &'a State, viewer: Viewer, last: Option<Action>, looks: Looks<'a>) -> Self {
        let view = state.view(viewer);
        let mut legal = Vec::new();
        if viewer.knows_actions_of(view.to_act()) && !looks.hides_moves() {
            rules.legal_actions(state, &mut legal);
        }
        let county = |action: &Action| if let Action::County(county) = *action { Some(county) } else { None };
        let laid = view.table().cards().map(|(cell, card)| Laid { cell, card, waits: false });
        let waiting = view.phase().waiting().map(|(cell, card)| Laid { cell, card, waits: true });
        Self {
            rules,
            atlas: &rules.atlas,
            view,
            viewer,
            looks,
            hides_borders: looks.get(HIDE_BORDERS) == 1,
            playable: legal.iter().filter_map(county).collect(),
            legal,
            last: if let Some(Action::Cell(cell)) = last { Some(cell) } else { None },
            cards: laid.chain(waiting).collect(),
            is_whole: false,
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

    /// The counties of the atlas.
    fn counties(&self) -> impl Iterator<Item = &atlas::Place> {
        self.atlas.places().iter().take(self.atlas.num_regions())
    }

    /// What a card on the table is called wherever it is.
    fn thing(&self, laid: Laid) -> String {
        if laid.card.is_transit {
            format!("transit card on {}", self.cell_name(laid.cell))
        } else {
            self.atlas.place(laid.card.place).name.clone()
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
            hides_names: self.hides_borders,
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
    fn draw_below(&self, panel: Option<Panel>, width: f64, out: &mut Sheet) -> f64 {
        let edge = width - EDGE;
        let Some(panel) = panel else {
            let y = self.draw_words(edge, out);
            let y = self.draw_nominees(EDGE, edge, y, Set::EMPTY, out);
            return self.draw_hands(&Room { beside: edge, edge, end: 0.0 }, y, out);
        };
        let left = edge - panel.width;
        let under = MARGIN + panel.height + 6.0;
        let end = self.draw_nominees(left, edge, under, panel.regions, out);
        let room = Room { beside: left - BETWEEN, edge, end };
        let y = self.draw_words(room.beside, out);
        let bottom = self.draw_hands(&room, y, out);
        out.put(Role::Map, (left, MARGIN), [-1.0, 0.0, panel.width + 2.0, panel.height + 2.0], panel.drawing);
        bottom.max(end)
    }

    /// What is going on, and the decisions that are marked nowhere else. Returns where the last line stands.
    fn draw_words(&self, right: f64, out: &mut Sheet) -> f64 {
        let mut y = 4.0;
        let mut title = Drawing::new();
        for words in wrapped(self.caption().split_whitespace(), 15.0, right - EDGE, true) {
            y += 20.0;
            title.push(text_from(EDGE, y, &words, 15.0, INK).bold());
        }
        out.add(Role::Title, [EDGE, 8.0, right - EDGE, y - 3.0], title);
        for words in self.circumstances() {
            y += 18.0;
            let area = [EDGE, y - 12.0, measure(&words, 12.0, false), 16.0];
            out.add(Role::Facts, area, [text_from(EDGE, y, &words, 12.0, INK)].into_iter().collect());
        }
        y
    }

    fn caption(&self) -> String {
        let ending = || {
            let (fewest, leaders) = self.rules.leaders(&self.view);
            let ending = self.looks.ending(self.rules.players(), leaders);
            format!("{ending} with {}", counted(fewest.into(), "point"))
        };
        let question = self.rules.question(&self.view);
        format!("Mapominoes: {}", question.map_or_else(ending, |question| self.looks.say(&question)))
    }

    fn circumstances(&self) -> Vec<String> {
        let view = &self.view;
        let (round, rounds) = (view.round() + 1, self.rules.rounds());
        let dealer = shortened(&self.looks.name(view.dealer()), 12.0, 150.0, false);
        let passes = match view.passes() {
            0 => String::new(),
            1 => "; 1 pass in a row".to_owned(),
            passes => format!("; {passes} passes in a row"),
        };
        let mut lines = vec![format!("round {round} of {rounds}, dealt by {dealer}{passes}")];
        if view.asked().is_some() && !self.legal.is_empty() {
            let answers: Vec<String> = self.legal.iter().map(|&action| self.rules.notation(action)).collect();
            lines.push(format!("may choose: {}", answers.join(", ")));
        }
        lines
    }

    /// What a transit card can be nominated as, beside words about that. Returns where it ends.
    fn draw_nominees(&self, left: f64, right: f64, y: f64, on_map: Set, out: &mut Sheet) -> f64 {
        let nominees = self.nominees(on_map);
        if nominees.is_empty() {
            return y;
        }
        let mut rows = Rows::new((left, y + 8.0), right, 6.0);
        let words = "transit cards lead through";
        let wide = measure(words, 12.0, false);
        let words = text_from(0.0, 16.0, words, 12.0, INK);
        out.put(Role::Stock, rows.next(wide, 24.0), [0.0, 0.0, wide, 24.0], [words].into_iter().collect());
        for nominee in nominees {
            let name = shortened(&self.atlas.place(nominee).name, 11.0, 300.0, false);
            let wide = measure(&name, 11.0, false) + 12.0;
            let chip = [
                rect(0.0, 0.0, wide, 24.0, "#ffffff").with("rx", 10).with("stroke", DARK),
                text(wide / 2.0, 16.0, &name, 11.0, INK),
            ];
            let mut parts = Drawing::new();
            self.add(&maps::place(self.atlas, nominee), chip.into_iter().collect(), &mut parts);
            out.put(Role::Stock, rows.next(wide, 24.0), [-1.0, -1.0, wide + 2.0, 26.0], parts);
        }
        rows.bottom() + 6.0
    }

    /// What a transit card can be nominated as; if that is not to be marked, all that may be asked for and is not on the
    /// map.
    fn nominees(&self, on_map: Set) -> Vec<u8> {
        let viewer = self.view.viewer().filter(|&viewer| self.view.to_act() == Some(viewer));
        let has_transit = viewer.is_some_and(|viewer| self.view.num_transit(viewer) > 0);
        if self.looks.hides_moves() && has_transit && self.view.phase() == Phase::Go {
            let places = Set::below(self.atlas.places().len());
            return (places - on_map).iter().collect();
        }
        let nominee = |action: &Action| if let Action::Nominate(nominee) = *action { Some(nominee) } else { None };
        self.legal.iter().filter_map(nominee).collect()
    }

    /// The name of a cell.
    fn cell_name(&self, cell: Cell) -> String {
        cell_name(&self.rules.frame, cell)
    }
}

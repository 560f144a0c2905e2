//! Mapominoes as people see it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::labels::labels;
use super::position::{self, cell_name, column_name, parse_cell};
use super::rules::{Action, Mapominoes, Phase, State, View};
use super::table::{Card, Cell};
use super::{picture, places};
use crate::drawing::{Picture, maps};
use crate::error::Error;
use crate::game::{
    Describe, Look, Looks, Moment, Part, Phrase, Rules, Seat, Setting, Show, Spoken, Tally, Viewer, Wording,
};
use crate::position_text::read_position;
use crate::set::Set;
use crate::text::{WIDTH, fill, push_line, won_by, wrap};

/// What a row's number takes.
const MARGIN: usize = 3;
/// The least and the most that a card takes.
const LEAST: usize = 6;
const MOST: usize = 10;

impl Show for Mapominoes {
    const RULES_IN_SHORT: &'static str = include_str!("short.txt").trim_ascii_end();
    const EXAMPLES: &'static str = include_str!("examples.json");
    const LOOKS: &'static [Look] = picture::LOOKS;

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        let each = [1, 2, 3, 5].map(Value::from).into_iter().chain(["easier".into()]);
        vec![
            ("players", Setting::Number(2, 5)),
            ("atlas", Setting::one_of(["uk-counties", "world-countries", "us-states"])),
            ("nations", Setting::Several(self.atlas.nations().into_iter().map(str::to_owned).collect())),
            ("rounds", Setting::Number(1, 100)),
            ("challenges", Setting::Switch),
            ("staged", Setting::Switch),
            ("draw", Setting::one_of(["stuck", "free"])),
            ("transit_cards", Setting::Number(2, 32)),
            ("transit_each", Setting::one_of(each)),
            ("double_with_transit", Setting::Switch),
        ]
    }

    fn say(&self, action: Action) -> Spoken {
        let name = |place: u8| self.atlas.place(place).name.clone();
        match action {
            Action::County(county) => {
                let phrase = Phrase::does("play", name(county));
                Spoken::new(name(county), phrase, "play a card").at([self.card_place(county)])
            }
            Action::Nominate(nominee) => {
                let name = name(nominee);
                let phrase = Phrase::does("play", format!("a transit card for {name}"));
                Spoken::new(format!("transit {name}"), phrase, "play a transit card")
                    .at([places::transit_card(), maps::region(&name)])
                    .at([places::transit_card(), maps::water(&name)])
            }
            Action::Cell(cell) => {
                let name = cell_name(&self.frame, cell);
                let phrase = Phrase::goes(format!("on {name}"));
                Spoken::new(name, phrase, "choose the cell").at([self.cell_place(cell)])
            }
            Action::Take => Spoken::new("take", Phrase::does("take", "a card"), "take a card from the pile")
                .at([places::pile()])
                .revealing(),
            Action::Challenge => Spoken::new("challenge", Phrase::does("challenge", ""), "challenge"),
            Action::LetItBe => Spoken::new("let it be", Phrase::does("let", "it be"), "let it be"),
        }
    }

    fn picture(&self, state: &State, viewer: Viewer, last: Option<Action>, looks: Looks<'_>) -> Picture {
        picture::draw(self, state, viewer, last, looks)
    }

    fn moment(&self, state: &State) -> Moment {
        let view = state.view(Viewer::Everything);
        let points = view.points()[..self.players()].iter().copied().map(i32::from).collect();
        let part = Part {
            noun: "round",
            number: usize::from(view.round()) + 1,
            of: self.rounds().into(),
            tally: Tally { what: "points", values: points },
            tie_break: None,
        };
        let is_half_made = match view.phase() {
            Phase::Place { .. } | Phase::PlaceTransit { .. } | Phase::Follow { .. } | Phase::PlaceFollow { .. } => true,
            Phase::Go | Phase::Challenge { .. } | Phase::Over => false,
        };
        Moment { part, is_half_made }
    }

    fn parse(&self, text: &str) -> Option<Action> {
        let text = text.trim();
        match text.to_lowercase().split_whitespace().collect::<Vec<_>>()[..] {
            ["take" | "pass"] => return Some(Action::Take),
            ["challenge"] if self.options().challenges => return Some(Action::Challenge),
            ["let", "it", "be"] if self.options().challenges => return Some(Action::LetItBe),
            _ => {}
        }
        if let Some(cell) = parse_cell(&self.frame, text) {
            return Some(Action::Cell(cell));
        }
        let after = text.split_once(char::is_whitespace).filter(|(word, _)| word.eq_ignore_ascii_case("transit"));
        let nominee = after.and_then(|(_, name)| self.atlas.find(name)).map(Action::Nominate);
        nominee.or_else(|| self.atlas.find_region(text).map(Action::County))
    }

    fn text(&self, state: &State, viewer: Viewer) -> String {
        let view = state.view(viewer);
        let sees_choice = viewer.knows_actions_of(view.to_act());
        let mut out = String::new();
        for line in self.heading(&view) {
            fill(&mut out, "", line.split(' ').map(str::to_owned));
        }
        self.write_grid(&mut out, state, &view, sees_choice);
        self.write_transits(&mut out, &view);
        let choice = if sees_choice && !self.options().challenges { self.cards(state).counties } else { Set::EMPTY };
        self.write_seats(&mut out, &view, choice);
        if sees_choice && view.phase() == Phase::Go && !self.options().challenges {
            let nominees = self.cards(state).nominees.iter().map(|place| self.atlas.place(place).abbreviation.clone());
            wrap(&mut out, "transit through", nominees);
        }
        out.truncate(out.trim_end().len());
        out
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
        let view = state.view(viewer);
        let players = self.players();
        let (columns, rows) = self.frame.size();
        let ids = |set: Set| set.iter().map(|place| &*self.atlas.place(place).id).collect::<Vec<_>>();
        let id = |place: u8| &*self.atlas.place(place).id;
        let card = |(cell, card): (Cell, Card)| {
            let place = self.atlas.place(card.place);
            let (row, column) = self.frame.row_column(cell);
            json!({
                "cell": cell_name(&self.frame, cell),
                "row": row,
                "column": column,
                "kind": if card.is_transit { "transit" } else { "county" },
                "id": place.id,
                "name": place.name,
                "abbreviation": place.abbreviation,
                "nation": place.nations.first(),
            })
        };
        let hand = |seat: Seat| {
            json!({
                "counties": view.num_counties(seat),
                "cards": ids(view.known(seat)),
                "transit": view.num_transit(seat),
            })
        };
        let mut legal = Vec::new();
        if viewer.knows_actions_of(view.to_act()) {
            self.legal_actions(state, &mut legal);
        }
        let phase = view.phase();
        let tally = view.tally();
        json!({
            "game": Self::NAME,
            "atlas": &self.options().atlas,
            "noun": self.atlas.noun(),
            "viewer": viewer.seat(),
            "phase": phase.name(),
            "to_act": view.to_act(),
            "turn": view.turn(),
            "dealer": view.dealer(),
            "round": view.round() + 1,
            "rounds": self.rounds(),
            "nations": self.atlas.nations(),
            "table": {
                "columns": columns,
                "rows": rows,
                "cards": view.table().cards().map(card).collect::<Vec<_>>(),
            },
            "chosen": {
                "county": phase.county().map(id),
                "nominee": phase.nominee().map(id),
                "transit_cell": phase.transit().map(|transit| cell_name(&self.frame, transit.cell)),
                "cell": phase.cell().map(|cell| cell_name(&self.frame, cell)),
            },
            "waiting": phase.waiting().map(card).collect::<Vec<_>>(),
            "hands": (0..players).map(|seat| hand(Seat::new(seat))).collect::<Vec<_>>(),
            "pile": view.pile(),
            "undealt": ids(view.undealt()),
            "passes": view.passes(),
            "points": &view.points()[..players],
            "blocked_rounds": tally.blocked_rounds,
            "double_connections": &tally.double_connections[..players],
            "transit_played": &tally.transit_played[..players],
            "legal": legal.into_iter().map(|action| self.notation(action)).collect::<Vec<_>>(),
            "returns": &self.returns(state)[..players],
        })
    }
}

impl Mapominoes {
    /// What is being decided; `None` when the match is over.
    pub(super) fn question(&self, view: &View<'_>) -> Option<Wording> {
        let name = |place: Option<u8>| place.map_or("", |place| &*self.atlas.place(place).name);
        let turn = |verb| Wording::player(view.turn(), verb);
        let (county, nominee) = (name(view.phase().county()), name(view.phase().nominee()));
        Some(match view.phase() {
            Phase::Go => turn("has").text(" a go"),
            Phase::Place { .. } => turn("plays").text(format!(" {county}: where?")),
            Phase::PlaceTransit { .. } => turn("plays").text(format!(" a transit card for {nominee}: where?")),
            Phase::Follow { .. } => {
                turn("goes").text(format!(" through {nominee}: which {} follows?", self.atlas.noun()))
            }
            Phase::PlaceFollow { .. } => turn("goes").text(format!(" through {nominee} to {county}: where?")),
            Phase::Challenge { transit, asked, .. } => {
                let through = transit.map_or_else(String::new, |_| format!("a transit card for {nominee} and "));
                let laid = turn("").text(format!(" laid {through}{county}: will "));
                laid.and_player(asked, "").text(" challenge it?")
            }
            Phase::Over => return None,
        })
    }

    /// The fewest points that somebody has, and who has them.
    pub(super) fn leaders(&self, view: &View<'_>) -> (u16, Vec<usize>) {
        let points = view.points();
        let fewest = points[..self.players()].iter().min().copied().unwrap_or_default();
        (fewest, (0..self.players()).filter(|&seat| points[seat] == fewest).collect())
    }

    fn heading(&self, view: &View<'_>) -> [String; 2] {
        let question = self.question(view).map(|question| question.to_string());
        let what = question.unwrap_or_else(|| won_by(self.players(), self.leaders(view).1));
        let (round, rounds) = (view.round() + 1, self.rounds());
        let dealer = view.dealer().index();
        let later = match view.undealt().len() {
            0 => String::new(),
            cards => format!("; {cards} cards to be dealt later"),
        };
        let passes = match view.passes() {
            0 => String::new(),
            passes => format!("; passes {passes}"),
        };
        [
            format!("Mapominoes: {what}"),
            format!("round {round} of {rounds}, dealt by seat {dealer}; pile {}{later}{passes}", view.pile()),
        ]
    }

    /// The occupied part of the table with the free cells around it, in bands that fit a terminal.
    fn write_grid(&self, out: &mut String, state: &State, view: &View<'_>, sees_choice: bool) {
        let (columns, rows) = self.frame.size();
        let laid = view.table().cards().map(|(cell, card)| (cell, card, ""));
        let waiting = view.phase().waiting().map(|(cell, card)| (cell, card, "?"));
        let cards: Vec<(Cell, Card, &str)> = laid.chain(waiting).collect();
        let occupied: Vec<(usize, usize)> = cards.iter().map(|card| self.frame.row_column(card.0)).collect();
        let span = |numbers: Vec<usize>, limit: usize| {
            let first = numbers.iter().min().copied().unwrap_or_default();
            let last = numbers.iter().max().copied().unwrap_or_default();
            first.saturating_sub(1)..(last + 2).min(limit)
        };
        let shown_rows = span(occupied.iter().map(|place| place.0).collect(), rows);
        let shown_columns: Vec<usize> = span(occupied.iter().map(|place| place.1).collect(), columns).collect();
        let room = (WIDTH - MARGIN) / shown_columns.len() - 1;
        let mut labels = self.labels_within(&cards, room.clamp(LEAST, MOST));
        let width = labels.values().map(|label| label.chars().count()).max().unwrap_or_default().max(2);
        if sees_choice {
            self.cells(state, |cell| {
                labels.insert(cell, "*".to_owned());
            });
        }
        for band in shown_columns.chunks((WIDTH - MARGIN) / (width + 1)) {
            let mut line = " ".repeat(MARGIN - 1);
            for &column in band {
                let _ = write!(line, " {:width$}", column_name(column));
            }
            push_line(out, &line);
            for row in shown_rows.clone() {
                let mut line = format!("{:2}", row + 1);
                for &column in band {
                    let label = self.frame.cell(row, column).and_then(|cell| labels.get(&cell));
                    let _ = write!(line, " {:width$}", label.map_or(".", |label| label));
                }
                push_line(out, &line);
            }
        }
    }

    /// Cards with a mark after them as the grid shows them: a transit card with a `~` before its nominee. No two of
    /// different places look the same.
    fn labels_within(&self, cards: &[(Cell, Card, &str)], width: usize) -> BTreeMap<Cell, String> {
        let shorter: Vec<Vec<String>> = (0..3).map(|less| labels(self.atlas.places(), width - less)).collect();
        let label = |&(cell, card, mark): &(Cell, Card, &str)| {
            let before = if card.is_transit { "~" } else { "" };
            let short = &shorter[before.len() + mark.len()][usize::from(card.place)];
            (cell, format!("{before}{short}{mark}"))
        };
        cards.iter().map(label).collect()
    }

    fn write_transits(&self, out: &mut String, view: &View<'_>) {
        let table = view.table();
        let words = table.transits().iter().filter_map(|&cell| {
            let card = table.card(cell)?;
            Some(format!("{} {}", cell_name(&self.frame, cell), self.atlas.place(card.place).name))
        });
        wrap(out, "~ transit", words);
    }

    /// The hands, as far as they are known; what may be chosen is marked.
    fn write_seats(&self, out: &mut String, view: &View<'_>, choice: Set) {
        for seat in (0..self.players()).map(Seat::new) {
            let marker = if view.to_act() == Some(seat) { '>' } else { ' ' };
            let (counties, transit) = (view.num_counties(seat), view.num_transit(seat));
            let points = view.points()[seat.index()];
            let line = format!(
                "{marker} seat {}: {} cards {counties}, transit cards {transit}, points {points}",
                seat.index(),
                self.atlas.noun()
            );
            push_line(out, &line);
            let words = view.known(seat).iter().map(|county| {
                let mark = if choice.contains(county) { "*" } else { "" };
                format!("{}{mark}", self.atlas.place(county).abbreviation)
            });
            wrap(out, "   ", words);
        }
    }
}

impl Describe for Mapominoes {
    fn position(&self, state: &State) -> String {
        serde_json::to_string(&position::write(self, &state.view(Viewer::Everything))).unwrap_or_default()
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        read_position(self, text, |position| self.state_at(position))
    }
}

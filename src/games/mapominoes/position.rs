//! A position as people describe it: JSON with the names of the atlas and of the cells.

use serde::{Deserialize, Serialize};

use super::rules::{Mapominoes, View};
use super::table::{Card, Cell, Frame};
use crate::atlas::Atlas;
use crate::game::Seat;
use crate::set::Set;

/// A position in words. What is left out has its default; cards that are named nowhere are out of the game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// By cell: a county, or "transit" and what the card stands for.
    #[serde(with = "crate::position_text::pairs")]
    pub table: Vec<(String, String)>,
    /// County cards by seat.
    pub hands: Vec<Vec<String>>,
    /// Transit cards by seat.
    #[serde(default)]
    pub transit: Vec<u8>,
    /// Cards in the draw pile.
    #[serde(default)]
    pub pile: u8,
    /// Number of the round, from 1.
    #[serde(default = "one")]
    pub round: u8,
    /// Who dealt; by default the last seat.
    #[serde(default)]
    pub dealer: Option<usize>,
    /// Whose go it is; by default the seat to the dealer's left.
    #[serde(default)]
    pub turn: Option<usize>,
    /// Goes in a row that ended with neither a card laid nor a card taken.
    #[serde(default)]
    pub passes: u8,
    /// Points by seat.
    #[serde(default)]
    pub points: Vec<u16>,
    /// Cards that are dealt later in the round.
    #[serde(default)]
    pub undealt: Vec<String>,
    /// Cards in a hand that everybody has seen.
    #[serde(default)]
    pub shown: Vec<String>,
    /// What is being decided.
    #[serde(default = "go")]
    pub phase: String,
    /// The county on its way to the table.
    #[serde(default)]
    pub county: Option<String>,
    /// What the transit card on its way to the table stands for.
    #[serde(default)]
    pub nominee: Option<String>,
    /// Where that transit card lies.
    #[serde(default)]
    pub transit_cell: Option<String>,
    /// Where the county card that may be challenged lies.
    #[serde(default)]
    pub cell: Option<String>,
    /// Who is asked for a challenge.
    #[serde(default)]
    pub asked: Option<usize>,
    /// Rounds that nobody won.
    #[serde(default)]
    pub blocked_rounds: u8,
    /// Double connections by seat.
    #[serde(default)]
    pub double_connections: Vec<u16>,
    /// Transit cards played by seat.
    #[serde(default)]
    pub transit_played: Vec<u16>,
}

const fn one() -> u8 {
    1
}

fn go() -> String {
    "go".to_owned()
}

/// The name of a cell: letters for the column, a number for the row.
pub(super) fn cell_name(frame: &Frame, cell: Cell) -> String {
    let (row, column) = frame.row_column(cell);
    format!("{}{}", column_name(column), row + 1)
}

/// A, B, … Z, AA, AB, …
pub(super) fn column_name(column: usize) -> String {
    let letter = |number: usize| char::from(b'A' + number as u8);
    match column / 26 {
        0 => letter(column).to_string(),
        tens => [letter(tens - 1), letter(column % 26)].iter().collect(),
    }
}

/// The cell with this name, in any case.
pub(super) fn parse_cell(frame: &Frame, text: &str) -> Option<Cell> {
    let digits = text.find(|symbol: char| symbol.is_ascii_digit())?;
    let (letters, number) = text.split_at(digits);
    let letters = letters.to_ascii_uppercase();
    let column = (0..frame.size().0).find(|&column| column_name(column) == letters)?;
    let is_plain = number.bytes().all(|symbol| symbol.is_ascii_digit()) && !number.starts_with('0');
    let row = number.parse::<usize>().ok().filter(|_| is_plain)?;
    frame.cell(row.checked_sub(1)?, column)
}

/// Describes a match.
pub(super) fn write(rules: &Mapominoes, view: &View<'_>) -> Position {
    let (atlas, players) = (&rules.atlas, rules.players());
    let ids = |set: Set| set.iter().map(|place| atlas.place(place).id.clone()).collect::<Vec<_>>();
    let id = |place: u8| atlas.place(place).id.clone();
    let seats = || (0..players).map(Seat::new);
    let card = |card: Card| format!("{}{}", if card.is_transit { "transit " } else { "" }, id(card.place));
    let phase = view.phase();
    let tally = view.tally();
    Position {
        table: view.table().cards().map(|(cell, one)| (cell_name(&rules.frame, cell), card(one))).collect(),
        hands: seats().map(|seat| ids(view.known(seat))).collect(),
        transit: seats().map(|seat| view.num_transit(seat)).collect(),
        pile: view.pile(),
        round: view.round() + 1,
        dealer: Some(view.dealer().index()),
        turn: Some(view.turn().index()),
        passes: view.passes(),
        points: view.points()[..players].to_vec(),
        undealt: ids(view.undealt()),
        shown: ids(seats().fold(Set::EMPTY, |all, seat| all | view.shown_for_good(seat))),
        phase: phase.name().to_owned(),
        county: phase.county().map(id),
        nominee: phase.nominee().map(id),
        transit_cell: phase.transit().map(|transit| cell_name(&rules.frame, transit.cell)),
        cell: phase.cell().map(|cell| cell_name(&rules.frame, cell)),
        asked: view.asked().map(Seat::index),
        blocked_rounds: tally.blocked_rounds,
        double_connections: tally.double_connections[..players].to_vec(),
        transit_played: tally.transit_played[..players].to_vec(),
    }
}

/// Turns the words of a description into numbers.
pub(super) struct Reader<'a> {
    pub atlas: &'a Atlas,
    pub frame: &'a Frame,
}

impl Reader<'_> {
    pub fn region(&self, text: &str) -> Result<u8, String> {
        self.atlas.find_region(text).ok_or_else(|| format!("no region {text:?} in the atlas"))
    }

    pub fn place(&self, text: &str) -> Result<u8, String> {
        self.atlas.find(text).ok_or_else(|| format!("no region, sea or country {text:?} in the atlas"))
    }

    pub fn cell(&self, text: &str) -> Result<Cell, String> {
        let (columns, rows) = self.frame.size();
        let last = || cell_name(self.frame, Cell((self.frame.num_cells() - 1) as u16));
        let wrong = || format!("no cell {text:?}: the table has {columns} columns and {rows} rows, A1 to {}", last());
        parse_cell(self.frame, text.trim()).ok_or_else(wrong)
    }

    pub fn card(&self, text: &str) -> Result<Card, String> {
        let is_transit = text.get(..8).is_some_and(|word| word.eq_ignore_ascii_case("transit "));
        let place = if is_transit { self.place(&text[8..])? } else { self.region(text)? };
        Ok(Card { place, is_transit })
    }

    pub fn regions(&self, names: &[String]) -> Result<Set, String> {
        let mut regions = Set::EMPTY;
        for name in names {
            let region = self.region(name)?;
            if regions.contains(region) {
                return Err(format!("{name:?} is in two places"));
            }
            regions.insert(region);
        }
        Ok(regions)
    }
}

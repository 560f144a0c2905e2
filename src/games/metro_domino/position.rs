//! A position as people describe it: JSON with the names of the lines and stations.

use serde::{Deserialize, Serialize};

use super::encode::tile_name;
use super::rules::{MetroDomino, View};
use super::stations::Deck;
use super::tiles::{Play, Tile, Tiles};
use crate::game::Seat;

/// A position in words. What is left out has its default.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// By line: its tiles from the station outwards, each with the half towards the station first.
    #[serde(with = "crate::position_text::pairs", default)]
    pub lines: Vec<(String, Vec<String>)>,
    /// Tiles by seat.
    pub hands: Vec<Vec<String>>,
    /// The stations that somebody opened.
    #[serde(default)]
    pub opened: Vec<Opened>,
    /// Metro tokens by seat.
    #[serde(default)]
    pub tokens: Vec<u8>,
    /// Tiles of the store; by default all that are named nowhere else. If it is given, those are out of the game.
    #[serde(default)]
    pub store: Option<Vec<String>>,
    /// Passes in a row.
    #[serde(default)]
    pub passes: u8,
    /// Whose turn it is.
    #[serde(default)]
    pub turn: usize,
    /// Who began the game.
    #[serde(default)]
    pub first: usize,
    /// What is being decided.
    #[serde(default = "turn")]
    pub phase: String,
    /// The tile just drawn.
    #[serde(default)]
    pub drawn: Option<String>,
    /// Games won, by seat.
    #[serde(default)]
    pub wins: Vec<u8>,
    /// Number of the game, from 1.
    #[serde(default = "one")]
    pub game_number: u16,
}

/// A station that somebody opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// Which.
    pub station: String,
    /// By whom.
    pub by: usize,
    /// The line that led there.
    pub line: String,
}

fn turn() -> String {
    "turn".to_owned()
}

const fn one() -> u16 {
    1
}

/// A tile on a line in words: the half towards the station, then the outward one.
pub(super) fn laid_name(play: Play) -> String {
    let (inward, outward) = play.inward_outward();
    format!("{inward}-{outward}")
}

/// The two halves that a text names, in its order.
pub(super) fn parse_halves(text: &str) -> Option<(u8, u8)> {
    let (one, other) = text.trim().trim_start_matches('[').trim_end_matches(']').split_once(['-', '–', '|', ':'])?;
    let half = |text: &str| text.trim().parse::<u8>().ok().filter(|_| text.trim().len() == 1);
    Some((half(one)?, half(other)?))
}

/// Describes a match.
pub(super) fn write(rules: &MetroDomino, view: &View<'_>) -> Position {
    let deck = &rules.deck;
    let names = |tiles: Tiles| tiles.iter().map(tile_name).collect::<Vec<_>>();
    let seats = || (0..rules.players()).map(Seat::new);
    let line = |number: usize| {
        let tiles = view.laid_on(number as u8).map(laid_name);
        (deck.tracks()[number].name.clone(), tiles.collect::<Vec<_>>())
    };
    let opened = view.openings().iter().map(|opening| Opened {
        station: deck.stations()[usize::from(opening.station)].id.clone(),
        by: opening.by.into(),
        line: deck.tracks()[usize::from(opening.line)].name.clone(),
    });
    Position {
        lines: (0..deck.tracks().len()).map(line).filter(|(_, tiles)| !tiles.is_empty()).collect(),
        hands: seats().map(|seat| names(view.hand(seat).unwrap_or_default())).collect(),
        opened: opened.collect(),
        tokens: seats().map(|seat| view.tokens(seat)).collect(),
        store: view.store().map(names),
        passes: view.passes(),
        turn: view.turn().index(),
        first: view.first().index(),
        phase: view.phase().to_owned(),
        drawn: view.drawn().map(tile_name),
        wins: view.wins()[..rules.players()].to_vec(),
        game_number: view.game() + 1,
    }
}

/// Turns the words of a description into numbers.
pub(super) struct Reader<'a> {
    pub deck: &'a Deck,
}

impl Reader<'_> {
    pub fn station(&self, text: &str) -> Result<u8, String> {
        self.deck.find_station(text).ok_or_else(|| format!("no station {text:?}"))
    }

    pub fn line(&self, text: &str) -> Result<u8, String> {
        self.deck.find_line(text).ok_or_else(|| format!("no line {text:?}"))
    }

    pub fn play(text: &str, line: u8) -> Result<Play, String> {
        let tile = Self::tile(text)?;
        let (_, outward) = parse_halves(text).unwrap_or_default();
        Ok(MetroDomino::facing(tile, line, outward))
    }

    pub fn tile(text: &str) -> Result<Tile, String> {
        let tile = parse_halves(text).and_then(|(one, other)| Tile::with(one, other));
        tile.ok_or_else(|| format!("no tile {text:?}: the tiles are 0-0 to 9-9"))
    }

    pub fn tiles(names: &[String]) -> Result<Tiles, String> {
        let mut tiles = Tiles::default();
        for name in names {
            let tile = Self::tile(name)?;
            if tiles.contains(tile) {
                return Err(format!("{name:?} is in two places"));
            }
            tiles.insert(tile);
        }
        Ok(tiles)
    }
}

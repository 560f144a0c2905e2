//! A position as people describe it: JSON with dominoes and sides in the game's notation.

use serde::{Deserialize, Serialize};

use super::lattice::Direction;
use super::pieces::{Dominoes, Facing, Pieces, Squares};
use super::rules::{Domiphun, View};
use super::words::{end_name, facing_name, parse_direction, parse_end, parse_facing};
use crate::game::Seat;

/// A position in words. What is left out has its default.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The dominoes on the table, in their order.
    #[serde(default)]
    pub laid: Vec<String>,
    /// Pieces by seat.
    pub hands: Vec<Vec<Piece>>,
    /// Pieces of the pool; by default all that are named nowhere else. If it is given, those are out of the game.
    #[serde(default)]
    pub pool: Option<Vec<Piece>>,
    /// X joiners by seat; by default what the options give.
    #[serde(default)]
    pub x_joiners: Option<Vec<u8>>,
    /// Starjoiners by seat; by default what the options give.
    #[serde(default)]
    pub starjoiners: Option<Vec<u8>>,
    /// Pieces taken in this turn.
    #[serde(default)]
    pub taken: u8,
    /// Misses in a row with an empty pool.
    #[serde(default)]
    pub misses: u8,
    /// Whose turn it is.
    #[serde(default)]
    pub turn: usize,
    /// Who started the game.
    #[serde(default)]
    pub first: usize,
    /// What is being decided.
    #[serde(default = "turn")]
    pub phase: String,
    /// The end at which a play is being made.
    #[serde(default)]
    pub end: Option<String>,
    /// The domino that is being played.
    #[serde(default)]
    pub domino: Option<String>,
    /// The square to which it is joined after a Starjoiner.
    #[serde(default)]
    pub plate: Option<u8>,
    /// Games won, by seat.
    #[serde(default)]
    pub wins: Vec<u8>,
    /// Points, by seat.
    #[serde(default)]
    pub points: Vec<u16>,
    /// Number of the game, from 1.
    #[serde(default = "one")]
    pub game_number: u8,
}

/// A square by its value, or a domino by its name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "a value from 0 to 6, or a domino such as \"3-5\"")]
pub enum Piece {
    /// A square.
    Square(u8),
    /// A domino of the traditional game.
    Domino(String),
}

/// How a domino came to the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Play {
    /// Which way round.
    pub domino: Facing,
    /// The end; none for the first domino.
    pub end: Option<u8>,
    /// Where in space, in the advanced game.
    pub at: Option<Where>,
}

/// Where in space a domino is joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Where {
    /// The square, after a Starjoiner; else it is the end.
    pub plate: Option<u8>,
    /// The side.
    pub side: Direction,
    /// The same straight on, another direction at a right angle.
    pub heading: Direction,
}

fn turn() -> String {
    "turn".to_owned()
}

const fn one() -> u8 {
    1
}

impl Position {
    /// The dominoes on the table as plays.
    pub(super) fn plays(&self) -> Result<Vec<Play>, String> {
        let example = "such as \"3-5\", \"5-6 B\", \"6-1 B east up\" or \"3-4 A plate 2 north\"";
        let read = |text: &String| parse_play(text).ok_or_else(|| format!("laid: {text:?} is no play {example}"));
        self.laid.iter().map(read).collect()
    }

    pub(super) fn end(&self) -> Result<Option<u8>, String> {
        let read = |text: &String| parse_end(text).ok_or_else(|| format!("no end {text:?}: ends are A, B, …"));
        self.end.as_ref().map(read).transpose()
    }

    pub(super) fn domino(&self) -> Result<Option<Facing>, String> {
        self.domino.as_deref().map(facing).transpose()
    }
}

fn facing(text: &str) -> Result<Facing, String> {
    parse_facing(text).ok_or_else(|| format!("no domino {text:?}: the dominoes are 0-0 to 6-6"))
}

fn parse_play(text: &str) -> Option<Play> {
    let mut words = text.split_whitespace().peekable();
    let domino = parse_facing(words.next()?)?;
    let end = match words.next() {
        None => return Some(Play { domino, end: None, at: None }),
        Some(word) => Some(parse_end(word)?),
    };
    let plate = match words.next_if(|word| word.eq_ignore_ascii_case("plate")) {
        None => None,
        Some(_) => Some(words.next()?.parse().ok()?),
    };
    let at = match (words.next(), words.next(), words.next()) {
        (None, ..) => plate.is_none().then_some(None)?,
        (Some(side), heading, None) => {
            let side = parse_direction(side)?;
            Some(Where { plate, side, heading: heading.map_or(Some(side), parse_direction)? })
        }
        _ => return None,
    };
    Some(Play { domino, end, at })
}

fn play_text(play: Play) -> String {
    let mut text = facing_name(play.domino);
    if let Some(end) = play.end {
        text = format!("{text} {}", end_name(end));
    }
    if let Some(Where { plate, side, heading }) = play.at {
        if let Some(plate) = plate {
            text = format!("{text} plate {plate}");
        }
        text = format!("{text} {}", side.name());
        if heading != side {
            text = format!("{text} {}", heading.name());
        }
    }
    text
}

/// Describes a match.
pub(super) fn write(rules: &Domiphun, view: &View<'_>) -> Position {
    let players = rules.players();
    let seats = || (0..players).map(Seat::new);
    let phase = view.phase();
    let joiners = |numbers: [u8; 4]| rules.is_advanced().then(|| numbers[..players].to_vec());
    Position {
        laid: view.table().plays().map(play_text).collect(),
        hands: seats().map(|seat| view.hand(seat).map_or_else(Vec::new, names)).collect(),
        pool: view.pool().map(names),
        x_joiners: joiners(*view.x_joiners()),
        starjoiners: joiners(*view.starjoiners()),
        taken: view.taken(),
        misses: view.misses(),
        turn: view.turn().index(),
        first: view.first().index(),
        phase: phase.name().to_owned(),
        end: phase.end().map(end_name).map(Into::into),
        domino: phase.domino().map(facing_name),
        plate: phase.plate().filter(|_| view.is_restart()),
        wins: view.wins()[..players].to_vec(),
        points: view.points()[..players].to_vec(),
        game_number: view.game() + 1,
    }
}

fn names(pieces: Pieces) -> Vec<Piece> {
    match pieces {
        Pieces::Squares(squares) => squares.iter().map(Piece::Square).collect(),
        Pieces::Dominoes(dominoes) => {
            dominoes.iter().map(|domino| Piece::Domino(facing_name(domino.facing()))).collect()
        }
    }
}

impl Pieces {
    /// Takes away the pieces of a domino in a game of so many values, or says that they are not there.
    pub(super) fn take_domino(&mut self, domino: Facing, values: u8) -> Result<(), String> {
        match self {
            Self::Squares(squares) => {
                take_square(squares, domino.inner, values)?;
                take_square(squares, domino.outer, values)
            }
            Self::Dominoes(dominoes) => take_named(dominoes, domino, values),
        }
    }

    /// Takes away the pieces of a list.
    pub(super) fn take_all(&mut self, pieces: &[Piece], values: u8) -> Result<Self, String> {
        let mut taken = self.none();
        for piece in pieces {
            match (&mut *self, &mut taken, piece) {
                (Self::Squares(left), Self::Squares(taken), &Piece::Square(value)) => {
                    take_square(left, value, values)?;
                    taken.insert(value);
                }
                (Self::Dominoes(left), Self::Dominoes(taken), Piece::Domino(name)) => {
                    let domino = facing(name)?;
                    take_named(left, domino, values)?;
                    taken.extend(domino.domino());
                }
                (Self::Squares(_), _, _) => return Err("hands and pool are lists of values, such as 3".to_owned()),
                _ => return Err("hands and pool are lists of dominoes, such as \"3-5\"".to_owned()),
            }
        }
        Ok(taken)
    }
}

fn take_square(squares: &mut Squares, value: u8, values: u8) -> Result<(), String> {
    if value >= values {
        return Err(format!("no square {value}: the values are 0 to {} (DOMI-1)", values - 1));
    }
    if squares.count(value) == 0 {
        return Err(format!("more than {} squares show {value} (DOMI-1)", values + 1));
    }
    squares.remove(value);
    Ok(())
}

fn take_named(dominoes: &mut Dominoes, facing: Facing, values: u8) -> Result<(), String> {
    let name = facing_name(facing);
    let top = values - 1;
    if facing.inner.max(facing.outer) > top {
        return Err(format!("no domino {name:?}: the dominoes are 0-0 to {top}-{top}"));
    }
    match facing.domino().filter(|&domino| dominoes.contains(domino)) {
        Some(domino) => dominoes.remove(domino),
        None => return Err(format!("{name:?} is in two places")),
    }
    Ok(())
}

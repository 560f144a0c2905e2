//! What can be agreed before the game, and what of it makes sense.

use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

use super::super::board::{CENTRE, Cell, NUM_BORDER, Square, outside};
use super::super::position;
use super::setup::{Agreed, Board, Draw};
use super::{Mapello, NUM_PIECES};
use crate::error::Error;
use crate::game::Rules as _;

/// How the board is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Setup {
    /// As given (MAPE-13).
    Fixed,
    /// Drawn (MAPE-14).
    #[default]
    Random,
    /// Played (MAPE-15).
    Free,
    /// Without pieces (MAPE-16).
    Othello,
}

/// Which way round the first four discs lie (MAPE-4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Opening {
    /// Black on d4 and e5.
    Mapello,
    /// White on d4 and e5.
    Othello,
}

/// What maps a drawn set-up onto itself (MAPE-14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Symmetry {
    /// Nothing has to.
    #[default]
    None,
    /// Half a turn.
    Rotate,
    /// The diagonal from a1 to h8.
    Diagonal,
}

/// How many of a piece, or where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "a number of pieces, a pair [least, most] or a list of cells such as \"c3\" or [3, 3]")]
pub enum Pieces {
    /// So many, drawn or to be placed.
    Count(u8),
    /// At least and at most so many, to be placed.
    Between(u8, u8),
    /// On these cells.
    Cells(Vec<CellName>),
}

impl Pieces {
    fn is_none(&self) -> bool {
        match self {
            Self::Count(most) | Self::Between(_, most) => *most == 0,
            Self::Cells(cells) => cells.is_empty(),
        }
    }
}

/// A cell as people give it: `"c3"` for an inner cell, `"0,4"` or `[0, 4]` (row, column) for any.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CellName {
    /// Row and column on the 10×10 board.
    RowColumn(u8, u8),
    /// Column letter and row number, or row and column with a comma.
    Name(String),
}

/// How Mapello is to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// how the board is set up: "random", "fixed", "free" (set up by the players) or "othello" (no pieces)
    pub setup: Setup,
    /// rows and columns that are played on: 8, or 6 or 4 in the middle with walls around and no jokers
    pub size: u8,
    /// the first four discs: "mapello" (black d4, e5) or "othello" (white d4, e5); by default as the set-up has it
    pub opening: Option<Opening>,
    /// random: how many, 0 to 8; free: exactly how many, or a pair [least, most], by default [0, 8]; fixed: list of
    /// inner cells, such as "c3" or (3, 3)
    pub walls: Option<Pieces>,
    /// random and free: how many, as for walls; fixed: list of inner cells
    pub bonuses: Option<Pieces>,
    /// random and free: how many, as for walls; fixed: list of border cells (row, column) with a 0 or 9, such as "0,4"
    pub jokers: Option<Pieces>,
    /// fixed: the set-up as text, ten rows of ten characters, instead of lists
    pub board: Option<String>,
    /// random: "none", "rotate" (half a turn) or "diagonal" maps the set-up onto itself
    pub symmetry: Symmetry,
    /// games of a match, 1 to 100; colours, or the set-up player, alternate
    pub games: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            setup: Setup::default(),
            size: WHOLE,
            opening: None,
            walls: None,
            bonuses: None,
            jokers: None,
            board: None,
            symmetry: Symmetry::default(),
            games: 1,
        }
    }
}

/// Rows and columns of the inner board (MAPE-1).
pub(super) const WHOLE: u8 = 8;
const MAX_GAMES: u8 = 100;

/// Walls, bonuses and jokers of a random set-up unless the caller says otherwise (MAPE-14, MAPE-20).
pub(in super::super) const fn usual_pieces(size: u8) -> [u8; 3] {
    match size {
        4 => [1, 1, 0],
        6 => [2, 2, 0],
        _ => [4, 4, 4],
    }
}

/// How the first board comes about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Board(Board),
    Draw(Draw),
    Play(Agreed),
}

/// The options with defaults filled in, and what they amount to.
pub(super) fn settle(mut options: Options) -> Result<(Options, Source), Error> {
    let size = options.size;
    if ![4, 6, WHOLE].contains(&size) {
        return refuse(format!("size = {size}: 8, 6 or 4 are allowed (MAPE-20)"));
    }
    if !(1..=MAX_GAMES).contains(&options.games) {
        return refuse(format!("games = {}: a match has 1 to {MAX_GAMES} games", options.games));
    }
    if size < WHOLE && options.jokers.as_ref().is_some_and(|jokers| !jokers.is_none()) {
        return refuse(format!("jokers: none with size = {size}, where the border is out of reach (MAPE-20)"));
    }
    let setup = options.setup;
    let given = [("walls", &options.walls), ("bonuses", &options.bonuses), ("jokers", &options.jokers)];
    if let Some((name, _)) = given.into_iter().find(|(_, pieces)| pieces.is_some()) {
        if setup == Setup::Othello {
            return refuse(format!("{name}: only with setup=\"random\", setup=\"free\" or setup=\"fixed\""));
        }
        if options.board.is_some() {
            return refuse(format!("{name}: the set-up is given by board already"));
        }
    }
    if options.board.is_some() && setup != Setup::Fixed {
        return refuse("board: only with setup=\"fixed\"".to_owned());
    }
    if options.symmetry != Symmetry::None && setup != Setup::Random {
        return refuse("symmetry: only with setup=\"random\"".to_owned());
    }
    let usual = if setup == Setup::Othello { Opening::Othello } else { Opening::Mapello };
    options.opening.get_or_insert(usual);
    let source = match setup {
        Setup::Othello => Source::Board(Board::default()),
        Setup::Free => free(&mut options)?,
        Setup::Fixed => Source::Board(fixed(&options)?),
        Setup::Random => random(&mut options)?,
    };
    Ok((options, source))
}

fn refuse<T>(message: String) -> Result<T, Error> {
    Err(Error::Options { game: Mapello::NAME, message })
}

fn fixed(options: &Options) -> Result<Board, Error> {
    let board = if let Some(text) = &options.board {
        position::parse_setup(text, options.size).or_else(|error| refuse(format!("board: {error}")))?
    } else {
        let walls = inner("walls", options.walls.as_ref(), options.size)?;
        let bonuses = inner("bonuses", options.bonuses.as_ref(), options.size)?;
        if walls & bonuses != 0 {
            let (row, column) = Square::Inner(Cell((walls & bonuses).trailing_zeros() as u8)).row_column();
            return refuse(format!("bonuses: there is a wall on {row},{column}, one piece a cell (MAPE-3)"));
        }
        Board { walls, bonuses, jokers: border("jokers", options.jokers.as_ref())? }
    };
    for (name, pieces) in [("walls", board.walls), ("bonuses", board.bonuses), ("jokers", board.jokers)] {
        if pieces.count_ones() > u32::from(NUM_PIECES) {
            return refuse(format!("{name}: {} pieces, at most {NUM_PIECES} (MAPE-2)", pieces.count_ones()));
        }
    }
    if !board.is_playable(options) {
        return refuse("walls: nobody could ever move on this set-up".to_owned());
    }
    Ok(board)
}

fn random(options: &mut Options) -> Result<Source, Error> {
    let symmetry = options.symmetry;
    let [usual_walls, usual_bonuses, usual_jokers] = usual_pieces(options.size);
    let count = |name, pieces: &mut Option<Pieces>, usual: u8| match pieces {
        Some(Pieces::Cells(_)) => {
            refuse(format!("{name}: a random set-up takes a number; setup=\"fixed\" takes cells"))
        }
        Some(Pieces::Between(least, most)) => refuse(format!(
            "{name} = [{least}, {most}]: a random set-up takes a number; setup=\"free\" takes [least, most]"
        )),
        Some(Pieces::Count(count)) if *count > NUM_PIECES => too_many(name, *count),
        Some(Pieces::Count(count)) if symmetry == Symmetry::Rotate && *count % 2 == 1 => {
            refuse(format!("{name} = {count}: with symmetry=\"rotate\" a number must be even"))
        }
        Some(Pieces::Count(count)) => Ok(*count),
        None => {
            let count = match symmetry {
                Symmetry::Rotate => usual & !1,
                _ => usual,
            };
            *pieces = Some(Pieces::Count(count));
            Ok(count)
        }
    };
    let walls = count("walls", &mut options.walls, usual_walls)?;
    let bonuses = count("bonuses", &mut options.bonuses, usual_bonuses)?;
    let jokers = count("jokers", &mut options.jokers, usual_jokers)?;
    check_room(walls, bonuses, options.size)?;
    Ok(Source::Draw(Draw::new([walls, bonuses, jokers], symmetry, options.size)))
}

fn free(options: &mut Options) -> Result<Source, Error> {
    let numbers = |name, pieces: &mut Option<Pieces>, usual: u8| match *pieces.get_or_insert(Pieces::Between(0, usual))
    {
        Pieces::Cells(_) => {
            refuse(format!("{name}: free play takes a number or [least, most]; setup=\"fixed\" takes cells"))
        }
        Pieces::Count(most) | Pieces::Between(_, most) if most > NUM_PIECES => too_many(name, most),
        Pieces::Between(least, most) if least > most => {
            refuse(format!("{name} = [{least}, {most}]: the least comes first, then the most (MAPE-15)"))
        }
        Pieces::Count(count) => Ok((count, count)),
        Pieces::Between(least, most) => Ok((least, most)),
    };
    let walls = numbers("walls", &mut options.walls, NUM_PIECES)?;
    let bonuses = numbers("bonuses", &mut options.bonuses, NUM_PIECES)?;
    let jokers = numbers("jokers", &mut options.jokers, if options.size < WHOLE { 0 } else { NUM_PIECES })?; // MAPE-20
    check_room(walls.0, bonuses.0, options.size)?;
    Ok(Source::Play(Agreed { least: [walls.0, bonuses.0, jokers.0], most: [walls.1, bonuses.1, jokers.1] }))
}

fn too_many<T>(name: &str, count: u8) -> Result<T, Error> {
    refuse(format!("{name} = {count}: the box holds {NUM_PIECES} of each, 0 to {NUM_PIECES} are allowed (MAPE-2)"))
}

fn check_room(walls: u8, bonuses: u8, size: u8) -> Result<(), Error> {
    let room = (!(CENTRE | outside(size))).count_ones();
    if u32::from(walls + bonuses) <= room {
        return Ok(());
    }
    refuse(format!("walls = {walls}, bonuses = {bonuses}: size = {size} has {room} cells for them (MAPE-20)"))
}

fn inner(name: &str, pieces: Option<&Pieces>, size: u8) -> Result<u64, Error> {
    squares(name, pieces, |square, shown| match square {
        Square::Inner(cell) if cell.bit() & outside(size) != 0 => {
            refuse(format!("{name}: {shown} is not on the board of {size} rows and columns (MAPE-20)"))
        }
        Square::Inner(cell) if cell.bit() & CENTRE == 0 => Ok(cell.bit()),
        Square::Inner(_) => refuse(format!("{name}: {shown} is a centre square, which stays free (MAPE-3)")),
        Square::Border(_) => refuse(format!("{name}: {shown} is on the border, which takes jokers only (MAPE-1)")),
    })
}

fn border(name: &str, pieces: Option<&Pieces>) -> Result<u64, Error> {
    squares(name, pieces, |square, shown| match square {
        Square::Border(cell) => Ok(cell.bit()),
        Square::Inner(_) => refuse(format!("{name}: {shown} is not on the border; jokers lie there only (MAPE-3)")),
    })
}

fn squares(
    name: &str,
    pieces: Option<&Pieces>,
    bit: impl Fn(Square, &str) -> Result<u64, Error>,
) -> Result<u64, Error> {
    let cells = match pieces {
        None => return Ok(0),
        Some(Pieces::Cells(cells)) => cells,
        Some(Pieces::Count(count)) => {
            return refuse(format!("{name} = {count}: a fixed set-up takes a list of cells"));
        }
        Some(Pieces::Between(one, other)) => {
            return refuse(format!("{name} = [{one}, {other}]: a fixed set-up takes a list of cells"));
        }
    };
    let mut set = 0;
    for cell in cells {
        let (square, shown) = match cell {
            CellName::RowColumn(row, column) => {
                (Square::at(usize::from(*row), usize::from(*column)), format!("{row},{column}"))
            }
            CellName::Name(text) => (position::parse_square(text), text.clone()),
        };
        let Some(square) = square else {
            return refuse(format!(
                "{name}: no cell {shown:?}: inner cells are a1 to h8, and any cell is \"row,column\" with 0 to 9"
            ));
        };
        let bit = bit(square, &shown)?;
        if set & bit != 0 {
            return refuse(format!("{name}: {shown} is listed twice, one piece a cell (MAPE-3)"));
        }
        set |= bit;
    }
    Ok(set)
}

/// All border cells.
pub(super) const RING: u64 = (1 << NUM_BORDER) - 1;

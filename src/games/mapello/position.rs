//! Positions and cells as text (MAPE-17).

use super::board::{CENTRE, Cell, Square, outside};
use super::rules::{Board, Colour, Content, Mapello, NUM_PIECES, Phase, Piece, Setup, State, View};
use crate::bits;
use crate::error::Error;
use crate::game::{Rules as _, Viewer};

/// Row 10 while a board is set up, and while a colour is picked.
const SET_UP: &str = "set-up";
const COLOUR: &str = "colour";

/// The ten rows of the board, then the side to move and the bonuses taken by black and white, or what of the set-up is
/// being decided.
pub(super) fn write(view: &View<'_>) -> String {
    let [black, white] = view.taken();
    let turn = if view.turn() == Colour::Black { 'X' } else { 'O' };
    let tail = match view.phase() {
        Phase::SetUp => SET_UP.to_owned(),
        Phase::Colour => COLOUR.to_owned(),
        Phase::Play | Phase::Over => format!("{turn} {black} {white}"),
    };
    format!("{}\n{tail}", rows(view).join("\n"))
}

/// The ten rows of the board.
pub(super) fn rows(view: &View<'_>) -> Vec<String> {
    let symbol = |row, column| symbol(Square::at(row, column).and_then(|square| view.content(square)));
    (0..10).map(|row| (0..10).map(|column| symbol(row, column)).collect()).collect()
}

/// What stands for a cell in a position.
pub(super) const fn symbol(content: Option<Content>) -> char {
    match content {
        None => '.',
        Some(Content::Disc(Colour::Black)) => 'X',
        Some(Content::Disc(Colour::White)) => 'O',
        Some(Content::Piece(Piece::Wall)) => '#',
        Some(Content::Piece(Piece::Bonus)) => '+',
        Some(Content::Piece(Piece::Joker)) => 'J',
    }
}

/// A position, or an ordinary Othello board and a side: 64 characters, or as many as a smaller board has cells.
pub(super) fn parse(rules: &Mapello, text: &str) -> Result<State, Error> {
    let size = rules.options().size;
    let text = text.trim_end();
    let lines: Vec<&str> = text.lines().collect();
    let is_othello =
        lines.len() == 1 || lines.first().is_some_and(|line| line.trim().chars().count() == usize::from(size));
    let Described { board, discs, moment } = if is_othello { othello(text, size)? } else { mapello(&lines, size)? };
    match moment {
        Some(Moment::Turn(turn, taken)) => Ok(rules.state_at(board, discs, turn, taken)),
        Some(Moment::SetUp(phase)) => set_up(rules, board, discs, phase),
        None => wrong(10, 0, "expected the side to move and the bonuses taken, such as \"X 0 0\""),
    }
}

/// A set-up being played (MAPE-15).
fn set_up(rules: &Mapello, board: Board, discs: [u64; 2], phase: Phase) -> Result<State, Error> {
    if rules.options().setup != Setup::Free {
        return wrong(10, 0, "a set-up is played with setup=\"free\" only (MAPE-15)");
    }
    let state = rules.set_up_at(board, phase);
    let opening = state.view(Viewer::Everything).discs();
    let stray = (discs[0] ^ opening[0]) | (discs[1] ^ opening[1]);
    if stray != 0 {
        let (row, column) = Square::Inner(Cell(stray.trailing_zeros() as u8)).row_column();
        return wrong(
            row,
            column,
            "while a board is set up, the opening's four discs lie there and no others (MAPE-4)",
        );
    }
    match rules.validate(&state) {
        Err(Error::State { message, .. }) => wrong(10, 0, format!("{message} (MAPE-15)")),
        checked => checked.map(|()| state),
    }
}

/// The pieces of a set-up given as text; discs may lie on the centre squares only.
pub(super) fn parse_setup(text: &str, size: u8) -> Result<Board, Error> {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let Described { board, discs, moment } = mapello(&lines, size)?;
    let stray = (discs[0] | discs[1]) & !CENTRE;
    if stray != 0 {
        let (row, column) = Square::Inner(Cell(stray.trailing_zeros() as u8)).row_column();
        return wrong(row, column, "a disc outside the centre: a game in progress is a position, not a set-up");
    }
    if matches!(moment, Some(Moment::Turn(_, taken)) if taken != [0; 2]) {
        return wrong(10, 0, "bonuses taken: a game in progress is a position, not a set-up");
    }
    Ok(board)
}

struct Described {
    board: Board,
    discs: [u64; 2],
    moment: Option<Moment>,
}

/// What row 10 says.
enum Moment {
    /// The side to move, and the bonuses taken by black and by white.
    Turn(Colour, [u8; 2]),
    /// What of the set-up is being decided.
    SetUp(Phase),
}

fn wrong<T>(row: usize, column: usize, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::Position { row, column, message: message.into() })
}

fn mapello(lines: &[&str], size: u8) -> Result<Described, Error> {
    let mut described = Described { board: Board::default(), discs: [0; 2], moment: None };
    for row in 0..10 {
        let Some(line) = lines.get(row) else {
            return wrong(row, 0, format!("missing: expected 10 rows, got {}", lines.len()));
        };
        let line = line.trim();
        if line.chars().count() != 10 {
            let length = line.chars().count();
            return wrong(row, length.min(10), format!("expected 10 characters, got {length}: {line:?}"));
        }
        for (column, symbol) in line.chars().enumerate() {
            described.put(row, column, symbol, size)?;
        }
    }
    if let Some(line) = lines.get(10) {
        described.moment = Some(tail(line, described.board.bonuses.count_ones())?);
    }
    match lines.get(11) {
        Some(line) => wrong(11, 0, format!("nothing may follow the side to move, got {line:?}")),
        None => Ok(described),
    }
}

impl Described {
    fn put(&mut self, row: usize, column: usize, symbol: char, size: u8) -> Result<(), Error> {
        let Board { walls, bonuses, jokers } = &mut self.board;
        let [black, white] = &mut self.discs;
        let (set, bit, name) = match (Square::at(row, column), symbol) {
            (Some(Square::Inner(cell)), _) if cell.bit() & outside(size) != 0 => {
                return match symbol {
                    '#' => Ok(()),
                    _ => {
                        wrong(row, column, format!("{symbol:?} around the board of size {size}: expected # (MAPE-20)"))
                    }
                };
            }
            (Some(_), '.') => return Ok(()),
            (Some(Square::Border(_)), 'J') if outside(size) != 0 => {
                return wrong(row, column, format!("a joker around the board of size {size}: expected . (MAPE-20)"));
            }
            (Some(Square::Border(cell)), 'J') => (jokers, cell.bit(), "jokers"),
            (Some(Square::Border(_)), _) => {
                return wrong(row, column, format!("{symbol:?} on the border, which takes . or J only"));
            }
            (Some(Square::Inner(cell)), 'X') => (black, cell.bit(), ""),
            (Some(Square::Inner(cell)), 'O') => (white, cell.bit(), ""),
            (Some(Square::Inner(cell)), '#' | '+') if cell.bit() & CENTRE != 0 => {
                return wrong(row, column, format!("{symbol:?} on a centre square (MAPE-3)"));
            }
            (Some(Square::Inner(cell)), '#') => (walls, cell.bit(), "walls"),
            (Some(Square::Inner(cell)), '+') => (bonuses, cell.bit(), "bonuses"),
            (Some(Square::Inner(_)), 'J') => {
                return wrong(row, column, "a joker inside; jokers lie on the border only");
            }
            _ => return wrong(row, column, format!("unknown character {symbol:?}: expected one of . X O # + J")),
        };
        *set |= bit;
        if !name.is_empty() && set.count_ones() > u32::from(NUM_PIECES) {
            return wrong(row, column, format!("more than {NUM_PIECES} {name} (MAPE-2)"));
        }
        Ok(())
    }
}

fn tail(line: &str, bonuses: u32) -> Result<Moment, Error> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (side, black, white) = match words[..] {
        [SET_UP] => return Ok(Moment::SetUp(Phase::SetUp)),
        [COLOUR] => return Ok(Moment::SetUp(Phase::Colour)),
        [side, black, white] => (side, black, white),
        _ => {
            return wrong(
                10,
                0,
                format!("expected the side to move and two bonus counts, such as \"X 0 0\", got {line:?}"),
            );
        }
    };
    let turn = colour(side, 10, 0)?;
    let count = |word: &str| word.parse::<u8>().ok().filter(|&count| count <= NUM_PIECES);
    let (Some(black), Some(white)) = (count(black), count(white)) else {
        return wrong(10, 2, format!("the bonus counts must be 0 to {NUM_PIECES}, got {line:?}"));
    };
    if bonuses + u32::from(black) + u32::from(white) > u32::from(NUM_PIECES) {
        return wrong(
            10,
            2,
            format!(
                "{bonuses} bonuses on the board and {black} + {white} taken: there are {NUM_PIECES} at most (MAPE-2)"
            ),
        );
    }
    Ok(Moment::Turn(turn, [black, white]))
}

fn colour(side: &str, row: usize, column: usize) -> Result<Colour, Error> {
    match side {
        "X" => Ok(Colour::Black),
        "O" => Ok(Colour::White),
        _ => wrong(row, column, format!("the side to move must be X or O, got {side:?}")),
    }
}

fn othello(text: &str, size: u8) -> Result<Described, Error> {
    let mut symbols = text.chars().filter(|symbol| !symbol.is_whitespace());
    let mut described = Described { board: Board::default(), discs: [0; 2], moment: None };
    for (number, cell) in bits::each(!outside(size)).enumerate() {
        let (row, column) = Square::Inner(Cell(cell)).row_column();
        match symbols.next() {
            Some('.' | '-') => {}
            Some('X') => described.discs[0] |= 1 << cell,
            Some('O') => described.discs[1] |= 1 << cell,
            Some(symbol) => {
                return wrong(row, column, format!("unknown character {symbol:?}: expected one of . - X O"));
            }
            None => {
                let all = size * size;
                return wrong(row, column, format!("missing: an Othello board has {all} cells, got {number}"));
            }
        }
    }
    let rest: String = symbols.collect();
    described.moment = Some(Moment::Turn(colour(&rest, 9, 1)?, [0; 2]));
    Ok(described)
}

/// `c3`, or `3,3` as row and column of the 10×10 board.
pub(super) fn parse_square(text: &str) -> Option<Square> {
    let text = text.trim();
    if let Some((row, column)) = text.split_once(',') {
        return Square::at(row.trim().parse().ok()?, column.trim().parse().ok()?);
    }
    parse_cell(text).map(Square::Inner)
}

/// `c3`: column and row of an inner cell, in either case.
pub(super) fn parse_cell(text: &str) -> Option<Cell> {
    let [column, row] = text.as_bytes() else { return None };
    let column = column.to_ascii_lowercase().wrapping_sub(b'a');
    let row = row.wrapping_sub(b'1');
    (column < 8 && row < 8).then(|| Cell(row * 8 + column))
}

/// What a cell is called, as [`parse_square`] reads it: `c3`, or row and column of one on the border.
pub(super) fn square_name(square: Square) -> String {
    match square {
        Square::Inner(Cell(n)) => format!("{}{}", char::from(b'a' + n % 8), n / 8 + 1),
        Square::Border(_) => {
            let (row, column) = square.row_column();
            format!("{row},{column}")
        }
    }
}

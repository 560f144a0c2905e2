//! What a seat may know of a match: the lines, the stations, the numbers, and its own tiles.

use serde::Serialize;

use super::super::stations::MAX_LINES;
use super::super::tiles::{ALL, Play, Tile, Tiles};
use super::{MAX_PLAYERS, Opening, Phase, State};
use crate::bits;
use crate::game::{Seat, Viewer};

/// The only window on [`State`] for everyone outside the rules.
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a State,
    viewer: Viewer,
}

/// How far a line has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Tiles that lie on it.
    pub tiles: u8,
    /// The value that the next tile has to match; none before the first.
    pub end: Option<u8>,
    /// Whether it belongs to an opened station and is not closed.
    pub is_open: bool,
}

/// What a line is (METR-4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineState {
    /// Its station is not opened yet.
    Waiting,
    /// It can be begun.
    Open,
    /// It has a tile and is not complete.
    Active,
    /// It is complete.
    Closed,
}

impl Stretch {
    /// What the line is.
    #[inline(always)]
    #[must_use]
    pub const fn state(self) -> LineState {
        match (self.is_open, self.tiles) {
            (true, 0) => LineState::Open,
            (true, _) => LineState::Active,
            (false, 0) => LineState::Waiting,
            (false, _) => LineState::Closed,
        }
    }
}

/// What is being decided, as everybody at the table knows it: a [`Phase`] without its tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A tile to add, or to draw one, or to pass.
    Turn,
    /// Whether to play the tile just drawn.
    Drawn,
    /// Whether to use the right to one more tile.
    Extra,
    /// Whether to spend a metro token.
    More,
    /// The tile for which a token was spent.
    Spent,
    /// Nothing: the match is over.
    Over,
}

impl<'a> View<'a> {
    #[inline(always)]
    pub(super) fn new(state: &'a State, viewer: Viewer) -> Self {
        Self { state, viewer }
    }

    /// The name of what is being decided.
    #[inline(always)]
    #[must_use]
    pub fn phase(&self) -> &'static str {
        self.state.phase.name()
    }

    /// What is being decided.
    #[inline(always)]
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.state.phase {
            Phase::Turn => Stage::Turn,
            Phase::Drawn { .. } => Stage::Drawn,
            Phase::Extra => Stage::Extra,
            Phase::More => Stage::More,
            Phase::Spent => Stage::Spent,
            Phase::Over => Stage::Over,
        }
    }

    /// Whether this is the first decision of a turn.
    #[inline(always)]
    #[must_use]
    pub fn begins_turn(&self) -> bool {
        self.state.phase == Phase::Turn
    }

    /// The tile just drawn, if the viewer may see it.
    #[inline(always)]
    #[must_use]
    pub fn drawn(&self) -> Option<Tile> {
        match self.state.phase {
            Phase::Drawn { tile } if self.sees(self.state.turn) => Some(tile),
            _ => None,
        }
    }

    #[inline(always)]
    fn sees(&self, seat: Seat) -> bool {
        self.viewer.sees(seat)
    }

    /// The seat whose decision it is.
    #[inline(always)]
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.state.to_act()
    }

    /// The seat whose turn it is.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self) -> Seat {
        self.state.turn
    }

    /// The seat that began the game.
    #[inline(always)]
    #[must_use]
    pub fn first(&self) -> Seat {
        self.state.first
    }

    /// Number of the game within the match, from 0.
    #[inline(always)]
    #[must_use]
    pub fn game(&self) -> u16 {
        self.state.game
    }

    /// Games won, by seat.
    #[inline(always)]
    #[must_use]
    pub fn wins(&self) -> [u8; MAX_PLAYERS] {
        self.state.wins
    }

    /// How far a line has come.
    #[inline(always)]
    #[must_use]
    pub fn line(&self, line: u8) -> Stretch {
        let (lines, tiles) = (&self.state.lines, self.state.lines.tiles()[usize::from(line)]);
        Stretch { tiles, end: (tiles > 0).then_some(lines.end(line)), is_open: self.state.open >> line & 1 == 1 }
    }

    /// How many tiles lie on each line, 0 beyond the last.
    #[inline(always)]
    #[must_use]
    pub fn tiles_by_line(&self) -> &'a [u8; MAX_LINES] {
        self.state.lines.tiles()
    }

    /// The open lines as bits: those that belong to an opened station and are not closed.
    #[inline(always)]
    #[must_use]
    pub fn open(&self) -> u64 {
        self.state.open
    }

    /// The active lines as bits: the open ones with tiles.
    #[inline(always)]
    #[must_use]
    pub fn active(&self) -> u64 {
        self.state.open & self.state.lines.begun()
    }

    /// The lines that belong to an opened station and are not closed.
    #[inline(always)]
    pub fn open_lines(&self) -> impl Iterator<Item = u8> {
        bits::each(self.state.open)
    }

    /// The tiles on the table: all that are nowhere else.
    #[inline(always)]
    #[must_use]
    pub fn laid_tiles(&self) -> Tiles {
        Tiles(ALL.0 & !(self.hidden().0 | self.state.aside.0))
    }

    /// The tiles of all hands and the store.
    #[inline(always)]
    fn hidden(&self) -> Tiles {
        Tiles(self.state.hands.iter().fold(self.state.store.0, |all, hand| all | hand.0))
    }

    /// Every tile on the table, those of a line in its order.
    #[inline(always)]
    #[must_use]
    pub fn laid(&self) -> impl ExactSizeIterator<Item = Play> + use<'a> {
        self.state.laid.iter()
    }

    /// The tiles of a line, from its station outwards.
    pub fn laid_on(&self, line: u8) -> impl Iterator<Item = Play> + use<'a> {
        self.laid().filter(move |play| play.line == line)
    }

    /// The station at the end of a line, if one was opened there.
    #[inline(always)]
    #[must_use]
    pub fn opened_by(&self, line: u8) -> Option<Opening> {
        self.openings().iter().copied().find(|opening| opening.line == line)
    }

    /// The opened stations, in their order.
    #[inline(always)]
    #[must_use]
    pub fn openings(&self) -> &'a [Opening] {
        &self.state.openings
    }

    /// Stations that are not opened yet.
    #[inline(always)]
    #[must_use]
    pub fn num_unopened(&self) -> u32 {
        self.state.unopened.count_ones()
    }

    /// The tiles of a seat, if the viewer may see them.
    #[inline(always)]
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Option<Tiles> {
        self.sees(seat).then_some(self.state.hands[seat.index()])
    }

    /// How many tiles a seat holds.
    #[inline(always)]
    #[must_use]
    pub fn num_tiles(&self, seat: Seat) -> usize {
        self.state.hands[seat.index()].len()
    }

    /// The tiles that the viewer has not seen: in other hands or in the store.
    #[inline(always)]
    #[must_use]
    pub fn unseen(&self) -> Tiles {
        match self.viewer {
            Viewer::Everything => self.state.store,
            Viewer::Seat(seat) => Tiles(self.hidden().0 & !self.state.hands[seat.index()].0),
            Viewer::Onlooker => self.hidden(),
        }
    }

    /// The tiles of the store; for somebody who sees everything.
    #[inline(always)]
    #[must_use]
    pub fn store(&self) -> Option<Tiles> {
        self.viewer.sees_everything().then_some(self.state.store)
    }

    /// How many tiles the store has.
    #[inline(always)]
    #[must_use]
    pub fn num_store(&self) -> usize {
        self.state.store.len()
    }

    /// Metro tokens of a seat.
    #[inline(always)]
    #[must_use]
    pub fn tokens(&self, seat: Seat) -> u8 {
        self.state.tokens[seat.index()]
    }

    /// Metro tokens that nobody has.
    #[inline(always)]
    #[must_use]
    pub fn supply(&self) -> u8 {
        self.state.supply()
    }

    /// The stations that a seat has opened, as bits.
    #[inline(always)]
    #[must_use]
    pub fn stations_of(&self, seat: Seat) -> u64 {
        self.state.openings.by(seat.index())
    }

    /// How many stations a seat has opened.
    #[inline(always)]
    #[must_use]
    pub fn num_stations(&self, seat: Seat) -> usize {
        self.state.stations_of(seat.index())
    }

    /// Stations less tiles.
    #[inline(always)]
    #[must_use]
    pub fn score(&self, seat: Seat) -> i32 {
        self.state.score(seat.index())
    }

    /// Passes in a row.
    #[inline(always)]
    #[must_use]
    pub fn passes(&self) -> u8 {
        self.state.passes
    }
}

//! The rules of Mapello. What is hidden from nobody still goes out through [`View`], as in every game.

mod legal;
mod options;
mod setup;
mod validate;
mod view;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::board::{Border, Cell, Jokers, Square, after_eight, flips, moves, outside};
use crate::bits;
use crate::error::Error;
use crate::game::{Nature, Play, Refusal, Returns, Rules, Seat, Viewer};
use crate::layout::Layout;
use crate::rng::Rng;
use options::Source;

pub(super) use options::usual_pieces;
pub use options::{CellName, Opening, Options, Pieces, Setup, Symmetry};
use setup::Agreed;
pub use setup::Board;
pub use view::{Sides, View};

/// Walls, bonuses and jokers in the box, of each (MAPE-2).
pub const NUM_PIECES: u8 = 8;
/// How many matches are worked on at a time: several times eight, so that what is written set by set has arrived when it
/// is read eight sets at a time.
const TOGETHER: usize = 64;
/// What a bonus is worth (MAPE-9).
pub const BONUS: u32 = 3;

/// Mapello with its options.
#[derive(Clone, Debug)]
pub struct Mapello {
    options: Options,
    source: Source,
    /// The start on a board without what chance or the players put there.
    bare: State,
    pub(super) actions: Layout,
    pub(super) observation: Layout,
    pub(super) facts: Layout,
}

/// The colours; black moves first (MAPE-5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Colour {
    /// The other one.
    #[inline(always)]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }
}

/// What a board is set up with (MAPE-2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Takes no disc and ends a line.
    Wall,
    /// Counts for whoever places a disc on it.
    Bonus,
    /// On the border, a disc of whoever moves.
    Joker,
}

impl Piece {
    /// All of them, in the order in which numbers of pieces are given.
    pub const ALL: [Self; 3] = [Self::Wall, Self::Bonus, Self::Joker];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Bonus => "bonus",
            Self::Joker => "joker",
        }
    }
}

/// What lies on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// A disc of a colour.
    Disc(Colour),
    /// A piece of the set-up.
    Piece(Piece),
}

/// What is being decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The set-up player places a piece, or finishes (MAPE-15).
    SetUp,
    /// The other player picks a colour (MAPE-15).
    Colour,
    /// The side to move places a disc, or passes.
    Play,
    /// Nothing: the match is over.
    Over,
}

/// One match at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Discs of the side to move; of black until the game begins.
    own: u64,
    /// Discs of the other side.
    other: u64,
    /// Cells where the side to move may place a disc.
    moves: u64,
    walls: u64,
    /// Bonuses that nobody has taken.
    bonuses: u64,
    /// Bonuses of the set-up, for the next game of the match.
    all_bonuses: u64,
    jokers: Jokers,
    /// Points over the finished games, by seat.
    points: [i16; 2],
    /// Games won, by seat.
    wins: [u8; 2],
    /// Bonuses taken, by colour.
    taken: [u8; 2],
    /// Number of the game within the match.
    game: u8,
    /// The seat that plays black; seat 0 until it is known.
    black: Seat,
    turn: Colour,
    phase: Phase,
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Place a disc.
    Disc(Cell),
    /// Have no move (MAPE-10).
    Pass,
    /// Set up a wall.
    Wall(Cell),
    /// Set up a bonus.
    Bonus(Cell),
    /// Set up a joker.
    Joker(Border),
    /// End the set-up.
    Finish,
    /// Pick a colour.
    Take(Colour),
}

impl Action {
    /// The cell that something is put on.
    #[must_use]
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Disc(cell) | Self::Wall(cell) | Self::Bonus(cell) => Some(Square::Inner(cell)),
            Self::Joker(cell) => Some(Square::Border(cell)),
            Self::Pass | Self::Finish | Self::Take(_) => None,
        }
    }

    /// The piece that is set up.
    #[must_use]
    pub const fn piece(self) -> Option<Piece> {
        match self {
            Self::Wall(_) => Some(Piece::Wall),
            Self::Bonus(_) => Some(Piece::Bonus),
            Self::Joker(_) => Some(Piece::Joker),
            Self::Disc(_) | Self::Pass | Self::Finish | Self::Take(_) => None,
        }
    }
}

impl Rules for Mapello {
    const NAME: &'static str = "mapello";
    const TITLE: &'static str = "Mapello";
    const SUMMARY: &'static str = "Reversi on a board with walls that block, bonuses that score and jokers on the border that end a line for everybody.";
    const VERSION: u32 = 0;
    const REWARDS_AND_END: [&'static str; 2] = [
        "At the end of the match +1 for the winner, -1 for the loser, 0 each for a draw; 0 before.",
        "A game ends when neither player has a legal move. A match has as many games as the option says; most games won decides it, then the difference in points.",
    ];

    type Options = Options;
    type State = State;
    type Action = Action;

    fn new(options: Options) -> Result<Self, Error> {
        let (options, source) = options::settle(options)?;
        let actions = super::encode::actions(options.setup);
        let (observation, facts) = (super::encode::observation(&options), super::facts::facts(options.setup));
        let mut rules = Self { options, source, bare: State::empty(), actions, observation, facts };
        let board = if let Source::Board(board) = &rules.source { *board } else { Board::default() };
        rules.bare = rules.start_on(board);
        Ok(rules)
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn num_seats(&self) -> usize {
        2
    }

    fn start(&self, rng: &mut Rng) -> State {
        let Source::Draw(draw) = &self.source else { return self.bare.clone() };
        loop {
            let board = draw.board(rng);
            if board.is_playable(&self.options) {
                return self.start_on(board);
            }
        }
    }

    #[inline(always)]
    fn to_act(&self, state: &State) -> Option<Seat> {
        state.view(Viewer::Everything).to_act()
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        match state.phase {
            Phase::Play if state.moves == 0 => out.push(Action::Pass),
            Phase::Play => out.extend(bits::each(state.moves).map(|n| Action::Disc(Cell(n)))),
            Phase::SetUp => self.legal_set_up(state, out),
            Phase::Colour => out.extend([Action::Take(Colour::Black), Action::Take(Colour::White)]),
            Phase::Over => {}
        }
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, action: Action) -> bool {
        match (state.phase, action) {
            (Phase::Play, Action::Disc(cell)) => state.moves & cell.bit() != 0,
            (Phase::Play, Action::Pass) => state.moves == 0,
            _ => self.objection(state, action).is_none(),
        }
    }

    fn why_not(&self, state: &State, action: Action) -> Refusal {
        self.objection(state, action).unwrap_or_else(|| Refusal::new("", "it is legal"))
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, action: Action, _: &mut Rng) {
        match action {
            Action::Disc(cell) => {
                let flipped = flips(cell, state.own, state.other, &state.jokers);
                let (own, other) = (state.other & !flipped, state.own | flipped | cell.bit());
                self.hand_over(state, cell.bit(), own, other, moves(own, other, u64::MAX, &state.jokers));
            }
            Action::Pass => {
                state.change_sides();
                state.find_moves();
            }
            _ => self.apply_set_up(state, action),
        }
    }

    #[inline(always)]
    fn returns(&self, state: &State) -> Returns {
        if state.phase == Phase::Over { state.result() } else { [0.0; _] }
    }

    fn range_of_returns(&self) -> [f32; 2] {
        [-1.0, 1.0]
    }

    /// Everything lies open, but for set-ups that are still to be drawn.
    fn nature(&self) -> Nature {
        let has_chance = self.options.setup == Setup::Random;
        Nature { has_chance, has_hidden: has_chance && self.options.games > 1, ..Nature::default() }
    }

    fn resample_hidden(&self, _: &mut State, _: Seat, _: &mut Rng) {
        // Everything lies open.
    }

    fn contradiction(&self, state: &State) -> Option<String> {
        self.flaw(state).map(str::to_owned)
    }
}

impl Mapello {
    /// Plays in each of several matches, on eight boards at a time.
    #[inline(always)]
    pub(super) fn apply_several<'a>(&self, mut plays: impl Iterator<Item = Play<'a, Self>>) {
        let mut states = [const { None }; TOGETHER];
        let [mut placed, mut own, mut other] = [[0; TOGETHER]; 3];
        let mut count = TOGETHER;
        while count == TOGETHER {
            count = 0;
            let mut rings = 0;
            while count < TOGETHER {
                let Some(Play { state, action, rng }) = plays.next() else { break };
                placed[count] = match action {
                    Action::Disc(cell) => cell.bit(),
                    Action::Pass => 0,
                    _ => {
                        self.apply(state, action, rng);
                        continue;
                    }
                };
                (own[count], other[count]) = (state.own, state.other);
                rings |= state.jokers.ring();
                states[count] = Some(state);
                count += 1;
            }
            let boards = placed.as_chunks().0.iter().zip(own.as_chunks().0).zip(other.as_chunks().0);
            for (states, ((placed, own), other)) in states[..count].chunks_mut(8).zip(boards) {
                let jokers =
                    |i: usize| if let Some(Some(state)) = states.get(i) { &state.jokers } else { &Jokers::NONE };
                let jokers = (rings != 0).then(|| std::array::from_fn(jokers));
                let after = after_eight(placed, own, other, jokers);
                for (i, state) in states.iter_mut().enumerate() {
                    if let Some(state) = state {
                        self.hand_over(state, placed[i], after.own[i], after.other[i], after.moves[i]);
                    }
                }
            }
        }
    }

    /// What follows a placed disc: it takes a bonus (MAPE-9), and the other side has these discs, and may place one on
    /// these cells if they are free.
    #[inline(always)]
    fn hand_over(&self, state: &mut State, placed: u64, own: u64, other: u64, moves: u64) {
        state.taken[state.turn as usize] += u8::from(state.bonuses & placed != 0);
        state.bonuses &= !placed;
        (state.own, state.other) = (own, other);
        state.turn = state.turn.other();
        state.moves = moves & state.free();
        if state.moves == 0 {
            self.settle(state);
        }
    }

    /// A match on the set-up of a position, its first game standing there (MAPE-17).
    pub(super) fn state_at(&self, board: Board, discs: [u64; 2], turn: Colour, taken: [u8; 2]) -> State {
        let mut state = State::empty();
        state.set_up(board, self.outside());
        [state.own, state.other] = if turn == Colour::Black { discs } else { [discs[1], discs[0]] };
        state.turn = turn;
        state.taken = taken;
        state.phase = Phase::Play;
        state.find_moves();
        if state.moves == 0 {
            self.settle(&mut state);
        }
        state
    }

    /// A match whose first game is being set up, or waits for a colour (MAPE-15, MAPE-17).
    pub(super) fn set_up_at(&self, board: Board, phase: Phase) -> State {
        let mut state = State::empty();
        self.start_game(&mut state);
        state.set_up(board, self.outside());
        state.phase = phase;
        state
    }

    /// The start on a board without what chance or the players put there.
    pub(in super::super) fn without_chance(&self) -> &State {
        &self.bare
    }

    /// A match whose first game begins on this board.
    fn start_on(&self, board: Board) -> State {
        let mut state = State::empty();
        state.set_up(board, self.outside());
        self.start_game(&mut state);
        state
    }

    /// The cells around the board that is played on (MAPE-20).
    pub(in super::super) fn outside(&self) -> u64 {
        outside(self.options.size)
    }

    /// Walls, bonuses and jokers that may still be set up, and how many of them must be.
    pub(super) fn left_and_missing(&self, state: &State) -> [[u8; 3]; 2] {
        let board = self.board(state);
        self.agreed().map_or([[0; 3]; 2], |agreed| [agreed.left(&board), agreed.missing(&board)])
    }

    fn agreed(&self) -> Option<Agreed> {
        if let Source::Play(agreed) = self.source { Some(agreed) } else { None }
    }

    /// The pieces on the board.
    fn board(&self, state: &State) -> Board {
        Board { walls: state.walls & !self.outside(), bonuses: state.bonuses, jokers: state.jokers.ring() }
    }

    #[cold]
    fn apply_set_up(&self, state: &mut State, action: Action) {
        match action {
            Action::Wall(cell) => state.walls |= cell.bit(),
            Action::Bonus(cell) => {
                state.bonuses |= cell.bit();
                state.all_bonuses = state.bonuses;
            }
            Action::Joker(cell) => state.jokers = Jokers::from(state.jokers.ring() | cell.bit()),
            Action::Finish => state.phase = Phase::Colour,
            Action::Take(colour) => {
                let chooser = other_seat(state.set_up_seat());
                state.black = if colour == Colour::Black { chooser } else { other_seat(chooser) };
                self.start_play(state);
            }
            Action::Disc(_) | Action::Pass => {}
        }
    }

    /// Begins the next game of the match on the board as it is set up (MAPE-18).
    fn start_game(&self, state: &mut State) {
        [state.own, state.other] = setup::opening(self.options.opening);
        state.turn = Colour::Black; // MAPE-5
        state.taken = [0; 2];
        state.moves = 0;
        if self.options.setup == Setup::Free {
            state.set_up(Board::default(), self.outside());
            state.black = Seat::new(0);
            state.phase = Phase::SetUp;
        } else {
            state.bonuses = state.all_bonuses;
            state.black = state.set_up_seat();
            self.start_play(state);
        }
    }

    fn start_play(&self, state: &mut State) {
        state.phase = Phase::Play;
        state.find_moves();
        if state.moves == 0 {
            self.settle(state);
        }
    }

    /// The side to move has no move: it has to pass, or the game is over (MAPE-10, MAPE-11).
    #[cold]
    fn settle(&self, state: &mut State) {
        if moves(state.other, state.own, state.free(), &state.jokers) != 0 {
            return;
        }
        let score = state.score();
        let seats = [Colour::Black, Colour::White].map(|colour| state.seat(colour).index());
        state.points[seats[0]] += score[0] as i16;
        state.points[seats[1]] += score[1] as i16;
        match score[0].cmp(&score[1]) {
            Ordering::Greater => state.wins[seats[0]] += 1,
            Ordering::Less => state.wins[seats[1]] += 1,
            Ordering::Equal => {}
        }
        if state.game + 1 < self.options.games {
            state.game += 1;
            self.start_game(state);
        } else {
            state.phase = Phase::Over;
        }
    }
}

const fn other_seat(seat: Seat) -> Seat {
    Seat::new(1 ^ seat.index() & 1)
}

impl State {
    fn empty() -> Self {
        Self {
            own: 0,
            other: 0,
            moves: 0,
            walls: 0,
            bonuses: 0,
            all_bonuses: 0,
            jokers: Jokers::default(),
            points: [0; 2],
            wins: [0; 2],
            taken: [0; 2],
            game: 0,
            black: Seat::new(0),
            turn: Colour::Black,
            phase: Phase::SetUp,
        }
    }

    /// Sets up the pieces, with walls all over `outside` (MAPE-20).
    fn set_up(&mut self, board: Board, outside: u64) {
        self.walls = board.walls | outside;
        self.bonuses = board.bonuses;
        self.all_bonuses = board.bonuses;
        self.jokers = Jokers::from(board.jokers);
    }

    /// What `viewer` may know; all of it when there is none.
    #[inline(always)]
    #[must_use]
    pub fn view(&self, viewer: impl Into<Viewer>) -> View<'_> {
        View::new(self, viewer.into())
    }

    /// The seat that plays a colour.
    #[inline(always)]
    fn seat(&self, colour: Colour) -> Seat {
        // Whose turn it is cannot be predicted across lanes: no branch.
        Seat::new((self.black.index() ^ colour as usize) & 1)
    }

    /// Who sets up this game; with a given set-up, who plays black (MAPE-18).
    fn set_up_seat(&self) -> Seat {
        Seat::new(usize::from(self.game % 2))
    }

    #[inline(always)]
    fn free(&self) -> u64 {
        !(self.own | self.other | self.walls)
    }

    #[inline(always)]
    fn find_moves(&mut self) {
        self.moves = moves(self.own, self.other, self.free(), &self.jokers);
    }

    #[inline(always)]
    fn change_sides(&mut self) {
        std::mem::swap(&mut self.own, &mut self.other);
        self.turn = self.turn.other();
    }

    /// Discs of black and of white.
    #[inline(always)]
    fn discs(&self) -> [u64; 2] {
        match self.turn {
            Colour::Black => [self.own, self.other],
            Colour::White => [self.other, self.own],
        }
    }

    /// Points of black and of white (MAPE-12).
    fn score(&self) -> [u32; 2] {
        let discs = self.discs();
        std::array::from_fn(|colour| discs[colour].count_ones() + BONUS * u32::from(self.taken[colour]))
    }

    /// How seat 0 stands against seat 1 after the finished games: games won, then points (MAPE-19).
    fn order(&self) -> Ordering {
        let ([wins_0, wins_1], [points_0, points_1]) = (self.wins, self.points);
        wins_0.cmp(&wins_1).then(points_0.cmp(&points_1))
    }

    #[cold]
    fn result(&self) -> Returns {
        let mut returns = Returns::default();
        let order = self.order();
        returns[0] = f32::from(order as i8);
        returns[1] = f32::from(order.reverse() as i8);
        returns
    }
}

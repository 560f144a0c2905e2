//! The rules of Mapello. What is hidden from nobody still goes out through [`View`], as in every game.

mod options;
mod setup;
mod view;

use serde::{Deserialize, Serialize};

use super::board::{Border, CENTRE, Cell, Jokers, flips, moves, outside};
use crate::bits;
use crate::error::Error;
use crate::game::{Play, Refusal, Returns, Rules, Seat, Wording};
use crate::layout::Layout;
use crate::rng::Rng;
use options::{RING, Source, WHOLE};

pub(super) use options::usual_pieces;
pub use options::{CellName, Opening, Options, Pieces, Setup, Symmetry};
use setup::Agreed;
pub use setup::Board;
pub use view::{Sides, View};

/// Walls, bonuses and jokers in the box, of each (MAPE-2).
pub const NUM_PIECES: u8 = 8;
/// How many matches are worked on at a time.
const TOGETHER: usize = 8;
/// What a bonus is worth (MAPE-9).
pub const BONUS: u32 = 3;

/// Mapello with its options.
#[derive(Clone, Debug)]
pub struct Mapello {
    options: Options,
    source: Source,
    pub(super) actions: Layout,
    pub(super) observation: Layout,
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
        Ok(Self { options, source, actions, observation: super::encode::observation() })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn num_seats(&self) -> usize {
        2
    }

    fn start(&self, rng: &mut Rng) -> State {
        let mut state = State::empty();
        let board = match &self.source {
            Source::Play(_) => Board::default(),
            Source::Board(board) => *board,
            Source::Draw(draw) => loop {
                let board = draw.board(rng);
                if board.is_playable(&self.options) {
                    break board;
                }
            },
        };
        state.set_up(board, self.outside());
        self.start_game(&mut state);
        state
    }

    #[inline(always)]
    fn to_act(&self, state: &State) -> Option<Seat> {
        state.view(None).to_act()
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
            _ => self.check_rare(state, action).is_ok(),
        }
    }

    fn why_not(&self, state: &State, action: Action) -> Refusal {
        self.check_rare(state, action).err().unwrap_or_else(|| Refusal::new("", "the match is over"))
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, action: Action, _: &mut Rng) {
        match action {
            Action::Disc(cell) => {
                state.place(cell, state.flips(cell));
                if state.moves == 0 {
                    self.settle(state);
                }
            }
            Action::Pass => state.change_sides(),
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

    fn resample_hidden(&self, _: &mut State, _: Seat, _: &mut Rng) {
        // Everything lies open.
    }

    fn contradiction(&self, state: &State) -> Option<String> {
        state.contradiction(self).map(str::to_owned)
    }
}

impl Mapello {
    #[inline(always)]
    pub(super) fn apply_several<'a>(&self, plays: impl Iterator<Item = Play<'a, Self>>) {
        // One match waits for its flips before its moves; several keep the processor busy.
        let mut together: [Option<(&mut State, Cell, u64)>; TOGETHER] = [const { None }; TOGETHER];
        let mut count = 0;
        for Play { state, action, rng } in plays {
            let Action::Disc(cell) = action else {
                self.apply(state, action, rng);
                continue;
            };
            let flipped = state.flips(cell);
            together[count] = Some((state, cell, flipped));
            count += 1;
            if count == TOGETHER {
                self.place_each(&mut together);
                count = 0;
            }
        }
        self.place_each(&mut together[..count]);
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

    /// The cells around the board that is played on (MAPE-20).
    pub(super) fn outside(&self) -> u64 {
        outside(self.options.size)
    }

    #[inline(always)]
    fn place_each(&self, together: &mut [Option<(&mut State, Cell, u64)>]) {
        for (state, cell, flipped) in together.iter_mut().flatten() {
            state.place(*cell, *flipped);
            if state.moves == 0 {
                self.settle(state);
            }
        }
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

    /// Whether a set-up has no more pieces than agreed and can be finished, or has been (MAPE-15).
    fn is_as_agreed(&self, state: &State) -> bool {
        let board = self.board(state);
        self.agreed().is_some_and(|agreed| {
            let is_complete = state.phase == Phase::SetUp || agreed.missing(&board) == [0; 3];
            is_complete && agreed.has_no_more(&board) && agreed.is_in_reach(&board, &self.options)
        })
    }

    fn legal_set_up(&self, state: &State, out: &mut Vec<Action>) {
        let Some(agreed) = self.agreed() else { return };
        let board = self.board(state);
        let left = agreed.left(&board);
        let room = [board.room(self.options.size), RING & !board.jokers];
        let open = |kind: usize, cells: u64| bits::each(if left[kind] > 0 { cells } else { 0 });
        let walls = open(0, room[0]).map(|n| Action::Wall(Cell(n)));
        let bonuses = open(1, room[0]).map(|n| Action::Bonus(Cell(n)));
        let jokers = open(2, room[1]).map(|n| Action::Joker(Border(n)));
        let pieces = walls.chain(bonuses).chain(jokers);
        let is_at_ease = agreed.is_at_ease(&board, &self.options);
        out.extend(pieces.filter(|&piece| is_at_ease || agreed.is_in_reach(&board.with(piece), &self.options)));
        if agreed.missing(&board) == [0; 3] {
            out.push(Action::Finish);
        }
    }

    /// Whether a piece may be placed there, or the set-up be finished (MAPE-2, MAPE-3, MAPE-15).
    fn check_set_up(&self, state: &State, action: Action) -> Result<(), Refusal> {
        let Some(agreed) = self.agreed() else { return refuse("MAPE-15", "the set-up is finished") };
        let board = self.board(state);
        let (kind, is_taken) = match action {
            Action::Wall(cell) | Action::Bonus(cell) if cell.bit() & CENTRE != 0 => {
                return refuse("MAPE-3", "the four centre squares take no piece");
            }
            Action::Wall(cell) => (0, cell.bit() & board.room(self.options.size) == 0),
            Action::Bonus(cell) => (1, cell.bit() & board.room(self.options.size) == 0),
            Action::Joker(cell) => (2, cell.bit() & board.jokers != 0),
            Action::Disc(_) | Action::Pass => return refuse("MAPE-15", "the board is still being set up"),
            Action::Take(_) => return refuse("MAPE-15", "there is no colour to pick now"),
            Action::Finish => {
                let missing = agreed.missing(&board);
                return if missing == [0; 3] { Ok(()) } else { refuse_too_few(missing) };
            }
        };
        if agreed.left(&board)[kind] == 0 {
            refuse("MAPE-2", "no such piece is left to place")
        } else if is_taken {
            refuse("MAPE-3", "one piece a cell")
        } else if agreed.is_in_reach(&board.with(action), &self.options) {
            Ok(())
        } else {
            refuse("MAPE-15", "after it no set-up as agreed would leave anybody a first move")
        }
    }

    #[cold]
    fn check_rare(&self, state: &State, action: Action) -> Result<(), Refusal> {
        match (state.phase, action) {
            (Phase::Over, _) => refuse("", "the match is over"),
            (Phase::Play, Action::Disc(cell)) if cell.bit() & (state.own | state.other) != 0 => {
                refuse("MAPE-6", "there is a disc on that cell")
            }
            (Phase::Play, Action::Disc(cell)) if cell.bit() & state.walls != 0 => {
                refuse("MAPE-6", "there is a wall on that cell")
            }
            (Phase::Play, Action::Disc(_)) => refuse("MAPE-6", "a disc there would flip nothing"),
            (Phase::Play, Action::Pass) => refuse("MAPE-10", "a player with a move may not pass"),
            (Phase::Play, Action::Take(_)) => refuse("MAPE-15", "there is no colour to pick now"),
            (Phase::Play, _) => refuse("MAPE-15", "the set-up is finished"),
            (Phase::SetUp, _) => self.check_set_up(state, action),
            (Phase::Colour, Action::Take(_)) => Ok(()),
            (Phase::Colour, _) => refuse("MAPE-15", "a colour has to be picked first"),
        }
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
            std::cmp::Ordering::Greater => state.wins[seats[0]] += 1,
            std::cmp::Ordering::Less => state.wins[seats[1]] += 1,
            std::cmp::Ordering::Equal => {}
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
    pub fn view(&self, viewer: Option<Seat>) -> View<'_> {
        View::new(self, viewer)
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
        self.find_moves();
    }

    #[inline(always)]
    fn flips(&self, cell: Cell) -> u64 {
        flips(cell, self.own, self.other, &self.jokers)
    }

    /// Places a disc that flips these, takes a bonus (MAPE-6 to 9), and hands over.
    #[inline(always)]
    fn place(&mut self, cell: Cell, flipped: u64) {
        self.own |= flipped | cell.bit();
        self.other &= !flipped;
        self.taken[self.turn as usize] += u8::from(self.bonuses & cell.bit() != 0);
        self.bonuses &= !cell.bit();
        self.change_sides();
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

    /// Games won, then points (MAPE-19).
    #[cold]
    fn result(&self) -> Returns {
        let mut returns = Returns::default();
        let order = self.wins[0].cmp(&self.wins[1]).then(self.points[0].cmp(&self.points[1]));
        returns[0] = f32::from(order as i8);
        returns[1] = f32::from(order.reverse() as i8);
        returns
    }

    /// The same set-up in progress, with everything else as it is before a game.
    fn before_set_up(&self, options: &Options) -> Self {
        let [own, other] = setup::opening(options.opening);
        Self {
            own,
            other,
            moves: 0,
            taken: [0; 2],
            all_bonuses: self.bonuses,
            turn: Colour::Black,
            black: Seat::new(0),
            ..self.clone()
        }
    }

    fn contradiction(&self, rules: &Mapello) -> Option<&'static str> {
        let options = &rules.options;
        let discs = self.own | self.other;
        let finished = self.game.saturating_add(u8::from(self.phase == Phase::Over));
        let can_pass = || moves(self.other, self.own, self.free(), &self.jokers) != 0;
        let legal = moves(self.own, self.other, self.free(), &self.jokers);
        let taken = u32::from(self.taken[0]) + u32::from(self.taken[1]);
        let walls = self.walls & !outside(options.size);
        let is_set_up = matches!(self.phase, Phase::SetUp | Phase::Colour);
        let cases = [
            (self.own & self.other != 0, "a cell with two discs"),
            (discs & self.walls != 0, "a disc on a wall"),
            (discs & self.bonuses != 0, "a bonus under a disc that nobody took"),
            (self.walls & self.all_bonuses != 0, "a bonus on a wall"),
            ((self.walls | self.all_bonuses) & CENTRE != 0, "a piece on a centre square"),
            (self.bonuses & !self.all_bonuses != 0, "a bonus that was not set up"),
            (self.jokers.ring() & !RING != 0, "a joker off the border"),
            (self.walls | outside(options.size) != self.walls, "no wall around a smaller board"),
            (walls.count_ones() > u32::from(NUM_PIECES), "more than 8 walls"),
            (self.bonuses.count_ones() + taken > u32::from(NUM_PIECES), "more than 8 bonuses"),
            (self.all_bonuses.count_ones() > u32::from(NUM_PIECES), "more than 8 bonuses"),
            (self.jokers.ring().count_ones() > u32::from(NUM_PIECES), "more than 8 jokers"),
            (self.jokers.ring() != 0 && options.size < WHOLE, "a joker around a smaller board"),
            (self.black.index() > 1, "a third player"),
            (self.game >= options.games, "a game after the last"),
            (self.wins[0].saturating_add(self.wins[1]) > finished, "more games won than finished"),
            (self.points.iter().any(|points| *points < 0 || *points > i16::from(finished) * 88), "impossible points"),
            (is_set_up && options.setup != Setup::Free, "a set-up in progress that the options do not have"),
            (is_set_up && self.before_set_up(options) != *self, "a game that began before the set-up was finished"),
            (is_set_up && !rules.is_as_agreed(self), "a set-up that cannot be finished as agreed"),
            (self.phase == Phase::Play && self.moves != legal, "legal moves that do not fit the discs"),
            (self.phase == Phase::Play && legal == 0 && !can_pass(), "a turn after the end of the game"),
            (self.phase == Phase::Over && (legal != 0 || can_pass()), "an end while there are moves"),
            (self.phase == Phase::Over && finished != options.games, "an end before the last game"),
        ];
        cases.iter().find(|(wrong, _)| *wrong).map(|(_, message)| *message)
    }
}

fn refuse(clause: &'static str, reason: impl Into<Wording>) -> Result<(), Refusal> {
    Err(Refusal::new(clause, reason))
}

fn refuse_too_few([walls, bonuses, jokers]: [u8; 3]) -> Result<(), Refusal> {
    refuse("MAPE-15", format!("still to be placed: walls {walls}, bonuses {bonuses}, jokers {jokers}"))
}

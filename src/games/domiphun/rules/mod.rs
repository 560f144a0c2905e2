//! The rules of Domiphun. What the others hold goes out through [`View`] alone.

mod apply;
mod legal;
mod options;
mod setup;
mod table;
mod validate;
mod view;

use serde::{Deserialize, Serialize};

use super::lattice::{DIRECTIONS, Direction, Spot};
use super::pieces::{Domino, Facing, Pieces};
use crate::error::Error;
use crate::game::{Refusal, Returns, Rules, Seat, Viewer, shared_win};
use crate::layout::Layout;
use crate::list::List;
use crate::rng::Rng;

pub(super) use legal::{Turn, ways_to_put};
pub(super) use options::{Limits, MAX_JOINERS};
pub use options::{MAX_PLAYERS, Options, Series, Variant};
pub use table::{End, Laid, Table};
pub use view::View;

/// Squares taken in a turn after which it may be missed (DOMI-7).
const ENOUGH_TAKEN: u8 = 4;
/// Dominoes that are played without X joiners and Starjoiners (DOMI-12).
const PLAIN_DOMINOES: usize = 4;
/// The most ends that a path can have (DOMI-20).
pub(super) const MAX_ENDS: usize = 2 + MAX_PLAYERS * MAX_JOINERS as usize;

/// Domiphun with its options.
#[derive(Clone, Debug)]
pub struct Domiphun {
    options: Options,
    /// All pieces of the game (DOMI-1, DOMI-4).
    pieces: Pieces,
    /// Pieces that each player gets (DOMI-2, DOMI-4).
    hand: u8,
    /// X joiners that each seat gets (DOMI-11).
    x_joiners: u8,
    /// Starjoiners that the seats get (DOMI-11).
    starjoiners: [u8; MAX_PLAYERS],
    pub(super) limits: Limits,
    pub(super) actions: Layout,
    /// The actions in the order of their ids.
    pub(super) by_id: Vec<Action>,
    pub(super) observation: Layout,
    pub(super) facts: Layout,
}

/// What is being decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A domino and an end, a Starjoiner, a square to take, or to miss the turn.
    Turn,
    /// The domino that follows a Starjoiner (DOMI-17).
    Star {
        /// The end that was closed.
        end: u8,
    },
    /// The square to which that domino is joined.
    Plate {
        /// The end that was closed.
        end: u8,
        /// The domino, no longer in the hand.
        domino: Facing,
    },
    /// The side of the square, and the joint (DOMI-13, DOMI-14).
    Place {
        /// The end that goes on.
        end: u8,
        /// The domino, no longer in the hand.
        domino: Facing,
        /// The square.
        plate: u8,
    },
    /// Nothing: the match is over.
    Over,
}

impl Phase {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Star { .. } => "star",
            Self::Plate { .. } => "plate",
            Self::Place { .. } => "place",
            Self::Over => "over",
        }
    }

    /// Whether a play begins. Without the comparison of all that the phases hold, which takes longer.
    #[inline(always)]
    #[must_use]
    pub const fn is_turn(self) -> bool {
        matches!(self, Self::Turn)
    }

    /// Whether the match is over.
    #[inline(always)]
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Over)
    }

    /// The end at which the play is made.
    #[inline(always)]
    #[must_use]
    pub const fn end(self) -> Option<u8> {
        match self {
            Self::Star { end } | Self::Plate { end, .. } | Self::Place { end, .. } => Some(end),
            Self::Turn | Self::Over => None,
        }
    }

    /// The domino on its way to the table.
    #[inline(always)]
    #[must_use]
    pub const fn domino(self) -> Option<Facing> {
        match self {
            Self::Plate { domino, .. } | Self::Place { domino, .. } => Some(domino),
            Self::Turn | Self::Star { .. } | Self::Over => None,
        }
    }

    /// The square to which it will be joined.
    #[inline(always)]
    #[must_use]
    pub const fn plate(self) -> Option<u8> {
        match self {
            Self::Place { plate, .. } => Some(plate),
            _ => None,
        }
    }
}

/// One match at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    hands: [Pieces; MAX_PLAYERS],
    pool: Pieces,
    /// Pieces that a described position leaves out.
    aside: Pieces,
    table: Table,
    /// X joiners by seat (DOMI-11).
    x_joiners: [u8; MAX_PLAYERS],
    /// Starjoiners by seat (DOMI-11).
    starjoiners: [u8; MAX_PLAYERS],
    /// Pieces taken in this turn (DOMI-7).
    taken: u8,
    /// Misses in a row with an empty pool (DOMI-10).
    misses: u8,
    /// The seat that started the game.
    first: Seat,
    turn: Seat,
    phase: Phase,
    /// Games won, by seat.
    wins: [u8; MAX_PLAYERS],
    /// Points over the finished games, by seat (DOMI-21).
    points: [u16; MAX_PLAYERS],
    /// Number of the game within the match.
    game: u8,
}

impl State {
    #[inline(always)]
    fn to_act(&self) -> Option<Seat> {
        if self.phase.is_over() { None } else { Some(self.turn) }
    }

    #[inline(always)]
    fn hand(&self) -> Pieces {
        self.hands[self.turn.index()]
    }

    /// Every piece that is not on the table, between two plays.
    #[inline(always)]
    fn off_the_table(&self) -> Pieces {
        self.pool.with_all(&self.hands).with_all(&[self.aside])
    }

    /// Whether a seat has placed everything (DOMI-9, DOMI-18).
    #[inline(always)]
    fn is_out(&self, seat: Seat) -> bool {
        self.hands[seat.index()].is_empty() && self.x_joiners[seat.index()] == 0
    }

    /// The match as a seat sees it, or as it is.
    #[inline(always)]
    #[must_use]
    pub fn view(&self, viewer: impl Into<Viewer>) -> View<'_> {
        View::new(self, viewer.into())
    }
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Lay the first domino.
    Open(Domino),
    /// Play a domino at an end.
    Play {
        /// Which way round.
        domino: Facing,
        /// The number of the end.
        end: u8,
    },
    /// Choose the domino that follows a Starjoiner.
    Join(Facing),
    /// Put a Starjoiner on an end.
    Star(u8),
    /// Choose the square to which that domino is joined.
    Plate(u8),
    /// Choose the side of the square, and the joint.
    Place {
        /// The side.
        side: Direction,
        /// The same straight on, another direction at a right angle.
        heading: Direction,
    },
    /// Take a piece from the pool.
    Take,
    /// Miss the turn.
    Miss,
}

impl Action {
    /// The place on side i with heading j, by the number 6i + j.
    #[inline(always)]
    pub(super) const fn way(number: usize) -> Self {
        let (side, heading) = (number / DIRECTIONS.len(), number % DIRECTIONS.len());
        Self::Place { side: DIRECTIONS[side], heading: DIRECTIONS[heading] }
    }
}

impl Rules for Domiphun {
    const NAME: &'static str = "domiphun";
    const TITLE: &'static str = "Domiphun";
    const SUMMARY: &'static str =
        "Dominoes whose tiles the players make from single squares, up to three dimensions, and it must not fall over.";
    const VERSION: u32 = 0;
    const REWARDS_AND_END: [&'static str; 2] = [
        "At the end of the match +1 for a sole winner; k winners among n players get (n/k - 1)/(n - 1) each, the others -1/(n - 1); 0 before.",
        "A game ends when somebody has placed everything, or when nobody plays any more: the pool is empty, or all can see that nothing fits. A match is a single game, or as many as the option says.",
    ];

    type Options = Options;
    type State = State;
    type Action = Action;

    fn new(options: Options) -> Result<Self, Error> {
        let joiners = options::settle(&options)?;
        let (pieces, hand) = options::pieces_and_hand(&options)?;
        let limits = options::limits(&options, pieces, hand, &joiners);
        let super::encode::Layouts { actions, observation } = super::encode::layouts(&options, &limits);
        let facts = super::facts::facts(&limits);
        let options::Joiners { x: x_joiners, star: starjoiners } = joiners;
        let by_id = Vec::new();
        let mut rules =
            Self { options, pieces, hand, x_joiners, starjoiners, limits, actions, by_id, observation, facts };
        rules.by_id = (0..rules.actions.size()).map(|id| rules.decoded(id)).collect();
        Ok(rules)
    }

    #[inline(always)]
    fn options(&self) -> &Options {
        &self.options
    }

    fn num_seats(&self) -> usize {
        self.players()
    }

    fn start(&self, rng: &mut Rng) -> State {
        let drawn = || Seat::new(rng.below(self.players() as u64) as usize);
        let first = self.options.first_seat.map_or_else(drawn, |seat| Seat::new(seat.into()));
        let mut state = self.before_the_deal(first);
        self.deal(&mut state, rng);
        state
    }

    #[inline(always)]
    fn to_act(&self, state: &State) -> Option<Seat> {
        state.to_act()
    }

    #[inline(always)]
    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.list(state, |action| out.push(action));
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, action: Action) -> bool {
        match (state.phase, action) {
            (Phase::Turn, _) => self.can_begin(state, action),
            (Phase::Star { .. }, Action::Join(domino)) => Self::can_join(state, domino),
            (Phase::Plate { domino, .. }, Action::Plate(plate)) => Self::can_join_to(state, domino, plate),
            (Phase::Place { plate, .. }, Action::Place { side, heading }) => {
                Self::can_put(state, Spot { plate, side, heading })
            }
            _ => false,
        }
    }

    #[cold]
    fn why_not(&self, state: &State, action: Action) -> Refusal {
        match (state.phase, action) {
            (Phase::Turn, _) => self.why_not_begin(state, action),
            (Phase::Star { .. }, Action::Join(domino)) => Self::why_not_join(state, domino),
            (Phase::Star { .. }, _) => {
                Refusal::new("DOMI-17", "the Starjoiner is set: choose the domino, such as join 3-5")
            }
            (Phase::Plate { domino, .. }, Action::Plate(plate)) => Self::why_not_join_to(state, domino, plate),
            (Phase::Plate { .. }, _) => Refusal::new("DOMI-17", "choose the square, such as plate 0"),
            (Phase::Place { plate, .. }, Action::Place { side, heading }) => {
                Self::why_not_put(state, Spot { plate, side, heading })
            }
            (Phase::Place { .. }, _) => {
                Refusal::new("DOMI-13", "the domino is chosen: say where it goes, such as east")
            }
            (Phase::Over, _) => Refusal::new("", "the match is over"),
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, action: Action, rng: &mut Rng) {
        self.apply_action(state, action, rng);
    }

    #[inline(always)]
    fn returns(&self, state: &State) -> Returns {
        if state.phase.is_over() { self.result(state) } else { [0.0; _] }
    }

    fn range_of_returns(&self) -> [f32; 2] {
        [-1.0 / (self.players() - 1) as f32, 1.0]
    }

    fn resample_hidden(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        self.deal_unseen(state, viewer, rng);
    }

    fn contradiction(&self, state: &State) -> Option<String> {
        let table = self.impossible_table(state);
        let pieces = || self.impossible_pieces(state).map(str::to_owned);
        table.or_else(pieces).or_else(|| self.impossible_turn(state).map(str::to_owned))
    }
}

impl Domiphun {
    #[inline(always)]
    pub(super) fn players(&self) -> usize {
        usize::from(self.options.players)
    }

    /// X joiners that each seat gets (DOMI-11).
    #[inline(always)]
    pub(super) fn x_joiners_each(&self) -> u8 {
        self.x_joiners
    }

    #[inline(always)]
    pub(super) fn is_advanced(&self) -> bool {
        self.options.variant == Variant::Advanced
    }

    /// Games of a match (DOMI-21).
    pub(super) fn games(&self) -> u8 {
        (self.options.starts_each * self.options.players).max(1)
    }

    #[inline(always)]
    fn left_of(&self, seat: Seat) -> Seat {
        let next = seat.index() + 1;
        Seat::new(if next < self.players() { next } else { 0 })
    }

    /// Who has the most games, or the fewest points (DOMI-21).
    pub(super) fn winners(&self, wins: [u8; MAX_PLAYERS], points: [u16; MAX_PLAYERS]) -> impl Iterator<Item = usize> {
        let standing = move |seat: usize| match self.options.series {
            Series::Wins => -i32::from(wins[seat]),
            Series::Points => i32::from(points[seat]),
        };
        let best = (0..self.players()).map(standing).min();
        (0..self.players()).filter(move |&seat| Some(standing(seat)) == best)
    }

    /// The winners share the match (DOMI-21).
    #[cold]
    fn result(&self, state: &State) -> Returns {
        let winners: List<usize, MAX_PLAYERS> = self.winners(state.wins, state.points).collect();
        shared_win(self.players(), &winners)
    }
}

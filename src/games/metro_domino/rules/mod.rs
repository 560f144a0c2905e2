//! The rules of Metro Domino. What the others hold goes out through [`View`] alone.

mod apply;
mod laid;
mod legal;
mod limits;
mod lines;
mod openings;
mod options;
mod setup;
mod validate;
mod view;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::stations::Deck;
use super::tiles::{Play, Tile, Tiles};
use crate::bits;
use crate::error::Error;
use crate::game::{Refusal, Returns, Rules, Seat, Viewer, shared_win};
use crate::layout::Layout;
use crate::rng::Rng;

use laid::Laid;
pub(super) use limits::Facings;
use limits::Limits;
use lines::Lines;
pub use openings::Opening;
use openings::Openings;
pub use options::{MAX_PLAYERS, Options};
pub use view::{LineState, Stage, View};

/// Tiles that each player gets (METR-2).
pub const HAND: u32 = 9;
/// Metro tokens in all (METR-1).
pub const TOKENS: u8 = 12;
/// Lines that may be active at once (METR-5).
pub const MAX_ACTIVE: u8 = 3;
/// Stations of one player with which the game ends (METR-14).
pub const STATIONS_TO_END: usize = 5;

/// The most stations that can be opened.
const MAX_OPENINGS: usize = MAX_PLAYERS * STATIONS_TO_END;

/// Metro Domino with its options and its stations.
#[derive(Clone, Debug)]
pub struct MetroDomino {
    options: Options,
    pub(super) deck: Arc<Deck>,
    pub(super) limits: Limits,
    /// The lines of each station.
    pub(super) lines_of: Vec<u64>,
    /// The tiles that some line of each station takes.
    taken_by: Vec<Tiles>,
    pub(super) actions: Layout,
    pub(super) observation: Layout,
    pub(super) facts: Layout,
}

/// What is being decided. It never depends on what a player holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A tile to add, or to draw one, or to pass (METR-9, METR-10).
    Turn,
    /// Whether to play the tile just drawn (METR-10).
    Drawn {
        /// That tile, in the hand.
        tile: Tile,
    },
    /// Whether to use the right to one more tile (METR-11).
    Extra,
    /// Whether to spend a metro token (METR-12).
    More,
    /// The tile for which a token was spent.
    Spent,
    /// Nothing: the match is over.
    Over,
}

impl Phase {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Drawn { .. } => "drawn",
            Self::Extra => "extra",
            Self::More => "more",
            Self::Spent => "spent",
            Self::Over => "over",
        }
    }
}

/// One match at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    lines: Lines,
    /// Lines of opened stations that are not closed (METR-4).
    open: u64,
    /// How many lines are active (METR-4).
    active: u8,
    /// Every tile on the table, in the order in which they were played on their lines.
    laid: Laid,
    openings: Openings,
    /// Stations that are not opened yet.
    unopened: u64,
    hands: [Tiles; MAX_PLAYERS],
    store: Tiles,
    /// Tiles that a described position leaves out.
    aside: Tiles,
    /// Metro tokens by seat (METR-11).
    tokens: [u8; MAX_PLAYERS],
    /// Passes in a row (METR-15).
    passes: u8,
    /// The seat that began the game.
    first: Seat,
    turn: Seat,
    phase: Phase,
    /// Games won, by seat.
    wins: [u8; MAX_PLAYERS],
    /// Number of the game within the match.
    game: u16,
}

impl State {
    #[inline(always)]
    fn hand(&self) -> Tiles {
        self.hands[self.turn.index()]
    }

    #[inline(always)]
    fn to_act(&self) -> Option<Seat> {
        (self.phase != Phase::Over).then_some(self.turn)
    }

    #[inline(always)]
    fn stations_of(&self, seat: usize) -> usize {
        self.openings.by(seat).count_ones() as usize
    }

    /// Stations less tiles (METR-16).
    fn score(&self, seat: usize) -> i32 {
        self.stations_of(seat) as i32 - self.hands[seat].len() as i32
    }

    /// Metro tokens that nobody has.
    fn supply(&self) -> u8 {
        TOKENS - self.tokens.iter().sum::<u8>()
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
    /// Add a tile to a line.
    Play(Play),
    /// Take a tile from the store.
    Draw,
    /// Have nothing to play and nothing to draw.
    Pass,
    /// Keep the tile just drawn.
    Keep,
    /// Give back a metro token for one more tile.
    Spend,
    /// Play no more.
    Stop,
}

/// The actions that are no plays, in the order of their ids.
pub(super) const OTHERS: [Action; 5] = [Action::Draw, Action::Pass, Action::Keep, Action::Spend, Action::Stop];

impl Rules for MetroDomino {
    const NAME: &'static str = "metro_domino";
    const TITLE: &'static str = "Metro Domino: New York";
    const SUMMARY: &'static str =
        "Underground lines built with dominoes: whoever lays a line's last tile opens the station at its end.";
    const VERSION: u32 = 0;
    const REWARDS_AND_END: [&'static str; 2] = [
        "At the end of the match +1 for a sole winner; k winners among n players get (n/k - 1)/(n - 1) each, the others -1/(n - 1); 0 before.",
        "A game ends when somebody has played their last tile or opened their fifth station, or when the store is empty and nobody can play. A match is won with as many games as the option says.",
    ];

    type Options = Options;
    type State = State;
    type Action = Action;

    fn new(options: Options) -> Result<Self, Error> {
        let deck = options::settle(&options)?;
        let lines_of = (0..deck.stations().len()).map(|station| deck.lines_of(station as u8)).collect();
        let taken_by = deck.stations().iter().zip(0..).map(|(_, station)| {
            let lines = deck.tracks().iter().filter(|track| track.station == station);
            Tiles(lines.fold(0, |tiles, track| tiles | track.allowed.0))
        });
        let taken_by = taken_by.collect();
        let limits = Limits::new(&deck);
        let actions = super::encode::actions(&deck);
        let observation = super::encode::observation(&deck, &options);
        let facts = super::facts::facts(&deck, options.players);
        Ok(Self { options, deck, limits, lines_of, taken_by, actions, observation, facts })
    }

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

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.plays(state, |play| out.push(Action::Play(play)));
        out.extend(OTHERS.into_iter().filter(|&action| self.is_legal(state, action)));
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, action: Action) -> bool {
        match (action, state.phase) {
            (Action::Play(play), _) => Self::playable(state).contains(play.tile) && self.fits(state, play),
            (Action::Draw, Phase::Turn) => !state.store.is_empty() && !self.can_play(state),
            (Action::Pass, Phase::Turn) => state.store.is_empty() && !self.can_play(state),
            (Action::Spend, Phase::More) => self.can_play(state),
            (Action::Keep, Phase::Drawn { .. }) | (Action::Stop, Phase::Extra | Phase::More) => true,
            _ => false,
        }
    }

    #[cold]
    fn why_not(&self, state: &State, action: Action) -> Refusal {
        let (clause, reason) = match (action, state.phase) {
            (_, Phase::Over) => ("", "the match is over"),
            (Action::Play(play), _) => return self.why_not_play(state, play),
            (Action::Draw | Action::Pass, Phase::Turn) if self.can_play(state) => {
                ("METR-9", "a player who can add a tile must")
            }
            (Action::Draw, Phase::Turn) => ("METR-10", "the store is empty: the turn is over"),
            (Action::Pass, Phase::Turn) => ("METR-10", "there are tiles in the store to draw"),
            (Action::Draw | Action::Pass, _) => ("METR-9", "the turn has begun"),
            (Action::Keep, _) => ("METR-10", "no tile was drawn"),
            (Action::Spend, Phase::More) => ("METR-12", "no tile of the hand fits, so a token would buy nothing"),
            (Action::Spend, _) => ("METR-12", "a token is spent after a tile was played, when no right is left"),
            (Action::Stop, Phase::Spent) => ("METR-12", "the token is spent: the tile has to be played"),
            (Action::Stop, _) => ("METR-11", "there is nothing to decline"),
        };
        Refusal::new(clause, reason)
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, action: Action, rng: &mut Rng) {
        self.apply_action(state, action, rng);
    }

    #[inline(always)]
    fn returns(&self, state: &State) -> Returns {
        if state.phase == Phase::Over { self.result(state) } else { [0.0; _] }
    }

    fn range_of_returns(&self) -> [f32; 2] {
        [-1.0 / (self.players() - 1) as f32, 1.0]
    }

    fn resample_hidden(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        self.deal_unseen(state, viewer, rng);
    }

    fn contradiction(&self, state: &State) -> Option<String> {
        let lines = self.impossible_lines(state);
        let wrong = lines.or_else(|| self.impossible_tiles(state)).or_else(|| self.impossible_turn(state));
        wrong.map(Into::into)
    }
}

impl MetroDomino {
    #[inline(always)]
    pub(super) fn players(&self) -> usize {
        usize::from(self.options.players)
    }

    #[inline(always)]
    fn left_of(&self, seat: Seat) -> Seat {
        let next = seat.index() + 1;
        Seat::new(if next < self.players() { next } else { 0 })
    }

    /// The tiles that some line of a station takes, for every station that may come next.
    #[inline(always)]
    pub(super) fn certain_beyond(&self, state: &State) -> u64 {
        bits::each(state.unopened).fold(u64::MAX, |certain, station| certain & self.taken_by[usize::from(station)].0)
    }

    #[cold]
    fn result(&self, state: &State) -> Returns {
        shared_win(self.players(), &self.winners(state.wins))
    }

    /// The seats that have won the match, by the games that each has won: all that have enough share it (METR-17).
    pub(super) fn winners(&self, wins: [u8; MAX_PLAYERS]) -> Vec<usize> {
        (0..self.players()).filter(|&seat| wins[seat] >= self.options.wins_needed).collect()
    }
}

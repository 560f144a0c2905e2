//! The rules of Mapominoes. What the others hold goes out through [`View`] alone.

mod apply;
mod legal;
mod options;
mod refusals;
mod setup;
mod validate;
mod view;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::encode::Limits;
use super::table::{Card, Cell, Frame, Table};
use crate::atlas::Atlas;
use crate::bits;
use crate::drawing::maps::Chart;
use crate::error::Error;
use crate::game::{Nature, Refusal, Returns, Rules, Seat, Viewer};
use crate::layout::Layout;
use crate::rng::Rng;
use crate::set::Set;
use legal::{Derived, Legal};
use options::Settled;

pub(super) use legal::Cards;
pub use options::{Draw, MAX_PLAYERS, Options, TransitEach};
pub use view::View;

/// Mapominoes with its options and its atlas.
#[derive(Clone, Debug)]
pub struct Mapominoes {
    options: Options,
    pub(super) atlas: Arc<Atlas>,
    pub(super) frame: Frame,
    /// The regions whose cards are played.
    deck: Set,
    /// Those that are dealt at the start of a round.
    first: Set,
    /// The places that some card of the deck borders.
    bordered: Set,
    transit_each: u8,
    rounds: u8,
    /// The most county cards that a player gets in a round.
    pub(super) largest_hand: u8,
    pub(super) actions: Layout,
    pub(super) observation: Layout,
    pub(super) facts: Layout,
    /// The map of the deck, once it was asked for.
    chart: OnceLock<Option<Chart>>,
}

/// A transit card on its way to the table (MAPO-12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Transit {
    /// What it stands for.
    pub nominee: u8,
    /// Where it will lie.
    pub cell: Cell,
}

/// What is being decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A county, a nominee for a transit card, or take (MAPO-10).
    Go,
    /// The cell of a county (MAPO-11).
    Place {
        /// The county.
        county: u8,
    },
    /// The cell of a transit card (MAPO-12).
    PlaceTransit {
        /// What it stands for.
        nominee: u8,
    },
    /// The county that follows a transit card (MAPO-13).
    Follow {
        /// The transit card.
        transit: Transit,
    },
    /// The cell of that county (MAPO-13).
    PlaceFollow {
        /// The transit card.
        transit: Transit,
        /// The county.
        county: u8,
    },
    /// Whether somebody else challenges what was laid (MAPO-24).
    Challenge {
        /// The transit card that the county follows, if it follows one.
        transit: Option<Transit>,
        /// The county.
        county: u8,
        /// Where it will lie if it stays.
        cell: Cell,
        /// Who is asked.
        asked: Seat,
    },
    /// Nothing: the match is over.
    Over,
}

impl Phase {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Place { .. } => "place",
            Self::PlaceTransit { .. } => "place_transit",
            Self::Follow { .. } => "follow",
            Self::PlaceFollow { .. } => "place_follow",
            Self::Challenge { .. } => "challenge",
            Self::Over => "over",
        }
    }

    /// The county card that is on its way to the table.
    #[inline(always)]
    #[must_use]
    pub const fn county(self) -> Option<u8> {
        match self {
            Self::Place { county } | Self::PlaceFollow { county, .. } | Self::Challenge { county, .. } => Some(county),
            _ => None,
        }
    }

    /// The cell of that county card, if it is chosen.
    #[inline(always)]
    #[must_use]
    pub const fn cell(self) -> Option<Cell> {
        match self {
            Self::Challenge { cell, .. } => Some(cell),
            _ => None,
        }
    }

    /// What the transit card on its way to the table stands for.
    #[inline(always)]
    #[must_use]
    pub fn nominee(self) -> Option<u8> {
        match self {
            Self::PlaceTransit { nominee } => Some(nominee),
            _ => self.transit().map(|transit| transit.nominee),
        }
    }

    /// The transit card on its way to the table, if its cell is chosen.
    #[inline(always)]
    #[must_use]
    pub const fn transit(self) -> Option<Transit> {
        match self {
            Self::Follow { transit } | Self::PlaceFollow { transit, .. } => Some(transit),
            Self::Challenge { transit, .. } => transit,
            _ => None,
        }
    }

    /// The cards whose cells are chosen: a transit card before its county.
    #[inline(always)]
    pub fn waiting(self) -> impl Iterator<Item = (Cell, Card)> {
        let transit = self.transit().map(|Transit { nominee, cell }| (cell, Card { place: nominee, is_transit: true }));
        let county = self.cell().zip(self.county()).map(|(cell, place)| (cell, Card { place, is_transit: false }));
        transit.into_iter().chain(county)
    }
}

/// What the rounds of a match were like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Rounds that nobody won (MAPO-20).
    pub blocked_rounds: u8,
    /// Double connections by seat (MAPO-16).
    pub double_connections: [u16; MAX_PLAYERS],
    /// Transit cards played by seat.
    pub transit_played: [u16; MAX_PLAYERS],
}

/// One match at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    table: Table,
    /// County cards by seat.
    hands: [Set; MAX_PLAYERS],
    /// Transit cards by seat.
    transit: [u8; MAX_PLAYERS],
    /// Transit cards of the draw pile.
    pile: u8,
    /// Cards that are dealt later in the round (MAPO-23).
    undealt: Set,
    /// Cards that a described position leaves out.
    aside: Set,
    /// Cards in a hand that everybody has seen.
    shown: Set,
    /// Points over the finished rounds, by seat.
    points: [u16; MAX_PLAYERS],
    /// Number of the round.
    round: u8,
    dealer: Seat,
    /// Whose go it is.
    turn: Seat,
    /// Goes in a row that ended with neither a card laid nor a card taken (MAPO-20).
    passes: u8,
    phase: Phase,
    tally: Tally,
    #[serde(skip)]
    legal: Derived<Legal>,
}

impl State {
    /// The county cards of the seat whose go it is.
    #[inline(always)]
    fn hand(&self) -> Set {
        self.hands[self.turn.index()]
    }

    #[inline(always)]
    fn to_act(&self) -> Option<Seat> {
        match self.phase {
            Phase::Over => None,
            Phase::Challenge { asked, .. } => Some(asked),
            _ => Some(self.turn),
        }
    }

    /// The match as a seat sees it, or as it is.
    #[inline(always)]
    #[must_use]
    pub fn view(&self, viewer: impl Into<Viewer>) -> View<'_> {
        View::new(self, viewer.into())
    }
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Action {
    /// Play a county card.
    County(u8),
    /// Play a transit card that stands for a place.
    Nominate(u8),
    /// Lay the chosen card on a cell.
    Cell(Cell),
    /// Say that one cannot go (MAPO-17).
    Take,
    /// Challenge what was laid (MAPO-24).
    Challenge,
    /// Do not challenge it.
    LetItBe,
}

impl Rules for Mapominoes {
    const NAME: &'static str = "mapominoes";
    const TITLE: &'static str = "Mapominoes";
    const SUMMARY: &'static str =
        "Dominoes with maps: a county card may lie only next to cards that it shares a border with.";
    const VERSION: u32 = 0;
    const REWARDS_AND_END: [&'static str; 2] = [
        "At the end of each round -1 for every county card left in the hand; 0 before.",
        "A round ends when somebody plays their last county card, or when nobody can go. A game has as many rounds as players, unless the option says otherwise; fewest points win it.",
    ];

    type Options = Options;
    type State = State;
    type Action = Action;

    fn new(options: Options) -> Result<Self, Error> {
        let Settled { options, atlas, deck, first, transit_each, rounds } = options::settle(options)?;
        let frame = Frame::new(options.table.0.into(), options.table.1.into(), &atlas);
        let actions = super::encode::actions(&atlas, &frame, options.challenges);
        let largest_hand = options::largest_hand(deck, first, options.players);
        let observation = super::encode::observation(&atlas, &frame, &options, Limits { hand: largest_hand, rounds });
        let facts = super::facts::facts(largest_hand, options.transit_cards);
        let bordered = deck.iter().fold(Set::EMPTY, |all, county| all | frame.near(county));
        let rules = Self {
            options,
            atlas,
            frame,
            deck,
            first,
            bordered,
            transit_each,
            rounds,
            largest_hand,
            actions,
            observation,
            facts,
            chart: OnceLock::new(),
        };
        rules.require_a_game()?;
        rules.require_clear_names()?;
        Ok(rules)
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn num_seats(&self) -> usize {
        self.players()
    }

    fn start(&self, rng: &mut Rng) -> State {
        let mut state = self.before_the_first_round();
        self.deal_round(&mut state, rng);
        self.keep_legal(&mut state);
        state
    }

    #[inline(always)]
    fn to_act(&self, state: &State) -> Option<Seat> {
        state.to_act()
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        let cards = self.cards(state);
        cards.counties.for_each(|county| out.push(Action::County(county)));
        cards.nominees.for_each(|nominee| out.push(Action::Nominate(nominee)));
        let begin = out.len();
        self.cells(state, |cell| out.push(Action::Cell(cell)));
        out[begin..].sort_unstable();
        if cards.may_take {
            out.push(Action::Take);
        }
        if matches!(state.phase, Phase::Challenge { .. }) {
            out.extend([Action::Challenge, Action::LetItBe]);
        }
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, action: Action) -> bool {
        match action {
            Action::County(county) => self.cards(state).counties.contains(county),
            Action::Nominate(nominee) => self.cards(state).nominees.contains(nominee),
            Action::Cell(cell) => self.may_choose(state, cell),
            Action::Take => self.cards(state).may_take,
            Action::Challenge | Action::LetItBe => matches!(state.phase, Phase::Challenge { .. }),
        }
    }

    #[cold]
    fn why_not(&self, state: &State, action: Action) -> Refusal {
        refusals::not_now(state.phase, action).unwrap_or_else(|| match action {
            Action::County(county) => self.why_not_county(state, county),
            Action::Nominate(nominee) => self.why_not_nominee(state, nominee),
            Action::Cell(cell) => self.why_not_there(state, cell),
            Action::Take => Refusal::new("MAPO-17", "a player who can go may not take a card"),
            Action::Challenge | Action::LetItBe => Refusal::new("MAPO-24", "there is no card to challenge now"),
        })
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action, rng: &mut Rng) {
        bits::wide(
            #[inline(always)]
            || {
                self.apply_action(state, action, rng);
                self.keep_legal(state);
            },
        );
    }

    fn time_out(&self, state: &mut State, rng: &mut Rng) -> Result<(), String> {
        match state.phase {
            Phase::Over => return Err("the match is over".to_owned()),
            Phase::Challenge { .. } => {
                return Err("a card waits to be challenged: nobody has a go (MAPO-18)".to_owned());
            }
            phase => state.shown = phase.county().into_iter().chain(state.shown.iter()).collect(),
        }
        self.take(state, rng);
        self.keep_legal(state);
        Ok(())
    }

    #[inline(always)]
    fn returns(&self, state: &State) -> Returns {
        let mut returns = Returns::default();
        for (earned, points) in returns.iter_mut().zip(state.points) {
            *earned = 0.0 - f32::from(points);
        }
        returns
    }

    fn nature(&self) -> Nature {
        Nature { is_zero_sum: false, has_timer: true, ..Nature::default() }
    }

    fn range_of_returns(&self) -> [f32; 2] {
        [-f32::from(self.rounds) * f32::from(self.largest_hand), 0.0]
    }

    fn resample_hidden(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        self.deal_unseen(state, viewer, rng);
        self.keep_legal(state);
    }

    fn contradiction(&self, state: &State) -> Option<String> {
        let found = self
            .impossible_table(state)
            .or_else(|| self.impossible_cards(state))
            .or_else(|| self.impossible_phase(state))
            .or_else(|| self.impossible_match(state));
        found.map(str::to_owned)
    }
}

impl Mapominoes {
    #[inline(always)]
    pub(super) fn players(&self) -> usize {
        usize::from(self.options.players)
    }

    /// The counties that have a card.
    pub(super) fn deck(&self) -> Set {
        self.deck
    }

    /// The map of the deck, if the atlas has one.
    pub(super) fn chart(&self) -> Option<&Chart> {
        self.chart.get_or_init(|| Chart::new(&self.atlas, self.deck)).as_ref()
    }

    pub(super) fn rounds(&self) -> u8 {
        self.rounds
    }

    #[inline(always)]
    pub(super) fn seat_after(&self, seat: Seat, steps: usize) -> Seat {
        let index = seat.index() + steps;
        Seat::new(if index < self.players() { index } else { index - self.players() })
    }

    #[inline(always)]
    fn left_of(&self, seat: Seat) -> Seat {
        self.seat_after(seat, 1)
    }

    /// What is so before the first deal.
    fn before_the_first_round(&self) -> State {
        State {
            table: Table::empty(&self.frame, &self.atlas),
            hands: [Set::EMPTY; MAX_PLAYERS],
            transit: [0; MAX_PLAYERS],
            pile: 0,
            undealt: Set::EMPTY,
            aside: Set::EMPTY,
            shown: Set::EMPTY,
            points: [0; MAX_PLAYERS],
            round: 0,
            dealer: Seat::new(self.players() - 1),
            turn: Seat::new(0),
            passes: 0,
            phase: Phase::Go,
            tally: Tally::default(),
            legal: Derived::default(),
        }
    }
}

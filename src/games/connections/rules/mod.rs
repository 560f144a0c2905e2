//! The rules of Connections. What the others hold goes out through [`View`] alone.

mod apply;
mod legal;
mod options;
mod refusals;
mod setup;
mod validate;
mod view;

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::deck::{Cards, Deck, Faces, Kind, MAX_CARDS, MAX_LINKS, Regions};
use super::encode::{Limits, points_shown};
use super::scoring::{Counts, Scorer, cost_of_pairs, pairs};
use super::sizes::Sizes;
use crate::bits;
use crate::error::Error;
use crate::game::{Refusal, Returns, Rules, Seat, Viewer, shared_win};
use crate::layout::Layout;
use crate::list::List;
use crate::rng::Rng;

pub(super) use legal::each;
pub use options::{MAX_PLAYERS, Options};
pub use view::View;

/// Tokens of each player (CONN-4).
pub const TOKENS: u8 = 12;
/// Cities of a set (CONN-6).
const SET: u8 = 3;
/// Turns that all must have had before the end is announced (CONN-15).
const TURNS_BEFORE_END: u8 = 6;
/// Turns after the announcement (CONN-15).
pub(super) const LAST_TURNS: u8 = 2;

/// Connections with its options and its deck.
#[derive(Clone, Debug)]
pub struct Connections {
    options: Options,
    pub(super) deck: Arc<Deck>,
    pub(super) limits: Limits,
    pub(super) sizes: Sizes,
    /// Whether these are [`Sizes::USUAL`].
    pub(super) is_usual: bool,
    pub(super) actions: Layout,
    /// The actions by their ids.
    pub(super) by_id: Vec<Action>,
    pub(super) observation: Layout,
    pub(super) facts: Layout,
}

/// What is being decided. It never depends on what a player holds. The fields lie in the order in which they are named,
/// so that who is asked, say, is read from one place whichever the phase.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Whether to announce the end of the round (CONN-15).
    Announce,
    /// Whether to offer a card (CONN-14).
    Offer {
        /// Who is asked.
        asked: Seat,
    },
    /// Whether to answer an offer with a card (CONN-14).
    Answer {
        /// Who offers.
        asked: Seat,
        /// What.
        card: u8,
        /// To whom.
        to: Seat,
    },
    /// Whether to accept the answer (CONN-14).
    Accept {
        /// Who offers.
        asked: Seat,
        /// What.
        card: u8,
        /// To whom.
        to: Seat,
        /// For what.
        reply: u8,
    },
    /// The turn's play, and an invitation before it (CONN-5 to CONN-10).
    Play,
    /// Whether to join a link (CONN-10).
    Invited {
        /// Which link.
        link: u8,
        /// Who is asked.
        to: Seat,
    },
    /// The next city of a set (CONN-6).
    Set {
        /// The first face.
        first: u8,
        /// The second one, if it is chosen.
        second: Option<u8>,
    },
    /// The card after a play (CONN-6).
    Draw,
    /// The card that ends an exchange (CONN-5).
    Discard {
        /// The card just taken from the discard pile.
        taken: Option<u8>,
    },
    /// Nothing: the match is over.
    Over,
}

impl Phase {
    /// Its number among the phases, in their order.
    #[inline(always)]
    pub(super) const fn number(self) -> usize {
        match self {
            Self::Announce => 0,
            Self::Offer { .. } => 1,
            Self::Answer { .. } => 2,
            Self::Accept { .. } => 3,
            Self::Play => 4,
            Self::Invited { .. } => 5,
            Self::Set { .. } => 6,
            Self::Draw => 7,
            Self::Discard { .. } => 8,
            Self::Over => 9,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Announce => "announce",
            Self::Offer { .. } => "offer",
            Self::Answer { .. } => "answer",
            Self::Accept { .. } => "accept",
            Self::Play => "play",
            Self::Invited { .. } => "invited",
            Self::Set { .. } => "set",
            Self::Draw => "draw",
            Self::Discard { .. } => "discard",
            Self::Over => "over",
        }
    }

    /// Who offers a card.
    #[inline(always)]
    #[must_use]
    pub const fn asked(self) -> Option<Seat> {
        match self {
            Self::Offer { asked } | Self::Answer { asked, .. } | Self::Accept { asked, .. } => Some(asked),
            _ => None,
        }
    }

    /// The card that is offered.
    #[inline(always)]
    #[must_use]
    pub const fn card(self) -> Option<u8> {
        match self {
            Self::Answer { card, .. } | Self::Accept { card, .. } => Some(card),
            _ => None,
        }
    }

    /// To whom a card is offered, or who is invited.
    #[inline(always)]
    #[must_use]
    pub const fn to(self) -> Option<Seat> {
        match self {
            Self::Answer { to, .. } | Self::Accept { to, .. } | Self::Invited { to, .. } => Some(to),
            _ => None,
        }
    }

    /// The card that answers an offer.
    #[inline(always)]
    #[must_use]
    pub const fn reply(self) -> Option<u8> {
        match self {
            Self::Accept { reply, .. } => Some(reply),
            _ => None,
        }
    }

    /// The link to which somebody is invited.
    #[inline(always)]
    #[must_use]
    pub const fn link(self) -> Option<u8> {
        match self {
            Self::Invited { link, .. } => Some(link),
            _ => None,
        }
    }

    /// The faces of a set that are chosen.
    #[inline(always)]
    pub fn chosen(self) -> impl Iterator<Item = u8> {
        let faces = match self {
            Self::Set { first, second } => [Some(first), second],
            _ => [None; 2],
        };
        faces.into_iter().flatten()
    }

    /// The card just taken from the discard pile.
    #[inline(always)]
    #[must_use]
    pub const fn taken(self) -> Option<u8> {
        match self {
            Self::Discard { taken } => taken,
            _ => None,
        }
    }
}

/// A link on the table, and who is joined by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Bond {
    /// The link.
    pub link: u8,
    /// Who played it.
    pub owner: Seat,
    /// The partner (CONN-11).
    pub partner: Option<Seat>,
    /// Who has accepted the invitation and has no city there yet (CONN-11).
    pub invited: Option<Seat>,
}

impl Default for Bond {
    fn default() -> Self {
        Self { link: 0, owner: Seat::new(0), partner: None, invited: None }
    }
}

/// What lies on the table in a round.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Faces by seat, in the order in which they were played.
    laid: [List<u8, { TOKENS as usize }>; MAX_PLAYERS],
    /// Faces whose city has a token (CONN-4).
    marked: Faces,
    /// Cities by seat and region.
    counts: Counts,
    /// Regions of which a seat has a set (CONN-6).
    sets: [Regions; MAX_PLAYERS],
    /// The links, in the order in which they were played.
    bonds: List<Bond, MAX_LINKS>,
}

/// One match at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    table: Table,
    hands: [Cards; MAX_PLAYERS],
    pile: Cards,
    discard: Discards,
    /// Cards that a described position leaves out.
    aside: Cards,
    /// Cards in hands that everybody knows.
    known: Cards,
    /// For every card that somebody does not know: how often the pile had been shuffled when it was last in it.
    ages: List<u16, MAX_CARDS>,
    /// How often the pile was shuffled in this round.
    shuffles: u16,
    dealer: Seat,
    /// Whose turn it is.
    turn: Seat,
    phase: Phase,
    /// Whether an invitation may still be made in this turn (CONN-10).
    may_invite: bool,
    /// Turns had, by seat.
    turns: [u8; MAX_PLAYERS],
    announced: Option<Seat>,
    /// Turns had since the announcement, by seat.
    last_turns: [u8; MAX_PLAYERS],
    /// Turns in a row of the last round in which no card was played (CONN-16); 0 in the others.
    idle: u8,
    /// Points of the finished rounds, by seat.
    history: Rounds,
}

/// The discard pile. The top is the last card.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(from = "List<u8, MAX_CARDS>", into = "List<u8, MAX_CARDS>")]
struct Discards {
    pile: List<u8, MAX_CARDS>,
    /// The same cards as a set.
    cards: Cards,
}

impl Discards {
    #[inline(always)]
    fn push(&mut self, card: u8) {
        self.pile.push(card);
        self.cards |= 1 << card;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<u8> {
        let top = self.pile.pop()?;
        self.cards &= !(1 << top);
        Some(top)
    }

    fn clear(&mut self) {
        self.pile.clear();
        self.cards = 0;
    }
}

impl Deref for Discards {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.pile
    }
}

impl From<List<u8, MAX_CARDS>> for Discards {
    fn from(pile: List<u8, MAX_CARDS>) -> Self {
        // What was saved may name cards that there are not; nobody plays on with it.
        let cards = pile.iter().fold(0, |cards, &card| cards | Cards::checked_shl(1, card.into()).unwrap_or(0));
        Self { pile, cards }
    }
}

impl From<Discards> for List<u8, MAX_CARDS> {
    fn from(discards: Discards) -> Self {
        discards.pile
    }
}

/// Points of the finished rounds, by seat: copies of a match share them, as they take as much room as all the rest.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<[i32; MAX_PLAYERS]>", into = "Vec<[i32; MAX_PLAYERS]>")]
struct Rounds {
    points: Arc<[[i32; MAX_PLAYERS]]>,
    /// Their sums as rows show them, which every decision needs and few change.
    shown: [u8; MAX_PLAYERS],
}

impl Rounds {
    fn new(points: Arc<[[i32; MAX_PLAYERS]]>) -> Self {
        let shown = sums(&points).map(points_shown);
        Self { points, shown }
    }

    fn push(&mut self, points: [i32; MAX_PLAYERS]) {
        *self = Self::new(self.points.iter().copied().chain([points]).collect());
    }
}

impl Default for Rounds {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl Deref for Rounds {
    type Target = [[i32; MAX_PLAYERS]];

    #[inline(always)]
    fn deref(&self) -> &[[i32; MAX_PLAYERS]] {
        &self.points
    }
}

impl From<Vec<[i32; MAX_PLAYERS]>> for Rounds {
    fn from(rounds: Vec<[i32; MAX_PLAYERS]>) -> Self {
        Self::new(rounds.into())
    }
}

impl From<Rounds> for Vec<[i32; MAX_PLAYERS]> {
    fn from(rounds: Rounds) -> Self {
        rounds.to_vec()
    }
}

/// Points over some rounds, by seat.
fn sums(rounds: &[[i32; MAX_PLAYERS]]) -> [i32; MAX_PLAYERS] {
    let mut points = [0_i32; MAX_PLAYERS];
    for round in rounds {
        for (seat, sum) in points.iter_mut().enumerate() {
            *sum = sum.saturating_add(round[seat]);
        }
    }
    points
}

impl State {
    #[inline(always)]
    fn to_act(&self) -> Option<Seat> {
        if matches!(self.phase, Phase::Over) {
            return None;
        }
        Some(match self.phase {
            Phase::Offer { asked } | Phase::Accept { asked, .. } => asked,
            Phase::Answer { to, .. } | Phase::Invited { to, .. } => to,
            _ => self.turn,
        })
    }

    #[inline(always)]
    fn tokens(&self, seat: Seat) -> u8 {
        TOKENS - self.table.laid[seat.index()].len() as u8
    }

    /// Points over the finished rounds.
    fn points(&self) -> [i32; MAX_PLAYERS] {
        sums(&self.history)
    }

    /// The match as a seat sees it, or as it is.
    #[inline(always)]
    #[must_use]
    pub fn view(&self, viewer: impl Into<Viewer>) -> View<'_> {
        View::new(self, viewer.into())
    }
}

impl Table {
    /// Puts a card down.
    #[inline(always)]
    fn put(&mut self, deck: &Deck, seat: Seat, face: u8) {
        let shown = deck.face(face);
        self.laid[seat.index()].push(face);
        self.marked |= deck.faces_of_city(shown.city);
        match shown.kind {
            Kind::Link(link) => self.bonds.push(Bond { link, owner: seat, partner: None, invited: None }),
            Kind::Region(region) => self.counts[seat.index()][usize::from(region)] += 1,
        }
    }

    /// Open invitations of a seat lapse (CONN-11).
    #[inline(always)]
    fn lapse(&mut self, seat: Seat) {
        for bond in &mut *self.bonds {
            if bond.invited == Some(seat) {
                bond.invited = None;
            }
        }
    }

    /// The other players with whom a seat is in a partnership or has an open invitation (CONN-12).
    pub(super) fn joined_with(&self, seat: Seat) -> impl Iterator<Item = Seat> {
        self.bonds.iter().filter_map(move |bond| {
            let guest = bond.partner.or(bond.invited)?;
            if bond.owner == seat { Some(guest) } else { (guest == seat).then_some(bond.owner) }
        })
    }

    /// Whether a seat has a city in one of these regions.
    #[inline(always)]
    fn has_city(&self, seat: Seat, regions: Regions) -> bool {
        bits::each(regions.into()).any(|region| self.counts[seat.index()][usize::from(region)] > 0)
    }
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Choose a city of a set.
    Set(u8),
    /// Play a single or a link.
    Play(u8),
    /// Discard a card.
    Discard(u8),
    /// Offer a card.
    Offer {
        /// Which.
        card: u8,
        /// To the player so many places to the left.
        to: u8,
    },
    /// Answer an offer with a card.
    Answer(u8),
    /// Invite somebody to a link.
    Invite {
        /// Which link.
        link: u8,
        /// The player so many places to the left.
        to: u8,
    },
    /// Announce the end of the round.
    Announce,
    /// Carry the trade out.
    Accept,
    /// Accept an invitation.
    Join,
    /// Do nothing of the kind.
    No,
    /// Draw from the pile.
    Draw,
    /// Take the top of the discard pile.
    Take,
    /// Have nothing to do.
    Pass,
}

/// The actions that are a word alone, in the order of their ids.
pub(super) const WORDS: [Action; 7] =
    [Action::Announce, Action::Accept, Action::Join, Action::No, Action::Draw, Action::Take, Action::Pass];

impl Action {
    /// The face that it puts down.
    pub(super) const fn face(self) -> Option<u8> {
        match self {
            Self::Set(face) | Self::Play(face) => Some(face),
            _ => None,
        }
    }
}

impl Rules for Connections {
    const NAME: &'static str = "connections";
    const TITLE: &'static str = "Connections";
    const SUMMARY: &'static str =
        "A rummy of world cities: sets of one region grow through linking cities, and partners share what they build.";
    const VERSION: u32 = 0;
    const REWARDS_AND_END: [&'static str; 2] = [
        "At the end of the match +1 for a sole winner; k winners among n players get (n/k - 1)/(n - 1) each, the others -1/(n - 1); 0 before.",
        "A round ends two turns each after its announcement; the last one, which nobody announces, when everybody in two turns has played no card; any one after max_turns each. A match has as many rounds as deals.",
    ];

    type Options = Options;
    type State = State;
    type Action = Action;

    fn new(options: Options) -> Result<Self, Error> {
        let deck = options::settle(&options)?;
        let actions = super::encode::actions(&deck, options.players.into());
        let limits = options::limits(&options, &deck);
        let observation = super::encode::observation(&deck, &limits);
        let facts = super::facts::facts(options.max_turns);
        let sizes = Sizes::new(&deck, &actions, &observation, options.players.into());
        let by_id = (0..actions.size()).map(|id| sizes.action(id)).collect();
        Ok(Self { options, deck, limits, sizes, is_usual: sizes == Sizes::USUAL, actions, by_id, observation, facts })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn num_seats(&self) -> usize {
        self.players()
    }

    fn start(&self, rng: &mut Rng) -> State {
        let mut state = self.before_the_deal(Seat::new(self.players() - 1));
        self.deal(&mut state, rng);
        state
    }

    #[inline(always)]
    fn to_act(&self, state: &State) -> Option<Seat> {
        state.to_act()
    }

    #[inline(always)]
    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.legal(state).for_each(|action| out.push(action));
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, action: Action) -> bool {
        self.allows(state, action)
    }

    fn why_not(&self, state: &State, action: Action) -> Refusal {
        self.refusal(state, action)
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
        let contradiction = self
            .impossible_seats(state)
            .or_else(|| self.impossible_table(&state.table))
            .or_else(|| self.impossible_cards(state))
            .or_else(|| self.impossible_turn(state));
        contradiction.map(Into::into)
    }
}

impl Connections {
    #[inline(always)]
    pub(super) fn players(&self) -> usize {
        usize::from(self.options.players)
    }

    /// Rounds of a match (CONN-17).
    #[inline(always)]
    pub(super) fn rounds(&self) -> usize {
        self.players() * usize::from(self.options.deals_each)
    }

    #[inline(always)]
    pub(super) fn left_of(&self, seat: Seat, places: usize) -> Seat {
        let next = seat.index() + places;
        Seat::new(if next < self.players() { next } else { next - self.players() })
    }

    pub(super) fn scorer<'a>(&'a self, table: &'a Table) -> Scorer<'a> {
        Scorer { deck: &self.deck, counts: &table.counts, bonds: &table.bonds }
    }

    /// What the pairs of a hand cost (CONN-20).
    pub(super) fn cost_of_pairs(&self, hand: Cards) -> i32 {
        cost_of_pairs(&self.deck, hand, self.options.pairs)
    }

    /// Unplayed pairs of a hand (CONN-20).
    pub(super) fn num_pairs(&self, hand: Cards) -> u32 {
        pairs(&self.deck, hand, self.options.pairs)
    }

    /// Who has the most points (CONN-21).
    pub(super) fn winners(&self, points: [i32; MAX_PLAYERS]) -> Vec<usize> {
        let most = points[..self.players()].iter().max().copied();
        (0..self.players()).filter(|&seat| Some(points[seat]) == most).collect()
    }

    #[cold]
    fn result(&self, state: &State) -> Returns {
        shared_win(self.players(), &self.winners(state.points()))
    }
}

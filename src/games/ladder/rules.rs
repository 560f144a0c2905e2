//! The rules of Ladder. What the others hold goes out through [`View`] alone.

use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

use super::encode;
use crate::bits;
use crate::error::Error;
use crate::game::{MAX_SEATS, Refusal, Returns, Rules, Seat, Viewer, Wording, shared_win};
use crate::layout::Layout;
use crate::position_text::first_wrong;
use crate::rng::Rng;

/// Ladder with its options.
pub struct Ladder {
    options: Options,
    pub(super) actions: Layout,
    pub(super) observation: Layout,
    pub(super) facts: Layout,
}

/// How Ladder is to be played.
#[derive(Clone, Debug, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// how many play, 2 to 6
    pub players: u8,
    /// cards in all, up to 60
    pub cards: u8,
    /// cards that each player gets, 1 or more
    pub hand: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { players: 2, cards: 12, hand: 4 }
    }
}

/// A match at one moment. A set of cards is a number: bit n - 1 is the card n.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    hands: [u64; MAX_SEATS],
    laid: u64,
    turn: Seat,
    /// Passes in a row.
    passes: u8,
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Lay a card.
    Lay(u8),
    /// Lay none.
    Pass,
}

/// What a seat may know of a match, or with no viewer all of it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a State,
    /// Who looks.
    pub viewer: Viewer,
}

impl State {
    /// The match as a seat sees it, or as it is.
    #[must_use]
    pub fn view(&self, viewer: impl Into<Viewer>) -> View<'_> {
        View { state: self, viewer: viewer.into() }
    }

    fn hand(&self, seat: Seat) -> u64 {
        self.hands[seat.index()]
    }
}

impl View<'_> {
    /// The cards of a seat, if the viewer sees them.
    pub fn hand(&self, seat: Seat) -> Option<u64> {
        self.viewer.sees(seat).then(|| self.state.hand(seat))
    }

    /// How many cards a seat holds.
    pub fn num_cards(&self, seat: Seat) -> u8 {
        self.state.hand(seat).count_ones() as u8
    }

    /// The cards on the table.
    pub fn laid(&self) -> u64 {
        self.state.laid
    }

    /// The highest card that lies, 0 before the first.
    pub fn top(&self) -> u8 {
        (u64::BITS - self.state.laid.leading_zeros()) as u8
    }

    /// Passes in a row.
    pub fn passes(&self) -> u8 {
        self.state.passes
    }
}

impl Rules for Ladder {
    const NAME: &'static str = "ladder";
    const TITLE: &'static str = "Ladder";
    const SUMMARY: &'static str = "Lay ever higher cards and get rid of yours first.";
    const VERSION: u32 = 0;
    const REWARDS_AND_END: [&'static str; 2] = [
        "At the end of the match +1 for a sole winner, less for those who share; 0 before.",
        "A match ends with somebody's last card, or when all have passed in a row.",
    ];

    type Options = Options;
    type State = State;
    type Action = Action;

    fn new(options: Options) -> Result<Self, Error> {
        let Options { players, cards, hand } = options;
        let refuse = |message| Err(Error::Options { game: Self::NAME, message });
        if !(2..=MAX_SEATS as u8).contains(&players) {
            return refuse(format!("players = {players}: 2 to {MAX_SEATS} play (LADD-1)"));
        }
        if !(1..=60).contains(&cards) {
            return refuse(format!("cards = {cards}: 1 to 60 are allowed (LADD-1)"));
        }
        if hand == 0 || u16::from(hand) * u16::from(players) > u16::from(cards) {
            return refuse(format!("hand = {hand}: {players} players share {cards} cards, 1 or more each (LADD-1)"));
        }
        let (actions, observation) = (encode::actions(&options), encode::observation(&options));
        let facts = super::facts::facts(&options);
        Ok(Self { options, actions, observation, facts })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn num_seats(&self) -> usize {
        self.options.players.into()
    }

    fn start(&self, rng: &mut Rng) -> State {
        let mut pack = self.pack();
        let mut hands = [0; MAX_SEATS];
        for hand in &mut hands[..self.num_seats()] {
            *hand = rng.subset(pack, self.options.hand.into());
            pack ^= *hand;
        }
        State { hands, laid: 0, turn: Seat::new(0), passes: 0 } // LADD-2
    }

    fn to_act(&self, state: &State) -> Option<Seat> {
        let is_over = state.passes == self.options.players || self.seats().any(|seat| state.hand(seat) == 0); // LADD-3
        (!is_over).then_some(state.turn)
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        if let Some(seat) = self.to_act(state) {
            let top = state.view(Viewer::Everything).top();
            let higher = state.hand(seat) >> top << top; // LADD-2
            out.extend(bits::each(higher).map(|bit| Action::Lay(bit + 1)));
            out.push(Action::Pass);
        }
    }

    fn is_legal(&self, state: &State, action: Action) -> bool {
        let top = state.view(Viewer::Everything).top();
        self.to_act(state).is_some_and(|seat| match action {
            Action::Lay(card) => card > top && state.hand(seat) & bit(card) != 0,
            Action::Pass => true,
        })
    }

    fn why_not(&self, state: &State, action: Action) -> Refusal {
        match (self.to_act(state), action) {
            (Some(seat), Action::Lay(card)) if state.hand(seat) & bit(card) == 0 => {
                Refusal::new("LADD-2", Wording::player(seat, "does").text(" not have it"))
            }
            (Some(_), _) => {
                Refusal::new("LADD-2", format!("it is not higher than {}", state.view(Viewer::Everything).top()))
            }
            (None, _) => Refusal::new("LADD-3", "the match is over"),
        }
    }

    fn apply(&self, state: &mut State, action: Action, _: &mut Rng) {
        match action {
            Action::Lay(card) => {
                state.hands[state.turn.index()] ^= bit(card);
                state.laid |= bit(card);
                state.passes = 0;
            }
            Action::Pass => state.passes += 1,
        }
        state.turn = Seat::new((state.turn.index() + 1) % self.num_seats());
    }

    fn returns(&self, state: &State) -> Returns {
        if self.to_act(state).is_some() {
            return Returns::default();
        }
        shared_win(self.num_seats(), &self.winners(state))
    }

    fn range_of_returns(&self) -> [f32; 2] {
        [-1.0, 1.0]
    }

    fn resample_hidden(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        let mut unseen = self.pack() & !state.laid & !state.hand(viewer);
        for seat in self.seats().filter(|&seat| seat != viewer) {
            let guess = rng.subset(unseen, state.hand(seat).count_ones());
            state.hands[seat.index()] = guess;
            unseen ^= guess;
        }
    }

    fn contradiction(&self, state: &State) -> Option<String> {
        let Options { players, hand, .. } = self.options;
        let sets = || state.hands.into_iter().chain([state.laid]);
        let together = sets().fold(0, |all, set| all | set);
        let dealt = u32::from(players) * u32::from(hand);
        let num_cards = |seat| state.view(Viewer::Everything).num_cards(seat);
        let wrong = [
            (sets().map(u64::count_ones).sum::<u32>() != together.count_ones(), "a card in two places"),
            (together & !self.pack() != 0, "a card that is not in the pack"),
            (together.count_ones() != dealt, "cards are missing, or too many"),
            (self.seats().any(|seat| num_cards(seat) > hand), "a hand larger than the deal"),
            (state.hands[self.num_seats()..].iter().any(|&hand| hand != 0), "cards beyond the table"),
            (self.seats().filter(|&seat| state.hand(seat) == 0).count() > 1, "two last cards"),
            (state.turn.index() >= self.num_seats(), "a turn of nobody"),
            (state.passes > players, "passes after the end"),
        ];
        first_wrong(&wrong).map(str::to_owned)
    }
}

impl Ladder {
    fn pack(&self) -> u64 {
        (1 << self.options.cards) - 1
    }

    /// All seats.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        (0..self.num_seats()).map(Seat::new)
    }

    /// Who has the fewest cards.
    pub(super) fn winners(&self, state: &State) -> Vec<usize> {
        let num_cards = |seat| state.view(Viewer::Everything).num_cards(seat);
        let fewest = self.seats().map(num_cards).min();
        self.seats().filter(|&seat| Some(num_cards(seat)) == fewest).map(Seat::index).collect() // LADD-4
    }
}

fn bit(card: u8) -> u64 {
    1 << (card - 1)
}

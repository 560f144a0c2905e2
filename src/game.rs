//! What a game is: its rules, how it looks to a learner, how it looks to people.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::agents::{Agent, Call};
use crate::error::Error;
use crate::layout::Layout;
use crate::rng::Rng;

/// The largest table any game here seats.
pub const MAX_SEATS: usize = 6;

/// A fixed place at the table, numbered clockwise from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number.
    ///
    /// # Panics
    /// If no table is that large.
    #[inline(always)]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_SEATS, "no table is that large");
        Self(index as u8)
    }

    /// Its number, for indexing.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All seats of a table of so many, this one first, then clockwise.
    #[inline(always)]
    pub fn around(self, seats: usize) -> impl Iterator<Item = Self> + Clone {
        (self.index()..seats).chain(0..self.index()).map(Self::new)
    }
}

/// Why an action is not allowed, in words with the clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Illegal(pub String);

impl Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What each seat has earned so far. Seats beyond the table are 0.
pub type Returns = [f32; MAX_SEATS];

/// What a match pays that is won or shared: `k` winners among `n` players get (n/k - 1)/(n - 1) each, the others
/// -1/(n - 1).
#[must_use]
pub fn shared_win(players: usize, winners: &[usize]) -> Returns {
    let others = (players - 1) as f32;
    let mut returns = Returns::default();
    returns[..players].fill(-1.0 / others);
    for &winner in winners {
        returns[winner] = (players as f32 / winners.len() as f32 - 1.0) / others;
    }
    returns
}

/// The rules of one game together with its options and fixed data.
///
/// One value serves every match: it never changes, and a match is a `State`.
pub trait Rules: Sized + Send + Sync + 'static {
    /// Unique, lower case, used in Python and in saved states.
    const NAME: &'static str;
    /// The game's proper name.
    const TITLE: &'static str;
    /// One sentence on what the game is.
    const SUMMARY: &'static str;
    /// Number in the environment's id; raised when rules, ids or observations change.
    const VERSION: u32;
    /// How rewards are earned and when a match ends, a sentence each.
    const REWARDS_AND_END: [&'static str; 2];
    /// Whether returns are 0 until the match is over; the batch then need not ask before.
    const PAYS_AT_THE_END: bool = false;
    /// Every field of `Options` with what it means and allows.
    const OPTIONS: &'static [(&'static str, &'static str)];

    /// How the game is to be played. The default is the usual single game.
    type Options: Default + Serialize + DeserializeOwned;
    /// One match at one moment: plain data.
    type State: Clone + Eq + Hash + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// One decision.
    type Action: Copy + Eq + Hash + Debug + Send;
    /// Why an action is not allowed, by clause.
    type Illegal: Display;

    /// Fails if the options contradict the rules, naming the option, its value and what is allowed.
    fn new(options: Self::Options) -> Result<Self, Error>;

    /// The options with every default filled in.
    fn options(&self) -> &Self::Options;

    /// How many play.
    fn num_seats(&self) -> usize;

    /// Sets the table and deals. Somebody has a decision to take.
    fn start(&self, rng: &mut Rng) -> Self::State;

    /// The seat whose decision it is. `None` exactly when the match is over.
    fn to_act(&self, state: &Self::State) -> Option<Seat>;

    /// Appends every legal action of the seat to act, without duplicates, in the order of their ids.
    /// At least one while the match runs, none after it.
    fn legal_actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// `Ok` exactly for the actions `legal_actions` lists. Never panics.
    fn check(&self, state: &Self::State, action: Self::Action) -> Result<(), Self::Illegal>;

    /// Plays an action that passed `check`, and everything that follows without a decision:
    /// draws, scoring, the next deal.
    fn apply(&self, state: &mut Self::State, action: Self::Action, rng: &mut Rng);

    /// Plays an action in each of several matches, as `apply` does. A game that can work on several at a time overrides
    /// it.
    fn apply_each<'a>(&self, plays: impl Iterator<Item = Play<'a, Self>>) {
        for Play { state, action, rng } in plays {
            self.apply(state, action, rng);
        }
    }

    /// The seat to act ran out of time: an event from outside, not an action. Refused with a reason, and without change,
    /// where the rules have nothing to say.
    fn time_out(&self, _: &mut Self::State, _: &mut Rng) -> Result<(), String> {
        Err(format!("{} has no timer", Self::TITLE))
    }

    /// Utility earned since the start of the match. Rewards are differences of this.
    fn returns(&self, state: &Self::State) -> Returns;

    /// The least and the most that a seat can earn in a match.
    fn range_of_returns(&self) -> [f32; 2];

    /// Replaces all that `viewer` has not seen by a uniform sample that fits what they have seen.
    fn resample_hidden(&self, state: &mut Self::State, viewer: Seat, rng: &mut Rng);

    /// Bytes that a state takes beyond its own size.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Finds contradictions in a state from outside: a card in two places, a turn of nobody.
    fn validate(&self, state: &Self::State) -> Result<(), Error>;
}

/// A legal action to be played in a match.
pub struct Play<'a, R: Rules> {
    /// The match.
    pub state: &'a mut R::State,
    /// What to play.
    pub action: R::Action,
    /// The match's chance.
    pub rng: &'a mut Rng,
}

/// How a game looks to a learner.
pub trait Encode: Rules {
    /// Named ranges of action ids.
    fn actions(&self) -> &Layout;
    /// The number of an action.
    fn action_id(&self, action: Self::Action) -> usize;
    /// Inverse of `action_id`, defined for every id.
    fn action(&self, id: usize) -> Self::Action;

    /// Named blocks of one observation row.
    fn observation(&self) -> &Layout;
    /// Writes what `viewer` knows over the whole row, the viewer's own seat first.
    fn observe(&self, state: &Self::State, viewer: Seat, row: &mut [u8]);

    /// Writes 1 for every legal action of the seat to act and 0 elsewhere, over the whole mask.
    fn write_mask(&self, state: &Self::State, mask: &mut [i8], scratch: &mut Vec<Self::Action>) {
        by_list::write_mask(self, state, mask, scratch);
    }

    /// Writes what the seat to act knows and may do, as `observe` and `write_mask` do, and returns that seat. The match
    /// is not over.
    fn write_turn(
        &self,
        state: &Self::State,
        row: &mut [u8],
        mask: &mut [i8],
        scratch: &mut Vec<Self::Action>,
    ) -> Option<Seat> {
        by_list::write_turn(self, state, row, mask, scratch)
    }

    /// How many actions are legal.
    fn num_legal(&self, state: &Self::State, scratch: &mut Vec<Self::Action>) -> usize {
        by_list::num_legal(self, state, scratch)
    }

    /// How many sequences of two decisions there are; one that ends the match counts once. Draws from copies of `rng`.
    fn count_two(&self, state: &Self::State, rng: &Rng, scratch: &mut Vec<Self::Action>) -> u64 {
        by_list::count_two(self, state, rng, scratch)
    }

    /// A uniform legal action of a match that is not over, chosen by 64 random bits.
    fn random_action(&self, state: &Self::State, random: u64, scratch: &mut Vec<Self::Action>) -> Self::Action {
        by_list::random_action(self, state, random, scratch)
    }
}

/// What [`Encode`] provides, from the list of legal actions. A game with a faster way for its usual phase falls back on
/// these for the others.
pub mod by_list {
    use super::{Encode, Seat};
    use crate::rng::{self, Rng};

    /// See [`Encode::write_turn`].
    pub fn write_turn<R: Encode>(
        rules: &R,
        state: &R::State,
        row: &mut [u8],
        mask: &mut [i8],
        scratch: &mut Vec<R::Action>,
    ) -> Option<Seat> {
        let seat = rules.to_act(state)?;
        rules.observe(state, seat, row);
        rules.write_mask(state, mask, scratch);
        Some(seat)
    }

    /// See [`Encode::write_mask`].
    pub fn write_mask<R: Encode>(rules: &R, state: &R::State, mask: &mut [i8], scratch: &mut Vec<R::Action>) {
        mask.fill(0);
        scratch.clear();
        rules.legal_actions(state, scratch);
        for &action in &*scratch {
            mask[rules.action_id(action)] = 1;
        }
    }

    /// See [`Encode::num_legal`].
    pub fn num_legal<R: Encode>(rules: &R, state: &R::State, scratch: &mut Vec<R::Action>) -> usize {
        scratch.clear();
        rules.legal_actions(state, scratch);
        scratch.len()
    }

    /// See [`Encode::count_two`].
    pub fn count_two<R: Encode>(rules: &R, state: &R::State, rng: &Rng, scratch: &mut Vec<R::Action>) -> u64 {
        let mut actions = Vec::new();
        rules.legal_actions(state, &mut actions);
        let after = |action| {
            let mut next = state.clone();
            rules.apply(&mut next, action, &mut rng.clone());
            rules.num_legal(&next, scratch).max(1) as u64
        };
        if actions.is_empty() { 1 } else { actions.into_iter().map(after).sum() }
    }

    /// See [`Encode::random_action`].
    pub fn random_action<R: Encode>(
        rules: &R,
        state: &R::State,
        random: u64,
        scratch: &mut Vec<R::Action>,
    ) -> R::Action {
        scratch.clear();
        rules.legal_actions(state, scratch);
        scratch[rng::scale(random, scratch.len() as u32) as usize]
    }
}

/// How a game looks to people. `None` as viewer shows the whole table.
pub trait Show: Rules {
    /// An action in the game's notation.
    fn action_text(&self, action: Self::Action) -> String;
    /// Inverse of `action_text`, tolerant of case and space.
    fn parse_action(&self, text: &str) -> Option<Self::Action>;
    /// The table as `viewer` sees it, for a terminal.
    fn text(&self, state: &Self::State, viewer: Option<Seat>) -> String;
    /// The table as `viewer` sees it, for a program that draws it.
    fn json(&self, state: &Self::State, viewer: Option<Seat>) -> serde_json::Value;

    /// The whole state as text, for [`Show::parse_position`].
    fn position(&self, state: &Self::State) -> String {
        serde_json::to_string(state).unwrap_or_default()
    }

    /// A state described by a person or written by `position`, checked by [`Rules::validate`].
    fn parse_position(&self, text: &str) -> Result<Self::State, Error> {
        let state = serde_json::from_str(text)
            .map_err(|error| Error::State { game: Self::NAME, message: error.to_string() })?;
        self.validate(&state)?;
        Ok(state)
    }
}

/// What the game's agents think.
pub trait Judge: Rules {
    /// Agents that this game alone has, as they are called by default.
    const OWN_AGENTS: &'static [&'static str] = &[];
    /// How the search agent plays the game best, as far as was measured.
    const SEARCH: Tuning = Tuning { depth: 60, explore: 0.5 };

    /// How good a legal action looks to the seat to act, by what that seat may know. Higher is better.
    fn judge(&self, state: &Self::State, action: Self::Action) -> i32;

    /// The agent of [`Judge::OWN_AGENTS`] that is called for, if it is one.
    #[must_use]
    fn own_agent(_: &mut Call) -> Option<Result<Box<dyn Agent<Self>>, Error>>
    where
        Self: Game,
    {
        None
    }

    /// What perfect play by everybody comes to. Sees everything; fails where the game has no solver for it, and when
    /// `stop` is set.
    fn solve(&self, _: &Self::State, _stop: &AtomicBool) -> Result<Solution<Self::Action>, Error> {
        Err(Error::Solve(format!("{} has no exact solver", Self::TITLE)))
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Decisions after which a playout is cut off and judged by how the seats stand.
    pub depth: u32,
    /// How much an action that the judgement likes is tried although others did better so far.
    pub explore: f32,
}

/// What perfect play comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<A> {
    /// The final score of the side to move, less the other's.
    pub score: i32,
    /// A line of best actions to the end.
    pub line: Vec<A>,
    /// How many positions were looked at.
    pub nodes: u64,
}

/// What a person is told who asks for a hint.
pub trait Advise: Rules {
    /// Takes those out of all legal actions that a beginner would call wrong, by what the seat to act may know: they
    /// give up what another one has for nothing. At least one stays.
    fn drop_mistakes(&self, _: &Self::State, _: &mut Vec<Self::Action>) {}

    /// Why a legal action is worth considering, in a few words, by what the seat to act may know.
    fn reason(&self, state: &Self::State, action: Self::Action) -> String;
}

/// What a table of simulated matches tells about each of them.
pub trait Figures: Rules {
    /// The game's own columns.
    const FIGURES: &'static [Figure];
    /// The ways in which a match can end by the rules, a few words each.
    const ENDINGS: &'static [&'static str];

    /// What is counted while a match is played.
    type Count: Clone + Default + Send;

    /// Looks at a legal action before it is played.
    fn before(&self, _: &mut Self::Count, _: &Self::State, _: Self::Action) {}

    /// Looks at what an action and all that followed without a decision have led to.
    fn after(&self, _: &mut Self::Count, _: &Self::State) {}

    /// The figures of a match from what was counted and its last state, which may be cut off. `own` receives those of
    /// [`Figures::FIGURES`] in their order: one each, or one for each seat.
    fn account(&self, count: &Self::Count, state: &Self::State, own: &mut [i32]) -> Account;

    /// How far ahead each seat is now, by what everybody may know: the higher the better, in the game's points or
    /// cards.
    fn standing(&self, state: &Self::State) -> [i32; MAX_SEATS];
}

/// A column of [`Figures`].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figure {
    /// Lower case, unique within the game.
    pub name: &'static str,
    /// What is counted, for the documentation.
    pub meaning: &'static str,
    /// Whether there is one for each seat.
    pub by_seat: bool,
}

/// What every match has to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Turns had by all seats together.
    pub turns: u32,
    /// Rounds or games played to their end.
    pub rounds: u32,
    /// Which of [`Figures::ENDINGS`] ended the last round or game, if the match is over.
    pub ended: u8,
    /// The final score of each seat as players would write it down.
    pub scores: [i32; MAX_SEATS],
}

/// Everything that the batch asks of a game.
pub trait Game: Encode + Show + Judge + Advise + Figures {}

impl<R: Encode + Show + Judge + Advise + Figures> Game for R {}

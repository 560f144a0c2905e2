use std::fmt::Debug;
use std::hash::Hash;

use documented::DocumentedFields;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{MAX_SEATS, Refusal, Seat};
use crate::error::Error;
use crate::rng::Rng;

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

/// What a match pays by winning alone, to those who earned so much: the most is a win; see [`shared_win`].
#[must_use]
pub fn win_of(players: usize, earned: &Returns) -> Returns {
    let most = earned[..players].iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let winners: Vec<usize> = (0..players).filter(|&seat| earned[seat] >= most).collect();
    shared_win(players, &winners)
}

/// What sort of game a game is, for those whose algorithms care.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Nature {
    /// Whether what the seats earn adds up to nothing.
    pub is_zero_sum: bool,
    /// Whether chance deals, draws or sets up.
    pub has_chance: bool,
    /// Whether something is hidden from a seat, now or until a later deal.
    pub has_hidden: bool,
    /// Whether the time of a seat can run out; see [`Rules::time_out`].
    pub has_timer: bool,
}

impl Default for Nature {
    fn default() -> Self {
        Self { is_zero_sum: true, has_chance: true, has_hidden: true, has_timer: false }
    }
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

    /// How the game is to be played. The default is the usual single game. The comment of a field is what people read
    /// about the option.
    type Options: Default + Serialize + DeserializeOwned + DocumentedFields;
    /// One match at one moment: plain data.
    type State: Clone + Eq + Hash + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// One decision.
    type Action: Copy + Eq + Hash + Debug + Send;

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

    /// Whether `legal_actions` lists an action. Never panics.
    fn is_legal(&self, state: &Self::State, action: Self::Action) -> bool;

    /// Why an action that is not legal is not.
    fn why_not(&self, state: &Self::State, action: Self::Action) -> Refusal;

    /// Plays a legal action, and everything that follows without a decision: draws, scoring, the next deal.
    fn apply(&self, state: &mut Self::State, action: Self::Action, rng: &mut Rng);

    /// The seat to act ran out of time: an event from outside, not an action. Refused with a reason, and without change,
    /// where the rules have nothing to say.
    fn time_out(&self, _: &mut Self::State, _: &mut Rng) -> Result<(), String> {
        Err(format!("{} has no timer", Self::TITLE))
    }

    /// Utility earned since the start of the match. Rewards are differences of this.
    fn returns(&self, state: &Self::State) -> Returns;

    /// What sort of game it is with these options.
    fn nature(&self) -> Nature {
        Nature::default()
    }

    /// The least and the most that a seat can earn in a match.
    fn range_of_returns(&self) -> [f32; 2];

    /// Replaces all that `viewer` has not seen by a uniform sample that fits what they have seen.
    fn resample_hidden(&self, state: &mut Self::State, viewer: Seat, rng: &mut Rng);

    /// What is wrong with a state from outside: a card in two places, a turn of nobody.
    fn contradiction(&self, state: &Self::State) -> Option<String>;

    /// `Ok` exactly for the legal actions.
    #[inline(always)]
    fn check(&self, state: &Self::State, action: Self::Action) -> Result<(), Refusal> {
        if self.is_legal(state, action) { Ok(()) } else { Err(self.why_not(state, action)) }
    }

    /// Refuses a state from outside that has a [`Rules::contradiction`].
    fn validate(&self, state: &Self::State) -> Result<(), Error> {
        match self.contradiction(state) {
            Some(message) => Err(Error::State { game: Self::NAME, message }),
            None => Ok(()),
        }
    }
}

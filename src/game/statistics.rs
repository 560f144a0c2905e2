use serde::Serialize;

use super::{MAX_SEATS, Rules};

/// What a table of simulated matches tells about each of them.
pub trait Statistics: Rules {
    /// The game's own columns.
    const STATISTICS: &'static [Statistic];
    /// The ways in which a match can end by the rules, a few words each.
    const ENDINGS: &'static [&'static str];

    /// What is counted while a match is played.
    type Count: Clone + Default + Send;

    /// Looks at a legal action before it is played.
    fn before(&self, _: &mut Self::Count, _: &Self::State, _: Self::Action) {}

    /// Looks at what an action and all that followed without a decision have led to.
    fn after(&self, _: &mut Self::Count, _: &Self::State) {}

    /// The statistics of a match from what was counted and its last state, which may be cut off. `own` receives those of
    /// [`Statistics::STATISTICS`] in their order: one each, or one for each seat.
    fn account(&self, count: &Self::Count, state: &Self::State, own: &mut [i32]) -> Account;

    /// How far ahead each seat is now, by what everybody may know: the higher the better, in the game's points or
    /// cards.
    fn standing(&self, state: &Self::State) -> [i32; MAX_SEATS];
}

/// One of [`Statistics`].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Statistic {
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
    /// Which of [`Statistics::ENDINGS`] ended the last round or game, if the match is over.
    pub ended: u8,
    /// The final score of each seat as players would write it down.
    pub scores: [i32; MAX_SEATS],
}

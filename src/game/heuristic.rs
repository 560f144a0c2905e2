use std::sync::atomic::AtomicBool;

use super::{Game, Rules};
use crate::agents::{Agent, Call};
use crate::error::Error;

/// What the game's agents think.
pub trait Heuristic: Rules {
    /// Agents that this game alone has, as they are called by default.
    const OWN_AGENTS: &'static [&'static str] = &[];
    /// How the search agent plays the game best, as far as was measured.
    const SEARCH: Tuning = Tuning { depth: 60, explore: 0.5, samples: u32::MAX };

    /// A file of weights that was learned for the game; see [`crate::policy`]. Empty without.
    const LEARNED: &'static [u8] = &[];

    /// How good a legal action looks to the seat to act, by what that seat may know. Higher is better.
    fn value(&self, state: &Self::State, action: Self::Action) -> i32;

    /// Tells how good each of some legal actions looks, one after another, as [`Heuristic::value`] does. To be overridden
    /// where judging one has something in common with judging the next.
    #[inline(always)]
    fn values(&self, state: &Self::State, actions: &[Self::Action], mut out: impl FnMut(i32)) {
        for &action in actions {
            out(self.value(state, action));
        }
    }

    /// The agent of [`Heuristic::OWN_AGENTS`] that is called for, if it is one.
    #[must_use]
    fn own_agent(_: &mut Call) -> Option<Result<Box<dyn Agent<Self>>, Error>>
    where
        Self: Game,
    {
        None
    }

    /// How many decisions [`Heuristic::solve`] has to look ahead at most; `None` without a solver for the state.
    fn solve_depth(&self, _: &Self::State) -> Option<u32> {
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
    /// Legal actions of which a playout takes the best, drawn anew for every decision; all where there are no more.
    pub samples: u32,
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

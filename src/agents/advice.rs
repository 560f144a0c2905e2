//! What a person is told who asks for a hint.

use std::sync::atomic::AtomicBool;

use super::{Agent as _, Search, greedy};
use crate::game::Game;
use crate::rng::Rng;

/// How long the adviser thinks, and on how many threads: somebody waits.
const ITERATIONS: u32 = 600;
const THREADS: u32 = 2;

/// A legal action worth considering for the seat to act, by what that seat may know, and why. The match is not over.
///
/// It is what the search agent likes best, unless the game calls that a mistake.
pub fn advise<R: Game>(rules: &R, state: &R::State, random: u64, stop: &AtomicBool) -> (R::Action, String) {
    let mut sensible = Vec::new();
    rules.legal_actions(state, &mut sensible);
    rules.drop_mistakes(state, &mut sensible);
    let liked = match sensible[..] {
        [only] => only,
        _ => Search::new(ITERATIONS, THREADS).choose(rules, state, random, stop, &mut Vec::new()),
    };
    let action = if sensible.contains(&liked) {
        liked
    } else {
        greedy::best(rules, state, &sensible, &mut Rng::from_bits(random))
    };
    (action, rules.reason(state, action))
}

/// Keeps the actions for which something holds, if it holds for any, and says whether it does.
pub fn keep_where<A>(actions: &mut Vec<A>, holds: impl Fn(&A) -> bool) -> bool {
    let any = actions.iter().any(&holds);
    actions.retain(|action| !any || holds(action));
    any
}

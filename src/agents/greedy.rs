use std::sync::atomic::AtomicBool;

use super::Agent;
use crate::game::Game;
use crate::rng::Rng;

/// The action that the game's own judgement likes best; among equals, any.
pub struct Greedy;

impl<R: Game> Agent<R> for Greedy {
    fn choose(
        &self,
        rules: &R,
        state: &R::State,
        random: u64,
        _: &AtomicBool,
        scratch: &mut Vec<R::Action>,
    ) -> R::Action {
        let mut rng = Rng::from_bits(random);
        scratch.clear();
        rules.legal_actions(state, scratch);
        best(rules, state, scratch, &mut rng)
    }
}

/// The best of some legal actions, of which there is one at least; among equals, any.
pub(super) fn best<R: Game>(rules: &R, state: &R::State, actions: &[R::Action], rng: &mut Rng) -> R::Action {
    let mut best = actions[0];
    let mut best_value = i32::MIN;
    let mut equals = 0;
    let mut judged = actions.iter();
    rules.values(state, actions, |value| {
        let Some(&action) = judged.next() else { return };
        if value > best_value {
            equals = 0;
        }
        if value >= best_value {
            equals += 1;
            if rng.below(equals) == 0 {
                (best, best_value) = (action, value);
            }
        }
    });
    best
}

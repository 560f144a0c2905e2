use super::Agent;
use crate::game::Game;
use crate::rng::Rng;

/// Every legal action is as likely as any other.
pub struct Random;

impl<R: Game> Agent<R> for Random {
    fn choose(&self, rules: &R, state: &R::State, rng: &mut Rng, scratch: &mut Vec<R::Action>) -> R::Action {
        rules.random_action(state, rng.bits(), scratch)
    }
}

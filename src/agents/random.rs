use std::sync::atomic::AtomicBool;

use super::Agent;
use crate::game::Game;

/// Every legal action is as likely as any other.
pub struct Random;

impl<R: Game> Agent<R> for Random {
    #[inline(always)]
    fn choose(
        &self,
        rules: &R,
        state: &R::State,
        random: u64,
        _: &AtomicBool,
        scratch: &mut Vec<R::Action>,
    ) -> R::Action {
        rules.random_action(state, random, scratch)
    }
    fn is_random(&self) -> bool {
        true
    }
}

use std::sync::atomic::AtomicBool;

use super::{Agent, Call, greedy};
use crate::error::Error;
use crate::game::Game;
use crate::rng::Rng;

/// Plays like [`super::Greedy`], but overlooks some of what it could do: an opponent for beginners.
pub struct Easy {
    /// How likely it is to overlook an action, of 2³².
    miss: u64,
}

impl Easy {
    /// `miss` is how likely it is to overlook an action, from 0 to 1.
    pub fn from_call(call: &mut Call) -> Result<Self, Error> {
        let miss = call.number("miss", 0.0..=1.0)?.unwrap_or(0.5);
        Ok(Self { miss: (miss * f64::from(u32::MAX)).ceil() as u64 })
    }
}

impl<R: Game> Agent<R> for Easy {
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
        let any = scratch[rng.below(scratch.len() as u64) as usize];
        scratch.retain(|_| rng.below(1 << 32) >= self.miss);
        if scratch.is_empty() { any } else { greedy::best(rules, state, scratch, &mut rng) }
    }
}

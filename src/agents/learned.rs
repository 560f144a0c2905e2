use std::sync::atomic::AtomicBool;

use super::{Agent, Call};
use crate::bits;
use crate::error::Error;
use crate::game::Game;
use crate::policy::{Judgement, Policy};
use crate::rng::Rng;

/// Plays what a policy that was learned likes best.
pub struct Learned {
    policy: Policy,
    /// 0 for the best action always; 1 for actions as likely as the policy says.
    temperature: f32,
}

impl Learned {
    /// Takes its arguments out of a call: `path` of a file with a policy, else the one that comes with the game;
    /// `temperature`.
    pub fn from_call<R: Game>(rules: &R, call: &mut Call) -> Result<Self, Error> {
        let policy = policy(rules, call)?;
        let temperature = call.number("temperature", 0.0..=100.0)?.unwrap_or(0.0);
        Ok(Self { policy, temperature })
    }
}

/// The policy of the file that a call names as its `path`, or the one that comes with the game.
pub fn policy<R: Game>(rules: &R, call: &mut Call) -> Result<Policy, Error> {
    let path = call.text("path");
    let refuse = |message: String| call.refuse(&message);
    match path.as_deref() {
        None if R::LEARNED.is_empty() => Err(refuse(format!("{} comes without a learned policy", R::TITLE))),
        None => Policy::read(R::LEARNED, rules).map_err(refuse),
        Some(_) if cfg!(target_family = "wasm") => Err(refuse("there are no files in a browser".to_owned())),
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| refuse(format!("{path}: {error}")))?;
            Policy::read(&bytes, rules).map_err(|why| refuse(format!("{path}: {why}")))
        }
    }
}

/// Whether the policy that comes with a game fits these rules.
pub(super) fn fits<R: Game>(rules: &R) -> bool {
    !R::LEARNED.is_empty() && Policy::read(R::LEARNED, rules).is_ok()
}

impl<R: Game> Agent<R> for Learned {
    fn choose(
        &self,
        rules: &R,
        state: &R::State,
        random: u64,
        _: &AtomicBool,
        scratch: &mut Vec<R::Action>,
    ) -> R::Action {
        scratch.clear();
        rules.legal_actions(state, scratch);
        if let [only] = scratch[..] {
            return only;
        }
        let mut judgement = Judgement::default();
        bits::wide(
            #[inline(always)]
            || self.policy.judge(rules, state, scratch, &mut judgement),
        );
        let mut rng = Rng::from_bits(random);
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, &logit) in judgement.logits.iter().enumerate() {
            // The largest of logits with Gumbel noise is a draw from their softmax.
            let noise = if self.temperature > 0.0 { self.temperature * gumbel(&mut rng) } else { 0.0 };
            if logit + noise > best.0 {
                best = (logit + noise, index);
            }
        }
        scratch[best.1]
    }
}

fn gumbel(rng: &mut Rng) -> f32 {
    let uniform = (rng.below(1 << 24) as f32 + 0.5) / (1 << 24) as f32;
    -(-uniform.ln()).ln()
}

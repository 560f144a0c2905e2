//! What a leaf is worth, answered inside Rust.

use crate::agents::{self, Call};
use crate::bits;
use crate::error::Error;
use crate::game::{Game, Returns};
use crate::names;
use crate::policy::{Judgement, Policy};

/// Who judges leaves without a call to anybody outside.
pub trait Evaluate<R: Game>: Send + Sync {
    /// Judges a state that is not over by what the seat to act may know: a logit for each of its legal `actions`, and what
    /// each seat may expect, by the number of the seat, on the scale of the search's rewards. `out` may hold anything before.
    fn evaluate(&self, rules: &R, state: &R::State, actions: &[R::Action], out: &mut Judgement);
}

/// Likes all actions alike and expects nothing.
pub struct Uniform;

impl<R: Game> Evaluate<R> for Uniform {
    fn evaluate(&self, _: &R, _: &R::State, actions: &[R::Action], out: &mut Judgement) {
        out.values = Returns::default();
        out.logits.clear();
        out.logits.resize(actions.len(), 0.0);
    }
}

/// A policy's values are shares of a win: they fit searches that reward winning.
impl<R: Game> Evaluate<R> for Policy {
    fn evaluate(&self, rules: &R, state: &R::State, actions: &[R::Action], out: &mut Judgement) {
        bits::wide(
            #[inline(always)]
            || self.judge(rules, state, actions, out),
        );
    }
}

/// Those who judge leaves inside Rust.
pub const NAMES: [&str; 2] = ["uniform", "learned"];

/// Who a text describes, such as `uniform` or `learned(path=mapello.safetensors)`.
pub fn make<R: Game>(rules: &R, text: &str) -> Result<Box<dyn Evaluate<R>>, Error> {
    let mut call = Call::parse(text)?;
    let evaluator: Box<dyn Evaluate<R>> = match call.name() {
        "uniform" => Box::new(Uniform),
        "learned" => Box::new(agents::policy(rules, &mut call)?),
        name => {
            let nearest = names::nearest(name, NAMES).map(|nearest| format!("; did you mean {nearest:?}?"));
            let allowed = format!("must be a function or one of {}{}", NAMES.join(", "), nearest.unwrap_or_default());
            return Err(Error::Config { name: "evaluate", value: format!("{text:?}"), allowed });
        }
    };
    call.finish()?;
    Ok(evaluator)
}

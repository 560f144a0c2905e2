//! What a leaf is worth, answered inside Rust.

use crate::agents::{self, Call};
use crate::bits;
use crate::error::Error;
use crate::game::{Game, Returns, Seat};
use crate::names;
use crate::policy::{Judgement, Policy};

/// Who judges leaves without a call to anybody outside.
pub trait Evaluate<R: Game>: Send + Sync {
    /// Judges a state by what `seat`, which is to act in it, may know: a logit for each of its legal `actions`, and in
    /// `values` what each seat may expect on the scale of the search's rewards, by the number of the seat. Both hold 0
    /// before; finite numbers after.
    fn evaluate(
        &self,
        rules: &R,
        state: &R::State,
        seat: Seat,
        actions: &[R::Action],
        logits: &mut [f32],
        values: &mut Returns,
    );
}

/// Likes all actions alike and expects nothing.
pub struct Uniform;

impl<R: Game> Evaluate<R> for Uniform {
    fn evaluate(&self, _: &R, _: &R::State, _: Seat, _: &[R::Action], _: &mut [f32], _: &mut Returns) {}
}

/// Judges as a policy does that was learned.
struct Learned(Policy);

impl<R: Game> Evaluate<R> for Learned {
    fn evaluate(
        &self,
        rules: &R,
        state: &R::State,
        _: Seat,
        actions: &[R::Action],
        logits: &mut [f32],
        values: &mut Returns,
    ) {
        let mut judgement = Judgement::default();
        bits::wide(
            #[inline(always)]
            || self.0.judge(rules, state, actions, &mut judgement),
        );
        logits.copy_from_slice(&judgement.logits);
        *values = judgement.values;
    }
}

/// The names of those who judge leaves inside Rust.
pub const NAMES: [&str; 2] = ["uniform", "learned"];

/// Who is called so: `uniform`, `learned` or `learned(path=...)`.
pub fn make<R: Game>(rules: &R, text: &str) -> Result<Box<dyn Evaluate<R>>, Error> {
    let mut call = Call::parse(text)?;
    let evaluate: Box<dyn Evaluate<R>> = match call.name() {
        "uniform" => Box::new(Uniform),
        "learned" => Box::new(Learned(agents::policy(rules, &mut call)?)),
        name => {
            let nearest = names::nearest(name, NAMES.into_iter()).map(|nearest| format!("; did you mean {nearest:?}?"));
            let allowed = format!("must be a function or one of {}{}", NAMES.join(", "), nearest.unwrap_or_default());
            return Err(Error::Config { name: "evaluate", value: format!("{name:?}"), allowed });
        }
    };
    call.finish()?;
    Ok(evaluate)
}

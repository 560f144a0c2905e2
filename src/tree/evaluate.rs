//! What a leaf is worth, answered inside Rust.

use crate::error::Error;
use crate::game::{Game, Returns, Seat};
use crate::names;

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

/// The names of those who judge leaves inside Rust.
pub const NAMES: [&str; 1] = ["uniform"];

/// Who is called so.
pub fn make<R: Game>(_rules: &R, name: &str) -> Result<Box<dyn Evaluate<R>>, Error> {
    match name {
        "uniform" => Ok(Box::new(Uniform)),
        _ => {
            let nearest = names::nearest(name, NAMES.into_iter()).map(|nearest| format!("; did you mean {nearest:?}?"));
            let allowed = format!("must be a function or one of {}{}", NAMES.join(", "), nearest.unwrap_or_default());
            Err(Error::Config { name: "evaluate", value: format!("{name:?}"), allowed })
        }
    }
}

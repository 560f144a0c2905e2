//! Built-in players. They decide inside Rust, so that a caller's step never waits for Python.

mod advice;
mod call;
mod easy;
mod greedy;
mod learned;
mod random;
mod search;

use std::sync::atomic::AtomicBool;

use crate::error::Error;
use crate::game::Game;
use crate::names;

pub use advice::{advise, keep_where};
pub use call::Call;
pub use easy::Easy;
pub use greedy::Greedy;
pub use learned::{Learned, policy};
pub use random::Random;
pub use search::Search;

/// Who decides for a seat.
pub trait Agent<R: Game>: Send + Sync {
    /// A legal action for the seat to act, by what that seat may know. The match is not over.
    ///
    /// `random` are 64 bits for this decision alone. Once `stop` is set, any legal action will do, but at once.
    /// `scratch` may hold anything before and after.
    fn choose(
        &self,
        rules: &R,
        state: &R::State,
        random: u64,
        stop: &AtomicBool,
        scratch: &mut Vec<R::Action>,
    ) -> R::Action;

    /// Whether this is [`Random`], which loops over many matches need not ask.
    fn is_random(&self) -> bool {
        false
    }
}

/// The agents that all games know, as they are called by default.
pub const NAMES: [&str; 4] = ["random", "easy(miss=0.5)", "greedy", "search(iterations=500)"];

/// The agents of a game with its options: those that all games know, its own, and what was learned, if that fits.
#[must_use]
pub fn names<R: Game>(rules: &R) -> Vec<&'static str> {
    let learned = learned::fits(rules).then_some("learned");
    NAMES.iter().chain(R::OWN_AGENTS).copied().chain(learned).collect()
}

/// The agent that a text describes, such as `greedy` or `search(iterations=500)`, for a game with its options.
pub fn make<R: Game>(rules: &R, text: &str) -> Result<Box<dyn Agent<R>>, Error> {
    let mut call = Call::parse(text)?;
    let agent: Box<dyn Agent<R>> = match call.name() {
        "random" => Box::new(Random),
        "easy" => Box::new(Easy::from_call(&mut call)?),
        "greedy" => Box::new(Greedy),
        "search" => Box::new(Search::from_call(rules, &mut call)?),
        "learned" => Box::new(Learned::from_call(rules, &mut call)?),
        _ => match R::own_agent(&mut call) {
            Some(agent) => agent?,
            None => return Err(unknown(rules, call.name())),
        },
    };
    call.finish()?;
    Ok(agent)
}

fn unknown<R: Game>(rules: &R, name: &str) -> Error {
    let known = names(rules);
    let plain = known.iter().map(|call| call.split('(').next().unwrap_or_default());
    let nearest = names::nearest(name, plain).map(|nearest| format!("did you mean {nearest:?}? ")).unwrap_or_default();
    Error::UnknownAgent { name: name.to_owned(), nearest, game: R::NAME, known: known.join(", ") }
}

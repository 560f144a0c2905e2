//! Built-in players. They decide inside Rust, so that a caller's step never waits for Python.

mod greedy;
mod random;

use crate::error::Error;
use crate::game::Game;

/// Who decides for a seat.
pub trait Agent<R: Game>: Send + Sync {
    /// A legal action for the seat to act, by what that seat may know. The match is not over.
    ///
    /// `random` are 64 bits for this decision alone; `scratch` may hold anything before and after.
    fn choose(&self, rules: &R, state: &R::State, random: u64, scratch: &mut Vec<R::Action>) -> R::Action;
}

/// The names that [`make`] knows.
pub const NAMES: [&str; 2] = ["random", "greedy"];

/// The built-in agent of that name.
pub fn make<R: Game>(name: &str) -> Result<Box<dyn Agent<R>>, Error> {
    match name {
        "random" => Ok(Box::new(random::Random)),
        "greedy" => Ok(Box::new(greedy::Greedy)),
        _ => Err(Error::UnknownAgent { name: name.to_owned(), known: NAMES.join(", ") }),
    }
}

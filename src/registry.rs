//! The only list of the games.

use crate::batch::{Batch, Config};
use crate::error::Error;
use crate::game::{Game, Rules as _};
use crate::games::mapello::Mapello;
use crate::simulate::{Columns, Plan, simulate};
use crate::simulator::Simulator;

/// The games, in the order in which they are shown.
pub const NAMES: [&str; 1] = [Mapello::NAME];

/// A batch of the named game. `options` is a JSON object; what it leaves out has its default.
pub fn make(name: &str, options: &str, config: Config) -> Result<Box<dyn Simulator>, Error> {
    match name {
        Mapello::NAME => Ok(Box::new(Batch::new(rules::<Mapello>(options)?, config)?)),
        _ => Err(unknown(name)),
    }
}

/// Whole episodes of the named game between built-in agents.
pub fn run(name: &str, options: &str, plan: &Plan) -> Result<Columns, Error> {
    match name {
        Mapello::NAME => simulate(rules::<Mapello>(options)?, plan),
        _ => Err(unknown(name)),
    }
}

fn rules<R: Game>(options: &str) -> Result<R, Error> {
    let refuse = |error: serde_json::Error| Error::Options { game: R::NAME, message: option_message(&error) };
    R::new(serde_json::from_str(options).map_err(refuse)?)
}

/// Serde's message in the caller's words: options come as keywords, not as JSON text.
fn option_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    text.replace("unknown field", "unknown option").replace("expected one of", "the options are")
}

fn unknown(name: &str) -> Error {
    Error::UnknownGame { name: name.to_owned(), known: NAMES.join(", ") }
}

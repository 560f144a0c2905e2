//! The only list of the games.

use crate::batch::{Batch, Config};
use crate::dynamic::Simulator;
use crate::episodes::{Callers, Outcome, Plan, simulate};
use crate::error::Error;
use crate::game::{Game, Rules as _};
use crate::games::connections::Connections;
use crate::games::domiphun::Domiphun;
use crate::games::mapello::Mapello;
use crate::games::mapominoes::Mapominoes;
use crate::games::metro_domino::MetroDomino;
use crate::names;

/// The games, in the order in which they are shown.
pub const NAMES: [&str; 5] = [Mapello::NAME, Mapominoes::NAME, MetroDomino::NAME, Domiphun::NAME, Connections::NAME];

/// A batch of the named game. `options` is a JSON object; what it leaves out has its default.
pub fn make(name: &str, options: &str, config: &Config) -> Result<Box<dyn Simulator>, Error> {
    match name {
        Mapello::NAME => Ok(Box::new(Batch::new(rules::<Mapello>(options)?, config)?)),
        Mapominoes::NAME => Ok(Box::new(Batch::new(rules::<Mapominoes>(options)?, config)?)),
        MetroDomino::NAME => Ok(Box::new(Batch::new(rules::<MetroDomino>(options)?, config)?)),
        Domiphun::NAME => Ok(Box::new(Batch::new(rules::<Domiphun>(options)?, config)?)),
        Connections::NAME => Ok(Box::new(Batch::new(rules::<Connections>(options)?, config)?)),
        _ => Err(unknown(name)),
    }
}

/// Whole episodes of the named game between agents; see [`simulate`].
pub fn run(
    name: &str,
    options: &str,
    plan: &Plan,
    callers: Option<&dyn Callers>,
    tick: impl FnMut(u32) -> bool,
) -> Result<Outcome, Error> {
    match name {
        Mapello::NAME => simulate(rules::<Mapello>(options)?, plan, callers, tick),
        Mapominoes::NAME => simulate(rules::<Mapominoes>(options)?, plan, callers, tick),
        MetroDomino::NAME => simulate(rules::<MetroDomino>(options)?, plan, callers, tick),
        Domiphun::NAME => simulate(rules::<Domiphun>(options)?, plan, callers, tick),
        Connections::NAME => simulate(rules::<Connections>(options)?, plan, callers, tick),
        _ => Err(unknown(name)),
    }
}

fn rules<R: Game>(options: &str) -> Result<R, Error> {
    let refuse = |message| Error::Options { game: R::NAME, message };
    let object: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(options).map_err(|error| refuse(format!("options must be a JSON object: {error}")))?;
    let options = serde_path_to_error::deserialize(serde_json::Value::Object(object))
        .map_err(|error| refuse(option_message(&error)))?;
    R::new(options)
}

/// Serde's message in the caller's words, with the option that it is about.
fn option_message(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let text = error.inner().to_string();
    match text.strip_prefix("unknown field") {
        Some(rest) if error.path().iter().len() > 1 => format!("{}: unknown{rest}", error.path()),
        Some(rest) => format!("unknown option{}", rest.replace("expected one of", "the options are")),
        None => format!("{}: {}", error.path(), in_plain_words(text)),
    }
}

/// What serde calls a sequence, a variant or a `u8`, people call otherwise.
fn in_plain_words(text: String) -> String {
    let words = [
        ("unknown variant", "unknown value"),
        ("a sequence", "a list"),
        ("a tuple of size 2", "two numbers"),
        ("expected u8", "expected a whole number from 0 to 255"),
    ];
    words.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours))
}

fn unknown(name: &str) -> Error {
    let nearest = names::nearest(name, NAMES).map(|nearest| format!("did you mean {nearest:?}? ")).unwrap_or_default();
    Error::UnknownGame { name: name.to_owned(), nearest, known: NAMES.join(", ") }
}

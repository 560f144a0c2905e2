//! A game's options as a caller gives them, and what is wrong with them in the caller's words.

use documented::DocumentedFields as _;
use serde_json::Value;

use crate::error::Error;
use crate::game::Rules;

/// The rules for an object of options; what it leaves out has its default.
pub fn rules<R: Rules>(options: &Value) -> Result<R, Error> {
    let refuse = |message| Error::Options { game: R::NAME, message };
    if !options.is_object() {
        return Err(refuse("options must be an object".to_owned()));
    }
    let options = serde_path_to_error::deserialize(options).map_err(|error| refuse(in_plain_words(&error)))?;
    R::new(options)
}

/// What each option means: the comment of its field.
#[must_use]
pub fn meanings<R: Rules>() -> Vec<(&'static str, String)> {
    let fields = R::Options::FIELD_NAMES.iter().zip(R::Options::FIELD_DOCS);
    fields.map(|(&name, meaning)| (name, meaning.replace('\n', " "))).collect()
}

/// Serde's message with the option that it is about. What serde calls a sequence, a variant or a `u8`, people call
/// otherwise.
fn in_plain_words(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    const WORDS: [(&str, &str); 4] = [
        ("unknown variant", "unknown value"),
        ("a sequence", "a list"),
        ("a tuple of size 2", "two numbers"),
        ("expected u8", "expected a whole number from 0 to 255"),
    ];
    let text = error.inner().to_string();
    match text.strip_prefix("unknown field") {
        Some(rest) if error.path().iter().len() > 1 => format!("{}: unknown{rest}", error.path()),
        Some(rest) => format!("unknown option{}", rest.replace("expected one of", "the options are")),
        None => {
            let plain = WORDS.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours));
            format!("{}: {plain}", error.path())
        }
    }
}

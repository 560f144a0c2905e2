//! A match as lines of JSON: where it started, a line a decision, the result. Read back, it is played again and checked
//! line by line.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dynamic::{Address, AnyMatch};
use crate::error::Error;
use crate::game::Seat;
use crate::matches::Turn;
use crate::registry;

const FORMAT: &str = "adjoin replay 2";

/// Where a match started.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    game: String,
    version: u32,
    options: Value,
    max_decisions: u32,
    seed: u64,
    lane: u32,
    episode: u32,
    /// The bytes of the first state, where it is not what the seed deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Hex>,
}

/// Bytes as text.
struct Hex(Vec<u8>);

/// A decision (seat, action, text), a time-out (seat, timeout), or the result (over, returns).
#[derive(Serialize, Deserialize, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    returns: Option<Vec<f32>>,
}

impl Line {
    fn of(game: &dyn AnyMatch, Turn { seat, action }: Turn) -> Self {
        let seat = Some(seat);
        match action {
            None => Self { seat, timeout: Some(true), ..Self::default() },
            Some(id) => Self { seat, action, text: Some(game.say(id).notation.to_string()), ..Self::default() },
        }
    }

    fn result(game: &dyn AnyMatch) -> Self {
        Self { over: Some(game.to_act().is_none()), returns: Some(game.returns()), ..Self::default() }
    }
}

/// The match so far.
pub fn write(game: &dyn AnyMatch) -> Result<String, Error> {
    let (spec, Address { seed, lane, episode, .. }) = (game.spec(), game.address());
    let start = if game.is_dealt() { None } else { Some(Hex(game.rewound().save()?)) };
    let header = Header {
        format: FORMAT.to_owned(),
        game: spec.name.to_owned(),
        version: spec.version,
        options: spec.options,
        max_decisions: game.max_decisions(),
        seed,
        lane,
        episode,
        start,
    };
    let mut lines = vec![to_json(&header)?];
    for &turn in game.history() {
        lines.push(to_json(&Line::of(game, turn))?);
    }
    lines.push(to_json(&Line::result(game))?);
    Ok(lines.join("\n") + "\n")
}

/// The match that `write` wrote, played again and checked; with `decisions`, only so many of them.
pub fn read(text: &str, decisions: Option<usize>) -> Result<Box<dyn AnyMatch>, Error> {
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(wanted) = decisions {
        let most = lines.len().saturating_sub(2);
        if wanted > most {
            return Err(Error::Config {
                name: "decisions",
                value: wanted.to_string(),
                allowed: format!("must be 0 to {most}"),
            });
        }
        lines.truncate(wanted + 1);
    }
    let at = |line: usize| move |message: String| Error::Replay { line, message };
    let Some((first, rest)) = lines.split_first() else { return Err(at(1)("the replay is empty".to_owned())) };
    let mut game = begin(first).map_err(at(1))?;
    let mut has_ended = false;
    for (number, line) in (2..).zip(rest) {
        if has_ended {
            return Err(at(number)("nothing can follow the result of the match".to_owned()));
        }
        has_ended = follow(&mut *game, line).map_err(at(number))?;
    }
    if decisions.is_none() && !has_ended {
        return Err(at(lines.len() + 1)("the result of the match is missing".to_owned()));
    }
    Ok(game)
}

fn begin(line: &str) -> Result<Box<dyn AnyMatch>, String> {
    if let Ok(Value::Object(fields)) = serde_json::from_str(line) {
        match fields.get("format").and_then(Value::as_str) {
            Some(FORMAT) => {}
            Some(other) if other.starts_with("adjoin replay ") => {
                return Err(format!("this is {other}, of another version of adjoin; expected {FORMAT}"));
            }
            _ => return Err(format!(r#"expected {{"format": "{FORMAT}", ...}}"#)),
        }
    }
    let Header { game: name, version, options, max_decisions, seed, lane, episode, start, .. } = parse(line)?;
    let words = |error: Error| error.to_string();
    let entry = registry::find(&name).map_err(words)?;
    let mut game = entry.start(&options, seed, episode, max_decisions).map_err(words)?;
    let now = game.spec().version;
    if version != now {
        return Err(format!("a match of {name} v{version}: this version of adjoin plays v{now}"));
    }
    match start {
        Some(Hex(bytes)) => game.load(&bytes).map_err(words)?,
        None if lane != 0 => return Err("a match from a seed starts at lane 0".to_owned()),
        None => {}
    }
    let found = game.address();
    if (found.seed, found.lane, found.episode) != (seed, lane, episode) {
        let Address { seed, lane, episode, .. } = found;
        return Err(format!("the match starts in episode {episode} of lane {lane} under seed {seed}"));
    }
    Ok(game)
}

/// Plays what a line says, and tells whether it is the result.
fn follow(game: &mut dyn AnyMatch, text: &str) -> Result<bool, String> {
    let line: Line = parse(text)?;
    if line.over.is_some() && line.action.is_none() {
        return if line == Line::result(game) {
            Ok(true)
        } else {
            Err(format!("the match came out differently: {:?}", game.returns()))
        };
    }
    let misfit = || format!("{text} does not fit the match");
    let seat = game.to_act().ok_or_else(misfit)?;
    if line.action.is_some_and(|id| id >= game.num_actions()) {
        return Err(format!("{text}: action ids are 0 to {}", game.num_actions() - 1));
    }
    if line != Line::of(game, Turn { seat, action: line.action }) {
        return Err(misfit());
    }
    let played = match line.action {
        Some(id) => game.play(id as i64),
        None => game.time_out(),
    };
    played.map(|()| false).map_err(|error| error.to_string())
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, String> {
    // Serde would also take a list of the fields' values.
    if !line.trim_start().starts_with('{') {
        return Err("expected an object".to_owned());
    }
    serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        match text {
            "recursion limit exceeded" => "it is nested too deeply".to_owned(),
            _ => text.to_owned(),
        }
    })
}

fn to_json(line: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(line).map_err(|error| Error::Save(error.to_string()))
}

impl Serialize for Hex {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let text: String = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits =
            |at: usize| text.get(at..at + 2).filter(|pair| pair.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let pair = |at: usize| digits(at).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(pair).collect();
        bytes.map(Self).ok_or_else(|| serde::de::Error::custom("start: expected pairs of hexadecimal digits"))
    }
}

//! What a page can ask.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::batch::Config;
use crate::dynamic::AnyMatch;
use crate::error::Error;
use crate::match_digest::MatchDigest;
use crate::session::{Session, Sitter, Update};
use crate::{registry, replay};

/// Leads every saved match.
const FORMAT: &str = "adjoin save 1";
/// Who sits at a seat that no agent has.
const PERSON: &str = "person";

/// A question: an object with what is asked in its field `ask`.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
enum Question {
    /// `{games}`: what stays the same about every game, as it is by default.
    Games {},
    /// What stays the same about a game with some options.
    Spec {
        game: String,
        #[serde(default = "no_options")]
        options: Value,
    },
    /// Puts a new match on the table; the screen's update. A sitter is `person` or the text of an agent, one a seat.
    Open {
        game: String,
        #[serde(default = "no_options")]
        options: Value,
        seed: u64,
        sitters: Vec<String>,
        names: Option<Vec<String>>,
    },
    /// Does what a message of the person in front of the screen says; the screen's update.
    Receive { message: Value },
    /// `{update, is_thinking}`: lets one agent decide, if one is to.
    Step {},
    /// The screen's update.
    Update {},
    /// The match with all who sit there, to be kept.
    Save {},
    /// Goes on with what `save` has answered; the screen's update.
    Resume { saved: Value },
    /// `{picture, caption, at, count}`: the table after so many decisions.
    Frame { at: usize },
    /// Hashes over a whole match that the core plays by itself.
    Digest {
        game: String,
        #[serde(default = "no_options")]
        options: Value,
        seed: u64,
        agent: Option<String>,
    },
}

fn no_options() -> Value {
    Value::Object(Map::new())
}

/// A match as it is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    format: String,
    replay: String,
    sitters: Vec<String>,
    names: Vec<String>,
}

/// After an agent's turn.
#[derive(Serialize)]
struct Stepped {
    update: Update,
    is_thinking: bool,
}

#[derive(Serialize)]
struct Games<T> {
    games: Vec<T>,
}

#[derive(Serialize)]
struct Refused {
    error: String,
}

/// Why there is no answer, in words.
type Answer = Result<String, String>;

/// A table for people at one screen and agents, behind questions and answers.
#[derive(Default)]
pub struct Door {
    session: Option<Session>,
}

impl Door {
    /// With no match on the table.
    #[must_use]
    pub const fn new() -> Self {
        Self { session: None }
    }

    /// Answers a question with an object: both are JSON. `{"error": "..."}` says what was wrong with the question, and
    /// nothing has changed then.
    pub fn ask(&mut self, question: &[u8]) -> String {
        let read = serde_json::from_slice(question).map_err(|error| format!("the question cannot be read: {error}"));
        let answer = read.and_then(|question| self.answer(question));
        answer.unwrap_or_else(|error| json(&Refused { error }).unwrap_or_default())
    }

    fn answer(&mut self, question: Question) -> Answer {
        match question {
            Question::Games {} => {
                let specs = registry::GAMES.iter().map(|game| game.spec(&no_options()));
                json(&Games { games: specs.collect::<Result<_, _>>().map_err(words)? })
            }
            Question::Spec { game, options } => {
                json(&registry::find(&game).and_then(|game| game.spec(&options)).map_err(words)?)
            }
            Question::Open { game, options, seed, sitters, names } => {
                let game = start(&game, &options, seed)?;
                self.seat(Session::new(game, sitters.into_iter().map(sitter).collect(), names).map_err(words)?)
            }
            Question::Receive { message } => {
                let session = self.session()?;
                // What is no message is one that nobody understands.
                session.receive_at_screen(&serde_json::from_value(message).unwrap_or_default(), &never());
                json(&settled(session)?)
            }
            Question::Step {} => {
                let session = self.session()?;
                session.step(&never()).map_err(words)?;
                let update = settled(session)?;
                json(&Stepped { is_thinking: session.is_thinking(), update })
            }
            Question::Update {} => json(&self.session()?.screen()),
            Question::Save {} => json(&saved(self.session()?)?),
            Question::Resume { saved } => {
                let mut session = resumed(saved).map_err(|error| format!("the saved match cannot be read: {error}"))?;
                session.draw_curtain();
                self.seat(session)
            }
            Question::Frame { at } => json(&self.session()?.frame(at).map_err(words)?),
            Question::Digest { game, options, seed, agent } => {
                let game = start(&game, &options, seed)?;
                json(&MatchDigest::of(game, agent.as_deref(), &never()).map_err(words)?)
            }
        }
    }

    fn session(&mut self) -> Result<&mut Session, String> {
        self.session.as_mut().ok_or_else(|| "there is no match yet: open one, or resume one".to_owned())
    }

    /// Puts a match on the table.
    fn seat(&mut self, mut session: Session) -> Answer {
        let update = settled(&mut session)?;
        self.session = Some(session);
        json(&update)
    }
}

/// The screen's update, with the screen turned to whoever is to decide now.
fn settled(session: &mut Session) -> Result<Update, String> {
    if !session.is_thinking() {
        session.step(&never()).map_err(words)?;
    }
    Ok(session.screen())
}

fn start(game: &str, options: &Value, seed: u64) -> Result<Box<dyn AnyMatch>, String> {
    let game = registry::find(game).map_err(words)?;
    game.start(options, seed, 0, Config::default().max_decisions).map_err(words)
}

fn saved(session: &Session) -> Result<Saved, String> {
    let text = |sitter: &Sitter| match sitter {
        Sitter::Agent(agent) => agent.clone(),
        Sitter::Person | Sitter::Host => PERSON.to_owned(),
    };
    Ok(Saved {
        format: FORMAT.to_owned(),
        replay: replay::write(session.game()).map_err(words)?,
        sitters: session.sitters().iter().map(text).collect(),
        names: session.names().to_vec(),
    })
}

fn resumed(saved: Value) -> Result<Session, String> {
    match saved["format"].as_str() {
        Some(FORMAT) => {}
        Some(other) if other.starts_with("adjoin save ") => {
            return Err(format!("this is {other}, of another version of adjoin; expected {FORMAT}"));
        }
        _ => return Err(format!(r#"expected {{"format": "{FORMAT}", ...}}"#)),
    }
    let Saved { replay, sitters, names, .. } = serde_json::from_value(saved).map_err(|error| error.to_string())?;
    let game = replay::read(&replay, None).map_err(|error| format!("replay, {error}"))?;
    Session::new(game, sitters.into_iter().map(sitter).collect(), Some(names)).map_err(words)
}

fn sitter(text: String) -> Sitter {
    if text == PERSON { Sitter::Person } else { Sitter::Agent(text) }
}

/// Nobody interrupts: the page ends the whole module instead.
fn never() -> AtomicBool {
    AtomicBool::new(false)
}

fn json(answer: &impl Serialize) -> Answer {
    serde_json::to_string(answer).map_err(|error| error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn words(error: Error) -> String {
    error.to_string()
}

//! Everything a caller can get wrong, one variant each. The messages are what people read.

use crate::game::{Refusal, Seat};

/// How many legal actions a message lists.
const SHOWN: usize = 24;

/// A refused call. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No game has this name.
    #[error("unknown game {name:?}: {nearest}the games are {known}")]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// A suggestion, as a sentence with a space after it, or nothing.
        nearest: String,
        /// The names there are.
        known: String,
    },
    /// Options that cannot be read or contradict the rules.
    #[error("{game}: {message}")]
    Options {
        /// The game whose options they are.
        game: &'static str,
        /// Which option, its value, and what is allowed.
        message: String,
    },
    /// A number of the batch itself out of range.
    #[error("{name} = {value}: {allowed}")]
    Config {
        /// The argument.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// An array whose shape or memory order does not fit the batch.
    #[error("{array}: expected {expected}, got {got}")]
    Array {
        /// Which of the arrays.
        array: &'static str,
        /// What it should be.
        expected: String,
        /// What it is.
        got: String,
    },
    /// An action that the rules do not allow now.
    #[error("{}: {refusal}; legal: {}", subject(*lane, *action, notation), first_few(legal))]
    IllegalAction {
        /// Where, if there are several lanes.
        lane: Option<usize>,
        /// The action's id.
        action: i64,
        /// The action in the game's notation.
        notation: String,
        /// The reason, and the clause.
        refusal: Refusal,
        /// What is allowed instead.
        legal: Vec<String>,
    },
    /// A word that names no action of the game.
    #[error("{text:?} is no action of {game}; legal now: {}", first_few(legal))]
    UnknownAction {
        /// What was asked for.
        text: String,
        /// The game.
        game: &'static str,
        /// What is allowed instead.
        legal: Vec<String>,
    },
    /// A lane that is not there.
    #[error("no lane {lane}: the batch has lanes 0 to {}", lanes - 1)]
    UnknownLane {
        /// What was asked for.
        lane: i64,
        /// How many there are.
        lanes: usize,
    },
    /// A seat that is not at the table.
    #[error("no seat {seat}: the table has seats 0 to {}", seats - 1)]
    UnknownSeat {
        /// What was asked for.
        seat: i64,
        /// How many there are.
        seats: usize,
    },
    /// A position text that cannot be read.
    #[error("position, row {row}, column {column}: {message}")]
    Position {
        /// Row of the text as the game counts them.
        row: usize,
        /// Column of the text as the game counts them.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// A state from outside that contradicts the rules.
    #[error("{game}: impossible state: {message}")]
    State {
        /// The game.
        game: &'static str,
        /// The contradiction.
        message: String,
    },
    /// A player who cannot run out of time now.
    #[error("no time-out: {0}")]
    TimeOut(String),
    /// Bytes that are no saved match of this game with these options.
    #[error("cannot load: {0}")]
    Save(String),
    /// A replay that cannot be read, or does not fit the match it tells.
    #[error("line {line}: {message}")]
    Replay {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// No built-in agent of the game has this name.
    #[error("unknown agent {name:?}: {nearest}the agents of {game} are {known}")]
    UnknownAgent {
        /// What was asked for.
        name: String,
        /// A suggestion, as a sentence with a space after it, or nothing.
        nearest: String,
        /// The game.
        game: &'static str,
        /// The agents there are.
        known: String,
    },
    /// An agent whose description cannot be read, or has arguments that it does not take.
    #[error("agent {text:?}: {message}")]
    Agent {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// A caller's agent failed in a simulated match.
    #[error("episode {episode}, decision {decision}, seat {seat}: {message}")]
    Caller {
        /// The number of the episode.
        episode: u32,
        /// The number of the decision within it, from 0.
        decision: u32,
        /// The seat to act.
        seat: usize,
        /// What went wrong.
        message: String,
    },
    /// The game has no exact solver, or not for such a position.
    #[error("cannot solve: {0}")]
    Solve(String),
    /// Columns that make no table.
    #[error("{0}")]
    Table(String),
    /// More than the memory holds.
    #[error("not enough memory for {count} {what} of {bytes} bytes each")]
    Memory {
        /// What there is no room for, in the plural.
        what: &'static str,
        /// How many of them.
        count: usize,
        /// How large each is.
        bytes: usize,
    },
    /// A thread that the system does not start. Those that were started are closed.
    #[error("threads = {threads}: the system starts no more of them ({reason}); nothing has changed, fewer may do")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// The caller stopped the work.
    #[error("stopped")]
    Stopped,
}

impl Error {
    pub(crate) fn threads(threads: usize, error: &std::io::Error) -> Self {
        Self::Threads { threads, reason: error.to_string() }
    }

    pub(crate) fn out_of_range(name: &'static str, value: usize, most: usize) -> Self {
        Self::Config { name, value: value.to_string(), allowed: format!("must be 1 to {most}") }
    }

    /// A seat number from outside, if it is at a table of `seats`.
    pub fn seat(seat: usize, seats: usize) -> Result<Seat, Self> {
        if seat < seats { Ok(Seat::new(seat)) } else { Err(Self::UnknownSeat { seat: seat as i64, seats }) }
    }
}

fn subject(lane: Option<usize>, action: i64, notation: &str) -> String {
    match lane {
        Some(lane) => format!("lane {lane}, illegal action {action} ({notation})"),
        None => notation.to_owned(),
    }
}

/// As many of the legal actions as a message lists.
fn first_few(legal: &[String]) -> String {
    let shown = legal.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    match legal.len() {
        0 => "nothing, the match is over".to_owned(),
        count if count > SHOWN => format!("{shown}, … ({count} in all)"),
        _ => shown,
    }
}

//! Whole episodes between agents, and a table of what came of them.

pub(crate) mod columns;
mod holdings;
mod play;

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arrow_array::RecordBatch;
use ndarray::ArrayView2;

use crate::batch::MAX_THREADS;
use crate::bits;
use crate::error::Error;
use crate::game::Game;
use crate::lane::Seating;
use crate::memory::reserve;
use crate::players::players;
use play::{Episode, Opening, play};

/// Which episodes to play, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where chance comes from.
    pub seed: u64,
    /// The number of the first episode.
    pub first: u32,
    /// How many episodes.
    pub episodes: u32,
    /// How many threads share them.
    pub threads: usize,
    /// Decisions after which a match is cut off.
    pub max_decisions: u32,
    /// A built-in agent for each seat, `None` for a caller's.
    pub agents: Vec<Option<String>>,
    /// What each of them is called in the table.
    pub names: Vec<String>,
    /// Moves the agents on by a seat from episode to episode.
    pub rotate: bool,
    /// What makes a row.
    pub record: Record,
    /// Where every episode begins, if not with a deal of its own.
    pub start: Option<Start>,
}

/// A position from which every episode goes on by chance of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// A match of the game as [`crate::dynamic::AnyMatch::save`] wrote it.
    pub save: Vec<u8>,
    /// Whose knowledge it is: what this seat has not seen is guessed anew in every episode. None: all stays as it is.
    pub viewer: Option<usize>,
    /// What is played first, whoever decides.
    pub action: Option<i64>,
}

/// What makes a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Record {
    /// An episode.
    Episodes,
    /// A decision.
    Decisions,
    /// A decision, with the game's own figures of the table.
    States,
    /// A piece that a seat has had.
    Pieces,
}

impl Record {
    /// Whether decisions are noted.
    fn has_decisions(self) -> bool {
        matches!(self, Self::Decisions | Self::States)
    }
}

impl FromStr for Record {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "episodes" => Ok(Self::Episodes),
            "decisions" => Ok(Self::Decisions),
            "states" => Ok(Self::States),
            "pieces" => Ok(Self::Pieces),
            _ => Err(Error::Config {
                name: "record",
                value: format!("{text:?}"),
                allowed: "must be \"episodes\", \"decisions\", \"states\" or \"pieces\"".to_owned(),
            }),
        }
    }
}

/// What came of a plan: rows in the order of the episodes.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The metadata of a field have its `meaning`; text is a dictionary.
    pub table: RecordBatch,
    /// Why some episodes are missing, if so. Those that were finished are there.
    pub failure: Option<Error>,
}

/// Decides at the seats that no built-in agent has.
pub trait Callers: Sync {
    /// An action's id for each row of observations and masks. `player` is an index of [`Plan::agents`].
    fn answer(
        &self,
        player: usize,
        observations: ArrayView2<'_, u8>,
        masks: ArrayView2<'_, i8>,
    ) -> Result<Vec<i64>, NoAnswer>;
}

/// Why a caller does not decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// What went wrong.
    Failed(String),
    /// The whole run is to end.
    Stopped,
}

/// How often the caller hears of progress.
const TICK: Duration = Duration::from_millis(50);
/// The most episodes that a thread takes at a time, and how often it takes some at least, unless callers are asked.
const SHARE: u32 = 1024;
const SHARES: u32 = 8;

/// Plays episodes `first` to `first + episodes` of lane 0 under the seed: the same for any number of threads.
///
/// `tick` hears several times a second how many are done, and stops the work by returning false.
pub fn simulate<R: Game>(
    rules: R,
    plan: &Plan,
    callers: Option<&dyn Callers>,
    mut tick: impl FnMut(u32) -> bool,
) -> Result<Outcome, Error> {
    let seats = rules.num_seats();
    if plan.agents.len() != seats || plan.names.len() != seats {
        return Err(Error::Config {
            name: "agents",
            value: format!("{} of them", plan.agents.len()),
            allowed: format!("must be one for each of the {seats} seats"),
        });
    }
    let players = players(plan.agents.iter().map(|agent| vec![(agent.clone(), 1.0)]), &rules)?;
    let seating = Seating::new(rules, players, plan.rotate, plan.max_decisions);
    let opening = Opening::new(&seating, plan)?;
    let threads = plan.threads.clamp(1, MAX_THREADS);
    let shares = threads as u32 * if callers.is_some() { 1 } else { SHARES };
    let share = plan.episodes.div_ceil(shares).clamp(1, SHARE);
    let (next, done) = (AtomicU64::new(0), AtomicU32::new(0));
    let parts = Mutex::new(Vec::new());
    let failures = Mutex::new(Vec::new());
    let fail = |error| {
        seating.stop.store(true, Ordering::Relaxed);
        failures.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    };
    let work = || {
        let mut episodes = Vec::new();
        while !seating.stop.load(Ordering::Relaxed) {
            let begin = next.fetch_add(share.into(), Ordering::Relaxed).min(plan.episodes.into()) as u32;
            let end = begin.saturating_add(share).min(plan.episodes);
            if begin == end {
                break;
            }
            let played = bits::wide(
                #[inline(always)]
                || play(&seating, plan, &opening, callers, begin..end, &done, &mut episodes),
            );
            if let Err(error) = played {
                fail(error);
            }
        }
        let mut parts = parts.lock().unwrap_or_else(PoisonError::into_inner);
        match reserve(&mut parts, "episodes", episodes.len()) {
            Ok(()) => parts.append(&mut episodes),
            Err(error) => fail(error),
        }
    };
    let interrupted = on_threads(threads, &seating.stop, &work, || tick(done.load(Ordering::Relaxed)))?;
    let mut episodes = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    episodes.sort_unstable_by_key(|episode: &Episode| episode.number);
    let mut failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures.sort_by_key(|error| if let Error::Caller { episode, .. } = error { *episode } else { 0 });
    let failure = if interrupted { Some(Error::Stopped) } else { failures.into_iter().next() };
    let table = match plan.record {
        Record::Episodes => columns::of_episodes(&seating, plan, &episodes)?,
        Record::Decisions | Record::States => columns::of_decisions(&seating, plan, &episodes)?,
        Record::Pieces => columns::of_pieces(&seating, plan, &episodes)?,
    };
    Ok(Outcome { table, failure })
}

/// Runs `work` on so many threads, and `tick` on this one while they work, until it returns false. Tells whether it did.
///
/// Sets `stop` then, and if a thread cannot be started, which is an error. In WebAssembly there is this thread alone: it
/// works first, and ticks once.
fn on_threads(
    threads: usize,
    stop: &AtomicBool,
    work: &(impl Fn() + Sync),
    mut tick: impl FnMut() -> bool,
) -> Result<bool, Error> {
    if cfg!(target_family = "wasm") {
        work();
        return Ok(!tick());
    }
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel::<()>();
        for _ in 0..threads {
            let sender = sender.clone();
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                work();
                drop(sender);
            });
            if let Err(error) = spawned {
                stop.store(true, Ordering::Relaxed);
                return Err(Error::threads(threads, &error));
            }
        }
        drop(sender);
        let mut interrupted = false;
        while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if !interrupted && !tick() {
                interrupted = true;
                stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(interrupted)
    })
}

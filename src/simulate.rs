//! Whole episodes between built-in agents, into columns.

use std::sync::Mutex;
use std::sync::PoisonError;

use crate::batch::players;
use crate::bits;
use crate::error::Error;
use crate::game::{Game, MAX_SEATS};
use crate::lane::{Lane, Table};
use crate::pool::Pool;
use crate::rng::Origin;

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
    pub limit: u32,
    /// A built-in agent for each seat.
    pub agents: Vec<String>,
    /// Moves the agents on by a seat from episode to episode.
    pub rotate: bool,
}

/// What came of the episodes, an entry each, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Returns of every seat at the end.
    pub returns: Vec<[f32; MAX_SEATS]>,
    /// The seat of the first agent.
    pub first_agent: Vec<u8>,
    /// Decisions taken.
    pub decisions: Vec<u32>,
    /// Whether the match ended by the rules ([`crate::rows::OVER`]) or was cut off.
    pub status: Vec<u8>,
}

/// Plays episodes `first` to `first + episodes` of lane 0 under the seed: the same for any number of threads.
pub fn simulate<R: Game>(rules: R, plan: &Plan) -> Result<Columns, Error> {
    let agents: Vec<_> = plan.agents.iter().cloned().map(Some).collect();
    let seats = rules.num_seats();
    if agents.len() != seats {
        return Err(Error::Config {
            name: "agents",
            value: format!("{} names", agents.len()),
            allowed: format!("must be one name for each of the {seats} seats"),
        });
    }
    let players = players(&agents, seats)?;
    let table = Table::new(rules, players, plan.rotate, plan.limit);
    let threads = plan.threads.clamp(1, crate::batch::MAX_THREADS);
    let share = plan.episodes.div_ceil(threads as u32);
    let parts: Vec<_> = (0..threads).map(|_| Mutex::new(Columns::default())).collect();
    Pool::new(threads).run(&|number| {
        let begin = (number as u32).saturating_mul(share).min(plan.episodes);
        let end = begin.saturating_add(share).min(plan.episodes);
        let columns = bits::wide(
            #[inline(always)]
            || play(&table, plan, begin..end),
        );
        *parts[number].lock().unwrap_or_else(PoisonError::into_inner) = columns;
    });
    let mut all = Columns::default();
    for part in parts {
        let part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.returns.extend(part.returns);
        all.first_agent.extend(part.first_agent);
        all.decisions.extend(part.decisions);
        all.status.extend(part.status);
    }
    Ok(all)
}

#[inline(always)]
fn play<R: Game>(table: &Table<R>, plan: &Plan, episodes: std::ops::Range<u32>) -> Columns {
    let origin = Origin { seed: plan.seed, lane: 0 };
    let mut scratch = Vec::new();
    let mut columns = Columns::default();
    for number in episodes {
        let episode = plan.first.wrapping_add(number);
        let lane = Lane::whole(table, origin, episode, &mut scratch);
        columns.returns.push(table.rules.returns(&lane.state));
        columns.first_agent.push(table.seat_of(0, origin, episode).index() as u8);
        columns.decisions.push(lane.decisions);
        columns.status.push(lane.status);
    }
    columns
}

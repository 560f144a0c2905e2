//! Whole episodes between built-in agents, into columns.

use std::sync::Mutex;
use std::sync::PoisonError;

use crate::batch::players;
use crate::bits;
use crate::error::Error;
use crate::game::{Game, MAX_SEATS, Play};
use crate::lane::{Lane, Table};
use crate::pool::Pool;
use crate::rng::Origin;
use crate::rows::RUNNING;

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
            || play(&table, plan, begin, end),
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

/// How many episodes are played side by side on a thread.
const TOGETHER: usize = 16;

#[inline(always)]
fn play<R: Game>(table: &Table<R>, plan: &Plan, begin: u32, end: u32) -> Columns {
    let origin = Origin { seed: plan.seed, lane: 0 };
    let deal = |number: u32| (number, Lane::dealt(table, origin, plan.first.wrapping_add(number)));
    let mut columns = Columns::zeros((end - begin) as usize);
    let mut waiting = begin..end;
    let mut tables: Vec<_> = waiting.by_ref().take(TOGETHER).map(deal).collect();
    let mut actions = Vec::with_capacity(TOGETHER);
    let mut scratch = Vec::new();
    while !tables.is_empty() {
        actions.clear();
        actions.extend(tables.iter().map(|(_, lane)| lane.agent_action(table, &mut scratch)));
        let playing = tables.iter_mut().zip(&actions).filter_map(|((_, lane), action)| {
            action.map(|action| Play { state: &mut lane.state, action, rng: &mut lane.rng })
        });
        table.rules.apply_each(playing);
        for ((_, lane), action) in tables.iter_mut().zip(&actions) {
            if action.is_some() {
                lane.move_on(table);
            }
        }
        let mut index = 0;
        while let Some((number, lane)) = tables.get(index) {
            if lane.status == RUNNING {
                index += 1;
                continue;
            }
            columns.set((*number - begin) as usize, table, lane);
            match waiting.next() {
                Some(number) => tables[index] = deal(number),
                None => drop(tables.swap_remove(index)),
            }
        }
    }
    columns
}

impl Columns {
    fn zeros(episodes: usize) -> Self {
        Self {
            returns: vec![[0.0; MAX_SEATS]; episodes],
            first_agent: vec![0; episodes],
            decisions: vec![0; episodes],
            status: vec![0; episodes],
        }
    }

    fn set<R: Game>(&mut self, index: usize, table: &Table<R>, lane: &Lane<R::State>) {
        self.returns[index] = table.rules.returns(&lane.state);
        self.first_agent[index] = lane.seat_of(0, table).index() as u8;
        self.decisions[index] = lane.decisions;
        self.status[index] = lane.status;
    }
}

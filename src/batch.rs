//! Many matches of one game, stepped together.
//!
//! A batch is one call deep: the caller hands over an action per lane and the arrays to fill, and gets them back filled.
//! Lanes never touch each other, so the result is the same for any number of threads and lanes.
//!
//! ```
//! use adjoin::batch::{Batch, Config, Seeds};
//! use adjoin::games::mapello::Mapello;
//! use adjoin::game::Rules as _;
//!
//! let rules = Mapello::new(Default::default())?;
//! let mut batch = Batch::new(rules, &Config { num_lanes: 64, ..Config::default() })?;
//! let mut buffers = batch.buffers();
//! let mut actions = vec![0; 64];
//! batch.reset(Seeds::One(7), buffers.rows())?;
//! for _ in 0..100 {
//!     batch.sample(&mut actions)?;
//!     batch.step(&actions, buffers.rows())?;
//! }
//! # Ok::<(), adjoin::error::Error>(())
//! ```

use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::agents;
use crate::bits;
use crate::error::Error;
use crate::game::{Game, Play, Refusal, Seat};
use crate::lane::{Lane, Reward, Seating};
use crate::matches::Match;
use crate::memory::room;
use crate::players::{Candidates, Player, players};
use crate::pool::Pool;
use crate::rng::Origin;
use crate::rows::{ActionRows, Buffers, Row, Rows, Status, Widths};

/// The action that leaves a lane alone.
pub const LEAVE: i32 = -1;
/// The most lanes of a batch.
pub const MAX_LANES: usize = 1 << 24;
/// The most threads of a batch.
pub const MAX_THREADS: usize = 256;
/// A thread for fewer lanes than this is never worth waking.
const LANES_PER_THREAD: usize = 8;

/// How a batch is to be run; none of it changes what happens in a lane, except who plays there and what it pays.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many matches side by side.
    pub num_lanes: usize,
    /// Where chance comes from until the first `reset`.
    pub seed: u64,
    /// How many threads share the lanes.
    pub threads: usize,
    /// Decisions after which a match is cut off.
    pub max_decisions: u32,
    /// Who may play at each seat. Empty: all are the caller's.
    pub agents: Vec<Candidates>,
    /// Moves the players on by a seat from episode to episode, and from lane to lane.
    pub rotate: bool,
    /// What rewards are.
    pub reward: Reward,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            num_lanes: 1,
            seed: 0,
            threads: 1,
            max_decisions: 10_000,
            agents: Vec::new(),
            rotate: false,
            reward: Reward::default(),
        }
    }
}

/// Seeds for a reset.
#[derive(Clone, Copy, Debug)]
pub enum Seeds<'a> {
    /// One for all: each lane is a stream of its own under it.
    One(u64),
    /// One per lane: each lane is what lane 0 would be under that seed.
    Each(&'a [u64]),
}

/// Many matches of one game, stepped together.
pub struct Batch<R: Game> {
    seating: Arc<Seating<R>>,
    lanes: Vec<Lane<R::State>>,
    threads: usize,
    pool: Pool,
}

/// A run of neighbouring lanes with their share of what a call brings.
struct Part<'a, 'r, S> {
    first: usize,
    lanes: &'a mut [Lane<S>],
    rows: Option<Rows<'r>>,
    actions: &'a mut [i32],
}

impl<R: Game> Batch<R> {
    /// A batch at the start of its first episodes.
    pub fn new(rules: R, config: &Config) -> Result<Self, Error> {
        let range = |name, value: usize, most: usize| {
            if (1..=most).contains(&value) { Ok(()) } else { Err(Error::out_of_range(name, value, most)) }
        };
        range("num_lanes", config.num_lanes, MAX_LANES)?;
        range("threads", config.threads, MAX_THREADS)?;
        range("max_decisions", config.max_decisions as usize, u32::MAX as usize)?;
        let players = players(config.agents.iter().cloned(), &rules)?;
        if !players.iter().any(|player| matches!(player, Player::Caller)) {
            return Err(Error::Config {
                name: "agents",
                value: format!(
                    "{:?}",
                    config.agents.iter().flatten().filter_map(|(agent, _)| agent.as_ref()).collect::<Vec<_>>()
                ),
                allowed: "must leave a seat to the caller; simulate() plays whole games between agents".to_owned(),
            });
        }
        let mut seating = Seating::new(rules, players, config.rotate, config.max_decisions);
        seating.reward = config.reward;
        let mut lanes = room_for_lanes(&seating.rules, config.num_lanes)?;
        let mut scratch = Vec::new();
        let lane = |lane| Lane::new(&seating, Origin { seed: config.seed, lane }, 0, &mut scratch);
        lanes.extend((0..config.num_lanes as u32).map(lane));
        Ok(Self::around(Arc::new(seating), lanes, config.threads))
    }

    /// The rules that all lanes share.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.seating.rules
    }

    /// Rules and players.
    #[must_use]
    pub fn seating(&self) -> &Seating<R> {
        &self.seating
    }

    pub(crate) fn shared_seating(&self) -> &Arc<Seating<R>> {
        &self.seating
    }

    pub(crate) fn lanes(&self) -> &[Lane<R::State>] {
        &self.lanes
    }

    /// How many lanes there are; at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a batch is never empty")]
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    fn around(seating: Arc<Seating<R>>, lanes: Vec<Lane<R::State>>, threads: usize) -> Self {
        let pool = Pool::new(threads.min(lanes.len() / LANES_PER_THREAD));
        Self { seating, lanes, threads, pool }
    }

    /// How many threads may share the lanes.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Bytes that one lane takes beside its rows.
    #[must_use]
    pub fn lane_bytes(&self) -> usize {
        size_of::<Lane<R::State>>() + self.seating.rules.heap_bytes()
    }

    /// The widths of the rows.
    #[must_use]
    pub fn widths(&self) -> Widths {
        Widths::of(self.rules())
    }

    /// Arrays of the right size.
    #[must_use]
    pub fn buffers(&self) -> Buffers {
        Buffers::new(self.len(), self.widths())
    }

    /// Starts the first episode of every lane.
    pub fn reset(&mut self, seeds: Seeds<'_>, rows: Rows<'_>) -> Result<(), Error> {
        rows.check(self.len(), self.widths())?;
        if let Seeds::Each(each) = seeds {
            self.check_seeds(each)?;
        }
        let origin = |index: usize| match seeds {
            Seeds::One(seed) => Origin { seed, lane: index as u32 },
            Seeds::Each(each) => Origin { seed: each[index], lane: 0 },
        };
        self.each_part(Some(rows), &mut [], |seating, part| {
            let Some(rows) = part.rows else { return };
            let mut scratch = Vec::new();
            let (rewards, mut rows) = rows.into_parts(Widths::of(&seating.rules));
            rewards.fill(0.0);
            let rows = rows.next(part.lanes.len());
            for (index, (lane, mut row)) in part.lanes.iter_mut().zip(rows).enumerate() {
                *lane = Lane::new(seating, origin(part.first + index), 0, &mut scratch);
                lane.write(seating, None, &mut row, &mut scratch);
            }
        })
    }

    /// Starts the next episode of the chosen lanes, over or not, or with `seeds` (one per lane) their first under a new
    /// seed. The other lanes and their rows stay as they are.
    pub fn restart(&mut self, chosen: &[bool], seeds: Option<&[u64]>, rows: Rows<'_>) -> Result<(), Error> {
        rows.check(self.len(), self.widths())?;
        crate::rows::check("lanes", &[chosen.len()], &[self.len()], true)?;
        seeds.map_or(Ok(()), |seeds| self.check_seeds(seeds))?;
        self.each_part(Some(rows), &mut [], |seating, part| {
            let Some(rows) = part.rows else { return };
            bits::wide(
                #[inline(always)]
                || {
                    let mut scratch = Vec::new();
                    let (rewards, mut rows) = rows.into_parts(Widths::of(&seating.rules));
                    let rows = rows.next(part.lanes.len());
                    let rewards = rewards.chunks_exact_mut(seating.rules.num_seats());
                    for (index, ((lane, mut row), reward)) in part.lanes.iter_mut().zip(rows).zip(rewards).enumerate() {
                        let index = part.first + index;
                        if chosen[index] {
                            let (origin, episode) = match seeds {
                                Some(seeds) => (Origin { seed: seeds[index], lane: 0 }, 0),
                                None => (lane.origin, lane.episode.wrapping_add(1)),
                            };
                            *lane = Lane::new(seating, origin, episode, &mut scratch);
                            reward.fill(0.0);
                            lane.write(seating, None, &mut row, &mut scratch);
                        }
                    }
                },
            );
        })
    }

    /// One decision per lane; [`LEAVE`] leaves a lane alone. A lane whose match is over starts its next episode
    /// instead. Either every action is legal or nothing changes.
    pub fn step(&mut self, actions: &[i32], rows: Rows<'_>) -> Result<(), Error> {
        rows.check(self.len(), self.widths())?;
        crate::rows::check("actions", &[actions.len()], &[self.len()], true)?;
        self.check(actions)?;
        self.each_part(Some(rows), &mut [], |seating, part| {
            let actions = &actions[part.first..];
            let Some(rows) = part.rows else { return };
            step_lanes(seating, part.lanes, actions, rows);
        })
    }

    /// One decision in one lane, whose row is written; the others stay as they are. Either the action is legal or nothing
    /// changes.
    pub fn step_lane(&mut self, lane: usize, action: i64, row: Rows<'_>) -> Result<(), Error> {
        row.check(1, self.widths())?;
        let (seating, lane) = self.lane_mut(lane)?;
        let id = i32::try_from(action).ok().filter(|&id| id != LEAVE && lane.status == Status::Running);
        match id.filter(|&id| is_playable(seating, lane, id)) {
            Some(id) => step_lanes(seating, slice::from_mut(lane), &[id], row),
            None => return Err(refused(&seating.rules, lane, None, action)),
        }
        Ok(())
    }

    /// Starts the next episode of one lane, over or not, or with a seed its first under that, and writes its row.
    pub fn restart_lane(&mut self, lane: usize, seed: Option<u64>, row: Rows<'_>) -> Result<(), Error> {
        row.check(1, self.widths())?;
        let (seating, lane) = self.lane_mut(lane)?;
        let (origin, episode) = match seed {
            Some(seed) => (Origin { seed, lane: 0 }, 0),
            None => (lane.origin, lane.episode.wrapping_add(1)),
        };
        *lane = Lane::new(seating, origin, episode, &mut Vec::new());
        observe_lanes(seating, slice::from_ref(lane), None, row);
        Ok(())
    }

    /// Rewrites the row of one lane without playing, as [`Batch::observe`] does.
    pub fn observe_lane(&self, lane: usize, viewer: Option<Seat>, row: Rows<'_>) -> Result<(), Error> {
        row.check(1, self.widths())?;
        observe_lanes(&self.seating, slice::from_ref(self.lane(lane)?), viewer, row);
        Ok(())
    }

    /// Draws a uniform legal action for every lane, and 0 where the match is over. The same until the lane moves on.
    pub fn sample(&mut self, actions: &mut [i32]) -> Result<(), Error> {
        crate::rows::check("actions", &[actions.len()], &[self.len()], true)?;
        self.each_part(None, actions, |seating, part| {
            bits::wide(
                #[inline(always)]
                || {
                    let mut scratch = Vec::new();
                    for (lane, action) in part.lanes.iter().zip(part.actions) {
                        *action = lane.sample(&seating.rules, &mut scratch);
                    }
                },
            );
        })
    }

    /// Writes what a built-in agent would play in every lane, as [`Match::choose`] says, and 0 where the match is over.
    /// Once `stop` is set, any legal action will do.
    pub fn choose(&mut self, agent: &str, purpose: u32, stop: &AtomicBool, actions: &mut [i32]) -> Result<(), Error> {
        crate::rows::check("actions", &[actions.len()], &[self.len()], true)?;
        let chooser = agents::make(self.rules(), agent)?;
        self.each_part(None, actions, |seating, part| {
            let mut scratch = Vec::new();
            let rules = &seating.rules;
            for (lane, action) in part.lanes.iter().zip(part.actions) {
                *action = 0;
                if lane.status == Status::Running {
                    let chosen = chooser.choose(rules, &lane.state, lane.advice(purpose), stop, &mut scratch);
                    *action = rules.action_id(chosen) as i32;
                }
            }
        })
    }

    /// Rewrites the rows without playing, for the seat to act or for a given one. A viewer who is not to act has an
    /// empty mask.
    pub fn observe(&mut self, viewer: Option<Seat>, rows: Rows<'_>) -> Result<(), Error> {
        rows.check(self.len(), self.widths())?;
        self.each_part(Some(rows), &mut [], |seating, part| {
            let Some(rows) = part.rows else { return };
            observe_lanes(seating, part.lanes, viewer, rows);
        })
    }

    /// How many legal actions the lanes have in all.
    pub fn num_legal(&mut self) -> Result<usize, Error> {
        Ok(self.count_actions()?.iter().sum())
    }

    /// Writes the legal actions of every lane with the facts about them, one lane after another, and returns how many
    /// there are. A lane whose match is over has none. Fails without room for all.
    pub fn actions(&mut self, out: ActionRows<'_>) -> Result<usize, Error> {
        let width = self.rules().facts().size();
        out.check(self.len(), width)?;
        let counts = self.count_actions()?;
        let total = counts.iter().sum();
        if total > out.ids.len() {
            let expected = format!("room for the {total} legal actions");
            return Err(Error::Array { array: "ids", expected, got: format!("room for {}", out.ids.len()) });
        }
        let seating = &*self.seating;
        let share = self.share();
        let ActionRows { ids, facts, offsets } = out;
        let (offsets, end) = offsets.split_at_mut(self.lanes.len());
        end.fill(total as i64);
        let out = ActionRows { ids, facts, offsets };
        let mut before = 0;
        let runs = self.lanes.chunks(share).zip(out.split(share, &counts, width)).zip(counts);
        let parts = runs.map(|((lanes, out), count)| {
            before += count;
            (lanes, before - count, out)
        });
        self.pool.share(parts.collect(), &|(lanes, before, out)| {
            bits::wide(
                #[inline(always)]
                || write_actions(seating, lanes, before, out),
            );
        })?;
        Ok(total)
    }

    /// Writes the first caller's seat in every lane.
    pub fn callers(&self, seats: &mut [i8]) -> Result<(), Error> {
        crate::rows::check("seats", &[seats.len()], &[self.len()], true)?;
        for (seat, lane) in seats.iter_mut().zip(&self.lanes) {
            *seat = lane.caller(&self.seating).index() as i8;
        }
        Ok(())
    }

    /// Writes who plays at each seat of each lane: a number among all candidates, those for the first player first.
    pub fn players(&self, players: &mut [i16]) -> Result<(), Error> {
        let seats = self.rules().num_seats();
        crate::rows::check("players", &[players.len()], &[self.len() * seats], true)?;
        for (players, lane) in players.chunks_exact_mut(seats).zip(&self.lanes) {
            for (seat, player) in players.iter_mut().enumerate() {
                *player = lane.candidate_at(Seat::new(seat), &self.seating) as i16;
            }
        }
        Ok(())
    }

    /// A new batch of copies of the given lanes, in that order.
    pub fn select(&self, lanes: &[usize]) -> Result<Self, Error> {
        if lanes.is_empty() {
            return Err(Error::Config {
                name: "lanes",
                value: "[]".to_owned(),
                allowed: "must name at least one lane".to_owned(),
            });
        }
        let mut copies = room_for_lanes(self.rules(), lanes.len())?;
        for &lane in lanes {
            copies.push(self.lane(lane)?.clone());
        }
        Ok(Self::around(Arc::clone(&self.seating), copies, self.threads))
    }

    /// Guesses anew, in every lane, what a seat has not seen. `purpose` numbers the guess; from then on the lane draws
    /// from that guess's own stream.
    pub fn resample_hidden(&mut self, viewer: Seat, purpose: u32) {
        for lane in &mut self.lanes {
            lane.resample(&self.seating.rules, viewer, purpose);
        }
    }

    /// The lane with this number.
    pub fn lane(&self, lane: usize) -> Result<&Lane<R::State>, Error> {
        self.lanes.get(lane).ok_or(Error::UnknownLane { lane: lane as i64, lanes: self.len() })
    }

    /// Rules and players, and the lane with this number.
    fn lane_mut(&mut self, lane: usize) -> Result<(&Seating<R>, &mut Lane<R::State>), Error> {
        let lanes = self.len();
        let found = self.lanes.get_mut(lane).ok_or(Error::UnknownLane { lane: lane as i64, lanes })?;
        Ok((&self.seating, found))
    }

    /// Puts a copy of a lane of the same game with the same options in the place of one; built-in agents play on if it
    /// is their turn.
    pub(crate) fn set_lane(&mut self, lane: usize, with: Lane<R::State>) -> Result<(), Error> {
        let (seating, lane) = self.lane_mut(lane)?;
        *lane = with.seated(seating);
        Ok(())
    }

    /// A lane as a match that begins there, in which nobody plays by themselves.
    pub fn to_match(&self, lane: usize) -> Result<Match<R>, Error> {
        Ok(Match::from_lane(Arc::clone(&self.seating), self.lane(lane)?.clone()))
    }

    /// How many lanes a thread has at most.
    fn share(&self) -> usize {
        self.lanes.len().div_ceil(self.pool.threads())
    }

    /// How many legal actions the lanes of each thread have.
    fn count_actions(&mut self) -> Result<Vec<usize>, Error> {
        let (seating, lanes, share) = (&*self.seating, &*self.lanes, self.share());
        let mut counts = vec![0; lanes.chunks(share).len()];
        let parts = lanes.chunks(share).zip(&mut counts).collect();
        self.pool.share(parts, &|(lanes, count): (_, &mut usize)| *count = count_actions(seating, lanes))?;
        Ok(counts)
    }

    fn check_seeds(&self, seeds: &[u64]) -> Result<(), Error> {
        if seeds.len() == self.len() {
            return Ok(());
        }
        let expected = format!("one number or {} of them", self.len());
        Err(Error::Array { array: "seed", expected, got: seeds.len().to_string() })
    }

    fn check(&mut self, actions: &[i32]) -> Result<(), Error> {
        let first_bad = AtomicUsize::new(usize::MAX);
        self.each_part(None, &mut [], |seating, part| {
            let actions = &actions[part.first..];
            let bad = bits::wide(
                #[inline(always)]
                || first_unplayable(seating, part.lanes, actions),
            );
            if let Some(index) = bad {
                first_bad.fetch_min(part.first + index, Ordering::Relaxed);
            }
        })?;
        match first_bad.into_inner() {
            usize::MAX => Ok(()),
            lane => Err(refused(self.rules(), &self.lanes[lane], Some(lane), actions[lane].into())),
        }
    }

    /// Hands every thread its run of lanes. Fails before any work is done.
    fn each_part<'a, 'r>(
        &'a mut self,
        rows: Option<Rows<'r>>,
        actions: &'a mut [i32],
        work: impl Fn(&Seating<R>, Part<'a, 'r, R::State>) + Sync,
    ) -> Result<(), Error> {
        let seating = &*self.seating;
        if self.pool.threads() == 1 {
            work(seating, Part { first: 0, lanes: &mut self.lanes, rows, actions });
            return Ok(());
        }
        let threads = self.pool.threads();
        let share = self.lanes.len().div_ceil(threads);
        let mut rest = Part { first: 0, lanes: &mut self.lanes, rows, actions };
        let parts = (0..threads).map(|_| {
            let (part, later) = std::mem::replace(&mut rest, Part::empty()).split_at(share);
            rest = later;
            part
        });
        let parts = parts.collect();
        self.pool.share(parts, &|part| work(seating, part))
    }
}

impl<S> Part<'_, '_, S> {
    fn empty() -> Self {
        Self { first: 0, lanes: &mut [], rows: None, actions: &mut [] }
    }

    fn split_at(self, lanes: usize) -> (Self, Self) {
        let share = lanes.min(self.lanes.len());
        let (lanes, later_lanes) = self.lanes.split_at_mut(share);
        let (actions, later_actions) = self.actions.split_at_mut(share.min(self.actions.len()));
        let (rows, later_rows) = self.rows.map(|rows| rows.split_at(share)).unzip();
        (
            Self { first: self.first, lanes, rows, actions },
            Self { first: self.first + share, lanes: later_lanes, rows: later_rows, actions: later_actions },
        )
    }
}

/// An empty list with room for so many lanes; what their states take beside it can be had too.
fn room_for_lanes<R: Game>(rules: &R, lanes: usize) -> Result<Vec<Lane<R::State>>, Error> {
    let heap = rules.heap_bytes();
    let refuse = |_| Error::Memory { what: "lanes", count: lanes, bytes: size_of::<Lane<R::State>>() + heap };
    let list = room("lanes", lanes).map_err(refuse)?;
    if heap > 0 {
        // Asked for at once and given back: states ask for it piece by piece, which must not fail.
        let with_books = heap + heap / 4 + 128;
        room::<u8>("bytes", lanes.saturating_mul(with_books)).map_err(refuse)?;
    }
    Ok(list)
}

/// The error of an action that cannot be played in a lane; `index` is the lane's number, if there are several.
#[cold]
pub(crate) fn refused<R: Game>(rules: &R, lane: &Lane<R::State>, index: Option<usize>, action: i64) -> Error {
    let num_actions = rules.actions().size();
    let (notation, refusal) = match usize::try_from(action).ok().filter(|&id| id < num_actions) {
        None => {
            let leave = if index.is_some() { ", or -1 to leave a lane alone" } else { "" };
            let reason = format!("ids are 0 to {}{leave}", num_actions - 1);
            (format!("action {action}"), Refusal::new("", reason))
        }
        Some(id) if lane.status == Status::CutOff => {
            let reason = format!("the match was cut off after {} decisions", lane.decisions);
            (rules.notation(rules.action(id)), Refusal::new("", reason))
        }
        Some(id) => (rules.notation(rules.action(id)), rules.why_not(&lane.state, rules.action(id))),
    };
    Error::IllegalAction { lane: index, action, notation, refusal, legal: legal_notations(rules, lane) }
}

/// The legal actions of a lane in the game's notation.
pub(crate) fn legal_notations<R: Game>(rules: &R, lane: &Lane<R::State>) -> Vec<String> {
    let mut legal = Vec::new();
    if lane.status == Status::Running {
        rules.legal_actions(&lane.state, &mut legal);
    }
    legal.into_iter().map(|action| rules.notation(action)).collect()
}

/// The place of the first lane that cannot play its action.
#[inline(always)]
fn first_unplayable<R: Game>(seating: &Seating<R>, lanes: &[Lane<R::State>], actions: &[i32]) -> Option<usize> {
    for (index, (lane, &action)) in lanes.iter().zip(actions).enumerate() {
        if !is_playable(seating, lane, action) {
            return Some(index);
        }
    }
    None
}

#[inline(always)]
fn is_playable<R: Game>(seating: &Seating<R>, lane: &Lane<R::State>, action: i32) -> bool {
    if lane.status != Status::Running || action == LEAVE {
        return action >= LEAVE && action < seating.rules.actions().size() as i32;
    }
    let id = action as u32 as usize;
    id < seating.rules.actions().size() && seating.rules.is_legal(&lane.state, seating.rules.action(id))
}

fn count_actions<R: Game>(seating: &Seating<R>, lanes: &[Lane<R::State>]) -> usize {
    let mut scratch = Vec::new();
    let running = lanes.iter().filter(|lane| lane.status == Status::Running);
    running.map(|lane| seating.rules.num_legal(&lane.state, &mut scratch)).sum()
}

/// Writes the legal actions of some lanes, of which so many come before them; there is room for just those.
#[inline(always)]
fn write_actions<R: Game>(seating: &Seating<R>, lanes: &[Lane<R::State>], before: usize, out: ActionRows<'_>) {
    let rules = &seating.rules;
    let width = rules.facts().size();
    let mut legal = Vec::new();
    let mut at = 0;
    for (lane, offset) in lanes.iter().zip(out.offsets) {
        *offset = (before + at) as i64;
        if lane.status != Status::Running {
            continue;
        }
        legal.clear();
        rules.legal_actions(&lane.state, &mut legal);
        let end = at + legal.len();
        for (id, &action) in out.ids[at..end].iter_mut().zip(&legal) {
            *id = rules.action_id(action) as i32;
        }
        rules.describe_actions(&lane.state, &legal, &mut out.facts[at * width..end * width]);
        at = end;
    }
}

/// Writes the rows of some lanes, with the widest vectors that there are.
fn observe_lanes<R: Game>(seating: &Seating<R>, lanes: &[Lane<R::State>], viewer: Option<Seat>, rows: Rows<'_>) {
    let (rewards, mut rows) = rows.into_parts(Widths::of(&seating.rules));
    rewards.fill(0.0);
    bits::wide(
        #[inline(always)]
        || write_lanes(seating, lanes, viewer, rows.next(lanes.len()), &mut Vec::new()),
    );
}

/// Plays some lanes, then writes their rows while they are in the cache: short loops over lanes overlap better in the
/// processor than a long one, and each is compiled by itself for the widest vectors that there are.
fn step_lanes<R: Game>(seating: &Seating<R>, lanes: &mut [Lane<R::State>], actions: &[i32], rows: Rows<'_>) {
    const TOGETHER: usize = 64;
    let mut scratch = Vec::new();
    let seats = seating.rules.num_seats();
    let (rewards, mut rows) = rows.into_parts(Widths::of(&seating.rules));
    let groups = lanes.chunks_mut(TOGETHER).zip(actions.chunks(TOGETHER)).zip(rewards.chunks_mut(TOGETHER * seats));
    for ((lanes, actions), rewards) in groups {
        bits::wide(
            #[inline(always)]
            || play_lanes(seating, lanes, actions),
        );
        bits::wide(
            #[inline(always)]
            || settle_lanes(seating, lanes, actions, rewards, &mut scratch),
        );
        bits::wide(
            #[inline(always)]
            || write_lanes(seating, lanes, None, rows.next(lanes.len()), &mut scratch),
        );
    }
}

/// Plays in the lanes whose match goes on.
#[inline(always)]
fn play_lanes<R: Game>(seating: &Seating<R>, lanes: &mut [Lane<R::State>], actions: &[i32]) {
    let playing =
        lanes.iter_mut().zip(actions).filter(|(lane, action)| lane.status == Status::Running && **action != LEAVE);
    seating.rules.apply_each(playing.map(|(lane, &action)| Play {
        state: &mut lane.state,
        action: seating.rules.action(action as usize),
        rng: &mut lane.rng,
    }));
}

/// What follows in the lanes that were played, and deals in those whose match was over.
#[inline(always)]
fn settle_lanes<R: Game>(
    seating: &Seating<R>,
    lanes: &mut [Lane<R::State>],
    actions: &[i32],
    rewards: &mut [f32],
    scratch: &mut Vec<R::Action>,
) {
    rewards.fill(0.0);
    let rewards = rewards.chunks_exact_mut(seating.rules.num_seats());
    for ((lane, &action), reward) in lanes.iter_mut().zip(actions).zip(rewards) {
        if action == LEAVE {
            continue;
        }
        if lane.status == Status::Running {
            lane.after(seating, scratch, reward);
        } else {
            deal_anew(seating, lane, scratch);
        }
    }
}

/// Kept out of the loop over lanes.
#[cold]
fn deal_anew<R: Game>(seating: &Seating<R>, lane: &mut Lane<R::State>, scratch: &mut Vec<R::Action>) {
    *lane = Lane::new(seating, lane.origin, lane.episode.wrapping_add(1), scratch);
}

/// Writes the rows of some lanes, for the seat to act or a given one.
#[inline(always)]
fn write_lanes<'a, R: Game>(
    seating: &Seating<R>,
    lanes: &[Lane<R::State>],
    viewer: Option<Seat>,
    rows: impl Iterator<Item = Row<'a>>,
    scratch: &mut Vec<R::Action>,
) {
    for (lane, mut row) in lanes.iter().zip(rows) {
        lane.write(seating, viewer, &mut row, scratch);
    }
}

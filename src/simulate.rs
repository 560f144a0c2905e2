//! Whole episodes between agents, into columns.

use std::hash::{Hash as _, Hasher as _};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ndarray::{Array2, ArrayView2};

use crate::batch::{MAX_THREADS, players};
use crate::bits;
use crate::digest::Digest;
use crate::error::Error;
use crate::game::{Account, Game, MAX_SEATS, Play, Returns, Seat};
use crate::lane::{Lane, Player, Table};
use crate::memory::{collect, reserve, room};
use crate::rng::Origin;
use crate::rows::{OVER, RUNNING};

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
    /// A built-in agent for each seat, `None` for a caller's.
    pub agents: Vec<Option<String>>,
    /// What each of them is called in the table.
    pub names: Vec<String>,
    /// Moves the agents on by a seat from episode to episode.
    pub rotate: bool,
    /// What makes a row.
    pub record: Record,
}

/// What makes a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Record {
    /// An episode.
    Episodes,
    /// A decision.
    Decisions,
}

/// A column of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What it is called.
    pub name: String,
    /// What it tells.
    pub meaning: String,
    /// An entry a row.
    pub values: Values,
}

/// The entries of a column.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the types say it")]
pub enum Values {
    I8(Vec<i8>),
    U8(Vec<u8>),
    I32(Vec<i32>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    /// Numbers of the labels.
    Text(Vec<i32>, Arc<[String]>),
}

/// What came of a plan: rows in the order of the episodes.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// All of the same length.
    pub columns: Vec<Column>,
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
/// How many episodes are played side by side on a thread: between built-in agents, and with callers, who are asked for
/// many at a time.
const TOGETHER: usize = 16;
const TOGETHER_WITH_CALLERS: usize = 256;
/// The most episodes that a thread takes at a time, and how often it takes some at least, unless callers are asked.
const SHARE: u32 = 1024;
const SHARES: u32 = 8;

/// Memory that a thread has to spare, and after how many episodes it looks whether it has.
const SPARE_BYTES: usize = 40 << 20;
const LOOKS_EVERY: usize = 64;

/// Plays episodes `first` to `first + episodes` of lane 0 under the seed: the same for any number of threads.
///
/// `tick` hears several times a second how many are done, and stops the work by returning false.
pub fn simulate<R: Game>(
    rules: R,
    plan: &Plan,
    callers: Option<&dyn Callers>,
    tick: &mut dyn FnMut(u32) -> bool,
) -> Result<Outcome, Error> {
    let seats = rules.num_seats();
    if plan.agents.len() != seats || plan.names.len() != seats {
        return Err(Error::Config {
            name: "agents",
            value: format!("{} of them", plan.agents.len()),
            allowed: format!("must be one for each of the {seats} seats"),
        });
    }
    let players = players(&plan.agents, seats)?;
    let table = Table::new(rules, players, plan.rotate, plan.limit);
    let threads = plan.threads.clamp(1, MAX_THREADS);
    let shares = threads as u32 * if callers.is_some() { 1 } else { SHARES };
    let share = plan.episodes.div_ceil(shares).clamp(1, SHARE);
    let (next, done) = (AtomicU64::new(0), AtomicU32::new(0));
    let parts = Mutex::new(Vec::new());
    let failures = Mutex::new(Vec::new());
    let fail = |error| {
        table.stop.store(true, Ordering::Relaxed);
        failures.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    };
    let work = || {
        let mut episodes = Vec::new();
        while !table.stop.load(Ordering::Relaxed) {
            let begin = next.fetch_add(share.into(), Ordering::Relaxed).min(plan.episodes.into()) as u32;
            let end = begin.saturating_add(share).min(plan.episodes);
            if begin == end {
                break;
            }
            let played = bits::wide(
                #[inline(always)]
                || play(&table, plan, callers, begin..end, &done, &mut episodes),
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
    let interrupted = on_threads(threads, &table.stop, &work, || tick(done.load(Ordering::Relaxed)))?;
    let mut episodes = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    episodes.sort_unstable_by_key(|episode: &Episode| episode.number);
    let mut failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures.sort_by_key(|error| if let Error::Caller { episode, .. } = error { *episode } else { 0 });
    let failure = if interrupted { Some(Error::Stopped) } else { failures.into_iter().next() };
    let columns = match plan.record {
        Record::Episodes => episode_columns(&table, plan, &episodes)?,
        Record::Decisions => decision_columns(&table, plan, &episodes)?,
    };
    Ok(Outcome { columns, failure })
}

/// Runs `work` on so many threads, and `tick` on this one while they work, until it returns false. Tells whether it did.
///
/// Sets `stop` then, and if a thread cannot be started, which is an error.
fn on_threads(
    threads: usize,
    stop: &AtomicBool,
    work: &(impl Fn() + Sync),
    mut tick: impl FnMut() -> bool,
) -> Result<bool, Error> {
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

/// A match while it is played.
struct Sitting<R: Game> {
    number: u32,
    lane: Lane<R::State>,
    count: R::Count,
    digest: Digest,
    trail: Vec<Decision>,
    /// What each seat has earned before its first decision.
    early: Returns,
}

/// A match that was played.
struct Episode {
    number: u32,
    /// The first player's seat.
    first: u8,
    status: u8,
    decisions: u32,
    returns: Returns,
    account: Account,
    own: Vec<i32>,
    /// The same for matches with the same start, actions and result.
    digest: u64,
    trail: Vec<Decision>,
}

/// A decision that was taken.
struct Decision {
    seat: Seat,
    player: u8,
    action: u32,
    legal: u32,
    /// What the seat that decided earned until its next decision.
    reward: f32,
    /// What each seat earned until the next decision of anybody.
    earned: Returns,
    standing: [i32; MAX_SEATS],
}

#[inline(always)]
fn play<R: Game>(
    table: &Table<R>,
    plan: &Plan,
    callers: Option<&dyn Callers>,
    mut waiting: std::ops::Range<u32>,
    done: &AtomicU32,
    finished: &mut Vec<Episode>,
) -> Result<(), Error> {
    let together = if callers.is_some() { TOGETHER_WITH_CALLERS } else { TOGETHER };
    let mut sittings: Vec<_> =
        waiting.by_ref().take(together).map(|number| Sitting::deal(table, plan, number)).collect();
    let mut actions = Vec::with_capacity(together);
    let mut scratch = Vec::new();
    while !sittings.is_empty() && !table.stop.load(Ordering::Relaxed) {
        actions.clear();
        actions.extend(sittings.iter().map(|sitting| sitting.lane.agent_action(table, &mut scratch)));
        if let Some(callers) = callers {
            ask(table, callers, &sittings, &mut actions, &mut scratch)?;
        }
        for (sitting, &action) in sittings.iter_mut().zip(&actions) {
            if let Some(action) = action {
                sitting.before(table, plan.record, action, &mut scratch)?;
            }
        }
        let playing = sittings.iter_mut().zip(&actions).filter_map(|(sitting, action)| {
            action.map(|action| Play { state: &mut sitting.lane.state, action, rng: &mut sitting.lane.rng })
        });
        table.rules.apply_each(playing);
        for (sitting, action) in sittings.iter_mut().zip(&actions) {
            if action.is_some() {
                sitting.after(table, plan.record);
            }
        }
        let mut index = 0;
        while let Some(sitting) = sittings.get_mut(index) {
            if sitting.lane.status == RUNNING {
                index += 1;
                continue;
            }
            make_room(finished)?;
            finished.push(sitting.finish(table));
            done.fetch_add(1, Ordering::Relaxed);
            match waiting.next() {
                Some(number) => *sitting = Sitting::deal(table, plan, number),
                None => drop(sittings.swap_remove(index)),
            }
        }
    }
    Ok(())
}

/// Makes room for one more. An episode also asks for memory in small pieces, which cannot fail: so there must be some to
/// spare, asked for at once and given back.
fn make_room(finished: &mut Vec<Episode>) -> Result<(), Error> {
    if finished.len().is_multiple_of(LOOKS_EVERY) {
        let (count, bytes) = (finished.len() + 1, size_of::<Episode>());
        room::<u8>("bytes", SPARE_BYTES).map_err(|_| Error::Memory { what: "episodes", count, bytes })?;
    }
    reserve(finished, "episodes", 1)
}

/// Fills in what the callers decide.
fn ask<R: Game>(
    table: &Table<R>,
    callers: &dyn Callers,
    sittings: &[Sitting<R>],
    actions: &mut [Option<R::Action>],
    scratch: &mut Vec<R::Action>,
) -> Result<(), Error> {
    for (player, _) in table.players.iter().enumerate().filter(|(_, player)| matches!(player, Player::Caller)) {
        let asked: Vec<usize> = (0..sittings.len())
            .filter(|&index| {
                let lane = &sittings[index].lane;
                lane.to_act(&table.rules).is_some_and(|seat| lane.player_at(seat, table) == player)
            })
            .collect();
        if asked.is_empty() {
            continue;
        }
        let rules = &table.rules;
        let mut observations = Array2::<u8>::zeros((asked.len(), rules.observation().size()));
        let mut masks = Array2::<i8>::zeros((asked.len(), rules.actions().size()));
        for ((&index, mut observation), mut mask) in asked.iter().zip(observations.rows_mut()).zip(masks.rows_mut()) {
            if let (Some(observation), Some(mask)) = (observation.as_slice_mut(), mask.as_slice_mut()) {
                rules.write_turn(&sittings[index].lane.state, observation, mask, scratch);
            }
        }
        let answers = callers.answer(player, observations.view(), masks.view()).map_err(|why| {
            let NoAnswer::Failed(message) = why else { return Error::Stopped };
            // Which of them it was: the first that fails alone.
            let alone = |row: &usize| {
                let rows = *row..row + 1;
                let observation = observations.slice(ndarray::s![rows.clone(), ..]);
                callers.answer(player, observation, masks.slice(ndarray::s![rows, ..])).is_err()
            };
            let row = if asked.len() == 1 { 0 } else { (0..asked.len()).find(alone).unwrap_or(0) };
            sittings[asked[row]].failed(table, message)
        })?;
        for (&index, answer) in asked.iter().zip(answers) {
            let sitting = &sittings[index];
            let id = usize::try_from(answer).ok().filter(|&id| id < rules.actions().size());
            let action = id.map(|id| rules.action(id));
            let why = match action.map(|action| rules.check(&sitting.lane.state, action)) {
                Some(Ok(())) => None,
                Some(Err(why)) => Some(format!("{}: {why}", action.map_or(String::new(), |a| rules.notation(a)))),
                None => Some(format!("ids are 0 to {}", rules.actions().size() - 1)),
            };
            if let Some(why) = why {
                return Err(sitting.failed(table, format!("the agent's action {answer} is illegal: {why}")));
            }
            actions[index] = action;
        }
    }
    Ok(())
}

impl<R: Game> Sitting<R> {
    fn deal(table: &Table<R>, plan: &Plan, number: u32) -> Self {
        let origin = Origin { seed: plan.seed, lane: 0 };
        let number = plan.first.wrapping_add(number);
        let lane = Lane::dealt(table, origin, number);
        let mut count = R::Count::default();
        table.rules.after(&mut count, &lane.state);
        let mut digest = Digest::new();
        lane.state.hash(&mut digest);
        Self { number, lane, count, digest, trail: Vec::new(), early: Returns::default() }
    }

    #[inline(always)]
    fn before(
        &mut self,
        table: &Table<R>,
        record: Record,
        action: R::Action,
        scratch: &mut Vec<R::Action>,
    ) -> Result<(), Error> {
        table.rules.before(&mut self.count, &self.lane.state, action);
        self.digest.write_u64(table.rules.action_id(action) as u64);
        if record == Record::Decisions { self.note(table, action, scratch) } else { Ok(()) }
    }

    #[cold]
    fn note(&mut self, table: &Table<R>, action: R::Action, scratch: &mut Vec<R::Action>) -> Result<(), Error> {
        let Some(seat) = self.lane.to_act(&table.rules) else { return Ok(()) };
        reserve(&mut self.trail, "decisions", 1)?;
        self.trail.push(Decision {
            seat,
            player: self.lane.player_at(seat, table) as u8,
            action: table.rules.action_id(action) as u32,
            legal: table.rules.num_legal(&self.lane.state, scratch) as u32,
            reward: std::mem::take(&mut self.early[seat.index()]),
            earned: Returns::default(),
            standing: [0; MAX_SEATS],
        });
        Ok(())
    }

    #[inline(always)]
    fn after(&mut self, table: &Table<R>, record: Record) {
        self.lane.move_on(table);
        table.rules.after(&mut self.count, &self.lane.state);
        if record == Record::Decisions {
            self.pay(table);
        }
    }

    /// Credits what was earned to each seat's last decision, or to its first if that is still to come.
    #[cold]
    fn pay(&mut self, table: &Table<R>) {
        let seats = table.rules.num_seats();
        let earned = self.lane.earned(&table.rules);
        for seat in (0..seats).filter(|&seat| earned[seat] != 0.0) {
            let last = self.trail.iter_mut().rev().find(|decision| decision.seat.index() == seat);
            *last.map_or(&mut self.early[seat], |decision| &mut decision.reward) += earned[seat];
        }
        if let Some(decision) = self.trail.last_mut() {
            decision.earned = earned;
            decision.standing = table.rules.standing(&self.lane.state);
        }
    }

    fn finish(&mut self, table: &Table<R>) -> Episode {
        let seats = table.rules.num_seats();
        let mut own = vec![0; R::STATISTICS.iter().map(|figure| if figure.by_seat { seats } else { 1 }).sum()];
        let account = table.rules.account(&self.count, &self.lane.state, &mut own);
        let returns = table.rules.returns(&self.lane.state);
        for (earned, score) in returns.iter().zip(&account.scores).take(seats) {
            self.digest.write_u32(earned.to_bits());
            self.digest.write_i32(*score);
        }
        own.hash(&mut self.digest);
        Episode {
            number: self.number,
            first: self.lane.seat_of(0, table).index() as u8,
            status: self.lane.status,
            decisions: self.lane.decisions,
            returns,
            account,
            own,
            digest: self.digest.finish(),
            trail: std::mem::take(&mut self.trail),
        }
    }

    fn failed(&self, table: &Table<R>, message: String) -> Error {
        let seat = self.lane.to_act(&table.rules).map_or(0, Seat::index);
        Error::Caller { episode: self.number, decision: self.lane.decisions, seat, message }
    }
}

impl Episode {
    /// Each seat's share of the win, and the only winner's seat or -1. Nobody wins a match that was cut off.
    fn won(&self, seats: usize) -> ([f32; MAX_SEATS], i8) {
        let mut shares = [0.0; MAX_SEATS];
        if self.status != OVER {
            return (shares, -1);
        }
        let most = self.returns[..seats].iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let is_winner = |seat: &usize| self.returns[*seat] >= most;
        let winners = (0..seats).filter(is_winner).count();
        for seat in (0..seats).filter(is_winner) {
            shares[seat] = 1.0 / winners as f32;
        }
        let only = (0..seats).find(is_winner).filter(|_| winners == 1);
        (shares, only.map_or(-1, |seat| seat as i8))
    }
}

/// Collects the columns of a table with a row for each item.
struct Columns<'a, T> {
    rows: &'a [T],
    made: Vec<Column>,
    /// The first column that the memory does not hold.
    failure: Option<Error>,
}

impl<'a, T> Columns<'a, T> {
    fn of(rows: &'a [T]) -> Self {
        Self { rows, made: Vec::new(), failure: None }
    }

    fn add<V>(&mut self, name: impl Into<String>, meaning: &str, kind: fn(Vec<V>) -> Values, value: impl Fn(&T) -> V) {
        self.push(name.into(), meaning, value, kind);
    }

    fn add_text(&mut self, name: impl Into<String>, meaning: &str, labels: &Arc<[String]>, code: impl Fn(&T) -> usize) {
        let kind = |codes| Values::Text(codes, Arc::clone(labels));
        self.push(name.into(), meaning, |row| code(row) as i32, kind);
    }

    fn push<V>(&mut self, name: String, meaning: &str, value: impl Fn(&T) -> V, kind: impl FnOnce(Vec<V>) -> Values) {
        match collect("rows", self.rows.iter().map(value)) {
            Ok(values) => self.made.push(Column { name, meaning: meaning.to_owned(), values: kind(values) }),
            Err(error) => self.failure = self.failure.take().or(Some(error)),
        }
    }

    fn finish(self) -> Result<Vec<Column>, Error> {
        self.failure.map_or(Ok(self.made), Err)
    }
}

/// The different names, and which of them each agent has.
fn labels(names: &[String]) -> (Arc<[String]>, Vec<usize>) {
    let mut different: Vec<String> = Vec::new();
    let mut codes = Vec::new();
    for name in names {
        let place = different.iter().position(|other| other == name).unwrap_or_else(|| {
            different.push(name.clone());
            different.len() - 1
        });
        codes.push(place);
    }
    (different.into(), codes)
}

const DIGEST: &str = "the same for matches with the same start, actions and result";

fn episode_columns<R: Game>(table: &Table<R>, plan: &Plan, episodes: &[Episode]) -> Result<Vec<Column>, Error> {
    let seats = table.rules.num_seats();
    let (agents, agent_codes) = labels(&plan.names);
    let endings: Arc<[String]> = R::ENDINGS.iter().copied().chain(["cut off"]).map(str::to_owned).collect();
    let won = collect("rows", episodes.iter().map(|episode| (episode, episode.won(seats))))?;
    let mut columns = Columns::of(&won);
    columns.add("seed", "the seed of the run", Values::U64, |_| plan.seed);
    columns.add("episode", "the number of the episode under the seed", Values::U32, |(episode, _)| episode.number);
    columns.add("digest", DIGEST, Values::U64, |(episode, _)| episode.digest);
    for seat in 0..seats {
        let player = |first: u8| (seat + seats - usize::from(first)) % seats;
        columns.add_text(format!("agent_{seat}"), "who played at the seat", &agents, |(episode, _)| {
            agent_codes[player(episode.first)]
        });
    }
    columns.add("winner", "the seat of the only winner; -1 if there is none", Values::I8, |(_, (_, winner))| *winner);
    for seat in 0..seats {
        let meaning = "the seat's share of the win: 1, a part of it, or 0";
        columns.add(format!("won_{seat}"), meaning, Values::F32, |(_, (shares, _))| shares[seat]);
    }
    for seat in 0..seats {
        columns
            .add(format!("return_{seat}"), "what the seat earned", Values::F32, |(episode, _)| episode.returns[seat]);
    }
    for seat in 0..seats {
        let meaning = "the seat's final score as players write it down";
        columns.add(format!("score_{seat}"), meaning, Values::I32, |(episode, _)| episode.account.scores[seat]);
    }
    columns.add("decisions", "decisions taken", Values::U32, |(episode, _)| episode.decisions);
    columns.add("turns", "turns had by all seats together", Values::U32, |(episode, _)| episode.account.turns);
    columns.add("rounds", "rounds or games played to the end", Values::U32, |(episode, _)| episode.account.rounds);
    columns.add_text("ended", "how the match ended", &endings, |(episode, _)| {
        if episode.status == OVER { usize::from(episode.account.ended) } else { R::ENDINGS.len() }
    });
    let mut place = 0;
    for figure in R::STATISTICS {
        for seat in 0..if figure.by_seat { seats } else { 1 } {
            let name = if figure.by_seat { format!("{}_{seat}", figure.name) } else { figure.name.to_owned() };
            columns.add(name, figure.meaning, Values::I32, |(episode, _)| episode.own[place]);
            place += 1;
        }
    }
    columns.finish()
}

fn decision_columns<R: Game>(table: &Table<R>, plan: &Plan, episodes: &[Episode]) -> Result<Vec<Column>, Error> {
    let rules = &table.rules;
    let (agents, agent_codes) = labels(&plan.names);
    let words: Vec<String> = (0..rules.actions().size()).map(|id| rules.notation(rules.action(id))).collect();
    let (words, word_codes) = labels(&words);
    let mut decisions = room("rows", episodes.iter().map(|episode| episode.trail.len()).sum())?;
    for episode in episodes {
        decisions.extend((0_u32..).zip(&episode.trail).map(|(ply, decision)| (episode, ply, decision)));
    }
    let mut columns = Columns::of(&decisions);
    columns.add("episode", "the number of the episode under the seed", Values::U32, |row| row.0.number);
    columns.add("digest", DIGEST, Values::U64, |row| row.0.digest);
    columns.add("ply", "the number of the decision within the episode, from 0", Values::U32, |row| row.1);
    columns.add("seat", "who decided", Values::U8, |row| row.2.seat.index() as u8);
    columns.add_text("agent", "which agent that was", &agents, |row| agent_codes[usize::from(row.2.player)]);
    columns.add("action", "the id of the action", Values::U32, |row| row.2.action);
    columns.add_text("words", "the action in the game's notation", &words, |row| word_codes[row.2.action as usize]);
    columns.add("legal", "how many actions were legal", Values::U32, |row| row.2.legal);
    let meaning = "what the seat that decided earned until its next decision, or the end";
    columns.add("reward", meaning, Values::F32, |row| row.2.reward);
    for seat in 0..rules.num_seats() {
        let meaning = "what the seat earned until the next decision of anybody, or the end";
        columns.add(format!("reward_{seat}"), meaning, Values::F32, |row| row.2.earned[seat]);
    }
    for seat in 0..rules.num_seats() {
        let meaning = "how far ahead the seat was after the decision";
        columns.add(format!("standing_{seat}"), meaning, Values::I32, |row| row.2.standing[seat]);
    }
    columns.finish()
}

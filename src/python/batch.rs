use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use super::arrays::{Arrays, Five, OneRow, Room, Three, all, lend, one_row, readable, writable};
use super::matches::Match;
use super::numbers::{Entries, Index, Seed};
use super::objects::to_value;
use super::plays::{Outcome, Played, num_over, orders, status};
use super::until_interrupted;
use crate::batch::{Config, Seeds};
use crate::dynamic::AnyBatch;
use crate::error::Error;
use crate::players::Candidates;
use crate::registry;
use crate::rows::{Buffers, Rows, Widths};

/// Many matches of one game, stepped together into the caller's arrays.
#[pyclass(frozen, module = "adjoin._core")]
pub struct Batch {
    any: Mutex<Box<dyn AnyBatch>>,
    lanes: usize,
    widths: Widths,
    /// Room for the row of one lane; whoever needs it takes it out.
    spare: Mutex<Option<Buffers>>,
}

impl Batch {
    fn around(batch: Box<dyn AnyBatch>) -> Self {
        let (lanes, widths) = batch.size();
        Self { any: Mutex::new(batch), lanes, widths, spare: Mutex::new(None) }
    }

    /// Has the row of one lane written, and returns it as objects of its own: of small arrays a copy is cheaper than a
    /// borrow.
    fn one<'py>(
        &self,
        py: Python<'py>,
        write: impl FnOnce(&mut dyn AnyBatch, Rows<'_>) -> Result<(), Error> + Send,
    ) -> PyResult<OneRow<'py>> {
        let row = py.detach(|| {
            let spare = self.spare.try_lock().ok().and_then(|mut spare| spare.take());
            let mut row = spare.unwrap_or_else(|| Buffers::new(1, self.widths));
            write(&mut **self.batch(), row.rows()).map(|()| row)
        })?;
        let objects = one_row(py, &row)?;
        if let Ok(mut spare) = self.spare.try_lock() {
            *spare = Some(row);
        }
        Ok(objects)
    }

    pub fn size(&self) -> (usize, Widths) {
        (self.lanes, self.widths)
    }

    /// To be called detached. A call that panicked left a batch in which every lane is a match at some moment: nothing is
    /// broken.
    pub fn batch(&self) -> MutexGuard<'_, Box<dyn AnyBatch>> {
        self.any.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, options, *, num_lanes, seed, threads, max_decisions, agents, rotate, reward))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one Python constructor")]
    fn new(
        py: Python<'_>,
        game: &str,
        options: &Bound<'_, PyAny>,
        num_lanes: usize,
        seed: u64,
        threads: usize,
        max_decisions: u32,
        agents: Vec<Candidates>,
        rotate: bool,
        reward: &str,
    ) -> PyResult<Self> {
        let options = to_value(options)?;
        let config = Config { num_lanes, seed, threads, max_decisions, agents, rotate, reward: reward.parse()? };
        Ok(Self::around(py.detach(|| registry::find(game)?.batch(&options, &config))?))
    }

    /// Start the first episode of every lane: under one seed for all, or each under its own.
    fn reset(&self, py: Python<'_>, seed: Seed, out: Five<'_>) -> PyResult<()> {
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        let seeds = match &seed {
            Seed::One(seed) => Seeds::One(*seed),
            Seed::Each(seeds) => Seeds::Each(seeds),
        };
        Ok(py.detach(|| self.batch().reset(seeds, rows))?)
    }

    /// Start the next episode of the chosen lanes, or their first under new seeds, and return in how many of
    /// them there is nothing to decide.
    #[pyo3(signature = (lanes, seeds, out))]
    fn restart(
        &self,
        py: Python<'_>,
        lanes: &Bound<'_, PyAny>,
        seeds: Option<Entries<u64>>,
        out: Five<'_>,
    ) -> PyResult<usize> {
        let chosen = readable::<bool, ndarray::Ix1>("lanes", lanes, &[self.lanes])?;
        let chosen = chosen.as_slice()?;
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let mut rows = arrays.rows()?;
        Ok(py.detach(|| {
            self.batch().restart(chosen, seeds.as_ref().map(|seeds| &*seeds.0), lend(&mut rows))?;
            Ok::<_, Error>(num_over(chosen, &rows))
        })?)
    }

    /// Play one action per lane.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, out: Five<'_>) -> PyResult<()> {
        let actions = readable::<i32, ndarray::Ix1>("actions", actions, &[self.lanes])?;
        let actions = actions.as_slice()?;
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        Ok(py.detach(|| self.batch().step(actions.into(), rows))?)
    }

    /// Play one action per lane for those who learn there, a seat in each, and tell what they earned, whether the match
    /// is over or was cut off, how many are, and how many of those had just begun. An action is any number; `out` has the
    /// rows of the last call.
    #[pyo3(signature = (actions, held, learners, out))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        held: Option<&Bound<'py, PyAny>>,
        learners: &Bound<'py, PyAny>,
        out: Five<'py>,
    ) -> PyResult<Played<'py>> {
        let actions = readable::<i64, ndarray::Ix1>("actions", actions, &[self.lanes])?;
        let held = held.map(|held| readable::<bool, ndarray::Ix1>("held", held, &[self.lanes])).transpose()?;
        let learners = readable::<isize, ndarray::Ix1>("learners", learners, &[self.lanes])?;
        let (actions, learners) = (actions.as_slice()?, learners.as_slice()?);
        let held = held.as_ref().map(|held| held.as_slice()).transpose()?;
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let mut rows = arrays.rows()?;
        let outcome = py.detach(|| {
            let before = status(&rows).to_vec();
            let orders = orders(actions, held, &before, self.widths.mask);
            self.batch().step(orders.as_slice().into(), lend(&mut rows))?;
            Ok::<_, Error>(Outcome::of(&orders, &before, learners, &rows))
        })?;
        Ok(outcome.to_python(py))
    }

    /// Play one action in one lane.
    fn step_lane<'py>(&self, py: Python<'py>, lane: Index, action: Index) -> PyResult<OneRow<'py>> {
        let lane = lane.lane(self.lanes)?;
        self.one(py, |batch, row| batch.step_lane(lane, action.0, row))
    }

    /// Start the next episode of one lane, or its first under a new seed.
    #[pyo3(signature = (lane, seed))]
    fn restart_lane<'py>(&self, py: Python<'py>, lane: Index, seed: Option<u64>) -> PyResult<OneRow<'py>> {
        let lane = lane.lane(self.lanes)?;
        self.one(py, |batch, row| batch.restart_lane(lane, seed, row))
    }

    /// The row of one lane, for the seat to act or for a given one.
    #[pyo3(signature = (lane, viewer))]
    fn observe_lane<'py>(&self, py: Python<'py>, lane: Index, viewer: Option<Index>) -> PyResult<OneRow<'py>> {
        let lane = lane.lane(self.lanes)?;
        let viewer = viewer.map(|viewer| viewer.seat(self.widths.reward)).transpose()?;
        self.one(py, |batch, row| batch.observe_lane(lane, viewer, row))
    }

    /// Draw a uniform legal action for every lane.
    fn sample(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut actions = writable::<i32, ndarray::Ix1>("actions", actions, &[self.lanes])?;
        let actions = all("actions", &mut actions)?;
        Ok(py.detach(|| self.batch().sample(actions))?)
    }

    /// Write what a built-in agent would play in every lane.
    fn choose(&self, py: Python<'_>, agent: &str, purpose: u32, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut actions = writable::<i32, ndarray::Ix1>("actions", actions, &[self.lanes])?;
        let actions = all("actions", &mut actions)?;
        until_interrupted(py, |stop| self.batch().choose(agent, purpose, stop, actions))
    }

    /// Rewrite the rows without playing.
    #[pyo3(signature = (viewer, out))]
    fn observe(&self, py: Python<'_>, viewer: Option<Index>, out: Five<'_>) -> PyResult<()> {
        let viewer = viewer.map(|viewer| viewer.seat(self.widths.reward)).transpose()?;
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        Ok(py.detach(|| self.batch().observe(viewer, rows))?)
    }

    /// Write the legal actions of every lane, with facts, and return how many there are.
    fn actions(&self, py: Python<'_>, out: Three<'_>) -> PyResult<usize> {
        let mut room = Room::borrow(&out, self.lanes, self.widths.facts)?;
        let rows = room.rows()?;
        Ok(py.detach(|| self.batch().actions(rows))?)
    }

    /// How many legal actions the lanes have in all.
    fn num_legal(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(py.detach(|| self.batch().num_legal())?)
    }

    /// Write the first caller's seat in every lane.
    fn callers(&self, py: Python<'_>, seats: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut seats = writable::<i8, ndarray::Ix1>("seats", seats, &[self.lanes])?;
        let seats = all("seats", &mut seats)?;
        Ok(py.detach(|| self.batch().callers(seats))?)
    }

    /// Write who plays at each seat of each lane, as a number among all candidates.
    fn players(&self, py: Python<'_>, players: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut players = writable::<i16, ndarray::Ix2>("players", players, &[self.lanes, self.widths.reward])?;
        let players = all("players", &mut players)?;
        Ok(py.detach(|| self.batch().players(players))?)
    }

    /// A new batch of copies of the given lanes.
    fn select(&self, py: Python<'_>, lanes: Entries<Index>) -> PyResult<Self> {
        let lanes = lanes.0.iter().map(|lane| lane.lane(self.lanes)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::around(py.detach(|| self.batch().select(&lanes))?))
    }

    /// Guess anew what a seat has not seen.
    fn resample_hidden(&self, py: Python<'_>, viewer: Index, purpose: u32) -> PyResult<()> {
        let viewer = viewer.seat(self.widths.reward)?;
        py.detach(|| self.batch().resample_hidden(viewer, purpose));
        Ok(())
    }

    /// A copy of a lane as a match that begins there.
    fn __getitem__(&self, py: Python<'_>, lane: Index) -> PyResult<Match> {
        let lane = lane.lane(self.lanes)?;
        Ok(Match::around(py.detach(|| self.batch().get(lane))?))
    }

    /// Put a copy of a match in the place of a lane.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands it over so")]
    fn __setitem__(&self, py: Python<'_>, lane: Index, with: PyRef<'_, Match>) -> PyResult<()> {
        let (lane, with) = (lane.lane(self.lanes)?, with.copied());
        Ok(py.detach(|| self.batch().set(lane, &*with))?)
    }
}

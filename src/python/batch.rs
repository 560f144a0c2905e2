use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use super::arrays::{Arrays, Five, readable, writable};
use crate::batch::{Config, Seeds};
use crate::registry;
use crate::rows::Widths;
use crate::simulator::Simulator;

/// Many matches of one game, stepped together into the caller's arrays.
#[pyclass(frozen, module = "adjoin._core")]
pub struct Batch {
    simulator: Mutex<Box<dyn Simulator>>,
    lanes: usize,
    widths: Widths,
}

/// One seed for all lanes, or one per lane.
#[derive(FromPyObject)]
enum Seed {
    One(u64),
    Each(Vec<u64>),
}

impl Batch {
    fn around(simulator: Box<dyn Simulator>) -> Self {
        let spec = simulator.spec();
        let widths = Widths { observation: spec.observation.size(), mask: spec.actions.size(), reward: spec.seats };
        Self { lanes: simulator.num_lanes(), widths, simulator: Mutex::new(simulator) }
    }

    /// A call that panicked left a batch in which every lane is a match at some moment: nothing is broken.
    fn simulator(&self) -> MutexGuard<'_, Box<dyn Simulator>> {
        self.simulator.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, options, *, lanes, seed, threads, limit, agents, rotate))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one Python constructor")]
    fn new(
        py: Python<'_>,
        game: &str,
        options: &str,
        lanes: usize,
        seed: u64,
        threads: usize,
        limit: u32,
        agents: Vec<Option<String>>,
        rotate: bool,
    ) -> PyResult<Self> {
        let config = Config { lanes, seed, threads, limit, agents, rotate };
        Ok(Self::around(py.detach(|| registry::make(game, options, config))?))
    }

    /// Everything about the batch that stays the same, as JSON.
    fn spec(&self) -> String {
        serde_json::to_string(&self.simulator().spec()).unwrap_or_default()
    }

    /// Start the first episode of every lane: under one seed for all, or each under its own.
    fn reset(&self, py: Python<'_>, seed: Seed, out: Five<'_>) -> PyResult<()> {
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        let seeds = match &seed {
            Seed::One(seed) => Seeds::One(*seed),
            Seed::Each(seeds) => Seeds::Each(seeds),
        };
        Ok(py.detach(|| self.simulator().reset(seeds, rows))?)
    }

    /// Start the next episode of the chosen lanes, or their first under new seeds.
    #[pyo3(signature = (lanes, seeds, out))]
    fn restart(
        &self,
        py: Python<'_>,
        lanes: &Bound<'_, PyAny>,
        seeds: Option<Vec<u64>>,
        out: Five<'_>,
    ) -> PyResult<()> {
        let chosen = readable::<bool>("lanes", lanes, self.lanes)?;
        let chosen = chosen.as_slice()?;
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        Ok(py.detach(|| self.simulator().restart(chosen, seeds.as_deref(), rows))?)
    }

    /// Play one action per lane.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, out: Five<'_>) -> PyResult<()> {
        let actions = readable::<i32>("actions", actions, self.lanes)?;
        let actions = actions.as_slice()?;
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        Ok(py.detach(|| self.simulator().step(actions.into(), rows))?)
    }

    /// Draw a uniform legal action for every lane.
    fn sample(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut actions = writable::<i32, ndarray::Ix1>("actions", actions, &[self.lanes])?;
        let actions = actions.as_slice_mut()?;
        Ok(py.detach(|| self.simulator().sample(actions))?)
    }

    /// Rewrite the rows without playing.
    #[pyo3(signature = (viewer, out))]
    fn observe(&self, py: Python<'_>, viewer: Option<usize>, out: Five<'_>) -> PyResult<()> {
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        Ok(py.detach(|| self.simulator().observe(viewer, rows))?)
    }

    /// A new batch of copies of the given lanes.
    fn select(&self, lanes: Vec<usize>) -> PyResult<Self> {
        Ok(Self::around(self.simulator().select(&lanes)?))
    }

    /// Guess anew what a seat has not seen.
    fn resample_hidden(&self, viewer: usize, purpose: u32) -> PyResult<()> {
        Ok(self.simulator().resample_hidden(viewer, purpose)?)
    }

    /// A lane as bytes.
    fn save(&self, lane: usize) -> PyResult<Vec<u8>> {
        Ok(self.simulator().save(lane)?)
    }

    /// A lane from bytes.
    fn load(&self, lane: usize, state: &[u8]) -> PyResult<()> {
        Ok(self.simulator().load(lane, state)?)
    }

    /// A lane's state as text.
    fn position(&self, lane: usize) -> PyResult<String> {
        Ok(self.simulator().position(lane)?)
    }

    /// Put a lane at a described state.
    fn set_position(&self, lane: usize, text: &str) -> PyResult<()> {
        Ok(self.simulator().set_position(lane, text)?)
    }

    /// Seed, lane, episode and decisions of a lane.
    fn address(&self, lane: usize) -> PyResult<(u64, u32, u32, u32)> {
        let address = self.simulator().address(lane)?;
        Ok((address.seed, address.lane, address.episode, address.decisions))
    }

    /// The seat to act in a lane; None when its match is over or cut off.
    fn to_act(&self, lane: usize) -> PyResult<Option<usize>> {
        Ok(self.simulator().to_act(lane)?)
    }

    /// What each seat of a lane has earned so far.
    fn returns(&self, lane: usize) -> PyResult<Vec<f32>> {
        Ok(self.simulator().returns(lane)?)
    }

    /// The ids of a lane's legal actions.
    fn legal(&self, lane: usize) -> PyResult<Vec<usize>> {
        Ok(self.simulator().legal(lane)?)
    }

    /// Play an action in one lane. A match that is over stays over.
    fn play(&self, lane: usize, action: i32) -> PyResult<()> {
        Ok(self.simulator().play(lane, action)?)
    }

    /// Why an action cannot be played in a lane now; None if it can.
    fn explain(&self, lane: usize, action: i32) -> PyResult<Option<String>> {
        Ok(self.simulator().explain(lane, action)?)
    }

    /// The table of a lane, for a terminal.
    fn text(&self, lane: usize, viewer: Option<usize>) -> PyResult<String> {
        Ok(self.simulator().text(lane, viewer)?)
    }

    /// The table of a lane as JSON, for a program that draws it.
    fn json(&self, lane: usize, viewer: Option<usize>) -> PyResult<String> {
        Ok(self.simulator().json(lane, viewer)?.to_string())
    }

    /// An action in the game's notation.
    fn action_text(&self, action: usize) -> PyResult<String> {
        Ok(self.simulator().action_text(action)?)
    }

    /// The id of an action in the game's notation.
    fn parse_action(&self, lane: usize, text: &str) -> PyResult<usize> {
        Ok(self.simulator().parse_action(lane, text)?)
    }

    /// How many sequences of legal decisions of this length a lane has before it.
    fn perft(&self, py: Python<'_>, lane: usize, depth: u32) -> PyResult<u64> {
        Ok(py.detach(|| self.simulator().perft(lane, depth))?)
    }
}

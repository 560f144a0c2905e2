use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::arrays::{Arrays, Five, all, readable, writable};
use super::until_interrupted;
use crate::batch::{Config, Seeds};
use crate::dynamic::Simulator;
use crate::error::Error;
use crate::memory::room;
use crate::registry;
use crate::rows::Widths;

/// Many matches of one game, stepped together into the caller's arrays.
#[pyclass(frozen, module = "adjoin._core")]
pub struct Batch {
    simulator: Mutex<Box<dyn Simulator>>,
    lanes: usize,
    widths: Widths,
}

/// A whole number of any size; one that is too large stays too large.
struct Index(i64);

impl<'a, 'py> FromPyObject<'a, 'py> for Index {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<i64>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Self(if object.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            other => other.map(Self),
        }
    }
}

impl Index {
    fn below(&self, bound: usize) -> Option<usize> {
        usize::try_from(self.0).ok().filter(|&index| index < bound)
    }
}

/// The entries of a list, of which there can be as many as lanes.
struct Entries<T>(Vec<T>);

impl<'a, 'py, T: for<'b> FromPyObject<'b, 'py, Error = PyErr>> FromPyObject<'a, 'py> for Entries<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let list = object.cast::<PyList>()?;
        let mut entries = room("entries", list.len())?;
        for entry in list.iter() {
            entries.push(entry.extract()?);
        }
        Ok(Self(entries))
    }
}

/// One seed for all lanes, or one per lane.
enum Seed {
    One(u64),
    Each(Vec<u64>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Seed {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyList>() {
            Ok(Self::Each(object.extract::<Entries<u64>>()?.0))
        } else {
            Ok(Self::One(object.extract()?))
        }
    }
}

impl Batch {
    fn around(simulator: Box<dyn Simulator>) -> Self {
        let spec = simulator.spec();
        let widths = Widths { observation: spec.observation.size(), mask: spec.actions.size(), reward: spec.seats };
        Self { lanes: simulator.num_lanes(), widths, simulator: Mutex::new(simulator) }
    }

    fn lane(&self, lane: Index) -> PyResult<usize> {
        let lanes = self.lanes;
        lane.below(lanes).ok_or_else(|| Error::UnknownLane { lane: lane.0, lanes }.into())
    }

    fn seat(&self, seat: Index) -> PyResult<usize> {
        let seats = self.widths.reward;
        seat.below(seats).ok_or_else(|| Error::UnknownSeat { seat: seat.0, seats }.into())
    }

    fn viewer(&self, viewer: Option<Index>) -> PyResult<Option<usize>> {
        viewer.map(|seat| self.seat(seat)).transpose()
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
        let config = Config { num_lanes: lanes, seed, threads, max_decisions: limit, agents, rotate };
        Ok(Self::around(py.detach(|| registry::make(game, options, &config))?))
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
        seeds: Option<Entries<u64>>,
        out: Five<'_>,
    ) -> PyResult<()> {
        let chosen = readable::<bool>("lanes", lanes, self.lanes)?;
        let chosen = chosen.as_slice()?;
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        Ok(py.detach(|| self.simulator().restart(chosen, seeds.as_ref().map(|seeds| &*seeds.0), rows))?)
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
        let actions = all("actions", &mut actions)?;
        Ok(py.detach(|| self.simulator().sample(actions))?)
    }

    /// Rewrite the rows without playing.
    #[pyo3(signature = (viewer, out))]
    fn observe(&self, py: Python<'_>, viewer: Option<Index>, out: Five<'_>) -> PyResult<()> {
        let viewer = self.viewer(viewer)?;
        let mut arrays = Arrays::borrow(&out, self.lanes, self.widths)?;
        let rows = arrays.rows()?;
        Ok(py.detach(|| self.simulator().observe(viewer, rows))?)
    }

    /// Write the first caller's seat in every lane.
    fn callers(&self, seats: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut seats = writable::<i8, ndarray::Ix1>("seats", seats, &[self.lanes])?;
        Ok(self.simulator().callers(all("seats", &mut seats)?)?)
    }

    /// A new batch of copies of the given lanes.
    fn select(&self, lanes: Entries<Index>) -> PyResult<Self> {
        let mut chosen = room("lanes", lanes.0.len())?;
        for lane in lanes.0 {
            chosen.push(self.lane(lane)?);
        }
        Ok(Self::around(self.simulator().select(&chosen)?))
    }

    /// Guess anew what a seat has not seen.
    fn resample_hidden(&self, viewer: Index, purpose: u32) -> PyResult<()> {
        let viewer = self.seat(viewer)?;
        Ok(self.simulator().resample_hidden(viewer, purpose)?)
    }

    /// Draws the rest of a lane's match from another seed.
    fn reseed(&self, lane: Index, seed: u64) -> PyResult<()> {
        Ok(self.simulator().reseed(self.lane(lane)?, seed)?)
    }

    /// A lane as bytes.
    fn save(&self, lane: Index) -> PyResult<Vec<u8>> {
        Ok(self.simulator().save(self.lane(lane)?)?)
    }

    /// A lane from bytes.
    fn load(&self, lane: Index, state: &[u8]) -> PyResult<()> {
        Ok(self.simulator().load(self.lane(lane)?, state)?)
    }

    /// A lane's position as text.
    fn position(&self, lane: Index) -> PyResult<String> {
        Ok(self.simulator().position(self.lane(lane)?)?)
    }

    /// Put a lane at a described position.
    fn set_position(&self, lane: Index, text: &str) -> PyResult<()> {
        Ok(self.simulator().set_position(self.lane(lane)?, text)?)
    }

    /// Seed, lane, episode and decisions of a lane.
    fn address(&self, lane: Index) -> PyResult<(u64, u32, u32, u32)> {
        let address = self.simulator().address(self.lane(lane)?)?;
        Ok((address.seed, address.lane, address.episode, address.decisions))
    }

    /// The seat to act in a lane; None when its match is over or cut off.
    fn to_act(&self, lane: Index) -> PyResult<Option<usize>> {
        Ok(self.simulator().to_act(self.lane(lane)?)?)
    }

    /// What each seat of a lane has earned so far.
    fn returns(&self, lane: Index) -> PyResult<Vec<f32>> {
        Ok(self.simulator().returns(self.lane(lane)?)?)
    }

    /// The ids of a lane's legal actions.
    fn legal(&self, lane: Index) -> PyResult<Vec<usize>> {
        Ok(self.simulator().legal(self.lane(lane)?)?)
    }

    /// Play an action in one lane. A match that is over stays over.
    fn play(&self, lane: Index, action: Index) -> PyResult<()> {
        Ok(self.simulator().play(self.lane(lane)?, action.0)?)
    }

    /// Let the time of the seat to act run out in one lane.
    fn timeout(&self, lane: Index) -> PyResult<()> {
        Ok(self.simulator().time_out(self.lane(lane)?)?)
    }

    /// Why an action cannot be played in a lane now; None if it can.
    fn explain(&self, lane: Index, action: Index) -> PyResult<Option<String>> {
        Ok(self.simulator().explain(self.lane(lane)?, action.0)?)
    }

    /// The table of a lane, for a terminal.
    #[pyo3(signature = (lane, viewer))]
    fn text(&self, lane: Index, viewer: Option<Index>) -> PyResult<String> {
        Ok(self.simulator().text(self.lane(lane)?, self.viewer(viewer)?)?)
    }

    /// The table of a lane as JSON, for a program that draws it.
    #[pyo3(signature = (lane, viewer))]
    fn json(&self, lane: Index, viewer: Option<Index>) -> PyResult<String> {
        Ok(self.simulator().json(self.lane(lane)?, self.viewer(viewer)?)?.to_string())
    }

    /// A lane drawn: the picture and its places.
    fn picture(
        &self,
        lane: Index,
        viewer: Option<Index>,
        last: Option<usize>,
        looks: Vec<u8>,
    ) -> PyResult<(String, Vec<String>)> {
        let (lane, viewer) = (self.lane(lane)?, self.viewer(viewer)?);
        let picture = self.simulator().picture(lane, viewer, last, &looks)?;
        Ok((picture.svg, picture.places.iter().map(ToString::to_string).collect()))
    }

    /// Why not: in words, the clause, in words to a seat.
    fn refusal(&self, lane: Index, action: usize, you: usize) -> PyResult<Option<(String, &'static str, String)>> {
        let lane = self.lane(lane)?;
        let names = (0..self.widths.reward).map(|seat| format!("seat {seat}")).collect();
        let names = crate::game::Names::new(names, Some(crate::game::Seat::new(you)));
        let refusal = self.simulator().refusal(lane, action)?;
        Ok(refusal.map(|refusal| (refusal.to_string(), refusal.clause, refusal.reason.said(&names))))
    }

    /// Notation, phrase of seat 0 and of seat 1 to seat 0, kind, places, whether it reveals, whether it goes on.
    fn say(&self, action: usize) -> PyResult<(String, String, String, &'static str, Vec<Vec<String>>, bool, bool)> {
        let spoken = self.simulator().say(action)?;
        let names = (0..self.widths.reward).map(|seat| format!("seat {seat}")).collect();
        let names = crate::game::Names::new(names, Some(crate::game::Seat::new(0)));
        let told = |seat| {
            crate::game::spoken::told(crate::game::Seat::new(seat), std::slice::from_ref(&spoken.phrase), &names)
        };
        let places = spoken.places.iter().map(|way| way.iter().map(ToString::to_string).collect()).collect();
        let goes = matches!(spoken.phrase, crate::game::Phrase::Goes(_));
        Ok((spoken.notation.to_string(), told(0), told(1), spoken.kind, places, spoken.reveals, goes))
    }

    /// An action in the game's notation.
    fn action_text(&self, action: usize) -> PyResult<String> {
        Ok(self.simulator().action_text(action)?)
    }

    /// The id of an action in the game's notation.
    fn parse_action(&self, lane: Index, text: &str) -> PyResult<usize> {
        Ok(self.simulator().parse_action(self.lane(lane)?, text)?)
    }

    /// How many sequences of legal decisions of this length a lane has before it.
    fn perft(&self, py: Python<'_>, lane: Index, depth: u32) -> PyResult<u64> {
        let lane = self.lane(lane)?;
        Ok(py.detach(|| self.simulator().perft(lane, depth))?)
    }

    /// Start an episode of a lane under a seed.
    fn start(&self, lane: Index, seed: u64, episode: u32) -> PyResult<()> {
        Ok(self.simulator().start(self.lane(lane)?, seed, episode)?)
    }

    /// The id of what a built-in agent would play for the seat to act in a lane.
    fn choose(&self, py: Python<'_>, lane: Index, agent: &str, purpose: u32) -> PyResult<usize> {
        let lane = self.lane(lane)?;
        until_interrupted(py, |stop| self.simulator().choose(lane, agent, purpose, stop))
    }

    /// The id of an action worth considering for the seat to act in a lane, and why.
    fn hint(&self, py: Python<'_>, lane: Index) -> PyResult<(usize, String)> {
        let lane = self.lane(lane)?;
        until_interrupted(py, |stop| self.simulator().hint(lane, stop))
    }

    /// What perfect play comes to in a lane: score, ids of a best line, positions looked at.
    fn solve(&self, py: Python<'_>, lane: Index) -> PyResult<(i32, Vec<usize>, u64)> {
        let lane = self.lane(lane)?;
        let solution = until_interrupted(py, |stop| self.simulator().solve(lane, stop))?;
        Ok((solution.score, solution.line, solution.nodes))
    }

    /// How far ahead each seat of a lane is.
    fn standing(&self, lane: Index) -> PyResult<Vec<i32>> {
        Ok(self.simulator().standing(self.lane(lane)?)?)
    }
}

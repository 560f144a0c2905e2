use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyBytes, PyString};

use super::arrays::{all, writable};
use super::numbers::Index;
use super::objects::{to_object, to_value};
use super::until_interrupted;
use crate::drawing::Tag;
use crate::dynamic::AnyMatch;
use crate::error::Error;
use crate::game::{Looks, Seat, Solution, Spoken, Viewer};
use crate::session::{captions, numbered, result};
use crate::{registry, replay};

/// An id, or the notation of the game.
pub enum ActionLike {
    Text(String),
    Id(Index),
}

impl<'a, 'py> FromPyObject<'a, 'py> for ActionLike {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            object.extract().map(Self::Text)
        } else {
            object.extract().map(Self::Id)
        }
    }
}

/// Tags of places, labels and colours.
fn to_tags(tags: Vec<(String, String, String)>) -> Vec<Tag> {
    tags.into_iter().map(|(place, label, colour)| Tag { place, label, colour }).collect()
}

/// A seat, or `onlooker`.
enum ViewerLike {
    Onlooker,
    Seat(Index),
}

impl<'a, 'py> FromPyObject<'a, 'py> for ViewerLike {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() && object.eq("onlooker")? {
            Ok(Self::Onlooker)
        } else {
            object.extract().map(Self::Seat)
        }
    }
}

/// One match of a game. Actions are ids, or texts in the game's notation.
#[pyclass(frozen, module = "adjoin._core")]
pub struct Match {
    game: Mutex<Box<dyn AnyMatch>>,
}

impl Match {
    pub fn around(game: Box<dyn AnyMatch>) -> Self {
        Self { game: Mutex::new(game) }
    }

    /// A copy of what it holds.
    pub fn copied(&self) -> Box<dyn AnyMatch> {
        self.game(|game| game.copy(None))
    }

    /// Does something with the match, while no other thread does. `act` must not call Python.
    fn game<T>(&self, act: impl FnOnce(&mut dyn AnyMatch) -> T) -> T {
        let game = Python::attach(|py| self.game.lock_py_attached(py));
        act(&mut **game.unwrap_or_else(PoisonError::into_inner))
    }

    fn viewer(&self, viewer: Option<ViewerLike>) -> PyResult<Viewer> {
        match viewer {
            None => Ok(Viewer::Everything),
            Some(ViewerLike::Onlooker) => Ok(Viewer::Onlooker),
            Some(ViewerLike::Seat(seat)) => Ok(seat.seat(self.game(|game| game.num_seats()))?.into()),
        }
    }

    fn said(&self, &Index(action): &Index) -> Result<Spoken, Error> {
        self.game(|game| {
            let id = usize::try_from(action).ok().filter(|&id| id < game.num_actions());
            let unknown = || Error::Config {
                name: "action",
                value: action.to_string(),
                allowed: format!("ids are 0 to {}", game.num_actions() - 1),
            };
            id.map(|id| game.say(id)).ok_or_else(unknown)
        })
    }

    fn id(&self, action: &ActionLike) -> PyResult<i64> {
        match action {
            ActionLike::Id(Index(id)) => Ok(*id),
            ActionLike::Text(text) => Ok(self.game(|game| game.parse(text))? as i64),
        }
    }
}

#[pymethods]
impl Match {
    #[new]
    #[pyo3(signature = (game, options, *, seed, episode, max_decisions))]
    fn new(game: &str, options: &Bound<'_, PyAny>, seed: u64, episode: u32, max_decisions: u32) -> PyResult<Self> {
        Ok(Self::around(registry::find(game)?.start(&to_value(options)?, seed, episode, max_decisions)?))
    }

    /// The match that `replay` wrote, played again and checked; with `decisions`, only so many of them.
    #[staticmethod]
    #[pyo3(signature = (text, decisions))]
    fn from_replay(text: &str, decisions: Option<usize>) -> PyResult<Self> {
        Ok(Self::around(replay::read(text, decisions)?))
    }

    /// The match so far as JSON lines.
    fn replay(&self) -> PyResult<String> {
        Ok(self.game(|game| replay::write(game))?)
    }

    /// What stays the same.
    fn spec<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, &self.game(|game| game.spec()))
    }

    /// Decisions after which the match is cut off.
    #[getter]
    fn max_decisions(&self) -> u32 {
        self.game(|game| game.max_decisions())
    }

    /// Seed, lane, episode and decisions.
    fn address(&self) -> (u64, u32, u32, u32) {
        let address = self.game(|game| game.address());
        (address.seed, address.lane, address.episode, address.decisions)
    }

    /// The seat to act; None when the match is over or cut off.
    #[getter]
    fn to_act(&self) -> Option<usize> {
        self.game(|game| game.to_act()).map(Seat::index)
    }

    /// What each seat has earned so far.
    #[getter]
    fn returns(&self) -> Vec<f32> {
        self.game(|game| game.returns())
    }

    /// How far ahead each seat is.
    fn standing(&self) -> Vec<i32> {
        self.game(|game| game.standing())
    }

    /// What was played, in the game's notation; "timeout" where the time ran out.
    fn history(&self) -> Vec<String> {
        self.game(|game| {
            let words = |action: Option<usize>| match action {
                Some(id) => game.say(id).notation.to_string(),
                None => "timeout".to_owned(),
            };
            game.history().iter().map(|turn| words(turn.action)).collect()
        })
    }

    /// What each decision was, in words, with those before it that it belongs to.
    fn sentences(&self) -> Vec<String> {
        self.game(|game| captions(game))
    }

    /// How the match ended, in words.
    fn result(&self) -> String {
        self.game(|game| result(game, &numbered(game.num_seats())))
    }

    /// The pictures of the start and of the table after every decision.
    #[pyo3(signature = (viewer, looks))]
    fn pictures(&self, py: Python<'_>, viewer: Option<ViewerLike>, looks: Vec<u8>) -> PyResult<Vec<String>> {
        let (viewer, whole) = (self.viewer(viewer)?, self.copied());
        let pictures = py.detach(|| {
            let mut game = whole.rewound();
            let mut pictures = vec![game.picture(viewer, Looks::of(&looks)).svg()];
            for turn in whole.history() {
                match turn.action {
                    Some(id) => game.play(id as i64)?,
                    None => game.time_out()?,
                }
                pictures.push(game.picture(viewer, Looks::of(&looks)).svg());
            }
            Ok::<_, Error>(pictures)
        });
        Ok(pictures?)
    }

    /// The ids of the legal actions.
    fn legal_ids(&self) -> Vec<usize> {
        self.game(|game| game.legal())
    }

    /// The legal actions in the game's notation.
    fn legal(&self) -> Vec<String> {
        self.game(|game| game.legal().into_iter().map(|id| game.say(id).notation.to_string()).collect())
    }

    /// Play one action.
    fn play(&self, action: ActionLike) -> PyResult<()> {
        let id = self.id(&action)?;
        Ok(self.game(|game| game.play(id))?)
    }

    /// Play uniform random legal actions: so many, or until the match is over.
    #[pyo3(signature = (decisions))]
    fn play_random(&self, py: Python<'_>, decisions: Option<u32>) -> PyResult<()> {
        let played = py.detach(|| {
            let mut game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
            let mut left = decisions.map_or(u64::MAX, u64::from);
            while left > 0 && game.to_act().is_some() {
                let action = game.sample();
                game.play(action as i64)?;
                left -= 1;
            }
            Ok::<_, Error>(())
        });
        Ok(played?)
    }

    /// Let the time of the seat to act run out.
    fn timeout(&self) -> PyResult<()> {
        Ok(self.game(|game| game.time_out())?)
    }

    /// Why an action cannot be played now: an `IllegalActionError` that is not raised; None if it can.
    fn why_not(&self, py: Python<'_>, action: ActionLike) -> PyResult<Option<Py<PyAny>>> {
        let id = self.id(&action)?;
        let error = self.game(|game| game.why_not(id));
        Ok(error.map(|error| PyErr::from(error).into_value(py).into_any()))
    }

    /// An action in the game's notation.
    fn notation(&self, action: Index) -> PyResult<String> {
        Ok(self.said(&action)?.notation.to_string())
    }

    /// The id of an action in the game's notation.
    fn parse(&self, text: &str) -> PyResult<usize> {
        Ok(self.game(|game| game.parse(text))?)
    }

    /// The table, for a terminal.
    #[pyo3(signature = (viewer))]
    fn text(&self, viewer: Option<ViewerLike>) -> PyResult<String> {
        let viewer = self.viewer(viewer)?;
        Ok(self.game(|game| game.text(viewer)))
    }

    /// The table, for a program.
    #[pyo3(signature = (viewer))]
    fn view<'py>(&self, py: Python<'py>, viewer: Option<ViewerLike>) -> PyResult<Bound<'py, PyAny>> {
        let viewer = self.viewer(viewer)?;
        to_object(py, &self.game(|game| game.view(viewer)))
    }

    /// The table as an SVG picture; a value for each look of the game.
    #[pyo3(signature = (viewer, looks))]
    fn svg(&self, viewer: Option<ViewerLike>, looks: Vec<u8>) -> PyResult<String> {
        let viewer = self.viewer(viewer)?;
        Ok(self.game(|game| game.picture(viewer, Looks::of(&looks)).svg()))
    }

    /// The table without hands as an SVG picture, with tags where pieces are laid (place, label, colour)
    /// and a caption; None if the picture has none of the places.
    fn heat_map(&self, tags: Vec<(String, String, String)>, caption: &str) -> Option<String> {
        self.game(|game| game.heat_map(&to_tags(tags), caption)).map(|picture| picture.svg())
    }

    /// The table as an SVG picture, with such tags on its places.
    #[pyo3(signature = (viewer, looks, tags))]
    fn tagged(
        &self,
        viewer: Option<ViewerLike>,
        looks: Vec<u8>,
        tags: Vec<(String, String, String)>,
    ) -> PyResult<String> {
        let viewer = self.viewer(viewer)?;
        Ok(self.game(|game| game.tagged(viewer, Looks::of(&looks), &to_tags(tags)).svg()))
    }

    /// What is clicked for an action, in any order, as the picture calls it.
    fn places(&self, action: Index) -> PyResult<Vec<String>> {
        let said = self.said(&action)?;
        Ok(said.places.first().into_iter().flatten().map(ToString::to_string).collect())
    }

    /// What a seat knows and may do, written over an observation row and a mask.
    fn observe(&self, viewer: Index, observation: &Bound<'_, PyAny>, mask: &Bound<'_, PyAny>) -> PyResult<()> {
        let (seats, actions) = self.game(|game| (game.num_seats(), game.num_actions()));
        let viewer = viewer.seat(seats)?;
        let mut row = writable::<u8, ndarray::Ix1>("observation", observation, &[observation.len()?])?;
        let mut flags = writable::<i8, ndarray::Ix1>("mask", mask, &[actions])?;
        let (row, flags) = (all("observation", &mut row)?, all("mask", &mut flags)?);
        self.game(|game| game.observe(viewer, row, flags));
        Ok(())
    }

    /// The id of what a built-in agent would play for the seat to act.
    fn choose(&self, py: Python<'_>, agent: &str, purpose: u32) -> PyResult<usize> {
        let game = self.copied();
        until_interrupted(py, |stop| game.choose(agent, purpose, stop))
    }

    /// The id of an action worth considering for the seat to act, and why.
    fn hint(&self, py: Python<'_>) -> PyResult<(usize, String)> {
        let game = self.copied();
        until_interrupted(py, |stop| game.hint(stop))
    }

    /// What perfect play comes to: score, ids of a best line, positions looked at.
    fn solve(&self, py: Python<'_>) -> PyResult<(i32, Vec<usize>, u64)> {
        let game = self.copied();
        let Solution { score, line, nodes } = until_interrupted(py, |stop| game.solve(stop))?;
        Ok((score, line, nodes))
    }

    /// How many decisions the solver has to look ahead at most; None without one.
    #[getter]
    fn solve_depth(&self) -> Option<u32> {
        self.game(|game| game.solve_depth())
    }

    /// How many sequences of legal decisions of this length lie ahead.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        let game = self.copied();
        py.detach(|| game.perft(depth))
    }

    /// The position as text.
    fn position(&self) -> String {
        self.game(|game| game.position())
    }

    /// Put the match at a described position, before its first decision.
    fn set_position(&self, text: &str) -> PyResult<()> {
        Ok(self.game(|game| game.set_position(text))?)
    }

    /// The match as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.game(|game| game.save())?))
    }

    /// Put the match where `save` left it.
    fn load(&self, state: &[u8]) -> PyResult<()> {
        Ok(self.game(|game| game.load(state))?)
    }

    /// Guess anew what a seat has not seen.
    fn resample_hidden(&self, viewer: Index, purpose: u32) -> PyResult<()> {
        let viewer = viewer.seat(self.game(|game| game.num_seats()))?;
        self.game(|game| game.resample_hidden(viewer, purpose));
        Ok(())
    }

    /// A copy; with a seed it draws the rest of the match from that.
    #[pyo3(signature = (seed))]
    fn copy(&self, seed: Option<u64>) -> Self {
        Self::around(self.game(|game| game.copy(seed)))
    }

    /// A copy that goes on by the chance of an episode under a seed; what a seat has not seen is guessed anew.
    #[pyo3(signature = (seed, episode, viewer))]
    fn branch(&self, seed: u64, episode: u32, viewer: Option<usize>) -> PyResult<Self> {
        let viewer = viewer.map(|seat| Error::seat(seat, self.game(|game| game.num_seats()))).transpose()?;
        Ok(Self::around(self.game(|game| game.branch(seed, episode, viewer))))
    }

    /// The same game dealt anew.
    fn deal(&self, seed: u64, episode: u32) -> Self {
        Self::around(self.game(|game| game.deal(seed, episode)))
    }
}

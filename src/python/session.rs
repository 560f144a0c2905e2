use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::PyList;

use super::matches::Match;
use super::numbers::Index;
use super::objects::{to_object, to_value};
use super::until_interrupted;
use crate::error::Error;
use crate::game::Seat;
use crate::session::{self, Message, Sitter};

/// While agents think, what they have done is shown about every so often.
const SHOWN_EVERY: Duration = Duration::from_millis(500);

/// A match with people and agents at it.
#[pyclass(frozen, module = "adjoin._core")]
pub struct Session {
    session: Mutex<session::Session>,
    seats: usize,
}

/// Who sits at a seat: "person", "host", or `("agent", name)`.
struct Sits(Sitter);

impl<'a, 'py> FromPyObject<'a, 'py> for Sits {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok((_, agent)) = object.extract::<(String, String)>() {
            return Ok(Self(Sitter::Agent(agent)));
        }
        let word: String = object.extract()?;
        Ok(Self(if word == "host" { Sitter::Host } else { Sitter::Person }))
    }
}

impl Session {
    fn session(&self, py: Python<'_>) -> MutexGuard<'_, session::Session> {
        self.session.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn seat(&self, seat: Option<Index>) -> PyResult<Option<Seat>> {
        Ok(seat.map(|seat| seat.seat(self.seats)).transpose()?)
    }

    /// What a seat gets to see now, or the screen that people share.
    fn update_of<'py>(&self, py: Python<'py>, seat: Option<Seat>) -> PyResult<Bound<'py, PyAny>> {
        let update = {
            let mut session = self.session(py);
            match seat {
                Some(seat) => session.update(seat),
                None => session.screen(),
            }
        };
        to_object(py, &update)
    }

    /// Does something without the interpreter.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut session::Session, &AtomicBool) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        until_interrupted(py, |stop| {
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            act(&mut session, stop)
        })
    }

    /// Does something, lets the agents play, and returns the update of a seat. `show` hears of updates in between; it
    /// runs in the thread of the caller and may ask the session anything.
    fn go_on<'py>(
        &self,
        py: Python<'py>,
        seat: Option<Seat>,
        show: Option<Py<PyAny>>,
        act: impl FnOnce(&mut session::Session, &AtomicBool) -> Result<(), Error> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.work(py, act)?;
        let mut shown: Option<Instant> = None;
        loop {
            let is_due = shown.is_none_or(|at| at.elapsed() >= SHOWN_EVERY);
            if let Some(show) = show.as_ref().filter(|_| is_due && self.session(py).is_thinking()) {
                shown = Some(Instant::now());
                show.call1(py, (self.update_of(py, seat)?,))?;
            }
            if !self.work(py, session::Session::step)? {
                return self.update_of(py, seat);
            }
        }
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (game, sitters, names))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands it over so")]
    fn new(game: PyRef<'_, Match>, sitters: Vec<Sits>, names: Option<Vec<String>>) -> PyResult<Self> {
        let sitters = sitters.into_iter().map(|Sits(sitter)| sitter).collect();
        let session = session::Session::new(game.copied(), sitters, names)?;
        Ok(Self { seats: session.sitters().len(), session: Mutex::new(session) })
    }

    /// Do what a message says, let the agents play, and return what a seat gets to see.
    #[pyo3(signature = (message, seat=None, show=None))]
    fn receive<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'_, PyAny>,
        seat: Option<Index>,
        show: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = self.seat(seat)?;
        let message = message_of(message);
        self.go_on(py, given, show, move |session, stop| {
            match given {
                Some(seat) => session.receive(seat, &message, stop),
                None => session.receive_at_screen(&message, stop),
            }
            Ok(())
        })
    }

    /// Play an action for the seat that the host decides for, let the agents play, and return what a seat gets to see.
    #[pyo3(signature = (action, seat=None, show=None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        action: Index,
        seat: Option<Index>,
        show: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = self.seat(seat)?;
        self.go_on(py, given, show, move |session, _| session.play_for_host(action.0))
    }

    /// Let the agents play if it is their turn, and return what a seat gets to see.
    #[pyo3(signature = (seat=None, show=None))]
    fn advance<'py>(
        &self,
        py: Python<'py>,
        seat: Option<Index>,
        show: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = self.seat(seat)?;
        self.go_on(py, given, show, |_, _| Ok(()))
    }

    /// Do what a message of a seat says, and leave the agents to `step`; return whether there is another decision now.
    fn post(&self, py: Python<'_>, message: &Bound<'_, PyAny>, seat: Index) -> PyResult<bool> {
        let seat = seat.seat(self.seats)?;
        let message = message_of(message);
        self.work(py, move |session, stop| {
            let before = session.number();
            session.receive(seat, &message, stop);
            Ok(session.number() != before)
        })
    }

    /// Let one built-in agent decide if one is to, and return whether one has.
    fn step(&self, py: Python<'_>) -> PyResult<bool> {
        self.work(py, session::Session::step)
    }

    /// What a seat gets to see now.
    #[pyo3(signature = (seat=None))]
    fn update<'py>(&self, py: Python<'py>, seat: Option<Index>) -> PyResult<Bound<'py, PyAny>> {
        self.update_of(py, self.seat(seat)?)
    }

    /// What somebody without a hand gets to see now.
    fn watch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let update = self.session(py).watch();
        to_object(py, &update)
    }

    /// What has happened, in sentences said to a seat, or to nobody in particular.
    #[pyo3(signature = (seat))]
    fn log<'py>(&self, py: Python<'py>, seat: Option<Index>) -> PyResult<Bound<'py, PyList>> {
        let seat = self.seat(seat)?;
        let said = self.session(py).log(seat);
        PyList::new(py, said)
    }

    /// A copy of the match.
    #[getter]
    fn game(&self, py: Python<'_>) -> Match {
        Match::around(self.session(py).game().copy(None))
    }

    /// Put another match of the same game on the table.
    #[setter]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands it over so")]
    fn set_game(&self, py: Python<'_>, game: PyRef<'_, Match>) -> PyResult<()> {
        let game = game.copied();
        let set = self.session(py).set_game(game);
        Ok(set?)
    }

    /// The person in front of the screen.
    #[getter]
    fn facing(&self, py: Python<'_>) -> usize {
        self.session(py).facing().index()
    }
}

/// A message, whatever comes in: what is no message is one that nobody understands.
fn message_of(object: &Bound<'_, PyAny>) -> Message {
    to_value(object).ok().and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default()
}

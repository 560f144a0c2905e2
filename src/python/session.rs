use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyList;

use super::matches::Match;
use super::numbers::Index;
use super::objects::{to_object, to_value};
use super::until_interrupted;
use crate::error::Error;
use crate::game::Seat;
use crate::session::{self, Message, Sitter, Update};

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
    fn session(&self) -> MutexGuard<'_, session::Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seat(&self, seat: Option<Index>) -> PyResult<Seat> {
        match seat {
            Some(seat) => Ok(seat.seat(self.seats)?),
            None => Ok(self.session().facing()),
        }
    }

    /// Does something, lets the agents play, and returns the update of a seat; `show` hears of updates in between.
    fn go_on<'py>(
        &self,
        py: Python<'py>,
        seat: Option<Seat>,
        show: Option<Py<PyAny>>,
        act: impl FnOnce(&mut session::Session, &std::sync::atomic::AtomicBool) -> Result<(), Error> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut failed = None;
        let failed_ref = &mut failed;
        let update = until_interrupted(py, move |stop| {
            let mut session = self.session();
            act(&mut session, stop)?;
            let mut shown: Option<Instant> = None;
            let mut tell = |session: &mut session::Session| {
                let Some(show) = &show else { return };
                if shown.is_some_and(|at| at.elapsed() < SHOWN_EVERY) {
                    return;
                }
                shown = Some(Instant::now());
                let update = session.update(seat.unwrap_or(session.facing()));
                let told = Python::attach(|py| show.call1(py, (to_object(py, &update)?,)).map(drop));
                if let Err(error) = told {
                    failed_ref.get_or_insert(error);
                }
            };
            if session.is_thinking() {
                tell(&mut session);
            }
            session.advance(stop, tell)?;
            let seat = seat.unwrap_or(session.facing());
            Ok(session.update(seat))
        })?;
        match failed {
            Some(error) => Err(error),
            None => to_object(py, &update),
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
        let given = seat.map(|seat| seat.seat(self.seats)).transpose()?;
        let message = message_of(message);
        self.go_on(py, given, show, move |session, stop| {
            let seat = given.unwrap_or(session.facing());
            session.receive(seat, &message, stop);
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
        let given = seat.map(|seat| seat.seat(self.seats)).transpose()?;
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
        let given = seat.map(|seat| seat.seat(self.seats)).transpose()?;
        self.go_on(py, given, show, |_, _| Ok(()))
    }

    /// What a seat gets to see now.
    #[pyo3(signature = (seat=None))]
    fn update<'py>(&self, py: Python<'py>, seat: Option<Index>) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat(seat)?;
        let update: Update = self.session().update(seat);
        to_object(py, &update)
    }

    /// What has happened, in sentences said to a seat, or to nobody in particular.
    #[pyo3(signature = (seat))]
    fn log<'py>(&self, py: Python<'py>, seat: Option<Index>) -> PyResult<Bound<'py, PyList>> {
        let seat = seat.map(|seat| seat.seat(self.seats)).transpose()?;
        PyList::new(py, self.session().log(seat))
    }

    /// A copy of the match.
    #[getter]
    fn game(&self) -> Match {
        Match::around(self.session().game().copy(None))
    }

    /// Put another match of the same game on the table.
    #[setter]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands it over so")]
    fn set_game(&self, game: PyRef<'_, Match>) -> PyResult<()> {
        Ok(self.session().set_game(game.copied())?)
    }

    /// The person in front of the screen.
    #[getter]
    fn facing(&self) -> usize {
        self.session().facing().index()
    }
}

/// A message, whatever comes in: what is no message is one that nobody understands.
fn message_of(object: &Bound<'_, PyAny>) -> Message {
    to_value(object).ok().and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default()
}

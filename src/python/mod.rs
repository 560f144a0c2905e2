//! The extension module `adjoin._core`. It names no game: everything goes through [`crate::registry`].
//!
//! Threads may share its objects, also in a Python without the global lock. What changes is behind a mutex, one call at a
//! time. Nobody waits for a mutex while attached to the interpreter, and while one is held no code of Python's runs.

mod arrays;
// PyO3 hands arguments over by value.
#[expect(clippy::needless_pass_by_value)]
mod batch;
#[expect(clippy::needless_pass_by_value)]
mod data;
#[expect(clippy::needless_pass_by_value)]
mod matches;
mod numbers;
mod objects;
mod plays;
#[expect(clippy::needless_pass_by_value)]
mod session;
#[expect(clippy::needless_pass_by_value)]
mod simulate;
#[expect(clippy::needless_pass_by_value)]
mod table;
#[expect(clippy::needless_pass_by_value)]
mod tree;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyIndexError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::error::Error;

pyo3::create_exception!(
    adjoin,
    IllegalActionError,
    PyValueError,
    "An action that the rules do not allow: which, why, and what is legal. Nothing has changed."
);

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::IllegalAction { refusal, legal, .. } => {
                let clause = (!refusal.clause.is_empty()).then_some(refusal.clause);
                illegal(message, &refusal.reason.to_string(), clause, legal)
            }
            Error::UnknownAction { text, game, legal } => {
                illegal(message, &format!("{text:?} is no action of {game}"), None, legal)
            }
            Error::UnknownLane { .. } | Error::UnknownSeat { .. } => PyIndexError::new_err(message),
            Error::Memory { .. } => PyMemoryError::new_err(message),
            Error::Threads { .. } => PyRuntimeError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    }
}

/// An [`IllegalActionError`] with its parts as attributes.
fn illegal(message: String, reason: &str, clause: Option<&str>, legal: Vec<String>) -> PyErr {
    Python::attach(|py| {
        let error = IllegalActionError::new_err(message);
        let value = error.value(py);
        let set = value
            .setattr("reason", reason)
            .and_then(|()| value.setattr("clause", clause))
            .and_then(|()| value.setattr("legal", legal));
        set.err().unwrap_or(error)
    })
}

/// Runs `work` without the interpreter, on a thread of its own, and sets its flag once Ctrl-C is pressed.
fn until_interrupted<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let mut raised = None;
    let result = py.detach(|| {
        thread::scope(|scope| {
            let (sender, finished) = mpsc::channel::<()>();
            let stop = &stop;
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                let result = work(stop);
                drop(sender);
                result
            });
            let worker = match spawned {
                Ok(worker) => worker,
                Err(error) => return Ok(Err(Error::threads(1, &error))),
            };
            while finished.recv_timeout(Duration::from_millis(5)) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    raised = Python::attach(|py: Python<'_>| py.check_signals()).err();
                    stop.store(raised.is_some(), Ordering::Relaxed);
                }
            }
            worker.join()
        })
    });
    match (raised, result) {
        (Some(error), _) => Err(error),
        (None, Ok(result)) => Ok(result?),
        (None, Err(panic)) => std::panic::resume_unwind(panic),
    }
}

#[pymodule]
mod _core {
    use pyo3::prelude::*;

    use super::objects::{to_object, to_value};
    use super::until_interrupted;
    use crate::batch::Config;
    use crate::match_digest::MatchDigest;
    use crate::registry;
    use crate::tree;

    #[pymodule_export]
    use super::IllegalActionError;
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::data::{clean, fold, hint, map_of, nearest, place_labels, read_atlas, read_deck, read_stations};
    #[pymodule_export]
    use super::matches::Match;
    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::simulate::simulate;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::tree::TreeSearch;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    const MAX_CARDS: usize = crate::games::connections::deck::MAX_CARDS;
    #[pymodule_export]
    const MAX_CITIES: usize = crate::games::connections::deck::MAX_CITIES;
    #[pymodule_export]
    const MAX_LINES: usize = crate::games::metro_domino::stations::MAX_LINES;
    #[pymodule_export]
    const MAX_LINKS: usize = crate::games::connections::deck::MAX_LINKS;
    #[pymodule_export]
    const MAX_PLACES: usize = crate::atlas::MAX_PLACES;
    #[pymodule_export]
    const MAX_REGIONS: usize = crate::games::connections::deck::MAX_REGIONS;

    /// The names of the games.
    #[pyfunction]
    fn games() -> Vec<&'static str> {
        registry::names()
    }

    /// Everything about a game with given options that stays the same.
    #[pyfunction]
    fn spec<'py>(py: Python<'py>, game: &str, options: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, &registry::find(game)?.spec(&to_value(options)?)?)
    }

    /// Options as plain objects: what the core reads of them.
    #[pyfunction]
    fn plain<'py>(py: Python<'py>, options: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, &to_value(options)?)
    }

    /// Hashes over a whole match that the core plays by itself: the same as in a browser.
    #[pyfunction]
    #[pyo3(signature = (game, options, seed, agent))]
    fn digest<'py>(
        py: Python<'py>,
        game: &str,
        options: &Bound<'_, PyAny>,
        seed: u64,
        agent: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let max_decisions = Config::default().max_decisions;
        let game = registry::find(game)?.start(&to_value(options)?, seed, 0, max_decisions)?;
        to_object(py, &until_interrupted(py, |stop| MatchDigest::of(game, agent, stop))?)
    }

    /// The built-in agents that all games have, with their arguments and defaults.
    #[pyfunction]
    fn agents() -> Vec<&'static str> {
        crate::agents::NAMES.to_vec()
    }

    /// Who can judge leaves of a tree search without a call to Python.
    #[pyfunction]
    fn evaluators() -> Vec<&'static str> {
        tree::EVALUATORS.to_vec()
    }
}

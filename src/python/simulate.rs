use std::sync::{Mutex, PoisonError};

use ndarray::ArrayView2;
use numpy::{PyArray2, ToPyArray as _};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use super::table::Table;
use crate::episodes::{Callers, NoAnswer, Plan, Start};
use crate::error::Error;
use crate::registry;

/// Episode, decision, what went wrong, what the agent raised.
type Failure = (u32, u32, String, Option<Py<PyAny>>);

/// Whole episodes between agents, as a table, and what went wrong if not all were finished.
///
/// `agents` are descriptions of built-in agents, or None where `callables` has a function of observations and masks that
/// returns a list of action ids. `start` is a saved match from which every episode goes on, whose knowledge that is, and
/// the action that is played first. `tick` hears several times a second how many episodes are done.
#[pyfunction]
#[pyo3(signature = (game, options, agents, *, names, callables, episodes, first, seed, threads, max_decisions, rotate, record, start, tick))]
#[expect(clippy::too_many_arguments, reason = "keywords of one Python function")]
pub fn simulate(
    py: Python<'_>,
    game: &str,
    options: &Bound<'_, PyAny>,
    agents: Vec<Option<String>>,
    names: Vec<String>,
    callables: Vec<Option<Py<PyAny>>>,
    episodes: u32,
    first: u32,
    seed: u64,
    threads: usize,
    max_decisions: u32,
    rotate: bool,
    record: &str,
    start: Option<(Vec<u8>, Option<usize>, Option<i64>)>,
    tick: Option<Py<PyAny>>,
) -> PyResult<(Table, Option<Failure>)> {
    let record = record.parse()?;
    let start = start.map(|(save, viewer, action)| Start { save, viewer, action });
    let options = super::objects::to_value(options)?;
    let plan = Plan { seed, first, episodes, threads, max_decisions, agents, names, rotate, record, start };
    let callers = Callables { functions: callables, raised: Mutex::new(None), stopped: Mutex::new(None) };
    let asks = callers.functions.iter().any(Option::is_some);
    let mut interrupted = None;
    let outcome = py.detach(|| {
        registry::find(game)?.run(&options, &plan, asks.then_some(&callers as &dyn Callers), &mut |done| {
            let heard = Python::attach(|py| {
                py.check_signals()?;
                tick.as_ref().map_or(Ok(()), |tick| tick.call1(py, (done,)).map(drop))
            });
            interrupted = heard.err();
            interrupted.is_none()
        })
    })?;
    if let Some(error) = interrupted.or(callers.stopped.into_inner().unwrap_or_else(PoisonError::into_inner)) {
        return Err(error);
    }
    let failure = match outcome.failure {
        None => None,
        Some(error) => {
            let Error::Caller { episode, decision, .. } = error else { return Err(error.into()) };
            let raised = callers.raised.into_inner().unwrap_or_else(PoisonError::into_inner);
            Some((episode, decision, error.to_string(), raised.map(|raised| raised.into_value(py).into_any())))
        }
    };
    Ok((Table(outcome.table), failure))
}

/// Python functions that decide.
struct Callables {
    functions: Vec<Option<Py<PyAny>>>,
    /// The first exception that one of them raised.
    raised: Mutex<Option<PyErr>>,
    /// The first that is no fault of an agent: Ctrl-C, a call of `sys.exit`.
    stopped: Mutex<Option<PyErr>>,
}

impl Callers for Callables {
    fn answer(
        &self,
        player: usize,
        observations: ArrayView2<'_, u8>,
        masks: ArrayView2<'_, i8>,
    ) -> Result<Vec<i64>, NoAnswer> {
        Python::attach(|py| {
            let Some(callable) = self.functions.get(player).and_then(Option::as_ref) else {
                return Err(NoAnswer::Failed("nobody decides here".to_owned()));
            };
            let observations: Bound<'_, PyArray2<u8>> = observations.to_pyarray(py);
            let masks: Bound<'_, PyArray2<i8>> = masks.to_pyarray(py);
            let answers = callable.call1(py, (observations, masks)).and_then(|answers| answers.extract(py));
            answers.map_err(|error: PyErr| {
                let (kept, why) = if error.is_instance_of::<PyException>(py) {
                    (&self.raised, NoAnswer::Failed(format!("the agent raised {error}")))
                } else {
                    (&self.stopped, NoAnswer::Stopped)
                };
                kept.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                why
            })
        })
    }
}

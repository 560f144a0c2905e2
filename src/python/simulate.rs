use std::sync::{Mutex, PoisonError};

use ndarray::ArrayView2;
use numpy::{PyArray2, ToPyArray as _};
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Error;
use crate::registry;
use crate::simulate::{Callers, Column, NoAnswer, Plan, Record, Values};

/// Name, meaning, numpy type, entries, labels of text.
type Entry<'py> = (String, String, &'static str, Bound<'py, PyBytes>, Option<Vec<String>>);
/// Episode, decision, what went wrong, what the agent raised.
type Failure = (u32, u32, String, Option<Py<PyAny>>);

/// Whole episodes between agents, as columns, and what went wrong if not all were finished.
///
/// `agents` are descriptions of built-in agents, or None where `callables` has a function of observations and masks that
/// returns a list of action ids. `tick` hears several times a second how many episodes are done.
#[pyfunction]
#[pyo3(signature = (game, options, agents, *, names, callables, episodes, first, seed, threads, limit, rotate, record, tick))]
#[expect(clippy::too_many_arguments, reason = "keywords of one Python function")]
pub fn simulate<'py>(
    py: Python<'py>,
    game: &str,
    options: &Bound<'_, PyAny>,
    agents: Vec<Option<String>>,
    names: Vec<String>,
    callables: Vec<Option<Py<PyAny>>>,
    episodes: u32,
    first: u32,
    seed: u64,
    threads: usize,
    limit: u32,
    rotate: bool,
    record: &str,
    tick: Option<Py<PyAny>>,
) -> PyResult<(Vec<Entry<'py>>, Option<Failure>)> {
    let record = match record {
        "episodes" => Record::Episodes,
        "decisions" => Record::Decisions,
        other => {
            return Err(PyValueError::new_err(format!("record = {other:?}: must be \"episodes\" or \"decisions\"")));
        }
    };
    let options = super::objects::to_value(options)?;
    let plan = Plan { seed, first, episodes, threads, limit, agents, names, rotate, record };
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
    let columns = outcome.columns.into_iter().map(|column| entry(py, column)).collect::<PyResult<_>>()?;
    Ok((columns, failure))
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

fn entry(py: Python<'_>, column: Column) -> PyResult<Entry<'_>> {
    let (kind, bytes, labels) = match column.values {
        Values::I8(values) => ("i1", bytes(py, &values, i8::to_le_bytes)?, None),
        Values::U8(values) => ("u1", bytes(py, &values, u8::to_le_bytes)?, None),
        Values::I32(values) => ("<i4", bytes(py, &values, i32::to_le_bytes)?, None),
        Values::U32(values) => ("<u4", bytes(py, &values, u32::to_le_bytes)?, None),
        Values::U64(values) => ("<u8", bytes(py, &values, u64::to_le_bytes)?, None),
        Values::F32(values) => ("<f4", bytes(py, &values, f32::to_le_bytes)?, None),
        Values::Text(codes, labels) => ("<i4", bytes(py, &codes, i32::to_le_bytes)?, Some(labels.to_vec())),
    };
    Ok((column.name, column.meaning, kind, bytes, labels))
}

/// The values one after another, lowest byte first.
fn bytes<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    values: &[T],
    le: fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, N * values.len(), |bytes| {
        for (bytes, &value) in bytes.chunks_exact_mut(N).zip(values) {
            bytes.copy_from_slice(&le(value));
        }
        Ok(())
    })
}

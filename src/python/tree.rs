use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{Element, PyReadonlyArray, PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;

use super::arrays::{all, readable, writable};
use super::batch::Batch;
use super::until_interrupted;
use crate::dynamic::AnyForest;
use crate::error::Error;
use crate::rows::Widths;
use crate::tree::{Answers, Found, Leaves, Method, Reward, Settings};

/// A tree for each lane of a batch, grown in lock step.
#[pyclass(frozen, module = "adjoin._core")]
pub struct TreeSearch {
    any: Mutex<Box<dyn AnyForest>>,
    batch: Py<Batch>,
    lanes: usize,
    widths: Widths,
    takes_single_values: bool,
}

impl TreeSearch {
    /// To be called detached.
    fn forest(&self) -> MutexGuard<'_, Box<dyn AnyForest>> {
        self.any.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The rows of leaves as Python passes them: observation, mask, seat.
struct Rows<'py> {
    observation: PyReadwriteArray2<'py, u8>,
    mask: PyReadwriteArray2<'py, i8>,
    seat: PyReadwriteArray1<'py, i8>,
}

type Three<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

impl<'py> Rows<'py> {
    fn borrow((observation, mask, seat): &Three<'py>, lanes: usize, widths: Widths) -> PyResult<Self> {
        Ok(Self {
            observation: writable("observation", observation, &[lanes, widths.observation])?,
            mask: writable("mask", mask, &[lanes, widths.mask])?,
            seat: writable("seat", seat, &[lanes])?,
        })
    }

    fn leaves(&mut self) -> PyResult<Leaves<'_>> {
        Ok(Leaves {
            observation: all("observation", &mut self.observation)?,
            mask: all("mask", &mut self.mask)?,
            seat: all("seat", &mut self.seat)?,
        })
    }
}

/// One of several words, or what they are.
fn word<T: Copy>(name: &'static str, given: &str, words: &[(&str, T)]) -> Result<T, Error> {
    words.iter().find(|(word, _)| *word == given).map(|&(_, meaning)| meaning).ok_or_else(|| Error::Config {
        name,
        value: format!("{given:?}"),
        allowed: format!(
            "must be {}",
            words.iter().map(|(word, _)| format!("{word:?}")).collect::<Vec<_>>().join(" or ")
        ),
    })
}

#[pymethods]
impl TreeSearch {
    #[new]
    #[pyo3(signature = (
        batch, *, simulations, method, reward, c_puct, dirichlet_fraction, dirichlet_alpha, temperature,
        max_num_considered_actions, gumbel_scale, opponents
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one Python constructor")]
    fn new(
        py: Python<'_>,
        batch: Py<Batch>,
        simulations: u32,
        method: &str,
        reward: &str,
        c_puct: f32,
        dirichlet_fraction: f32,
        dirichlet_alpha: f32,
        temperature: f32,
        max_num_considered_actions: u32,
        gumbel_scale: f32,
        opponents: Option<String>,
    ) -> PyResult<Self> {
        let settings = Settings {
            simulations,
            method: word("method", method, &[("puct", Method::Puct), ("gumbel", Method::Gumbel)])?,
            reward: word("reward", reward, &[("win", Reward::Win), ("points", Reward::Points)])?,
            c_puct,
            dirichlet_fraction,
            dirichlet_alpha,
            temperature,
            max_num_considered_actions,
            gumbel_scale,
            opponents,
        };
        let (lanes, widths) = batch.get().size();
        let forest = py.detach(|| batch.get().batch().forest(settings))?;
        let takes_single_values = forest.takes_single_values();
        Ok(Self { any: Mutex::new(forest), batch, lanes, widths, takes_single_values })
    }

    /// Take root in the lanes, write the rows of the roots; whether anything is to decide.
    fn begin(&self, py: Python<'_>, purpose: u32, out: Three<'_>) -> PyResult<bool> {
        let mut rows = Rows::borrow(&out, self.lanes, self.widths)?;
        let leaves = rows.leaves()?;
        Ok(py.detach(|| self.forest().begin(&**self.batch.get().batch(), purpose, leaves))?)
    }

    /// Take in logits and values of the leaves, write the next ones; whether there are any.
    fn answer(
        &self,
        py: Python<'_>,
        logits: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        out: Three<'_>,
    ) -> PyResult<bool> {
        let logits: PyReadonlyArray<'_, f32, ndarray::Ix2> =
            readable("logits", logits, &[self.lanes, self.widths.mask])?;
        let values: PyReadonlyArray<'_, f32, ndarray::IxDyn> = if self.takes_single_values && is_single(values) {
            readable("values", values, &[self.lanes])?
        } else {
            readable("values", values, &[self.lanes, self.widths.reward])?
        };
        let answers = Answers { logits: logits.as_slice()?, values: values.as_slice()? };
        let mut rows = Rows::borrow(&out, self.lanes, self.widths)?;
        let leaves = rows.leaves()?;
        Ok(py.detach(|| self.forest().answer(answers, leaves))?)
    }

    /// Search without a call to Python.
    fn think(&self, py: Python<'_>, purpose: u32, evaluator: &str) -> PyResult<()> {
        until_interrupted(py, |stop| self.forest().think(&**self.batch.get().batch(), purpose, evaluator, stop))
    }

    /// Write what the last search found.
    fn results(
        &self,
        py: Python<'_>,
        visit_counts: &Bound<'_, PyAny>,
        q_values: &Bound<'_, PyAny>,
        policies: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let by_action = [self.lanes, self.widths.mask];
        let mut visit_counts = two::<i32>("visit_counts", visit_counts, by_action)?;
        let mut q_values = two::<f32>("q_values", q_values, by_action)?;
        let mut policies = two::<f32>("policies", policies, by_action)?;
        let mut values = two::<f32>("values", values, [self.lanes, self.widths.reward])?;
        let mut actions = writable::<i32, ndarray::Ix1>("actions", actions, &[self.lanes])?;
        let found = Found {
            visit_counts: all("visit_counts", &mut visit_counts)?,
            q_values: all("q_values", &mut q_values)?,
            policies: all("policies", &mut policies)?,
            values: all("values", &mut values)?,
            actions: all("actions", &mut actions)?,
        };
        Ok(py.detach(|| self.forest().results(found))?)
    }
}

fn two<'py, T: Element>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
    shape: [usize; 2],
) -> PyResult<PyReadwriteArray2<'py, T>> {
    writable(name, object, &shape)
}

/// Whether an array has one dimension.
fn is_single(array: &Bound<'_, PyAny>) -> bool {
    array.cast::<numpy::PyUntypedArray>().is_ok_and(|array| array.ndim() == 1)
}

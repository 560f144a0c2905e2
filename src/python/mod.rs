//! The extension module `adjoin._core`. It names no game: everything goes through [`crate::registry`].

mod arrays;
// PyO3 hands arguments over by value.
#[expect(clippy::needless_pass_by_value)]
mod batch;

use pyo3::exceptions::{PyIndexError, PyValueError};
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
            Error::IllegalAction { .. } | Error::UnknownAction { .. } => IllegalActionError::new_err(message),
            Error::UnknownLane { .. } | Error::UnknownSeat { .. } => PyIndexError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    }
}

#[pymodule]
mod _core {
    use numpy::{PyArray1, PyArrayMethods as _};
    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    use crate::simulate::Plan;
    use crate::{agents, registry};

    #[pymodule_export]
    use super::IllegalActionError;
    #[pymodule_export]
    use super::batch::Batch;

    /// The names of the games.
    #[pyfunction]
    fn games() -> Vec<&'static str> {
        registry::NAMES.to_vec()
    }

    /// The names of the built-in agents.
    #[pyfunction]
    #[pyo3(name = "agents")]
    fn agent_names() -> Vec<&'static str> {
        agents::NAMES.to_vec()
    }

    /// Whole episodes between built-in agents, as columns.
    #[pyfunction]
    #[pyo3(signature = (game, options, agents, *, episodes, first, seed, threads, limit, rotate))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one Python function")]
    fn simulate<'py>(
        py: Python<'py>,
        game: &str,
        options: &str,
        agents: Vec<String>,
        episodes: u32,
        first: u32,
        seed: u64,
        threads: usize,
        limit: u32,
        rotate: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let plan = Plan { seed, first, episodes, threads, limit, agents, rotate };
        let seats = plan.agents.len();
        let columns = py.detach(|| registry::run(game, options, &plan))?;
        let returns: Vec<f32> = columns.returns.iter().flat_map(|returns| &returns[..seats]).copied().collect();
        let table = PyDict::new(py);
        table.set_item("returns", PyArray1::from_vec(py, returns).reshape([columns.decisions.len(), seats])?)?;
        table.set_item("first_agent", PyArray1::from_vec(py, columns.first_agent))?;
        table.set_item("decisions", PyArray1::from_vec(py, columns.decisions))?;
        table.set_item("status", PyArray1::from_vec(py, columns.status))?;
        Ok(table)
    }
}

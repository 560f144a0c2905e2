//! Borrowing numpy arrays: each is checked, and named if it does not fit.

use ndarray::ArrayViewMut2;
use numpy::{
    BorrowError, Element, PyArray, PyArray1, PyArrayDescrMethods as _, PyArrayMethods as _, PyReadonlyArray,
    PyReadwriteArray, PyReadwriteArray1, PyReadwriteArray2, PyUntypedArray, PyUntypedArrayMethods as _,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::rows::{ActionRows, Buffers, Rows, Widths, check, tuple};

/// The five arrays of a step, borrowed for one call.
pub struct Arrays<'py> {
    observation: PyReadwriteArray2<'py, u8>,
    mask: PyReadwriteArray2<'py, i8>,
    seat: PyReadwriteArray1<'py, i8>,
    reward: PyReadwriteArray2<'py, f32>,
    status: PyReadwriteArray1<'py, u8>,
}

/// The five arrays as Python passes them: observation, mask, seat, reward, status.
pub struct Five<'py>([Bound<'py, PyAny>; 5]);

impl<'a, 'py> FromPyObject<'a, 'py> for Five<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (observation, mask, seat, reward, status) = object.extract().map_err(|_| {
            let got = object.get_type().name().map_or_else(|_| String::new(), |name| format!(", got {name}"));
            PyTypeError::new_err(format!("out: expected the five arrays of Batch.buffers(){got}"))
        })?;
        Ok(Self([observation, mask, seat, reward, status]))
    }
}

impl<'py> Arrays<'py> {
    pub fn borrow(
        Five([observation, mask, seat, reward, status]): &Five<'py>,
        lanes: usize,
        widths: Widths,
    ) -> PyResult<Self> {
        Ok(Self {
            observation: writable("observation", observation, &[lanes, widths.observation])?,
            mask: writable("mask", mask, &[lanes, widths.mask])?,
            seat: writable("seat", seat, &[lanes])?,
            reward: writable("reward", reward, &[lanes, widths.reward])?,
            status: writable("status", status, &[lanes])?,
        })
    }

    pub fn rows(&mut self) -> PyResult<Rows<'_>> {
        Ok(Rows {
            observation: two("observation", &mut self.observation)?,
            mask: two("mask", &mut self.mask)?,
            seat: all("seat", &mut self.seat)?.into(),
            reward: two("reward", &mut self.reward)?,
            status: all("status", &mut self.status)?.into(),
        })
    }
}

/// The same rows once more, for a call after which they are still needed.
pub fn lend<'a>(rows: &'a mut Rows<'_>) -> Rows<'a> {
    Rows {
        observation: rows.observation.view_mut(),
        mask: rows.mask.view_mut(),
        seat: rows.seat.view_mut(),
        reward: rows.reward.view_mut(),
        status: rows.status.view_mut(),
    }
}

/// The row of one lane as Python gets it: observation, mask, seat, reward of every seat, status.
pub type OneRow<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i8>>, i8, Bound<'py, PyTuple>, u8);

/// Arrays and numbers of their own with what the only row holds.
pub fn one_row<'py>(py: Python<'py>, row: &Buffers) -> PyResult<OneRow<'py>> {
    Ok((
        PyArray1::from_slice(py, row.observation.as_slice().unwrap_or_default()),
        PyArray1::from_slice(py, row.mask.as_slice().unwrap_or_default()),
        row.seat[0],
        PyTuple::new(py, &row.reward)?,
        row.status[0],
    ))
}

/// The arrays of the legal actions, borrowed for one call.
pub struct Room<'py> {
    ids: PyReadwriteArray1<'py, i32>,
    facts: PyReadwriteArray2<'py, u8>,
    offsets: PyReadwriteArray1<'py, i64>,
}

/// The arrays of the legal actions as Python passes them: ids, facts, offsets.
pub struct Three<'py>([Bound<'py, PyAny>; 3]);

impl<'a, 'py> FromPyObject<'a, 'py> for Three<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (ids, facts, offsets) = object.extract().map_err(|_| {
            let got = object.get_type().name().map_or_else(|_| String::new(), |name| format!(", got {name}"));
            PyTypeError::new_err(format!("out: expected the three arrays of Batch.action_rows(){got}"))
        })?;
        Ok(Self([ids, facts, offsets]))
    }
}

impl<'py> Room<'py> {
    pub fn borrow(Three([ids, facts, offsets]): &Three<'py>, lanes: usize, width: usize) -> PyResult<Self> {
        let room = ids.len().unwrap_or_default();
        Ok(Self {
            ids: writable("ids", ids, &[room])?,
            facts: writable("facts", facts, &[room, width])?,
            offsets: writable("offsets", offsets, &[lanes + 1])?,
        })
    }

    pub fn rows(&mut self) -> PyResult<ActionRows<'_>> {
        Ok(ActionRows {
            ids: all("ids", &mut self.ids)?,
            facts: all("facts", &mut self.facts)?,
            offsets: all("offsets", &mut self.offsets)?,
        })
    }
}

fn two<'a, T: Element>(name: &str, array: &'a mut PyReadwriteArray2<'_, T>) -> PyResult<ArrayViewMut2<'a, T>> {
    let shape = (array.shape()[0], array.shape()[1]);
    ArrayViewMut2::from_shape(shape, all(name, array)?)
        .map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}

/// All numbers of an array, which must be aligned in memory.
pub fn all<'a, T: Element, D: ndarray::Dimension>(
    name: &str,
    array: &'a mut PyReadwriteArray<'_, T, D>,
) -> PyResult<&'a mut [T]> {
    if array.as_slice().is_err() {
        let expected = expected::<T>(array.py(), name, array.shape());
        return Err(PyValueError::new_err(format!("{expected}, got one that is not aligned in memory")));
    }
    Ok(array.as_slice_mut()?)
}

/// A writable, C-ordered array of this type and shape.
pub fn writable<'py, T: Element, D: ndarray::Dimension>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    typed::<T, D>(name, object, shape)?.try_readwrite().map_err(|error| {
        let got = match error {
            BorrowError::NotWriteable => "one that is read-only",
            _ => SHARED,
        };
        PyValueError::new_err(format!("{}, got {got}", expected::<T>(object.py(), name, shape)))
    })
}

/// A C-ordered, aligned array of this type and shape.
pub fn readable<'py, T: Element, D: ndarray::Dimension>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<PyReadonlyArray<'py, T, D>> {
    let refuse = |got| PyValueError::new_err(format!("{}, got {got}", expected::<T>(object.py(), name, shape)));
    let array = typed(name, object, shape)?.try_readonly().map_err(|_| refuse(SHARED))?;
    array.as_slice().map_err(|_| refuse("one that is not aligned in memory"))?;
    Ok(array)
}

const SHARED: &str = "one that shares memory with another of this call, or of one in another thread";

fn expected<T: Element>(py: Python<'_>, name: &str, shape: &[usize]) -> String {
    format!("{name}: expected a {} array of shape {}", T::get_dtype(py), tuple(shape))
}

fn typed<'a, 'py, T: Element, D: ndarray::Dimension>(
    name: &'static str,
    object: &'a Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<&'a Bound<'py, PyArray<T, D>>> {
    match object.cast::<PyArray<T, D>>() {
        Ok(array) if array.shape() == shape && array.is_c_contiguous() => Ok(array),
        _ => Err(misfit::<T>(name, object, shape)),
    }
}

/// What is wrong with an array that does not fit.
#[cold]
fn misfit<T: Element>(name: &'static str, object: &Bound<'_, PyAny>, shape: &[usize]) -> PyErr {
    let expected = expected::<T>(object.py(), name, shape);
    let Ok(array) = object.cast::<PyUntypedArray>() else {
        return PyTypeError::new_err(format!("{expected}, got {}", object.get_type()));
    };
    if !array.dtype().is_equiv_to(&T::get_dtype(object.py())) {
        let got = format!("{} of shape {}", array.dtype(), tuple(array.shape()));
        return PyTypeError::new_err(format!("{expected}, got {got}"));
    }
    match check(name, array.shape(), shape, array.is_c_contiguous()) {
        Err(error) => error.into(),
        Ok(()) => PyTypeError::new_err(expected),
    }
}

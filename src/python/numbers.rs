//! Numbers from Python: of any size, and lists of them.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::Error;
use crate::game::Seat;
use crate::memory::room;

/// A whole number of any size; one that is too large stays too large.
pub struct Index(pub i64);

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

    /// The lane with this number, of so many.
    pub fn lane(&self, lanes: usize) -> Result<usize, Error> {
        self.below(lanes).ok_or(Error::UnknownLane { lane: self.0, lanes })
    }

    /// The seat with this number, of so many.
    pub fn seat(&self, seats: usize) -> Result<Seat, Error> {
        self.below(seats).map(Seat::new).ok_or(Error::UnknownSeat { seat: self.0, seats })
    }
}

/// The entries of a list, of which there can be as many as lanes.
pub struct Entries<T>(pub Vec<T>);

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
pub enum Seed {
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

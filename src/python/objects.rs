//! Options, views and specs as Python objects.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};
use serde::Serialize;
use serde_json::{Map, Number, Value};

/// Deeper lists are refused.
const DEEPEST: u32 = 100;

/// What an object of Python's holds: numbers, texts, lists, sets and dictionaries, arrays of numpy, and whatever has an
/// `option` method, such as an atlas.
pub fn to_value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    value(object, DEEPEST)
}

fn value(object: &Bound<'_, PyAny>, depth: u32) -> PyResult<Value> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(PyValueError::new_err("the options are nested too deeply"));
    };
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(Value::Bool(flag.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(whole(object));
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return Number::from_f64(number.value())
            .map(Value::Number)
            .ok_or_else(|| PyValueError::new_err(format!("{object}: must be a finite number")));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::String(text.to_str()?.to_owned()));
    }
    if let Ok(fields) = object.cast::<PyDict>() {
        let mut map = Map::new();
        for (key, entry) in fields {
            let Ok(key) = key.cast::<PyString>() else {
                return Err(PyTypeError::new_err(format!("a key must be a text, got {}", key.repr()?)));
            };
            map.insert(key.to_str()?.to_owned(), value(&entry, depth)?);
        }
        return Ok(Value::Object(map));
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return object.try_iter()?.map(|entry| value(&entry?, depth)).collect::<PyResult<_>>().map(Value::Array);
    }
    if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
        let sorted = object.py().import("builtins")?.call_method1("sorted", (object,))?;
        return value(&sorted, depth);
    }
    for method in ["option", "tolist"] {
        if object.hasattr(method)? {
            return value(&object.call_method0(method)?, depth);
        }
    }
    let kind = object.get_type();
    Err(PyTypeError::new_err(format!("an option of type {} cannot be read: {}", kind.name()?, object.repr()?)))
}

fn whole(object: &Bound<'_, PyAny>) -> Value {
    if let Ok(number) = object.extract::<i64>() {
        return number.into();
    }
    if let Ok(number) = object.extract::<u64>() {
        return number.into();
    }
    object.extract::<f64>().map_or(Value::Null, Value::from)
}

/// Something of ours as an object of Python's.
pub fn to_object<'py>(py: Python<'py>, something: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(something).map_err(|error| PyValueError::new_err(error.to_string()))?;
    object(py, &value)
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(entries) => {
            let list = PyList::empty(py);
            for entry in entries {
                list.append(object(py, entry)?)?;
            }
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, entry) in fields {
                dict.set_item(key, object(py, entry)?)?;
            }
            dict.into_any()
        }
    })
}

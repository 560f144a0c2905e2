//! Tables of data as Arrow has them, which numpy and all that speak Arrow read where they lie.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, Int8Type, Int32Type, UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::{DataType, FieldRef, Schema};
use numpy::{Element, PyArray1, PyArrayDescr, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::episodes::columns::{MEANING, different, field, numbers, text};
use crate::error::Error;
use crate::memory::{collect, room};

/// Columns of one length, each with a name and a meaning: numbers, or text as numbers of labels. Nothing changes them.
#[pyclass(frozen, eq, module = "adjoin._core")]
#[derive(PartialEq)]
pub struct Table(pub RecordBatch);

#[pymethods]
impl Table {
    /// Columns of numpy arrays, by name. Those that have labels are text.
    #[new]
    fn new(
        columns: &Bound<'_, PyDict>,
        meanings: HashMap<String, String>,
        mut labels: HashMap<String, Vec<String>>,
    ) -> PyResult<Self> {
        let made = columns.iter().map(|(name, values)| {
            let name: String = name.extract()?;
            let meaning = meanings.get(&name).map_or("", String::as_str);
            let labels = labels.remove(&name);
            made(&name, &values, meaning, labels)
        });
        Self::of(made.collect::<PyResult<Vec<_>>>()?)
    }

    /// The rows of several tables with the same columns, in their order. Labels are those of all, each once.
    #[staticmethod]
    fn concat(py: Python<'_>, tables: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let batches: Vec<_> = tables.iter().map(|table| &table.0).collect();
        Ok(Self(py.detach(|| concat(&batches))?))
    }

    /// How many rows there are.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.schema_ref().fields().iter().map(|field| field.name()))
    }

    /// What a column tells.
    fn meaning(&self, name: &str) -> PyResult<&str> {
        let field = self.0.schema_ref().field(self.place(name)?);
        Ok(field.metadata().get(MEANING).map_or("", String::as_str))
    }

    /// The numbers of a column, or the numbers of its labels. They are read where they lie, and cannot be changed.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (numbers, _) = parts(self.0.column(self.place(name)?));
        numpy::get_array_module(py)?.call_method1("asarray", (Numbers(numbers),))
    }

    /// The labels of a column of text; None of numbers.
    fn labels<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let (_, labels) = parts(self.0.column(self.place(name)?));
        labels.map(|labels| PyTuple::new(py, labels.iter().flatten().collect::<Vec<_>>())).transpose()
    }

    /// Some of the columns, in the order of the names.
    fn select(&self, names: Vec<String>) -> PyResult<Self> {
        let places = names.iter().map(|name| self.place(name)).collect::<PyResult<Vec<_>>>()?;
        Ok(Self(self.0.project(&places).map_err(Error::from)?))
    }

    /// The table with one more column, which is the last.
    #[pyo3(signature = (name, values, meaning, labels=None))]
    fn with_column(
        &self,
        name: &str,
        values: &Bound<'_, PyAny>,
        meaning: &str,
        labels: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let fields = self.0.schema_ref().fields().iter().map(Arc::clone);
        let all = fields.zip(self.0.columns().iter().map(Arc::clone));
        Self::of(all.chain([made(name, values, meaning, labels)?]))
    }

    /// The rows with the given numbers; below 0 they count from the end.
    fn take(&self, py: Python<'_>, rows: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        let (given, count) = (rows.as_slice()?, self.0.num_rows());
        let mut rows = room("rows", given.len())?;
        for &row in given {
            let from_start = if row < 0 { row.saturating_add_unsigned(count as u64) } else { row };
            match usize::try_from(from_start) {
                Ok(place) if place < count => rows.push(place),
                _ => return Err(PyIndexError::new_err(format!("no row {row}: the table has {count} rows"))),
            }
        }
        Ok(Self(py.detach(|| take(&self.0, &rows))?))
    }

    /// A capsule with a stream of the Arrow C interface. Nothing is copied.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// A capsule with the schema of the Arrow C interface: names, types and meanings.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&**self.0.schema_ref()).map_err(Error::from)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// What makes the table again, for pickle.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let [columns, meanings, labels] = [(); 3].map(|()| PyDict::new(py));
        for field in self.0.schema_ref().fields() {
            let name = field.name();
            columns.set_item(name, self.column(py, name)?)?;
            meanings.set_item(name, self.meaning(name)?)?;
            if let Some(of_column) = self.labels(py, name)? {
                labels.set_item(name, of_column)?;
            }
        }
        Ok((py.get_type::<Self>().into_any(), PyTuple::new(py, [columns, meanings, labels])?))
    }
}

impl Table {
    fn of(columns: impl IntoIterator<Item = (FieldRef, ArrayRef)>) -> PyResult<Self> {
        let (fields, arrays): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        Ok(Self(RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(Error::from)?))
    }

    fn place(&self, name: &str) -> PyResult<usize> {
        self.0.schema_ref().index_of(name).map_err(|_| {
            let known: Vec<_> = self.0.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
            PyKeyError::new_err(format!("no column '{name}': the columns are {}", known.join(", ")))
        })
    }
}

/// The numbers of a column, for numpy, which keeps them alive while an array shows them.
#[pyclass(frozen)]
struct Numbers(ArrayRef);

#[pymethods]
impl Numbers {
    /// Where they lie; see numpy's page on the array interface.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kind = kind(&self.0)?;
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", (kind.dtype)(py).getattr("str")?)?;
        interface.set_item("shape", (self.0.len(),))?;
        interface.set_item("data", ((kind.address)(&self.0), true))?;
        Ok(interface)
    }
}

/// What is done with numbers of one type.
struct Kind {
    data_type: DataType,
    dtype: for<'py> fn(Python<'py>) -> Bound<'py, PyArrayDescr>,
    address: fn(&ArrayRef) -> usize,
    from_numpy: fn(&Bound<'_, PyAny>) -> Option<Result<ArrayRef, Error>>,
    take: fn(&ArrayRef, &[usize]) -> Result<ArrayRef, Error>,
    concat: fn(&[ArrayRef]) -> Result<ArrayRef, Error>,
}

/// The types of numbers that a table has.
static KINDS: [Kind; 6] = [
    Kind::of::<Int8Type>(),
    Kind::of::<UInt8Type>(),
    Kind::of::<Int32Type>(),
    Kind::of::<UInt32Type>(),
    Kind::of::<UInt64Type>(),
    Kind::of::<Float32Type>(),
];

impl Kind {
    const fn of<V: ArrowPrimitiveType<Native: Element>>() -> Self {
        Self {
            data_type: V::DATA_TYPE,
            dtype: numpy::dtype::<V::Native>,
            address: |array| array.as_primitive::<V>().values().as_ptr().expose_provenance(),
            from_numpy: |values| {
                let values = values.cast::<PyArray1<V::Native>>().ok()?.try_readonly().ok()?;
                let values = values.as_slice().ok()?;
                Some(collect("rows", values.iter().copied()).map(numbers::<V>))
            },
            take: |array, rows| {
                let values = array.as_primitive::<V>().values();
                collect("rows", rows.iter().map(|&row| values[row])).map(numbers::<V>)
            },
            concat: |arrays| {
                let mut values = room("rows", arrays.iter().map(Array::len).sum())?;
                for array in arrays {
                    values.extend_from_slice(array.as_primitive::<V>().values());
                }
                Ok(numbers::<V>(values))
            },
        }
    }
}

fn kind(numbers: &ArrayRef) -> Result<&'static Kind, Error> {
    let data_type = numbers.data_type();
    let known = KINDS.iter().find(|kind| kind.data_type == *data_type);
    known.ok_or_else(|| Error::Table(format!("no column holds {data_type}")))
}

/// The numbers of a column, and the labels of one of text.
fn parts(column: &ArrayRef) -> (ArrayRef, Option<&StringArray>) {
    match column.as_dictionary_opt::<Int32Type>() {
        Some(text) => (Arc::new(text.keys().clone()), text.values().as_string_opt()),
        None => (Arc::clone(column), None),
    }
}

/// The column that has these parts.
fn whole(numbers: ArrayRef, labels: Option<&StringArray>) -> Result<ArrayRef, Error> {
    match labels {
        Some(labels) => text(numbers.as_primitive::<Int32Type>().clone(), labels.clone()),
        None => Ok(numbers),
    }
}

/// A column of a numpy array.
fn made(
    name: &str,
    values: &Bound<'_, PyAny>,
    meaning: &str,
    labels: Option<Vec<String>>,
) -> PyResult<(FieldRef, ArrayRef)> {
    let numbers = KINDS.iter().find_map(|kind| (kind.from_numpy)(values)).ok_or_else(|| {
        let known: Vec<_> = KINDS.iter().map(|kind| (kind.dtype)(values.py()).to_string()).collect();
        let got = values.getattr("dtype").unwrap_or_else(|_| values.get_type().into_any());
        let known = known.join(", ");
        PyTypeError::new_err(format!("{name}: expected an array in C order, of one dimension, of {known}; got {got}"))
    })??;
    if labels.is_some() && numbers.data_type() != &DataType::Int32 {
        let got = numbers.data_type();
        return Err(PyTypeError::new_err(format!("{name}: expected numbers of labels as int32, got {got}")));
    }
    let array = whole(numbers, labels.map(StringArray::from).as_ref())?;
    Ok((Arc::new(field(name, meaning, &array)), array))
}

fn take(batch: &RecordBatch, rows: &[usize]) -> Result<RecordBatch, Error> {
    let taken = batch.columns().iter().map(|column| {
        let (numbers, labels) = parts(column);
        whole((kind(&numbers)?.take)(&numbers, rows)?, labels)
    });
    Ok(RecordBatch::try_new(batch.schema(), taken.collect::<Result<_, _>>()?)?)
}

fn concat(batches: &[&RecordBatch]) -> Result<RecordBatch, Error> {
    let Some((first, others)) = batches.split_first() else {
        return Err(Error::Table("there are no tables to join".to_owned()));
    };
    let columns_of = |batch: &RecordBatch| -> Vec<_> {
        let fields = batch.schema_ref().fields().iter();
        fields.map(|field| (field.name().clone(), field.data_type().clone())).collect()
    };
    if others.iter().any(|other| columns_of(other) != columns_of(first)) {
        return Err(Error::Table("tables with different columns cannot be joined".to_owned()));
    }
    let joined = (0..first.num_columns()).map(|place| {
        let columns: Vec<_> = batches.iter().map(|batch| parts(batch.column(place))).collect();
        let (numbers, labels): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let kind = kind(&numbers[0])?;
        if labels.iter().all(|other| *other == labels[0]) {
            return whole((kind.concat)(&numbers)?, labels[0]);
        }
        let (numbers, labels) = with_common_labels(&numbers, &labels)?;
        whole((kind.concat)(&numbers)?, Some(&labels))
    });
    Ok(RecordBatch::try_new(first.schema(), joined.collect::<Result<_, _>>()?)?)
}

/// Numbers of labels that hold for all.
fn with_common_labels(
    codes: &[ArrayRef],
    labels: &[Option<&StringArray>],
) -> Result<(Vec<ArrayRef>, StringArray), Error> {
    let (common, mut new) = different(labels.iter().copied().flatten().flatten().flatten());
    let recoded = codes.iter().zip(labels).map(|(codes, labels)| {
        let later = new.split_off(labels.map_or(0, Array::len));
        let new = std::mem::replace(&mut new, later);
        let codes = codes.as_primitive::<Int32Type>().values();
        collect("rows", codes.iter().map(|&code| new[code as usize])).map(numbers::<Int32Type>)
    });
    Ok((recoded.collect::<Result<_, _>>()?, common))
}

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, Int8Type, Int32Type, UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, DictionaryArray, PrimitiveArray, RecordBatch, RecordBatchIterator, StringArray};
use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyCapsule;

/// Columns as a stream of the Arrow C interface: a capsule that borrows the bytes and copies nothing.
///
/// A column is its name, numpy type, entries and, for text, labels.
#[pyfunction]
pub fn arrow_stream(
    py: Python<'_>,
    columns: Vec<(String, String, PyBackedBytes, Option<Vec<String>>)>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let refuse = |error: ArrowError| PyValueError::new_err(error.to_string());
    let mut arrays = Vec::with_capacity(columns.len());
    for (name, kind, bytes, labels) in columns {
        arrays.push((name, array(&kind, bytes, labels).map_err(refuse)?));
    }
    let batch = RecordBatch::try_from_iter(arrays).map_err(refuse)?;
    let schema = batch.schema();
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}

fn array(kind: &str, bytes: PyBackedBytes, labels: Option<Vec<String>>) -> Result<ArrayRef, ArrowError> {
    if let Some(labels) = labels {
        let codes = PrimitiveArray::<Int32Type>::new(values::<Int32Type>(bytes), None);
        return Ok(Arc::new(DictionaryArray::try_new(codes, Arc::new(StringArray::from(labels)))?));
    }
    Ok(match kind {
        "i1" => numbers::<Int8Type>(bytes),
        "u1" => numbers::<UInt8Type>(bytes),
        "<i4" => numbers::<Int32Type>(bytes),
        "<u4" => numbers::<UInt32Type>(bytes),
        "<u8" => numbers::<UInt64Type>(bytes),
        "<f4" => numbers::<Float32Type>(bytes),
        other => return Err(ArrowError::SchemaError(format!("no column of type {other}"))),
    })
}

fn numbers<T: ArrowPrimitiveType>(bytes: PyBackedBytes) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::new(values::<T>(bytes), None))
}

/// What the bytes hold, without a copy where they lie as they should, which Python's always do.
fn values<T: ArrowPrimitiveType>(bytes: PyBackedBytes) -> ScalarBuffer<T::Native> {
    let lies_well = bytes.as_ptr().align_offset(align_of::<T::Native>()) == 0;
    let whole = bytes.len() / size_of::<T::Native>();
    let buffer = if lies_well { Buffer::from(bytes::Bytes::from_owner(bytes)) } else { Buffer::from(&bytes[..]) };
    ScalarBuffer::new(buffer, 0, whole)
}

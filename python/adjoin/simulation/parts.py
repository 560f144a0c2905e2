"""Parts of a streamed run in a folder: whether they are whole, and the right ones."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.support.extras import need

if TYPE_CHECKING:
    from pathlib import Path

_CHECKSUM = b"adjoin.sha256"
_AGAIN = "remove it, and the same call plays its episodes again"


def sealed(table: Any) -> Any:
    """Return an Arrow table that carries a checksum of its rows."""
    return table.replace_schema_metadata({**table.schema.metadata, _CHECKSUM: _digest(table)})


def check_part(path: Path, episodes: range, origin: str) -> None:
    """Refuse a file that is damaged, or holds other episodes or those of another run."""
    arrow = need("pyarrow", "adjoin[parquet]")
    parquet = need("pyarrow.parquet", "adjoin[parquet]")
    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty: {_AGAIN}")
    try:
        table = parquet.ParquetFile(path).read()
    except (OSError, arrow.ArrowException) as error:
        raise ValueError(f"{path} is damaged ({error}): {_AGAIN}") from error
    metadata = table.schema.metadata or {}
    if metadata.get(b"adjoin", b"").decode(errors="replace") != origin:
        raise ValueError(f"{path} comes from another run: write to another folder, or remove it")
    if metadata.get(_CHECKSUM) != _digest(table):
        raise ValueError(f"{path} is damaged (its checksum is wrong): {_AGAIN}")
    found = np.unique(table["episode"].to_numpy())
    if not np.array_equal(found, episodes):
        held = f"{len(found)} episodes from {found[0]} on" if len(found) else "no episodes"
        raise ValueError(
            f"{path} holds {held} instead of {len(episodes)} from {episodes.start} on: {_AGAIN}"
        )


def _digest(table: Any) -> bytes:
    """Return the SHA-256 of names and entries, however they are split and coded in a file."""
    total = hashlib.sha256(json.dumps([table.column_names, table.num_rows]).encode())
    types = need("pyarrow", "adjoin[parquet]").types
    compute = need("pyarrow.compute", "adjoin[parquet]")
    for column in table.columns:
        while types.is_large_list(column.type) or types.is_fixed_size_list(column.type):
            lengths = compute.fill_null(compute.list_value_length(column), -1)
            total.update(lengths.to_numpy().tobytes())
            column = compute.list_flatten(column)
        if types.is_dictionary(column.type):
            text = column.cast(column.type.value_type).combine_chunks().dictionary_encode()
            total.update(json.dumps(text.dictionary.to_pylist()).encode())
            column = text.indices
        total.update(np.ascontiguousarray(column.to_numpy()).tobytes())
    return total.hexdigest().encode()

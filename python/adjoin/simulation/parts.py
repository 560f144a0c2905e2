"""Parquet files: written whole and sealed; what they say of themselves; parts of a stream."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin.core.spec import Spec
from adjoin.data.files import read_json
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjoin.simulation.origins import Origin

_ORIGIN = b"adjoin"
_VERSION = b"adjoin_version"
_PART = b"adjoin_part"
_CHECKSUM = b"adjoin.sha256"
_AGAIN = "remove it, and the same call plays its episodes again"


class Part(NamedTuple):
    """Which episodes of which run a file of a stream holds."""

    start: int
    stop: int
    first: int
    """Where the run begins;"""
    end: int
    """and where it ends."""

    @classmethod
    def of(cls, metadata: dict[bytes, bytes]) -> Part | None:
        """Return what a file says, if it is a part of something."""
        return cls(*json.loads(metadata[_PART])) if _PART in metadata else None

    def metadata(self) -> dict[bytes, bytes]:
        """Return what a file says."""
        return {_PART: json.dumps(self).encode()}


def about(origins: Sequence[Origin], more: dict[bytes, bytes] | None = None) -> dict[bytes, bytes]:
    """Return what a file says of where its rows come from."""
    written = [origin.to_json() for origin in origins]
    version = Spec.of(origins[0].game, json.loads(origins[0].options)).version
    return {
        _ORIGIN: (written[0] if len(written) == 1 else f"[{', '.join(written)}]").encode(),
        _VERSION: str(version).encode(),
        **(more or {}),
    }


def written_by(metadata: dict[bytes, bytes] | None, source: str, what: str) -> list[dict[str, Any]]:
    """Return what a file says of its runs, or refuse one that is not ours, or of other rules.

    One that does not tell its version is from when every game was of version 0.
    """
    try:
        said = read_json((metadata or {})[_ORIGIN])
        runs = said if isinstance(said, list) else [said]
        version = int((metadata or {}).get(_VERSION, b"0"))
        game = runs[0]["game"]
        if not all(isinstance(run["agents"], list) and run["record"] for run in runs):
            raise ValueError
    except (KeyError, IndexError, TypeError, ValueError):
        raise ValueError(f"{source} holds no {what} written by adjoin") from None
    now = Spec.of(game, {}).version
    if version != now:
        raise ValueError(
            f"{source} was written for version {version} of {game}, this is version {now}"
        )
    return runs


def write_parquet(table: Any, path: str | os.PathLike[str], such_as: str, **keywords: Any) -> Path:
    """Write an Arrow table with its checksums, and return the path.

    The file appears when it is whole; if it cannot be written, nothing is left of it.
    """
    parquet = need("pyarrow.parquet", "adjoin[parquet]")
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file, such as {path}/{such_as}")
    partial = path.with_name(path.name + ".partial")
    try:
        parquet.write_table(sealed(table), partial, write_page_checksum=True, **keywords)
        os.replace(partial, path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise OSError(error.errno, f"{path} could not be written ({error})") from error
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return path


def open_parquet(path: Path, advice: str = "", **keywords: Any) -> Any:
    """Return a Parquet file of which nothing but the end has been read; ``advice`` is for one that
    is damaged.
    """
    arrow = need("pyarrow", "adjoin[parquet]")
    parquet = need("pyarrow.parquet", "adjoin[parquet]")
    ending = f": {advice}" if advice else ""
    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty{ending}")
    try:
        return parquet.ParquetFile(path, page_checksum_verification=True, **keywords)
    except (OSError, arrow.ArrowException) as error:
        raise ValueError(f"{path} is damaged ({error}){ending}") from error


def sealed(table: Any) -> Any:
    """Return an Arrow table that carries a checksum of its rows."""
    return table.replace_schema_metadata({**table.schema.metadata, _CHECKSUM: _digest(table)})


def check_part(path: Path, episodes: range, origin: Origin) -> None:
    """Refuse a file that is damaged, or holds other episodes or those of another run."""
    arrow = need("pyarrow", "adjoin[parquet]")
    file = open_parquet(path, _AGAIN)
    try:
        table = file.read()
    except (OSError, arrow.ArrowException) as error:
        raise ValueError(f"{path} is damaged ({error}): {_AGAIN}") from error
    metadata = table.schema.metadata or {}
    if metadata.get(_ORIGIN, b"").decode(errors="replace") != origin.to_json():
        raise ValueError(f"{path} comes from another run: write to another folder, or remove it")
    written_by(metadata, str(path), "rows")
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

"""Tables in Parquet files: a column is read when it is asked for, and not kept."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin import _core
from adjoin.simulation.columns import in_use, loaded
from adjoin.simulation.joining import RUN, check_alike, check_once, numbered
from adjoin.simulation.origins import Origin
from adjoin.simulation.parts import Part, open_parquet, written_by
from adjoin.simulation.runs import Run
from adjoin.simulation.starts import Start
from adjoin.simulation.tables import Table
from adjoin.support.arguments import brief
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class File:
    """A Parquet file of a table, of which nothing but the end has been read."""

    path: Path
    stamp: tuple[int, int]
    """Its size and when it was written: it must stay as it was."""
    footer: Any
    form: Any
    """The names, types and meanings of its columns, in Arrow's words."""
    origins: tuple[Origin, ...]
    part: Part | None
    runs: NDArray[np.uint32]
    """The number of each of its runs in the table."""

    @classmethod
    def open(cls, path: Path) -> File:
        """Read what a file says of itself, or refuse it."""
        path = path.absolute()
        opened = open_parquet(path)
        metadata = opened.schema_arrow.metadata or {}
        origins = tuple(map(origin_of, written_by(metadata, str(path), "table")))
        if origins[0].record == "trajectories":
            raise ValueError(f"{path} holds trajectories: Trajectories.read reads them")
        file = cls(
            path=path,
            stamp=_stamp(path),
            footer=opened.metadata,
            form=opened.schema_arrow,
            origins=origins,
            part=Part.of(metadata),
            runs=np.zeros(len(origins), np.uint32),
        )
        if file.part is not None and origins[0].record == "episodes":
            episodes = file.part.stop - file.part.start
            if file.num_rows != episodes:
                raise ValueError(f"{path} is damaged: {file.num_rows} of {episodes} episodes")
        return file

    @property
    def num_rows(self) -> int:
        """How many rows it has."""
        rows: int = self.footer.num_rows
        return rows

    @property
    def columns(self) -> list[tuple[str, str]]:
        """The names and types of the columns, without that of the run."""
        return [(field.name, str(field.type)) for field in self.form if field.name != "run"]

    def groups(self) -> list[int]:
        """Return the numbers of rows of its row groups."""
        return [self.footer.row_group(n).num_rows for n in range(self.footer.num_row_groups)]

    def episodes(self) -> tuple[int, int]:
        """Return the least and the greatest number of an episode; any, if the file does not say."""
        at = self.form.get_field_index("episode")
        found = [self.footer.row_group(n).column(at) for n in range(self.footer.num_row_groups)]
        ends = [chunk.statistics for chunk in found if chunk.num_values]
        if any(e is None or not e.has_min_max for e in ends):
            return 0, 2**32
        return min((e.min for e in ends), default=0), max((e.max for e in ends), default=-1)

    def read(self, group: int, name: str) -> Any:
        """Return a column of a row group, as Arrow has it."""
        arrow = need("pyarrow", "adjoin[parquet]")
        if _stamp(self.path) != self.stamp:
            raise ValueError(f"{self.path} has changed since it was read: read it again")
        opened = open_parquet(self.path, metadata=self.footer)
        try:
            table = opened.read_row_group(group, columns=[name], use_threads=False)
        except (OSError, arrow.ArrowException) as error:
            raise ValueError(f"{self.path} is damaged, in the column {name} ({error})") from error
        column = table[name].combine_chunks()
        if len(column) != self.footer.row_group(group).num_rows or column.null_count:
            raise ValueError(f"{self.path} is damaged, in the column {name} (entries are missing)")
        return column


def _numbers(array: Any) -> NDArray[Any]:
    """Return an Arrow array of numbers; its own ``to_numpy`` takes a second to import pandas."""
    kind = np.dtype(array.type.to_pandas_dtype())
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * kind.itemsize)


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


@dataclass(frozen=True, eq=False)
class Stored:
    """Columns of files, all rows or those with some numbers; see ``_core.Table``."""

    files: tuple[File, ...]
    names: tuple[str, ...]
    texts: Mapping[str, tuple[str, ...]]
    """All labels that a column of text can have, in the game's order."""
    rows: NDArray[np.int64] | None = None

    @functools.cached_property
    def _groups(self) -> tuple[list[tuple[File, int]], NDArray[np.int64]]:
        """Row groups, and at which row each begins; last where all end."""
        groups = [(file, n) for file in self.files for n in range(file.footer.num_row_groups)]
        sizes = [rows for file in self.files for rows in file.groups()]
        return groups, np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return int(self._groups[1][-1]) if self.rows is None else len(self.rows)

    def meaning(self, name: str) -> str:
        """Return what a column tells."""
        self._check(name)
        if name == "run":
            return RUN
        metadata = self.files[0].form.field(name).metadata or {}
        return str(metadata.get(b"meaning", b"").decode())

    def labels(self, name: str) -> tuple[str, ...] | None:
        """Return all labels that a column of text can have, in the game's order."""
        self._check(name)
        return self.texts.get(name)

    def column(self, name: str) -> NDArray[Any]:
        """Read a column: its numbers, or the numbers of its labels."""
        self._check(name)
        groups, _ = self._groups
        column = np.empty(self.num_rows, self._dtype(name))
        for number, place, inside in self._places():
            column[place] = self._read(*groups[number], name)[inside]
        column.flags.writeable = False
        return column

    def select(self, names: Sequence[str]) -> Stored:
        """Return some of the columns, in the order of the names."""
        for name in names:
            self._check(name)
        return replace(self, names=tuple(names))

    def take(self, rows: NDArray[np.int64]) -> Stored:
        """Return the rows with the given numbers; below 0 they count from the end."""
        count = self.num_rows
        wrong = rows[(rows < -count) | (rows >= count)]
        if len(wrong):
            raise IndexError(f"no row {wrong[0]}: the table has {count} rows")
        rows = np.where(rows < 0, rows + count, rows)
        return replace(self, rows=rows if self.rows is None else self.rows[rows])

    def of_runs(self, numbers: Mapping[int, int]) -> Stored:
        """Return them with other numbers for the runs; of a single run there is no number."""
        files = [
            replace(file, runs=np.array([numbers.get(int(run), 0) for run in file.runs], np.uint32))
            for file in self.files
        ]
        names = [name for name in self.names if name != "run" or len(numbers) > 1]
        return replace(self, files=tuple(files), names=tuple(names))

    def loaded(self) -> _core.Table:
        """Return all columns in memory."""
        return self._loaded(self.texts)

    def _loaded(self, texts: Mapping[str, tuple[str, ...]]) -> _core.Table:
        """Return all columns in memory, with these labels."""
        columns = {name: self.column(name) for name in self.names}
        for name in columns.keys() & self.texts.keys():
            if len(texts[name]) < len(self.texts[name]):
                codes = {label: code for code, label in enumerate(texts[name])}
                new = np.array([codes.get(label, 0) for label in self.texts[name]], np.int32)
                columns[name] = new[columns[name]]
        meanings = {name: self.meaning(name) for name in self.names}
        labels = {name: texts[name] for name in self.names if name in texts}
        return _core.Table(columns, meanings, labels)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Return a stream of the Arrow C interface, which reads a row group after another."""
        arrow = need("pyarrow", "adjoin[parquet]")
        kept = {
            name: in_use(self.column(name), labels)[1]
            for name, labels in self.texts.items()
            if name in self.names
        }

        def batches() -> Iterator[Any]:
            for rows in self._spans():
                yield from arrow.table(self.take(rows)._loaded(kept)).to_batches()

        form = arrow.schema(self.take(np.arange(0))._loaded(kept))
        reader = arrow.RecordBatchReader.from_batches(form, batches())
        return reader.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        """Return names, types and meanings, by the Arrow C interface."""
        return self.take(np.arange(0)).loaded().__arrow_c_schema__()

    def _check(self, name: str) -> None:
        if name not in self.names:
            raise KeyError(f"no column '{name}': the columns are {', '.join(self.names)}")

    def _dtype(self, name: str) -> Any:
        if name == "run":
            return np.uint32
        return (
            np.int32
            if name in self.texts
            else self.files[0].form.field(name).type.to_pandas_dtype()
        )

    def _read(self, file: File, group: int, name: str) -> NDArray[Any]:
        """Return the numbers of a column of a row group."""
        if name == "run" and len(file.runs) == 1:
            return np.full(file.footer.row_group(group).num_rows, file.runs[0])
        read = file.read(group, name)
        if name == "run":
            runs: NDArray[Any] = file.runs[_numbers(read)]
            return runs
        if name not in self.texts:
            return _numbers(read)
        known = {label: code for code, label in enumerate(self.texts[name])}
        labels = read.dictionary.to_pylist()
        strange = next((label for label in labels if label not in known), None)
        if strange is not None:
            raise ValueError(f"{file.path} is damaged: {name} cannot be {strange!r}")
        codes: NDArray[Any] = np.array([known[label] for label in labels], np.int32)[
            _numbers(read.indices)
        ]
        return codes

    def _places(self) -> Iterator[tuple[int, Any, Any]]:
        """Yield row groups that are needed, which rows they give, and where from."""
        starts = self._groups[1]
        if self.rows is None:
            for number in range(len(starts) - 1):
                yield number, slice(starts[number], starts[number + 1]), slice(None)
            return
        is_sorted = bool((self.rows[1:] >= self.rows[:-1]).all())
        order = None if is_sorted else np.argsort(self.rows, kind="stable")
        rows = self.rows if order is None else self.rows[order]
        cuts = np.searchsorted(rows, starts)
        for number in np.flatnonzero(np.diff(cuts)).tolist():
            span = slice(cuts[number], cuts[number + 1])
            yield number, span if order is None else order[span], rows[span] - starts[number]

    def _spans(self) -> Iterator[NDArray[np.int64]]:
        """Yield numbers of rows that are read together, in order."""
        if self.rows is not None and (self.rows[1:] < self.rows[:-1]).any():
            yield np.arange(len(self.rows))
            return
        for _, place, _ in self._places():
            yield np.arange(place.start, place.stop)


def read(paths: Sequence[str | os.PathLike[str]]) -> Table:
    """Return the table that is in files and folders; see ``Table.read_parquet``."""
    if not paths:
        raise TypeError("read_parquet() needs a file, a folder, or several of them")
    for given in paths:
        if not isinstance(given, (str, os.PathLike)):
            raise TypeError(
                f"read_parquet({brief(given)}): must be a file or a folder; several are "
                "arguments of their own: read_parquet(*paths)"
            )
    files: list[File] = []
    for path in map(Path, paths):
        inside = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        if not inside:
            raise FileNotFoundError(f"{path} is a folder without Parquet files")
        opened = [File.open(each) for each in inside]
        if path.is_dir():
            _check_complete(path, opened)
        files += opened
    check_alike([origin for file in files for origin in file.origins])
    for file in files[1:]:
        if file.columns != files[0].columns:
            raise ValueError(f"{file.path} has other columns than {files[0].path}")
    runs: list[Origin] = []
    numbers = [np.array(numbered(runs, file.origins), np.uint32) for file in files]
    files = [replace(file, runs=own) for file, own in zip(files, numbers, strict=True)]
    names = [name for name, _ in files[0].columns]
    texts = _labels(runs, {name for name, kind in files[0].columns if "dictionary" in kind})
    data = Stored(tuple(files), tuple(["run"] * (len(runs) > 1) + names), texts)
    table = Table(data, *runs)
    if not _is_once(files):
        check_once(table)
    return table


def _check_complete(folder: Path, files: Sequence[File]) -> None:
    """Refuse a folder in which a part of a stream is missing."""
    parts = sorted(file.part for file in files if file.part is not None)
    if not parts or any(not file.origins[0].is_same(files[0].origins[0]) for file in files):
        return
    at, end = parts[0].first, max(part.end for part in parts)
    for part in (*parts, Part(end, end, at, end)):
        if part.start > at:
            raise ValueError(
                f"{folder} lacks episodes {at:,} to {part.start - 1:,} of {end:,}: the call of "
                "simulate that wrote the others goes on with them; "
                f"Table.read_parquet(*files) reads those that you name"
            )
        at = max(at, part.stop)


def _is_once(files: Sequence[File]) -> bool:
    """Tell whether no row can be there twice, by what the files say of themselves."""
    if len(files) == 1:
        return True
    if any(len(file.origins) > 1 for file in files):
        return False
    spans = sorted((int(file.runs[0]), *file.episodes()) for file in files)
    return all(one[0] != other[0] or one[2] < other[1] for one, other in itertools.pairwise(spans))


def origin_of(said: Mapping[str, Any]) -> Origin:
    """Return what ``Origin.to_json`` told of; only built-in agents can play again."""
    agents = tuple(said["agents"])
    fields = {
        each.name: said[each.name] for each in dataclasses.fields(Origin) if each.name in said
    }
    start = Start.from_json(said["start"]) if "start" in said else None
    fields |= {"agents": agents, "start": start}
    origin = Origin(**fields, seats=len(agents))
    texts = said.get("texts", agents)
    return origin if None in texts else replace(origin, plan=_run(origin, texts))


def _run(origin: Origin, agents: Sequence[Any]) -> Run:
    """Return the run that an origin tells of."""
    names = {field.name for field in dataclasses.fields(Run)} & vars(origin).keys()
    fields = {name: getattr(origin, name) for name in names}
    return Run(**{**fields, "agents": tuple(agents), "threads": 1})


def _labels(runs: Sequence[Origin], names: set[str]) -> dict[str, tuple[str, ...]]:
    """Return all labels that columns of text can have, in the game's order."""
    empty = []
    for origin in runs:
        is_by_seat = origin.record == "seats"
        played = replace(origin, record="episodes") if is_by_seat else origin
        table = _run(played, [_Absent(name) for name in origin.agents]).play(0, 0)
        empty.append(table.by_seat() if is_by_seat else table)
    data = _core.Table.concat([loaded(table._data).select(sorted(names)) for table in empty])
    return {name: data.labels(name) or () for name in names}


class _Absent:
    """An agent of which the name is known."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, observations: Any, masks: Any) -> Any:
        raise NotImplementedError(f"of {self.__name__} the name alone is known")

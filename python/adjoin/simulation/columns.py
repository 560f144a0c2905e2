"""What a table has its columns from: the core's, in memory, or files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from adjoin import _core

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


class Columns(Protocol):
    """Columns of one length, each with a name and a meaning; see ``_core.Table``."""

    @property
    def num_rows(self) -> int:
        """How many rows there are."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    def meaning(self, name: str) -> str:
        """Return what a column tells."""

    def column(self, name: str) -> NDArray[Any]:
        """Return the numbers of a column, or the numbers of its labels."""

    def labels(self, name: str) -> tuple[str, ...] | None:
        """Return all labels that a column of text can have, in the game's order."""

    def select(self, names: Sequence[str]) -> Columns:
        """Return some of the columns, in the order of the names."""

    def take(self, rows: NDArray[np.int64]) -> Columns:
        """Return the rows with the given numbers; below 0 they count from the end."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Return a stream of the Arrow C interface."""

    def __arrow_c_schema__(self) -> Any:
        """Return the schema of the Arrow C interface."""


class Lazy(Columns, Protocol):
    """Columns that are somewhere else until they are asked for."""

    def loaded(self) -> _core.Table:
        """Return all of them in memory."""

    def of_runs(self, numbers: Mapping[int, int]) -> Columns:
        """Return them with other numbers for the runs; of a single run there is no number."""


def loaded(data: Columns) -> _core.Table:
    """Return columns in memory."""
    return data if isinstance(data, _core.Table) else cast("Lazy", data).loaded()


def of_runs(data: Columns, numbers: Mapping[int, int]) -> Columns:
    """Return columns with other numbers for the runs; of a single run there is no number."""
    if not isinstance(data, _core.Table):
        return cast("Lazy", data).of_runs(numbers)
    names = data.names
    others = data.select([name for name in names if name != "run"])
    if len(numbers) == 1:
        return others
    new = np.zeros(max(numbers) + 1, np.uint32)
    new[list(numbers)] = list(numbers.values())
    return others.with_column("run", new[data.column("run")], data.meaning("run")).select(names)


def in_use(codes: NDArray[np.int32], labels: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    """Return the numbers and the labels of a text, without labels that no row has.

    >>> in_use(np.array([3, 1, 3], np.int32), ("a", "b", "c", "d"))
    (array([1, 0, 1], dtype=int32), ('b', 'd'))
    """
    there = np.zeros(len(labels), np.bool_)
    there[codes] = True
    if there.all():
        return codes, tuple(labels)
    kept = tuple(label for label, is_there in zip(labels, there, strict=True) if is_there)
    return (np.cumsum(there, dtype=np.int32) - np.int32(1))[codes], kept


def tidy(data: Columns) -> Columns:
    """Return columns in memory without labels that no row has."""
    if not isinstance(data, _core.Table):
        return data
    names = data.names
    for name in names:
        labels = data.labels(name)
        if labels is None:
            continue
        codes, kept = in_use(data.column(name), labels)
        if len(kept) < len(labels):
            others = data.select([other for other in names if other != name])
            data = others.with_column(name, codes, data.meaning(name), kept)
    return data.select(names)

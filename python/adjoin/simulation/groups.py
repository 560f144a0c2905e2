"""Rows of a table by what they have: in a column, or as an option of their run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.core.spec import Spec
from adjoin.support.arguments import brief
from adjoin.support.names import missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjoin.simulation.tables import Table
    from adjoin.statistics.summaries import Summary


class Groups(Mapping[Any, "Table"]):
    """The rows of a table by what they have, a table for each value: see ``Table.group``.

    >>> import adjoin
    >>> groups = adjoin.simulate("mapello", 100, seed=1).group("ended")
    >>> for ended, table in groups.items():
    ...     print(ended, len(table))
    board full 86
    no moves 14
    >>> groups.summary()["no moves"]["turns"].n
    14
    """

    def __init__(self, table: Table, name: str) -> None:
        self.by = name
        """What the rows are grouped by."""
        self._table = table
        self._values, self._numbers = _grouped(table, name)

    def __getitem__(self, value: Any) -> Table:
        """Return the rows that have a value."""
        value = _key(value)
        if value not in self._values:
            raise missing(f"row has {self.by} =", value, self._values)
        return some(self._table, self._numbers == self._values.index(value))

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the values: text in the game's order, numbers from the least on."""
        return iter(self._values)

    def __len__(self) -> int:
        """Return how many values there are."""
        return len(self._values)

    def __repr__(self) -> str:
        """Return the values, and how many rows have each."""
        counts = np.bincount(self._numbers, minlength=len(self))
        rows = zip(map(str, self._values), counts, strict=True)
        wide = max((len(str(value)) for value in self._values), default=0)
        lines = [f"{value:<{wide}}  {count:,}" for value, count in rows]
        return "\n".join([f"<Groups by {self.by} of {self._table._caption()}>", *lines])

    def summary(self) -> dict[Any, Summary]:
        """Return the summary of each group, by its value."""
        return {value: table.summary() for value, table in self.items()}


def having(table: Table, name: str, wanted: Any) -> NDArray[np.bool_]:
    """Return which rows have a value, or one of several."""
    is_several = isinstance(wanted, Iterable) and not isinstance(wanted, str | Mapping)
    several = list(wanted) if is_several else [wanted]
    if name not in table:
        values, numbers = _options(table, name)
        # The value of an option can be a list itself.
        known = [*map(_key, several), _key(wanted)]
        chosen: NDArray[np.bool_] = np.array([value in known for value in values])[numbers]
        return chosen
    mask = np.zeros(len(table), np.bool_)
    if table._data.labels(name) is not None:
        codes, labels = table.codes(name, unused=True)
        for value in several:
            if value not in labels:
                raise missing(f"row can have {name} =", value, labels)
            mask |= codes == labels.index(value)
        return mask
    column = table[name]
    for value in several:
        if not isinstance(value, int | float | np.number | np.bool_):
            raise TypeError(f"{name} = {brief(value)}: must be a number, or several")
        mask |= column == (column.dtype.type(value) if column.dtype.kind == "f" else value)
    return mask


def some(table: Table, mask: NDArray[np.bool_]) -> Table:
    """Return rows where a mask is true, and of the runs those that they come from."""
    chosen = table[mask]
    numbers = np.unique(chosen.run()).tolist()
    return chosen if len(numbers) in (0, len(table.runs)) else chosen._of_runs(numbers)


def _grouped(table: Table, name: str) -> tuple[tuple[Any, ...], NDArray[Any]]:
    """Return the different values of rows, and the number of that of each row."""
    if name not in table:
        return _options(table, name)
    if table._data.labels(name) is not None:
        codes, labels = table.codes(name)
        return labels, codes
    values, numbers = np.unique(table[name], return_inverse=True)
    return tuple(values.tolist()), numbers


def _options(table: Table, name: str) -> tuple[tuple[Any, ...], NDArray[Any]]:
    """Return the different values of an option, and the number of that of each row's run."""
    of_runs = [Spec.of(run.game, json.loads(run.options)).options for run in table.runs]
    if name not in of_runs[0]:
        raise missing("column or option", name, [*table.columns, *of_runs[0]])
    each = [_key(options[name]) for options in of_runs]
    values = tuple(dict.fromkeys(each))
    return values, np.array([values.index(value) for value in each], np.intp)[table.run()]


def _key(value: Any) -> Any:
    """Return a value that can be a key: lists as tuples, objects as JSON."""
    if isinstance(value, Mapping):
        return json.dumps(value)
    is_several = isinstance(value, Iterable) and not isinstance(value, str)
    return tuple(map(_key, value)) if is_several else value

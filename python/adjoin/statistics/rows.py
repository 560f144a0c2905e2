"""Rows of figures that are found by what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from adjoin.support.names import missing


class _Row(Protocol):
    @property
    def what(self) -> str: ...


_R = TypeVar("_R", bound=_Row)


class Rows(Generic[_R]):
    """Rows to iterate over, or to be asked for by what they are about."""

    rows: tuple[_R, ...]

    def __iter__(self) -> Iterator[_R]:
        """Iterate over the rows."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def __contains__(self, what: object) -> bool:
        """Tell whether there is such a figure."""
        return any(row.what == what for row in self.rows)

    def __getitem__(self, what: str) -> _R:
        """Return the row of a figure."""
        for row in self.rows:
            if row.what == what:
                return row
        raise missing("figure", what, [row.what for row in self.rows])

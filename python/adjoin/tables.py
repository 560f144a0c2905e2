"""Tables of simulated matches: columns for numpy, pandas, polars, DuckDB, Arrow and Parquet."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin import _core
from adjoin.batch import whole
from adjoin.extras import need
from adjoin.parts import check_part, sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from adjoin.match import Match
    from adjoin.summaries import Summary

_SHOWN = 8
"""How many rows a table shows."""


@dataclass(frozen=True)
class Column:
    """A column as it lies in memory."""

    meaning: str
    kind: str
    """The numpy type of the entries, or of the numbers of labels."""
    data: bytes
    labels: tuple[str, ...] | None = None

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.data) // np.dtype(self.kind).itemsize

    def array(self) -> NDArray[Any]:
        """Return the entries, or the numbers of the labels; nothing is copied."""
        return np.frombuffer(self.data, self.kind)


@dataclass(frozen=True)
class Origin:
    """Where a table comes from: all that is needed to play its matches again."""

    game: str
    options: str
    agents: tuple[str, ...]
    seed: int
    limit: int
    rotate: bool
    record: str
    seats: int
    plan: Any = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without functions, which often cannot be."""
        plain = self.plan is not None and all(isinstance(agent, str) for agent in self.plan.agents)
        return {**vars(self), "plan": self.plan if plain else None}

    def to_json(self) -> str:
        """Return what a file says of it."""
        names = ("game", "options", "agents", "seed", "limit", "rotate", "record")
        return json.dumps({name: getattr(self, name) for name in names})


class Table:
    """What came of simulated matches: a row an episode, or a row a decision.

    Columns come out as numpy arrays (``table["turns"]``), or all together: ``table.to_pandas()``,
    ``table.to_polars()``, ``pl.DataFrame(table)``, ``pyarrow.table(table)``, DuckDB's
    ``FROM games``, ``table.to_parquet("games.parquet")``. Nothing is copied on the way to Arrow.

    >>> import adjoin
    >>> table = adjoin.simulate("mapello", 1000, ["greedy", "random"], seed=1)
    >>> len(table), int(table["decisions"].max()) < 70
    (1000, True)
    >>> by_agent = table.by_seat()
    >>> bool(by_agent["won"][by_agent["agent"] == "greedy"].mean() > 0.85)
    True
    """

    def __init__(self, columns: Mapping[str, Column], origin: Origin) -> None:
        self._columns = dict(columns)
        self.origin = origin

    @classmethod
    def join(cls, tables: Sequence[Table]) -> Table:
        """Return one table with the rows of several of the same kind, in their order."""
        first = tables[0]
        if len(tables) == 1:
            return first
        if any(table._columns.keys() != first._columns.keys() for table in tables):
            raise ValueError("tables with different columns cannot be joined")
        joined = {
            name: replace(column, data=b"".join(table._columns[name].data for table in tables))
            for name, column in first._columns.items()
        }
        return cls(joined, first.origin)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.origin.game

    @property
    def options(self) -> dict[str, Any]:
        """The options that were given."""
        options: dict[str, Any] = json.loads(self.origin.options)
        return options

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents, in the order in which they were given."""
        return self.origin.agents

    @property
    def seats(self) -> int:
        """How many played."""
        return self.origin.seats

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return self.origin.seed

    @property
    def record(self) -> str:
        """What makes a row: "episodes", "decisions" or "seats"."""
        return self.origin.record

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    @property
    def meanings(self) -> dict[str, str]:
        """What each column tells."""
        return {name: column.meaning for name, column in self._columns.items()}

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self._columns.values())))

    def __contains__(self, name: object) -> bool:
        """Tell whether there is such a column."""
        return name in self._columns

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column as a numpy array: numbers without a copy, text as text."""
        column = self._column(name)
        if column.labels is None:
            return column.array()
        text: NDArray[Any] = np.array(column.labels)[column.array()]
        return text

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the columns."""
        return iter(self._columns)

    def codes(self, name: str) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """Return a column of text as numbers of labels, and the labels."""
        column = self._column(name)
        if column.labels is None:
            raise TypeError(f"{name} holds numbers: table[{name!r}] has them")
        return column.array(), column.labels

    def _column(self, name: str) -> Column:
        try:
            return self._columns[name]
        except KeyError:
            known = ", ".join(self._columns)
            raise KeyError(f"no column {name!r}: the columns are {known}") from None

    def __eq__(self, other: object) -> bool:
        """Tell whether two tables hold the same bytes."""
        if not isinstance(other, Table):
            return NotImplemented
        return self._columns == other._columns

    __hash__ = None  # type: ignore[assignment]

    def each_seat(self, name: str) -> NDArray[Any]:
        """Return what there is for every seat as an array with a column a seat.

        >>> import adjoin
        >>> adjoin.simulate("mapello", 10).each_seat("return").shape
        (10, 2)
        """
        return np.stack([self[f"{name}_{seat}"] for seat in range(self.seats)], axis=1)

    def by_seat(self) -> Table:
        """Return a table with a row for each episode and seat.

        Columns: ``episode``, ``seat``, and those that there are for every seat, without its number:
        ``agent``, ``won``, ``return``, ``score`` and the game's own.
        """
        if self.record != "episodes":
            raise ValueError(
                'by_seat() needs a table of episodes: simulate(..., record="episodes")'
            )
        seats = self.seats
        episodes = self._columns["episode"]
        columns = {
            "episode": replace(episodes, data=np.repeat(episodes.array(), seats).tobytes()),
            "seat": Column("the seat", "u1", bytes(range(seats)) * len(self)),
        }
        for name, column in self._columns.items():
            stem, _, number = name.rpartition("_")
            if number == "0" and f"{stem}_{seats - 1}" in self._columns:
                each = [self._columns[f"{stem}_{seat}"].array() for seat in range(seats)]
                columns[stem] = replace(column, data=np.stack(each, axis=1).tobytes())
        return Table(columns, replace(self.origin, record="seats"))

    def summary(self) -> Summary:
        """Return shares and means with 95 % intervals."""
        from adjoin.summaries import summarise

        return summarise(self)

    def replay(self, row: int) -> Match:
        """Return the match of a row, played again from its seed and number.

        A row of decisions gives the match right after that decision.
        """
        from adjoin.match import Match

        if self.origin.plan is None:
            raise ValueError("this table does not know how its matches were played")
        row = range(len(self))[row]
        episode = int(self._column("episode").array()[row])
        actions = self._decisions_of(episode, row)
        match = Match(
            self.game,
            seed=self.seed,
            episode=episode,
            limit=self.origin.limit,
            **self.options,
        )
        match.play(*(int(action) for action in actions))
        return match

    def _decisions_of(self, episode: int, row: int) -> NDArray[Any]:
        if self.record == "decisions":
            ply = int(self["ply"][row])
            return self["action"][row - ply : row + 1]
        plan = self.origin.plan.recording("decisions")
        again: Table = plan.play(episode, 1)
        return again["action"]

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """Return all columns as numpy arrays."""
        return {name: self[name] for name in self._columns}

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame; text is categorical. Needs ``pip install pandas``."""
        pandas = need("pandas")
        frame = {
            name: column.array()
            if column.labels is None
            else pandas.Categorical.from_codes(column.array(), column.labels)
            for name, column in self._columns.items()
        }
        return pandas.DataFrame(frame)

    def to_polars(self) -> Any:
        """Return a polars DataFrame; text is categorical. Needs ``pip install polars``."""
        return need("polars").DataFrame(self)

    def to_parquet(self, path: str | os.PathLike[str], *, compression: str = "zstd") -> Path:
        """Write a Parquet file and return its path. Needs ``pip install adjoin[parquet]``.

        The file appears when it is whole. If it cannot be written, nothing is left of it, and the
        table is still there.
        """
        arrow = need("pyarrow", "adjoin[parquet]")
        parquet = need("pyarrow.parquet", "adjoin[parquet]")
        path = Path(path)
        if path.is_dir():
            raise IsADirectoryError(
                f"{path} is a folder: name a file, such as {path}/games.parquet"
            )
        table = arrow.table(self)
        table = table.replace_schema_metadata({"adjoin": self.origin.to_json()})
        partial = path.with_name(path.name + ".partial")
        try:
            parquet.write_table(sealed(table), partial, compression=compression)
            os.replace(partial, path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise OSError(error.errno, f"{path} could not be written ({error})") from error
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        return path

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table as a stream of the Arrow C interface. Nothing is copied."""
        return _core.arrow_stream(
            [
                (name, c.kind, c.data, None if c.labels is None else list(c.labels))
                for name, c in self._columns.items()
            ]
        )

    def __repr__(self) -> str:
        """Return the first rows, a column a line."""
        shown = min(len(self), 4)
        width = max(map(len, self._columns))
        lines = [
            f"{name:<{width}}  {', '.join(self._cell(name, row) for row in range(shown))}"
            + (", …" if len(self) > shown else "")
            for name in self._columns
        ]
        return "\n".join([f"<Table of {self._caption()}>", *lines])

    def _repr_html_(self) -> str:
        rows = list(range(len(self)))
        if len(rows) > _SHOWN:
            rows = [*rows[: _SHOWN // 2], *rows[-_SHOWN // 2 :]]
        head = "".join(
            f'<th title="{html.escape(column.meaning, quote=True)}">{html.escape(name)}</th>'
            for name, column in self._columns.items()
        )
        body = []
        for place, row in enumerate(rows):
            if place == _SHOWN // 2 and len(self) > _SHOWN:
                body.append(f"<tr>{'<td>…</td>' * len(self._columns)}</tr>")
            cells = "".join(
                f"<td>{html.escape(self._cell(name, row))}</td>" for name in self.columns
            )
            body.append(f"<tr>{cells}</tr>")
        return (
            '<div style="overflow-x: auto">'
            f"<table><caption>{html.escape(self._caption())}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
        )

    def _caption(self) -> str:
        what = {"episodes": "matches", "decisions": "decisions", "seats": "seats of matches"}
        agents = " against ".join(dict.fromkeys(self.agents))
        return f"{len(self):,} {what[self.record]} of {self.game}: {agents}, seed {self.seed}"

    def _cell(self, name: str, row: int) -> str:
        column = self._columns[name]
        value = column.array()[row]
        if column.labels is not None:
            return column.labels[int(value)]
        return f"{value:g}" if column.kind == "<f4" else str(value)


def as_columns(
    columns: Iterable[tuple[str, str, str, bytes, list[str] | None]],
) -> dict[str, Column]:
    """Return columns as the extension module hands them over."""
    return {
        name: Column(meaning, kind, data, None if labels is None else tuple(labels))
        for name, meaning, kind, data, labels in columns
    }


class Stream:
    """Matches that are played while they are asked for, a table after another.

    Iterate over it, or write it to a folder of Parquet files without ever holding it in memory.

    >>> import adjoin
    >>> stream = adjoin.simulate("mapello", 3000, stream=True, part=1000)
    >>> [len(table) for table in stream]
    [1000, 1000, 1000]
    """

    def __init__(
        self,
        origin: Origin,
        parts: Sequence[range],
        tables: Callable[[Sequence[range]], Iterator[Table]],
    ) -> None:
        self.origin = origin
        self._parts = parts
        self._tables = tables

    def __iter__(self) -> Iterator[Table]:
        """Play, and yield a table after another."""
        return self._tables(self._parts)

    def __len__(self) -> int:
        """Return the number of tables to come."""
        return len(self._parts)

    def to_parquet(self, folder: str | os.PathLike[str], *, compression: str = "zstd") -> Path:
        """Write a folder of Parquet files, one for each table, and return the folder.

        Each file appears when it is whole. Whatever stops the work, a full disk or Ctrl-C, those
        that are finished stay, and the same call again goes on after them, once it has read them
        and found them whole. All of it is read by
        ``pl.scan_parquet("folder/*.parquet")``, ``pandas.read_parquet("folder")`` or DuckDB.
        Needs ``pip install adjoin[parquet]``.
        """
        need("pyarrow.parquet", "adjoin[parquet]")
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        names = {
            part: folder / f"part-{part.start:010}-{part.stop:010}.parquet" for part in self._parts
        }
        mine = self.origin.to_json()
        for path in sorted(folder.glob("part-*.parquet")):
            if path not in names.values():
                raise ValueError(
                    f"{path} holds other episodes than this run asks for: write to another folder"
                )
        for part, path in names.items():
            if path.exists():
                check_part(path, part, mine)
        missing = [part for part, path in names.items() if not path.exists()]
        for part, table in zip(missing, self._tables(missing), strict=True):
            try:
                table.to_parquet(names[part], compression=compression)
            except OSError as error:
                kept = sum(path.exists() for path in names.values())
                message = (
                    f"{error.strerror}; {kept} of {len(names)} files are finished and stay in "
                    f"{folder}: the same call goes on after them"
                )
                raise OSError(error.errno, message) from error
        return folder


def parts(first: int, episodes: int, size: int) -> list[range]:
    """Return episodes in parts of a given size."""
    size = whole("part", size, 1, 2**32 - 1)
    return [
        range(start, min(start + size, first + episodes))
        for start in range(first, first + episodes, size)
    ]

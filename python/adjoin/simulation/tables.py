"""Tables of simulated matches: columns for numpy, pandas, polars, DuckDB, Arrow and Parquet."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from adjoin import _core
from adjoin.simulation.parts import check_part, sealed
from adjoin.support.arguments import whole
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from adjoin.core.match import Match
    from adjoin.simulation.starts import Start
    from adjoin.statistics.breakdowns import Breakdown
    from adjoin.statistics.openings import Openings
    from adjoin.statistics.summaries import Summary

_SHOWN = 8
"""How many rows a table shows."""
_GAP = 64
"""How many episodes that are not asked for are played rather than to begin anew."""


@dataclass(frozen=True)
class Origin:
    """Where a table comes from: all that is needed to play its matches again."""

    game: str
    options: str
    agents: tuple[str, ...]
    seed: int
    max_decisions: int
    rotate: bool
    record: str
    seats: int
    start: Start | None = None
    plan: Any = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without functions, which often cannot be."""
        plain = self.plan is not None and all(isinstance(agent, str) for agent in self.plan.agents)
        return {**vars(self), "plan": self.plan if plain else None}

    def is_same(self, other: Origin) -> bool:
        """Tell whether it is the same run; functions of the same name are not the same agents."""
        if self != other or self.plan is None or other.plan is None:
            return self == other
        pairs = zip(self.plan.agents, other.plan.agents, strict=True)
        return all(one is two or (isinstance(one, str) and one == two) for one, two in pairs)

    def shifts(self, episodes: NDArray[Any]) -> NDArray[np.uint64]:
        """Return by how many seats the agents have moved on in the given episodes."""
        turns = episodes.astype(np.uint64) + np.uint64(self.seed)
        shifts: NDArray[np.uint64] = turns % np.uint64(self.seats if self.rotate else 1)
        return shifts

    def to_json(self) -> str:
        """Return what a file says of it."""
        names = ("game", "options", "agents", "seed", "max_decisions", "rotate", "record")
        about = {name: getattr(self, name) for name in names}
        start = {} if self.start is None else {"start": self.start.to_json()}
        return json.dumps(about | start)


class Table:
    """What came of simulated matches: a row an episode, or a row a decision.

    Columns come out as numpy arrays (``table["turns"]``), or all together: ``table.to_pandas()``,
    ``table.to_polars()``, ``pl.DataFrame(table)``, ``pyarrow.table(table)``, DuckDB's
    ``FROM games``, ``table.to_parquet("games.parquet")``. Nothing is copied on the way to Arrow.
    Some of the rows are a table too: ``table[table["turns"] > 60]``, ``table[10:20]``,
    ``table.head()``.

    >>> import adjoin
    >>> table = adjoin.simulate("mapello", 1000, ["greedy", "random"], seed=1)
    >>> len(table), int(table["decisions"].max()) < 70
    (1000, True)
    >>> by_agent = table.by_seat()
    >>> bool(by_agent["won"][by_agent["agent"] == "greedy"].mean() > 0.85)
    True
    """

    def __init__(self, data: _core.Table, *runs: Origin) -> None:
        self._data = data
        self.runs = runs
        """The runs that the rows come from; of several, the column "run" tells which."""

    @classmethod
    def join(cls, tables: Sequence[Table]) -> Table:
        """Return one table with the rows of several, in their order.

        They must be of one game, with as many players and the same kind of rows. Agents, seed and
        options stay those of each row: with several runs there is a column ``run``, the number of
        the row's run in ``table.runs``. Rows that would be there twice are refused.

        >>> import adjoin
        >>> one, two = (adjoin.simulate("mapello", 10, seed=seed) for seed in (1, 2))
        >>> both = Table.join([one, two])
        >>> both["run"].tolist() == [0] * 10 + [1] * 10
        True
        >>> both.replay(12).history == two.replay(2).history
        True
        """
        tables = list(tables)
        if len(tables) == 1:
            return tables[0]
        _check_alike(tables)
        runs: list[Origin] = []
        numbers = [np.array(_numbered(runs, table.runs), np.uint32) for table in tables]
        names = [name for name in tables[0] if name != "run"]
        data = _core.Table.concat([table._data.select(names) for table in tables])
        if len(runs) > 1:
            rows = [each[table.run()] for each, table in zip(numbers, tables, strict=True)]
            meaning = "the number of the run in table.runs"
            data = data.with_column("run", np.concatenate(rows), meaning).select(["run", *names])
            _check_names(runs)
        joined = cls(data, *runs)
        joined._check_once()
        return joined

    @property
    def origin(self) -> Origin:
        """Where a table of a single run comes from."""
        if len(self.runs) > 1:
            raise ValueError(f"this table comes from {len(self.runs)} runs: table.runs has them")
        return self.runs[0]

    @origin.setter
    def origin(self, origin: Origin) -> None:
        self.runs = (origin,)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.runs[0].game

    @property
    def options(self) -> dict[str, Any]:
        """The options that were given."""
        options: dict[str, Any] = json.loads(self._common("options"))
        return options

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents, in the order in which they were given; of several runs, each once."""
        if len(self.runs) == 1:
            return self.runs[0].agents
        return tuple(dict.fromkeys(agent for run in self.runs for agent in run.agents))

    @property
    def seats(self) -> int:
        """How many played."""
        return self.runs[0].seats

    @property
    def seed(self) -> int:
        """The seed of the run."""
        seed: int = self._common("seed")
        return seed

    @property
    def record(self) -> str:
        """What makes a row: "episodes", "decisions" or "seats"."""
        return self.runs[0].record

    @property
    def source(self) -> str:
        """Who played, and from which seeds, in words."""
        agents = dict.fromkeys(" against ".join(dict.fromkeys(run.agents)) for run in self.runs)
        seeds = list(dict.fromkeys(str(run.seed) for run in self.runs))
        words = f"{'; '.join(agents)}, seed{'s' * (len(seeds) > 1)} {', '.join(seeds)}"
        if len({run.options for run in self.runs}) > 1:
            words += ", different options"
        return words

    def _common(self, name: str) -> Any:
        values = {getattr(run, name) for run in self.runs}
        if len(values) > 1:
            raise ValueError(f"the runs of this table differ in {name}: table.runs has them")
        return values.pop()

    def run(self) -> NDArray[Any]:
        """Return the number of the run of each row."""
        return self["run"] if "run" in self else np.zeros(len(self), np.uint32)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._data.names

    @property
    def meanings(self) -> dict[str, str]:
        """What each column tells."""
        return {name: self._data.meaning(name) for name in self}

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._data.num_rows

    def __contains__(self, name: object) -> bool:
        """Tell whether there is such a column."""
        return name in self.columns

    @overload
    def __getitem__(self, key: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, key: slice | Sequence[int] | NDArray[Any]) -> Table: ...
    def __getitem__(self, key: str | slice | Sequence[int] | NDArray[Any]) -> NDArray[Any] | Table:
        """Return a column as a numpy array, or some of the rows as a table.

        Numbers of a column are not copied, text is text. Rows are chosen by a slice, by their
        numbers, or by a mask such as ``table["turns"] > 60``.
        """
        if not isinstance(key, str):
            return Table(self._data.take(self._chosen(key)), *self.runs)
        column, labels = self._data.column(key), self._data.labels(key)
        return column if labels is None else np.array(labels)[column]

    def head(self, rows: int = 5) -> Table:
        """Return the first rows."""
        return self[: whole("rows", rows, 0, 2**63 - 1)]

    def tail(self, rows: int = 5) -> Table:
        """Return the last rows."""
        return self[max(len(self) - whole("rows", rows, 0, 2**63 - 1), 0) :]

    def _chosen(self, key: slice | Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
        """Return the numbers of rows that a slice, a mask or numbers choose."""
        if isinstance(key, slice):
            return np.arange(*key.indices(len(self)))
        rows = np.asarray(key)
        if rows.ndim == 1 and rows.dtype.kind == "b":
            if len(rows) != len(self):
                raise IndexError(f"a mask of {len(rows)} for a table of {len(self)} rows")
            return np.flatnonzero(rows)
        if rows.shape == (0,) or (rows.ndim == 1 and rows.dtype.kind in "iu"):
            return rows.astype(np.int64)
        hint = f": its row is table[{key}:{key + 1}]" if isinstance(key, int) else ""
        raise TypeError(
            f"table[{key!r}]{hint}; table[...] takes the name of a column, a slice, a mask or "
            "numbers of rows; a match is table.replay(row)"
        )

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the columns."""
        return iter(self.columns)

    def codes(self, name: str) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """Return a column of text as numbers of labels, and the labels."""
        labels = self._data.labels(name)
        if labels is None:
            raise TypeError(f"{name} holds numbers: table[{name!r}] has them")
        return self._data.column(name), labels

    def __eq__(self, other: object) -> bool:
        """Tell whether two tables have the same columns with the same entries."""
        if not isinstance(other, Table):
            return NotImplemented
        return self._data == other._data

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
        seats, data = self.seats, self._data
        kept = [name for name in self if name in ("run", "episode")]
        rows = np.arange(len(self))
        made = data.select(kept).take(np.repeat(rows, seats))
        seat = np.tile(np.arange(seats, dtype=np.uint8), len(self))
        made = made.with_column("seat", seat, "the seat")
        for name in self:
            stem, _, number = name.rpartition("_")
            if number == "0" and f"{stem}_{seats - 1}" in self:
                each = np.stack([data.column(f"{stem}_{seat}") for seat in range(seats)], axis=1)
                made = made.with_column(stem, each.ravel(), data.meaning(name), data.labels(name))
        return Table(made, *(replace(run, record="seats") for run in self.runs))

    def seated(self) -> tuple[NDArray[np.intp], tuple[str, ...]]:
        """Return who sits at each seat in the match of each row, as numbers, and their names.

        >>> import adjoin
        >>> adjoin.simulate("mapello", 3, ["greedy", "random"]).seated()[0].tolist()
        [[0, 1], [1, 0], [0, 1]]
        """
        names = tuple(dict.fromkeys(self.agents))
        of_runs = np.array([[names.index(agent) for agent in run.agents] for run in self.runs])
        number, episode = self.run(), self["episode"]
        shift = np.zeros(len(self), np.intp)
        for index, run in enumerate(self.runs):
            shift[number == index] = run.shifts(episode[number == index])
        places = (np.arange(self.seats) + shift[:, None]) % self.seats
        return of_runs[number[:, None], places], names

    def summary(self) -> Summary:
        """Return shares and means with 95 % intervals."""
        from adjoin.statistics.summaries import summarise

        return summarise(self)

    def replay(self, row: int) -> Match:
        """Return the very match of a row, played again from its seed and number.

        A row of decisions gives the match right after that decision. A match that cannot be played
        the same again, because an agent looks at the clock or draws lots, is refused.
        """
        from adjoin.core.match import Match

        row = range(len(self))[row]
        run = self.runs[self.run()[row]]
        episode = int(self["episode"][row])
        actions = self._actions_before(row)
        if actions is None:
            actions = self._played_again(run, episode, row)
        options = json.loads(run.options)
        if run.start is None:
            most = run.max_decisions
            match = Match(self.game, seed=run.seed, episode=episode, max_decisions=most, **options)
        else:
            match = run.start.match(self.game, options, run.seed, episode)
        match.play(*(int(action) for action in actions))
        return match

    def _actions_before(self, row: int) -> NDArray[Any] | None:
        """Return the actions of a match up to a row of decisions, if all of them are there."""
        if self.record not in ("decisions", "states") or "action" not in self:
            return None
        ply = int(self["ply"][row])
        rows = slice(max(row - ply, 0), row + 1)
        is_whole = (
            np.array_equal(self["ply"][rows], np.arange(ply + 1))
            and (self["episode"][rows] == self["episode"][row]).all()
            and (self.run()[rows] == self.run()[row]).all()
        )
        return self["action"][rows] if is_whole else None

    def _played_again(self, run: Origin, episode: int, row: int) -> NDArray[Any]:
        """Return the actions of a match, up to the row where rows are decisions."""
        if run.plan is None:
            raise ValueError("this table does not know how its matches were played")
        again: Table = run.plan.recording("decisions").play(episode, 1)
        if "digest" in self and set(again["digest"]) - {self["digest"][row]}:
            raise _differently(episode)
        return again["action"][: int(self["ply"][row]) + 1 if "ply" in self else None]

    def cards(self, *, agent: str | None = None, seat: int | None = None) -> Breakdown:
        """Return what became of every card or tile: how often held, laid, left over, and who won.

        Matches that were not recorded by pieces are played again for it. ``agent`` and ``seat``
        count only what those have had.

        >>> import adjoin
        >>> games = adjoin.simulate("mapominoes", 20, "greedy", nations=["Wales"], table=(8, 6))
        >>> len(games.cards()), games.cards().sorted("left").noun
        (23, 'piece')
        """
        from adjoin.statistics.breakdowns import cards

        return cards(self, agent=agent, seat=seat)

    def cells(
        self, *, piece: str | None = None, agent: str | None = None, seat: int | None = None
    ) -> Breakdown:
        """Return what happened at every place: how often something was laid there, when, and won.

        ``piece`` counts only one kind. ``cells().heat_map("laid")`` draws it on the board.

        >>> import adjoin
        >>> cells = adjoin.simulate("mapello", 100, "greedy", setup="othello").cells()
        >>> cells.sorted("when").names[-1] in cells, len(cells)
        (True, 60)
        """
        from adjoin.statistics.breakdowns import cells

        return cells(self, piece=piece, agent=agent, seat=seat)

    def openings(self, depth: int = 3) -> Openings:
        """Return the first decisions of the matches as a tree, with counts and shares of the win.

        >>> import adjoin
        >>> openings = adjoin.simulate("mapello", 100, setup="othello").openings(2)
        >>> sorted(openings.next), sum(node.n for node in openings.next.values())
        (['c4', 'd3', 'e6', 'f5'], 100)
        """
        from adjoin.statistics.openings import openings

        return openings(self, depth)

    def recorded(self, record: str) -> Table:
        """Return the same matches with other rows, played again: "decisions", "states", "pieces".

        >>> import adjoin
        >>> table = adjoin.simulate("mapello", 10)
        >>> len(table[3:4].recorded("decisions")) == int(table["decisions"][3])
        True
        """
        if record == self.record:
            return self
        made = []
        for number, run in enumerate(self.runs):
            rows = np.flatnonzero(self.run() == number)
            episodes, first = np.unique(self["episode"][rows], return_index=True)
            if len(episodes):
                digests = dict(zip(episodes.tolist(), self["digest"][rows][first], strict=True))
                made.append(_again(run, record, digests))
        return Table.join(made)

    def _check_once(self) -> None:
        """Refuse a table that has a row twice."""
        if self.record == "pieces":
            return
        rows = {"decisions": "ply", "states": "ply", "seats": "seat"}
        within = rows.get(self.record, "episode")
        keys = [self.run(), self["episode"], self[within]]
        ahead, level = np.zeros((2, max(len(self) - 1, 0)), np.bool_)
        for key in keys:
            ahead |= ~level & (key[1:] > key[:-1])
            level |= key[1:] != key[:-1]
        if ahead.all():
            return
        order = np.lexsort(keys[::-1])
        twice = np.all([key[order][1:] == key[order][:-1] for key in keys], axis=0)
        if twice.any():
            row = order[1:][twice][0]
            seed, episode = self.runs[self.run()[row]].seed, self["episode"][row]
            raise ValueError(f"episode {episode} of seed {seed} is there twice")

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """Return all columns as numpy arrays."""
        return {name: self[name] for name in self}

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame; text is categorical. Needs ``pip install pandas``."""
        pandas = need("pandas")
        frame = {}
        for name in self:
            column, labels = self._data.column(name), self._data.labels(name)
            is_text = labels is not None
            frame[name] = pandas.Categorical.from_codes(column, labels) if is_text else column
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
        about = [run.to_json() for run in self.runs]
        written = about[0] if len(about) == 1 else f"[{', '.join(about)}]"
        table = table.replace_schema_metadata({"adjoin": written})
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
        return self._data.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Return names, types and meanings of the columns, by the Arrow C interface."""
        return self._data.__arrow_c_schema__()

    def __repr__(self) -> str:
        """Return the first rows, a column a line."""
        shown, more = self.head(4), ", …" if len(self) > 4 else ""
        width = max(map(len, self))
        lines = [f"{name:<{width}}  {', '.join(shown._cells(name))}{more}" for name in self]
        return "\n".join([f"<Table of {self._caption()}>", *lines])

    def _repr_html_(self) -> str:
        is_cut, half = len(self) > _SHOWN, _SHOWN // 2
        rows = [*range(half), *range(-half, 0)] if is_cut else slice(None)
        shown = self[rows]
        cells = [shown._cells(name) for name in self]
        body = [
            "".join(f"<td>{html.escape(cell)}</td>" for cell in row)
            for row in zip(*cells, strict=True)
        ]
        if is_cut:
            body.insert(half, "<td>…</td>" * len(self.columns))
        head = "".join(
            f'<th title="{html.escape(meaning, quote=True)}">{html.escape(name)}</th>'
            for name, meaning in self.meanings.items()
        )
        return (
            '<div style="overflow-x: auto">'
            f"<table><caption>{html.escape(self._caption())}</caption>"
            f"<thead><tr>{head}</tr></thead>"
            f"<tbody>{''.join(f'<tr>{row}</tr>' for row in body)}</tbody></table></div>"
        )

    def _caption(self) -> str:
        what = {"episodes": "matches", "seats": "seats of matches"}.get(self.record, self.record)
        return f"{len(self):,} {what} of {self.game}: {self.source}"

    def _cells(self, name: str) -> list[str]:
        column = self[name]
        return [f"{value:g}" if column.dtype.kind == "f" else str(value) for value in column]


def _again(run: Origin, record: str, digests: Mapping[int, int]) -> Table:
    """Return some episodes of a run, by ascending number, with other rows."""
    if run.plan is None:
        raise ValueError("this table does not know how its matches were played")
    plan, episodes = run.plan.recording(record), np.fromiter(digests, np.int64)
    parts = np.split(episodes, np.flatnonzero(np.diff(episodes) > _GAP) + 1)
    made: list[Table] = []
    for part in parts:
        table = plan.play(int(part[0]), int(part[-1] - part[0]) + 1)
        made.append(table[np.isin(table["episode"], part)] if len(part) < len(table) else table)
    again = Table.join(made)
    again.origin = plan.origin
    for episode, digest in zip(again["episode"].tolist(), again["digest"], strict=True):
        if digests[episode] != digest:
            raise _differently(episode)
    return again


def _differently(episode: int) -> ValueError:
    return ValueError(
        f"episode {episode} went differently this time: an agent looks at the clock or draws lots "
        "of its own"
    )


def _check_alike(tables: Sequence[Table]) -> None:
    """Refuse tables that cannot be one."""
    if not tables:
        raise ValueError("there are no tables to join")
    for name, words in (
        ("game", "of different games"),
        ("record", "with different kinds of rows"),
        ("seats", "with different numbers of players"),
    ):
        found = dict.fromkeys(str(getattr(table, name)) for table in tables)
        if len(found) > 1:
            raise ValueError(f"tables {words} cannot be joined: {' and '.join(found)}")


def _numbered(runs: list[Origin], more: Sequence[Origin]) -> list[int]:
    """Return the numbers of some runs among all, to which those that are new are added."""
    numbers = []
    for run in more:
        number = next((n for n, known in enumerate(runs) if known.is_same(run)), len(runs))
        if number == len(runs):
            runs.append(run)
        numbers.append(number)
    return numbers


def _check_names(runs: Sequence[Origin]) -> None:
    """Refuse runs in which different agents have one name."""
    named: dict[str, Any] = {}
    for run in runs:
        for name, agent in zip(run.agents, run.plan.agents if run.plan else (), strict=False):
            known = named.setdefault(name, agent)
            if known is not agent and not (isinstance(known, str) and isinstance(agent, str)):
                raise ValueError(
                    f"two different agents are called {name!r}: give each a __name__ of its own"
                )


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

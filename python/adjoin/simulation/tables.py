"""Tables of simulated matches: columns for numpy, pandas, polars, DuckDB, Arrow and Parquet."""

from __future__ import annotations

import html
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from adjoin import _core
from adjoin.simulation.columns import Columns, in_use, loaded, of_runs, tidy
from adjoin.simulation.joining import RUN, check_alike, check_names, check_once, numbered
from adjoin.simulation.origins import Origin
from adjoin.simulation.parts import about, write_parquet
from adjoin.simulation.recorded import differently
from adjoin.support.arguments import brief, whole
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from adjoin.core.match import Match
    from adjoin.simulation.groups import Groups
    from adjoin.statistics.breakdowns import Breakdown
    from adjoin.statistics.openings import Openings
    from adjoin.statistics.summaries import Summary

_SHOWN = 8
"""How many rows a table shows."""
_ROWS = 65_536
"""How many rows of a file are read together."""


class Table:
    """What came of simulated matches: a row an episode, or a row a decision.

    Columns come out as numpy arrays (``table["turns"]``), or all together: ``table.to_pandas()``,
    ``table.to_polars()``, ``pl.DataFrame(table)``, ``pyarrow.table(table)``, DuckDB's
    ``FROM games``, ``table.to_parquet("games.parquet")``. Numbers are not copied on the way to
    Arrow. Some of the rows are a table too: ``table[table["turns"] > 60]``, ``table[10:20]``,
    ``table.head()``, ``table.filter(ended="no moves")``, ``table.group("ended")``.

    >>> import adjoin
    >>> table = adjoin.simulate("mapello", 1000, ["greedy", "random"], seed=1)
    >>> len(table), int(table["decisions"].max()) < 70
    (1000, True)
    >>> by_agent = table.by_seat()
    >>> bool(by_agent["won"][by_agent["agent"] == "greedy"].mean() > 0.85)
    True
    """

    def __init__(self, data: Columns, *runs: Origin) -> None:
        self._data = data
        self.runs = runs
        """The runs that the rows come from; of several, the column "run" tells which."""

    @classmethod
    def read_parquet(cls, *paths: str | os.PathLike[str]) -> Table:
        """Return the table in a file of ``to_parquet``, a folder of a stream, or several of them.

        It knows where its rows come from, as when they were played: ``table.replay(row)`` plays a
        match again. A column is read when it is asked for, so the table may be larger than memory:
        ``summary()``, ``table["turns"]``, ``filter``, ``group`` and rows by number need a few
        columns at a time. Joining, ``by_seat()``, ``to_pandas()`` and ``to_polars()`` hold all.

        What this version of the game could not have written, what is damaged, and a folder in which
        a part is missing are refused, with the reason. Needs ``pip install adjoin[parquet]``.

        >>> import adjoin, tempfile
        >>> stream = adjoin.simulate("mapello", 300, seed=1, stream=True, part=100)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = Table.read_parquet(stream.to_parquet(folder))
        ...     len(table), len(table.filter(winner=0)) + len(table.filter(winner=[1, -1]))
        (300, 300)
        """
        from adjoin.simulation.stored import read

        return read(paths)

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
        check_alike(tables)
        runs: list[Origin] = []
        numbers = [np.array(numbered(runs, table.runs), np.uint32) for table in tables]
        names = [name for name in tables[0] if name != "run"]
        data = _core.Table.concat([loaded(table._data.select(names)) for table in tables])
        if len(runs) > 1:
            rows = [each[table.run()] for each, table in zip(numbers, tables, strict=True)]
            data = data.with_column("run", np.concatenate(rows), RUN).select(["run", *names])
            check_names(runs)
        joined = cls(data, *runs)
        check_once(joined)
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

    def filter(self, mask: NDArray[np.bool_] | None = None, /, **having: Any) -> Table:
        """Return the rows that a mask chooses, or that have a value, or one of several.

        A keyword is a column, or an option of the game where there is no such column.

        >>> import adjoin
        >>> table = adjoin.simulate("mapello", 100, seed=1)
        >>> len(table.filter(ended="no moves", winner=[0, 1]))
        14
        >>> len(table.filter(table["turns"] > 60, winner=0)) < len(table.filter(winner=0))
        True
        """
        from adjoin.simulation.groups import having as rows_having
        from adjoin.simulation.groups import some

        masks = [rows_having(self, name, value) for name, value in having.items()]
        if mask is not None:
            if np.asarray(mask).dtype.kind != "b":
                raise TypeError(
                    f"filter({brief(mask)}): must be a mask, True or False for each row"
                )
            rows = np.zeros(len(self), np.bool_)
            rows[self._chosen(mask)] = True
            masks.append(rows)
        return some(self, np.logical_and.reduce(masks)) if masks else self

    def group(self, name: str) -> Groups:
        """Return the rows by what they have in a column, or as an option: a table for each value.

        Text is in the game's order, numbers begin with the least, values of an option come in the
        order of the runs. A column goes before an option of the same name.

        >>> import adjoin
        >>> runs = [adjoin.simulate("mapello", 100, jokers=jokers) for jokers in (0, 8)]
        >>> groups = Table.join(runs).group("jokers")
        >>> [(jokers, len(table), table.options) for jokers, table in groups.items()]
        [(0, 100, {'jokers': 0}), (8, 100, {'jokers': 8})]
        """
        from adjoin.simulation.groups import Groups

        return Groups(self, name)

    def _of_runs(self, numbers: Sequence[int]) -> Table:
        """Return the rows, which come from some of the runs alone, with only these as runs."""
        runs = [self.runs[number] for number in numbers]
        return Table(of_runs(self._data, {old: new for new, old in enumerate(numbers)}), *runs)

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

    def codes(
        self, name: str, *, unused: bool = False
    ) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """Return a column of text as numbers of labels, and the labels, in the game's order.

        Labels that no row has are left out, unless ``unused`` ones are asked for, too.

        >>> import adjoin
        >>> codes, labels = adjoin.simulate("mapello", 100, seed=1).codes("ended")
        >>> labels
        ('board full', 'no moves')
        """
        labels = self._data.labels(name)
        if labels is None:
            raise TypeError(f"{name} holds numbers: table[{name!r}] has them")
        codes = self._data.column(name)
        return (codes, labels) if unused else in_use(codes, labels)

    def __eq__(self, other: object) -> bool:
        """Tell whether two tables have the same columns with the same entries."""
        if not isinstance(other, Table):
            return NotImplemented
        if self.columns != other.columns or len(self) != len(other):
            return False
        pairs = ((self._data.select([name]), other._data.select([name])) for name in self)
        return all(loaded(one) == loaded(two) for one, two in pairs)

    __hash__ = None  # type: ignore[assignment]

    def each_seat(self, name: str) -> NDArray[Any]:
        """Return what there is for every seat as an array with a column a seat.

        >>> import adjoin
        >>> adjoin.simulate("mapello", 10).each_seat("return").shape
        (10, 2)
        """
        return np.stack([self[f"{name}_{seat}"] for seat in range(self.seats)], axis=1)

    @property
    def each_seat_names(self) -> list[str]:
        """The names of what there is for every seat, without its number."""
        last = self.seats - 1
        stems = (name.removesuffix("_0") for name in self if name.endswith("_0"))
        return [stem for stem in stems if f"{stem}_{last}" in self]

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
        made = loaded(data.select(kept).take(np.repeat(rows, seats)))
        seat = np.tile(np.arange(seats, dtype=np.uint8), len(self))
        made = made.with_column("seat", seat, "the seat")
        for stem in self.each_seat_names:
            each = np.stack([data.column(f"{stem}_{seat}") for seat in range(seats)], axis=1)
            of_all = f"{stem}_0"
            made = made.with_column(stem, each.ravel(), data.meaning(of_all), data.labels(of_all))
        return Table(made, *(replace(run, record="seats") for run in self.runs))

    def seated(self) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """Return who sits at each seat in the match of each row, as numbers, and their names.

        >>> import adjoin
        >>> adjoin.simulate("mapello", 3, ["greedy", "random"]).seated()[0].tolist()
        [[0, 1], [1, 0], [0, 1]]
        """
        names = tuple(dict.fromkeys(self.agents))
        of_runs = np.array([[names.index(agent) for agent in run.agents] for run in self.runs])
        seats = np.arange(self.seats)
        moved = of_runs[:, (seats + seats[:, None]) % self.seats].astype(np.int32)
        number, episode = self.run(), self["episode"]
        shift = np.zeros(len(self), np.uint8)
        for index, run in enumerate(self.runs):
            mine = number == index
            shift[mine] = run.shifts(episode[mine])
        return moved[number, shift], names

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

        only = self[[row]]
        row = range(len(self))[row]
        run = self.runs[only.run()[0]]
        episode = int(only["episode"][0])
        actions = self._actions_before(row)
        if actions is None:
            actions = only._played_again(run, episode)
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
        ply = int(self[[row]]["ply"][0])
        before = self[max(row - ply, 0) : row + 1]
        is_whole = (
            np.array_equal(before["ply"], np.arange(ply + 1))
            and len(np.unique(before["episode"])) == 1
            and len(np.unique(before.run())) == 1
        )
        return before["action"] if is_whole else None

    def _played_again(self, run: Origin, episode: int) -> NDArray[Any]:
        """Return the actions of the match of the only row, up to it where rows are decisions."""
        if run.plan is None:
            raise ValueError(
                f"episode {episode} of {' against '.join(run.agents)} cannot be played again: an "
                "agent that is not built in is known by its name alone here"
            )
        again: Table = run.plan.recording("decisions").play(episode, 1)
        if "digest" in self and set(again["digest"]) - {self["digest"][0]}:
            raise differently(episode)
        return again["action"][: int(self["ply"][0]) + 1 if "ply" in self else None]

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
        from adjoin.simulation.recorded import recorded

        return recorded(self, record)

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """Return all columns as numpy arrays."""
        return {name: self[name] for name in self}

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame; text is categorical. Needs ``pip install pandas``."""
        pandas = need("pandas")
        frame = {}
        for name in self:
            is_text = self._data.labels(name) is not None
            made = pandas.Categorical.from_codes(*self.codes(name)) if is_text else self[name]
            frame[name] = made
        return pandas.DataFrame(frame)

    def to_polars(self) -> Any:
        """Return a polars DataFrame; text is categorical. Needs ``pip install polars``."""
        return need("polars").DataFrame(self)

    def to_parquet(self, path: str | os.PathLike[str], *, compression: str = "zstd") -> Path:
        """Write a Parquet file and return its path. Needs ``pip install adjoin[parquet]``.

        The file appears when it is whole. If it cannot be written, nothing is left of it, and the
        table is still there. ``Table.read_parquet`` reads it.
        """
        return self._write(path, compression)

    def _write(
        self,
        path: str | os.PathLike[str],
        compression: str,
        more: dict[bytes, bytes] | None = None,
    ) -> Path:
        """Write a Parquet file that says more than where its rows come from."""
        arrow = need("pyarrow", "adjoin[parquet]")
        table = arrow.table(self).replace_schema_metadata(about(self.runs, more))
        return write_parquet(
            table, path, "games.parquet", compression=compression, row_group_size=_ROWS
        )

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table as a stream of the Arrow C interface. No numbers are copied."""
        return tidy(self._data).__arrow_c_stream__(requested_schema)

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

"""Whole matches between agents, played inside Rust, as tables."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

from adjoin import _core
from adjoin.core.spec import Spec, options_json
from adjoin.simulation.agents import Agent, agent_name, agent_text, answers
from adjoin.simulation.executors import shard, spread
from adjoin.simulation.origins import Origin
from adjoin.simulation.starts import Start, start_of
from adjoin.simulation.streams import Stream, parts
from adjoin.simulation.tables import Table
from adjoin.support.arguments import as_seed, brief, whole
from adjoin.support.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from typing_extensions import Unpack

    from adjoin.core.match import Match
    from adjoin.core.options import GameOptions
    from adjoin.statistics.sweeps import Sweep
    from adjoin.support.progress import Progress

    Record = Literal["episodes", "decisions", "states", "pieces"]

_PART = {"episodes": 65_536, "decisions": 2_048, "states": 2_048, "pieces": 2_048}
"""How many episodes are played and handed over at a time."""
_LONGEST = 2**32 - 1
_KEYS = ("episode", "digest", "ply", "deal", "seat", "agent", "piece")
"""Columns that are always kept: which match it is, and whose row."""


class UnfinishedError(Exception):
    """A run could not go on; what it had finished is here."""

    finished: Table | None = None
    """A table of the episodes that were finished, of a simulation that is not streamed."""
    tables: tuple[Table, ...] = ()
    """In a tournament: the tables that were whole before, as those of ``Tournament.tables``."""
    sweep: Sweep | None = None
    """In a sweep: the points that were finished before."""


class SimulationError(UnfinishedError, RuntimeError):
    """An agent of the caller's failed: it raised, or answered an illegal action.

    ``episode`` and ``decision`` say where, ``finished`` is a table of what was finished; in a
    tournament ``tables`` are those that were whole before.
    """

    __module__ = "adjoin"

    finished: Table

    def __init__(self, message: str, episode: int, decision: int, finished: Table) -> None:
        super().__init__(message)
        self.episode = episode
        self.decision = decision
        self.finished = finished

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle, so that it can come from another process."""
        return type(self), (str(self), self.episode, self.decision, self.finished)


@overload
def simulate(
    game: str,
    episodes: int,
    agents: Agent | Sequence[Agent] = ...,
    *,
    seed: int = ...,
    first: int = ...,
    threads: int = ...,
    max_decisions: int = ...,
    rotate: bool = ...,
    record: Record = ...,
    columns: Sequence[str] | None = ...,
    start: Match | str | None = ...,
    viewer: int | None = ...,
    progress: Progress = ...,
    executor: Any = ...,
    stream: Literal[False] = ...,
    part: int | None = ...,
    **options: Unpack[GameOptions],
) -> Table: ...
@overload
def simulate(
    game: str,
    episodes: int,
    agents: Agent | Sequence[Agent] = ...,
    *,
    seed: int = ...,
    first: int = ...,
    threads: int = ...,
    max_decisions: int = ...,
    rotate: bool = ...,
    record: Record = ...,
    columns: Sequence[str] | None = ...,
    start: Match | str | None = ...,
    viewer: int | None = ...,
    progress: Progress = ...,
    executor: Any = ...,
    stream: Literal[True],
    part: int | None = ...,
    **options: Unpack[GameOptions],
) -> Stream: ...
def simulate(
    game: str,
    episodes: int,
    agents: Agent | Sequence[Agent] = "random",
    *,
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
    max_decisions: int = 10_000,
    rotate: bool = True,
    record: Record = "episodes",
    columns: Sequence[str] | None = None,
    start: Match | str | None = None,
    viewer: int | None = None,
    progress: Progress = None,
    executor: Any = None,
    stream: bool = False,
    part: int | None = None,
    **options: Unpack[GameOptions],
) -> Table | Stream:
    """Play whole matches between agents and return a table.

    ``agents`` is one for all seats, or one for each; with ``rotate`` they move on by a seat from
    episode to episode. An agent is a text, such as ``"random"``, ``"greedy"``,
    ``"search(iterations=500)"``, or a callable that gets observations and masks, a row for each of
    several matches, and returns an action id for each row.

    ``record`` is what makes a row: ``"episodes"``, ``"decisions"``, ``"states"`` (a decision, with
    what the table was like: hands, cards on the table, what fits) or ``"pieces"`` (a card or tile
    that a seat has had, and what became of it). ``columns`` keeps only these of the others than
    numbers and names: ``["hand", "fit"]``. With ``start``, a match or a position as text, every
    episode goes on from there by chance of its own; what the seat ``viewer`` has not seen is then
    guessed anew each time, and without one everything stays as it lies.

    ``progress`` shows a bar
    (True), never (False), where somebody looks (None), or is called with (done, total).
    ``executor`` is any pool like those of ``concurrent.futures``. With ``stream`` the matches are
    played while the result is consumed, ``part`` episodes at a time.

    Episode k is a function of the seed and k alone: the same bytes for any number of threads, any
    executor, wherever the run starts (``first``). Only an agent that looks at the clock,
    ``"search(seconds=...)"``, or one of your own that draws lots, can differ.

    >>> table = simulate("mapello", 1000, ["greedy", "random"], seed=1)
    >>> wins = table.by_seat()
    >>> bool(wins["won"][wins["agent"] == "greedy"].mean() > 0.85)
    True
    """
    episodes = whole("episodes", episodes, 1, _LONGEST)
    if start is not None:
        begin, own = start_of(game, options, start, viewer)
        run = _run(game, agents, seed, threads, max_decisions, rotate, record, own).starting(begin)
    elif viewer is not None:
        raise ValueError(f"viewer = {viewer}: only with start, which says where matches begin")
    else:
        run = _run(game, agents, seed, threads, max_decisions, rotate, record, options)
    if columns is not None:
        run = dataclasses.replace(run, columns=_chosen(run, columns))
    first = whole("first", first, 0, _LONGEST)
    if first + episodes > 2**32:
        raise ValueError(f"first + episodes = {first + episodes}: must be at most {2**32}")
    pieces = parts(first, episodes, _PART[run.record] if part is None else part)
    tables = functools.partial(run.tables, executor=executor, progress=progress)
    if stream:
        return Stream(run.origin, pieces, tables)
    if executor is not None and part is None:
        pieces = parts(first, episodes, shard(episodes, executor, _PART[run.record]))
    finished: list[Table] = []
    try:
        finished.extend(tables(pieces))
    except UnfinishedError as error:
        last = run.play(first, 0) if error.finished is None else error.finished
        error.finished = Table.join([*finished, last])
        raise
    return Table.join(finished)


@dataclass(frozen=True)
class Run:
    """How to play any of the episodes of a run; can be sent to other processes."""

    game: str
    options: str
    agents: tuple[Any, ...]
    seed: int
    threads: int
    max_decisions: int
    rotate: bool
    record: str
    start: Start | None = None
    columns: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What the agents are called."""
        return tuple(map(agent_name, self.agents))

    @functools.cached_property
    def origin(self) -> Origin:
        """What a table says of where it comes from."""
        return Origin(
            game=self.game,
            options=self.options,
            agents=self.names,
            seed=self.seed,
            max_decisions=self.max_decisions,
            rotate=self.rotate,
            record=self.record,
            seats=len(self.agents),
            start=self.start,
            plan=self,
        )

    def starting(self, start: Start) -> Run:
        """Return the same run from a position."""
        return dataclasses.replace(self, start=start)

    def recording(self, record: str) -> Run:
        """Return the same run with other rows."""
        return dataclasses.replace(self, record=record, columns=None)

    def play(self, first: int, episodes: int, tick: Callable[[int], None] | None = None) -> Table:
        """Play some of the episodes; ``tick`` hears how many are done."""
        texts = [agent_text(agent) for agent in self.agents]
        data, failure = _core.simulate(
            self.game,
            json.loads(self.options),
            texts,
            names=list(self.names),
            callables=[
                answers(agent) if text is None else None
                for agent, text in zip(self.agents, texts, strict=True)
            ],
            episodes=episodes,
            first=first,
            seed=self.seed,
            threads=self.threads,
            max_decisions=self.max_decisions,
            rotate=self.rotate,
            record=self.record,
            start=None if self.start is None else self.start.parts,
            tick=tick,
        )
        if self.columns is not None:
            data = data.select(self.columns)
        table = Table(data, self.origin)
        if failure is not None:
            episode, decision, message, raised = failure
            raise SimulationError(message, episode, decision, table) from raised
        return table

    def tables(
        self,
        pieces: Sequence[range],
        *,
        executor: Any,
        progress: Progress,
    ) -> Iterator[Table]:
        """Play the given episodes, a table for each piece, in their order."""
        with progress_of(progress, sum(map(len, pieces)), "games") as show:
            for table in self._each(pieces, executor, show):
                table.origin = self.origin
                yield table

    def _each(
        self, pieces: Sequence[range], executor: Any, show: Callable[[int], None]
    ) -> Iterator[Table]:
        done = 0

        def tell(piece: range) -> None:
            nonlocal done
            done += len(piece)
            show(done)

        if executor is not None:
            yield from spread(executor, functools.partial(_piece, self), pieces, tell)
            return
        for piece in pieces:
            table = self.play(piece.start, len(piece), functools.partial(_tell, show, done))
            tell(piece)
            yield table


def _tell(show: Callable[[int], None], before: int, done: int) -> None:
    show(before + done)


def _run(
    game: str,
    agents: Agent | Sequence[Agent],
    seed: int,
    threads: int,
    max_decisions: int,
    rotate: bool,
    record: str,
    options: Mapping[str, Any],
) -> Run:
    if record not in _PART:
        raise ValueError(f"record = {record!r}: must be one of {', '.join(_PART)}")
    return Run(
        game=game,
        options=options_json(options),
        agents=seated(agents, Spec.of(game, options).seats),
        seed=as_seed(seed),
        threads=whole("threads", threads, 1, 256),
        max_decisions=whole("max_decisions", max_decisions, 1, _LONGEST),
        rotate=bool(rotate),
        record=record,
    )


def seated(agents: Agent | Sequence[Agent], seats: int) -> tuple[Agent, ...]:
    """Return an agent for each seat, from one for all or one for each."""
    if isinstance(agents, str) or callable(agents):
        agents = [agents] * seats
    if not isinstance(agents, Iterable):
        raise TypeError(f"agents = {brief(agents)}: must be an agent, or one for each seat")
    agents = list(agents)
    for agent in agents:
        if not isinstance(agent, str) and not callable(agent):
            raise TypeError(f"agents: expected texts or callables, got {agent!r}")
    if len(agents) != seats:
        raise ValueError(
            f"agents = {len(agents)} of them: must be one for all, or one for each of the "
            f"{seats} seats"
        )
    return tuple(agents)


def _chosen(run: Run, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that are kept; a name stands for those of all seats."""
    if isinstance(columns, str):
        raise TypeError(f"columns = {columns!r}: must be a list of names")
    there = run.play(0, 0).columns
    stems = {name: name.rpartition("_")[0] for name in there if name.rpartition("_")[2].isdigit()}
    for name in columns:
        if name not in there and name not in stems.values():
            names = dict.fromkeys(stems.get(column, column) for column in there)
            raise ValueError(f"columns: no {name!r} here; there are {', '.join(names)}")
    wanted = {*_KEYS, *columns}
    return tuple(name for name in there if name in wanted or stems.get(name) in wanted)


def _piece(run: Run, piece: range) -> Table:
    return run.play(piece.start, len(piece))

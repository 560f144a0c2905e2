"""Data for offline learning: what was seen, allowed, done and earned, decision by decision."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np

from adjoin.core.batch import Batch
from adjoin.core.buffers import CUT_OFF, OVER
from adjoin.simulation.origins import Origin
from adjoin.simulation.parts import about, write_parquet, written_by
from adjoin.simulation.runs import Run, simulate
from adjoin.simulation.stored import origin_of
from adjoin.simulation.streams import Stream, parts
from adjoin.simulation.tables import Table
from adjoin.support.arguments import whole
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.core.spec import Spec
    from adjoin.simulation.agents import Agent
    from adjoin.support.progress import Progress

_PART = 256
"""How many episodes are played and handed over at a time."""
_ROWS = 16_384
"""How many decisions a row group of a Parquet file has."""

COLUMNS = {
    "episode": "the number of the episode under the seed",
    "ply": "the number of the decision within the episode, from 0",
    "seat": "who decided",
    "agent": "which agent that was",
    "observation": "what the seat knew",
    "action_mask": "what it could do: 1 for every legal action",
    "action": "the id of what it did",
    "reward": "what the seat earned until its next decision, or the end",
    "return": "the sum of the seat's rewards from this one on",
    "terminated": "whether this was the seat's last decision and the match ended by the rules",
    "truncated": "whether this was the seat's last decision and the match was cut off",
    "final_observation": "what the seat knew at the end; with its last decision only",
}
"""The columns, and what each tells."""

_SCALARS = {
    "episode": np.uint32,
    "ply": np.uint32,
    "seat": np.uint8,
    "action": np.int32,
    "reward": np.float32,
    "return": np.float32,
    "terminated": np.bool_,
    "truncated": np.bool_,
}


class Trajectories:
    """What was seen, allowed, done and earned in simulated matches: a row a decision.

    The rows of an episode follow each other in the order of play; ``seat`` tells whose each is. The
    rewards are those of the environments: they add up over the others' decisions, and what was
    earned before a seat's first decision comes with it. A seat that never decides has no rows, and
    so no rewards here: ``simulate(..., record="decisions")`` has them for every seat. Columns are
    numpy arrays (``data["observation"]`` has a row a decision); ``final_observation`` has a row for
    each row in which ``terminated`` or ``truncated`` is true.

    >>> data = trajectories("mapello", 20, ["greedy", "random"], seed=1)
    >>> data["observation"].shape[1:], data["action_mask"].shape[1:]
    ((306,), (65,))
    >>> mine = data.of("greedy")
    >>> len(mine) < len(data), int((mine["terminated"] | mine["truncated"]).sum())
    (True, 20)
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]], origin: Origin) -> None:
        self._columns = dict(columns)
        self.origin = origin

    @classmethod
    def join(cls, several: Sequence[Trajectories]) -> Trajectories:
        """Return the rows of several of the same run, in their order."""
        if len(several) == 1:
            return several[0]
        if any(not one.origin.is_same(several[0].origin) for one in several):
            raise ValueError("trajectories of different runs cannot be joined: keep them apart")
        columns = {
            name: np.concatenate([one._columns[name] for one in several]) for name in COLUMNS
        }
        return cls(columns, several[0].origin)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Trajectories:
        """Read a Parquet file, or a folder of them. Needs ``pip install adjoin[parquet]``.

        What this version of the game could not have written is refused, with the reason.
        """
        parquet = need("pyarrow.parquet", "adjoin[parquet]")
        path = Path(path)
        files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        if not files:
            raise FileNotFoundError(f"{path} is a folder without Parquet files")
        read = [cls.from_arrow(parquet.ParquetFile(file).read(), str(file)) for file in files]
        for file, one in zip(files, read, strict=True):
            if one.origin != read[0].origin:
                raise ValueError(f"{file} comes from another run than {files[0]}")
        return cls.join(read)

    @classmethod
    def from_arrow(cls, table: Any, source: str = "this table") -> Trajectories:
        """Return what ``to_arrow`` made a table of."""
        origin = _origin(table.schema, source)
        spec = Batch.of(origin.game, json.loads(origin.options)).spec
        expected = schema(spec)
        for field in expected:
            at = table.schema.get_field_index(field.name)
            found = None if at < 0 else table.schema.field(at).type
            if found != field.type:
                raise ValueError(
                    f"{source} does not fit this version of {origin.game}: "
                    f"the column {field.name} is {found or 'missing'}, expected {field.type}"
                )
        table = table.select(expected.names).combine_chunks()
        columns: dict[str, NDArray[Any]] = {
            name: np.asarray(table[name]).astype(kind) for name, kind in _SCALARS.items()
        }
        columns["agent"] = np.array(table["agent"].to_pylist())
        for name, width in _widths(spec).items():
            flat = table[name].combine_chunks().flatten()
            columns[name] = np.asarray(flat).reshape(-1, width)
        return cls(columns, origin)

    @property
    def spec(self) -> Spec:
        """What stays the same about the game: action ids, observation blocks, options."""
        return Batch.of(self.origin.game, json.loads(self.origin.options)).spec

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(COLUMNS)

    @property
    def meanings(self) -> dict[str, str]:
        """What each column tells."""
        return dict(COLUMNS)

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self._columns["action"])

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column as a numpy array."""
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}: the columns are {', '.join(COLUMNS)}") from None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the columns."""
        return iter(COLUMNS)

    def __eq__(self, other: object) -> bool:
        """Tell whether two hold the same rows."""
        if not isinstance(other, Trajectories):
            return NotImplemented
        return all(np.array_equal(self[name], other[name]) for name in COLUMNS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Return how much of what there is."""
        agents = " against ".join(dict.fromkeys(self.origin.agents))
        return (
            f"<Trajectories of {self.origin.game}: {len(self):,} decisions, {agents}, "
            f"seed {self.origin.seed}>"
        )

    def of(self, agent: str | None = None, *, seat: int | None = None) -> Trajectories:
        """Return the rows of an agent, of a seat, or of both."""
        chosen = np.ones(len(self), np.bool_)
        if agent is not None:
            if agent not in self.origin.agents:
                known = ", ".join(dict.fromkeys(self.origin.agents))
                raise ValueError(f"no agent {agent!r} plays here: the agents are {known}")
            chosen &= self["agent"] == agent
        if seat is not None:
            chosen &= self["seat"] == whole("seat", seat, 0, self.origin.seats - 1)
        return self._rows(chosen)

    def episodes(self) -> Iterator[Trajectories]:
        """Yield every seat's part of every match, from its first decision to its last."""
        order = np.lexsort((self["ply"], self["seat"], self["episode"]))
        keys = np.stack([self["episode"][order], self["seat"][order]])
        cuts = np.flatnonzero((np.diff(keys) != 0).any(axis=0)) + 1
        for rows in np.split(order, cuts):
            if len(rows):
                yield self._rows(rows)

    def _rows(self, chosen: NDArray[Any]) -> Trajectories:
        """Return some rows: by number, or where true."""
        columns = {name: self[name][chosen] for name in COLUMNS if name != "final_observation"}
        final = np.cumsum(self["terminated"] | self["truncated"]) - 1
        ends = columns["terminated"] | columns["truncated"]
        columns["final_observation"] = self["final_observation"][final[chosen][ends]]
        return Trajectories(columns, self.origin)

    def to_pandas(self, *, arrays: bool = False) -> Any:
        """Return a pandas DataFrame, a row a decision. Needs ``pip install pandas``.

        Columns with a number or a name a row are there. Observations, masks and final observations
        are left out unless asked for: with ``arrays`` a cell has an array each, and None where
        there is no final observation.

        >>> frame = trajectories("mapello", 20, ["greedy", "random"], seed=1).to_pandas()
        >>> bool(frame[frame["terminated"]].groupby("agent")["return"].mean()["greedy"] > 0)
        True
        """
        pandas = need("pandas")
        there = set(self["agent"].tolist())
        agents = [agent for agent in dict.fromkeys(self.origin.agents) if agent in there]
        frame: dict[str, Any] = {name: self[name] for name in COLUMNS if name in _SCALARS}
        frame["agent"] = pandas.Categorical(self["agent"], agents)
        if arrays:
            last = iter(self["final_observation"])
            ends = (self["terminated"] | self["truncated"]).tolist()
            frame["observation"] = list(self["observation"])
            frame["action_mask"] = list(self["action_mask"])
            frame["final_observation"] = [next(last) if end else None for end in ends]
        return pandas.DataFrame({name: frame[name] for name in COLUMNS if name in frame})

    def to_arrow(self) -> Any:
        """Return a pyarrow table; its schema says what the columns mean and how it was made.

        Needs ``pip install adjoin[parquet]``.
        """
        arrow = need("pyarrow", "adjoin[parquet]")
        spec = self.spec
        form = schema(spec, self.origin)
        arrays = []
        for field in form:
            column = self[field.name]
            if field.name == "agent":
                labels, codes = np.unique(column, return_inverse=True)
                arrays.append(
                    arrow.DictionaryArray.from_arrays(
                        arrow.array(codes.astype(np.int32)), arrow.array(labels, arrow.string())
                    )
                )
            elif field.name == "final_observation":
                arrays.append(self._final_list(arrow, spec.observation.size))
            elif column.ndim == 2:
                flat = arrow.array(np.ascontiguousarray(column).ravel())
                arrays.append(arrow.FixedSizeListArray.from_arrays(flat, type=field.type))
            else:
                arrays.append(arrow.array(column, field.type))
        return arrow.Table.from_arrays(arrays, schema=form)

    def _final_list(self, arrow: Any, width: int) -> Any:
        ends = self["terminated"] | self["truncated"]
        offsets = np.concatenate([[0], np.cumsum(ends, dtype=np.int64)]).astype(np.int64) * width
        flat = arrow.array(np.ascontiguousarray(self["final_observation"]).ravel())
        return arrow.LargeListArray.from_arrays(arrow.array(offsets), flat, mask=arrow.array(~ends))

    def to_parquet(self, path: str | os.PathLike[str], *, compression: str = "zstd") -> Path:
        """Write a Parquet file and return its path. Needs ``pip install adjoin[parquet]``.

        The file appears when it is whole; ``Trajectories.read`` reads it.
        """
        return self._write(path, compression)

    def _write(
        self,
        path: str | os.PathLike[str],
        compression: str,
        more: dict[bytes, bytes] | None = None,
    ) -> Path:
        """Write a Parquet file that says more than where its rows come from."""
        table = self.to_arrow()
        table = table.replace_schema_metadata({**table.schema.metadata, **(more or {})})
        return write_parquet(
            table, path, "data.parquet", compression=compression, row_group_size=_ROWS
        )

    def to_minari(self, dataset_id: str, **keywords: Any) -> Any:
        """Store a Minari dataset and return it. Needs ``pip install adjoin[minari]``.

        An episode is a seat's part of a match. Observations are those of the environments with
        ``obs_mode="dict"``; the mask after the last decision is all zero. ``keywords`` go to
        ``minari.create_dataset_from_buffers``: ``author``, ``description``, ``data_format`` and so
        on. ``recover_environment()`` gives the game's environment with the same options.
        """
        minari = need("minari", "adjoin[minari]")
        gymnasium = need("gymnasium")
        spec = self.spec
        env = gymnasium.make(
            spec.environment,
            obs_mode="dict",
            max_decisions=self.origin.max_decisions,
            **self._options(),
        )
        nothing = np.zeros((1, spec.actions.size), np.int8)
        buffers = []
        for number, one in enumerate(self.episodes()):
            if not (one["terminated"][-1] or one["truncated"][-1]):
                raise ValueError(
                    f"episode {one['episode'][0]}, seat {one['seat'][0]}: the last decision is "
                    "missing, and with it what a Minari episode ends with"
                )
            buffers.append(
                minari.data_collector.EpisodeBuffer(
                    id=number,
                    observations={
                        "observation": np.concatenate(
                            [one["observation"], one["final_observation"]]
                        ),
                        "action_mask": np.concatenate([one["action_mask"], nothing]),
                    },
                    actions=one["action"].astype(np.int64),
                    rewards=one["reward"].astype(np.float64).tolist(),
                    terminations=one["terminated"].tolist(),
                    truncations=one["truncated"].tolist(),
                )
            )
        keywords.setdefault("eval_env", env)
        keywords.setdefault("algorithm_name", ", ".join(np.unique(self["agent"])))
        keywords.setdefault("description", f"{self!r}, options {self.origin.options}")
        return minari.create_dataset_from_buffers(dataset_id, buffers, env=env, **keywords)

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = json.loads(self.origin.options)
        return options


@overload
def trajectories(
    game: str,
    episodes: int,
    agents: Agent | Sequence[Agent] = ...,
    *,
    seed: int = ...,
    first: int = ...,
    threads: int = ...,
    max_decisions: int = ...,
    rotate: bool = ...,
    progress: Progress = ...,
    executor: Any = ...,
    stream: Literal[False] = ...,
    part: int = ...,
    **options: Unpack[GameOptions],
) -> Trajectories: ...
@overload
def trajectories(
    game: str,
    episodes: int,
    agents: Agent | Sequence[Agent] = ...,
    *,
    seed: int = ...,
    first: int = ...,
    threads: int = ...,
    max_decisions: int = ...,
    rotate: bool = ...,
    progress: Progress = ...,
    executor: Any = ...,
    stream: Literal[True],
    part: int = ...,
    **options: Unpack[GameOptions],
) -> Stream: ...
def trajectories(
    game: str,
    episodes: int,
    agents: Agent | Sequence[Agent] = "random",
    *,
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
    max_decisions: int = 10_000,
    rotate: bool = True,
    progress: Progress = None,
    executor: Any = None,
    stream: bool = False,
    part: int = _PART,
    **options: Unpack[GameOptions],
) -> Trajectories | Stream:
    """Play whole matches between agents and return what each seat saw, did and earned.

    The keywords are those of ``adjoin.simulate``, and the matches are the same: the rows are those
    of ``record="decisions"``. With ``stream`` the matches are played while the result is consumed,
    ``part`` episodes at a time: ``stream.to_parquet(folder)`` never holds more than that, and goes
    on where it was stopped.
    """
    checked = simulate(
        game,
        episodes,
        agents,
        seed=seed,
        first=first,
        threads=threads,
        max_decisions=max_decisions,
        rotate=rotate,
        record="decisions",
        stream=True,
        **options,
    )
    plan = checked.origin.plan
    run = _Recording(**{field.name: getattr(plan, field.name) for field in dataclasses.fields(Run)})
    pieces = parts(first, episodes, part)
    tables = cast(
        "Callable[[Sequence[range]], Iterator[Any]]",
        functools.partial(run.tables, executor=executor, progress=progress),
    )
    if stream:
        return Stream(run.origin, pieces, tables)
    return Trajectories.join(list(tables(pieces)))


@dataclass(frozen=True)
class _Recording(Run):
    """A run whose decisions are gone through again, to write down what was seen."""

    @functools.cached_property
    def origin(self) -> Origin:
        """What trajectories say of where they come from."""
        return replace(super().origin, record="trajectories")

    def play(  # type: ignore[override]
        self, first: int, episodes: int, tick: Callable[[int], None] | None = None
    ) -> Trajectories:
        """Play some of the episodes."""
        return Trajectories(self._again(super().play(first, episodes, tick)), self.origin)

    def _again(self, table: Table) -> dict[str, NDArray[Any]]:
        starts = np.flatnonzero(table["ply"] == 0)
        lengths = np.diff([*starts, len(table)])
        numbers = table["episode"][starts]
        batch = Batch.of(
            self.game,
            json.loads(self.options),
            num_lanes=len(starts),
            threads=self.threads,
            max_decisions=self.max_decisions,
        )
        spec, out = batch.spec, batch.buffers()
        match = batch[0]
        for lane, episode in enumerate(numbers):
            batch[lane] = match.deal(self.seed, int(episode))
        batch.observe(out)
        taken, seats = table["action"].astype(np.int32), table["seat"]
        observation = np.empty((len(table), spec.observation.size), np.uint8)
        mask = np.empty((len(table), spec.actions.size), np.int8)
        earned = np.empty((len(table), spec.seats), np.float32)
        actions = np.empty(len(batch), np.int32)
        for ply in range(max(lengths)):
            lanes = np.flatnonzero(lengths > ply)
            rows = starts[lanes] + ply
            observation[rows], mask[rows] = out.observation[lanes], out.mask[lanes]
            actions[:] = -1
            actions[lanes] = taken[rows]
            batch.step(actions, out)
            earned[rows] = out.reward[lanes]
        status = out.status.copy()
        reward, sums, last = _by_seat(earned, seats, starts, lengths)
        ended = np.repeat(status, lengths)
        final = np.empty((spec.seats, len(batch), spec.observation.size), np.uint8)
        for seat in range(spec.seats):
            batch.observe(out, seat)
            final[seat] = out.observation
        lane_of = np.repeat(np.arange(len(batch)), lengths)
        return {
            "episode": table["episode"],
            "ply": table["ply"],
            "seat": seats,
            "agent": table["agent"],
            "observation": observation,
            "action_mask": mask,
            "action": taken,
            "reward": reward,
            "return": sums,
            "terminated": last & (ended == OVER),
            "truncated": last & (ended == CUT_OFF),
            "final_observation": final[seats[last], lane_of[last]],
        }


def _by_seat(
    earned: NDArray[np.float32],
    seats: NDArray[np.uint8],
    starts: NDArray[np.intp],
    lengths: NDArray[np.intp],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    """Return rewards until the seat's next decision, their sums, and which decisions are last."""
    reward = np.empty(len(earned), np.float32)
    sums = np.empty(len(earned), np.float32)
    last = np.zeros(len(earned), np.bool_)
    shape = (len(starts), earned.shape[1])
    waiting, total = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    following = np.full(shape, -1, np.intp)  # the row of the seat's next decision
    for ply in reversed(range(max(lengths))):
        lanes = np.flatnonzero(lengths > ply)
        rows = starts[lanes] + ply
        here = lanes, seats[rows]
        waiting[lanes] += earned[rows]
        reward[rows] = waiting[here]
        total[here] += waiting[here]
        sums[rows] = total[here]
        waiting[here] = 0
        last[rows] = following[here] < 0
        following[here] = rows
    decided = following >= 0
    reward[following[decided]] += waiting[decided]
    sums[following[decided]] += waiting[decided]
    return reward, sums, last


def schema(spec: Spec, origin: Origin | None = None) -> Any:
    """Return the Arrow schema of a game's trajectories. Needs ``pip install adjoin[parquet]``.

    Every field's metadata says what it means; those of the schema say how the data were made.
    """
    arrow = need("pyarrow", "adjoin[parquet]")
    wide = _widths(spec)
    types = {name: arrow.from_numpy_dtype(kind) for name, kind in _SCALARS.items()}
    types["agent"] = arrow.dictionary(arrow.int32(), arrow.string())
    types["observation"] = arrow.list_(arrow.uint8(), wide["observation"])
    types["action_mask"] = arrow.list_(arrow.int8(), wide["action_mask"])
    types["final_observation"] = arrow.large_list(arrow.uint8())
    fields = [
        arrow.field(
            name, types[name], nullable=name == "final_observation", metadata={"meaning": meaning}
        )
        for name, meaning in COLUMNS.items()
    ]
    return arrow.schema(fields, None if origin is None else about([origin]))


def _widths(spec: Spec) -> dict[str, int]:
    return {
        "observation": spec.observation.size,
        "action_mask": spec.actions.size,
        "final_observation": spec.observation.size,
    }


def _origin(form: Any, source: str) -> Origin:
    """Return where a table comes from."""
    (said, *others) = written_by(form.metadata, source, "trajectories")
    if others or said["record"] != "trajectories":
        raise ValueError(f"{source} holds {said['record']}, not trajectories")
    return origin_of(said)

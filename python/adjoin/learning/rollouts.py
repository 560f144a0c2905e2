"""Matches side by side that a network plays, and what came of its decisions. numpy alone."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin.core.batch import Batch
from adjoin.core.buffers import RUNNING, ActionRows, Buffers
from adjoin.learning import ragged
from adjoin.support.arguments import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from adjoin.learning.policies import Inputs, Network
    from adjoin.learning.settings import Stage

    Choose = Callable[[int, ActionRows, NDArray[np.float32]], NDArray[np.intp]]

_APART = 64
"""Over how many decisions the lanes are spread at first."""
SELF, PAST = "self", "past"
"""Opponents that are no agents: the learner itself in every seat, and its earlier selves."""


class Rollout(NamedTuple):
    """Decisions of all lanes, a row each, step by step; not all of them are to be learned from."""

    observation: NDArray[np.uint8]
    """The inputs: (rows, inputs)."""
    facts: NDArray[np.uint8]
    """The inputs of all rows' legal actions, one row after another."""
    offsets: NDArray[np.int64]
    """Where the legal actions of a row begin: (rows + 1,)."""
    chosen: NDArray[np.int64]
    """Which of all actions was played: (rows,)."""
    logs: NDArray[np.float32]
    """The logarithm of how likely that was: (rows,)."""
    value: NDArray[np.float32]
    """What the network expected, the viewer first: (rows, seats)."""
    target: NDArray[np.float32]
    """What came of it: (rows, seats)."""
    decided: NDArray[np.bool_]
    """Which rows are decisions of the learner: (rows,)."""


class Group(NamedTuple):
    """Lanes whose other seats have the same opponents."""

    opponent: str
    batch: Batch
    lanes: slice


class Lanes:
    """The matches of a stage: played by the learner, its seats against ``opponents``."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any],
        stage: Stage,
        opponents: Mapping[str, float],
        seed: int,
    ) -> None:
        self.stage = stage
        self.groups: list[Group] = []
        shares = np.cumsum([0.0, *opponents.values()])
        ends = np.round(shares / shares[-1] * stage.num_lanes).astype(int).tolist()
        for (opponent, _), (start, end) in zip(
            opponents.items(), itertools.pairwise(ends), strict=True
        ):
            if end == start:
                continue
            batch = _batch(game, {**options, **stage.options}, opponent, end - start)
            self.groups.append(Group(opponent, batch, slice(start, end)))
        self.spec = self.groups[0].batch.spec
        steps, lanes, spec = stage.n_steps + 1, stage.num_lanes, self.spec
        self.rows = Buffers(
            np.zeros((steps, lanes, spec.observation.size), np.uint8),
            np.zeros((lanes, spec.actions.size), np.int8),
            np.zeros((steps, lanes), np.int8),
            np.zeros((steps, lanes, spec.seats), np.float32),
            np.zeros((steps, lanes), np.uint8),
        )
        self.own = np.zeros(lanes, np.int64)
        """The learner's seat where past selves have the others."""
        self._start(seed)

    def _at(self, step: int, lanes: slice) -> Buffers:
        observation, mask, seat, reward, status = self.rows
        return Buffers(
            observation[step, lanes],
            mask[lanes],
            seat[step, lanes],
            reward[step, lanes],
            status[step, lanes],
        )

    def _start(self, seed: int) -> None:
        """Let every lane begin at another moment of a match, so that they do not go in step."""
        for number, (_, batch, lanes) in enumerate(self.groups):
            out = self._at(-1, lanes)
            own = np.random.SeedSequence((seed, number)).generate_state(1, np.uint64)
            batch.reset(int(own[0]), out)
            actions = np.zeros(len(batch), np.int32)
            for step in range(_APART):
                batch.sample(actions)
                actions[np.arange(len(actions)) % _APART <= step] = -1
                batch.step(actions, out)
        self._seat()

    def _seat(self) -> None:
        """Say where the learner sits, by the number of the match."""
        for opponent, batch, lanes in self.groups:
            if opponent == PAST:
                addresses = np.array([match.address[1:3] for match in batch])
                self.own[lanes] = addresses.sum(axis=1) % self.spec.seats

    def actions(self) -> ActionRows:
        """Return the legal actions of all lanes."""
        parts = [group.batch.actions() for group in self.groups]
        if len(parts) == 1:
            return parts[0]
        before = np.cumsum([0, *(part.offsets[-1] for part in parts)])
        offsets = [part.offsets[1:] + start for part, start in zip(parts, before, strict=False)]
        return ActionRows(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.facts for part in parts]),
            np.concatenate([[0], *offsets]),
        )

    def play(
        self, network: Network, inputs: Inputs, choose: Choose, past: Network | None = None
    ) -> Rollout:
        """Play ``n_steps`` decisions in every lane and tell what came of them.

        The network takes the bytes of rows as they are. ``choose`` gets the step, all legal
        actions and their logits, and returns a row for each lane that has any. ``past`` decides
        for the seats of past selves.
        """
        stage, rows = self.stage, self.rows
        steps, lanes, seats = stage.n_steps, stage.num_lanes, self.spec.seats
        for array in (rows.observation, rows.seat, rows.reward, rows.status):
            array[0] = array[steps]
        values = np.zeros((steps + 1, lanes, seats), np.float32)
        logs = np.zeros((steps, lanes), np.float32)
        chosen = np.zeros((steps, lanes), np.int64)
        decided = np.zeros((steps, lanes), np.bool_)
        seen, facts, offsets = [], [], [np.zeros(1, np.int64)]
        total = 0
        played = np.zeros(lanes, np.int32)
        for step in range(steps):
            actions = self.actions()
            x, about = inputs.observation(rows.observation[step]), inputs.facts(actions.facts)
            logits, values[step] = network(
                x.astype(np.float32), about.astype(np.float32), actions.lanes
            )
            live = rows.status[step] == RUNNING
            decided[step] = live
            if past is not None:
                theirs = np.flatnonzero(live & self._are_past & (rows.seat[step] != self.own))
                decided[step, theirs] = False
                at = ragged.rows_of(actions.offsets, theirs)
                logits[at], _ = past(
                    x[theirs].astype(np.float32),
                    about[at].astype(np.float32),
                    np.repeat(np.arange(len(theirs)), actions.counts[theirs]),
                )
            picked = choose(step, actions, logits)
            likely = ragged.log_softmax(logits, actions.offsets)
            logs[step, live], chosen[step, live] = likely[picked], picked + total
            played[live] = actions.ids[picked]
            for _, batch, part in self.groups:
                batch.step(played[part], self._at(step + 1, part))
            self.own[rows.status[step] != RUNNING] += 1
            self.own %= seats
            seen.append(x.copy())
            facts.append(about)
            offsets.append(actions.offsets[1:] + total)
            total += int(actions.offsets[-1])
        last = inputs.observation(rows.observation[steps])
        values[steps] = network.value(network.seen(last.astype(np.float32)))
        by_seat = turned(values, rows.seat)
        target = returns(
            rows.reward * np.float32(stage.reward_scale),
            rows.status,
            by_seat,
            stage.gamma,
            stage.gae_lambda,
        )
        return Rollout(
            np.concatenate(seen),
            np.concatenate(facts),
            np.concatenate(offsets),
            chosen.reshape(-1),
            logs.reshape(-1),
            values[:-1].reshape(-1, seats),
            turned(target, rows.seat[:-1], back=True).reshape(-1, seats),
            decided.reshape(-1),
        )

    @property
    def _are_past(self) -> NDArray[np.bool_]:
        are = np.zeros(self.stage.num_lanes, np.bool_)
        for opponent, _, lanes in self.groups:
            are[lanes] = opponent == PAST
        return are

    def save(self) -> list[bytes]:
        """Return the matches of all lanes."""
        return [match.save() for group in self.groups for match in group.batch]

    def restored(self, sizes: Sequence[int], content: bytes) -> list[Group]:
        """Return copies of the groups with other matches, given one after another."""
        sizes = [whole("lanes", size, 0, 2**31) for size in sizes]
        ends = [*itertools.accumulate(sizes, initial=0)]
        if len(sizes) != self.stage.num_lanes or ends[-1] != len(content):
            raise ValueError(f"{len(sizes)} lanes of {ends[-1]} bytes, got {len(content)}")
        groups = []
        for opponent, batch, lanes in self.groups:
            copy = batch.select(range(len(batch)))
            match = copy[0]
            for lane in range(len(copy)):
                at = lanes.start + lane
                match.load(content[ends[at] : ends[at + 1]])
                copy[lane] = match
            groups.append(Group(opponent, copy, lanes))
        return groups

    def restore(self, groups: list[Group]) -> None:
        """Go on with what ``restored`` returned."""
        self.groups = groups
        for _, batch, lanes in groups:
            batch.observe(self._at(-1, lanes))
        self._seat()


def _batch(game: str, options: Mapping[str, Any], opponent: str, lanes: int) -> Batch:
    if opponent in (SELF, PAST):
        return Batch.of(game, options, num_lanes=lanes)
    seats = Batch.of(game, options).spec.seats
    agents = [None, *[opponent] * (seats - 1)]
    return Batch.of(game, options, num_lanes=lanes, agents=agents, rotate=True)


def turned(
    values: NDArray[np.float32], viewers: NDArray[np.int8], *, back: bool = False
) -> NDArray[np.float32]:
    """Return values that begin with the viewer's as values by seat; or ``back`` again."""
    seats = values.shape[-1]
    shift = viewers.astype(np.int64)[..., None] * (1 if back else -1)
    return np.take_along_axis(values, (np.arange(seats) + shift) % seats, axis=-1)


def returns(
    reward: NDArray[np.float32],
    status: NDArray[np.uint8],
    values: NDArray[np.float32],
    gamma: float,
    gae_lambda: float,
) -> NDArray[np.float32]:
    """Return what each seat got from each step on: the lambda-returns.

    ``reward`` and ``status`` are the rows of ``steps + 1`` moments, ``values`` what was expected at
    each, by seat. What lies behind the last moment is what was expected there. Less what was
    expected, they are the advantages of generalised advantage estimation.

    >>> reward = np.array([[0, 0], [0, 0], [-1, 1]], np.float32)[:, None]
    >>> status = np.array([[0], [0], [1]], np.uint8)
    >>> returns(reward, status, np.full((3, 1, 2), 0.5, np.float32), 1.0, 0.5)[:, 0].tolist()
    [[-0.25, 0.75], [-1.0, 1.0]]
    """
    steps = len(values) - 1
    result = np.zeros_like(values[:-1])
    ahead = values[steps]
    for step in reversed(range(steps)):
        goes_on = (status[step + 1] == RUNNING)[:, None]
        expected = (1 - gae_lambda) * values[step + 1] + gae_lambda * ahead
        ahead = reward[step + 1] + np.where(goes_on, gamma * expected, 0)
        result[step] = ahead
    return result

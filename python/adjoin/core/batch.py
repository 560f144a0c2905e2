"""Many matches of one game, stepped together."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias

import numpy as np

from adjoin import _core
from adjoin.core.buffers import ActionRows, Buffers
from adjoin.core.match import Match
from adjoin.core.spec import Spec
from adjoin.support.arguments import as_seed, as_text, brief, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions


Agents: TypeAlias = (
    str | Sequence[str | tuple[str | None, float] | None] | Mapping[str | None, float] | None
)
"""Who plays at a seat: an agent's name, None for the caller, or several, with shares or without."""

Reward: TypeAlias = Literal["win", "points", "lead"]
"""What rewards are; see ``Batch``."""

LaneRow: TypeAlias = "tuple[NDArray[np.uint8], NDArray[np.int8], int, tuple[float, ...], int]"
"""What ``Buffers`` holds of one lane, in arrays of its own: observation, mask, seat, the reward of
every seat, status."""


class Batch:
    """Many matches of one game, stepped together into the caller's arrays.

    ``agents`` fills seats with built-in agents, one entry a seat, None for the caller's own; they
    play inside ``step``. An entry with several, ``["greedy", "random"]`` or with their shares
    ``{"greedy": 0.8, "random": 0.2}``, has one of them drawn for every episode. With ``rotate`` the
    players move on by a seat from episode to episode. ``reward`` is ``"points"``, what the game
    pays and when it does, or ``"win"``: 0 until the end, then 1 for the only winner of n players,
    -1/(n - 1) for the others; k who share it get (n/k - 1)/(n - 1) each. Nobody wins a match that
    is cut off. ``"lead"`` pays at every decision by how much further ahead of the mean of the
    others a seat is than before, in the game's points or cards.
    The remaining keywords are the game's options: ``print(batch.spec.describe())`` lists them.

    Everything random follows from (seed, lane, episode) alone: the same bytes for any number of
    threads and lanes, in any process.

    >>> batch = Batch("mapello", num_lanes=64, setup="othello")
    >>> out = batch.buffers()
    >>> actions = np.zeros(64, np.int32)
    >>> batch.reset(7, out)
    >>> for _ in range(10):
    ...     batch.sample(actions)
    ...     batch.step(actions, out)
    >>> out.observation.shape, out.mask.shape
    ((64, 306), (64, 65))
    """

    def __init__(
        self,
        game: str,
        *,
        num_lanes: int = 1,
        seed: int = 0,
        threads: int = 1,
        max_decisions: int = 10_000,
        agents: Sequence[Agents] | None = None,
        rotate: bool = False,
        reward: Reward = "points",
        **options: Unpack[GameOptions],
    ) -> None:
        arguments = _arguments(num_lanes, seed, threads, max_decisions, agents, rotate, reward)
        self._set(game, arguments, options)

    @classmethod
    def of(
        cls,
        game: str,
        options: Mapping[str, Any],
        *,
        num_lanes: int = 1,
        seed: int = 0,
        threads: int = 1,
        max_decisions: int = 10_000,
        agents: Sequence[Agents] | None = None,
        rotate: bool = False,
        reward: Reward = "points",
    ) -> Batch:
        """Return a batch whose game's options come as a mapping, so that none is taken for ours."""
        batch = cls.__new__(cls)
        arguments = _arguments(num_lanes, seed, threads, max_decisions, agents, rotate, reward)
        batch._set(game, arguments, options)
        return batch

    def _set(self, game: str, arguments: dict[str, Any], options: Mapping[str, Any]) -> None:
        self._arguments = arguments
        self._spec = Spec.of(game, options)
        self._core = _core.Batch(game, dict(options), **arguments)

    @property
    def spec(self) -> Spec:
        """What stays the same: action ids, observation blocks, options."""
        return self._spec

    def __len__(self) -> int:
        """Return the number of lanes."""
        return int(self._arguments["num_lanes"])

    def __repr__(self) -> str:
        """Return game, lanes and threads."""
        return (
            f"<Batch of {self.spec.title}: {len(self)} lanes, {self._arguments['threads']} threads>"
        )

    def buffers(self, *lead: int) -> Buffers:
        """Return arrays for a step; with arguments, for rollouts of those leading dimensions."""
        return Buffers.allocate(self._spec, *lead, len(self))

    def reset(self, seed: int | Sequence[int], out: Buffers) -> None:
        """Start the first episode of every lane.

        One seed gives every lane a stream of its own. A sequence gives each lane its own seed: a
        lane is then what lane 0 of a batch with that seed would be.
        """
        self._core.reset(_seeds(seed), out)

    def restart(
        self, lanes: NDArray[np.bool_], out: Buffers, seeds: Sequence[int] | None = None
    ) -> None:
        """Start the next episode of the chosen lanes; the others and their rows stay as they are.

        With ``seeds``, one per lane, the chosen lanes start their first episode under those.
        """
        self._core.restart(lanes, None if seeds is None else [as_seed(s) for s in seeds], out)

    def step(self, actions: NDArray[np.int32], out: Buffers) -> None:
        """Play one action per lane and fill the arrays.

        -1 leaves a lane alone. A lane whose match is over starts its next episode instead, whatever
        its action. Either every action is legal or IllegalActionError is raised and nothing has
        changed.
        """
        self._core.step(actions, out)

    def step_lane(self, lane: SupportsIndex, action: SupportsIndex) -> LaneRow:
        """Play one action in one lane and return its row; the others stay as they are.

        Either the action is legal or IllegalActionError is raised and nothing has changed, also
        where the match is over: ``restart_lane`` starts the next.

        >>> batch = Batch("mapello", setup="othello")
        >>> observation, mask, seat, reward, status = batch.restart_lane(0, seed=7)
        >>> observation, mask, seat, reward, status = batch.step_lane(0, mask.argmax())
        >>> seat, reward, status
        (1, (0.0, 0.0), 0)
        """
        return self._core.step_lane(lane, action)

    def restart_lane(self, lane: SupportsIndex, seed: SupportsIndex | None = None) -> LaneRow:
        """Start the next episode of one lane, or its first under a seed, and return its row."""
        return self._core.restart_lane(lane, None if seed is None else as_seed(seed))

    def observe_lane(self, lane: SupportsIndex, viewer: SupportsIndex | None = None) -> LaneRow:
        """Return the row of one lane, for the seat to act or for a given one, as ``observe`` does.

        The reward is 0.
        """
        return self._core.observe_lane(lane, viewer)

    def sample(self, actions: NDArray[np.int32]) -> None:
        """Write a uniform legal action for every lane, 0 where the match is over.

        The draw belongs to the decision: asking twice gives the same answer.
        """
        self._core.sample(actions)

    def choose(self, agent: str, actions: NDArray[np.int32], purpose: int = 0) -> None:
        """Write what a built-in agent would play in every lane, 0 where the match is over.

        ``purpose`` numbers the question: the same gets the same answer, as ``Match.choose`` does.
        """
        as_text("agent", agent, "an agent's name")
        self._core.choose(agent, whole("purpose", purpose, 0, 2**32 - 1), actions)

    def observe(self, out: Buffers, viewer: int | None = None) -> None:
        """Rewrite the arrays without playing, for the seat to act or for a given one.

        A viewer who is not to act has an empty mask. Rewards are 0.
        """
        self._core.observe(viewer, out)

    def action_rows(self, room: int | None = None) -> ActionRows:
        """Return arrays for ``actions``, with room for so many in all; 32 a lane if not given."""
        most = len(self) * self._spec.actions.size
        room = min(32 * len(self), most) if room is None else whole("room", room, 1, most)
        return ActionRows.allocate(self._spec, len(self), room)

    def actions(self, out: ActionRows | None = None) -> ActionRows:
        """Write the legal actions of every lane with facts about each, and return them.

        The arrays are ``out``, which must have room for all, or new ones that fit. A lane whose
        match is over has none.

        >>> batch = Batch("mapello", num_lanes=2, setup="othello")
        >>> rows = batch.actions()
        >>> rows.offsets.tolist(), rows.facts.shape == (8, batch.spec.facts.size)
        ([0, 4, 8], True)
        """
        if out is None:
            counts = self._core.num_legal()
            out = ActionRows.allocate(self._spec, len(self), counts)
        self._core.actions(out)
        return out

    def callers(self) -> NDArray[np.int8]:
        """Return the caller's seat in every lane; of several, the first."""
        seats = np.zeros(len(self), np.int8)
        self._core.callers(seats)
        return seats

    def players(self) -> NDArray[np.int16]:
        """Return who plays at each seat of each lane, as a number among ``candidates``."""
        players = np.zeros((len(self), self._spec.seats), np.int16)
        self._core.players(players)
        return players

    @property
    def candidates(self) -> list[str | None]:
        """All who may play, those for the first seat first; None for the caller."""
        agents = self._arguments["agents"] or [[(None, 1.0)]] * self._spec.seats
        return [agent for several in agents for agent, _ in several]

    def forfeit(self, lane: int, seat: int) -> float:
        """Return what is left for a seat that gives up: the least of a match, less what it has.

        Nobody knows the least of a lead.
        """
        if self._arguments["reward"] == "lead":
            raise ValueError(
                'reward = "lead" has no least that an illegal action could cost: take '
                'illegal="raise", or reward "win" or "points"'
            )
        if self._arguments["reward"] == "win":
            return -1.0 / (self._spec.seats - 1)
        return self._spec.lowest - self[lane].returns[seat]

    def select(self, lanes: Sequence[SupportsIndex], seeds: Sequence[int] | None = None) -> Batch:
        """Return a new batch of copies of the given lanes, in that order.

        Copies of a lane share its chance: with the same actions they see the same cards, and
        ``sample`` draws the same for each. With ``seeds``, one per copy, each draws the rest of its
        match from its own; what is dealt already stays.
        """
        chosen = [operator.index(lane) for lane in lanes]
        drawn = [] if seeds is None else [as_seed(seed) for seed in seeds]
        if seeds is not None and len(drawn) != len(chosen):
            raise ValueError(
                f"seeds = {len(drawn)} of them: must be one for each of {len(chosen)} lanes"
            )
        batch = Batch.__new__(Batch)
        batch._arguments = {**self._arguments, "num_lanes": len(chosen)}
        batch._core = self._core.select(chosen)
        batch._spec = self._spec
        for lane, seed in enumerate(drawn):
            batch._core[lane] = batch._core[lane].copy(seed)
        return batch

    def resample_hidden(self, viewer: int, purpose: int = 0) -> None:
        """Guess anew, in every lane, what a seat has not seen; ``purpose`` numbers the guess."""
        self._core.resample_hidden(viewer, whole("purpose", purpose, 0, 2**32 - 1))

    def __getitem__(self, lane: SupportsIndex) -> Match:
        """Return a lane as a match that begins there: a copy; ``batch[lane] = match`` puts it back.

        Nobody plays by themselves in it, whatever agents the batch has.
        """
        return Match._around(self._core[operator.index(lane)], self._spec)

    def __iter__(self) -> Iterator[Match]:
        """Go through the lanes, each as a match that begins there."""
        return map(self.__getitem__, range(len(self)))

    def __setitem__(self, lane: SupportsIndex, match: Match) -> None:
        """Put a copy of a match of the same game, with the same options, in the place of a lane.

        It writes no rows: ``observe`` does, and the next step pays what was earned since it was
        last paid. The batch's agents play on if it is their turn.
        """
        if not isinstance(match, Match):
            raise TypeError(f"match = {brief(match)}: must be a Match")
        self._core[operator.index(lane)] = match._core

    def __copy__(self) -> Batch:
        """Return a batch of copies of all lanes."""
        return self.select(range(len(self)))

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        """Return a batch of copies of all lanes."""
        return self.select(range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the bytes of its lanes."""
        saved = [match.save() for match in self]
        return _restore, (self.spec.name, self._arguments, self.spec.options, saved)


def _restore(
    game: str, arguments: Mapping[str, Any], options: Mapping[str, Any], saved: list[bytes]
) -> Batch:
    batch = Batch.of(game, options, **arguments)
    match = batch[0]
    for lane, state in enumerate(saved):
        match.load(state)
        batch[lane] = match
    return batch


def _arguments(
    num_lanes: int,
    seed: int,
    threads: int,
    max_decisions: int,
    agents: Sequence[Agents] | None,
    rotate: bool,
    reward: Reward,
) -> dict[str, Any]:
    """Return the batch's own arguments, or say what is wrong with them."""
    return {
        "num_lanes": whole("num_lanes", num_lanes, 1, 2**24),
        "seed": as_seed(seed),
        "threads": whole("threads", threads, 1, 256),
        "max_decisions": whole("max_decisions", max_decisions, 1, 2**32 - 1),
        "agents": _seated(agents),
        "rotate": bool(rotate),
        "reward": as_text("reward", reward, "'win' or 'points'"),
    }


def _seated(agents: Sequence[Agents] | None) -> list[list[tuple[str | None, float]]]:
    """Return who may play at each seat with which shares, or say what is wrong."""
    seats = () if agents is None else agents
    if not isinstance(seats, Iterable) or isinstance(seats, str | Mapping):
        raise TypeError(
            f"agents = {brief(agents)}: must have an entry for each seat, an agent's name or None"
        )
    return [
        with_shares(f"agents[{seat}]", entry, lambda a: a is None, "an agent's name or None")
        for seat, entry in enumerate(seats)
    ]


def with_shares(
    name: str, agents: Any, is_other: Callable[[Any], bool], expected: str
) -> list[tuple[Any, float]]:
    """Return those who may play with their shares: one, several, pairs or a mapping with shares.

    Each is an agent's name or something else that is allowed there.
    """

    def is_pair(entry: Any) -> bool:
        return isinstance(entry, tuple) and len(entry) == 2

    if isinstance(agents, str) or is_other(agents) or not isinstance(agents, Iterable):
        found = [(agents, 1.0)]
    elif isinstance(agents, Mapping):
        found = list(agents.items())
    else:
        found = [each if is_pair(each) else (each, 1.0) for each in agents]
    if not found:
        raise ValueError(f"{name} = {brief(agents)}: must name at least one")
    for agent, share in found:
        if not (isinstance(agent, str) or is_other(agent)):
            among = "" if agent is agents else f", got {brief(agent)}"
            raise TypeError(f"{name} = {brief(agents)}: must be {expected}{among}")
        if not isinstance(share, Real) or isinstance(share, bool):
            raise TypeError(f"{name}: the share of {brief(agent)} is {brief(share)}, not a number")
    return [(agent, float(share)) for agent, share in found]


def _seeds(seed: int | Sequence[int]) -> int | list[int]:
    if isinstance(seed, Iterable):
        return [as_seed(s) for s in seed]
    return as_seed(seed)

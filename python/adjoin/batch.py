"""Many matches of one game, stepped together."""

from __future__ import annotations

import copy
import json
import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from adjoin import _core
from adjoin.atlas import Atlas
from adjoin.buffers import Buffers
from adjoin.deck import Deck
from adjoin.spec import Spec, games
from adjoin.stations import Stations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

Viewer = int | Literal["all"] | None
"""Who looks: a seat, ``"all"`` for the whole table, None for the seat to act."""


class Batch:
    """Many matches of one game, stepped together into the caller's arrays.

    ``agents`` fills seats with built-in agents, one entry a seat, None for the caller's own; they
    play inside ``step``. With ``rotate`` the players move on by a seat from episode to episode.
    The remaining keywords are the game's options: ``print(batch.spec.describe())`` lists them.

    Everything random follows from (seed, lane, episode) alone: the same bytes for any number of
    threads and lanes, in any process.

    >>> batch = Batch("mapello", lanes=64, setup="othello")
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
        lanes: int = 1,
        seed: int = 0,
        threads: int = 1,
        limit: int = 10_000,
        agents: Sequence[str | None] | None = None,
        rotate: bool = False,
        **options: Any,
    ) -> None:
        arguments = _arguments(lanes, seed, threads, limit, agents, rotate)
        self._set(game, arguments, options)

    @classmethod
    def of(
        cls,
        game: str,
        options: Mapping[str, Any],
        *,
        lanes: int = 1,
        seed: int = 0,
        threads: int = 1,
        limit: int = 10_000,
        agents: Sequence[str | None] | None = None,
        rotate: bool = False,
    ) -> Batch:
        """Return a batch whose game's options come as a mapping, so that none is taken for ours."""
        batch = cls.__new__(cls)
        batch._set(game, _arguments(lanes, seed, threads, limit, agents, rotate), options)
        return batch

    def _set(self, game: str, arguments: dict[str, Any], options: Mapping[str, Any]) -> None:
        as_text("game", game, f"the name of a game ({', '.join(games())})")
        self._arguments = arguments
        self._core = _core.Batch(game, options_json(dict(options)), **arguments)
        self._options = copy.deepcopy(dict(options))
        self._spec = Spec.parse(self._core.spec())

    @property
    def spec(self) -> Spec:
        """What stays the same: action ids, observation blocks, options."""
        return self._spec

    def __len__(self) -> int:
        """Return the number of lanes."""
        return int(self._arguments["lanes"])

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

    def sample(self, actions: NDArray[np.int32]) -> None:
        """Write a uniform legal action for every lane, 0 where the match is over.

        The draw belongs to the decision: asking twice gives the same answer.
        """
        self._core.sample(actions)

    def observe(self, out: Buffers, viewer: int | None = None) -> None:
        """Rewrite the arrays without playing, for the seat to act or for a given one.

        A viewer who is not to act has an empty mask. Rewards are 0.
        """
        self._core.observe(viewer, out)

    def callers(self) -> NDArray[np.int8]:
        """Return the caller's seat in every lane; of several, the first."""
        seats = np.zeros(len(self), np.int8)
        self._core.callers(seats)
        return seats

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
        batch._arguments = {**self._arguments, "lanes": len(chosen)}
        batch._options = self._options
        batch._core = self._core.select(chosen)
        batch._spec = self._spec
        for lane, seed in enumerate(drawn):
            batch._core.reseed(lane, seed)
        return batch

    def resample_hidden(self, viewer: int, purpose: int = 0) -> None:
        """Guess anew, in every lane, what a seat has not seen; ``purpose`` numbers the guess."""
        self._core.resample_hidden(viewer, purpose)

    def save(self, lane: int = 0) -> bytes:
        """Return a lane as bytes."""
        return bytes(self._core.save(lane))

    def load(self, state: bytes, lane: int = 0) -> None:
        """Put a lane where ``save`` left it; game and options must be the same."""
        if not isinstance(state, bytes):
            raise TypeError(f"state = {brief(state)}: must be the bytes that save returned")
        self._core.load(lane, state)

    def position(self, lane: int = 0) -> str:
        """Return the position of a lane as text, in the game's own form where it has one."""
        return self._core.position(lane)

    def set_position(self, text: str, lane: int = 0) -> None:
        """Put a lane at a described position, before its first decision."""
        self._core.set_position(lane, as_text("position", text, "a text, as position returns it"))

    def address(self, lane: int = 0) -> tuple[int, int, int, int]:
        """Return seed, number under that seed, episode, and decisions taken in it."""
        return self._core.address(lane)

    def to_act(self, lane: int = 0) -> int | None:
        """Return the seat to act in a lane, or None when its match is over or cut off."""
        return self._core.to_act(lane)

    def returns(self, lane: int = 0) -> list[float]:
        """Return what each seat of a lane has earned so far."""
        return self._core.returns(lane)

    def legal(self, lane: int = 0) -> list[int]:
        """Return the ids of a lane's legal actions."""
        return self._core.legal(lane)

    def play(self, action: int, lane: int = 0) -> None:
        """Play an action in one lane; a match that is over stays over.

        It writes no rows: ``observe`` does, and the next step pays what it earned.
        """
        self._core.play(lane, action)

    def timeout(self, lane: int = 0) -> None:
        """Let the time of the seat to act run out, where the game has a timer.

        An event from outside, not an action: whoever runs the game decides when. Like ``play`` it
        writes no rows: ``observe`` does, and the next step pays what it cost.
        """
        self._core.timeout(lane)

    def explain(self, action: int, lane: int = 0) -> str | None:
        """Return why an action cannot be played in a lane now, or None if it can."""
        return self._core.explain(lane, action)

    def text(self, lane: int = 0, viewer: Viewer = None) -> str:
        """Return the table of a lane for a terminal, as the seat to act or a viewer sees it."""
        return self._core.text(lane, self._viewer(lane, viewer))

    def view(self, lane: int = 0, viewer: Viewer = None) -> dict[str, Any]:
        """Return the table of a lane for a program that draws it."""
        view: dict[str, Any] = json.loads(self._core.json(lane, self._viewer(lane, viewer)))
        return view

    def action_text(self, action: int) -> str:
        """Return an action in the game's notation."""
        return self._core.action_text(whole("action", action, 0, self._spec.actions.size - 1))

    def parse_action(self, text: str, lane: int = 0) -> int:
        """Return the id of an action in the game's notation."""
        return self._core.parse_action(lane, text)

    def options_json(self) -> str:
        """Return the game's options, as they were given, as JSON."""
        return options_json(self._options)

    def perft(self, depth: int, lane: int = 0) -> int:
        """Return how many sequences of ``depth`` legal decisions a lane has before it."""
        return self._core.perft(lane, whole("depth", depth, 0, 255))

    def start(self, seed: int, episode: int, lane: int = 0) -> None:
        """Start an episode of a lane: what lane 0 of a batch with that seed would come to."""
        self._core.start(lane, as_seed(seed), whole("episode", episode, 0, 2**32 - 1))

    def choose(self, agent: str, purpose: int = 0, lane: int = 0) -> int:
        """Return the id of what a built-in agent would play for the seat to act in a lane.

        It goes by what that seat knows. ``purpose`` numbers the question: the same gets the same
        answer.
        """
        as_text("agent", agent, 'the name of an agent, such as "greedy"')
        return self._core.choose(lane, agent, whole("purpose", purpose, 0, 2**32 - 1))

    def hint(self, lane: int = 0) -> tuple[int, str]:
        """Return the id of an action worth considering for the seat to act in a lane, and why."""
        return self._core.hint(lane)

    def solve(self, lane: int = 0) -> tuple[int, list[int], int]:
        """Return the score of perfect play, ids of a best line, and positions looked at."""
        return self._core.solve(lane)

    def standing(self, lane: int = 0) -> list[int]:
        """Return how far ahead each seat of a lane is, by what everybody may know."""
        return self._core.standing(lane)

    def _viewer(self, lane: int, viewer: Viewer) -> int | None:
        if viewer == "all":
            return None
        if viewer is None:
            return self._core.to_act(lane) or 0
        if isinstance(viewer, bool) or not hasattr(viewer, "__index__"):
            raise TypeError(f'viewer = {viewer!r}: must be a seat, "all" or None')
        return viewer

    def __copy__(self) -> Batch:
        """Return a batch of copies of all lanes."""
        return self.select(range(len(self)))

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        """Return a batch of copies of all lanes."""
        return self.select(range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the bytes of ``save``."""
        saved = [self.save(lane) for lane in range(len(self))]
        return _restore, (self.spec.name, self._arguments, self._options, saved)


def _restore(
    game: str, arguments: Mapping[str, Any], options: Mapping[str, Any], saved: list[bytes]
) -> Batch:
    batch = Batch.of(game, options, **arguments)
    for lane, state in enumerate(saved):
        batch.load(state, lane)
    return batch


def _arguments(
    lanes: int,
    seed: int,
    threads: int,
    limit: int,
    agents: Sequence[str | None] | None,
    rotate: bool,
) -> dict[str, Any]:
    """Return the batch's own arguments, or say what is wrong with them."""
    return {
        "lanes": whole("lanes", lanes, 1, 2**24),
        "seed": as_seed(seed),
        "threads": whole("threads", threads, 1, 256),
        "limit": whole("limit", limit, 1, 2**32 - 1),
        "agents": _seated(agents),
        "rotate": bool(rotate),
    }


def _seated(agents: Sequence[str | None] | None) -> list[str | None]:
    """Return who fills each seat, or say what is wrong."""
    seats = () if agents is None else agents
    is_list = isinstance(seats, Iterable) and not isinstance(seats, str)
    if not is_list or not all(agent is None or isinstance(agent, str) for agent in seats):
        raise TypeError(
            f"agents = {brief(agents)}: must have an entry for each seat, an agent's name or None"
        )
    return list(seats)


def options_json(options: Mapping[str, object]) -> str:
    """Return a game's options as the extension module reads them."""

    def plain(value: object) -> object:
        if isinstance(value, np.generic | np.ndarray):
            return value.tolist()
        if isinstance(value, set | frozenset):
            return sorted(value)
        if isinstance(value, Atlas | Deck | Stations):
            return value.option()
        raise TypeError(f"an option of type {type(value).__name__} cannot be read: {value!r}")

    try:
        return json.dumps(options, default=plain)
    except RecursionError:
        raise ValueError("the options are nested too deeply") from None


def whole(name: str, value: SupportsIndex, low: int, high: int) -> int:
    """Return a whole number within limits, or say what is wrong."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} = {brief(value)}: must be a whole number") from None
    if not low <= number <= high:
        raise ValueError(f"{name} = {number}: must be {low} to {high}")
    return number


def as_text(name: str, value: object, expected: str) -> str:
    """Return a text, or say what was expected."""
    if not isinstance(value, str):
        raise TypeError(f"{name} = {brief(value)}: must be {expected}")
    return value


def brief(value: object) -> str:
    """Return what was given as Python writes it, or its type where that is long.

    >>> brief(["greedy", 3]), brief(np.zeros(100))
    ("['greedy', 3]", 'a ndarray')
    """
    written = repr(value)
    return written if len(written) <= 60 else f"a {type(value).__name__}"


def as_seed(seed: SupportsIndex) -> int:
    """Return a seed, or say what is wrong."""
    return whole("seed", seed, 0, 2**64 - 1)


def _seeds(seed: int | Sequence[int]) -> int | list[int]:
    if isinstance(seed, Iterable):
        return [as_seed(s) for s in seed]
    return as_seed(seed)

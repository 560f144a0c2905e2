"""A search tree for each lane of a batch, for a network of the caller's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from adjoin import _core
from adjoin.core.buffers import ActionRows
from adjoin.support.arguments import brief, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjoin.core.batch import Batch, Reward


class Leaves(NamedTuple):
    """The rows of the leaves that wait to be evaluated, one per lane.

    The arrays are the same in every call and are written over after it: copy what you keep. A lane
    without a leaf has zeros and seat -1; what is answered there is not looked at.
    """

    observation: NDArray[np.uint8]
    """What the seat to act knows: (lanes, spec.observation.size)."""
    mask: NDArray[np.int8]
    """What it may do: (lanes, spec.actions.size)."""
    seat: NDArray[np.int8]
    """Who decides: (lanes,)."""
    actions: ActionRows | None = None
    """With ``rows="actions"``: the legal actions with facts about each, as ``Batch.actions`` has
    them. Their room only grows, by doubling, so that a compiled network sees few shapes."""


Evaluate: TypeAlias = Callable[[Leaves], tuple[Any, Any]]
"""A network: leaves to (logits, values).

Logits are (lanes, actions); those of illegal actions are not looked at. With ``rows="actions"``
they may be one for each of ``leaves.actions``, (room,) or without the room behind. Values are
(lanes, seats), what each seat may expect, the row's own first and then clockwise; or (lanes,), the
row's own alone, where two play and what one wins the other loses. Arrays of numpy, JAX or PyTorch.
"""


class SearchResult(NamedTuple):
    """What a search found, a row per lane; zeros where the match is over."""

    visit_counts: NDArray[np.int32]
    """How often each action was tried: (lanes, actions)."""
    q_values: NDArray[np.float32]
    """What the seat to act had of each action on average, 0 if it was never tried."""
    policies: NDArray[np.float32]
    """How often each action should be played: (lanes, actions), adding up to 1.

    PUCT: in proportion to visits. Gumbel: the prior, improved by the values of what was tried.
    """
    values: NDArray[np.float32]
    """What each seat may expect: (lanes, seats), the one to act first, then clockwise."""
    actions: NDArray[np.int32]
    """What to play: (lanes,), as ``Batch.step`` takes it."""


def evaluators() -> list[str]:
    """Return who can judge leaves without a call to Python."""
    return _core.evaluators()


class TreeSearch:
    """A search tree for each lane of a batch, all grown in lock step inside Rust.

    Each simulation walks down every tree once. On the way, what the seat to act has not seen is
    guessed anew and chance is drawn anew, so that the search knows no more than the player; the
    leaves of all lanes come out as one batch, and the caller's network answers priors and values
    in one call. Matches that end in the tree count at once. The batch is never changed, its threads
    share the lanes, and everything random follows from (seed, lane, episode, decision): the same
    bytes for any number of threads and lanes.

    ``simulations``: how often each tree is walked down; the network is called once more, for the
    roots.
    ``method``: "puct" as in AlphaZero, or "gumbel": sequential halving at the root as in
    ``mctx.gumbel_muzero_policy``, and PUCT below it; better with few simulations.
    ``c_puct``: how much of what the prior likes is tried although other actions did better so far.
    ``dirichlet_fraction``, ``dirichlet_alpha``, ``temperature``: for PUCT: noise at the root, and
    whether the action is the one tried most (0) or drawn by visits (1).
    ``max_num_considered_actions``, ``gumbel_scale``: for Gumbel: how many actions are tried at the
    root, and how much chance there is in it (0 for playing as well as possible).
    ``reward``: "win" pays a finished match as shares of the win, -1 to 1; "points" as the game's
    returns.
    ``rows``: "masks", or "actions" for leaves with facts about each legal action too.
    ``opponents``: a built-in agent, such as "greedy", that plays all other seats as part of the
    game. Without it the tree plays every seat, each for itself.

    >>> import numpy as np
    >>> from adjoin import Batch
    >>> batch = Batch("mapello", num_lanes=8, setup="othello")
    >>> def network(leaves):
    ...     logits = np.zeros(leaves.mask.shape, np.float32)  # likes all actions alike
    ...     values = np.zeros(leaves.seat.shape, np.float32)  # expects nothing
    ...     return logits, values
    >>> search = TreeSearch(batch, simulations=32)
    >>> result = search.run(network)
    >>> result.visit_counts.shape, int(result.visit_counts[0].sum())
    ((8, 65), 32)
    >>> batch.step(result.actions, batch.buffers())
    """

    def __init__(
        self,
        batch: Batch,
        simulations: int = 64,
        *,
        method: Literal["puct", "gumbel"] = "puct",
        reward: Reward = "win",
        c_puct: float = 1.25,
        dirichlet_fraction: float = 0.0,
        dirichlet_alpha: float = 0.3,
        temperature: float = 0.0,
        max_num_considered_actions: int = 16,
        gumbel_scale: float = 1.0,
        opponents: str | None = None,
        rows: Literal["masks", "actions"] = "masks",
    ) -> None:
        if rows not in ("masks", "actions"):
            raise ValueError(f"rows = {brief(rows)}: must be 'masks' or 'actions'")
        self._batch = batch
        self._core = _core.TreeSearch(
            batch._core,
            simulations=whole("simulations", simulations, 1, 2**24),
            method=method,
            reward=reward,
            c_puct=_real("c_puct", c_puct),
            dirichlet_fraction=_real("dirichlet_fraction", dirichlet_fraction),
            dirichlet_alpha=_real("dirichlet_alpha", dirichlet_alpha),
            temperature=_real("temperature", temperature),
            max_num_considered_actions=whole(
                "max_num_considered_actions", max_num_considered_actions, 1, 2**24
            ),
            gumbel_scale=_real("gumbel_scale", gumbel_scale),
            opponents=opponents,
        )
        observation, mask, seat, _, _ = batch.buffers()
        facts = ActionRows.allocate(batch.spec, len(batch), 0) if rows == "actions" else None
        self._leaves = Leaves(observation, mask, seat, facts)
        self._running = threading.Lock()

    def run(self, evaluate: Evaluate | str = "uniform", *, purpose: int = 0) -> SearchResult:
        """Search from where the lanes are now.

        ``evaluate`` is a network, or the name of somebody who judges inside Rust: "uniform" likes
        all actions alike and expects nothing. ``purpose`` numbers the search: at the same decision
        the same number gets the same answer.
        """
        number = whole("purpose", purpose, 0, 2**32 - 1)
        if not callable(evaluate) and not isinstance(evaluate, str):
            names = ", ".join(map(repr, evaluators()))
            raise TypeError(f"evaluate = {brief(evaluate)}: must be a function or one of {names}")
        if not self._running.acquire(blocking=False):
            raise RuntimeError("this TreeSearch is searching already; make one for each thread")
        try:
            if isinstance(evaluate, str):
                self._core.think(number, evaluate)
            else:
                self._ask(evaluate, number)
            return self._result()
        finally:
            self._running.release()

    def _ask(self, evaluate: Evaluate, purpose: int) -> None:
        rows = self._leaves[:3]
        is_due = self._core.begin(purpose, rows)
        while is_due:
            answer = evaluate(self._with_actions())
            if not isinstance(answer, (tuple, list)) or len(answer) != 2:
                raise TypeError(
                    f"evaluate must return two arrays, logits and values, not {brief(answer)}"
                )
            logits, values = (
                _floats(name, array)
                for name, array in zip(("logits", "values"), answer, strict=True)
            )
            of_legal = self._leaves.actions is not None and logits.ndim == 1
            is_due = self._core.answer(logits, values, of_legal, rows)

    def _with_actions(self) -> Leaves:
        """Return the leaves, with their actions if these are wanted."""
        actions = self._leaves.actions
        if actions is not None:
            needed = self._core.num_leaf_actions()
            if needed > len(actions.ids):
                actions = ActionRows.allocate(self._batch.spec, len(self._batch), 2 * needed)
                self._leaves = self._leaves._replace(actions=actions)
            self._core.leaf_actions(actions)
        return self._leaves

    def _result(self) -> SearchResult:
        lanes, actions = self._leaves.mask.shape
        result = SearchResult(
            np.empty((lanes, actions), np.int32),
            np.empty((lanes, actions), np.float32),
            np.empty((lanes, actions), np.float32),
            np.empty((lanes, self._batch.spec.seats), np.float32),
            np.empty(lanes, np.int32),
        )
        self._core.results(*result)
        return result


def _floats(name: str, answer: Any) -> NDArray[np.float32]:
    """Return numbers of numpy, JAX or PyTorch as an array, without a copy where there is a way."""
    if hasattr(answer, "detach"):
        answer = answer.detach().cpu()
    try:
        return np.ascontiguousarray(answer, np.float32)
    except (TypeError, ValueError) as error:
        raise TypeError(f"evaluate: {name} must be an array of numbers: {error}") from None


def _real(name: str, value: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {brief(value)}: must be a number") from None

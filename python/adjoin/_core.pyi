from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import CapsuleType

_Rows: TypeAlias = tuple[
    NDArray[np.uint8], NDArray[np.int8], NDArray[np.int8], NDArray[np.float32], NDArray[np.uint8]
]

__all__ = ["Batch", "IllegalActionError", "Table", "agents", "games", "simulate"]

class IllegalActionError(ValueError):
    """An action that the rules do not allow: which, why, and what is legal. Nothing has changed."""

@final
class Batch:
    """Many matches of one game, stepped together into the caller's arrays."""

    def __new__(
        cls,
        game: str,
        options: str,
        *,
        lanes: int,
        seed: int,
        threads: int,
        limit: int,
        agents: Sequence[str | None],
        rotate: bool,
    ) -> Batch: ...
    def spec(self) -> str:
        """Everything about the batch that stays the same, as JSON."""
    def reset(self, seed: int | Sequence[int], out: _Rows) -> None:
        """Start the first episode of every lane: under one seed for all, or each under its own."""
    def restart(self, lanes: NDArray[np.bool_], seeds: Sequence[int] | None, out: _Rows) -> None:
        """Start the next episode of the chosen lanes, or their first under new seeds."""
    def step(self, actions: NDArray[np.int32], out: _Rows) -> None:
        """Play one action per lane."""
    def sample(self, actions: NDArray[np.int32]) -> None:
        """Draw a uniform legal action for every lane."""
    def observe(self, viewer: int | None, out: _Rows) -> None:
        """Rewrite the rows without playing."""
    def callers(self, seats: NDArray[np.int8]) -> None:
        """Write the first caller's seat in every lane."""
    def select(self, lanes: Sequence[int]) -> Batch:
        """A new batch of copies of the given lanes."""
    def resample_hidden(self, viewer: int, purpose: int) -> None:
        """Guess anew what a seat has not seen."""
    def reseed(self, lane: int, seed: int) -> None:
        """Draw the rest of a lane's match from another seed."""
    def save(self, lane: int) -> bytes:
        """A lane as bytes."""
    def load(self, lane: int, state: bytes) -> None:
        """A lane from bytes."""
    def position(self, lane: int) -> str:
        """A lane's position as text."""
    def set_position(self, lane: int, text: str) -> None:
        """Put a lane at a described position."""
    def address(self, lane: int) -> tuple[int, int, int, int]:
        """Seed, lane, episode and decisions of a lane."""
    def to_act(self, lane: int) -> int | None:
        """The seat to act in a lane; None when its match is over or cut off."""
    def returns(self, lane: int) -> list[float]:
        """What each seat of a lane has earned so far."""
    def legal(self, lane: int) -> list[int]:
        """The ids of a lane's legal actions."""
    def play(self, lane: int, action: int) -> None:
        """Play an action in one lane. A match that is over stays over."""
    def timeout(self, lane: int) -> None:
        """Let the time of the seat to act run out in one lane."""
    def explain(self, lane: int, action: int) -> str | None:
        """Why an action cannot be played in a lane now; None if it can."""
    def text(self, lane: int, viewer: int | None) -> str:
        """The table of a lane, for a terminal."""
    def json(self, lane: int, viewer: int | None) -> str:
        """The table of a lane as JSON, for a program that draws it."""
    def action_text(self, action: int) -> str:
        """An action in the game's notation."""
    def parse_action(self, lane: int, text: str) -> int:
        """The id of an action in the game's notation."""
    def perft(self, lane: int, depth: int) -> int:
        """How many sequences of legal decisions of this length a lane has before it."""
    def start(self, lane: int, seed: int, episode: int) -> None:
        """Start an episode of a lane under a seed."""
    def choose(self, lane: int, agent: str, purpose: int) -> int:
        """The id of what a built-in agent would play for the seat to act in a lane."""
    def hint(self, lane: int) -> tuple[int, str]:
        """The id of an action worth considering for the seat to act in a lane, and why."""
    def solve(self, lane: int) -> tuple[int, list[int], int]:
        """What perfect play comes to in a lane: score, ids of a best line, positions looked at."""
    def standing(self, lane: int) -> list[int]:
        """How far ahead each seat of a lane is."""

@final
class Table:
    """Columns of one length, each with a name and a meaning: numbers, or text as numbers of labels.

    Nothing changes them.
    """

    def __new__(
        cls,
        columns: dict[str, NDArray[Any]],
        meanings: Mapping[str, str],
        labels: Mapping[str, Sequence[str]],
    ) -> Table: ...
    @staticmethod
    def concat(tables: Sequence[Table]) -> Table:
        """The rows of several tables with the same columns, in their order.

        Labels are those of all, each once.
        """
    @property
    def num_rows(self) -> int:
        """How many rows there are."""
    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
    def meaning(self, name: str) -> str:
        """What a column tells."""
    def column(self, name: str) -> NDArray[Any]:
        """The numbers of a column, or the numbers of its labels.

        They are read where they lie, and cannot be changed.
        """
    def labels(self, name: str) -> tuple[str, ...] | None:
        """The labels of a column of text; None of numbers."""
    def select(self, names: Sequence[str]) -> Table:
        """Some of the columns, in the order of the names."""
    def with_column(
        self,
        name: str,
        values: NDArray[Any],
        meaning: str,
        labels: Sequence[str] | None = None,
    ) -> Table:
        """The table with one more column, which is the last."""
    def take(self, rows: NDArray[np.int64]) -> Table:
        """The rows with the given numbers; below 0 they count from the end."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]:
        """What makes the table again, for pickle."""
    def __arrow_c_stream__(self, requested_schema: object = None) -> CapsuleType:
        """A capsule with a stream of the Arrow C interface. Nothing is copied."""
    def __arrow_c_schema__(self) -> CapsuleType:
        """A capsule with the schema of the Arrow C interface: names, types and meanings."""

def games() -> list[str]:
    """The names of the games."""

def agents() -> list[str]:
    """The built-in agents that all games have, with their arguments and defaults."""

def simulate(
    game: str,
    options: str,
    agents: Sequence[str | None],
    *,
    names: Sequence[str],
    callables: Sequence[Callable[[NDArray[np.uint8], NDArray[np.int8]], list[int]] | None],
    episodes: int,
    first: int,
    seed: int,
    threads: int,
    limit: int,
    rotate: bool,
    record: str,
    tick: Callable[[int], None] | None,
) -> tuple[Table, tuple[int, int, str, BaseException | None] | None]:
    """Whole episodes between agents, as a table, and what went wrong if not all were finished.

    ``agents`` are descriptions of built-in agents, or None where ``callables`` has a function of
    observations and masks that returns a list of action ids. ``tick`` hears several times a second
    how many episodes are done.
    """

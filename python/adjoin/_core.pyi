from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import CapsuleType

_Rows: TypeAlias = tuple[
    NDArray[np.uint8], NDArray[np.int8], NDArray[np.int8], NDArray[np.float32], NDArray[np.uint8]
]

_Table: TypeAlias = tuple[str, list[list[str]], bool] | Sequence[tuple[str, dict[str, Any]]]
"""A file: name, lines, whether a comma is a decimal point. Or rows: where each is, its cells."""

__all__ = [
    "MAX_CARDS",
    "MAX_CITIES",
    "MAX_LINES",
    "MAX_LINKS",
    "MAX_PLACES",
    "MAX_REGIONS",
    "Batch",
    "IllegalActionError",
    "agents",
    "arrow_stream",
    "clean",
    "fold",
    "games",
    "hint",
    "nearest",
    "read_atlas",
    "read_deck",
    "read_stations",
    "simulate",
]

MAX_CARDS: Final[int]
"""How many cards a deck of Connections may have."""

MAX_CITIES: Final[int]
"""How many cities it may have, linking ones too."""

MAX_REGIONS: Final[int]
"""How many regions it may have."""

MAX_LINKS: Final[int]
"""How many linking cities it may have."""

MAX_LINES: Final[int]
"""How many lines the stations of Metro Domino may have together."""

MAX_PLACES: Final[int]
"""How many regions and waters together an atlas may have."""

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
) -> tuple[
    list[tuple[str, str, str, bytes, list[str] | None]],
    tuple[int, int, str, BaseException | None] | None,
]:
    """Whole episodes between agents, as columns, and what went wrong if not all were finished.

    ``agents`` are descriptions of built-in agents, or None where ``callables`` has a function of
    observations and masks that returns a list of action ids. ``tick`` hears several times a second
    how many episodes are done.
    """

def arrow_stream(columns: Sequence[tuple[str, str, bytes, list[str] | None]]) -> CapsuleType:
    """Columns as a stream of the Arrow C interface, which borrows the bytes and copies nothing.

    A column is its name, numpy type, entries and, for text, labels.
    """

def fold(text: str, *, accents: bool = False) -> str:
    """A name as it is compared: without case, accents (unless they count) and punctuation.

    >>> fold(" St. Kitts & Nevis "), fold("saint-kitts and NEVIS"), fold("T\u00fcrkiye")
    ('st kitts and nevis', 'st kitts and nevis', 'turkiye')
    """

def clean(text: str) -> str:
    """A text with single spaces, and nothing that cannot be shown or written."""

def nearest(text: str, names: Sequence[str]) -> str | None:
    """The name that is most like a text, if one is near enough to have been meant."""

def hint(text: str, names: Sequence[str]) -> str:
    """Return "; did you mean this, that or those?", or nothing."""

def read_atlas(
    name: str,
    regions: _Table,
    waters: _Table | None,
    borders: dict[str, list[str]] | Sequence[Sequence[str]] | None = None,
) -> dict[str, list[dict[str, Any]]]:
    """The checked data of an atlas, or a ``ValueError`` with all that is wrong as its arguments.

    Without waters, all that regions touch are seas. Borders are in the rows of the regions, or
    apart: lists by region, or pairs; then the rows of waters have what touches them.
    """

def read_deck(
    name: str, cities: _Table, cards: _Table | None, more: _Table | None = None
) -> dict[str, list[Any]]:
    """The checked data of a deck, or a ``ValueError`` with all that is wrong as its arguments.

    Rows of cards need not have all linking cities; a file of them must. Without cards, they are
    made. ``more`` has colours of regions and points of cities.
    """

def read_stations(name: str, lines: _Table) -> list[dict[str, Any]]:
    """The checked stations, or a ``ValueError`` with all that is wrong as its arguments."""

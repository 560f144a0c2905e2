from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, SupportsIndex, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import CapsuleType

_Leaves: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.int8]]
_ActionRows: TypeAlias = tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]
_Rows: TypeAlias = tuple[
    NDArray[np.uint8], NDArray[np.int8], NDArray[np.int8], NDArray[np.float32], NDArray[np.uint8]
]

_LaneRow: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int8], int, tuple[float, ...], int]

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
    "Match",
    "Session",
    "Table",
    "TreeSearch",
    "__version__",
    "agents",
    "clean",
    "digest",
    "evaluators",
    "fold",
    "games",
    "hint",
    "map_of",
    "nearest",
    "place_labels",
    "plain",
    "read_atlas",
    "read_deck",
    "read_stations",
    "simulate",
    "spec",
]

__version__: Final[str]
"""The version of the package, which Cargo.toml has."""

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

    reason: str
    """Why, in words."""
    clause: str | None
    """The clauses of the rule page that say so; None where none has to."""
    legal: list[str]
    """What is allowed instead, in the game's notation."""

@final
class Batch:
    """Many matches of one game, stepped together into the caller's arrays."""

    def __new__(
        cls,
        game: str,
        options: Mapping[str, Any],
        *,
        num_lanes: int,
        seed: int,
        threads: int,
        max_decisions: int,
        agents: Sequence[Sequence[tuple[str | None, float]]],
        rotate: bool,
        reward: str,
    ) -> Batch: ...
    def reset(self, seed: int | Sequence[int], out: _Rows) -> None:
        """Start the first episode of every lane: under one seed for all, or each under its own."""
    def restart(self, lanes: NDArray[np.bool_], seeds: Sequence[int] | None, out: _Rows) -> int:
        """Start the next episode of the chosen lanes, or their first under new seeds, and return in
        how many of them there is nothing to decide."""
    def step(self, actions: NDArray[np.int32], out: _Rows) -> None:
        """Play one action per lane."""
    def play(
        self,
        actions: NDArray[np.int64],
        held: NDArray[np.bool_] | None,
        learners: NDArray[np.intp],
        out: _Rows,
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], int, int]:
        """Play one action per lane for those who learn there, a seat in each, and tell what they
        earned, whether the match is over or was cut off, how many are, and how many of those had
        just begun. An action is any number; `out` has the rows of the last call."""
    def step_lane(self, lane: SupportsIndex, action: SupportsIndex) -> _LaneRow:
        """Play one action in one lane."""
    def restart_lane(self, lane: SupportsIndex, seed: int | None) -> _LaneRow:
        """Start the next episode of one lane, or its first under a new seed."""
    def observe_lane(self, lane: SupportsIndex, viewer: SupportsIndex | None) -> _LaneRow:
        """The row of one lane, for the seat to act or for a given one."""
    def sample(self, actions: NDArray[np.int32]) -> None:
        """Draw a uniform legal action for every lane."""
    def choose(self, agent: str, purpose: int, actions: NDArray[np.int32]) -> None:
        """Write what a built-in agent would play in every lane."""
    def observe(self, viewer: int | None, out: _Rows) -> None:
        """Rewrite the rows without playing."""
    def actions(self, out: _ActionRows) -> int:
        """Write the legal actions of every lane, with facts, and return how many there are."""
    def num_legal(self) -> int:
        """How many legal actions the lanes have in all."""
    def callers(self, seats: NDArray[np.int8]) -> None:
        """Write the first caller's seat in every lane."""
    def players(self, players: NDArray[np.int16]) -> None:
        """Write who plays at each seat of each lane, as a number among all candidates."""
    def select(self, lanes: Sequence[int]) -> Batch:
        """A new batch of copies of the given lanes."""
    def resample_hidden(self, viewer: int, purpose: int) -> None:
        """Guess anew what a seat has not seen."""
    def __getitem__(self, key: int, /) -> Match:
        """A copy of a lane as a match that begins there."""
    def __setitem__(self, key: int, value: Match, /) -> None:
        """Put a copy of a match in the place of a lane."""
    def __delitem__(self, key: int, /) -> None: ...

@final
class TreeSearch:
    """A tree for each lane of a batch, grown in lock step."""

    def __new__(
        cls,
        batch: Batch,
        *,
        simulations: int,
        method: str,
        reward: str,
        c_puct: float,
        dirichlet_fraction: float,
        dirichlet_alpha: float,
        temperature: float,
        max_num_considered_actions: int,
        gumbel_scale: float,
        opponents: str | None,
    ) -> TreeSearch: ...
    def begin(self, purpose: int, out: _Leaves) -> bool:
        """Take root in the lanes, write the rows of the roots; whether anything is to decide."""
    def answer(
        self,
        logits: NDArray[np.float32],
        values: NDArray[np.float32],
        of_legal: bool,
        out: _Leaves,
    ) -> bool:
        """Take in logits and values of the leaves, write the next ones; whether there are any."""
    def num_leaf_actions(self) -> int:
        """How many legal actions the leaves have in all."""
    def leaf_actions(self, out: _ActionRows) -> int:
        """Write the legal actions of every leaf, with facts, and return how many there are."""
    def think(self, purpose: int, evaluator: str) -> None:
        """Search without a call to Python."""
    def results(
        self,
        visit_counts: NDArray[np.int32],
        q_values: NDArray[np.float32],
        policies: NDArray[np.float32],
        values: NDArray[np.float32],
        actions: NDArray[np.int32],
    ) -> None:
        """Write what the last search found."""

@final
class Match:
    """One match of a game. Actions are ids, or texts in the game's notation."""

    def __new__(
        cls,
        game: str,
        options: Mapping[str, Any],
        *,
        seed: int,
        episode: int,
        max_decisions: int,
    ) -> Match: ...
    @staticmethod
    def from_replay(text: str, decisions: int | None) -> Match:
        """The match that `replay` wrote, played again and checked; with `decisions`, so many."""
    def replay(self) -> str:
        """The match so far as JSON lines."""
    def spec(self) -> dict[str, Any]:
        """What stays the same."""
    @property
    def max_decisions(self) -> int:
        """Decisions after which the match is cut off."""
    def address(self) -> tuple[int, int, int, int]:
        """Seed, lane, episode and decisions."""
    @property
    def to_act(self) -> int | None:
        """The seat to act; None when the match is over or cut off."""
    @property
    def returns(self) -> list[float]:
        """What each seat has earned so far."""
    def standing(self) -> list[int]:
        """How far ahead each seat is."""
    def history(self) -> list[str]:
        """What was played, in the game's notation; "timeout" where the time ran out."""
    def sentences(self) -> list[str]:
        """What each decision was, in words, with those before it that it belongs to."""
    def result(self) -> str:
        """How the match ended, in words."""
    def pictures(self, viewer: int | Literal["onlooker"] | None, looks: Sequence[int]) -> list[str]:
        """The pictures of the start and of the table after every decision."""
    def legal_ids(self) -> list[int]:
        """The ids of the legal actions."""
    def legal(self) -> list[str]:
        """The legal actions in the game's notation."""
    def play(self, action: str | int) -> None:
        """Play one action."""
    def play_random(self, decisions: int | None) -> None:
        """Play uniform random legal actions: so many, or until the match is over."""
    def timeout(self) -> None:
        """Let the time of the seat to act run out."""
    def why_not(self, action: str | int) -> IllegalActionError | None:
        """Why an action cannot be played now: an error that is not raised; None if it can."""
    def notation(self, action: int) -> str:
        """An action in the game's notation."""
    def parse(self, text: str) -> int:
        """The id of an action in the game's notation."""
    def text(self, viewer: int | Literal["onlooker"] | None) -> str:
        """The table, for a terminal."""
    def view(self, viewer: int | Literal["onlooker"] | None) -> dict[str, Any]:
        """The table, for a program."""
    def svg(self, viewer: int | Literal["onlooker"] | None, looks: Sequence[int]) -> str:
        """The table as an SVG picture; a value for each look of the game."""
    def heat_map(self, tags: Sequence[tuple[str, str, str]], caption: str) -> str | None:
        """The table without hands as an SVG picture, with tags where pieces are laid.

        Of each: place, label, colour. None if the picture has none of the places.
        """
    def tagged(
        self,
        viewer: int | Literal["onlooker"] | None,
        looks: Sequence[int],
        tags: Sequence[tuple[str, str, str]],
    ) -> str:
        """The table as an SVG picture, with such tags on its places."""
    def places(self, action: int) -> list[str]:
        """What is clicked for an action, in any order, as the picture calls it."""
    def observe(self, viewer: int, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> None:
        """What a seat knows and may do, written over an observation row and a mask."""
    def choose(self, agent: str, purpose: int) -> int:
        """The id of what a built-in agent would play for the seat to act."""
    def hint(self) -> tuple[int, str]:
        """The id of an action worth considering for the seat to act, and why."""
    def solve(self) -> tuple[int, list[int], int]:
        """What perfect play comes to: score, ids of a best line, positions looked at."""
    @property
    def solve_depth(self) -> int | None:
        """How many decisions the solver has to look ahead at most; None without one."""
    def perft(self, depth: int) -> int:
        """How many sequences of legal decisions of this length lie ahead."""
    def position(self) -> str:
        """The position as text."""
    def set_position(self, text: str) -> None:
        """Put the match at a described position, before its first decision."""
    def save(self) -> bytes:
        """The match as bytes."""
    def load(self, state: bytes) -> None:
        """Put the match where `save` left it."""
    def resample_hidden(self, viewer: int, purpose: int) -> None:
        """Guess anew what a seat has not seen."""
    def copy(self, seed: int | None) -> Match:
        """A copy; with a seed it draws the rest of the match from that."""
    def branch(self, seed: int, episode: int, viewer: int | None) -> Match:
        """A copy that goes on by the chance of an episode under a seed.

        What a seat has not seen is guessed anew.
        """
    def deal(self, seed: int, episode: int) -> Match:
        """The same game dealt anew."""

_Show: TypeAlias = Callable[[dict[str, Any]], None] | None

@final
class Session:
    """A match with people and agents at it."""

    def __new__(
        cls,
        game: Match,
        sitters: Sequence[str | tuple[str, str]],
        names: Sequence[str] | None,
    ) -> Session: ...
    def receive(
        self, message: object, seat: int | None = None, show: _Show = None
    ) -> dict[str, Any]:
        """Do what a message says, let the agents play, and return what a seat gets to see."""
    def play(self, action: int, seat: int | None = None, show: _Show = None) -> dict[str, Any]:
        """Play for the host's seat, let the agents play, and return what a seat gets to see."""
    def advance(self, seat: int | None = None, show: _Show = None) -> dict[str, Any]:
        """Let the agents play if it is their turn, and return what a seat gets to see."""
    def post(self, message: object, seat: int) -> bool:
        """Do what a message of a seat says; return whether there is another decision now."""
    def step(self) -> bool:
        """Let one built-in agent decide if one is to, and return whether one has."""
    def update(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat gets to see now."""
    def watch(self) -> dict[str, Any]:
        """What somebody without a hand gets to see now."""
    def log(self, seat: int | None) -> list[str]:
        """What has happened, in sentences said to a seat, or to nobody in particular."""
    @property
    def game(self) -> Match:
        """A copy of the match; another one of the same game can be put on the table."""
    @game.setter
    def game(self, value: Match) -> None: ...
    @property
    def facing(self) -> int:
        """The person in front of the screen."""

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

def spec(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Everything about a game with given options that stays the same."""

def plain(options: Mapping[str, Any]) -> Any:
    """Options as plain objects: what the core reads of them."""

def digest(game: str, options: Mapping[str, Any], seed: int, agent: str | None) -> dict[str, Any]:
    """Hashes over a whole match that the core plays by itself: the same as in a browser."""

def agents() -> list[str]:
    """The built-in agents that all games have, with their arguments and defaults."""

def evaluators() -> list[str]:
    """Who can judge leaves of a tree search without a call to Python."""

def simulate(
    game: str,
    options: Mapping[str, Any],
    agents: Sequence[str | None],
    *,
    names: Sequence[str],
    callables: Sequence[Callable[[NDArray[np.uint8], NDArray[np.int8]], list[int]] | None],
    episodes: int,
    first: int,
    seed: int,
    threads: int,
    max_decisions: int,
    rotate: bool,
    record: str,
    start: tuple[bytes, int | None, int | None] | None,
    tick: Callable[[int], None] | None,
) -> tuple[Table, tuple[int, int, str, BaseException | None] | None]:
    """Whole episodes between agents, as a table, and what went wrong if not all were finished.

    ``agents`` are descriptions of built-in agents, or None where ``callables`` has a function of
    observations and masks that returns a list of action ids. ``start`` is a saved match from which
    every episode goes on, whose knowledge that is, and the action that is played first. ``tick``
    hears several times a second how many episodes are done.
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

def map_of(atlas: object, shown: Sequence[str], most: tuple[float, float]) -> dict[str, Any] | None:
    """The map of an atlas, as an option of a game has it, as plain data.

    ``None`` if it does not say where its regions are. Without regions that are shown: of all.
    """

def place_labels(
    size: tuple[float, float],
    kept: Sequence[Sequence[float]],
    words: Sequence[Sequence[float]],
) -> list[tuple[float, float, list[tuple[float, float]] | None] | None]:
    """Where words are on a sheet so that they hide nothing, the first ones first.

    Of each: width, height, the point that it belongs to, and how far that is from the edges of its
    area. Returned: left and top, and the ends of a line to the point if it is away from it; nothing
    for what there is no room for. ``kept`` are boxes (left, top, width, height) to keep free.
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

"""What stays the same about a game: action ids, observation rows, options; and its page."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from adjoin import _core
from adjoin.support.arguments import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Block:
    """A named, shaped range of action ids or of the bytes of a row."""

    name: str
    start: int
    shape: tuple[int, ...]
    high: int
    offset: int
    meaning: str
    labels: tuple[str, ...]
    by_seat: bool
    classes: int | None
    """How many classes there are, where an entry is the number of one and not an amount."""

    @property
    def size(self) -> int:
        """How many numbers the block spans."""
        return math.prod(self.shape)

    @property
    def stop(self) -> int:
        """Where the block ends."""
        return self.start + self.size


@dataclass(frozen=True)
class Layout:
    """Blocks one after another, without gaps."""

    size: int
    blocks: tuple[Block, ...]

    def __getitem__(self, name: str) -> Block:
        """Return the block of that name."""
        for block in self.blocks:
            if block.name == name:
                return block
        raise KeyError(f"{name}: the blocks are {', '.join(b.name for b in self.blocks)}")

    def split(self, rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Show the last axis of an array as named blocks. They are views: nothing is copied."""
        lead = rows.shape[:-1]
        return {b.name: rows[..., b.start : b.stop].reshape((*lead, *b.shape)) for b in self.blocks}


@dataclass(frozen=True)
class Look:
    """Something that changes how the same facts are drawn."""

    name: str
    meaning: str
    count: int
    """How many values it has, from 0; two are off and on."""
    is_switch: bool

    def value(self, given: object) -> int:
        """Return a value as a number, or say what is allowed."""
        allowed: tuple[object, ...] = (False, True) if self.is_switch else tuple(range(self.count))
        for number, one in enumerate(allowed):
            if given == one and (type(given) is type(one) or given == 0):
                return number
        raise ValueError(f"{self.name} = {given!r}: must be one of {', '.join(map(repr, allowed))}")


@dataclass(frozen=True)
class Relation:
    """What goes with what in every match: a matrix of flags with names for rows and columns.

    >>> borders = Spec.of("mapominoes", {}).relations["borders"]
    >>> bool(borders.matrix[borders.rows.index("Kent"), borders.columns.index("Surrey")])
    True
    """

    name: str
    meaning: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    """Row and column of every pair that is related."""
    matrix: NDArray[np.uint8] = field(compare=False, repr=False)
    """1 where row and column are related; not to be written to."""

    @classmethod
    def _read(cls, fields: dict[str, Any]) -> Relation:
        rows, columns = tuple(fields["rows"]), tuple(fields["columns"])
        pairs = tuple((row, column) for row, column in fields["pairs"])
        matrix = np.zeros((len(rows), len(columns)), np.uint8)
        at = np.array(pairs, np.intp).reshape(-1, 2)
        matrix[at[:, 0], at[:, 1]] = 1
        matrix.flags.writeable = False
        return cls(fields["name"], fields["meaning"], rows, columns, pairs, matrix)


@dataclass(frozen=True)
class Spec:
    """Everything about a game with given options that stays the same."""

    name: str
    title: str
    summary: str
    version: int
    seats: int
    actions: Layout
    observation: Layout
    rows_digest: str
    """The same where names, shapes and kinds of all blocks are: there a learned policy fits."""
    facts: Layout
    """What a row of ``Batch.actions`` tells about an action."""
    relations: dict[str, Relation]
    """What goes with what in every match, by name."""
    lowest: float
    highest: float
    rewards: str
    end: str
    options: dict[str, Any]
    option_meanings: dict[str, str]
    settings: dict[str, Any]
    agents: tuple[str, ...]
    looks: tuple[Look, ...]
    rules_in_short: str
    examples: dict[str, Any]
    is_zero_sum: bool
    has_chance: bool
    has_hidden: bool
    has_timer: bool
    lane_bytes: int

    @classmethod
    def of(cls, game: str, options: Mapping[str, Any]) -> Spec:
        """Return the spec of a game with these options."""
        as_text("game", game, f"the name of a game ({', '.join(games())})")
        return cls._read(_core.spec(game, dict(options)))

    @classmethod
    def _read(cls, fields: dict[str, Any]) -> Spec:
        """Read what the extension module hands over."""
        for name in ("actions", "observation", "facts"):
            blocks = tuple(
                Block(**{**b, "shape": tuple(b["shape"]), "labels": tuple(b["labels"])})
                for b in fields[name]["blocks"]
            )
            fields[name] = Layout(fields[name]["size"], blocks)
        relations = map(Relation._read, fields["relations"])
        fields["relations"] = {relation.name: relation for relation in relations}
        fields["option_meanings"] = dict(fields["option_meanings"])
        fields["settings"] = dict(fields["settings"])
        fields["agents"] = tuple(fields["agents"])
        fields["looks"] = tuple(Look(**look) for look in fields["looks"])
        return cls(**fields)

    def look_values(self, look: Mapping[str, Any]) -> list[int]:
        """Return a value for each of the game's looks, or say what is wrong."""
        for name, value in look.items():
            if name not in (one.name for one in self.looks):
                known = ", ".join(one.name for one in self.looks)
                raise TypeError(f"{name} = {value!r}: {self.name} has the looks {known}")
        return [one.value(look.get(one.name, 0)) for one in self.looks]

    @property
    def environment(self) -> str:
        """The Gymnasium id."""
        words = "".join(word.title() for word in self.name.split("_"))
        return f"adjoin/{words}-v{self.version}"

    @property
    def pay(self) -> str:
        """What rewards there are, and when, in sentences."""
        return (
            f"{self.rewards} A match earns a seat {self.lowest:g} to {self.highest:g}. "
            f'With `reward="win"` an environment pays the share of the win instead, at the end: '
            f"{-1 / (self.seats - 1):g} to 1, and 0 where a match is cut off."
        )

    def observation_space(self) -> spaces.Box:
        """Return a new Gymnasium space for one observation row."""
        high = np.concatenate([np.full(b.size, b.high, np.uint8) for b in self.observation.blocks])
        return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)

    def action_space(self) -> spaces.Discrete[Any]:
        """Return a new Gymnasium space for one action."""
        return spaces.Discrete(self.actions.size)

    def describe(self) -> str:
        """Return the page: actions, observation, facts, rewards, end, options, versions."""
        module = f"{self.name}_v{self.version}"
        parts = [
            f"{self.title}\n{'=' * len(self.title)}",
            self.summary,
            f"Gymnasium `{self.environment}`, PettingZoo `adjoin.{module}`, "
            f'`adjoin.Match("{self.name}")`. {self.seats} seats with these options. '
            f"Built-in agents: {', '.join(f'`{agent}`' for agent in self.agents)}.",
            _table(
                "Actions",
                f"Discrete({self.actions.size})",
                [(_ids(b), b.name, _shape(b), b.meaning) for b in self.actions.blocks],
            ),
            _table(
                "Observation",
                f"uint8 row of {self.observation.size}, the viewer's own seat first",
                [(_ids(b), b.name, _shape(b), _range(b)) for b in self.observation.blocks],
            ),
            _table(
                "Facts about an action",
                f"uint8 row of {self.facts.size} for each legal action: `Batch.actions`, "
                "`action_facts=True`",
                [(_ids(b), b.name, _shape(b), _range(b)) for b in self.facts.blocks],
            ),
            f"Rewards\n-------\n{self.pay}",
            f"End\n---\n{self.end} A match is cut off after `max_decisions` decisions, 10,000 by "
            "default.",
            _table(
                "Options",
                "keyword arguments, with the values in force",
                [
                    (name, _value(self.options[name]), meaning)
                    for name, meaning in self.option_meanings.items()
                ],
            ),
            f"Versions\n--------\nv{self.version}: the first.",
        ]
        return "\n\n".join(parts) + "\n"

    def _repr_markdown_(self) -> str:
        return f"```\n{self.describe()}```"


def _ids(block: Block) -> str:
    return f"{block.start}" if block.size == 1 else f"{block.start}-{block.stop - 1}"


def _shape(block: Block) -> str:
    return "x".join(map(str, block.shape)) or "1"


def _range(block: Block) -> str:
    values = f"{-block.offset} to {block.high - block.offset}"
    if block.classes is not None:
        values = f"one of {block.classes} classes, from 0"
    shift = f" (written with {block.offset} added)" if block.offset else ""
    seats = ", by seat" if block.by_seat else ""
    return f"{block.meaning}{seats}; {values}{shift}"


def _value(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _table(title: str, note: str, rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    lines = [
        "  ".join([cell.ljust(width) for cell, width in zip(row, widths, strict=False)] + [row[-1]])
        for row in rows
    ]
    return "\n".join([title, "-" * len(title), note, "", *("    " + line for line in lines)])


def games() -> list[str]:
    """Return the names of the games."""
    return _core.games()


def agents() -> list[str]:
    """Return the names of the built-in agents."""
    return _core.agents()


def options_json(options: Mapping[str, Any]) -> str:
    """Return a game's options as JSON, as the core reads them."""
    return json.dumps(_core.plain(dict(options)))

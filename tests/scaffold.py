"""What the tests share: option sets for every game, and ways to play on."""

from __future__ import annotations

import copy
import functools
import inspect
import math
import os
import pickle
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import adjoin
from adjoin.data.atlas import Atlas
from adjoin.data.deck import Deck
from adjoin.data.stations import Line, Stations

Test = Callable[..., None]

IS_LONG = bool(os.environ.get("ADJOIN_LONG"))
"""Whether everything runs, as for `make test-long`."""

RULEBOOK_SETUP: dict[str, Any] = {
    "setup": "fixed",
    "walls": [(1, 1), (1, 8), (2, 6), (3, 2), (6, 7), (7, 3), (8, 1), (8, 8)],
    "bonuses": [(1, 3), (1, 5), (2, 8), (3, 1), (6, 1), (6, 8), (8, 3), (8, 6)],
    "jokers": [(0, 3), (0, 6), (2, 9), (5, 0), (6, 9), (9, 3), (9, 4), (9, 7)],
}
"""The rulebook's full set-up of Mapello (MAPE-E2)."""

ISLAND = Atlas.build(
    {
        "North Head": {"nation": "Highlands", "abbreviation": "NH"},
        "Stow & Saint Ann": {"nation": "Highlands"},
        "Mid": {"nation": "Highlands", "also_in": "Lowlands"},
        "Fen": {"nation": "Lowlands"},
        "Ôle": {"nation": "Lowlands"},
        "Port of the Kings": {"nation": "Lowlands"},
        "South Skerry": {"nation": "Lowlands"},
    },
    [
        ("North Head", "Stow & Saint Ann"),
        ("North Head", "Mid"),
        ("Stow & Saint Ann", "Mid"),
        ("Stow & Saint Ann", "Fen"),
        ("Mid", "Fen"),
        ("Mid", "Ôle"),
        ("Fen", "Port of the Kings"),
        ("Ôle", "Port of the Kings"),
    ],
    {"Grey Sea": ["North Head", "Port of the Kings", "South Skerry"]},
    name="island",
)
"""A small atlas of our own."""

ONE_CARD_EACH: dict[str, Any] = {
    "atlas": Atlas.build(["One", "Two", "Three"], [("One", "Two"), ("One", "Three")]),
    "table": (3, 3),
    "rounds": 6,
}
"""Two players of Mapominoes with a card each: a round can be over before somebody's first go."""

A_SHORT_SEARCH = "search(iterations=2, depth=1)"

AGENTS = ("random", "greedy", A_SHORT_SEARCH)
"""Every kind of built-in agent."""

THREE_IN_WALES: dict[str, Any] = {
    "players": 3,
    "nations": ["Wales"],
    "table": (8, 6),
    "rounds": 2,
}
"""A short match of Mapominoes with rewards in the middle."""

SHUTTLE = Stations.build(
    {
        "Hub": [1, 2, Line(2, max=8), Line(3, no_doubles=True)],
        "St. John's": [1, Line(2, min=1)],
        "Quai d'Orsay": [2, Line(1, no_doubles=True)],
        "Café & Opéra": [Line(2, min=2, max=7), 1],
        "Saint Ann": [1, 2],
        "Zoo": [2],
        "Mill": [1],
        "East–West Gate": [Line(1, max=5), 2, Line(3, min=1, max=8, no_doubles=True)],
        "Harbour": [1, Line(1, min=9)],
    },
    name="shuttle",
)
"""Stations with short lines: fifth stations are opened, and the stations run out."""

ORCHARD = Deck.build(
    {
        "Upper Woods": ["Ash", "Saint Beech", "Cedar-on-Sea", "Dôle", "Elm & Oak"],
        "Île-de-Fir": ["Fir", "Gorse's End", "Heath", "Ilex"],
        "Shore": ["Juniper", "Kelp", "Larch", "Moss"],
        "Far Hills": ["Nettle", "Ötz", "Pine", "Quince"],
        "South": ["Rose", "Sorrel", "Thyme", "Upas"],
    },
    {
        "Old Gate": ["Upper Woods", "Île-de-Fir"],
        "Ford": ["Île-de-Fir", "Shore", "Far Hills"],
        "Pass": ["Far Hills", "Upper Woods"],
        "Mill": ["South", "Shore", "Upper Woods"],
        "Überfahrt": ["South", "Île-de-Fir"],
    },
    name="orchard",
)
"""A deck that leaves three players a pile of two cards: it is shuffled time and again."""

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "connections": [
        {},
        {"players": 4, "trading": False, "partnerships_each": 1, "pairs": "most"},
        {"players": 5, "partnerships": False, "max_turns": 2},
        {"players": 6, "max_turns": 2},
        {"deck": ORCHARD, "deals_each": 2, "max_turns": 8, "pairs": "least"},
    ],
    "domiphun": [
        {},
        {"variant": "traditional", "players": 3, "starts_each": 1},
        {"variant": "advanced"},
        {
            "variant": "advanced",
            "players": 4,
            "fork": True,
            "extra_starjoiners": [0, 2, 0, 1],
            "series": "points",
        },
        {"players": 4, "starts_each": 2, "series": "points", "first_seat": 2},
        {"values": 6, "hand": 13},
    ],
    "mapello": [
        {},
        {"setup": "othello"},
        {"setup": "free", "walls": [1, 2], "bonuses": 1, "jokers": [0, 2], "games": 2},
        {"walls": 8, "bonuses": 6, "jokers": 8, "symmetry": "rotate", "games": 3},
        {"walls": 5, "bonuses": 7, "jokers": 3, "symmetry": "diagonal", "opening": "othello"},
        RULEBOOK_SETUP,
        {"size": 6, "setup": "free", "walls": [0, 3]},
    ],
    "mapominoes": [
        {},
        THREE_IN_WALES,
        {"players": 4, "nations": ["Scotland"], "transit_each": "easier", "rounds": 1},
        {
            "players": 5,
            "nations": ["wales", "NORTHERN IRELAND"],
            "table": (12, 8),
            "draw": "free",
            "double_with_transit": False,
            "rounds": 2,
        },
        {"players": 3, "nations": ["Wales"], "table": (6, 6), "challenges": True, "rounds": 2},
        {
            "nations": ["Wales", "Northern Ireland"],
            "first_nation": "Northern Ireland",
            "staged": True,
            "challenges": True,
            "draw": "free",
            "table": (7, 7),
            "rounds": 1,
        },
        {"atlas": "us-states", "table": (9, 5), "transit_cards": 4, "rounds": 1},
        {"atlas": Atlas.load("world-countries"), "nations": ["Europe"], "players": 3, "rounds": 1},
        {"atlas": ISLAND, "table": (3, 3), "staged": True},
    ],
    "metro_domino": [
        {},
        {"players": 3, "wins_needed": 2},
        {"players": 4, "first_seat": 3},
        {"stations": SHUTTLE, "wins_needed": 3, "first_seat": 1},
        {"stations": SHUTTLE, "players": 3},
    ],
}
"""What the rules can be changed to."""

BRIEF: dict[str, dict[str, Any]] = {
    "connections": {"max_turns": 2, "trading": False},
    "mapominoes": THREE_IN_WALES,
}
"""Options under which a match is short, for the games whose defaults make it long."""


@dataclass(frozen=True)
class Variant:
    """A game with options."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        short = {name: _short(value) for name, value in self.options.items()}
        given = [f"{name}={text}" for name, text in short.items() if len(text) <= 30]
        return "-".join([self.game, *given])

    def batch(self, **keywords: Any) -> adjoin.Batch:
        """Return a batch, with options of its own."""
        return adjoin.Batch(self.game, **keywords, **copy.deepcopy(self.options))

    def match(self, **keywords: Any) -> adjoin.Match:
        """Return a match, with options of its own."""
        return adjoin.Match(self.game, **keywords, **copy.deepcopy(self.options))


def _short(value: Any) -> str:
    if isinstance(value, Atlas | Deck | Stations):
        return value.name
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


ALL_VARIANTS = [Variant(game, options) for game in adjoin.games() for options in OPTIONS[game]]
"""Every option set of every game."""

SIX_VARIANTS: dict[str, Variant] = {
    "two-seats": Variant("mapello"),
    "many-seats": Variant("connections", {"players": 6, "max_turns": 2}),
    "long": Variant("mapominoes"),
    "hidden": Variant("metro_domino"),
    "own-data": Variant("mapominoes", {"atlas": ISLAND, "table": (3, 3), "staged": True}),
    "three-dimensions": Variant("domiphun", {"variant": "advanced"}),
}
"""What can make a difference to code that knows no rules: each is there for what its name says."""

VARIANTS = {str(variant): variant for variant in ALL_VARIANTS} if IS_LONG else SIX_VARIANTS
"""What the fixture ``variant`` goes through."""

SHORT_STAGE: dict[str, Any] = {
    "decisions": 3 * 32 * 16,
    "num_lanes": 32,
    "n_steps": 16,
    "n_epochs": 2,
    "batch_size": 128,
}
"""Settings of a stage of the trainer that is over in a second."""

SHORT_RUN: dict[str, Any] = {
    "stages": [
        {"method": "imitation", "replay": 2, **SHORT_STAGE},
        {"method": "ppo", "opponents": {"greedy": 2, "self": 1, "past": 1}, **SHORT_STAGE},
    ],
    "hidden": (16,),
    "action_hidden": (8,),
    "measurements": 2,
    "matches": 10,
}
"""Settings of a run of the trainer that is over in a second or two."""

SEATS = ["first", "last", "rotate"]
"""Where a learner can sit, whatever the number of seats."""


COPIERS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}
"""How Python copies things."""


def chunks(number: int) -> range:
    """Return which parts of a long test run: an eighth, or all for `make test-long`."""
    return range(number if IS_LONG else math.ceil(number / 8))


def skip_without(*packages: str) -> None:
    """Skip a test file for which a package is missing; none is imported to find that out."""
    for package in packages:
        if find_spec(package) is None:
            reason = f"needs {package}: pip install 'adjoin[dev]'"
            pytest.skip(reason, allow_module_level=True)


def cases(names: str | tuple[str, ...], values: Iterable[Any]) -> Callable[[Test], Test]:
    """Check many cases in one test, as ``parametrize`` would in many; a failure names its case."""
    names = (names,) if isinstance(names, str) else names
    every = [dict(zip(names, one if len(names) > 1 else (one,), strict=True)) for one in values]
    assert every, "a test of no case cannot fail"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def check_all(**fixtures: Any) -> None:
            for case in every:
                try:
                    test(**fixtures, **case)
                except (Exception, pytest.fail.Exception) as error:
                    raise AssertionError(f"in the case {case}: {error}") from error

        signature = inspect.signature(test)
        others = [one for one in signature.parameters.values() if one.name not in names]
        check_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return check_all

    return decorate


def seat_of(variant: Variant, where: str) -> int | str:
    """Return what an environment calls one of ``SEATS``."""
    return {"first": 0, "last": variant.batch().spec.seats - 1}.get(where, where)


def frozen(out: adjoin.Buffers) -> tuple[bytes, ...]:
    """Return the contents of the arrays."""
    return tuple(array.tobytes() for array in out)


def play_on(batch: adjoin.Batch, steps: int) -> list[tuple[bytes, ...]]:
    """Play sampled actions and return the contents of the arrays after every step."""
    out = batch.buffers()
    actions = np.zeros(len(batch), np.int32)
    batch.observe(out)
    seen = [frozen(out)]
    for _ in range(steps):
        batch.sample(actions)
        batch.step(actions, out)
        seen.append(frozen(out))
    return seen


def saves(batch: adjoin.Batch) -> list[bytes]:
    """Return every lane as bytes."""
    return [match.save() for match in batch]

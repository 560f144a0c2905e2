"""The pieces of all pictures: what belongs to each is in it, whatever the players are called."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

from adjoin import Match
from adjoin._core import Session
from pictures import Box, moments, rects_in, texts_in
from scaffold import ALL_VARIANTS, Variant, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ["A", "Wilhelmina " * 12, "<b>&", "W" * 90, "Bob", "Cy"]
NARROW = 480


def pictures_in(variant: Variant) -> Iterator[list[dict[str, Any]]]:
    """Return the pieces of a match now and then, to who is to act and to an onlooker."""
    for match in moments(variant.match(seed=3), 23, 120):
        seats = match.spec.seats
        session = Session(match._core, ["person"] * seats, NAMES[:seats])
        for update in (session.update(match.to_act or 0), session.watch()):
            yield update["picture"]["pieces"]


@cases("variant", ALL_VARIANTS)
def test_nothing_of_a_piece_is_outside_it(variant: Variant) -> None:
    for piece in itertools.chain.from_iterable(pictures_in(variant)):
        if "matrix(" in piece["svg"]:
            continue
        left, top, wide, high = piece["area"]
        area = Box(left - 0.6, top - 0.6, left + wide + 0.6, top + high + 0.6, piece["role"])
        svg = f'<svg xmlns="http://www.w3.org/2000/svg">{piece["svg"]}</svg>'
        boxes = texts_in(svg) + [box for box, _ in rects_in(svg)]
        assert [box for box in boxes if not area.holds(box)] == [], piece["role"]
        if piece["role"] in ("seat", "hand", "stock", "facts", "key"):
            assert wide <= NARROW


@cases("variant", ALL_VARIANTS)
def test_a_thing_is_in_a_picture_once(variant: Variant) -> None:
    for pieces in pictures_in(variant):
        things = re.findall(r'data-thing="([^"]*)"', "".join(piece["svg"] for piece in pieces))
        assert len(things) == len(set(things))


@cases(
    ("game", "options"),
    [
        ("mapominoes", {}),
        ("metro_domino", {}),
        ("domiphun", {"variant": "traditional"}),
        ("connections", {}),
        ("ladder", {}),
    ],
)
def test_what_is_played_goes_from_the_hand_to_the_table(game: str, options: dict[str, Any]) -> None:
    gone = 0
    for seed in range(3):
        match = Match(game, seed=seed, **options)
        while not match.is_over and len(match.history) < 60:
            seat = match.to_act or 0
            before = things_in(match, seat)
            match.play(match.choose("greedy"))
            gone += bool(before["hand"] & things_in(match, seat)["table"])
    assert gone > 3


def things_in(match: Match, seat: int) -> dict[str, set[str]]:
    """Return what a seat sees in its hand and on the table that can be followed by its name."""
    session = Session(match._core, ["person"] * match.spec.seats, None)
    found: dict[str, set[str]] = {"hand": set(), "table": set()}
    for piece in session.update(seat)["picture"]["pieces"]:
        things = re.findall(r'data-thing="([^"]*)"', piece["svg"])
        found.setdefault(piece["role"], set()).update(things)
    return found

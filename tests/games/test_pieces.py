"""The pieces of all pictures: what belongs to each is in it, whoever looks and whatever they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin._core import Session
from pictures import Box, moments, rects_in, texts_in
from scaffold import ALL_VARIANTS, Variant, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ["A", "Wilhelmina " * 12, "<b>&", "W" * 90, "Bob", "Cy"]
NARROW = 480


def pieces_in(variant: Variant) -> Iterator[dict[str, Any]]:
    """Return the pieces of a match now and then, to who is to act and to an onlooker."""
    for match in moments(variant.match(seed=3), 23, 120):
        seats = match.spec.seats
        session = Session(match._core, ["person"] * seats, NAMES[:seats])
        for update in (session.update(match.to_act or 0), session.watch()):
            yield from update["picture"]["pieces"]


@cases("variant", ALL_VARIANTS)
def test_nothing_of_a_piece_is_outside_it(variant: Variant) -> None:
    for piece in pieces_in(variant):
        if "matrix(" in piece["svg"]:
            continue
        left, top, wide, high = piece["area"]
        area = Box(left - 0.6, top - 0.6, left + wide + 0.6, top + high + 0.6, piece["role"])
        svg = f'<svg xmlns="http://www.w3.org/2000/svg">{piece["svg"]}</svg>'
        boxes = texts_in(svg) + [box for box, _ in rects_in(svg)]
        assert [box for box in boxes if not area.holds(box)] == [], piece["role"]
        if piece["role"] in ("seat", "hand", "stock", "facts", "key"):
            assert wide <= NARROW

"""Which places of a picture an action names, and which actions some places can mean.

A place is what can be clicked: ``<g data-place="tile 3-5">``. Its key is a kind and a name.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

_PLACES: dict[str, list[tuple[str, list[str]]]] = {
    "mapello": [
        (r"(wall|bonus|joker) (.+)", [r"piece \1;cell \2"]),
        (r"(black|white)", [r"colour \1"]),
        (r"(\w\d)", [r"cell \1"]),
    ],
    "mapominoes": [
        (r"([A-Z]+\d+)", [r"cell \1"]),
        (r"transit (.+)", [r"transit card;region \1", r"transit card;water \1"]),
        (r"take", ["pile"]),
        (r"challenge|let it be", []),
        (r"(.+)", [r"card \1"]),
    ],
    "metro_domino": [
        (r"(\d-\d) (.+?)(?: reversed)?", [r"tile \1;line \2"]),
        (r"draw", ["pile"]),
        (r"spend", ["token"]),
    ],
    "domiphun": [
        (r"(\d)-(\d)", [r"square \1;square \2", r"domino \1-\2"]),
        (r"(\d)-(\d) (\w)", [r"square \1;square \2;end \3", r"domino \1-\2;end \3"]),
        (r"join (\d)-(\d)", [r"square \1;square \2", r"domino \1-\2"]),
        (r"star (\w)", [r"starjoiner;end \1"]),
        (r"(plate \d+)", [r"\1"]),
        (r"take", ["pool"]),
        (r"miss", []),
        (r"(.+)", [r"side \1"]),
    ],
    "connections": [
        (r"offer (.+) to (\+\d)", [r"card \1;player \2"]),
        (r"(?:answer|discard) (.+)", [r"card \1"]),
        (r"(?:set|play) (.+)/(.+)", [r"card \1/\2;city \1", r"card \2/\1;city \1"]),
        (r"(?:set|play) (.+)", [r"card \1;city \1"]),
        (r"draw", ["pile"]),
        (r"take", ["discard pile"]),
        (r"invite (.+) (\+\d)", [r"city \1;player \2"]),
    ],
}
"""By game: what an action looks like, and the places it names; where a picture may show them in
several ways, these. The first that fits."""

_TURNED = re.compile(r"(tile|domino) (\d)-(\d)")


def places(game: str, action: str, there: Container[str] | None = None) -> tuple[str, ...]:
    """Return the places that an action names; ``there`` are those that the picture has.

    >>> places("metro_domino", "5-3 Start B")
    ('tile 3-5', 'line Start B')
    >>> places("connections", "set Lima/Johannesburg", {"card Johannesburg/Lima", "city Lima"})
    ('card Johannesburg/Lima', 'city Lima')
    >>> places("connections", "no")
    ()
    """
    ways = _ways(game, action)
    if there is not None and len(ways) > 1:
        ways = tuple(way for way in ways if all(place in there for place in way)) or ways
    return ways[0]


@lru_cache(1 << 14)
def _ways(game: str, action: str) -> tuple[tuple[str, ...], ...]:
    """Return the places that an action names, in every way that a picture may show them."""
    for pattern, ways in _PLACES.get(game, []):
        found = re.fullmatch(pattern, action)
        if found and ways:
            return tuple(tuple(map(_upright, found.expand(way).split(";"))) for way in ways)
        if found:
            break
    return ((),)


def shown(svg: str) -> list[str]:
    """Return the keys of the places in a picture, in the order they are drawn."""
    return [html.unescape(key) for key in re.findall(r'data-place="([^"]*)"', svg)]


def naming(
    game: str, actions: Iterable[str], picked: Sequence[str], there: Container[str]
) -> list[str]:
    """Return the actions that name all the picked places, each as often as it was picked."""
    wanted = Counter(picked)
    named = ((action, places(game, action, there)) for action in actions)
    return [
        action
        for action, found in named
        if all(found.count(place) >= times for place, times in wanted.items())
    ]


def kind(place: str) -> str:
    """Return what kind of place a key means."""
    return place.partition(" ")[0]


def _upright(place: str) -> str:
    """Return the key of a tile with its smaller half first."""
    return _TURNED.sub(
        lambda tile: f"{tile[1]} {min(tile[2], tile[3])}-{max(tile[2], tile[3])}", place
    )

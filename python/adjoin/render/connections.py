"""Connections: the cities with tokens, links and partnerships, on a map or in lists; the hands."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations
from math import ceil, copysign, cos, dist, inf, radians
from typing import Any, NamedTuple

from adjoin.render.draw import (
    INK,
    PAPER,
    SEATS,
    SOFT,
    Point,
    circle,
    clipped,
    curve,
    document,
    line,
    rect,
    text,
    winners,
)

_WIDTH = 1000
_EDGE = 20
_ROOM = (_WIDTH - 2 * _EDGE, 540)
"""The most that a map takes."""

_APART = 22
"""The least distance of two cities on a map."""

_SPOTS = ((0, -6), (1, -6), (2, -26), (2, 13), (0, -18), (0, 6), (1, -18), (1, 6))
"""Where a name can be: to the right, to the left, in the middle; and how far down it begins."""

_COLUMN, _ROW = 240, 24
_CARD, _HIGH = 100, 34
_DISCARDED = 9
"""The most cards of the discard pile that are shown."""

_SEA, _GRID, _MARK = "#fbf9f4", "#ddd6c8", "#e69f00"
_COLOURS = {
    "purple": "#8e5bb5",
    "orange": "#ef8a2c",
    "red": "#d7352c",
    "gray": "#8c8c8c",
    "yellow": "#f2cf1d",
    "dark green": "#1d6b3a",
    "light blue": "#7cc0ea",
    "maroon": "#7c1f35",
    "dark blue": "#23408e",
    "olive green": "#8a8a2e",
    "light green": "#8fd08a",
    "pink": "#f29bb8",
    "blue": "#3a6fd0",
    "green": "#3f9b4f",
    "brown": "#8c6d46",
    "black": "#222222",
    "white": "#ffffff",
}

Box = tuple[float, float, float, float]


class _Ground(NamedTuple):
    """What the tokens lie on."""

    edges: Box
    places: list[Point]
    """Where the cities are."""
    below: list[str]
    """What is drawn first."""
    words: list[str]
    """What is drawn after the lines between the cities."""
    around: float = inf
    """How far it is once around the world."""


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view: a map, or lists by region if a city has no coordinates."""
    has_map = all(city["lon"] is not None for city in view["cities"])
    ground = _map(view["cities"]) if has_map else _lists(view)
    cities = [city | {"at": at} for city, at in zip(view["cities"], ground.places, strict=True)]
    colours = _colours(view["regions"])
    parts = [*ground.below, _bonds(view["links"], cities, ground), *ground.words]
    parts += _tokens(view, cities, colours)
    y = ground.edges[3]
    if has_map:
        legend, y = _legend(view["regions"], colours, y)
        parts += _names(cities) + legend
    for n, words in enumerate(_caption(view)):
        y += 20
        weight = "normal" if n else "bold"
        parts.append(text(_EDGE, y, words, 13 if n else 15, INK, "start", font_weight=weight))
    discarded, y = _cards(view, view["discard"][: -_DISCARDED - 1 : -1], colours, y + 8)
    parts += discarded
    for seat in range(len(view["hands"])):
        hand, y = _hand(view, seat, colours, y)
        parts += hand
    height = y + 12
    paper = rect(0, 0, _WIDTH, height, PAPER)
    return document(_WIDTH, height, _caption(view)[0], [paper, *parts])


def _colours(regions: list[dict[str, Any]]) -> dict[str, str]:
    """Return the colours of the regions: their own, where it is one that can be drawn."""
    colours = {}
    for number, region in enumerate(regions):
        own = (region["colour"] or "").lower()
        known = own if re.fullmatch("#[0-9a-f]{6}", own) else _COLOURS.get(own)
        colours[region["id"]] = known or list(_COLOURS.values())[number]
    return colours


# Where the cities are.


def _map(cities: list[dict[str, Any]]) -> _Ground:
    """Return a map of the part of the world where the cities are."""
    east, north = (max(city[key] for city in cities) for key in ("lon", "lat"))
    west, south = (min(city[key] for city in cities) for key in ("lon", "lat"))
    wide = 1.05 * max(east - west, (north - south) / 2, 0.1)
    high = 1.1 * max(north - south, (east - west) / 4, 0.1)
    flat = max(cos(radians((south + north) / 2)), 0.2)
    flat *= min(max(high / flat / wide * _ROOM[0] / _ROOM[1], 0.65), 1)  # as high as there is room
    west, north = (west + east - wide) / 2, (south + north + high) / 2
    scale = min(_ROOM[0] / wide, _ROOM[1] * flat / high)
    left = (_WIDTH - wide * scale) / 2
    edges = (left, _EDGE, left + wide * scale, _EDGE + high * scale / flat)

    def at(lon: float, lat: float) -> Point:
        return round(left + (lon - west) * scale, 1), round(_EDGE + (north - lat) * scale / flat, 1)

    parts = [_box(edges, _SEA, stroke=_GRID)]
    step = next(step for step in (0.1, 1, 5, 10, 30) if wide < 13 * step)
    for lon in range(ceil(west / step), ceil((west + wide) / step)):
        x, _ = at(lon * step, north)
        parts.append(line([(x, edges[1]), (x, edges[3])], _GRID, 1))
    for lat in range(ceil((north - high) / step), ceil(north / step)):
        _, y = at(west, lat * step)
        parts.append(line([(edges[0], y), (edges[2], y)], _GRID, 1 if lat else 2))
    places = _apart(tuple(at(city["lon"], city["lat"]) for city in cities), edges)
    return _Ground(edges, places, parts, [], 360 * scale)


def _box(box: Box, fill: str, **more: object) -> str:
    left, top, right, bottom = box
    return rect(left, top, right - left, bottom - top, fill, **more)


@lru_cache(maxsize=8)
def _apart(places: tuple[Point, ...], edges: Box) -> list[Point]:
    """Return the places, moved aside where two tokens would cover each other."""
    left, top, right, bottom = edges
    moved = list(places)
    for _ in range(50):
        for one, other in combinations(range(len(moved)), 2):
            (x, y), (u, v) = moved[one], moved[other]
            if abs(x - u) < _APART and dist((x, y), (u, v)) < _APART:
                away = dist((x, y), (u, v))
                across, down = ((u - x) / away, (v - y) / away) if away else (1.0, 0.0)
                push = (_APART + 0.5 - away) / 2
                moved[one] = x - push * across, y - push * down
                moved[other] = u + push * across, v + push * down
        moved = [(_within(x, left, right), _within(y, top, bottom)) for x, y in moved]
    return [(round(x, 1), round(y, 1)) for x, y in moved]


def _within(x: float, low: float, high: float) -> float:
    return min(max(x, low + 14), high - 14)


def _lists(view: dict[str, Any]) -> _Ground:
    """Return the names of the cities by region."""
    cities = view["cities"]
    links = [n for n, city in enumerate(cities) if city["regions"][1:]]
    lists = [
        (region["name"], [n for n, city in enumerate(cities) if city["regions"] == [region["id"]]])
        for region in view["regions"]
    ] + [("Linking cities", links)] * bool(links)
    parts: list[str] = []
    places = [(0.0, 0.0)] * len(cities)
    y = float(_EDGE)
    in_a_row = (_WIDTH - 2 * _EDGE) // _COLUMN
    for begin in range(0, len(lists), in_a_row):
        row = lists[begin : begin + in_a_row]
        for column, (name, numbers) in enumerate(row):
            x = _EDGE + column * _COLUMN
            parts.append(text(x, y + 12, _cut(name, 34), 13, INK, "start", font_weight="bold"))
            for n, number in enumerate(numbers):
                places[number] = x + 12, y + 32 + n * _ROW
                name = _cut(cities[number]["name"], 34)
                parts.append(text(x + 28, y + 36 + n * _ROW, name, 12, INK, "start"))
        y += 34 + max(len(numbers) for _, numbers in row) * _ROW
    return _Ground((0, 0, _WIDTH, y), places, [], parts)


# What lies on them.


def _tokens(
    view: dict[str, Any], cities: list[dict[str, Any]], colours: dict[str, str]
) -> list[str]:
    """Return the cities and their tokens, links in a ring; those that can be played are marked."""
    words = [action.partition(" ") for action in view["legal"]]
    faces = [face for word, _, face in words if word in ("set", "play")] + view["chosen"]["cities"]
    marked = {face.split("/")[0] for face in faces}
    parts = []
    for city in cities:
        (x, y), seat = city["at"], city["token"]
        is_link = len(city["regions"]) > 1
        fill, edge = ("#ffffff", 2.0) if is_link else (colours[city["regions"][0]], 0.8)
        if city["name"] in marked:
            parts.append(circle(x, y, 10, "none", stroke=_MARK, stroke_width=3))
        radius = 4.5 if seat is None else 11 + is_link
        parts.append(circle(x, y, radius, fill, stroke=INK, stroke_width=edge))
        if seat is not None:
            parts += _token(seat, x, y)
    return parts


def _token(seat: int, x: float, y: float) -> list[str]:
    ink = "#ffffff" if seat < 3 else INK
    return [
        circle(x, y, 8, SEATS[seat], stroke="#ffffff"),
        text(x, y + 4, str(seat), 11, ink, font_weight="bold"),
    ]


def _bonds(links: list[dict[str, Any]], cities: list[dict[str, Any]], ground: _Ground) -> str:
    """Return curves from the links to the cities around them, dashed until there is a partner."""
    found = {city["id"]: city for city in cities}
    parts = []
    for link in links:
        (x, y), regions = found[link["city"]]["at"], found[link["city"]]["regions"]
        has_partner = link["partner"] is not None
        seats = [link["owner"], link["partner"]][: 1 + has_partner]
        width, style = (
            (3.5, {"opacity": 0.8}) if has_partner else (1.5, {"stroke_dasharray": "5 4"})
        )
        for city in cities:
            if city["token"] in seats and city["regions"] in [[region] for region in regions]:
                u, v = city["at"]
                # Once around the world where that is shorter: out at one edge, in at the other.
                over = copysign(ground.around, x - u) if abs(x - u) > ground.around / 2 else 0
                for a, b in [(x, u + over), (x - over, u)][: 2 if over else 1]:
                    bend = (a + b) / 2 + (v - y) / 8, (y + v) / 2 - abs(b - a) / 8
                    parts.append(curve((a, y), bend, (b, v), SEATS[city["token"]], width, **style))
    return clipped(ground.edges, parts)


def _names(cities: list[dict[str, Any]]) -> list[str]:
    """Return the names of the cities with tokens, each where it hides least."""
    played = [city for city in cities if city["token"] is not None]
    taken: list[Box] = []
    for city in cities:
        (x, y), reach = city["at"], 5 if city["token"] is None else 12
        taken.append((x - reach, y - reach, x + reach, y + reach))
    parts = []
    for city in played:
        (x, y), width = city["at"], 6.8 * len(city["name"])
        columns = (x + 14, x - 14 - width, x - width / 2)
        spots = [(columns[n], y + down) for n, down in _SPOTS]
        boxes = [(left, top, left + width, top + 13) for left, top in spots]
        inside = [box for box in boxes if box[0] > 0 and box[2] < _WIDTH] or boxes
        best = min(inside, key=lambda box: sum(_common(box, other) for other in taken))
        taken.append(best)
        parts.append(_box(best, _SEA, opacity=0.7))
        parts.append(text(best[0], best[1] + 10, city["name"], 11, INK, "start"))
    return parts


def _common(box: Box, other: Box) -> float:
    """Return the area that two boxes have in common."""
    across = min(box[2], other[2]) - max(box[0], other[0])
    down = min(box[3], other[3]) - max(box[1], other[1])
    return max(across, 0) * max(down, 0)


# Below them.


def _legend(
    regions: list[dict[str, Any]], colours: dict[str, str], y: float
) -> tuple[list[str], float]:
    parts = []
    entries = [(region["name"], colours[region["id"]], 0.8) for region in regions]
    for n, (name, fill, edge) in enumerate([*entries, ("linking city", "#ffffff", 2)]):
        x, down = _EDGE + n % 5 * 192, y + 18 + n // 5 * 18
        parts.append(circle(x + 6, down - 4, 5, fill, stroke=INK, stroke_width=edge))
        parts.append(text(x + 17, down, _cut(name, 26), 12, SOFT, "start"))
    return parts, y + 8 + (len(entries) // 5 + 1) * 18


def _hand(
    view: dict[str, Any], seat: int, colours: dict[str, str], y: float
) -> tuple[list[str], float]:
    """Return what stands below the table for a seat, and where it ends."""
    hand, points = view["hands"][seat], view["scores"][seat]["points"]
    is_seen = view["viewer"] in (None, seat) or view["to_act"] is None
    known = "" if is_seen else f" ({len(hand['held'])} known)"
    words = f"seat {seat}: cards {hand['cards']}{known}, tokens {hand['tokens']}, "
    words += f"turns {hand['turns']}, points {view['points'][seat]}, in this round {points}"
    if seat == view["announced"]:
        words += ", has announced the end"
    weight = "bold" if seat == view["to_act"] else "normal"
    parts = _token(seat, _EDGE + 8, y + 12)
    parts.append(text(_EDGE + 22, y + 17, words, 13, INK, "start", font_weight=weight))
    cards, y = _cards(view, hand["held"], colours, y + 24, is_seen)
    for words in _table(view, seat):
        y += 15
        parts.append(text(_EDGE + 22, y, words, 12, SOFT, "start"))
    return parts + cards, y + 6


def _table(view: dict[str, Any], seat: int) -> list[str]:
    """Return what a seat has on the table and what it is worth, in words."""
    names = {one["id"]: one["name"] for one in view["regions"]}
    sets = ", ".join(names[region] for region in view["sets"][seat])
    names = {one["id"]: one["name"] for one in view["cities"]}
    links = []
    for link in view["links"]:
        if link["owner"] == seat:
            invited = "" if link["invited"] is None else f" (seat {link['invited']} invited)"
            links.append(names[link["city"]] + invited)
    listed = [f"sets: {sets}"] * bool(sets) + [f"links: {', '.join(links)}"] * bool(links)
    return ["; ".join(listed)] * bool(listed) + [
        part["text"] for part in view["scores"][seat]["parts"]
    ]


def _cards(
    view: dict[str, Any],
    names: list[str],
    colours: dict[str, str],
    y: float,
    is_seen: bool = True,
) -> tuple[list[str], float]:
    """Return cards in rows, and where they end; in a hand that is not seen they are dashed."""
    regions = {city["name"]: city["regions"] for city in view["cities"]}
    chosen = view["chosen"]
    marked = [chosen["card"], chosen["reply"], chosen["taken"], *chosen["cities"]]
    cities = [set(name.split("/")) for name in marked if name]
    in_a_row = (_WIDTH - 2 * _EDGE - 22) // (_CARD + 4)
    parts = []
    for n, name in enumerate(names):
        x, top = _EDGE + 22 + n % in_a_row * (_CARD + 4), y + n // in_a_row * (_HIGH + 4)
        sides = name.split("/")
        edge: dict[str, object] = (
            {"stroke": INK} if is_seen else {"stroke_dasharray": "4 3", "stroke": SOFT}
        )
        if set(sides) in cities:
            edge |= {"stroke": _MARK, "stroke_width": 3}
        parts.append(rect(x, top, _CARD, _HIGH, "#ffffff", rx=3, **edge))
        for row, side in enumerate(sides):
            middle = top + _HIGH * (row + 0.5) / len(sides)
            parts.append(text(x + 15, middle + 3.5, _cut(side, 17), 10, INK, "start"))
            for dot, region in enumerate(regions[side]):
                down = middle + 10 * dot - 5 * (len(regions[side]) - 1)
                parts.append(circle(x + 8, down, 4, colours[region], stroke=INK, stroke_width=0.5))
    return parts, y + ceil(len(names) / in_a_row) * (_HIGH + 4)


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _caption(view: dict[str, Any]) -> list[str]:
    chosen, turn = view["chosen"], f"seat {view['turn']}"
    link = next((city["name"] for city in view["cities"] if city["id"] == chosen["link"]), None)
    doing = {
        "announce": f"{turn} may announce the end of the round",
        "offer": f"seat {chosen['asked']} may offer a card",
        "answer": f"seat {chosen['asked']} offers seat {chosen['to']} {chosen['card']}",
        "accept": f"seat {chosen['asked']} may give {chosen['card']} "
        f"to seat {chosen['to']} for {chosen['reply']}",
        "play": f"{turn} to play",
        "invited": f"{turn} invites seat {chosen['to']} to {link}",
        "set": f"{turn} plays a set: {', '.join(chosen['cities'])} and …",
        "draw": f"{turn} draws a card",
        "discard": f"{turn} discards a card",
        "over": f"over, won by {winners(view['returns'])}",
    }[view["phase"]]
    facts = [
        f"round {view['round']} of {view['rounds']}, dealt by seat {view['dealer']}",
        f"pile {view['pile']}, discarded {len(view['discard'])}",
        *([f"turns without a card played {view['idle']}"] if view["idle"] else []),
    ]
    lines = [f"Connections: {doing}", "; ".join(facts)]
    if view["history"]:
        lines.append(f"points of the last round: {', '.join(map(str, view['history'][-1]))}")
    if view["discard"]:
        lines.append("discarded, the top first:")
    return lines

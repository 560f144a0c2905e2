"""Connections: the cities with tokens, links and partnerships, on a map or in lists; the hands."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, zip_longest
from math import ceil, copysign, cos, dist, inf, radians
from typing import Any, NamedTuple

from adjoin.render.draw import (
    INK,
    NAMED,
    PAPER,
    SEATS,
    SOFT,
    Point,
    badge,
    circle,
    clipped,
    curve,
    document,
    ending,
    line,
    measure,
    place,
    rect,
    shortened,
    target,
    text,
    wrapped,
)

_WIDTH = 1000
_EDGE = 20
_ROOM = (_WIDTH - 2 * _EDGE, 540)
"""The most that a map takes."""

_APART = 22
"""The least distance of two cities on a map."""

_SPOTS = tuple(
    (across, down, away)
    for away in (0, 9, 18, 30, 44, 60, 80, 105)
    for across, down in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
)
"""Where a name can be: in which direction, and how much farther away than beside the token."""

_FAR = 150
"""More than a name can be away from its place."""

_DASHES = ("none", "9 3", "2 3", "9 3 2 3", "5 3", "14 3 2 3 2 3")
"""The lines of the seats."""

_COLUMN, _ROW = 240, 24
_CARD, _HIGH = 100, 50
_HALF = (_WIDTH - 2 * _EDGE) // 2
"""The room for a seat."""

_KEY = (
    "thick line: set; thin curve: link; thick curve: partnership; dashed card: known to all; "
    "orange: can be played or is chosen; ring: played last; (+1): the next seat"
)
_DISCARDED = 9
"""The most cards of the discard pile that are shown."""

_HALO = {"stroke": PAPER, "stroke_width": 4, "paint_order": "stroke"}
_SEA, _GRID, _MARK = "#fbf9f4", "#ddd6c8", "#e69f00"

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


class _Table(NamedTuple):
    """A view, and what tells its regions apart."""

    view: dict[str, Any]
    colours: dict[str, str]
    codes: dict[str, str]
    marked: set[str]
    """The names of the cities that can be played or are chosen."""


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view: a map, or lists by region if a city has no coordinates."""
    has_map = all(city["lon"] is not None for city in view["cities"])
    ground = _map(view["cities"]) if has_map else _lists(view)
    cities = [city | {"at": at} for city, at in zip(view["cities"], ground.places, strict=True)]
    colours = _colours(view["regions"])
    codes = _codes(view["regions"])
    parts = [*ground.below, *_sets(view, cities), _bonds(view["links"], cities, ground)]
    table = _Table(view, colours, codes, _marked(view))
    parts += ground.words
    y = ground.edges[3]
    if has_map:
        legend, y = _legend(view["regions"], colours, codes, y)
        regions = tuple((one["id"], one["name"], codes[one["id"]]) for one in view["regions"])
        named = tuple(
            _City(
                city["name"],
                city["at"],
                tuple(city["regions"]),
                city["token"] is not None,
                city["name"] in table.marked,
            )
            for city in cities
        )
        names, taken = _names(regions, named, ground.edges)
        parts += names + _held(view, named, ground.edges, taken) + legend
    parts += _tokens(table, cities, 22 if has_map else _COLUMN - 12)
    for n, words in enumerate(_caption(view)):
        y += 20
        size, weight = (13, "normal") if n else (15, "bold")
        words = shortened(words, size, _WIDTH - 2 * _EDGE, not n)
        parts.append(text(_EDGE, y, words, size, INK, "start", font_weight=weight))
    piles, y = _piles(table, y + 8)
    parts += piles
    seats = range(len(view["hands"]))
    around = [(seat + (view["viewer"] or 0)) % len(seats) for seat in seats]
    for pair in zip_longest(around[::2], around[1::2]):
        hands = [_hand(table, seat, y, n) for n, seat in enumerate(pair) if seat is not None]
        parts += [part for hand, _ in hands for part in hand]
        y = max(end for _, end in hands)
    parts.append(text(_EDGE, y + 12, _KEY, 11, SOFT, "start"))
    height = y + 24
    paper = rect(0, 0, _WIDTH, height, PAPER)
    return document(_WIDTH, height, _caption(view)[0], [paper, *parts])


def _colours(regions: list[dict[str, Any]]) -> dict[str, str]:
    """Return the colours of the regions: their own, where it is one that can be drawn."""
    colours = {}
    for number, region in enumerate(regions):
        own = (region["colour"] or "").lower()
        known = own if re.fullmatch("#[0-9a-f]{6}", own) else NAMED.get(own)
        colours[region["id"]] = known or list(NAMED.values())[number]
    return colours


def _codes(regions: list[dict[str, Any]]) -> dict[str, str]:
    """Return short names of the regions, no two of them the same."""
    codes: dict[str, str] = {}
    for number, region in enumerate(regions):
        words = region["name"].split()
        code = "".join(word[0] for word in words)[:4] if words[1:] else region["name"][:3]
        is_new = len(code) > 1 and code not in codes.values()
        codes[region["id"]] = code if is_new else f"{code}{number:02}"
    return codes


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


def _within(x: float, low: float, high: float, margin: float = 14) -> float:
    return min(max(x, low + margin), high - margin)


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
            parts.append(
                text(
                    x,
                    y + 12,
                    shortened(name, 13, _COLUMN - 12, bold=True),
                    13,
                    INK,
                    "start",
                    font_weight="bold",
                    **_HALO,
                )
            )
            for n, number in enumerate(numbers):
                places[number] = x + 12, y + 32 + n * _ROW
                name = shortened(cities[number]["name"], 12, _COLUMN - 36)
                parts.append(text(x + 28, y + 36 + n * _ROW, name, 12, INK, "start", **_HALO))
        y += 34 + max(len(numbers) for _, numbers in row) * _ROW
    return _Ground((0, 0, _WIDTH, y), places, [], parts)


# What lies on them.


def _marked(view: dict[str, Any]) -> set[str]:
    words = [action.partition(" ") for action in view["legal"]]
    faces = [face for word, _, face in words if word in ("set", "play")] + view["chosen"]["cities"]
    return {face.split("/")[0] for face in faces}


def _tokens(table: _Table, cities: list[dict[str, Any]], wide: float) -> list[str]:
    """Return the cities and their tokens, links in a ring; those that can be played are marked.

    To choose a city, it is ``wide`` from the left of its token on.
    """
    view, colours = table.view, table.colours
    word, _, face = (view.get("last") or "").partition(" ")
    last = face.split("/")[0] if word in ("set", "play") else None
    parts = []
    for city in cities:
        (x, y), seat = city["at"], city["token"]
        is_link = len(city["regions"]) > 1
        fill, edge = ("#ffffff", 2.0) if is_link else (colours[city["regions"][0]], 0.8)
        drawn = []
        if city["name"] in table.marked:
            drawn.append(circle(x, y, 10, "none", stroke=_MARK, stroke_width=3))
        radius = 4.5 if seat is None else 11 + is_link
        drawn.append(circle(x, y, radius, fill, stroke=INK, stroke_width=edge))
        if seat is not None:
            drawn += _token(seat, x, y)
            if city["name"] == last:
                drawn.append(circle(x, y, 14, "none", stroke=INK, stroke_width=2))
        if view["viewer"] is not None:
            drawn = [place(f"city {city['name']}", [target(x - 11, y - 11, wide, 22), *drawn])]
        parts += drawn
    return parts


def _token(seat: int, x: float, y: float) -> list[str]:
    return [circle(x, y, 8, "#ffffff"), *badge(seat, x, y, 8.5)]


def _sets(view: dict[str, Any], cities: list[dict[str, Any]]) -> list[str]:
    """Return lines through the cities of each set."""
    parts = []
    for seat, regions in enumerate(view["sets"]):
        for region in regions:
            of_set = [c for c in cities if c["token"] == seat and c["regions"] == [region]]
            points = sorted(city["at"] for city in of_set)
            style = {"stroke_dasharray": _DASHES[seat], "stroke_linejoin": "round"}
            parts.append(line(points, SEATS[seat], 5, opacity=0.6, **style))
    return parts


def _bonds(links: list[dict[str, Any]], cities: list[dict[str, Any]], ground: _Ground) -> str:
    """Return curves from the links to the cities around them, thin until there is a partner."""
    found = {city["id"]: city for city in cities}
    parts = []
    for link in links:
        (x, y), regions = found[link["city"]]["at"], found[link["city"]]["regions"]
        has_partner = link["partner"] is not None
        seats = [link["owner"], link["partner"]][: 1 + has_partner]
        width = 3.5 if has_partner else 1.5
        for city in cities:
            if city["token"] in seats and city["regions"] in [[region] for region in regions]:
                (u, v), seat = city["at"], city["token"]
                style = {"stroke_dasharray": _DASHES[seat], "opacity": 0.8}
                # Once around the world where that is shorter: out at one edge, in at the other.
                over = copysign(ground.around, x - u) if abs(x - u) > ground.around / 2 else 0
                for a, b in [(x, u + over), (x - over, u)][: 2 if over else 1]:
                    bend = (a + b) / 2 + (v - y) / 8, (y + v) / 2 - abs(b - a) / 8
                    parts.append(curve((a, y), bend, (b, v), SEATS[seat], width, **style))
    return clipped(ground.edges, parts)


class _City(NamedTuple):
    """What the names on a map depend on."""

    name: str
    at: Point
    regions: tuple[str, ...]
    has_token: bool
    is_marked: bool


@lru_cache(maxsize=64)
def _names(
    regions: tuple[tuple[str, str, str], ...], cities: tuple[_City, ...], edges: Box
) -> tuple[list[str], list[Box]]:
    """Return the names of regions, and of cities with tokens or a mark, where they hide nothing.

    A region is its id, name and code. The boxes are those of the cities and of all names.
    """
    taken: list[Box] = []
    for city in cities:
        (x, y), reach = city.at, 12 if city.has_token else 6
        taken.append((x - reach, y - reach, x + reach, y + reach))
    parts = []
    for city in sorted(cities, key=lambda city: not city.has_token):
        if not city.has_token and not city.is_marked:
            continue
        (x, y), name = city.at, shortened(city.name, 11, 150)
        box = _room(name, 11, (x, y), 16 if city.has_token else 13, taken, edges)
        taken.append(box)
        u, v = _within(x, box[0], box[2], 0), _within(y, box[1], box[3], 0)
        if dist((x, y), (u, v)) > 18:
            parts.append(line([(x, y), (u, v)], INK, 0.8))
        parts.append(_box(box, _SEA, opacity=0.7))
        parts.append(text(box[0], box[1] + 10, name, 11, INK, "start"))
    for id, full, code in regions:
        own = [city.at for city in cities if city.regions == (id,)]
        middle = sum(x for x, _ in own) / len(own), sum(y for _, y in own) / len(own)
        name = shortened(full, 11, 170)
        box = _room(name, 11, middle, 0, taken, edges)
        if dist(middle, _centre(box)) > 75 or any(_common(box, other) for other in taken):
            name = code
            box = _room(name, 11, middle, 0, taken, edges)
        taken.append(box)
        centre = _centre(box)
        nearest = min(own, key=lambda at: dist(at, centre))
        if any(dist(city.at, centre) < dist(nearest, centre) for city in cities):
            begin = _within(nearest[0], box[0], box[2], 0), _within(nearest[1], box[1], box[3], 0)
            parts.append(line([begin, nearest], SOFT, 0.8))
        parts.append(text(box[0], box[1] + 10, name, 11, SOFT, "start", font_style="italic"))
    return parts, taken


def _held(
    view: dict[str, Any], cities: tuple[_City, ...], edges: Box, taken: list[Box]
) -> list[str]:
    """Return the names of further cities on the viewer's cards, small, where there is room."""
    viewer = view["viewer"]
    cards = [] if viewer is None else view["hands"][viewer]["held"]
    held = {side for card in cards for side in card.split("/")}
    parts, taken = [], taken.copy()
    for city in cities:
        if city.name in held and not city.has_token and not city.is_marked:
            box = _room(city.name, 9, city.at, 7, taken, edges, _SPOTS[:8])
            if not any(_common(box, other) for other in taken):
                taken.append(box)
                parts.append(text(box[0], box[1] + 9, city.name, 9, INK, "start"))
    return parts


def _centre(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _room(
    words: str,
    size: float,
    at: Point,
    beside: float,
    taken: list[Box],
    edges: Box,
    spots: tuple[tuple[int, int, int], ...] = _SPOTS,
) -> Box:
    """Return where there is room for words near a place, or where they hide least."""
    wide, high = measure(words, size), size + 2
    reach = wide + _FAR, high + _FAR
    near = [
        box
        for box in taken
        if box[0] - at[0] < reach[0] > at[0] - box[2] and box[1] - at[1] < reach[1] > at[1] - box[3]
    ]
    best, least = (0.0, 0.0, 0.0, 0.0), inf
    for across, down, more in spots:
        x = at[0] + across * (beside + more + wide / 2)
        y = at[1] + down * (beside + more + high / 2)
        x = _within(x, edges[0], edges[2], wide / 2 + 2)
        y = _within(y, edges[1], edges[3], high / 2 + 2)
        box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        hidden = sum(_common(box, other) for other in near)
        if hidden < least:
            best, least = box, hidden
        if not hidden:
            break
    return best


def _common(box: Box, other: Box) -> float:
    """Return the area that two boxes have in common."""
    across = min(box[2], other[2]) - max(box[0], other[0])
    if across <= 0:
        return 0
    return across * max(min(box[3], other[3]) - max(box[1], other[1]), 0)


# Below them.


def _legend(
    regions: list[dict[str, Any]], colours: dict[str, str], codes: dict[str, str], y: float
) -> tuple[list[str], float]:
    parts = []
    entries = [
        (f"{codes[region['id']]} {region['name']}", colours[region["id"]], 0.8)
        for region in regions
    ]
    for n, (name, fill, edge) in enumerate([*entries, ("linking city", "#ffffff", 2)]):
        x, down = _EDGE + n % 4 * 240, y + 18 + n // 4 * 18
        parts.append(circle(x + 6, down - 4, 5, fill, stroke=INK, stroke_width=edge))
        parts.append(text(x + 17, down, shortened(name, 12, 215), 12, SOFT, "start"))
    return parts, y + 8 + (len(entries) // 4 + 1) * 18


def _piles(table: _Table, y: float) -> tuple[list[str], float]:
    """Return the pile, face down, and the top of the discard pile; and where they end."""
    view, x = table.view, _EDGE + 22
    depth, ink = ((4, 2, 0), "#ffffff") if view["pile"] else ((), SOFT)
    parts = [rect(x + n, y + n, 64, _HIGH - 4, SOFT, rx=3, stroke=PAPER) for n in depth]
    parts = parts or [rect(x, y, 64, _HIGH - 4, PAPER, rx=3, stroke=SOFT)]
    parts.append(text(x + 32, y + _HIGH / 2 + 2, f"pile {view['pile']}", 12, ink))
    is_seat = view["viewer"] is not None
    if is_seat:
        parts = [place("pile", parts)]
    shown = view["discard"][: -_DISCARDED - 1 : -1]
    if not shown:
        return parts, y + _HIGH + 4
    cards, bottom = _cards(table, shown, (x + 146, y), 7)
    cards.append(text(x + 78, y + 14, "discarded,", 11, SOFT, "start"))
    cards.append(text(x + 78, y + 28, "top first:", 11, SOFT, "start"))
    if is_seat:
        cards = [place("discard pile", [target(x + 76, y, 70, _HIGH), *cards])]
    return parts + cards, bottom


def _hand(table: _Table, seat: int, y: float, column: int) -> tuple[list[str], float]:
    """Return what stands below the table for a seat, and where it ends."""
    view, x = table.view, _EDGE + column * _HALF
    hand, points = view["hands"][seat], view["scores"][seat]["points"]
    is_seen = view["viewer"] in (None, seat) or view["to_act"] is None
    known = "" if is_seen else f" ({len(hand['held'])} known)"
    after = (seat - (view["viewer"] or 0)) % len(view["hands"])
    is_other = view["viewer"] is not None and after > 0
    who = f"seat {seat} (+{after})" if is_other else f"seat {seat}"
    words = f"{who}: cards {hand['cards']}{known}, tokens {hand['tokens']}"
    weight = "bold" if seat == view["to_act"] else "normal"
    parts = _token(seat, x + 8, y + 14)
    parts.append(text(x + 22, y + 19, words, 13, INK, "start", font_weight=weight))
    style = {"stroke_dasharray": _DASHES[seat]}
    parts.append(line([(x + 360, y + 14), (x + 440, y + 14)], SEATS[seat], 3.5, **style))
    words = f"points {view['points'][seat]}, in this round {points}, turns {hand['turns']}"
    if seat == view["announced"]:
        words += ", has announced the end"
    parts.append(text(x + 22, y + 35, words, 12, INK, "start"))
    top, is_own = y, seat == view["viewer"]
    cards, y = _cards(table, hand["held"], (x + 22, y + 42), 4, is_seen, is_own)
    for words in _table(view, seat):
        y += 15
        size = min(12, (_HALF - 30) / measure(words, 1))
        parts.append(text(x + 22, y, words, round(size, 2), SOFT, "start"))
    parts += cards
    if is_other:
        ground = target(x, top + 2, _HALF - 8, y + 4 - top)
        parts = [place(f"player +{after}", [ground, *parts])]
    return parts, y + 10


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
    return wrapped("; ".join(listed).split(), 12, _HALF - 30) + [
        part["text"] for part in view["scores"][seat]["parts"]
    ]


def _cards(
    table: _Table,
    names: list[str],
    at: Point,
    in_a_row: int,
    is_seen: bool = True,
    is_own: bool = False,
) -> tuple[list[str], float]:
    """Return cards in rows, and where they end; in a hand that is not seen they are dashed."""
    regions = {city["name"]: city["regions"] for city in table.view["cities"]}
    chosen = table.view["chosen"]
    marked = [chosen["card"], chosen["reply"], chosen["taken"], *chosen["cities"]]
    words = [action.partition(" ") for action in table.view["legal"]]
    marked += [face for word, _, face in words if word in ("set", "play")]
    cities = [set(name.split("/")) for name in marked if name]
    parts = []
    for n, name in enumerate(names):
        x, top = at[0] + n % in_a_row * (_CARD + 4), at[1] + n // in_a_row * (_HIGH + 4)
        sides = name.split("/")
        edge: dict[str, object] = (
            {"stroke": INK} if is_seen else {"stroke_dasharray": "4 3", "stroke": SOFT}
        )
        if set(sides) in cities:
            edge |= {"stroke": _MARK, "stroke_width": 3}
        card = [rect(x, top, _CARD, _HIGH, "#ffffff", rx=3, **edge)]
        for row, side in enumerate(sides):
            middle = top + _HIGH * (row + 0.5) / len(sides)
            card.append(text(x + 5, middle - 1, shortened(side, 10, _CARD - 8), 10, INK, "start"))
            left = x + 9
            for region in regions[side]:
                fill, code = table.colours[region], table.codes[region]
                card.append(circle(left, middle + 5.5, 3.5, fill, stroke=INK, stroke_width=0.5))
                code = shortened(code, 8, _CARD / len(regions[side]) - 13)
                card.append(text(left + 6, middle + 8.5, code, 8, SOFT, "start"))
                left += 14 + measure(code, 8)
        if is_own:
            card = [place(f"card {name}", card)]
        parts += card
    return parts, at[1] + ceil(len(names) / in_a_row) * (_HIGH + 4)


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
        "over": ending(view["returns"]),
    }[view["phase"]]
    facts = [
        f"round {view['round']} of {view['rounds']}, dealt by seat {view['dealer']}",
        f"pile {view['pile']}, discarded {len(view['discard'])}",
        *([f"turns without a card played {view['idle']}"] if view["idle"] else []),
    ]
    lines = [f"Connections: {doing}", "; ".join(facts)]
    if view["history"]:
        lines.append(f"points of the last round: {', '.join(map(str, view['history'][-1]))}")
    return lines

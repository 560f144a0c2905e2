"""Metro Domino as a metro map: stations, lettered lines with their tiles, the hands."""

from __future__ import annotations

from itertools import count, pairwise
from math import copysign
from typing import TYPE_CHECKING, Any

from adjoin.render.draw import (
    HALF,
    INK,
    PAPER,
    PIPS,
    SOFT,
    Point,
    badge,
    circle,
    document,
    ending,
    ink_on,
    line,
    measure,
    moved,
    place,
    rect,
    shortened,
    target,
    text,
    tile,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_EDGE = 20
_WIDTH, _MOST = 800, 1100
"""The least and the most width."""

_ROW = 58
"""How far the rows of two lines are apart."""

_APART = 22
"""What lies between the rows that go up from the start station and those that go down."""

_STEP = 2 * HALF + 3
_STEPS = (_STEP, 28, 16)
"""How far apart the empty places beyond the next of a line can be: as far as there is room."""
_LETTER, _FIRST = 34, 48
"""How far right of a station the letters of its lines are, and their first tiles."""

_END = 26
"""How far right of its last tile a line ends."""

_RADIUS, _TRUNK, _BEND = 13, 11, 18
_NAME = 170
"""The most room that the name of a station takes."""

_WORDS = 368
"""The least room for a seat in words."""

_KEY = (
    "ringed letter: active line, three at most; dashed: empty, with the value to match; "
    "crossed end: out of service",
    "orange with a plus: can be played; heavy frame: played last; bar above: just drawn",
)
_LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6aa8", "#8c6d46")
_MARK = "#e69f00"


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view."""
    name = shortened(view["stations"][0]["name"], 12, _NAME, bold=True)
    left = _EDGE + measure(name, 12, bold=True) + 8 + _RADIUS + _wider(view["stations"][0], 2)
    for step in _STEPS:
        lines = _laid_out(view, left, step)
        right = max(one["right"] for one in lines) + _EDGE
        if right <= _MOST * 1.1:
            break
    width, scale = min(max(_WIDTH, right), _MOST), min(_MOST / right, 1)
    parts = _map(view, lines, name)
    if scale < 1:
        parts = [f'<g transform="scale({scale:.3g})">', *parts, "</g>"]
    top = max(one["y"] for one in lines) * scale + 60
    below = [text(_EDGE, 0, _caption(view), 15, INK, "start", font_weight="bold")]
    below += _piles(view, 12)
    y = 42.0
    if facts := _facts(view):
        below.append(text(_EDGE, y + 10, facts, 13, INK, "start"))
        y += 20
    for seat in range(len(view["hands"])):
        hand, high = _hand(view, seat, width)
        below.append(moved(0, y, hand))
        y += high
    for words in _KEY:
        y += 15
        below.append(text(_EDGE, y, words, 11, SOFT, "start"))
    height = top + y + _EDGE
    parts.append(moved(0, top, below))
    return document(width, height, _caption(view), [rect(0, 0, width, height, PAPER), *parts])


# Where the lines are: each in a row of its own, those of a station one above the other, with the
# row of the line that leads there going on as that of its line nearest to the start station's.


def _laid_out(view: dict[str, Any], left: float, step: float) -> list[dict[str, Any]]:
    """Return the lines that can be seen, with their rows and where they begin and end.

    The start station is at ``left``, empty places beyond the next are ``step`` apart. The rows
    below the start station are 1, 2, …, those above it -1, -2, … .
    """
    lines = {
        one["name"]: one | {"colour": _LINES[number % len(_LINES)]}
        for number, one in enumerate(view["lines"])
        if one["state"] != "waiting"
    }
    stations = {one["id"]: one for one in view["stations"]}
    found: list[dict[str, Any]] = []

    def put(x: float, before: float, names: list[str], rows: Iterator[int]) -> None:
        """Place lines of a station at x with a name that reaches so far, the nearest first."""
        first = len(found)
        for trunk, name in enumerate(names):
            one = lines[name]
            limits = " ".join(_limits(one))
            shown = min(len(one["tiles"]) + 1, one["length"])
            one["slots"] = [
                n * _STEP + max(n - shown, 0) * (step - _STEP) for n in range(one["length"] + 1)
            ]
            ends = x + _FIRST + one["slots"][-1]
            ends = max(ends, x + _LETTER + measure(limits, 10)) + _END
            found.append(one)
            one |= {"x": x, "trunk": trunk, "limits": limits, "ends": ends, "right": ends + 8}
            one["beside"] = found[first]
            following = stations.get(one["leads_to"])
            if following is None:
                one["row"] = next(rows)
                continue
            label = shortened(following["name"], 12, _NAME, bold=True)
            half = measure(label, 12, bold=True) / 2
            ends = max(ends + _wider(following), x + before + half + 12)
            one |= {"ends": ends, "right": ends + half + 8, "label": label, "opens": following}
            upper.update(following["lines"] if name in upper else ())
            at = len(found)
            put(ends, half, following["lines"][:: -1 if name in upper else 1], rows)
            one["row"] = found[at]["row"]

    names = view["stations"][0]["lines"]
    middle = (len(names) + 1) // 2
    upper = set(names[:middle])
    put(left, 0, names[:middle][::-1], count(-1, -1))
    put(left, 0, names[middle:], count(1))
    top = min(_level(one["row"]) for one in found)
    for one in found:
        one["y"] = _EDGE + 34 + _level(one["row"]) - top
    return list(lines.values())


def _level(row: int) -> float:
    """Return how far below the middle of the start station a row is."""
    return copysign((abs(row) - 0.5) * _ROW + _APART / 2, row)


def _wider(station: dict[str, Any], sides: int = 1) -> float:
    """Return how much wider than a circle a station is for the lines that leave up or down."""
    return float(max(-(-len(station["lines"]) // sides) - 2, 0) * _TRUNK)


def _limits(one: dict[str, Any]) -> list[str]:
    return [
        *([f"Min{one['min']}"] if one["min"] is not None else []),
        *([f"Max{one['max']}"] if one["max"] is not None else []),
        *(["no doubles"] if one["no_doubles"] else []),
    ]


# The map.


def _map(view: dict[str, Any], lines: list[dict[str, Any]], name: str) -> list[str]:
    words = [action.partition(" ")[2].removesuffix(" reversed") for action in view["legal"]]
    last = _last(view)
    parts = [_track(one) for one in sorted(lines, key=lambda one: -one["x"])]
    for one in lines:
        stops = _stops(one, one["name"] in words, one["name"] == last)
        if view["viewer"] is not None:
            left = _LETTER - 14
            ground = target(left, -18, one["ends"] - one["x"] - 14 - left, 36)
            stops = [place(f"line {one['name']}", [ground, *stops])]
        parts.append(moved(one["x"], one["y"], stops))
        if "opens" in one:
            parts += _station(one)
    start = view["stations"][0]
    levels = [one["y"] for one in lines if one["station"] == start["id"] and not one["trunk"]]
    wider, x, y = _wider(start, 2), lines[0]["x"], (min(levels) + max(levels)) / 2
    at = x - wider - _RADIUS - 8, y + 4
    name = text(*at, name, 12, INK, "end", font_weight="bold")
    return [*parts, _lozenge(x, min(levels), max(levels), wider), name]


def _last(view: dict[str, Any]) -> str | None:
    """Return the line with the tile that was played last, if that was the last decision."""
    halves, _, name = (view.get("last") or "").partition(" ")
    for one in view["lines"]:
        if one["name"] in (name, name.removesuffix(" reversed")) and one["tiles"]:
            inward, outward = one["tiles"][-1]
            return one["name"] if halves == f"{inward}-{outward}" else None
    return None


def _lozenge(x: float, top: float, bottom: float, wider: float) -> str:
    wide, high = 2 * _RADIUS + wider, bottom - top + 2 * _RADIUS
    style = {"rx": _RADIUS, "stroke": INK, "stroke_width": 3}
    return rect(x - _RADIUS - wider, top - _RADIUS, wide, high, "white", **style)


def _track(one: dict[str, Any]) -> str:
    """Return the track of a line: along its row, or up or down and then along it."""
    x, y = one["x"], one["y"]
    down = _BEND if one["row"] > 0 else -_BEND
    points: list[Point] = [(x, y)]
    if one["trunk"]:
        trunk = x - _TRUNK * (one["trunk"] - 1)
        points = [(trunk, one["beside"]["y"]), (trunk, y - down), (trunk + _BEND, y)]
    points.append((one["ends"], y))
    style: dict[str, object] = {"stroke_linejoin": "round"}
    if one["state"] == "open":
        style |= {"stroke_dasharray": "7 4", "opacity": 0.6}
    return line(points, one["colour"], 7, **style)


def _stops(one: dict[str, Any], is_legal: bool, is_last: bool) -> list[str]:
    """Return a line's letter, limits, tiles, empty places and end, from where it begins on."""
    colour, letter = one["colour"], one["name"].rpartition(" ")[2]
    parts = []
    if one["state"] == "active":
        ring = {"stroke": INK, "stroke_width": 2}
        parts.append(circle(_LETTER, 0, 12.5, PAPER, **ring))
    parts.append(circle(_LETTER, 0, 9.5, colour))
    parts.append(text(_LETTER, 4, letter, 11, ink_on(colour), font_weight="bold"))
    over = -15 if one["row"] < 0 else 24
    if one["limits"]:
        parts.append(text(_FIRST, over, one["limits"], 10, INK, "start"))
    for number, (slot, after) in enumerate(pairwise(one["slots"])):
        left, top = _FIRST + slot, -HALF / 2
        if number < len(one["tiles"]):
            parts += tile(one["tiles"][number], left, top)
            if is_last and number == len(one["tiles"]) - 1:
                parts.append(_frame(left, top, INK, data_last=one["station"]))
        else:
            is_next = number == len(one["tiles"])
            parts += _empty(one, left, after - slot - 3, is_next, is_legal and is_next)
    if "opens" not in one:
        end = one["ends"] - one["x"]
        if one["state"] == "closed":
            parts.append(rect(end - 3, -10, 6, 20, colour))
        elif one["out_of_service"]:
            parts += _crossed(end, one["name"])
        else:
            style = {"stroke": colour, "stroke_width": 2, "stroke_dasharray": "3 3"}
            parts.append(circle(end, 0, 7, PAPER, **style))
    return parts


def _crossed(x: float, name: str) -> list[str]:
    """Return the end of a line that is out of service."""
    return [
        circle(x, 0, 9, PAPER, stroke=INK, stroke_width=2.5, data_out_of_service=name),
        line([(x - 4, -4), (x + 4, 4)], INK, 2.5),
        line([(x - 4, 4), (x + 4, -4)], INK, 2.5),
    ]


def _frame(left: float, top: float, colour: str, **more: object) -> str:
    return rect(left, top, 2 * HALF, HALF, "none", rx=3, stroke=colour, stroke_width=3.5, **more)


def _empty(
    one: dict[str, Any], left: float, wide: float, is_next: bool, is_marked: bool
) -> list[str]:
    """Return a place for a tile; the next one shows the value to match."""
    top = -HALF / 2
    style = {"rx": 3, "stroke": one["colour"], "stroke_dasharray": "3 3"}
    parts = [rect(left, top, wide, HALF, PAPER, **style)]
    if one["end"] is not None and is_next:
        for column, row in PIPS[one["end"]]:
            x, y = left + HALF * (0.24 + 0.26 * column), top + HALF * (0.24 + 0.26 * row)
            parts.append(rect(x - 1.3, y - 1.3, 2.6, 2.6, SOFT))
    if is_marked:
        middle, centre = left + HALF * 1.5, top + HALF / 2
        parts.append(_frame(left, top, _MARK, data_legal=one["station"]))
        parts += _plus(middle, centre, 5)
    return parts


def _plus(x: float, y: float, arm: float) -> list[str]:
    return [
        line([(x - arm, y), (x + arm, y)], INK, 2),
        line([(x, y - arm), (x, y + arm)], INK, 2),
    ]


def _station(one: dict[str, Any]) -> list[str]:
    x, y, owner = one["ends"], one["y"], one["opens"]["owner"]
    below = 28 if one["row"] < 0 else -19
    return [
        _lozenge(x, y, y, _wider(one["opens"])),
        *badge(owner, x, y),
        text(x, y + below, one["label"], 12, INK, font_weight="bold"),
    ]


# Below the map.


def _back(left: float, top: float) -> list[str]:
    """Return a tile with its face down."""
    wide, high = HALF * 1.5, HALF * 0.75
    inner = {"rx": 1, "stroke": PAPER, "stroke_width": 1}
    return [
        rect(left, top, wide, high, SOFT, rx=3, stroke=INK),
        rect(left + 3, top + 3, wide - 6, high - 6, "none", **inner),
    ]


def _piles(view: dict[str, Any], y: float) -> list[str]:
    """Return the store, the stations that are left and the metro tokens in the supply."""
    parts = _back(_EDGE, y)
    if view["viewer"] is not None:
        parts = [place("pile", [target(_EDGE, y - 4, 36, 24), *parts])]
    middle = y + 8
    piles = (
        (42, f"store {view['store']}"),
        (154, f"stations left {view['stations_left']}"),
        (312, f"metro tokens left {view['supply']}"),
    )
    parts.append(rect(_EDGE + 128, middle - 7, 18, 14, "white", rx=7, stroke=INK, stroke_width=2))
    parts += _token(_EDGE + 298, middle)
    for x, words in piles:
        parts.append(text(_EDGE + x, middle + 5, words, 13, INK, "start"))
    return parts


def _facts(view: dict[str, Any]) -> str:
    facts = [f"passes {view['passes']}"] * bool(view["passes"])
    others = [action for action in view["legal"] if " " not in action]
    facts += [f"possible: {', '.join(others)}"] * bool(others)
    if view["wins_needed"] > 1:
        won = ":".join(map(str, view["wins"]))
        facts.append(f"game {view['game_number']}, won {won}, {view['wins_needed']} needed")
    return "; ".join(facts)


def _token(x: float, y: float) -> list[str]:
    return [
        circle(x, y, 7, "#ffffff", stroke=INK, stroke_width=1.5),
        text(x, y + 3.5, "M", 9, INK, font_weight="bold"),
    ]


def _hand(view: dict[str, Any], seat: int, width: float) -> tuple[list[str], float]:
    """Return what stands below the map for a seat, and how high it is."""
    hand, is_turn = view["hands"][seat], seat == view["to_act"]
    words = (
        f"seat {seat}: tiles {hand['tiles']}, stations {hand['stations']}, "
        f"score {view['scores'][seat]}, tokens {hand['tokens']}"
    )
    weight = "bold" if is_turn else "normal"
    parts = badge(seat, _EDGE + 10, 12)
    parts.append(text(_EDGE + 28, 17, words, 13, INK, "start", font_weight=weight))
    x = _EDGE + 28 + max(_WORDS, measure(words, 13, bold=True) + 10)
    if seat == view["viewer"] and hand["tokens"]:
        tokens = [part for n in range(hand["tokens"]) for part in _token(x + 11 + 18 * n, 12)]
        ground = target(x, 1, 4 + 18 * hand["tokens"], 22)
        parts.append(place("token", [ground, *tokens]))
    if not hand["held"]:
        backs, rows = _backs(hand["tiles"], x, 4, width)
        return parts + backs, max(rows, 1) * 24 + 6
    y = 27
    playable = {frozenset(action.partition(" ")[0].split("-")) for action in view["legal"]}
    in_a_row = int((width - 2 * _EDGE - 28) // (_STEP + 5))
    for number, halves in enumerate(hand["held"]):
        x, top = _EDGE + 28 + number % in_a_row * (_STEP + 5), y + number // in_a_row * 34
        face = tile(halves, x, top)
        if is_turn and frozenset(map(str, halves)) in playable:
            face.append(_frame(x, top, _MARK, data_tile="-".join(map(str, halves))))
            face += _plus(x + HALF, top + HALF + 4.5, 3.5)
        if is_turn and halves == view["drawn"]:
            face.append(line([(x, top - 4), (x + 2 * HALF, top - 4)], INK, 2.5))
        if seat == view["viewer"]:
            face = [place("tile " + "-".join(map(str, sorted(halves))), face)]
        parts += face
    return parts, y - (-len(hand["held"]) // in_a_row) * 34 + 4


def _backs(tiles: int, x: float, y: float, width: float) -> tuple[list[str], int]:
    """Return tiles with their faces down, and how many rows they take."""
    step = HALF * 1.5 + 4
    in_a_row = int((width - _EDGE - x) // step)
    parts = []
    for number in range(tiles):
        parts += _back(x + number % in_a_row * step, y + number // in_a_row * 24)
    return parts, -(-tiles // in_a_row)


def _caption(view: dict[str, Any]) -> str:
    if view["to_act"] is None:
        return f"Metro Domino: {ending(view['returns'])}"
    doing = {
        "turn": "adds a tile",
        "drawn": "has drawn a tile",
        "extra": "may add one more tile after a double",
        "more": "may spend a metro token",
        "spent": "adds a tile for a token",
    }[view["phase"]]
    return f"Metro Domino: seat {view['to_act']} {doing}"

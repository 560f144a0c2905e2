"""Domiphun: the path of dominoes, or the construction in space and how it stands; the hands."""

from __future__ import annotations

from fractions import Fraction
from math import cos, pi, sin
from typing import Any

from adjoin.render.draw import (
    HALF,
    INK,
    PAPER,
    PIPS,
    SEATS,
    SOFT,
    Point,
    circle,
    document,
    line,
    polygon,
    rect,
    text,
    tile,
    winners,
)

_STEP = 2 * HALF + 4
_IN_A_ROW = 12
_ROW = 44
_EDGE = 20
_MIN_WIDTH = 640
_GRID = "#ddd6c8"
_ENDS = ("#0072b2", "#d55e00", "#009e73", "#7f6aa8", "#8c6d46")
_X, _STAR, _SUPPORT = "#cc79a7", "#e69f00", "#56b4e9"
_FACES = {"z": "#ffffff", "x": "#d3dbe2", "y": "#ebe3d0"}

_EAST, _NORTH, _UP = (42, 18), (32, -23), (0, -44)
_ACROSS = {"x": (_NORTH, (0, 0, 1)), "y": (_EAST, (0, 0, 1)), "z": (_EAST, (0, 1, 0))}
"""By axis: where a plate's text runs, and which of its corners is the upper left one."""

Part = tuple[float, str]


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view."""
    table, width, y = _construction(view) if view["variant"] == "advanced" else _path(view)
    width = max(_MIN_WIDTH, width)
    foot = []
    for n, words in enumerate(_caption(view)):
        y += 20
        weight = "normal" if n else "bold"
        foot.append(text(_EDGE, y, words, 13 if n else 15, INK, "start", font_weight=weight))
    y += 12
    for seat in range(len(view["hands"])):
        parts, height = _hand(view, seat, width)
        foot.append(f'<g transform="translate(0 {y:g})">{"".join(parts)}</g>')
        y += height
    height = y + 12
    parts = [rect(0, 0, width, height, PAPER), *table, *foot]
    return document(width, height, _caption(view)[0], parts)


# The path on the table.


def _path(view: dict[str, Any]) -> tuple[list[str], float, float]:
    """Return the path from end A to end B, row by row there and back, its width and height."""
    path = view["path"]
    if not path:
        return [], 0, _EDGE
    dominoes = [path[n : n + 2] for n in range(0, len(path), 2)]
    before, *places, after = (_place(n) for n in range(-1, len(dominoes) + 1))
    track = [(x + HALF, y + HALF / 2) for x, y in (before, *places, after)]
    parts = [line(track, _GRID, 6)]
    for n, (halves, place) in enumerate(zip(dominoes, places, strict=True)):
        parts += tile(halves[::-1] if n // _IN_A_ROW % 2 else halves, *place)
    for end, place in zip(view["ends"], (track[0], track[-1]), strict=True):
        parts += _badge(end["name"], *place)
    return parts, 2 * _EDGE + (_IN_A_ROW + 1) * _STEP, after[1] + _ROW


def _place(number: int) -> Point:
    """Return where a domino of the path lies; -1 is before the first."""
    row, column = divmod(max(number, 0), _IN_A_ROW)
    along = _IN_A_ROW - 1 - column if row % 2 else column
    if number < 0:
        along = -1
    return _EDGE + (along + 1) * _STEP, _EDGE + row * _ROW


def _badge(name: str, x: float, y: float) -> list[str]:
    return [
        circle(x, y, 9, _colour(name), stroke="#ffffff", stroke_width=1.5),
        text(x, y + 4, name, 12, "#ffffff", font_weight="bold"),
    ]


def _colour(end: str) -> str:
    return _ENDS[(ord(end) - ord("A")) % len(_ENDS)]


# The construction in space.


def _screen(x: float, y: float, z: float) -> Point:
    """Return where a point of space is seen, from the south-east and above."""
    across, down = (x * e + y * n + z * u for e, n, u in zip(_EAST, _NORTH, _UP, strict=True))
    return across, down


def _nearness(corners: list[list[int]]) -> float:
    """Return where a plate comes in the order of drawing.

    A plate that hides a part of another has the greater nearness. Where a line of sight goes
    through both, the nearer point lies further east, further south and higher. Along an axis, a
    plate takes a unit interval of the lattice or a point of it, so its middle is then no further
    away than the other's, and nearer along the axis to which the plate is perpendicular.
    """
    return sum(x - y + z for x, y, z in corners) / len(corners)


def _construction(view: dict[str, Any]) -> tuple[list[str], float, float]:
    """Return the construction, its width and height."""
    plates = view["plates"]
    if not plates:
        return [], 0, _EDGE
    corners = [corner for plate in plates for corner in plate["corners"]]
    west, east = min(x for x, _, _ in corners) - 1, max(x for x, _, _ in corners) + 1
    south, north = min(y for _, y, _ in corners) - 1, max(y for _, y, _ in corners) + 1
    table = [
        _screen(x, y, 0) for x, y in ((west, south), (east, south), (east, north), (west, north))
    ]
    seen = [*table, *(_screen(*corner) for corner in corners)]
    left, top = (min(point[n] for point in seen) for n in (0, 1))
    width, height = (max(point[n] for point in seen) for n in (0, 1))
    parts = [polygon(table, "#fbf9f4", stroke=_GRID)]
    for x in range(west + 1, east):
        parts.append(line([_screen(x, south, 0), _screen(x, north, 0)], _GRID, 1))
    for y in range(south + 1, north):
        parts.append(line([_screen(west, y, 0), _screen(east, y, 0)], _GRID, 1))
    support = [_screen(x, y, 0) for x, y in view["balance"]["support"]]
    parts.append(polygon(support, _SUPPORT, fill_opacity=0.45, stroke="#0072b2"))
    for plate in plates:
        shadow = [_screen(x, y, 0) for x, y, _ in plate["corners"]]
        if plate["place"][2] > 0:
            parts.append(polygon(shadow, INK, opacity=0.18, stroke=INK, stroke_width=1.5))
    drawn = [_plate(plate, plates[plate["number"] ^ 1]) for plate in plates]
    drawn += [_joint(plate, plates[plate["joint"]["to"]]) for plate in plates if plate["joint"]]
    parts += [part for _, part in sorted(drawn, key=lambda one: one[0])]
    parts += _balance(view, support) + _marks(view) + _compass(left, height)
    down, across = _EDGE + 20 - top, _EDGE + 20 - left
    whole = f'<g transform="translate({across:g} {down:g})">{"".join(parts)}</g>'
    return [whole], width + across + _EDGE + 20, height + down + 20


def _plate(plate: dict[str, Any], partner: dict[str, Any]) -> Part:
    """Return a plate with its pips, its number and its Starjoiner."""
    corners = plate["corners"]
    while corners[0] not in partner["corners"] or corners[-1] not in partner["corners"]:
        corners = [*corners[1:], corners[0]]
    face = [_screen(*corner) for corner in corners]
    fill = {"data_plate": plate["number"], "stroke": SOFT, "stroke_width": 0.5}
    place = " ".join(map("{:g}".format, _matrix(plate)))
    inside = [circle(0.32 + 0.2 * i, 0.32 + 0.2 * j, 0.07, INK) for i, j in PIPS[plate["value"]]]
    inside.append(text(0.06, 0.22, str(plate["number"]), 0.22, INK, "start"))
    if plate["starjoiner"]:
        inside.append(polygon(_star(0.82, 0.82, 0.17), _STAR, stroke=INK, stroke_width=0.02))
    parts = [
        polygon(face, _FACES[plate["axis"]], **fill),
        line(face, INK, 1.5, stroke_linejoin="round"),
        f'<g transform="matrix({place})">{"".join(inside)}</g>',
    ]
    return _nearness(corners), "".join(parts)


def _matrix(plate: dict[str, Any]) -> tuple[float, ...]:
    """Return how a unit square is drawn so that it covers the plate."""
    across, corner = _ACROSS[plate["axis"]]
    x, y = _NORTH if plate["axis"] == "z" else _UP
    start = _screen(*(at + more for at, more in zip(plate["place"], corner, strict=True)))
    return *across, -x, -y, *start


def _star(x: float, y: float, radius: float) -> list[Point]:
    spokes = [(n * pi / 5, radius if n % 2 == 0 else 0.45 * radius) for n in range(10)]
    return [(round(x + r * sin(turn), 3), round(y - r * cos(turn), 3)) for turn, r in spokes]


def _joint(plate: dict[str, Any], other: dict[str, Any]) -> Part:
    """Return the joiner of two plates, to be drawn after them and before what hides it."""
    edge = [corner for corner in plate["corners"] if corner in other["corners"]]
    one, two = (_screen(*corner) for corner in edge)
    (x, y), near = _between(one, two, 0.5), _nearness(edge) + 1
    if plate["joint"]["joiner"] == "ordinary":
        return near, line([_between(one, two, 0.35), _between(one, two, 0.65)], INK, 4)
    cross = [line([(x - 3, y - way), (x + 3, y + way)], "#ffffff", 2) for way in (3, -3)]
    return near, "".join([line([one, two], _X, 4), circle(x, y, 6, "#8a3c66"), *cross])


def _balance(view: dict[str, Any], support: list[Point]) -> list[str]:
    """Return the centre of mass above its point on the table, and the edge of the support."""
    x, y = (float(Fraction(number)) for number in view["balance"]["centre"])
    heights = [corner[2] for plate in view["plates"] for corner in plate["corners"]]
    below, centre = _screen(x, y, 0), _screen(x, y, sum(heights) / len(heights))
    return [
        polygon(support, "none", stroke="#0072b2", stroke_width=1.5, stroke_dasharray="2 4"),
        line([centre, below], "#d1495b", 1.5, stroke_dasharray="4 3"),
        circle(*centre, 3.5, "#d1495b", stroke="#ffffff"),
        circle(*below, 5, "none", stroke="#d1495b", stroke_width=2),
        circle(*below, 1.5, "#d1495b"),
    ]


def _marks(view: dict[str, Any]) -> list[str]:
    """Return the ends, and the squares that can be chosen or are chosen; nothing hides them."""
    plates, legal = view["plates"], view["legal"]
    faces = [[_screen(*corner) for corner in plate["corners"]] for plate in plates]
    chosen = view["chosen"]["plate"]
    parts = []
    for number, face in enumerate(faces):
        if number == chosen or f"plate {number}" in legal:
            parts.append(polygon(face, _STAR, fill_opacity=0.3, stroke=_STAR, stroke_width=3))
    for end in view["ends"]:
        face, colour = faces[end["plate"]], _colour(end["name"])
        parts.append(polygon(face, "none", stroke=colour, stroke_width=3, stroke_dasharray="6 3"))
    for end in view["ends"]:
        a, b, c, d, x, y = _matrix(plates[end["plate"]])
        parts += _badge(end["name"], x + 0.6 * a - 0.2 * c, y + 0.6 * b - 0.2 * d)
    return parts


def _compass(x: float, y: float) -> list[str]:
    parts = []
    for (right, down), name in ((_EAST, "east"), (_NORTH, "north"), (_UP, "up")):
        parts.append(line([(x, y), (x + right * 0.6, y + down * 0.6)], SOFT, 1.5))
        parts.append(text(x + right * 0.9, y + down * 0.9 + 4, name, 11, SOFT))
    return parts


def _between(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


# Below the table.


def _hand(view: dict[str, Any], seat: int, width: float) -> tuple[list[str], float]:
    """Return what stands below the table for a seat, and how high it is."""
    hand = view["hands"][seat]
    words = f"seat {seat}: {'dominoes' if view['variant'] == 'traditional' else 'squares'} "
    words += str(hand["pieces"])
    if view["variant"] == "advanced":
        words += f", X joiners {hand['x_joiners']}, Starjoiners {hand['starjoiners']}"
    weight = "bold" if seat == view["to_act"] else "normal"
    parts = [circle(_EDGE + 6, 12, 6, SEATS[seat])]
    parts.append(text(_EDGE + 18, 17, words, 13, INK, "start", font_weight=weight))
    tiles = [piece if isinstance(piece, list) else [piece] for piece in hand["held"]]
    if not tiles:
        return parts, 24
    step = len(tiles[0]) * HALF + 6
    in_a_row = int((width - 2 * _EDGE - 18) // step)
    for n, halves in enumerate(tiles):
        parts += tile(halves, _EDGE + 18 + n % in_a_row * step, 24 + n // in_a_row * 28)
    return parts, 24 + ((len(tiles) - 1) // in_a_row + 1) * 28


def _caption(view: dict[str, Any]) -> list[str]:
    chosen = view["chosen"]
    domino = "-".join(map(str, chosen["domino"] or ()))
    doing = {
        "turn": "to play",
        "star": f"has closed end {chosen['end']} with a Starjoiner and chooses a domino",
        "plate": f"chooses the square to which {domino} is joined",
        "place": f"chooses the side of square {chosen['plate']} for {domino}",
        "over": "",
    }[view["phase"]]
    title = f"Domiphun ({view['variant']}): seat {view['to_act']} {doing}"
    if view["to_act"] is None:
        title = f"Domiphun ({view['variant']}): over, won by {winners(view['returns'])}"
    shown = [f"{end['name']} shows {end['value']}" for end in view["ends"]]
    facts = [*shown, f"pool {view['pool']}"]
    if view["balance"]:
        facts += [f"height {view['height']}", f"{view['balance']['margin']} from toppling"]
    lines = [title, ", ".join(facts)]
    if view["games"] > 1:
        wins, points = (":".join(map(str, view[name])) for name in ("wins", "points"))
        games = f"game {view['game_number']} of {view['games']}"
        lines.append(f"{games}, games won {wins}, points {points}")
    return lines

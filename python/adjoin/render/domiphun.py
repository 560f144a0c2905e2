"""Domiphun: the path of dominoes, or the construction in space and how it stands; the hands."""

from __future__ import annotations

from fractions import Fraction
from math import cos, pi, sin
from typing import Any, NamedTuple

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
    line,
    measure,
    place,
    placed,
    polygon,
    rect,
    target,
    text,
    tile,
    wrapped,
)

_STEP = 2 * HALF + 4
_IN_A_ROW = 12
_ROW = 50
_EDGE = 20
_WIDTH = 760
"""The least width."""

_MOST = (820, 420)
"""The most room that a construction takes."""

_LEFT = 120
"""Left of the construction: the compass."""

_GRID = "#ddd6c8"
_MARK = "#e69f00"
_ENDS = ("#0072b2", "#d55e00", "#009e73", "#7f6aa8", "#8c6d46")
_X, _SUPPORT, _CENTRE = "#cc79a7", "#56b4e9", "#d1495b"
_FACES = {"z": "#ffffff", "x": "#d3dbe2", "y": "#ebe3d0"}

_EAST, _NORTH, _UP = (42, 18), (32, -23), (0, -44)
_ACROSS = {"x": (_NORTH, (0, 0, 1)), "y": (_EAST, (0, 0, 1)), "z": (_EAST, (0, 1, 0))}
"""By axis: where a plate's text runs, and which of its corners is the upper left one."""

_WAYS = {
    "east": (1, 0, 0),
    "west": (-1, 0, 0),
    "north": (0, 1, 0),
    "south": (0, -1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}
_AROUND = sorted(
    ((right, down) for right in range(-120, 121, 8) for down in range(-90, 91, 6)),
    key=lambda way: way[0] ** 2 + way[1] ** 2,
)
"""Ways from a point, the shortest first."""

_PLAYED = "orange with a plus: can be played; heavy frame: played last"
_BUILT = "dashed, with a letter: end; bar: joiner; cross: X joiner; star: closed by a Starjoiner"
_BALANCE = "blue: support; red: centre of mass, the point below it and the nearest edge"

Part = tuple[float, str]
Spot = tuple[float, float, float]


def svg(view: dict[str, Any], *, balance: bool = False, turn: int = 0) -> str:
    """Return the picture of a view; the construction turned, and how it stands, if asked for."""
    scene = _scene(view, turn) if view["plates"] else None
    if scene:
        parts, width, y = _construction(view, scene, balance)
    else:
        parts, width, y = _path(view)
    title, *facts = _caption(view)
    y += 20
    parts.append(text(_EDGE, y, title, 15, INK, "start", font_weight="bold"))
    if scene and balance:
        facts.append(_standing(view))
    for words in facts:
        y += 20
        parts.append(text(_EDGE, y, words, 13, INK, "start"))
    parts += _pool(view, y + 14)
    y += 44
    for seat in range(len(view["hands"])):
        hand, y = _hand(view, seat, y, width)
        parts += hand
    for words in [_PLAYED, *[_BUILT] * bool(scene), *[_BALANCE] * bool(scene and balance)]:
        y += 15
        parts.append(text(_EDGE, y, words, 11, SOFT, "start"))
    height = y + _EDGE
    return document(width, height, title, [rect(0, 0, width, height, PAPER), *parts])


def _plus(x: float, y: float, arm: float = 3.5) -> list[str]:
    return [
        line([(x - arm, y), (x + arm, y)], INK, 2),
        line([(x, y - arm), (x, y + arm)], INK, 2),
    ]


def _marked(x: float, y: float) -> list[str]:
    """Return the mark of what can be played."""
    return [circle(x, y, 6, _MARK, data_legal="plus"), *_plus(x, y)]


# The path on the table.


def _path(view: dict[str, Any]) -> tuple[list[str], float, float]:
    """Return the path from end A to end B, row by row there and back, its width and height."""
    path = view["path"]
    if not path:
        empty = rect(
            _EDGE, _EDGE, 2 * HALF, HALF, "none", rx=3, stroke=SOFT, stroke_dasharray="3 3"
        )
        words = text(_EDGE + _STEP + 8, _EDGE + 15, "no domino yet", 13, SOFT, "start")
        return [empty, words], _WIDTH, _EDGE + 32
    dominoes = [path[n : n + 2] for n in range(0, len(path), 2)]
    before, *spots, after = (_spot(n) for n in range(-1, len(dominoes) + 1))
    track = [(x + HALF, y + HALF / 2) for x, y in (before, *spots, after)]
    parts = [line(track, _GRID, 6, stroke_linejoin="round")]
    for n, (halves, spot) in enumerate(zip(dominoes, spots, strict=True)):
        parts += tile(halves[::-1] if n // _IN_A_ROW % 2 else halves, *spot)
    last = _last(view, dominoes)
    if last is not None:
        heavy = {"rx": 3, "stroke": INK, "stroke_width": 3.5, "data_last": last}
        x, y = spots[last]
        parts.append(rect(x, y, 2 * HALF, HALF, "none", **heavy))
    for end, (x, y) in zip(view["ends"], (track[0], track[-1]), strict=True):
        words = text(x, y + 24, f"shows {end['value']}", 11, INK)
        shown = [target(x - 22, y - 15, 44, 44), *_badge(end["name"], x, y), words]
        if any(action.endswith(f" {end['name']}") for action in view["legal"]):
            ring = circle(x, y, 12, "none", stroke=_MARK, stroke_width=3.5, data_legal="end")
            shown += [ring, *_marked(x + 12, y - 10)]
        parts.append(placed(view, f"end {end['name']}", shown))
    return parts, _WIDTH, after[1] + _ROW


def _spot(number: int) -> Point:
    """Return where a domino of the path lies; -1 is before the first."""
    row, column = divmod(max(number, 0), _IN_A_ROW)
    along = _IN_A_ROW - 1 - column if row % 2 else column
    if number < 0:
        along = -1
    return _EDGE + (along + 1) * _STEP, _EDGE + row * _ROW


def _last(view: dict[str, Any], dominoes: list[list[int]]) -> int | None:
    """Return which domino of the path was played last, if that was the last decision."""
    domino, _, end = (view.get("last") or "").partition(" ")
    number = 0 if end in ("", "A") else len(dominoes) - 1
    ways = {"A": [dominoes[number][::-1]], "B": [dominoes[number]]}
    opened = [dominoes[number]] if len(dominoes) == 1 else []
    found = domino in ("-".join(map(str, one)) for one in ways.get(end, opened))
    return number if found else None


def _badge(name: str, x: float, y: float) -> list[str]:
    return [
        circle(x, y, 9, _colour(name), stroke="#ffffff", stroke_width=1.5),
        text(x, y + 4, name, 12, "#ffffff", font_weight="bold"),
    ]


def _colour(end: str) -> str:
    return _ENDS[(ord(end) - ord("A")) % len(_ENDS)]


# The construction in space.


class _Plate(NamedTuple):
    """A square of the construction, turned."""

    corners: list[Spot]
    axis: str
    least: Spot


class _Scene(NamedTuple):
    """The construction as it is looked at."""

    turn: int
    plates: list[_Plate]
    ghosts: dict[str, list[_Plate]]
    """By action: where the domino goes."""
    table: tuple[float, float, float, float]
    """Its edges, turned: the least and the greatest x, the least and the greatest y."""
    scale: float
    left: float
    top: float
    width: float
    bottom: float
    tabs: dict[str, tuple[float, float, float]]
    """By action: where its name is written, and half its width."""

    def at(self, x: float, y: float, z: float) -> Point:
        """Return where a turned point is in the picture."""
        across, down = _screen(x, y, z)
        return round(self.left + self.scale * across, 2), round(self.top + self.scale * down, 2)

    def face(self, plate: _Plate) -> list[Point]:
        """Return the outline of a plate in the picture."""
        return [self.at(*corner) for corner in plate.corners]

    def middle(self, plate: _Plate) -> Point:
        """Return the middle of a plate in the picture."""
        return self.at(*(sum(along) / 4 for along in zip(*plate.corners, strict=True)))


def _turned(spot: Spot, turn: int) -> Spot:
    """Return a point after quarter turns around the vertical, anticlockwise as seen from above."""
    x, y, z = spot
    for _ in range(turn):
        x, y = -y, x
    return x, y, z


def _screen(x: float, y: float, z: float) -> Point:
    """Return where a turned point of space is seen, before it is scaled and moved.

    The eye is above; x runs to the right and towards it, y to the right and away from it.
    """
    across, down = (x * e + y * n + z * u for e, n, u in zip(_EAST, _NORTH, _UP, strict=True))
    return across, down


def _nearness(corners: list[Spot]) -> float:
    """Return where a plate comes in the order of drawing.

    A plate that hides a part of another has the greater nearness. Where a line of sight goes
    through both, the nearer point has the greater x, the smaller y and the greater z. Along an
    axis, a plate takes a unit interval of the lattice or a point of it, so its middle is then no
    further away than the other's, and nearer along the axis to which the plate is perpendicular.
    """
    return sum(x - y + z for x, y, z in corners) / len(corners)


def _scene(view: dict[str, Any], turn: int) -> _Scene:
    """Return the construction turned, and scaled down to the room there is."""
    plates = [_plate_of(plate["corners"], turn) for plate in view["plates"]]
    ghosts = {}
    if view["phase"] == "place":
        chosen = view["plates"][view["chosen"]["plate"]]["corners"]
        for action in view["legal"]:
            ghosts[action] = [_plate_of(corners, turn) for corners in _joined(chosen, action)]
    corners = [corner for plate in plates for corner in plate.corners]
    table = (
        min(x for x, _, _ in corners) - 1,
        max(x for x, _, _ in corners) + 1,
        min(y for _, y, _ in corners) - 1,
        max(y for _, y, _ in corners) + 1,
    )
    west, east, south, north = table
    seen = [_screen(x, y, 0) for x in (west, east) for y in (south, north)]
    seen += [_screen(*corner) for corner in corners]
    seen += [_screen(*spot) for pair in ghosts.values() for plate in pair for spot in plate.corners]
    left, top = (min(point[n] for point in seen) for n in (0, 1))
    width, height = (max(point[n] for point in seen) - low for n, low in ((0, left), (1, top)))
    scale = min(1, _MOST[0] / width, _MOST[1] / height)
    left, top = _LEFT - scale * left, _EDGE + 10 - scale * top
    right, bottom = _LEFT + scale * width, _EDGE + 10 + scale * height
    scene = _Scene(turn, plates, ghosts, table, scale, left, top, right, bottom, {})
    tabs = _tabs(scene)
    right = max([right, *(x + half for x, _, half in tabs.values())]) + _EDGE
    bottom = max([bottom, *(y + 8 for _, y, _ in tabs.values())]) + 10
    return scene._replace(tabs=tabs, width=right, bottom=bottom)


def _plate_of(corners: list[Spot], turn: int) -> _Plate:
    turned = [_turned(corner, turn) for corner in corners]
    x, y, z = zip(*turned, strict=True)
    axis = next(name for name, along in zip("xyz", (x, y, z), strict=True) if len({*along}) == 1)
    return _Plate(turned, axis, (min(x), min(y), min(z)))


def _joined(corners: list[Spot], action: str) -> list[list[Spot]]:
    """Return the corners of a domino's two squares, joined to a square as an action says."""
    words = action.split()
    side, heading = _WAYS[words[0]], _WAYS[words[-1]]
    reach = [sum(a * b for a, b in zip(side, corner, strict=True)) for corner in corners]
    edge = [corner for corner, far in zip(corners, reach, strict=True) if far == max(reach)]
    if len(words) == 1 and edge[0] == corners[0] and edge[-1] == corners[-1]:
        edge.reverse()
    rows = [[_moved(corner, heading, steps) for corner in edge] for steps in range(3)]
    return [[*rows[n], *rows[n + 1][::-1]] for n in range(2)]


def _moved(spot: Spot, way: tuple[int, int, int], steps: int) -> Spot:
    x, y, z = (at + steps * step for at, step in zip(spot, way, strict=True))
    return x, y, z


def _construction(
    view: dict[str, Any], scene: _Scene, balance: bool
) -> tuple[list[str], float, float]:
    """Return the construction, its width and where it ends."""
    west, east, south, north = scene.table
    ground = [(west, south), (east, south), (east, north), (west, north)]
    parts = [polygon([scene.at(x, y, 0) for x, y in ground], "#fbf9f4", stroke=_GRID)]
    for x in range(int(west) + 1, int(east)):
        parts.append(line([scene.at(x, south, 0), scene.at(x, north, 0)], _GRID, 1))
    for y in range(int(south) + 1, int(north)):
        parts.append(line([scene.at(west, y, 0), scene.at(east, y, 0)], _GRID, 1))
    if balance:
        parts.append(polygon(_support(view, scene), _SUPPORT, fill_opacity=0.45, stroke="#0072b2"))
    parts += _shadows(scene)
    drawn = [_square(view, scene, plate) for plate in view["plates"]]
    drawn += [_joint(view, scene, plate) for plate in view["plates"] if plate["joint"]]
    whole = "".join(part for _, part in sorted(drawn, key=lambda one: one[0]))
    moved = f"translate({scene.left:g} {scene.top:g}) scale({scene.scale:g})"
    parts.append(f'<g transform="{moved}">{whole}</g>')
    if balance:
        parts += _balance(view, scene)
    parts += _marks(view, scene) + _ends(view, scene) + _ghosts(view, scene)
    parts += _compass(scene)
    return parts, max(_WIDTH, scene.width), scene.bottom


def _shadows(scene: _Scene) -> list[str]:
    """Return the shadow of all that is above the table."""
    shadows = {
        polygon([scene.at(x, y, 0) for x, y, _ in plate.corners], INK, stroke=INK)
        for plate in scene.plates
        if plate.least[2] > 0
    }
    return [f'<g opacity="0.18">{"".join(sorted(shadows))}</g>'] if shadows else []


def _square(view: dict[str, Any], scene: _Scene, plate: dict[str, Any]) -> Part:
    """Return a square with its pips, its number and its Starjoiner."""
    number = plate["number"]
    one, partner = scene.plates[number], scene.plates[number ^ 1]
    corners = one.corners
    while corners[0] not in partner.corners or corners[-1] not in partner.corners:
        corners = [*corners[1:], corners[0]]
    face = [_screen(*corner) for corner in corners]
    inside = [circle(0.32 + 0.2 * i, 0.32 + 0.2 * j, 0.07, INK) for i, j in PIPS[plate["value"]]]
    inside.append(text(0.06, 0.22, str(number), 0.22, INK, "start"))
    if plate["starjoiner"]:
        inside.append(polygon(_star(0.82, 0.82, 0.17), _MARK, stroke=INK, stroke_width=0.02))
    matrix = " ".join(map("{:g}".format, _matrix(one)))
    heavy = 3.5 if _is_last(view, number) else 1.5
    parts = [
        polygon(face, _FACES[one.axis], data_plate=number, stroke=SOFT, stroke_width=0.5),
        line(face, INK, heavy, stroke_linejoin="round"),
        f'<g transform="matrix({matrix})">{"".join(inside)}</g>',
    ]
    if view["phase"] == "plate":
        parts = [placed(view, f"plate {number}", parts)]
    return _nearness(one.corners), "".join(parts)


def _is_last(view: dict[str, Any], number: int) -> bool:
    """Return whether a square was placed with the last decision."""
    last, plates = view.get("last") or "", view["plates"]
    opened = "-".join(str(plate["value"]) for plate in plates) == last
    return number >= len(plates) - 2 and (opened or last.partition(" ")[0] in _WAYS)


def _matrix(plate: _Plate) -> tuple[float, ...]:
    """Return how a unit square is drawn so that it covers the plate."""
    across, corner = _ACROSS[plate.axis]
    x, y = _NORTH if plate.axis == "z" else _UP
    start = _screen(*(at + more for at, more in zip(plate.least, corner, strict=True)))
    return *across, -x, -y, *start


def _star(x: float, y: float, radius: float) -> list[Point]:
    spokes = [(n * pi / 5, radius if n % 2 == 0 else 0.45 * radius) for n in range(10)]
    return [(round(x + r * sin(turn), 3), round(y - r * cos(turn), 3)) for turn, r in spokes]


def _joint(view: dict[str, Any], scene: _Scene, plate: dict[str, Any]) -> Part:
    """Return the joiner of two plates, to be drawn after them and before what hides it."""
    one, other = scene.plates[plate["number"]], scene.plates[plate["joint"]["to"]]
    edge = [corner for corner in one.corners if corner in other.corners]
    begin, end = (_screen(*corner) for corner in edge)
    (x, y), near = _between(begin, end, 0.5), _nearness(edge) + 1
    if plate["joint"]["joiner"] == "ordinary":
        return near, line([_between(begin, end, 0.35), _between(begin, end, 0.65)], INK, 4)
    cross = [line([(x - 3, y - way), (x + 3, y + way)], "#ffffff", 2) for way in (3, -3)]
    return near, "".join([line([begin, end], _X, 4), circle(x, y, 6, "#8a3c66"), *cross])


def _between(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def _support(view: dict[str, Any], scene: _Scene) -> list[Point]:
    corners = (_turned((x, y, 0), scene.turn) for x, y in view["balance"]["support"])
    return [scene.at(*corner) for corner in corners]


def _balance(view: dict[str, Any], scene: _Scene) -> list[str]:
    """Return the centre of mass, its point on the table, and the support's edge near it."""
    x, y = (float(Fraction(number)) for number in view["balance"]["centre"])
    heights = [corner[2] for plate in scene.plates for corner in plate.corners]
    edge = _nearest(view["balance"]["support"], (x, y))
    spots = ((x, y, sum(heights) / len(heights)), (x, y, 0.0), (*edge, 0.0))
    centre, below, near = (scene.at(*_turned(spot, scene.turn)) for spot in spots)
    dashed = {"stroke_width": 1.5, "stroke_dasharray": "2 4"}
    return [
        polygon(_support(view, scene), "none", stroke="#0072b2", **dashed),
        line([centre, below], _CENTRE, 1.5, stroke_dasharray="4 3"),
        line([below, near], _CENTRE, 3),
        circle(*near, 3, _CENTRE),
        circle(*centre, 4, _CENTRE, stroke="#ffffff"),
        circle(*below, 5, "none", stroke=_CENTRE, stroke_width=2),
        circle(*below, 1.5, _CENTRE),
    ]


def _nearest(corners: list[Point], point: Point) -> Point:
    """Return the point of a polygon's edge that is nearest to a point."""
    found = []
    for begin, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        way = end[0] - begin[0], end[1] - begin[1]
        along = sum((p - b) * w for p, b, w in zip(point, begin, way, strict=True))
        part = along / (way[0] ** 2 + way[1] ** 2)
        found.append(_between(begin, end, min(1.0, max(0.0, part))))
    return min(found, key=lambda one: (one[0] - point[0]) ** 2 + (one[1] - point[1]) ** 2)


def _marks(view: dict[str, Any], scene: _Scene) -> list[str]:
    """Return the squares that can be chosen or are chosen; nothing hides them."""
    parts: list[Part] = []
    for number, plate in enumerate(scene.plates):
        is_legal = f"plate {number}" in view["legal"]
        if not is_legal and number != view["chosen"]["plate"]:
            continue
        orange = {"fill_opacity": 0.3, "stroke": _MARK, "stroke_width": 3}
        mark = [polygon(scene.face(plate), _MARK, **orange)]
        if is_legal:
            mark = [placed(view, f"plate {number}", mark + _marked(*scene.middle(plate)))]
        parts.append((_nearness(plate.corners), "".join(mark)))
    return [part for _, part in sorted(parts)]


def _ends(view: dict[str, Any], scene: _Scene) -> list[str]:
    """Return the ends; nothing hides them."""
    parts = []
    shared: list[int] = []
    for end in view["ends"]:
        name, plate = end["name"], scene.plates[end["plate"]]
        dashed = {"stroke": _colour(name), "stroke_width": 3, "stroke_dasharray": "6 3"}
        along = 0.6 - 0.5 * shared.count(end["plate"])
        shared.append(end["plate"])
        a, b, c, d, x, y = _matrix(plate)
        x = round(scene.left + scene.scale * (x + along * a - 0.2 * c), 2)
        y = round(scene.top + scene.scale * (y + along * b - 0.2 * d), 2)
        face = polygon(scene.face(plate), "#ffffff", fill_opacity=0, **dashed)
        shown = [face, *_badge(name, x, y)]
        if any(action.endswith(f" {name}") for action in view["legal"]):
            ring = circle(x, y, 12, "none", stroke=_MARK, stroke_width=3.5, data_legal="end")
            shown += [ring, *_marked(x + 12, y - 10)]
        if view["phase"] in ("plate", "place"):
            parts.append(f'<g pointer-events="none">{"".join(shown)}</g>')
        else:
            parts.append(placed(view, f"end {name}", shown))
    return parts


def _ghosts(view: dict[str, Any], scene: _Scene) -> list[str]:
    """Return where the chosen domino may go: its squares in outline, and a tab with the action."""
    dashes = {"stroke": "#8a5a00", "stroke_width": 1.5, "stroke_dasharray": "4 3"}
    style = {"fill_opacity": 0.15, **dashes}
    drawn = []
    for action, pair in scene.ghosts.items():
        faces = [polygon(scene.face(plate), _MARK, data_ghost=action, **style) for plate in pair]
        drawn.append((_nearness(pair[0].corners), placed(view, f"side {action}", faces)))
    parts = [part for _, part in sorted(drawn)]
    for action, (x, y, half) in scene.tabs.items():
        tab = rect(x - half, y - 8, 2 * half, 16, _MARK, rx=4, stroke=INK)
        words = text(x, y + 4, action, 11, INK, font_weight="bold")
        parts.append(placed(view, f"side {action}", [tab, words]))
    return parts


def _tabs(scene: _Scene) -> dict[str, tuple[float, float, float]]:
    """Return where the tabs of the ghosts are, and half their widths: near, and side by side."""
    tabs: dict[str, tuple[float, float, float]] = {}
    for action, pair in scene.ghosts.items():
        (x, y), (u, v) = scene.middle(pair[1]), scene.middle(pair[0])
        x, y = x + 0.4 * (x - u), y + 0.4 * (y - v)
        half = round(measure(action, 11, bold=True) / 2 + 5, 2)
        for right, down in _AROUND:
            at = round(max(x + right, half + 4), 2), round(max(y + down, 12), 2)
            if not any(
                abs(at[0] - left) < half + other + 2 and abs(at[1] - top) < 18
                for left, top, other in tabs.values()
            ):
                tabs[action] = (*at, half)
                break
    return tabs


def _compass(scene: _Scene) -> list[str]:
    parts = []
    x, y = _EDGE + 46, scene.bottom - 36
    for name in ("east", "north", "up"):
        right, down = _screen(*_turned(_WAYS[name], scene.turn))
        parts.append(line([(x, y), (x + right * 0.6, y + down * 0.6)], SOFT, 1.5))
        parts.append(text(x + right * 0.9, y + down * 0.9 + 4, name, 11, SOFT))
    return parts


# Below the table.


def _pool(view: dict[str, Any], y: float) -> list[str]:
    """Return the pool, with its face down."""
    wide = HALF * (2 if view["variant"] == "traditional" else 1)
    parts = [target(_EDGE, y - 4, wide + 90, HALF + 8), *_back(_EDGE, y, wide, HALF)]
    parts.append(text(_EDGE + wide + 10, y + 16, f"pool {view['pool']}", 13, INK, "start"))
    if "take" in view["legal"]:
        parts.append(_frame(_EDGE, y, wide))
        parts += _marked(_EDGE + wide, y + HALF)
    return [placed(view, "pool", parts)]


def _back(left: float, top: float, wide: float, high: float) -> list[str]:
    inner = {"rx": 1, "stroke": PAPER, "stroke_width": 1}
    return [
        rect(left, top, wide, high, SOFT, rx=3, stroke=INK),
        rect(left + 3, top + 3, wide - 6, high - 6, "none", **inner),
    ]


def _frame(left: float, top: float, wide: float) -> str:
    style = {"rx": 3, "stroke": _MARK, "stroke_width": 3.5, "data_legal": "frame"}
    return rect(left, top, wide, HALF, "none", **style)


def _hand(view: dict[str, Any], seat: int, y: float, width: float) -> tuple[list[str], float]:
    """Return what stands below the table for a seat, and where it ends."""
    hand, is_turn = view["hands"][seat], seat == view["to_act"]
    is_traditional = view["variant"] == "traditional"
    words = [_words(view, number) for number in range(len(view["hands"]))]
    weight = "bold" if is_turn else "normal"
    parts = badge(seat, _EDGE + 10, y + 12)
    parts.append(text(_EDGE + 28, y + 17, words[seat], 13, INK, "start", font_weight=weight))
    x = _EDGE + 48 + max(measure(one, 13, bold=True) for one in words)
    if seat == view["viewer"] and hand["starjoiners"]:
        parts.append(place("starjoiner", _starjoiners(view, hand["starjoiners"], x, y + 12)))
    wide = HALF * (2 if is_traditional else 1)
    if not hand["held"]:
        in_a_row = int((width - _EDGE - x) // (0.75 * wide + 4))
        for n in range(hand["pieces"]):
            left, top = x + n % in_a_row * (0.75 * wide + 4), y + 4 + n // in_a_row * 22
            parts += _back(left, top, 0.75 * wide, 0.75 * HALF)
        return parts, y + max(1, -(-hand["pieces"] // in_a_row)) * 22 + 8
    y += 27
    playable = _playable(view) if is_turn else set()
    step = wide + 8
    in_a_row = int((width - 2 * _EDGE - 28) // step)
    for n, piece in enumerate(hand["held"]):
        halves = piece if isinstance(piece, list) else [piece]
        left, top = _EDGE + 28 + n % in_a_row * step, y + n // in_a_row * 34
        key = "-".join(map(str, sorted(halves)))
        shown = tile(halves, left, top)
        if key in playable:
            shown += [_frame(left, top, wide), *_plus(left + wide / 2, top + HALF + 4.5)]
        if seat == view["viewer"]:
            shown = [place(f"{'domino' if is_traditional else 'square'} {key}", shown)]
        parts += shown
    return parts, y + (1 + (len(hand["held"]) - 1) // in_a_row) * 34 + 4


def _words(view: dict[str, Any], seat: int) -> str:
    hand = view["hands"][seat]
    kind = "dominoes" if view["variant"] == "traditional" else "squares"
    words = f"seat {seat}: {kind} {hand['pieces']}"
    if view["variant"] == "advanced":
        words += f", X joiners {hand['x_joiners']}, Starjoiners {hand['starjoiners']}"
    return words


def _starjoiners(view: dict[str, Any], number: int, x: float, y: float) -> list[str]:
    parts = [target(x - 4, y - 12, 22 * number + 8, 24)]
    for n in range(number):
        parts.append(polygon(_star(x + 10 + 22 * n, y, 10), _MARK, stroke=INK))
    if any(action.startswith("star ") for action in view["legal"]):
        parts += _marked(x + 22 * number - 2, y + 8)
    return parts


def _playable(view: dict[str, Any]) -> set[str]:
    """Return the pieces that a legal action names: squares, or dominoes with the smaller first."""
    dominoes = [
        sorted(word.split("-"))
        for action in view["legal"]
        for word in action.removeprefix("join ").split()[:1]
        if "-" in word
    ]
    if view["variant"] == "traditional":
        return {"-".join(domino) for domino in dominoes}
    return {value for domino in dominoes for value in domino}


def _standing(view: dict[str, Any]) -> str:
    balance = view["balance"]
    x, y = balance["centre"]
    return (
        f"the point below the centre of mass, ({x}, {y}), is {balance['margin']} "
        f"from the nearest edge of the support"
    )


def _caption(view: dict[str, Any]) -> list[str]:
    chosen = view["chosen"]
    domino = "-".join(map(str, chosen["domino"] or ()))
    doing = {
        "turn": "to play",
        "star": f"has closed end {chosen['end']} and chooses a domino",
        "plate": f"chooses the square to which {domino} is joined",
        "place": f"chooses the side of square {chosen['plate']} for {domino}",
        "over": "",
    }[view["phase"]]
    title = f"Domiphun ({view['variant']}): seat {view['to_act']} {doing}"
    if view["to_act"] is None:
        title = f"Domiphun ({view['variant']}): {ending(view['returns'])}"
    facts = [f"{end['name']} shows {end['value']}" for end in view["ends"]]
    if view["balance"]:
        facts += [f"height {view['height']}", view["balance"]["words"]]
    facts += ["possible: miss"] * ("miss" in view["legal"])
    commas = [f"{fact}," for fact in facts[:-1]] + facts[-1:]
    lines = [title, *wrapped(commas, 13, _WIDTH - 2 * _EDGE)]
    if view["games"] > 1:
        wins, points = (":".join(map(str, view[name])) for name in ("wins", "points"))
        games = f"game {view['game_number']} of {view['games']}"
        lines.append(f"{games}, games won {wins}, points {points}")
    return lines

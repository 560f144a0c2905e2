"""Maps to fill in: the tile map of an atlas, or a dot for every region where it really is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import ceil

from adjoin.classroom.paper.area_marks import AreaMark, area_marks, legend
from adjoin.classroom.paper.drawings import (
    FAINT,
    INK,
    SOFT,
    WHITE,
    Box,
    Circles,
    Drawing,
    Lines,
    Point,
)
from adjoin.classroom.paper.map_layout import points, tiles
from adjoin.classroom.paper.selection import as_list, chosen, filtered, nouns, opened
from adjoin.classroom.paper.sheets import MARGIN, Sheets, blank, finished
from adjoin.data.atlas import Atlas, Region
from adjoin.drawing.lettering import POINT
from adjoin.support.names import choose
from adjoin.support.wording import listed

STYLES = ("blank", "numbered", "named", "coloured")
"""What maps show: nothing but places, numbers, abbreviations, or these in the nations' colours."""

_HEAD, _FOOT = 20.0, 6.0
_GAP = 0.08
"""The widest empty strip of a dot map."""


def tile_map(
    atlas: str | Atlas = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    style: str = "blank",
    page: str = "A4",
) -> Sheets:
    """Return the tile map of an atlas on a page; a numbered one has its key on a second page.

    ``style`` is "blank", "numbered", "named" or "coloured". Thick lines are frontiers of nations.

    >>> tile_map(style="numbered")
    <Sheets tile map, numbered: 2 pages>
    """
    whole = opened(atlas)
    nations = as_list(nations)
    regions = chosen(whole, nations)
    style = choose(style, STYLES, "a style")
    if not any(region.column is not None for region in regions):
        have = [name for name in Atlas.shipped() if Atlas.load(name).tiles]
        raise ValueError(
            f"{whole.name} has no tile map: its regions have no col and row (of the shipped "
            f"atlases {', '.join(have)} has one); dot_map shows where they are"
        )
    regions = tuple(r for r in regions if r.column is not None and r.row is not None)
    drawing = blank(page)
    area = _framed(drawing, _title(whole, nations), "tile map")
    known = _looks(whole, regions)
    at = tiles(regions, Box(area.x, area.y, area.wide, area.high), 1.5)
    numbers = {region.id: number for number, region in enumerate(_read(regions), 1)}
    for region in regions:
        box = at[region.id]
        look = known.get(region.nation)
        if style == "coloured" and look:
            _coloured(drawing, region, look, box)
            continue
        drawing.box(box, WHITE, SOFT, 0.2)
        text = {"numbered": str(numbers[region.id]), "named": region.abbreviation}.get(style, "")
        if text:
            drawing.label(box.inner(0.6), text, 11, 4)
    _frontiers(drawing, regions, at)
    if style == "coloured":
        _legend(drawing, area, known.values(), at.values())
    pages = [drawing]
    if style == "numbered":
        pages += _keys(page, "Key to the tile map", regions, numbers)
    return finished(f"tile map, {style}", pages)


def dot_map(
    atlas: str | Atlas = "world-countries",
    *,
    nations: str | Iterable[str] | None = None,
    style: str = "blank",
    page: str = "A4",
    borders: bool = True,
) -> Sheets:
    """Return a map with a dot for every region, for atlases with positions.

    Dots that are too near each other are moved apart; a thin line leads to where they belong. Wide
    strips without a region are drawn narrower.
    ``borders`` joins regions that border each other. The styles are those of ``tile_map``.

    >>> dot_map(nations="Africa", style="numbered")
    <Sheets dot map, numbered: 2 pages>
    """
    whole = opened(atlas)
    nations = as_list(nations)
    style = choose(style, STYLES, "a style")
    regions = tuple(r for r in chosen(whole, nations) if r.lon is not None and r.lat is not None)
    if not regions:
        raise ValueError(f"{whole.name} has no dot map: its regions have no lon and lat")
    places = points(regions, Box(0, 0, 1, 1), _GAP).values()
    wide, high = (max(p[n] for p in places) - min(p[n] for p in places) for n in (0, 1))
    drawing = blank(page, is_wide=wide >= high)
    area = _framed(drawing, _title(whole, nations), "map")
    known = _looks(whole, regions)
    if style == "coloured":
        below = 5.0 * ceil(len(known) / 4) + 2
        legend(drawing, Box(area.x, area.bottom - below + 2, area.wide, below), known.values(), 4)
        area = Box(area.x, area.y, area.wide, area.high - below)
    radius = min(4.0, max(1.9, (area.wide * area.high / len(regions)) ** 0.5 / 7))
    true = points(regions, area.inner(radius), _GAP)
    apart = _apart(tuple(true.items()), radius * 2.1, area.inner(radius))
    _joined(drawing, regions, true, apart, borders)
    numbers = {region.id: number for number, region in enumerate(_west_first(regions), 1)}
    for region in regions:
        look = known.get(region.nation)
        x, y = apart[region.id]
        fill = look.pale if style == "coloured" and look else WHITE
        drawing.circle(x, y, radius, fill, INK, 0.2)
        box = Box(x - radius, y - radius, 2 * radius, 2 * radius).inner(radius * 0.2)
        short = {"numbered": str(numbers[region.id]), "blank": ""}.get(style, region.abbreviation)
        if style == "coloured" and look:
            foot = Box(
                box.x + radius * 0.3, y + radius * 0.25, box.wide - radius * 0.6, radius * 0.6
            )
            drawing.label(foot, look.mark, 6, 2, colour=SOFT)
            box = Box(box.x, box.y, box.wide, radius * 1.05)
        if short:
            drawing.label(box, short, 9, 3)
    pages = [drawing]
    if style == "numbered":
        pages += _keys(page, "Key to the map", regions, numbers)
    return finished(f"dot map, {style}", pages)


def _title(atlas: Atlas, nations: list[str] | None) -> str:
    many = nouns(atlas)[1].capitalize()
    return f"{many} of {listed(filtered(atlas, nations))}" if nations else many


def _framed(drawing: Drawing, title: str, kind: str) -> Box:
    """Draw the head of a page, with lines for a name and a date; return the rest."""
    title = f"{title}: {kind}"
    area = Box(MARGIN, MARGIN - 3, drawing.width - 2 * MARGIN, drawing.height - 2 * MARGIN)
    drawing.label(Box(area.x, area.y, area.wide * 0.45, 8), title, 18, 9, bold=True, anchor="start")
    name_line(drawing, Box(area.x + area.wide * 0.47, area.y, area.wide * 0.53, 8))
    return Box(area.x, area.y + _HEAD - 6, area.wide, area.high - _HEAD + 6 - _FOOT + 3)


def name_line(drawing: Drawing, box: Box, words: Sequence[str] = ("Name", "Date")) -> None:
    """Draw lines to write a name and the like on; the first has most room."""
    shares = [2.0] + [1.0] * (len(words) - 1)
    x, unit = box.x, box.wide / sum(shares)
    for word, share in zip(words, shares, strict=True):
        wide = unit * share
        drawing.text(x, box.bottom - 2, word, 9, colour=SOFT)
        start = x + 2 + 9 * POINT * 0.55 * len(word)
        drawing.line((start, box.bottom - 1.6), (x + wide - 3, box.bottom - 1.6), width=0.25)
        x += wide


def _looks(atlas: Atlas, regions: Iterable[Region]) -> dict[str, AreaMark]:
    """Return the looks of the nations that are at home in a map."""
    known = area_marks(atlas.nations)
    shown = {region.nation for region in regions}
    return {name: look for name, look in known.items() if name in shown}


def _read(regions: Iterable[Region]) -> list[Region]:
    """Return regions in the order in which their tiles are read."""
    return sorted(regions, key=lambda region: (region.row or 0, region.column or 0))


def _west_first(regions: Sequence[Region]) -> list[Region]:
    """Return regions from north to south in strips, in each from west to east."""
    ordered = sorted(regions, key=lambda region: -(region.lat or 0))
    strip = max(1, ceil(len(ordered) ** 0.5))
    found = []
    for first in range(0, len(ordered), strip):
        found += sorted(ordered[first : first + strip], key=lambda region: region.lon or 0)
    return found


def _coloured(drawing: Drawing, region: Region, look: AreaMark, box: Box) -> None:
    foot = box.high * 0.26
    drawing.box(box, look.pale)
    look.hatch(drawing, Box(box.x, box.bottom - foot, box.wide, foot), SOFT)
    drawing.box(box, None, SOFT, 0.2)
    room = Box(box.x + 0.5, box.y + 0.3, box.wide - 1, box.high - foot - 0.4)
    drawing.label(room, region.abbreviation, 9, 4)


def _frontiers(drawing: Drawing, regions: Iterable[Region], at: Mapping[str, Box]) -> None:
    """Draw thick lines between tiles of different nations."""
    there = {(r.column, r.row): r for r in regions}
    lines: list[tuple[Point, Point]] = []
    for (column, row), region in there.items():
        box = at[region.id]
        assert column is not None
        assert row is not None
        right, below = there.get((column + 1, row)), there.get((column, row + 1))
        if right and right.nation != region.nation:
            lines.append(((box.right, box.y), (box.right, box.bottom)))
        if below and below.nation != region.nation:
            lines.append(((box.x, box.bottom), (box.right, box.bottom)))
    if lines:
        drawing.add(Lines(tuple(lines), INK, 0.9))


def _legend(drawing: Drawing, area: Box, known: Iterable[AreaMark], taken: Iterable[Box]) -> None:
    """Draw the legend in a corner without tiles, or as far from them as can be."""
    shown = list(known)
    wide, high = 45.0, 5.0 * len(shown)
    boxes = list(taken)
    corners = [
        Box(x, y, wide, high)
        for y in (area.y, area.bottom - high)
        for x in (area.x, area.right - wide)
    ]

    def hidden(corner: Box) -> int:
        return sum(
            corner.x < box.right
            and box.x < corner.right
            and corner.y < box.bottom
            and box.y < corner.bottom
            for box in boxes
        )

    legend(drawing, min(corners, key=hidden), shown)


def _joined(
    drawing: Drawing,
    regions: Iterable[Region],
    true: Mapping[str, Point],
    apart: Mapping[str, Point],
    borders: bool,
) -> None:
    """Draw borders, and lines from dots to where they belong."""
    lines = []
    for region in regions:
        for other in region.borders:
            if other in apart and region.id < other and borders:
                lines.append((apart[region.id], apart[other]))
    if lines:
        drawing.add(Lines(tuple(lines), FAINT, 0.25))
    moved = {name: point for name, point in true.items() if _far(point, apart[name]) > 0.3}
    drawing.add(
        Lines(tuple((point, apart[name]) for name, point in moved.items()), INK, 0.15),
        Circles(tuple(moved.values()), 0.35, INK),
    )


def _far(one: Point, other: Point) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


@cache
def _apart(true: tuple[tuple[str, Point], ...], least: float, area: Box) -> dict[str, Point]:
    """Return points moved so that they are at least so far apart, inside an area."""
    names = [name for name, _ in true]
    at = [[x + n * 1e-4, y] for n, (_, (x, y)) in enumerate(true)]
    for _ in range(400):
        moved = False
        order = sorted(range(len(at)), key=lambda n: at[n][0])
        for place, n in enumerate(order):
            for m in order[place + 1 :]:
                across, down = at[m][0] - at[n][0], at[m][1] - at[n][1]
                if across >= least:
                    break
                far = (across * across + down * down) ** 0.5
                if far < least - 1e-3:
                    push = (least - far) / 2 / max(far, 1e-6)
                    at[n][0] -= across * push
                    at[n][1] -= down * push
                    at[m][0] += across * push
                    at[m][1] += down * push
                    moved = True
        for point in at:
            point[0] = min(max(point[0], area.x), area.right)
            point[1] = min(max(point[1], area.y), area.bottom)
        if not moved:
            break
    return {name: (round(x, 3), round(y, 3)) for name, (x, y) in zip(names, at, strict=True)}


def _keys(
    page: str, title: str, regions: Iterable[Region], numbers: Mapping[str, int]
) -> list[Drawing]:
    """Return pages that say which number is which region."""
    drawing = blank(page)
    area = Box(MARGIN, MARGIN - 3, drawing.width - 2 * MARGIN, drawing.height - 2 * MARGIN)
    drawing.label(Box(area.x, area.y, area.wide, 8), title, 18, 9, bold=True, anchor="start")
    entries = sorted((numbers[region.id], region.name) for region in regions)
    columns = 3
    rows = ceil(len(entries) / columns)
    high = min(7.0, (area.high - 13) / rows)
    wide = area.wide / columns
    for place, (number, name) in enumerate(entries):
        column, row = divmod(place, rows)
        x, y = area.x + column * wide, area.y + 12 + row * high
        drawing.label(Box(x, y, 8, high), str(number), 10, 6, bold=True, anchor="end")
        drawing.label(Box(x + 10, y, wide - 12, high), name, 10, 5, anchor="start")
    return [drawing]

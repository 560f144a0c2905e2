"""Maps to fill in: the tile map of an atlas, or a dot for every region where it really is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil

from adjoin.classroom.paper.area_marks import AreaMark, area_marks, legend
from adjoin.classroom.paper.selection import as_list, chosen, filtered, opened
from adjoin.classroom.paper.sheets import MARGIN, Sheets, blank, finished
from adjoin.data.atlas import Atlas, Region
from adjoin.drawing import maps
from adjoin.drawing.colours import FAINT, INK, SOFT, WHITE
from adjoin.drawing.sheet import POINT, Box, Drawing
from adjoin.support.names import choose
from adjoin.support.wording import listed

STYLES = ("blank", "numbered", "named", "coloured")
"""What maps show: nothing but places, numbers, abbreviations, or these in the nations' colours."""

_HEAD, _FOOT = 20.0, 6.0


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
    names = {region.id for region in regions}
    tiles = {key: tile for key, tile in whole.tiles.items() if key in names}
    if not tiles:
        have = [name for name in Atlas.shipped() if Atlas.load(name).tiles]
        raise ValueError(
            f"{whole.name} has no tile map: its regions have no col and row (of the shipped "
            f"atlases {', '.join(have)} has one); dot_map shows where they are"
        )
    regions = tuple(whole[key] for key in tiles)
    drawing = blank(page)
    area = _framed(drawing, _title(whole, nations), "tile map")
    known = _nation_marks(whole, regions) if style == "coloured" else {}
    boxes = maps.tile_boxes(tiles, area, 1.5)
    read = sorted(regions, key=lambda region: tiles[region.id][::-1])
    numbers = {region.id: number for number, region in enumerate(read, 1)}
    maps.mark_tiles(drawing, boxes, _fills(regions, known, SOFT))
    for region in regions:
        box, nation = boxes[region.id], known.get(region.nation)
        text = _written(region, style, numbers)
        if nation:
            foot = Box(box.x, box.bottom - box.high * 0.26, box.wide, box.high * 0.26)
            nation.hatch(drawing, foot, SOFT)
            room = Box(box.x + 0.5, box.y + 0.3, box.wide - 1, foot.y - box.y - 0.4)
            drawing.label(room, text, 9, 4)
        elif text:
            drawing.label(box.inner(0.6), text, 11, 4)
    maps.frontiers(drawing, tiles, boxes, {region.id: region.nation for region in regions})
    if known:
        _legend(drawing, area, known.values(), boxes.values())
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
    names = {region.id for region in chosen(whole, nations)}
    degrees = {key: point for key, point in whole.centroids.items() if key in names}
    if not degrees:
        raise ValueError(f"{whole.name} has no dot map: its regions have no lon and lat")
    regions = tuple(whole[key] for key in degrees)
    shape = Box.around(maps.positions(degrees, Box(0, 0, 1, 1)).values())
    drawing = blank(page, is_wide=shape.wide >= shape.high)
    area = _framed(drawing, _title(whole, nations), "map")
    known = _nation_marks(whole, regions) if style == "coloured" else {}
    if known:
        below = 5.0 * ceil(len(known) / 4) + 2
        legend(drawing, Box(area.x, area.bottom - below + 2, area.wide, below), known.values(), 4)
        area = Box(area.x, area.y, area.wide, area.high - below)
    radius = min(4.0, max(1.9, (area.wide * area.high / len(regions)) ** 0.5 / 7))
    true = maps.positions(degrees, area.inner(radius))
    dots = maps.moved_apart(true, radius * 2.1, area.inner(radius))
    if borders:
        pairs = ((one.id, other.id) for one, other in whole.edges)
        maps.links(drawing, dots, pairs, FAINT, 0.25)
    maps.leaders(drawing, true, dots)
    maps.mark_dots(drawing, dots, _fills(regions, known, INK, radius))
    numbers = {region.id: number for number, region in enumerate(_west_first(regions), 1)}
    for region in regions:
        x, y = dots[region.id]
        box, nation = Box.about((x, y), radius * 0.8), known.get(region.nation)
        if nation:
            foot = Box(x - radius * 0.5, y + radius * 0.25, radius, radius * 0.6)
            drawing.label(foot, nation.mark, 6, 2, colour=SOFT)
            box = Box(box.x, box.y, box.wide, radius * 1.05)
        if text := _written(region, style, numbers):
            drawing.label(box, text, 9, 3)
    pages = [drawing]
    if style == "numbered":
        pages += _keys(page, "Key to the map", regions, numbers)
    return finished(f"dot map, {style}", pages)


def _written(region: Region, style: str, numbers: Mapping[str, int]) -> str:
    """Return what a map of a style writes into a region."""
    return {"blank": "", "numbered": str(numbers[region.id])}.get(style, region.abbreviation)


def _fills(
    regions: Iterable[Region], known: Mapping[str, AreaMark], edge: str, radius: float = 0
) -> dict[str, maps.Mark]:
    """Return marks in the pale colours of the nations that are known, else white ones."""
    fills = {name: nation.pale for name, nation in known.items()}
    return {r.id: maps.Mark(fills.get(r.nation, WHITE), edge, 0.2, radius) for r in regions}


def _title(atlas: Atlas, nations: list[str] | None) -> str:
    many = atlas.noun[1].capitalize()
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


def _nation_marks(atlas: Atlas, regions: Iterable[Region]) -> dict[str, AreaMark]:
    """Return the marks of the nations whose regions are shown."""
    shown = {region.nation for region in regions}
    return {name: mark for name, mark in area_marks(atlas.nations).items() if name in shown}


def _west_first(regions: Sequence[Region]) -> list[Region]:
    """Return regions from north to south in strips, in each from west to east."""
    ordered = sorted(regions, key=lambda region: -(region.lat or 0))
    strip = max(1, ceil(len(ordered) ** 0.5))
    found = []
    for first in range(0, len(ordered), strip):
        found += sorted(ordered[first : first + strip], key=lambda region: region.lon or 0)
    return found


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

    def hidden(corner: Box) -> float:
        return sum(map(corner.overlap, boxes))

    legend(drawing, min(corners, key=hidden), shown)


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

"""Maps to fill in: the true map of an atlas, or a tile for every region."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil

from adjoin.classroom.paper.area_marks import AreaMark, area_marks, legend
from adjoin.classroom.paper.selection import as_list, chosen, filtered, opened
from adjoin.classroom.paper.sheets import MARGIN, Sheets, blank, finished
from adjoin.classroom.paper.tiles import frontiers, mark_tiles, tile_boxes
from adjoin.data.atlas import Atlas, Region
from adjoin.drawing.colours import SOFT, WHITE, mixed
from adjoin.drawing.lettering import SOURCE_SANS
from adjoin.drawing.map_words import Words, words_on, write_words
from adjoin.drawing.maps import SEA, MapDrawing, Marks
from adjoin.drawing.sheet import POINT, Box, Drawing
from adjoin.support.names import choose
from adjoin.support.wording import listed

STYLES = ("blank", "numbered", "named", "coloured")
"""What maps show: nothing but borders, numbers, names, or these in the nations' colours."""

_HEAD, _FOOT = 20.0, 6.0
_SEA = "#4a6f85"
"""The letters of seas."""

_ENTRY, _LINE = 7.0, 3.4
"""The size of letters in a list beside a map, and how high its lines are."""


def outline_map(
    atlas: str | Atlas = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    style: str = "blank",
    page: str = "A4",
) -> Sheets:
    """Return the map of an atlas on a page; a numbered one has its key on a second page.

    ``style`` is "blank", "numbered", "named" or "coloured". Where names have no room, the page
    lists what stands for them. An atlas without outlines shows points.

    >>> outline_map(nations="Wales", style="numbered")
    <Sheets map, numbered: 2 pages>
    """
    whole = opened(atlas)
    nations = as_list(nations)
    style = choose(style, STYLES, "a style")
    shown = [region.id for region in chosen(whole, nations)]
    shape = MapDrawing.needed(whole, shown, Box(0, 0, 50, 50)).box
    drawing = blank(page, is_wide=shape.wide >= shape.high)
    area = _framed(drawing, _title(whole, nations), "map")
    regions = [whole[key] for key in shown]
    known = _nation_marks(whole, regions) if style == "coloured" else {}
    if known:
        below = 5.0 * ceil(len(known) / 4) + 2
        legend(drawing, Box(area.x, area.bottom - below + 2, area.wide, below), known.values(), 4)
        area = Box(area.x, area.y, area.wide, area.high - below)
    pages = [drawing]
    if style in ("blank", "numbered"):
        on = MapDrawing.needed(whole, shown, area)
        on.draw(drawing)
        if style == "numbered":
            numbers = reading_order(on)
            words = {key: Words((str(number),), True) for key, number in numbers.items()}
            write_all(drawing, on, words, numbers)
            pages += _keys(page, "Key to the map", [whole[key] for key in numbers], numbers)
    else:
        _named(drawing, whole, shown, area, known)
    return finished(f"map, {style}", pages)


def reading_order(on: MapDrawing, keys: Iterable[str] | None = None) -> dict[str, int]:
    """Return numbers for regions, or for some: in strips from the top, in each from the left."""
    ordered = sorted(on.regions if keys is None else keys, key=lambda key: on.at(key)[1])
    strip = max(1, ceil(len(ordered) ** 0.5))
    found: list[str] = []
    for first in range(0, len(ordered), strip):
        found += sorted(ordered[first : first + strip], key=lambda key: on.at(key)[0])
    return {key: number for number, key in enumerate(found, 1)}


def write_all(
    drawing: Drawing, on: MapDrawing, words: Mapping[str, Words], needed: Collection[str]
) -> None:
    """Write words as large as those that are needed have room; if need be, these alone."""
    only = {key: words[key] for key in words if key in needed}
    for written, most in (*((words, most) for most in (_letters(on), 9, 7, 5)), (only, 7)):
        trial = Drawing(drawing.width, drawing.height)
        if write_words(trial, on, written, most=most).keys() >= only.keys():
            break
    drawing.put(trial, 0, 0)


def _letters(on: MapDrawing) -> float:
    """Return the size of the largest letters on a map: larger ones on a larger sheet."""
    return min(max(9.0, max(on.box.wide, on.box.high) / 28), 14.0)


def _named(
    drawing: Drawing, atlas: Atlas, shown: list[str], area: Box, known: Mapping[str, AreaMark]
) -> None:
    """Draw a map with names, and below it what stands for those that have no room."""
    below = 0.0
    while True:
        trial = Drawing(drawing.width, drawing.height)
        room = Box(area.x, area.y, area.wide, area.high - below)
        on = MapDrawing.needed(atlas, shown, room)
        entries = _write_names(trial, atlas, on, known)
        needed = _list_height(entries, area.wide)
        if needed <= below or below > area.high / 2:
            break
        below = needed + _LINE
    drawing.put(trial, 0, 0)
    _list(drawing, entries, Box(area.x, area.bottom - below + 2, area.wide, below - 2))


def _write_names(
    drawing: Drawing, atlas: Atlas, on: MapDrawing, known: Mapping[str, AreaMark]
) -> list[tuple[str, str]]:
    """Draw a map with names, abbreviations or numbers; return what these stand for."""
    looks = {key: known.get(atlas[key].nation) for key in on.regions}
    fills = {key: look.pale for key, look in looks.items() if look}
    on.draw(drawing, Marks(fills))
    for look in known.values():
        rings = on.outlines(key for key in on.regions if looks[key] == look)
        look.hatch_rings(drawing, rings, mixed(look.pale, look.colour, 0.35), 2.5)
    if known:
        nations = {key: atlas[key].nation for key in on.regions}
        on.frontiers(drawing, nations)
    numbers = reading_order(on)
    words = {}
    for key in on.regions:
        texts = (atlas[key].name, atlas[key].abbreviation, str(numbers[key]))
        words[key] = words_on(fills.get(key, WHITE), *dict.fromkeys(texts))
    written = write_words(drawing, on, words, most=_letters(on))
    there = [water for water in atlas.waters if water.id in on.map.places]
    seas = {water.id: Words((water.name,), colour=_SEA, halo=SEA) for water in there}
    write_words(
        drawing, on, seas, most=0.75 * _letters(on), kept=[text.box for text in drawing.texts]
    )
    short = ((text, atlas[key].name) for key, text in written.items())
    entries = [entry for entry in short if entry[0] != entry[1]]
    return sorted(entries, key=lambda entry: (entry[0].isdigit(), entry[0].zfill(3)))


def _columns(entries: Sequence[tuple[str, str]], wide: float) -> tuple[int, float]:
    """Return how many columns a list has, and how wide they are."""
    unit = _ENTRY * POINT
    texts = [f"{short}  {name}" for short, name in entries]
    longest = max(SOURCE_SANS.measure(text, unit, True) for text in texts) + 3
    columns = max(1, int(wide / longest))
    return columns, wide / columns


def _list_height(entries: Sequence[tuple[str, str]], wide: float) -> float:
    return ceil(len(entries) / _columns(entries, wide)[0]) * _LINE + 3 if entries else 0.0


def _list(drawing: Drawing, entries: Sequence[tuple[str, str]], box: Box) -> None:
    """Write what abbreviations and numbers stand for, column by column."""
    if not entries:
        return
    columns, wide = _columns(entries, box.wide)
    rows = ceil(len(entries) / columns)
    for place, (short, name) in enumerate(entries):
        column, row = divmod(place, rows)
        x, y = box.x + column * wide, box.y + row * _LINE + 2.5
        drawing.text(x, y, short, _ENTRY, bold=True)
        x += SOURCE_SANS.measure(f"{short}  ", _ENTRY * POINT, True)
        drawing.text(x, y, name, _ENTRY)


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
            f"atlases {', '.join(have)} has one); outline_map shows where they are"
        )
    regions = tuple(whole[key] for key in tiles)
    drawing = blank(page)
    area = _framed(drawing, _title(whole, nations), "tile map")
    known = _nation_marks(whole, regions) if style == "coloured" else {}
    boxes = tile_boxes(tiles, area, 1.5)
    read = sorted(regions, key=lambda region: tiles[region.id][::-1])
    numbers = {region.id: number for number, region in enumerate(read, 1)}
    fills = {name: nation.pale for name, nation in known.items()}
    mark_tiles(drawing, boxes, {r.id: fills.get(r.nation, WHITE) for r in regions}, SOFT, 0.2)
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
    frontiers(drawing, tiles, boxes, {region.id: region.nation for region in regions})
    if known:
        _legend(drawing, area, known.values(), boxes.values())
    pages = [drawing]
    if style == "numbered":
        pages += _keys(page, "Key to the tile map", regions, numbers)
    return finished(f"tile map, {style}", pages)


def _written(region: Region, style: str, numbers: Mapping[str, int]) -> str:
    """Return what a map of a style writes into a region."""
    return {"blank": "", "numbered": str(numbers[region.id])}.get(style, region.abbreviation)


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

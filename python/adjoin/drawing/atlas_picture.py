"""Pictures of an atlas: regions in colours or by numbers, marked, linked, with names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil, isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from adjoin.drawing.colours import INK, SOFT, WHITE, as_colour, mixed
from adjoin.drawing.map_words import Words, words_on, write_words
from adjoin.drawing.maps import MapDrawing, Marks
from adjoin.drawing.picture import Picture
from adjoin.drawing.sheet import Box, Drawing
from adjoin.support.names import choose

if TYPE_CHECKING:
    from adjoin.data.atlas import Atlas, Region

Name: TypeAlias = "str | Region"
"""A region, or what it is called."""

LABELS = ("names", "abbreviations", "none")
"""What can be written into regions, but for a choice of them."""

SIDES = (20.0, 2000.0)
"""How wide and high a picture is at least and at most, in millimetres."""

_FEW, _MANY = "#f3efe0", "#0b4a80"
"""The colours of the smallest and of the largest number."""

_CLASSES = 5
"""How many colours numbers have, unless the numbers are hardly more."""

_EDGE, _ROW, _COLUMN, _HEAD = 2.0, 5.0, 38.0, 9.0


def picture(
    atlas: Atlas,
    shown: Iterable[Name] = (),
    *,
    fill: Mapping[Any, Any] | None = None,
    highlight: Iterable[Name] = (),
    numbers: Mapping[Any, object] | Iterable[Name] | None = None,
    links: Iterable[tuple[Name, Name]] = (),
    labels: str | Iterable[Name] = "names",
    legend: Mapping[str, str] | None = None,
    width: float = 160,
    height: float = 160,
    title: str = "",
) -> Picture:
    """Return a map of an atlas; ``Atlas.picture`` says what the arguments are."""
    for name, side in (("width", width), ("height", height)):
        is_number = isinstance(side, Real) and not isinstance(side, bool)
        if not is_number or not SIDES[0] <= side <= SIDES[1]:
            few, most = SIDES
            raise ValueError(f"{name} = {side!r}: must be from {few:g} to {most:g} millimetres")
    if fill is not None and not isinstance(fill, Mapping):
        raise TypeError(f"fill maps regions to colours or to numbers, got {fill!r}")
    fills, keys = _fills(atlas, fill or {})
    keys += [_Key(words, as_colour(colour)) for words, colour in (legend or {}).items()]
    top, below, regions = _HEAD if title else 0.0, 0.0, _several(shown)
    for _ in range(2):
        room = max(height - 2 * _EDGE - top - below, 5)
        on = MapDrawing.needed(atlas, regions, Box(0, 0, width - 2 * _EDGE, room))
        below = _legend_height(keys, on.box.wide)
    on = on.moved(_EDGE, _EDGE + top)
    drawing = Drawing(on.box.wide + 2 * _EDGE, on.box.high + top + below + 2 * _EDGE)
    if title:
        drawing.label(Box(_EDGE, 1, on.box.wide, 7), title, 14, 6, bold=True, anchor="start")
    ids = [atlas.region(name).id for name in _several(highlight)]
    pairs = [_pair(atlas, link) for link in links]
    on.draw(drawing, Marks(fills, thick=ids, links=pairs))
    write_words(drawing, on, _words(atlas, on, fills, labels, _numbers(atlas, numbers)))
    _legend(drawing, Box(_EDGE, on.box.bottom + 2, on.box.wide, 0), keys)
    return Picture(title or f"map of {atlas.name}", drawing)


def _several(names: str | Iterable[Name]) -> list[Name]:
    """Return regions as a list; a name alone is one of them."""
    return [names] if isinstance(names, str) else list(names)


def _pair(atlas: Atlas, link: Iterable[Name]) -> tuple[str, str]:
    both = [atlas.region(name).id for name in _several(link)]
    if len(both) != 2:
        raise ValueError(f"a link joins two regions, got {link!r}")
    return both[0], both[1]


class _Key(NamedTuple):
    """What a colour of a map means."""

    words: str
    colour: str


def _fills(atlas: Atlas, fill: Mapping[Any, Any]) -> tuple[dict[str, str], list[_Key]]:
    """Return the colours of regions, and what they mean if numbers were given."""
    values = {atlas.region(name).id: value for name, value in fill.items() if value is not None}
    if all(isinstance(value, str) for value in values.values()):
        return {key: as_colour(colour) for key, colour in values.items()}, []
    for key, value in values.items():
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number or not isfinite(value):
            raise ValueError(
                f"fill of {atlas[key].name} = {value!r}: all are colours, or all are numbers"
            )
    return _shades({key: float(value) for key, value in values.items()})


def _shades(values: Mapping[str, float]) -> tuple[dict[str, str], list[_Key]]:
    """Return shades of numbers: one for each if they are few, else one for every class."""
    steps = sorted(set(values.values()))
    if len(steps) <= _CLASSES + 1:
        last = max(len(steps) - 1, 1)
        shades = {step: mixed(_FEW, _MANY, n / last) for n, step in enumerate(steps)}
        keys = [_Key(f"{step:g}", shade) for step, shade in shades.items()]
        return {key: shades[value] for key, value in values.items()}, keys
    least, wide = steps[0], (steps[-1] - steps[0]) / _CLASSES
    colours = [mixed(_FEW, _MANY, n / (_CLASSES - 1)) for n in range(_CLASSES)]
    ends = [least + n * wide for n in range(_CLASSES + 1)]
    keys = [
        _Key(f"{low:.4g} to {high:.4g}", colour)
        for (low, high), colour in zip(pairwise(ends), colours, strict=True)
    ]
    place = {key: min(int((value - least) / wide), _CLASSES - 1) for key, value in values.items()}
    return {key: colours[n] for key, n in place.items()}, keys


def _numbers(atlas: Atlas, numbers: Mapping[Any, object] | Iterable[Name] | None) -> dict[str, str]:
    if numbers is None:
        return {}
    if isinstance(numbers, Mapping):
        return {atlas.region(name).id: str(number) for name, number in numbers.items()}
    return {atlas.region(name).id: str(n) for n, name in enumerate(numbers, 1)}


def _words(
    atlas: Atlas,
    on: MapDrawing,
    fills: Mapping[str, str],
    labels: str | Iterable[Name],
    numbers: Mapping[str, str],
) -> dict[str, Words]:
    """Return what is written into regions: a number, or else the name or the abbreviation."""
    is_short = False
    if isinstance(labels, str):
        kind = choose(labels, LABELS, "a kind of labels")
        named = set(on.regions) if kind != "none" and not numbers else set()
        is_short = kind == "abbreviations"
    else:
        named = {atlas.region(name).id for name in labels}
    found = {}
    for key in on.map.places:
        fill = fills.get(key, WHITE)
        if key in numbers:
            found[key] = words_on(fill, numbers[key], bold=True)
        elif key in named:
            texts = (atlas[key].name, atlas[key].abbreviation)[is_short:]
            found[key] = words_on(fill, *dict.fromkeys(texts))
    return found


def _legend_height(keys: Sequence[_Key], wide: float) -> float:
    return ceil(len(keys) / max(1, int(wide / _COLUMN))) * _ROW + 2 if keys else 0.0


def _legend(drawing: Drawing, box: Box, keys: Sequence[_Key]) -> None:
    """Draw what colours mean, in rows."""
    columns = max(1, int(box.wide / _COLUMN))
    wide = box.wide / columns
    for number, key in enumerate(keys):
        row, column = divmod(number, columns)
        x, y = box.x + column * wide, box.y + row * _ROW
        drawing.box(Box(x, y, 6, _ROW - 1.2), key.colour, INK)
        room = Box(x + 7.5, y, wide - 9, _ROW - 1.2)
        drawing.label(room, key.words, 8, 4, colour=SOFT, anchor="start")

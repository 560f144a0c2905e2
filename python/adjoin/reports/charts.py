"""Small charts as SVG, in the look of the games' pictures: on paper of their own, for any page.

>>> chart = dots({"greedy": Interval(0.9, 0.85, 0.93)}, title="Win share", unit="%", reference=0.5)
>>> chart
<Chart: Win share>
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from adjoin.drawing.colours import INK, PAPER, SEATS, SOFT, WHITE, mixed
from adjoin.drawing.lettering import SANS
from adjoin.drawing.svg import circle, document, line, polygon, rect, text
from adjoin.statistics.intervals import Interval

WIDTH = 640
"""How wide a chart is."""

_EDGE = 20
_HEIGHT = 210
_TITLE, _WORDS, _TICK = 16, 12, 12
_GRID = "#d8d3c7"
_MOST_BARS = 40

_Scale = Callable[[float], float]


@dataclass(frozen=True)
class Chart:
    """A picture: shown by notebooks, or saved to a file."""

    title: str
    svg: str

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture to an SVG file and return its path."""
        file = Path(path)
        if file.suffix.lower() != ".svg":
            raise ValueError(f"{file}: a chart is saved as SVG, so the name must end in .svg")
        file.write_text(self.svg, encoding="utf-8")
        return file

    def __repr__(self) -> str:
        """Return the title."""
        return f"<Chart: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg


class Band(NamedTuple):
    """A line of a chart: where it goes, and its interval if it has one."""

    x: ArrayLike
    y: ArrayLike
    low: ArrayLike | None = None
    high: ArrayLike | None = None


def histogram(values: ArrayLike, *, title: str, x: str, note: str = "", of: str = "") -> Chart:
    """Return how often values fall where, in shares; whole numbers have bars of whole width.

    ``of`` says what the values belong to, such as "matches".

    >>> histogram([1, 2, 2, 3], title="Pips", x="pips", of="dominoes").svg.count("<rect")
    4
    """
    data = np.asarray(values, np.float64)
    if data.ndim != 1 or not len(data) or not np.isfinite(data).all():
        raise ValueError("a histogram needs finite numbers, at least one")
    edges = _edges(data)
    shares = np.histogram(data, edges)[0] / len(data)
    page = _Page(title, note)
    top = page.label(f"share of {of}" if of else "share")
    high = max(_ticks(0, float(shares.max())))
    left = _EDGE + max(SANS.measure(_tick(t, "%"), _TICK) for t in _ticks(0, high)) + 8
    down = _scale((0, high), (top + _HEIGHT, top))
    across = _scale((float(edges[0]), float(edges[-1])), (left, WIDTH - _EDGE))
    page.grid(_ticks(0, high), down, (left, WIDTH - _EDGE), "%")
    for begin, end, share in zip(edges, edges[1:], shares, strict=False):
        if share:
            gap = min(1.0, (across(end) - across(begin)) / 8)
            page.add(
                rect(
                    across(begin) + gap,
                    down(share),
                    across(end) - across(begin) - 2 * gap,
                    down(0) - down(share),
                    SEATS[0],
                )
            )
    whole = bool((data == np.round(data)).all())
    centred = 0.5 if whole and edges[1] - edges[0] == 1 else 0.0
    ticks = _fitting(float(edges[0]), float(edges[-1]) - 2 * centred, across)
    page.across([t for t in ticks if not whole or t == round(t)], across, down(0), x, centred)
    return page.chart()


def dots(
    rows: Mapping[str, Interval],
    *,
    title: str,
    x: str = "",
    unit: str = "",
    note: str = "",
    reference: float | None = None,
    colours: Sequence[str] = (SEATS[0],),
) -> Chart:
    """Return a dot with whiskers for every interval, and its numbers beside it.

    ``unit`` "%" shows shares as percentages, ``reference`` is a value to compare with, ``colours``
    are used in turn. Names that are too long to stand on the left stand above.
    """
    if not rows:
        raise ValueError("a chart of intervals needs at least one")
    page = _Page(title, note)
    texts = {name: format(interval, unit) for name, interval in rows.items()}
    longest = max(SANS.measure(name, _WORDS) for name in rows)
    above = longest > 0.3 * WIDTH
    left = _EDGE + (8 if above else longest + 14)
    right = WIDTH - _EDGE - max(SANS.measure(t, _WORDS) for t in texts.values()) - 14
    known = [n for interval in rows.values() for n in interval if math.isfinite(n)]
    known += [] if reference is None else [reference]
    if unit == "%":
        known += [end for end in (0.0, 1.0) if any(abs(end - share) <= 0.1 for share in known)]
    ticks = _fitting(min(known), max(known), _scale((min(known), max(known)), (left, right)), unit)
    step = ticks[1] - ticks[0]
    low = min(known) if min(known) >= ticks[0] else ticks[0] - step
    low, high = min(low, ticks[0]), max(max(known), ticks[-1])
    room = 0.03 * (high - low)
    across = _scale((low - room, high + room), (left, right))
    row, top = (42 if above else 26), page.y + 4
    bottom = top + row * len(rows)
    strips = [(top, bottom)]
    if above:
        strips = [(top + row * (n + 0.45), top + row * (n + 0.95)) for n in range(len(rows))]
    for begin, end in strips:
        for tick in ticks:
            page.add(line([(across(tick), begin), (across(tick), end)], _GRID, 1))
        if reference is not None:
            more = 0 if above else 3
            mark = [(across(reference), begin - more), (across(reference), end + more)]
            page.add(line(mark, INK, 1.5, stroke_dasharray="4 3"))
    for number, (name, interval) in enumerate(rows.items()):
        y = top + row * (number + (0.7 if above else 0.5))
        colour = colours[number % len(colours)]
        ends = [min(max(across(end), left), right) for end in (interval.low, interval.high)]
        if above:
            words = SANS.shortened(name, WIDTH - 2 * _EDGE, _WORDS)
            page.add(text(_EDGE, y - 16, words, _WORDS, INK, anchor="start"))
        else:
            page.add(text(left - 12, y + 4, name, _WORDS, INK, anchor="end"))
        page.add(line([(end, y) for end in ends], colour, 2.5, stroke_linecap="round"))
        page.add(*(line([(end, y - 5), (end, y + 5)], colour, 2) for end in ends))
        page.add(circle(across(interval.value), y, 5, colour, stroke=PAPER))
        page.add(text(WIDTH - _EDGE, y + 4, texts[name], _WORDS, SOFT, anchor="end"))
    page.across(ticks, across, bottom, x, unit=unit)
    return page.chart()


def lines(
    series: Mapping[str, Band],
    *,
    title: str,
    x: str,
    y: str,
    note: str = "",
    marked: bool = False,
    powers: bool = False,
) -> Chart:
    """Return lines, each with the band of its interval; several have a legend.

    A line that is ``marked`` has a dot at each place, which is named below, and need not be seen
    against 0: so are a few things that were measured, with nothing between them. With ``powers``
    the same factor is equally far everywhere, across and up.

    >>> lines({"": Band([0, 1, 2], [4, 7, 9])}, title="Growth", x="ply", y="legal actions")
    <Chart: Growth>
    """
    drawn = {name: _points(band) for name, band in series.items()}
    if not drawn:
        raise ValueError("a chart of lines needs at least one")
    if powers and any(min(*x, *low) <= 0 for x, low, _, _ in drawn.values()):
        raise ValueError("a chart by powers needs numbers above 0")
    page = _Page(title, note)
    if len(drawn) > 1:
        page.legend(dict(zip(drawn, _cycle(len(drawn)), strict=True)))
    top = page.label(y)
    points = [p for _, low, middle, high in drawn.values() for p in (*low, *middle, *high)]
    xs = [x for x, _, _, _ in drawn.values()]
    if powers:
        ticks = _powers(min(points), max(points))
    else:
        ticks = _ticks(min(points) if marked else min(0.0, min(points)), max(points))
    left = _EDGE + max(SANS.measure(_tick(t), _TICK) for t in ticks) + 8
    down = _scale((ticks[0], max(ticks[-1], max(points))), (top + _HEIGHT, top), powers)
    least, most = min(min(x) for x in xs), max(max(x) for x in xs)
    across = _scale((least, most), (left, WIDTH - _EDGE), powers)
    page.grid(ticks, down, (left, WIDTH - _EDGE))
    colours = _cycle(len(drawn))
    for (name, (places, low, _, high)), colour in zip(drawn.items(), colours, strict=True):
        if series[name].low is not None:
            ends = [*zip(places, high, strict=True), *[*zip(places, low, strict=True)][::-1]]
            band = [(across(place), down(end)) for place, end in ends]
            page.add(polygon(band, colour, opacity=0.25 if len(drawn) <= 3 else 0.15))
    for (places, _, middle, _), colour in zip(drawn.values(), colours, strict=True):
        path = list(zip(map(across, places), map(down, middle), strict=True))
        page.add(line(path, colour, 2.2, stroke_linejoin="round"))
        page.add(*(circle(*point, 3, colour) for point in path if marked or len(path) == 1))
    named = sorted({place for x in xs for place in x}) if marked else []
    if not named or _crowded(named, across):
        within = [tick for tick in _powers(least, most) if least <= tick <= most] if powers else []
        named = within or ([least, most] if powers else _fitting(least, most, across))
    page.across(named, across, top + _HEIGHT, x)
    return page.chart()


def heat(
    names: Sequence[str], cells: Sequence[Sequence[Interval | None]], *, title: str, note: str = ""
) -> Chart:
    """Return a cross-table of shares: the row's against the column's, an empty cell for None.

    The columns go by the numbers of the rows. Blue is more than half, orange is less.
    """
    if not names or any(len(row) != len(names) for row in cells) or len(cells) != len(names):
        raise ValueError(f"a cross-table of {len(names)} names needs as many rows and columns")
    page = _Page(title, note)
    labels = [
        SANS.shortened(f"{number}. {name}", 0.4 * WIDTH, _WORDS)
        for number, name in enumerate(names, 1)
    ]
    left = _EDGE + max(SANS.measure(label, _WORDS) for label in labels) + 10
    side = min((WIDTH - _EDGE - left) / len(names), 92.0)
    tall = min(side, 44.0)
    top = page.y + 20
    for number, label in enumerate(labels):
        page.add(text(left - 8, top + tall * (number + 0.5) + 4, label, _WORDS, INK, anchor="end"))
        page.add(text(left + side * (number + 0.5), top - 6, f"{number + 1}.", _WORDS, INK))
    widest = max((SANS.measure(_between(c), 10) for row in cells for c in row if c), default=0)
    small = widest <= side - 4 and tall >= 34
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            page.add(*_cell(cell, (left + side * j, top + tall * i), (side, tall), small))
    page.y = top + tall * len(names) + 4
    return page.chart()


def _cell(
    cell: Interval | None, place: tuple[float, float], size: tuple[float, float], small: bool
) -> list[str]:
    """Return a cell of a cross-table; ``small`` if there is room for the interval."""
    (x, y), (side, tall) = place, size
    box = (x + 1, y + 1, side - 2, tall - 2)
    if cell is None:
        return [rect(*box, _GRID)]
    colour = SEATS[0] if cell.value >= 0.5 else SEATS[1]
    fill = mixed(WHITE, colour, 1.5 * abs(cell.value - 0.5))
    parts, share = [rect(*box, fill)], f"{100 * cell.value:.0f}%"
    middle = y + tall / 2 + (-1 if small else 4)
    if SANS.measure(share, 13) <= side - 2:
        parts.append(text(x + side / 2, middle, share, 13, INK, font_weight="bold"))
    if small:
        parts.append(text(x + side / 2, middle + 13, _between(cell), 10, INK))
    return parts


def _between(cell: Interval) -> str:
    return f"{100 * cell.low:.0f} to {100 * cell.high:.0f}"


class _Page:
    """A chart as it is drawn, from the title down; ``y`` is where the next part begins."""

    def __init__(self, title: str, note: str) -> None:
        self.title, self.parts, self.y = title, list[str](), float(_EDGE - 6)
        for words in _wrapped(title, _TITLE * 1.1):
            self.y += _TITLE + 4
            self.add(text(_EDGE, self.y, words, _TITLE, INK, anchor="start", font_weight="bold"))
        for words in _wrapped(note, _WORDS):
            self.y += _WORDS + 6
            self.add(text(_EDGE, self.y, words, _WORDS, SOFT, anchor="start"))
        self.y += 12

    def add(self, *parts: str) -> None:
        self.parts += parts

    def label(self, words: str) -> float:
        """Write what goes up, and return where the ground to draw on begins."""
        self.y += 8
        for part in _wrapped(words, _WORDS):
            self.add(text(_EDGE, self.y, part, _WORDS, SOFT, anchor="start"))
            self.y += _WORDS + 4
        return self.y

    def legend(self, colours: Mapping[str, str]) -> None:
        """Write which colour is what."""
        x, self.y = float(_EDGE), self.y + 8
        for name, colour in colours.items():
            shown = SANS.shortened(name, WIDTH - 2 * _EDGE - 30, _WORDS)
            wide = 22 + SANS.measure(shown, _WORDS) + 16
            if x > _EDGE and x + wide > WIDTH - _EDGE:
                x, self.y = float(_EDGE), self.y + 18
            self.add(line([(x, self.y - 4), (x + 16, self.y - 4)], colour, 4))
            self.add(text(x + 22, self.y, shown, _WORDS, INK, anchor="start"))
            x += wide
        self.y += 14

    def grid(
        self, ticks: list[float], down: _Scale, ends: tuple[float, float], unit: str = ""
    ) -> None:
        """Draw the levels, with their numbers to the left."""
        for tick in ticks:
            y = down(tick)
            self.add(line([(ends[0], y), (ends[1], y)], _GRID, 1))
            self.add(text(ends[0] - 6, y + 4, _tick(tick, unit), _TICK, SOFT, anchor="end"))

    def across(
        self,
        ticks: list[float],
        across: _Scale,
        y: float,
        label: str,
        shift: float = 0.0,
        unit: str = "",
    ) -> None:
        """Write the numbers below the ground, and what they are."""
        self.y = y + 17
        for tick in ticks:
            words = _tick(tick, unit)
            half = SANS.measure(words, _TICK) / 2
            x = min(max(across(tick + shift), half + 2), WIDTH - half - 2)
            self.add(text(x, self.y, words, _TICK, SOFT))
        for part in _wrapped(label, _WORDS):
            self.y += 19
            self.add(text(WIDTH / 2, self.y, part, _WORDS, SOFT))

    def chart(self) -> Chart:
        height = self.y + _EDGE - 4
        paper = rect(0, 0, WIDTH, height, PAPER, rx=6)
        return Chart(self.title, document(WIDTH, height, self.title, [paper, *self.parts]))


def _points(band: Band) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return x, low, y and high, checked."""
    x, y = (np.asarray(values, np.float64) for values in (band.x, band.y))
    low = y if band.low is None else np.asarray(band.low, np.float64)
    high = y if band.high is None else np.asarray(band.high, np.float64)
    if x.ndim != 1 or not len(x) or not x.shape == y.shape == low.shape == high.shape:
        raise ValueError("a line needs x, y, low and high of the same length, at least 1")
    if not all(np.isfinite(values).all() for values in (x, y, low, high)):
        raise ValueError("a line needs finite numbers")
    return x.tolist(), low.tolist(), y.tolist(), high.tolist()


def _edges(data: Any) -> Any:
    """Return the edges of bars of a round width: at least five of them, at most forty or so."""
    low, high = float(data.min()), float(data.max())
    whole = bool((data == np.round(data)).all())
    least = 1.0 if whole else 0.0
    step = max(_round((high - low + least) / _MOST_BARS or 1.0), least)
    if whole and step == 1:
        more = max(4 - int(high - low), 0)
        return np.arange(low - more // 2, high + more - more // 2 + 2)
    begin = math.floor(low / step) * step
    bars = max(math.floor((high - begin) / step) + 1, 1)
    return begin + step * np.arange(bars + 1)


def _round(step: float) -> float:
    """Return the next 1, 2 or 5 times a power of ten that is no smaller."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(f * power for f in (1, 2, 5, 10) if f * power >= step * (1 - 1e-9))


def _ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers from at most ``low`` to at least ``high``."""
    if high <= low:
        high = low + (abs(low) or 1.0)
    step = _round((high - low) / most)
    begin, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [n * step for n in range(begin, end + 1)]


def _powers(low: float, high: float) -> list[float]:
    """Return powers of ten, or their halves and fifths too, from at most to at least two ends."""
    ends = math.floor(math.log10(low)), math.ceil(math.log10(high))
    powers = [10.0**n for n in range(ends[0], ends[1] + 1)]
    if len(powers) > 4:
        return powers
    steps = [factor * power for power in powers for factor in (1, 2, 5)]
    begin = max(n for n, step in enumerate(steps) if step <= low * (1 + 1e-9))
    end = min(n for n, step in enumerate(steps) if step >= high * (1 - 1e-9))
    return steps[begin : max(end, begin + 1) + 1]


def _fitting(low: float, high: float, across: _Scale, unit: str = "") -> list[float]:
    """Return round numbers within two ends, as many as can be written side by side."""
    low, high = _apart(low, high)
    for most in (10, 8, 6, 5, 4, 3, 2):
        step = _round((high - low) / most)
        begin, end = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        ticks = [n * step for n in range(begin, end + 1)]
        widest = max((SANS.measure(_tick(t, unit), _TICK) for t in ticks), default=0)
        if len(ticks) >= 2 and widest + 12 <= abs(across(step) - across(0)):
            return ticks
    return [low, high]


def _crowded(ticks: list[float], across: _Scale) -> bool:
    """Tell whether numbers cannot be written side by side."""
    widest = max(SANS.measure(_tick(tick), _TICK) for tick in ticks)
    gaps = (across(after) - across(tick) for tick, after in itertools.pairwise(ticks))
    return any(gap < widest + 12 for gap in gaps)


def _scale(
    values: tuple[float, float], places: tuple[float, float], powers: bool = False
) -> _Scale:
    """Return what turns values into places, equal factors into equal ways with ``powers``."""
    if powers:
        scale = _scale((math.log10(values[0]), math.log10(values[1])), places)
        return lambda value: scale(math.log10(value))
    (low, high), (begin, end) = _apart(*values), places
    return lambda value: begin + (value - low) / (high - low) * (end - begin)


def _apart(low: float, high: float) -> tuple[float, float]:
    """Return two ends that differ."""
    half = max(abs(low) / 2, 0.5)
    return (low, high) if high > low else (low - half, high + half)


def _tick(value: float, unit: str = "") -> str:
    """Return a round number as a short text."""
    number = 100 * value if unit == "%" else value
    shown = f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.6g}"
    return f"{shown}{unit}"


def _wrapped(words: str, size: float) -> list[str]:
    """Return a text as lines that fit the page."""
    plain = " ".join(words.split())
    return SANS.wrapped(plain, WIDTH - 2 * _EDGE, size) if plain else []


def _cycle(count: int) -> list[str]:
    return [SEATS[number % len(SEATS)] for number in range(count)]

"""A figure of a sweep as a chart, against something that was varied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjoin.drawing.colours import SEATS
from adjoin.reports.charts import Band, Chart, dots, lines
from adjoin.statistics.intervals import Interval
from adjoin.statistics.summaries import Row
from adjoin.statistics.sweep_points import Point, Shown, combination, unknown_figure
from adjoin.support.names import UnknownNameError
from adjoin.support.wording import listed

if TYPE_CHECKING:
    from adjoin.statistics.sweeps import Sweep

Series = dict[str, list[tuple[Shown, Row]]]
"""What each line goes through, or which dots have one colour."""


def chart(sweep: Sweep, figure: str, by: str | None, over: str | Sequence[str] | None) -> Chart:
    """Return a chart: see ``Sweep.plot``."""
    found = [(point, row) for point in sweep.points if (row := point.find(figure))]
    if not found:
        raise unknown_figure(figure, [point.summary for point in sweep.points])
    points = [point for point, _ in found]
    by = _across(sweep, points, by)
    rest = _rest(points, by, over)
    series: Series = {}
    for point, row in found:
        name = combination({other: point.shown[other] for other in rest})
        series.setdefault(name, []).append((point.shown[by], row))
    if len(series) > len(SEATS):
        raise ValueError(
            f"{len(series)} series, and {len(SEATS)} colours: sweep.only({rest[0]}=...) has fewer"
        )
    title = f"{sweep.title}: {figure} by {by}"
    meaning = listed(dict.fromkeys(row.note for _, row in found), "or")
    games = f"{sweep.num_games:,} matches each, with 95% intervals"
    note = f"{meaning[:1].upper()}{meaning[1:]}; {games}." if meaning else f"{games}."
    if _is_numeric(points, by):
        bands = {name: _band(rows) for name, rows in series.items()}
        return lines(bands, title=title, x=by, y=figure, note=note, marked=True)
    return _dots(series, figure, title, note)


def _across(sweep: Sweep, points: Sequence[Point], by: str | None) -> str:
    """Return what goes across: as it was asked for, or the first that has numbers."""
    if by is None:
        numeric = (name for name in sweep.varied if _is_numeric(points, name))
        return next(
            (name for name in numeric if _values(points, name) > 1), next(iter(sweep.varied))
        )
    if by not in sweep.varied:
        raise UnknownNameError(f"{by} was not varied: by must be {listed(sweep.varied, 'or')}")
    return by


def _rest(points: Sequence[Point], by: str, over: str | Sequence[str] | None) -> list[str]:
    """Return what else was varied, in the order that was asked for."""
    rest = [name for name in points[0].shown if name != by and _values(points, name) > 1]
    if over is None:
        return rest
    asked = [over] if isinstance(over, str) else list(over)
    for name in asked:
        if name not in points[0].shown or name == by:
            allowed = listed((other for other in points[0].shown if other != by), "or")
            raise UnknownNameError(f"over = {name!r}: must be {allowed}")
    for name in rest:
        if name not in asked:
            raise ValueError(
                f"{name} differs, too: name it in over as well, or plot sweep.only({name}=...)"
            )
    return asked


def _values(points: Sequence[Point], name: str) -> int:
    """Return how many values there are of something that was varied."""
    return len({point.shown[name] for point in points})


def _is_numeric(points: Sequence[Point], name: str) -> bool:
    """Tell whether all values of something are numbers."""
    values = [point.shown[name] for point in points]
    return all(isinstance(one, int | float) and not isinstance(one, bool) for one in values)


def _band(rows: Sequence[tuple[Any, Row]]) -> Band:
    """Return a line through points in the order of their numbers; without ends not known."""
    rows = sorted(rows, key=lambda pair: pair[0])
    places = [place for place, _ in rows]
    found = [row.interval if row.interval.finite else Interval(*3 * [row.value]) for _, row in rows]
    value, low, high = zip(*found, strict=True)
    return Band(places, value, low, high)


def _dots(series: Series, figure: str, title: str, note: str) -> Chart:
    """Return dots with whiskers: for each value of what goes across, those of all series."""
    places = dict.fromkeys(place for rows in series.values() for place, _ in rows)
    dotted: dict[str, Interval] = {}
    colours = []
    for place in places:
        for (name, rows), colour in zip(series.items(), SEATS, strict=False):
            for row in (row for at, row in rows if at == place):
                dotted[", ".join(filter(None, [str(place), name]))] = row.interval
                colours.append(colour)
    return dots(dotted, title=title, x=figure, note=note, colours=colours)

"""Inside the matches: what becomes of cards, where pieces are laid, how matches begin."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from adjoin.reports.charts import Chart
from adjoin.reports.documents import Grid, Part, Section, as_json
from adjoin.reports.runs import Runs
from adjoin.reports.sections.words import EDGE
from adjoin.statistics.breakdowns import Breakdown
from adjoin.statistics.intervals import Interval

_ROWS = 8
"""How many cards or places are in a table."""
_NAMED = 5
"""How many of them are named in a sentence."""
_AGENT = "greedy"
"""Whose matches are looked into."""


def cards(runs: Runs) -> Part:
    """Return which cards are left over most, and which go with winning."""
    if not len(runs.inside):
        return Part(None, {"cards": {}})
    found = runs.inside.cards()
    left = found.figures["left"]
    if not left.values.any():
        return Part(None, {"cards": {}})
    shown: tuple[str, ...] = ("left", "laid", "gone", "waited", "won")
    columns = [name for name in shown if name in found.figures]
    words = (
        f"The cards, tiles or squares that {_AGENT} agents are left with most often, from "
        f"{_matches(runs)}. {_meanings(found, columns)}",
        _winners(found),
    )
    grid = _grid("card", found.sorted("left").head(_ROWS), columns)
    return Part(
        Section("Cards", words, grid, ("cards",)),
        {"cards": _figures(found)},
        {"cards": found.plot("left", 15)},
    )


def places(runs: Runs) -> Part:
    """Return where pieces are laid, and where by those who win."""
    try:
        found = runs.inside.cells()
    except ValueError:
        return Part(None, {"places": {}})
    charts: dict[str, Chart] = {}
    with contextlib.suppress(ValueError):
        charts = {f"places-{name}": found.heat_map(name) for name in ("laid", "won")}
    columns = ["laid", "when", "won"]
    words = (
        f"Where {_AGENT} agents lay most, from {_matches(runs)}. {_meanings(found, columns)}",
        _winners(found),
    )
    grid = _grid("place", found.sorted("laid").head(_ROWS), columns)
    return Part(Section("Places", words, grid, tuple(charts)), {"places": _figures(found)}, charts)


def _matches(runs: Runs) -> str:
    return f"{len(set(runs.inside['episode'].tolist())):,} matches"


def _meanings(found: Breakdown, columns: list[str]) -> str:
    return "; ".join(f"{name}: {found.figures[name].meaning}" for name in columns) + "."


def _grid(noun: str, found: Breakdown, columns: list[str]) -> Grid:
    rows = (
        (name, *(format(found[name][column], found.figures[column].unit) for column in columns))
        for name in found
    )
    return Grid((noun, *columns), tuple(rows))


def _winners(found: Breakdown) -> str:
    """Return in words what goes with winning: what is both sure and large enough to matter."""
    won, beyond = found.figures["won"], found.beyond_fair()
    rows = np.flatnonzero(np.abs(beyond) > EDGE)
    what = (
        f"more than {100 * EDGE:.0f} percentage points from the fair share of the wins "
        f"({found.fair:.1%})"
    )
    if not len(rows):
        return f"No {found.noun} is surely {what}, if all {len(found)} are looked at together."
    order = rows[np.argsort(-np.abs(beyond[rows]))]
    named = ", ".join(f"{found.names[row]} ({_share(won.at(row))})" for row in order[:_NAMED])
    more = f" and {len(order) - _NAMED} more" if len(order) > _NAMED else ""
    return (
        f"Surely {what}, if all {len(found)} are looked at together: {named}{more}. What goes with "
        "winning need not be its cause."
    )


def _share(interval: Interval) -> str:
    value, low, high = interval.texts("%")
    return f"{value}%, {low} to {high}%"


def _figures(found: Breakdown) -> dict[str, Any]:
    return {
        name: {figure: as_json(interval) for figure, interval in found[name].items()}
        for name in found
    }

"""Pages about games: words, tables and charts, as HTML and as Markdown."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from adjoin.reports.charts import Chart
from adjoin.statistics.intervals import Interval

_SENTENCE = 40
"""How many letters make a cell of words."""
_BRACKETS = re.compile(r"\((?:-?[\d.,]+ to |p [=<] )[^()]*\)")


class Grid(NamedTuple):
    """A table of texts."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """A part of a report: words, a table, charts by name."""

    heading: str
    words: tuple[str, ...]
    grid: Grid | None = None
    charts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A section, or none if there is nothing to say, with its numbers and charts."""

    section: Section | None
    figures: dict[str, Any]
    charts: dict[str, Chart] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """What was measured about a game: shown by notebooks, or saved to a folder.

    ``figures`` has every number with its interval, ready for JSON; ``charts`` the pictures.
    """

    game: str
    title: str
    sections: tuple[Section, ...]
    charts: dict[str, Chart]
    figures: dict[str, Any]

    @property
    def html(self) -> str:
        """A page that needs no other file, light or dark as the reader likes."""
        return _page(self.title, self._repr_html_())

    @property
    def markdown(self) -> str:
        """The page in Markdown, with pictures beside it as ``save`` puts them there."""
        return self._markdown(self.game)

    def save(self, folder: str | os.PathLike[str], name: str | None = None) -> list[Path]:
        """Write the page as HTML and Markdown, its pictures and its numbers; return the paths.

        The files are called after the game, or as ``name`` says.
        """
        place, stem = Path(folder), name or self.game
        place.mkdir(parents=True, exist_ok=True)
        numbers = json.dumps(self.figures, indent=1, allow_nan=False, ensure_ascii=False)
        texts = {
            f"{stem}.html": self.html,
            f"{stem}.md": self._markdown(stem),
            f"{stem}.json": numbers + "\n",
            **{f"{stem}-{key}.svg": chart.svg for key, chart in self.charts.items()},
        }
        for file, text in texts.items():
            (place / file).write_text(text, encoding="utf-8")
        return [place / file for file in texts]

    def __repr__(self) -> str:
        """Return which game it is about."""
        return f"<Report: {self.title}>"

    def _repr_html_(self) -> str:
        parts = [f"<h1>{escape(self.title)}</h1>"]
        for section in self.sections:
            parts.append(f"<h2>{escape(section.heading)}</h2>" if section.heading else "")
            parts += [f"<p>{_escaped(words)}</p>" for words in section.words]
            parts.append(_html_grid(section.grid) if section.grid else "")
            parts += [f"<figure>{self.charts[name].svg}</figure>" for name in section.charts]
        return f'<div class="adjoin-report"><style>{_STYLE}</style>{"".join(parts)}</div>'

    def _markdown(self, stem: str) -> str:
        parts = [f"# {self.title}"]
        for section in self.sections:
            parts += [f"## {section.heading}"] if section.heading else []
            parts += section.words
            parts += [_markdown_grid(section.grid)] if section.grid else []
            parts += [f"![{self.charts[name].title}]({stem}-{name}.svg)" for name in section.charts]
        return "\n\n".join(parts) + "\n"


def index(reports: Sequence[Report]) -> str:
    """Return a page that compares reports and links to theirs, as ``save`` calls them."""
    head = ("game", "players", "decisions", "legal actions", "shared wins", "first wins", "skill")
    rows = []
    for one in reports:
        figures = one.figures
        skill = "; ".join(
            f"{step['agent']} among {step['among']}: {as_text(step['win share'], '%')}"
            for step in figures["skill"]
        )
        cells = (
            str(figures["players"]),
            as_text(figures["length"]["greedy"]["decisions"]["mean"]),
            as_text(figures["choice"]["greedy"]["legal actions"]),
            as_text(figures["endings"]["greedy"]["shared wins"], "%"),
            as_text(figures["seats"]["greedy"]["first"], "%"),
            skill,
        )
        link = f'<a href="{escape(one.game)}.html">{escape(one.title)}</a>'
        rows.append(f"<tr><td>{link}</td>{''.join(map(_html_cell, cells))}</tr>")
    table = (
        f"<table><thead><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    words = "Measured between greedy agents, unless others are named. Brackets hold 95% intervals."
    body = (
        f'<div class="adjoin-report"><style>{_STYLE}</style><h1>The games, measured</h1>'
        f'<p>{words}</p><div class="wide">{table}</div></div>'
    )
    return _page("The games, measured", body)


def as_json(interval: Interval) -> dict[str, float | None]:
    """Return an interval for JSON: an end that is not known is None."""
    value, low, high = (number if math.isfinite(number) else None for number in interval)
    return {"value": value, "low": low, "high": high}


def as_text(plain: dict[str, Any], unit: str = "") -> str:
    """Return an interval as text."""
    low, high = plain["low"], plain["high"]
    ends = (-math.inf if low is None else low, math.inf if high is None else high)
    return format(Interval(plain["value"], *ends), unit)


def _escaped(words: str) -> str:
    """Return a text for HTML, in which no line ends within an interval or a p-value."""
    return escape(_BRACKETS.sub(lambda found: found[0].replace(" ", "\u00a0"), words))


def _html_grid(grid: Grid) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.head)
    rows = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in grid.rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _html_cell(text: str) -> str:
    """Return a cell; one with a sentence keeps its width, or phones would give a word a line."""
    kind = ' class="words"' if len(text) > _SENTENCE else ""
    return f"<td{kind}>{_escaped(text)}</td>"


def _markdown_grid(grid: Grid) -> str:
    rows = [grid.head, ("---",) * len(grid.head), *grid.rows]
    return "\n".join(
        f"| {' | '.join(c.replace('|', chr(92) + '|') for c in row)} |" for row in rows
    )


_STYLE = (
    ".adjoin-report{max-width:800px;margin:0 auto;line-height:1.5}"
    ".adjoin-report .wide{overflow-x:auto}"
    ".adjoin-report table{border-collapse:collapse;margin:.8em 0;font-size:.92em}"
    ".adjoin-report th,.adjoin-report td{text-align:left;vertical-align:top;"
    "padding:.25em .9em .25em 0;border-bottom:1px solid #8886}"
    ".adjoin-report td.words{min-width:10em}"
    ".adjoin-report td:first-child{min-width:7em}"
    ".adjoin-report figure{margin:1.2em 0}"
    ".adjoin-report svg{max-width:100%;height:auto}"
)
_PAGE = (
    ":root{color-scheme:light dark}"
    "body{margin:2em 1em 4em;font-family:sans-serif;background:#fff;color:#222}"
    "a{color:#0072b2}"
    "@media (prefers-color-scheme:dark){body{background:#1b1b1d;color:#e4e2dd}a{color:#56b4e9}}"
)


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_PAGE}</style></head><body>{body}</body></html>\n"
    )

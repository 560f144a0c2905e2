"""One page about a game, measured: how long, how wide, how fair, how much skill, how fast.

``python -m adjoin.reports`` writes a page for every game, and an index, to the folder ``reports``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjoin.batch import Batch, as_seed, options_json, whole
from adjoin.charts import Band, Chart, dots, histogram, lines
from adjoin.intervals import Interval, bootstrap, mean, ratio, wilson
from adjoin.progress import progress_of
from adjoin.render.draw import SEATS
from adjoin.simulation import simulate
from adjoin.spec import Spec, games
from adjoin.summaries import Summary, lead_changes, share, summarise
from adjoin.tables import Table

SEARCH = "search(iterations=50, depth=10)"
"""The strongest agent of a report, unless another is asked for."""

_SAMPLE = 500
_WORK = 7_500_000
_BLOCKS = 5


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
            parts += [f"<p>{escape(words)}</p>" for words in section.words]
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


def report(
    game: str,
    *,
    episodes: int = 2000,
    seed: int = 0,
    threads: int | None = None,
    search: str | None = SEARCH,
    duels: int | None = None,
    progress: bool | Callable[[int, int], None] | None = None,
    **options: Any,
) -> Report:
    """Measure a game by simulated matches and write a page about it.

    ``episodes`` are played by random agents, by greedy ones, and by a greedy one among random ones;
    ``duels`` by the ``search`` agent among greedy ones, unless it is None. By default there are
    fewer duels the longer the game is. All but the speed follows from the arguments: the same
    seed measures the same. The remaining keywords are the game's options.

    >>> page = report("domiphun", episodes=100, search=None, threads=1, progress=False)
    >>> page.figures["length"]["greedy"]["decisions"]["mean"]["value"] > 20
    True
    """
    spec = Batch.of(game, options).spec
    count = whole("episodes", episodes, 2, 2**31)
    workers = whole("threads", os.cpu_count() or 1 if threads is None else threads, 1, 256)
    runs = _Runs(spec, options, as_seed(seed), workers, count)
    with progress_of(progress, 100, "%") as tell:
        runs.play(search, duels, tell)
    parts = [
        _opening(runs),
        _length(runs),
        _choice(runs),
        _endings(runs),
        _seats(runs),
        _leads(runs),
        _skill(runs),
        _own(runs),
        _speed(runs),
        _measured(runs),
    ]
    figures: dict[str, Any] = {}
    charts: dict[str, Chart] = {}
    for part in parts:
        figures |= part.figures
        charts |= part.charts
    glance = _glance(figures)
    sections = (parts[0].section, glance, *(part.section for part in parts[1:]))
    return Report(spec.name, spec.title, sections, charts, figures)


# What is played.


@dataclass
class _Runs:
    """The matches of a report."""

    spec: Spec
    options: dict[str, Any]
    seed: int
    threads: int
    episodes: int
    search: str | None = None
    even: dict[str, Table] = field(default_factory=dict)
    """Episodes of the same agent at every seat."""
    samples: dict[str, Table] = field(default_factory=dict)
    """Decisions of the first of those episodes."""
    ladder: dict[str, Table] = field(default_factory=dict)
    """Episodes of one agent among weaker ones."""

    @property
    def fair(self) -> float:
        """What everybody would win if all were equal."""
        return 1 / self.spec.seats

    def simulate(self, episodes: int, agents: Any, threads: int = 0, **keywords: Any) -> Table:
        return simulate(
            self.spec.name,
            episodes,
            agents,
            threads=threads or self.threads,
            **{"seed": self.seed, "progress": False, **keywords},
            **self.options,
        )

    def play(self, search: str | None, duels: int | None, tell: Callable[[int], None]) -> None:
        """Play everything but the races for speed; ``tell`` hears how many hundredths are done."""
        seats, self.search = self.spec.seats, search
        sample = min(self.episodes, _SAMPLE)
        for number, agent in enumerate(("random", "greedy")):
            self.even[agent] = self.simulate(self.episodes, agent)
            self.samples[agent] = self.simulate(sample, agent, record="decisions")
            tell(5 + 10 * number)
        agents = ["greedy", *["random"] * (seats - 1)]
        self.ladder["greedy"] = self.simulate(self.episodes, agents)
        tell(25)
        if search is not None:
            length = float(self.even["greedy"]["decisions"].mean())
            usual = min(max(int(_WORK * seats / length**2), 40), self.episodes)
            count = usual if duels is None else whole("duels", duels, 2, 2**31)
            agents = [search, *["greedy"] * (seats - 1)]
            self.ladder[search] = self.simulate(
                count, agents, progress=lambda done, total: tell(25 + 70 * done // total)
            )
        tell(95)


class _Part(NamedTuple):
    """A section, with its charts and numbers."""

    section: Section
    figures: dict[str, Any]
    charts: dict[str, Chart] = {}


# The sections.


def _opening(runs: _Runs) -> _Part:
    spec = runs.spec
    given = json.loads(options_json(runs.options))
    rows = tuple(
        (name, _short(spec.options[name]) + (" (given)" if name in given else ""), meaning)
        for name, meaning in spec.option_meanings.items()
    )
    words = (spec.summary, f"{spec.seats} players. {spec.end} {spec.rewards}")
    facts = {
        "game": spec.name,
        "title": spec.title,
        "seats": spec.seats,
        "options": spec.options,
        "given": given,
    }
    return _Part(Section("", words, Grid(("option", "value", "meaning"), rows)), facts)


def _glance(figures: dict[str, Any]) -> Section:
    """Return the few numbers that say most."""
    length, choice = figures["length"]["greedy"], figures["choice"]["greedy"]
    rows = [
        ("decisions in a match", _shown(length["decisions"]["mean"])),
        ("turns in a match", _shown(length["turns"]["mean"])),
        ("legal actions at a decision", _shown(choice["legal actions"])),
        ("shared wins", _shown(figures["endings"]["greedy"]["shared wins"], "%")),
        ("win share of who decides first", _shown(figures["seats"]["greedy"]["first"], "%")),
        ("lead changes in a match", _shown(figures["leads"]["greedy"]["changes"])),
    ]
    fair = f"{figures['fair share']:.0%}"
    for step in figures["skill"]:
        what = f"win share of {step['agent']} among {step['among']} (fair: {fair})"
        rows.append((what, _shown(step["win share"], "%")))
    words = "Greedy agents at every seat, unless said otherwise. Brackets hold 95% intervals."
    return Section("At a glance", (words,), Grid(("figure", "value"), tuple(rows)))


def _length(runs: _Runs) -> _Part:
    figures: dict[str, Any] = {}
    rows = []
    for agent, table in runs.even.items():
        figures[agent] = {}
        for name in ("decisions", "turns", "rounds"):
            spread = _spread(table[name])
            figures[agent][name] = {key: _plain(value) for key, value in spread.items()}
            rows.append((f"{name}, {agent}", *map(str, spread.values())))
    charts = {
        f"length-{agent}": histogram(
            table["decisions"],
            title=f"Length of a match, {agent} agents",
            x="decisions",
            of="matches",
            note=f"mean {mean(table['decisions'])}",
        )
        for agent, table in runs.even.items()
    }
    by_hand = figures["greedy"]["decisions"]
    words = (
        f"Between greedy agents a match takes {_shown(by_hand['mean'])} decisions. One in ten is "
        f"over within {_shown(by_hand['shortest tenth'])}, one in ten takes at least "
        f"{_shown(by_hand['longest tenth'])}. A turn may have several decisions."
    )
    head = ("", "mean", "standard deviation", "shortest tenth", "median", "longest tenth")
    return _Part(
        Section("Length", (words,), Grid(head, tuple(rows)), tuple(charts)),
        {"length": figures},
        charts,
    )


def _spread(values: NDArray[Any]) -> dict[str, Interval]:
    """Return mean, spread and quantiles, all but the mean by the bootstrap."""

    def at(share: float) -> Interval:
        return bootstrap(lambda data: float(np.quantile(data, share)), values, resamples=300)

    deviation = bootstrap(lambda data: float(np.std(data)), values, resamples=300)
    return {
        "mean": mean(values),
        "standard deviation": deviation,
        "shortest tenth": at(0.1),
        "median": at(0.5),
        "longest tenth": at(0.9),
    }


def _choice(runs: _Runs) -> _Part:
    figures: dict[str, Any] = {}
    bands: dict[str, Band] = {}
    rows = []
    for agent, sample in runs.samples.items():
        summary, table = summarise(sample), runs.even[agent]
        found = {
            "legal actions": summary["legal actions"].interval,
            "forced decisions": summary["forced decisions"].interval,
            "decisions per turn": ratio(table["decisions"], table["turns"]),
        }
        bands[agent] = _by_ply(sample)
        figures[agent] = {
            **{key: _plain(value) for key, value in found.items()},
            "by ply": {key: list(values) for key, values in bands[agent]._asdict().items()},
        }
        texts = (f"{value:%}" if key == "forced decisions" else str(value) for key, value in found.items())
        rows.append((agent, *texts))
    chart = lines(
        bands,
        title="Legal actions in the course of a match",
        x="decisions taken",
        y="legal actions, mean with 95% band",
    )
    legal, forced = (figures["greedy"][key] for key in ("legal actions", "forced decisions"))
    words = (
        f"At a decision there are {_shown(legal)} legal actions on average (greedy agents); "
        f"{_shown(forced, '%')} of the decisions have no choice."
    )
    head = ("agents", "legal actions", "forced decisions", "decisions per turn")
    section = Section("Choice", (words,), Grid(head, tuple(rows)), ("choice",))
    return _Part(section, {"choice": figures}, {"choice": chart})


def _by_ply(sample: Table) -> Band:
    """Return the mean number of legal actions in the course of a match, while a tenth still play.

    A match counts once at every place, which is a decision, or several in long games.
    """
    ply, legal = sample["ply"].astype(np.int64), sample["legal"]
    matches = int((ply == 0).sum())
    match = np.cumsum(ply == 0) - 1
    lasting = np.bincount(ply) >= max(0.1 * matches, 2)
    wide = max(1, math.ceil(lasting.sum() / 100))
    place = ply // wide
    places = max(int(lasting.sum()) // wide, 1)
    key = match * (place.max() + 1) + place
    seen, at = np.unique(key, return_inverse=True)
    values = np.bincount(at, legal) / np.bincount(at)
    where = seen % (place.max() + 1)
    found = [mean(values[where == number]) for number in range(places)]
    xs = [number * wide + (wide - 1) / 2 for number in range(places)]
    return Band(xs, *([getattr(i, end) for i in found] for end in ("value", "low", "high")))


def _endings(runs: _Runs) -> _Part:
    figures: dict[str, Any] = {}
    shown: dict[str, Interval] = {}
    for agent, table in runs.even.items():
        codes, labels = table.codes("ended")
        found = {
            label: wilson(int((codes == number).sum()), len(table))
            for number, label in enumerate(labels)
            if label != "cut off" or (codes == number).any()
        }
        shared = wilson(int((table["winner"] < 0).sum()), len(table))
        figures[agent] = {
            "ended": {label: _plain(value) for label, value in found.items()},
            "shared wins": _plain(shared),
        }
        shown |= {f"{label}, {agent}": value for label, value in found.items()}
        shown[f"shared win, {agent}"] = shared
    chart = dots(
        shown, title="How matches end", x="share of matches", unit="%", colours=_colours(shown)
    )
    often = max(figures["greedy"]["ended"].items(), key=lambda item: float(item[1]["value"]))
    words = (
        f"Between greedy agents most matches end by “{often[0]}”: {_shown(often[1], '%')}. "
        f"{_shown(figures['greedy']['shared wins'], '%')} have no sole winner."
    )
    return _Part(
        Section("How matches end", (words,), None, ("endings",)),
        {"endings": figures},
        {"endings": chart},
    )


def _seats(runs: _Runs) -> _Part:
    figures: dict[str, Any] = {}
    shown: dict[str, Interval] = {}
    for agent, table in runs.even.items():
        found = {f"seat {s}": share(table[f"won_{s}"]) for s in range(runs.spec.seats)}
        sample = runs.samples[agent]
        begins = sample["seat"][sample["ply"] == 0]
        won = table.each_seat("won")[: len(begins)]
        found["first"] = share(won[np.arange(len(begins)), begins])
        figures[agent] = {key: _plain(value) for key, value in found.items()}
        names = {key: "decides first" if key == "first" else key for key in found}
        shown |= {f"{names[key]}, {agent}": value for key, value in found.items()}
    chart = dots(
        shown,
        title="Win share by seat",
        x="share of the wins",
        unit="%",
        note=f"The dashed line is the fair share, {runs.fair:.1%}.",
        reference=runs.fair,
        colours=_colours(shown),
    )
    words = tuple(
        f"Between {agent} agents, " + _verdict(found, runs.fair) for agent, found in figures.items()
    )
    return _Part(
        Section("Seats", (" ".join(words),), None, ("seats",)),
        {"fair share": runs.fair, "seats": figures},
        {"seats": chart},
    )


def _verdict(found: dict[str, Any], fair: float) -> str:
    """Return in words which seats win more or less than their share."""
    more = [key for key, value in found.items() if key != "first" and value["low"] > fair]
    less = [key for key, value in found.items() if key != "first" and value["high"] < fair]
    words = [f"{' and '.join(more)} win more than the fair share"] if more else []
    words += [f"{' and '.join(less)} less"] if more and less else []
    words += [f"{' and '.join(less)} win less than the fair share"] if less and not more else []
    seats = ", ".join(words) or "no seat is clearly ahead of the others"
    return f"{seats}; whoever decides first wins {_shown(found['first'], '%')}."


def _leads(runs: _Runs) -> _Part:
    figures: dict[str, Any] = {}
    rows = []
    for agent, sample in runs.samples.items():
        changes = lead_changes(sample)
        found = {
            "changes": mean(changes),
            "none": wilson(int((changes == 0).sum()), len(changes)),
            "settled": mean(_settled(sample, runs.even[agent])),
        }
        figures[agent] = {key: _plain(value) for key, value in found.items()}
        rows.append((agent, str(found["changes"]), f"{found['none']:%}", f"{found['settled']:%}"))
    greedy = figures["greedy"]
    words = (
        "Who leads is judged after every decision by what everybody may know. Between greedy agents "
        f"the sole leader changes {_shown(greedy['changes'])} times in a match; the winner is ahead "
        f"for good after {_shown(greedy['settled'], '%')} of the decisions."
    )
    head = ("agents", "lead changes", "matches without any", "decisions until the winner leads for good")
    return _Part(Section("Lead", (words,), Grid(head, tuple(rows))), {"leads": figures})

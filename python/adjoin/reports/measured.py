"""One page about a game, measured: how long, how wide, how fair, how much skill, how fast.

``adjoin report`` on the command line writes a page for every game, and an index.
"""

from __future__ import annotations

import json
import math
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjoin.core.spec import Spec, options_json
from adjoin.drawing.colours import SEATS
from adjoin.reports.charts import Band, Chart, dots, histogram, lines
from adjoin.reports.documents import Grid, Report, Section, as_json, as_text
from adjoin.simulation.runs import simulate
from adjoin.simulation.tables import Table
from adjoin.statistics.intervals import (
    Interval,
    bootstrap,
    games_needed,
    mean,
    ratio,
    share,
    wilson,
)
from adjoin.statistics.ladders import agent_ladder
from adjoin.statistics.summaries import Matches, Summary, lead_changes, summarise
from adjoin.support.arguments import as_seed, whole
from adjoin.support.progress import progress_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.statistics.tournaments import Tournament
    from adjoin.support.progress import Progress

AUTO = "auto"
"""Stands for a search that fits the length of the game."""

_SAMPLE = 500
"""How many matches are looked at decision by decision, at most."""
_WORK = 500_000
"""How many duels there are: this, times the seats, by the square of the decisions in a match."""
_EDGE = 0.03
"""The advantage of a seat that should not be overlooked, as a share of the wins."""
_BLOCKS = 5
"""How many runs a speed is taken from."""


def report(
    game: str,
    *,
    episodes: int = 2000,
    seed: int = 0,
    threads: int | None = None,
    search: str | None = AUTO,
    duels: int | None = None,
    progress: Progress = None,
    **options: Unpack[GameOptions],
) -> Report:
    """Measure a game by simulated matches and write a page about it.

    ``episodes`` are played by random agents, by greedy ones, and by a greedy one among random ones;
    ``duels`` by the ``search`` agent among greedy ones, unless it is None; a ladder rates all
    agents by a fourth of as many. By default it searches
    less and there are fewer duels the longer the game is. All but the speed follows from the
    arguments: the same seed measures the same. The remaining keywords are the game's options.

    >>> page = report("domiphun", episodes=100, search=None, threads=1, progress=False)
    >>> page.figures["length"]["greedy"]["decisions"]["mean"]["value"] > 20
    True
    """
    spec = Spec.of(game, options)
    count = whole("episodes", episodes, 2, 2**31)
    workers = whole("threads", os.cpu_count() or 1 if threads is None else threads, 1, 256)
    runs = _Runs(spec, options, as_seed(seed), workers, count)
    with progress_of(progress, 100, "%") as tell:
        runs.play(search, duels, tell)
        sections = (
            _opening,
            _repeats,
            _length,
            _choice,
            _endings,
            _seats,
            _leads,
            _skill,
            _agents,
            _own,
            _speed,
        )
        parts = [write(runs) for write in (*sections, _measured)]
        tell(100)
    figures: dict[str, Any] = {}
    charts: dict[str, Chart] = {}
    for part in parts:
        figures |= part.figures
        charts |= part.charts
    opening, *others = (part.section for part in parts if part.section is not None)
    pages = (opening, _glance(figures), *others)
    return Report(spec.name, spec.title, pages, charts, figures)


# What is played.


@dataclass
class _Runs:
    """The matches of a report."""

    spec: Spec
    options: GameOptions
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
    matches: dict[str, Matches] = field(default_factory=dict)
    """What became of the games of each line-up."""
    rated: Tournament | None = None
    """The ladder of the agents."""

    @property
    def fair(self) -> float:
        """What everybody would win if all were equal."""
        return 1 / self.spec.seats

    def simulate(self, episodes: int, agents: Any, threads: int = 0, **keywords: Any) -> Table:
        table: Table = simulate(
            self.spec.name,
            episodes,
            agents,
            threads=threads or self.threads,
            **{"seed": self.seed, "progress": False, **keywords, **self.options},
        )
        return table

    def observe(self, who: str, episodes: int, agents: Any, **keywords: Any) -> Table:
        """Play matches and return those that count."""
        self.matches[who] = Matches.of(self.simulate(episodes, agents, **keywords))
        return self.matches[who].observed

    def play(self, search: str | None, duels: int | None, tell: Callable[[int], None]) -> None:
        """Play everything but the races for speed; ``tell`` hears how many hundredths are done."""
        seats = self.spec.seats
        sample = min(self.episodes, _SAMPLE)
        for number, agent in enumerate(("random", "greedy")):
            self.even[agent] = self.observe(f"{agent} agents", self.episodes, agent)
            some = self.simulate(sample, agent, record="decisions")
            self.samples[agent] = some[np.isin(some["episode"], self.even[agent]["episode"])]
            tell(5 + 10 * number)
        agents = ["greedy", *["random"] * (seats - 1)]
        self.ladder["greedy"] = self.observe("greedy among random", self.episodes, agents)
        tell(25)
        searches: tuple[str, ...] = ()
        games = self.episodes
        if search is not None:
            length = float(self.even["greedy"]["decisions"].mean())
            iterations = 200 if length < 100 else 30
            searches = (search,)
            if search == AUTO:
                budgets = (iterations // 4, iterations // 2, iterations)
                searches = tuple(f"search(iterations={count})" for count in budgets)
                search = searches[-1]
            self.search = search
            usual = min(max(int(_WORK * seats / length**2), 40), self.episodes)
            count = usual if duels is None else whole("duels", duels, 2, 2**31)
            agents = [search, *["greedy"] * (seats - 1)]
            self.ladder[search] = self.observe(
                f"{search} among greedy",
                count,
                agents,
                progress=lambda done, total: tell(25 + 35 * done // total),
            )
            games = count // 4
        self.rated = agent_ladder(
            self.spec.name,
            num_games=min(max(games, 10), self.episodes),
            searches=searches,
            seed=self.seed,
            threads=self.threads,
            progress=lambda done, total: tell(60 + 35 * done // total),
            **self.options,
        )
        tell(95)


@dataclass(frozen=True)
class _Part:
    """A section, with its numbers and charts."""

    section: Section | None
    figures: dict[str, Any]
    charts: dict[str, Chart] = field(default_factory=dict)


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
        "players": spec.seats,
        "options": spec.options,
        "given": given,
    }
    return _Part(Section("", words, Grid(("option", "value", "meaning"), rows)), facts)


def _repeats(runs: _Runs) -> _Part:
    """Return which games are one match again and again, if there are any."""
    figures = {
        who: {"games": each.games, "distinct": each.distinct, "counted": each.left}
        for who, each in runs.matches.items()
    }
    rows = tuple(
        (who, f"{each.games:,}", f"{each.distinct:,}", f"{each.left:,}")
        for who, each in runs.matches.items()
        if each.notice
    )
    words = (
        "Some of the games are one match again. Where agents leave nothing to chance from this "
        "start, a match that is repeated counts once."
    )
    grid = Grid(("agents", "games", "distinct matches", "games that count"), rows)
    return _Part(
        Section("Repeated matches", (words,), grid) if rows else None, {"matches": figures}
    )


def _glance(figures: dict[str, Any]) -> Section:
    """Return the few numbers that say most."""
    length, choice = figures["length"]["greedy"], figures["choice"]["greedy"]
    rows = [
        ("decisions in a match", as_text(length["decisions"]["mean"])),
        ("turns in a match", as_text(length["turns"]["mean"])),
        ("legal actions at a decision", as_text(choice["legal actions"])),
        ("shared wins", as_text(figures["endings"]["greedy"]["shared wins"], "%")),
        ("win share of who decides first", as_text(figures["seats"]["greedy"]["first"], "%")),
        ("lead changes in a match", as_text(figures["leads"]["greedy"]["changes"])),
    ]
    fair = f"{figures['fair share']:.0%}"
    for step in figures["skill"]:
        what = f"win share of {step['agent']} among {step['among']} (fair: {fair})"
        rows.append((what, as_text(step["win share"], "%")))
    words = "Greedy agents at every seat, unless said otherwise. Brackets hold 95% intervals."
    return Section("At a glance", (words,), Grid(("figure", "value"), tuple(rows)))


def _length(runs: _Runs) -> _Part:
    figures: dict[str, Any] = {}
    rows = []
    for agent, table in runs.even.items():
        figures[agent] = {}
        for name in ("decisions", "turns", "rounds"):
            spread = _spread(table[name])
            figures[agent][name] = {key: as_json(value) for key, value in spread.items()}
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
        f"Between greedy agents a match takes {as_text(by_hand['mean'])} decisions. One in ten is "
        f"over within {as_text(by_hand['shortest tenth'])}, one in ten takes at least "
        f"{as_text(by_hand['longest tenth'])}. A turn may have several decisions."
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
            **{key: as_json(value) for key, value in found.items()},
            "by ply": {key: list(values) for key, values in bands[agent]._asdict().items()},
        }
        texts = (
            f"{value:%}" if key == "forced decisions" else str(value)
            for key, value in found.items()
        )
        rows.append((agent, *texts))
    chart = lines(
        bands,
        title="Legal actions in the course of a match",
        x="decisions taken",
        y="legal actions, mean with 95% band",
    )
    legal, forced = (figures["greedy"][key] for key in ("legal actions", "forced decisions"))
    words = (
        f"At a decision there are {as_text(legal)} legal actions on average (greedy agents); "
        f"{as_text(forced, '%')} of the decisions have no choice."
    )
    head = ("agents", "legal actions", "forced decisions", "decisions per turn")
    section = Section("Choice", (words,), Grid(head, tuple(rows)), ("choice",))
    return _Part(section, {"choice": figures}, {"choice": chart})


def _by_ply(sample: Table) -> Band:
    """Return the mean number of legal actions in the course of a match, while a tenth still play.

    A match counts once at every place, which is a decision, or several in long games. A single
    match has a band without width.
    """
    ply, legal = sample["ply"].astype(np.int64), sample["legal"]
    matches = int((ply == 0).sum())
    match = np.cumsum(ply == 0) - 1
    lasting = np.bincount(ply) >= min(max(0.1 * matches, 2), matches)
    wide = max(1, math.ceil(lasting.sum() / 100))
    place = ply // wide
    places = max(int(lasting.sum()) // wide, 1)
    key = match * (place.max() + 1) + place
    seen, at = np.unique(key, return_inverse=True)
    values = np.bincount(at, legal) / np.bincount(at)
    where = seen % (place.max() + 1)
    found = [mean(values[where == number]) for number in range(places)]
    known = [i if i.finite else Interval(i.value, i.value, i.value) for i in found]
    xs = [number * wide + (wide - 1) / 2 for number in range(places)]
    return Band(xs, *([getattr(i, end) for i in known] for end in ("value", "low", "high")))


def _endings(runs: _Runs) -> _Part:
    figures: dict[str, Any] = {}
    shown: dict[str, Interval] = {}
    for agent, table in runs.even.items():
        codes, labels = table.codes("ended", unused=True)
        found = {
            label: wilson(int((codes == number).sum()), len(table))
            for number, label in enumerate(labels)
            if label != "cut off" or (codes == number).any()
        }
        shared = wilson(int((table["winner"] < 0).sum()), len(table))
        figures[agent] = {
            "ended": {label: as_json(value) for label, value in found.items()},
            "shared wins": as_json(shared),
        }
        shown |= {f"{label}, {agent}": value for label, value in found.items()}
        shown[f"shared win, {agent}"] = shared
    chart = dots(
        shown, title="How matches end", x="share of matches", unit="%", colours=_colours(shown)
    )
    often = max(figures["greedy"]["ended"].items(), key=lambda item: float(item[1]["value"]))
    words = (
        f"Between greedy agents most matches end by “{often[0]}”: {as_text(often[1], '%')}. "
        f"{as_text(figures['greedy']['shared wins'], '%')} have no sole winner."
    )
    return _Part(
        Section("How matches end", (words,), None, ("endings",)),
        {"endings": figures},
        {"endings": chart},
    )


def _seats(runs: _Runs) -> _Part:
    figures: dict[str, Any] = {}
    shown: dict[str, Interval] = {}
    begins = runs.simulate(runs.episodes, "random", record="decisions", max_decisions=1)["seat"]
    for agent, table in runs.even.items():
        found = {f"seat {s}": share(table[f"won_{s}"]) for s in range(runs.spec.seats)}
        first = begins[table["episode"]]
        found["first"] = share(table.each_seat("won")[np.arange(len(table)), first])
        figures[agent] = {key: as_json(value) for key, value in found.items()}
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
        f"Between {agent} agents, " + _verdict(found, runs.fair, len(runs.even[agent]))
        for agent, found in figures.items()
    )
    return _Part(
        Section("Seats", (" ".join(words),), None, ("seats",)),
        {"fair share": runs.fair, "seats": figures},
        {"seats": chart},
    )


def _verdict(found: dict[str, Any], fair: float, matches: int) -> str:
    """Return in words which seats win more or less than their share, in so many matches."""
    more = [key for key, value in found.items() if key != "first" and value["low"] > fair]
    less = [key for key, value in found.items() if key != "first" and value["high"] < fair]
    words = [
        f"{' and '.join(seats)} {'wins' if len(seats) == 1 else 'win'} {what} than the fair share"
        for seats, what in ((more, "more"), (less, "less"))
        if seats
    ]
    seats = ", ".join(words) or _undecided(matches, games_needed(_EDGE, fair))
    return f"{seats}; whoever decides first wins {as_text(found['first'], '%')}."


def _undecided(matches: int, needed: int) -> str:
    """Return in words what it means that no seat stands out."""
    edge = f"an advantage of {100 * _EDGE:.0f} percentage points"
    if matches >= needed:
        return (
            f"no seat is clearly ahead: {needed:,} matches would show {edge}, here are {matches:,}"
        )
    return (
        f"{matches:,} matches do not tell whether a seat is ahead: to show {edge} takes {needed:,}"
    )


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
        figures[agent] = {key: as_json(value) for key, value in found.items()}
        rows.append((agent, str(found["changes"]), f"{found['none']:%}", f"{found['settled']:%}"))
    greedy = figures["greedy"]
    words = (
        "Who leads is judged after every decision by what everybody may know. Between greedy "
        f"agents the sole leader changes {as_text(greedy['changes'])} times in a match; the winner "
        f"is ahead for good after {as_text(greedy['settled'], '%')} of the decisions."
    )
    head = (
        "agents",
        "lead changes",
        "matches without any",
        "decisions until the winner leads for good",
    )
    return _Part(Section("Lead", (words,), Grid(head, tuple(rows))), {"leads": figures})


def _settled(sample: Table, table: Table) -> NDArray[np.float64]:
    """Return after what part of its decisions the winner of each match leads for good.

    That is all of them where the win is shared.
    """
    standing, ply = sample.each_seat("standing"), sample["ply"]
    match = np.cumsum(ply == 0) - 1
    winner = table["winner"][: match[-1] + 1].astype(np.int64)
    alone = (standing == standing.max(axis=1, keepdims=True)).sum(axis=1) == 1
    ahead = alone & (standing.argmax(axis=1) == winner[match])
    last = np.zeros(len(winner), np.int64)
    np.maximum.at(last, match[~ahead], ply[~ahead].astype(np.int64) + 1)
    return np.where(winner < 0, 1.0, last / np.bincount(match))


def _skill(runs: _Runs) -> _Part:
    steps: list[dict[str, Any]] = []
    shown: dict[str, Interval] = {}
    words = [
        f"One agent sits among weaker ones, at every seat in turn; {runs.fair:.1%} of the wins "
        "would be fair if skill did not count."
    ]
    for agent, table in runs.ladder.items():
        among = table.agents[-1]
        won = summarise(table)[f"win share, {agent}"].interval
        shown[f"{agent} among {among}"] = won
        steps.append(
            {"agent": agent, "among": among, "win share": as_json(won), "matches": len(table)}
        )
        verdict = "more" if won.low > runs.fair else "not clearly more"
        verdict = "less" if won.high < runs.fair else verdict
        words.append(
            f"Among {among} agents {agent} wins {won:%} of {len(table):,} matches, {verdict} than "
            "fair."
        )
    chart = dots(
        shown,
        title="Skill against chance",
        x="share of the wins of the first among the second",
        unit="%",
        note=f"The dashed line is the fair share, {runs.fair:.1%}.",
        reference=runs.fair,
    )
    section = Section("Skill against chance", (" ".join(words),), None, ("skill",))
    return _Part(section, {"skill": steps}, {"skill": chart})


def _agents(runs: _Runs) -> _Part:
    if runs.rated is None:
        return _Part(None, {}, {})
    rows = tuple(
        (
            row.agent,
            f"{row.rating:.0f}",
            f"{row.low:.0f} to {row.high:.0f}" if math.isfinite(row.high) else "unknown",
            f"{row.games:,}",
        )
        for row in runs.rated.ratings
    )
    grid = Grid(("agent", "rating", "95% interval", "games"), rows)
    words = f"Each agent plays the next on the ladder, and greedy. {runs.rated.how()}"
    section = Section("The agents", (words,), grid, ("agents",))
    return _Part(section, {"agents": runs.rated.to_dict()}, {"agents": runs.rated.plot()})


def _own(runs: _Runs) -> _Part:
    found = {agent: _own_figures(summarise(table), agent) for agent, table in runs.even.items()}
    meanings = {
        row.what.removesuffix(", greedy"): row.note for row in summarise(runs.even["greedy"])
    }
    rows = tuple(
        (
            name.replace("_", " "),
            *(str(figures[name]) for figures in found.values()),
            meanings[name],
        )
        for name in found["greedy"]
    )
    figures = {
        agent: {name: as_json(value) for name, value in own.items()} for agent, own in found.items()
    }
    words = "Means over matches, and over the seats where every seat has its own."
    grid = Grid(("figure", *(f"{agent} agents" for agent in found), "what it is"), rows)
    return _Part(Section("The game's own figures", (words,), grid), {"own": figures})


def _own_figures(summary: Summary, agent: str) -> dict[str, Interval]:
    """Return the scores and what is counted in this game alone."""
    elsewhere = {"shared wins", "decisions", "turns", "rounds", "distinct matches"}
    return {
        row.what.removesuffix(f", {agent}"): row.interval
        for row in summary
        if row.what not in elsewhere and not row.what.startswith(("win share, ", "ended: "))
    }


def _speed(runs: _Runs) -> _Part:
    figures: list[dict[str, Any]] = []
    rows = []
    for agent in runs.even:
        for threads in dict.fromkeys((1, runs.threads)):
            matches, decisions = _race(runs, agent, threads, runs.episodes)
            figures.append(
                {
                    "agents": agent,
                    "threads": threads,
                    "matches per second": as_json(matches),
                    "decisions per second": as_json(decisions),
                }
            )
            rows.append((agent, f"{threads}", str(matches), str(decisions)))
    words = (
        f"Whole matches inside Rust on this machine ({platform.machine()}, {os.cpu_count()} CPUs); "
        f"intervals from {_BLOCKS} runs each."
    )
    grid = Grid(("agents", "threads", "matches per second", "decisions per second"), tuple(rows))
    return _Part(Section("Speed", (words,), grid), {"speed": figures})


def _race(runs: _Runs, agent: str, threads: int, most: int) -> tuple[Interval, Interval]:
    """Return matches and decisions per second over several runs of a fraction of a second."""
    trial = min(most, 20)
    begin = time.perf_counter()
    runs.simulate(trial, agent, threads)
    one = (time.perf_counter() - begin) / trial
    count = min(max(int(0.15 / one), trial), 20 * most)
    matches, decisions = [], []
    for number in range(_BLOCKS):
        begin = time.perf_counter()
        table = runs.simulate(count, agent, threads, first=number * count)
        seconds = time.perf_counter() - begin
        matches.append(count / seconds)
        decisions.append(float(table["decisions"].sum()) / seconds)
    return _speed_of(matches), _speed_of(decisions)


def _speed_of(rates: list[float]) -> Interval:
    """Return the middle of speeds, with Student's interval of their logarithms: above 0."""
    value, low, high = (math.exp(end) for end in mean(np.log(rates)))
    return Interval(value, low, high)


def _measured(runs: _Runs) -> _Part:
    from adjoin import __version__

    spec = runs.spec
    duels = 0 if runs.search is None else runs.matches[f"{runs.search} among greedy"].games
    given = "".join(f", {name}={value!r}" for name, value in runs.options.items())
    again = f'adjoin.report("{spec.name}", episodes={runs.episodes}, seed={runs.seed}'
    again += f", search={runs.search!r}"
    again += f", duels={duels}" if duels else ""
    sample = min(runs.episodes, _SAMPLE)
    words = (
        f"adjoin {__version__}, rules v{spec.version}, seed {runs.seed}. "
        f"{runs.episodes:,} matches each of random agents, of greedy agents, and of a greedy one "
        f"among random ones; choice and lead from the first {sample:,} of them. Agents move on by "
        "a seat from match to match. Matches are the independent observations. Shares have score "
        "intervals (Wilson's, if no win is shared), means Student's, speeds Student's of their "
        "logarithms, standard deviations and quantiles bootstrap intervals; all at 95%.",
        f"To measure the same again (but for the speed): {again}{_cut(given)})",
    )
    figures = {
        "version": __version__,
        "rules": spec.version,
        "seed": runs.seed,
        "episodes": runs.episodes,
        "sample": sample,
        "search": runs.search,
        "duels": duels,
        "threads": runs.threads,
    }
    return _Part(Section("How it was measured", words), {"measured": figures})


# Texts.


def _colours(shown: dict[str, Interval]) -> list[str]:
    """Return a colour for each agent that the rows end with."""
    agents = list(dict.fromkeys(name.rpartition(", ")[2] for name in shown))
    return [SEATS[agents.index(name.rpartition(", ")[2])] for name in shown]


def _short(value: object) -> str:
    """Return an option as a short text."""
    if value is None:
        return "none"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _cut(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:199]}…"

"""What a match is like: how long, how wide, how it goes and how it ends."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjoin.reports.charts import dots, histogram
from adjoin.reports.documents import Grid, Part, Section, as_json, as_text
from adjoin.reports.runs import Runs
from adjoin.reports.sections.words import colours
from adjoin.simulation.tables import Table
from adjoin.statistics.course import choice_plot, leader_wins_plot
from adjoin.statistics.intervals import Interval, bootstrap, mean, ratio, wilson
from adjoin.statistics.summaries import summarise


def length(runs: Runs) -> Part:
    """Return how long matches are."""
    figures: dict[str, Any] = {}
    rows = []
    for agent, table in runs.even.items():
        figures[agent] = {}
        for name in ("decisions", "turns", "rounds"):
            spread = _spread(table[name])
            figures[agent][name] = {key: as_json(value) for key, value in spread.items()}
            if name == "decisions" or _tells_more(table, name):
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
    is_split = _tells_more(runs.even["greedy"], "turns")
    turns = "A turn may have several decisions." if is_split else "Every turn is one decision."
    words = (
        f"Between greedy agents a match takes {as_text(by_hand['mean'])} decisions. One in ten is "
        f"over within {as_text(by_hand['shortest tenth'])}, one in ten takes at least "
        f"{as_text(by_hand['longest tenth'])}. {turns}"
    )
    head = ("", "mean", "standard deviation", "shortest tenth", "median", "longest tenth")
    return Part(
        Section("Length", (words,), Grid(head, tuple(rows)), tuple(charts)),
        {"length": figures},
        charts,
    )


def _tells_more(table: Table, name: str) -> bool:
    """Return whether matches differ in a figure that is not just their decisions."""
    values = table[name]
    return values.min() < values.max() and not np.array_equal(values, table["decisions"])


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


def choice(runs: Runs) -> Part:
    """Return how many actions there are to choose from."""
    figures: dict[str, Any] = {}
    rows = []
    for agent, sample in runs.samples.items():
        summary, course = summarise(sample), runs.courses[agent]
        found = {
            "legal actions": summary["legal actions"].interval,
            "forced decisions": summary["forced decisions"].interval,
            "decisions per turn": ratio(runs.even[agent]["decisions"], runs.even[agent]["turns"]),
        }
        figures[agent] = {
            **{key: as_json(value) for key, value in found.items()},
            "by ply": course.choice._asdict(),
        }
        texts = (
            f"{value:%}" if key == "forced decisions" else str(value)
            for key, value in found.items()
        )
        rows.append((agent, *texts))
    legal, forced = (figures["greedy"][key] for key in ("legal actions", "forced decisions"))
    words = (
        f"At a decision there are {as_text(legal)} legal actions on average (greedy agents); "
        f"{as_text(forced, '%')} of the decisions have no choice."
    )
    head = ("agents", "legal actions", "forced decisions", "decisions per turn")
    section = Section("Choice", (words,), Grid(head, tuple(rows)), ("choice",))
    return Part(section, {"choice": figures}, {"choice": choice_plot(runs.courses)})


def endings(runs: Runs) -> Part:
    """Return in which ways matches end."""
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
        shown, title="How matches end", x="share of matches", unit="%", colours=colours(shown)
    )
    often = max(figures["greedy"]["ended"].items(), key=lambda item: float(item[1]["value"]))
    words = (
        f"Between greedy agents most matches end by “{often[0]}”: {as_text(often[1], '%')}. "
        f"{as_text(figures['greedy']['shared wins'], '%')} have no sole winner."
    )
    return Part(
        Section("How matches end", (words,), None, ("endings",)),
        {"endings": figures},
        {"endings": chart},
    )


_HALF = "leader at half wins"
_OF_COURSE = {
    "lead changes": "changes of the lead in a match",
    "no lead change": "matches without any",
    "settled": "decisions until the winner leads for good",
    "behind": "decisions after which the later winner is behind",
    "ever behind": "winners who were behind at some time",
    "drama, mean": "points that the later winner is behind, over all decisions",
    "drama, most": "points that the later winner is behind, at the worst",
    _HALF: "wins of who leads alone after half of the decisions",
    "score spread": "best final score less the worst",
}
_COUNTED = ("lead changes", "drama, mean", "drama, most", "score spread")
"""Those of them that are no shares."""


def course(runs: Runs) -> Part:
    """Return who leads in the course of a match."""
    figures: dict[str, Any] = {
        agent: {
            **{row.what: as_json(row.interval) for row in each if row.what in _OF_COURSE},
            "leader wins": each.leader_wins._asdict(),
        }
        for agent, each in runs.courses.items()
    }
    rows = tuple(
        (
            words,
            *(
                as_text(each[what], "" if what in _COUNTED else "%") if what in each else "none"
                for each in figures.values()
            ),
        )
        for what, words in _OF_COURSE.items()
    )
    greedy = figures["greedy"]
    text = (
        "Who leads is judged after every decision by what everybody may know. Between greedy "
        f"agents the sole leader changes {as_text(greedy['lead changes'])} times in a match; the "
        f"winner is ahead for good after {as_text(greedy['settled'], '%')} of the decisions. "
    )
    if _HALF in greedy:
        text += f"Who leads alone after half of them wins {as_text(greedy[_HALF], '%')}."
    charts = {}
    if all(each.leader_wins.x for each in runs.courses.values()):
        charts["leader"] = leader_wins_plot(runs.courses)
    grid = Grid(("", *(f"{agent} agents" for agent in figures)), rows)
    section = Section("The course of a match", (text,), grid, tuple(charts))
    return Part(section, {"course": figures}, charts)

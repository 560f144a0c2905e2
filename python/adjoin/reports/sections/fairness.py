"""Who wins, and why: seats, skill, luck, and the agents on a ladder."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoin.reports.charts import dots
from adjoin.reports.documents import Grid, Part, Section, as_json
from adjoin.reports.runs import Runs
from adjoin.reports.sections.words import EDGE, apart, as_chance, colours, judged
from adjoin.statistics.intervals import Interval, chance, share
from adjoin.statistics.luck import PARTS
from adjoin.statistics.summaries import summarise
from adjoin.support.wording import listed


def seats(runs: Runs) -> Part:
    """Return what each seat wins, and who begins."""
    figures: dict[str, Any] = {}
    shown: dict[str, Interval] = {}
    words = []
    for agent, table in runs.even.items():
        won, begin = table.each_seat("won"), table["began"]
        found = [share(own) for own in won.T]
        first = won[np.arange(len(won)), begin]
        named = {f"seat {seat}": each for seat, each in enumerate(found)}
        named["first"] = share(first)
        furthest = max(range(len(found)), key=lambda seat: abs(found[seat].value - runs.fair))
        # With more than two seats, one of them is far off more easily.
        several = len(found) if len(found) > 2 else 1
        probability = min(several * chance(won[:, furthest], runs.fair), 1.0)
        by_first = chance(first, runs.fair)
        figures[agent] = {
            **{name: as_json(each) for name, each in named.items()},
            "furthest": {"seat": furthest, "p": probability},
            "p of first": by_first,
        }
        who = "wins" if several == 1 else "is furthest from fair: it wins"
        verdict = judged([found[furthest], *found], runs.fair, probability, len(won))
        text = f"Between {agent} agents seat {furthest} {who} "
        text += f"{_wins(found[furthest], runs.fair, probability)} {verdict} "
        if begin.min() < begin.max():
            verdict = judged([named["first"]], runs.fair, by_first, len(won))
            text += f"Who begins wins {_wins(named['first'], runs.fair, by_first)} "
            text += verdict
        else:
            text += f"Seat {begin[0]} begins every match."
            del named["first"]
        words.append(text)
        shown |= {f"{_NAMES.get(name, name)}, {agent}": each for name, each in named.items()}
    chart = dots(
        shown,
        title="Win share by seat",
        x="share of the wins",
        unit="%",
        note=f"The dashed line is the fair share, {runs.fair:.1%}.",
        reference=runs.fair,
        colours=colours(shown),
    )
    return Part(
        Section("Seats", tuple(words), None, ("seats",)),
        {"fair share": runs.fair, "seats": figures},
        {"seats": chart},
    )


_NAMES = {"first": "who begins"}


def _wins(found: Interval, fair: float, probability: float) -> str:
    """Return a win share, how far from fair it is, and how likely by chance."""
    return f"{found:%}, {apart(found.value, fair)} ({as_chance(probability)})."


def skill(runs: Runs) -> Part:
    """Return what an agent wins among weaker ones."""
    steps: list[dict[str, Any]] = []
    shown: dict[str, Interval] = {}
    words = [
        f"One agent sits among weaker ones, at every seat in turn; {runs.fair:.1%} of the wins "
        "would be fair if skill did not count."
    ]
    for agent, table in runs.ladder.items():
        among = table.agents[-1]
        won = summarise(table)[f"win share, {agent}"].interval
        own = table.each_seat("won")[table.seated()[0] == table.seated()[1].index(agent)]
        probability = chance(own, runs.fair)
        shown[f"{agent} among {among}"] = won
        steps.append(
            {
                "agent": agent,
                "among": among,
                "win share": as_json(won),
                "matches": len(table),
                "p": probability,
            }
        )
        words.append(
            f"In {len(table):,} matches {agent} among {among} agents wins "
            f"{_wins(won, runs.fair, probability)}"
        )
        if won.low <= runs.fair + EDGE:
            words.append(judged([won], runs.fair, probability, len(table)))
    chart = dots(
        shown,
        title="Skill against chance",
        x="share of the wins of the first among the second",
        unit="%",
        note=f"The dashed line is the fair share, {runs.fair:.1%}.",
        reference=runs.fair,
    )
    section = Section("Skill against chance", (" ".join(words),), None, ("skill",))
    return Part(section, {"skill": steps}, {"skill": chart})


def luck(runs: Runs) -> Part:
    """Return how much of the differences in results agents, deal and seat explain."""
    if not runs.luck:
        return Part(None, {"luck": {}})
    games = max(each.games for each in runs.luck.values())
    alike = listed(f"{each.same_deal_correlation} among {weak}" for weak, each in runs.luck.items())
    words = [
        f"One greedy agent sits among weaker ones and plays every deal from every seat, {games:,} "
        "games in all for each sort of weaker ones. Who wins differs from game to game; the table "
        "divides the variance.",
        f"What a seat gets on the same deal in two orders of agents correlates by {alike}: 1 would "
        "mean that the deal alone decides, 0 that it tells nothing. All this is about these "
        "agents: the nearer they are to each other, the more is luck.",
    ]
    words += filter(None, (each.notice for each in runs.luck.values()))
    grid = Grid(
        ("explained by", *(f"greedy among {weak}" for weak in runs.luck)),
        tuple(
            (f"{part}: {meaning}", *(f"{each.shown(part):%}" for each in runs.luck.values()))
            for part, meaning in PARTS.items()
        ),
    )
    shown = {
        f"{part}, {weak}": each.shown(part) for weak, each in runs.luck.items() for part in PARTS
    }
    chart = dots(
        shown,
        title="Luck and skill",
        x="part of the variance of the win shares",
        unit="%",
        colours=colours(shown),
    )
    figures = {
        weak: {
            **{part: as_json(each.share(part)) for part in PARTS},
            "same-deal correlation": as_json(each.same_deal_correlation),
            "games": each.games,
            "deals": each.deals,
        }
        for weak, each in runs.luck.items()
    }
    section = Section("Luck and skill", (words[0], " ".join(words[1:])), grid, ("luck",))
    return Part(section, {"luck": figures}, {"luck": chart})


def agents(runs: Runs) -> Part:
    """Return the ladder of the agents."""
    if runs.rated is None:
        return Part(None, {}, {})
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
    return Part(section, {"agents": runs.rated.to_dict()}, {"agents": runs.rated.plot()})

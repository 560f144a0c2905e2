"""Who wins, and why: seats, skill, luck, and the agents on a ladder."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoin.reports.charts import dots
from adjoin.reports.documents import Grid, Part, Section, as_json
from adjoin.reports.runs import Runs
from adjoin.reports.sections.words import EDGE, apart, as_chance, chance, colours, judged, percent
from adjoin.statistics.intervals import Interval, share
from adjoin.statistics.luck import PARTS
from adjoin.statistics.summaries import summarise


def seats(runs: Runs) -> Part:
    """Return what each seat wins, and who decides first."""
    figures: dict[str, Any] = {}
    shown: dict[str, Interval] = {}
    words = []
    begins = runs.simulate(runs.episodes, "random", record="decisions", max_decisions=1)["seat"]
    for agent, table in runs.even.items():
        found = [share(table[f"won_{seat}"]) for seat in range(runs.spec.seats)]
        first = table.each_seat("won")[np.arange(len(table)), begins[table["episode"]]]
        named = {f"seat {seat}": each for seat, each in enumerate(found)}
        shown |= {f"{name}, {agent}": each for name, each in named.items()}
        named["first"] = shown[f"decides first, {agent}"] = share(first)
        furthest = max(range(len(found)), key=lambda seat: abs(found[seat].value - runs.fair))
        # With more than two seats, one of them is far off more easily.
        several = len(found) if len(found) > 2 else 1
        probability = min(several * chance(table[f"won_{furthest}"], runs.fair), 1.0)
        ordered = [found[furthest], *found]
        figures[agent] = {
            **{name: as_json(each) for name, each in named.items()},
            "furthest": {"seat": furthest, "p": probability},
        }
        who = "wins" if several == 1 else "is furthest from fair: it wins"
        words.append(
            f"Between {agent} agents seat {furthest} {who} {found[furthest]:%}, "
            f"{apart(found[furthest].value, runs.fair)} ({as_chance(probability)}). "
            f"{judged(ordered, runs.fair, probability, len(table))} "
            f"Whoever decides first wins {named['first']:%}."
        )
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
            f"Among {among} agents {agent} wins {won:%} of {len(table):,} matches, "
            f"{apart(won.value, runs.fair)} ({as_chance(probability)})."
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
    found = runs.luck
    if found is None:
        return Part(None, {"luck": None})
    grid = Grid(
        ("part of the differences", "share", "what it is"),
        tuple((part, percent(found.share(part)), meaning) for part, meaning in PARTS.items()),
    )
    words = (
        f"One {found.strong} agent sits among {found.weak} ones and plays every deal from every "
        f"seat: {found.games:,} games on {found.deals:,} deals. Who wins differs from game to "
        f"game; the table divides the variance of that.",
        f"Between orders of agents, what a seat gets on one deal has the correlation "
        f"{found.same_deal_correlation}: 1 if the deal alone decided, 0 if it told nothing. A part "
        "is about these agents: between equal ones, all is luck.",
    )
    figures = {
        **{part: as_json(found.share(part)) for part in PARTS},
        "same-deal correlation": as_json(found.same_deal_correlation),
        "games": found.games,
        "deals": found.deals,
    }
    return Part(
        Section("Luck and skill", (*filter(None, [found.notice]), *words), grid, ("luck",)),
        {"luck": figures},
        {"luck": found.plot()},
    )


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

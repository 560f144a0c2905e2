"""Skill and luck: how much of the differences in results who plays, the seat and the deal explain.

A strong agent sits among weak ones and plays every deal from every seat, as in duplicate bridge.
What a seat gets above the mean of its match then differs for four reasons, whose parts of the
variance add up to 1:

seat
    Some seats are better than others, on average over deals and agents.
agents
    The strong agent gets more than the weak ones, on average over deals and seats.
deal
    A deal is kind to a seat whoever sits there. It is the covariance of what the seat gets on one
    deal in two orders of agents, beyond the means of those orders.
rest
    Everything else: chance in the course of play, lots that agents draw, deals that suit one agent
    more than the other, and orders that do more than add up.

The deal is what the seed decides: the start, and later draws as far as play goes alike. The lots
that agents of the package draw come from it too, by the number of the decision; in Othello, which
deals nothing, no correlation of that is to be seen (0.00 ± 0.02). Where a deal suits one agent
more, the part of the deal is too low, by the variance of that divided by the number of seats less
1: nobody plays a deal twice in one order, so that it cannot be told from the rest. That is Shrout
and Fleiss's (1979) third case, whose coefficient is ``same_deal_correlation``.

The parts are those of an analysis of variance, as Cloud and Laber ("Variance decompositions for
extensive-form games", 2021) propose for games. Other measures ask for what nobody here knows:
Borm and van der Genugten (2001) compare a beginner and a perfect player with one who foresees all
chance; Duersch, Lambrecht and Oechssler (2020) the ratings of all people who play a game. Like all
of them, this one is about a game and those who play it: between equal agents all is luck.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjoin.core.spec import Spec
from adjoin.simulation.agents import agent_name
from adjoin.simulation.runs import simulate
from adjoin.statistics.intervals import Interval, mean, share
from adjoin.statistics.ratings import RESAMPLES, between
from adjoin.statistics.summaries import Matches, Row, Summary
from adjoin.support.arguments import as_seed, brief, whole
from adjoin.support.progress import progress_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.reports.charts import Chart
    from adjoin.simulation.agents import Agent
    from adjoin.simulation.tables import Table
    from adjoin.support.progress import Progress

PARTS = {
    "seat": "where somebody sits",
    "agents": "who sits there",
    "deal": "what the deal gives to the seat, whoever sits there",
    "rest": "chance in the course of play, the agents' own lots, and how all these work together",
}
"""The parts of the variance, and what they are."""

_SAME_DEAL = "same-deal correlation"
_DIGITS = 5
"""To how many digits parts are given: what is less is none."""
_FINE = 0.006
"""Intervals that are shorter would be shown to hundredths of a percent."""
_ROOM = 4_000_000
"""How many random weights are held at a time."""


class LevelError(ValueError):
    """All results are the same: there are no differences to divide."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Luck(Summary):
    """What of the differences in results is skill and what is luck: rows, printed as a table.

    ``luck.share("deal")`` is a part of the variance with its interval, ``luck.sentence`` says it in
    words. An estimate may be a little below 0 where the truth is near it: it is left as it is, so
    that the parts add up to 1 and are right on average.
    """

    strong: str
    weak: str
    figure: str
    deals: int
    """How many deals count as independent observations."""
    games: int

    def share(self, part: str) -> Interval:
        """Return which part of the variance seat, agents, deal or rest explain."""
        if part not in PARTS:
            raise ValueError(f"part = {part!r}: must be {', '.join(PARTS)}")
        return self[part].interval

    def shown(self, part: str) -> Interval:
        """Return a share as texts and charts show it: to a tenth of a percent and no finer."""
        share = self.share(part)
        if share.finite and share.high - share.low >= _FINE:
            return share
        return Interval(*(round(end, 3) for end in share))

    @property
    def same_deal_correlation(self) -> Interval:
        """How alike a seat fares on one deal in two orders of agents, beyond their means."""
        return self[_SAME_DEAL].interval

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        parts = {part: format(self.shown(part), "%") for part in PARTS}
        odd = " Below 0 means: deals suit one agent more." if self.share("deal").high < 0 else ""
        return (
            f"Where one {self.strong} sits among {self.weak}, who plays explains "
            f"{parts['agents']} of the differences in results, the deal {parts['deal']}, the seat "
            f"{parts['seat']}.{odd} The rest, {parts['rest']}, is chance in the course of play, "
            "the agents' own lots, and how all these work together."
        )

    def plot(self) -> Chart:
        """Return the parts as a chart."""
        from adjoin.reports.charts import dots

        return dots(
            {part: self.shown(part) for part in PARTS},
            title=f"Skill and luck: one {self.strong} among {self.weak}",
            x="part of the variance of the results",
            unit="%",
            note=f"{self.games:,} games on {self.deals:,} deals, each in every order.",
        )


def skill_and_luck(
    game: str,
    strong: Agent = "greedy",
    weak: Agent = "random",
    num_games: int = 1000,
    *,
    figure: str = "won",
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
    executor: Any = None,
    **options: Unpack[GameOptions],
) -> Luck:
    """Let one strong agent among weak ones play every deal from every seat, and divide the results.

    ``figure`` is what counts as the result: ``"won"``, the share of the win, ``"return"``,
    ``"score"``, or anything that the table of episodes has for every seat. What all seats of a
    match have in common does not count. ``num_games`` is rounded up to a multiple of the seats.
    The remaining keywords are the game's options. What the parts mean: see the module.

    Intervals (95%) come from the Bayesian bootstrap over deals, widened as Student's are where
    there are few: of normal results on 100 deals they cover the truth in 94 to 95 of 100 cases, and
    in more where it is 0; on 20 deals in 90. Agents that leave nothing to
    chance repeat one match from one start: that is a single deal, which tells no interval.

    >>> luck = skill_and_luck("mapello", num_games=400, seed=1)
    >>> luck.share("agents").value > 0.4, luck.share("deal").value < 0.2
    (True, True)
    >>> round(sum(luck.share(part).value for part in PARTS), 9)
    1.0
    """
    names = [agent_name(strong), agent_name(weak)]
    if names[0] == names[1]:
        raise ValueError(
            f"strong and weak are both called {names[0]!r}: take two agents, as the same one at "
            "every seat plays one match in every order"
        )
    seats = Spec.of(game, options).seats
    deals = max(-(-whole("num_games", num_games, 1, 2**31) // seats), 2)
    tables: list[Table] = []
    keywords = {"seed": as_seed(seed), "threads": threads, "executor": executor, **options}
    with progress_of(progress, deals * seats, "games") as tell:
        for seat in range(seats):
            agents = [weak] * seat + [strong] + [weak] * (seats - 1 - seat)
            table = simulate(
                game,
                deals,
                agents,
                rotate=False,
                progress=functools.partial(_tell, tell, seat * deals),
                **keywords,
            )
            tables.append(table)
    return luck_of(tables, names[0], figure=figure, seed=seed)


def _tell(tell: Callable[[int], None], before: int, done: int, _: int) -> None:
    tell(before + done)


def luck_of(tables: Sequence[Table], strong: str, *, figure: str = "won", seed: int = 0) -> Luck:
    """Divide the results of matches that were played already: a table for each seat of ``strong``.

    Each table has the same deals, one strong agent at a seat of its own, and weak ones elsewhere:
    ``simulate(..., rotate=False)``, once for every seat.

    >>> import adjoin
    >>> orders = [["greedy", "random"], ["random", "greedy"]]
    >>> tables = [adjoin.simulate("mapello", 100, order, rotate=False) for order in orders]
    >>> luck_of(tables, "greedy").games
    200
    """
    sits, weak = _orders(tables, strong)
    if f"{figure}_0" not in tables[0] or tables[0][f"{figure}_0"].dtype.kind not in "iuf":
        stems = {name.removesuffix("_0"): None for name in tables[0] if name.endswith("_0")}
        allowed = ", ".join(stem for stem in stems if stem != "agent")
        raise ValueError(f"figure = {brief(figure)}: must be one of {allowed}")
    results = np.stack([table.each_seat(figure).astype(np.float64) for table in tables], axis=1)
    results -= results.mean(axis=2, keepdims=True)
    matches = [Matches.of(table) for table in tables]
    games, deals = len(tables) * len(results), len(results)
    if all(each.left == 1 for each in matches):
        results, deals = results[:1], 1
    parts = variance_parts(results, sits, seed=seed)
    rows = [Row(part, *parts[part], deals, meaning) for part, meaning in PARTS.items()]
    meaning = "of what a seat gets on one deal in two orders of agents"
    rows.append(Row(_SAME_DEAL, *parts[_SAME_DEAL], deals, meaning))
    own = (results * sits).sum(axis=2).mean(axis=1)
    seats = tables[0].seats
    if figure == "won":
        edge, note = share(np.clip(own + 1 / seats, 0, 1)), f"fair share {1 / seats:.3g}"
        rows.append(Row(f"win share, {strong}", *edge, deals, note))
    else:
        rows.append(Row(f"{figure}, {strong}", *mean(own), deals, "above the mean of its match"))
    title = f"Skill and luck in {games:,} games of {tables[0].game}: {strong} among {weak}"
    notice = ""
    if deals == 1:
        notice = "These agents leave nothing to chance from this start: there is a single deal."
    return Luck(
        title,
        tuple(rows),
        notice,
        strong=strong,
        weak=weak,
        figure=figure,
        deals=deals,
        games=games,
    )


def variance_parts(results: ArrayLike, sits: ArrayLike, *, seed: int = 0) -> Mapping[str, Interval]:
    """Return the parts of the variance of results, an axis each for deals, orders and seats.

    The results of a match add up to 0. ``sits`` says which agent sits where, an axis each for
    orders and seats: each agent equally often at every seat. The estimates have no bias, the parts
    are ratios of them. With them comes the same-deal correlation.

    >>> gift, rest = np.random.default_rng(1).normal(size=(2, 5000, 2))
    >>> first = gift[:, [0]] + rest
    >>> parts = variance_parts(np.stack([first, -first], axis=2), [[0, 1], [1, 0]])
    >>> print(parts["deal"])
    0.506 (0.486 to 0.525)
    """
    values, agents = np.asarray(results, np.float64), np.asarray(sits)
    if values.ndim != 3 or values.shape[1:] != agents.shape or len(agents) < 2 or not len(values):
        raise ValueError(
            "results need the axes deals, orders and seats, and at least two orders as in sits: "
            f"got the shapes {values.shape} and {agents.shape}"
        )
    if not np.isfinite(values).all() or np.abs(values.sum(axis=2)).max() > 1e-6:
        raise ValueError("results must be finite, and those of a match must add up to 0")
    if not values.any():
        raise LevelError("all seats of all matches have the same result: nothing can be divided")
    there = [agents == agent for agent in np.unique(agents)]
    if any((where.sum(axis=0) != where[:, 0].sum()).any() for where in there):
        raise ValueError("sits must have each agent equally often at every seat")
    flat = values.reshape(len(values), -1).round(9)
    kinds, counts = np.unique(flat, axis=0, return_counts=True)
    generator = np.random.default_rng(as_seed(seed))
    size = max(_ROOM // len(counts), 1)
    found = [_parts(counts[None].astype(np.float64), kinds, there, len(values))]
    for begin in range(0, RESAMPLES, size):
        weights = generator.gamma(counts, size=(min(size, RESAMPLES - begin), len(counts)))
        found.append(_parts(weights, kinds, there, len(values)))
    drawn = np.concatenate(found, axis=1)
    names = (*PARTS, _SAME_DEAL)
    return {name: _interval(row, len(values)) for name, row in zip(names, drawn, strict=True)}


def _interval(drawn: NDArray[np.float64], deals: int) -> Interval:
    """Return the first of some values with the interval of the others."""
    value = round(float(drawn[0]), _DIGITS)
    if deals == 1:
        return Interval(value, -math.inf, math.inf)
    _, low, high = between(value, drawn[1:], deals)
    return Interval(value, min(round(low, _DIGITS), value), max(round(high, _DIGITS), value))


def _parts(
    weights: NDArray[np.float64],
    kinds: NDArray[np.float64],
    there: Sequence[NDArray[np.bool_]],
    deals: int,
) -> NDArray[np.float64]:
    """Return the four parts and the correlation, a column for each row of weights of the kinds.

    A mean square is too high by the variance of the mean, and a variance over deals too low by one
    deal: both are put right.
    """
    orders, seats = there[0].shape
    cells = kinds.reshape(-1, orders, seats)
    of_agents = [cells[:, where].mean(axis=1) for where in there]
    features = np.column_stack([kinds, cells.mean(axis=1), *of_agents])
    weights = weights / weights.sum(axis=1, keepdims=True)
    means, squares = weights @ features, weights @ features**2
    spread = (squares - means**2) * (deals / max(deals - 1, 1))
    level = means**2 - spread / deals
    ends = np.cumsum([orders * seats, seats])
    (within, by_seat, _), (_, seat, agent) = (np.split(m, ends, axis=1) for m in (spread, level))
    inner = within.mean(axis=1)
    deal = (orders * by_seat.mean(axis=1) - inner) / (orders - 1)
    parts = [seat.mean(axis=1), agent @ [where.mean() for where in there], deal]
    total = squares[:, : ends[0]].mean(axis=1)
    same = np.divide(deal, inner, out=np.zeros_like(deal), where=inner > 1e-12)
    return np.stack([*(part / total for part in (*parts, total - sum(parts))), same])


def _orders(tables: Sequence[Table], strong: str) -> tuple[NDArray[np.bool_], str]:
    """Return where the strong agent sits in each table, and who the weak one is."""
    if len(tables) < 2 or len(tables) != tables[0].seats:
        raise ValueError("luck_of needs a table for each seat of the strong agent")
    first = tables[0]
    for table in tables:
        if table.record != "episodes" or table.origin.rotate:
            raise ValueError("luck_of needs tables of episodes of simulate(..., rotate=False)")
        alike = (table.game, table.seed, table.origin.options, table["episode"].tolist())
        if alike != (first.game, first.seed, first.origin.options, first["episode"].tolist()):
            raise ValueError(
                "luck_of needs tables of the same deals: game, options, seed, episodes"
            )
    sits = np.array([[agent == strong for agent in table.agents] for table in tables])
    weak = {agent for table in tables for agent in table.agents if agent != strong}
    if len(weak) != 1 or not (sits.sum(axis=0) == 1).all() or not (sits.sum(axis=1) == 1).all():
        raise ValueError(
            f"luck_of needs {strong} once at every seat, alone among agents of one kind: got "
            + "; ".join(" ".join(table.agents) for table in tables)
        )
    return sits, weak.pop()

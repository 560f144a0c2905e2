"""Who sits where: deals that are played in several orders of seats, and who was ahead of whom."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjoin.simulation.agents import agent_name
from adjoin.simulation.runs import UnfinishedError, simulate
from adjoin.statistics.summaries import Matches

if TYPE_CHECKING:
    from adjoin.simulation.agents import Agent
    from adjoin.simulation.tables import Table
    from adjoin.support.progress import Report

Seating = tuple[str, ...]
"""The name of who sits at each seat."""


def mixed(names: Sequence[str], seats: int) -> list[Seating]:
    """Return all ways to fill the seats with at least two different agents, whatever the order.

    >>> mixed(["a", "b"], 3)
    [('a', 'a', 'b'), ('a', 'b', 'b')]
    """
    fill = itertools.combinations_with_replacement(names, seats)
    return [group for group in fill if len(set(group)) > 1]


def orders(group: Sequence[str]) -> tuple[Seating, ...]:
    """Return every order of seats, each once.

    >>> orders(("a", "a", "b"))
    (('a', 'a', 'b'), ('a', 'b', 'a'), ('b', 'a', 'a'))
    """
    return tuple(dict.fromkeys(itertools.permutations(group)))


def all_orders(a: str, b: str, seats: int) -> tuple[Seating, ...]:
    """Return every way in which two agents share a table, in every order of seats.

    >>> all_orders("a", "b", 2)
    (('a', 'b'), ('b', 'a'))
    """
    return tuple(order for group in mixed((a, b), seats) for order in orders(group))


def two_names(a: Agent, b: Agent) -> tuple[str, str]:
    """Return what two agents are called, and tell them apart if it is the same."""
    one, two = agent_name(a), agent_name(b)
    return (one, two) if one != two else (f"{one} (a)", f"{two} (b)")


def play_orders(
    game: str,
    seatings: Sequence[Seating],
    agents: Mapping[str, Agent],
    deals: range,
    tell: Report,
    before: int = 0,
    **keywords: Any,
) -> list[Table]:
    """Play the same deals in every order of seats, and return a table for each order.

    ``tell`` hears how many games are done, those that were done before included. If an agent
    fails, the error has the tables that were whole before.
    """
    tables: list[Table] = []
    for seating in seatings:
        try:
            table = simulate(
                game,
                len(deals),
                [agents[name] for name in seating],
                first=deals.start,
                rotate=False,
                progress=after(before + len(tables) * len(deals), tell),
                **keywords,
            )
        except UnfinishedError as error:
            error.tables = tuple(tables)
            raise
        tables.append(table)
    return tables


def points(seatings: Sequence[Seating], tables: Sequence[Table]) -> NDArray[np.float64]:
    """Return, for every deal, what each agent scored against each, the agents sorted by name.

    A higher return is a win, an equal one half a win for either.
    """
    agents = sorted({name for seating in seatings for name in seating})
    scored = np.zeros((len(tables[0]), len(agents), len(agents)))
    for seating, table in zip(seatings, tables, strict=True):
        for a, b in itertools.permutations(range(len(seating)), 2):
            if seating[a] != seating[b]:
                own, other = table[f"return_{a}"], table[f"return_{b}"]
                won = (own > other) + 0.5 * (own == other)
                scored[:, agents.index(seating[a]), agents.index(seating[b])] += won
    return scored


def distinct(tables: Sequence[Table]) -> tuple[int, bool]:
    """Return how many games are different matches, and whether every order has a single one."""
    matches = [Matches.of(table) for table in tables]
    return sum(each.distinct for each in matches), all(each.left == 1 for each in matches)


def after(before: int, tell: Callable[[int], None]) -> Callable[[int, int], None]:
    """Return what tells how much is done in all, from how much is done of a part."""
    return lambda done, _: tell(before + done)

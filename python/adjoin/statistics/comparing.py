"""Two agents, two variants or two tables compared in several measures at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from adjoin.core.spec import Spec
from adjoin.simulation.agents import agent_name
from adjoin.simulation.runs import UnfinishedError, simulate
from adjoin.simulation.tables import Table
from adjoin.statistics.comparisons import Comparison, differences
from adjoin.statistics.distributions import as_level
from adjoin.statistics.measures import (
    check_name,
    chosen,
    of_match,
    of_seatings,
    of_subject,
    of_table,
    stems,
)
from adjoin.statistics.seatings import after, all_orders, distinct, play_orders, two_names
from adjoin.statistics.summaries import counted
from adjoin.support.arguments import as_seed, brief, whole
from adjoin.support.progress import progress_of
from adjoin.support.wording import listed

if TYPE_CHECKING:
    from typing import TypeGuard

    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.simulation.agents import Agent
    from adjoin.statistics.measures import Figure
    from adjoin.support.progress import Progress

    Side = Table | Agent | Mapping[str, Any]
    Names = str | Sequence[str] | None


def compare(
    a: Side,
    b: Side,
    game: str | None = None,
    num_games: int = 1000,
    *,
    among: Agent | Sequence[Agent] | None = None,
    agents: Agent | Sequence[Agent] | None = None,
    measures: Names = None,
    level: float = 0.95,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
    executor: Any = None,
    **options: Unpack[GameOptions],
) -> Comparison:
    """Compare two agents, two variants of a game or two tables, in several measures at once.

    Two agents play each other: every deal in every order of seats, and with more than two seats in
    every way in which the two share the table. A deal is one observation: what each of them had on
    it, as the mean over its seats. With ``among``, an agent or one for each other seat, each of the
    two plays alone among these instead, at the same seats on the same deals; then turns and
    decisions can be compared too.

    Two variants are mappings of options; ``agents``, "random" if none are given, play both with the
    same seed. Two tables of episodes of a game are compared as they are. Games with the same seed
    and number make a pair, otherwise the sides are independent. Pairing is right in any case, and
    helps as far as deals that are the same go the same way: the ``gain`` of a row says how much.

    ``num_games`` is how many games each side plays, rounded up to whole deals. ``measures`` are
    columns such as "turns", "score" (the mean over seats), "score_0" or "score, greedy", or
    "who begins" (its share of the win) and "ended: no moves"; all that make sense if None, but for
    these two and what is the same in every match. The remaining keywords are the game's options.

    Each measure has both values, their difference with a t interval, and a p-value that Holm's
    method corrects for all measures: whether there is a difference at all. How large it is is told
    by the difference itself and by ``effect``, in standard deviations. A match that agents repeat
    because they leave nothing to chance is one observation: see ``Matches``.

    >>> seen = compare("greedy", "random", "mapello", 400)
    >>> seen["won"].difference.low > 0.5, seen["won"].adjusted < 0.001
    (True, True)
    >>> jokers = compare({"jokers": 0}, {"jokers": 8}, "mapello", 400, measures=["turns", "score"])
    >>> [row.what for row in jokers]
    ['turns', 'score']
    """
    asked = _Asked(measures, as_level(level))
    if isinstance(a, Table) and isinstance(b, Table):
        given = {"game": game, "among": among, "agents": agents, **options}
        _refuse(given, "two tables are compared as they are")
        return _tables(a, b, asked)
    if isinstance(a, Table) or isinstance(b, Table):
        raise _unlike(a, b)
    if game is None:
        raise TypeError('compare needs a game, such as compare("greedy", "random", "mapello")')
    keywords = {"seed": as_seed(seed), "threads": threads, "executor": executor}
    games = whole("num_games", num_games, 1, 2**31)
    run = _Run(Spec.of(game, options), games, options, keywords, progress)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        _refuse({"among": among}, "two variants are played by agents=")
        _check(measures, game, {**options, **dict(a)}, is_shared=False)
        return _variants(a, b, "random" if agents is None else agents, run, asked)
    if not (_is_agent(a) and _is_agent(b)):
        raise _unlike(a, b)
    _refuse({"agents": agents}, "a and b are the agents, and among= has who plays with them")
    _check(measures, game, options, is_shared=among is None)
    if among is None:
        return _head_to_head(a, b, run, asked)
    return _among(a, b, among, run, asked)


@dataclass(frozen=True)
class _Asked:
    """What is to be told."""

    measures: Names
    level: float


@dataclass(frozen=True)
class _Run:
    """What is to be played."""

    spec: Spec
    games: int
    options: Mapping[str, Any]
    keywords: Mapping[str, Any]
    progress: Progress

    def both(self, *sides: tuple[Any, Mapping[str, Any]]) -> list[Table]:
        """Play the same games with two sets of agents and options."""
        tables: list[Table] = []
        with progress_of(self.progress, 2 * self.games, "games") as tell:
            for agents, options in sides:
                hears = after(len(tables) * self.games, tell)
                keywords = {**self.keywords, **options}
                try:
                    played = simulate(
                        self.spec.name, self.games, agents, progress=hears, **keywords
                    )
                except UnfinishedError as error:
                    error.tables = tuple(tables)
                    raise
                tables.append(played)
        return tables

    @property
    def seed(self) -> int:
        return int(self.keywords["seed"])


def _head_to_head(a: Agent, b: Agent, run: _Run, asked: _Asked) -> Comparison:
    """Compare two agents that play each other."""
    names = two_names(a, b)
    seatings = all_orders(*names, run.spec.seats)
    deals = -(-run.games // len(seatings))
    agents = dict(zip(names, (a, b), strict=True))
    keywords = {**run.keywords, **run.options}
    with progress_of(run.progress, deals * len(seatings), "games") as tell:
        tables = play_orders(run.spec.name, seatings, agents, range(deals), tell, **keywords)
    different, is_one = distinct(tables)
    games = deals * len(seatings)
    how = (
        f"{games:,} games on {deals:,} deal{'s' * (deals != 1)}, seed {run.seed}: every deal is "
        "played in every order of seats and is one observation."
    )
    if is_one and deals > 1:
        how += _repeated(different, games)
    figures = [of_seatings(seatings, tables, name) for name in names]
    kept = slice(1 if is_one else deals)
    found = chosen(asked.measures, figures[0], figures[1], lambda x, y: (x[kept], y[kept]))
    return Comparison(
        title=run.spec.title,
        a=names[0],
        b=names[1],
        rows=differences(found, True, asked.level),
        how=how,
        games=games,
        level=asked.level,
        is_paired=True,
        orders=len(seatings),
        has_gain=False,
        tables=tuple(tables),
    )


def _among(
    a: Agent, b: Agent, among: Agent | Sequence[Agent], run: _Run, asked: _Asked
) -> Comparison:
    """Compare two agents, each of which plays with the same others."""
    num_others = run.spec.seats - 1
    others = [among] * num_others if _is_agent(among) else [*cast("Sequence[Agent]", among)]
    if len(others) != num_others:
        raise ValueError(
            f"among = {len(others)} agents: must be one for all other seats, or one for each of "
            f"the {num_others}"
        )
    tables = run.both(*(([each, *others], run.options) for each in (a, b)))
    names = two_names(a, b)
    who = listed(dict.fromkeys(map(agent_name, others)))
    how = (
        f"{run.games:,} games each among {who}, seed {run.seed}: at the same seats on the same "
        "deals, paired game by game."
    )
    figures = []
    for table in tables:
        shift = table.origin.shifts(table["episode"])[:, None].astype(np.intp)
        figures.append(of_subject(table, (np.arange(table.seats) + shift) % table.seats == 0))
    return _compared(run.spec.title, names, tables, figures, how, asked)


def _variants(
    a: Mapping[str, Any], b: Mapping[str, Any], agents: Any, run: _Run, asked: _Asked
) -> Comparison:
    """Compare two variants that the same agents play."""
    tables = run.both(*((agents, {**run.options, **each}) for each in (a, b)))
    names = [_written(each) or "default options" for each in (a, b)]
    if names[0] == names[1]:
        names = [f"{names[0]} (a)", f"{names[1]} (b)"]
    who = " against ".join(dict.fromkeys(tables[0].agents))
    how = f"{run.games:,} games each of {who}, seed {run.seed}: paired game by game."
    figures = [of_table(table) for table in tables]
    return _compared(run.spec.title, names, tables, figures, how, asked)


def _tables(a: Table, b: Table, asked: _Asked) -> Comparison:
    """Compare two tables as they are."""
    for table in (a, b):
        if table.record != "episodes" or not len(table):
            what = f"one of {len(table)} {table.record}"
            raise ValueError(f"compare takes tables with a row for each match, got {what}")
    if a.game != b.game:
        raise ValueError(f"tables of different games cannot be compared: {a.game} and {b.game}")
    title = Spec.of(a.game, {}).title
    return _compared(title, _labels(a, b), [a, b], [of_table(a), of_table(b)], "", asked)


def _compared(
    title: str,
    names: Sequence[str],
    tables: Sequence[Table],
    figures: Sequence[Mapping[str, Figure]],
    how: str,
    asked: _Asked,
) -> Comparison:
    """Compare two tables by what is known of their matches."""
    a, b = tables
    rows = _in_pairs(a, b)
    ours, theirs = counted(a), counted(b)
    if rows is None:
        kept = [np.flatnonzero(ours.counts), np.flatnonzero(theirs.counts)]
        how = how or f"{len(a):,} and {len(b):,} games, not paired: {a.source}; {b.source}."
    else:
        new = ours.counts[rows[0]] | theirs.counts[rows[1]]
        kept = [each[new] for each in rows]
        how = how or f"{len(a):,} games each, paired by seed and number: {a.source}; {b.source}."
    left = sum(map(len, kept))
    if left < len(a) + len(b):
        how += _repeated(ours.distinct + theirs.distinct, len(a) + len(b))

    def prepare(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        x, y = x[kept[0]], y[kept[1]]
        if ours.is_certain and theirs.is_certain:
            return x.mean(keepdims=True), y.mean(keepdims=True)
        return x, y

    found = chosen(asked.measures, figures[0], figures[1], prepare)
    is_paired = rows is not None
    return Comparison(
        title=title,
        a=names[0],
        b=names[1],
        rows=differences(found, is_paired, asked.level),
        how=how,
        games=len(a) + len(b),
        level=asked.level,
        is_paired=is_paired,
        has_gain=is_paired,
        tables=(a, b),
    )


def _in_pairs(a: Table, b: Table) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Return the rows of both tables in the order of seeds and numbers, if these are the same."""
    if len(a) != len(b):
        return None
    orders = [np.lexsort((table["episode"], table["seed"])) for table in (a, b)]
    for name in ("seed", "episode"):
        if not np.array_equal(a[name][orders[0]], b[name][orders[1]]):
            return None
    seed, episode = (a[name][orders[0]] for name in ("seed", "episode"))
    is_twice = (seed[1:] == seed[:-1]) & (episode[1:] == episode[:-1])
    return None if is_twice.any() else (orders[0], orders[1])


def _repeated(different: int, games: int) -> str:
    return (
        f" Only {different:,} of the {games:,} games are distinct matches: agents that leave "
        "nothing to chance repeat them, and what is repeated counts once."
    )


def _labels(a: Table, b: Table) -> tuple[str, str]:
    """Return what tells two tables apart: options, agents or seeds."""
    options = [json.loads(table.runs[0].options) for table in (a, b)]
    differ = {key for key in (*options[0], *options[1]) if _differ(key, *options)}
    ways: list[Callable[[Table, dict[str, Any]], str]] = [
        lambda _, own: _written({key: own[key] for key in own if key in differ}),
        lambda table, _: "; ".join(
            dict.fromkeys(" against ".join(dict.fromkeys(run.agents)) for run in table.runs)
        ),
        lambda table, _: f"seed {listed(dict.fromkeys(str(run.seed) for run in table.runs))}",
    ]
    for way in ways:
        one, two = (way(table, own) for table, own in zip((a, b), options, strict=True))
        if one != two:
            return one or "default options", two or "default options"
    return "the first", "the second"


def _differ(key: str, one: Mapping[str, Any], two: Mapping[str, Any]) -> bool:
    return (key in one) != (key in two) or one.get(key) != two.get(key)


def _written(options: Mapping[str, Any]) -> str:
    """Return options as they are written on the command line."""

    def text(value: Any) -> str:
        named = getattr(value, "name", value)
        return named if isinstance(named, str) else brief(named)

    return ", ".join(f"{key}={text(value)}" for key, value in options.items())


def _check(names: Names, game: str, options: Mapping[str, Any], *, is_shared: bool) -> None:
    """Refuse measures that a game does not have before it is played at length."""
    if names is not None:
        begun = simulate(game, 1, max_decisions=1, progress=False, **options)
        known = stems(begun) if is_shared else of_table(begun)
        listing = [names] if isinstance(names, str) else names
        for stem in (name.partition(", ")[0] for name in listing):
            if is_shared and stem not in known and stem in of_match(begun):
                raise ValueError(
                    f"measures: {stem!r} is the same for two agents that play each other: "
                    "among= has them play with others"
                )
            check_name(stem, known)


def _is_agent(agent: object) -> TypeGuard[Agent]:
    return isinstance(agent, str) or callable(agent)


def _unlike(a: object, b: object) -> TypeError:
    return TypeError(
        f"compare({brief(a)}, {brief(b)}): must be two agents, two mappings of options, or two "
        "tables"
    )


def _refuse(given: Mapping[str, Any], why: str) -> None:
    """Refuse what makes no sense for what is compared."""
    for name, value in given.items():
        if value is not None:
            raise TypeError(f"{name} = {brief(value)}: {why}")

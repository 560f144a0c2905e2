"""Sweeps: the same matches with every combination of some options, compared in one table."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from adjoin.core.spec import Spec
from adjoin.simulation.runs import simulate
from adjoin.statistics.sweep_folders import SweepFolder
from adjoin.statistics.sweep_points import (
    Point,
    Reading,
    Shown,
    combination,
    find,
    label,
    line_up,
    plain,
    shown,
    telling,
    unknown_figure,
)
from adjoin.support.arguments import as_seed, brief, whole
from adjoin.support.extras import need
from adjoin.support.names import UnknownNameError
from adjoin.support.progress import progress_of
from adjoin.support.wording import aligned, count, html_table, listed

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from adjoin.reports.charts import Chart
    from adjoin.simulation.agents import Agent
    from adjoin.simulation.origins import Origin
    from adjoin.simulation.tables import Table
    from adjoin.statistics.summaries import Summary
    from adjoin.support.progress import Progress


@dataclass(frozen=True, repr=False)
class Sweep:
    """What came of a sweep.

    ``points`` has the combinations in order, each with its ``values`` and its ``summary``.
    ``for row in sweep`` goes through all figures of all points; ``sweep["turns"]`` and
    ``sweep["turns", "score"]`` are the sweep with those figures alone, ``sweep.only(players=3)``
    with those points. What a single agent has is found without naming the agent, too: "score" is
    "score, greedy" where greedy has all seats, and "score, random" where random has.
    """

    game: str
    title: str
    version: int
    num_games: int
    seed: int
    agents: Any
    """Who played, if it was the same at all points."""
    options: dict[str, Any]
    """The options that were the same at all points."""
    varied: dict[str, tuple[Any, ...]]
    """What was varied, and the values of each."""
    points: tuple[Point, ...] = ()
    figures: tuple[str, ...] = ()
    """The figures that are shown; without any, those that tell the points apart."""

    def __iter__(self) -> Iterator[Reading]:
        """Iterate over the figures of every point."""
        for point in self.points:
            for row in point.summary:
                yield Reading(point.shown, *row)

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.points)

    def __getitem__(self, figures: str | tuple[str, ...]) -> Sweep:
        """Return the sweep with some of its figures alone."""
        names = (figures,) if isinstance(figures, str) else tuple(figures)
        for name in names:
            if not any(point.find(name) for point in self.points):
                raise unknown_figure(name, [point.summary for point in self.points])
        points = []
        for point in self.points:
            rows = tuple(filter(None, map(point.find, names)))
            summary = dataclasses.replace(point.summary, rows=rows)
            points.append(dataclasses.replace(point, summary=summary))
        return dataclasses.replace(self, points=tuple(points), figures=names)

    def only(self, **values: Any) -> Sweep:
        """Return the sweep at some of its points: where something has a value, or one of a list.

        >>> import adjoin
        >>> tried = adjoin.sweep("mapello", 10, jokers=[0, 4, 8], walls=[0, 2])
        >>> len(tried.only(walls=0)), len(tried.only(walls=0, jokers=[0, 8]))
        (3, 2)
        """
        points = self.points
        for name, wanted in values.items():
            if name not in self.varied:
                raise UnknownNameError(f"{name} was not varied: it was {listed(self.varied)}")
            is_one = any(point.has(name, wanted) for point in self.points)
            several = wanted if isinstance(wanted, list) and not is_one else [wanted]
            for value in several:
                if not any(point.has(name, value) for point in self.points):
                    there = dict.fromkeys(str(point.shown[name]) for point in self.points)
                    raise ValueError(f"{name} = {brief(value)}: must be {listed(there, 'or')}")
            points = tuple(p for p in points if any(p.has(name, value) for value in several))
        return dataclasses.replace(self, points=points)

    def table(self, **values: Any) -> Table:
        """Return the matches of one point: they are played again from their seed.

        >>> import adjoin
        >>> tried = adjoin.sweep("mapello", 10, setup="othello", size=[4, 6])
        >>> len(tried.table(size=4))
        10
        """
        found = self.only(**values).points
        if len(found) != 1:
            call = ", ".join(f"{name}=..." for name in self.varied)
            raise ValueError(f"{len(found)} points have these values: table({call}) names one")
        again: Table = found[0].origin.plan.play(0, self.num_games)
        return again

    def plot(
        self, figure: str, by: str | None = None, over: str | Sequence[str] | None = None
    ) -> Chart:
        """Return a chart of a figure against something that was varied.

        ``by`` goes across: lines with bands where it has numbers, else dots with whiskers. Without
        it, that is the first that has numbers. Every value of ``over`` makes a series, or every
        combination where it names several; without it, those of all the rest that was varied.

        >>> import adjoin
        >>> tried = adjoin.sweep("mapello", 20, setup="othello", size=[4, 6, 8])
        >>> tried.plot("turns", by="size")
        <Chart: Mapello: turns by size>
        """
        from adjoin.statistics.sweep_charts import chart

        return chart(self, figure, by, over)

    def to_pandas(self, *, wide: bool = False) -> Any:
        """Return a pandas DataFrame: a row for each point and figure; wide, a row for each point.

        Long, it has columns for what was varied, and figure, value, low, high, n, note; wide, a
        column of values for each figure. Needs ``pip install pandas``.
        """
        pandas = need("pandas")
        if not wide:
            columns = [*self.varied, *Reading._fields[1:]]
            return pandas.DataFrame([[*row.at.values(), *row[1:]] for row in self], columns=columns)
        rows = [
            {**point.shown, **{row.what: row.value for row in point.summary}}
            for point in self.points
        ]
        return pandas.DataFrame(rows)

    def about(self) -> dict[str, Any]:
        """Return all that decides what comes of the sweep, for JSON."""
        varied = {
            name: [line_up(one) if name == "agents" else plain(name, one) for one in values]
            for name, values in self.varied.items()
        }
        return {
            "game": self.game,
            "version": self.version,
            "num_games": self.num_games,
            "seed": self.seed,
            "agents": None if "agents" in varied else line_up(self.agents),
            "options": {name: plain(name, value) for name, value in self.options.items()},
            "varied": varied,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the matches, for JSON."""
        points = [
            {"at": point.shown, "notice": point.summary.notice, "figures": point.summary.to_dict()}
            for point in self.points
        ]
        return {**self.about(), "points": points}

    def __str__(self) -> str:
        """Return a row for each point as aligned text."""
        head, rows = self._cells()
        table = aligned([head, *rows], left=range(len(self.varied)))
        return "\n\n".join(filter(None, [self._caption(), table, self._notice()]))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        notice = self._notice()
        table = html_table(self._caption(), *self._cells())
        return f"{table}<p>{escape(notice)}</p>" if notice else table

    def _caption(self) -> str:
        same = [] if "agents" in self.varied else [label(line_up(self.agents))]
        same += [f"{name} = {label(value)}" for name, value in self.options.items()]
        points = f"{count(len(self), 'point')} of {self.num_games:,} matches"
        return f"{self.title}: {points}: {', '.join([*same, f'seed {self.seed}'])}"

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the head and the rows of the table."""
        names = self.figures or telling([point.summary for point in self.points])
        rows = []
        for point in self.points:
            found = map(point.find, names)
            figures = ("" if row is None else str(row.interval) for row in found)
            rows.append([*map(str, point.shown.values()), *figures])
        return [*self.varied, *names], rows

    def _notice(self) -> str:
        """Return what to know before reading: that matches are repeated."""
        notices = [(p, p.summary.notice) for p in self.points if p.summary.notice]
        if not notices:
            return ""
        point, notice = notices[0]
        more = f" {count(len(notices) - 1, 'other point')} likewise." if len(notices) > 1 else ""
        return f"{combination(point.shown)}: {notice}{more}"


def sweep(
    game: str,
    num_games: int = 1000,
    agents: Agent | Sequence[Agent | Sequence[Agent]] = "greedy",
    *,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
    folder: str | os.PathLike[str] | None = None,
    executor: Any = None,
    figures: str | Sequence[str] | None = None,
    **options: Any,
) -> Sweep:
    """Play the same number of matches with every combination of some options, and compare them.

    An option that is given as a list is tried with each of its values; anything else (a number, a
    text, a tuple, an atlas) is the same in all. An option that takes a list itself is a tuple where
    it is fixed, and a list of tuples or lists where it is varied. In the same way ``agents`` can be
    a list of line-ups, which are tried one after another: each an agent for all seats, or a tuple
    with one for each seat. All combinations are checked before the first match is played.

    Every combination, a point of the sweep, has the same seed. Where two points deal alike, their
    matches begin alike, and what differs is less blurred by chance than the intervals of the two
    tell; ``adjoin.compare`` says how much.

    The matches of a point are dropped when its figures are known: ``table()`` plays them again.
    With ``folder`` they go to Parquet files there, in a folder for each point, and the same call
    goes on where it was stopped. Whatever stops it, Ctrl-C or an agent that fails, the exception's
    ``sweep`` has the points that were finished. ``figures`` are those that are printed. All other
    keywords of ``simulate`` can be given, and varied: positions to ``start`` from, or ``rotate``.

    >>> tried = sweep("mapello", 100, "random", setup="othello", size=[4, 6])
    >>> [round(row.value) for row in tried["turns"]]
    [13, 32]
    >>> sweep("mapello", 100, [("greedy", "random"), "greedy"], jokers=[0, 8]).varied["jokers"]
    (0, 8)
    """
    spec = Spec.of(game, {})
    varied = {name: tuple(each) for name, each in options.items() if isinstance(each, list)}
    if isinstance(agents, list):
        varied["agents"] = tuple(agents)
    for name in ("first", "part", "stream"):
        if name in options:
            raise TypeError(f"{name} = {brief(options[name])}: a sweep plays all of its matches")
    if not varied:
        raise ValueError("nothing is varied: give an option, or agents, as a list of what to try")
    begun = Sweep(
        game=spec.name,
        title=spec.title,
        version=spec.version,
        num_games=whole("num_games", num_games, 1, 2**32 - 1),
        seed=as_seed(seed),
        agents=None if "agents" in varied else agents,
        options={name: value for name, value in options.items() if name not in varied},
        varied=varied,
        figures=(figures,) if isinstance(figures, str) else tuple(figures or ()),
    )
    plans = [
        _Plan.of(begun, values, shows, threads=threads, executor=executor)
        for values, shows in _combinations(varied)
    ]
    if begun.figures:
        _check_figures(begun.figures, plans)
    kept = None if folder is None else SweepFolder(folder, begun.about())
    return _played(begun, plans, kept, progress)


class _Plan(NamedTuple):
    """A point that is still to be played."""

    values: dict[str, Any]
    shown: dict[str, Shown]
    simulate: Callable[..., Any]
    origin: Origin

    @classmethod
    def of(
        cls, begun: Sweep, values: dict[str, Any], shows: dict[str, Shown], **keywords: Any
    ) -> _Plan:
        """Return how a point is played, once the game has accepted it."""
        chosen = {"agents": begun.agents, "seed": begun.seed, **keywords, **begun.options, **values}
        play = functools.partial(simulate, begun.game, begun.num_games, **chosen)
        try:
            origin = play(stream=True).origin
            origin.plan.play(0, 0)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{combination(shows)}: {error}") from error
        return cls(values, shows, play, origin)

    def played(self, kept: SweepFolder | None, progress: Callable[[int, int], None]) -> Point:
        """Return the point with what came of it; ``progress`` hears how much of it is done."""
        if kept is None:
            summary = self.simulate(progress=progress).summary()
        else:
            stream = self.simulate(stream=True, part=kept.part, progress=progress)
            summary = kept.finished(self.shown) or kept.play(self.shown, stream)
        return Point(self.values, self.shown, self.origin, summary)


def _combinations(
    varied: Mapping[str, Sequence[Any]],
) -> Iterator[tuple[dict[str, Any], dict[str, Shown]]]:
    """Yield all combinations, as they are and as tables show them; the last changes fastest."""
    each = []
    for name, values in varied.items():
        if not values:
            raise ValueError(f"{name} = []: must have at least one value to try")
        twice = next((one for n, one in enumerate(values) if one in values[:n]), None)
        if twice is not None:
            raise ValueError(f"{name} = {brief(twice)} is there twice")
        words = [line_up(one) for one in values] if name == "agents" else values
        each.append(list(zip(values, shown(words), strict=True)))
    for pairs in itertools.product(*each):
        values, shows = zip(*pairs, strict=True)
        yield dict(zip(varied, values, strict=True)), dict(zip(varied, shows, strict=True))


def _check_figures(figures: Sequence[str], plans: Sequence[_Plan]) -> None:
    """Refuse a figure that no point will have; a match of some of the points is played for it."""
    summaries: list[Summary] = []
    for plan in plans:
        summaries.append(plan.origin.plan.play(0, 1).summary())
        if all(any(find(summary, figure) for summary in summaries) for figure in figures):
            return
    missing = next(f for f in figures if not any(find(summary, f) for summary in summaries))
    raise unknown_figure(missing, summaries)


def _played(
    begun: Sweep, plans: Sequence[_Plan], kept: SweepFolder | None, progress: Progress
) -> Sweep:
    """Return a sweep whose points are played, or an exception with those that are finished."""
    points: list[Point] = []

    def hears(done: int, of: int) -> None:
        tell(begun.num_games * (len(points) + 1) - of + done)

    with progress_of(progress, begun.num_games * len(plans), "games") as tell:
        try:
            for plan in plans:
                points.append(plan.played(kept, hears))
                tell(begun.num_games * len(points))
        except BaseException as error:
            vars(error)["sweep"] = dataclasses.replace(begun, points=tuple(points))
            raise
    return dataclasses.replace(begun, points=tuple(points))

"""The shape of a match: drama, changes of the lead, when it is settled, how wide the choice is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjoin.statistics.intervals import Interval, mean, ratio, share, wilson
from adjoin.statistics.leads import deficits, lead_changes, leaders, match_numbers, settled
from adjoin.statistics.summaries import Matches, Row, Summary

if TYPE_CHECKING:
    from adjoin.reports.charts import Chart
    from adjoin.simulation.tables import Table

_STEPS = 20
"""At how many places of a match it is asked how often its leader wins."""
_FEW = 10
"""Of how many matches at least a share is shown in a curve."""
_PLACES = 100
"""How many places a long match has at most in a curve by decision."""


class Curve(NamedTuple):
    """A figure in the course of a match, with the ends of its intervals."""

    x: list[float]
    y: list[float]
    low: list[float]
    high: list[float]

    @classmethod
    def of(cls, x: list[float], found: list[Interval]) -> Curve:
        """Return the curve of intervals; one that is not known has no width."""
        known = [i if i.finite else Interval(i.value, i.value, i.value) for i in found]
        return cls(x, *(list(ends) for ends in zip(*known, strict=True)))


@dataclass(frozen=True, kw_only=True, repr=False)
class Course(Summary):
    """What matches are like while they last: rows, printed as a table, and two curves.

    Who stands how well is judged after every decision by what everybody may know, in the points of
    the game (``standing`` of a table of decisions; where won games decide, one counts more than
    any points). Matches are the independent observations. The rows:

    sole winner
        How many matches have one. The rows about the winner are about these.
    lead changes, no lead change
        How often the sole leader changes in a match, and how many matches have no change.
    settled
        After what part of its decisions the winner of a match leads for good; all of them where
        the win is shared.
    behind
        After what part of the decisions the later winner is behind somebody.
    ever behind
        How many winners were behind somebody at some time.
    drama, mean; drama, most
        How many points the later winner is behind the best, over all decisions and at the worst.
    leader at half wins
        What share of the win falls to who leads alone after half of the decisions.
    decisions per turn, score spread
        Only with the table of episodes: the latter is the best final score less the worst.

    ``leader_wins`` is that share in the course of a match, ``choice`` the mean number of legal
    actions by the number of decisions taken, while a tenth of the matches still last.

    Drama is Browne's idea ("Automatic generation and evaluation of recombination games", 2008),
    and its mean and most are what Ludii calls Drama Average and Drama Maximum, with two
    differences: Ludii judges by searches from -1 to 1 and not by points, and counts shared wins by
    the winners' mean. Its Lead Change counts changes of the set of all who lead, as a part of the
    moves; its Decisiveness Moves is the part after which a winner stands better than any loser
    ever does.

    >>> import adjoin
    >>> course = Course.of(adjoin.simulate("mapello", 200, "greedy", record="decisions"))
    >>> course["settled"].value > course["behind"].value > 0
    True
    >>> course.leader_wins.y[0] < course.leader_wins.y[-1]
    True
    """

    seats: int
    leader_wins: Curve
    choice: Curve

    @classmethod
    def of(cls, decisions: Table, matches: Table | None = None) -> Course:
        """Look at a table of decisions, and at the episodes of the same matches if given.

        Without them, who has earned most has won, also where a match was cut off.
        """
        if decisions.record != "decisions" or not len(decisions):
            raise ValueError(
                'a course needs a table of decisions: simulate(..., record="decisions")'
            )
        counted = Matches.of(decisions)
        table = counted.observed
        if matches is not None:
            matches = _same(table, matches)
        won = _won(table) if matches is None else matches.each_seat("won").astype(np.float64)
        rows = [*_rows(table, won)]
        if matches is not None:
            rows += _rows_of_matches(matches)
        return cls(
            f"The course of {counted.games:,} matches of {table.game}: {table.source}",
            tuple(rows),
            counted.notice,
            seats=table.seats,
            leader_wins=_leader_wins(table, won),
            choice=_choice(table),
        )

    @property
    def plots(self) -> dict[str, Chart]:
        """The curves as charts, by name."""
        alone = {"": self}
        return {"choice": choice_plot(alone), "leader_wins": leader_wins_plot(alone)}


def choice_plot(courses: Mapping[str, Course]) -> Chart:
    """Return the legal actions by the number of decisions taken, a line a course."""
    from adjoin.reports.charts import Band, lines

    return lines(
        {name: Band(*course.choice) for name, course in courses.items()},
        title="Legal actions in the course of a match",
        x="decisions taken",
        y="legal actions, mean with 95% band",
    )


def leader_wins_plot(courses: Mapping[str, Course]) -> Chart:
    """Return how often who leads wins in the course of a match, a line a course."""
    from adjoin.reports.charts import Band, lines

    bands = {
        name: Band(*(100 * np.array(values) for values in course.leader_wins))
        for name, course in courses.items()
    }
    fair = min(1 / course.seats for course in courses.values())
    return lines(
        bands,
        title="How often who leads wins",
        x="part of the decisions taken, %",
        y="wins of who leads alone, %, with 95% band",
        note=f"{100 * fair:.0f}% would be fair.",
    )


def _same(decisions: Table, matches: Table) -> Table:
    """Return the episodes of the matches of a table of decisions."""
    if matches.record != "episodes":
        raise ValueError('matches must be a table of episodes: simulate(..., record="episodes")')
    asked = decisions["digest"][np.diff(match_numbers(decisions), prepend=-1) > 0]
    digests, row = np.unique(matches["digest"], return_index=True)
    if not np.isin(asked, digests).all():
        raise ValueError("matches must have all matches of the table of decisions")
    return matches[row[np.searchsorted(digests, asked)]]


def _won(table: Table) -> NDArray[np.float64]:
    """Return what share of the win each seat has in each match, by what it earned."""
    match = match_numbers(table)
    earned = np.stack(
        [np.bincount(match, table[f"reward_{seat}"]) for seat in range(table.seats)], axis=1
    )
    is_best = earned >= earned.max(axis=1, keepdims=True) - 1e-6
    shares: NDArray[np.float64] = is_best / is_best.sum(axis=1, keepdims=True)
    return shares


def _rows(table: Table, won: NDArray[np.float64]) -> Iterator[Row]:
    match, count = match_numbers(table), len(won)
    winner = np.where(won.max(axis=1) > 1 - 1e-6, won.argmax(axis=1), -1)
    is_sole = winner >= 0
    sole = int(is_sole.sum())
    yield _part("sole winner", is_sole, "share of matches")
    changes = lead_changes(table)
    yield Row("lead changes", *mean(changes), count, "of the sole leader, in a match")
    yield _part("no lead change", changes == 0, "share of matches")
    note = "part of the decisions until the winner leads for good"
    yield Row("settled", *mean(settled(table, winner)), count, note)
    if sole:
        behind = deficits(table, winner)
        most = np.zeros(count, np.int64)
        np.maximum.at(most, match, behind)
        length = np.bincount(match)
        duration = (np.bincount(match, behind > 0) / length)[is_sole]
        depth = (np.bincount(match, behind) / length)[is_sole]
        note = "part of the decisions after which the later winner is behind"
        yield Row("behind", *mean(duration), sole, note)
        yield _part("ever behind", most[is_sole] > 0, "share of winners")
        note = "points that the later winner is behind, over all decisions"
        yield Row("drama, mean", *mean(depth), sole, note)
        yield Row("drama, most", *mean(most[is_sole]), sole, "the same at the worst")
    wins = _wins_of_leader(table, won)(0.5)
    if len(wins):
        note = f"of who leads alone after half of the decisions; fair share {1 / won.shape[1]:.3g}"
        yield Row("leader at half wins", *share(wins), len(wins), note)


def _part(what: str, where: NDArray[np.bool_], note: str) -> Row:
    return Row(what, *wilson(int(where.sum()), len(where)), len(where), note)


def _rows_of_matches(matches: Table) -> Iterator[Row]:
    count = len(matches)
    turns = ratio(matches["decisions"], matches["turns"])
    yield Row("decisions per turn", *turns, count, "all decisions by all turns")
    scores = matches.each_seat("score").astype(np.float64)
    spread = scores.max(axis=1) - scores.min(axis=1)
    yield Row("score spread", *mean(spread), count, "best final score less the worst")


def _wins_of_leader(
    table: Table, won: NDArray[np.float64]
) -> Callable[[float], NDArray[np.float64]]:
    """Return what tells which share of the win falls to the leader after a part of a match.

    It has an entry for each match that somebody leads alone then.
    """
    length = np.bincount(match_numbers(table))
    begin = np.cumsum(length) - length
    ahead = leaders(table)

    def wins(part: float) -> NDArray[np.float64]:
        place = np.maximum(np.ceil(part * length - 1e-9).astype(np.int64), 1) - 1
        leader = ahead[begin + place]
        own: NDArray[np.float64] = won[np.arange(len(won)), leader][leader >= 0]
        return own

    return wins


def _leader_wins(table: Table, won: NDArray[np.float64]) -> Curve:
    """Return how often the leader wins in the course of a match, where enough have one."""
    wins = _wins_of_leader(table, won)
    values = {step / _STEPS: wins(step / _STEPS) for step in range(1, _STEPS + 1)}
    least = min(_FEW, max(map(len, values.values())))
    shown = {part: each for part, each in values.items() if len(each) >= max(least, 1)}
    if not shown:
        return Curve([], [], [], [])
    return Curve.of(list(shown), [share(each) for each in shown.values()])


def _choice(table: Table) -> Curve:
    """Return the mean number of legal actions in the course of a match, while a tenth still play.

    A match counts once at every place, which is a decision, or several in long games. A single
    match has a band without width.
    """
    match, legal = match_numbers(table), table["legal"]
    length = np.bincount(match)
    ply = np.arange(len(match)) - (np.cumsum(length) - length)[match]
    matches = len(length)
    lasting = np.bincount(ply) >= min(max(0.1 * matches, 2), matches)
    wide = max(1, math.ceil(lasting.sum() / _PLACES))
    place = ply // wide
    key = match * (place.max() + 1) + place
    seen, at = np.unique(key, return_inverse=True)
    values = np.bincount(at, legal) / np.bincount(at)
    where = seen % (place.max() + 1)
    numbers = range(max(int(lasting.sum()) // wide, 1))
    found = [mean(values[where == number]) for number in numbers]
    return Curve.of([number * wide + (wide - 1) / 2 for number in numbers], found)

"""The course of a match: every figure is that of a recount in plain loops."""

from __future__ import annotations

import json
import math
import statistics
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import adjoin
from adjoin.simulation.columns import loaded
from adjoin.statistics.course import Course
from adjoin.statistics.intervals import mean, share, wilson
from adjoin.statistics.leads import deficits, leaders, settled
from scaffold import BRIEF, cases

EPISODES = 80


def played(game: str, agents: Any = "greedy", **more: Any) -> tuple[adjoin.Table, adjoin.Table]:
    keywords = {"seed": 6, **BRIEF.get(game, {}), **more}
    return (
        adjoin.simulate(game, EPISODES, agents, record="decisions", **keywords),
        adjoin.simulate(game, EPISODES, agents, **keywords),
    )


@dataclass
class Counted:
    """A match, counted in loops."""

    standings: list[list[int]]
    earned: list[float]

    @property
    def winners(self) -> list[int]:
        return [s for s, e in enumerate(self.earned) if math.isclose(e, max(self.earned))]

    @property
    def winner(self) -> int | None:
        return self.winners[0] if len(self.winners) == 1 else None

    def leader(self, place: int) -> int | None:
        now = self.standings[place]
        return now.index(max(now)) if now.count(max(now)) == 1 else None

    @property
    def behind(self) -> list[int]:
        assert self.winner is not None
        return [max(now) - now[self.winner] for now in self.standings]

    @property
    def settled(self) -> float:
        after = 0
        for place in range(len(self.standings)):
            if self.winner is None or self.leader(place) != self.winner:
                after = place + 1
        return after / len(self.standings)

    def wins_of_leader(self, part: float) -> float | None:
        leader = self.leader(max(math.ceil(part * len(self.standings) - 1e-9), 1) - 1)
        if leader is None:
            return None
        return 1 / len(self.winners) if leader in self.winners else 0.0


def counted(table: adjoin.Table) -> list[Counted]:
    matches: list[Counted] = []
    columns = {name: table[name].tolist() for name in table}
    for row, ply in enumerate(columns["ply"]):
        if ply == 0:
            matches.append(Counted([], [0.0] * table.seats))
        one = matches[-1]
        one.standings.append([columns[f"standing_{s}"][row] for s in range(table.seats)])
        one.earned = [e + columns[f"reward_{s}"][row] for s, e in enumerate(one.earned)]
    return matches


@cases("agents", ["random", "greedy"])
def test_a_course_is_that_of_a_recount(game: str, agents: str) -> None:
    decisions, matches = played(game, agents)
    course, loops = Course.of(decisions, matches), counted(decisions)
    sole = [one for one in loops if one.winner is not None]
    expected = {
        "sole winner": wilson(len(sole), EPISODES),
        "settled": mean([one.settled for one in loops]),
        "behind": mean([statistics.fmean(b > 0 for b in one.behind) for one in sole]),
        "ever behind": wilson(sum(max(one.behind) > 0 for one in sole), len(sole)),
        "drama, mean": mean([statistics.fmean(one.behind) for one in sole]),
        "drama, most": mean([max(one.behind) for one in sole]),
    }
    half = [wins for one in loops if (wins := one.wins_of_leader(0.5)) is not None]
    expected["leader at half wins"] = share(half)
    for what, interval in expected.items():
        assert tuple(course[what].interval) == pytest.approx(tuple(interval), abs=1e-6), what
    assert course["leader at half wins"].n == len(half)
    curve = course.leader_wins
    assert curve.x[-1] == 1
    for part, *found in zip(*curve, strict=True):
        now = [wins for one in loops if (wins := one.wins_of_leader(part)) is not None]
        assert found == pytest.approx(list(share(now)), abs=1e-6)
    scores = [[matches[f"score_{s}"][row] for s in range(matches.seats)] for row in range(EPISODES)]
    spread = [float(max(each) - min(each)) for each in scores]
    assert course["score spread"].value == pytest.approx(statistics.fmean(spread))
    turns = matches["decisions"].sum() / matches["turns"].sum()
    assert course["decisions per turn"].value == pytest.approx(turns)


def test_without_episodes_a_course_is_the_same_as_far_as_it_goes() -> None:
    for game in adjoin.games():
        decisions, matches = played(game, "random")
        alone, both = Course.of(decisions), Course.of(decisions, matches)
        for one, other in zip(alone, both, strict=False):
            assert (one.what, one.n) == (other.what, other.n)
            assert one[1:4] == pytest.approx(other[1:4], abs=1e-6)
        more = [row.what for row in both.rows[len(alone) :]]
        assert more == ["decisions per turn", "score spread"]


def test_nobody_has_won_a_match_that_was_cut_off() -> None:
    options = BRIEF["mapominoes"]
    keywords: dict[str, Any] = {"seed": 1, "max_decisions": 20, **options}
    decisions = adjoin.simulate("mapominoes", 30, record="decisions", **keywords)
    cut = Course.of(decisions, adjoin.simulate("mapominoes", 30, **keywords))
    assert cut["sole winner"].value < 0.1
    assert "drama, mean" not in cut or cut["drama, mean"].n < 3


def test_choice_by_decision_is_that_of_a_recount() -> None:
    decisions, _ = played("domiphun", "random")
    legal: dict[int, list[int]] = {}
    for ply, count in zip(decisions["ply"].tolist(), decisions["legal"].tolist(), strict=True):
        legal.setdefault(ply, []).append(count)
    plies = [ply for ply, counts in legal.items() if len(counts) >= 0.1 * EPISODES]
    curve = Course.of(decisions).choice
    assert curve.x == plies
    assert curve.y == pytest.approx([statistics.fmean(legal[ply]) for ply in plies])
    assert all(low <= y <= high for _, y, low, high in zip(*curve, strict=True))


def test_long_matches_have_a_curve_in_steps_of_several_decisions() -> None:
    decisions, _ = played("mapello", "random", games=4, size=8)
    xs = Course.of(decisions).choice.x
    assert 50 < len(xs) <= 100
    assert set(np.diff(xs).round(6)) == {xs[1] - xs[0]} != {1.0}


# By hand.


def made(standings: list[list[list[int]]]) -> adjoin.Table:
    """Return decisions of Mapello with standings of our own, matches one after another."""
    real = adjoin.simulate("mapello", len(standings), "random", record="decisions")
    rows = [
        np.flatnonzero(real["episode"] == episode)[: len(match)]
        for episode, match in enumerate(standings)
    ]
    table = real[np.concatenate(rows)]
    data = loaded(table._data)
    for seat in range(2):
        name = f"standing_{seat}"
        values = np.array([now[seat] for match in standings for now in match], np.int32)
        order = data.names
        data = data.select([other for other in order if other != name])
        data = data.with_column(name, values, "").select(list(order))
    return adjoin.Table(data, *table.runs)


def test_a_small_case_by_hand() -> None:
    table = made([[[0, 2], [1, 1], [3, 1], [4, 3]], [[5, 0], [0, 1]], [[1, 0], [1, 0]]])
    winner = np.array([0, 1, -1])
    assert leaders(table).tolist() == [1, -1, 0, 0, 0, 1, 0, 0]
    assert settled(table, winner).tolist() == [0.5, 0.5, 1.0]
    assert deficits(table, winner).tolist() == [2, 0, 0, 0, 5, 0, 0, 0]


# How it looks, and what is refused.


@pytest.mark.smoke
def test_a_course_is_a_table_and_two_charts() -> None:
    decisions, matches = played("mapello")
    course = Course.of(decisions, matches)
    assert str(course).startswith("The course of 80 matches of mapello: greedy, seed 6")
    assert repr(course) == str(course)
    assert "<td>drama, mean</td>" in course._repr_html_()
    assert set(course.plots) == {"choice", "leader_wins"}
    assert json.dumps(course.to_dict(), allow_nan=False)


def test_matches_may_come_in_any_order_and_be_more() -> None:
    decisions, matches = played("mapello", "random")
    some = decisions[decisions["episode"] >= 20]
    assert Course.of(some, matches[::-1]).rows == Course.of(some, matches[20:]).rows


def test_what_is_no_table_of_the_same_decisions_is_refused() -> None:
    decisions, matches = played("mapello", "random")
    for arguments, words in (
        ((matches,), 'record="decisions"'),
        ((decisions[:0],), 'record="decisions"'),
        ((decisions, decisions), 'record="episodes"'),
        ((decisions, matches[:10]), "all matches"),
        ((decisions, matches[:0]), "all matches"),
    ):
        with pytest.raises(ValueError, match=words):
            Course.of(*arguments)


def lowest(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    first: NDArray[Any] = masks.argmax(axis=1)
    return first


def test_a_match_that_is_repeated_is_told_and_counts_once() -> None:
    keywords: dict[str, Any] = {"agents": lowest, "setup": "othello"}
    decisions = adjoin.simulate("mapello", 10, record="decisions", **keywords)
    course = Course.of(decisions, adjoin.simulate("mapello", 10, **keywords))
    assert {row.n for row in course} == {1}
    assert "10 games, 1 distinct match" in str(course)
    assert course.plots

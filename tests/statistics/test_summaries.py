"""Summaries: every figure is what a slow recount finds, with the interval that it should have."""

from __future__ import annotations

import json
import math
import statistics
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import adjoin
from adjoin.statistics.intervals import Interval, share
from adjoin.statistics.leads import lead_changes
from adjoin.statistics.summaries import Matches, Row, Summary, summarise
from scaffold import BRIEF, cases

CASES: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "two seats": ("mapello", ["greedy", "random"], {}),
    "an agent at two seats": ("connections", ["greedy", "random", "random"], BRIEF["connections"]),
    "an agent at all seats": ("domiphun", ["greedy", "greedy", "greedy"], {"players": 3}),
    "shared wins": ("domiphun", ["greedy", "random"], {}),
}


@pytest.fixture(params=list(CASES), scope="module")
def table(request: pytest.FixtureRequest) -> adjoin.Table:
    game, agents, options = CASES[request.param]
    table: adjoin.Table = adjoin.simulate(game, 300, agents, seed=4, **options)
    return table


@pytest.fixture(params=list(CASES), scope="module")
def decisions(request: pytest.FixtureRequest) -> adjoin.Table:
    game, agents, options = CASES[request.param]
    table: adjoin.Table = adjoin.simulate(game, 60, agents, seed=4, record="decisions", **options)
    return table


def t_interval(values: list[float]) -> tuple[float, float, float]:
    middle = statistics.fmean(values)
    half = stats.t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return middle, middle - half, middle + half


def wilson_interval(successes: int, trials: int) -> tuple[float, float, float]:
    interval = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    return successes / trials, interval.low, interval.high


def ends(row: Row) -> Any:
    return pytest.approx(row[1:4], rel=1e-4, abs=1e-6)


def of_agent(table: adjoin.Table, name: str, agent: str) -> list[float]:
    """Return for every match the mean over the seats of an agent."""
    values = []
    for row in range(len(table)):
        mine = [s for s in range(table.seats) if table[f"agent_{s}"][row] == agent]
        values.append(statistics.fmean(float(table[f"{name}_{s}"][row]) for s in mine))
    return values


# Episodes.


def test_win_shares_are_those_of_a_recount(table: adjoin.Table) -> None:
    summary = table.summary()
    columns = {agent: of_agent(table, "won", agent) for agent in table.agents}
    columns |= {f"seat {s}": table[f"won_{s}"].tolist() for s in range(table.seats)}
    for name, values in columns.items():
        chairs = max(table.agents.count(name), 1)
        expected: tuple[float, float, float] = share(values, most=1 / chairs)
        if chairs == table.seats:
            expected = (1 / chairs,) * 3
        row = summary[f"win share, {name}"]
        assert expected == ends(row)
        assert row.n == 300
        assert f"fair share {1 / table.seats:.3g}" in row.note


def test_ends_and_shared_wins_are_those_of_a_recount(table: adjoin.Table) -> None:
    summary = table.summary()
    ended = table["ended"].tolist()
    for way in set(ended):
        assert wilson_interval(ended.count(way), 300) == ends(summary[f"ended: {way}"])
    ways = [row for row in summary if row.what.startswith("ended: ")]
    assert sum(row.value for row in ways) == pytest.approx(1)
    shared = table["winner"].tolist().count(-1)
    assert wilson_interval(shared, 300) == ends(summary["shared wins"])


def test_means_are_those_of_a_recount(table: adjoin.Table) -> None:
    summary = table.summary()
    for name in ("decisions", "turns", "rounds"):
        assert t_interval(table[name].tolist()) == ends(summary[name])
    for agent in table.agents:
        assert t_interval(of_agent(table, "score", agent)) == ends(summary[f"score, {agent}"])


def test_every_figure_of_every_game_has_its_rows(brief: Any) -> None:
    seats = brief.batch().spec.seats
    agents = ["greedy", *["random"] * (seats - 1)]
    table = adjoin.simulate(brief.game, 40, agents, seed=1, **brief.options)
    summary, meanings = table.summary(), table.meanings
    columns = list(table.columns)
    for name in columns[columns.index("ended") + 1 :]:
        stem, _, number = name.rpartition("_")
        if number.isdigit():
            for agent in ("greedy", "random"):
                row = summary[f"{stem}, {agent}"]
                assert t_interval(of_agent(table, stem, agent)) == ends(row)
                assert row.note == meanings[name]
        else:
            assert t_interval(table[name].tolist()) == ends(summary[name])
            assert summary[name].note == meanings[name]
    assert len({row.what for row in summary}) == len(summary)


def test_an_agent_at_all_seats_wins_its_share_for_sure() -> None:
    row = adjoin.simulate("mapello", 50).summary()["win share, random"]
    assert row[:4] == ("win share, random", 0.5, 0.5, 0.5)
    assert "every seat" in row.note


def test_matches_cut_off_are_told() -> None:
    summary = adjoin.simulate("mapello", 30, max_decisions=10).summary()
    assert summary["ended: cut off"].value == 1
    assert "ended: cut off" not in adjoin.simulate("mapello", 30).summary()


def test_a_single_match_has_a_summary_without_intervals() -> None:
    summary = adjoin.simulate("mapello", 1).summary()
    assert math.isinf(summary["decisions"].high)
    assert summary.to_dict()["decisions"]["high"] is None
    assert "unknown" in str(summary)
    json.dumps(summary.to_dict(), allow_nan=False)


def test_ends_that_never_happened_are_told_with_how_often_they_may() -> None:
    summary = adjoin.simulate("mapello", 30, setup="othello").summary()
    assert summary["ended: no discs"].value == 0 < summary["ended: no discs"].high


# Decisions.


def rows_by_match(table: adjoin.Table) -> list[list[int]]:
    """Return the numbers of the rows of each match."""
    matches: dict[int, list[int]] = {}
    for row, episode in enumerate(table["episode"].tolist()):
        matches.setdefault(episode, []).append(row)
    return list(matches.values())


def test_choice_is_that_of_a_recount(decisions: adjoin.Table) -> None:
    summary, legal = summarise(decisions), decisions["legal"].tolist()
    agent = decisions["agent"].tolist()
    for name in ("", *decisions.agents):
        mine = [i for i in range(len(legal)) if name in ("", agent[i])]
        row = summary[f"legal actions, {name}" if name else "legal actions"]
        assert row.value == pytest.approx(statistics.fmean(legal[i] for i in mine))
        assert row.low < row.value < row.high
    assert summary["forced decisions"].value == pytest.approx(legal.count(1) / len(legal))
    lengths = [float(len(rows)) for rows in rows_by_match(decisions)]
    assert t_interval(lengths) == ends(summary["decisions"])
    assert summary["decisions"].n == 60


def test_rewards_and_decisions_by_agent_are_those_of_a_recount(decisions: adjoin.Table) -> None:
    summary, agent = summarise(decisions), decisions["agent"].tolist()
    reward = decisions["reward"].tolist()
    for name in decisions.agents:
        mine = [[i for i in rows if agent[i] == name] for rows in rows_by_match(decisions)]
        earned = [math.fsum(reward[i] for i in rows) for rows in mine]
        assert statistics.fmean(earned) == pytest.approx(summary[f"reward, {name}"].value, abs=1e-6)
        taken = [float(len(rows)) for rows in mine]
        assert t_interval(taken) == ends(summary[f"decisions, {name}"])


def test_lead_changes_are_those_of_a_recount(decisions: adjoin.Table) -> None:
    standing = [decisions[f"standing_{s}"].tolist() for s in range(decisions.seats)]
    expected = []
    for rows in rows_by_match(decisions):
        leader, changes = None, 0
        for row in rows:
            now = [seat[row] for seat in standing]
            if now.count(max(now)) == 1:
                changes += leader not in (None, now.index(max(now)))
                leader = now.index(max(now))
        expected.append(changes)
    assert lead_changes(decisions).tolist() == expected
    assert any(expected)
    assert summarise(decisions)["lead changes"].value == pytest.approx(statistics.fmean(expected))


def test_choice_has_an_interval_that_looks_at_matches_not_decisions() -> None:
    truth = adjoin.simulate("mapello", 20_000, seed=50, record="decisions")["legal"].mean()
    covered, narrow = [], []
    for seed in range(300):
        table = adjoin.simulate("mapello", 40, seed=seed, record="decisions")
        row = summarise(table)["legal actions"]
        covered.append(row.low <= truth <= row.high)
        error = table["legal"].std() / math.sqrt(len(table))
        narrow.append(abs(row.value - truth) <= 1.96 * error)
    assert 0.915 <= np.mean(covered) <= 0.98
    assert np.mean(narrow) < 0.85, "decisions of a match hang together"


# How it looks.


@pytest.mark.smoke
def test_a_summary_is_a_table_of_rows() -> None:
    summary = adjoin.simulate("mapello", 200, ["greedy", "random"], seed=2).summary()
    assert isinstance(summary, Summary)
    assert len(list(summary)) == len(summary)
    assert "turns" in summary
    assert "luck" not in summary
    row = summary["win share, greedy"]
    assert row.interval == Interval(row.value, row.low, row.high)
    with pytest.raises(KeyError, match="no figure 'luck': there are 'win share, greedy'"):
        summary["luck"]
    near = "no figure 'win share'; did you mean 'win share, greedy', 'win share, random' or"
    with pytest.raises(KeyError, match=near):
        summary["win share"]


def test_a_summary_is_printed_in_columns() -> None:
    summary = adjoin.simulate("mapello", 200, ["greedy", "random"], seed=2).summary()
    text = str(summary)
    assert repr(summary) == text
    title, _, head, *lines = text.splitlines()
    assert title == "200 matches of mapello: greedy against random, seed 2"
    at = head.index("note")
    for line in lines:
        assert line[at - 2 : at] in ("  ", "")
        assert len(line) == at - 2 or line[at] != " "


def test_a_summary_goes_to_html_json_and_pandas() -> None:
    def odd(observations: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    odd.__name__ = "<odd>"
    summary = adjoin.simulate("mapello", 50, [odd, "random"]).summary()
    page = summary._repr_html_()
    assert "win share, &lt;odd&gt;" in page
    assert "<odd>" not in page
    data = json.loads(json.dumps(summary.to_dict(), allow_nan=False))
    assert list(data) == [row.what for row in summary]
    frame = summary.to_pandas()
    assert frame.loc["decisions", "value"] == summary["decisions"].value
    assert list(frame.columns) == ["value", "low", "high", "n", "note"]


def test_seats_have_no_summary_of_their_own() -> None:
    with pytest.raises(ValueError, match="a table of seats has no summary"):
        adjoin.simulate("mapello", 5).by_seat().summary()


# Matches that are repeated.


def lowest(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    first: NDArray[Any] = masks.argmax(axis=1)
    return first


def highest(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    last: NDArray[Any] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return last


def actions_of(table: adjoin.Table) -> list[tuple[int, ...]]:
    return [tuple(table["action"][rows]) for rows in rows_by_match(table)]


def test_matches_are_told_apart_by_start_actions_and_result(brief: Any) -> None:
    seats = brief.batch().spec.seats
    several: list[Any] = [lowest, "random", [lowest, *["random"] * (seats - 1)]]
    for agents in several:
        table = adjoin.simulate(brief.game, 40, agents, seed=1, record="decisions", **brief.options)
        episodes = adjoin.simulate(brief.game, 40, agents, seed=1, **brief.options)
        digests = [int(table["digest"][rows[0]]) for rows in rows_by_match(table)]
        assert digests == episodes["digest"].tolist()
        starts = [brief.match(seed=1, episode=number).position() for number in range(40)]
        courses = list(zip(starts, actions_of(table), strict=True))
        different = {(course, digest) for course, digest in zip(courses, digests, strict=True)}
        assert len(set(digests)) == len(different) >= len(set(courses))


@cases("record", ["episodes", "decisions"])
def test_a_match_that_is_repeated_counts_once(record: Any) -> None:
    options: dict[str, Any] = {"setup": "othello", "record": record}
    table = adjoin.simulate("mapello", 200, [lowest, highest], **options)
    summary = table.summary()
    assert summary.notice.startswith("200 games, 2 distinct matches: these agents leave nothing")
    assert summary.notice in str(summary).splitlines()
    assert summary.notice in summary._repr_html_()
    assert summary["distinct matches"][1:5] == (2, 2, 2, 200)
    assert {row.n for row in summary.rows[:-1]} == {2}
    both = adjoin.simulate("mapello", 2, [lowest, highest], **options).summary()
    assert [row[:5] for row in summary.rows[:-1]] == [row[:5] for row in both.rows[:-1]]
    assert both.notice == ""
    alone = adjoin.simulate("mapello", 200, lowest, **options)
    assert Matches.of(alone)[:2] == (200, 1)
    assert Matches.of(alone).left == 1


def test_what_chance_repeats_counts_every_time() -> None:
    table = adjoin.simulate("mapello", 3000, "random", setup="othello", size=4)
    matches = Matches.of(table)
    assert matches.distinct < matches.games == matches.left == 3000
    summary = table.summary()
    assert summary.notice == f"3,000 games, {matches.distinct:,} distinct matches."
    assert summary["turns"].n == 3000
    several = adjoin.simulate("mapello", 300).summary()
    assert several.notice == ""
    assert several["distinct matches"][1:5] == (300, 300, 300, 300)
    moves = adjoin.simulate("mapello", 30, record="decisions").summary()
    assert moves["distinct matches"].value == moves["distinct matches"].n == 30


def test_repeated_matches_count_once_beside_others() -> None:
    fixed = adjoin.simulate("mapello", 50, [lowest, highest], setup="othello")
    free = adjoin.simulate("mapello", 60, [lowest, "random"], setup="othello")
    matches = Matches.of(adjoin.Table.join([fixed, free]))
    assert (matches.games, matches.distinct, matches.left) == (110, 62, 62)
    assert matches.observed["run"].tolist() == [0] * 2 + [1] * 60
    assert "62 distinct matches: some of the agents leave nothing to chance" in matches.notice
    again = adjoin.simulate("mapello", 50, [lowest, highest], setup="othello", seed=1)
    assert Matches.of(adjoin.Table.join([fixed, again])).left == 2


def test_a_match_counts_apart_by_who_sits_where() -> None:
    def other(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
        return lowest(observations, masks)

    table = adjoin.simulate("mapello", 10, [lowest, other], setup="othello")
    assert len(set(table["digest"])) == 1
    assert Matches.of(table).distinct == 2
    assert table.summary()["win share, lowest"].value == 0.5

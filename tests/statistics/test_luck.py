"""Skill and luck: the parts of the variance are those that were put in, and add up."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import adjoin
from adjoin.statistics.luck import (
    PARTS,
    LevelError,
    Luck,
    luck_of,
    skill_and_luck,
    variance_parts,
)
from scaffold import IS_LONG, cases

Floats = NDArray[np.float64]
TRIALS = 1000 if IS_LONG else 80


def centred(values: Floats) -> Floats:
    centred: Floats = values - values.mean(axis=-1, keepdims=True)
    return centred


def made(
    generator: np.random.Generator, deals: int, seat: Floats, agent: float, deal: float, rest: float
) -> tuple[Floats, NDArray[np.bool_], dict[str, float]]:
    """Return results of known parts, who sits where, and what the parts are."""
    seats = len(seat)
    sits = np.eye(seats, dtype=bool)
    of_agents = np.where(sits, agent, -agent / (seats - 1))
    gift = centred(generator.normal(size=(deals, 1, seats))) * deal
    noise = centred(generator.normal(size=(deals, seats, seats))) * rest
    left = (seats - 1) / seats
    sizes = [np.mean(seat**2), np.mean(of_agents**2), deal**2 * left, rest**2 * left]
    truth = dict(zip(PARTS, (np.array(sizes) / sum(sizes)).tolist(), strict=True))
    truth["same-deal correlation"] = sizes[2] / (sizes[2] + sizes[3])
    return seat + of_agents + gift + noise, sits, truth


# What was put in comes out.


@cases(
    ("seats", "sizes", "deals"),
    [(3, (0.3, 0.6, 0.5, 0.8), 100), (2, (0.0, 0.0, 0.0, 1.0), 100), (4, (0.1, 0.1, 0.2, 1.0), 60)],
)
def test_known_parts_are_recovered_without_bias_and_covered(
    seats: int, sizes: tuple[float, ...], deals: int
) -> None:
    seat = np.linspace(-1, 1, seats) * sizes[0]
    found: dict[str, list[float]] = {}
    covered: dict[str, list[bool]] = {}
    truth: dict[str, float] = {}
    for trial in range(TRIALS):
        generator = np.random.default_rng([trial, seats])
        results, sits, truth = made(generator, deals, seat, *sizes[1:])
        for name, interval in variance_parts(results, sits, seed=trial).items():
            found.setdefault(name, []).append(interval.value)
            covered.setdefault(name, []).append(interval.covers(truth[name]))
    for name, value in truth.items():
        error = np.std(found[name]) / np.sqrt(TRIALS)
        assert abs(np.mean(found[name]) - value) < 4 * error + 0.003, name
        lowest = 0.95 - 3.5 * np.sqrt(0.95 * 0.05 / TRIALS) - 0.015
        assert np.mean(covered[name]) > lowest, name
        # Where there is nothing, it is nearly always covered.
        assert not IS_LONG or value < 0.01 or np.mean(covered[name]) < 0.98, name


def anova(results: Floats, sits: NDArray[Any]) -> dict[str, float]:
    """Return the parts by loops over the mean squares of an analysis of variance."""
    deals, orders, seats = results.shape
    total = float(np.mean(results**2))
    between = within = seat = 0.0
    for s in range(seats):
        table = results[:, :, s]
        rows, columns, grand = table.mean(axis=1), table.mean(axis=0), table.mean()
        left = table - rows[:, None] - columns[None, :] + grand
        of_deals = orders * float(((rows - grand) ** 2).sum()) / (deals - 1)
        of_rest = float((left**2).sum()) / ((deals - 1) * (orders - 1))
        between += (of_deals - of_rest) / orders / seats
        within += ((of_deals - of_rest) / orders + of_rest) / seats
        seat += (grand**2 - rows.var(ddof=1) / deals) / seats
    agents = 0.0
    for agent in np.unique(sits):
        own = np.array([deal[sits == agent].mean() for deal in results])
        agents += np.mean(sits == agent) * (own.mean() ** 2 - own.var(ddof=1) / deals)
    parts = {"seat": seat / total, "agents": agents / total, "deal": between / total}
    return {
        **parts,
        "rest": 1 - sum(parts.values()),
        "same-deal correlation": between / within,
    }


def test_parts_are_those_of_an_analysis_of_variance() -> None:
    seat = np.array([0.3, 0.0, -0.3])
    results, sits, _ = made(np.random.default_rng(2), 40, seat, 0.6, 0.5, 0.8)
    found = {name: each.value for name, each in variance_parts(results, sits).items()}
    assert found == pytest.approx(anova(results, sits), abs=2e-5)


@pytest.mark.long
def test_the_same_deal_correlation_is_that_of_statsmodels() -> None:
    smf = pytest.importorskip("statsmodels.formula.api")
    stats = pytest.importorskip("statsmodels.stats.anova")
    pandas = pytest.importorskip("pandas")
    results, sits, _ = made(np.random.default_rng(5), 30, np.array([0.2, -0.2]), 0.5, 0.6, 0.7)
    rows = [
        (deal, order, results[deal, order, 0])
        for deal, order in itertools.product(range(30), range(2))
    ]
    frame = pandas.DataFrame(rows, columns=["deal", "order", "result"])
    table = stats.anova_lm(smf.ols("result ~ C(deal) + C(order)", frame).fit())
    deal, rest = table.loc["C(deal)", "mean_sq"], table.loc["Residual", "mean_sq"]
    third_case = (deal - rest) / (deal + rest)
    found = variance_parts(results, sits)["same-deal correlation"].value
    assert found == pytest.approx(third_case, abs=1e-5)


def test_more_than_two_agents_can_be_divided() -> None:
    orders = np.array(list(itertools.permutations(range(3))))
    strength = np.array([0.5, 0.0, -0.5])
    noise = centred(np.random.default_rng(0).normal(size=(4000, 6, 3))) * 0.5
    parts = variance_parts(strength[orders] + noise, orders)
    assert parts["agents"].covers(0.5)
    assert parts["seat"].covers(0)
    assert parts["deal"].covers(0)


def test_a_deal_that_suits_one_agent_lowers_the_part_of_the_deal() -> None:
    generator = np.random.default_rng(3)
    suits = np.where(np.eye(2, dtype=bool), 1, -1) * generator.normal(size=(5000, 1, 1))
    noise = centred(generator.normal(size=(5000, 2, 2)))
    parts = variance_parts(suits + noise, np.eye(2))
    assert parts["deal"].value == pytest.approx(-1 / 1.5, abs=0.03)
    assert parts["rest"].value == pytest.approx(1 + 1 / 1.5, abs=0.03)


# What matches tell.


@pytest.mark.smoke
def test_parts_add_up_to_one(brief: Any) -> None:
    luck = skill_and_luck(brief.game, num_games=60, seed=4, **brief.options)
    assert sum(luck.share(part).value for part in PARTS) == pytest.approx(1, abs=5e-5)
    seats = brief.batch().spec.seats
    assert (luck.games, luck.deals) == (-(-60 // seats) * seats, -(-60 // seats))


def test_chance_alone_leaves_nothing_to_the_agents() -> None:
    luck = skill_and_luck("mapello", "random", "easy(miss=1)", num_games=4000, seed=2)
    assert luck.share("agents").covers(0)
    assert luck.share("agents").high < 0.003
    assert luck.share("rest").covers(1)


def test_a_game_without_a_deal_owes_nothing_to_it() -> None:
    luck = skill_and_luck("mapello", num_games=4000, setup="othello", seed=1)
    assert luck.share("deal").covers(0)
    assert luck.same_deal_correlation.covers(0)
    assert luck.share("agents").low > 0.5


def lowest(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    first: NDArray[Any] = masks.argmax(axis=1)
    return first


def highest(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    last: NDArray[Any] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return last


def test_agents_that_leave_nothing_to_chance_play_a_single_deal() -> None:
    luck = skill_and_luck("mapello", lowest, highest, num_games=20, setup="othello")
    assert luck.deals == 1
    assert luck.share("deal").value == 0
    assert not any(luck.share(part).finite for part in PARTS)
    assert "leave nothing to chance" in str(luck)
    assert json.loads(json.dumps(luck.to_dict(), allow_nan=False))["seat"]["low"] is None


def test_the_strong_agent_wins_what_a_tournament_says() -> None:
    luck = skill_and_luck("mapello", num_games=300, seed=5)
    result = adjoin.tournament("mapello", ["greedy", "random"], num_games=300, seed=5)
    assert luck["win share, greedy"].value == pytest.approx(
        result.cross["greedy"]["random"].score, abs=1e-6
    )
    again = luck_of(result.tables, "greedy", seed=5)
    assert again.rows == luck.rows


def test_a_score_counts_above_the_mean_of_its_match() -> None:
    luck = skill_and_luck("mapello", num_games=300, seed=5, figure="score")
    orders = [["greedy", "random"], ["random", "greedy"]]
    tables = [
        adjoin.simulate("mapello", 150, order, seed=5, rotate=False, threads=2) for order in orders
    ]
    ahead = [
        (table[f"score_{seat}"].astype(float) - table[f"score_{1 - seat}"]) / 2
        for seat, table in enumerate(tables)
    ]
    assert luck["score, greedy"].value == pytest.approx(np.mean(ahead))
    other = skill_and_luck("mapello", num_games=300, seed=5, figure="score", threads=2)
    assert other.rows == luck.rows


# How it looks, and what is refused.


@pytest.fixture(scope="module")
def luck() -> Luck:
    return skill_and_luck("metro_domino", num_games=200, seed=3)


def test_luck_is_a_table_a_sentence_and_a_chart(luck: Luck) -> None:
    assert str(luck).startswith("Skill and luck in 200 games of metro_domino: greedy among random")
    assert repr(luck) == str(luck)
    assert "<td>same-deal correlation</td>" in luck._repr_html_()
    for part in PARTS:
        assert f"{luck.shown(part):%}" in luck.sentence
        assert f">{luck.shown(part):%}<" in luck.plot().svg
    with pytest.raises(ValueError, match="part = 'luck': must be seat, agents, deal, rest"):
        luck.share("luck")


def test_shares_are_rounded_once(luck: Luck) -> None:
    rows = [
        row._replace(value=0.21885, low=0.18465, high=0.25496) if row.what == "agents" else row
        for row in luck
    ]
    assert f"{replace(luck, rows=tuple(rows)).shown('agents'):%}" == "22% (18 to 25%)"
    rows = [
        row._replace(value=0.00004, low=-0.00061, high=0.00122) if row.what == "seat" else row
        for row in luck
    ]
    assert replace(luck, rows=tuple(rows)).shown("seat") == (0, -0.001, 0.001)


@cases(
    ("keywords", "words"),
    [
        ({"strong": "random"}, "both called 'random'"),
        ({"num_games": 0}, "num_games = 0"),
        ({"figure": "ended"}, "figure = 'ended': must be one of won, return, score"),
        ({"figure": "agent"}, "figure = 'agent'"),
        ({"weak": "randm"}, "randm"),
    ],
)
def test_wrong_arguments_are_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        skill_and_luck("mapello", **{"num_games": 10, **keywords})


def test_tables_that_do_not_fit_together_are_refused() -> None:
    def played(*agents: str, **more: Any) -> adjoin.Table:
        table: adjoin.Table = adjoin.simulate("mapello", 5, agents, **{"rotate": False, **more})
        return table

    good = played("greedy", "random")
    for other, words in (
        (played("random", "greedy", seed=1), "same deals"),
        (played("random", "greedy", size=6), "same deals"),
        (played("random", "greedy", rotate=True), "rotate=False"),
        (played("random", "greedy", record="decisions"), "tables of episodes"),
        (good, "once at every seat"),
        (played("easy", "greedy"), "once at every seat, alone among agents of one kind"),
    ):
        with pytest.raises(ValueError, match=words):
            luck_of([good, other], "greedy")
    with pytest.raises(ValueError, match="a table for each seat"):
        luck_of([good], "greedy")


@cases(
    ("results", "sits", "words"),
    [
        (np.zeros((5, 2, 2)), [[0, 1], [1, 0]], "nothing can be divided"),
        (np.ones((5, 2, 2)), [[0, 1], [1, 0]], "must add up to 0"),
        (np.ones((5, 2)), [[0, 1], [1, 0]], "axes deals, orders and seats"),
        (np.array([[[1, -1], [1, -1.0]]]), [[0, 1], [0, 1]], "equally often at every seat"),
    ],
)
def test_results_that_cannot_be_divided_are_refused(results: Any, sits: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        variance_parts(results, sits)
    assert issubclass(LevelError, ValueError)

"""Tournaments: complete, fair by construction, and rated as the model says."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import adjoin
from adjoin.statistics.ratings import ELO, Rating, bradley_terry
from adjoin.statistics.tournaments import Tournament, tournament
from scaffold import BRIEF, IS_LONG, cases

BRIEF_GAMES = [(game, BRIEF.get(game, {})) for game in adjoin.games()]


def lowest(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
    """Play the first legal action."""
    return masks.argmax(axis=1)


def by_agent(result: Tournament) -> dict[str, Rating]:
    return {rating.agent: rating for rating in result.ratings}


# The model.


def expected(ratings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chances of each against each."""
    return 1 / (1 + np.exp((ratings[None, :] - ratings[:, None]) / ELO))


def test_ratings_whose_chances_came_true_exactly_are_recovered() -> None:
    truth = np.array([350.0, 120, 20, -90, -400])
    assert bradley_terry(1000 * expected(truth)) == pytest.approx(truth, abs=1e-6)


def test_ratings_are_recovered_from_simulated_results() -> None:
    truth = np.array([200.0, 50, -50, -200])
    generator = np.random.default_rng(7)
    won = np.zeros((4, 4))
    for i, j in itertools.combinations(range(4), 2):
        won[i, j] = generator.binomial(20_000, expected(truth)[i, j])
        won[j, i] = 20_000 - won[i, j]
    assert bradley_terry(won) == pytest.approx(truth, abs=6)


def test_the_likelihood_is_greatest_at_the_ratings() -> None:
    generator = np.random.default_rng(3)
    won = generator.gamma(0.5, size=(50, 6, 6)) + 1e-6
    won *= 1 - np.eye(6)
    ratings = bradley_terry(won)
    chance = 1 / (1 + np.exp((ratings[:, None, :] - ratings[:, :, None]) / ELO))
    slope = (won - (won + won.swapaxes(1, 2)) * chance).sum(axis=2)
    assert slope == pytest.approx(np.zeros((50, 6)), abs=1e-8)
    assert ratings.mean(axis=1) == pytest.approx(np.zeros(50), abs=1e-8)


def test_ten_to_one_is_four_hundred_points() -> None:
    better, worse = bradley_terry([[0, 10], [1, 0]])
    assert better - worse == pytest.approx(400)


@cases(
    ("points", "words"),
    [
        ([[0, 5], [0, 0]], "no chain of points"),
        ([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], "no chain of points"),
        ([[0, -1], [1, 0]], "not negative"),
        ([[0, math.nan], [1, 0]], "finite"),
        ([[0, 1, 2], [1, 0, 2]], "square"),
        ([1, 2], "square"),
        ([[1]], "square"),
    ],
)
def test_points_that_rate_nobody_are_refused(points: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        bradley_terry(points)


# What is played.


def test_two_seats_have_every_pair_in_both_orders_on_the_same_deals() -> None:
    agents: dict[str, Any] = {"a": "random", "b": "greedy", "c": lowest}
    result = tournament("mapello", agents, num_games=21, seed=3)
    assert [group.agents for group in result.groups] == [("a", "b"), ("a", "c"), ("b", "c")]
    for group in result.groups:
        assert set(group.seatings) == {group.agents, group.agents[::-1]}
        assert (group.deals, group.games) == (11, 22)
    assert result.games == sum(map(len, result.tables)) == 66
    pairs = [result.tables[i : i + 2] for i in (0, 2, 4)]
    for one, other in pairs:
        assert one["episode"].tolist() == other["episode"].tolist()
        assert one.agents == other.agents[::-1]
    deals = [deal for table, _ in pairs for deal in table["episode"].tolist()]
    assert sorted(deals) == list(range(33)), "groups have deals of their own"


def test_three_seats_have_every_three_in_all_six_orders() -> None:
    agents: list[Any] = ["random", "greedy", lowest, "search(iterations=2)"]
    result = tournament("connections", agents, num_games=1, **BRIEF["connections"])
    names = ["random", "greedy", "lowest", "search(iterations=2)"]
    assert [group.agents for group in result.groups] == list(itertools.combinations(names, 3))
    for group in result.groups:
        assert sorted(group.seatings) == sorted(itertools.permutations(group.agents))
        assert group.games == 6


def test_fewer_agents_than_seats_fill_them_in_every_mixed_way() -> None:
    result = tournament("metro_domino", ["random", "greedy"], num_games=10, players=4)
    counts = [Counter(group.agents)["greedy"] for group in result.groups]
    assert counts == [1, 2, 3]
    assert [len(group.seatings) for group in result.groups] == [4, 6, 4]
    assert [group.games for group in result.groups] == [12, 12, 12]
    for group in result.groups:
        assert len(set(group.seatings)) == len(group.seatings)
        assert {tuple(sorted(seating)) for seating in group.seatings} == {
            tuple(sorted(group.agents))
        }
    assert result.cross["greedy"]["random"].games == 12 * (3 + 4 + 3)


def test_the_cross_table_counts_who_came_out_ahead() -> None:
    result = tournament("domiphun", ["random", "greedy", lowest], num_games=60, seed=5)
    for one, other in itertools.permutations(["random", "greedy", "lowest"], 2):
        score, games = 0.0, 0
        for table in result.tables:
            if {one, other} == set(table.agents):
                a, b = table.agents.index(one), table.agents.index(other)
                for row in range(len(table)):
                    mine, theirs = table[f"return_{a}"][row], table[f"return_{b}"][row]
                    score += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    games += 1
        pairing = result.cross[one][other]
        assert pairing.games == games
        assert pairing.score == pytest.approx(score / games)
        back = result.cross[other][one]
        assert pairing.score + back.score == pytest.approx(1)
        assert (pairing.low, pairing.high) == pytest.approx((1 - back.high, 1 - back.low))


def test_the_same_agent_twice_is_level_whatever_the_deals() -> None:
    result = tournament("metro_domino", {"one": "greedy", "two": "greedy"}, num_games=100)
    ratings = by_agent(result)
    assert ratings["one"].rating == pytest.approx(0, abs=1e-9)
    assert result.cross["one"]["two"].score == 0.5


@cases(("game", "options"), BRIEF_GAMES)
def test_greedy_is_rated_above_random(game: str, options: dict[str, Any]) -> None:
    result = tournament(game, ["random", "greedy"], num_games=60, seed=1, threads=2, **options)
    greedy, random = result.ratings
    assert (greedy.agent, random.agent) == ("greedy", "random")
    assert greedy.low > random.high
    assert greedy.rating == pytest.approx(-random.rating)
    assert greedy.score + random.score == pytest.approx(1)
    assert greedy.games == random.games == result.games


# Intervals.


def test_intervals_hold_the_ratings_and_shrink_with_the_games() -> None:
    few, many = (tournament("domiphun", ["random", "greedy"], num_games=n) for n in (40, 1000))
    for result in (few, many):
        for rating in result.ratings:
            assert rating.low < rating.rating < rating.high
            assert all(map(math.isfinite, rating[1:4]))
    wide, narrow = (r.ratings[0].high - r.ratings[0].low for r in (few, many))
    assert 3 < wide / narrow < 8


def test_intervals_of_ratings_cover_what_a_long_tournament_finds() -> None:
    trials = 300 if IS_LONG else 60
    long = tournament("domiphun", ["random", "greedy"], num_games=20_000, seed=1000, threads=2)
    truth = long.ratings[0].rating
    covered = [
        rating.low <= truth <= rating.high
        for rating in (
            tournament("domiphun", ["random", "greedy"], num_games=100, seed=seed).ratings[0]
            for seed in range(trials)
        )
    ]
    assert (0.91 if IS_LONG else 0.87) <= np.mean(covered) <= (0.98 if IS_LONG else 1)


@pytest.mark.long
def test_few_deals_have_intervals_that_still_cover() -> None:
    agents = ["random", "greedy"]
    long = tournament("metro_domino", agents, num_games=9000, seed=1000, threads=2, players=3)
    truth = long.ratings[0].rating
    covered = []
    for seed in range(200):
        greedy = by_agent(tournament("metro_domino", agents, num_games=15, seed=seed, players=3))
        covered.append(greedy["greedy"].low <= truth <= greedy["greedy"].high)
    assert 0.91 <= np.mean(covered) <= 0.99


def test_a_single_deal_tells_no_interval() -> None:
    result = tournament("domiphun", ["random", "greedy"], num_games=2, anchor="random")
    ratings = by_agent(result)
    assert ratings["greedy"][2:4] == (-math.inf, math.inf)
    assert ratings["random"][1:4] == (0, 0, 0)
    assert result.cross["greedy"]["random"][1:3] == (0, 1)
    assert "unknown" in str(result)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert {row["high"] for row in data["ratings"]} == {0, None}
    assert "interval unknown" in result.plot().svg


def test_agents_that_leave_nothing_to_chance_play_a_single_deal() -> None:
    def highest(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    agents: dict[str, Any] = {"low": lowest, "high": highest}
    many, once = (tournament("mapello", agents, games, setup="othello") for games in (200, 2))
    assert (many.games, many.deals, many.distinct) == (200, 1, 2)
    assert [rating[:4] for rating in many.ratings] == [rating[:4] for rating in once.ratings]
    assert many.cross == once.cross
    assert math.isinf(many.ratings[0].high)
    assert "200 games on 1 deal, seed 0" in many.how()
    assert "Only 2 of the 200 games are distinct matches. low and high leave nothing" in many.how()
    assert "distinct" not in once.how()
    assert many.to_dict()["distinct"] == 2
    mixed = tournament("mapello", {**agents, "random": "random"}, 20, setup="othello")
    assert [group.observed for group in mixed.groups] == [1, 10, 10]
    assert (mixed.deals, mixed.distinct) == (21, 42)


def test_a_winner_of_everything_has_a_finite_rating_and_an_interval() -> None:
    def loser(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    agents: dict[str, Any] = {"loser": loser, "search": "search(iterations=60)"}
    result = tournament("mapello", agents, num_games=20, anchor="loser", setup="othello")
    winner = by_agent(result)["search"]
    assert result.cross["search"]["loser"].score == 1
    assert winner.rating == pytest.approx(400 * math.log10(20.5 / 0.5))
    assert 200 < winner.low < winner.rating < winner.high < 3000
    pairing = result.cross["search"]["loser"]
    assert 0.8 < pairing.low < 0.97
    assert pairing.high == 1


def test_an_anchor_has_zero_and_differences_stay() -> None:
    agents = ["random", "greedy", "search(iterations=5)"]
    free = by_agent(tournament("domiphun", agents, num_games=40))
    fixed = by_agent(tournament("domiphun", agents, num_games=40, anchor="random"))
    assert fixed["random"][1:4] == (0, 0, 0)
    for agent in agents:
        assert fixed[agent].rating == pytest.approx(free[agent].rating - free["random"].rating)
    assert sum(rating.rating for rating in free.values()) == pytest.approx(0, abs=1e-6)


def test_a_tournament_repeats_and_threads_and_executors_change_nothing() -> None:
    def played(**keywords: Any) -> dict[str, Any]:
        return tournament("domiphun", ["random", "greedy"], num_games=50, **keywords).to_dict()

    once = played(seed=4)
    assert played(seed=4) == once
    assert played(seed=4, threads=2) == once
    with ThreadPoolExecutor(2) as pool:
        assert played(seed=4, executor=pool) == once
    assert played(seed=5)["ratings"] != once["ratings"]


# How it looks.


def test_a_tournament_shows_itself() -> None:
    result = tournament("domiphun", {"a<b>": "greedy", "chance": "random"}, num_games=30, seed=2)
    text = str(result)
    for words in ("Domiphun", "1. a<b>", "2. chance", "30 games on 15 deals, seed 2", "95%"):
        assert words in text
    assert "few deals" in text
    assert "a&lt;b&gt;" in result._repr_html_()
    assert "a<b>" not in result._repr_html_()
    assert repr(result) == str(result)
    assert "a&lt;b&gt;" in result.plot().svg
    assert "chance" in result.cross_plot().svg


@pytest.mark.smoke
def test_a_tournament_goes_to_json() -> None:
    options: dict[str, Any] = {"walls": 2, "bonuses": 1}
    result = tournament("mapello", ["random", "greedy"], num_games=20, **options)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert data["options"] == options
    assert [row["agent"] for row in data["ratings"]] == [r.agent for r in result.ratings]
    assert data["cross"]["greedy"]["random"]["score"] == result.cross["greedy"]["random"].score
    assert (data["games"], data["deals"]) == (20, 10)


def test_an_option_of_the_game_may_have_a_name_of_ours() -> None:
    result = tournament("mapello", ["random", "greedy"], num_games=4, games=3)
    assert all((table["rounds"] == 3).all() for table in result.tables)


def test_progress_is_told_over_all_games() -> None:
    heard: list[tuple[int, int]] = []
    tournament(
        "domiphun",
        ["random", "greedy", lowest],
        num_games=10,
        progress=lambda done, total: heard.append((done, total)),
    )
    assert {total for _, total in heard} == {30}
    done = [done for done, _ in heard]
    assert done == sorted(done)
    assert done[-1] == 30


# What is refused.


@cases(
    ("agents", "words"),
    [
        (["random"], "at least two agents, got 1"),
        ([], "at least two agents, got 0"),
        ({"one": "random"}, "at least two agents, got 1"),
        (["random", "greedy", "random"], "two agents are called 'random'"),
        ([lowest, lowest], "two agents are called 'lowest'"),
    ],
)
def test_wrong_agents_are_refused_in_words(agents: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tournament("mapello", agents)


@cases("agents", ["random", 3, ["random", 3], {"a": "random", "b": None}])
def test_what_is_no_agent_is_refused_in_words(agents: Any) -> None:
    with pytest.raises(TypeError, match="must be a"):
        tournament("mapello", agents)


@cases(
    ("keywords", "words"),
    [
        ({"num_games": 0}, "num_games = 0: must be 1 to"),
        ({"seed": -1}, "seed = -1"),
        ({"anchor": "nobody"}, "anchor = 'nobody': must be one of random, greedy"),
        ({"wals": 3}, "wals"),
    ],
)
def test_wrong_arguments_are_refused_in_words(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        tournament("mapello", ["random", "greedy"], **keywords)


def test_an_unknown_game_or_agent_is_refused() -> None:
    with pytest.raises(ValueError, match="chess"):
        tournament("chess", ["random", "greedy"])
    with pytest.raises(ValueError, match="gredy"):
        tournament("mapello", ["random", "gredy"])

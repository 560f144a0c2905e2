"""Comparisons: of agents, variants and tables, recounted by hand and by others."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.power import TTestIndPower, TTestPower

import adjoin
from adjoin.statistics import Comparison, Difference, compare
from scaffold import IS_LONG, cases

TINY: dict[str, Any] = {"setup": "othello", "size": 4}
"""Matches of a dozen decisions."""
MISSES = "easy(miss=1)"
"""As good as random, but draws other lots."""


def lowest(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
    """Play the first legal action."""
    return masks.argmax(axis=1)


def highest(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
    """Play the last legal action."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def agrees(row: Difference, a: Any, b: Any, *, is_paired: bool = True) -> None:
    """Check a row against the observations that it should have been made from."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    theirs = stats.ttest_rel(a, b) if is_paired else stats.ttest_ind(a, b, equal_var=False)
    assert row.a.value == pytest.approx(np.mean(a))
    assert row.b.value == pytest.approx(np.mean(b))
    assert row.difference.value == pytest.approx(np.mean(a) - np.mean(b))
    assert row.p == pytest.approx(theirs.pvalue, rel=1e-9)


# Agents.


def test_two_agents_meet_on_every_deal_in_both_orders() -> None:
    seen = compare("random", "greedy", "domiphun", 60, seed=4)
    assert (seen.a, seen.b, seen.games, seen.orders) == ("random", "greedy", 60, 2)
    tables = [
        adjoin.simulate("domiphun", 30, agents, seed=4, rotate=False)
        for agents in (["random", "greedy"], ["greedy", "random"])
    ]
    for what in ("won", "score", "placed"):
        a = (tables[0][f"{what}_0"] + tables[1][f"{what}_1"]) / 2
        b = (tables[0][f"{what}_1"] + tables[1][f"{what}_0"]) / 2
        agrees(seen[what], a, b)
    assert seen["won"].a.value + seen["won"].b.value == pytest.approx(1)
    assert "turns" not in seen, "both sit in the same matches"
    assert seen.rows[0].what == "won"


def test_more_seats_are_shared_in_every_way() -> None:
    seen = compare("greedy", "random", "metro_domino", 28, seed=2, players=4)
    assert (seen.orders, len(seen.tables), seen.games) == (14, 14, 28)
    a, b = np.zeros(2), np.zeros(2)
    for table in seen.tables:
        for seat, agent in enumerate(table.agents):
            sums = a if agent == "greedy" else b
            sums += table[f"score_{seat}"]
    agrees(seen["score"], a / 28, b / 28)
    assert seen["won"].a.value + seen["won"].b.value == pytest.approx(2 / 4)


def test_among_others_each_plays_alone_at_the_same_seats() -> None:
    others: list[Any] = ["greedy", lowest]
    seen = compare("random", MISSES, "metro_domino", 30, among=others, seed=7, players=3)
    assert (seen.games, seen.orders) == (60, 1)
    assert "each among greedy and lowest" in seen.how
    values = []
    for agent in ("random", MISSES):
        table = adjoin.simulate("metro_domino", 30, [agent, *others], seed=7, players=3)
        seats = table.by_seat()
        values.append((seats["won"][seats["agent"] == agent], table["turns"]))
    for what, (a, b) in zip(("won", "turns"), zip(*values, strict=True), strict=True):
        agrees(seen[what], a, b)
    assert "won_0" not in seen


def test_an_agent_may_play_among_its_like_and_against_itself() -> None:
    seen = compare("greedy", "random", "domiphun", 40, among="random", measures="won")
    table = adjoin.simulate("domiphun", 40, "random")
    rotated = table.each_seat("won")[np.arange(40), -np.arange(40) % 2]
    assert seen["won"].b.value == pytest.approx(rotated.mean())
    same = compare("greedy", "greedy", "domiphun", 40)
    assert (same.a, same.b) == ("greedy (a)", "greedy (b)")
    assert (same["won"].difference.value, same["won"].p) == (0, 1)
    assert same["score"].a == same["score"].b


def test_agents_that_leave_nothing_to_chance_are_one_observation() -> None:
    seen = compare(lowest, highest, "mapello", 40, setup="othello")
    row = seen["won"]
    assert row.n == 1
    assert row.difference[1:] == (-math.inf, math.inf)
    assert "Only 2 of the 40 games are distinct matches" in seen.how
    assert seen.sentence.endswith("A single observation tells no interval.")
    assert "unknown" in str(seen)
    with pytest.raises(ValueError, match="a single observation does not tell"):
        seen.games_needed(0.1)
    with pytest.raises(ValueError, match="nothing is known of the spread"):
        compare(lowest, highest, "mapello", 9, measures=["won", "score"], setup="othello").plot()
    mixed = compare(lowest, highest, "mapello", 20, among="random", setup="othello")
    assert mixed["won"].n == 20
    alone = compare(lowest, highest, "mapello", 20, among=lowest, setup="othello")
    assert alone["won"].n == 1


# Variants and tables.


def test_how_matches_end_and_who_begins_are_measures_too() -> None:
    asked = ["ended: out", "who begins"]
    sides = {"fork": False}, {"fork": True}
    seen = compare(*sides, "domiphun", 60, measures=asked, seed=2, variant="advanced")
    a, b = (table.to_pandas() for table in seen.tables)
    agrees(seen["ended: out"], *((side["ended"] == "out").to_numpy(float) for side in (a, b)))
    first = [side.apply(lambda row: row[f"won_{row['began']}"], axis=1) for side in (a, b)]
    agrees(seen["who begins"], *(each.to_numpy(float) for each in first))
    assert "ended by “out”" in seen.sentence
    assert seen["ended: out"].unit == "%"
    usual = compare(*sides, "domiphun", 60, seed=2, variant="advanced")
    assert not [row.what for row in usual if row.what in asked or row.what == "began"]


def test_variants_are_played_with_the_same_seed_and_paired() -> None:
    seen = compare({"jokers": 0}, {"jokers": 8}, "mapello", 50, agents="greedy", seed=3, walls=2)
    assert (seen.a, seen.b, seen.games) == ("jokers=0", "jokers=8", 100)
    a, b = (
        adjoin.simulate("mapello", 50, "greedy", seed=3, walls=2, jokers=jokers)
        for jokers in (0, 8)
    )
    agrees(seen["decisions"], a["decisions"], b["decisions"])
    agrees(seen["score"], a.each_seat("score").mean(axis=1), b.each_seat("score").mean(axis=1))
    row = seen["flips"]
    flips = [table.each_seat("flips").mean(axis=1) for table in (a, b)]
    assert row.correlation == pytest.approx(np.corrcoef(*flips)[0, 1])
    unpaired = flips[0].var(ddof=1) + flips[1].var(ddof=1)
    assert row.gain == pytest.approx(unpaired / (flips[0] - flips[1]).var(ddof=1))
    assert row.effect == pytest.approx(row.difference.value / math.sqrt(unpaired / 2))


def test_variants_may_have_different_players_and_agents_of_their_own() -> None:
    seen = compare({"players": 2}, {"players": 4}, "domiphun", 40, measures=["turns", "score"])
    assert [table.seats for table in seen.tables] == [2, 4]
    shared = compare({}, {"jokers": 8}, "mapello", 40, agents=["greedy", "random"])
    assert (shared.a, shared.rows[0].what) == ("default options", "won, greedy")
    assert "won, random" not in shared, "the rest of greedy's share"
    assert (
        "random's share of the win"
        in compare(
            {}, {"jokers": 8}, "mapello", 40, agents=["greedy", "random"], measures="won, random"
        ).sentence
    )


def test_what_is_the_same_everywhere_or_told_already_is_left_out() -> None:
    seen = compare({"jokers": 0}, {"jokers": 8}, "mapello", 40)
    assert "rounds" not in seen
    assert ("decisions" in seen, "turns" in seen) == (True, False), "a turn is one decision"
    assert "return" not in seen
    asked = compare({"jokers": 0}, {"jokers": 8}, "mapello", 40, measures=["rounds", "return_1"])
    assert [row.what for row in asked] == ["rounds", "return_1"]
    assert (asked["rounds"].p, asked["rounds"].difference) == (1, (0, 0, 0))


def test_tables_are_paired_if_seeds_and_numbers_are_the_same() -> None:
    def table(agent: str, seed: int, first: int = 0) -> adjoin.Table:
        agents = [agent, "random"]
        return adjoin.simulate("domiphun", 30, agents, seed=seed, first=first)

    a, b = table("greedy", 5), table(MISSES, 5)
    seen = compare(a, b)
    assert seen.is_paired
    assert (seen.a, seen.b) == ("greedy against random", f"{MISSES} against random")
    agrees(seen["turns"], a["turns"], b["turns"])
    order = np.random.default_rng(1).permutation(30)
    assert compare(a, b[order])["turns"][:6] == seen["turns"][:6]
    for other in (table(MISSES, 6), table(MISSES, 5, first=1), b[:29]):
        loose = compare(a, other)
        assert not loose.is_paired
        agrees(loose["turns"], a["turns"], other["turns"], is_paired=False)
        assert loose["turns"].n == 30 + len(other)
        assert "The gain" not in str(loose)


def test_tables_of_several_runs_are_paired_run_by_run() -> None:
    def joined(agent: str, *seeds: int) -> adjoin.Table:
        played = [adjoin.simulate("domiphun", 20, [agent, "random"], seed=seed) for seed in seeds]
        return adjoin.Table.join(played)

    a, b = joined("greedy", 1, 2), joined(MISSES, 2, 1)
    seen = compare(a, b)
    assert seen.is_paired
    agrees(seen["turns"], a["turns"], np.concatenate([b["turns"][20:], b["turns"][:20]]))
    twice = [adjoin.simulate("mapello", 20, walls=walls) for walls in (0, 4)]
    both = adjoin.Table.join(twice)
    assert not compare(both, both[::-1]).is_paired, "a deal that is there twice has no one partner"


def test_tables_that_repeat_matches_count_them_once() -> None:
    fixed = adjoin.simulate("mapello", 20, [lowest, highest], setup="othello")
    free = adjoin.simulate("mapello", 20, ["random", highest], setup="othello")
    again = adjoin.simulate("mapello", 20, ["random", highest], setup="othello", seed=1)
    half = adjoin.Table.join([fixed, again])
    for one, other, count in (
        (fixed, free, 20),
        (fixed, fixed, 1),
        (half, half, 22),
        (fixed, free[:10], 12),
    ):
        assert compare(one, other, measures="won_0")["won_0"].n == count


@cases("keys", [({"walls": 0}, "walls=0"), ({"seed": 2}, "seed 2"), ({}, "the second")])
def test_tables_are_called_by_what_tells_them_apart(keys: tuple[dict[str, Any], str]) -> None:
    options, name = keys
    one, two = adjoin.simulate("mapello", 4), adjoin.simulate("mapello", 4, **options)
    assert compare(one, two).b == name


# What it tells.


def test_holm_takes_account_of_all_measures() -> None:
    many = compare({"jokers": 0}, {"jokers": 8}, "mapello", 100, agents="greedy")
    for row in many:
        a, b = many.tables
        alone = compare(a, b, measures=row.what)
        assert alone[row.what].p == row.p == alone[row.what].adjusted
        assert row.adjusted >= row.p
    smallest = min(many, key=lambda row: row.p)
    assert smallest.adjusted == pytest.approx(len(many) * smallest.p)


def test_games_needed_agree_with_statsmodels() -> None:
    seen = compare({"jokers": 0}, {"jokers": 8}, "mapello", 100)
    row = seen["passes"]
    for size, power, level in ((0.3, 0.9, 0.95), (1, 0.8, 0.99)):
        theirs = TTestPower().solve_power(size / row.spread, alpha=1 - level, power=power)
        ours = seen.games_needed(size, "passes", power=power, level=level)
        assert ours == pytest.approx(theirs, abs=1.5)
    loose = compare(seen.tables[0], seen.tables[1][:90], measures="passes")
    sd = loose["passes"].sd
    theirs = TTestIndPower().solve_power(0.3 / sd, alpha=0.05, power=0.9)
    assert loose.games_needed(0.3) == pytest.approx(theirs, abs=1.5)
    orders = compare("greedy", "random", "domiphun", 40, measures="won")
    alone = TTestPower().solve_power(0.1 / orders["won"].spread, alpha=0.05, power=0.9)
    assert orders.games_needed(0.1) == pytest.approx(2 * alone, abs=4)


def test_the_sentence_says_what_differs_or_what_would_have_been_seen() -> None:
    clear = compare("greedy", "random", "domiphun", 200)
    assert clear.sentence.startswith("A difference in the share of the win is shown. greedy: ")
    assert "percentage points (" in clear.sentence
    assert "p < 0.001 after Holm's correction for" in clear.sentence
    assert "A difference is also shown in " in clear.sentence
    unclear = compare("random", MISSES, "mapello", 100, measures="won", seed=1, **TINY)
    words = unclear.sentence
    assert words.startswith("No difference in the share of the win is shown.")
    assert "Holm" not in words
    games = int(words.rpartition(". ")[2].split(" games")[0].replace(",", ""))
    size = float(words.partition("would show one of ")[2].split()[0]) / 100
    assert games == unclear.games_needed(size)
    assert games > 100


def test_a_comparison_shows_itself() -> None:
    options: dict[str, Any] = {"walls": 2}
    seen = compare({"jokers": 0}, {"jokers": 8}, "mapello", 12, **options)
    text = str(seen)
    assert repr(seen) == text
    for words in ("Mapello: jokers=0 and jokers=8", "won_0", "Holm's p", "gain", "few", "seed 0"):
        assert words in text
    assert max(map(len, text.splitlines())) < 160
    assert seen.sentence in seen._repr_html_().replace("&#x27;", "'")
    escaped = compare(lowest, lambda o, m: lowest(o, m), "mapello", 8, measures="won")
    assert "<lambda>" not in escaped._repr_html_()
    assert "Holm" not in str(escaped)


def test_charts_do_not_mix_scales() -> None:
    many = compare("greedy", "random", "domiphun", 40)
    assert "standard deviations" in many.plot().svg
    alone = compare("greedy", "random", "domiphun", 40, measures="score")
    assert format(alone["score"].difference) in alone.plot().svg
    shares = compare("greedy", "random", "domiphun", 40, measures="won")
    assert format(shares["won"].difference, "%") in shares.plot().svg


def test_a_comparison_goes_to_json_and_pandas() -> None:
    seen = compare("greedy", "random", "domiphun", 40)
    data = json.loads(json.dumps(seen.to_dict(), allow_nan=False))
    assert data["measures"][0]["difference_low"] == seen["won"].difference.low
    assert data["sentence"] == seen.sentence
    single = compare("greedy", "random", "domiphun", 2)
    row = json.loads(json.dumps(single.to_dict(), allow_nan=False))["measures"][0]
    assert (row["p"], row["difference_high"]) == (None, None)
    frame = seen.to_pandas()
    assert frame.loc["score", "a"] == seen["score"].a.value
    assert list(frame.index) == [row.what for row in seen]


def test_threads_and_executors_change_nothing_and_progress_is_told() -> None:
    def compared(**keywords: Any) -> Comparison:
        return compare({}, {"players": 3}, "domiphun", 30, **keywords)

    heard: list[tuple[int, int]] = []
    once = compared(progress=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (60, 60)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert compared(threads=2).rows == once.rows
    with ThreadPoolExecutor(2) as pool:
        assert compared(executor=pool).rows == once.rows
    assert compared(seed=1).rows != once.rows


def test_an_agent_that_fails_leaves_what_was_whole() -> None:
    def fails(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
        raise OSError("no more")

    with pytest.raises(adjoin.SimulationError) as caught:
        compare("greedy", fails, "domiphun", 10, among="random")
    assert [len(table) for table in caught.value.tables] == [10]


# What is refused.


@cases(
    ("sides", "keywords", "words"),
    [
        (("greedy", "random"), {}, "needs a game"),
        (("greedy", {"walls": 0}), {"game": "mapello"}, "must be two agents, two mappings"),
        ((3, "random"), {"game": "mapello"}, r"compare\(3, 'random'\): must be two agents"),
        (("greedy", "random"), {"game": "mapello", "agents": "random"}, "agents = 'random': a and"),
        (({}, {}), {"game": "mapello", "among": "random"}, "among = 'random': two variants"),
        (("greedy", "random"), {"game": "mapello", "measures": "turns"}, "'turns' is the same for"),
        (("greedy", "random"), {"game": "mapello", "measures": "wn"}, "no figure 'wn'; did you"),
        (({}, {}), {"game": "mapello", "measures": ["turn"]}, "did you mean turns"),
        (({}, {}), {"game": "mapello", "measures": ["score, greedy"]}, "'score, greedy'"),
        (({}, {}), {"game": "mapello", "measures": []}, "must be at least one"),
        (({"wals": 1}, {}), {"game": "mapello"}, "wals"),
        (("greedy", "random"), {"game": "mapello", "num_games": 0}, "num_games = 0"),
        (("greedy", "random"), {"game": "mapello", "level": 1}, "level = 1: must be between"),
        (("greedy", "random"), {"game": "chess"}, "chess"),
        (("greedy", "random"), {"game": "mapello", "among": ["random"] * 2}, "among = 2 agents"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    sides: tuple[Any, Any], keywords: dict[str, Any], words: str
) -> None:
    with pytest.raises((TypeError, ValueError, KeyError), match=words):
        compare(*sides, **keywords)


def test_tables_that_cannot_be_compared_are_refused() -> None:
    one = adjoin.simulate("mapello", 4)
    for other, words in (
        (adjoin.simulate("domiphun", 4), "different games"),
        (adjoin.simulate("mapello", 4, record="decisions"), "a row for each match"),
        (one[:0], "a row for each match, got one of 0 episodes"),
    ):
        with pytest.raises(ValueError, match=words):
            compare(one, other)
    with pytest.raises(TypeError, match="game = 'mapello': two tables are compared as they are"):
        compare(one, one, "mapello")
    with pytest.raises(TypeError, match=r"\(a Table, 3\): must be two agents, .* two tables"):
        compare(one, 3)  # type: ignore[arg-type]


# How often it is wrong.

TRIALS = 1000 if IS_LONG else 150
WITHIN = (0.03, 0.07) if IS_LONG else (0.006, 0.1)
"""Where the share of false alarms lies: 5%, give or take what so many trials allow."""


def alarms(trials: list[Comparison]) -> dict[str, float]:
    """Return how often each measure's own p-value gave the alarm, and any after Holm."""
    found = {row.what: [each[row.what].p < 0.05 for each in trials] for row in trials[0]}
    found["any"] = [any(map(each.is_shown, each)) for each in trials]
    return {what: float(np.mean(shown)) for what, shown in found.items()}


def test_agents_that_are_equally_good_raise_few_alarms() -> None:
    names = ["won", "score", "flips"]
    shares = alarms(
        [
            compare("random", MISSES, "mapello", 100, measures=names, seed=seed, **TINY)
            for seed in range(TRIALS)
        ]
    )
    assert shares.pop("any") <= WITHIN[1]
    assert all(WITHIN[0] <= alarm <= WITHIN[1] for alarm in shares.values()), shares


def test_the_same_variant_with_another_seed_raises_few_alarms() -> None:
    names = ["won_0", "decisions", "passes"]
    shares = alarms(
        [
            compare(
                *(
                    adjoin.simulate("mapello", games, seed=2 * seed + games % 2, **TINY)
                    for games in (60, 91)
                ),
                measures=names,
            )
            for seed in range(TRIALS)
        ]
    )
    assert shares.pop("any") <= WITHIN[1]
    assert all(WITHIN[0] <= alarm <= WITHIN[1] for alarm in shares.values()), shares


def test_as_many_games_as_are_needed_show_the_difference_as_often_as_promised() -> None:
    pair = ("greedy", "easy(miss=0.2)", "domiphun")
    long = compare(*pair, 20_000, measures="won", seed=5000, threads=2)
    games = compare(*pair, 400, measures="won", seed=99).games_needed(long["won"].difference.value)
    shown = [
        compare(*pair, games, measures="won", seed=seed)["won"].p < 0.05 for seed in range(TRIALS)
    ]
    assert (0.87 if IS_LONG else 0.82) <= np.mean(shown) <= (0.94 if IS_LONG else 0.97)

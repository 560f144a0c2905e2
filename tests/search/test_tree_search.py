"""TreeSearch: beside a slow search and a solver; hidden cards, threads, bad answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import adjoin
from adjoin.search import Leaves, SearchResult, TreeSearch
from models.tree_search import search as slow_search
from scaffold import Variant

METHODS = ("puct", "gumbel")


class RandomNetwork:
    """Two layers of fixed random weights: opinions without ties."""

    def __init__(self, spec: adjoin.Spec) -> None:
        rng = np.random.default_rng(5)
        self.inner = rng.normal(0, 0.2, (spec.observation.size, 16))
        self.logits = rng.normal(0, 1, (16, spec.actions.size))
        self.values = rng.normal(0, 0.4, (16, spec.seats))

    def __call__(self, leaves: Leaves) -> tuple[Any, Any]:
        """Judge leaves."""
        hidden = np.tanh(leaves.observation @ self.inner)
        return hidden @ self.logits, np.tanh(hidden @ self.values)

    def one(self, row: NDArray[np.uint8]) -> tuple[Any, float]:
        """Judge one row, for two players of whom one wins what the other loses."""
        hidden = np.tanh(row @ self.inner)
        return (hidden @ self.logits).astype(np.float32), float(np.tanh(hidden @ self.values)[0])

    def single(self, leaves: Leaves) -> tuple[Any, Any]:
        """Judge leaves by the value of the seat to act alone."""
        logits, values = self(leaves)
        return logits, values[:, 0]


def played(batch: adjoin.Batch, decisions: int) -> adjoin.Batch:
    """Return the batch after random play, each lane somewhere else."""
    out = batch.buffers()
    actions = np.zeros(len(batch), np.int32)
    for decision in range(decisions):
        batch.sample(actions)
        actions[decision % 7 :: 7] = -1
        batch.step(actions, out)
    return batch


def same(one: SearchResult, other: SearchResult) -> bool:
    """Return whether two results have the same bytes."""
    return all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


def lanes_of(result: SearchResult, lanes: list[int]) -> SearchResult:
    """Return the rows of some lanes."""
    visits, q_values, policies, values, actions = result
    return SearchResult(
        visits[lanes], q_values[lanes], policies[lanes], values[lanes], actions[lanes]
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("options", [{"size": 4, "setup": "othello"}, {"setup": "othello"}])
def test_a_slow_search_finds_the_same(method: Any, options: dict[str, Any]) -> None:
    batch = played(adjoin.Batch("mapello", num_lanes=6, **options), 5)
    network = RandomNetwork(batch.spec)
    search = TreeSearch(
        batch, 60, method=method, gumbel_scale=0, max_num_considered_actions=3, c_puct=2
    )
    result = search.run(network.single)
    for lane, match in enumerate(batch):
        visits, policy, action = slow_search(match, network.one, 60, method, c_puct=2, considered=3)
        found = {action: int(result.visit_counts[lane, action]) for action in match.legal_ids()}
        assert found == visits
        assert result.visit_counts[lane].sum() == 60
        assert result.actions[lane] == action
        shares = [policy.get(a, 0.0) for a in range(batch.spec.actions.size)]
        np.testing.assert_allclose(result.policies[lane], shares, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("options", [{}, {"setup": "othello"}], ids=["mapello", "othello"])
def test_near_the_end_it_plays_as_well_as_the_solver(method: Any, options: dict[str, Any]) -> None:
    batch = adjoin.Batch("mapello", num_lanes=20, **options)
    out = batch.buffers()
    batch.reset(3, out)
    actions = np.zeros(20, np.int32)
    while any(deep := [(match.solve_depth or 0) > 8 for match in batch]):
        batch.sample(actions)
        batch.step(np.where(deep, actions, np.int32(-1)), out)
    result = TreeSearch(batch, 40000, method=method, gumbel_scale=0).run()
    for lane, match in enumerate(batch):
        if match.to_act is None:
            continue
        best, seat = match.solve().score, match.to_act
        match.play(int(result.actions[lane]))
        score = match.solve().score if match.to_act is not None else match.standing()[seat] * 2
        mover = seat if match.to_act is None else match.to_act
        assert np.sign(score if mover == seat else -score) == np.sign(best), match.text()


@pytest.mark.parametrize("method", METHODS)
def test_nothing_hidden_changes_what_is_found(variant: Variant, method: Any) -> None:
    batch = played(variant.batch(num_lanes=3), 12)
    network = RandomNetwork(batch.spec)
    options: dict[str, Any] = {"method": method, "simulations": 24, "opponents": None}
    for opponents in (None, "greedy"):
        options["opponents"] = opponents
        found = TreeSearch(batch, **options).run(network)
        guessed = batch.select(range(3))
        for lane, match in enumerate(guessed):
            if match.to_act is not None:
                match.resample_hidden(match.to_act, purpose=lane + 1)
                guessed[lane] = match
        assert same(found, TreeSearch(guessed, **options).run(network))


@pytest.mark.parametrize("method", METHODS)
def test_threads_and_neighbours_change_nothing(brief: Variant, method: Any) -> None:
    def found(threads: int, inside: bool) -> tuple[adjoin.Batch, SearchResult]:
        batch = played(brief.batch(num_lanes=19, threads=threads), 9)
        search = TreeSearch(batch, 16, method=method, dirichlet_fraction=0.25, temperature=1)
        return batch, search.run("uniform" if inside else RandomNetwork(batch.spec))

    for inside in (False, True):
        batch, first = found(1, inside)
        assert same(first, found(2, inside)[1])
        assert same(first, found(8, inside)[1])
        few = batch.select([11, 4])
        search = TreeSearch(few, 16, method=method, dirichlet_fraction=0.25, temperature=1)
        alone = search.run("uniform" if inside else RandomNetwork(batch.spec))
        assert same(alone, lanes_of(first, [11, 4]))
        again = search.run("uniform" if inside else RandomNetwork(batch.spec))
        assert same(alone, again)


def test_uniform_is_the_same_inside_and_outside(variant: Variant) -> None:
    batch = played(variant.batch(num_lanes=3), 6)
    logits = np.zeros((3, batch.spec.actions.size), np.float32)
    values = np.zeros((3, batch.spec.seats), np.float32)
    search = TreeSearch(batch, 20)
    assert same(search.run(lambda _: (logits, values)), search.run())


@pytest.mark.parametrize("threads", [1, 2])
def test_logits_of_action_rows_are_those_of_their_actions(variant: Variant, threads: int) -> None:
    batch = played(variant.batch(num_lanes=4, threads=threads), 6)
    weights = np.random.default_rng(0).normal(0, 0.1, batch.spec.facts.size)
    values = np.zeros((4, batch.spec.seats))

    def of_legal(leaves: Leaves) -> tuple[Any, Any]:
        assert leaves.actions is not None
        ids, facts, offsets = leaves.actions
        for lane in range(4):
            own = ids[offsets[lane] : offsets[lane + 1]]
            assert own.tolist() == np.flatnonzero(leaves.mask[lane]).tolist()
        return facts @ weights, values

    def of_all(leaves: Leaves) -> tuple[Any, Any]:
        assert leaves.actions is not None
        rows = leaves.actions.trimmed()
        logits = np.full(leaves.mask.shape, -np.inf)
        logits[rows.lanes, rows.ids] = rows.facts @ weights
        return logits, values

    search = TreeSearch(batch, 20, rows="actions")
    assert same(search.run(of_legal), search.run(of_all))
    with pytest.raises(ValueError, match="logits: expected one for each of the"):
        search.run(lambda leaves: (np.zeros(1), values))


def test_an_opponent_plays_all_other_seats(brief: Variant) -> None:
    batch = played(brief.batch(num_lanes=5), 7)
    out = batch.buffers()
    batch.observe(out)
    network = RandomNetwork(batch.spec)

    def watch(leaves: Leaves) -> tuple[Any, Any]:
        assert ((leaves.seat == out.seat) | (leaves.seat == -1)).all()
        return network(leaves)

    alone = TreeSearch(batch, 30).run(network)
    assert not same(TreeSearch(batch, 30, opponents="greedy").run(watch), alone)


def test_points_are_what_a_game_pays() -> None:
    batch = adjoin.Batch("mapominoes", nations=["Wales"], table=(6, 4), rounds=1)
    whole = batch[0]
    whole.play_random()
    match = batch[0]
    match.play_random(len(whole.history) - 3)
    batch[0] = match
    result = TreeSearch(batch, 200, reward="points").run()
    assert result.values.min() < -1
    assert (result.values >= batch.spec.lowest).all()


def test_lanes_that_are_over_have_nothing(variant: Variant) -> None:
    batch = variant.batch(num_lanes=2)
    match = batch[1]
    match.play_random()
    batch[1] = match
    result = TreeSearch(batch, 8).run(RandomNetwork(batch.spec))
    assert result.visit_counts.sum(axis=1).tolist() == [8, 0]
    assert result.actions[1] == 0
    assert not any(rows[1].any() for rows in result)
    batch.step(result.actions, batch.buffers())


Answer = Callable[[Leaves], Any]


def bad_answers() -> dict[str, tuple[Answer, str]]:
    """Return answers of a bad network, and what must be said about each."""

    def good(leaves: Leaves) -> tuple[Any, Any]:
        return np.zeros(leaves.mask.shape), np.zeros(leaves.seat.shape)

    def late(leaves: Leaves) -> tuple[Any, Any]:
        logits, values = good(leaves)
        if leaves.observation[2, -1] or leaves.mask[2].sum() != 4:
            values[2] = np.nan
        return logits, values

    return {
        "nan": (lambda leaves: (good(leaves)[0] * np.nan, good(leaves)[1]), "lane 0"),
        "infinity": (lambda leaves: (good(leaves)[0] + np.inf, good(leaves)[1]), "lane 0"),
        "late nan": (late, "lane 2"),
        "logits": (lambda leaves: (good(leaves)[0][:, 1:], good(leaves)[1]), r"logits.*\(4, 65\)"),
        "values": (lambda leaves: (good(leaves)[0], np.zeros((4, 3))), r"values.*\(4, 2\)"),
        "words": (lambda leaves: ("zero", good(leaves)[1]), "logits must be an array of numbers"),
        "one": (lambda leaves: good(leaves)[0], "two arrays"),
    }


@pytest.mark.parametrize("name", bad_answers())
def test_a_bad_network_is_told_what_is_wrong(name: str) -> None:
    network, message = bad_answers()[name]
    batch = adjoin.Batch("mapello", num_lanes=4, setup="othello")
    search = TreeSearch(batch, 8)
    before = search.run()
    with pytest.raises((TypeError, ValueError), match=message):
        search.run(network)
    assert same(search.run(), before)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "simulations = 0: must be 1 to"),
        ({"simulations": "many"}, "simulations = 'many': must be a whole number"),
        ({"method": "uct"}, 'method = "uct": must be "puct" or "gumbel"'),
        ({"reward": "money"}, 'reward = "money": must be "win", "points" or "lead"'),
        ({"c_puct": -1}, "c_puct = -1: must be 0 to"),
        ({"c_puct": "big"}, "c_puct = 'big': must be a number"),
        ({"dirichlet_fraction": 1.5}, "dirichlet_fraction = 1.5: must be 0 to 1"),
        ({"gumbel_scale": float("nan")}, "gumbel_scale = NaN: must be 0 to"),
        ({"opponents": "gredy"}, 'unknown agent "gredy": did you mean "greedy"'),
    ],
)
def test_settings_that_make_no_sense_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        TreeSearch(adjoin.Batch("mapello"), **options)


def test_an_evaluator_that_nobody_knows_is_named() -> None:
    search = TreeSearch(adjoin.Batch("mapello"), 4)
    with pytest.raises(ValueError, match=r'evaluate = "unifrm".*did you mean "uniform"'):
        search.run("unifrm")
    with pytest.raises(TypeError, match="evaluate = 3: must be a function or one of 'uniform'"):
        search.run(3)  # type: ignore[arg-type]


def test_a_search_within_its_own_search_is_refused() -> None:
    search = TreeSearch(adjoin.Batch("mapello"), 4)
    with pytest.raises(RuntimeError, match="searching already"):
        search.run(lambda _: search.run())  # type: ignore[arg-type, return-value]
    search.run()


def test_agents_choose_on_all_lanes_as_in_a_match(variant: Variant) -> None:
    batch = played(variant.batch(num_lanes=5, threads=2), 8)
    actions = np.zeros(5, np.int32)
    for agent in ("random", "greedy", "search(iterations=5)"):
        batch.choose(agent, actions, purpose=3)
        wanted = [match.choose_id(agent, 3) if match.to_act is not None else 0 for match in batch]
        assert actions.tolist() == wanted
    with pytest.raises(ValueError, match="unknown agent"):
        batch.choose("gredy", actions)

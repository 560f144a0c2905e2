"""The batch: same bytes everywhere, independent copies, sampling, limits, rewards, rotation."""

from __future__ import annotations

import copy
import gc
import hashlib
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from conftest import AGENTS, ONE_CARD_EACH, THREE_IN_WALES, Variant, frozen, play_on, saves

import adjoin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture(scope="module")
def in_another_process() -> Iterator[Callable[..., Any]]:
    """Call a function in another Python process."""
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
        yield lambda function, *arguments: pool.submit(function, *arguments).result(timeout=120)


def caller_first(variant: Variant, agent: str = "random") -> list[str | None]:
    """Return agents for all seats but the first."""
    return [None, *[agent] * (variant.batch().spec.seats - 1)]


# The same bytes everywhere.


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_any_number_of_threads_gives_the_same_bytes(variant: Variant, threads: int) -> None:
    one = variant.batch(lanes=75, seed=3)
    many = variant.batch(lanes=75, seed=3, threads=threads)
    assert play_on(one, 150) == play_on(many, 150)
    assert saves(one) == saves(many)


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_play_the_same_on_any_number_of_threads(variant: Variant, agent: str) -> None:
    agents = caller_first(variant, agent)
    one = variant.batch(lanes=40, seed=3, agents=agents, rotate=True)
    two = variant.batch(lanes=40, seed=3, agents=agents, rotate=True, threads=2)
    assert play_on(one, 100) == play_on(two, 100)


def test_more_threads_than_lanes_work(variant: Variant) -> None:
    assert play_on(variant.batch(lanes=3), 20) == play_on(variant.batch(lanes=3, threads=8), 20)


@pytest.mark.parametrize("lanes", [1, 5, 36])
def test_a_lane_is_the_same_in_a_batch_of_any_size(variant: Variant, lanes: int) -> None:
    small = play_on(variant.batch(lanes=lanes, seed=9), 150)
    large = play_on(variant.batch(lanes=37, seed=9), 150)
    for few, many in zip(small, large, strict=True):
        assert few == tuple(rows[: len(part)] for part, rows in zip(few, many, strict=True))


def test_a_seed_per_lane_makes_each_lane_the_first_under_its_seed(variant: Variant) -> None:
    seeds = [5, 2**64 - 1, 0, 5]
    batch = variant.batch(lanes=4)
    batch.reset(seeds, batch.buffers())
    for lane, seed in enumerate(seeds):
        alone = variant.batch()
        alone.reset(seed, alone.buffers())
        assert play_on(alone, 100) == play_on(batch.select([lane]), 100)


def test_reset_with_the_seed_of_the_constructor_begins_again(variant: Variant) -> None:
    batch = variant.batch(lanes=4, seed=77)
    first = play_on(batch, 30)
    batch.reset(77, batch.buffers())
    assert play_on(batch, 30) == first


def test_neighbouring_seeds_and_lanes_differ(variant: Variant) -> None:
    first, second = (variant.batch(lanes=2, seed=seed) for seed in (0, 1))
    play_on(first, 30)
    play_on(second, 30)
    positions = [batch.position(lane) for batch in (first, second) for lane in (0, 1)]
    assert len(set(positions)) == 4


def test_restart_begins_the_next_episode_of_the_chosen_lanes_only(variant: Variant) -> None:
    batch = variant.batch(lanes=6, seed=1)
    play_on(batch, 20)
    out = batch.buffers()
    batch.observe(out)
    before, rows = saves(batch), out.copy()
    episodes = [batch.address(lane)[2] for lane in range(6)]
    chosen = np.array([False, True, False, True, False, False])
    batch.restart(chosen, out)
    for lane in range(6):
        if chosen[lane]:
            assert batch.address(lane) == (1, lane, episodes[lane] + 1, 0)
        else:
            assert batch.save(lane) == before[lane]
            assert frozen(out.at(lane)) == frozen(rows.at(lane))


def test_restart_with_seeds_begins_the_first_episode_under_them(variant: Variant) -> None:
    batch = variant.batch(lanes=3, seed=1)
    play_on(batch, 20)
    batch.restart(np.array([True, False, True]), batch.buffers(), seeds=[8, 9, 10])
    alone = variant.batch(seed=10)
    assert batch.address(1)[0] == 1
    assert play_on(batch.select([2]), 30) == play_on(alone, 30)


# Another process.


def continued(saved: list[bytes], variant: Variant) -> list[tuple[bytes, ...]]:
    batch = variant.batch(lanes=len(saved), threads=2)
    for lane, state in enumerate(saved):
        batch.load(state, lane)
    return play_on(batch, 60)


def test_another_process_continues_saved_lanes_with_the_same_bytes(
    variant: Variant, in_another_process: Callable[..., Any]
) -> None:
    batch = variant.batch(lanes=5, seed=2)
    play_on(batch, 20)
    saved = saves(batch)
    assert in_another_process(continued, saved, variant) == play_on(batch, 60)


def unpickled(pickled: bytes) -> list[tuple[bytes, ...]]:
    batch: adjoin.Batch = pickle.loads(pickled)
    return play_on(batch, 60)


def test_another_process_continues_a_pickled_batch_with_the_same_bytes(
    variant: Variant, in_another_process: Callable[..., Any]
) -> None:
    batch = variant.batch(lanes=5, seed=2, agents=caller_first(variant), rotate=True, limit=70)
    play_on(batch, 10)
    assert in_another_process(unpickled, pickle.dumps(batch)) == play_on(batch, 60)


def digest(batch: adjoin.Batch) -> bytes:
    return hashlib.sha256(repr(play_on(batch, 50)).encode()).digest()


def forked(variant: Variant) -> tuple[int, bytes, bytes]:
    """Use threads, fork, and return the child's end and what child and parent then played."""
    batch = variant.batch(lanes=64, threads=2)
    play_on(batch, 20)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # a child that hangs is killed, and its parent sees it
        os.write(writer, digest(batch))
        os._exit(0)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), os.read(reader, 100), digest(batch)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")
def test_a_forked_child_continues_with_the_same_bytes(
    game: str, in_another_process: Callable[..., Any]
) -> None:
    ended, in_child, in_parent = in_another_process(forked, Variant(game))
    assert ended == 0
    assert in_child == in_parent


def dropped_in_a_child(select: bool) -> int:
    """Use threads, fork, and return how many errors the child saw when it dropped the batch."""
    batch = adjoin.Batch("mapello", lanes=64, threads=4)
    play_on(batch, 5)
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        seen: list[object] = []
        sys.unraisablehook = seen.append
        if select:
            batch = batch.select(range(32))
            play_on(batch, 5)
        del batch
        gc.collect()
        os._exit(len(seen))
    _, status = os.waitpid(child, 0)
    play_on(batch, 5)
    return os.waitstatus_to_exitcode(status)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")
@pytest.mark.parametrize("select", [False, True])
def test_a_forked_child_drops_a_threaded_batch(
    select: bool, in_another_process: Callable[..., Any]
) -> None:
    assert in_another_process(dropped_in_a_child, select) == 0


STEP_FOREVER = """
import sys
import numpy as np
import adjoin
batch = adjoin.Batch(sys.argv[1], lanes=1000, threads=2)
out, actions = batch.buffers(), np.zeros(1000, np.int32)
while True:
    batch.sample(actions)
    batch.step(actions, out)
    print("playing", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_a_loop_of_steps(game: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STEP_FOREVER, game],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors


def test_two_python_threads_step_two_batches_at_once(variant: Variant) -> None:
    expected = [play_on(variant.batch(lanes=50, seed=seed), 100) for seed in (1, 2)]
    batches = [variant.batch(lanes=50, seed=seed, threads=2) for seed in (1, 2)]
    played: list[Any] = [None, None]

    def work(number: int) -> None:
        played[number] = play_on(batches[number], 100)

    workers = [threading.Thread(target=work, args=(number,)) for number in (0, 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert played == expected


# Copies.

COPIERS: dict[str, Callable[[adjoin.Batch], adjoin.Batch]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
    "select": lambda batch: batch.select(range(len(batch))),
}


@pytest.mark.parametrize("copier", COPIERS)
def test_a_copy_goes_on_alike_and_leaves_the_original_alone(variant: Variant, copier: str) -> None:
    batch = variant.batch(lanes=5, seed=4, agents=caller_first(variant), rotate=True)
    play_on(batch, 15)
    before = saves(batch)
    copied = COPIERS[copier](batch)
    assert saves(copied) == before
    on_the_copy = play_on(copied, 40)
    assert saves(batch) == before
    assert play_on(batch, 40) == on_the_copy


def test_select_copies_lanes_in_the_order_asked_for(variant: Variant) -> None:
    batch = variant.batch(lanes=4, seed=4)
    play_on(batch, 15)
    saved = saves(batch)
    assert saves(batch.select([3, 0, 3])) == [saved[3], saved[0], saved[3]]


def test_select_gives_copies_chance_of_their_own(variant: Variant) -> None:
    batch = variant.batch(lanes=2, seed=4, agents=caller_first(variant), rotate=True)
    play_on(batch, 5)
    seeds = list(range(12))
    many = batch.select([1] * 12, seeds=seeds)
    texts = {many.text(lane, "all") for lane in range(12)}
    assert texts == {batch.text(1, "all")}
    again = batch.select([1] * 12, seeds=seeds)
    assert play_on(many, 12) == play_on(again, 12)
    assert len(set(saves(many))) > 1
    with pytest.raises(ValueError, match=r"seeds = 1 of them: must be one for each of 2 lanes"):
        batch.select([0, 1], seeds=[5])


def test_a_copy_of_a_selection_has_as_many_lanes(variant: Variant) -> None:
    few = variant.batch(lanes=9, seed=4).select([7, 2])
    assert len(few) == len(copy.copy(few)) == len(pickle.loads(pickle.dumps(few))) == 2
    assert few.buffers().seat.shape == (2,)


def test_changing_a_list_given_as_option_changes_no_batch() -> None:
    walls = ["a1", "b2"]
    batch = adjoin.Batch("mapello", setup="fixed", walls=walls)
    walls.append("c3")
    assert pickle.loads(pickle.dumps(batch)).position() == batch.position()


# Sampling.


def test_sample_is_uniform_over_the_legal_actions(variant: Variant) -> None:
    batch = variant.batch(lanes=30_000, seed=1)
    out = batch.buffers()
    actions = np.zeros(len(batch), np.int32)
    for _ in range(5):
        batch.sample(actions)
        batch.step(actions, out)
    batch.sample(actions)
    lanes = np.arange(len(batch))
    assert (out.mask[lanes, actions] == (out.status == adjoin.RUNNING)).all()
    num_legal = out.mask.sum(axis=1, dtype=np.int64)
    rank = np.cumsum(out.mask, axis=1, dtype=np.int16)[lanes, actions] - 1
    tested = 0
    for count in np.unique(num_legal[num_legal > 1]):
        observed = np.bincount(rank[num_legal == count], minlength=int(count))
        expected = observed.sum() / count
        if expected >= 5:
            free = count - 1
            chi_square = ((observed - expected) ** 2 / expected).sum()
            assert abs(chi_square - free) < 4 * np.sqrt(2 * free) + 4
            tested += int(observed.sum())
    assert tested > 1000


def test_asking_for_a_sample_again_gives_the_same(variant: Variant) -> None:
    batch = variant.batch(lanes=100, seed=1)
    play_on(batch, 5)
    before = saves(batch)
    first, second = np.zeros(100, np.int32), np.ones(100, np.int32)
    batch.sample(first)
    batch.sample(second)
    assert first.tolist() == second.tolist()
    assert saves(batch) == before


# Steps: limit, end, rewards, leaving alone.


def test_a_match_is_cut_off_at_the_limit_and_then_begins_anew(variant: Variant) -> None:
    batch = variant.batch(lanes=3, limit=3)
    out = batch.buffers()
    actions = np.zeros(3, np.int32)
    for _ in range(3):
        batch.observe(out)
        assert out.status.tolist() == [adjoin.RUNNING] * 3
        batch.sample(actions)
        batch.step(actions, out)
    assert out.status.tolist() == [adjoin.CUT_OFF] * 3
    assert out.seat.tolist() == [-1] * 3
    assert not out.mask.any()
    assert batch.legal(1) == []
    unlimited = variant.batch()
    unlimited.load(batch.save(1))
    with pytest.raises(adjoin.IllegalActionError, match="cut off after 3 decisions"):
        batch.play(unlimited.legal()[0], 1)
    batch.sample(actions)
    batch.step(actions, out)
    assert out.status.tolist() == [adjoin.RUNNING] * 3
    assert [batch.address(lane) for lane in range(3)] == [(0, lane, 1, 0) for lane in range(3)]


def test_rewards_add_up_to_the_returns_and_the_next_episode_begins_at_once(
    variant: Variant,
) -> None:
    batch = variant.batch(lanes=20, seed=6)
    out = batch.buffers()
    actions = np.zeros(20, np.int32)
    batch.reset(6, out)
    total = np.zeros_like(out.reward)
    finished = 0
    for _ in range(1600):
        over = out.status == adjoin.OVER
        batch.sample(actions)
        assert (actions[over] == 0).all()
        batch.step(actions, out)
        assert not out.reward[over].any()
        assert (out.status[over] == adjoin.RUNNING).all()
        total[over] = 0
        total += out.reward
        assert (out.mask.any(axis=1) == (out.status == adjoin.RUNNING)).all()
        assert ((out.seat == -1) == (out.status != adjoin.RUNNING)).all()
        for lane in np.flatnonzero(out.status == adjoin.OVER):
            assert total[lane].tolist() == batch.returns(int(lane))
            finished += 1
    assert finished > 20


@pytest.mark.parametrize("options", [THREE_IN_WALES, ONE_CARD_EACH], ids=["Wales", "a card each"])
@pytest.mark.parametrize("agent", AGENTS)
def test_rewards_add_up_where_agents_play_too(options: dict[str, Any], agent: str) -> None:
    variant = Variant("mapominoes", options)
    batch = variant.batch(lanes=20, agents=caller_first(variant, agent), rotate=True)
    out = batch.buffers()
    actions = np.zeros(20, np.int32)
    batch.reset(6, out)
    total = out.reward.copy()
    finished, early = 0, 0
    for _ in range(150):
        over = out.status == adjoin.OVER
        batch.sample(actions)
        batch.step(actions, out)
        total[over] = 0
        total += out.reward
        early += out.reward[out.status == adjoin.RUNNING].any()
        for lane in np.flatnonzero(out.status == adjoin.OVER):
            assert total[lane].tolist() == batch.returns(int(lane))
            finished += 1
    assert finished > 20
    assert early > 0


def test_a_step_pays_what_was_played_between_the_steps(variant: Variant) -> None:
    batch = variant.batch(lanes=4, seed=6)
    out = batch.buffers()
    actions = np.zeros(4, np.int32)
    batch.reset(6, out)
    total = np.zeros_like(out.reward)
    finished = 0
    for number in range(1000):
        batch.sample(actions)
        if number % 2 and batch.to_act(number % 4) is not None:
            batch.play(int(actions[number % 4]), number % 4)
            batch = pickle.loads(pickle.dumps(batch)) if number % 20 == 1 else batch
            batch.sample(actions)
        starting = [lane for lane in range(4) if batch.to_act(lane) is None]
        batch.step(actions, out)
        assert not out.reward[starting].any()
        total[starting] = 0
        total += out.reward
        for lane in np.flatnonzero(out.status == adjoin.OVER):
            assert total[lane].tolist() == batch.returns(int(lane))
            finished += 1
    assert finished > 0


def test_minus_one_leaves_a_lane_alone(variant: Variant) -> None:
    batch = variant.batch(lanes=4, seed=6)
    play_on(batch, 5)
    before = saves(batch)
    actions = np.zeros(4, np.int32)
    batch.sample(actions)
    actions[[0, 2]] = -1
    batch.step(actions, batch.buffers())
    assert [a == b for a, b in zip(saves(batch), before, strict=True)] == [True, False, True, False]


def test_agents_play_inside_the_step_so_that_only_the_caller_is_asked(variant: Variant) -> None:
    seats = variant.batch().spec.seats
    for seat in range(seats):
        agents: list[str | None] = ["random"] * seats
        agents[seat] = None
        batch = variant.batch(lanes=10, agents=agents)
        out = batch.buffers()
        actions = np.zeros(10, np.int32)
        batch.reset(0, out)
        for _ in range(100):
            assert set(out.seat.tolist()) <= {seat, -1}
            batch.sample(actions)
            batch.step(actions, out)


def test_a_lane_loaded_at_an_agents_turn_goes_on_to_the_caller(variant: Variant) -> None:
    alone = variant.batch(seed=2)
    with_agents = variant.batch(agents=caller_first(variant))
    waited = 0
    while alone.to_act() is not None:
        with_agents.load(alone.save())
        assert with_agents.to_act() in (0, None)
        waited += alone.to_act() != 0
        alone.play(alone.legal()[0])
    assert waited > 0


def test_rotate_moves_the_caller_on_by_a_seat_from_episode_to_episode(variant: Variant) -> None:
    batch = variant.batch(lanes=6, seed=3, agents=caller_first(variant), rotate=True)
    seats = batch.spec.seats
    out = batch.buffers()
    batch.observe(out)
    taken = [out.seat.copy()]
    for _ in range(seats):
        batch.restart(np.ones(6, np.bool_), out)
        taken.append(out.seat.copy())
    assert taken[0].tolist() == taken[seats].tolist()
    for lane in range(6):
        assert sorted(int(seat[lane]) for seat in taken[:seats]) == list(range(seats))
    assert len(set(taken[0].tolist())) == seats  # and from lane to lane


def test_without_rotate_the_caller_keeps_the_seat(variant: Variant) -> None:
    batch = variant.batch(lanes=6, seed=3, agents=caller_first(variant))
    out = batch.buffers()
    for _ in range(3):
        batch.restart(np.ones(6, np.bool_), out)
        assert out.seat.tolist() == [0] * 6


def test_observe_for_a_viewer_changes_nothing_and_masks_only_the_seat_to_act(
    variant: Variant,
) -> None:
    batch = variant.batch(lanes=12, seed=3)
    play_on(batch, 20)
    before = saves(batch)
    own, seen = batch.buffers(), batch.buffers()
    batch.observe(own)
    for seat in range(batch.spec.seats):
        batch.observe(seen, seat)
        acting = own.seat == seat
        assert (seen.mask[acting] == own.mask[acting]).all()
        assert (seen.observation[acting] == own.observation[acting]).all()
        assert not seen.mask[~acting].any()
        assert seen.seat.tolist() == own.seat.tolist()
        assert not seen.reward.any()
    assert saves(batch) == before


def test_observations_stay_within_their_space(variant: Variant) -> None:
    batch = variant.batch(lanes=8, seed=3)
    space = batch.spec.observation_space()
    out = batch.buffers()
    actions = np.zeros(8, np.int32)
    batch.reset(3, out)
    for _ in range(150):
        assert all(space.contains(row) for row in out.observation)
        batch.sample(actions)
        batch.step(actions, out)


def test_a_million_lanes_run() -> None:
    lanes = 1_000_000
    batch = adjoin.Batch("mapello", lanes=lanes, threads=2)
    assert batch.spec.lane_bytes <= 256
    out = batch.buffers()
    actions = np.zeros(lanes, np.int32)
    batch.reset(5, out)
    for _ in range(3):
        batch.sample(actions)
        batch.step(actions, out)
    few = adjoin.Batch("mapello", lanes=1000, seed=5)
    assert frozen(out.at(slice(1000))) == play_on(few, 3)[-1]
    assert batch.address(lanes - 1) == (5, lanes - 1, 0, 3)
    assert out.mask[-1].any()

"""The batch as Python has it: lanes as matches, copies, processes, threads, seeds, sampling."""

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

import adjoin
from scaffold import COPIERS, Variant, cases, frozen, play_on, saves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture(scope="module")
def in_another_process() -> Iterator[Callable[..., Any]]:
    """Call a function in another Python process."""
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
        yield lambda function, *arguments: pool.submit(function, *arguments).result(timeout=120)


def caller_first(variant: Variant) -> list[str | None]:
    """Return agents for all seats but the first."""
    return [None, *["random"] * (variant.batch().spec.seats - 1)]


# Lanes as matches.


def test_a_lane_is_a_match_that_is_a_copy(brief: Variant) -> None:
    batch = brief.batch(num_lanes=3, seed=5)
    play_on(batch, 6)
    before = saves(batch)
    match = batch[1]
    assert (match.address, match.spec) == ((5, 1, 0, 6), batch.spec)
    assert match.history == []
    out = batch.buffers()
    batch.observe(out)
    assert [array.tobytes() for array in match.observe()] == [*frozen(out.at(1))[:2]]
    match.play_random()
    assert saves(batch) == before
    assert [lane.save() for lane in batch] == [batch[lane].save() for lane in range(len(batch))]


def test_a_match_is_put_into_a_lane_as_a_copy(brief: Variant) -> None:
    batch = brief.batch(num_lanes=3, seed=5)
    before = saves(batch)
    match = brief.match(seed=9)
    match.play_random(4)
    put = match.save()
    batch[np.int64(1)] = match
    match.play_random()
    assert saves(batch) == [before[0], put, before[2]]
    assert batch[1].address == (9, 0, 0, 4)


def test_a_step_pays_what_was_earned_in_a_match_since_the_last(brief: Variant) -> None:
    batch = brief.batch(num_lanes=4, seed=6)
    out = batch.buffers()
    actions = np.zeros(4, np.int32)
    batch.reset(6, out)
    total = np.zeros_like(out.reward)
    finished = 0
    for number in range(600):
        lane = number % 4
        if number % 2 and not batch[lane].is_over:
            match = batch[lane]
            match.play_random(1)
            batch[lane] = match
            batch = pickle.loads(pickle.dumps(batch)) if number % 20 == 1 else batch
        batch.sample(actions)
        starting = [match.is_over for match in batch]
        batch.step(actions, out)
        total[starting] = 0
        total += out.reward
        for lane in np.flatnonzero(out.status == adjoin.OVER).tolist():
            assert total[lane].tolist() == batch[lane].returns
            finished += 1
    assert finished > 0


# One lane by itself.


def as_rows(row: tuple[Any, ...], out: adjoin.Buffers, lane: int) -> list[bool]:
    """Compare the row of one lane with that of the arrays, part by part."""
    observation, mask, seat, reward, status = row
    assert (observation.dtype, mask.dtype) == (np.uint8, np.int8)
    return [
        np.array_equal(observation, out.observation[lane]),
        np.array_equal(mask, out.mask[lane]),
        (seat, status) == (out.seat[lane], out.status[lane]),
        list(reward) == out.reward[lane].tolist(),
    ]


@cases(("reward", "rotate"), [("points", True), ("win", False), ("lead", True)])
def test_a_lane_goes_on_by_itself_as_where_the_others_are_left_alone(
    brief: Variant, reward: Any, rotate: bool
) -> None:
    keywords: dict[str, Any] = {
        "agents": caller_first(brief),
        "num_lanes": 3,
        "seed": 4,
        "rotate": rotate,
        "reward": reward,
        "max_decisions": 60,
    }
    one, together = brief.batch(**keywords), brief.batch(**keywords)
    out, rng, ends = together.buffers(), np.random.default_rng(0), set()
    together.observe(out)
    for number in range(300):
        lane = number % 3
        assert all(as_rows(one.observe_lane(lane), observed(together), lane))
        chosen = np.arange(3) == lane
        if out.status[lane] == adjoin.RUNNING:
            action = rng.choice(np.flatnonzero(out.mask[lane]))
            row = one.step_lane(np.int64(lane), action)
            together.step(np.where(chosen, action, -1).astype(np.int32), out)
        else:
            ends.add(int(out.status[lane]))
            seed = None if number % 2 else number
            row = one.restart_lane(lane, seed)
            together.restart(chosen, out, None if seed is None else [seed] * 3)
        assert all(as_rows(row, out, lane))
    assert saves(one) == saves(together)
    assert ends


def observed(batch: adjoin.Batch) -> adjoin.Buffers:
    out = batch.buffers()
    batch.observe(out)
    return out


def test_the_row_of_a_lane_is_what_a_viewer_sees_in_arrays_of_its_own(brief: Variant) -> None:
    batch = brief.batch(num_lanes=2, seed=8)
    play_on(batch, 5)
    out = batch.buffers()
    for viewer in (None, *range(batch.spec.seats)):
        batch.observe(out, viewer)
        for lane in range(2):
            row = batch.observe_lane(lane, viewer)
            assert all(as_rows(row, out, lane))
            row[0].fill(7)
            row[1].fill(7)
            assert all(as_rows(batch.observe_lane(lane, viewer), out, lane))
            assert all(array.flags.owndata and array.flags.writeable for array in row[:2])


def test_threads_step_lanes_of_one_batch_at_once(brief: Variant) -> None:
    batch = brief.batch(num_lanes=4, seed=2)
    alone = brief.batch(num_lanes=4, seed=2)

    def play(batch: adjoin.Batch, lane: int) -> None:
        for _ in range(200):
            _, mask, _, _, status = batch.observe_lane(lane)
            if status != adjoin.RUNNING:
                batch.restart_lane(lane)
            else:
                batch.step_lane(lane, mask.argmax())

    threads = [threading.Thread(target=play, args=(batch, lane)) for lane in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for lane in range(4):
        play(alone, lane)
    assert saves(batch) == saves(alone)


# The same bytes everywhere.


def test_any_number_of_threads_gives_the_same_bytes(brief: Variant) -> None:
    keywords: dict[str, Any] = {"num_lanes": 40, "seed": 3, "rotate": True}
    keywords["agents"] = caller_first(brief)
    one, many = (brief.batch(threads=threads, **keywords) for threads in (1, 3))
    assert play_on(one, 60) == play_on(many, 60)


def test_a_seed_per_lane_makes_each_lane_the_first_under_its_seed(brief: Variant) -> None:
    seeds = [5, 2**64 - 1, 0, 5]
    batch = brief.batch(num_lanes=4)
    batch.reset(seeds, batch.buffers())
    first = saves(batch)
    assert first == [brief.match(seed=seed).save() for seed in seeds]
    batch.restart(np.array([True, False, False, True]), batch.buffers())
    second = [brief.match(seed=5, episode=1).save(), *first[1:3]]
    assert saves(batch) == [*second, second[0]]
    batch.restart(np.array([False, True, False, False]), batch.buffers(), seeds=[1, 2, 3, 4])
    assert batch[1].save() == brief.match(seed=2).save()


def unpickled(pickled: bytes) -> list[tuple[bytes, ...]]:
    batch: adjoin.Batch = pickle.loads(pickled)
    return play_on(batch, 60)


def test_another_process_continues_a_pickled_batch_with_the_same_bytes(
    variant: Variant, in_another_process: Callable[..., Any]
) -> None:
    agents = caller_first(variant)
    batch = variant.batch(num_lanes=5, seed=2, agents=agents, rotate=True, max_decisions=70)
    play_on(batch, 10)
    assert in_another_process(unpickled, pickle.dumps(batch)) == play_on(batch, 60)


def digest(batch: adjoin.Batch) -> bytes:
    return hashlib.sha256(repr(play_on(batch, 50)).encode()).digest()


def forked() -> tuple[int, bytes, bytes]:
    """Use threads, fork, and return the child's end and what child and parent then played."""
    batch = adjoin.Batch("mapello", num_lanes=64, threads=2)
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
    in_another_process: Callable[..., Any],
) -> None:
    ended, in_child, in_parent = in_another_process(forked)
    assert ended == 0
    assert in_child == in_parent


def dropped_in_a_child(select: bool) -> int:
    """Use threads, fork, and return how many errors the child saw when it dropped the batch."""
    batch = adjoin.Batch("mapello", num_lanes=64, threads=4)
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
@cases("select", [False, True])
def test_a_forked_child_drops_a_threaded_batch(
    select: bool, in_another_process: Callable[..., Any]
) -> None:
    assert in_another_process(dropped_in_a_child, select) == 0


STEP_FOREVER = """
import numpy as np
import adjoin
batch = adjoin.Batch("mapello", num_lanes=1000, threads=2)
out, actions = batch.buffers(), np.zeros(1000, np.int32)
while True:
    batch.sample(actions)
    batch.step(actions, out)
    print("playing", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_a_loop_of_steps() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STEP_FOREVER],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors


def test_two_python_threads_step_two_batches_at_once(brief: Variant) -> None:
    expected = [play_on(brief.batch(num_lanes=50, seed=seed), 100) for seed in (1, 2)]
    batches = [brief.batch(num_lanes=50, seed=seed, threads=2) for seed in (1, 2)]
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


@cases("copier", [*COPIERS.values(), lambda batch: batch.select(range(len(batch)))])
def test_a_copy_goes_on_alike_and_leaves_the_original_alone(brief: Variant, copier: Any) -> None:
    batch = brief.batch(num_lanes=5, seed=4, agents=caller_first(brief), rotate=True)
    play_on(batch, 15)
    before = saves(batch)
    copied = copier(batch)
    assert repr(copied) == repr(batch)
    assert saves(copied) == before
    on_the_copy = play_on(copied, 40)
    assert saves(batch) == before
    assert play_on(batch, 40) == on_the_copy


def test_select_copies_lanes_in_the_order_asked_for(brief: Variant) -> None:
    batch = brief.batch(num_lanes=4, seed=4)
    play_on(batch, 15)
    saved = saves(batch)
    few = batch.select([3, np.int64(0), 3])
    assert saves(few) == [saved[3], saved[0], saved[3]]
    assert len(few) == len(copy.copy(few)) == len(pickle.loads(pickle.dumps(few))) == 3
    assert few.buffers().seat.shape == (3,)


def test_select_gives_copies_chance_of_their_own(brief: Variant) -> None:
    batch = brief.batch(num_lanes=2, seed=4, agents=caller_first(brief), rotate=True)
    play_on(batch, 5)
    seeds = list(range(12))
    many = batch.select([1] * 12, seeds=seeds)
    assert {match.text("all") for match in many} == {batch[1].text("all")}
    again = batch.select([1] * 12, seeds=seeds)
    assert play_on(many, 12) == play_on(again, 12)
    assert len(set(saves(many))) > 1
    with pytest.raises(ValueError, match=r"seeds = 1 of them: must be one for each of 2 lanes"):
        batch.select([0, 1], seeds=[5])


@pytest.mark.smoke
def test_changing_a_list_given_as_option_changes_no_batch() -> None:
    walls = ["a1", "b2"]
    batch = adjoin.Batch("mapello", setup="fixed", walls=walls)
    walls.append("c3")
    assert saves(pickle.loads(pickle.dumps(batch))) == saves(batch)


# Steps.


def test_sample_is_uniform_over_the_legal_actions(brief: Variant) -> None:
    batch = brief.batch(num_lanes=30_000, seed=1)
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


def test_a_match_is_cut_off_after_max_decisions_and_then_begins_anew(brief: Variant) -> None:
    batch = brief.batch(num_lanes=3, max_decisions=3)
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
    match = batch[1]
    assert (match.max_decisions, match.is_over, match.legal()) == (3, True, [])
    longer = brief.match()
    longer.load(match.save())
    with pytest.raises(adjoin.IllegalActionError, match="cut off after 3 decisions"):
        match.play(longer.legal()[0])
    batch.sample(actions)
    batch.step(actions, out)
    assert out.status.tolist() == [adjoin.RUNNING] * 3
    assert [match.address for match in batch] == [(0, lane, 1, 0) for lane in range(3)]


def test_the_callers_are_told_where_players_rotate(brief: Variant) -> None:
    batch = brief.batch(num_lanes=6, seed=3, agents=caller_first(brief), rotate=True)
    out = batch.buffers()
    batch.observe(out)
    assert batch.callers().tolist() == out.seat.tolist()
    assert len(set(out.seat.tolist())) == batch.spec.seats


def test_a_guess_of_what_is_hidden_is_that_of_the_match_and_its_number() -> None:
    batch = adjoin.Batch("domiphun", num_lanes=3, seed=8)
    play_on(batch, 4)
    matches = list(batch)
    guesses = []
    for purpose in (0, 1, 1):
        guess = copy.copy(batch)
        guess.resample_hidden(0, purpose)
        guesses.append(saves(guess))
    for match in matches:
        match.resample_hidden(0, 1)
    assert guesses[1] == guesses[2] == [match.save() for match in matches]
    assert guesses[0] != guesses[1]


def test_a_million_lanes_run() -> None:
    num_lanes = 1_000_000
    batch = adjoin.Batch("mapello", num_lanes=num_lanes, threads=2)
    assert batch.spec.lane_bytes <= 256
    out = batch.buffers()
    actions = np.zeros(num_lanes, np.int32)
    batch.reset(5, out)
    for _ in range(3):
        batch.sample(actions)
        batch.step(actions, out)
    few = adjoin.Batch("mapello", num_lanes=1000, seed=5)
    assert frozen(out.at(slice(1000))) == play_on(few, 3)[-1]
    assert batch[num_lanes - 1].address == (5, num_lanes - 1, 0, 3)
    assert out.mask[-1].any()


@pytest.mark.parametrize("game", adjoin.games())
def test_rewards_by_the_lead_add_up_to_it(game: str) -> None:
    """At any moment a seat has got by how much it is ahead of the mean of the others."""
    batch = adjoin.Batch(game, num_lanes=8, reward="lead", seed=2)
    rows, actions = batch.buffers(), np.zeros(8, np.int32)
    batch.reset(2, rows)
    got = np.zeros_like(rows.reward)
    for _ in range(40):
        batch.sample(actions)
        batch.step(actions, rows)
        got += rows.reward
        if (rows.status != 0).any():
            break
    standing = np.array([match.standing() for match in batch], np.float32)
    others = (standing.sum(axis=1, keepdims=True) - standing) / (standing.shape[1] - 1)
    assert np.allclose(got, standing - others, atol=1e-3)
    assert got.any()

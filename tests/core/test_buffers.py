"""The caller's arrays: filled in place, and refused with a reason if they do not fit."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import adjoin
from scaffold import Variant, cases, frozen, play_on, saves

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LANES = 64


def test_steps_land_in_rollout_storage(brief: Variant) -> None:
    batch = brief.batch(num_lanes=7, seed=1)
    expected = play_on(brief.batch(num_lanes=7, seed=1), 20)
    store = batch.buffers(20)
    actions = np.zeros(7, np.int32)
    for t in range(20):
        out = store.at(t)
        assert all(np.shares_memory(a, b) for a, b in zip(store, out, strict=True))
        batch.sample(actions)
        batch.step(actions, out)
    assert [frozen(store.at(t)) for t in range(20)] == expected[1:]


def test_buffers_have_the_documented_types_and_shapes(brief: Variant) -> None:
    batch = brief.batch(num_lanes=7)
    spec = batch.spec
    out = batch.buffers(5, 2)
    assert [array.dtype for array in out] == [np.uint8, np.int8, np.int8, np.float32, np.uint8]
    assert [array.shape for array in out] == [
        (5, 2, 7, spec.observation.size),
        (5, 2, 7, spec.actions.size),
        (5, 2, 7),
        (5, 2, 7, spec.seats),
        (5, 2, 7),
    ]
    assert all(array.ctypes.data % 64 == 0 for array in out)


def test_named_blocks_are_views_of_the_row_and_leave_no_gap(brief: Variant) -> None:
    batch = brief.batch(num_lanes=3)
    out = batch.buffers()
    batch.observe(out)
    for layout, rows in ((batch.spec.observation, out.observation), (batch.spec.actions, out.mask)):
        blocks = layout.split(rows)
        assert all(np.shares_memory(rows, block) for block in blocks.values())
        assert all(blocks[b.name].shape == (3, *b.shape) for b in layout.blocks)
        joined = np.concatenate([block.reshape(3, -1) for block in blocks.values()], axis=1)
        assert joined.tobytes() == rows.tobytes()
        for name, block in layout.split(rows[1]).items():
            assert np.shares_memory(rows, block)
            assert np.array_equal(block, blocks[name][1])
        with pytest.raises(KeyError, match=layout.blocks[0].name):
            layout["no such block"]


# Arrays that do not fit. Every one is refused by every call before anything has changed.


def wrong_dtype(array: NDArray[Any]) -> Any:
    return array.astype(np.float64)


def other_byte_order(array: NDArray[Any]) -> Any:
    return array.astype(array.dtype.newbyteorder())


def a_row_too_many(array: NDArray[Any]) -> Any:
    return np.concatenate([array, array[:1]])


def a_dimension_too_many(array: NDArray[Any]) -> Any:
    return array[None].copy()


def not_in_c_order(array: NDArray[Any]) -> Any:
    return np.asfortranarray(array) if array.ndim > 1 else np.repeat(array, 2)[::2]


def every_other_row(array: NDArray[Any]) -> Any:
    return np.repeat(array, 2, axis=0)[::2]


def read_only(array: NDArray[Any]) -> Any:
    array = array.copy()
    array.flags.writeable = False
    return array


def unaligned(array: NDArray[Any]) -> Any:
    memory = np.zeros(array.nbytes + 1, np.uint8)[1:]
    return memory.view(array.dtype).reshape(array.shape)


def a_list(array: NDArray[Any]) -> Any:
    return array.tolist()


def nothing(_: NDArray[Any]) -> Any:
    return None


DEFECTS: list[Callable[[NDArray[Any]], Any]] = [
    wrong_dtype,
    other_byte_order,
    a_row_too_many,
    a_dimension_too_many,
    not_in_c_order,
    every_other_row,
    read_only,
    unaligned,
    a_list,
    nothing,
]
OF_WIDE_NUMBERS = (other_byte_order, unaligned)
"""Single bytes have no order and are always aligned."""
OF_BYTES = [defect for defect in DEFECTS if defect not in OF_WIDE_NUMBERS]
NAMES = adjoin.Buffers._fields


def batch_in_play() -> tuple[adjoin.Batch, adjoin.Buffers, NDArray[np.int32]]:
    batch = adjoin.Batch(adjoin.games()[0], num_lanes=LANES, seed=1)
    play_on(batch, 5)
    out = batch.buffers()
    batch.observe(out)
    out.reward[:] = 7  # something to overwrite
    actions = np.zeros(LANES, np.int32)
    batch.sample(actions)
    return batch, out, actions


def contents(arrays: list[Any]) -> list[Any]:
    return [a.tobytes() if isinstance(a, np.ndarray) else repr(a) for a in arrays]


def assert_refused(
    call: Callable[[], None],
    name: str,
    shape: tuple[int, ...],
    batch: adjoin.Batch,
    arrays: list[Any],
) -> None:
    """Check that a call names the array and the shape that it should have, and changes nothing."""
    before = saves(batch), contents(arrays)
    with pytest.raises((TypeError, ValueError), match=rf"^{name}: .*{re.escape(str(shape))}"):
        call()
    assert (saves(batch), contents(arrays)) == before


def calls_into(
    batch: adjoin.Batch, out: adjoin.Buffers, actions: NDArray[np.int32]
) -> list[Callable[[], None]]:
    """Return every call that fills the arrays."""
    return [
        lambda: batch.reset(3, out),
        lambda: batch.reset(list(range(LANES)), out),
        lambda: batch.restart(np.ones(LANES, np.bool_), out),
        lambda: batch.step(actions, out),
        lambda: batch.observe(out),
    ]


@pytest.mark.smoke
@cases(
    ("name", "defect"),
    [(name, d) for name in NAMES for d in (DEFECTS if name == "reward" else OF_BYTES)],
)
def test_an_array_to_fill_that_does_not_fit_is_refused(
    name: str, defect: Callable[[NDArray[Any]], Any]
) -> None:
    batch, out, actions = batch_in_play()
    fitting = getattr(out, name)
    bad = out._replace(**{name: defect(fitting)})
    for call in calls_into(batch, bad, actions):
        assert_refused(call, name, fitting.shape, batch, [*bad, *out])


@cases("defect", DEFECTS)
def test_actions_that_do_not_fit_are_refused(defect: Callable[[NDArray[Any]], Any]) -> None:
    batch, out, actions = batch_in_play()
    bad = defect(actions)
    if defect is read_only:  # steps only read them
        batch.step(bad, out)
    else:
        step = lambda: batch.step(bad, out)  # noqa: E731
        assert_refused(step, "actions", (LANES,), batch, [bad, *out])
    assert_refused(lambda: batch.sample(bad), "actions", (LANES,), batch, [bad])


@cases("defect", [d for d in OF_BYTES if d is not read_only])
def test_a_choice_of_lanes_that_does_not_fit_is_refused(
    defect: Callable[[NDArray[Any]], Any],
) -> None:
    batch, out, _ = batch_in_play()
    bad = defect(np.ones(LANES, np.bool_))
    assert_refused(lambda: batch.restart(bad, out), "lanes", (LANES,), batch, [bad, *out])


def overlapping(out: adjoin.Buffers, first: str, second: str) -> adjoin.Buffers:
    """Return arrays of which two lie over each other in memory."""
    a, b = getattr(out, first), getattr(out, second)
    memory = np.zeros(a.nbytes + b.nbytes, np.uint8)
    return out._replace(
        **{
            first: memory[: a.nbytes].view(a.dtype).reshape(a.shape),
            second: memory[4 : 4 + b.nbytes].view(b.dtype).reshape(b.shape),
        }
    )


@cases(("first", "second"), list(itertools.combinations(NAMES, 2)))
def test_arrays_that_overlap_are_refused(first: str, second: str) -> None:
    batch, out, actions = batch_in_play()
    bad = overlapping(out, first, second)
    for call in calls_into(batch, bad, actions):
        assert_refused(call, second, getattr(out, second).shape, batch, list(bad))


def test_actions_that_lie_in_an_array_to_fill_are_refused() -> None:
    batch, out, actions = batch_in_play()
    inside = out.reward.reshape(-1)[:LANES].view(np.int32)
    inside[:] = actions
    step = lambda: batch.step(inside, out)  # noqa: E731
    assert_refused(step, "reward", out.reward.shape, batch, [inside, *out])


@cases("out", [None, (), "abcde", tuple("abcde"), [1, 2, 3, 4, 5]])
def test_something_other_than_five_arrays_is_refused(out: Any) -> None:
    batch, _, actions = batch_in_play()
    before = saves(batch)
    for call in calls_into(batch, out, actions):
        with pytest.raises((TypeError, ValueError)):
            call()
    assert saves(batch) == before

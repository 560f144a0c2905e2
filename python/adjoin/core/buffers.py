"""The arrays of one step, owned by the caller."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjoin.core.spec import Spec

RUNNING, OVER, CUT_OFF = 0, 1, 2
"""Values of ``status``: the match goes on, is over by the rules, was cut off by the step limit."""

_CACHE_LINE = 64


class ActionRows(NamedTuple):
    """The legal actions of all lanes, one lane after another, with facts about each.

    The actions of lane ``i`` are the rows ``offsets[i]`` to ``offsets[i + 1]``. What lies behind
    ``offsets[-1]`` is room.
    """

    ids: NDArray[np.int32]
    """Which actions: (room,)."""
    facts: NDArray[np.uint8]
    """What the seat to act can see about them: (room, spec.facts.size); ``spec.facts.split`` names
    the blocks."""
    offsets: NDArray[np.int64]
    """Where the actions of a lane begin, and where the last ones end: (lanes + 1,)."""

    @classmethod
    def allocate(cls, spec: Spec, lanes: int, room: int) -> ActionRows:
        """Return zeroed arrays for so many lanes with room for so many actions in all."""
        return cls(
            np.zeros(room, np.int32),
            np.zeros((room, spec.facts.size), np.uint8),
            np.zeros(lanes + 1, np.int64),
        )

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many legal actions each lane has."""
        return np.diff(self.offsets)

    @property
    def lanes(self) -> NDArray[np.int64]:
        """The lane of each action, without the room behind them."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)

    def trimmed(self) -> ActionRows:
        """Return views without the room behind the last action."""
        end = int(self.offsets[-1])
        return ActionRows(self.ids[:end], self.facts[:end], self.offsets)


class Buffers(NamedTuple):
    """The five arrays that a step fills, one row per lane.

    Any C-ordered arrays of the right type and shape will do, so that steps can land directly in
    rollout storage: allocate ``batch.buffers(T)`` and pass ``buffers.at(t)``.
    """

    observation: NDArray[np.uint8]
    """What the seat to act knows: (lanes, spec.observation.size)."""
    mask: NDArray[np.int8]
    """What it may do: (lanes, spec.actions.size); all zero when the match is over."""
    seat: NDArray[np.int8]
    """Who decides: (lanes,); -1 when the match is over."""
    reward: NDArray[np.float32]
    """Change of returns in this step, every seat: (lanes, spec.seats)."""
    status: NDArray[np.uint8]
    """0 running, 1 over, 2 cut off by the step limit: (lanes,)."""

    @classmethod
    def allocate(cls, spec: Spec, *shape: int) -> Buffers:
        """Return zeroed arrays whose leading dimensions are ``shape``, aligned to cache lines."""
        forms: list[tuple[tuple[int, ...], type[np.generic]]] = [
            ((*shape, spec.observation.size), np.uint8),
            ((*shape, spec.actions.size), np.int8),
            (shape, np.int8),
            ((*shape, spec.seats), np.float32),
            (shape, np.uint8),
        ]
        sizes = [math.prod(form) * np.dtype(kind).itemsize for form, kind in forms]
        memory = np.zeros(sum(sizes) + len(sizes) * _CACHE_LINE, np.uint8)
        address = start = memory.ctypes.data
        arrays: list[NDArray[Any]] = []
        for (form, kind), size in zip(forms, sizes, strict=True):
            start += -start % _CACHE_LINE
            offset = start - address
            arrays.append(memory[offset : offset + size].view(kind).reshape(form))
            start += size
        return cls(*arrays)

    def like(self) -> Buffers:
        """Return new arrays of the same shapes, whatever they hold."""
        return Buffers(
            np.empty_like(self.observation),
            np.empty_like(self.mask),
            np.empty_like(self.seat),
            np.empty_like(self.reward),
            np.empty_like(self.status),
        )

    def at(self, index: int | slice) -> Buffers:
        """Return views of the arrays at an index of their first dimension."""
        observation, mask, seat, reward, status = self
        return Buffers(observation[index], mask[index], seat[index], reward[index], status[index])

    def copy(self) -> Buffers:
        """Return copies of the arrays."""
        observation, mask, seat, reward, status = self
        return Buffers(observation.copy(), mask.copy(), seat.copy(), reward.copy(), status.copy())

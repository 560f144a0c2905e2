"""The arrays of one step, owned by the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from adjoin.spec import Spec

RUNNING, OVER, CUT_OFF = 0, 1, 2
"""Values of ``status``: the match goes on, is over by the rules, was cut off by the step limit."""

_CACHE_LINE = 64


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
        return cls(
            _zeros((*shape, spec.observation.size), np.uint8),
            _zeros((*shape, spec.actions.size), np.int8),
            _zeros(shape, np.int8),
            _zeros((*shape, spec.seats), np.float32),
            _zeros(shape, np.uint8),
        )

    def at(self, index: int | slice) -> Buffers:
        """Return views of the arrays at an index of their first dimension."""
        observation, mask, seat, reward, status = self
        return Buffers(observation[index], mask[index], seat[index], reward[index], status[index])

    def copy(self) -> Buffers:
        """Return copies of the arrays."""
        observation, mask, seat, reward, status = self
        return Buffers(observation.copy(), mask.copy(), seat.copy(), reward.copy(), status.copy())


def _zeros(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + _CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % _CACHE_LINE
    return memory[start : start + size].view(dtype).reshape(shape)

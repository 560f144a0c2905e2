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

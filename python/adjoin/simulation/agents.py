"""Agents as they are given: the text of a built-in one, or a callable of the caller's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Policy = Callable[[NDArray[np.uint8], NDArray[np.int8]], Any]
"""Gets observations and masks, a row a decision, and returns an action id for each."""
Agent = str | Policy
"""Such as ``"greedy"`` or ``"search(iterations=500)"``, or a policy."""


def agent_text(agent: Agent) -> str | None:
    """Return the text of a built-in agent, or of a learned policy, which plays as one; else None.

    Whatever has a text called ``agent`` is such a policy.
    """
    return agent if isinstance(agent, str) else getattr(agent, "agent", None)


def agent_name(agent: Agent) -> str:
    """Return what an agent is called: its text, or the name of the function or class."""
    if isinstance(agent, str):
        return agent
    return str(getattr(agent, "__name__", type(agent).__name__))


def answers(agent: Policy) -> Callable[[NDArray[np.uint8], NDArray[np.int8]], list[int]]:
    """Return an agent of the caller's whose answers are checked: a whole number a row."""

    def answer(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> list[int]:
        actions = np.asarray(agent(observations, masks))
        if actions.shape != (len(masks),) or actions.dtype.kind not in "iu":
            raise TypeError(
                f"expected {len(masks)} whole numbers, one for each row, got "
                f"{actions.dtype} of shape {actions.shape}"
            )
        answers: list[int] = actions.tolist()
        return answers

    return answer

"""Learners: a reference trainer on JAX, the policies it makes, and what they reach in every game.

Policies need numpy alone; the trainer and its lessons need ``pip install adjoin[train]``.
"""

from typing import TYPE_CHECKING

from adjoin.learning.checkpoints import CheckpointError
from adjoin.learning.policies import Layer, Network, Policy
from adjoin.support.lazy import lazy

__all__ = [
    "CheckpointError",
    "Layer",
    "Lesson",
    "Network",
    "Plan",
    "Point",
    "Policy",
    "Settings",
    "Trainer",
    "advantages_of",
    "curriculum",
    "learn",
    "page",
    "plans",
    "settings_for",
    "win_share",
]

if TYPE_CHECKING:
    from adjoin.learning.lessons import Lesson, Plan, curriculum, learn, page, plans, settings_for
    from adjoin.learning.trainer import Point, Settings, Trainer, advantages_of, win_share
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "adjoin.learning.trainer": (
                *("Point", "Settings", "Trainer", "advantages_of", "win_share"),
            ),
            "adjoin.learning.lessons": (
                *("Lesson", "Plan", "curriculum", "learn", "page", "plans", "settings_for"),
            ),
        },
    )

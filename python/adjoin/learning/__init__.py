"""Learners: a reference trainer on JAX, the policies it makes, and what they reach in every game.

Policies need numpy alone; the trainer and its lessons need ``pip install adjoin[train]``.
"""

from typing import TYPE_CHECKING

from adjoin.learning.checkpoints import CheckpointError
from adjoin.learning.exams import win_share
from adjoin.learning.policies import Layer, Network, Policy
from adjoin.learning.rollouts import returns
from adjoin.learning.settings import Imitation, Ppo, Settings, Stage
from adjoin.support.lazy import lazy

__all__ = [
    "CheckpointError",
    "Imitation",
    "Layer",
    "Lesson",
    "Network",
    "Plan",
    "Point",
    "Policy",
    "Ppo",
    "Settings",
    "Stage",
    "Trainer",
    "curriculum",
    "learn",
    "page",
    "plans",
    "returns",
    "settings_for",
    "win_share",
]

if TYPE_CHECKING:
    from adjoin.learning.lessons import Lesson, Plan, curriculum, learn, page, plans, settings_for
    from adjoin.learning.trainer import Point, Trainer
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "adjoin.learning.trainer": ("Point", "Trainer"),
            "adjoin.learning.lessons": (
                *("Lesson", "Plan", "curriculum", "learn", "page", "plans", "settings_for"),
            ),
        },
    )

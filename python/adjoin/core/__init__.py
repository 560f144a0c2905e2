"""The core's objects: one match, a batch of them, and what stays the same about a game."""

from adjoin._core import IllegalActionError
from adjoin.core.batch import Batch
from adjoin.core.buffers import CUT_OFF, OVER, RUNNING, Buffers
from adjoin.core.match import Hint, Match, Solution
from adjoin.core.spec import Block, Layout, Look, Relation, Spec, agents, games

__all__ = [
    "CUT_OFF",
    "OVER",
    "RUNNING",
    "Batch",
    "Block",
    "Buffers",
    "Hint",
    "IllegalActionError",
    "Layout",
    "Look",
    "Match",
    "Relation",
    "Solution",
    "Spec",
    "agents",
    "games",
]

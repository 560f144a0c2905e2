"""Whole matches between agents: as tables, as streams, as data for offline learning.

``adjoin.simulation.ray`` spreads them over a cluster.
"""

from typing import TYPE_CHECKING

from adjoin.simulation.agents import Agent, Policy
from adjoin.simulation.groups import Groups
from adjoin.simulation.offline import Trajectories, trajectories
from adjoin.simulation.runs import SimulationError, UnfinishedError, simulate
from adjoin.simulation.streams import Stream
from adjoin.simulation.tables import Table
from adjoin.support.lazy import lazy

__all__ = [
    "Agent",
    "Groups",
    "Policy",
    "SimulationError",
    "Stream",
    "Table",
    "Trajectories",
    "UnfinishedError",
    "simulate",
    "trajectories",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy(__name__, {}, with_extras={"ray": "adjoin.simulation.ray"})

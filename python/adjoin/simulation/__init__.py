"""Whole matches between agents: as tables, as streams, as data for offline learning.

``adjoin.simulation.ray`` spreads them over a cluster.
"""

from adjoin.simulation.agents import Agent, Policy
from adjoin.simulation.offline import Trajectories, trajectories
from adjoin.simulation.runs import SimulationError, UnfinishedError, simulate
from adjoin.simulation.tables import Stream, Table

__all__ = [
    "Agent",
    "Policy",
    "SimulationError",
    "Stream",
    "Table",
    "Trajectories",
    "UnfinishedError",
    "simulate",
    "trajectories",
]

"""Tabletop games as batched simulators, matches for people, and learning environments.

- ``Match("mapello")``: one match to look at and play
- ``Batch("mapello", num_lanes=1024)``: many matches stepped together into your arrays
- ``gymnasium.make("adjoin/Mapello-v0")``, ``gymnasium.make_vec(...)``: one learner against agents
- ``adjoin.mapello_v0.env()``: PettingZoo (needs ``pip install adjoin[pettingzoo]``)
- ``play("mapello")``: a board to play on in a notebook (needs ``pip install adjoin[notebook]``)
- ``animate(match, "match.html")``: a match as a film to click through
- ``simulate("mapello", 10_000)``: whole games between agents, as a table
- ``tournament("mapello", ["random", "greedy"])``: who is stronger, with intervals
- ``report("mapello")``: a page about a game, measured
- ``Atlas.load("uk-counties")``: regions, borders, ways from one to another; or your own map
- ``Stations.load()``: the station deck of Metro Domino; or your own
- ``Deck.load()``: the cities and cards of Connections; or your own
- ``describe("mapello")``: actions, observation, rewards, options of a game

Modules such as ``adjoin.classroom`` and ``adjoin.sb3`` are loaded when they are used.
"""

import importlib
import importlib.metadata
import importlib.util
from typing import TYPE_CHECKING

from adjoin._core import IllegalActionError, nearest
from adjoin.animation import Animation, animate
from adjoin.atlas import Atlas, AtlasError, Region, Water
from adjoin.batch import Batch
from adjoin.buffers import CUT_OFF, OVER, RUNNING, Buffers
from adjoin.deck import City, Deck, DeckError
from adjoin.match import Hint, Match, Solution
from adjoin.pages import Report
from adjoin.registration import describe, register
from adjoin.reports import report
from adjoin.sessions import play
from adjoin.simulation import SimulationError, simulate
from adjoin.spec import Block, Layout, Spec, agents, games
from adjoin.stations import Line, Station, Stations, StationsError
from adjoin.tables import Stream, Table
from adjoin.tournaments import Tournament, tournament

register()

__all__ = [
    "CUT_OFF",
    "OVER",
    "RUNNING",
    "Animation",
    "Atlas",
    "AtlasError",
    "Batch",
    "Block",
    "Buffers",
    "City",
    "Deck",
    "DeckError",
    "Hint",
    "IllegalActionError",
    "Layout",
    "Line",
    "Match",
    "Region",
    "Report",
    "SimulationError",
    "Solution",
    "Spec",
    "Station",
    "Stations",
    "StationsError",
    "Stream",
    "Table",
    "Tournament",
    "Water",
    "agents",
    "animate",
    "describe",
    "games",
    "play",
    "report",
    "simulate",
    "tournament",
]

_MODULES = ("charts", "classroom", "intervals", "policies", "ray", "summaries", "trajectories")
"""Of the modules that are loaded when they are used, those that need no extra."""

if TYPE_CHECKING:
    from adjoin import aec as aec
    from adjoin import charts as charts
    from adjoin import classroom as classroom
    from adjoin import connections_v0 as connections_v0
    from adjoin import domiphun_v0 as domiphun_v0
    from adjoin import exactness as exactness
    from adjoin import intervals as intervals
    from adjoin import learning as learning
    from adjoin import mapello_v0 as mapello_v0
    from adjoin import mapominoes_v0 as mapominoes_v0
    from adjoin import metro_domino_v0 as metro_domino_v0
    from adjoin import openspiel as openspiel
    from adjoin import policies as policies
    from adjoin import ray as ray
    from adjoin import rllib as rllib
    from adjoin import sb3 as sb3
    from adjoin import summaries as summaries
    from adjoin import training as training
    from adjoin import trajectories as trajectories

    __version__: str
else:

    def __getattr__(name: str) -> object:
        """Load a module of the package, or say why a name is not there."""
        if name == "__version__":
            return importlib.metadata.version("adjoin")
        if not name.startswith("_") and importlib.util.find_spec(f"adjoin.{name}"):
            return importlib.import_module(f"adjoin.{name}")
        near = nearest(name, __dir__())
        meant = f"; did you mean {near}?" if near else ""
        # With an object, Python would add a guess of its own to ours.
        raise AttributeError(
            f"module 'adjoin' has no attribute '{name}'{meant}", name=name, obj=None
        )

    def __dir__() -> list[str]:
        """List what there is without an extra."""
        return sorted({*globals(), *__all__, *_MODULES, "__version__"})

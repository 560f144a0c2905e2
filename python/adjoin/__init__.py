"""Tabletop games as batched simulators, matches for people, and learning environments.

- ``Match("mapello")``: one match to look at and play
- ``Batch("mapello", lanes=1024)``: many matches stepped together into your arrays
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
"""

from typing import TYPE_CHECKING

from adjoin.atlas import Atlas, AtlasError, Region, Water
from adjoin.deck import City, Deck, DeckError
from adjoin.stations import Line, Station, Stations, StationsError

try:
    from adjoin._core import IllegalActionError
except ImportError as error:
    # As in a browser's Python: maps, decks and adjoin.classroom work without the compiled module.
    _missing = str(error)
else:
    from adjoin.animation import Animation, animate
    from adjoin.batch import Batch
    from adjoin.buffers import CUT_OFF, OVER, RUNNING, Buffers
    from adjoin.match import Match, Solution
    from adjoin.pages import Report
    from adjoin.registration import describe, register
    from adjoin.reports import report
    from adjoin.sessions import play
    from adjoin.simulation import SimulationError, simulate
    from adjoin.spec import Block, Layout, Spec, agents, games
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

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Say why a name is not there."""
        if name in __all__:
            raise ImportError(f"adjoin.{name} needs the compiled module: {_missing}")
        raise AttributeError(f"module 'adjoin' has no attribute {name!r}")

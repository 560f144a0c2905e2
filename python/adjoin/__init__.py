"""Tabletop games as batched simulators, matches for people, and learning environments.

- ``Match("mapello")``: one match to look at and play
- ``Batch("mapello", num_lanes=1024)``: many matches stepped together into your arrays
- ``gymnasium.make("adjoin/Mapello-v0")``, ``gymnasium.make_vec(...)``: one learner against agents
- ``adjoin.mapello_v0.env()``: PettingZoo (needs ``pip install adjoin[pettingzoo]``)
- ``play("mapello")``: a board to play on in a notebook (needs ``pip install adjoin[notebook]``)
- ``page("mapello")``: the same for any browser, as one HTML file that needs no Python
- ``animate(match, "match.html")``: a match as a film to click through
- ``simulate("mapello", 10_000)``: whole games between agents, as a table
- ``Table.read_parquet("games.parquet")``: such a table again, from a file or a folder
- ``trajectories("mapello", 100)``: decision by decision, for offline learning
- ``adjoin.search.TreeSearch(batch)``: tree search on all lanes with your network
- ``tournament("mapello", ["random", "greedy"])``: who is stronger, with intervals
- ``sweep("mapello", jokers=[0, 4, 8])``: what options change, with intervals
- ``compare("greedy", "random", "mapello")``: two agents, variants or tables, in all their figures
- ``sprt("greedy", "random", "mapello")``: the same question, with as few games as it takes
- ``agent_ladder("mapello")``: all agents of a game, rated
- ``report("mapello")``: a page about a game, measured
- ``Atlas.load("uk-counties")``: regions, borders, ways from one to another; or your own map
- ``Stations.load()``: the station deck of Metro Domino; or your own
- ``Deck.load()``: the cities and cards of Connections; or your own
- ``describe("mapello")``: actions, observation, rewards, options of a game

Rooms: ``adjoin.core`` (matches, batches), ``data`` (maps, cities, stations), ``envs`` (Gymnasium,
PettingZoo, adapters), ``simulation`` (tables, trajectories), ``statistics`` (intervals, tests),
``search`` (trees for a network), ``learning`` (trainer, policies), ``reports`` (pages, charts),
``playing`` (board, page, terminal, films), ``classroom`` (quizzes, worksheets, cards), ``serve``
(a class on the network). Everything is loaded when it is used.
"""

from typing import TYPE_CHECKING

from adjoin._core import __version__ as __version__
from adjoin.core import (
    CUT_OFF,
    OVER,
    RUNNING,
    Batch,
    Block,
    Buffers,
    Hint,
    IllegalActionError,
    Layout,
    Look,
    Match,
    Solution,
    Spec,
    agents,
    games,
)
from adjoin.envs import describe, register
from adjoin.support.lazy import lazy

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
    "Look",
    "Match",
    "Region",
    "SimulationError",
    "Solution",
    "Spec",
    "Station",
    "Stations",
    "StationsError",
    "Stream",
    "Sweep",
    "Table",
    "Trajectories",
    "UnknownNameError",
    "Water",
    "agent_ladder",
    "agents",
    "animate",
    "compare",
    "describe",
    "games",
    "page",
    "play",
    "report",
    "simulate",
    "sprt",
    "sweep",
    "tournament",
    "trajectories",
]

if TYPE_CHECKING:
    from adjoin import classroom as classroom
    from adjoin import connections_v0 as connections_v0
    from adjoin import core as core
    from adjoin import data as data
    from adjoin import domiphun_v0 as domiphun_v0
    from adjoin import envs as envs
    from adjoin import learning as learning
    from adjoin import mapello_v0 as mapello_v0
    from adjoin import mapominoes_v0 as mapominoes_v0
    from adjoin import metro_domino_v0 as metro_domino_v0
    from adjoin import playing as playing
    from adjoin import reports as reports
    from adjoin import search as search
    from adjoin import serve as serve
    from adjoin import simulation as simulation
    from adjoin import statistics as statistics
    from adjoin.data import (
        Atlas,
        AtlasError,
        City,
        Deck,
        DeckError,
        Line,
        Region,
        Station,
        Stations,
        StationsError,
        UnknownNameError,
        Water,
    )
    from adjoin.envs import openspiel as openspiel
    from adjoin.envs import rllib as rllib
    from adjoin.envs import sb3 as sb3
    from adjoin.playing import Animation, animate, page, play
    from adjoin.reports import report
    from adjoin.simulation import (
        SimulationError,
        Stream,
        Table,
        Trajectories,
        simulate,
        trajectories,
    )
    from adjoin.simulation import ray as ray
    from adjoin.statistics import Sweep, agent_ladder, compare, sprt, sweep, tournament
else:
    _ROOMS = ("classroom", "core", "data", "envs", "learning")
    _ROOMS += ("playing", "reports", "search", "serve", "simulation", "statistics")
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "adjoin.data": (
                *("Atlas", "AtlasError", "City", "Deck", "DeckError", "Line", "Region", "Station"),
                *("Stations", "StationsError", "UnknownNameError", "Water"),
            ),
            "adjoin.playing": ("Animation", "animate", "page", "play"),
            "adjoin.reports": ("report",),
            "adjoin.simulation": (
                *("SimulationError", "Stream", "Table", "Trajectories"),
                *("simulate", "trajectories"),
            ),
            "adjoin.statistics": (
                *("Sweep", "agent_ladder", "compare", "sprt", "sweep", "tournament"),
            ),
        },
        {room: f"adjoin.{room}" for room in _ROOMS},
        {name: f"adjoin.envs.{name}" for name in ("openspiel", "rllib", "sb3")}
        | {f"{game}_v0": f"adjoin.{game}_v0" for game in games()}
        | {"ray": "adjoin.simulation.ray"},
    )

register()

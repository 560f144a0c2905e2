"""What the games are played with, as data: maps, cities, stations; shipped or your own."""

from adjoin.data.atlas import Atlas, AtlasError, NoPathError, Region, Water
from adjoin.data.deck import Card, City, Deck, DeckError
from adjoin.data.files import ProblemsError
from adjoin.data.stations import Line, Station, Stations, StationsError
from adjoin.support.names import UnknownNameError

__all__ = [
    "Atlas",
    "AtlasError",
    "Card",
    "City",
    "Deck",
    "DeckError",
    "Line",
    "NoPathError",
    "ProblemsError",
    "Region",
    "Station",
    "Stations",
    "StationsError",
    "UnknownNameError",
    "Water",
]

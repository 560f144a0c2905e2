"""The cities of Connections as what is asked about: all, or those of some regions."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from adjoin.classroom.areas import Area, ClassroomError, find_area, own_tag, tagged, texts_of
from adjoin.classroom.spelling import Book, spellings
from adjoin.data.deck import City, Deck
from adjoin.support.names import Index, fold
from adjoin.support.wording import listed

CITIES = "world-cities"
CITIES_TAG = "CITIES"
"""What stands for them in a code."""


@dataclass(frozen=True, eq=False)
class Cities:
    """The cities of Connections that are asked about: all, or those of some regions."""

    deck: Deck
    tag: str
    areas: tuple[Area, ...] = ()

    @staticmethod
    def make(deck: str | Deck = CITIES, *, regions: str | Iterable[str] | None = None) -> Cities:
        """Return the cities of some regions of Connections.

        >>> Cities.make(regions=["Africa", "South America"]).title
        'Cities of South America and Africa'
        """
        whole = whole_deck(deck)
        known = {area.name: area for area in whole._all_areas}
        others = {"city": Index((city, (city.name,)) for city in whole.deck.cities)}
        texts = texts_of(regions)
        if regions is not None and not texts:
            raise ClassroomError("an empty list of regions leaves nothing")
        named = {find_area(t, "region", known, whole.name, "city", others).name for t in texts}
        return whole._part(named)

    def with_tags(self, tags: Iterable[str]) -> Cities:
        """Return the cities of the regions that some tags stand for."""
        known = {area.tag: area.name for area in self._all_areas}
        missing = [tag for tag in tags if tag not in known]
        if missing:
            raise ClassroomError(
                f'no region "{missing[0]}" in {self.name}; there are {", ".join(known)}'
            )
        return self._part({known[tag] for tag in tags})

    def _part(self, named: set[str]) -> Cities:
        areas = tuple(area for area in self._all_areas if area.name in named)
        return self if len(areas) in (0, len(self._all_areas)) else _deck_part(self, areas)

    @functools.cached_property
    def _all_areas(self) -> tuple[Area, ...]:
        deck = self.deck
        return tagged(
            Area(name, "", tuple(city.id for city in deck.cities if name in city.regions))
            for name in deck.regions.values()
        )

    @property
    def area_names(self) -> tuple[str, ...]:
        """What parts of the deck can be asked about."""
        return tuple(area.name for area in self._all_areas)

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The regions that are asked about."""
        return tuple(area.name for area in self.areas or self._all_areas)

    @functools.cached_property
    def cities(self) -> tuple[City, ...]:
        """The cities of one region each."""
        return tuple(c for c in self.deck.cities if not c.is_link and c.regions[0] in self.names)

    @functools.cached_property
    def joined(self) -> dict[tuple[str, str], tuple[City, ...]]:
        """The linking cities that join two regions, by these."""
        found = {}
        for number, one in enumerate(self.names):
            for other in self.names[number + 1 :]:
                links = tuple(c for c in self.deck.links if {one, other} <= set(c.regions))
                if links:
                    found[one, other] = links
        return found

    @functools.cached_property
    def cache(self) -> dict[str, Any]:
        """What the exercises have found out about the scope."""
        return {}

    @property
    def name(self) -> str:
        """The name of the deck."""
        return self.deck.name

    @property
    def noun(self) -> tuple[str, str]:
        """What is asked about, one and many."""
        return ("city", "cities")

    @property
    def where(self) -> str:
        """The regions in words; empty for all."""
        return f"in {listed([a.name for a in self.areas], 'or')}" if self.areas else ""

    @property
    def title(self) -> str:
        """What is asked about, in words."""
        if self.areas:
            return f"Cities of {listed([area.name for area in self.areas])}"
        return "Cities of the world" if self.deck.name == CITIES else f"Cities of {self.deck.name}"

    def size(self) -> str:
        """Return how many regions there are, in words."""
        number = len(self.names)
        return f"{number} region{'s' if number != 1 else ''}"

    @functools.cached_property
    def book(self) -> Book:
        """What is needed to read answers."""
        cities = [(city.id, city.name) for city in self.deck.cities]
        areas = [(name, name) for name in self.deck.regions.values()]
        return Book(
            self.deck.name,
            self.noun,
            self.where,
            tuple(city.id for city in self.cities),
            {"city": dict(cities), "area": dict(areas)},
            {"city": spellings(cities, {}).spellings, "area": spellings(areas, {}).spellings},
            {},
        )


def is_deck(atlas: object) -> bool:
    """Return whether cities are meant, not an atlas."""
    if isinstance(atlas, str):
        return fold(atlas) in (fold(CITIES), "cities")
    return isinstance(atlas, Deck)


def whole_deck(deck: str | Deck) -> Cities:
    """Return all cities of a deck."""
    if isinstance(deck, Deck):
        return _whole_cities(deck)
    return _whole_cities(Deck.load(CITIES if is_deck(deck) else deck))


@functools.lru_cache(maxsize=8)
def _whole_cities(deck: Deck) -> Cities:
    return Cities(deck, CITIES_TAG if deck == Deck.load(CITIES) else own_tag((deck.cities,)))


@functools.lru_cache(maxsize=64)
def _deck_part(whole: Cities, areas: tuple[Area, ...]) -> Cities:
    return Cities(whole.deck, whole.tag, areas)

"""The cities and cards of Connections: shipped, from CSV files or built in Python."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from adjoin._core import MAX_CARDS, MAX_CITIES, MAX_LINKS, MAX_REGIONS, clean, read_deck
from adjoin.data.files import DATA, ProblemsError, checked, read_files, write_table
from adjoin.support.names import Index, UnknownNameError, as_text, choose, ident
from adjoin.support.wording import count, html_table

if TYPE_CHECKING:
    import os

__all__ = [
    "MAX_CARDS",
    "MAX_CITIES",
    "MAX_LINKS",
    "MAX_REGIONS",
    "Card",
    "City",
    "Deck",
    "DeckError",
    "UnknownNameError",
]

_SHIPPED = {"world-cities": ("connections-cities", "connections-cards")}
_CITY_COLUMNS = ("id", "name", "kind", "regions", "colour", "lon", "lat")
_CARD_COLUMNS = ("card", "front", "back")
_KINDS = ("region", "link")
_V = TypeVar("_V")


class DeckError(ProblemsError):
    """What is wrong with a deck: a line a problem, the first ten of them.

    ``problems`` has them all.
    """

    __module__ = "adjoin"


@dataclass(frozen=True, repr=False)
class City:
    """A city: one of a region, or a linking city of two or three (CONN-1, CONN-2).

    ``regions`` are names; ``colour`` is the region's; ``lon`` and ``lat`` are degrees.
    """

    id: str
    name: str
    regions: tuple[str, ...]
    colour: str = ""
    lon: float | None = None
    lat: float | None = None

    @property
    def is_link(self) -> bool:
        """Whether the city joins regions."""
        return len(self.regions) > 1

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def __repr__(self) -> str:
        """Return the name and the regions."""
        return f"<City {self.name}: {', '.join(self.regions)}>"


@dataclass(frozen=True, repr=False)
class Card:
    """A card: a city on each side; either both are linking cities or none is (CONN-1, CONN-2)."""

    front: City
    back: City

    @property
    def is_link(self) -> bool:
        """Whether the card shows linking cities."""
        return self.front.is_link

    def __str__(self) -> str:
        """Return the card as the game writes it."""
        return self.front.name if self.front == self.back else f"{self.front}/{self.back}"

    def __repr__(self) -> str:
        """Return the card as the game writes it."""
        return f"<Card {self}>"


@dataclass(frozen=True, repr=False)
class Deck:
    """The cards of a game, and the cities they show.

    A deck never changes. ``load``, ``from_csv`` and ``build`` make one and check it. It is equal to
    another that has the same cities and cards in the same order, whatever both are called.

    >>> deck = Deck.load()
    >>> deck
    <Deck world-cities: 55 cards, 60 cities in 12 regions, 13 links>
    >>> deck.city("sao paulo")
    <City São Paulo: South America>
    >>> deck.cards_of("Paris")
    (<Card Buenos Aires/Paris>, <Card Paris/Bangkok>)
    >>> [str(city) for city in deck.cities_of("africa") if city.is_link]
    ['Gibraltar', 'Dakar', 'Cairo']
    >>> deck.city("Pariss")
    Traceback (most recent call last):
      ...
    adjoin.UnknownNameError: no city "Pariss" in world-cities; did you mean Paris?

    Cities and regions are found by id or name, in any case, with or without accents, punctuation
    and spaces.
    """

    name: str = field(compare=False)
    cities: tuple[City, ...]
    cards: tuple[Card, ...]

    # Making a deck.

    @staticmethod
    def shipped() -> tuple[str, ...]:
        """Return the names that ``load`` knows.

        >>> Deck.shipped()
        ('world-cities',)
        """
        return tuple(_SHIPPED)

    @classmethod
    def load(cls, name: str = "world-cities") -> Deck:
        """Return a shipped deck.

        >>> list(Deck.load())[-1]
        <Card Honolulu>
        """
        return _shipped(choose(name, _SHIPPED, "a deck"))

    @classmethod
    def from_csv(
        cls, cities: str | os.PathLike[str], cards: str | os.PathLike[str] | None = None
    ) -> Deck:
        """Read a deck from two CSV files, UTF-8 with a header, as the shipped ones are.

        Columns of ``cities``, in any order: ``id`` or ``name``, and ``regions``, a list separated
        by ``;`` or ``|``: one region, or for a linking city two or three. If you like ``kind``
        (region or link), ``colour`` (of the region: at one of its cities is enough), ``lon`` and
        ``lat``. A region is written by name, or by an id such as ``south_east_asia``.

        Columns of ``cards``: ``front`` and ``back``, each a city, both linking cities or none; a
        linking city that is on both sides may stand alone. Without a file of cards, they are made
        as ``build`` makes them.

        Other columns are ignored. Semicolons or tabs may separate the columns; with semicolons, a
        comma in ``lon`` and ``lat`` is a decimal point.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "tiny.csv")
        >>> _ = path.write_text('''name,regions
        ... London,West
        ... Paris,West
        ... Berlin,West
        ... Warsaw,East
        ... Kyiv,East
        ... Minsk,East
        ... Vienna,East;West
        ... ''')
        >>> Deck.from_csv(path)
        <Deck tiny: 7 cards, 6 cities in 2 regions, 1 link>
        """
        return _deck(clean(Path(cities).stem), read_files(DeckError, read_deck, cities, cards))

    @classmethod
    def build(
        cls,
        regions: Mapping[str, Iterable[str]],
        links: Mapping[str, Iterable[str]] | None = None,
        cards: Iterable[str | Sequence[str]] | None = None,
        *,
        colours: Mapping[str, str] | None = None,
        points: Mapping[str, tuple[float, float]] | None = None,
        name: str = "custom",
    ) -> Deck:
        """Build a deck in Python.

        ``regions`` maps each region to its cities, ``links`` each linking city to the regions it
        joins. ``cards`` are pairs of cities, front and back: both linking cities or none. A linking
        city alone is on both sides of its card, as is one that no card of ``cards`` shows.
        ``colours`` are colours of regions, ``points`` longitude and latitude of cities. A game
        needs more cards than it deals: 25 with 3 players, 29 with 4, 31 with 5 or 6.

        Without ``cards``, each city is the front of a card, and the back is the city so many steps
        further down the list, after the last the first again: the number of steps that makes the
        fewest cards of one region, then the most different pairs of regions, and is the smallest
        such. Where there is no room for so many cards, the last cities are on backs alone.

        >>> deck = Deck.build(
        ...     {
        ...         "West": ["London", "Paris", "Berlin"],
        ...         "East": ["Warsaw", "Kyiv", "Minsk"],
        ...         "South": ["Rome", "Athens", "Tunis"],
        ...     },
        ...     {"Vienna": ["West", "East"], "Istanbul": ["East", "South"]},
        ... )
        >>> deck
        <Deck custom: 11 cards, 9 cities in 3 regions, 2 links>
        >>> deck.cards_of("Paris")
        (<Card Paris/Kyiv>, <Card Athens/Paris>)
        >>> Deck.build(
        ...     {"West": ["London", "Paris", "Berlin"], "East": ["Warsaw", "Kyiv", "Minsk"]},
        ...     {"Vienna": ["West", "East"], "Prague": ["East", "West"]},
        ...     [("London", "Kyiv"), ("Vienna", "Prague")],
        ... ).cards
        (<Card London/Kyiv>, <Card Vienna/Prague>)
        >>> Deck.build({"West": ["London", "Paris"]})
        Traceback (most recent call last):
          ...
        adjoin.DeckError: city 1 (London): the region West has 2 cities, 3 are needed (CONN-6)
        """
        name = clean(as_text(name, "a deck"))
        rows: list[tuple[str, dict[str, Any]]] = []
        for number, (region, cities) in enumerate(_lists("regions", "cities", regions), 1):
            if not cities:
                raise DeckError(f"region {number} ({region}): no cities")
            rows += (
                (f"city {place}", {"name": city, "regions": [region]})
                for place, city in enumerate(cities, len(rows) + 1)
            )
        rows += (
            (f"link {number}", {"name": city, "regions": joined, "kind": "link"})
            for number, (city, joined) in enumerate(_lists("links", "regions", links or {}), 1)
        )
        more: list[tuple[str, dict[str, Any]]] = [
            (
                "colours",
                {"region": as_text(region, "a region"), "colour": as_text(colour, "a colour")},
            )
            for region, colour in _mapping("colours", "colours", colours or {}).items()
        ]
        for city, point in _mapping("points", "points", points or {}).items():
            lon, lat = _point(city, point)
            more.append(("points", {"city": as_text(city, "a city"), "lon": lon, "lat": lat}))
        sides = None if cards is None else list(_sides(cards))
        return _deck(name, checked(DeckError, read_deck, name, rows, sides, more))

    def to_csv(self, cities: str | os.PathLike[str], cards: str | os.PathLike[str]) -> None:
        """Write the deck so that ``from_csv`` reads an equal one."""
        texts = {name: key if _called(key) == name else name for key, name in self.regions.items()}
        lists = {c: ";".join(texts[region] for region in c.regions) for c in self.cities}
        city_rows = (
            (c.id, c.name, _KINDS[c.is_link], regions, c.colour, c.lon, c.lat)
            for c, regions in lists.items()
        )
        write_table(cities, _CITY_COLUMNS, city_rows)
        card_rows = ((n, card.front.id, card.back.id) for n, card in enumerate(self.cards))
        write_table(cards, _CARD_COLUMNS, card_rows)

    def option(self) -> str | dict[str, Any]:
        """Return what the game's option ``deck`` takes: a shipped name, or all the data.

        >>> Deck.load().option()
        'world-cities'
        >>> Deck.build({"West": ["London", "Paris", "Berlin"]}).option()["custom"]["cards"]
        [['london', 'paris'], ['paris', 'berlin'], ['berlin', 'london']]
        """
        for name in _SHIPPED:
            if self == _shipped(name):
                return name
        cities = []
        for city in self.cities:
            further = {"colour": city.colour or None, "lon": city.lon, "lat": city.lat}
            given = {key: value for key, value in further.items() if value is not None}
            ids = list(map(ident, city.regions))
            cities.append({"id": city.id, "name": city.name, "regions": ids, **given})
        regions = [{"id": key, "name": name} for key, name in self.regions.items()]
        cards = [[card.front.id, card.back.id] for card in self.cards]
        return {"custom": {"name": self.name, "regions": regions, "cities": cities, "cards": cards}}

    # Looking things up.

    def __len__(self) -> int:
        """Return the number of cards."""
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        """Go through the cards."""
        return iter(self.cards)

    @property
    def regions(self) -> dict[str, str]:
        """The regions: names by id.

        >>> Deck.load().regions["south_east_asia"]
        'South East Asia'
        """
        return {ident(region): region for city in self.cities for region in city.regions}

    @property
    def links(self) -> tuple[City, ...]:
        """The linking cities."""
        return tuple(city for city in self.cities if city.is_link)

    def city(self, city: str | City) -> City:
        """Return a city by id or name.

        >>> Deck.load().city("panama-city")
        <City Panama City: Pacific North America, Caribbea, South America>
        """
        text = city.id if isinstance(city, City) else as_text(city, "a city")
        found = self._city_index.find(text)
        if found is None:
            hint = self._city_index.hint(text, region=self._region_index)
            raise UnknownNameError(f'no city "{city}" in {self.name}{hint}')
        return found

    def cities_of(self, region: str) -> tuple[City, ...]:
        """Return the cities of a region, linking ones too."""
        found = self._region_index.find(as_text(region, "a region"))
        if found is None:
            hint = self._region_index.hint(region, city=self._city_index)
            raise UnknownNameError(f'no region "{region}" in {self.name}{hint}')
        return tuple(city for city in self.cities if found.name in city.regions)

    def cards_of(self, city: str | City) -> tuple[Card, ...]:
        """Return the cards that show a city."""
        found = self.city(city)
        return tuple(card for card in self.cards if found in (card.front, card.back))

    @functools.cached_property
    def _city_index(self) -> Index[City]:
        return Index((city, (city.id, city.name)) for city in self.cities)

    @functools.cached_property
    def _region_index(self) -> Index[_Region]:
        return Index((_Region(region), (region,)) for region in self.regions.values())

    # Showing.

    def __repr__(self) -> str:
        """Return name and sizes."""
        links, regions = len(self.links), count(len(self.regions), "region")
        number = len(self.cities) - links
        cities = "1 city" if number == 1 else f"{number} cities"
        sizes = f"{count(len(self), 'card')}, {cities} in {regions}, {count(links, 'link')}"
        return f"<Deck {self.name}: {sizes}>"

    def _repr_html_(self) -> str:
        rows = []
        for region in self.regions.values():
            both: tuple[list[str], list[str]] = ([], [])
            for city in self.cities_of(region):
                both[city.is_link].append(city.name)
            rows.append((region, *map(", ".join, both)))
        return html_table(repr(self)[1:-1], ("region", "cities", "links"), rows)


class _Region(NamedTuple):
    name: str


def _called(region: str) -> str:
    """Return the name of a region that is written by name or by id."""
    if region != ident(region):
        return region
    return " ".join(part[:1].upper() + part[1:] for part in region.split("_"))


@functools.cache
def _shipped(name: str) -> Deck:
    cities, cards = (DATA / f"{file}.csv" for file in _SHIPPED[name])
    return replace(Deck.from_csv(cities, cards), name=name)


def _deck(name: str, data: dict[str, Any]) -> Deck:
    """Return the deck that the core has checked."""
    cities = [City(**{**row, "regions": tuple(row["regions"])}) for row in data["cities"]]
    cards = (Card(cities[front], cities[back]) for front, back in data["cards"])
    return Deck(name, tuple(cities), tuple(cards))


def _lists(
    what: str, of: str, lists: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, list[str]]]:
    for key, texts in _mapping(what, of, lists).items():
        yield clean(as_text(key, f"one of the {what}")), _names(f"{what}, {key}", of, texts)


def _mapping(what: str, of: str, mapping: Mapping[str, _V]) -> Mapping[str, _V]:
    if not isinstance(mapping, Mapping):
        raise TypeError(f"{what} is a mapping from names to {of}, got {mapping!r}")
    return mapping


def _names(where: str, of: str, texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise TypeError(f"{where}: a list of {of}, got {texts!r}")
    return [as_text(text, f"one of the {of}") for text in texts]


def _sides(cards: Iterable[str | Sequence[str]]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    if isinstance(cards, str | Mapping) or not isinstance(cards, Iterable):
        raise TypeError(f"cards is a list of pairs of cities, got {cards!r}")
    for number, card in enumerate(cards, 1):
        cities = _names(f"card {number}", "cities", [card] if isinstance(card, str) else card)
        yield f"card {number}", {"cities": cities}


def _point(city: object, point: Any) -> tuple[Any, Any]:
    try:
        lon, lat = point
    except (TypeError, ValueError):
        what = f"points, {city}: a longitude and a latitude, got {point!r}"
        raise TypeError(what) from None
    return lon, lat

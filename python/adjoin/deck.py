"""The cities and cards of Connections: shipped, from CSV files or built in Python.

This module and what it imports need the standard library alone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from adjoin.written import (
    DATA,
    MAX_HINTS,
    Index,
    ProblemsError,
    UnknownNameError,
    as_text,
    choose,
    claim,
    count,
    fold,
    html_table,
    ident,
    place,
    read_table,
    too_long,
    words,
    write_table,
)

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

MAX_CARDS = 64
"""How many cards a deck may have."""

MAX_CITIES = 128
"""How many cities a deck may have, linking ones too."""

MAX_REGIONS = 16
"""How many regions a deck may have."""

MAX_LINKS = 16
"""How many linking cities a deck may have."""

_SHIPPED = {"world-cities": ("connections-cities", "connections-cards")}
_CITY_COLUMNS = ("id", "name", "kind", "regions", "colour", "lon", "lat")
_CARD_COLUMNS = ("card", "front", "back")
_SET = 3
_KINDS = ("region", "link")
_DEGREES = {"lon": 180, "lat": 90}
_SEPARATORS = "[;|]"
_V = TypeVar("_V")


class DeckError(ProblemsError):
    """What is wrong with a deck: a line a problem, the first ten of them.

    ``problems`` has them all.
    """


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
    adjoin.written.UnknownNameError: no city "Pariss" in world-cities; did you mean Paris?

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
        name = words(Path(cities).stem)
        return _from_csv(name, Path(cities), None if cards is None else Path(cards))

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
        adjoin.deck.DeckError: city 1 (London): the region West has 2 cities, at least 3 are needed
        """
        return _build(words(as_text(name, "a deck")), regions, links, cards, colours, points)

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
        return _index(self.regions.values())

    # Showing.

    def __repr__(self) -> str:
        """Return name and sizes."""
        links, regions = len(self.links), count(len(self.regions), "region")
        cities = _cities(len(self.cities) - links)
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


def _index(regions: Iterable[str], hints: int | None = None) -> Index[_Region]:
    return Index(((_Region(region), (region,)) for region in regions), hints)


def _called(region: str) -> str:
    """Return the name of a region that is written by name or by id."""
    if region != ident(region):
        return region
    return " ".join(part[:1].upper() + part[1:] for part in region.split("_"))


@functools.cache
def _shipped(name: str) -> Deck:
    cities, cards = (DATA / f"{file}.csv" for file in _SHIPPED[name])
    return _from_csv(name, cities, cards)


# Checking.


@dataclass(eq=False)
class _Draft:
    """A city as it was written, and where."""

    where: str
    id: str
    name: str
    regions: list[str]
    kind: str = ""
    colour: str = ""
    lon: Any = None
    lat: Any = None

    @property
    def ids(self) -> list[str]:
        """The ids of the regions."""
        return list(map(ident, self.regions))


class _Drafts:
    """The cities and cards of a deck to be, and what is wrong with them.

    First come all cities, then the cards, then ``finish``.
    """

    def __init__(self, source: str, drafts: Sequence[_Draft], problems: list[str]) -> None:
        self.source = source
        self.problems = problems
        self.cards: list[Card] = []
        self._members: dict[str, list[_Draft]] = {}
        self._names: dict[str, str] = {}
        taken: dict[str, str] = {}
        for draft in drafts:
            unclear = claim(taken, draft.where, {"name": draft.name, "id": draft.id})
            if unclear:
                self.problem(draft.where, unclear)
            elif "/" in draft.name + draft.id:
                self.problem(draft.where, "a / in the name, which separates the sides of a card")
            self._check_regions(draft)
            if len(draft.regions) == 1 and all(draft.ids):
                self._members.setdefault(draft.ids[0], []).append(draft)
        self._check_members(drafts)
        colours = self._colours()
        self.cities = [self._city(draft, colours) for draft in drafts]
        self.links = [city for city in self.cities if city.is_link]
        if not drafts:
            self.problem(source, "no cities")
        self._at_most(source, len(drafts), MAX_CITIES, "cities")
        self._at_most(source, len(self._members), MAX_REGIONS, "regions")
        self._at_most(source, len(self.links), MAX_LINKS, "links")

    def problem(self, where: str, what: str) -> None:
        """Note what is wrong."""
        self.problems.append(f"{where}: {what}")

    def _at_most(self, where: str, number: int, most: int, what: str) -> None:
        if number > most:
            self.problem(where, f"{number} {what}, at most {most} are allowed")

    # Cities.

    def _check_regions(self, draft: _Draft) -> None:
        number, kind = len(draft.regions), draft.kind.lower()
        if kind not in ("", *_KINDS):
            self.problem(draft.where, f'kind "{draft.kind}" is neither "region" nor "link"')
        if kind == "link" and number not in (2, 3):
            self.problem(draft.where, f"a link joins 2 or 3 regions, not {number}")
        elif kind == "region" and number > 1:
            self.problem(draft.where, f'kind "{draft.kind}", but {number} regions')
        elif not 1 <= number <= 3:
            self.problem(draft.where, f"{number} regions, 1 to 3 are allowed")
        for index, (region, key) in enumerate(zip(draft.regions, draft.ids, strict=True)):
            self._names.setdefault(key, _called(region))
            if too_long("region", region):
                self.problem(draft.where, too_long("region", region))
            elif not key:
                self.problem(draft.where, f'the region "{region}" has no letter and no digit')
            elif re.search(_SEPARATORS, region):
                self.problem(
                    draft.where, f'the region "{region}" has a ; or |, which separate lists'
                )
            elif key in draft.ids[:index]:
                self.problem(draft.where, f'the region "{region}" is listed twice')

    def _check_members(self, drafts: Iterable[_Draft]) -> None:
        for region, members in self._members.items():
            if len(members) < _SET:
                has = _cities(len(members))
                what = f"the region {self._names[region]} has {has}, at least {_SET} are needed"
                self.problem(members[0].where, what)
        for draft in drafts:
            for region, key in zip(draft.regions, draft.ids, strict=True):
                if key and key not in self._members:
                    hint = self._regions.hint(region)
                    self.problem(draft.where, f'joins "{region}", a region without cities{hint}')

    @functools.cached_property
    def _regions(self) -> Index[_Region]:
        return _index((self._names[key] for key in self._members), MAX_HINTS)

    def _colours(self) -> dict[str, str]:
        """Return the colours of the regions that have one."""
        colours: dict[str, str] = {}
        for region, members in self._members.items():
            for draft in members:
                first = colours.setdefault(region, draft.colour) if draft.colour else ""
                if fold(first) != fold(draft.colour):
                    whose = f'"{draft.colour}" of {self._names[region]}'
                    self.problem(draft.where, f'the colour {whose} is "{first}" elsewhere')
        return colours

    def _city(self, draft: _Draft, colours: Mapping[str, str]) -> City:
        regions = tuple(self._names[key] for key in draft.ids)
        colour = colours.get(draft.ids[0], "") if len(regions) == 1 else draft.colour
        given = [key for key in _DEGREES if getattr(draft, key) not in ("", None)]
        if len(given) == 1:
            missing = "lat" if given == ["lon"] else "lon"
            self.problem(draft.where, f"{given[0]} without {missing}")
        point = {key: self._degrees(draft.where, key, getattr(draft, key)) for key in given}
        return City(draft.id, draft.name, regions, colour, **point)

    def _degrees(self, where: str, key: str, value: Any) -> float:
        limit = _DEGREES[key]
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            self.problem(where, f'{key} "{value}" is not a number')
            return 0.0
        if not abs(number) <= limit:
            self.problem(where, f"{key} {value} is not between -{limit} and {limit}")
        return number

    # Cards.

    def add(self, cards: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Take cards: where each was written, and its cities."""
        index = Index(((city, (city.id, city.name)) for city in self.cities), MAX_HINTS)
        regions = self._regions
        first: dict[frozenset[City], str] = {}
        for where, texts in cards:
            found = []
            for text in texts:
                city = index.find(text)
                if city is None:
                    self.problem(where, f'"{text}" is no city{index.hint(text, region=regions)}')
                else:
                    found.append(city)
            if not 1 <= len(texts) <= 2:
                self.problem(where, f"{_cities(len(texts))}, expected 2")
            elif len(found) == len(texts):
                self._add(where, Card(found[0], found[-1]), first)

    def _add(self, where: str, card: Card, first: dict[frozenset[City], str]) -> None:
        sides = frozenset((card.front, card.back))
        other = first.setdefault(sides, where)
        if other != where:
            self.problem(where, f"the same card as {other}")
        elif card.front.is_link != card.back.is_link:
            what = f"linking cities are on both sides or on none, not {card.front} and {card.back}"
            self.problem(where, what)
        elif len(sides) == 1 and not card.is_link:
            self.problem(where, f"{card.front}, which is no linking city, on both sides")
        else:
            self.cards.append(card)

    def add_links(self) -> None:
        """Give a card to every linking city that has none."""
        shown = {city for card in self.cards for city in (card.front, card.back)}
        self.cards += (Card(city, city) for city in self.links if city not in shown)

    def add_pairs(self) -> None:
        """Make cards of region cities, as ``Deck.build`` says."""
        if self.problems:
            return
        cities = [city for city in self.cities if not city.is_link]
        size = len(cities)
        number = min(size, MAX_CARDS - len(self.links))

        def paired(steps: int) -> list[Card]:
            return [Card(cities[n], cities[(n + steps) % size]) for n in range(number)]

        def mixed(cards: Iterable[Card]) -> tuple[int, int]:
            pairs = [frozenset(card.front.regions + card.back.regions) for card in cards]
            return -sum(len(pair) == 1 for pair in pairs), len(set(pairs))

        # So many steps that no city is left out, and no card is another one turned.
        steps = range(max(1, size - number), min(number, size - 1) + 1)
        choices = [paired(n) for n in steps if 2 * n != size or 2 * number == size]
        if choices:
            self.cards += max(choices, key=mixed)
        else:
            room = count(number, "card")
            self.problem(self.source, f"{_cities(size)} are too many for {room} beside the links")

    def finish(self, name: str, source: str) -> Deck:
        """Return the deck, or raise all that is wrong; ``source`` is where its cards are from."""
        self._at_most(source, len(self.cards), MAX_CARDS, "cards")
        if not self.cards and not self.problems:
            self.problem(source, "no cards")
        if self.problems:
            raise DeckError(*self.problems)
        return Deck(name, tuple(self.cities), tuple(self.cards))


def _cities(number: int) -> str:
    return "1 city" if number == 1 else f"{number} cities"


# From files.


def _from_csv(name: str, cities: Path, cards: Path | None) -> Deck:
    problems: list[str] = []
    rows = _rows(cities, [("name", "id"), ("regions",)], problems, (MAX_CITIES, "cities"))
    sides = [("front",), ("back",)]
    card_rows = [] if cards is None else _rows(cards, sides, problems, (MAX_CARDS, "cards"))
    if problems:
        raise DeckError(*problems)
    drafts = _Drafts(cities.name, [_draft(where, cells) for where, cells in rows], problems)
    if cards is None:
        drafts.add_pairs()
        drafts.add_links()
        return drafts.finish(name, cities.name)
    shown = [(row, [*filter(None, (cells["front"], cells["back"]))]) for row, cells in card_rows]
    drafts.add((place(row, "/".join(texts)), texts) for row, texts in shown)
    return drafts.finish(name, cards.name)


def _rows(
    path: Path, needed: Sequence[tuple[str, ...]], problems: list[str], most: tuple[int, str]
) -> list[tuple[str, dict[str, str]]]:
    def column(header: str) -> str:
        return {"color": "colour", "region": "regions"}.get(header.lower(), header.lower())

    return read_table(
        path,
        needed,
        problems,
        column=column,
        further=True,
        decimals=tuple(_DEGREES),
        most=most,
    )


def _draft(where: str, cells: Mapping[str, str]) -> _Draft:
    given = cells.get("id", "")
    name = cells.get("name", given)
    further = {key: cells.get(key, "") for key in ("kind", "colour", *_DEGREES)}
    regions = [part.strip() for part in re.split(_SEPARATORS, cells["regions"]) if part.strip()]
    return _Draft(place(where, name), given or ident(name), name, regions, **further)


# From Python.


def _build(
    name: str,
    regions: Mapping[str, Iterable[str]],
    links: Mapping[str, Iterable[str]] | None,
    cards: Iterable[str | Sequence[str]] | None,
    colours: Mapping[str, str] | None,
    points: Mapping[str, tuple[float, float]] | None,
) -> Deck:
    problems: list[str] = []
    written: list[_Draft] = []
    for number, (region, cities) in enumerate(_lists("regions", "cities", regions), 1):
        if not cities:
            problems.append(f"{place(f'region {number}', region)}: no cities")
        for city in cities:
            where = place(f"city {len(written) + 1}", city)
            written.append(_Draft(where, ident(city), city, [region]))
    for number, (city, joined) in enumerate(_lists("links", "regions", links or {}), 1):
        written.append(_Draft(place(f"link {number}", city), ident(city), city, joined, "link"))
    _colour(written, colours or {}, problems)
    _locate(written, points or {}, problems)
    drafts = _Drafts(name, written, problems)
    if cards is None:
        drafts.add_pairs()
    else:
        drafts.add(_sides(cards))
    drafts.add_links()
    return drafts.finish(name, name)


def _lists(
    what: str, of: str, lists: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, list[str]]]:
    for key, texts in _mapping(what, of, lists).items():
        yield words(as_text(key, f"one of the {what}")), _names(f"{what}, {key}", of, texts)


def _mapping(what: str, of: str, mapping: Mapping[str, _V]) -> Mapping[str, _V]:
    if not isinstance(mapping, Mapping):
        raise TypeError(f"{what} is a mapping from names to {of}, got {mapping!r}")
    return mapping


def _names(where: str, of: str, texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise TypeError(f"{where}: a list of {of}, got {texts!r}")
    return [words(as_text(text, f"one of the {of}")) for text in texts]


def _sides(cards: Iterable[str | Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    if isinstance(cards, str | Mapping) or not isinstance(cards, Iterable):
        raise TypeError(f"cards is a list of pairs of cities, got {cards!r}")
    for number, card in enumerate(cards, 1):
        texts = _names(f"card {number}", "cities", [card] if isinstance(card, str) else card)
        yield place(f"card {number}", "/".join(texts)), texts


def _colour(drafts: Iterable[_Draft], colours: Mapping[str, str], problems: list[str]) -> None:
    """Give the cities the colours of their regions."""
    drafts = [draft for draft in drafts if draft.kind != "link"]
    index = _index((draft.regions[0] for draft in drafts), MAX_HINTS)
    for region, colour in _mapping("colours", "colours", colours).items():
        found = index.find(as_text(region, "a region"))
        if found is None:
            problems.append(f'colours: "{region}" is no region{index.hint(region)}')
            continue
        for draft in drafts:
            if draft.ids == [ident(found.name)]:
                draft.colour = words(as_text(colour, "a colour"))


def _locate(
    drafts: Iterable[_Draft], points: Mapping[str, tuple[float, float]], problems: list[str]
) -> None:
    """Give the cities their points."""
    index = Index(((draft, (draft.name, draft.id)) for draft in drafts), MAX_HINTS)
    for city, point in _mapping("points", "points", points).items():
        found = index.find(as_text(city, "a city"))
        if found is None:
            problems.append(f'points: "{city}" is no city{index.hint(city)}')
            continue
        try:
            found.lon, found.lat = point
        except (TypeError, ValueError):
            what = f"points, {city}: a longitude and a latitude, got {point!r}"
            raise TypeError(what) from None

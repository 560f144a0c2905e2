"""What is asked about: an atlas or some areas of it; and by its name or tag, that or cities."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from adjoin.classroom.areas import Area, ClassroomError, find_area, own_tag, tagged, texts_of
from adjoin.classroom.cities import CITIES, CITIES_TAG, Cities, is_deck, whole_deck
from adjoin.classroom.spelling import SHORT_NAMES, Book, spellings
from adjoin.data.atlas import Atlas, Region
from adjoin.data.deck import Deck
from adjoin.support.names import Index, UnknownNameError, as_text, fold, ident
from adjoin.support.wording import listed

SHIPPED = {"UK": "uk-counties", "WORLD": "world-countries", "US": "us-states"}
"""The atlases by what stands for them in a code."""

_MAP = (640, 640)
"""How wide and high a map is at most, in its units."""
_WHOLE = {
    "uk-counties": "of the United Kingdom",
    "world-countries": "of the world",
    "us-states": "of the USA",
}
_WITH_THE = {
    "Americas",
    "Clyde Valley",
    "East Midlands",
    "Forth Valley",
    "Highlands and Islands",
    "Home Counties",
    "Lothians",
    "North East",
    "North West",
    "South East",
    "South West",
    "West Midlands",
}
_NAMES_WITH_THE = {
    "Central African Republic",
    "City of London",
    "Comoros",
    "District of Columbia",
    "Dominican Republic",
    "East Riding of Yorkshire",
    "Falkland Islands",
    "Faroe Islands",
    "Isle of Wight",
    "Maldives",
    "Marshall Islands",
    "Netherlands",
    "Philippines",
    "Republic of the Congo",
    "Scottish Borders",
    "Seychelles",
    "Solomon Islands",
    "United Arab Emirates",
    "United Kingdom",
    "United States",
    "Vale of Glamorgan",
    "West Midlands",
}


@dataclass(frozen=True, eq=False)
class Scope:
    """The regions that are asked about: all of an atlas, or those of some areas.

    Questions about an area are about borders within it, and say so.
    """

    atlas: Atlas
    tag: str
    areas: tuple[Area, ...] = ()
    language: str = ""
    """The language of the names, if these are not the usual ones."""

    @staticmethod
    def make(
        atlas: str | Atlas = "uk-counties",
        *,
        nations: str | Iterable[str] | None = None,
        regions: str | Iterable[str] | None = None,
        editions: str | Iterable[str] | None = None,
        names: str | None = None,
    ) -> Scope:
        """Return the regions of some areas: nations, regions within these, editions of the world.

        What is named is put together. A nation of which a region is named too stands for that
        region alone. ``names`` is a language that the atlas has names in, such as "Welsh".

        >>> scope = Scope.make("uk-counties", nations=["Wales", "England"], regions="South West")
        >>> scope.title, len(scope.regions)
        ('Counties in Wales and the South West', 29)
        >>> Scope.make("uk-counties", nations="Whales")
        Traceback (most recent call last):
          ...
        adjoin.UnknownNameError: no nation "Whales" in uk-counties; did you mean Wales?
        """
        whole = _whole(atlas)
        if names is not None:
            whole = whole.named_in(names)
        nation_areas, region_areas = whole._nation_areas, whole._region_areas
        named = [
            *(whole._area(text, "nation", nation_areas) for text in texts_of(nations)),
            *(whole._area(text, "edition", nation_areas) for text in texts_of(editions)),
            *(
                whole._area(text, "region", {**nation_areas, **region_areas})
                for text in texts_of(regions)
            ),
        ]
        if not named and any(given is not None for given in (nations, regions, editions)):
            raise ClassroomError("an empty list of nations, regions or editions leaves nothing")
        return whole._part(tuple(named))

    def with_tags(self, tags: Iterable[str]) -> Scope:
        """Return the part of the atlas with the areas that some tags stand for."""
        known = {area.tag: area for area in self._all_areas}
        missing = [tag for tag in tags if tag not in known]
        if missing:
            there = ", ".join(known) or "none"
            raise ClassroomError(f'no area "{missing[0]}" in {self.atlas.name}; there are {there}')
        return self._part(tuple(known[tag] for tag in tags))

    def named_in(self, language: str) -> Scope:
        """Return the whole atlas with the names in a language, as ``Atlas.names_in`` takes it."""
        return _named(_part(self, ()), self.atlas.language(language))

    def _part(self, named: tuple[Area, ...]) -> Scope:
        narrowed = {area.nation for area in named}
        kept = {area.name for area in named if area.name not in narrowed}
        areas = tuple(area for area in self._all_areas if area.name in kept)
        if {key for area in areas for key in area.members} == set(self.ids):
            areas = ()
        return _part(self, areas)

    # The regions.

    @functools.cached_property
    def regions(self) -> tuple[Region, ...]:
        """The regions that are asked about."""
        if not self.areas:
            return self.atlas.regions
        inside = {key for area in self.areas for key in area.members}
        return tuple(region for region in self.atlas.regions if region.id in inside)

    @functools.cached_property
    def ids(self) -> tuple[str, ...]:
        """Their ids."""
        return tuple(region.id for region in self.regions)

    @functools.cached_property
    def inside(self) -> frozenset[str]:
        """Their ids, as a set."""
        return frozenset(self.ids)

    @functools.cached_property
    def borders(self) -> dict[str, tuple[str, ...]]:
        """The borders between them, by id."""
        return {r.id: tuple(b for b in r.borders if b in self.inside) for r in self.regions}

    @functools.cached_property
    def outside(self) -> dict[str, tuple[str, ...]]:
        """Their borders with other regions, by id."""
        return {r.id: tuple(b for b in r.borders if b not in self.inside) for r in self.regions}

    @functools.cached_property
    def steps(self) -> dict[str, dict[str, int]]:
        """How many borders lie between two regions if one stays within the scope."""
        return {key: _steps(key, self.borders) for key in self.ids}

    @functools.cached_property
    def atlas_steps(self) -> dict[str, dict[str, int]]:
        """How many borders lie between two regions of the whole atlas."""
        return _part(self, ()).steps

    @functools.cached_property
    def nations(self) -> tuple[str, ...]:
        """The nations that pupils have to tell apart: more than one, or none."""
        chosen = [area.nation or area.name for area in self.areas] or self.atlas.nations
        return tuple(dict.fromkeys(chosen)) if len(set(chosen)) > 1 else ()

    @functools.cached_property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """The regions within a nation that pupils have to tell apart, by nation."""
        found: dict[str, dict[str, None]] = {}
        for region in self.regions:
            if region.region and region.region != region.nation:
                found.setdefault(region.nation, {})[region.region] = None
        return {nation: tuple(parts) for nation, parts in found.items() if len(parts) > 1}

    @functools.cached_property
    def cache(self) -> dict[str, Any]:
        """What the exercises have found out about the scope."""
        return {}

    # Words.

    @property
    def name(self) -> str:
        """The name of the atlas."""
        return self.atlas.name

    @property
    def noun(self) -> tuple[str, str]:
        """What a region is called, one and many."""
        return self.atlas.noun

    @property
    def _kind(self) -> str:
        """The name of the shipped atlas that this is, or is a part of."""
        return self.atlas.name.partition(" (")[0]

    @property
    def where(self) -> str:
        """The areas in words, such as "in Wales"; empty for the whole atlas."""
        return f"in {self._listed('or')}" if self.areas else ""

    @property
    def title(self) -> str:
        """What is asked about, in words."""
        noun = self.noun[1].capitalize()
        if self.areas:
            return f"{noun} in {self._listed('and')}"
        return f"{noun} {_WHOLE.get(self.atlas.name, f'of {self.atlas.name}')}"

    def size(self) -> str:
        """Return how many regions there are, in words."""
        number = len(self.regions)
        return f"{number} {self.noun[number != 1]}" + (f" {self.where}" if self.areas else "")

    def called(self, key: str) -> str:
        """Return the name of a region."""
        return self.book.names["region"][key]

    def spoken(self, key: str) -> str:
        """Return the name of a region as it stands in a sentence."""
        name = self.called(key)
        return f"the {name}" if name in _NAMES_WITH_THE else name

    def _listed(self, word: str) -> str:
        return self.areas_spoken([area.name for area in self.areas], word)

    def areas_spoken(self, names: Iterable[str], word: str = "and") -> str:
        """Return the names of areas as they stand in a sentence."""
        return listed([self._area_spoken(name) for name in names], word)

    def _area_spoken(self, name: str) -> str:
        if self._kind == "us-states" and name != "New England":
            return f"the {name} division"
        return f"the {name}" if name in _WITH_THE else name

    @functools.cached_property
    def book(self) -> Book:
        """What is needed to read answers."""
        atlas = self.atlas
        kind, known = self._kind, {region.id for region in atlas.regions}
        others = {region.id: region.also_called for region in atlas.regions}
        abbreviations = [(r.id, r.abbreviation) for r in atlas.regions if r.abbreviation]
        for key, texts in SHORT_NAMES.get(kind, {}).items():
            abbreviations += [(key, text) for text in texts if key in known]
        regions = [(r.id, r.name) for r in atlas.regions]
        waters = [(w.id, w.name) for w in atlas.waters]
        less = {w.id: (w.name.rpartition(" ")[0],) for w in atlas.waters if " " in w.name}
        nations = [(name, name) for name in atlas.nations]
        areas = [(name, name) for name in dict.fromkeys(r.region for r in atlas.regions) if name]
        capitals = [(ident(name), name) for r in atlas.regions for name in r.capitals]
        other_capitals = {
            ident(r.capitals[0]): r.capital_also_called for r in atlas.regions if r.capitals
        }
        written = {
            "region": spellings(regions, others, abbreviations),
            "capital": spellings(capitals, other_capitals),
            "water": spellings(waters, less),
            "nation": spellings(nations, {}),
            "area": spellings(areas, {}),
        }
        return Book(
            atlas.name,
            self.noun,
            self.where,
            self.ids,
            {
                "region": dict(regions),
                "water": {**dict(waters), "none": "none of them"},
                "nation": dict(nations),
                "area": dict(areas),
                "capital": dict(capitals),
            },
            {pool: texts.spellings for pool, texts in written.items()},
            {
                **{pool: texts.short for pool, texts in written.items()},
                "water": {"none": "none", "none of them": "none", "no sea": "none"},
            },
            {r.id: r.borders for r in atlas.regions},
        )

    # The map.

    @functools.cached_property
    def map(self) -> dict[str, Any] | None:
        """The map of the regions as plain data, cut to them; none if their places are unknown."""
        drawn = self.atlas.map(self.ids, width=_MAP[0], height=_MAP[1])
        return None if drawn is None else drawn.to_json()

    @functools.cached_property
    def outlines(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """The rings of the regions on the map, none of what is tiny; empty without outlines."""
        places = self.map["places"] if self.map else {}
        found = {key: places[key]["rings"] for key in self.ids if key in places}
        return found if any(found.values()) else {}

    # Areas.

    @functools.cached_property
    def _nation_areas(self) -> dict[str, Area]:
        atlas = self.atlas
        return {
            nation: Area(nation, "", tuple(r.id for r in atlas.regions if nation == r.nation))
            for nation in dict.fromkeys(r.nation for r in atlas.regions if r.nation)
        }

    @functools.cached_property
    def _region_areas(self) -> dict[str, Area]:
        found: dict[str, list[Region]] = {}
        for region in self.atlas.regions:
            if region.region and region.region not in self._nation_areas:
                found.setdefault(region.region, []).append(region)
        return {
            name: Area(name, "", tuple(r.id for r in members), members[0].nation)
            for name, members in found.items()
        }

    @functools.cached_property
    def _all_areas(self) -> tuple[Area, ...]:
        """Every area, in the order of the atlas, with its tag."""
        return tagged((*self._nation_areas.values(), *self._region_areas.values()))

    @property
    def area_names(self) -> tuple[str, ...]:
        """What parts of the atlas can be asked about."""
        return tuple(area.name for area in self._all_areas)

    def _area(self, text: str, noun: str, areas: Mapping[str, Area]) -> Area:
        wanted = as_text(text, f"a{'n' if noun == 'edition' else ''} {noun}")
        return find_area(wanted, noun, areas, self.atlas.name, self.noun[0], self._everything)

    @functools.cached_property
    def _everything(self) -> dict[str, Index[Any]]:
        return {
            "region": Index((a, (a.name,)) for a in self._region_areas.values()),
            "nation": Index((a, (a.name,)) for a in self._nation_areas.values()),
            self.noun[0]: Index((r, (r.name,)) for r in self.atlas.regions),
        }


# Whole atlases and decks, each once.


def scope_of(
    atlas: str | Atlas | Deck,
    nations: str | Iterable[str] | None = None,
    regions: str | Iterable[str] | None = None,
    editions: str | Iterable[str] | None = None,
    names: str | None = None,
) -> Scope | Cities:
    """Return what is asked about, of an atlas or a deck of cities."""
    if is_deck(atlas):
        if names is not None:
            raise ClassroomError(f'no names in "{names}": cities have theirs in English only')
        if nations is not None or editions is not None:
            raise ClassroomError("cities have regions, neither nations nor editions")
        if isinstance(atlas, str):
            return Cities.make(regions=regions)
        assert isinstance(atlas, Deck)
        return Cities.make(atlas, regions=regions)
    assert not isinstance(atlas, Deck)
    return Scope.make(atlas, nations=nations, regions=regions, editions=editions, names=names)


def from_tag(tag: str, atlas: Atlas | Deck | None = None) -> Scope | Cities:
    """Return all of what a tag in a code stands for; ``atlas`` is one's own."""
    if tag in SHIPPED:
        return _whole(SHIPPED[tag])
    if tag == CITIES_TAG:
        return whole_deck(CITIES)
    if not tag.startswith("OWN"):
        there = ", ".join((*SHIPPED, CITIES_TAG))
        raise ClassroomError(f'a code begins with {there} or OWN and three letters, not "{tag}"')
    if atlas is None:
        raise ClassroomError(f'"{tag}" is somebody\'s own map: give it too, as atlas=...')
    found = whole_deck(atlas) if isinstance(atlas, Deck) else _whole(atlas)
    if found.tag != tag:
        raise ClassroomError(f'the code is for the map "{tag}", {atlas.name} is "{found.tag}"')
    return found


def _whole(atlas: str | Atlas) -> Scope:
    if isinstance(atlas, Atlas):
        found = atlas.option()
        if isinstance(found, str):
            return _whole_shipped(found)
        return _whole_own(atlas)
    known = {**dict(zip(map(fold, SHIPPED), SHIPPED.values(), strict=True))}
    text = as_text(atlas, "an atlas")
    name = known.get(fold(text))
    if name is None:
        names = (*Atlas.shipped(), CITIES)
        index = Index((_Named(name), (name, name.partition("-")[0])) for name in names[:-1])
        named = index.find(text)
        if named is None:
            hint = Index((_Named(name), (name,)) for name in names).hint(text)
            hint = hint or f"; there are {', '.join(names)}"
            raise UnknownNameError(f'no atlas "{text}"{hint}')
        name = named.name
    return _whole_shipped(name)


class _Named(NamedTuple):
    name: str


@functools.cache
def _whole_shipped(name: str) -> Scope:
    return Scope(Atlas.load(name), next(tag for tag, atlas in SHIPPED.items() if atlas == name))


@functools.lru_cache(maxsize=8)
def _whole_own(atlas: Atlas) -> Scope:
    return Scope(atlas, own_tag((atlas.regions, atlas.waters)))


@functools.lru_cache(maxsize=256)
def _part(whole: Scope, areas: tuple[Area, ...]) -> Scope:
    return replace(whole, areas=areas) if areas != whole.areas else whole


@functools.lru_cache(maxsize=16)
def _named(whole: Scope, language: str) -> Scope:
    return replace(whole, atlas=whole.atlas.names_in(language), language=language)


# Words and steps.


def sentence(text: str) -> str:
    """Return a text with a capital at the beginning."""
    return text[:1].upper() + text[1:]


def _steps(start: str, borders: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    steps, now = {start: 0}, [start]
    while now:
        reached = []
        for key in now:
            for other in borders[key]:
                if other not in steps:
                    steps[other] = steps[key] + 1
                    reached.append(other)
        now = reached
    return steps

"""The deck of Connections: the shipped one, looking up, files, and every kind of wrong input."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pytest

from adjoin import Match
from adjoin.data import deck as module
from adjoin.data.deck import Card, City, Deck, DeckError, UnknownNameError
from adjoin.support.names import ident
from scaffold import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WORLD = Deck.load()
CITIES = "id,name,kind,regions,colour,lon,lat\n"
CARDS = "card,front,back\n"
TINY = CITIES + (
    "l,London,region,west,light blue,-0.13,51.51\n"
    "p,Paris,region,west,light blue,2.35,48.86\n"
    "b,Berlin,region,west,light blue,,\n"
    "w,Warsaw,region,far_east,,21.01,52.23\n"
    "k,Kyiv,region,far_east,,,\n"
    "m,Mińsk & Co,region,far_east,,,\n"
    "v,Vienna,link,west;far_east,white,16.37,48.21\n"
)
TINY_CARDS = CARDS + "0,l,w\n1,p,k\n2,m,b\n3,v,v\n4,b,l\n"
REGIONS = {"West": ["London", "Paris", "Berlin"], "Far East": ["Warsaw", "Kyiv", "Minsk"]}
LINKS = {"Vienna": ["West", "Far East"]}


def written(folder: Path, text: str | bytes, name: str = "own.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(folder: Path, cities: str | bytes = TINY, cards: str | bytes | None = TINY_CARDS) -> Deck:
    """Return the deck of two files, or of one."""
    second = None if cards is None else written(folder, cards, "cards.csv")
    return Deck.from_csv(written(folder, cities), second)


def problems(
    folder: Path, cities: str | bytes = TINY, cards: str | bytes | None = TINY_CARDS
) -> str:
    """Return what is wrong with the files."""
    with pytest.raises(DeckError) as caught:
        read(folder, cities, cards)
    return str(caught.value)


def build_problems(*arguments: Any, **keywords: Any) -> str:
    with pytest.raises(DeckError) as caught:
        Deck.build(*arguments, **keywords)
    return str(caught.value)


def many(regions: int, cities: int) -> dict[str, list[str]]:
    """Return so many regions of so many cities each."""
    return {f"R{r}": [f"r{r} c{c}" for c in range(cities)] for r in range(regions)}


def texts(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


# The shipped deck.


def test_the_shipped_deck_has_the_numbers_of_conn_1() -> None:
    cards = [card for card in WORLD if not card.is_link]
    members = Counter(city.regions[0] for city in WORLD.cities if not city.is_link)
    assert (len(cards), len(WORLD.links), len(WORLD)) == (42, 13, 55)
    assert (len(members), set(members.values())) == (12, {5})
    assert set(members) == set(WORLD.regions.values())
    assert Counter(len(link.regions) for link in WORLD.links) == {2: 7, 3: 6}
    assert [card.front for card in WORLD if card.is_link] == list(WORLD.links)


def test_the_shipped_deck_shows_every_city() -> None:
    assert all(WORLD.cards_of(city) for city in WORLD.cities)
    assert {len(WORLD.cards_of(city)) for city in WORLD.links} == {1}
    for card in WORLD:
        assert card.is_link or card.front.regions != card.back.regions
    assert len({frozenset((card.front, card.back)) for card in WORLD}) == len(WORLD)


def test_the_shipped_links_are_those_of_conn_2_and_conn_e1() -> None:
    for link, regions in {
        "Chicago": ("Atlantic North America", "Pacific North America"),
        "Gibraltar": ("Western Europe", "Mediterranea", "Africa"),
        "Istanbul": ("Eastern Europe", "Western Asia", "Mediterranea"),
        "Lahore": ("Western Asia", "South East Asia"),
    }.items():
        assert WORLD.city(link).regions == regions


def test_the_shipped_regions_have_a_colour_each_and_the_cities_points() -> None:
    colours = {(city.regions, city.colour) for city in WORLD.cities if not city.is_link}
    assert len(colours) == len({colour for _, colour in colours}) == 12
    assert {city.colour for city in WORLD.links} == {"white"}
    points = {(city.lon, city.lat) for city in WORLD.cities}
    assert len(points) == 73
    assert all(lon is not None and lat is not None for lon, lat in points)
    assert WORLD.city("Sydney") == City(
        "sydney", "Sydney", ("Australasia",), "light green", 151.21, -33.87
    )


def test_the_shipped_files_are_what_to_csv_writes(tmp_path: Path) -> None:
    WORLD.to_csv(tmp_path / "cities.csv", tmp_path / "cards.csv")
    for name in ("cities", "cards"):
        shipped = Path(module.__file__).parent / f"connections-{name}.csv"
        assert (tmp_path / f"{name}.csv").read_bytes() == shipped.read_bytes()


def test_shipped_decks_are_found_by_name_and_read_once() -> None:
    assert Deck.shipped() == ("world-cities",)
    assert Deck.load("World Cities") is WORLD
    assert WORLD.name == "world-cities"
    with pytest.raises(UnknownNameError) as caught:
        Deck.load("moon")
    assert str(caught.value) == 'no deck "moon"; there are world-cities'


# Looking up.


def test_every_city_is_found_by_all_it_is_called() -> None:
    for city in WORLD.cities:
        for text in (city.id, city.name, city.name.upper(), f" {city.id}. "):
            assert WORLD.city(text) is city
        assert WORLD.city(copy.copy(city)) is city
    assert WORLD.city("st. petersburg").name == "Saint Petersburg"
    assert WORLD.city("SAOPAULO").name == "São Paulo"


def test_every_region_is_found_by_id_and_name() -> None:
    for region, name in WORLD.regions.items():
        cities = WORLD.cities_of(region)
        assert WORLD.cities_of(name.upper()) == cities
        assert all(name in city.regions for city in cities)
    assert [city.name for city in WORLD.cities_of("Southeast Asia")] == [
        *("Delhi", "Bangkok", "Mumbai", "Dhaka", "Hanoi", "Lahore", "Singapore", "Hong Kong")
    ]


def test_the_id_need_not_be_like_the_name(tmp_path: Path) -> None:
    own = read(tmp_path)
    assert own.city("M") is own.city("minsk and co") is own.cities[5]


@cases(
    ("text", "hint"),
    [
        ("Lundon", "; did you mean London?"),
        ("san", "; did you mean San Francisco or San Juan?"),
        ("western europe", "; that is a region"),
        ("xyzzy", ""),
        ("", ""),
    ],
)
def test_an_unknown_city_is_named_with_those_near_it(text: str, hint: str) -> None:
    for look_up in (WORLD.city, WORLD.cards_of):
        with pytest.raises(UnknownNameError) as caught:
            look_up(text)
        assert str(caught.value) == f'no city "{text}" in world-cities{hint}'
        assert isinstance(caught.value, KeyError)


@cases(
    ("text", "hint"),
    [
        ("Westen Europe", "; did you mean Western Europe or Eastern Europe?"),
        ("asia", "; did you mean Western Asia, South East Asia or Pacific Asia?"),
        ("Paris", "; that is a city"),
        ("", ""),
    ],
)
def test_an_unknown_region_is_named_with_those_near_it(text: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        WORLD.cities_of(text)
    assert str(caught.value) == f'no region "{text}" in world-cities{hint}'


def test_a_city_of_another_deck_is_unknown() -> None:
    with pytest.raises(UnknownNameError, match=r'^no city "Oslo" in world-cities$'):
        WORLD.cards_of(City("oslo", "Oslo", ("North",)))


def test_what_is_not_text_is_refused() -> None:
    wrong: Any = 3
    for what, look_up in (
        ("city", WORLD.city),
        ("city", WORLD.cards_of),
        ("region", WORLD.cities_of),
        ("deck", Deck.load),
        ("deck", lambda name: Deck.build(REGIONS, name=name)),
    ):
        with pytest.raises(TypeError, match=f"^a {what} is named by a string, got 3$"):
            look_up(wrong)


# What a deck says.


def test_a_deck_is_its_cards() -> None:
    assert tuple(WORLD) == WORLD.cards
    assert WORLD.cards[26] in WORLD
    assert Card(WORLD.city("London"), WORLD.city("Paris")) not in WORLD
    assert texts(WORLD.cards_of("Rome")) == "Port of Spain/Rome Rome/Riyadh"
    assert texts(WORLD.cards_of("Cairo")) == "Cairo"


def test_regions_are_in_the_order_of_their_first_city(tmp_path: Path) -> None:
    link, header, *others = TINY.splitlines()[-1], *TINY.splitlines()[:-1]
    own = read(
        tmp_path, "\n".join([header, link.replace("west;far_east", "far_east;west"), *others])
    )
    assert own.regions == {"far_east": "Far East", "west": "West"}
    assert list(read(tmp_path).regions) == ["west", "far_east"]


def test_a_deck_shows_itself() -> None:
    own = Deck.build(REGIONS, LINKS, [("Paris", "Kyiv"), "Vienna", ("Minsk", "Paris")])
    assert repr(WORLD) == "<Deck world-cities: 55 cards, 60 cities in 12 regions, 13 links>"
    assert repr(own) == "<Deck custom: 3 cards, 6 cities in 2 regions, 1 link>"
    assert repr(own.cities[0]) == "<City London: West>"
    assert repr(own.links) == "(<City Vienna: West, Far East>,)"
    assert repr(own.cards) == "(<Card Paris/Kyiv>, <Card Vienna>, <Card Minsk/Paris>)"
    assert f"{own.cities[0]}, {own.cards[0]}" == "London, Paris/Kyiv"


def test_the_table_for_notebooks_is_well_formed_and_escaped() -> None:
    own = Deck.build(
        {"West": ["A <b>", "B & C", "D"], "East": ["E", "F", "G"]},
        {"V": ["West", "East"], "U": ["East", "West"]},
        [("D", "G")],
        name="&",
    )
    table = ElementTree.fromstring(own._repr_html_())
    assert [[cell.text or "" for cell in row] for row in table.iter("tr")] == [
        ["region", "cities", "links"],
        ["West", "A <b>, B & C, D", "V, U"],
        ["East", "E, F, G", "V, U"],
    ]
    assert table.findtext("caption") == "Deck &: 3 cards, 6 cities in 2 regions, 2 links"


# Values.


def test_a_deck_is_a_value() -> None:
    WORLD.city("Paris")
    for other in (pickle.loads(pickle.dumps(WORLD)), copy.deepcopy(WORLD)):
        assert other == WORLD
        assert hash(other) == hash(WORLD)
        assert repr(other) == repr(WORLD)
        assert other.city("paris") == WORLD.city("Paris")
    renamed = dataclasses.replace(WORLD, name="renamed")
    assert (renamed, hash(renamed)) == (WORLD, hash(WORLD))
    assert dataclasses.replace(WORLD, cards=WORLD.cards[::-1]) != WORLD
    assert dataclasses.replace(WORLD, cities=WORLD.cities[::-1]) != WORLD
    assert len({Deck.build(REGIONS, points={"Paris": point}) for point in [(2, 48), (2, 49)]}) == 2


def test_nothing_of_a_deck_can_be_changed() -> None:
    things: list[tuple[Any, str]] = [
        (WORLD, "name"),
        (WORLD.cities[0], "regions"),
        (WORLD.cards[0], "front"),
    ]
    for thing, name in things:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, None)


# What the game takes.


def test_the_shipped_deck_is_an_option_by_name(tmp_path: Path) -> None:
    assert WORLD.option() == "world-cities"
    assert dataclasses.replace(WORLD, name="x").option() == "world-cities"


def test_any_other_deck_is_an_option_with_all_its_data(tmp_path: Path) -> None:
    option = read(tmp_path).option()
    assert json.loads(json.dumps(option)) == option
    blue = {"regions": ["west"], "colour": "light blue"}
    assert option == {
        "custom": {
            "name": "own",
            "regions": [
                {"id": "west", "name": "West"},
                {"id": "far_east", "name": "Far East"},
            ],
            "cities": [
                {"id": "l", "name": "London", **blue, "lon": -0.13, "lat": 51.51},
                {"id": "p", "name": "Paris", **blue, "lon": 2.35, "lat": 48.86},
                {"id": "b", "name": "Berlin", **blue},
                {"id": "w", "name": "Warsaw", "regions": ["far_east"], "lon": 21.01, "lat": 52.23},
                {"id": "k", "name": "Kyiv", "regions": ["far_east"]},
                {"id": "m", "name": "Mińsk & Co", "regions": ["far_east"]},
                {
                    "id": "v",
                    "name": "Vienna",
                    "regions": ["west", "far_east"],
                    "colour": "white",
                    "lon": 16.37,
                    "lat": 48.21,
                },
            ],
            "cards": [["l", "w"], ["p", "k"], ["m", "b"], ["v", "v"], ["b", "l"]],
        }
    }


# Files.


def test_a_file_has_a_row_for_each_city_and_one_for_each_card(tmp_path: Path) -> None:
    own = Deck.from_csv(str(written(tmp_path, TINY)), str(written(tmp_path, TINY_CARDS, "c.csv")))
    assert own.name == "own"
    assert own.cities[1] == City("p", "Paris", ("West",), "light blue", 2.35, 48.86)
    assert own.cities[6] == City("v", "Vienna", ("West", "Far East"), "white", 16.37, 48.21)
    assert own.cards[1] == Card(own.cities[1], own.cities[4])
    assert texts(own) == "London/Warsaw Paris/Kyiv Mińsk & Co/Berlin Vienna Berlin/London"


@cases(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(";", "|"),
        lambda text: text.replace(";", "|").replace(",", ";").replace(".", ","),
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace("name,", " NAME ,").replace("front,", "Front ,"),
        lambda text: text.replace("colour", "Color").replace("regions,", "Region,"),
        lambda text: text.replace(",link", ",Link").replace(",region,", ", REGION ,"),
        lambda text: text.replace("west", "West").replace("far_east", "Far East"),
        lambda text: text.replace("west;far_east", " west ; |far-east; "),
        lambda text: text.replace("region,", ",").replace("link,", ","),
        lambda text: text.replace("Berlin,region,west,light blue", "Berlin,region,west,"),
        lambda text: text.replace("Paris,region,west,light", "Paris,region,west,Light"),
        lambda text: text.replace("\n", ",\n") + ",,,\n\n" * (text[0] == "c"),
        lambda text: text.replace("\n", ",x\n").replace(",x", ",note", 1),
        lambda text: text.replace("Paris", '"Paris "').replace("Kyiv", "Kyiv\x1b"),
        lambda text: text.replace("3,v,v", "17,Vienna,").replace("1,p,k", ",PARIS,kyiv"),
        lambda text: text.replace("3,v,v", "3,,v").replace("2,m", "2,minsk and CO"),
    ],
)
def test_spreadsheets_and_people_may_write_the_files_their_way(tmp_path: Path, change: Any) -> None:
    plain = read(tmp_path)
    cities, cards = change(TINY), change(TINY_CARDS)
    assert (cities, cards) != (TINY, TINY_CARDS)
    assert read(tmp_path, cities, cards) == plain


def test_columns_may_stand_in_any_order_and_most_be_left_out(tmp_path: Path) -> None:
    cities = "regions,name\nw,Öst & Ende\nw,B\nw,C\n"
    own = read(tmp_path, cities, "back,front\nC,ost and ende\n")
    assert own == Deck.build({"W": ["Öst & Ende", "B", "C"]}, cards=[("Öst & Ende", "C")])
    assert own.cities[0] == City("ost_and_ende", "Öst & Ende", ("W",))
    by_id = read(tmp_path, "id,regions\nx,w\ny,w\nz,w\n", "front,back\nx,y\n")
    assert [(city.id, city.name) for city in by_id.cities] == [("x", "x"), ("y", "y"), ("z", "z")]


def test_without_cards_they_are_made_as_in_python(tmp_path: Path) -> None:
    own = read(tmp_path, TINY, None)
    assert [(card.front.id, card.back.id) for card in own] == [
        (card.front.id[0], card.back.id[0]) for card in Deck.build(REGIONS, LINKS)
    ]


def test_a_deck_survives_files(tmp_path: Path) -> None:
    odd = Deck.build(
        {'A "quoted", name\n': ['x, "y"; z\n', "b|c", "ü"], "Île-de-France": ["1", "2", "3"]},
        {"L": ["ile de france", "a quoted name"]},
        [("ü", "1"), ("b|c", "2")],
        colours={"Île-de-France": "#ff0000, half"},
        points={"1": (-180, 90), "ü": (0.1, -1e-7)},
    )
    cardless = dataclasses.replace(odd, cards=odd.cards[:1])
    for own in (WORLD, odd, cardless, Deck.build(many(8, 5))):
        own.to_csv(tmp_path / "own.csv", tmp_path / "cards.csv")
        again = Deck.from_csv(tmp_path / "own.csv", tmp_path / "cards.csv")
        assert again == own
        assert again.regions == own.regions


def test_a_region_is_called_as_it_is_written_first() -> None:
    for text, (key, name) in {
        "Isle of Man": ("isle_of_man", "Isle of Man"),
        "isle_of_man": ("isle_of_man", "Isle Of Man"),
        "the isle of man": ("the_isle_of_man", "the isle of man"),
        "USA": ("usa", "USA"),
        "usa": ("usa", "Usa"),
        " Île\n-de-France": ("ile_de_france", "Île -de-France"),
        "東京": ("東京", "東京"),
    }.items():
        own = Deck.build({text: ["a", "b", "c"]})
        assert own.regions == {key: name}
        assert own.cities[2].regions == (name,)
        option = own.option()
        assert isinstance(option, dict)
        assert option["custom"]["regions"] == [{"id": key, "name": name}]
        assert option["custom"]["cities"][2]["regions"] == [key]


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    path = written(tmp_path, TINY)
    for paths in ([tmp_path / "none.csv"], [path, tmp_path / "none.csv"]):
        with pytest.raises(FileNotFoundError):
            Deck.from_csv(*paths)


# Built in Python.


def test_a_deck_is_built_from_lists() -> None:
    own = Deck.build(
        {"West": ("London", "Paris", "Berlin"), "Far East": iter(["Warsaw", "Kyiv", "Minsk"])},
        {"Vienna": ["far east", "WEST"]},
        iter([["paris", "KYIV"], ("Minsk", "Paris"), ("London", "Paris")]),
        colours={"FAR-EAST": "dark red"},
        points={"kyiv": [30.52, 50], "Vienna": (np.float64(16.37), np.int64(48))},  # type: ignore[dict-item]
        name="two",
    )
    assert own.name == "two"
    assert own.cities[0] == City("london", "London", ("West",))
    assert own.cities[4] == City("kyiv", "Kyiv", ("Far East",), "dark red", 30.52, 50.0)
    assert own.links == (City("vienna", "Vienna", ("Far East", "West"), "", 16.37, 48.0),)
    assert texts(own) == "Paris/Kyiv Minsk/Paris London/Paris Vienna"
    assert json.loads(json.dumps(own.option())) == own.option()


def test_linking_cards_stand_where_they_are_listed_or_at_the_end() -> None:
    links = {**LINKS, "Riga": ["Far East", "West"], "Oslo": ["West", "Far East"]}
    own = Deck.build(REGIONS, links, ["Riga", ("London", "Paris"), ("Oslo", "oslo")])
    assert texts(own) == "Riga London/Paris Oslo Vienna"


def test_names_lose_what_cannot_be_shown() -> None:
    own = Deck.build({" W\x00\n": [" A\n\u00a0 \tB\x00\x1b\ud800 ", "c", "d"]})
    assert (own.cities[0].name, own.regions) == ("A B", {"w": "W"})


@cases(
    ("regions", "links", "pairs", "same"),
    [(1, 0, 1, 3), (2, 1, 3, 2), (3, 2, 3, 0), (6, 5, 12, 0), (12, 4, 24, 0), (12, 13, 21, 0)],
)
def test_cards_are_made_of_different_regions_and_show_every_city(
    regions: int, links: int, pairs: int, same: int
) -> None:
    size = 3 if regions < 3 else 5
    joined = {f"L{n}": [f"R{n % regions}", f"R{(n + 1) % regions}"] for n in range(links)}
    own = Deck.build(many(regions, size), joined)
    cards = [card for card in own if not card.is_link]
    assert len(cards) == min(regions * size, 64 - links)
    assert [card.front for card in own if card.is_link] == list(own.links)
    assert [card.front for card in cards] == list(own.cities[: len(cards)])
    assert all(own.cards_of(city) for city in own.cities)
    assert len({frozenset((card.front, card.back)) for card in cards}) == len(cards)
    met = [frozenset(card.front.regions + card.back.regions) for card in cards]
    assert (len(set(met)), sum(len(pair) == 1 for pair in met)) == (pairs, same)


def test_cards_are_made_in_the_documented_way() -> None:
    """Four steps: fewer than three would stay in a region, three would meet the next one alone."""
    own = Deck.build({region: list(region) for region in ("abc", "def", "ghi", "jkl")})
    assert texts(own) == "a/e b/f c/g d/h e/i f/j g/k h/l i/a j/b k/c l/d"


def test_every_city_is_on_a_card_as_long_as_two_sides_are_enough() -> None:
    full = Deck.build(many(16, 8))
    assert (len(full), len(full.cities)) == (64, 128)
    assert {len(full.cards_of(city)) for city in full.cities} == {1}
    assert build_problems(many(16, 7), links(9)) == (
        "custom: 112 cities are too many for 55 cards beside the links"
    )


@cases(
    ("arguments", "message"),
    [
        ({"regions": ["Paris"]}, "regions is a mapping from names to cities, got ['Paris']"),
        ({"regions": {3: ["Paris"]}}, "one of the regions is named by a string, got 3"),
        ({"regions": {"West": "Paris"}}, "regions, West: a list of cities, got 'Paris'"),
        ({"regions": {"West": 3}}, "regions, West: a list of cities, got 3"),
        ({"regions": {"West": [3]}}, "one of the cities is named by a string, got 3"),
        ({"links": ["Vienna"]}, "links is a mapping from names to regions, got ['Vienna']"),
        ({"links": {"Vienna": "West"}}, "links, Vienna: a list of regions, got 'West'"),
        ({"cards": "Paris"}, "cards is a list of pairs of cities, got 'Paris'"),
        ({"cards": 3}, "cards is a list of pairs of cities, got 3"),
        ({"cards": {"Paris": "Kyiv"}}, "cards is a list of pairs of cities, got {'Paris': 'Kyiv'}"),
        ({"cards": [3]}, "card 1: a list of cities, got 3"),
        ({"cards": ["Paris", ("Kyiv", 3)]}, "one of the cities is named by a string, got 3"),
        ({"colours": ["red"]}, "colours is a mapping from names to colours, got ['red']"),
        ({"colours": {"West": 3}}, "a colour is named by a string, got 3"),
        ({"points": [(2, 48)]}, "points is a mapping from names to points, got [(2, 48)]"),
        ({"points": {"Paris": 2}}, "points, Paris: a longitude and a latitude, got 2"),
        ({"points": {"Paris": (2,)}}, "points, Paris: a longitude and a latitude, got (2,)"),
    ],
)
def test_other_types_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        Deck.build(**{"regions": REGIONS, **arguments})
    assert str(caught.value) == message


# What can be wrong with files.


@cases(
    ("cities", "cards", "message"),
    [
        ("", TINY_CARDS, "own.csv: the file is empty"),
        (TINY, " \n", "cards.csv: the file is empty"),
        ("", "", "own.csv: the file is empty\ncards.csv: the file is empty"),
        (CITIES, CARDS, "own.csv: no cities"),
        (CITIES, None, "own.csv: no cities"),
        (TINY, CARDS, "cards.csv: no cards"),
        (
            TINY.replace("ń", "\xf4").encode("latin-1"),
            TINY_CARDS,
            'own.csv, row 7: byte 0xf4 is not UTF-8; save the file as "CSV UTF-8"',
        ),
        (TINY, CARDS + '0,"l,w\n', "cards.csv, line 2: unexpected end of data"),
        (
            "town,area\nParis,west\n",
            "card,front\n0,p\n",
            'own.csv: no column "name" or "id"; the columns are town, area\n'
            'own.csv: no column "regions"; the columns are town, area\n'
            'cards.csv: no column "back"; the columns are card, front',
        ),
        (
            TINY.replace("kind,regions", "region,regions"),
            TINY_CARDS,
            'own.csv: 2 columns "regions"',
        ),
        (
            TINY.replace("light blue,,\n", "light blue,\n"),
            TINY_CARDS + "5,p\n",
            "own.csv, row 4: 6 fields, expected 7\ncards.csv, row 7: 2 fields, expected 3",
        ),
    ],
)
def test_files_that_are_no_tables_are_refused(
    tmp_path: Path, cities: str | bytes, cards: str | None, message: str
) -> None:
    assert problems(tmp_path, cities, cards) == message


@cases(
    ("row", "message"),
    [
        (",LONDON,,west,,,", ' (LONDON): the name "LONDON" is taken by own.csv, row 2 (London)'),
        ("x/y,X,,west,,,", " (X): a / in the name, which separates the sides of a card"),
        ("x,X,link,west,,,", " (X): a link joins 2 or 3 regions, not 1 (CONN-2)"),
        ("x,X,,west;?,,,", ' (X): the region "?" has no letter and no digit'),
        (
            "x,X,,west;far est,,,",
            ' (X): joins "far est", a region without cities; did you mean Far East?',
        ),
        ("x,X,,west,red,,", ' (X): the colour "red" of West is "light blue" elsewhere'),
        ("x,X,,west,,180.1,-90", " (X): lon 180.1 is not between -180 and 180"),
    ],
)
def test_a_wrong_city_is_refused(tmp_path: Path, row: str, message: str) -> None:
    for cards in (TINY_CARDS, None):
        assert problems(tmp_path, f"{TINY}{row}\n", cards) == f"own.csv, row 9{message}"


def test_four_regions_are_too_many(tmp_path: Path) -> None:
    more = "".join(
        f"{name},{name},,{name[0]},,,\n" for name in ["x1", "x2", "x3", "y1", "y2", "y3"]
    )
    for kind, message in (
        ("", "4 regions, 1 to 3 are allowed (CONN-2)"),
        ("link", "a link joins 2 or 3 regions, not 4 (CONN-2)"),
        ("region", 'kind "region", but 4 regions'),
    ):
        text = f"{TINY}{more}z,Z,{kind},x;y;west;far_east,,,\n"
        assert problems(tmp_path, text) == f"own.csv, row 15 (Z): {message}"
    assert len(read(tmp_path, f"{TINY}{more}z,Z,,x;y;west,,,\n").links) == 2


@cases(
    ("row", "message"),
    [
        ("5,,", ": 0 cities, expected 2"),
        ("5,l,Pariss", ' (l/Pariss): "Pariss" is no city; did you mean Paris?'),
        (
            "5,xyzzy,west",
            ' (xyzzy/west): "xyzzy" is no city\n'
            'cards.csv, row 7 (xyzzy/west): "west" is no city; that is a region',
        ),
        (
            "5,l,v",
            " (l/v): linking cities are on both sides or on none, not London and Vienna (CONN-2)",
        ),
        ("5,p,", " (p): Paris, which is no linking city, on both sides (CONN-1)"),
        ("5,Kyiv,Paris", " (Kyiv/Paris): the same card as cards.csv, row 3 (p/k)"),
    ],
)
def test_a_wrong_card_is_refused(tmp_path: Path, row: str, message: str) -> None:
    assert problems(tmp_path, TINY, f"{TINY_CARDS}{row}\n") == f"cards.csv, row 7{message}"


LINKED = {**LINKS, "Prague": ["Far East", "West"], "Riga": ["West", "Far East"]}
TWO_FACED = [("London", "Kyiv"), ("Vienna", "Prague"), ("Prague", "Riga"), "Riga"]


def test_linking_cards_may_have_two_faces(tmp_path: Path) -> None:
    own = Deck.build(REGIONS, LINKED, TWO_FACED)
    assert texts(own) == "London/Kyiv Vienna/Prague Prague/Riga Riga"
    assert texts(own.cards_of("prague")) == "Vienna/Prague Prague/Riga"
    assert [card.is_link for card in own] == [False, True, True, True]
    own.to_csv(tmp_path / "cities.csv", tmp_path / "cards.csv")
    assert Deck.from_csv(tmp_path / "cities.csv", tmp_path / "cards.csv") == own
    rest = Deck.build(REGIONS, LINKED, TWO_FACED[:2])
    assert texts(rest) == "London/Kyiv Vienna/Prague Riga"


def test_either_face_of_a_linking_card_is_played() -> None:
    cities = [city for region in many(5, 5).values() for city in region]
    pairs = [(cities[n], cities[(n + 7) % 25]) for n in range(25)]
    joins = {"Hub": ["R0", "R1"], "Inn": ["R0", "R2"]}
    deck = Deck.build(many(5, 5), joins, [*pairs, ("Hub", "Inn")])
    laid = [str(card) for card in deck.cards[:3]]
    position = {"hands": [["Hub/Inn"], [], []], "laid": [laid, [], []], "sets": [["r0"], [], []]}
    match = Match("connections", position=json.dumps(position), deck=deck, trading=False)
    assert match.legal()[-3:] == ["play Hub/Inn", "play Inn/Hub", "draw"]
    match.play("play Inn")
    assert [link["city"] for link in match.view("all")["links"]] == ["inn"]


def test_rows_are_counted_as_in_a_spreadsheet(tmp_path: Path) -> None:
    text = TINY.replace("London", '"London\n"') + "\nx,X,,west,,9,99\n"
    assert problems(tmp_path, text) == ("own.csv, row 10 (X): lat 99 is not between -90 and 90")


def test_problems_of_both_files_are_kept_and_ten_are_shown(tmp_path: Path) -> None:
    cities = TINY + "".join(f"r{n},r{n},,,,,\n" for n in range(9, 17))
    cards = TINY_CARDS + "".join(f"{n},l,q{n}\n" for n in range(7, 12))
    rows = [
        *(f"own.csv, row {n} (r{n}): 0 regions, 1 to 3 are allowed (CONN-2)" for n in range(9, 17)),
        *(f'cards.csv, row {n} (l/q{n}): "q{n}" is no city' for n in range(7, 12)),
    ]
    with pytest.raises(DeckError) as caught:
        read(tmp_path, cities, cards)
    assert caught.value.problems == tuple(rows)
    assert str(caught.value).split("\n") == [*rows[:10], "and 3 more"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (DeckError, str(caught.value))
    assert isinstance(again, ValueError)


# What can be wrong in Python.


@cases(
    ("arguments", "message"),
    [
        ({"regions": {}}, "custom: no cities"),
        ({"cards": []}, "custom: no cards"),
        ({"regions": {**REGIONS, "North": []}}, "region 3 (North): no cities"),
        (
            {"regions": {**REGIONS, "North": ["Oslo", "Bergen"]}},
            "city 7 (Oslo): the region North has 2 cities, 3 are needed (CONN-6)",
        ),
        (
            {"regions": {**REGIONS, "North": ["Oslo", "paris", " "]}},
            'city 8 (paris): the name "paris" is taken by city 2 (Paris)\n'
            "city 9: the name is empty",
        ),
        (
            {"links": {"Vienna": ["West"], "Paris": ["West", "Far East"], "Riga": []}},
            "link 1 (Vienna): a link joins 2 or 3 regions, not 1 (CONN-2)\n"
            'link 2 (Paris): the name "Paris" is taken by city 2 (Paris)\n'
            "link 3 (Riga): a link joins 2 or 3 regions, not 0 (CONN-2)",
        ),
        (
            {"links": {"Vienna": ["West", "Fareast", "North"]}},
            'link 1 (Vienna): joins "Fareast", a region without cities; did you mean Far East?\n'
            'link 1 (Vienna): joins "North", a region without cities',
        ),
        (
            {"cards": ["Paris", (), ("Paris", ""), "Kiev"]},
            "card 1 (Paris): Paris, which is no linking city, on both sides (CONN-1)\n"
            "card 2: 0 cities, expected 2\n"
            'card 3 (Paris/): "" is no city\n'
            'card 4 (Kiev): "Kiev" is no city; did you mean Kyiv?',
        ),
        (
            {"links": LINKS, "cards": ["Vienna", ("Vienna", "Vienna")]},
            "card 2 (Vienna/Vienna): the same card as card 1 (Vienna)",
        ),
        (
            {"colours": {"Wst": "red"}, "points": {"Pariss": (2, 48), "Kyiv": (200, None)}},
            'colours: "Wst" is no region; did you mean West?\n'
            'points: "Pariss" is no city; did you mean Paris?\n'
            "city 5 (Kyiv): lon 200 is not between -180 and 180\n"
            "city 5 (Kyiv): lon without lat",
        ),
    ],
)
def test_a_wrong_deck_in_python_is_refused(arguments: Any, message: str) -> None:
    assert build_problems(**{"regions": REGIONS, **arguments}) == message


def links(number: int) -> dict[str, list[str]]:
    """Return so many linking cities."""
    return {f"L{n}": ["R0", "R1"] for n in range(number)}


PAIRS = [("r0 c0", f"r{r} c{c}") for r in range(1, 8) for c in range(7)]
FULL = Deck.build(many(16, 7), links(16), PAIRS[:48])
"""As large as a deck may be."""


def test_a_deck_has_limits() -> None:
    assert (len(FULL), len(FULL.cities), len(FULL.regions), len(FULL.links)) == (64, 128, 16, 16)
    pairs = [(f"r0 c{a}", f"r1 c{b}") for a in range(8) for b in range(8)]
    for deck, message in [
        ((many(2, 8), links(1), pairs), "65 cards, at most 64"),
        ((many(16, 8), links(1), PAIRS), "129 cities, at most 128"),
        ((many(2, 7), links(17), PAIRS[:7]), "17 links, at most 16"),
        ((many(17, 7), {}, PAIRS), "17 regions, at most 16"),
    ]:
        assert build_problems(*deck) == f"custom: {message} are allowed"
    assert build_problems(many(43, 3)) == (
        "custom: 129 cities, at most 128 are allowed\ncustom: 43 regions, at most 16 are allowed"
    )


# The option ``deck``: a shipped name or a Deck, wherever a game's options are taken.


OWN = Deck.build(
    {
        "North": ["Ålesund", "Saint Ann", "To", "No"],
        "Far East": ["Pass", "Draw +1", "Xi'an & Co", "Set"],
        "South": ["Play", "São Tomé", "Take", "Any to +2"],
        "West": ["42", "Join", "Accept", "Discard"],
        "Mid": ["Offer", "Answer", "Announce", "Invite"],
        "Isle of Man": ["東京", "B", "C-D", "E (F)"],
    },
    {
        "Hub": ["North", "Far East", "South"],
        "Hub 2": ["West", "Mid"],
        "Invite Hub": ["Isle of Man", "North"],
    },
    colours={"North": "red", "Far East": "#00ff00"},
    points={"To": (-180, 90), "Hub": (0.5, -12.25)},
    name="own",
)
"""Cities that are called like decisions, and just enough cards for three."""

OPTIONS: dict[str, Any] = {"players": 3, "max_turns": 9}


@cases("deck", [WORLD, OWN])
def test_a_deck_is_played_as_it_is_described(deck: Deck) -> None:
    match = Match("connections", deck=deck, **OPTIONS)
    view = match.view()
    colours = {city.regions: city.colour or None for city in deck.cities}
    assert view["regions"] == [
        {"id": region, "name": name, "colour": colours[name,]}
        for region, name in deck.regions.items()
    ]
    keys = ("id", "name", "lon", "lat")
    assert [[city[key] for key in (*keys, "regions")] for city in view["cities"]] == [
        [*(getattr(city, key) for key in keys), list(map(ident, city.regions))]
        for city in deck.cities
    ]
    hands = match.view("all")["hands"]
    assert {card for hand in hands for card in hand["held"]} <= set(map(str, deck))
    assert view["pile"] == len(deck) - 24
    assert match.spec.actions["discard"].labels == tuple(map(str, deck))


@pytest.mark.smoke
def test_every_decision_with_odd_names_is_read_back() -> None:
    match = Match("connections", deck=OWN, **OPTIONS)
    for action in range(match.spec.actions.size):
        assert match.action_id(match.notation(action)) == action


def altered(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Return the data of our own deck, changed."""
    option = copy.deepcopy(OWN.option())
    assert isinstance(option, dict)
    change(option["custom"])
    return option


def city(name: str, *regions: str) -> dict[str, Any]:
    return {"id": name, "name": name, "regions": list(regions)}


@cases(
    ("change", "message"),
    [
        (lambda data: data.pop("name"), "deck.custom: missing field `name`"),
        (
            lambda data: data["regions"].append({"id": "x", "name": "X"}),
            'deck: region 7 (X): no city is of the region "x"',
        ),
        (lambda data: data["regions"][0].update(name="Mid"), 'two regions are called "Mid"'),
        (lambda data: data.update(cards=[]), "deck: own: no cards"),
        (
            lambda data: data.update(cards=data["cards"][:24]),
            "deck: 24 cards are too few for 3 players with 8 each (CONN-3)",
        ),
        (
            lambda data: data["cards"].append(["to", "oz"]),
            'deck: card 28 (to/oz): "oz" is no city',
        ),
        (lambda data: data["cards"].append(["to"]), "deck.custom.cards[27]: invalid length 1"),
        (
            lambda data: data["cities"].extend([city("TO", "mid"), city("x", *"abcd")]),
            'deck: city 28 (TO): the name "TO" is taken by city 3 (To)\n'
            "city 29 (x): 4 regions, 1 to 3 are allowed (CONN-2)\n"
            'city 29 (x): joins "A", a region without cities',
        ),
        (lambda data: data["cities"][0].update(size=3), "unknown `size`"),
        (
            lambda data: data["cities"].extend(city(f"x{n}", "mid") for n in range(102)),
            "deck: own: 129 cities, at most 128 are allowed",
        ),
        (lambda data: data["cards"].extend([["to", "no"]] * 38), "own: 65 cards, at most 64"),
    ],
)
def test_a_deck_that_contradicts_itself_is_refused(change: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^connections: .*{re.escape(message)}"):
        Match("connections", deck=altered(change), **OPTIONS)


@cases("deck", ["moon", 7, None, ["world-cities"], {"own": {}}])
def test_what_is_no_deck_is_refused(deck: Any) -> None:
    with pytest.raises(ValueError, match=r"^connections: .*deck"):
        Match("connections", deck=deck)


@cases(("players", "cards"), [(3, 25), (4, 29), (5, 31), (6, 31)])
def test_a_deck_needs_more_cards_than_are_dealt(players: int, cards: int) -> None:
    deck = Deck.build(many(8, 4))
    for number in (cards - 1, cards):
        part = dataclasses.replace(deck, cards=deck.cards[:number])
        if number == cards:
            assert Match("connections", deck=part, players=players).view()["pile"] == 1
        else:
            with pytest.raises(ValueError, match=f"deck: {number} cards are too few"):
                Match("connections", deck=part, players=players)


def test_the_largest_deck_can_be_played() -> None:
    match = Match("connections", deck=FULL, players=6, max_turns=5)
    match.play_random()
    assert match.is_over


def test_a_table_with_too_many_rows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cities.csv").write_text(
        "name,regions\n" + "".join(f"x{n},r{n}\n" for n in range(100_000)), encoding="utf-8"
    )
    with pytest.raises(DeckError, match=r"^cities.csv: 100000 cities, at most 128 are allowed$"):
        Deck.from_csv(tmp_path / "cities.csv")

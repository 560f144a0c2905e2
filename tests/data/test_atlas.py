"""Atlases: loading, looking up, ways, parts, files, and every kind of wrong input."""

from __future__ import annotations

import copy
import csv
import dataclasses
import importlib
import itertools
import json
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from adjoin.data import atlas as module
from adjoin.data.atlas import (
    Atlas,
    AtlasError,
    NoPathError,
    Region,
    UnknownNameError,
    Water,
)
from scaffold import cases

if TYPE_CHECKING:
    from collections.abc import Callable

UK = Atlas.load("uk-counties")
WORLD = Atlas.load("world-countries")
US = Atlas.load("us-states")
DATA = Path(module.__file__).parent
KNOWN = {
    *("id", "name", "abbreviation", "nation", "edition", "also_in", "region"),
    *("lon", "lat", "borders", "waters", "col", "row"),
}
"""The columns of the tables that a region has fields for."""
BENELUX = """\
name,borders,waters
Belgium,Netherlands;Luxembourg,North Sea
Netherlands,Belgium,North Sea
Luxembourg,Belgium,
"""


every_atlas = pytest.mark.parametrize("atlas", [UK, WORLD, US], ids=lambda atlas: atlas.name)


def names(regions: Any) -> str:
    return " ".join(region.name for region in regions)


def written(folder: Path, text: str | bytes, name: str = "own.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(folder: Path, text: str | bytes, waters: str | None = None) -> str:
    """Return what is wrong with a file."""
    own = written(folder, text)
    sea = None if waters is None else written(folder, waters, "sea.csv")
    with pytest.raises(AtlasError) as caught:
        Atlas.from_csv(own, sea)
    return str(caught.value)


def build_problems(*arguments: Any) -> str:
    with pytest.raises(AtlasError) as caught:
        Atlas.build(*arguments)
    return str(caught.value)


# Names.


@cases(
    ("atlas", "text", "name"),
    [
        (UK, "kent", "Kent"),
        (UK, " KENT\t", "Kent"),
        (UK, "greater_london", "Greater London"),
        (UK, "Gtr Lon", "Greater London"),
        (UK, "gtrlon", "Greater London"),
        (UK, "tyne & wear", "Tyne and Wear"),
        (UK, "t and w", "Tyne and Wear"),
        (UK, "T&W", "Tyne and Wear"),
        (UK, "L'derry", "Londonderry"),
        (UK, "lderry", "Londonderry"),
        (UK, "east riding", "East Riding of Yorkshire"),
        (UK, "na h eileanan siar", "Na h-Eileanan Siar"),
        (WORLD, "turkiye", "Türkiye"),
        (WORLD, "cote divoire", "Côte d'Ivoire"),
        (WORLD, "COTE D’IVOIRE", "Côte d'Ivoire"),
        (WORLD, "st vincent & the grenadines", "Saint Vincent and the Grenadines"),
        (WORLD, "na", "Namibia"),
        (WORLD, "NAM", "Namibia"),
    ],
)
def test_a_region_is_found_by_id_name_or_abbreviation(atlas: Atlas, text: str, name: str) -> None:
    assert atlas[text].name == name
    assert atlas.region(text) is atlas[name]
    assert text in atlas


@every_atlas
def test_every_region_and_water_is_found_by_all_it_is_called(atlas: Atlas) -> None:
    for region in atlas:
        for text in (region.id, region.name, region.abbreviation, region):
            assert atlas[text] is region
            assert text in atlas
    for water in atlas.waters:
        assert atlas.water(water.id) is atlas.water(water.name) is atlas.water(water) is water
        assert water.name not in atlas


@cases(
    ("atlas", "text", "message"),
    [
        (UK, "Kant", 'no region "Kant" in uk-counties; did you mean Kent?'),
        (
            UK,
            "London",
            'no region "London" in uk-counties; did you mean Greater London, City of London or '
            "Londonderry?",
        ),
        (
            WORLD,
            "Korea",
            'no region "Korea" in world-countries; did you mean North Korea or South Korea?',
        ),
        (US, "xyzzy", 'no region "xyzzy" in us-states'),
        (US, "", 'no region "" in us-states'),
        (UK, "Irish Sea", 'no region "Irish Sea" in uk-counties; that is a water'),
        (UK, WORLD["France"], 'no region "France" in uk-counties'),
    ],
)
def test_an_unknown_region_is_named_with_those_near_it(
    atlas: Atlas, text: str, message: str
) -> None:
    with pytest.raises(UnknownNameError) as caught:
        atlas[text]
    assert str(caught.value) == message
    assert isinstance(caught.value, KeyError)
    assert text not in atlas


def test_an_unknown_water_nation_or_atlas_is_named_too() -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (
            lambda: UK.water("Bristol Chanel"),
            'no water "Bristol Chanel" in uk-counties; did you mean Bristol Channel?',
        ),
        (lambda: UK.water("Kent"), 'no water "Kent" in uk-counties; that is a region'),
        (
            lambda: UK.nation("Wessex"),
            'no nation "Wessex" in uk-counties; there are England, Scotland, Wales, '
            "Northern Ireland",
        ),
        (
            lambda: Atlas.build(["A"], []).nation("Wessex"),
            'no nation "Wessex" in custom; there are none',
        ),
        (
            lambda: Atlas.load("moon"),
            'no atlas "moon"; there are uk-counties, world-countries, us-states',
        ),
    ]
    for ask, message in cases:
        with pytest.raises(UnknownNameError) as caught:
            ask()
        assert str(caught.value) == message


def test_what_is_not_text_is_refused() -> None:
    unclear: Any = 3
    with pytest.raises(TypeError, match=r"^a region is named by a string, got 3$"):
        UK[unclear]
    with pytest.raises(TypeError, match=r"^a water is named by a string, got 3$"):
        UK.water(unclear)
    with pytest.raises(TypeError, match=r"^an atlas is named by a string, got 3$"):
        Atlas.load(unclear)
    assert unclear not in UK


def test_spaces_are_forgiven_only_if_one_thing_can_be_meant() -> None:
    atlas = Atlas.build(["New Port", "Newport", "Old Port"], [])
    assert atlas["new port"].name == "New Port"
    assert atlas["newport"].name == "Newport"
    assert atlas["oldport"].name == "Old Port"
    assert "ne wport" not in atlas


# What an atlas says.


@every_atlas
def test_an_atlas_has_the_rows_of_its_file(atlas: Atlas) -> None:
    with (DATA / f"{atlas.name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(atlas) == len(rows)
    for region, row in zip(atlas, rows, strict=True):
        assert (region.id, region.name) == (row["id"], row["name"])
        assert region.abbreviation == row["abbreviation"]
        assert (region.lon, region.lat) == (float(row["lon"]), float(row["lat"]))
        assert ";".join(sorted(region.borders)) == ";".join(sorted(row["borders"].split(";")))
        assert set(region.waters) == set(filter(None, row["waters"].split(";")))
        assert region.region == row.get("region", "")
        home = row.get("nation") or row.get("edition") or row["region"]
        assert region.nation == home
        assert region.nations == tuple(filter(None, (home, row.get("also_in"))))
        tile = (region.column, region.row)
        assert tile == ((int(row["col"]), int(row["row"])) if "col" in row else (None, None))
        further = [column for column in row if column not in KNOWN]
        assert region.extra == {column: row[column] for column in further}


def test_what_an_atlas_lists() -> None:
    assert UK.regions == tuple(UK)
    assert UK.names[:2] == ("Northumberland", "Tyne and Wear")
    assert UK.abbreviations[:2] == ("Northumb", "T&W")
    assert UK.nations == ("England", "Scotland", "Wales", "Northern Ireland")
    assert set(WORLD.nations) == {"Europe", "Africa", "Asia & Australasia", "Americas"}
    assert len(US.nations) == 9
    assert WORLD["Russia"].nations == ("Europe", "Asia & Australasia")
    assert WORLD["Kosovo"].extra["status"] == "partly recognised"
    assert UK.water("republic_of_ireland") == Water(
        "republic_of_ireland", "Republic of Ireland", "country", -8.0, 53.2
    )
    assert UK.centroids["kent"] == (UK["Kent"].lon, UK["Kent"].lat)
    assert UK.tiles["northumberland"] == (10, 9)
    assert (len(UK.centroids), len(UK.tiles), len(WORLD.tiles)) == (108, 108, 0)


def test_borders_and_waters_are_regions_in_the_order_of_the_atlas() -> None:
    assert names(UK.borders("kent")) == "Essex Surrey Greater London East Sussex"
    assert UK.borders("Shetland") == ()
    assert names(WORLD.touching("Black Sea")) == "Bulgaria Romania Russia Ukraine Georgia Türkiye"
    assert US.touching("Arctic Ocean") == (US["Alaska"],)
    assert len(UK.edges) == len(set(map(frozenset, UK.edges))) == 237
    assert (UK["Devon"], UK["Cornwall"]) in UK.edges


def test_an_atlas_shows_itself() -> None:
    assert repr(UK) == "<Atlas uk-counties: 108 regions, 237 borders, 7 waters>"
    assert repr(Atlas.build(["A"], [])) == "<Atlas custom: 1 region, 0 borders, 0 waters>"
    assert repr([UK["Kent"], UK.water("irish sea")]) == "[<Region Kent>, <Water Irish Sea>]"
    assert f"{UK['Kent']}, {UK.waters[0]}" == "Kent, North Sea"


def test_the_table_for_notebooks_is_well_formed_and_escaped() -> None:
    atlas = Atlas.build(["A <b>", {"name": "C", "nation": "X & Y"}], [("A <b>", "C")], name="&")
    table = ElementTree.fromstring(atlas._repr_html_())
    cells = [[cell.text or "" for cell in row] for row in table.iter("tr")]
    assert cells == [
        ["name", "abbreviation", "nation", "borders"],
        ["A <b>", "A <b>", "", "C"],
        ["C", "C", "X & Y", "A <b>"],
    ]
    assert table.findtext(".//caption") == "Atlas &: 2 regions, 1 border, 0 waters"


# Ways.


@pytest.mark.smoke
def test_a_path_crosses_as_few_borders_as_possible() -> None:
    way = UK.path("Cornwall", "Kent")
    assert names(way) == "Cornwall Devon Dorset Hampshire Surrey Kent"
    assert UK.distance("Cornwall", "Kent") == 5
    assert UK.paths("Cornwall", "Kent") == [way]
    assert UK.path("Kent", "Kent") == [UK["Kent"]]
    assert UK.paths("Kent", "Kent") == [[UK["Kent"]]]
    assert UK.distance("Kent", "Kent") == 0


@every_atlas
def test_paths_are_all_the_shortest_ways(atlas: Atlas) -> None:
    graph = atlas.to_networkx()
    networkx = importlib.import_module("networkx")
    order = {region.id: number for number, region in enumerate(atlas)}
    start = max(atlas.parts()[0], key=lambda region: len(region.borders))
    for end in atlas.parts()[0]:
        ways = atlas.paths(start, end)
        ids = [[region.id for region in way] for way in ways]
        assert sorted(ids) == sorted(networkx.all_shortest_paths(graph, start.id, end.id))
        places = [[order[i] for i in way] for way in ids]
        assert places == sorted(places)
        assert atlas.path(start, end) == ways[0]
        assert atlas.distance(start, end) == len(ways[0]) - 1


@cases(
    ("start", "end", "why"),
    [
        ("Kent", "Shetland", "Shetland is an island in uk-counties, it borders no region"),
        ("iow", "Kent", "Isle of Wight is an island in uk-counties, it borders no region"),
        ("Kent", "Antrim", "they lie in parts of uk-counties that are not connected"),
    ],
)
def test_where_no_way_leads_the_error_says_why(start: str, end: str, why: str) -> None:
    message = f"no way from {UK[start]} to {UK[end]}: {why}"
    for ask in (UK.path, UK.paths, UK.distance):
        with pytest.raises(NoPathError) as caught:
            ask(start, end)
        assert str(caught.value) == message
    with pytest.raises(UnknownNameError, match='no region "Kant"'):
        UK.path("Kent", "Kant")


def test_parts_are_the_connected_ones_the_largest_first() -> None:
    parts = UK.parts()
    assert [len(part) for part in parts] == [97, 6, 1, 1, 1, 1, 1]
    assert names(parts[1]) == "Antrim Londonderry Tyrone Fermanagh Armagh Down"
    assert names(p[0] for p in parts[2:]) == (
        "Isle of Wight Shetland Orkney Na h-Eileanan Siar Anglesey"
    )
    assert {region for part in parts for region in part} == set(UK)


# Parts of an atlas.


def test_a_part_has_no_borders_and_waters_outside() -> None:
    wales = UK.nation("wales")
    assert repr(wales) == "<Atlas uk-counties (Wales): 22 regions, 44 borders, 3 waters>"
    assert wales.names == tuple(r.name for r in UK if r.nation == "Wales")
    assert {border for region in wales for border in region.borders} <= {r.id for r in wales}
    assert {water for region in wales for water in region.waters} == {w.id for w in wales.waters}
    assert wales["Powys"].borders == tuple(
        border for border in UK["Powys"].borders if UK[border].nation == "Wales"
    )
    assert UK["Powys"] in wales
    assert UK["Kent"] not in wales


def test_a_part_can_be_chosen_by_nations_and_regions() -> None:
    assert UK.sub(nations=["Wales", "england", "Wales"]).name == "uk-counties (Wales, England)"
    assert Atlas.load("uk-counties", nations="Wales") == UK.nation("Wales")
    assert names(UK.sub(regions=["Kent", UK["Essex"], "kent"])) == "Essex Kent"
    assert names(UK.sub(nations="Wales", regions=["Kent", "Powys"])) == "Powys"
    assert UK.sub() == UK
    with pytest.raises(AtlasError, match=r"^uk-counties \(Wales\) \(part\): no regions$"):
        UK.sub(nations="Wales", regions=["Kent"])
    with pytest.raises(TypeError, match=r'^regions is a list of regions, got "Kent"$'):
        UK.sub(regions="Kent")


def test_countries_on_two_continents_are_in_both_editions() -> None:
    europe, asia = WORLD.edition("Europe"), WORLD.edition("Asia and Australasia")
    both = {region.name for region in europe} & {region.name for region in asia}
    assert both == {r.name for r in WORLD if len(r.nations) == 2} - {"Egypt"}
    assert len(both) == 7


# Values.


@every_atlas
def test_an_atlas_is_a_value(atlas: Atlas) -> None:
    atlas.path(atlas.regions[0], atlas.borders(atlas.regions[0])[0])
    for other in (pickle.loads(pickle.dumps(atlas)), copy.deepcopy(atlas), copy.copy(atlas)):
        assert other == atlas
        assert hash(other) == hash(atlas)
        assert repr(other) == repr(atlas)
        assert other[atlas.names[0]] == atlas.regions[0]
    assert atlas == dataclasses.replace(atlas, name="renamed")
    assert atlas != atlas.sub(regions=atlas.regions[1:])
    assert atlas != dataclasses.replace(atlas, waters=())


def test_nothing_of_an_atlas_can_be_changed() -> None:
    changes: list[tuple[Any, str]] = [(UK, "name"), (UK["Kent"], "lon"), (UK.waters[0], "kind")]
    for thing, field in changes:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, field, None)
    extra: Any = WORLD["France"].extra
    with pytest.raises(TypeError):
        extra["status"] = "gone"
    UK.centroids.clear()
    assert len(UK.centroids) == 108


def test_further_columns_are_a_value_too() -> None:
    one, two = US["Ohio"], Atlas.load("us-states", nations="East North Central")["Ohio"]
    assert one.extra == two.extra == {"also_called": "", "capital": "Columbus"}
    assert len({one.extra, two.extra}) == 1
    assert one.extra != US["Iowa"].extra
    assert repr(one.extra) == "{'also_called': '', 'capital': 'Columbus'}"


def test_names_in_another_language() -> None:
    gaelic = UK.names_in("gaelic")
    assert names(gaelic[key] for key in ("glasgow", "Fife", "Kent")) == "Glaschu Fìobha Kent"
    assert gaelic["Caerdydd"].name == "Cardiff"
    assert gaelic["Glaschu"].also_called == ("Glasgow",)
    assert UK["Glaschu"].name == "Glasgow"
    assert gaelic.names_in("usual").names == UK.names
    assert gaelic.noun == UK.noun
    custom = gaelic.option()
    assert isinstance(custom, dict)
    assert Atlas.from_option(custom)["Glasgow"].name == "Glaschu"
    assert US.languages == ()
    with pytest.raises(UnknownNameError, match='no names in "cy" in us-states: it has none'):
        US.names_in("cy")


def test_shipped_atlases_are_read_once() -> None:
    assert Atlas.shipped() == ("uk-counties", "world-countries", "us-states")
    assert Atlas.load("UK counties") is UK


# What a game takes.


def test_a_shipped_atlas_is_an_option_by_name(tmp_path: Path) -> None:
    for atlas in (UK, WORLD, US):
        assert atlas.option() == atlas.name
        atlas.to_csv(tmp_path / "own.csv", tmp_path / "sea.csv")
        assert Atlas.from_csv(tmp_path / "own.csv", tmp_path / "sea.csv").option() == atlas.name


def test_any_other_atlas_is_an_option_with_all_its_data() -> None:
    atlas = Atlas.build(
        [{"name": "East", "abbreviation": "E", "nation": "N", "also_in": "M"}, "West"],
        [("East", "West")],
        {"Salt Sea": ["West"], Water("land", "Land", "country"): ["East", "West"]},
        name="two",
    )
    option = atlas.option()
    assert json.loads(json.dumps(option)) == option
    assert option == {
        "custom": {
            "name": "two",
            "noun": "region",
            "regions": [
                {
                    "id": "east",
                    "name": "East",
                    "abbreviation": "E",
                    "nations": ["N", "M"],
                    "borders": ["west"],
                    "waters": ["land"],
                },
                {
                    "id": "west",
                    "name": "West",
                    "abbreviation": "West",
                    "nations": [],
                    "borders": ["east"],
                    "waters": ["salt_sea", "land"],
                },
            ],
            "waters": [
                {"id": "salt_sea", "name": "Salt Sea", "kind": "sea"},
                {"id": "land", "name": "Land", "kind": "country"},
            ],
        }
    }
    part = UK.nation("Wales").option()
    assert isinstance(part, dict)
    assert part["custom"]["name"] == "uk-counties (Wales)"


# Files.


def test_a_file_needs_only_names_and_borders(tmp_path: Path) -> None:
    atlas = Atlas.from_csv(str(written(tmp_path, BENELUX, "benelux.csv")))
    assert repr(atlas) == "<Atlas benelux: 3 regions, 2 borders, 1 water>"
    assert atlas["Belgium"] == Region(
        "belgium",
        "Belgium",
        "Belgium",
        borders=("netherlands", "luxembourg"),
        waters=("north_sea",),
    )
    assert atlas.waters == (Water("north_sea", "North Sea"),)
    assert (atlas.nations, atlas.centroids, atlas.tiles) == ((), {}, {})


def test_a_file_may_have_ids_alone(tmp_path: Path) -> None:
    atlas = Atlas.from_csv(written(tmp_path, "id,borders,waters\nA1,b_2,bay_of_x\nb_2,a1,\n"))
    assert atlas.regions == (
        Region("A1", "A1", "A1", borders=("b_2",), waters=("bay_of_x",)),
        Region("b_2", "b_2", "b_2", borders=("A1",)),
    )
    assert atlas.waters == (Water("bay_of_x", "Bay of X"),)


def test_names_ids_and_abbreviations_may_be_listed(tmp_path: Path) -> None:
    text = (
        "id,name,abbreviation,borders\nx,Saint A,SA,Y; cc\ny,B & B,BB,st a|CC\nz,Côte,CC,x;b and b"
    )
    atlas = Atlas.from_csv(written(tmp_path, text))
    assert [region.borders for region in atlas] == [("y", "z"), ("x", "z"), ("x", "y")]


@cases(
    "text",
    [
        BENELUX,
        "\ufeff" + BENELUX,
        BENELUX.replace("\n", "\r\n"),
        "\ufeff" + BENELUX.replace("\n", "\r\n"),
        BENELUX.rstrip("\n"),
        BENELUX.replace(";", "|").replace(",", ";"),
        BENELUX.replace("Netherlands;Luxembourg", '"Netherlands ; Luxembourg;"').replace(",", "\t"),
        BENELUX.replace("Netherlands;Luxembourg", '"Netherlands;Luxembourg"').replace(",", ";"),
        BENELUX.replace("Netherlands;Luxembourg", '"Netherlands|Luxembourg"').replace(",", ";"),
        BENELUX.replace("name,borders,waters", " Name , BORDERS ,Waters"),
        BENELUX.replace("\n", ",\n") + ",,,\n\n",
        '"' + BENELUX.replace("\n", '"\n"').replace(",", '","')[:-1],
    ],
)
def test_spreadsheets_may_write_a_file_their_way(tmp_path: Path, text: str) -> None:
    plain = Atlas.from_csv(written(tmp_path, BENELUX, "plain.csv"))
    assert Atlas.from_csv(written(tmp_path, text)) == plain


def test_with_semicolons_a_comma_is_a_decimal_point(tmp_path: Path) -> None:
    atlas = Atlas.from_csv(written(tmp_path, "name;lon;lat;borders\nA;-2,5;50,25;\nB;1.5;2;\n"))
    assert atlas.centroids == {"a": (-2.5, 50.25), "b": (1.5, 2.0)}


def test_further_columns_are_kept(tmp_path: Path) -> None:
    text = "name,borders,nation,edition,People,kind\nA,,N,1st,12 000,x\nB,,N,,,\n"
    atlas = Atlas.from_csv(written(tmp_path, text))
    assert atlas["A"].extra == {"edition": "1st", "People": "12 000", "kind": "x"}
    assert atlas["B"].extra == {"edition": "", "People": "", "kind": ""}
    assert atlas.nations == ("N",)


@cases(
    ("columns", "nations"),
    [
        ("nation,edition,region,also_in", ("1", "4", "5")),
        ("x,edition,region,also_in", ("2", "4", "5")),
        ("x,y,region,z", ("3",)),
        ("x,y,z,also_in", ("4", "5")),
        ("x,y,z,w", ()),
    ],
)
def test_the_nation_is_the_nation_or_the_edition_or_the_region(
    tmp_path: Path, columns: str, nations: tuple[str, ...]
) -> None:
    atlas = Atlas.from_csv(written(tmp_path, f"name,borders,{columns}\nA,,1,2,3,4;5\n"))
    assert atlas["A"].nations == nations
    assert atlas["A"].nation == (nations[0] if nations else "")


@every_atlas
def test_an_atlas_survives_a_file(tmp_path: Path, atlas: Atlas) -> None:
    own, sea = tmp_path / "own.csv", tmp_path / "sea.csv"
    for part in (atlas, atlas.sub(nations=atlas.nations[1])):
        part.to_csv(own, sea)
        again = Atlas.from_csv(own, waters=sea)
        assert again == part
        assert again.name == "own"


def test_an_atlas_built_in_python_survives_a_file(tmp_path: Path) -> None:
    atlas = Atlas.build(
        {
            'A "quoted", name; with | all': {"nation": "N", "also_in": ["M", "L"], "note": "x\ny,"},
            "Ünïcode": {"lon": -1 / 3, "lat": 2e-7, "column": 0, "row": 12, "other": 3.5},
        },
        {"Ünïcode": ["a quoted name with all"], 'A "quoted", name; with | all': ["UNICODE"]},
        {"Sea; of | names": ["Ünïcode"], Water("w", "W", "country", 1.5, -2.5): []},
    )
    atlas.to_csv(tmp_path / "own.csv", tmp_path / "sea.csv")
    assert Atlas.from_csv(tmp_path / "own.csv", tmp_path / "sea.csv") == atlas


def test_without_a_file_of_waters_their_ids_survive(tmp_path: Path) -> None:
    UK.to_csv(tmp_path / "own.csv")
    atlas = Atlas.from_csv(tmp_path / "own.csv")
    assert atlas.regions[0] == UK.regions[0]
    assert {w.id: w.name for w in atlas.waters} == {w.id: w.name for w in UK.waters}
    assert {w.kind for w in atlas.waters} == {"sea"}


# Built in Python.


def test_borders_are_pairs_or_lists() -> None:
    regions = ["Belgium", "Netherlands", "Luxembourg"]
    seas = {"north_sea": ["netherlands", "belgium"]}
    pairs = Atlas.build(regions, [("luxembourg", "Belgium"), ["Belgium", "Netherlands"]], seas)
    lists = Atlas.build(
        [{"name": name} for name in regions],
        {"Netherlands": ["Belgium"], "Belgium": regions[1:], "Luxembourg": ("Belgium",)},
        seas.items(),
    )
    mapped = Atlas.build(
        {name: {"abbreviation": name[0]} for name in regions}, [("B", "N"), ("B", "L")], seas
    )
    assert pairs == lists
    assert pairs.name == "custom"
    assert pairs["Belgium"].borders == ("netherlands", "luxembourg")
    assert pairs.waters == (Water("north_sea", "North Sea"),)
    assert names(pairs.touching("north sea")) == "Belgium Netherlands"
    assert mapped.abbreviations == ("B", "N", "L")
    assert mapped.option()["custom"]["regions"][0]["borders"] == ["netherlands", "luxembourg"]  # type: ignore[index]


def test_regions_take_the_columns_of_a_file() -> None:
    columns = {"lon": 1, "lat": "2.5", "Column": 3, "row": 4, "nation": None, "Note": True}
    atlas = Atlas.build([{"id": "x", "name": "X X", "region": "R", **columns}, "Y"], [])
    assert atlas["X X"] == Region(
        *("x", "X X", "X X"),
        region="R",
        lon=1.0,
        lat=2.5,
        column=3,
        row=4,
        extra=module.Extra({"Note": "True"}),
    )
    assert atlas["Y"].extra == {"Note": ""}


def test_names_lose_what_cannot_be_shown() -> None:
    atlas = Atlas.build([" A\n\u00a0 \tB\x00\x1b\ud800 ", "ک‌ک"], [])
    assert atlas.names == ("A B", "ک‌ک")


def test_lists_that_are_texts_are_refused() -> None:
    wrong: Any = "AB"
    number: Any = 3
    for arguments, message in (
        ((wrong, []), 'regions is a list of regions, got "AB"'),
        ((["A", "B"], [wrong]), 'border 1 is a list of regions, got "AB"'),
        ((["A", "B"], {"A": wrong}), 'what borders A is a list of regions, got "AB"'),
        ((["A", "B"], [], {"Sea": wrong}), 'what touches Sea is a list of regions, got "AB"'),
        (([number], []), "a region is named by a string, got 3"),
        ((["A", "B"], [("A", number)]), "a region is named by a string, got 3"),
        ((["A"], [], {number: ["A"]}), "a water is named by a string, got 3"),
    ):
        with pytest.raises(TypeError) as caught:
            Atlas.build(*arguments)
        assert str(caught.value) == message


# What can be wrong with a file.


@cases(
    ("text", "message"),
    [
        # the file
        ("", "own.csv: the file is empty"),
        ("\ufeff\r\n \r\n", "own.csv: the file is empty"),
        ("name,borders\n", "own.csv: no regions"),
        ("name,borders\n,\n", "own.csv: no regions"),
        (
            b"name,borders\nA,\nC\xf4te,\n",
            'own.csv, row 3: byte 0xf4 is not UTF-8; save the file as "CSV UTF-8"',
        ),
        (
            "name,borders\nA,\n".encode("utf-16"),
            'own.csv, row 1: byte 0xff is not UTF-8; save the file as "CSV UTF-8"',
        ),
        ('name,borders\nA,"\nB,\n', "own.csv, line 3: unexpected end of data"),
        # columns and rows
        (
            "name;limites\nA;\n",
            'own.csv: no column "borders"; the columns are name, limites',
        ),
        ("name,borders,col,column\nA,,1,1\n", 'own.csv: 2 columns "col"'),
        ("name,borders\nA\nB,\n", "own.csv, row 2: 1 field, expected 2"),
        # names
        (
            "name,borders\nA,B\nB,A\na,B\n",
            'own.csv, row 4 (a): the name "a" is taken by own.csv, row 2 (A)',
        ),
        (
            "name,borders,nation\nA,,Wales\nB,,wales\n",
            'own.csv, row 3 (B): the nation "wales" is spelled "Wales" elsewhere',
        ),
        # borders and waters
        (
            "name,borders\nA,B\nB,\n",
            "own.csv, row 2 (A): borders B, but B does not border A",
        ),
        (
            "name,borders\nAlpha,Betta\nBeta,\n",
            'own.csv, row 2 (Alpha): borders "Betta", which is no region; did you mean Beta?',
        ),
        (
            'name,borders\nA,"B,C"\nB,\nC,\n',
            'own.csv, row 2 (A): borders "B,C", which is no region; lists are separated by ; or |',
        ),
        (
            "name,borders,waters\nA,,B\nB,,\n",
            'own.csv, row 2 (A): touches "B", which is no water; that is a region',
        ),
        # points and tiles
        (
            "name,borders,lon,lat\nA,,-180.1,90\nB,,x,\n",
            "own.csv, row 2 (A): lon -180.1 is not between -180 and 180\n"
            'own.csv, row 3 (B): lon "x" is not a number\n'
            "own.csv, row 3 (B): lon without lat",
        ),
        (
            "name,borders,col,row\nA,,1,2\nB,,1,2\n",
            "own.csv, row 3 (B): its tile, col 1, row 2, is taken by own.csv, row 2 (A)",
        ),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    assert problems(tmp_path, text) == message


@cases(
    ("waters", "message"),
    [
        ("", "sea.csv: the file is empty"),
        ("kind\nsea\n", 'sea.csv: no column "name" or "id"; the columns are kind'),
        (
            "name,kind\nNorth Sea,lake\nBelgium,\n",
            'sea.csv, row 2 (North Sea): kind "lake" is neither "sea" nor "country"\n'
            'sea.csv, row 3 (Belgium): the name "Belgium" is taken by own.csv, row 2 (Belgium)',
        ),
        (
            "name\nNorth Se\n",
            'own.csv, row 2 (Belgium): touches "North Sea", which is no water; '
            "did you mean North Se?\n"
            'own.csv, row 3 (Netherlands): touches "North Sea", which is no water; '
            "did you mean North Se?",
        ),
    ],
)
def test_a_wrong_file_of_waters_is_refused(tmp_path: Path, waters: str, message: str) -> None:
    assert problems(tmp_path, BENELUX, waters) == message


def test_both_files_are_looked_at(tmp_path: Path) -> None:
    assert problems(tmp_path, "name,borders\nA\n", "kind\n") == (
        "own.csv, row 2: 1 field, expected 2\n"
        'sea.csv: no column "name" or "id"; the columns are kind'
    )
    assert problems(tmp_path, "", "\n") == "own.csv: the file is empty\nsea.csv: the file is empty"


def test_rows_are_counted_as_in_a_spreadsheet(tmp_path: Path) -> None:
    text = 'name,borders\n"A\nA",\n\nB,x\n'
    assert problems(tmp_path, text) == 'own.csv, row 4 (B): borders "x", which is no region'


def test_all_problems_are_kept_and_ten_are_shown(tmp_path: Path) -> None:
    rows = [f"own.csv, row {n} (r{n}): r{n} borders itself" for n in range(2, 15)]
    with pytest.raises(AtlasError) as caught:
        Atlas.from_csv(
            written(tmp_path, "name,borders\n" + "".join(f"r{n},r{n}\n" for n in range(2, 15)))
        )
    assert caught.value.problems == tuple(rows)
    assert str(caught.value).split("\n") == [*rows[:10], "and 3 more"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (AtlasError, str(caught.value))
    assert isinstance(again, ValueError)


def test_an_atlas_has_at_most_254_regions_and_waters(tmp_path: Path) -> None:
    def text(regions: int) -> str:
        return "name,borders,waters\n" + "".join(f"r{n},,s{n % 4}\n" for n in range(regions))

    assert len(Atlas.from_csv(written(tmp_path, text(250)))) == 250
    assert problems(tmp_path, text(251)) == (
        "own.csv: 255 regions and waters, at most 254 are allowed"
    )
    assert build_problems([f"r{n}" for n in range(300)], []) == (
        "custom: 300 regions and waters, at most 254 are allowed"
    )


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Atlas.from_csv(tmp_path / "none.csv")


# What can be wrong in Python.


@cases(
    ("arguments", "message"),
    [
        (([], []), "custom: no regions"),
        ((["A", "A"], []), 'region 2 (A): the name "A" is taken by region 1 (A)'),
        (([{"abbreviation": "A"}], []), "region 1: the name is empty"),
        (
            ([{"name": "A", "borders": "B", "waters": ""}], []),
            "region 1 (A): borders are given apart from the regions\n"
            "region 1 (A): waters are given apart from the regions",
        ),
        (
            (["Alpha", "Beta"], [("Alpha", "Betta"), ("Alpha",)]),
            'border 1 (Alpha - Betta): names "Betta", which is no region; did you mean Beta?\n'
            "border 2: 1 region, expected 2",
        ),
        ((["A", "B"], {"A": ["B"]}), "region 1 (A): borders B, but B does not border A"),
        ((["A"], {"C": []}), 'borders: names "C", which is no region'),
        ((["A"], [], {"S": ["A", "a"]}), "water 1 (S): A and S are listed twice"),
        ((["A"], [], {"a": []}), 'water 1 (A): the name "A" is taken by region 1 (A)'),
        (
            (["A"], [], {Water("s", "S", "lake"): []}),
            'water 1 (S): kind "lake" is neither "sea" nor "country"',
        ),
    ],
)
def test_a_wrong_atlas_in_python_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    assert build_problems(*arguments) == message


# Other programs.


@every_atlas
def test_a_graph_has_the_regions_and_their_borders(atlas: Atlas) -> None:
    networkx = importlib.import_module("networkx")
    graph = atlas.to_networkx()
    assert type(graph) is networkx.Graph
    assert graph.name == atlas.name
    assert list(graph) == [region.id for region in atlas]
    for region in atlas:
        assert set(graph[region.id]) == set(region.borders)
        data = graph.nodes[region.id]
        for key in ("name", "abbreviation", "nation", "nations", "region", "lon", "lat", "waters"):
            assert data[key] == getattr(region, key)
        assert (data["column"], data["row"]) == (region.column, region.row)
        assert data.get("status") == region.extra.get("status")
    parts = sorted(map(len, networkx.connected_components(graph)), reverse=True)
    assert parts == [len(part) for part in atlas.parts()]


def test_without_networkx_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=r"^this needs networkx: pip install 'networkx'$"):
        UK.to_networkx()


# Tables that are too large.


def test_a_table_with_too_many_rows_is_refused(tmp_path: Path) -> None:
    text = "name,borders\n" + "".join(f"r{n},x{n};y{n}\n" for n in range(100_000))
    assert problems(tmp_path, text) == (
        "own.csv: 100000 regions and waters, at most 254 are allowed"
    )


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = written(tmp_path, "name,borders\n")
    with path.open("r+b") as file:
        file.truncate(2**24 + 1)
    with pytest.raises(AtlasError, match="16,777,217 bytes, at most 16,777,216 are allowed"):
        Atlas.from_csv(path)


def test_many_unknown_names_are_refused_in_time(tmp_path: Path) -> None:
    rows = [f"r{n},{';'.join(f'x{n}y{m}' for m in range(200))}\n" for n in range(250)]
    shown = problems(tmp_path, "name,borders\n" + "".join(rows)).splitlines()
    assert (len(shown), shown[-1]) == (11, "and 49990 more")
    for column, other in (("borders", "waters"), ("waters", "borders")):
        many = ";".join(f"x{n}" for n in range(10_000))
        assert problems(tmp_path, f"name,{column},{other}\na,{many},\n") == (
            f"own.csv, row 2 (a): 10000 {column}, at most 254 are allowed"
        )
    assert build_problems(["a", "b"], itertools.repeat(("x", "y"))) == (
        "custom: more than 32131 borders, which is all there can be"
    )

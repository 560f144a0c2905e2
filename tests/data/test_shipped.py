"""The shipped tables: well-formed, consistent, and true where the truth is known."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import pytest

import adjoin
from scaffold import cases

DATA = Path(adjoin.__path__[0]) / "data"
EDITIONS = ("Europe", "Africa", "Asia & Australasia", "Americas")
MILE = 1609
ISLANDS = "aus jpn isl lka mdg cub nzl phl sgp cyp mlt bhr"
LANDLOCKED = (
    "afg and arm aut aze bdi bfa blr bol btn bwa caf che cze eth hun kaz kgz lao lie lso lux mda "
    "mkd mli mng mwi ner npl pry rwa smr srb ssd svk swz tcd tjk tkm uga uzb vat xkx zmb zwe"
)

Row = dict[str, str]


def read(name: str) -> list[Row]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert all(len(row) == len(header) for row in rows)
    return [dict(zip(header, row, strict=True)) for row in rows]


def header(name: str) -> str:
    return (DATA / name).read_text("utf-8").partition("\n")[0]


@dataclass(frozen=True)
class Table:
    """A table of regions and the waters that belong to it."""

    name: str
    waters_name: str
    columns: str
    abbreviation: str
    fewest: int
    """How many regions a water must have."""

    def __str__(self) -> str:
        return self.name

    @cached_property
    def rows(self) -> list[Row]:
        return read(f"{self.name}.csv")

    @cached_property
    def water_rows(self) -> list[Row]:
        return read(f"{self.waters_name}.csv")

    @cached_property
    def cards(self) -> dict[str, Row]:
        return {row["id"]: row for row in self.rows}

    @cached_property
    def borders(self) -> dict[str, list[str]]:
        return {row["id"]: entries(row["borders"]) for row in self.rows}

    @cached_property
    def waters(self) -> dict[str, list[str]]:
        return {row["id"]: entries(row["waters"]) for row in self.rows}

    @cached_property
    def edges(self) -> set[frozenset[str]]:
        return {frozenset((a, b)) for a, others in self.borders.items() for b in others}

    def beside(self, water: str) -> set[str]:
        """Return who touches a water."""
        return {card for card, waters in self.waters.items() if water in waters}

    def parts(self) -> list[set[str]]:
        """Return the connected parts, the largest first."""
        left, parts = set(self.cards), []
        while left:
            part, stack = set[str](), [left.pop()]
            while stack:
                here = stack.pop()
                part.add(here)
                new = left.intersection(self.borders[here])
                left -= new
                stack += new
            parts.append(part)
        return sorted(parts, key=len, reverse=True)


UK = Table(
    "uk-counties",
    "uk-waters",
    "id,name,abbreviation,also_called,name_cy,name_gd,name_ga,capital,nation,region,lon,lat,borders,"
    "waters,col,row",
    r"(?=[A-Z])[A-Za-z&' ]{2,8}|Northants",
    fewest=2,
)
WORLD = Table(
    "world-countries",
    "world-waters",
    "id,name,abbreviation,also_called,capital,capital_also_called,edition,also_in,status,lon,lat,"
    "borders,waters",
    "[A-Z]{2}",
    fewest=2,
)
US = Table(
    "us-states",
    "us-waters",
    "id,name,abbreviation,also_called,capital,region,lon,lat,borders,waters",
    "[A-Z]{2}",
    fewest=1,
)
every_table = pytest.mark.parametrize("table", [UK, WORLD, US], ids=str)


def entries(cell: str) -> list[str]:
    return cell.split(";") if cell else []


# Every table.


@cases("path", sorted(DATA.glob("*.csv")))
def test_a_file_is_plain(path: Path) -> None:
    data = path.read_bytes()
    data.decode("utf-8")
    assert data.endswith(b"\n")
    assert not any(mark in data for mark in (b'"', b"\r", b"\xef\xbb\xbf"))
    for row in read(path.name):
        assert all(cell == cell.strip() for cell in row.values())


@every_table
def test_the_columns_are_the_documented_ones(table: Table) -> None:
    assert header(f"{table.name}.csv") == table.columns
    assert header(f"{table.waters_name}.csv") == "id,name,kind,lon,lat"


@every_table
def test_ids_are_unique_and_plain(table: Table) -> None:
    ids = [row["id"] for row in (*table.rows, *table.water_rows)]
    assert len(set(ids)) == len(ids)
    assert [i for i in ids if not re.fullmatch("[a-z][a-z_]*[a-z]", i)] == []


@every_table
@cases("column", ["name", "abbreviation"])
def test_names_are_unique(table: Table, column: str) -> None:
    count = Counter(row[column].casefold() for row in table.rows)
    assert [name for name, times in count.items() if times > 1 or not name] == []


@every_table
def test_abbreviations_have_the_usual_form(table: Table) -> None:
    short = [row["abbreviation"] for row in table.rows]
    assert [text for text in short if not re.fullmatch(table.abbreviation, text)] == []


@every_table
def test_points_are_degrees_with_three_decimals(table: Table) -> None:
    for row in (*table.rows, *table.water_rows):
        for column, limit in (("lon", 180), ("lat", 90)):
            assert re.fullmatch(r"-?\d+\.\d{3}", row[column]), row
            assert abs(float(row[column])) <= limit, row


@every_table
def test_waters_are_seas_or_countries(table: Table) -> None:
    assert {row["kind"] for row in table.water_rows} <= {"sea", "country"}


@every_table
def test_lists_name_known_things_once(table: Table) -> None:
    waters = {row["id"] for row in table.water_rows}
    for card in table.cards:
        for listed, known in (
            (table.borders[card], set(table.cards)),
            (table.waters[card], waters),
        ):
            assert len(set(listed)) == len(listed), card
            assert set(listed) <= known - {card}, card
        assert table.borders[card] or table.waters[card], card


@every_table
def test_borders_are_symmetric(table: Table) -> None:
    one_sided = [
        (a, b) for a, others in table.borders.items() for b in others if a not in table.borders[b]
    ]
    assert one_sided == []


@every_table
def test_every_water_is_touched(table: Table) -> None:
    lonely = [r["id"] for r in table.water_rows if len(table.beside(r["id"])) < table.fewest]
    assert lonely == []


# The United Kingdom.


def test_the_uk_has_the_cards_of_its_nations() -> None:
    assert Counter(row["nation"] for row in UK.rows) == {
        "England": 48,
        "Scotland": 32,
        "Wales": 22,
        "Northern Ireland": 6,
    }
    homes = {(row["region"], row["nation"]) for row in UK.rows}
    assert len({region for region, _ in homes}) == len(homes)


def test_names_in_other_languages_belong_to_their_nation() -> None:
    nations = {"name_cy": "Wales", "name_gd": "Scotland", "name_ga": "Northern Ireland"}
    number: Counter[str] = Counter()
    for row in UK.rows:
        for column, nation in nations.items():
            assert not row[column] or row["nation"] == nation
            number[column] += bool(row[column])
            assert row[column] not in entries(row["also_called"]) or not row[column]
    assert number == {"name_cy": 22, "name_gd": 27, "name_ga": 6}


def test_capitals_are_the_known_ones() -> None:
    capitals = {row["id"]: entries(row["capital"]) for t in (UK, WORLD, US) for row in t.rows}
    known = {"fra": "Paris", "aus": "Canberra", "bra": "Brasília", "nga": "Abuja", "can": "Ottawa"}
    known |= {"california": "Sacramento", "new_york": "Albany", "kent": "Maidstone"}
    assert {key: capitals[key][0] for key in known} == known
    assert capitals["bol"] == ["Sucre", "La Paz"]
    assert [row["id"] for row in US.rows if not row["capital"]] == ["district_of_columbia"]
    assert len([row for row in WORLD.rows if row["capital"]]) == 196
    for table in (UK, WORLD, US):
        towns = Counter(town for row in table.rows for town in entries(row["capital"]))
        assert set(towns.values()) == {1}


def test_the_points_of_the_uk_lie_there() -> None:
    for row in UK.rows:
        assert -8.7 < float(row["lon"]) < 2.0, row
        assert 49.8 < float(row["lat"]) < 61.0, row


def test_the_uk_has_237_borders_in_seven_parts() -> None:
    assert len(UK.edges) == 237
    parts = UK.parts()
    assert [len(part) for part in parts] == [97, 6, 1, 1, 1, 1, 1]
    assert {UK.cards[card]["nation"] for card in parts[1]} == {"Northern Ireland"}


def test_the_rule_sheets_examples_hold() -> None:
    """MAPO-E1 to MAPO-E8."""
    assert UK.cards["staffordshire"]["abbreviation"] == "Staffs"
    assert "derbyshire" in UK.borders["nottinghamshire"]
    assert {"northamptonshire", "gloucestershire"} <= set(UK.borders["oxfordshire"])
    assert "northamptonshire" not in UK.borders["gloucestershire"]
    assert {"gloucestershire", "devon", "bristol", "dorset"} <= set(UK.borders["somerset"])
    assert {"merseyside", "antrim", "anglesey", "pembrokeshire"} <= UK.beside("irish_sea")
    assert {"surrey", "essex", "city_of_london"} <= set(UK.borders["greater_london"])
    assert UK.borders["anglesey"] == UK.borders["shetland"] == []
    single = {card for card, others in UK.borders.items() if len(others) == 1}
    assert single == {"cornwall", "city_of_london", "aberdeen", "fermanagh"}


@pytest.mark.smoke
@cases(
    ("card", "others"),
    [
        ("orkney", ""),
        ("na_h_eileanan_siar", ""),
        ("isle_of_wight", ""),
        ("cornwall", "devon"),
        ("city_of_london", "greater_london"),
        ("aberdeen", "aberdeenshire"),
        ("fermanagh", "tyrone"),
        ("rutland", "leicestershire lincolnshire northamptonshire"),
        ("devon", "cornwall somerset dorset"),
        ("bristol", "gloucestershire somerset"),
        ("norfolk", "suffolk cambridgeshire lincolnshire"),
        ("kent", "east_sussex surrey greater_london essex"),
        ("merseyside", "lancashire greater_manchester cheshire"),
        ("tyne_and_wear", "northumberland durham"),
        ("west_midlands", "staffordshire warwickshire worcestershire"),
        (
            "greater_london",
            "city_of_london essex hertfordshire buckinghamshire berkshire surrey kent",
        ),
        ("pembrokeshire", "ceredigion carmarthenshire"),
        ("swansea", "carmarthenshire neath_port_talbot"),
        ("conwy", "gwynedd denbighshire"),
        (
            "powys",
            "gwynedd denbighshire wrexham shropshire herefordshire monmouthshire blaenau_gwent "
            "caerphilly merthyr_tydfil rhondda_cynon_taf neath_port_talbot carmarthenshire "
            "ceredigion",
        ),
        ("highland", "argyll_and_bute perth_and_kinross aberdeenshire moray"),
        ("moray", "highland aberdeenshire"),
        ("down", "antrim armagh"),
        ("londonderry", "antrim tyrone"),
    ],
)
def test_a_county_has_its_known_borders(card: str, others: str) -> None:
    assert sorted(UK.borders[card]) == sorted(others.split())


@cases(
    ("one", "other"),
    [
        ("derbyshire", "warwickshire"),
        ("buckinghamshire", "surrey"),
        ("cambridgeshire", "rutland"),
        ("greater_manchester", "south_yorkshire"),
        ("midlothian", "west_lothian"),
        ("oxfordshire", "hampshire"),
    ],
)
def test_counties_that_only_come_close_do_not_border(one: str, other: str) -> None:
    assert other not in UK.borders[one]


@cases(
    ("nation", "borders"),
    [
        (
            "Scotland",
            "cumbria-dumfries_and_galloway cumbria-scottish_borders "
            "northumberland-scottish_borders",
        ),
        (
            "Wales",
            "cheshire-flintshire cheshire-wrexham shropshire-wrexham shropshire-powys "
            "herefordshire-powys herefordshire-monmouthshire gloucestershire-monmouthshire",
        ),
        ("Northern Ireland", ""),
    ],
)
def test_england_meets_its_neighbours_where_it_is_known_to(nation: str, borders: str) -> None:
    found = {
        edge for edge in UK.edges if {UK.cards[c]["nation"] for c in edge} == {"England", nation}
    }
    assert found == {frozenset(pair.split("-")) for pair in borders.split()}


def test_the_counties_beside_the_republic_and_those_with_two_seas() -> None:
    assert UK.beside("republic_of_ireland") == {
        "fermanagh",
        "tyrone",
        "londonderry",
        "armagh",
        "down",
    }
    assert set(UK.waters["kent"]) == {"north_sea", "english_channel"}
    assert set(UK.waters["cornwall"]) == {"english_channel", "celtic_sea"}
    assert set(UK.waters["highland"]) == {"north_sea", "atlantic_ocean"}


def test_the_decisions_on_water_are_those_of_the_table() -> None:
    assert header("uk-water-borders.csv") == "a,b,water,type,width_m,counted,reason"
    for row in read("uk-water-borders.csv"):
        assert row["counted"] == ("yes" if row["b"] in UK.borders[row["a"]] else "no"), row
        if row["width_m"]:
            narrow = row["type"] in ("tidal river", "estuary") and int(row["width_m"]) <= MILE
            assert narrow == (row["counted"] == "yes"), row


def steps(one: str, other: str) -> tuple[int, int]:
    """Return how far apart two tiles are, the longer way first."""
    a, b = UK.cards[one], UK.cards[other]
    far = sorted(abs(int(a[key]) - int(b[key])) for key in ("col", "row"))
    return far[1], far[0]


def test_tiles_of_neighbours_lie_near_each_other() -> None:
    count = Counter(steps(*edge) for edge in UK.edges)
    assert (count[1, 0], count[1, 1]) == (142, 76)
    assert sum(count[2, d] for d in range(3)) == 19
    assert count.total() == 237


def test_no_two_tiles_share_a_place_and_parts_do_not_touch() -> None:
    part = {card: number for number, cards in enumerate(UK.parts()) for card in cards}
    for one, other in combinations(UK.cards, 2):
        assert steps(one, other) >= (1 if part[one] == part[other] else 2, 0), (one, other)
    for key in ("col", "row"):
        assert min(int(row[key]) for row in UK.rows) == 0


# The world.


def test_the_world_has_its_countries_by_edition_and_status() -> None:
    assert {len(card) for card in WORLD.cards} == {3}
    for row in WORLD.rows:
        assert row["edition"] in EDITIONS
        assert row["also_in"] in {"", *EDITIONS} - {row["edition"]}
    status = Counter(row["status"] for row in WORLD.rows)
    assert (len(WORLD.rows), status["UN member"], status["observer"]) == (207, 193, 2)
    assert WORLD.cards["nam"]["abbreviation"] == "NA"


def test_the_world_has_323_borders_and_45_landlocked_countries() -> None:
    assert len(WORLD.edges) == 323
    landlocked = {card for card, waters in WORLD.waters.items() if set(waters) <= {"caspian_sea"}}
    assert landlocked == set(LANDLOCKED.split())


@cases(
    ("card", "others"),
    [
        ("chn", "afg btn hkg ind kaz kgz lao mac mmr mng npl pak prk rus tjk vnm"),
        ("rus", "aze blr chn est fin geo kaz lva ltu mng nor pol prk ukr"),
        ("bra", "arg bol col guf guy pry per sur ury ven"),
        ("deu", "aut bel che cze dnk fra lux nld pol"),
        ("fra", "and bel che deu esp ita lux mco"),
        ("cod", "ago bdi caf cog rwa ssd tza uga zmb"),
        ("gbr", "irl"),
        ("usa", "can mex"),
        ("prt", "esp"),
        ("lso", "zaf"),
        ("zmb", "ago bwa cod moz mwi nam tza zwe"),
        *((island, "") for island in ISLANDS.split()),
    ],
)
def test_a_country_has_its_known_borders(card: str, others: str) -> None:
    assert sorted(WORLD.borders[card]) == sorted(others.split())


@cases(
    ("water", "cards"),
    [
        ("caspian_sea", "aze irn kaz rus tkm"),
        ("black_sea", "bgr geo rou rus tur ukr"),
        ("baltic_sea", "deu dnk est fin ltu lva pol rus swe"),
        ("north_sea", "bel deu dnk fra gbr nld nor swe"),
        ("red_sea", "dji egy eri isr jor sau sdn yem"),
        ("persian_gulf", "are bhr irn irq kwt omn qat sau"),
    ],
)
def test_a_sea_has_its_known_countries(water: str, cards: str) -> None:
    assert WORLD.beside(water) == set(cards.split())


# The United States.


def test_the_us_has_51_cards_and_107_borders() -> None:
    assert (len(US.rows), len(US.edges)) == (51, 107)
    assert len({row["region"] for row in US.rows}) == 9
    assert len(US.borders["missouri"]) == len(US.borders["tennessee"]) == 8


@cases(
    ("card", "others"),
    [
        ("alaska", []),
        ("hawaii", []),
        ("maine", ["new_hampshire"]),
        ("district_of_columbia", ["maryland", "virginia"]),
    ],
)
def test_a_state_has_its_known_borders(card: str, others: list[str]) -> None:
    assert sorted(US.borders[card]) == others


@cases(
    ("one", "other"),
    [
        ("arizona", "colorado"),
        ("new_mexico", "utah"),
        ("michigan", "illinois"),
        ("michigan", "minnesota"),
        ("new_york", "rhode_island"),
    ],
)
def test_states_that_meet_at_a_corner_or_in_water_do_not_border(one: str, other: str) -> None:
    assert other not in US.borders[one]


def test_the_waters_of_the_us_have_their_known_numbers_of_states() -> None:
    assert {row["id"]: len(US.beside(row["id"])) for row in US.water_rows} == {
        "arctic_ocean": 1,
        "atlantic_ocean": 14,
        "gulf_of_mexico": 5,
        "pacific_ocean": 5,
        "great_lakes": 8,
        "canada": 11,
        "mexico": 4,
    }


# What is written about the data.


def section(title: str) -> list[list[str]]:
    """Return the rows of the table under a heading of SOURCES.md."""
    text = (DATA / "SOURCES.md").read_text("utf-8").partition(f"# {title}\n")[2]
    rows = re.findall(r"^\| (.*) \|$", text.partition("\n#")[0], re.M)
    return [row.split(" | ") for row in rows[1:]]


def test_the_sources_list_every_file_with_its_rows() -> None:
    listed = {name.strip("`"): int(rows) for name, rows, _ in section("Where the data come from")}
    assert listed == {path.name: len(read(path.name)) for path in DATA.glob("*.csv")}


def test_the_sources_say_who_touches_which_water() -> None:
    names = {row["name"]: row["id"] for row in UK.water_rows}
    for water, number, who in (rows := section("Which county borders which sea")):
        cards = {UK.cards[card]["name"] for card in UK.beside(names[water])}
        assert (int(number), set(who.split(", "))) == (len(cards), cards)
    assert len(rows) == len(names)


def test_the_sources_say_who_has_how_many_borders() -> None:
    rows = section("Counts")
    for degree, number, who in rows:
        cards = {
            UK.cards[c]["name"] for c, others in UK.borders.items() if len(others) == int(degree)
        }
        assert (int(number), set(who.split(", "))) == (len(cards), cards)
    assert sum(int(number) for _, number, _ in rows) == 108


def test_the_sources_explain_every_border_in_water() -> None:
    names = {row["name"]: card for card, row in UK.cards.items()}
    written = [
        (*sorted(names[name] for name in pair.split(" – ")), width.replace("—", ""), counts, why)
        for pair, _, width, counts, why in section("Borders in water")
    ]
    assert sorted(written) == sorted(
        (*sorted((r["a"], r["b"])), r["width_m"], r["counted"], r["reason"])
        for r in read("uk-water-borders.csv")
    )


def test_the_sources_keep_the_attribution_of_the_uk_table() -> None:
    text = " ".join((DATA / "SOURCES.md").read_text("utf-8").split())
    assert (
        "Contains OS data © Crown copyright and database right 2013–2023. Contains National "
        "Statistics and National Records of Scotland data © Crown copyright and database right "
        "2013. Source: Office for National Statistics licensed under the Open Government Licence "
        "v3.0."
    ) in text

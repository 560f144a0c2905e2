"""Stations of Metro Domino: the shipped deck, looking up, files, and every kind of wrong input."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from adjoin.data import stations as module
from adjoin.data.stations import Line, Station, Stations, StationsError, UnknownNameError
from scaffold import cases

NEW_YORK = Stations.load()
HEADER = "station,name,line,length,min,max,no_doubles\n"
TINY = HEADER + "s,Start,A,3,,,\ns,Start,B,55,0,9,yes\ne,Öst & Ende,A,1,2,,\n"
METR_3 = """\
Start | 3 | 4 | 5 | 6
Times Square | 4 | 5 Min2
Grand Central | 3 | 6 Max7
Union Square | 4 Min2 | 4 Max7
Columbus Circle | 5 | 3 Min2
Wall Street | 6 Max7 | 4
Brooklyn Bridge | 5 Max7 | 5
Harlem–125th Street | 4 Max7 | 3
Yankee Stadium | 6 Min2 | 3
Coney Island | 5 Min2 | 4 Max7
Flushing Meadows | 3 Min2 Max7 | 6
"""


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "own.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(folder: Path, text: str | bytes) -> str:
    """Return what is wrong with a file."""
    with pytest.raises(StationsError) as caught:
        Stations.from_csv(written(folder, text))
    return str(caught.value)


def build_problems(stations: Any) -> str:
    with pytest.raises(StationsError) as caught:
        Stations.build(stations)
    return str(caught.value)


# The shipped deck.


@pytest.mark.smoke
def test_the_shipped_deck_is_the_table_of_metr_3() -> None:
    rows = [[station.name, *map(str, station.lines)] for station in NEW_YORK]
    assert rows == [row.split(" | ") for row in METR_3.splitlines()]
    assert " ".join(station.id for station in NEW_YORK) == (
        "start times_square grand_central union_square columbus_circle wall_street "
        "brooklyn_bridge harlem_125th_street yankee_stadium coney_island flushing_meadows"
    )
    assert NEW_YORK["Flushing Meadows"].lines == (Line(3, 2, 7), Line(6))
    assert not any(line.no_doubles for station in NEW_YORK for line in station.lines)


def test_the_shipped_file_is_what_to_csv_writes(tmp_path: Path) -> None:
    NEW_YORK.to_csv(tmp_path / "own.csv")
    shipped = Path(module.__file__).parent / "metro-stations.csv"
    assert (tmp_path / "own.csv").read_bytes() == shipped.read_bytes()


def test_shipped_decks_are_found_by_name_and_read_once() -> None:
    assert Stations.shipped() == ("new-york",)
    assert Stations.load("New York") is NEW_YORK
    assert NEW_YORK.name == "new-york"
    with pytest.raises(UnknownNameError) as caught:
        Stations.load("moon")
    assert str(caught.value) == 'no deck "moon"; there are new-york'


# Looking up.


def test_every_station_is_found_by_all_it_is_called() -> None:
    for station in NEW_YORK:
        for text in (station.id, station.name, station.name.upper(), f" {station.id}. "):
            assert NEW_YORK[text] is station
            assert text in NEW_YORK
        assert station in NEW_YORK
    assert NEW_YORK["harlem 125TH street"].name == "Harlem–125th Street"
    own = Stations.build({"Saint Öst & Co": [1]})
    assert own["st. ost and co"] is own["stostandco"] is own.stations[0]


def test_the_id_need_not_be_like_the_name(tmp_path: Path) -> None:
    own = Stations.from_csv(written(tmp_path, TINY))
    assert own["E"] is own["ost and ende"] is own.stations[1]


@cases(
    ("text", "hint"),
    [
        ("Tines Sqare", "; did you mean Times Square?"),
        ("square", "; did you mean Times Square or Union Square?"),
        ("xyzzy", ""),
        ("", ""),
    ],
)
def test_an_unknown_station_is_named_with_those_near_it(text: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        NEW_YORK[text]
    assert str(caught.value) == f'no station "{text}" in new-york{hint}'
    assert isinstance(caught.value, KeyError)
    assert text not in NEW_YORK


def test_what_is_not_text_is_refused() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match=r"^a station is named by a string, got 3$"):
        NEW_YORK[wrong]
    with pytest.raises(TypeError, match=r"^a deck is named by a string, got 3$"):
        Stations.load(wrong)
    with pytest.raises(TypeError, match=r"^a deck is named by a string, got 3$"):
        Stations.build({"A": [1]}, name=wrong)
    assert wrong not in NEW_YORK
    assert Station("start", "Start", (Line(1),)) not in NEW_YORK


# What stations say.


def test_stations_are_counted() -> None:
    assert (len(NEW_YORK), NEW_YORK.num_lines) == (11, 24)
    assert tuple(NEW_YORK) == NEW_YORK.stations


def test_stations_show_themselves() -> None:
    own = Stations.build({"A": [Line(3, 2, 7, True)]})
    assert repr(NEW_YORK) == "<Stations new-york: 11 stations, 24 lines>"
    assert repr(own) == "<Stations custom: 1 station, 1 line>"
    assert repr(own["A"]) == "<Station A: 3 Min2 Max7 no doubles>"
    assert f"{own['A']}, {Line(1, min=0, max=0)}" == "A, 1 Min0 Max0"


def test_the_table_for_notebooks_is_well_formed_and_escaped() -> None:
    own = Stations.build({"A <b>": [3, Line(4, max=7)], "B & C": [5]}, name="&")
    table = ElementTree.fromstring(own._repr_html_())
    assert [[cell.text or "" for cell in row] for row in table.iter("tr")] == [
        ["station", "A", "B"],
        ["A <b>", "3", "4 Max7"],
        ["B & C", "5", ""],
    ]
    assert table.findtext("caption") == "Stations &: 2 stations, 3 lines"


# Values.


def test_stations_are_a_value() -> None:
    for other in (pickle.loads(pickle.dumps(NEW_YORK)), copy.deepcopy(NEW_YORK)):
        assert other == NEW_YORK
        assert hash(other) == hash(NEW_YORK)
        assert repr(other) == repr(NEW_YORK)
    renamed = dataclasses.replace(NEW_YORK, name="renamed")
    assert (renamed, hash(renamed)) == (NEW_YORK, hash(NEW_YORK))
    start, *others = NEW_YORK
    assert dataclasses.replace(NEW_YORK, stations=(start, *others[::-1])) != NEW_YORK
    limits = [Line(4), Line(4, min=0), Line(4, max=9), Line(4, no_doubles=True), Line(5)]
    assert len({Stations.build({"A": [line]}) for line in limits}) == len(limits)


def test_nothing_of_stations_can_be_changed() -> None:
    things: list[tuple[Any, str]] = [
        (NEW_YORK, "name"),
        (NEW_YORK["Start"], "lines"),
        (NEW_YORK["Start"].lines[0], "length"),
    ]
    for thing, name in things:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, None)


# What the game takes.


def test_the_shipped_deck_is_an_option_by_name() -> None:
    assert NEW_YORK.option() == "new-york"
    again = Stations.build({station.name: station.lines for station in NEW_YORK}, name="x")
    assert again.option() == "new-york"


def test_any_other_deck_is_an_option_with_all_its_data() -> None:
    own = Stations.build({"The Start": [3, Line(5, 2, 7, True)], "B": [1]}, name="two")
    option = own.option()
    assert json.loads(json.dumps(option)) == option
    assert option == {
        "custom": {
            "name": "two",
            "stations": [
                {
                    "id": "the_start",
                    "name": "The Start",
                    "lines": [
                        {"length": 3, "min": None, "max": None, "no_doubles": False},
                        {"length": 5, "min": 2, "max": 7, "no_doubles": True},
                    ],
                },
                {
                    "id": "b",
                    "name": "B",
                    "lines": [{"length": 1, "min": None, "max": None, "no_doubles": False}],
                },
            ],
        }
    }


# Files.


def test_a_file_has_a_row_for_each_line(tmp_path: Path) -> None:
    own = Stations.from_csv(str(written(tmp_path, TINY)))
    assert own.name == "own"
    assert own.stations == (
        Station("s", "Start", (Line(3), Line(55, 0, 9, True))),
        Station("e", "Öst & Ende", (Line(1, min=2),)),
    )


@cases(
    "text",
    [
        "\ufeff" + TINY,
        TINY.replace("\n", "\r\n"),
        "\ufeff" + TINY.replace("\n", "\r\n"),
        TINY.replace("\n", "\r"),
        TINY.rstrip("\n"),
        TINY.replace(",", ";"),
        TINY.replace(",", "\t"),
        TINY.replace("yes", " YES "),
        TINY.replace(",A,", ", a ,"),
        TINY.replace("station,name", " Station , NAME"),
        TINY.replace("\n", ",\n") + ",,,,,,,\n\n",
        TINY.replace("\n", ",x\n").replace("doubles,x", "doubles,note"),
        TINY.replace("Start", '"Start "'),
        TINY.replace("Start", "Start\x1b"),
    ],
)
def test_spreadsheets_may_write_a_file_their_way(tmp_path: Path, text: str) -> None:
    plain = Stations.from_csv(written(tmp_path, TINY))
    assert Stations.from_csv(written(tmp_path, text)) == plain


def test_columns_may_stand_in_any_order(tmp_path: Path) -> None:
    text = "max,min,no_doubles,length,line,name,station\n7,2,yes,5,A,Start,s\n"
    own = Stations.from_csv(written(tmp_path, text))
    assert own.stations == (Station("s", "Start", (Line(5, 2, 7, True),)),)


def test_without_an_id_it_is_made_from_the_name(tmp_path: Path) -> None:
    text = HEADER + ",The Start,A,3,,,\n,The Start,B,4,,,\n,Öst & Ende,A,5,,,\n"
    own = Stations.from_csv(written(tmp_path, text))
    assert own == Stations.build({"The Start": [3, 4], "Öst & Ende": [5]})
    assert [station.id for station in own] == ["the_start", "ost_and_ende"]


def test_stations_survive_a_file(tmp_path: Path) -> None:
    lines = [Line(1, 0, 0), Line(55, no_doubles=True), Line(3, min=9), Line(3, max=0)]
    for own in (
        NEW_YORK,
        Stations.build({'A "quoted", name; all\n': lines, "Ü": [Line(2, 8, 9, True)] * 9}),
    ):
        own.to_csv(tmp_path / "own.csv")
        assert Stations.from_csv(tmp_path / "own.csv") == own


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Stations.from_csv(tmp_path / "none.csv")


# Built in Python.


def test_a_line_is_a_length_or_a_line() -> None:
    own = Stations.build({"Start": (3, Line(4)), "B": iter([Line(5, min=2)])})
    assert own.name == "custom"
    assert own.stations == (
        Station("start", "Start", (Line(3), Line(4))),
        Station("b", "B", (Line(5, min=2),)),
    )


def test_names_lose_what_cannot_be_shown() -> None:
    assert Stations.build({" A\n\u00a0 \tB\x00\x1b\ud800 ": [1]}).stations[0].name == "A B"


def test_numbers_of_numpy_are_numbers() -> None:
    two: Any = np.int64(2)
    own = Stations.build({"A": [two, Line(two, two, two)]})
    assert json.dumps(own.option()) == json.dumps(
        Stations.build({"A": [2, Line(2, 2, 2)]}).option()
    )


@cases(
    ("stations", "message"),
    [
        ([3], "stations is a mapping from names to lines, got [3]"),
        ({3: [3]}, "a station is named by a string, got 3"),
        ({"A": 3}, "station 1 (A): lines is a list of lines, got 3"),
        ({"A": "34"}, "station 1 (A): lines is a list of lines, got '34'"),
    ],
)
def test_other_types_are_refused(stations: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        Stations.build(stations)
    assert str(caught.value) == message


# What can be wrong with a file.


@cases(
    ("text", "message"),
    [
        ("", "own.csv: the file is empty"),
        ("\ufeff\r\n \r\n", "own.csv: the file is empty"),
        (HEADER, "own.csv: no stations"),
        (HEADER + ",,,,,,\n", "own.csv: no stations"),
        (
            (HEADER + "a,A,A,3,,,\nb,C\xf4te,A,3,,,\n").encode("latin-1"),
            'own.csv, row 3: byte 0xf4 is not UTF-8; save the file as "CSV UTF-8"',
        ),
        (
            b"\xff\xfe" + TINY.encode("utf-16-le"),
            'own.csv, row 1: byte 0xff is not UTF-8; save the file as "CSV UTF-8"',
        ),
        (HEADER + 'a,"A,A,3,,,\n', "own.csv, line 2: unexpected end of data"),
        (
            "station,name,line,length,Maxi\na,A,A,3,7\n",
            'own.csv: no column "min"; the columns are station, name, line, length, maxi\n'
            'own.csv: no column "max"; the columns are station, name, line, length, maxi\n'
            'own.csv: no column "no_doubles"; the columns are station, name, line, length, maxi',
        ),
        (
            "\n,,\n",
            "\n".join(
                f'own.csv: no column "{column}"; the columns are none'
                for column in HEADER.strip().split(",")
            ),
        ),
        (HEADER.replace("\n", ",Min\n") + "a,A,A,3,,,,\n", 'own.csv: 2 columns "min"'),
        (
            HEADER + "a,A,A,3,,\na,A,B,3,,,\na,A,C,3,,,,yes\nx\n",
            "own.csv, row 2: 6 fields, expected 7\n"
            "own.csv, row 4: 8 fields, expected 7\n"
            "own.csv, row 5: 1 field, expected 7",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    assert problems(tmp_path, text) == message


@cases(
    ("rows", "message"),
    [
        ("-,A,A,3,,,", 'own.csv, row 2 (A): the station "-" has no letter and no digit'),
        (
            "a,A x,A,3,,,\nb,a-X,A,3,,,",
            'own.csv, row 3 (a-X): the name "a-X" is taken by own.csv, row 2 (A x)',
        ),
        (
            "a,A,A,3,,,\nb,B,A,3,,,\na,A,B,3,,,\na,A,C,3,,,\nb,B,B,3,,,",
            'own.csv, row 4 (A): the rows of "a" do not stand together, '
            "the first is own.csv, row 2 (A)\n"
            'own.csv, row 6 (B): the rows of "b" do not stand together, '
            "the first is own.csv, row 3 (B)",
        ),
        ("a,A,,3,,,", 'own.csv, row 2 (A): line "", expected "A"'),
        ("a,A,A,56,,,", "own.csv, row 2 (A): length 56 is not a whole number from 1 to 55"),
        (
            f"a,A,A,{'9' * 5000},٣,,no",
            'own.csv, row 2 (A): no_doubles "no" is neither "yes" nor empty\n'
            f'own.csv, row 2 (A): length "{"9" * 5000}" is not a whole number from 1 to 55\n'
            'own.csv, row 2 (A): min "٣" is not a whole number from 0 to 9',
        ),
        (
            "a,A,A,3,9,,yes",
            "own.csv, row 2 (A): no tile fits: only 9-9 is within the limits, and that is a double",
        ),
    ],
)
def test_wrong_rows_are_refused(tmp_path: Path, rows: str, message: str) -> None:
    assert problems(tmp_path, f"{HEADER}{rows}\n") == message


def test_rows_are_counted_as_in_a_spreadsheet(tmp_path: Path) -> None:
    text = HEADER + '"a",A,A,3,,,"\n"\n\nb,B,A,0,,,\n'
    assert problems(tmp_path, text) == (
        "own.csv, row 4 (B): length 0 is not a whole number from 1 to 55"
    )


def lettered(stations: str, lines: int) -> str:
    """Return a file: stations called a, b, …, each with so many lines."""
    return HEADER + "".join(
        f"{name},{name},{chr(ord('A') + number)},3,,,\n"
        for name in stations
        for number in range(lines)
    )


def test_a_station_has_at_most_9_lines_and_all_at_most_36(tmp_path: Path) -> None:
    assert Stations.from_csv(written(tmp_path, lettered("abcd", 9))).num_lines == 36
    assert problems(tmp_path, lettered("ab", 10)) == (
        "own.csv, row 2 (a): 10 lines, at most 9 are allowed\n"
        "own.csv, row 12 (b): 10 lines, at most 9 are allowed"
    )
    assert problems(tmp_path, lettered("abcdefghijklmnopqrs", 2)) == (
        "own.csv: 38 lines, at most 36 are allowed"
    )


def test_all_problems_are_kept_and_ten_are_shown(tmp_path: Path) -> None:
    text = HEADER + "".join(f"r{n},r{n},A,0,,,\n" for n in range(2, 15))
    rows = [
        f"own.csv, row {n} (r{n}): length 0 is not a whole number from 1 to 55"
        for n in range(2, 15)
    ]
    with pytest.raises(StationsError) as caught:
        Stations.from_csv(written(tmp_path, text))
    assert caught.value.problems == tuple(rows)
    assert str(caught.value).split("\n") == [*rows[:10], "and 3 more"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (StationsError, str(caught.value))
    assert isinstance(again, ValueError)


# What can be wrong in Python.


@cases(
    ("stations", "message"),
    [
        ({}, "custom: no stations"),
        ({"Start": []}, "station 1 (Start): no lines"),
        ({"A B": [3], "a-b": [3]}, 'station 2 (a-b): the name "a-b" is taken by station 1 (A B)'),
        ({"A": [3] * 10}, "station 1 (A): 10 lines, at most 9 are allowed"),
        ({f"r{n}": [3] for n in range(37)}, "custom: 37 lines, at most 36 are allowed"),
        (
            {"A": [3, 0], "B": [3.0, True, None]},
            "station 1 (A), line B: length 0 is not a whole number from 1 to 55\n"
            'station 2 (B), line A: length "3.0" is not a whole number from 1 to 55\n'
            'station 2 (B), line B: length "True" is not a whole number from 1 to 55\n'
            'station 2 (B), line C: length "" is not a whole number from 1 to 55',
        ),
        (
            {"A": [Line(3, min=-1), Line(3, min=5, max=4)]},
            'station 1 (A), line A: min "-1" is not a whole number from 0 to 9\n'
            "station 1 (A), line B: min 5 is above max 4",
        ),
    ],
)
def test_wrong_stations_in_python_are_refused(stations: Any, message: str) -> None:
    assert build_problems(stations) == message

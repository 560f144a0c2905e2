"""Names in any spelling, and tables in files."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from adjoin._core import clean, fold, hint, nearest
from adjoin.data import atlas, deck, stations
from adjoin.data.files import read_json, write_table
from adjoin.support import names
from adjoin.support.wording import listed
from scaffold import cases


def test_names_are_folded_and_cleaned_whatever_they_are() -> None:
    assert fold("  Saint-Tomé & Côte_2 ") == "st tome and cote 2"
    assert fold("Saint Tomé", accents=True) == "st tomé"
    assert (fold("\ud800"), clean(" a\ud800\x1b \n b\u202e"), hint("\ud800", ["a"])) == (
        "",
        "a b",
        "",
    )
    assert (nearest("gredy", ["random", "greedy"]), nearest("x", [])) == ("greedy", None)
    assert listed(["a", "b and c", "d"]) == "a, b and c, and d"


def test_an_unknown_name_is_one_error_everywhere() -> None:
    modules = (atlas, deck, stations, names)
    assert len({module.UnknownNameError for module in modules}) == 1


CELLS = [
    *(
        "=1+1",
        "+44 20",
        "-x",
        "@cmd",
        "'=1",
        "''@",
        "'tis",
        "'",
        "-",
        "a=b",
        "-3.5",
        "+1e-9",
        "=",
        "",
    ),
    *('=HYPERLINK("x","y")', "-3;-4", "Kent"),
]


@pytest.mark.smoke
def test_no_cell_of_a_table_is_a_formula_and_all_read_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    write_table(path, ["name", "=head"], [(str(n), cell) for n, cell in enumerate(CELLS)])
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[1] == "'=head"
    for (_, shown), cell in zip(rows, CELLS, strict=True):
        is_number = cell in ("-3.5", "+1e-9")
        assert is_number or not shown.startswith(("=", "+", "-", "@"))
        assert shown in (cell, f"'{cell}")
    own = [{"name": f"n{n}", "=head": cell} for n, cell in enumerate(CELLS)]
    atlas.Atlas.build(own, []).to_csv(path)
    assert [region.extra["=head"] for region in atlas.Atlas.from_csv(path)] == CELLS


def test_numbers_of_a_table_stay_numbers(tmp_path: Path) -> None:
    write_table(tmp_path / "own.csv", ["a", "b", "c"], [(-1, -2.5, None)])
    assert (tmp_path / "own.csv").read_text(encoding="utf-8") == "a,b,c\n-1,-2.5,\n"


def test_names_that_look_like_formulas_read_back_in_every_table(tmp_path: Path) -> None:
    own = atlas.Atlas.build(
        [{"name": "=A1", "nation": "@x", "note": "-y"}, {"name": "+B", "note": "'=z"}],
        [("=A1", "+B")],
        {"-Sea": ["+B"]},
    )
    paths = [tmp_path / f"{n}.csv" for n in range(4)]
    own.to_csv(*paths[:2])
    assert atlas.Atlas.from_csv(*paths[:2]) == own
    cards = deck.Deck.build({"-West": ["=A", "+B", "@C"], "East": ["D", "-E", "F"]})
    cards.to_csv(*paths[:2])
    assert deck.Deck.from_csv(*paths[:2]) == cards
    lines = stations.Stations.build({"=Start": [3, 4], "-Next": [5]})
    lines.to_csv(paths[0])
    assert stations.Stations.from_csv(paths[0]) == lines
    for path in paths[:2]:
        with path.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


@cases("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_json_that_is_nested_deeply_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"nested too deeply|Expecting"):
        read_json(text)

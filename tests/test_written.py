"""Names in any spelling; and the modules that read tables run without the rest of the package."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from adjoin import atlas, deck, stations, written
from adjoin.written import fold, read_json, read_table, write_table


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  Kent ", "kent"),
        ("Saint Lucia", "st lucia"),
        ("St. Lucia", "st lucia"),
        ("Saintes", "saintes"),
        ("T&W", "t and w"),
        ("Na h-Eileanan_Siar", "na h eileanan siar"),
        ("Türkiye", "turkiye"),
        ("São Tomé and Príncipe", "sao tome and principe"),
        ("Côte d'Ivoire", "cote d ivoire"),
        ("İZMİR", "izmir"),
        ("東京 2", "東京 2"),
        ("-&-", "and"),
        ("…", ""),
    ],
)
def test_names_are_folded(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert fold(folded) == folded


def test_an_unknown_name_is_one_error_everywhere() -> None:
    modules = (atlas, deck, stations, written)
    assert len({module.UnknownNameError for module in modules}) == 1


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        (
            "from adjoin.atlas import Atlas; print(Atlas.load('us-states'))",
            "<Atlas us-states: 51 regions, 107 borders, 7 waters>",
        ),
        (
            "from adjoin.stations import Stations; print(Stations.load())",
            "<Stations new-york: 11 stations, 24 lines>",
        ),
        (
            "from adjoin.deck import Deck; print(Deck.load())",
            "<Deck world-cities: 55 cards, 60 cities in 12 regions, 13 links>",
        ),
    ],
)
def test_a_module_needs_the_standard_library_alone(code: str, printed: str) -> None:
    package = (
        "import sys, types; sys.modules['adjoin'] = adjoin = types.ModuleType('adjoin'); "
        "adjoin.__path__ = [sys.argv[1]]; "
        "sys.modules['adjoin._core'] = sys.modules['numpy'] = None; "
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", package + code, str(Path(written.__file__).parent)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == (f"{printed}\n", "")


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
    problems: list[str] = []
    read = read_table(path, [("name",)], problems, further=True)
    assert [cells["=head"] for _, cells in read] == CELLS
    assert problems == []


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


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_json_that_is_nested_deeply_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"nested too deeply|Expecting"):
        read_json(text)

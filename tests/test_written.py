"""Names in any spelling; and the modules that read tables run without the rest of the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from adjoin import atlas, deck, stations, written
from adjoin.written import fold


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

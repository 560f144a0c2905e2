"""The policies that come with the games: they fit, are small, and beat greedy agents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import adjoin
from adjoin import Spec, simulate
from adjoin.learning import Policy

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "src" / "games"
LEAST = {
    "mapello": 0.75,
    "mapominoes": 0.75,
    "metro_domino": 0.51,
    "domiphun": 0.53,
    "connections": 0.38,
}
"""Shares of the wins against greedy: what was learned has more, by far more than luck."""


def file(game: str) -> Path:
    return GAMES / game / "learned.safetensors"


@pytest.mark.parametrize("game", adjoin.games())
def test_it_beats_greedy(game: str) -> None:
    seats = Spec.of(game, {}).seats
    table = simulate(game, 600, ["learned", *["greedy"] * (seats - 1)], seed=5, progress=False)
    assert table.summary()["win share, learned"].value > LEAST[game]


@pytest.mark.parametrize("game", adjoin.games())
def test_its_file_is_small_and_what_the_page_says(game: str) -> None:
    assert file(game).stat().st_size <= 500_000
    page = (ROOT / "docs" / "pages" / "guides" / "learned.md").read_text("utf-8")
    digests = re.findall(r"SHA-256 ([0-9a-f]{64})", page)
    assert Policy.load(file(game)).digest in digests


def test_options_with_other_rows_are_named() -> None:
    spec = Spec.of("connections", {"players": 4})
    assert "learned" not in spec.agents
    with pytest.raises(ValueError, match="rows of another form"):
        simulate("connections", 1, ["learned", *["greedy"] * 3], players=4)

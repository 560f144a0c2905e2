"""Writing the page to play on: what it begins with, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjoin.playing import page as make_page
from interfaces import with_module
from scaffold import cases


@with_module
def test_the_page_says_what_it_begins_with() -> None:
    def settings(html: str) -> Any:
        return json.loads(html.split('id="settings" type="application/json">')[1].split("<")[0])

    wales = make_page("mapominoes", nations=["Wales"], players=3, opponents=["easy", "greedy"])
    assert settings(wales) == {
        "game": "mapominoes",
        "options": {"nations": ["Wales"], "players": 3},
        "opponents": ["easy", "greedy"],
        "seed": None,
    }
    assert settings(make_page(seed=3)) == {
        "game": None,
        "options": {},
        "opponents": ["easy"],
        "seed": 3,
    }


BAD: dict[str, tuple[Callable[[], str], str]] = {
    "game": (lambda: make_page("chess"), 'unknown game "chess"'),
    "option": (lambda: make_page("mapello", wals=3), "unknown option `wals`"),  # type: ignore[call-arg]
    "value": (lambda: make_page("mapello", walls=99), "walls"),
    "agent": (lambda: make_page("mapello", opponents="clever"), 'unknown agent "clever"'),
    "any agent": (lambda: make_page(opponents="clever"), 'unknown agent "clever"'),
    "agents": (lambda: make_page("mapello", opponents=["easy"] * 2), "2 agents for 1 other seat"),
    "a clock": (
        lambda: make_page("mapello", opponents="search(seconds=1)"),
        "a page has no clock; give iterations, not seconds",
    ),
    "no game": (lambda: make_page(players=3), "a page without a game has no options"),
    "several": (
        lambda: make_page(opponents=["easy", "greedy"]),
        "must be one agent without a game",
    ),
    "seed": (lambda: make_page("mapello", seed=2**53), "seed = 9007199254740992: must be 0 to"),
}


@cases("what", BAD)
def test_bad_input_is_refused_when_the_page_is_written(what: str) -> None:
    write, words = BAD[what]
    with pytest.raises(ValueError, match=re.escape(words)):
        write()


def test_a_page_has_built_in_agents_alone() -> None:
    with pytest.raises(TypeError, match="a page has the built-in ones"):
        make_page("mapello", opponents=len)  # type: ignore[arg-type]


def test_without_the_module_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("adjoin.playing.pages.MODULE", tmp_path / "adjoin.wasm")
    with pytest.raises(RuntimeError, match="run `make web` in the source tree, or install a wheel"):
        make_page("mapello")

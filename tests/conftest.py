"""Fixtures: which games and options a test runs with."""

from __future__ import annotations

import os

import pytest

import adjoin
from scaffold import BRIEF, VARIANTS, Variant

collect_ignore = [] if os.environ.get("ADJOIN_RL") else ["rl"]
"""The tests of heavy libraries run with `make test-rl`."""


@pytest.fixture(params=VARIANTS, ids=str)
def variant(request: pytest.FixtureRequest) -> Variant:
    """Every game with every option set."""
    chosen: Variant = request.param
    return chosen


@pytest.fixture(params=adjoin.games())
def game(request: pytest.FixtureRequest) -> str:
    """Every game, with its defaults."""
    return str(request.param)


@pytest.fixture(params=adjoin.games())
def brief(request: pytest.FixtureRequest) -> Variant:
    """Every game, with options under which a match is short."""
    return Variant(request.param, BRIEF.get(request.param, {}))

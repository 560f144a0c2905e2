"""Fixtures, and which tests run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjoin
from interfaces import CHROMIUM
from scaffold import BRIEF, IS_LONG, VARIANTS, Variant

collect_ignore = [] if os.environ.get("ADJOIN_RL") else ["rl"]
"""The tests of heavy libraries run with `make test-rl`."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked as long, unless everything runs."""
    if not IS_LONG:
        config.hook.pytest_deselected(items=[item for item in items if is_long(item)])
        items[:] = [item for item in items if not is_long(item)]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m smoke``, pass over files without such tests: to import them all takes longer."""
    is_test = collection_path.name.startswith("test_") and config.option.markexpr == "smoke"
    return (is_test and "mark.smoke" not in collection_path.read_text("utf-8")) or None


def is_long(item: pytest.Item) -> bool:
    """Return whether a test is marked as long."""
    return item.get_closest_marker("long") is not None


@pytest.fixture(params=list(VARIANTS.values()), ids=list(VARIANTS))
def variant(request: pytest.FixtureRequest) -> Variant:
    """Games with options that differ in what code without rules may trip over."""
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


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()

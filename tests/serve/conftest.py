"""A server of its own for a test, and browsers that open its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from served import Pages, Service


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    started = Service(tmp_path)
    yield started
    started.close()


@pytest.fixture
def pages(chromium: Any) -> Iterator[Pages]:
    opened = Pages(chromium)
    yield opened
    opened.close()

"""The examples of the page about learners, by section."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "pages" / "guides" / "learners.md"


def sections() -> dict[str, list[str]]:
    """Return the examples under every heading that has some."""
    parts = re.split(r"^## (.+)\n", PAGE.read_text("utf-8"), flags=re.M)
    found = {
        heading: re.findall(r"^```py(?:thon)?\n(.*?)^```", text, re.S | re.M)
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {heading: blocks for heading, blocks in found.items() if blocks}


def run(heading: str) -> dict[str, Any]:
    """Run the examples of a section in order, and return their names."""
    names: dict[str, Any] = {}
    for number, block in enumerate(sections()[heading], 1):
        exec(compile(block, f"{PAGE.name}, {heading}, example {number}", "exec"), names)
    return names

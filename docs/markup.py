"""The few things that generated pages are made of."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines
    )


def python(code: str) -> str:
    """Return code as a block."""
    return f"```python\n{code.strip()}\n```"


def verbatim(text: str) -> str:
    """Return text as a block."""
    return f"```text\n{text.rstrip()}\n```"


def printed(code: str) -> str:
    """Run code and return what it prints, as a block."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "an example of the documentation", "exec"), {})
    return verbatim(out.getvalue())


def contents(pages: Iterable[str]) -> str:
    """Return a table of contents for the margin."""
    entries = "\n".join(pages)
    return f"```{{toctree}}\n:hidden:\n\n{entries}\n```"

"""The scripts of the front end as one: notebooks and pages load a single module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

WEB = Path(__file__).parent / "web"
"""Scripts and styles: the board, and what it is made of."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.-]+)";\n', re.MULTILINE)
_ASIDE = re.compile(r"^ *//[^\n]*\n|^ */\*\*.*?\*/\n|^ +", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?:async )?(?:const|class|function) (\w+)", re.MULTILINE)


@cache
def bundle(name: str, folder: Path = WEB) -> str:
    """Return a script as a module without imports: what it imports comes first, each in a scope.

    It knows just what our scripts use: ``import { a, b } from "./other.js"`` on a line of its own,
    and ``export`` before a declaration.
    """
    *others, _ = dict.fromkeys(_linked(name, folder))
    scoped = [_scoped(other, read(other, folder)) for other in others]
    return "\n".join([*scoped, _with_names(read(name, folder))])


def read(name: str, folder: Path = WEB) -> str:
    """Return the text of a script or a style."""
    return (folder / name).read_text(encoding="utf-8")


def lean(script: str) -> str:
    """Return a script without comments on lines of their own and without indentation.

    None of ours has a text over several lines.
    """
    return _ASIDE.sub("", script)


def _linked(name: str, folder: Path) -> Iterator[str]:
    """Yield a script after those that it imports."""
    for _, other in _IMPORT.findall(read(name, folder)):
        yield from _linked(other, folder)
    yield name


def _scoped(name: str, text: str) -> str:
    """Return a script as a constant that holds what it exports."""
    inside = re.sub(r"^export (default .*\n)?", "", _with_names(text), flags=re.MULTILINE)
    names = ", ".join(_EXPORT.findall(text))
    return f"const {_constant(name)} = (() => {{\n{inside}return {{ {names} }};\n}})();"


def _with_names(text: str) -> str:
    return _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {_constant(found[2])};\n", text)


def _constant(name: str) -> str:
    return f"module_{re.sub(r'[^a-z0-9]', '_', name.removesuffix('.js'))}"

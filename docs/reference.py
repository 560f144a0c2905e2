"""The reference: public names from their docstrings, the command line from its own help.

What is public stands in `__all__`: of a room, which is a package of the package, and of an adapter.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import inspect
import itertools
import os
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markup import contents, table, verbatim

import adjoin
from adjoin import cli

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

ADAPTERS = {
    "adjoin.envs.aec": ("pettingzoo",),
    "adjoin.envs.openspiel": ("pyspiel",),
    "adjoin.envs.puffer": ("pufferlib",),
    "adjoin.envs.rllib": ("ray",),
    "adjoin.envs.sb3": ("stable_baselines3", "torch"),
    "adjoin.envs.text": ("textarena",),
    "adjoin.simulation.ray": ("ray",),
}
"""Modules of the rooms that are written for other libraries, with those: they may be missing."""

KINDS = ("Constants", "Classes", "Errors", "Functions")
"""What a page is divided into."""


@dataclass(frozen=True)
class Entry:
    """A public name at its place."""

    home: str
    name: str
    thing: Any
    text: str
    """What it says of itself, first of all."""

    @property
    def path(self) -> str:
        """The name in full."""
        return f"{self.home}.{self.name}"

    @property
    def kind(self) -> str:
        """The part of the page that it belongs to."""
        if inspect.isclass(self.thing):
            return "Errors" if issubclass(self.thing, BaseException) else "Classes"
        return "Functions" if inspect.isroutine(self.thing) else "Constants"

    @property
    def is_at_the_top(self) -> bool:
        """Whether `adjoin` has the same under the same name."""
        return self.name in adjoin.__all__ and getattr(adjoin, self.name) is self.thing

    def directive(self) -> str:
        """Return what documents it."""
        same = f"\n   ``adjoin.{self.name}`` is the same.\n" if self.is_at_the_top else ""
        if self.kind == "Functions":
            return f".. autofunction:: {self.path}\n{same}"
        if self.kind == "Constants":
            value = f"   :value: {self.thing}\n" if isinstance(self.thing, int) else ""
            home = f"   :module: {self.home}\n"
            return f".. py:data:: {self.name}\n{home}{value}\n   {self.text}\n{same}"
        bases = "   :show-inheritance:\n" if self.kind == "Errors" else ""
        return f".. autoclass:: {self.path}\n   :members:\n{bases}{same}"


def pages() -> dict[str, str]:
    """Return the pages of the public names and of the command line, by path."""
    written = {"reference/command_line.md": command_line()}
    rows, at_the_top = [], []
    for room in rooms():
        name = room.__name__.rpartition(".")[2]
        written[f"reference/{name}.md"] = page(room)
        rows.append((f"[`adjoin.{name}`]({name}.md)", markdown(brief(room.__doc__))))
        at_the_top += [entry for entry in entries(room) if entry.is_at_the_top]
    if lost := set(adjoin.__all__) - {entry.name for entry in at_the_top}:
        raise ValueError(f"adjoin.__all__ has what no room has: {', '.join(sorted(lost))}")
    rows.append(("[`adjoin`](command_line.md)", "The command line, as it says of itself."))
    written["reference/index.md"] = f"""# Reference

Every public name of the package, from its docstring. It stands in the room that it belongs to;
`help(adjoin)` says the same in a terminal, and the {{ref}}`index <genindex>` has them all by name.

{table(("room", "what it is for"), rows)}

## The names of `adjoin` itself

`import adjoin` is enough for these, and for every room. They are loaded when they are used.

{summary(sorted(at_the_top, key=lambda entry: entry.name.lower()))}

{contents([*(room.__name__.rpartition(".")[2] for room in rooms()), "command_line"])}
"""
    return written


def rooms() -> list[ModuleType]:
    """Return the packages that say what is public in them, by name."""
    found = [m.name for m in pkgutil.iter_modules(adjoin.__path__, "adjoin.") if m.ispkg]
    packages = [importlib.import_module(name) for name in found]
    return [package for package in packages if hasattr(package, "__all__")]


def adapters_of(room: ModuleType) -> Iterator[ModuleType]:
    """Load the adapters of a room, if need be without the library."""
    from sphinx.ext.autodoc import mock

    for name, libraries in ADAPTERS.items():
        if name.rpartition(".")[0] == room.__name__:
            with mock([each for each in libraries if importlib.util.find_spec(each) is None]):
                yield importlib.import_module(name)


def entries(module: ModuleType) -> list[Entry]:
    """Return the public names of a module, in its own order."""
    found = []
    for name in module.__all__:
        thing = getattr(module, name)
        is_code = inspect.isclass(thing) or inspect.isroutine(thing)
        text = inspect.getdoc(thing) if is_code else comment(module, name)
        found.append(Entry(module.__name__, name, thing, brief(text)))
    return found


def comment(module: ModuleType, name: str) -> str:
    """Return the text below an assignment, in a module or in the one it comes from."""
    tree = ast.parse(inspect.getsource(module))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and name in [each.name for each in node.names]:
            return comment(importlib.import_module(str(node.module)), name)
    for assigned, text in itertools.pairwise(tree.body):
        if isinstance(assigned, ast.Assign | ast.AnnAssign) and isinstance(text, ast.Expr):
            names = [node.id for node in ast.walk(assigned) if isinstance(node, ast.Name)]
            if name in names:
                return str(ast.literal_eval(text.value))
    return ""


def brief(text: str | None) -> str:
    """Return the first paragraph of a docstring."""
    return " ".join((text or "").partition("\n\n")[0].split())


def page(room: ModuleType) -> str:
    """Return the page of a room and of its adapters."""
    parts = [f"# {room.__name__}", about(room), *listed(entries(room), "##")]
    for module in adapters_of(room):
        shortcut = module.__name__.rpartition(".")[2]
        parts += [f"## {module.__name__}", about(module)]
        if getattr(adjoin, shortcut, None) is module:
            parts.append(f"`adjoin.{shortcut}` is the same module.")
        parts += listed(entries(module), "###")
    return "\n\n".join(parts) + "\n"


def about(module: ModuleType) -> str:
    """Return what a module says of itself."""
    return rst(f".. automodule:: {module.__name__}\n   :no-members:\n")


def listed(found: list[Entry], level: str) -> list[str]:
    """Return a list of names, and what each of them is, kind by kind."""
    parts = [summary(found)]
    for kind in KINDS:
        if some := [entry.directive() for entry in found if entry.kind == kind]:
            parts += [f"{level} {kind}", rst("\n".join(some))]
    return parts


def summary(found: Iterable[Entry]) -> str:
    """Return names with the first sentence of each."""
    rows = [(f"{{py:obj}}`{entry.name} <{entry.path}>`", markdown(entry.text)) for entry in found]
    return table(("name", "what it is"), rows)


def markdown(text: str) -> str:
    """Return a paragraph of a docstring as Markdown has it."""
    return text.replace("``", "`")


def rst(text: str) -> str:
    """Return directives as Sphinx reads them in Markdown."""
    return f"```{{eval-rst}}\n{text}```"


def command_line() -> str:
    """Return what `adjoin` and its commands say of themselves."""
    os.environ["COLUMNS"] = "88"
    parser = cli.parser_of()
    codes = (cli.__doc__ or "").partition("Exit codes: ")[2].strip()
    out = [
        "# Command line",
        "The package brings the command `adjoin`. This is what it says of itself.",
        verbatim(parser.description or ""),
        *helps(parser, "##"),
        f"## Exit codes\n\n{codes}",
    ]
    return "\n\n".join(out) + "\n"


def helps(parser: argparse.ArgumentParser, level: str) -> list[str]:
    """Return the help of the commands below a parser."""
    out = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                out.append(f"{level} {command.prog}\n\n{verbatim(command.format_help())}")
                out += helps(command, level + "#")
    return out

"""The reference: public names from their docstrings, the command line from its own help."""

from __future__ import annotations

import argparse
import os
from types import ModuleType

from markup import contents, table, verbatim

import adjoin
from adjoin import classroom, cli
from adjoin.learning import lessons as learning
from adjoin.learning import policies
from adjoin.learning import trainer as training
from adjoin.simulation import offline as trajectories
from adjoin.statistics import perfect_play as exactness

GROUPS = {
    "Matches": ("Match", "Hint", "Solution", "IllegalActionError"),
    "Board": ("play",),
    "Pictures": ("animate", "Animation"),
    "Batches": ("Batch", "Buffers", "RUNNING", "OVER", "CUT_OFF"),
    "Environments": ("games", "agents", "describe", "Spec", "Layout", "Block"),
    "Simulation": ("simulate", "Table", "Stream", "SimulationError"),
    "Tournaments and reports": ("tournament", "Tournament", "report", "Report"),
    "Maps and decks": (
        *("Atlas", "Region", "Water", "AtlasError"),
        *("Stations", "Station", "Line", "StationsError"),
        *("Deck", "City", "DeckError"),
    ),
}
"""The public names, as the reference shows them."""

LEARNING: dict[ModuleType, tuple[str, ...]] = {
    training: ("Trainer", "Settings", "Point", "win_share", "advantages_of"),
    policies: ("Policy", "CheckpointError"),
    learning: ("learn", "Lesson", "page"),
    exactness: ("exactness", "Exactness", "positions", "value_of", "against_perfect"),
    trajectories: ("trajectories", "Trajectories"),
}
"""What there is for learners beside the adapters, by module."""

BEHIND = {
    "Board": ("adjoin.playing.board.Board()",),
    "Environments": (
        "adjoin.envs.single.Env",
        "adjoin.envs.vector.VectorEnv",
        "adjoin.envs.aec.AECEnv",
    ),
}
"""What `adjoin.play`, Gymnasium and PettingZoo make."""


def pages() -> dict[str, str]:
    """Return the pages of the public names and of the command line, by path."""
    grouped = [name for names in GROUPS.values() for name in names]
    if astray := sorted(set(grouped) ^ set(adjoin.__all__)):
        raise ValueError(
            f"docs/reference.py: GROUPS and adjoin.__all__ differ: {', '.join(astray)}"
        )
    written = {"reference/command_line.md": command_line()}
    listed = []
    for group, names in GROUPS.items():
        page = group.lower().replace(" ", "_")
        behind = [f".. autoclass:: {name}\n   :members:\n" for name in BEHIND.get(group, ())]
        entries = "\n".join([*map(directive, names), *behind])
        written[f"reference/{page}.md"] = f"# {group}\n\n```{{eval-rst}}\n{entries}\n```\n"
        listed.append((page, group, ", ".join(f"`{name}`" for name in names)))
    shown = [n for n in classroom.__all__ if not isinstance(getattr(classroom, n), dict)]
    entries = "\n".join(directive(name, classroom) for name in shown)
    written["reference/classroom.md"] = f"# Classroom\n\n```{{eval-rst}}\n{entries}\n```\n"
    listed.append(("classroom", "Classroom", "`adjoin.classroom`"))
    entries = "\n".join(
        directive(name, module) for module, names in LEARNING.items() for name in names
    )
    written["reference/learning.md"] = f"# Learning\n\n```{{eval-rst}}\n{entries}\n```\n"
    modules = ", ".join(f"`{module.__name__}`" for module in LEARNING)
    listed.append(("learning", "Learning", modules))
    listed.append(("command_line", "Command line", "`adjoin`"))
    rows = [(f"[{title}]({page}.md)", names) for page, title, names in listed]
    written["reference/index.md"] = f"""# Reference

Every public name of the package, from its docstring. `help(adjoin)` says the same in a terminal.

{table(("page", "what is there"), rows)}

{contents(page for page, _, _ in listed)}
"""
    return written


def directive(name: str, module: ModuleType = adjoin) -> str:
    """Return what documents a public name of a module."""
    thing = getattr(module, name)
    name = f"{module.__name__}.{name}"
    if isinstance(thing, type):
        bases = "   :show-inheritance:\n" if issubclass(thing, Exception) else ""
        return f".. autoclass:: {name}\n   :members:\n{bases}"
    return f".. {'autofunction' if callable(thing) else 'autodata'}:: {name}\n"


def command_line() -> str:
    """Return what `adjoin` and its commands say of themselves."""
    os.environ["COLUMNS"] = "88"
    parser = cli._parser()
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

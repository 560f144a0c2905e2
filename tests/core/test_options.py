"""The options of the games as keywords: what a type checker knows of them is what the games have.

``UPDATE_OPTIONS=1 pytest tests -k keywords_of_the_games`` writes ``adjoin/core/options.py`` anew.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

import adjoin
from adjoin.core import options
from adjoin.envs import Env, VectorEnv
from adjoin.envs.aec import AECEnv

HEAD = '''"""The options of the games as keywords: a misspelt one is seen before anything runs.

Written from the games' specs by ``make golden``.
"""

from __future__ import annotations

from typing import Any, TypedDict


class GameOptions(TypedDict, total=False):
    """What the games can be played with; ``describe(game)`` tells what a game has.

    The games check the values, and say what is allowed.
    """
'''


def module() -> str:
    """Return the module as it should be: every option once, with what it means in each game."""
    meanings: dict[str, dict[str, list[str]]] = {}
    kinds: dict[str, set[type]] = {}
    for game in adjoin.games():
        spec = adjoin.Match(game).spec
        for option, meaning in spec.option_meanings.items():
            meanings.setdefault(option, {}).setdefault(meaning, []).append(spec.title)
            kinds.setdefault(option, set()).add(type(spec.options[option]))
    fields = []
    for option, by_meaning in sorted(meanings.items()):
        kind = "bool" if kinds[option] == {bool} else "Any"
        text = ". ".join(f"{', '.join(titles)}: {words}" for words, titles in by_meaning.items())
        lines = textwrap.wrap(f'"""{text}."""', 96)
        fields.append(f"\n    {option}: {kind}\n" + "".join(f"    {line}\n" for line in lines))
    return HEAD + "".join(fields)


@pytest.mark.smoke
def test_the_keywords_of_the_games_are_those_of_their_specs() -> None:
    path = Path(options.__file__)
    if os.environ.get("UPDATE_OPTIONS"):
        path.write_text(module(), "utf-8", newline="\n")
    assert path.read_text("utf-8") == module()


def test_a_misspelt_keyword_is_refused_and_a_type_checker_sees_it() -> None:
    """The type checker is strict: it also reports an ignored error that is none."""
    calls: list[Callable[[], object]] = [
        lambda: adjoin.simulate("mapello", 10, recod="decisions"),  # type: ignore[call-overload]
        lambda: adjoin.Match("domiphun", varaint="advanced"),  # type: ignore[call-arg]
        lambda: adjoin.Batch("mapello", lanes=3),  # type: ignore[call-arg]
        lambda: adjoin.play("mapello", oponents="greedy"),  # type: ignore[call-arg]
        lambda: adjoin.tournament("mapello", ["random", "greedy"], gam=3),  # type: ignore[call-arg]
        lambda: adjoin.report("mapello", episode=3),  # type: ignore[call-arg]
        lambda: adjoin.describe("mapello", wals=3),  # type: ignore[call-arg]
        lambda: Env("mapello", seat=1, wals=3),  # type: ignore[call-arg]
        lambda: VectorEnv("mapello", 2, obs_mod="dict"),  # type: ignore[call-arg]
        lambda: AECEnv("mapello", wals=3),  # type: ignore[call-arg]
    ]
    for call in calls:
        with pytest.raises(ValueError, match="unknown option"):
            call()

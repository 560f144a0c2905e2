"""A page to play on: one file that opens from disk, with the core, the board and all it needs."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from adjoin import _core
from adjoin.core.match import Match
from adjoin.core.spec import games
from adjoin.playing.scripts import WEB, bundle, read
from adjoin.playing.sessions import Session
from adjoin.support.arguments import brief, whole

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions

MODULE = WEB / "adjoin.wasm"
"""The core for browsers, which `make web` builds."""
_MOST = 2**53 - 1
"""Whole numbers of JavaScript go so far."""


def page(
    game: str | None = None,
    *,
    opponents: str | Sequence[str] = "easy",
    seed: int | None = None,
    **options: Unpack[GameOptions],
) -> str:
    """Return a page to play on, as HTML: one file that opens in any browser, without a network.

    It has all games in it, and begins with the one that is given, if one is. ``opponents`` is one
    agent for all other seats, or one for each; ``seed`` says which deal (a new one each time if not
    given); the other keywords are the game's options.

    >>> from pathlib import Path
    >>> html = page("mapominoes", nations=["Wales"], opponents="easy")  # doctest: +SKIP
    >>> Path("wales.html").write_text(html, encoding="utf-8")  # doctest: +SKIP
    """
    settings = _settings(game, opponents, seed, options)
    parts = {
        "TITLE": escape("Tabletop games" if game is None else Match(game).spec.title),
        "STYLES": "\n".join(read(name) for name in ("board.css", "play.css")),
        "SETTINGS": _json(settings),
        "SCRIPTS": _json({"play": bundle("play.js"), "worker": read("worker.js")}),
        "MODULE": base64.b64encode(gzip.compress(_module(), 9, mtime=0)).decode(),
    }
    return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], read("page.html"))


def _settings(
    game: str | None, opponents: str | Sequence[str], seed: int | None, options: Any
) -> dict[str, Any]:
    """Return what the page begins with, or say what is wrong with it."""
    agents = [opponents] if isinstance(opponents, str) else opponents
    if not isinstance(agents, Sequence) or not all(isinstance(agent, str) for agent in agents):
        raise TypeError(
            f"opponents = {brief(opponents)}: must be the name of an agent, or one for each other "
            "seat; a page has the built-in ones"
        )
    if game is None:
        if options:
            raise ValueError(
                f"a page without a game has no options; leave out {', '.join(options)}"
            )
        if len(agents) != 1:
            raise ValueError(f"opponents = {brief(opponents)}: must be one agent without a game")
    for name in games() if game is None else [game]:
        Session(Match(name, seed=0, **options), 0, agents)
    for agent in agents:
        if re.search(r"\bseconds\s*=", agent):
            raise ValueError(f'agent "{agent}": a page has no clock; give iterations, not seconds')
    return {
        "game": game,
        "options": _core.plain(options),
        "opponents": list(agents),
        "seed": None if seed is None else whole("seed", seed, 0, _MOST),
    }


def _module() -> bytes:
    try:
        return MODULE.read_bytes()
    except FileNotFoundError:
        raise RuntimeError(
            "the core for browsers is not built: run `make web` in the source tree, or install a "
            "wheel of adjoin, which has it"
        ) from None


def _json(value: Any) -> str:
    """Return JSON that ends no element of HTML."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")

"""Hosts of the core's session: a board in a notebook, a page, a terminal; and a match as a film.

``Board`` needs ``pip install adjoin[notebook]``.
"""

from typing import TYPE_CHECKING

from adjoin.playing.animation import Animation, animate
from adjoin.playing.pages import page
from adjoin.playing.sessions import Session, play
from adjoin.playing.terminal import Terminal
from adjoin.support.lazy import lazy

__all__ = ["Animation", "Board", "Session", "Terminal", "animate", "page", "play"]

if TYPE_CHECKING:
    from adjoin.playing.board import Board
else:
    __getattr__, __dir__ = lazy(__name__, {"adjoin.playing.board": ("Board",)})

"""In the documentation a board has no kernel: it becomes a page that plays by itself.

`build.py` has the kernels of the notebooks run this when they start.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from adjoin.playing.board import Board

PAGE = "../play/index.html"
"""Where the page is, seen from a notebook's."""


def frame(board: Board) -> str:
    """Return a frame with the page, at the match of a board."""
    match, session = board.match, board._session
    agents = [agent if isinstance(agent, str) else "greedy" for agent in session.agents.values()]
    chosen = {
        "game": match.spec.name,
        "options": match.spec.options,
        "seed": match.address[0],
        "people": len(session.people),
        "opponents": agents,
    }
    address = f"{PAGE}#play={quote(json.dumps(chosen))}"
    title = f"{match.spec.title}, to play"
    return f'<iframe class="board" src="{address}" title="{title}" loading="lazy"></iframe>'


def register() -> None:
    """Show boards so from now on."""
    from IPython import get_ipython

    formatters = get_ipython().display_formatter.formatters
    formatters["text/html"].for_type_by_name("adjoin.playing.board", "Board", frame)


if __name__ == "__main__":
    register()

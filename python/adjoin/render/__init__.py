"""Pictures of a table, drawn from its JSON view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin.render import connections, domiphun, mapello, mapominoes, metro_domino

if TYPE_CHECKING:
    from collections.abc import Callable

_DRAW: dict[str, Callable[[dict[str, Any]], str]] = {
    "connections": connections.svg,
    "domiphun": domiphun.svg,
    "mapello": mapello.svg,
    "mapominoes": mapominoes.svg,
    "metro_domino": metro_domino.svg,
}


def svg(view: dict[str, Any]) -> str:
    """Return the SVG picture of a view, as ``Match.view`` or ``Batch.view`` give it."""
    return _DRAW[view["game"]](view)

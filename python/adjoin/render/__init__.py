"""Pictures of a table, drawn from its JSON view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin.render import connections, domiphun, mapello, mapominoes, metro_domino

if TYPE_CHECKING:
    from collections.abc import Callable

_DRAW: dict[str, Callable[..., str]] = {
    "connections": connections.svg,
    "domiphun": domiphun.svg,
    "mapello": mapello.svg,
    "mapominoes": mapominoes.svg,
    "metro_domino": metro_domino.svg,
}
_LOOKS: dict[str, dict[str, tuple[object, ...]]] = {
    "domiphun": {"balance": (False, True), "turn": (0, 1, 2, 3)},
}
"""By game: the keywords that change how the same facts are drawn, and their values."""


def svg(view: dict[str, Any], **look: Any) -> str:
    """Return the SVG picture of a view, as ``Match.view`` or ``Batch.view`` give it.

    A look changes how the same facts are drawn. Domiphun has two: ``balance=True`` shows how the
    construction stands, ``turn`` (0 to 3) turns it by so many quarters around the vertical. The
    other games have none.
    """
    game = view["game"]
    _check_look(game, look)
    return _DRAW[game](view, **look)


def _check_look(game: str, look: dict[str, Any]) -> None:
    """Refuse a look that a game does not have, and a value that a look cannot have."""
    looks = _LOOKS.get(game, {})
    for name, value in look.items():
        if name not in looks:
            known = f"has the looks {', '.join(looks)}" if looks else "has no looks"
            raise TypeError(f"{name} = {value!r}: {game} {known}")
        if not any(type(value) is type(one) and value == one for one in looks[name]):
            allowed = ", ".join(map(repr, looks[name]))
            raise ValueError(f"{name} = {value!r}: must be one of {allowed}")

"""Which regions of an atlas a sheet is about."""

from __future__ import annotations

from collections.abc import Iterable

from adjoin.data.atlas import Atlas, Region
from adjoin.support.names import choose


def opened(atlas: str | Atlas) -> Atlas:
    """Return an atlas, or the shipped one of a name."""
    return atlas if isinstance(atlas, Atlas) else Atlas.load(atlas)


def as_list(nations: str | Iterable[str] | None) -> list[str] | None:
    """Return nations as a list; none if all are meant."""
    if nations is None:
        return None
    if not isinstance(nations, Iterable):
        raise TypeError(f"nations is a name or a list of names, got {nations!r}")
    return [nations] if isinstance(nations, str) else list(nations)


def filtered(atlas: Atlas, nations: Iterable[str]) -> list[str]:
    """Return nations as the atlas writes them."""
    return [choose(nation, atlas.nations, "a nation", f" in {atlas.name}") for nation in nations]


def chosen(atlas: Atlas, nations: str | Iterable[str] | None) -> tuple[Region, ...]:
    """Return the regions of some nations, with all their borders."""
    if nations is None:
        return atlas.regions
    return tuple(atlas[region.id] for region in atlas.sub(nations=nations))

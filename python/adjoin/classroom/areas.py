"""Areas: parts of an atlas or of a deck, by name and by what stands for them in a code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from adjoin.classroom.chance import Chance
from adjoin.support.names import Index, UnknownNameError, as_text, ident


class ClassroomError(ValueError):
    """Something that was asked for cannot be; the message says why, and what can."""


class Area(NamedTuple):
    """A part of an atlas: the regions of a nation, or those of a region within one."""

    name: str
    tag: str
    """What stands for it in a code."""
    members: tuple[str, ...]
    """The ids of its regions."""
    nation: str = ""
    """The nation, for a region within one."""


def tagged(areas: Iterable[Area]) -> tuple[Area, ...]:
    """Return areas with what stands for them in a code, all different."""
    taken: set[str] = set()
    found = []
    for area in areas:
        parts = [p for p in ident(area.name).split("_") if p not in ("and", "the", "of")]
        letters = ["".join(c for c in p.upper() if c.isascii() and c.isalnum()) for p in parts]
        short = letters[0][:8] if len(letters) == 1 else "".join(part[:4] for part in letters)
        tag, number = short or "X", 1
        while tag in taken:
            number += 1
            tag = f"{short or 'X'}{number}"
        taken.add(tag)
        found.append(area._replace(tag=tag))
    return tuple(found)


def find_area(
    text: str,
    noun: str,
    areas: Mapping[str, Area],
    where: str,
    what: str,
    others: Mapping[str, Index[Any]],
) -> Area:
    """Return the area with a name, or say which names are near; ``what`` is asked about."""
    index = Index((area, (area.name,)) for area in areas.values())
    found = index.find(as_text(text, f"a {noun}"))
    if found is not None:
        return found
    if not areas:
        raise UnknownNameError(f'no {noun} "{text}" in {where}: it has none')
    hint = index.hint(text, **{key: other for key, other in others.items() if key != noun})
    hint = hint or f"; there are {', '.join(areas)}"
    raise UnknownNameError(f'no {noun} "{text}" in {where}{hint}')


def texts_of(given: str | Iterable[str] | None) -> list[str]:
    """Return texts that are given as one, as several or not at all."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)


def own_tag(facts: tuple[Any, ...]) -> str:
    """Return what stands for somebody's own map in a code: it depends on all that is on it."""
    things = [sorted(vars(thing).items()) for group in facts for thing in group]
    plain = repr([[(key, _frozen(value)) for key, value in thing] for thing in things])
    return "OWN" + Chance(sha256(plain.encode()).hexdigest()).symbols(3)


def _frozen(value: object) -> object:
    return sorted(value.items()) if isinstance(value, Mapping) else value

"""What a class has chosen: how many chose what, as bars and on the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from adjoin.classroom.exercises import Answer, Question

Key: TypeAlias = "str | tuple[str, ...]"
"""What can be chosen: something, or several in an order."""

_BARS = 7


def keys_of(question: Question, answer: Answer) -> list[Key]:
    """Return what an answer chose; a way and an order are one thing."""
    if isinstance(answer, bool):
        return ["yes" if answer else "no"]
    keys = question.ids_in(answer)
    if question.form == "order":
        return [keys] if keys else []
    if question.form == "route":
        start, end = question.about
        inner = tuple(key for key in keys if key not in (start, end))
        if keys and keys[0] == end:
            inner = inner[::-1]
        return [(start, *inner, end)] if keys else []
    return list(keys)


def _label(question: Question, key: Key) -> str:
    """Return what was chosen in words; of a way, what lies between its ends."""
    if isinstance(key, str):
        return question.shown_name(key)
    inner = key[1:-1] if question.form == "route" else key
    return " – ".join(map(question.shown_name, inner)) or "straight there"


def bars_of(question: Question, chosen: Iterable[list[Key]], silent: int) -> list[dict[str, Any]]:
    """Return how many chose what: choices in their order, others by their number."""
    answers = list(chosen)
    counts = Counter(key for keys in answers for key in keys)
    right = question.answers
    if question.choices and question.form != "order":
        shown: list[Key] = list(question.ids)
    else:
        best = [key for key in right if isinstance(key, str)]
        most = sorted(counts, key=lambda key: (-counts[key], key not in right, key))
        others = [key for key in most if key not in best]
        shown = [*sorted(best, key=lambda key: -counts[key]), *others][:_BARS]
    other = sum(not keys or not set(keys) <= set(shown) for keys in answers) - silent
    bars: list[dict[str, Any]] = [
        {"label": _label(question, key), "count": counts[key], "is_right": key in right}
        for key in shown
    ]
    for label, number in (("something else", other), ("no answer", silent)):
        if number:
            bars.append({"label": label, "count": number, "is_right": None})
    return bars


def places_of(
    question: Question, chosen: Iterable[list[Key]], places: Mapping[str, str]
) -> dict[str, Any]:
    """Return the places of the answer, with how many chose each, and the way through them.

    ``places`` are the names under which places go out.
    """
    ends = question.about if question.form in ("route", "order") else ()
    right = _right_places(question)
    counts: Counter[str] = Counter()
    if right:
        for keys in chosen:
            flat = {one for key in keys for one in (key if isinstance(key, tuple) else [key])}
            counts.update(flat.difference(ends))
    marks = dict.fromkeys(_clues(question), "beside")
    marks |= {key: "beside" if key in question.also else "wrong" for key in counts}
    if ends:
        marks |= {key: "right" for way in question.answers for key in way if key in counts}
    marks |= dict.fromkeys(right, "right")
    if ends or not set(right) & set(question.about):
        marks |= dict.fromkeys(question.about, "subject")
    called = {**question.book.names.get("water", {}), **question.book.names.get("region", {})}
    return {
        "places": [
            {"id": places[key], "name": called[key], "is": mark, "count": counts[key]}
            for key, mark in marks.items()
            if key in places
        ],
        "way": [places[key] for key in right if ends and key in places],
    }


def _right_places(question: Question) -> tuple[str, ...]:
    """Return the places that are right: of several ways, those of the first, in their order."""
    if question.form == "yes_no" or question.pool not in ("region", "water"):
        return ()
    first: tuple[str, ...] = question.answers[0]
    if question.form == "order":
        return (question.about[0], *first, question.about[1])
    return first if question.form == "route" else question.answers


def _clues(question: Question) -> tuple[str, ...]:
    """Return the places that a question names beside its subject."""
    if question.kind == "from_neighbours":
        return question.book.borders[question.answers[0]]
    return question.ids if question.kind == "odd" else ()

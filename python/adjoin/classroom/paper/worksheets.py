"""A quiz on paper: the worksheet, and the answer key on its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from adjoin.classroom.exercises import Question
from adjoin.classroom.paper.maps import name_line
from adjoin.classroom.paper.question_maps import QuestionMaps, is_drawn_on, is_numbered
from adjoin.classroom.paper.sheets import MARGIN, Sheets, blank, finished
from adjoin.classroom.quizzes import Quiz
from adjoin.drawing.colours import INK, SOFT
from adjoin.drawing.lettering import SOURCE_SANS
from adjoin.drawing.sheet import POINT, Box, Drawing
from adjoin.support.wording import count

SIZES = (9.0, 20.0)
"""The smallest and the largest type of a worksheet, in points."""

_NUMBER, _POINTS = 9.0, 16.0
"""How wide the columns of the numbers and of the points are."""

_TIGHTER = (0.85, 0.7, 0.55)
"""By how much gaps may shrink so that no question is alone on the last page."""

_ROUTES = 6
"""How many ways an answer key lists."""


def worksheet(quiz: Quiz | str, *, page: str = "A4", size: float = 11) -> Sheets:
    """Return a quiz, or the one that a code stands for, with room to write the answers.

    Questions about places are asked on a map with numbers, and what is to be coloured or traced on
    maps of its own.
    ``size`` is the size of the type in points: 16 is large print. The code is at the foot of every
    page, so that the answer key can be made again.

    >>> quiz = Quiz.make("uk-counties", nations="Wales", kinds="borders", seed=1)
    >>> worksheet(quiz)
    <Sheets worksheet, counties in Wales: 2 pages>
    """
    quiz, size = _checked(quiz, size)
    wide = blank(page).width - 2 * MARGIN
    maps = QuestionMaps.of(quiz, wide)
    parts = [
        (f"question {number}", _asked(question, number, wide, size, maps))
        for number, question in enumerate(quiz, 1)
    ]
    parts = _with_map(quiz, parts, maps)
    total = sum(map(points, quiz))

    def head(drawing: Drawing, box: Box, is_first: bool) -> float:
        if not is_first:
            name_line(drawing, Box(box.x, box.y - 4, box.wide, 8), ("Name",))
            return box.y + 8
        drawing.label(
            Box(box.x, box.y, box.wide - 34, 10), quiz.title, 22, 12, bold=True, anchor="start"
        )
        score = Box(box.right - 32, box.y, 32, 10)
        drawing.box(score, None, INK, 0.3, 2)
        drawing.label(score.inner(1.5), f"/ {total} points", 11, 8, anchor="end")
        name_line(drawing, Box(box.x, box.y + 13, box.wide, 8), ("Name", "Class", "Date"))
        return box.y + 27

    pages = _flow(page, parts, head, size * POINT * 1.3)
    return finished(f"worksheet, {_small(quiz.title)}", pages, quiz.code)


def answer_key(quiz: Quiz | str, *, page: str = "A4", size: float = 11) -> Sheets:
    """Return the right answers to a worksheet, with what explains them.

    >>> quiz = Quiz.make("uk-counties", nations="Wales", kinds="borders", seed=1)
    >>> answer_key(quiz)
    <Sheets answer key, counties in Wales: 1 page>
    """
    quiz, size = _checked(quiz, size)
    wide = blank(page).width - 2 * MARGIN
    maps = QuestionMaps.of(quiz, wide)
    parts = [
        (f"answer {number}", _answered(question, number, wide, size, maps))
        for number, question in enumerate(quiz, 1)
    ]
    parts = _with_map(quiz, parts, maps, is_key=True)
    total = count(sum(map(points, quiz)), "point")

    def head(drawing: Drawing, box: Box, is_first: bool) -> float:
        if not is_first:
            return box.y
        title = Box(box.x, box.y, box.wide, 10)
        drawing.label(title, f"Answer key: {quiz.title}", 22, 12, bold=True, anchor="start")
        words = f"{count(len(quiz), 'question')}, {total}. Code of the quiz: {quiz.code}"
        below = Box(box.x, box.y + 11.5, box.wide, 14)
        return drawing.block(below, [words, *_marking(quiz)], 10, 7, colour=SOFT) + 6

    pages = _flow(page, parts, head, size * POINT * 0.8)
    return finished(f"answer key, {_small(quiz.title)}", pages, quiz.code)


def points(question: Question) -> int:
    """Return how many points a question gives: one for each name that is to be written.

    Where all that are right are to be ticked, two, so that the points do not tell how many.
    """
    return 2 if _has_ticks(question) else max(1, question.number_of_answers)


def _has_ticks(question: Question) -> bool:
    return question.form == "many" and bool(question.choices)


def _marking(quiz: Quiz) -> list[str]:
    """Return how points are given, as far as it is needed."""
    texts = []
    if any(points(question) > 1 and not _has_ticks(question) for question in quiz):
        texts.append("A point for each right name, one less for each wrong one, never below 0.")
    if any(map(_has_ticks, quiz)):
        texts.append("Tick all: 2 points if all is right, 1 if some is right and nothing wrong.")
    return texts


def _with_map(
    quiz: Quiz,
    parts: list[tuple[str, Drawing]],
    maps: QuestionMaps | None,
    *,
    is_key: bool = False,
) -> list[tuple[str, Drawing]]:
    """Return the parts with the map that has numbers, before the first question about it."""
    first = next((n for n, question in enumerate(quiz) if is_numbered(question)), None)
    if maps is None or first is None:
        return parts
    return [*parts[:first], ("map", maps.numbered(is_key=is_key)), *parts[first:]]


_Head = Callable[[Drawing, Box, bool], float]


def _checked(quiz: Quiz | str, size: float) -> tuple[Quiz, float]:
    if isinstance(quiz, str):
        quiz = Quiz.from_code(quiz)
    if not isinstance(quiz, Quiz):
        raise TypeError(f"a quiz or the code of one is needed, got {quiz!r}")
    least, most = SIZES
    if isinstance(size, bool) or not isinstance(size, int | float) or not least <= size <= most:
        raise ValueError(f"size = {size!r}: must be from {least:g} to {most:g} points")
    return quiz, size


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]


def _flow(
    page: str, parts: Sequence[tuple[str, Drawing]], head: _Head, gap: float
) -> list[Drawing]:
    """Return pages with parts below each other, none of them cut, and none alone on the last."""
    plain = blank(page)
    area = Box(MARGIN, MARGIN, plain.width - 2 * MARGIN, plain.height - 2 * MARGIN)
    tops = [head(blank(page), area, is_first) for is_first in (True, False)]
    rooms = (area.bottom - tops[0], area.bottom - tops[1])
    heights = [part.height for _, part in parts]
    counts, gap = _paged(heights, rooms, gap)
    pages, left = [], iter(parts)
    for number, parts_here in enumerate(counts):
        drawing = blank(page)
        y = head(drawing, area, number == 0)
        for name, part in islice(left, parts_here):
            drawing.put(part, area.x, y, name)
            y += part.height + gap
        pages.append(drawing)
    return pages


def _paged(
    heights: Sequence[float], rooms: tuple[float, float], gap: float
) -> tuple[list[int], float]:
    """Return how many parts each page has, and the gap between them.

    Rooms are the heights of the first page and of the others. A part that would be alone on the
    last page comes to the others, nearer to each other; if that does not do, it gets company.
    """
    counts = _filled(heights, rooms, gap)
    if len(counts) == 1 or counts[-1] > 1:
        return counts, gap
    for share in _TIGHTER:
        tighter = _filled(heights, rooms, gap * share)
        if len(tighter) < len(counts):
            return tighter, gap * share
    last = sum(heights[-2:]) + gap
    if counts[-2] > 2 and last <= rooms[1]:
        counts[-2:] = [counts[-2] - 1, 2]
    return counts, gap


def _filled(heights: Sequence[float], rooms: tuple[float, float], gap: float) -> list[int]:
    """Return how many parts each page has if every page takes all it has room for."""
    counts, used = [0], 0.0
    for height in heights:
        if counts[-1] and used + height > rooms[len(counts) > 1]:
            counts.append(0)
            used = 0.0
        counts[-1] += 1
        used += height + gap
    return counts


# Questions.


def _asked(
    question: Question, number: int, wide: float, size: float, maps: QuestionMaps | None
) -> Drawing:
    """Return a question with room for its answer."""
    drawing = Drawing(wide, 0)
    unit = size * POINT
    drawing.text(0, unit, f"{number}.", size, bold=True)
    score = points(question)
    drawing.text(wide, unit, f"/ {score}", size * 0.85, colour=SOFT, anchor="end")
    room = Box(_NUMBER, 0.26 * unit, wide - _NUMBER - _POINTS, 1000)
    y = drawing.block(room, _prompt(question, maps), size, size, bold=True) + 0.6 * unit
    box = Box(_NUMBER, y, wide - _NUMBER - _POINTS, 0)
    if maps is not None and is_drawn_on(question):
        drawing.put(own := maps.drawn_on(question), box.x, y)
        drawing.height = y + own.height
    elif maps is not None and question.on_map and question.pool == "water":
        letters = [maps.letters[key] for key in question.ids]
        drawing.height = _ticks(drawing, letters, box, size, most=8)
    else:
        drawing.height = _ROOMS[question.form](drawing, question, box, size)
    return drawing


def _prompt(question: Question, maps: QuestionMaps | None) -> str:
    """Return a question, and how it is answered on paper if it does not say so."""
    if maps is not None and question.on_map == "marked":
        return f"{question.prompt} It has the number {maps.numbers[question.answers[0]]}."
    if is_numbered(question) and question.pool == "water":
        return f"{question.prompt} Tick all their letters."
    if is_numbered(question):
        return f"{question.prompt} Write its number."
    if question.on_map and question.form == "route":
        return f"{question.prompt} Draw it on the map."
    if _has_ticks(question):
        return f"{question.prompt} Tick all that are right."
    return question.prompt


def _many(drawing: Drawing, question: Question, box: Box, size: float) -> float:
    if question.choices:
        return _ticks(drawing, question.choices, box, size)
    return _rules(drawing, question.number_of_answers, box, size)


def _one(drawing: Drawing, question: Question, box: Box, size: float) -> float:
    if question.choices:
        return _ticks(drawing, question.choices, box, size)
    return _rules(drawing, 1, box, size)


def _rules(drawing: Drawing, number: int, box: Box, size: float) -> float:
    """Draw lines to write on, side by side as far as there is room."""
    unit = size * POINT
    columns = max(1, min(number, int(box.wide / (14 * unit)), 3))
    wide, high = box.wide / max(columns, 2), 2.1 * unit
    for place in range(number):
        row, column = divmod(place, columns)
        x, y = box.x + column * wide, box.y + (row + 1) * high - 0.3 * unit
        drawing.line((x, y), (x + wide - 4, y), colour=SOFT, width=0.25)
    return box.y + -(-number // columns) * high


def _ticks(drawing: Drawing, choices: Sequence[str], box: Box, size: float, most: int = 4) -> float:
    """Draw a box to tick for every choice, in columns that are wide enough."""
    unit = size * POINT
    longest = max(SOURCE_SANS.measure(choice, unit) for choice in choices) + 2.4 * unit
    columns = max(1, min(len(choices), most, int(box.wide / longest)))
    columns = -(-len(choices) // -(-len(choices) // columns))
    wide, high = box.wide / columns, 1.75 * unit
    for place, choice in enumerate(choices):
        row, column = divmod(place, columns)
        x, y = box.x + column * wide, box.y + row * high
        drawing.box(Box(x, y + 0.15 * unit, unit, unit), None, INK, 0.25)
        room = Box(x + 1.5 * unit, y, wide - 1.8 * unit, 1.3 * unit)
        drawing.label(room, choice, size, 6, anchor="start")
    return box.y + -(-len(choices) // columns) * high


def _yes_no(drawing: Drawing, question: Question, box: Box, size: float) -> float:
    return _ticks(drawing, ("yes", "no"), Box(box.x, box.y, 20 * size * POINT, 0), size)


def _route(drawing: Drawing, question: Question, box: Box, size: float) -> float:
    names = question.book.names["region"]
    first, last = (names[key] for key in question.about)
    return _chain(drawing, [first, *[""] * question.number_of_answers, last], box, size)


def _order(drawing: Drawing, question: Question, box: Box, size: float) -> float:
    unit = size * POINT
    room = Box(box.x, box.y, box.wide, 1000)
    y = drawing.block(room, "Use:  " + "   ·   ".join(question.choices), size, size)
    return _route(drawing, question, Box(box.x, y + 0.7 * unit, box.wide, 0), size)


def _chain(drawing: Drawing, names: Sequence[str], box: Box, size: float) -> float:
    """Draw names and lines to write names on, with arrows from each to the next."""
    unit = size * POINT
    blank_wide, arrow, high = 12.5 * unit, 2.4 * unit, 2.1 * unit
    x, y = box.x, box.y + 1.6 * unit
    for place, name in enumerate(names):
        wide = SOURCE_SANS.measure(name, unit, bold=True) if name else blank_wide
        if place and x + arrow + wide > box.right:
            x, y = box.x, y + high
        if place:
            drawing.text(x + arrow / 2, y, "→", size, anchor="middle", colour=SOFT)
            x += arrow
        if name:
            drawing.text(x, y, name, size, bold=True)
        else:
            drawing.line((x, y + 0.2 * unit), (x + wide, y + 0.2 * unit), colour=SOFT, width=0.25)
        x += wide
    return y + 0.6 * unit


_ROOMS: dict[str, Callable[[Drawing, Question, Box, float], float]] = {
    "many": _many,
    "one": _one,
    "yes_no": _yes_no,
    "route": _route,
    "order": _order,
}


# Answers.


def _answered(
    question: Question, number: int, wide: float, size: float, maps: QuestionMaps | None
) -> Drawing:
    drawing = Drawing(wide, 0)
    unit = size * POINT
    drawing.text(0, unit, f"{number}.", size, bold=True)
    score = count(points(question), "point")
    drawing.text(wide, unit, score, size * 0.8, colour=SOFT, anchor="end")
    room = Box(_NUMBER, 0.26 * unit, wide - _NUMBER - _POINTS, 1000)
    y = drawing.block(room, question.prompt, size * 0.9, size * 0.9, colour=SOFT)
    below = Box(_NUMBER, y + 0.15 * unit, wide - _NUMBER, 1000)
    y = drawing.block(below, _right(question, maps), size, size, bold=True)
    below = Box(_NUMBER, y + 0.15 * unit, wide - _NUMBER, 1000)
    drawing.height = drawing.block(below, question.explanation, size * 0.9, size * 0.9)
    if maps is not None and is_drawn_on(question):
        own = maps.drawn_on(question, is_key=True)
        drawing.put(own, _NUMBER, drawing.height + 0.4 * unit)
        drawing.height += own.height + 0.4 * unit
    return drawing


def _right(question: Question, maps: QuestionMaps | None) -> list[str]:
    """Return the right answer in lines; of a way, every one, unless they are too many."""
    if maps is not None and is_numbered(question):
        if question.pool == "water":
            letters = sorted(maps.letters[key] for key in question.answers)
            return [f"{', '.join(letters)}: {question.solution()}"]
        return [f"{maps.numbers[question.answers[0]]}: {question.solution()}"]
    if question.form != "route":
        return [question.solution()]
    names = question.book.names["region"]
    ways = [" – ".join(names[key] for key in way) for way in question.answers[:_ROUTES]]
    more = len(question.answers) - _ROUTES
    return ways + ([f"or {count(more, 'other way')} of the same length"] if more > 0 else [])

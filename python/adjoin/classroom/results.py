"""What a class knows: from what pupils hand in, without accounts or a network."""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.border_map import missed_borders_map
from adjoin.classroom.exercises import KINDS, Grade, Question
from adjoin.classroom.pupil_result import Result, ResultError
from adjoin.classroom.quizzes import CodeError, Quiz, tidy
from adjoin.classroom.result_files import collected, known
from adjoin.classroom.scope import Scope
from adjoin.data.atlas import Atlas
from adjoin.data.deck import Deck
from adjoin.data.files import table_text
from adjoin.support.names import UnknownNameError
from adjoin.support.wording import count, listed, points

_SHOWN, _WEAK, _PRACTISE = 12, 0.7, 10
_ADVICE = 3
"""So many things the advice names at most."""
_BY_CODE = "Of results that were read out as a code, any part of a point counts as a half."


class Pupil(NamedTuple):
    """A pupil with the grades of all questions."""

    name: str
    result: Result
    grades: tuple[Grade, ...]

    @property
    def points(self) -> float:
        """How many questions were answered rightly, parts counted."""
        return sum(grade.share for grade in self.grades)

    @property
    def share(self) -> float:
        """The points by the number of questions."""
        return self.points / len(self.grades)


class Suggestion(NamedTuple):
    """What to practise, and the code of a quiz for it."""

    words: str
    code: str


@dataclass(frozen=True, repr=False)
class ClassReport:
    """What a class knows: every pupil, every question, the borders that were missed most.

    ``problems`` are the files that could not be used, with the reason. If the quiz was ended early,
    pupils have grades for its first questions, and the report is about those.
    """

    quiz: Quiz
    pupils: tuple[Pupil, ...]
    problems: tuple[str, ...] = ()

    @property
    def asked(self) -> int:
        """How many questions were asked."""
        return len(self.pupils[0].grades)

    @property
    def share(self) -> float:
        """The points of all by all questions."""
        return sum(pupil.share for pupil in self.pupils) / len(self.pupils)

    @functools.cached_property
    def questions(self) -> tuple[tuple[Question, float], ...]:
        """Every question with the part of its points that the class has."""
        return tuple(
            (question, sum(p.grades[n].share for p in self.pupils) / len(self.pupils))
            for n, question in enumerate(self.quiz.questions[: self.asked])
        )

    @functools.cached_property
    def kinds(self) -> dict[str, float]:
        """The part of the points that the class has, by kind of question."""
        return {
            kind: sum(shares) / len(shares)
            for kind in self.quiz.kinds
            if (shares := [share for question, share in self.questions if question.kind == kind])
        }

    @functools.cached_property
    def missed_borders(self) -> dict[tuple[str, str], int]:
        """How many pupils did not know of a border, by the two regions; the most-missed first."""
        times: Counter[tuple[str, str]] = Counter()
        for pupil in self.pupils:
            pairs = (pair for grade in pupil.grades for pair in grade.missed)
            times.update({(min(pair), max(pair)) for pair in pairs})
        return dict(sorted(times.items(), key=lambda item: (-item[1], item[0])))

    @property
    def svg(self) -> str:
        """The map with the borders that were missed most; empty for cities."""
        if self.quiz.atlas is None:
            return ""
        most = dict(list(self.missed_borders.items())[: 2 * _SHOWN])
        return missed_borders_map(self.quiz.atlas, most, "The borders that were missed most")

    @functools.cached_property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """What to practise: the weakest kinds of questions and part of the map, three in all."""
        found = []
        area = self._weak_area()
        weak = sorted((share, kind) for kind, share in self.kinds.items() if share < _WEAK)
        worst = [kind for _, kind in weak[: _ADVICE - (area is not None)]]
        if worst:
            quiz = _practice(self.quiz, kinds=worst)
            titles = listed([KINDS[kind].title.lower() for kind in worst])
            found.append(Suggestion(f"Practise: {titles}.", quiz.code))
        if area is not None:
            where = area.scope.where.removeprefix("in ")
            found.append(Suggestion(f"Most missed borders are in {where}.", area.code))
        if not found:
            level = min(3, (self.quiz.level or 1) + 1)
            harder = _practice(self.quiz, level=level)
            found.append(Suggestion("The class knows this: try harder questions.", harder.code))
        return tuple(found)

    def _weak_area(self) -> Quiz | None:
        """Return a quiz about the part of the map with the most missed borders."""
        scope = self.quiz.scope
        if not isinstance(scope, Scope) or not self.missed_borders:
            return None
        times: Counter[str] = Counter()
        for pair, number in self.missed_borders.items():
            for region in map(scope.atlas.region, pair):
                times[region.region or region.nation] += number
        kinds = [kind for kind in self.quiz.kinds if kind in ("borders", "shared", "odd", "colour")]
        for area, _ in sorted(times.items(), key=lambda item: (-item[1], item[0])):
            try:
                quiz = _practice(self.quiz, areas=[area], kinds=kinds or ["borders"])
            except (ClassroomError, UnknownNameError):
                continue
            assert isinstance(quiz.scope, Scope)
            if quiz.scope.inside < scope.inside:
                return quiz
        return None

    # Out.

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a row a pupil: points, percent, and the share of every question.

        The file begins with the mark that tells spreadsheets how its letters are written.
        """
        Path(path).write_text(self.csv, encoding="utf-8-sig", newline="")

    @property
    def csv(self) -> str:
        """What ``to_csv`` writes."""
        numbers = [str(n) for n in range(1, self.asked + 1)]
        rows = (
            (
                p.name,
                f"{round(p.points, 2):g}",
                f"{100 * p.share:.0f}",
                *(f"{g.share:g}" for g in p.grades),
            )
            for p in self.pupils
        )
        header = ("pupil", "points", "percent", *numbers)
        return table_text(header, rows)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write a page that needs no other file."""
        Path(path).write_text(self.html, encoding="utf-8")

    @property
    def html(self) -> str:
        """A page that needs no other file."""
        return _page(f"Class report: {self.quiz.title}", self._body())

    def _repr_html_(self) -> str:
        return f"<style>{_STYLE}</style>{self._body()}"

    def _body(self) -> str:
        quiz, pupils = self.quiz, count(len(self.pupils), "pupil")
        head = f"Quiz <b>{escape(quiz.code)}</b>, {pupils}, {self.share:.0%} of the points."
        parts = [f"<p>{head}</p>"]
        parts.append(_problem_list(self.problems))
        parts.append("<h2>What to practise</h2><ul>")
        parts += (
            f"<li>{escape(one.words)} <b>{escape(one.code)}</b></li>" for one in self.suggestions
        )
        parts.append("</ul><h2>Pupils</h2>" + self._pupil_table())
        if any(pupil.result.shares for pupil in self.pupils):
            parts.append(f"<p>{_BY_CODE}</p>")
        parts.append("<h2>Questions</h2>" + self._question_table())
        if self.missed_borders:
            parts.append("<h2>Borders that were missed most</h2>")
            parts.append(f'<div class="map">{self.svg}</div>' + self._missed_table())
        return "".join(parts)

    def _pupil_table(self) -> str:
        numbers = "".join(f"<th>{n}</th>" for n in range(1, self.asked + 1))
        rows = []
        for pupil in self.pupils:
            cells = "".join(_cell(grade.share) for grade in pupil.grades)
            seconds = f"{sum(pupil.result.seconds) / 60:.1f}" if pupil.result.seconds else ""
            rows.append(
                f"<tr><td>{escape(pupil.name)}</td><td>{points(pupil.points)}</td>"
                f"<td>{pupil.share:.0%}</td><td>{seconds}</td>{cells}</tr>"
            )
        head = f"<tr><th>pupil</th><th>points</th><th></th><th>minutes</th>{numbers}</tr>"
        return f"<table>{head}{''.join(rows)}</table>"

    def _question_table(self) -> str:
        rows = "".join(
            f"<tr><td>{n}</td><td>{escape(question.prompt)}</td>"
            f"<td>{escape(question.solution())}</td>{_cell(share, percent=True)}</tr>"
            for n, (question, share) in enumerate(self.questions, 1)
        )
        return (
            f"<table><tr><th></th><th>question</th><th>answer</th><th>class</th></tr>{rows}</table>"
        )

    def _missed_table(self) -> str:
        names = self.quiz.book.names["region"]
        rows = "".join(
            f"<tr><td>{escape(names[one])} – {escape(names[other])}</td><td>{number}</td></tr>"
            for (one, other), number in list(self.missed_borders.items())[:_SHOWN]
        )
        return f"<table><tr><th>border</th><th>missed by</th></tr>{rows}</table>"

    def __str__(self) -> str:
        """Return the report as text."""
        lines = [f"{self.quiz.title} ({self.quiz.code}): {self.share:.0%}"]
        lines += (f"  {p.name}: {points(p.points)} of {self.asked}" for p in self.pupils)
        names = self.quiz.book.names.get("region", {})
        lines += (
            f"  missed by {number}: {names[one]} – {names[other]}"
            for (one, other), number in list(self.missed_borders.items())[:5]
        )
        lines += (f"{one.words} {one.code}" for one in self.suggestions)
        return "\n".join([*lines, *self.problems])

    def __repr__(self) -> str:
        """Return which quiz it is about."""
        return f"<ClassReport {self.quiz.code}: {count(len(self.pupils), 'pupil')}>"


@dataclass(frozen=True, repr=False)
class ClassReports:
    """What a class knows quiz by quiz; ``problems`` are files of no quiz that could be used."""

    reports: tuple[ClassReport, ...]
    problems: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[ClassReport]:
        """Go through the reports."""
        return iter(self.reports)

    def __len__(self) -> int:
        """Return the number of quizzes."""
        return len(self.reports)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write a page that needs no other file."""
        Path(path).write_text(self.html, encoding="utf-8")

    @property
    def html(self) -> str:
        """A page that needs no other file: every quiz, one after the other."""
        if len(self) == 1 and not self.problems:
            return self.reports[0].html
        return _page("Class report, quiz by quiz", self._body())

    def _body(self) -> str:
        links = "".join(
            f'<li><a href="#{escape(one.quiz.code)}">{escape(one.quiz.title)}</a> '
            f"({escape(one.quiz.code)}): {count(len(one.pupils), 'pupil')}, {one.share:.0%}</li>"
            for one in self
        )
        parts = [f"<ul>{links}</ul>", _problem_list(self.problems)]
        for one in self:
            title = f'<h1 id="{escape(one.quiz.code)}">{escape(one.quiz.title)}</h1>'
            parts += [title, one._body()]
        return "".join(parts)

    def _repr_html_(self) -> str:
        return f"<style>{_STYLE}</style>{self._body()}"

    def __str__(self) -> str:
        """Return the reports as text."""
        return "\n\n".join([*map(str, self), *("\n".join(p) for p in [self.problems] if p)])

    def __repr__(self) -> str:
        """Return which quizzes they are about."""
        return f"<ClassReports {', '.join(one.quiz.code for one in self)}>"


Source: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str] | Result]"
"""Where results are: a folder, a file, or several files and results."""


def class_report(
    source: Source, code: str | None = None, *, atlas: Atlas | Deck | None = None
) -> ClassReport:
    """Return what a class knows, from a folder of result files, from files or from results.

    A file is a result as a pupil's page saves it, or a list (.txt, .csv): lines with a name and the
    short code that a pupil has read out, under a line with the code of the quiz.

    ``code`` says which quiz is meant if the files are of several: else it is the one that most of
    them are of. Files that cannot be used are named in ``problems``, all others are reported.
    ``atlas`` is one's own, if the quiz is about one.
    """
    problems: list[str] = []
    results = _collected(source, problems, code, atlas)
    codes = Counter(tidy(result.code) for _, result in results)
    if code is None:
        (chosen, times), *others = codes.most_common()
        if others and others[0][1] == times:
            there = listed([key for key, number in codes.items() if number == times])
            raise ClassroomError(f"results of several quizzes, choose one with code=...: {there}")
        code = chosen
    quiz = Quiz.from_code(code, atlas)
    if quiz.code not in codes:
        raise ClassroomError(f"no results of the quiz {quiz.code}; there are {listed(codes)}")
    return _reported(quiz, results, problems)


def class_reports(source: Source, *, atlas: Atlas | Deck | None = None) -> ClassReports:
    """Return what a class knows quiz by quiz; the quiz with the most results comes first."""
    problems: list[str] = []
    results = _collected(source, problems, None, atlas)
    codes = Counter(tidy(result.code) for _, result in results)
    if len(codes) == 1:
        quiz = Quiz.from_code(next(iter(codes)), atlas)
        return ClassReports((_reported(quiz, results, problems),))
    reports = []
    for code, _ in codes.most_common():
        own: list[str] = []
        try:
            own_results = [one for one in results if tidy(one[1].code) == code]
            reports.append(_reported(Quiz.from_code(code, atlas), own_results, own))
        except ClassroomError:
            problems += own
    if not reports:
        raise _nothing(problems)
    return ClassReports(tuple(reports), tuple(problems))


def _collected(
    source: Source, problems: list[str], code: str | None, atlas: Atlas | Deck | None
) -> list[tuple[str, Result]]:
    found = known(collected(source, problems, code, atlas), problems, atlas)
    if not found:
        raise _nothing(problems)
    return found


def _nothing(problems: Iterable[str]) -> ClassroomError:
    what = "".join(f"\n{problem}" for problem in problems)
    return ClassroomError(f"no results to report{':' if what else ''}{what}")


def _reported(
    quiz: Quiz, results: Iterable[tuple[str, Result]], problems: list[str]
) -> ClassReport:
    """Return the report of a quiz; what cannot be used is added to the problems."""
    pupils: list[Pupil] = []
    for where, result in results:
        if tidy(result.code) != quiz.code:
            problems.append(f"{where}: a result of another quiz, {result.code}; not counted here")
            continue
        try:
            grades = result.grades(quiz)
        except ResultError as error:
            problems.append(f"{where}: damaged, {error}")
            continue
        twins = [pupil for pupil in pupils if pupil.result.pupil == result.pupil]
        given = (result.answers, result.shares)
        if any((twin.result.answers, twin.result.shares) == given for twin in twins):
            problems.append(f"{where}: the same answers of {result.pupil} again; counted once")
            continue
        name = f"{result.pupil} ({len(twins) + 1})" if twins else result.pupil
        if twins:
            problems.append(f"{where}: another result of {result.pupil}; shown as {name}")
        pupils.append(Pupil(name, result, grades))
    if not pupils:
        raise _nothing(problems)
    return ClassReport(quiz, tuple(sorted(pupils, key=_in_order)), tuple(problems))


def _in_order(pupil: Pupil) -> list[tuple[int, str]]:
    """Return what pupils are sorted by: their names, with 9 before 10."""
    pieces = re.findall(r"\d+|\D+", pupil.name.casefold())
    return [(int(p), "") if p.isdecimal() else (-1, p) for p in pieces]


def _practice(
    quiz: Quiz,
    *,
    kinds: Iterable[str] | None = None,
    areas: Iterable[str] | None = None,
    level: int | None = None,
) -> Quiz:
    """Return a quiz like another, with other questions: as many as there are, up to ten."""
    names = [area.name for area in quiz.scope.areas] if areas is None else list(areas)
    own = quiz.atlas or quiz.deck
    assert own is not None
    chosen = list(quiz.kinds if kinds is None else kinds)
    options: Mapping[str, Any] = {"regions": names or None, "seed": f"practise {quiz.code}"}
    for number in (_PRACTISE, 5, 2):
        for at in dict.fromkeys((level, None)):
            try:
                return Quiz.make(own, kinds=chosen, questions=number, level=at, **options)
            except CodeError:
                raise
            except ClassroomError as error:
                problem = error
    raise problem


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def _problem_list(problems: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(problem)}</li>" for problem in problems)
    return f'<div class="problems"><p>Left out or noted:</p><ul>{items}</ul></div>' if items else ""


def _cell(share: float, *, percent: bool = False) -> str:
    grade = "good" if share >= 0.995 else "part" if share > 0 else "none"
    if percent:
        grade = "good" if share >= _WEAK else "part" if share >= 0.4 else "none"
    shown = f"{share:.0%}" if percent else {"good": "✓", "none": "✗"}.get(grade, points(share))
    return f'<td class="{grade}">{shown}</td>'


_STYLE = (
    "body{font:16px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:.5em 0}td,th{border:1px solid #bbb;padding:.2em .5em;"
    "text-align:left}td.good{background:#d7f0dd}td.part{background:#fdf0c8}"
    "td.none{background:#f8d7d3}.problems{border-left:4px solid #d55e00;padding-left:1em}"
    ".map svg{max-width:100%;height:auto}"
)

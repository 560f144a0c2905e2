"""Tables to take home, for a spreadsheet.

- ``questions_csv(quiz, "quiz.csv")``: a quiz with its answers
- ``facts_csv("facts.csv", "uk-counties")``: what every region borders and touches
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.cities import Cities
from adjoin.classroom.quizzes import Quiz
from adjoin.classroom.scope import Scope, scope_of
from adjoin.data.atlas import Atlas, Region
from adjoin.data.deck import Deck
from adjoin.data.files import write_table
from adjoin.support.names import ident

if TYPE_CHECKING:
    import os


def questions_csv(quiz: Quiz, path: str | os.PathLike[str]) -> Path:
    """Write the questions of a quiz with their answers to a CSV file."""
    header = ("number", "kind", "level", "question", "choices", "answer", "explanation", "code")
    rows = [
        (
            number,
            question.kind,
            question.level,
            question.prompt,
            "; ".join(question.choices),
            question.solution(),
            question.explanation,
            quiz.code,
        )
        for number, question in enumerate(quiz, 1)
    ]
    return _write(_csv(path), header, rows)


def facts_csv(
    path: str | os.PathLike[str],
    atlas: str | Atlas | Deck = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    regions: str | Iterable[str] | None = None,
    editions: str | Iterable[str] | None = None,
    names: str | None = None,
) -> Path:
    """Write what is known about regions, or cities, to a CSV file: a row each, names in full."""
    scope = scope_of(atlas, nations, regions, editions, names)
    file = _csv(path)
    if isinstance(scope, Cities):
        chosen = set(scope.names)
        rows = [
            (city.name, "; ".join(city.regions), "yes" if city.is_link else "no")
            for city in scope.deck.cities
            if not chosen.isdisjoint(city.regions)
        ]
        return _write(file, ("city", "regions", "linking city"), rows)
    header = (scope.noun[0], "abbreviation", "nation", "region", "number of borders", "borders")
    further = ("seas", "outside countries", scope.atlas.capital_noun[0])
    return _write(file, (*header, *further), map(_facts(scope), scope.regions))


def _facts(scope: Scope) -> Callable[[Region], tuple[object, ...]]:
    atlas = scope.atlas

    def row(region: Region) -> tuple[object, ...]:
        waters = [atlas.water(water) for water in region.waters]
        return (
            region.name,
            region.abbreviation,
            "; ".join(region.nations),
            region.region,
            len(region.borders),
            "; ".join(
                other.name
                for other in sorted(atlas.borders(region), key=lambda one: ident(one.name))
            ),
            "; ".join(water.name for water in waters if water.kind == "sea"),
            "; ".join(water.name for water in waters if water.kind != "sea"),
            "; ".join(region.capitals),
        )

    return row


def _csv(path: str | os.PathLike[str]) -> Path:
    file = Path(path)
    if file.suffix.lower() != ".csv":
        raise ClassroomError(f'"{file.name}": a name that ends with .csv is needed')
    return file


def _write(file: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> Path:
    """Write a table with the mark that tells spreadsheets how its letters are written."""
    write_table(file, header, rows, encoding="utf-8-sig")
    return file

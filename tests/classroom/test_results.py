"""Results of pupils, and what a class knows."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from adjoin.classroom import (
    ClassroomError,
    Question,
    Quiz,
    Result,
    ResultError,
    class_report,
    class_reports,
)
from adjoin.classroom.chance import SYMBOLS, Chance
from adjoin.classroom.result_codes import shares_of, short_code
from scaffold import ISLAND, cases

QUIZ = Quiz.make("uk-counties", nations="England", questions=16, seed=3)
OTHER = Quiz.make("world-countries", editions="Europe", questions=8, seed=3)


def right(question: Question) -> Any:
    """Return a right answer."""
    answers = question.answers
    return list(answers[0] if isinstance(answers[0], tuple) else answers)


def result(quiz: Quiz, pupil: str, known: int) -> Result:
    """Return the result of a pupil who answers so many questions rightly, and the rest not."""
    answers = [right(question) if n < known else None for n, question in enumerate(quiz)]
    return Result(pupil, quiz.code, tuple(answers), tuple(10.0 for _ in quiz))


def one_answer(question: Question) -> Any:
    return [right(question)[0]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, known in enumerate((16, 9, 4, 0), 1):
        result(QUIZ, f"Pupil {number}", known).save(tmp_path / f"pupil{number}.json")
    return tmp_path


def fixed(quiz: Quiz) -> dict[str, Any]:
    """Return the plain data of a result with right answers where any will do."""
    plain = result(quiz, "Ann", len(quiz)).to_json()
    plain["answers"] = [
        one_answer(q) if q.form in ("one", "tile", "yes_no") else right(q) for q in quiz
    ]
    return plain


def test_results_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "ann.json"
    given = Result("Ann Ö.", QUIZ.code, ("Kent, Surrey", True, None, ("a", "b")), (1.0, 2.5, 3, 4))
    given.save(path)
    again = Result.load(path)
    assert (again.pupil, again.code, again.seconds) == (given.pupil, given.code, given.seconds)
    assert again.answers == ("Kent, Surrey", True, None, ["a", "b"])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Result.load(path) == again


def test_a_class_is_reported(folder: Path) -> None:
    report = class_report(folder)
    assert [pupil.name for pupil in report.pupils] == [f"Pupil {n}" for n in range(1, 5)]
    assert report.problems == ()
    assert report.quiz == QUIZ
    points = [pupil.points for pupil in report.pupils]
    assert points == sorted(points, reverse=True)
    assert points[-1] == 0
    first, last = report.questions[0][1], report.questions[-1][1]
    assert 0 <= last <= first <= 1
    assert repr(report) == f"<ClassReport {QUIZ.code}: 4 pupils>"
    assert "Pupil 2" in str(report)


@pytest.mark.smoke
def test_right_answers_have_all_points() -> None:
    for quiz in (QUIZ, OTHER, Quiz.make("cities", seed=1)):
        report = class_report([Result.from_json(fixed(quiz))])
        assert report.share == 1
        assert report.missed_borders == {}
        assert report.suggestions[0].words == "The class knows this: try harder questions."
        assert Quiz.from_code(report.suggestions[0].code).level == 2


def test_missed_borders_are_counted_once_a_pupil() -> None:
    quiz = Quiz.make("uk-counties", kinds="borders", questions=103, seed=1)
    number = next(n for n, q in enumerate(quiz) if q.about == ("kent",))
    answers: list[Any] = [list(question.answers) for question in quiz]
    full = Result("Ann", quiz.code, tuple(answers))
    answers[number] = "Essex, Surey"
    less = Result("Ben", quiz.code, tuple(answers))
    answers[number] = "Essex"
    surrey = next(n for n, q in enumerate(quiz) if q.about == ("surrey",))
    answers[surrey] = [key for key in answers[surrey] if key != "kent"]
    least = Result("Cem", quiz.code, tuple(answers))
    report = class_report([full, less, least])
    assert report.missed_borders == {
        ("east_sussex", "kent"): 2,
        ("greater_london", "kent"): 2,
        ("kent", "surrey"): 1,
    }
    picture = ElementTree.fromstring(report.svg)
    lines = [e for e in picture.iter() if e.get("stroke") == "#c8102e" and e.tag.endswith("path")]
    numbers = [
        e.text for e in picture.iter() if e.tag.endswith("text") and (e.text or "").isdigit()
    ]
    assert len(lines) == 3
    assert sorted(filter(None, numbers)) == ["1", "2", "2"]


def test_suggestions_are_quizzes_about_what_was_missed(folder: Path) -> None:
    report = class_report(folder)
    assert len(report.suggestions) == 2
    weak, area = (Quiz.from_code(one.code) for one in report.suggestions)
    shares = report.kinds
    assert set(weak.kinds) == set(sorted(shares, key=lambda kind: (shares[kind], kind))[:2])
    assert sum(share < 0.7 for share in shares.values()) > 3
    assert set(area.book.scope) < set(QUIZ.book.scope)
    assert area.title.removeprefix("Counties in ") in report.suggestions[1].words
    asked = {(q.kind, q.about) for q in QUIZ}
    assert len(asked & {(q.kind, q.about) for q in weak}) < len(weak)


def test_reports_are_written(folder: Path) -> None:
    name = '<b>"Eve" & Co</b>'
    result(QUIZ, name, 5).save(folder / "eve.json")
    result(QUIZ, "=1+1", 5).save(folder / "formula.json")
    report = class_report(folder)
    report.to_csv(folder / "class.csv")
    with open(folder / "class.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:4] == ["pupil", "points", "percent", "1"]
    assert len(rows) == 7
    assert {row[0] for row in rows} >= {name, "'=1+1", "Pupil 1"}
    report.to_html(folder / "class.html")
    page = (folder / "class.html").read_text(encoding="utf-8")
    assert name not in page
    assert "&lt;b&gt;&quot;Eve&quot; &amp; Co" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    for question in QUIZ:
        assert question.prompt in page
    assert "<script" not in page


DAMAGED: list[tuple[str, bytes, str]] = [
    ("empty", b"", "the file is empty"),
    ("cut", b'{"format": "adjoin classroom result", "ver', "damaged, cut off or changed"),
    ("binary", b"\xff\xfe\x00\x81", "damaged, this is no text"),
    ("list", b"[1, 2]", "this is not a result of a quiz"),
    ("deep", b"[" * 100_000, "damaged, cut off or changed"),
    ("shopping", b'{"milk": 2}', "this is not a result of a quiz"),
]


@pytest.mark.parametrize(("name", "data", "message"), DAMAGED, ids=[d[0] for d in DAMAGED])
def test_a_damaged_file_is_named_and_the_others_are_reported(
    folder: Path, name: str, data: bytes, message: str
) -> None:
    before = class_report(folder)
    path = folder / f"{name}.json"
    path.write_bytes(data)
    with pytest.raises(ResultError, match=f"{name}.json: {message}"):
        Result.load(path)
    report = class_report(folder)
    assert report.problems == (f"{name}.json: {message}",)
    assert report.pupils == before.pupils
    assert path.read_bytes() == data
    assert f"{name}.json" in report.html


@cases(
    ("change", "message"),
    [
        ({"version": 2}, "written by another version"),
        ({"code": None}, "the code of the quiz is missing"),
        ({"code": "UK-B-10-AAAAA"}, "is mistyped"),
        ({"answers": "all right"}, "the answers are missing or changed"),
        ({"answers": [{"a": 1}]}, "the answers are missing or changed"),
        ({"answers": [None]}, "1 answers to 16 questions"),
    ],
)
def test_a_changed_file_is_named(folder: Path, change: dict[str, Any], message: str) -> None:
    plain = result(QUIZ, "Zoe", 3).to_json()
    (folder / "zoe.json").write_text(json.dumps({**plain, **change}), encoding="utf-8")
    report = class_report(folder)
    assert len(report.pupils) == 4
    (problem,) = report.problems
    assert problem.startswith("zoe.json: ")
    assert message in problem


def test_times_that_are_damaged_do_not_matter(folder: Path) -> None:
    plain = result(QUIZ, "Zoe", 3).to_json()
    for wrong in (["x"] * 16, [1.0], None, [-1] * 16, [True] * 16, [float("nan")] * 16):
        (folder / "zoe.json").write_text(json.dumps({**plain, "seconds": wrong}), encoding="utf-8")
        report = class_report(folder)
        assert report.problems == ()
        assert report.pupils[-1].result.seconds == ()
        assert report.html


def test_a_result_of_another_quiz_is_not_lost(folder: Path) -> None:
    result(OTHER, "Ann", 3).save(folder / "ann.json")
    report = class_report(folder)
    assert len(report.pupils) == 4
    assert report.problems == (
        f"ann.json: a result of another quiz, {OTHER.code}; not counted here",
    )
    other = class_report(folder, OTHER.code.lower())
    assert [pupil.name for pupil in other.pupils] == ["Ann"]
    assert len(other.problems) == 4
    tie = [result(QUIZ, "Ann", 3), result(OTHER, "Ben", 3)]
    with pytest.raises(ClassroomError, match="results of several quizzes, choose one with code="):
        class_report(tie)
    with pytest.raises(ClassroomError, match="no results of the quiz"):
        class_report(folder, Quiz.make(seed=1).code)


def test_results_of_several_quizzes_are_reported_quiz_by_quiz(folder: Path) -> None:
    result(OTHER, "Ann", 3).save(folder / "ann.json")
    (folder / "damaged.json").write_text("{", encoding="utf-8")
    reports = class_reports(folder)
    assert [(one.quiz, len(one.pupils)) for one in reports] == [(QUIZ, 4), (OTHER, 1)]
    assert reports.problems == ("damaged.json: damaged, cut off or changed",)
    assert all(not one.problems for one in reports)
    for part in (QUIZ.code, OTHER.code, OTHER.title, "damaged.json", "Pupil 4"):
        assert part in reports.html
        assert part in reports._repr_html_()
    assert f"{OTHER.title} ({OTHER.code})" in str(reports)
    (one,) = class_reports(result(QUIZ, name, 3) for name in ("Ann", "Ben"))
    assert one.html == class_report([result(QUIZ, name, 3) for name in ("Ann", "Ben")]).html


# Codes that are read out.


def test_a_code_tells_what_every_question_was_worth() -> None:
    for number in range(1, 31):
        quiz = Quiz.make("uk-counties", questions=number, seed=number)
        chance = Chance(f"codes {number}")
        for _ in range(20):
            shares = [chance.choice((0.0, 0.25, 0.5, 1.0)) for _ in range(number)]
            code = short_code(shares, quiz.code)
            rounded = tuple(0.5 if 0 < share < 1 else share for share in shares)
            assert shares_of(code, quiz.code, number) == rounded
            assert shares_of(code.lower().replace("-", " "), quiz.code, number) == rounded
    assert [len(short_code([1] * n, QUIZ.code).replace("-", "")) for n in (5, 10, 20, 30)] == [
        *(3, 5, 8, 11),
    ]
    with pytest.raises(ClassroomError, match="1 to 30 questions"):
        short_code([1] * 31, QUIZ.code)


def test_a_code_that_is_mistyped_is_refused() -> None:
    shares = [1, 0, 0.5, 1, 1, 0, 0, 1, 0.5, 1]
    quiz = Quiz.make("uk-counties", questions=10, seed=1)
    code = short_code(shares, quiz.code).replace("-", "")
    wrong = [
        code[:at] + symbol + code[at + 1 :]
        for at in range(len(code))
        for symbol in SYMBOLS
        if symbol != code[at]
    ]
    wrong += [
        code[:at] + code[at + 1] + code[at] + code[at + 2 :]
        for at in range(len(code) - 1)
        if code[at] != code[at + 1]
    ]
    for text in wrong:
        with pytest.raises(ClassroomError, match="mistyped, or not of the quiz"):
            shares_of(text, quiz.code, 10)
    for text, said in {
        "": "5 letters",
        code[:-1]: "5 letters",
        "O" + code[1:]: "never have O",
    }.items():
        with pytest.raises(ClassroomError, match=said):
            shares_of(text, quiz.code, 10)
    others = [Quiz.make("uk-counties", questions=10, seed=seed).code for seed in range(2, 60)]
    taken = 0
    for other in others:
        try:
            shares_of(code, other, 10)
            taken += 1
        except ClassroomError:
            pass
    assert taken < 8


def test_a_result_by_its_code_is_reported() -> None:
    full = result(QUIZ, "Ann", 9)
    read_out = Result.from_short(full.short(QUIZ), QUIZ.code.lower(), " Ben\t")
    assert (read_out.pupil, read_out.code) == ("Ben", QUIZ.code)
    assert Result.from_json(read_out.to_json()) == read_out
    ann, ben = (one.grades(QUIZ) for one in (full, read_out))
    assert [grade.is_right for grade in ann] == [grade.is_right for grade in ben]
    assert [grade.share > 0 for grade in ann] == [grade.share > 0 for grade in ben]
    report = class_report([full, read_out])
    assert "counts as a half" in report.html
    assert "counts as a half" not in class_report([full]).html
    with pytest.raises(ResultError, match="is no result code of this quiz"):
        Result.from_short("ABC", QUIZ, "Ann")


def test_lists_of_names_and_codes_are_read(tmp_path: Path) -> None:
    codes = [result(QUIZ, "x", number).short(QUIZ) for number in range(4)]
    other = result(OTHER, "x", 3).short(OTHER)
    scanned = json.dumps(result(QUIZ, "Eve", 5).to_json())
    text = f"""name, code

{QUIZ.code.lower()}
Ann, {codes[0]}
"Ben, the second"; {codes[1].lower()}
Cleo\t{codes[2].replace("-", " ")},
{scanned}
Dev, {codes[3][:-1]}{"2" if codes[3][-1] != "2" else "3"}
Finn
{OTHER.code}
Gwen, {other}
"""
    for ending in (".txt", ".csv"):
        file = tmp_path / f"codes{ending}"
        file.write_text(text, encoding="utf-8-sig")
        first, second = reports = class_reports(file)
        assert [pupil.name for pupil in first.pupils] == ["Ann", "Ben, the second", "Cleo", "Eve"]
        assert [pupil.name for pupil in second.pupils] == ["Gwen"]
        assert [problem.partition(":")[0] for problem in reports.problems] == [
            f"codes{ending}, line 8",
            f"codes{ending}, line 9",
        ]
        file.unlink()
    bare = tmp_path / "bare.txt"
    bare.write_text(f"Ann, {codes[0]}\n", encoding="utf-8")
    with pytest.raises(ClassroomError, match=r"bare\.txt, line 1: which quiz\?"):
        class_report(bare)
    report = class_report(tmp_path, QUIZ.code)
    report.to_csv(tmp_path / "marks.csv")
    assert class_report(tmp_path, QUIZ.code).problems == ()
    (tmp_path / "wrong.txt").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in class_report(tmp_path, QUIZ.code).problems[0]


def test_a_pupil_who_comes_twice_is_shown_twice_or_once(folder: Path) -> None:
    result(QUIZ, "Pupil 1", 16).save(folder / "pupil1 (1).json")
    result(QUIZ, "Pupil 2", 12).save(folder / "pupil2 (1).json")
    report = class_report(folder)
    names = [pupil.name for pupil in report.pupils]
    assert names == ["Pupil 1", "Pupil 2", "Pupil 2 (2)", "Pupil 3", "Pupil 4"]
    assert any("the same answers of Pupil 1 again" in problem for problem in report.problems)
    assert any("shown as Pupil 2 (2)" in problem for problem in report.problems)


def test_names_are_sorted_as_people_do() -> None:
    results = [result(QUIZ, name, n) for n, name in enumerate(["10", "9", "ben", "Ann", " ", "2b"])]
    report = class_report([Result.from_json(one.to_json()) for one in results])
    names = [pupil.name for pupil in report.pupils]
    assert names == ["(no name)", "Ann", "ben", "2b", "9", "10"]


def test_without_results_the_error_says_so(tmp_path: Path) -> None:
    with pytest.raises(ClassroomError, match="it has no files that end in"):
        class_report(tmp_path)
    with pytest.raises(ClassroomError, match="there is no file or folder"):
        class_report(tmp_path / "nowhere")
    with pytest.raises(ClassroomError, match="no results to report"):
        class_report([])
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    with pytest.raises(ClassroomError, match=r"no results to report:\nx\.json: damaged"):
        class_report(tmp_path)
    with pytest.raises(ResultError, match=r"gone\.json: "):
        Result.load(tmp_path / "gone.json")


def test_maps_of_ones_own_and_cities_are_reported(tmp_path: Path) -> None:
    quiz = Quiz.make(ISLAND, questions=12, seed=1)
    report = class_report([result(quiz, "Ann", 4)], atlas=ISLAND)
    assert report.html
    cities = Quiz.make("world-cities", questions=12, seed=1)
    report = class_report([result(cities, "Ann", 4)])
    assert report.svg == ""
    assert report.missed_borders == {}
    assert "Borders" not in report.html
    assert Quiz.from_code(report.suggestions[0].code).deck is not None
    world = class_report([result(OTHER, "Ann", 0)])
    assert "<svg" in world.html

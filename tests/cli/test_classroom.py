"""``adjoin classroom``: real commands, what they write, messages and exit codes."""

from __future__ import annotations

import csv
import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from adjoin.classroom import KINDS, Quiz, Result, class_report, kinds_of
from adjoin.cli import main
from adjoin.data.atlas import Atlas
from scaffold import cases

ACTIONS = (
    *("worksheet", "quiz", "host", "daily", "report", "map", "bingo", "cards"),
    *("anki", "facts", "kinds", "play"),
)
CODE = "UK-WALES-BSW-10-BK7QN"


class Shell:
    """Runs commands in a folder of their own."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *arguments: str) -> tuple[int, str, str]:
        try:
            code = main(["classroom", *arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        said = self._capsys.readouterr()
        return code, said.out, said.err

    def output(self, *arguments: str) -> str:
        """Return what a command prints that goes well and complains about nothing."""
        code, out, err = self.run(*arguments)
        assert (code, err) == (0, ""), err
        return out

    def refusal(self, *arguments: str) -> str:
        """Return the line that a command with bad input prints; it writes nothing."""
        before = files()
        code, out, err = self.run(*arguments)
        assert (code, out) == (2, ""), (code, out, err)
        assert err.startswith("adjoin: ")
        assert err.count("\n") == 1
        assert files() == before
        return err

    def document(self, *arguments: str) -> Any:
        return json.loads(self.output(*arguments, "--json"))


def files() -> set[str]:
    return {path.name for path in Path.cwd().iterdir()}


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(capsys)


def rows(name: str) -> list[dict[str, str]]:
    with open(name, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def needs_pdf() -> None:
    pytest.importorskip("fpdf", reason="PDF files need `pip install adjoin[print]`")


# The way of the day, and names.


def test_the_way_of_the_day_is_a_page(shell: Shell) -> None:
    text = shell.output("daily")
    assert text.splitlines() == [
        "the way of the day, counties of the United Kingdom: 3312 different ways",
        "wrote daily-uk.html",
    ]
    text = shell.output("daily", "us-states", "-o", "states.html")
    assert text.splitlines()[-1] == "wrote states.html"
    page = Path("states.html").read_text(encoding="utf-8")
    assert "<title>The way of the day · States of the USA</title>" in page
    shell.output("daily", "--nation", "Wales", "--names", "Welsh")
    assert "Caerdydd" in Path("daily-uk-wales.html").read_text(encoding="utf-8")
    code, _, message = shell.run("daily", "us-states", "--atlas", "uk-counties")
    assert (code, "two atlases" in message) == (2, True)


def test_names_are_shown_in_another_language(shell: Shell) -> None:
    shell.output("facts", "--nation", "Wales", "--names", "welsh", "-o", "facts.csv")
    assert "Caerdydd" in [row["county"] for row in rows("facts.csv")]
    shell.output("cards", "--nation", "Wales", "--part", "county", "--names", "cy", "-o", "c.svg")
    text = "".join(path.read_text(encoding="utf-8") for path in Path().glob("c*.svg"))
    assert "Abertawe" in text
    assert "Swansea" not in text
    _, _, message = shell.run("quiz", "--names", "Dutch")
    assert 'no names in "Dutch" in uk-counties; there are' in message


# Help.


def test_alone_it_names_every_action(shell: Shell) -> None:
    text = shell.output()
    assert re.findall(r"^  adjoin classroom (\w+)", text, re.M) == list(ACTIONS)
    assert max(map(len, text.splitlines())) <= 100


@cases("action", ["", *ACTIONS])
def test_the_help_has_a_sentence_examples_and_where_to_read_on(shell: Shell, action: str) -> None:
    text = shell.output(*action.split(), "--help")
    name = f"adjoin classroom {action}".rstrip()
    assert f"usage: {name}" in text
    examples = [line for line in text.splitlines() if line.startswith(f"  {name}")]
    assert len(examples) >= 3
    assert "Read on: " in text
    assert max(map(len, text.splitlines())) <= 100


def test_it_runs_as_a_program(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "adjoin", "classroom", "quiz", CODE, "-o", "quiz.csv"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"quiz {CODE}: 10 questions, counties in Wales",
        "wrote quiz.csv",
    ]


# Quizzes.


def test_a_worksheet_has_its_key_beside_it(shell: Shell) -> None:
    needs_pdf()
    text = shell.output(
        *("worksheet", "--nation", "Wales", "--questions", "12", "--seed", "1", "-o", "wales.pdf")
    )
    quiz = Quiz.make("uk-counties", nations="Wales", questions=12, seed="1")
    assert text.splitlines() == [
        f"quiz {quiz.code}: 12 questions, counties in Wales",
        "wrote wales.pdf",
        "wrote wales-key.pdf",
    ]
    sheet, key = (Path(name).read_bytes() for name in ("wales.pdf", "wales-key.pdf"))
    assert sheet.startswith(b"%PDF")
    assert key.startswith(b"%PDF")
    shell.output("worksheet", quiz.code, "-o", "again.pdf")
    assert Path("again.pdf").read_bytes() == sheet
    assert Path("again-key.pdf").read_bytes() == key


def test_a_worksheet_as_pictures_needs_nothing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fpdf", None)
    code, out, err = shell.run("worksheet", CODE)
    assert (code, out, files()) == (1, "", set())
    assert "pip install 'adjoin[print]'" in err
    assert ".svg" in err
    found = shell.document("worksheet", "--code", CODE.lower(), "--no-key", "-o", "sheet.svg")
    assert found["code"] == CODE
    assert found["questions"] == 10
    assert set(found["files"]) == files()
    assert all(name.startswith("sheet") for name in files())
    pages = "".join(Path(name).read_text("utf-8") for name in found["files"])
    assert CODE in pages


def test_large_print_and_letter_paper_change_the_sheet(shell: Shell) -> None:
    shell.output("worksheet", CODE, "--no-key", "-o", "a.svg")
    shell.output("worksheet", CODE, "--no-key", "--size", "20", "--paper", "letter", "-o", "b.svg")
    small = [name for name in files() if name.startswith("a")]
    large = [name for name in files() if name.startswith("b")]
    assert len(large) > len(small)
    assert 'width="215.9mm"' in Path(large[0]).read_text("utf-8")


def test_a_quiz_is_a_page_that_stands_alone(shell: Shell) -> None:
    out = shell.output("quiz", "--nation", "Wales", "--kinds", "borders,way", "--level", "1")
    found = re.match(r"quiz (\S+): 10 questions, counties in Wales\nwrote (\S+)\n", out)
    assert found is not None
    code, name = found.groups()
    assert name == f"quiz-{code}.html"
    page = Path(name).read_text("utf-8")
    quiz = Quiz.from_code(code)
    assert (set(quiz.kinds), quiz.level) == ({"borders", "way"}, 1)
    assert code in page
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    shell.output("quiz", code, "--projector", "--seconds", "20")
    assert Path(f"quiz-{code}-projector.html").read_text("utf-8") != page


def test_a_quiz_as_a_table_has_the_answers(shell: Shell) -> None:
    shell.output("quiz", CODE, "-o", "quiz.csv")
    quiz = Quiz.from_code(CODE)
    assert [row["answer"] for row in rows("quiz.csv")] == [q.solution() for q in quiz]


def test_the_filter_can_be_nations_editions_and_regions(shell: Shell) -> None:
    def code(*arguments: str) -> str:
        return str(shell.document("quiz", *arguments, "-o", "q.csv")["code"])

    assert code("--nation", "Wales", "--nation", "Scotland").startswith("UK-SCOTLAND+WALES-")
    assert code("--nation", "wales, scotland").startswith("UK-SCOTLAND+WALES-")
    assert code("--atlas", "world-countries", "--edition", "Africa").startswith("WORLD-AFRICA-")
    assert code("--region", "South West").startswith("UK-SOUTWEST-")
    assert code("--atlas", "cities").startswith("CITIES-")


def test_a_map_of_one_s_own_can_be_asked_about(shell: Shell) -> None:
    Atlas.load("us-states").sub(nations="New England").to_csv("my.csv", "seas.csv")
    own = ("--atlas", "my.csv", "--waters", "seas.csv")
    code = shell.document("quiz", *own, "-o", "q.csv")["code"]
    assert code.startswith("OWN")
    first = rows("q.csv")
    shell.output("quiz", code, *own, "-o", "again.csv")
    assert rows("again.csv") == first
    assert "somebody's own map" in shell.refusal("quiz", code)


def test_kinds_are_listed_with_how_many_there_are(shell: Shell) -> None:
    found = shell.document("kinds", "--nation", "Wales")
    assert found == kinds_of("uk-counties", nations="Wales")
    text = shell.output("kinds", "--nation", "Wales")
    for line, (name, number) in zip(text.splitlines(), found.items(), strict=True):
        assert line.split()[:2] == [name, f"{number:,}"]
        assert line.endswith(KINDS[name].title)
    level = shell.document("kinds", "--nation", "Wales", "--level", "1")
    assert all(number <= found[name] for name, number in level.items())


# Results.


def class_of(quiz: Quiz) -> None:
    """Write the results of three pupils: all right, all left out, half of each."""
    Path("results").mkdir()
    right: list[Any] = [
        quiz_answer if isinstance(quiz_answer, str) else list(quiz_answer)
        for quiz_answer in (
            question.answers[0] if question.form != "many" else question.answers
            for question in quiz
        )
    ]
    half = [answer if n % 2 else None for n, answer in enumerate(right)]
    for name, answers in (("Ann", right), ("Bob", [None] * len(right)), ("Cy", half)):
        Result(name, quiz.code, tuple(answers)).save(f"results/result-{name}.json")


def test_a_report_names_pupils_and_what_to_practise(shell: Shell) -> None:
    quiz = Quiz.from_code(CODE)
    class_of(quiz)
    text = shell.output("report", "results")
    report = class_report("results")
    assert text == f"{report}\nwrote report-{CODE}.html\n"
    assert Path(f"report-{CODE}.html").read_text("utf-8") == report.html
    paths = [str(path) for path in sorted(Path("results").iterdir())]
    found = shell.document("report", *paths, "-o", "report.csv")
    assert (found["code"], found["pupils"], found["problems"]) == (CODE, 3, [])
    assert [row["percent"] for row in rows("report.csv")] == ["100", "0", "50"]
    assert Quiz.from_code(found["suggestions"][0]["code"])


def test_a_report_leaves_out_what_is_damaged_and_says_so(shell: Shell) -> None:
    class_of(Quiz.from_code(CODE))
    Path("results/result-Dee.json").write_text('{"format": "adjoin', "utf-8")
    other = Quiz.make("us-states", questions=3, seed=1)
    Result("Eve", other.code, (None, None, None)).save("results/result-Eve.json")
    found = shell.document("report", "results", "-o", "report.html")
    assert [(one["code"], one["pupils"]) for one in found["quizzes"]] == [
        (CODE, 3),
        (other.code, 1),
    ]
    assert [problem.partition(":")[0] for problem in found["problems"]] == ["result-Dee.json"]
    found = shell.document("report", "results", "-o", "report.csv")
    assert found["files"] == [f"report-{CODE}.csv", f"report-{other.code}.csv"]
    assert "result-Dee.json" in shell.output("report", "results")
    found = shell.document("report", "results", "--code", other.code)
    assert (found["code"], found["pupils"]) == (other.code, 1)


def test_a_report_reads_what_was_read_out(shell: Shell) -> None:
    quiz = Quiz.from_code(CODE)
    code = Result("Ann", CODE, (None,) * len(quiz)).short(quiz)
    Path("codes.txt").write_text(f"Ann, {code}\nBen, {code}\n", "utf-8")
    found = shell.document("report", "codes.txt", "--code", CODE, "-o", "report.csv")
    assert (found["pupils"], found["share"], found["problems"]) == (2, 0, [])


def test_a_report_without_results_says_what_is_missing(shell: Shell) -> None:
    assert "there is no such file or folder" in shell.refusal("report", "nowhere")
    Path("empty").mkdir()
    assert "no files that end in .json" in shell.refusal("report", "empty")
    Path("wrong.json").write_text("{}", "utf-8")
    assert "wrong.json" in shell.refusal("report", "wrong.json")
    assert ".html or .csv" in shell.refusal("report", "wrong.json", "-o", "report.pdf")


# Paper.


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (["map", "--tiles"], "tile map, blank"),
        (["map", "--style", "numbered", "--nation", "Wales"], "map, numbered"),
        (["map", "--style", "coloured"], "map, coloured"),
        (["map", "--atlas", "world-countries", "--edition", "Africa"], "map, blank"),
        (["bingo", "--cards", "2", "--size", "3", "--nation", "Wales"], "bingo, counties of Wales"),
        (["cards", "--nation", "Wales"], "county cards, Wales"),
        (["cards", "--part", "county", "--no-borders", "--nation", "Wales"], "county cards, Wales"),
        (["cards", "--part", "transit", "--backs", "--edge", "short"], "transit cards"),
        (["cards", "--part", "rules"], "Mapominoes: rules"),
        (["cards", "--deck", "Cities"], "city cards, world-cities"),
        (["cards", "--deck", "metro"], "station cards, new-york, double-9 dominoes"),
        (["cards", "--deck", "squares", "--paper", "letter"], "domino squares"),
    ],
)
def test_everything_for_the_printer_is_written(
    shell: Shell, arguments: list[str], title: str
) -> None:
    found = shell.document(*arguments, "-o", "sheet.svg")
    assert found["title"] == title
    assert len(found["files"]) == found["pages"]
    assert set(found["files"]) == files()
    assert all(Path(name).read_text("utf-8").startswith("<svg") for name in found["files"])


def test_pdf_is_what_is_written_if_nothing_is_said(shell: Shell) -> None:
    needs_pdf()
    assert shell.output("map", "--style", "named") == ("map, named: 1 page\nwrote map-named.pdf\n")
    shell.output("bingo", "--cards", "2")
    shell.output("cards", "--part", "rules")
    assert files() == {"map-named.pdf", "bingo.pdf", "cards-counties.pdf"}
    assert all(Path(name).read_bytes().startswith(b"%PDF") for name in files())


def test_the_set_of_a_game_has_rules_county_cards_and_transit_cards(shell: Shell) -> None:
    pages = {
        part: shell.document("cards", "--nation", "Wales", "--part", part, "-o", "c.svg")["pages"]
        for part in ("all", "county", "transit", "rules")
    }
    assert pages["all"] == pages["county"] + pages["transit"] + pages["rules"]


# To take home.


def test_flashcards_are_written_for_anki_and_as_a_table(shell: Shell) -> None:
    pytest.importorskip("genanki", reason="files for Anki need `pip install adjoin[anki]`")
    text = shell.output("anki", "--nation", "Wales")
    assert text.startswith("flashcards, counties in Wales: ")
    assert text.endswith("wrote counties-in-wales.apkg\n")
    with zipfile.ZipFile("counties-in-wales.apkg") as package:
        assert "collection.anki2" in package.namelist()
    found = shell.document("anki", "--nation", "Wales", "--kinds", "borders", "-o", "wales.csv")
    assert found["cards"] == len(rows("wales.csv"))


def test_without_genanki_a_table_is_offered(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genanki", None)
    code, out, err = shell.run("anki", "--nation", "Wales")
    assert (code, out, files()) == (1, "", set())
    assert "adjoin[anki]" in err
    assert "-o counties-in-wales.csv" in err


def test_facts_are_a_table(shell: Shell) -> None:
    assert shell.output("facts", "--nation", "Wales") == "wrote facts.csv\n"
    assert len(rows("facts.csv")) == len(Atlas.load("uk-counties").nation("Wales"))


# Play.


def test_play_is_against_a_gentle_opponent_with_a_small_deck(tmp_path: Path) -> None:
    def played(*arguments: str, text: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "adjoin", "classroom", "play", *arguments],
            cwd=tmp_path,
            input=text,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    text = played("--seed", "1", text="why Gwynedd\nquit\n")
    assert "seat 1: easy" in text
    assert "round 1 of 1" in text
    assert "rule MAPO-11" in text
    assert "Anglesey" in text
    assert "Kent" not in text
    both = played("--seed", "1", "--challenges", "--opponents", "easy", "greedy", text="quit\n")
    assert "seat 2" in both


# Wrong input.


@pytest.mark.smoke
@cases(
    ("arguments", "message"),
    [
        (["worksheets"], "did you mean worksheet?"),
        (["worksheet", "--nation", "Whales"], "did you mean Wales?"),
        (["worksheet", "--region", "South Wst"], "did you mean South West"),
        (["worksheet", "--kinds", "boarders"], "did you mean borders?"),
        (["worksheet", "--kind", "borders"], "did you mean --kinds?"),
        (["worksheet", "--atlas", "uk-countys"], "uk-counties"),
        (["worksheet", "--atlas", "missing.csv"], "there is no such file"),
        (["worksheet", "--waters", "seas.csv"], "--waters belongs to a CSV file"),
        (["worksheet", "--questions", "many"], '"many" is no whole number'),
        (["worksheet", "--questions", "0"], "from 1 to 200"),
        (["worksheet", "--level", "9"], "from 1 to 3"),
        (["worksheet", "--nation", "Northern Ireland", "--questions", "150"], "only"),
        (["worksheet", "--paper", "A5"], "A4, Letter"),
        (["worksheet", "--size", "99"], "size"),
        (["worksheet", "-o", "sheet.doc"], ".pdf or .svg"),
        (["worksheet", "-o", "nowhere/sheet.pdf"], "there is no folder nowhere"),
        (["worksheet", "UK-WALES-BSW-10-BK7Q2"], "mistyped"),
        (["worksheet", CODE, "--code", CODE], "two codes"),
        (["worksheet", CODE, "--nation", "Wales", "--level", "1"], "leave out --nation, --level"),
        (["quiz", "-o", "quiz.pdf"], ".html or .csv"),
        (["quiz", "--projector", "--seconds", "-1"], "seconds"),
        (["map", "--style", "fancy"], "blank, numbered, named, coloured"),
        (["map", "--nation", "Walse"], "Wales"),
        (["bingo", "--cards", "0"], "1 to 200"),
        (["bingo", "--nation", "Northern Ireland", "--size", "5"], "6"),
        (["cards", "--deck", "tarot"], "allowed: counties"),
        (["cards", "--deck", "squares", "--nation", "Wales"], "only for the deck of counties"),
        (["cards", "--part", "jokers"], "county"),
        (["cards", "--backs", "--edge", "left"], "long, short"),
        (["anki", "--kinds", "link"], "uk-counties has no flashcards of the kind link"),
        (["anki", "-o", "cards.pdf"], ".apkg or .csv"),
        (["facts", "-o", "facts.xlsx"], ".csv"),
        (["kinds", "--level", "4"], "from 1 to 3"),
        (["play", "--opponents", "nobody"], "easy"),
        (["play", "--nation", "Whales"], "Wales"),
    ],
)
def test_wrong_input_is_answered_in_a_line(
    shell: Shell, arguments: list[str], message: str
) -> None:
    assert message in shell.refusal(*arguments)


# The page for teachers.


def recipes() -> list[list[str]]:
    page = Path(__file__).parents[2] / "docs" / "pages" / "guides" / "classroom.md"
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)
    lines = [shlex.split(line) for block in blocks for line in block.splitlines()]
    return [line[2:] for line in lines if line[:2] == ["adjoin", "classroom"]]


def test_the_page_for_teachers_has_a_recipe_for_every_action() -> None:
    assert {recipe[0] for recipe in recipes()} == set(ACTIONS)


@cases("recipe", [r for r in recipes() if r[0] not in ("play", "host")])
def test_the_recipes_on_the_page_for_teachers_work(shell: Shell, recipe: list[str]) -> None:
    needs_pdf()
    pytest.importorskip("genanki", reason="files for Anki need `pip install adjoin[anki]`")
    if recipe[0] == "report":
        class_of(Quiz.from_code(CODE))
    shell.output(*recipe)
    if "-o" in recipe:
        assert recipe[recipe.index("-o") + 1] in files()

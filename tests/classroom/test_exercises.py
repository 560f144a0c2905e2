"""Questions are right, and their wrong choices wrong: checked on the tables by other means."""

from __future__ import annotations

import csv
import hashlib
import importlib
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from adjoin import Atlas, Deck
from adjoin.classroom import KINDS, ClassroomError, CodeError, Question, Quiz, Scope, kinds_of
from adjoin.classroom.chance import SYMBOLS, Chance
from adjoin.classroom.quizzes import VERSION
from adjoin.data.files import DATA
from adjoin.support.names import UnknownNameError
from scaffold import ISLAND, ORCHARD, cases

nx: Any = importlib.import_module("networkx")

GOLDEN = Path(__file__).parents[1] / "golden" / "classroom.json"

# An independent check: from the files, with networkx.


def rows(name: str) -> list[dict[str, str]]:
    with open(DATA / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@dataclass
class Facts:
    """What the tables say."""

    graph: Any = field(default_factory=nx.Graph)
    names: dict[str, str] = field(default_factory=dict)
    nations: dict[str, set[str]] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    seas: dict[str, set[str]] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    capitals: dict[str, list[str]] = field(default_factory=dict)

    def inside(self, areas: tuple[str, ...]) -> set[str]:
        return {
            key
            for key in self.graph
            if not areas or self.homes[key] in areas or self.parts[key] in areas
        }


@cache
def facts(name: str) -> Facts:
    found = Facts()
    waters = name.split("-")[0] + "-waters"
    seas = {row["id"] for row in rows(waters) if row["kind"] == "sea"}
    for row in rows(name):
        key = row["id"]
        found.graph.add_node(key)
        found.graph.add_edges_from((key, other) for other in row["borders"].split(";") if other)
        found.names[key] = row["name"]
        home = row.get("nation") or row.get("edition") or row["region"]
        found.homes[key] = home
        found.capitals[key] = list(filter(None, row["capital"].split(";")))
        found.nations[key] = {home, *filter(None, row.get("also_in", "").split(";"))}
        found.parts[key] = row.get("region", "")
        found.seas[key] = seas & set(row["waters"].split(";"))
    return found


def deck_facts() -> dict[str, set[str]]:
    return {row["id"]: set(row["regions"].split(";")) for row in rows("connections-cities")}


def area_id(name: str) -> str:
    return name.lower().replace(" ", "_")


def check(question: Question, name: str, inside: set[str]) -> None:
    if question.kind in ("city_region", "link"):
        check_city(question)
    else:
        check_map(question, facts(name), inside)
    assert question.level in (1, 2, 3)
    assert len(set(question.ids)) == len(question.ids) == len(question.choices)
    assert question.explanation.endswith(".")
    assert "\n" not in question.explanation


def check_city(question: Question) -> None:
    regions = deck_facts()
    if question.kind == "city_region":
        (city,) = question.about
        assert {area_id(answer) for answer in question.answers} == regions[city]
        wrong = [area_id(name) for name in question.ids if name not in question.answers]
        assert len(wrong) == 3
        assert regions[city].isdisjoint(wrong)
        return
    both = {area_id(name) for name in question.about}
    right = {city for city, joined in regions.items() if both <= joined}
    assert set(question.answers) == right
    if question.ids:
        assert len(right & set(question.ids)) == 1


def check_map(question: Question, fact: Facts, inside: set[str]) -> None:
    graph, about, answers = fact.graph, question.about, question.answers
    assert set(about) <= inside
    near = set(graph[about[0]])
    own = graph.subgraph(inside)
    if question.kind in ("borders", "colour"):
        assert len(set(answers)) == len(answers) > 0
        assert set(answers) == near & inside
        assert set(question.also) == near - inside
    elif question.kind == "shared":
        assert answers == (("yes",) if graph.has_edge(*about) else ("no",))
    elif question.kind == "odd":
        (odd,) = answers
        assert len(question.ids) == 4
        assert set(question.ids) <= inside - set(about)
        assert set(question.ids) - near == {odd}
    elif question.kind in ("way", "trace"):
        ways = {tuple(way) for way in nx.all_shortest_paths(own, *about)}
        assert set(answers) == ways
        assert len(answers) == len(ways)
        assert question.hints[0] == f"The shortest way crosses {len(answers[0]) - 1} borders."
    elif question.kind == "chain":
        (order,) = answers
        assert sorted(order) == sorted(question.ids)
        assert tuple(question.ids) != order
        chains = nx.all_simple_paths(own.subgraph({*order, *about}), *about)
        assert [tuple(way[1:-1]) for way in chains if len(way) == len(order) + 2] == [order]
    elif question.kind == "seas":
        assert set(answers) == (fact.seas[about[0]] or {"none"})
        assert set(answers) <= set(question.ids)
        assert len(question.ids) > len(answers) + 1
    elif question.kind == "nation":
        truth = fact.nations[about[0]]
        if question.pool == "area":
            truth = {fact.parts[about[0]]}
        assert set(answers) == truth
        assert len(set(question.ids) & truth) == 1
        assert len(question.ids) > 1
    elif question.kind == "from_neighbours":
        clues = near & inside
        assert all(fact.names[key] in question.prompt for key in clues)
        assert {key for key in graph if clues <= set(graph[key])} == set(answers) == set(about)
    elif question.kind == "capital":
        check_capital(question, fact)
    elif question.kind == "sea_map":
        assert set(answers) == fact.seas[about[0]]
        assert set(answers) <= set(question.ids)
        assert len(question.ids) > 1
    else:
        assert question.kind in ("find", "marked")
        assert answers == about
        assert (fact.names[about[0]] in question.prompt) == (question.kind == "find")
    check_on_map(question)


def check_on_map(question: Question) -> None:
    """Check that what has to be on the map is there, and nothing else says that it is on one."""
    how = {"marked": "marked", **dict.fromkeys(("find", "colour", "trace", "sea_map"), "click")}
    assert question.on_map == how.get(question.kind, "")


def check_capital(question: Question, fact: Facts) -> None:
    (about,) = question.about
    towns = fact.capitals[about]
    names = question.book.names[question.pool]
    if question.pool == "capital":
        assert [names[answer] for answer in question.answers] == towns
        assert fact.names[about] in question.prompt
        owners = [{k for k, of in fact.capitals.items() if names[i] in of} for i in question.ids]
    else:
        assert question.answers == question.about
        assert question.prompt.endswith(f" {towns[0]}?")
        owners = [{key} for key in question.ids]
    assert not owners or (len(owners) == 4 and {about} in owners)
    assert len(set().union(*owners)) == len(owners)
    words = {word for word in re.split("[^a-z]+", fact.names[about].lower()) if len(word) > 3}
    assert not words & set(re.split("[^a-z]+", towns[0].lower()))


FILTERS: list[tuple[str, tuple[str, ...]]] = [
    ("uk-counties", ()),
    ("uk-counties", ("England",)),
    ("uk-counties", ("Scotland",)),
    ("uk-counties", ("Wales",)),
    ("uk-counties", ("Northern Ireland",)),
    ("uk-counties", ("England", "Wales")),
    ("uk-counties", ("South West", "Home Counties", "South Wales")),
    ("world-countries", ()),
    ("world-countries", ("Europe",)),
    ("world-countries", ("Africa",)),
    ("world-countries", ("Asia & Australasia",)),
    ("world-countries", ("Americas", "Africa")),
    ("us-states", ()),
    ("us-states", ("New England", "Middle Atlantic", "South Atlantic")),
    ("world-cities", ()),
]
EACH = 20_000


def quizzes() -> list[Quiz]:
    """Return quizzes of all atlases, filters, kinds and levels: 20,000 questions and more."""
    found: list[Quiz] = []
    number = 0
    while number < EACH:
        for name, areas in FILTERS:
            for level in (None, 1, 2, 3):
                there = kinds_of(name, regions=areas or None, level=level)
                quiz = Quiz.make(
                    name,
                    regions=areas or None,
                    level=level,
                    kinds=list(there),
                    questions=min(50, sum(there.values())),
                    seed=len(found),
                )
                found.append(quiz)
                number += len(quiz)
    return found


def test_20_000_questions_are_right_and_none_comes_twice() -> None:
    seen: Counter[tuple[str, int]] = Counter()
    answers: Counter[str] = Counter()
    for quiz in quizzes():
        name = quiz.scope.name
        areas = tuple(area.name for area in quiz.scope.areas)
        inside = set() if name == "world-cities" else facts(name).inside(areas)
        asked = [(question.kind, frozenset(question.about), question.pool) for question in quiz]
        assert len(set(asked)) == len(asked) == len(quiz)
        prompts = [question.prompt for question in quiz if question.kind != "marked"]
        assert len(set(prompts)) == len(prompts)
        places = quiz.map["places"] if quiz.map else {}
        for question in quiz.questions:
            check(question, name, inside)
            if question.on_map:
                needed = {*question.about, *question.ids, *flat(question.answers)}
                assert needed <= set(places)
                assert all(places[key]["rings"] or places[key]["small"] for key in question.about)
            seen[question.kind, question.level] += 1
            if question.kind == "shared":
                answers[question.answers[0]] += 1
    assert sum(seen.values()) >= EACH
    assert {kind for kind, _ in seen} == set(KINDS)
    assert all(seen[kind, level] > 20 for kind in KINDS for level in (1, 2, 3))
    assert answers["yes"] == pytest.approx(answers["no"], rel=0.03)


def test_every_right_answer_is_graded_right_and_every_wrong_choice_wrong() -> None:
    graded: Counter[str] = Counter()
    for quiz in quizzes()[::9]:
        for question in quiz:
            names = question.book.names.get(question.pool, {})
            right: list[Any] = []
            wrong: list[Any] = [None, ""]
            if question.form == "many":
                right = [list(question.answers), ", ".join(names[k] for k in question.answers)]
            elif question.form == "route":
                right = [list(way) for way in question.answers]
                right += [[names[key] for key in way[1:-1]] for way in question.answers]
                wrong.append(list(question.about))
            elif question.form == "order":
                right = [
                    list(question.answers[0]),
                    " – ".join(names[k] for k in question.answers[0]),
                ]
                wrong.append(list(reversed(question.answers[0])))
            else:
                right = list(question.answers)
                wrong += [key for key in question.ids if key not in question.answers]
                wrong += [
                    "ABCDEFG"[n]
                    for n, key in enumerate(question.ids)
                    if key not in question.answers and question.form != "yes_no"
                ]
            again = Question.from_json(
                json.loads(json.dumps(question.to_json(with_book=False))), quiz.book
            )
            assert again == question
            for answer in right:
                grade = question.grade(answer)
                assert grade.is_right, (question, answer)
                assert (grade.share, grade.missing, grade.wrong) == (1, (), ())
                assert grade.missed == ()
            for answer in wrong:
                grade = question.grade(answer)
                assert not grade.is_right, (question, answer)
                assert grade.share <= 0.5
                assert grade.share == 0 or question.form == "order"
            graded[question.form] += 1
    assert set(graded) == {"many", "one", "yes_no", "route", "order"}


def flat(answers: tuple[Any, ...]) -> set[str]:
    return {key for answer in answers for key in ([answer] if isinstance(answer, str) else answer)}


def test_no_question_has_always_the_same_answer() -> None:
    world, uk = Atlas.load("world-countries"), Atlas.load("uk-counties")
    scopes: list[dict[str, Any]] = [
        {"atlas": uk.nation("Wales")},
        {"atlas": world.edition("Europe")},
    ]
    for name in Atlas.shipped():
        regions = Atlas.load(name).regions
        areas = {nation for region in regions for nation in region.nations}
        areas |= {region.region for region in regions} - {""}
        scopes += ({"atlas": name, "regions": area} for area in sorted(areas))
    for scope in scopes:
        there = kinds_of(**scope)
        for kind in {"nation", "seas", "sea_map"} & set(there):
            quiz = Quiz.make(**scope, kinds=kind, questions=min(200, there[kind]), seed=1)
            answers: dict[str, set[tuple[str, ...]]] = {}
            for question in quiz:
                answers.setdefault(question.pool, set()).add(question.answers)
            assert all(len(different) > 1 for different in answers.values()), quiz
    assert "Which nation" not in Quiz.make(uk.nation("Wales"), questions=120, seed=1).text()


def test_questions_can_be_all_that_there_are() -> None:
    for name, areas in [("uk-counties", "Northern Ireland"), ("us-states", "New England")]:
        there = kinds_of(name, regions=areas)
        for kind, number in there.items():
            if number <= 200:
                quiz = Quiz.make(name, regions=areas, kinds=kind, questions=number, seed=1)
                assert len({question.about for question in quiz}) <= number == len(quiz.questions)


def test_questions_about_neighbours_do_not_give_each_other_away() -> None:
    for seed in range(20):
        quiz = Quiz.make("uk-counties", questions=60, seed=seed)
        neighbours = ("borders", "odd", "from_neighbours", "colour")
        about = [q.about for q in quiz if q.kind in neighbours]
        places = [q.about for q in quiz if q.kind in ("find", "marked")]
        ends = [frozenset(q.about) for q in quiz if q.kind in ("way", "chain", "trace")]
        assert len(set(places)) == len(places) > 3
        assert len(set(about)) == len(about) > 10
        assert len(set(ends)) == len(ends)


def test_kinds_and_levels_come_in_turn() -> None:
    number = 10 * len(kinds_of("uk-counties"))
    quiz = Quiz.make("uk-counties", questions=number, seed=2)
    assert set(Counter(question.kind for question in quiz).values()) == {10}
    levels = [question.level for question in quiz]
    assert levels == sorted(levels)
    assert min(Counter(levels).values()) > 15


# Grading.


def ask(kind: str, about: tuple[str, ...], **options: Any) -> Question:
    """Return the question of a kind about something."""
    kinds = kinds_of(**options)
    for seed in range(200):
        quiz = Quiz.make(kinds=kind, questions=min(200, kinds[kind]), seed=seed, **options)
        for question in quiz:
            if set(question.about) == set(about):
                return question
    raise AssertionError(f"no question of the kind {kind} about {about}")


def test_neighbours_have_part_of_the_points() -> None:
    question = ask("borders", ("kent",))
    assert question.prompt == "Which counties border Kent?"
    assert question.explanation == "Kent borders East Sussex, Essex, Greater London and Surrey."
    grade = question.grade("essex, Surrey & East Sussex")
    assert (grade.share, grade.is_right, grade.missing) == (0.75, False, ("Greater London",))
    assert grade.missed == (("kent", "greater_london"),)
    grade = question.grade("Essex, Surrey, Dorset")
    assert (grade.share, grade.wrong) == (0.25, ("Dorset",))
    assert question.grade("Dorset, Devon, Essex").share == 0
    assert question.grade("Essex, Essex, Essex").share == 0.25
    assert question.grade("Essex, Kent").share == 0
    grade = question.grade("Essex and Xyzzy")
    assert (grade.share, grade.unread) == (0.25, ("Xyzzy",))
    assert question.grade(["Esex", "surrey", "GREATER LONDON", "E Sussex"]).is_right
    corrections = question.grade("Esex, surrey").corrections
    assert corrections == (("Esex", "Essex"),)
    assert '"Esex" is spelt Essex.' in str(question.grade("Esex"))


@cases(
    ("pair", "words"),
    [
        (("essex", "kent"), " They meet in the River Thames."),
        (("antrim", "tyrone"), " They meet in Lough Neagh."),
        (("anglesey", "gwynedd"), " Between them lies the Menai Strait."),
        (("hampshire", "isle_of_wight"), " Between them lies the Solent."),
        (("kent", "surrey"), "Yes: Kent borders East Sussex, Essex, Greater London and Surrey."),
    ],
)
def test_water_between_counties_is_told(pair: tuple[str, str], words: str) -> None:
    kind, scope = KINDS["shared"], Scope.make("uk-counties")
    candidates = [c for c in kind.candidates(scope) if set(c.subject) == set(pair)]
    (question,) = (kind.make(scope, c, Chance("x")) for c in candidates)
    assert question.explanation.endswith(words)


def test_no_name_tells_the_answer() -> None:
    for name in ("uk-counties", "world-countries"):
        for question in Quiz.make(name, kinds="nation", questions=150, seed=1):
            subject = question.book.name(question.about[0]).lower()
            assert not any(answer.lower() in subject for answer in question.answers)


def test_a_neighbour_outside_is_neither_right_nor_wrong() -> None:
    question = ask("borders", ("wrexham",), nations="Wales")
    assert question.prompt == "Which counties in Wales border Wrexham?"
    inside = "Flintshire, Denbighshire, Powys"
    assert question.grade(inside).is_right
    grade = question.grade(f"{inside}, Shropshire")
    assert (grade.is_right, grade.wrong) == (True, ())
    assert grade.notes == ("Shropshire borders Wrexham too, but is not in Wales.",)


@pytest.mark.smoke
def test_every_shortest_way_is_right_and_a_longer_one_half() -> None:
    question = ask("way", ("cornwall", "wiltshire"), regions="South West")
    if question.about[0] == "wiltshire":
        question = Question.from_json(
            {**question.to_json(), "about": ["cornwall", "wiltshire"]}, question.book
        )
    assert question.grade("Devon, Somerset").is_right
    assert question.grade("Cornwall > Devon > Dorset > Wiltshire").is_right
    assert question.grade("Wiltshire, Dorset, Devon, Cornwall").is_right
    longer = question.grade("Devon, Somerset, Dorset")
    assert (longer.share, longer.is_right) == (0.5, False)
    assert longer.notes == ("That is a way, but it crosses 4 borders; 3 are enough.",)
    broken = question.grade("Devon, Gloucestershire")
    assert broken.share == 0
    assert "Devon does not border Gloucestershire." in broken.notes
    outside = question.grade("Devon, Dorset, Hampshire")
    assert outside.share == 0
    assert outside.notes == ("Hampshire is not in the South West.",)
    assert question.grade("Cornwall, Wiltshire").share == 0
    back = question.grade("Devon, Cornwall, Devon, Dorset")
    assert (back.share, back.is_right) == (0.5, False)
    assert question.grade("Devon, Devon, Dorset").is_right
    assert question.grade("Devon, Nowhere, Dorset").share == 0


def test_the_hints_of_a_way_tell_more_and_more() -> None:
    quiz = Quiz.make("uk-counties", kinds="way", level=3, questions=50, seed=4)
    for question in quiz:
        length, first, most = question.hints
        names = {tuple(map(question.book.name, way)) for way in question.answers}
        begins = {way for way in names if first.removesuffix(".").endswith(way[1])}
        shown = most.split(" – ")
        assert length == f"The shortest way crosses {len(question.answers[0]) - 1} borders."
        assert any(list(way[:-2]) == shown[:-2] and way[-1] == shown[-1] for way in begins)
        assert shown[-2] == "?"


def test_other_forms_are_graded() -> None:
    shared = ask("shared", ("kent", "surrey"))
    for yes in (True, "yes", "Yes.", "y", ["yes"]):
        assert shared.grade(yes).is_right
    for no in (False, "no", "N"):
        assert not shared.grade(no).is_right
        assert len(shared.grade(no).missed) == 1
    assert shared.grade("perhaps").unread == ("perhaps",)

    find = ask("find", ("kent",))
    assert find.grade("kent").is_right
    assert find.grade(["kent"]).is_right
    assert find.grade("surrey").share == 0.5
    assert find.grade("surrey").notes == ("Nearly: that is Surrey.",)
    assert find.grade("highland").share == 0
    assert find.grade("highland").notes == ("That is Highland.",)
    assert find.grade(["surrey", "kent"]).share == 0
    marked = ask("marked", ("kent",))
    assert marked.grade("Kent").is_right
    assert marked.grade("Surrey").share == 0

    colour = ask("colour", ("wrexham",), nations="Wales")
    assert colour.prompt == "Colour the counties in Wales that border Wrexham."
    grade = colour.grade(["flintshire", "denbighshire", "shropshire"])
    assert (round(grade.share, 2), grade.missed) == (0.67, (("wrexham", "powys"),))
    assert grade.notes == ("Shropshire borders Wrexham too, but is not in Wales.",)

    seas = ask("seas", ("kent",))
    assert seas.grade("North Sea, English Channel").is_right
    assert seas.grade("the north sea and the channel").share == 0.5
    assert seas.grade("A").share == 0.5
    assert seas.grade("a b").is_right
    assert seas.grade({"North Sea", "English Channel"}).is_right  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="an answer is a text, a list of texts"):
        seas.grade(3)  # type: ignore[arg-type]
    assert ask("seas", ("rutland",)).grade("none").is_right
    assert ask("seas", ("rutland",)).grade("None of them").is_right

    chain = Quiz.make("uk-counties", kinds="chain", level=2, questions=1, seed=1).questions[0]
    one, two, three = chain.answers[0]
    assert chain.grade([one, three, two]).share == pytest.approx(1 / 3, abs=0.001)
    assert chain.grade([chain.about[0], one, two, three, chain.about[1]]).is_right
    assert chain.grade([one]).missing == (chain.book.name(two), chain.book.name(three))
    assert not chain.grade([one, two, three, "shetland"]).is_right

    nation = ask("nation", ("tur",), atlas="world-countries")
    assert nation.grade("Europe").is_right
    assert nation.grade("Asia and Australasia").is_right
    assert not nation.grade("Africa").is_right


def test_capitals_are_asked_both_ways_and_may_be_several() -> None:
    def asked(key: str, pool: str, **options: Any) -> Question:
        quiz = Quiz.make(kinds="capital", questions=kinds_of(**options)["capital"], **options)
        return next(q for q in quiz if q.about == (key,) and q.pool == pool)

    africa = {"atlas": "world-countries", "editions": "Africa", "seed": 1}
    question = asked("zaf", "capital", **{k: v for k, v in africa.items() if k != "seed"})
    assert question.prompt == "Which is a capital of South Africa?"
    assert all(question.grade(text).is_right for text in ("Cape Town", "bloemfontain", "Pretoria"))
    assert not question.grade("Johannesburg").is_right
    europe = {"atlas": "world-countries", "editions": "Europe"}
    question = asked("ukr", "capital", **europe)
    assert question.grade("Kiev").also_called == (("Kiev", "Kyiv"),)
    question = asked("ukr", "region", **europe)
    assert question.prompt == "Which country has the capital Kyiv?"
    assert question.grade("Ukrain").is_right
    question = asked("kent", "capital", atlas="uk-counties")
    assert question.prompt == "Which is the county town of Kent?"
    assert question.explanation == "The county town of Kent is Maidstone."


def test_names_in_another_language_are_shown_and_both_are_read() -> None:
    quiz = Quiz.make("uk-counties", nations="Wales", names="Welsh", level=1, questions=12, seed=1)
    assert re.fullmatch(r"UK-WALES-[A-Z]+-12L1CY-\w{5}", quiz.code)
    assert Quiz.from_code(quiz.code).questions == quiz.questions
    usual = Quiz.make("uk-counties", nations="Wales", level=1, questions=12, seed=1)
    assert usual.code != quiz.code
    names = quiz.book.names["region"]
    assert (names["cardiff"], names["powys"], names["kent"]) == ("Caerdydd", "Powys", "Kent")
    for book in (quiz.book, usual.book):
        assert book.read("Caerdydd").id == book.read("cardiff").id == "cardiff"
        assert book.read("Ynys Mon").id == book.read("Isle of Anglesey").id == "anglesey"
    assert quiz.book.read("Cardiff").also_called == "Caerdydd"
    text = quiz.text(answers=True)
    assert not re.search("Cardiff|Swansea|Flintshire|Anglesey|Glamorgan", text)
    with pytest.raises(
        UnknownNameError, match=r'no names in "Dutch" in uk-counties; there are .*W'
    ):
        Quiz.make("uk-counties", names="Dutch")
    with pytest.raises(UnknownNameError, match='no names in "cy" in us-states: it has none'):
        Quiz.make("us-states", names="cy")
    with pytest.raises(ClassroomError, match="cities have theirs in English only"):
        Quiz.make("world-cities", names="cy")
    own = Atlas.build(
        [
            {"name": name, "name_de": other}
            for name, other in [("A", "Ah"), ("B", "Beh"), ("C", "")]
        ],
        [("A", "B"), ("B", "C")],
    )
    quiz = Quiz.make(own, names="de", kinds="borders", questions=3, seed=1)
    assert Quiz.from_code(quiz.code, own).questions == quiz.questions
    assert "Ah" in quiz.text()
    with pytest.raises(CodeError, match="has no names in"):
        Quiz.from_code(_with_check(f"UK-B-5XX-{VERSION}234"))


def _with_check(text: str) -> str:
    """Return a code with the letter that fits it."""
    for symbol in SYMBOLS:
        try:
            Quiz.from_code(text + symbol)
        except CodeError as error:
            if "does not fit" not in str(error):
                return text + symbol
    raise AssertionError(text)


def test_countries_on_two_continents_are_asked_about_at_home() -> None:
    europe = Scope.make("world-countries", editions="Europe").inside
    assert "kaz" not in europe
    assert "rus" in europe
    assert "kaz" in Scope.make("world-countries", editions="Asia & Australasia").inside


# Codes.


def digest(quiz: Quiz) -> str:
    """Return what stands for the questions of a quiz, whatever the words that they are put in."""
    facts = ("kind", "form", "ids", "answers", "about", "level", "on_map")
    plain = [question.to_json(with_book=False) for question in quiz.questions]
    text = json.dumps([[question[fact] for fact in facts] for question in plain])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_old_codes_keep_their_quiz() -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert len(golden) >= 12
    assert {code: digest(Quiz.from_code(code)) for code in golden} == golden
    with pytest.raises(CodeError, match="made by another version of adjoin"):
        Quiz.from_code("UK-BSDWENFTC-30-ADQR4")


def test_a_code_gives_the_same_quiz_in_another_process() -> None:
    codes = list(json.loads(GOLDEN.read_text(encoding="utf-8")))
    script = (
        "import json, sys\n"
        "from adjoin.classroom import Quiz\n"
        "print(json.dumps([Quiz.from_code(code).to_json() for code in sys.argv[1:]]))"
    )
    here = [Quiz.from_code(code).to_json() for code in codes]
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", script, *codes],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(done.stdout) == json.loads(json.dumps(here))


def test_codes_are_read_back() -> None:
    made = [
        Quiz.make("uk-counties", nations="Wales", kinds=["way", "borders"], seed=1),
        Quiz.make("world-countries", editions=["Europe", "Africa"], level=2, questions=25, seed=2),
        Quiz.make("us-states", regions="New England", kinds="borders", questions=3, seed=3),
        Quiz.make("world-cities", questions=20, seed=4),
        Quiz.make("uk-counties", nations="England", regions=["London", "South Wales"], seed="x"),
    ]
    for quiz in made:
        for text in (quiz.code, quiz.code.lower(), quiz.code.replace("-", " "), f" {quiz.code} "):
            again = Quiz.from_code(text)
            assert (again, again.questions) == (quiz, quiz.questions)
    assert re.fullmatch("UK-WALES-BW-10-B[2-9A-HJKMNP-Z]{4}", made[0].code)
    assert made[1].code.startswith("WORLD-EUROPE+AFRICA-")
    assert made[4].code.startswith("UK-LONDON+SOUTWALE-")


def test_without_a_seed_every_quiz_is_another() -> None:
    assert len({Quiz.make("uk-counties").code for _ in range(20)}) > 15
    assert Quiz.make(seed=1).code == Quiz.make(seed=1).code != Quiz.make(seed=2).code


def test_a_mistyped_code_is_refused() -> None:
    code = Quiz.make("uk-counties", nations="Wales", kinds=["borders", "shared"], seed=9).code
    start = len(code) - 5
    for place in range(start, len(code)):
        for symbol in SYMBOLS + "O0I1L":
            if symbol != code[place]:
                with pytest.raises(CodeError):
                    Quiz.from_code(code[:place] + symbol + code[place + 1 :])
    for place in range(start, len(code) - 1):
        swapped = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
        if swapped != code:
            with pytest.raises(CodeError):
                Quiz.from_code(swapped)
    for wrong in (
        "",
        "hello",
        "UK-WALES",
        code[:-1],
        code + "A",
        code.replace("WALES", "WALSE"),
        code.replace("-10-", "-12-"),
        code.replace("UK", "US"),
        code.replace("-10-", "-0-"),
        code.replace("-BS-", "-BZ-"),
        code.replace("-BS-", "-SB-"),
    ):
        with pytest.raises(CodeError):
            Quiz.from_code(wrong)
    with pytest.raises(TypeError, match="a quiz is named by a string"):
        Quiz.from_code(7)  # type: ignore[arg-type]


def test_a_map_of_ones_own_has_quizzes() -> None:
    quiz = Quiz.make(ISLAND, seed=1, questions=20)
    assert quiz.code.startswith("OWN")
    assert Quiz.from_code(quiz.code, ISLAND).questions == quiz.questions
    with pytest.raises(CodeError, match="give it too"):
        Quiz.from_code(quiz.code)
    with pytest.raises(CodeError, match="the code is for the map"):
        Quiz.from_code(quiz.code, Atlas.build(["A", "B"], [("A", "B")]))
    part = Quiz.make(Atlas.load("uk-counties", nations="Wales"), seed=1)
    assert "county" in part.text() or "counties" in part.text()
    cities = Quiz.make(ORCHARD, seed=1, questions=20)
    assert Quiz.from_code(cities.code, ORCHARD).questions == cities.questions
    assert Quiz.make(Atlas.load("us-states"), seed=3) == Quiz.make("us-states", seed=3)
    assert Quiz.make(Deck.load(), seed=3) == Quiz.make("cities", seed=3)


# Bad input.


def test_every_area_has_a_quiz_or_says_why_not() -> None:
    made = 0
    for name in Atlas.shipped():
        atlas = Atlas.load(name)
        areas = {nation for r in atlas for nation in r.nations} | {r.region for r in atlas}
        for area in sorted(areas - {""}):
            there = kinds_of(name, regions=area)
            assert there
            quiz = Quiz.make(name, regions=area, questions=min(10, sum(there.values())), seed=1)
            assert Quiz.from_code(quiz.code).questions == quiz.questions
            for kind in KINDS:
                if kind not in there:
                    with pytest.raises(ClassroomError, match=f"{kind}"):
                        Quiz.make(name, regions=area, kinds=kind, questions=1)
            made += 1
    assert made == 22 + 3 + 9 + 4


@cases(
    ("options", "error", "message"),
    [
        ({"atlas": "uk-countys"}, UnknownNameError, "did you mean uk-counties"),
        ({"atlas": "mars"}, UnknownNameError, "there are uk-counties, world-countries, us-states"),
        ({"atlas": 7}, TypeError, "an atlas is named by a string"),
        ({"nations": "Whales"}, UnknownNameError, "did you mean Wales?"),
        ({"regions": "South Wets"}, UnknownNameError, "did you mean South West"),
        (
            {"regions": ["Kent"]},
            UnknownNameError,
            'no region "Kent" in uk-counties; that is a county',
        ),
        ({"nations": "South West"}, UnknownNameError, "that is a region"),
        ({"nations": []}, ClassroomError, "leaves nothing"),
        ({"kinds": "bordrs"}, UnknownNameError, "did you mean borders"),
        ({"kinds": "dance"}, UnknownNameError, "there are borders, shared, odd, way"),
        ({"kinds": []}, ClassroomError, "an empty list of kinds; there are borders"),
        ({"atlas": ISLAND, "kinds": "find"}, ClassroomError, "find needs a map with outlines"),
        ({"kinds": "link"}, ClassroomError, "link needs cities, which world-cities has"),
        ({"atlas": "cities", "kinds": "way"}, ClassroomError, "way needs a map of regions"),
        ({"atlas": "cities", "nations": "Wales"}, ClassroomError, "cities have regions"),
        (
            {"regions": "London", "kinds": "odd"},
            ClassroomError,
            "odd needs at least 5 counties, and there are 2 counties in London",
        ),
        (
            {"atlas": "cities", "regions": "Africa", "kinds": "city_region"},
            ClassroomError,
            "city_region needs at least 4 regions, and there is 1 region",
        ),
        (
            {"nations": "Northern Ireland", "kinds": "borders", "questions": 7},
            ClassroomError,
            "7 questions, but only 6 different ones about 6 counties in Northern Ireland",
        ),
        (
            {"nations": "Northern Ireland", "kinds": "borders", "level": 3},
            ClassroomError,
            "levels: 1",
        ),
        ({"nations": "Wales", "kinds": "nation", "questions": 23}, ClassroomError, "only 22"),
        ({"questions": 0}, ClassroomError, "questions is from 1 to 200, got 0"),
        ({"questions": "ten"}, ClassroomError, "questions is from 1 to 200, got 'ten'"),
        ({"questions": True}, ClassroomError, "questions is from 1 to 200"),
        ({"level": 4}, ClassroomError, "level is from 1 to 3, got 4"),
    ],
)
def test_what_cannot_be_is_said(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Quiz.make(**{"questions": 1, **options})


def test_quizzes_are_shown() -> None:
    quiz = Quiz.make("uk-counties", nations="Wales", questions=12, seed=1)
    assert repr(quiz) == f"<Quiz {quiz.code}: 12 questions, counties in Wales>"
    text, html = str(quiz), quiz._repr_html_()
    for question in quiz:
        assert question.prompt in text
        assert question.explanation in quiz.text(answers=True)
    assert html.count("<li>") == 12
    assert Quiz.make(ISLAND, questions=5, seed=2)._repr_html_()


def test_chance_is_fair_and_the_same_everywhere() -> None:
    chance = Chance("fair")
    thrown = Counter(chance.below(6) for _ in range(6000))
    assert all(900 < thrown[n] < 1100 for n in range(6))
    assert sorted(chance.order(50)) == list(range(50))
    firsts = Counter(next(chance.order(3)) for _ in range(3000))
    assert all(900 < firsts[n] < 1100 for n in range(3))
    orders = Counter(tuple(chance.shuffled("abc")) for _ in range(6000))
    assert len(orders) == 6
    assert all(850 < number < 1150 for number in orders.values())
    assert len(chance.sample(range(10), 4)) == len(set(chance.sample(range(10), 4))) == 4
    with pytest.raises(ValueError, match="4 of 3 things"):
        chance.sample("abc", 4)
    assert Chance("x").symbols(12) == "XMQWD8E62BEC"

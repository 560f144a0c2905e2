"""The geography classroom: quizzes, worksheets, cards and reports over atlases and cities.

- ``Quiz.make("uk-counties", nations="Wales")``: questions, and a code that stands for them
- ``Quiz.from_code("UK-WALES-...")``: the same questions again, anywhere
- ``kinds_of("us-states")``: how many different questions there are, by kind
- ``question.grade("Kent, Surrey")``: what an answer is worth, with the right spelling
- ``quiz(...)``: a quiz in a notebook; ``save_quiz_page(quiz, "quiz.html")``: one for pupils
- ``save_daily_page("daily.html")``: the way of the day, the same for everybody on a date
- ``worksheet(quiz)``, ``answer_key(quiz)``, cards, maps and bingo: on paper, as PDF or SVG
- ``flashcards("uk-counties")``, ``questions_csv``, ``facts_csv``: to take home
- ``class_report("results")``: who knows what, from the files of a class; ``class_reports``: quiz
  by quiz
"""

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.cities import Cities
from adjoin.classroom.daily import Daily, daily_page, save_daily_page
from adjoin.classroom.exercises import KINDS, Grade, Question
from adjoin.classroom.flashcard_deck import Flashcards, flashcards
from adjoin.classroom.paper import (
    PAGES,
    Sheets,
    answer_key,
    bingo,
    city_cards,
    county_cards,
    domino_squares,
    domino_tiles,
    mapominoes_rules,
    mapominoes_set,
    outline_map,
    station_cards,
    tile_map,
    transit_cards,
    worksheet,
)
from adjoin.classroom.pupil_result import Result, ResultError
from adjoin.classroom.quizzes import CodeError, Quiz, kinds_of
from adjoin.classroom.results import ClassReport, ClassReports, class_report, class_reports
from adjoin.classroom.scope import Scope
from adjoin.classroom.screen import quiz, quiz_page, save_quiz_page
from adjoin.classroom.spelling import Book, Reading
from adjoin.classroom.spreadsheets import facts_csv, questions_csv

__all__ = [
    "KINDS",
    "PAGES",
    "Book",
    "Cities",
    "ClassReport",
    "ClassReports",
    "ClassroomError",
    "CodeError",
    "Daily",
    "Flashcards",
    "Grade",
    "Question",
    "Quiz",
    "Reading",
    "Result",
    "ResultError",
    "Scope",
    "Sheets",
    "answer_key",
    "bingo",
    "city_cards",
    "class_report",
    "class_reports",
    "county_cards",
    "daily_page",
    "domino_squares",
    "domino_tiles",
    "facts_csv",
    "flashcards",
    "kinds_of",
    "mapominoes_rules",
    "mapominoes_set",
    "outline_map",
    "questions_csv",
    "quiz",
    "quiz_page",
    "save_daily_page",
    "save_quiz_page",
    "station_cards",
    "tile_map",
    "transit_cards",
    "worksheet",
]

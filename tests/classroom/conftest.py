"""Quizzes on pages, and their script, in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from quiz_pages import QuizPage

from adjoin.classroom.quizzes import Quiz
from adjoin.classroom.screen import save_quiz_page, script


@pytest.fixture
def show(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., QuizPage]]:
    pages: list[QuizPage] = []

    def get(quiz: Quiz, *, context: dict[str, Any] | None = None, **options: Any) -> QuizPage:
        path = save_quiz_page(quiz, tmp_path, **options)
        pages.append(QuizPage(chromium, path, **(context or {})))
        return pages[-1]

    yield get
    for page in pages:
        page.close()


@pytest.fixture(scope="module")
def engine(chromium: Any) -> Iterator[Any]:
    """A page with nothing but the module."""
    page = chromium.new_page()
    shown = "Object.assign(window, module_grading, { module_map, module_question_form });"
    page.add_script_tag(type="module", content=f"{script()}\n{shown}")
    page.wait_for_function("Boolean(window.grade)")
    yield page
    page.close()

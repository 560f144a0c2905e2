"""A quiz in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from adjoin.classroom.pupil_result import Result, ResultError
from adjoin.classroom.screen import script, style

if TYPE_CHECKING:
    from adjoin.classroom.quizzes import Quiz


class QuizBoard(anywidget.AnyWidget):
    """A quiz to answer in a notebook: what ``adjoin.classroom.quiz`` returns.

    It is graded in the browser, and goes on if the kernel does not.
    """

    _esm = script()
    _css = style()

    quiz = traitlets.Dict().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)

    def __init__(self, quiz: Quiz, options: dict[str, Any]) -> None:
        self._quiz = quiz
        self._results: list[Result] = []
        super().__init__(quiz=quiz.to_json(), options=options)
        self.on_msg(self._receive)

    @property
    def code(self) -> str:
        """The code of the quiz."""
        return self._quiz.code

    @property
    def results(self) -> list[Result]:
        """What was answered, every time that the quiz was finished."""
        return list(self._results)

    def _repr_mimebundle_(self, **keywords: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**keywords)
        if bundle is not None:
            bundle[0]["text/html"] = self._quiz._repr_html_()
        return bundle

    def _receive(self, _: QuizBoard, content: Any, buffers: Any) -> None:
        """Keep the result that the browser sends; leave alone whatever is none of this quiz."""
        try:
            result = Result.from_json(content.get("what") if isinstance(content, dict) else None)
            result.grades(self._quiz)
        except ResultError:
            return
        self._results.append(result)

    def __repr__(self) -> str:
        """Return the code, and how often it was finished."""
        return f"<QuizBoard {self.code}: finished {len(self._results)} times>"

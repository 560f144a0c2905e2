"""What a live quiz is about and how it is run: what a teacher sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjoin.classroom.cities import CITIES
from adjoin.classroom.exercises import KINDS
from adjoin.classroom.quizzes import Quiz, kinds_of
from adjoin.classroom.scope import scope_of
from adjoin.data.atlas import Atlas
from adjoin.serve.rooms import RoomError
from adjoin.support.names import choose

if TYPE_CHECKING:
    from typing_extensions import Self

SECONDS = 30
FULL = 1000
"""What a right answer is worth, at once."""
_SECONDS = (5, 600)


@dataclass(frozen=True)
class LiveSettings:
    """Which quiz, and how it is run."""

    quiz: Quiz
    seconds: int = SECONDS
    """How long a question is open; 0: until the teacher ends it."""
    speed: bool = True
    """Whether a quick answer is worth more."""

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return settings that a live quiz can be opened with, or say what is wrong."""
        known = {"code", "atlas", "areas", "kinds", "questions", "level", "seconds", "speed"}
        unknown = set(given) - known
        if unknown:
            raise RoomError(f"no setting {', '.join(sorted(map(str, unknown)))}")
        if given.get("code"):
            quiz = Quiz.from_code(given["code"])
        else:
            quiz = Quiz.make(
                given.get("atlas") or "uk-counties",
                regions=given.get("areas") or None,
                kinds=given.get("kinds") or None,
                questions=given.get("questions") or 10,
                level=given.get("level"),
            )
        return cls.of(quiz, given.get("seconds", SECONDS), bool(given.get("speed", True)))

    @classmethod
    def of(cls, quiz: Quiz, seconds: object = SECONDS, speed: bool = True) -> Self:
        """Return the settings of a quiz, or say what is wrong."""
        low, high = _SECONDS
        if type(seconds) is not int or not (seconds == 0 or low <= seconds <= high):
            raise RoomError(f"seconds: {low} to {high}, or 0 for no limit; got {seconds!r}")
        return cls(quiz, seconds, speed)

    def worth(self, share: float, used: float) -> int:
        """Return the points of an answer that took so many seconds."""
        slow = min(1.0, used / self.seconds) / 2 if self.speed and self.seconds else 0.0
        return round(FULL * share * (1 - slow))

    @property
    def rule(self) -> str:
        """How points are counted, in words."""
        if not self.speed or not self.seconds:
            return (
                f"{FULL} points for a right answer, a part of them for a part. "
                "Speed does not count."
            )
        return (
            f"{FULL} points for a right answer at once, falling to {FULL // 2} at the last second; "
            "a part of them for a part."
        )


def choices_of(atlas: object, areas: object) -> dict[str, Any]:
    """Return what a quiz can be about, and the kinds of questions with how many there are.

    Areas that another atlas has are left out.
    """
    atlases = [*Atlas.shipped(), CITIES]
    name = choose(str(atlas or atlases[0]), atlases, "an atlas")
    scope = scope_of(name)
    parts = list(scope.area_names)
    named = [area for area in parts if isinstance(areas, list) and area in areas]
    kinds = kinds_of(name, regions=named or None)
    return {
        "atlases": atlases,
        "atlas": name,
        "parts": parts,
        "areas": named,
        "kinds": [
            {"name": kind, "title": KINDS[kind].title, "number": number}
            for kind, number in kinds.items()
        ],
    }

"""A result as a short code that a pupil reads out: what every question was worth.

Right, partly right and wrong are the digits of a number to the base of three, the first question
the lowest; it is written with ``SYMBOLS``, as few as can be for that many questions, and one more
that fits these and the code of the quiz. ``screen/result_codes.js`` does the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.chance import SYMBOLS
from adjoin.classroom.quizzes import check_letter

MOST_SHORT = 30
"""So many questions a quiz may have whose results have a short code."""
_BASE = len(SYMBOLS)
_GROUP = 4
_SHARES = (0.0, 0.5, 1.0)
"""What a wrong, a partly right and a right answer count for."""


def _size(questions: int) -> int:
    """Return how many symbols the worth of so many questions needs."""
    if not 0 < questions <= MOST_SHORT:
        raise ClassroomError(
            f"results of 1 to {MOST_SHORT} questions have a short code, not of {questions}"
        )
    size = 1
    while _BASE**size < 3**questions:
        size += 1
    return size


def short_code(shares: Sequence[float], quiz: str) -> str:
    """Return the code for what the answers to a quiz, given by its code, were worth.

    >>> short_code([1, 0.25, 0, 1, 1], "UK-WALES-B-5-BK7Q2")
    '69B'
    """
    number = sum((2 if s == 1 else 1 if s > 0 else 0) * 3**n for n, s in enumerate(shares))
    symbols = ""
    for _ in range(_size(len(shares))):
        number, rest = divmod(number, _BASE)
        symbols += SYMBOLS[rest]
    symbols += check_letter(quiz + symbols)
    return "-".join(symbols[at : at + _GROUP] for at in range(0, len(symbols), _GROUP))


def shares_of(code: str, quiz: str, questions: int) -> tuple[float, ...]:
    """Return what every question was worth by a code: 1, a half for any part, or nothing.

    >>> shares_of("6 9b", "UK-WALES-B-5-BK7Q2", 5)
    (1.0, 0.5, 0.0, 1.0, 1.0)
    """
    symbols = "".join(letter for letter in code.upper() if letter.isalnum())
    wrong = [symbol for symbol in symbols if symbol not in SYMBOLS]
    if wrong:
        shown = ", ".join(dict.fromkeys(wrong))
        raise ClassroomError(f'the result code "{code}" is mistyped: such codes never have {shown}')
    size = _size(questions) + 1
    if len(symbols) != size:
        raise ClassroomError(
            f'"{code}" is no result code of this quiz: with {questions} questions these have '
            f"{size} letters and digits"
        )
    number = sum(SYMBOLS.index(symbol) * _BASE**n for n, symbol in enumerate(symbols[:-1]))
    if check_letter(quiz + symbols[:-1]) != symbols[-1] or number >= 3**questions:
        raise ClassroomError(f'the result code "{code}" is mistyped, or not of the quiz {quiz}')
    return tuple(_SHARES[number // 3**n % 3] for n in range(questions))

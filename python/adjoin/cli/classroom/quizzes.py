"""``adjoin classroom worksheet``, ``quiz``, ``daily`` and ``kinds``: questions, and which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.classroom.arguments import (
    action,
    add_out,
    add_paper,
    add_scope,
    announce,
    as_number,
    done,
    own_atlas,
    path_of,
    print_sheets,
    scope_of,
    split,
)
from adjoin.data.atlas import Atlas
from adjoin.support.wording import count

if TYPE_CHECKING:
    import argparse

    from adjoin.classroom import Quiz
    from adjoin.cli.parsers import Parser

_QUIZ_FILES = (".html", ".csv")


def add(actions: Any) -> None:
    """Add the actions."""
    _add_worksheet(actions)
    _add_quiz(actions)
    _add_daily(actions)
    _add_kinds(actions)


def add_quiz_options(
    parser: Parser, what: str = "CODE", meaning: str = "the code of a quiz: that one again"
) -> None:
    """Let an action take a quiz: its code, or what it is about."""
    parser.add_argument("code", metavar=what, nargs="?", help=meaning)
    parser.add_argument("--code", dest="again", metavar="CODE", help="the same")
    add_scope(parser)
    parser.add_argument(
        "--kinds",
        metavar="KIND",
        action="append",
        help="kinds of questions; `adjoin classroom kinds` lists them; repeat or use commas",
    )
    parser.add_argument(
        "--questions", metavar="N", type=inputs.whole, help="how many questions (default 10)"
    )
    parser.add_argument("--level", metavar="1|2|3", type=inputs.whole, help="how hard they are")
    parser.add_argument(
        "--seed", metavar="TEXT", help="the same text makes the same quiz (default: a new one)"
    )


def quiz_of(arguments: argparse.Namespace) -> Quiz:
    """Return a new quiz, or the one that a code stands for."""
    from adjoin.classroom import Quiz

    if arguments.code is not None and arguments.again is not None:
        raise inputs.InputError("two codes: a quiz has one")
    code = arguments.code or arguments.again
    if code is None:
        return Quiz.make(
            **scope_of(arguments),
            kinds=split(arguments.kinds),
            questions=10 if arguments.questions is None else arguments.questions,
            level=arguments.level,
            seed=arguments.seed,
        )
    given = {
        "--nation": arguments.nations,
        "--edition": arguments.editions,
        "--region": arguments.regions,
        "--kinds": arguments.kinds,
        "--names": arguments.names,
        "--questions": arguments.questions,
        "--level": arguments.level,
        "--seed": arguments.seed,
    }
    extra = [name for name, value in given.items() if value is not None]
    if extra:
        raise inputs.InputError(f"a code says all about a quiz: leave out {', '.join(extra)}")
    own = own_atlas(arguments)
    return Quiz.from_code(code, own if isinstance(own, Atlas) else None)


def about(quiz: Quiz) -> str:
    """Return what a quiz is, in a line."""
    title = quiz.title[:1].lower() + quiz.title[1:]
    return f"quiz {quiz.code}: {count(len(quiz), 'question')}, {title}"


def _add_worksheet(actions: Any) -> None:
    parser = action(
        actions,
        "worksheet",
        "write a worksheet to print, and its answer key beside it",
        [
            "--nation Wales --questions 12 -o wales.pdf",
            '--region "South West" --kinds borders,way --level 1',
            "--atlas world-countries --edition Africa --paper Letter",
            "UK-WALES-BSW-10-BK7QN",
        ],
        "`adjoin classroom kinds` lists the kinds of questions.",
    )
    add_quiz_options(parser)
    add_paper(parser)
    parser.add_argument(
        "--size",
        metavar="POINTS",
        type=as_number,
        default=11,
        help="of the type; 16 is large print",
    )
    parser.add_argument("--no-key", action="store_true", help="no answer key")
    add_out(parser, ".pdf, or .svg: a picture a page", "worksheet-CODE.pdf")
    parser.set_defaults(run=_worksheet, parser=parser)


def _worksheet(arguments: argparse.Namespace) -> int:
    from adjoin.classroom.paper import answer_key, worksheet

    quiz = quiz_of(arguments)
    path = path_of(arguments.out, f"worksheet-{quiz.code}.pdf", (".pdf", ".svg"))
    look = {"page": arguments.paper, "size": arguments.size}
    files = print_sheets(worksheet(quiz, **look), path)
    if not arguments.no_key:
        files += print_sheets(answer_key(quiz, **look), path.with_stem(f"{path.stem}-key"))
    announce(arguments, about(quiz))
    return done(arguments, files, code=quiz.code, title=quiz.title, questions=len(quiz))


def _add_quiz(actions: Any) -> None:
    parser = action(
        actions,
        "quiz",
        "write a quiz as a page for pupils' own devices, or as a table",
        [
            "--nation Wales -o wales.html",
            "UK-WALES-BSW-10-BK7QN -o quiz.html",
            "--nation Wales --projector --seconds 20",
            "--atlas us-states --questions 20 --level 2",
            "--nation Wales -o questions.csv",
        ],
        "`adjoin classroom report` on the results that pupils download at the end.\n"
        "The page needs no network. The answers are in it: it is for practice, not for exams.",
    )
    add_quiz_options(parser)
    parser.add_argument(
        "--projector", action="store_true", help="for a whole class: large type, nothing to type"
    )
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=as_number,
        default=30,
        help="with --projector: the countdown for a question (default 30; 0: none)",
    )
    add_out(parser, ".html, or .csv: questions and answers", "quiz-CODE.html")
    parser.set_defaults(run=_write_quiz, parser=parser)


def _write_quiz(arguments: argparse.Namespace) -> int:
    quiz = quiz_of(arguments)
    ending = "-projector" if arguments.projector else ""
    path = path_of(arguments.out, f"quiz-{quiz.code}{ending}.html", _QUIZ_FILES)
    if path.suffix.lower() == ".csv":
        from adjoin.classroom import questions_csv

        questions_csv(quiz, path)
    else:
        from adjoin.classroom.screen import quiz_page

        page = quiz_page(quiz, projector=arguments.projector, seconds=arguments.seconds)
        path.write_text(page, "utf-8", newline="\n")
    announce(arguments, about(quiz))
    return done(arguments, [str(path)], code=quiz.code, title=quiz.title, questions=len(quiz))


def _add_daily(actions: Any) -> None:
    parser = action(
        actions,
        "daily",
        "write the way of the day as a page: from a region to another by borders",
        [
            "",
            "world-countries --edition Africa -o africa.html",
            "us-states",
            "--nation Wales --names Welsh",
        ],
        "the page needs no network and has the ways of all dates: the same for everybody.",
    )
    parser.add_argument("named", metavar="ATLAS", nargs="?", help="the same as --atlas")
    add_scope(parser)
    add_out(parser, ".html", "daily-ATLAS.html")
    parser.set_defaults(run=_daily, parser=parser)


def _daily(arguments: argparse.Namespace) -> int:
    from adjoin.classroom import Daily

    if arguments.named is not None:
        if arguments.atlas is not None:
            raise inputs.InputError("two atlases: a page has one")
        arguments.atlas = arguments.named
    daily = Daily.make(**scope_of(arguments))
    path = path_of(arguments.out, f"daily-{daily.tag.lower()}.html", (".html",))
    path.write_text(daily.page(), "utf-8", newline="\n")
    title = daily.scope.title[:1].lower() + daily.scope.title[1:]
    announce(arguments, f"the way of the day, {title}: {count(len(daily.pairs), 'different way')}")
    return done(arguments, [str(path)], title=daily.scope.title, ways=len(daily.pairs))


def _add_kinds(actions: Any) -> None:
    parser = action(
        actions,
        "kinds",
        "list the kinds of questions, and how many different ones there are",
        ["", "--nation Wales", "--atlas world-countries --edition Africa --level 1"],
        "`adjoin classroom worksheet --kinds KIND` asks them.",
    )
    add_scope(parser)
    parser.add_argument("--level", metavar="1|2|3", type=inputs.whole, help="of this level only")
    parser.set_defaults(run=_kinds, parser=parser)


def _kinds(arguments: argparse.Namespace) -> int:
    from adjoin.classroom import KINDS, Quiz, kinds_of

    scope = scope_of(arguments)
    if arguments.level is not None:
        Quiz.make(**scope, questions=1, level=arguments.level)
    found = kinds_of(**scope, level=arguments.level)
    if arguments.json:
        inputs.print_json(found)
        return 0
    wide = max(map(len, found))
    for name, number in found.items():
        print(f"{name:<{wide}}  {number:>6,}  {KINDS[name].title}")
    return 0

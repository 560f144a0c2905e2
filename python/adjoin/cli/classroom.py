"""``adjoin classroom``: worksheets, cards, maps, quizzes and reports, without any Python."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.atlas import Atlas
from adjoin.cli import inputs
from adjoin.cli.parsers import Parser, command
from adjoin.cli.words import wrapped
from adjoin.written import choose, count, fold, ident

if TYPE_CHECKING:
    from adjoin.classroom import Quiz
    from adjoin.classroom.paper import Sheets

_OVERVIEW = """\
adjoin classroom: geography lessons on paper, on the screen and to take home.

  adjoin classroom worksheet --nation Wales    questions to print, and the answer key
  adjoin classroom quiz --nation Wales         the questions as a page for pupils' own devices
  adjoin classroom report results              what a class knows, from the pupils' results
  adjoin classroom map --style numbered        maps to fill in
  adjoin classroom bingo                       bingo cards, and the caller's list
  adjoin classroom cards --nation Wales        the cards of a game to print and cut
  adjoin classroom anki --nation Wales         flashcards to learn at home
  adjoin classroom facts                       what borders what, for a spreadsheet
  adjoin classroom kinds                       which kinds of questions there are
  adjoin classroom play                        Mapominoes against a gentle opponent

Every quiz has a code: `adjoin classroom worksheet CODE` makes the same questions again, anywhere.
`adjoin classroom COMMAND --help` explains a command, with examples.
"""

_DECKS = ("counties", "cities", "metro", "squares")
"""What can be printed: for Mapominoes, Connections, Metro Domino and Domiphun."""
_PARTS = ("all", "county", "transit", "rules")
_QUIZ_FILES = (".html", ".csv")
_REPORT_FILES = (".html", ".csv")
_BEGINNERS = {"uk-counties": "Wales", "world-countries": "Africa"}
"""What is played with if nothing is said: decks for a lesson."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "classroom",
        "make worksheets, cards, maps and quizzes for a class",
        examples=[
            "adjoin classroom",
            "adjoin classroom worksheet --nation Wales --questions 12 -o wales.pdf",
            "adjoin classroom quiz --atlas world-countries --edition Africa -o africa.html",
            "adjoin classroom cards --nation Wales -o cards.pdf",
        ],
        more='Read on: the page "For teachers" in the docs; in Python, help(adjoin.classroom).',
    )
    parser.set_defaults(run=_overview, parser=parser)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", parser_class=Parser)
    for one in (
        _add_worksheet,
        _add_quiz,
        _add_report,
        _add_map,
        _add_bingo,
        _add_cards,
        _add_anki,
        _add_facts,
        _add_kinds,
        _add_play,
    ):
        one(actions)


def _overview(_: argparse.Namespace) -> int:
    print(_OVERVIEW, end="")
    return 0


# Arguments that several have.


def _action(actions: Any, name: str, summary: str, examples: Sequence[str], more: str) -> Parser:
    shown = [f"adjoin classroom {name} {example}".rstrip() for example in examples]
    parser = command(actions, name, summary, examples=shown, more=f"Read on: {more}")
    inputs.add_json(parser)
    return parser


def _add_atlas(parser: Parser) -> None:
    parser.add_argument(
        "--atlas",
        metavar="NAME|FILE",
        help="uk-counties (default), world-countries, us-states, or a CSV file of your own; "
        "for questions and flashcards also world-cities",
    )
    parser.add_argument("--waters", metavar="FILE.csv", help="with a file: its waters")


def _add_nations(parser: Parser) -> None:
    for option, what in (("--nation", "a nation"), ("--edition", "a part of the world")):
        parser.add_argument(
            option,
            dest=f"{option[2:]}s",
            metavar="NAME",
            action="append",
            help=f"only {what}; repeat for more, or write them with commas",
        )


def _add_scope(parser: Parser) -> None:
    _add_atlas(parser)
    _add_nations(parser)
    parser.add_argument(
        "--region",
        dest="regions",
        metavar="NAME",
        action="append",
        help='only a region within a nation, such as "South West"; repeat for more',
    )


def _add_quiz_options(parser: Parser) -> None:
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="the code of a quiz: that one again"
    )
    parser.add_argument("--code", dest="again", metavar="CODE", help="the same")
    _add_scope(parser)
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


def _add_paper(parser: Parser) -> None:
    parser.add_argument(
        "--paper", metavar="A4|Letter", default="A4", help="the size of the paper (default A4)"
    )


def _add_out(parser: Parser, what: str, default: str) -> None:
    parser.add_argument("-o", "--out", metavar="FILE", help=f"{what} (default {default})")


def _split(texts: Iterable[str] | None) -> list[str] | None:
    """Return names that were repeated or written with commas."""
    if texts is None:
        return None
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]


def _own(arguments: argparse.Namespace) -> str | Atlas:
    """Return the name of a shipped atlas, or one's own."""
    text = arguments.atlas or "uk-counties"
    if Path(text).is_file():
        return Atlas.from_csv(text, arguments.waters)
    if arguments.waters is not None:
        raise inputs.InputError("--waters belongs to a CSV file, not to a shipped atlas")
    if Path(text).suffix.lower() == ".csv":
        raise inputs.InputError(f"--atlas {text}: there is no such file")
    return str(text)


def _scope(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is asked about, as keywords."""
    return {
        "atlas": _own(arguments),
        "nations": _split(arguments.nations),
        "editions": _split(arguments.editions),
        "regions": _split(arguments.regions),
    }


def _nations(arguments: argparse.Namespace) -> list[str] | None:
    both = [*(_split(arguments.nations) or ()), *(_split(arguments.editions) or ())]
    return both or None


def _quiz(arguments: argparse.Namespace) -> Quiz:
    """Return a new quiz, or the one that a code stands for."""
    from adjoin.classroom import Quiz

    if arguments.code is not None and arguments.again is not None:
        raise inputs.InputError("two codes: a quiz has one")
    code = arguments.code or arguments.again
    if code is None:
        return Quiz.make(
            **_scope(arguments),
            kinds=_split(arguments.kinds),
            questions=10 if arguments.questions is None else arguments.questions,
            level=arguments.level,
            seed=arguments.seed,
        )
    given = {
        "--nation": arguments.nations,
        "--edition": arguments.editions,
        "--region": arguments.regions,
        "--kinds": arguments.kinds,
        "--questions": arguments.questions,
        "--level": arguments.level,
        "--seed": arguments.seed,
    }
    extra = [name for name, value in given.items() if value is not None]
    if extra:
        raise inputs.InputError(f"a code says all about a quiz: leave out {', '.join(extra)}")
    own = _own(arguments)
    return Quiz.from_code(code, own if isinstance(own, Atlas) else None)


# What is written.


def _path(given: str | None, default: str, suffixes: Sequence[str]) -> Path:
    path = Path(default if given is None else given)
    if path.suffix.lower() not in suffixes:
        ends = " or ".join(suffixes)
        raise inputs.InputError(f"-o {path}: a name that ends with {ends} is needed")
    if not path.parent.is_dir():
        raise inputs.InputError(f"-o {path}: there is no folder {path.parent}")
    return path


def _print(sheets: Sheets, path: Path) -> list[str]:
    """Write sheets; return the names of the files."""
    try:
        return [str(file) for file in sheets.save(path)]
    except ImportError as error:
        hint = f"or write pictures, which needs nothing: -o {path.with_suffix('.svg')}"
        raise ImportError(f"{error}, {hint}") from error


def _done(arguments: argparse.Namespace, files: Sequence[str], **more: Any) -> int:
    """Say what was written."""
    if arguments.json:
        inputs.print_json({**more, "files": list(files)})
        return 0
    for file in files:
        print(f"wrote {file}")
    return 0


def _announce(arguments: argparse.Namespace, words: str) -> None:
    if not arguments.json:
        print(wrapped(words))


def _about(quiz: Quiz) -> str:
    title = quiz.title[:1].lower() + quiz.title[1:]
    return f"quiz {quiz.code}: {count(len(quiz), 'question')}, {title}"


# Quizzes.


def _add_worksheet(actions: Any) -> None:
    parser = _action(
        actions,
        "worksheet",
        "write a worksheet to print, and its answer key beside it",
        [
            "--nation Wales --questions 12 -o wales.pdf",
            '--region "South West" --kinds borders,way --level 1',
            "--atlas world-countries --edition Africa --paper Letter",
            "UK-WALES-BSW-10-AK7Q2",
        ],
        "`adjoin classroom kinds` lists the kinds of questions.",
    )
    _add_quiz_options(parser)
    _add_paper(parser)
    parser.add_argument(
        "--size", metavar="POINTS", type=_number, default=11, help="of the type; 16 is large print"
    )
    parser.add_argument("--no-key", action="store_true", help="no answer key")
    _add_out(parser, ".pdf, or .svg: a picture a page", "worksheet-CODE.pdf")
    parser.set_defaults(run=_worksheet, parser=parser)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is no number') from None


def _worksheet(arguments: argparse.Namespace) -> int:
    from adjoin.classroom.paper import answer_key, worksheet

    quiz = _quiz(arguments)
    path = _path(arguments.out, f"worksheet-{quiz.code}.pdf", (".pdf", ".svg"))
    look = {"page": arguments.paper, "size": arguments.size}
    files = _print(worksheet(quiz, **look), path)
    if not arguments.no_key:
        files += _print(answer_key(quiz, **look), path.with_stem(f"{path.stem}-key"))
    _announce(arguments, _about(quiz))
    return _done(arguments, files, code=quiz.code, title=quiz.title, questions=len(quiz))


def _add_quiz(actions: Any) -> None:
    parser = _action(
        actions,
        "quiz",
        "write a quiz as a page for pupils' own devices, or as a table",
        [
            "--nation Wales -o wales.html",
            "UK-WALES-BSW-10-AK7Q2 -o quiz.html",
            "--nation Wales --projector --seconds 20",
            "--atlas us-states --questions 20 --level 2",
            "--nation Wales -o questions.csv",
        ],
        "`adjoin classroom report` on the results that pupils download at the end.\n"
        "The page needs no network. The answers are in it: it is for practice, not for exams.",
    )
    _add_quiz_options(parser)
    parser.add_argument(
        "--projector", action="store_true", help="for a whole class: large type, nothing to type"
    )
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=_number,
        default=30,
        help="with --projector: the countdown for a question (default 30; 0: none)",
    )
    _add_out(parser, ".html, or .csv: questions and answers", "quiz-CODE.html")
    parser.set_defaults(run=_write_quiz, parser=parser)


def _write_quiz(arguments: argparse.Namespace) -> int:
    quiz = _quiz(arguments)
    ending = "-projector" if arguments.projector else ""
    path = _path(arguments.out, f"quiz-{quiz.code}{ending}.html", _QUIZ_FILES)
    if path.suffix.lower() == ".csv":
        from adjoin.classroom.home import questions_csv

        questions_csv(quiz, path)
    else:
        from adjoin.classroom.screen import quiz_page

        page = quiz_page(quiz, projector=arguments.projector, seconds=arguments.seconds)
        path.write_text(page, "utf-8", newline="\n")
    _announce(arguments, _about(quiz))
    return _done(arguments, [str(path)], code=quiz.code, title=quiz.title, questions=len(quiz))


def _add_kinds(actions: Any) -> None:
    parser = _action(
        actions,
        "kinds",
        "list the kinds of questions, and how many different ones there are",
        ["", "--nation Wales", "--atlas world-countries --edition Africa --level 1"],
        "`adjoin classroom worksheet --kinds KIND` asks them.",
    )
    _add_scope(parser)
    parser.add_argument("--level", metavar="1|2|3", type=inputs.whole, help="of this level only")
    parser.set_defaults(run=_kinds, parser=parser)


def _kinds(arguments: argparse.Namespace) -> int:
    from adjoin.classroom import KINDS, Quiz, kinds_of

    scope = _scope(arguments)
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


# Reports.


def _add_report(actions: Any) -> None:
    parser = _action(
        actions,
        "report",
        "write what a class knows, from the results that pupils have downloaded",
        ["results", "results/*.json -o report.html", "results --code UK-WALES-BSW-10-AK7Q2"],
        "`adjoin classroom worksheet CODE` prints what the report suggests to practise.\n"
        "Files that cannot be used are named; all others are reported.",
    )
    parser.add_argument("files", metavar="FILE|FOLDER", nargs="+", help="result files (.json)")
    parser.add_argument(
        "--code", metavar="CODE", help="which quiz, if there are results of several"
    )
    _add_atlas(parser)
    _add_out(parser, ".html, or .csv: a row a pupil", "report-CODE.html")
    parser.set_defaults(run=_report, parser=parser)


def _report(arguments: argparse.Namespace) -> int:
    from adjoin.classroom import class_report

    if arguments.out is not None:
        _path(arguments.out, "", _REPORT_FILES)
    files: list[Path] = []
    for text in arguments.files:
        place = Path(text)
        if not place.exists():
            raise inputs.InputError(f"{text}: there is no such file or folder")
        files += sorted(place.glob("*.json")) if place.is_dir() else [place]
    if not files:
        raise inputs.InputError("no results: the folder has no files that end in .json")
    own = _own(arguments)
    report = class_report(files, arguments.code, atlas=own if isinstance(own, Atlas) else None)
    path = _path(arguments.out, f"report-{report.quiz.code}.html", _REPORT_FILES)
    if path.suffix.lower() == ".csv":
        report.to_csv(path)
    else:
        report.to_html(path)
    if not arguments.json:
        print(report)
    return _done(
        arguments,
        [str(path)],
        code=report.quiz.code,
        pupils=len(report.pupils),
        share=round(report.share, 4),
        problems=report.problems,
        suggestions=[one._asdict() for one in report.suggestions],
    )


# Paper.


def _add_map(actions: Any) -> None:
    parser = _action(
        actions,
        "map",
        "write a map to fill in: tiles, or dots where there are no tiles",
        [
            "-o blank.pdf",
            "--style numbered --nation Wales",
            "--atlas world-countries --edition Africa --style named",
            "--dots --style coloured",
        ],
        "`adjoin atlas print uk-counties` for the names.",
    )
    _add_atlas(parser)
    _add_nations(parser)
    parser.add_argument(
        "--style",
        metavar="STYLE",
        default="blank",
        help="blank (default), numbered (with a key), named or coloured",
    )
    parser.add_argument("--dots", action="store_true", help="true positions, not tiles")
    _add_paper(parser)
    _add_out(parser, ".pdf or .svg", "map-STYLE.pdf")
    parser.set_defaults(run=_map, parser=parser)


def _map(arguments: argparse.Namespace) -> int:
    from adjoin.classroom.paper import dot_map, tile_map

    own = _own(arguments)
    atlas = own if isinstance(own, Atlas) else Atlas.load(own)
    draw = dot_map if arguments.dots or not atlas.tiles else tile_map
    sheets = draw(atlas, nations=_nations(arguments), style=arguments.style, page=arguments.paper)
    path = _path(arguments.out, f"map-{fold(arguments.style)}.pdf", (".pdf", ".svg"))
    return _printed(arguments, sheets, path)


def _printed(arguments: argparse.Namespace, sheets: Sheets, path: Path) -> int:
    files = _print(sheets, path)
    _announce(arguments, f"{sheets.title}: {count(len(sheets), 'page')}")
    return _done(arguments, files, title=sheets.title, pages=len(sheets))


def _add_bingo(actions: Any) -> None:
    parser = _action(
        actions,
        "bingo",
        "write bingo cards, no two alike, and last the list for the caller",
        ["--cards 30", "--nation England --size 5 -o bingo.pdf", "--atlas us-states --cards 12"],
        "the caller reads a name, or what the region borders.",
    )
    _add_atlas(parser)
    _add_nations(parser)
    parser.add_argument(
        "--cards", metavar="N", type=inputs.whole, default=30, help="how many (default 30)"
    )
    parser.add_argument(
        "--size", metavar="3|4|5", type=inputs.whole, default=4, help="fields a row (default 4)"
    )
    parser.add_argument("--seed", metavar="TEXT", default="1", help="other cards (default 1)")
    _add_paper(parser)
    _add_out(parser, ".pdf or .svg", "bingo.pdf")
    parser.set_defaults(run=_bingo, parser=parser)


def _bingo(arguments: argparse.Namespace) -> int:
    from adjoin.classroom.paper import bingo

    path = _path(arguments.out, "bingo.pdf", (".pdf", ".svg"))
    sheets = bingo(
        _own(arguments),
        nations=_nations(arguments),
        cards=arguments.cards,
        size=arguments.size,
        seed=arguments.seed,
        page=arguments.paper,
    )
    return _printed(arguments, sheets, path)


def _add_cards(actions: Any) -> None:
    parser = _action(
        actions,
        "cards",
        "write the cards of a game to print and cut",
        [
            "-o cards.pdf",
            "--nation Wales --part county --no-borders",
            "--deck cities --edge short",
            "--deck metro --paper Letter",
        ],
        "`adjoin play GAME` and then `rules`.",
    )
    parser.add_argument(
        "--deck",
        metavar="DECK",
        default="counties",
        help="counties (for Mapominoes, default), cities (Connections), metro (Metro Domino) or "
        "squares (Domiphun)",
    )
    parser.add_argument(
        "--part",
        metavar="PART",
        default="all",
        help="of Mapominoes: all (default), county, transit or rules",
    )
    _add_atlas(parser)
    _add_nations(parser)
    parser.add_argument(
        "--no-borders", action="store_true", help="county cards that do not tell what they border"
    )
    parser.add_argument("--backs", action="store_true", help="backs, for printing on both sides")
    parser.add_argument(
        "--edge",
        metavar="long|short",
        default="long",
        help="the edge of the paper at which the printer turns it over (default long)",
    )
    _add_paper(parser)
    _add_out(parser, ".pdf or .svg", "cards-DECK.pdf")
    parser.set_defaults(run=_cards, parser=parser)


def _cards(arguments: argparse.Namespace) -> int:
    if fold(arguments.deck) not in map(fold, _DECKS):
        raise inputs.unknown(f'no deck "{arguments.deck}"', _DECKS, arguments.deck)
    deck = choose(arguments.deck, _DECKS, "a deck")
    part = choose(arguments.part, _PARTS, "a part")
    path = _path(arguments.out, f"cards-{deck}.pdf", (".pdf", ".svg"))
    if deck != _DECKS[0]:
        given = {
            "--nation": arguments.nations,
            "--edition": arguments.editions,
            "--atlas": arguments.atlas,
            "--no-borders": arguments.no_borders,
        }
        extra = [name for name, value in given.items() if value]
        extra += ["--part"] if part != "all" else []
        if extra:
            raise inputs.InputError(f"{', '.join(extra)}: only for the deck of counties")
    return _printed(arguments, _sheets(arguments, deck, part), path)


def _sheets(arguments: argparse.Namespace, deck: str, part: str) -> Sheets:
    from adjoin.classroom import paper

    page, sides = arguments.paper, {"backs": arguments.backs, "edge": arguments.edge}
    if deck == "cities":
        return paper.city_cards(page=page, edge=arguments.edge)
    if deck == "metro":
        return paper.station_cards(page=page, **sides) + paper.domino_tiles(page=page)
    if deck == "squares":
        return paper.domino_squares(page=page)
    own = _own(arguments)
    parts: dict[str, Callable[[], Sheets]] = {
        "rules": lambda: paper.mapominoes_rules(own, page=page),
        "county": lambda: paper.county_cards(
            own,
            nations=_nations(arguments),
            page=page,
            borders=not arguments.no_borders,
            **sides,
        ),
        "transit": lambda: paper.transit_cards(page=page, atlas=own, **sides),
    }
    if part != "all":
        return parts[part]()
    made = [make() for make in parts.values()]
    return paper.Sheets(made[1].title, tuple(sheet for sheets in made for sheet in sheets))


# To take home.


def _add_anki(actions: Any) -> None:
    parser = _action(
        actions,
        "anki",
        "write flashcards for Anki, or as a table for other programs",
        [
            "--nation Wales -o wales.apkg",
            "--atlas world-countries --edition Africa --kinds borders,map",
            "--nation Wales -o wales.csv",
        ],
        "in Anki, File, Import. A newer file changes what has changed and keeps what was learnt.",
    )
    _add_scope(parser)
    parser.add_argument(
        "--kinds",
        metavar="KIND",
        action="append",
        help="map, nation, seas, borders, from_neighbours; for cities city_region, link "
        "(default: all that fit); repeat or use commas",
    )
    _add_out(parser, ".apkg, or .csv: fronts and backs", "TITLE.apkg")
    parser.set_defaults(run=_anki, parser=parser)


def _anki(arguments: argparse.Namespace) -> int:
    from adjoin.classroom.home import flashcards

    cards = flashcards(**_scope(arguments), kinds=_split(arguments.kinds))
    path = _path(arguments.out, f"{ident(cards.title).replace('_', '-')}.apkg", (".apkg", ".csv"))
    try:
        cards.save(path)
    except ImportError as error:
        hint = f"or write a table, which needs nothing: -o {path.with_suffix('.csv')}"
        raise ImportError(f"{error}, {hint}") from error
    number = len(cards) if path.suffix.lower() == ".apkg" else len(cards.cards())
    _announce(arguments, f"flashcards, {cards.title}: {count(number, 'card')}")
    return _done(arguments, [str(path)], title=cards.title, cards=number)


def _add_facts(actions: Any) -> None:
    parser = _action(
        actions,
        "facts",
        "write a table of what every region borders and touches",
        ["-o counties.csv", "--nation Wales", "--atlas world-countries"],
        "`adjoin atlas print uk-counties` prints the same.",
    )
    _add_scope(parser)
    _add_out(parser, ".csv", "facts.csv")
    parser.set_defaults(run=_facts, parser=parser)


def _facts(arguments: argparse.Namespace) -> int:
    from adjoin.classroom.home import facts_csv

    path = _path(arguments.out, "facts.csv", (".csv",))
    return _done(arguments, [str(facts_csv(path, **_scope(arguments)))])


# Play to learn.


def _add_play(actions: Any) -> None:
    shown = [
        "",
        "--nation Wales --opponents greedy",
        "--atlas us-states --nation Mountain",
        "--challenges --nation Wales",
    ]
    parser = command(
        actions,
        "play",
        "play Mapominoes against a gentle opponent, here in the terminal",
        examples=[f"adjoin classroom play {example}".rstrip() for example in shown],
        more="In the match, `why Kent P11` tells which borders are missing, `hint` helps, `help` "
        "lists all.\nRead on: `adjoin play --help` for all games.",
    )
    _add_atlas(parser)
    _add_nations(parser)
    parser.add_argument(
        "--opponents",
        metavar="AGENT",
        nargs="+",
        default=["easy"],
        help="one for each other player (default easy, which often misses things)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=inputs.whole, help="the deal (default: a new one)"
    )
    parser.add_argument(
        "--challenges",
        action="store_true",
        help="cards may be laid wrongly, and the others may object",
    )
    parser.set_defaults(run=_play, parser=parser)


def _play(arguments: argparse.Namespace) -> int:
    from adjoin.cli.table import Table
    from adjoin.match import Match
    from adjoin.spec import Spec, games

    own = _own(arguments)
    name = own.name if isinstance(own, Atlas) else Atlas.load(own).name
    nations = _nations(arguments) or ([_BEGINNERS[name]] if name in _BEGINNERS else None)
    options: dict[str, Any] = {} if nations is None else {"nations": nations}
    match = Match(
        next(game for game in games() if "atlas" in Spec.of(game, {}).options),
        seed=secrets.randbelow(10**6) if arguments.seed is None else arguments.seed,
        atlas=own,
        players=len(arguments.opponents) + 1,
        rounds=1,
        challenges=arguments.challenges,
        **options,
    )
    Table(match, 0, arguments.opponents).run()
    return 0

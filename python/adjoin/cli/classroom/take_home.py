"""``adjoin classroom anki`` and ``facts``: files to take home."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin.cli.classroom.arguments import (
    action,
    add_out,
    add_scope,
    announce,
    done,
    path_of,
    scope_of,
    split,
)
from adjoin.support.names import ident
from adjoin.support.wording import count

if TYPE_CHECKING:
    import argparse


def add(actions: Any) -> None:
    """Add the actions."""
    _add_anki(actions)
    _add_facts(actions)


def _add_anki(actions: Any) -> None:
    parser = action(
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
    add_scope(parser)
    parser.add_argument(
        "--kinds",
        metavar="KIND",
        action="append",
        help="map, nation, seas, borders, from_neighbours; for cities city_region, link "
        "(default: all that fit); repeat or use commas",
    )
    add_out(parser, ".apkg, or .csv: fronts and backs", "TITLE.apkg")
    parser.set_defaults(run=_anki, parser=parser)


def _anki(arguments: argparse.Namespace) -> int:
    from adjoin.classroom import flashcards

    cards = flashcards(**scope_of(arguments), kinds=split(arguments.kinds))
    path = path_of(arguments.out, f"{ident(cards.title).replace('_', '-')}.apkg", (".apkg", ".csv"))
    try:
        cards.save(path)
    except ImportError as error:
        hint = f"or write a table, which needs nothing: -o {path.with_suffix('.csv')}"
        raise ImportError(f"{error}, {hint}") from error
    number = len(cards) if path.suffix.lower() == ".apkg" else len(cards.cards())
    announce(arguments, f"flashcards, {cards.title}: {count(number, 'card')}")
    return done(arguments, [str(path)], title=cards.title, cards=number)


def _add_facts(actions: Any) -> None:
    parser = action(
        actions,
        "facts",
        "write a table of what every region borders and touches",
        ["-o counties.csv", "--nation Wales", "--atlas world-countries"],
        "`adjoin atlas print uk-counties` prints the same.",
    )
    add_scope(parser)
    add_out(parser, ".csv", "facts.csv")
    parser.set_defaults(run=_facts, parser=parser)


def _facts(arguments: argparse.Namespace) -> int:
    from adjoin.classroom import facts_csv

    path = path_of(arguments.out, "facts.csv", (".csv",))
    return done(arguments, [str(facts_csv(path, **scope_of(arguments)))])

"""``adjoin classroom map``, ``bingo`` and ``cards``: what is printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.classroom.arguments import (
    action,
    add_atlas,
    add_names,
    add_nations,
    add_out,
    add_paper,
    named_atlas,
    nations_of,
    path_of,
    printed,
)
from adjoin.support.names import choose, fold

if TYPE_CHECKING:
    import argparse

    from adjoin.classroom.paper import Sheets

_DECKS = ("counties", "cities", "metro", "squares")
"""What can be printed: for Mapominoes, Connections, Metro Domino and Domiphun."""
_PARTS = ("all", "county", "transit", "rules")


def add(actions: Any) -> None:
    """Add the actions."""
    _add_map(actions)
    _add_bingo(actions)
    _add_cards(actions)


def _add_map(actions: Any) -> None:
    parser = action(
        actions,
        "map",
        "write a map to fill in, or one for the wall",
        [
            "-o blank.pdf",
            "--style numbered --nation Wales",
            "--atlas world-countries --edition Africa --style named",
            "--style coloured --paper A3",
            "--tiles --style numbered",
        ],
        "`adjoin atlas print uk-counties` for the names.",
    )
    add_atlas(parser)
    add_nations(parser)
    add_names(parser)
    parser.add_argument(
        "--style",
        metavar="blank|numbered|named|coloured",
        default="blank",
        help="numbered has a key (default blank)",
    )
    parser.add_argument("--tiles", action="store_true", help="a tile for every region")
    add_paper(parser)
    add_out(parser, ".pdf or .svg", "map-STYLE.pdf")
    parser.set_defaults(run=_map, parser=parser)


def _map(arguments: argparse.Namespace) -> int:
    from adjoin.classroom.paper import outline_map, tile_map

    draw = tile_map if arguments.tiles else outline_map
    sheets = draw(
        named_atlas(arguments),
        nations=nations_of(arguments),
        style=arguments.style,
        page=arguments.paper,
    )
    path = path_of(arguments.out, f"map-{fold(arguments.style)}.pdf", (".pdf", ".svg"))
    return printed(arguments, sheets, path)


def _add_bingo(actions: Any) -> None:
    parser = action(
        actions,
        "bingo",
        "write bingo cards, no two alike, and last the list for the caller",
        ["--cards 30", "--nation England --size 5 -o bingo.pdf", "--atlas us-states --cards 12"],
        "the caller reads a name, or what the region borders.",
    )
    add_atlas(parser)
    add_nations(parser)
    add_names(parser)
    parser.add_argument(
        "--cards", metavar="N", type=inputs.whole, default=30, help="how many (default 30)"
    )
    parser.add_argument(
        "--size", metavar="3|4|5", type=inputs.whole, default=4, help="fields a row (default 4)"
    )
    parser.add_argument("--seed", metavar="TEXT", default="1", help="other cards (default 1)")
    add_paper(parser)
    add_out(parser, ".pdf or .svg", "bingo.pdf")
    parser.set_defaults(run=_bingo, parser=parser)


def _bingo(arguments: argparse.Namespace) -> int:
    from adjoin.classroom.paper import bingo

    path = path_of(arguments.out, "bingo.pdf", (".pdf", ".svg"))
    sheets = bingo(
        named_atlas(arguments),
        nations=nations_of(arguments),
        cards=arguments.cards,
        size=arguments.size,
        seed=arguments.seed,
        page=arguments.paper,
    )
    return printed(arguments, sheets, path)


def _add_cards(actions: Any) -> None:
    parser = action(
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
        metavar="|".join(_DECKS),
        default="counties",
        help="for Mapominoes (default), Connections, Metro Domino or Domiphun",
    )
    parser.add_argument(
        "--part",
        metavar="|".join(_PARTS),
        default="all",
        help="of Mapominoes (default all)",
    )
    add_atlas(parser)
    add_nations(parser)
    add_names(parser)
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
    add_paper(parser)
    add_out(parser, ".pdf or .svg", "cards-DECK.pdf")
    parser.set_defaults(run=_cards, parser=parser)


def _cards(arguments: argparse.Namespace) -> int:
    if fold(arguments.deck) not in map(fold, _DECKS):
        raise inputs.unknown(f'no deck "{arguments.deck}"', _DECKS, arguments.deck)
    deck = choose(arguments.deck, _DECKS, "a deck")
    part = choose(arguments.part, _PARTS, "a part")
    path = path_of(arguments.out, f"cards-{deck}.pdf", (".pdf", ".svg"))
    if deck != _DECKS[0]:
        given = {
            "--nation": arguments.nations,
            "--edition": arguments.editions,
            "--atlas": arguments.atlas,
            "--names": arguments.names,
            "--no-borders": arguments.no_borders,
        }
        extra = [name for name, value in given.items() if value]
        extra += ["--part"] if part != "all" else []
        if extra:
            raise inputs.InputError(f"{', '.join(extra)}: only for the deck of counties")
    return printed(arguments, _sheets(arguments, deck, part), path)


def _sheets(arguments: argparse.Namespace, deck: str, part: str) -> Sheets:
    from adjoin.classroom import paper

    page, sides = arguments.paper, {"backs": arguments.backs, "edge": arguments.edge}
    if deck == "cities":
        return paper.city_cards(page=page, edge=arguments.edge)
    if deck == "metro":
        return paper.station_cards(page=page, **sides) + paper.domino_tiles(page=page)
    if deck == "squares":
        return paper.domino_squares(page=page)
    own = named_atlas(arguments)
    parts: dict[str, Callable[[], Sheets]] = {
        "rules": lambda: paper.mapominoes_rules(own, page=page),
        "county": lambda: paper.county_cards(
            own,
            nations=nations_of(arguments),
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

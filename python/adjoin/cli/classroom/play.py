"""``adjoin classroom play``: Mapominoes against a gentle opponent."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.classroom.arguments import add_atlas, add_nations, nations_of, own_atlas
from adjoin.cli.parsers import command
from adjoin.data.atlas import Atlas

if TYPE_CHECKING:
    import argparse

_BEGINNERS = {"uk-counties": "Wales", "world-countries": "Africa"}
"""What is played with if nothing is said: decks for a lesson."""


def add(actions: Any) -> None:
    """Add the action."""
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
    add_atlas(parser)
    add_nations(parser)
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
    from adjoin.core.match import Match
    from adjoin.core.spec import Spec, games
    from adjoin.playing.terminal import Terminal

    own = own_atlas(arguments)
    name = own.name if isinstance(own, Atlas) else Atlas.load(own).name
    nations = nations_of(arguments) or ([_BEGINNERS[name]] if name in _BEGINNERS else None)
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
    Terminal(match, 0, arguments.opponents).run()
    return 0

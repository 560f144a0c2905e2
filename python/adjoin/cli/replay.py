"""``adjoin replay``: look at a saved match, checked line by line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.core.match import Match
from adjoin.playing.console import ask, wrapped
from adjoin.support.wording import count

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "replay",
        "show a saved match, played again and checked line by line",
        examples=[
            "adjoin replay my-match.jsonl",
            "adjoin replay my-match.jsonl --at 12",
            "adjoin replay my-match.jsonl --step",
        ],
        more="All hands are shown. A file that does not fit the rules exits with 1 and its line.\n"
        "Read on: in Python, match.replay() writes such a file, Match.from_replay(text) reads it.",
    )
    parser.add_argument("file", metavar="FILE", help="what `save` or --save of `adjoin play` wrote")
    parser.add_argument("--at", metavar="N", type=inputs.whole, help="the table after N decisions")
    parser.add_argument("--step", action="store_true", help="decision by decision, from the start")
    inputs.add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    text = read(arguments.file)
    try:
        match = Match.from_replay(text)
    except ValueError as error:
        print(f"adjoin: {arguments.file}: {inputs.one_line(error)}", file=sys.stderr)
        return 1
    lines = text.splitlines()
    decisions = [json.loads(line) for line in lines[1:-1]]
    at = arguments.at
    if at is not None and not 0 <= at <= len(decisions):
        raise inputs.InputError(f"--at {at}: the match has 0 to {len(decisions)} decisions")
    if arguments.json:
        shown = match if at is None else Match.from_replay(text, at)
        inputs.print_json(
            {
                **json.loads(lines[0]),
                "decisions": decisions if at is None else decisions[:at],
                "over": shown.is_over,
                "returns": shown.returns,
                "view": shown.view("all"),
            }
        )
    elif arguments.step:
        _step(text, match.sentences, at or 0)
    elif at is not None:
        _show(Match.from_replay(text, at), len(decisions))
    else:
        _print_all(match)
    return 0


def read(path: str) -> str:
    """Return the text of a replay file."""
    return Path(path).read_text(encoding="utf-8")


def _print_all(match: Match) -> None:
    said = match.sentences
    print(f"{match.spec.title}, {count(len(said), 'decision')}, every line fits the rules")
    wide = len(str(len(said)))
    for number, sentence in enumerate(said, 1):
        # One that goes on with what was chosen before tells both.
        if not (number < len(said) and said[number].startswith(f"{sentence} ")):
            print(wrapped(f"{number:>{wide}}  {sentence}", "  "))
    print(f"\n{match.text('all')}")
    print(match.result)


def _show(match: Match, decisions: int) -> None:
    said = match.sentences
    last = f": {said[-1]}" if said else ""
    print(f"after {len(said)} of {count(decisions, 'decision')}{last}\n{match.text('all')}")
    if match.is_over:
        print(match.result)


def _step(text: str, decisions: Sequence[str], at: int) -> None:
    """Show one position after the other, as far as the input goes."""
    last = len(decisions)
    while True:
        _show(Match.from_replay(text, at), last)
        answer = ask(f"[{at}/{last}] Enter: next, b: back, a number: go there, q: quit > ")
        if answer is None or answer.lower() in ("q", "quit"):
            return
        if answer == "":
            if at == last:
                return
            at += 1
        elif answer.lower() in ("b", "back"):
            at = max(0, at - 1)
        elif answer.isdigit() and int(answer) <= last:
            at = int(answer)
        else:
            print(f'"{answer}": Enter, b, q or a number from 0 to {last}')

"""A match with people and agents in a terminal: what is shown, asked and answered."""

from __future__ import annotations

import shlex
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from adjoin._core import nearest
from adjoin.playing.console import WIDTH, ask, bold, columns, wrapped
from adjoin.playing.sessions import Session
from adjoin.simulation.agents import agent_name
from adjoin.support.names import fold
from adjoin.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjoin.core.match import Match
    from adjoin.playing.sessions import Update
    from adjoin.simulation.agents import Agent

_HELP = """\
Type an action in words ("kent p11" does two at once), or its number in the list. Also:
  legal [TEXT]   the legal actions, or those with TEXT in them
  why ACTION     why an action is not legal now, with the clause of the rules
  hint           what a strong agent would do, and why
  undo           back to your last decision; what you have seen meanwhile, you have seen
  board          the table again
  rules          the rules in short
  save FILE      keep the match; `adjoin play FILE` goes on, `adjoin replay FILE` shows it
  quit           leave"""

_SHORT = {"?": "help", "h": "help", "l": "legal", "b": "board", "q": "quit", "exit": "quit"}
_COMMANDS = ("legal", "why", "hint", "undo", "board", "rules", "save", "quit", "help")
_FEW = 8
"""So many lines of legal actions are shown; more are grouped by their first words."""


class Terminal:
    """The terminal as a host of a session."""

    def __init__(
        self,
        match: Match,
        you: int | Sequence[int],
        opponents: Agent | Sequence[Agent],
        save: Path | None = None,
    ) -> None:
        self._session = Session(match, you, opponents)
        self._spec = match.spec
        self._save_to = save
        self._has_left = False
        self._kept = ""
        self._shown = ""
        self._update: Update = {"number": None}

    @property
    def match(self) -> Match:
        """The match as it is now."""
        return self._session.match

    def run(self) -> None:
        """Play to the end, or as far as the input goes."""
        try:
            self._introduce()
            self._now(self._session.advance())
            while not self._has_left:
                self._end() if self._update["is_over"] else self._turn()
        finally:
            if self._save_to is not None and self._kept != self.match.replay():
                self._write(self._save_to)
        if self._save_to is not None and not self.match.is_over:
            agents = [shlex.quote(agent_name(agent)) for agent in self._session.agents.values()]
            same = agents[:1] if len(set(agents)) == 1 else agents
            file, you = shlex.quote(str(self._save_to)), " ".join(map(str, self._session.people))
            print(f"Go on with: adjoin play {file} --you {you} --opponents {' '.join(same)}")

    def _introduce(self) -> None:
        print(bold(self._spec.title))
        print(textwrap.fill(self._spec.summary, WIDTH))
        you = listed([f"seat {seat}" for seat in self._session.people])
        others = [f"seat {seat}: {agent_name(a)}" for seat, a in self._session.agents.items()]
        against = f"; {listed(others)}" if others else ""
        print(wrapped(f"You are {you}{against}. Type `help` or `rules` at any time."))

    # What is shown.

    def _now(self, update: Update) -> None:
        """Take in an update; if there is another decision to take, tell what led to it."""
        if update["number"] == self._update["number"]:
            self._update = update
            return
        self._update = update
        if update["curtain"]:
            self._update = self._pass_on(update["curtain"])
        print()
        for sentence in self._update["news"]:
            text = sentence["text"]
            print(bold(wrapped(f"-- {text}")) if sentence["is_part_over"] else wrapped(text))

    def _pass_on(self, name: str) -> Update:
        """Hide the screen from the one before, and wait for the next."""
        print("\n" * 50)
        if ask(bold(f"Now {name}. Press Enter when you are alone with the screen > ")) is None:
            self._leave("The input has ended.")
        self._shown = ""
        return self._session.receive({"do": "ready"})

    def _show(self) -> None:
        """Show the table, or its heading where the rest is as it was."""
        heading, _, rest = self.match.text(self._update["seat"]).partition("\n")
        print(bold(heading))
        if rest != self._shown:
            print(rest)
        self._shown = rest

    def _offer(self) -> None:
        """Print the legal actions with their numbers, or many of them by their first words."""
        lines = columns(self._numbered())
        print("\n".join(lines if len(lines) <= _FEW else self._grouped()))

    def _labels(self) -> list[str]:
        return [action["label"] for action in self._update["actions"]]

    def _numbered(self, text: str = "") -> list[str]:
        """Return the legal actions that have a text in them, with their numbers."""
        labels = self._labels()
        wide, wanted = len(str(len(labels))), fold(text)
        return [f"{n:>{wide}} {one}" for n, one in enumerate(labels, 1) if wanted in fold(one)]

    def _grouped(self) -> list[str]:
        """Return the actions by first words: those that stand alone, how many of the others."""
        groups: dict[str, list[str]] = {}
        for label, cell in zip(self._labels(), self._numbered(), strict=True):
            groups.setdefault(label.split()[0], []).append(cell)
        if len(groups) == 1:
            return columns(self._numbered())
        cells = [
            members[0] if len(members) == 1 else f"{word} … ({len(members)})"
            for word, members in groups.items()
        ]
        return [*columns(cells), "  `legal WORD` lists what is behind …, `legal` everything"]

    # What a person says.

    def _turn(self) -> None:
        """Let a person take a decision."""
        number = self._update["number"]
        self._show()
        self._offer()
        while not self._has_left and self._update["number"] == number:
            self._answer(self._ask())

    def _ask(self) -> str | None:
        labels = self._labels()
        if len(labels) != 1:
            return ask(bold(f"your action (1-{len(labels)}) > "))
        line = ask(bold(f"your action (Enter: {labels[0]}) > "))
        return "1" if line == "" else line

    def _answer(self, line: str | None) -> None:
        """Do what a line says."""
        if line is None:
            self._leave("The input has ended.")
            return
        word, _, rest = line.partition(" ")
        name = _SHORT.get(word.lower(), word.lower())
        if name in _COMMANDS:
            self._command(name, rest.strip())
        elif not line:
            print("Type an action, its number, or `help`.")
        else:
            self._say("type", line)

    def _say(self, do: str, what: str) -> None:
        """Send a message, and print what comes of it."""
        number = self._update["number"]
        update = self._session.receive({"do": do, "what": what, "number": number})
        for action in update["typed"]:
            print(f"you: {action}")
        if update["number"] == number and update["message"]:
            said: str = update["message"]
            print(wrapped(said + _meant(what) if said.endswith(" is no action here") else said))
            if update["rule"]:
                print(f"  ({update['rule']})")
        self._now(update)

    def _leave(self, why: str) -> None:
        kept = " Nothing was saved; `save FILE` or --save FILE keeps a match."
        print(why + ("" if self._save_to else kept))
        self._has_left = True

    def _command(self, name: str, rest: str) -> None:
        if name == "quit":
            self._leave("Left.")
        elif name == "legal":
            print("\n".join(columns(self._numbered(rest))) or f'no legal action has "{rest}" in it')
        elif name == "why" and not rest:
            print(f"why what? Such as: why {self._labels()[-1]}")
        elif name in ("why", "hint"):
            self._say(name, rest)
        elif name == "undo":
            self._undo()
        elif name == "save":
            self._save(rest)
        elif name == "board":
            print(self.match.text(self._update["seat"]))
        elif name == "rules":
            print(self._spec.rules_in_short.rstrip())
        else:
            print(_HELP)

    def _undo(self) -> bool:
        """Go back to the person's last decision."""
        number = self._update["number"]
        self._shown = ""
        self._update = self._session.receive({"do": "undo", "number": number})
        is_undone: bool = self._update["number"] != number
        warning = " What you have seen since, you have seen." if is_undone else ""
        print(wrapped(self._update["message"] + warning) + "\n" * is_undone)
        return is_undone

    def _save(self, name: str) -> None:
        if not name:
            print("save it where? Such as: save my-match.jsonl")
        elif Path(name).exists() and Path(name) != self._save_to:
            print(f"{name}: the file exists, choose another name")
        else:
            try:
                self._write(Path(name))
            except OSError as error:
                print(f"{name}: {error.strerror}")
            else:
                self._save_to = Path(name)

    def _write(self, path: Path) -> None:
        self._kept = self.match.replay()
        path.write_text(self._kept, encoding="utf-8")
        print(f"saved: {path} (`adjoin replay {shlex.quote(str(path))}` shows it)")

    # The end.

    def _end(self) -> None:
        """Show how it ended; a last time something can be typed."""
        self._show()
        print(bold(wrapped(self._update["status"])))
        seed = self.match.address[0]
        print(f"The seed was {seed}; with --seed {seed} and the same options it is dealt again.")
        while not self._has_left:
            line = ask("`save FILE`, `undo`, `board`, or Enter to leave > ")
            word, _, rest = (line or "quit").partition(" ")
            if word == "undo" and self._undo():
                return
            if word in ("save", "board"):
                self._command(word, rest.strip())
            elif word in ("quit", "q", "exit") or not sys.stdin.isatty():
                self._has_left = True
            else:
                print("The match is over.")


def _meant(line: str) -> str:
    """Return what to add to the message that a line is no action."""
    near = nearest(line, _COMMANDS)
    return f"; did you mean {near}?" if near else "; `help` tells what you can type"

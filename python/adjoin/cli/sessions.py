"""A match between a person and agents in a terminal: what is shown, asked and answered."""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from adjoin import sessions
from adjoin._core import IllegalActionError, nearest
from adjoin.cli.rules import RULES
from adjoin.cli.terminal import ask, bold
from adjoin.cli.words import WIDTH, columns, wrapped
from adjoin.simulation import agent_name
from adjoin.words import addressed, footnoted
from adjoin.written import fold, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjoin.match import Match
    from adjoin.simulation import Agent

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


class Session(sessions.Session):
    """A match between a person and agents in a terminal."""

    def __init__(
        self, match: Match, you: int, opponents: Mapping[int, Agent], save: Path | None = None
    ) -> None:
        super().__init__(match, you, opponents)
        self.save = save
        self._left = False
        self._kept = ""
        self._shown = ""
        self._told = len(self.events)

    # The course of the match.

    def run(self) -> None:
        """Play to the end, or as far as the input goes."""
        try:
            self._introduce()
            while not self._left:
                self._go_on()
        finally:
            if self.save is not None and self._kept != self.match.replay():
                self._write(self.save)
        if self.save is not None and not self.match.is_over:
            agents = [shlex.quote(agent_name(agent)) for agent in self.opponents.values()]
            same = agents[:1] if len(set(agents)) == 1 else agents
            file = shlex.quote(str(self.save))
            print(f"Go on with: adjoin play {file} --you {self.you} --opponents {' '.join(same)}")

    def _introduce(self) -> None:
        spec = self.match.spec
        print(bold(spec.title))
        print(textwrap.fill(spec.summary, WIDTH))
        against = listed(
            [f"{self.names[s]}: {agent_name(agent)}" for s, agent in self.opponents.items()]
        )
        print(wrapped(f"You are seat {self.you}; {against}. Type `help` or `rules` at any time."))

    def _go_on(self) -> None:
        """Take one decision, an agent's or the person's, or end."""
        if self.match.is_over:
            self._end()
        elif self.is_yours:
            self.show()
            self.offer()
            while not self.answer(self._ask()):
                pass
        else:
            self.step()

    def play(self, action: str) -> None:
        """Play an action; the end of a round or a game is told at once."""
        super().play(action)
        if self.events and self.events[-1].seat is None:
            self._tell()

    def _tell(self) -> None:
        """Say what the others have done since this was last said, and what is over."""
        new = [event for event in self.events[self._told :] if event.seat != self.you]
        self._told = len(self.events)
        ends = {event.text for event in new if event.seat is None}
        for sentence in self.sentences(new):
            print(bold(wrapped(f"-- {sentence}")) if sentence in ends else wrapped(sentence))

    # What is shown.

    def show(self) -> None:
        """Say what the others did, then show the table, or its heading where the rest is as it was.

        It is ``match.text`` as the person's seat sees it.
        """
        print()
        self._tell()
        heading, _, rest = self.match.text(self.you).partition("\n")
        print(bold(heading))
        if rest != self._shown:
            print(rest)
        self._shown = rest

    def offer(self) -> None:
        """Print the legal actions with their numbers, or many of them by their first words."""
        numbered = self._numbered()
        lines = columns([cell for cell, _ in numbered])
        print("\n".join(lines if len(lines) <= _FEW else _grouped(numbered)))
        places = sorted({action[-1] for _, action in numbered if action[-2:-1] == "+"})
        seats = [self.names[(self.you + int(place)) % len(self.names)] for place in places]
        said = [f"+{place} is {seat}" for place, seat in zip(places, seats, strict=True)]
        if said:
            print("  " + ", ".join(said))

    def _list(self, text: str) -> None:
        """Print all legal actions that have a text in them, with their numbers."""
        wanted = [cell for cell, action in self._numbered() if fold(text) in fold(action)]
        print("\n".join(columns(wanted)) or f'no legal action has "{text}" in it')

    def _numbered(self) -> list[tuple[str, str]]:
        legal = self.match.legal()
        wide = len(str(len(legal)))
        return [(f"{n:>{wide}} {action}", action) for n, action in enumerate(legal, 1)]

    # What the person says.

    def _ask(self) -> str | None:
        legal = self.match.legal()
        if len(legal) > 1:
            return ask(bold(f"your action (1-{len(legal)}) > "))
        line = ask(bold(f"your action (Enter: {legal[0]}) > "))
        return legal[0] if line == "" else line

    def answer(self, line: str | None) -> bool:
        """Do what a line says; return whether that was a decision, or the end of the session."""
        if line is None:
            return self._leave("The input has ended.")
        word, _, rest = line.partition(" ")
        name = _SHORT.get(word.lower(), word.lower())
        if name == "quit":
            return self._leave("Left.")
        if name == "undo":
            return self._undo()
        if name in _COMMANDS:
            self._command(name, rest.strip())
            return False
        actions, problem = self.meant(line)
        if problem:
            self._refuse(problem)
        for action in actions:
            print(f"you: {action}")
            self.play(action)
        return bool(actions)

    def _leave(self, why: str) -> bool:
        lost = "" if self.save else " Nothing was saved; `save FILE` or --save FILE keeps a match."
        print(why + lost)
        self._left = True
        return True

    def meant(self, line: str) -> tuple[list[str], str]:
        """Return the legal actions that a line means, one or two; or none, and what is wrong."""
        legal = self.match.legal()
        if line.isdecimal() and 1 <= int(line) <= len(legal):
            return [legal[int(line) - 1]], ""
        action, why = _one(self.match, line)
        if action or why:
            return [action] if action else [], why
        words, problem = line.split(), ""
        for at in range(len(words) - 1, 0, -1):
            first, why = _one(self.match, " ".join(words[:at]))
            problem = problem or why
            if first:
                then = self.match.copy()
                then.play(first)
                second, why = _one(then, " ".join(words[at:]))
                if then.to_act == self.you and second:
                    return [first, second], ""
                if then.to_act == self.you and why:
                    return [], f"after {first}: {why}"
        return [], problem or self._unknown(line)

    def _unknown(self, line: str) -> str:
        if line.isdecimal():
            return f"{line}: the list has 1 to {len(self.match.legal())}"
        found = nearest(line, [*_COMMANDS, *self.match.legal()])
        hint = f"did you mean {found}?" if found else "`help` tells what you can type"
        if not line:
            return "Type an action, its number, or `help`."
        return f'"{line}" is no action here; {hint}'

    # What a person can ask.

    def _command(self, name: str, rest: str) -> None:
        if name == "legal":
            self._list(rest)
        elif name == "why":
            self._explain(rest)
        elif name == "save":
            self._save(rest)
        elif name == "hint":
            hint = self.hint()
            number = self.match.legal().index(hint.action) + 1
            print(wrapped(f"hint: {hint.action} ({number}), since {hint.reason}"))
        elif name == "board":
            print(self.match.text(self.you))
        elif name == "rules":
            said, note = footnoted(RULES[self.match.spec.name])
            print(f"{said}\n{wrapped(f'In full: {note}.')}")
        else:
            print(_HELP)

    def _explain(self, line: str) -> None:
        if not line:
            print(f"why what? Such as: why {self.match.legal()[-1]}")
            return
        actions, problem = self.meant(line)
        if problem:
            self._refuse(problem)
        else:
            print(wrapped(f"{', then '.join(actions)}: that is legal now"))

    def _refuse(self, problem: str) -> None:
        """Say why something cannot be done; the clause comes as a footnote."""
        said, note = footnoted(addressed(problem, self.you))
        print(wrapped(said))
        if note:
            print(f"  ({note})")

    def _undo(self) -> bool:
        """Go back to the person's last decision."""
        taken = self.undo()
        if taken is None:
            print("There is no decision of yours to take back.")
            return False
        self._told = len(self.events)
        self._shown = ""
        print(wrapped(f"Taken back: {taken}. What you have seen since, you have seen."))
        return True

    def _save(self, name: str) -> None:
        if not name:
            print("save it where? Such as: save my-match.jsonl")
        elif Path(name).exists() and Path(name) != self.save:
            print(f"{name}: the file exists, choose another name")
        else:
            try:
                self._write(Path(name))
            except OSError as error:
                print(f"{name}: {error.strerror}")
            else:
                self.save = Path(name)

    def _write(self, path: Path) -> None:
        self._kept = self.match.replay()
        path.write_text(self._kept, encoding="utf-8")
        print(f"saved: {path} (`adjoin replay {shlex.quote(str(path))}` shows it)")

    # The end.

    def _end(self) -> None:
        """Show how it ended; a last time something can be typed."""
        self.show()
        print(bold(wrapped(self.result())))
        seed = json.loads(self.match.replay().splitlines()[0])["seed"]
        print(f"The seed was {seed}; with --seed {seed} and the same options it is dealt again.")
        while not self._left:
            line = ask("`save FILE`, `undo`, `board`, or Enter to leave > ")
            word, _, rest = (line or "quit").partition(" ")
            if word == "undo" and self._undo():
                return
            if word in ("save", "board"):
                self._command(word, rest.strip())
            elif word in ("quit", "q", "exit") or not sys.stdin.isatty():
                self._left = True
            else:
                print("The match is over.")


def _one(match: Match, line: str) -> tuple[str, str]:
    """Return the legal action that a line means, or why it is not legal; neither if it is none."""
    try:
        why = match.why_not(line)
    except IllegalActionError:
        return _abbreviated(line, match.legal()), ""
    if why is not None:
        return "", why.split("; legal: ")[0]
    then = match.copy()
    then.play(line)
    return then.history[-1], ""


def _grouped(numbered: Sequence[tuple[str, str]]) -> list[str]:
    """Return the actions by their first words: those that stand alone, how many of the others."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for cell, action in numbered:
        groups.setdefault(action.split()[0], []).append((cell, action))
    if len(groups) == 1:
        return columns([cell for cell, _ in numbered])
    cells = []
    for word, members in groups.items():
        alone = len(members) == 1
        cells.append(members[0][0] if alone else f"{word} … ({len(members)})")
    return [*columns(cells), "  `legal WORD` lists what is behind …, `legal` everything"]


def _abbreviated(line: str, legal: Sequence[str]) -> str:
    """Return the only legal action whose words begin like those of a line, in their order."""
    parts = fold(line).split()
    if len("".join(parts)) < 3:
        return ""

    def begins(action: str) -> bool:
        words = iter(fold(action).split())
        return all(any(word.startswith(part) for word in words) for part in parts)

    found = [action for action in legal if begins(action)]
    if len(found) > 1:
        found = [action for action in found if len(fold(action).split()) == len(parts)]
    return found[0] if len(found) == 1 else ""

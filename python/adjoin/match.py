"""One match, for people."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin import render
from adjoin._core import IllegalActionError
from adjoin.batch import Batch, as_text, whole
from adjoin.render.png import png
from adjoin.simulation import agent_name, answers
from adjoin.written import read_json

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from adjoin.batch import Viewer
    from adjoin.simulation import Agent, Policy
    from adjoin.spec import Spec

_REPLAY = "adjoin replay 1"
_TIMEOUT = -1
"""Stands in a history for a player who ran out of time."""


class Hint(NamedTuple):
    """An action worth considering."""

    action: str
    """The action, in the game's notation."""
    reason: str
    """Why, in a few words."""

    def __str__(self) -> str:
        """Return both: "f5: it flips 5 discs"."""
        return f"{self.action}: {self.reason}"


class Solution(NamedTuple):
    """What perfect play comes to."""

    score: int
    """The final score of the side to move, less the other's."""
    line: list[str]
    """A line of best actions to the end of the game."""
    nodes: int
    """How many positions were looked at."""


class Match:
    """One match of a game: look at it, play it by the game's own notation, save it, replay it.

    >>> match = Match("mapello", setup="othello")
    >>> match.legal()
    ['d3', 'c4', 'f5', 'e6']
    >>> match.play("f5")
    >>> match.to_act
    1
    >>> match.play("a1")
    Traceback (most recent call last):
      ...
    adjoin.IllegalActionError: a1: a disc there would flip nothing (MAPE-6); legal: f4, d6, f6

    ``seed`` and ``episode`` say which deal; the rows of a simulated table have both. The other
    keywords are the game's options: ``print(match.spec.describe())`` lists them.
    """

    def __init__(
        self,
        game: str,
        *,
        seed: int = 0,
        episode: int = 0,
        position: str | None = None,
        limit: int = 10_000,
        **options: Any,
    ) -> None:
        self._batch = Batch.of(game, options, seed=seed, limit=limit)
        if episode != 0:
            self._batch.start(seed, episode)
        self._history: list[int] = []
        self._start: bytes | None = None
        if position is not None:
            self._batch.set_position(position)
            self._start = self.save()

    @property
    def spec(self) -> Spec:
        """What stays the same: action ids, observation blocks, options."""
        return self._batch.spec

    @property
    def to_act(self) -> int | None:
        """The seat whose decision it is; None when the match is over."""
        return self._batch.to_act()

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.to_act is None

    @property
    def returns(self) -> list[float]:
        """What each seat has earned so far."""
        return self._batch.returns()

    @property
    def history(self) -> list[str]:
        """The actions played here, in the game's notation, and "timeout" where one was called."""
        return [self._text(action) for action in self._history]

    def legal(self) -> list[str]:
        """Return the legal actions in the game's notation."""
        return [self._batch.action_text(action) for action in self._batch.legal()]

    def play(self, *actions: str | int) -> None:
        """Play one action after another, given in the game's notation or by id.

        An illegal one raises IllegalActionError, which says why and what is legal; those before it
        have been played.
        """
        for action in actions:
            number = self._id(action)
            self._batch.play(number)
            self._history.append(number)

    def timeout(self) -> None:
        """Let the time of the seat to act run out: an event from outside, not an action.

        A game without a timer refuses it.
        """
        self._batch.timeout()
        self._history.append(_TIMEOUT)

    def play_random(self, decisions: int | None = None) -> None:
        """Play uniform random legal actions: so many, or until the match is over."""
        left = -1 if decisions is None else whole("decisions", decisions, 0, 2**32 - 1)
        action = np.zeros(1, np.int32)
        while not self.is_over and left != 0:
            self._batch.sample(action)
            self.play(int(action[0]))
            left -= 1

    def why_not(self, action: str | int) -> str | None:
        """Return why an action cannot be played now, or None if it can."""
        return self._batch.explain(self._id(action))

    def choose(self, agent: Agent = "greedy") -> str:
        """Return what an agent would play now, by what the seat to act knows.

        It is a built-in agent, by name, or a callable as in ``simulate``: a policy, for example.

        >>> Match("mapello", setup="othello").choose("search(iterations=50)") in "d3 c4 f5 e6"
        True
        """
        action = self._asked(agent) if callable(agent) else self._batch.choose(agent)
        return self._batch.action_text(action)

    def _asked(self, agent: Policy) -> int:
        rows = self._batch.buffers()
        self._batch.observe(rows)
        if self.is_over:
            name = agent_name(agent)
            raise ValueError(f'agent "{name}": the match is over, nobody has to decide')
        (action,) = answers(agent)(rows.observation, rows.mask)
        reason = self._batch.explain(action)
        if reason is not None:
            raise IllegalActionError(f"the agent {agent_name(agent)} answered {reason}")
        return action

    def hint(self) -> Hint:
        """Return an action worth considering for the seat to act, and why, by what it knows.

        It is never one that a beginner would call wrong, such as to take a card while one can be
        laid.

        >>> match = Match("mapello", setup="othello")
        >>> hint = match.hint()
        >>> hint.reason
        'it flips 1 disc and leaves the other player 3 moves'
        >>> match.play(hint.action)
        """
        action, reason = self._batch.hint()
        return Hint(self._batch.action_text(action), reason)

    def solve(self) -> Solution:
        """Return what perfect play by both sides comes to, to the end of the game at hand.

        Only Mapello has an exact solver; it needs few empty cells: up to about 16 in a second, 20
        to 23 in a minute or so. Ctrl-C stops it.
        """
        score, line, nodes = self._batch.solve()
        return Solution(score, [self._batch.action_text(action) for action in line], nodes)

    def standing(self) -> list[int]:
        """Return how far ahead each seat is, by what everybody may know: the higher the better."""
        return self._batch.standing()

    def text(self, viewer: Viewer = None) -> str:
        """Return the table for a terminal, as the seat to act, a given seat or "all" sees it."""
        return self._batch.text(viewer=viewer)

    def view(self, viewer: Viewer = None) -> dict[str, Any]:
        """Return the table for a program that draws it."""
        view = self._batch.view(viewer=viewer)
        view["last"] = self._text(self._history[-1]) if self._history else None
        return view

    def svg(self, viewer: Viewer = None, **look: Any) -> str:
        """Return the table as an SVG picture.

        A look changes how the same facts are drawn. Domiphun has two: ``balance=True`` shows the
        centre of mass, the support and its edge, and ``turn`` (0 to 3) turns the construction by
        so many quarters around the vertical.
        """
        return render.svg(self.view(viewer), **look)

    def png(self, viewer: Viewer = None, scale: float = 1.0, **look: Any) -> bytes:
        """Return the picture as PNG. Needs ``pip install adjoin[png]``."""
        return png(self.svg(viewer, **look), scale)

    def save_png(
        self,
        path: str | os.PathLike[str],
        viewer: Viewer = None,
        scale: float = 1.0,
        **look: Any,
    ) -> Path:
        """Write the picture to a PNG file and return its path."""
        path = Path(path)
        path.write_bytes(self.png(viewer, scale, **look))
        return path

    def position(self) -> str:
        """Return the position as text, which ``Match(game, position=text)`` reads.

        In Mapello: the board of the current game, the side to move and the bonuses taken. In the
        other games: a JSON object, which the game's rule page explains.
        """
        return self._batch.position()

    def copy(self, seed: int | None = None) -> Match:
        """Return a copy that is played on without changing this match.

        A plain copy has the same chance before it: with the same actions both come to the same
        cards, and ``play_random`` plays the same in both. With a ``seed`` the copy draws the rest
        of the match from that; hidden cards stay as they are, and its history begins here.

        >>> match = Match("mapello", seed=1)
        >>> plain, other = match.copy(), match.copy(seed=5)
        >>> for each in (match, plain, other):
        ...     each.play_random()
        >>> match.history == plain.history, match.history == other.history
        (True, False)
        """
        match = Match.__new__(Match)
        match._batch = self._batch.select([0], None if seed is None else [seed])
        match._history, match._start = self._history.copy(), self._start
        if seed is not None:
            match._history, match._start = [], match.save()
        return match

    def __copy__(self) -> Match:
        """Return a plain copy."""
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        """Return a plain copy."""
        return self.copy()

    def save(self) -> bytes:
        """Return the match as bytes."""
        return self._batch.save()

    def load(self, state: bytes) -> None:
        """Put the match where ``save`` left it; game and options must be the same."""
        self._batch.load(state)
        self._history = []
        self._start = state

    def perft(self, depth: int) -> int:
        """Return how many sequences of ``depth`` legal decisions lie ahead.

        >>> Match("mapello", setup="othello").perft(4)
        244
        """
        return self._batch.perft(depth)

    def replay(self) -> str:
        """Return the match so far as JSON lines: where it started, then a line a decision."""
        lines = [line for line, _ in self._moments()]
        lines.append({"over": self.is_over, "returns": self.returns})
        return "".join(json.dumps(line) + "\n" for line in lines)

    def _moments(self) -> Iterator[tuple[dict[str, Any], Match]]:
        """Play the match again: the lines of the replay, each with the table after it."""
        seed, lane, episode, _ = self._batch.address()
        header: dict[str, Any] = {
            "format": _REPLAY,
            "game": self.spec.name,
            "version": self.spec.version,
            "options": json.loads(self._batch.options_json()),
            "limit": self.spec.limit,
            "seed": seed,
            "lane": lane,
            "episode": episode,
        }
        if self._start is not None:
            header["start"] = base64.b64encode(self._start).decode()
        again = self._from_start(header)
        yield header, again
        for action in self._history:
            line: dict[str, Any] = {"seat": again.to_act}
            if action == _TIMEOUT:
                line["timeout"] = True
                again.timeout()
            else:
                line |= {"action": action, "text": again._text(action)}
                again.play(action)
            yield line, again

    @classmethod
    def from_replay(cls, text: str, decisions: int | None = None) -> Match:
        """Return the match that ``replay`` wrote, played again and checked line by line.

        With ``decisions`` only so many of them are played, and checked.
        """
        lines = as_text("text", text, "the text that replay returned").splitlines()
        if decisions is not None:
            lines = lines[: 1 + whole("decisions", decisions, 0, max(0, len(lines) - 2))]
        match: Match | None = None
        ended = False
        for number, line in enumerate(lines, 1):
            try:
                if match is None:
                    match = cls._from_start(_line(line))
                elif ended:
                    raise ValueError("nothing can follow the result of the match")
                else:
                    ended = match._follow(_line(line))
            except (KeyError, TypeError, ValueError) as error:
                what = f"{error} is missing" if isinstance(error, KeyError) else error
                raise ValueError(f"line {number}: {what}") from error
        if match is None:
            raise ValueError("line 1: the replay is empty")
        if decisions is None and not ended:
            raise ValueError(f"line {len(lines) + 1}: the result of the match is missing")
        return match

    @classmethod
    def _from_start(cls, header: dict[str, Any]) -> Match:
        written = header.get("format")
        if written != _REPLAY:
            other = isinstance(written, str) and written.startswith("adjoin replay ")
            more = f"; this is {written}, of another version of adjoin" if other else ""
            raise ValueError(f'expected {{"format": "{_REPLAY}", ...}}{more}')
        match = cls.__new__(cls)
        match._batch = Batch.of(
            header["game"], header["options"], seed=header["seed"], limit=header["limit"]
        )
        match._history, match._start = [], None
        if match.spec.version != header["version"]:
            name, then, now = match.spec.name, header["version"], match.spec.version
            raise ValueError(f"a match of {name} v{then}: this version of adjoin plays v{now}")
        if "start" in header:
            match.load(base64.b64decode(header["start"]))
        elif header["lane"] != 0:
            raise ValueError("a match from a seed starts at lane 0")
        elif header["episode"] != 0:
            match._batch.start(header["seed"], header["episode"])
        return match

    def _follow(self, line: dict[str, Any]) -> bool:
        """Play what a line says, and return whether it is the result."""
        if "timeout" in line:
            if line != {"seat": self.to_act, "timeout": True}:
                raise ValueError(f"{line} does not fit the match")
            self.timeout()
            return False
        if "action" not in line:
            if line != {"over": self.is_over, "returns": self.returns}:
                raise ValueError(f"the match came out differently: {self.returns}")
            return True
        action = whole("action", line["action"], 0, self.spec.actions.size - 1)
        if line != {"seat": self.to_act, "action": action, "text": self._text(action)}:
            raise ValueError(f"{line} does not fit the match")
        self.play(action)
        return False

    def _text(self, action: int) -> str:
        return "timeout" if action == _TIMEOUT else self._batch.action_text(action)

    def _id(self, action: str | int) -> int:
        if isinstance(action, str):
            return self._batch.parse_action(action)
        if not hasattr(action, "__index__"):
            raise TypeError(f"action = {action!r}: must be a text in the game's notation, or an id")
        return whole("action", action, 0, self.spec.actions.size - 1)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with chance and history."""
        return _restore, (self._batch, self._history, self._start)

    def __str__(self) -> str:
        """Return the table as the seat to act sees it."""
        return self.text()

    def __repr__(self) -> str:
        """Return game, decisions and who is to act."""
        now = "over" if self.is_over else f"seat {self.to_act} to act"
        return f"<Match of {self.spec.title}: {self._batch.address()[3]} decisions, {now}>"

    def _repr_svg_(self) -> str:
        return self.svg()


def _restore(batch: Batch, history: list[int], start: bytes | None) -> Match:
    match = Match.__new__(Match)
    match._batch, match._history, match._start = batch, history, start
    return match


def _line(text: str) -> dict[str, Any]:
    line = read_json(text)
    if not isinstance(line, dict):
        raise ValueError(f"expected a JSON object, got {text!r}")
    return line

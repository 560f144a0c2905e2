"""One match, for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjoin._core import IllegalActionError
from adjoin._core import Match as CoreMatch
from adjoin.core.spec import Spec, games
from adjoin.drawing.png import png
from adjoin.support.arguments import as_seed, as_text, brief, whole

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.simulation.agents import Agent
    from adjoin.statistics.evaluations import Evaluation
    from adjoin.support.progress import Progress

Viewer = int | Literal["all", "onlooker"] | None
"""Who looks: a seat, ``"all"`` for the whole table, ``"onlooker"`` for what lies open to everybody,
None for the seat to act."""


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

    _core: CoreMatch
    _spec: Spec | None

    def __init__(
        self,
        game: str,
        *,
        seed: int = 0,
        episode: int = 0,
        position: str | None = None,
        max_decisions: int = 10_000,
        **options: Unpack[GameOptions],
    ) -> None:
        as_text("game", game, f"the name of a game ({', '.join(games())})")
        self._core = CoreMatch(
            game,
            options,
            seed=as_seed(seed),
            episode=whole("episode", episode, 0, 2**32 - 1),
            max_decisions=whole("max_decisions", max_decisions, 1, 2**32 - 1),
        )
        self._spec = None
        if position is not None:
            self._core.set_position(as_text("position", position, "a text, as position returns it"))

    @classmethod
    def _around(cls, core: CoreMatch, spec: Spec | None = None) -> Match:
        match = cls.__new__(cls)
        match._core, match._spec = core, spec
        return match

    @property
    def spec(self) -> Spec:
        """What stays the same: action ids, observation blocks, options."""
        if self._spec is None:
            self._spec = Spec._read(self._core.spec())
        return self._spec

    @property
    def max_decisions(self) -> int:
        """Decisions after which the match is cut off."""
        return self._core.max_decisions

    @property
    def address(self) -> tuple[int, int, int, int]:
        """The seed, the number under that seed, the episode, and the decisions taken in it."""
        return self._core.address()

    @property
    def to_act(self) -> int | None:
        """The seat whose decision it is; None when the match is over."""
        return self._core.to_act

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self._core.to_act is None

    @property
    def returns(self) -> list[float]:
        """What each seat has earned so far."""
        return self._core.returns

    @property
    def history(self) -> list[str]:
        """The actions played here, in the game's notation, and "timeout" where one was called."""
        return self._core.history()

    @property
    def sentences(self) -> list[str]:
        """What each decision was, in words, with those before it that it belongs to.

        >>> match = Match("mapello", setup="othello")
        >>> match.play("f5", "d6")
        >>> match.sentences
        ['seat 0 plays f5', 'seat 1 plays d6']
        """
        return self._core.sentences()

    @property
    def result(self) -> str:
        """How the match ended, in words; that it is not over, if so."""
        return self._core.result()

    def legal(self) -> list[str]:
        """Return the legal actions in the game's notation."""
        return self._core.legal()

    def legal_ids(self) -> list[int]:
        """Return the ids of the legal actions."""
        return self._core.legal_ids()

    def notation(self, action: int) -> str:
        """Return an action in the game's notation."""
        if not hasattr(action, "__index__"):
            raise TypeError(f"action = {brief(action)}: must be an id")
        return self._core.notation(action)

    def action_id(self, text: str) -> int:
        """Return the id of an action in the game's notation."""
        return self._core.parse(as_text("text", text, "an action in the game's notation"))

    def play(self, *actions: str | int) -> None:
        """Play one action after another, given in the game's notation or by id.

        An illegal one raises IllegalActionError, which says why and what is legal; those before it
        have been played.
        """
        for action in actions:
            self._core.play(_action(action))

    def timeout(self) -> None:
        """Let the time of the seat to act run out: an event from outside, not an action.

        A game without a timer refuses it.
        """
        self._core.timeout()

    def play_random(self, decisions: int | None = None) -> None:
        """Play uniform random legal actions: so many, or until the match is over."""
        self._core.play_random(
            None if decisions is None else whole("decisions", decisions, 0, 2**32 - 1)
        )

    def why_not(self, action: str | int) -> IllegalActionError | None:
        """Return why an action cannot be played now, or None if it can.

        It is what ``play`` would raise, with ``reason``, ``clause`` and ``legal``.

        >>> Match("mapello", setup="othello").why_not("a1").clause
        'MAPE-6'
        """
        return self._core.why_not(_action(action))

    def choose(self, agent: Agent = "greedy", purpose: int = 0) -> str:
        """Return what an agent would play now, by what the seat to act knows.

        It is a built-in agent, by name, or a callable as in ``simulate``: a policy, for example.
        ``purpose`` numbers the question: the same gets the same answer.

        >>> Match("mapello", setup="othello").choose("search(iterations=50)") in "d3 c4 f5 e6"
        True
        """
        return self._core.notation(self.choose_id(agent, purpose))

    def choose_id(self, agent: Agent = "greedy", purpose: int = 0) -> int:
        """Return the id of what an agent would play now."""
        from adjoin.simulation.agents import agent_text

        text = agent_text(agent)
        if text is None and callable(agent):
            return self._asked(agent)
        text = as_text("agent", text or agent, 'the name of an agent, such as "greedy"')
        return self._core.choose(text, whole("purpose", purpose, 0, 2**32 - 1))

    def _asked(self, agent: Callable[..., Any]) -> int:
        from adjoin.simulation.agents import agent_name, answers

        seat = self.to_act
        if seat is None:
            name = agent_name(agent)
            raise ValueError(f'agent "{name}": the match is over, nobody has to decide')
        observation, mask = self.observe(seat)
        (action,) = answers(agent)(observation[None], mask[None])
        why = self._core.why_not(action)
        if why is not None:
            why.args = (f"the agent {agent_name(agent)} answered {why}",)
            raise why
        return action

    def observe(self, viewer: int | None = None) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Return what a seat knows and may do: its observation row and its mask.

        Without a viewer it is the seat to act. A viewer who is not to act has an empty mask.
        """
        observation = np.zeros(self.spec.observation.size, np.uint8)
        mask = np.zeros(self.spec.actions.size, np.int8)
        seat = self._viewer(viewer)
        if seat is None or isinstance(seat, str):
            raise TypeError(f"viewer = {viewer!r}: must be a seat or None")
        self._core.observe(seat, observation, mask)
        return observation, mask

    def evaluate(
        self,
        agent: Agent = "greedy",
        episodes: int = 400,
        *,
        viewer: int | Literal["all"] | None = None,
        seed: int = 0,
        threads: int = 1,
        progress: Progress = None,
    ) -> Evaluation:
        """Return what every legal action is worth, by matches that an agent plays on after it.

        What the seat to act has not seen is guessed anew in each of the ``episodes``, the same
        guesses after every action; with ``viewer="all"`` the cards lie as they do. The stronger the
        agent, such as ``"search(iterations=100)"``, the truer the shares, and the longer it takes.

        >>> match = Match("mapello", setup="othello")
        >>> match.play_random(50)
        >>> worth = match.evaluate(episodes=100)
        >>> len(worth) == len(match.legal()), worth.best in match.legal()
        (True, True)
        """
        from adjoin.statistics.evaluations import evaluate

        return evaluate(
            self,
            agent,
            episodes,
            viewer=viewer,
            seed=seed,
            threads=threads,
            progress=progress,
        )

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
        action, reason = self._core.hint()
        return Hint(self._core.notation(action), reason)

    def solve(self) -> Solution:
        """Return what perfect play by both sides comes to, to the end of the game at hand.

        Only Mapello has an exact solver; it needs few empty cells: up to about 16 in a second, 20
        to 23 in a minute or so. Ctrl-C stops it.
        """
        score, line, nodes = self._core.solve()
        return Solution(score, [self._core.notation(action) for action in line], nodes)

    @property
    def solve_depth(self) -> int | None:
        """How many decisions but passes ``solve`` looks ahead at most; None without a solver."""
        return self._core.solve_depth

    def standing(self) -> list[int]:
        """Return how far ahead each seat is, by what everybody may know: the higher the better."""
        return self._core.standing()

    def text(self, viewer: Viewer = None) -> str:
        """Return the table for a terminal: as the seat to act sees it, or a given viewer.

        A viewer is a seat, "all" who sees every hand, or "onlooker" who sees none.
        """
        return self._core.text(self._viewer(viewer))

    def view(self, viewer: Viewer = None) -> dict[str, Any]:
        """Return the table for a program that draws it."""
        return self._core.view(self._viewer(viewer))

    def svg(self, viewer: Viewer = None, **look: Any) -> str:
        """Return the table as an SVG picture.

        A look changes how the same facts are drawn; ``match.spec.looks`` lists those of a game.
        With ``hide_moves=True`` no game marks what can be played. Mapominoes has ``hide_borders``,
        Domiphun ``balance=True``, which shows the centre of mass, the support and its edge, and
        ``turn`` (0 to 3), which turns the construction by so many quarters around the vertical.
        """
        values = self.spec.look_values(look) if look else []
        return self._core.svg(self._viewer(viewer), values)

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
        return self._core.position()

    def set_position(self, text: str) -> None:
        """Put the match at a described position, before its first decision."""
        self._core.set_position(as_text("position", text, "a text, as position returns it"))

    def resample_hidden(self, viewer: int, purpose: int = 0) -> None:
        """Guess anew what a seat has not seen; ``purpose`` numbers the guess."""
        self._core.resample_hidden(viewer, whole("purpose", purpose, 0, 2**32 - 1))

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
        return self._around(self._core.copy(None if seed is None else as_seed(seed)), self._spec)

    def branch(self, seed: int, episode: int = 0, viewer: int | None = None) -> Match:
        """Return a copy that goes on by the chance of an episode under a seed.

        It is what ``simulate(..., start=match)`` plays as that episode: what the seat ``viewer``
        has not seen is guessed anew, and without one everything stays as it lies.
        """
        episode = whole("episode", episode, 0, 2**32 - 1)
        seat = None if viewer is None else whole("viewer", viewer, 0, self.spec.seats - 1)
        return self._around(self._core.branch(as_seed(seed), episode, seat), self._spec)

    def deal(self, seed: int, episode: int = 0) -> Match:
        """Return a match of the same game with the same options, dealt anew."""
        episode = whole("episode", episode, 0, 2**32 - 1)
        return self._around(self._core.deal(as_seed(seed), episode), self._spec)

    def __copy__(self) -> Match:
        """Return a plain copy."""
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        """Return a plain copy."""
        return self.copy()

    def save(self) -> bytes:
        """Return the match as bytes."""
        return self._core.save()

    def load(self, state: bytes) -> None:
        """Put the match where ``save`` left it; game and options must be the same."""
        if not isinstance(state, bytes):
            raise TypeError(f"state = {brief(state)}: must be the bytes that save returned")
        self._core.load(state)

    def perft(self, depth: int) -> int:
        """Return how many sequences of ``depth`` legal decisions lie ahead.

        >>> Match("mapello", setup="othello").perft(4)
        244
        """
        return self._core.perft(whole("depth", depth, 0, 255))

    def replay(self) -> str:
        """Return the match so far as JSON lines: where it started, then a line a decision."""
        return self._core.replay()

    @classmethod
    def from_replay(cls, text: str, decisions: int | None = None) -> Match:
        """Return the match that ``replay`` wrote, played again and checked line by line.

        With ``decisions`` only so many of them are played, and checked.
        """
        as_text("text", text, "the text that replay returned")
        most = None if decisions is None else whole("decisions", decisions, 0, 2**63 - 1)
        return cls._around(CoreMatch.from_replay(text, most))

    def pictures(self, viewer: Viewer = "all", **look: Any) -> list[str]:
        """Return the pictures of the start and of the table after every decision."""
        return self._core.pictures(self._viewer(viewer), self.spec.look_values(look))

    def _viewer(self, viewer: Viewer) -> int | Literal["onlooker"] | None:
        if viewer == "all":
            return None
        if viewer is None:
            return self._core.to_act or 0
        if viewer == "onlooker":
            return "onlooker"
        if isinstance(viewer, bool) or not hasattr(viewer, "__index__"):
            raise TypeError(f'viewer = {viewer!r}: must be a seat, "all", "onlooker" or None')
        return viewer

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with chance and history."""
        return Match.from_replay, (self.replay(),)

    def __str__(self) -> str:
        """Return the table as the seat to act sees it."""
        return self.text()

    def __repr__(self) -> str:
        """Return game, decisions and who is to act."""
        now = "over" if self.is_over else f"seat {self.to_act} to act"
        return f"<Match of {self.spec.title}: {self.address[3]} decisions, {now}>"

    def _repr_svg_(self) -> str:
        return self.svg()


def _action(action: str | int) -> str | int:
    if not isinstance(action, str) and not hasattr(action, "__index__"):
        raise TypeError(f"action = {action!r}: must be a text in the game's notation, or an id")
    return action

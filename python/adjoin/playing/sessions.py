"""People and agents at a match: what the hosts of the core's session share."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjoin import _core
from adjoin.core.match import Match
from adjoin.simulation.agents import agent_text
from adjoin.support.arguments import brief, whole
from adjoin.support.extras import need
from adjoin.support.wording import count

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.playing.board import Board
    from adjoin.simulation.agents import Agent

Update = dict[str, Any]
"""What a seat gets to see: a picture, and all that there is to say and to choose."""


def play(
    game: str | None = None,
    *,
    you: int | Sequence[int] = 0,
    opponents: Agent | Sequence[Agent] = "greedy",
    seed: int | None = None,
    match: Match | None = None,
    **options: Unpack[GameOptions],
) -> Board:
    """Return a board to play on in a notebook: click, or use the keyboard.

    ``you`` is your seat, or several for people who share the screen: a curtain falls between them.
    ``opponents`` is one agent for all other seats, or one for each: a name, or a callable as in
    ``simulate``, such as a policy that you have trained.
    ``seed`` says which deal (a new one if not given); the other keywords are the game's options.
    With ``match`` a match goes on that there is already. Needs ``pip install adjoin[notebook]``.

    >>> board = play("mapello", opponents="greedy", seed=1)
    >>> board.match
    <Match of Mapello: 0 decisions, seat 0 to act>
    """
    need("anywidget", "adjoin[notebook]")
    from adjoin.playing.board import Board

    if isinstance(game, Match):
        raise TypeError(f"game = {game!r}: to go on with a match, write play(match=...)")
    if match is None:
        if game is None:
            raise TypeError("play() needs a game, or a match to go on with")
        match = Match(game, seed=secrets.randbelow(10**6) if seed is None else seed, **options)
    elif not isinstance(match, Match):
        raise TypeError(f"match = {match!r}: must be a Match")
    elif seed is not None or options:
        given = ", ".join([*(["seed"] if seed is not None else []), *options])
        raise ValueError(f"a match has its own options and seed; leave out {given}")
    elif game not in (None, match.spec.name):
        raise ValueError(f"the match is one of {match.spec.name}, not of {game}")
    return Board(Session(match, you, opponents))


class Session:
    """A match with people at some seats and agents at the others.

    It carries messages to the core's session, and answers for the seats of callables.
    """

    def __init__(
        self, match: Match, you: int | Sequence[int], opponents: Agent | Sequence[Agent]
    ) -> None:
        seats = match.spec.seats
        self.people = _people(you, seats)
        self.agents = _seated(match, self.people, opponents)
        sitters = ["person" if s in self.people else _sitter(self.agents[s]) for s in range(seats)]
        self._core = _core.Session(match._core, sitters, None)

    @property
    def match(self) -> Match:
        """A copy of the match; what is set goes on from here."""
        return Match._around(self._core.game)

    @match.setter
    def match(self, match: Match) -> None:
        if not isinstance(match, Match):
            raise TypeError(f"match = {brief(match)}: must be a Match")
        self._core.game = match._core

    @property
    def facing(self) -> int:
        """The seat of the person in front of the screen."""
        return self._core.facing

    def log(self, seat: int | None = None) -> list[str]:
        """Return what has happened, in sentences said to a seat, or to nobody in particular."""
        return self._core.log(seat)

    def update(self, seat: int | None = None) -> Update:
        """Return what a seat gets to see now."""
        return self._core.update(seat)

    def watch(self) -> Update:
        """Return what somebody without a hand gets to see now."""
        return self._core.watch()

    def receive(
        self, message: object, seat: int | None = None, show: Callable[[Update], None] | None = None
    ) -> Update:
        """Do what a message says, let the others play, and return what a seat gets to see.

        The seat is that of the person in front of the screen, if none is given. ``show`` hears of
        updates while the others think.
        """
        if isinstance(message, dict) and message.get("do") == "new":
            message = {**message, "what": secrets.randbelow(10**6)}
        return self._answered(self._core.receive(message, seat, show), seat, show)

    def advance(
        self, seat: int | None = None, show: Callable[[Update], None] | None = None
    ) -> Update:
        """Let the others play if it is their turn, and return what a seat gets to see."""
        return self._answered(self._core.advance(seat, show), seat, show)

    def _answered(
        self, update: Update, seat: int | None, show: Callable[[Update], None] | None
    ) -> Update:
        """Decide for the seats of callables, as long as it is theirs to decide."""
        while update["host"] is not None:
            if show is not None:
                show(update)
            action = self.match.choose_id(self.agents[update["host"]])
            update = self._core.play(action, seat, show)
        return update


def _sitter(agent: Agent) -> str | tuple[str, str]:
    text = agent_text(agent)
    return "host" if text is None else ("agent", text)


def _people(you: int | Sequence[int], seats: int) -> list[int]:
    """Return the seats of people, or say what is wrong with them."""
    people = list(you) if isinstance(you, Sequence) and not isinstance(you, str) else [you]
    if not people:
        raise ValueError(f"you = {you!r}: must be a seat, or several")
    for seat in people:
        number = -1 if isinstance(seat, bool) else whole("you", seat, -(2**63), 2**63)
        if number not in range(seats):
            raise ValueError(f"you = {you!r}: the seats are 0 to {seats - 1}")
    if len(set(people)) != len(people):
        raise ValueError(f"you = {you!r}: a seat is there twice")
    return people


def _seated(
    match: Match, people: Sequence[int], opponents: Agent | Sequence[Agent]
) -> Mapping[int, Agent]:
    """Return the agents of the other seats, or say what is wrong with them."""
    others = [seat for seat in range(match.spec.seats) if seat not in people]
    if isinstance(opponents, str) or callable(opponents):
        opponents = [opponents]
    if not isinstance(opponents, Sequence):
        raise TypeError(f"opponents = {opponents!r}: must be an agent, or one for each other seat")
    agents = list(opponents)
    if len(agents) == 1:
        agents *= len(others)
    if len(agents) != len(others):
        given = f"{count(len(agents), 'agent')} for {count(len(others), 'other seat')}"
        raise ValueError(f"opponents: {given}; give one for all, or one for each")
    for agent in agents:
        if not isinstance(agent, str) and not callable(agent):
            raise TypeError(f"opponents: an agent is a text or a callable, got {agent!r}")
    return dict(zip(others, agents, strict=True))

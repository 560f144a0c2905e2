"""A match between a person and agents, wherever it is shown."""

from __future__ import annotations

import itertools
import json
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from adjoin.batch import Batch, whole
from adjoin.extras import need
from adjoin.match import Hint, Match
from adjoin.words import addressed, does
from adjoin.written import count, listed

if TYPE_CHECKING:
    from adjoin.board import Board
    from adjoin.simulation import Agent

_NOTHING_SAID = ("announce", "offer")
"""Where "no" is no answer to anybody."""

_HALF = {
    "mapominoes": ("place", "place_transit", "follow", "place_follow"),
    "metro_domino": ("spent",),
    "domiphun": ("place", "star", "plate"),
    "connections": ("set",),
}
"""The phases in which a player has begun something and shown nothing new for it."""


def play(
    game: str | None = None,
    *,
    you: int = 0,
    opponents: Agent | Sequence[Agent] = "greedy",
    seed: int | None = None,
    match: Match | None = None,
    **options: Any,
) -> Board:
    """Return a board to play on in a notebook: click, or use the keyboard.

    ``you`` is your seat; ``opponents`` is one agent for all other seats, or one for each: a name,
    or a callable as in ``simulate``, such as a policy that you have trained.
    ``seed`` says which deal (a new one if not given); the other keywords are the game's options.
    With ``match`` a match goes on that there is already. Needs ``pip install adjoin[notebook]``.

    >>> board = play("mapello", opponents="greedy", seed=1)
    >>> board.match
    <Match of Mapello: 0 decisions, seat 0 to act>
    """
    need("anywidget", "adjoin[notebook]")
    from adjoin.board import Board

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
    return Board(Session(match, you, seated(match, you, opponents)))


def seated(match: Match, you: int, opponents: Agent | Sequence[Agent]) -> dict[int, Agent]:
    """Return the agents of the other seats, or say what is wrong with the seats or the agents."""
    seats = match.spec.seats
    if isinstance(you, bool) or whole("you", you, -(2**63), 2**63) not in range(seats):
        raise ValueError(f"you = {you!r}: the seats are 0 to {seats - 1}")
    if isinstance(opponents, str) or callable(opponents):
        opponents = [opponents]
    if not isinstance(opponents, Sequence):
        raise TypeError(f"opponents = {opponents!r}: must be an agent, or one for each other seat")
    agents = list(opponents)
    if len(agents) == 1:
        agents *= seats - 1
    if len(agents) != seats - 1:
        given = f"{count(len(agents), 'agent')} for {count(seats - 1, 'other seat')}"
        raise ValueError(f"opponents: {given}; give one for all, or one for each")
    for agent in dict.fromkeys(agents):
        if isinstance(agent, str):
            game = match.spec.name
            Batch(game, agents=[agent, *[None] * (Batch(game).spec.seats - 1)])
        elif not callable(agent):
            raise TypeError(f"opponents: an agent is a text or a callable, got {agent!r}")
    return dict(zip((seat for seat in range(seats) if seat != you), agents, strict=True))


class Event(NamedTuple):
    """Something that there is to tell."""

    number: int
    """How many decisions came before."""
    seat: int | None
    """Who did it; None for the end of a round or a game."""
    text: str
    """The action, or the sentence."""
    is_silent: bool = False
    """Whether nobody notices."""


class Session:
    """A match between a person, ``you``, and agents in the other seats."""

    def __init__(self, match: Match, you: int, opponents: Mapping[int, Agent]) -> None:
        self.match = match
        self.you = you
        self.opponents = dict(opponents)
        self.names = [f"seat {seat}" for seat in range(match.spec.seats)]
        self.names[you] = "you"
        self.events: list[Event] = []
        self.recall()

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.match.spec.name

    @property
    def waiting_for(self) -> int | None:
        """The seat of the agent that is to decide; None if the person is, or nobody."""
        seat = self.match.to_act
        return None if seat == self.you else seat

    @property
    def is_yours(self) -> bool:
        """Whether the person is to decide."""
        return self.match.to_act == self.you

    # The course of the match.

    def play(self, action: str) -> None:
        """Play an action for whoever is to act, and keep what there is to tell about it."""
        seat, before = self.match.to_act, self.match.view(self.you)
        self.match.play(action)
        if seat is not None:
            number = len(self.match.history) - 1
            self._note(number, seat, self.match.history[-1], before, self.match.view(self.you))

    def step(self) -> None:
        """Let an agent take its decision, if one is to act."""
        seat = self.waiting_for
        if seat is not None:
            self.play(self.match.choose(self.opponents[seat]))

    def advance(self) -> None:
        """Let the agents play until the person is to decide, or the match is over."""
        while self.waiting_for is not None:
            self.step()

    def undo(self) -> str | None:
        """Go back to the person's last decision, and return what it was; None if there is none.

        ``match`` is another one then, played again from the start.
        """
        earlier = before(self.match, self.you)
        if earlier is None:
            return None
        taken = self.match.history[len(earlier.history)]
        self.match = earlier
        self.events = [event for event in self.events if event.number < len(earlier.history)]
        return taken

    # What a person can ask.

    def why(self, action: str) -> str | None:
        """Return why an action cannot be played now, or None if it can."""
        why = self.match.why_not(action)
        return None if why is None else addressed(why.split("; legal: ")[0], self.you)

    def hint(self) -> Hint:
        """Return an action worth considering, and why."""
        return self.match.hint()

    # What there is to tell.

    @property
    def log(self) -> list[str]:
        """What has happened, in sentences."""
        return self.sentences(self.events)

    def sentences(self, events: Sequence[Event]) -> list[str]:
        """Return what happened in sentences, one for what a seat did in succession."""
        said = []
        heard = (event for event in events if not event.is_silent)
        for seat, group in itertools.groupby(heard, key=lambda event: event.seat):
            texts = [event.text for event in group]
            said += texts if seat is None else [does(self.game, seat, texts, self.names)]
        return said

    def recall(self) -> None:
        """Gather what has happened from the match itself, as after somebody else has played it."""
        self.events = []
        last: dict[str, Any] = {}
        for number, (line, moment) in enumerate(self.match._moments()):
            after = moment.view(self.you)
            if number:
                text = line.get("text", "timeout")
                self._note(number - 1, line["seat"], text, last, after)
            last = after

    def _note(
        self,
        number: int,
        seat: int,
        action: str,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
    ) -> None:
        is_silent = action == "no" and before["phase"] in _NOTHING_SAID
        self.events.append(Event(number, seat, action, is_silent))
        if _part(before) != _part(after):
            self.events.append(Event(number, None, self._score(before, after)))

    def _score(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """Say that a round or a game of the match is over."""
        noun, number = _part(before)
        what, key = ("points", "points") if noun == "round" else ("games won", "wins")
        values = after.get("match", after)[key]
        each = [f"{name} {value}" for name, value in zip(self.names, values, strict=True)]
        return f"{noun} {number} is over; {what}: {', '.join(each)}; {noun} {number + 1} begins"

    def result(self) -> str:
        """Say who won, and the points of a game that is played for them."""
        return result(self.match, self.names)


def result(match: Match, names: Sequence[str]) -> str:
    """Say how a match ended; ``names`` are those of the seats."""
    view, returns = match.view("all"), match.returns
    best = [name for name, value in zip(names, returns, strict=True) if value == max(returns)]
    if view["phase"] != "over":
        said = f"The match was cut off after {match.spec.limit} decisions."
    elif len(best) == len(returns):
        said = "A draw."
    else:
        who = listed(best)
        verb = "share the win" if len(best) > 1 else "win" if best == ["you"] else "wins"
        said = f"{who[0].upper()}{who[1:]} {verb}{_on_points(view)}."
    if "round" not in view:
        return said
    each = [f"{name} {value}" for name, value in zip(names, view["points"], strict=True)]
    return f"{said} Points: {', '.join(each)}."


def _on_points(view: Mapping[str, Any]) -> str:
    """Return the points that decided a match in which all have won as many games."""
    games = view.get("match")
    if games is None or games["games"] == 1 or len(set(games["wins"])) > 1:
        return ""
    return f" on points, {' to '.join(map(str, sorted(games['points'], reverse=True)))}"


def before(match: Match, seat: int) -> Match | None:
    """Return a match as it was at the last decision of a seat; None if it has made none."""
    replay = match.replay()
    lines = replay.splitlines()[1:]
    own = [n for n, line in enumerate(lines) if json.loads(line).get("seat") == seat]
    return Match.from_replay(replay, own[-1]) if own else None


def is_half_made(match: Match, seat: int) -> bool:
    """Return whether a seat has begun something that it could take back unseen."""
    return match.to_act == seat and match.view(seat)["phase"] in _HALF.get(match.spec.name, ())


def _part(view: Mapping[str, Any]) -> tuple[str, int]:
    """Return which round or game of the match is played."""
    if "round" in view:
        return "round", view["round"]
    number: int = view["match"]["game"] if "match" in view else view["game_number"]
    return "game", number

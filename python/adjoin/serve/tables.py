"""A match at the table of a room: what people may do there, and what each of them gets to see.

Nothing here waits for the network. A table may be used by any thread, by one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from adjoin import _core
from adjoin.core.match import Match

if TYPE_CHECKING:
    from adjoin.playing.sessions import Update

PERSON = "person"
"""Who sits at a seat: this, or an agent by its name."""

_NO_TIMER = "This room has no timer."
_NOT_YET = "The timer has not run out."
_NO_UNDO = "Undo is switched off in this room."
_TOO_LATE = "Somebody else has decided since; that cannot be taken back."
_NO_HINT = "Hints are switched off in this room."
_NO_NEW = "The teacher deals the next match."


class Rules(NamedTuple):
    """What people may do beside playing."""

    may_undo: bool
    may_hint: bool
    has_timer: bool
    is_time_up: bool


class Facts(NamedTuple):
    """What a room has to know of its match; none of it is secret but the replay."""

    to_act: int | None
    """Whose decision it is; None when the match is over."""
    is_thinking: bool
    """Whether it is an agent's."""
    deciders: list[tuple[int, bool]]
    """Who took each decision, and whether it was that their time was called."""
    part: tuple[str, int]
    """Which round or game it is."""
    is_half_made: bool
    """Whether somebody has begun something."""
    replay: str
    wins: tuple[float, ...]
    """What each seat has of the win, once the match is over; 1 in all, none if it was cut off."""
    points: tuple[int, ...]
    counted: str
    """What the points are: points, or games won."""


class Shown(NamedTuple):
    """What goes out: updates as JSON, for each seat its own, for onlookers theirs."""

    facts: Facts | None
    """None if nothing has changed but what one seat has chosen so far."""
    updates: dict[int, str]
    onlookers: str | None


class Table:
    """A match with people and agents at it, with the manners of a room."""

    def __init__(self, match: Match, sitters: Sequence[str], names: Sequence[str]) -> None:
        core = [PERSON if who == PERSON else ("agent", who) for who in sitters]
        self._session = _core.Session(match._core, core, list(names))
        self._people = [seat for seat, who in enumerate(sitters) if who == PERSON]
        self._facts: Facts | None = None

    @property
    def match(self) -> Match:
        """A copy of the match."""
        return Match._around(self._session.game)

    @property
    def facts(self) -> Facts:
        """What the room has to know."""
        if self._facts is None:
            self._facts = self._read()
        return self._facts

    def _read(self) -> Facts:
        match = self.match
        to_act, replay, moment = match.to_act, match.replay(), match.view(0)["moment"]
        part = moment["part"]
        return Facts(
            to_act=to_act,
            is_thinking=to_act is not None and to_act not in self._people,
            deciders=_deciders(replay),
            part=(part["noun"], part["number"]),
            is_half_made=moment["is_half_made"],
            replay=replay,
            wins=_wins(match),
            points=tuple(part["tally"]["values"]),
            counted=part["tally"]["what"],
        )

    # What is done.

    def step(self) -> None:
        """Let an agent decide, if one is to."""
        self._session.step()
        self._facts = None

    def _refusal(self, seat: int, verb: object, rules: Rules) -> str:
        if verb == "new":
            return _NO_NEW
        if verb == "hint" and not rules.may_hint:
            return _NO_HINT
        if verb == "timeout" and not rules.is_time_up:
            return _NOT_YET if rules.has_timer else _NO_TIMER
        if verb == "undo":
            return self._undo_refusal(seat) if rules.may_undo else _NO_UNDO
        return ""

    def _undo_refusal(self, seat: int) -> str:
        """An undo takes back what agents did since, never what a person did, nor a call of time."""
        for decider, is_call in reversed(self.facts.deciders):
            if is_call or (decider != seat and decider in self._people):
                return _TOO_LATE
            if decider == seat:
                return ""
        return ""

    # What is seen.

    def show(
        self,
        seats: Collection[int],
        is_watched: bool,
        rules: Rules,
        told: Mapping[int, str] | None = None,
    ) -> Shown:
        """Return what these seats get to see; onlookers too, if there are some."""
        updates = {seat: self._update(seat, rules, (told or {}).get(seat, "")) for seat in seats}
        onlookers = _json(self._session.watch()) if is_watched else None
        return Shown(self.facts, updates, onlookers)

    def answer(
        self, seat: int, message: object, seats: Collection[int], is_watched: bool, rules: Rules
    ) -> Shown:
        """Do what a message of a seat says, and return what is to be shown to whom."""
        verb = message.get("do") if isinstance(message, Mapping) else None
        refusal = self._refusal(seat, verb, rules)
        if not refusal and self._session.post(message, seat):
            self._facts = None
            return self.show({*seats, seat}, is_watched, rules)
        return Shown(None, {seat: self._update(seat, rules, refusal)}, None)

    def _update(self, seat: int, rules: Rules, told: str) -> str:
        update = self._session.update(seat)
        update["can_undo"] &= rules.may_undo and not self._undo_refusal(seat)
        update["can_hint"] = rules.may_hint
        update["has_timer"] &= rules.has_timer
        if told:
            update["message"], update["rule"], update["about"] = told, "", None
        return _json(update)


def _json(update: Update) -> str:
    return json.dumps(update, separators=(",", ":"))


def _deciders(replay: str) -> list[tuple[int, bool]]:
    decisions = map(json.loads, replay.splitlines()[1:-1])
    return [(one["seat"], "timeout" in one) for one in decisions]


def _wins(match: Match) -> tuple[float, ...]:
    returns = match.returns
    if not match.is_over or len(match.history) >= match.max_decisions:
        return (0.0,) * len(returns)
    best = [seat for seat, points in enumerate(returns) if points >= max(returns)]
    return tuple(1 / len(best) if seat in best else 0.0 for seat in range(len(returns)))

"""A board to play on in a notebook: a view of a match, which stays in the kernel."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from adjoin.match import Match
from adjoin.places import kind, naming, places, shown
from adjoin.sessions import Session, before, is_half_made
from adjoin.words import choice, choices, footnoted, named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LOG = 100
"""So many sentences of the log are shown."""
_PILES = ("pile", "pool", "discard pile")
"""What is taken from there is seen: one click does not undo one thing and do that."""
_NEWS = 4
"""So many of them are also told with the decision they lead to."""
_LOOK: dict[str, Any] = {"turn": 0, "balance": False}
"""How Domiphun is looked at at first."""
_WAIT = 0.5
"""While agents think, the board shows where they are about every so many seconds."""


class Board(anywidget.AnyWidget):
    """A match to play in a notebook: what ``adjoin.play`` returns.

    The browser gets the picture, the legal actions and the log, as the person's seat sees them;
    what it sends is checked here.
    """

    _esm = Path(__file__).parent / "board.js"
    _css = Path(__file__).parent / "board.css"

    picture = traitlets.Unicode().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, session: Session) -> None:
        self._session = session
        self._number = 0
        self._picked: list[str] = []
        self._hint: tuple[str, ...] = ()
        self._message = self._about = self._rule = ""
        self._look = dict(_LOOK)
        self._there: list[str] = []
        self._texts: list[str] = []
        self._drawn: dict[str, Any] = {"picture": "", "state": {}}
        super().__init__()
        self.on_msg(self._receive)
        self._go_on()

    @property
    def match(self) -> Match:
        """The match itself; after you have played in it, ``refresh`` the board.

        Undo and New match put another one in its place.
        """
        return self._session.match

    @property
    def sentences(self) -> list[str]:
        """What has happened, in sentences."""
        return self._session.log

    def replay(self) -> str:
        """Return the match so far, as ``Match.replay`` does."""
        return self.match.replay()

    def refresh(self) -> None:
        """Show the match as it is, let the opponents play if it is their turn."""
        self._session.recall()
        self._moved()
        self._go_on()

    def __repr__(self) -> str:
        """Return what is played and where you sit."""
        return f"<Board: {self.match!r}, you are seat {self._session.you}>"

    def _repr_mimebundle_(self, **keywords: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**keywords)
        if bundle is not None:
            bundle[0]["image/svg+xml"] = self.picture
        return bundle

    # What the browser sends.

    def _receive(self, _: Board, content: Any, buffers: Any) -> None:
        """Do what a message says; whatever it is, nothing breaks and nothing illegal is played."""
        try:
            self._message, self._about, self._rule, self._hint = "", "", "", ()
            self._answer(content if isinstance(content, dict) else {})
            self._go_on()
        except Exception as error:
            self._message = f"{type(error).__name__}: {error}"
            self._look = dict(_LOOK)
            self._show()

    def _answer(self, content: dict[str, Any]) -> None:
        answers: dict[str, Callable[[Any], None]] = {
            "play": self._play,
            "pick": self._pick,
            "drop": self._drop,
            "undo": self._undo,
            "hint": self._ask,
            "new": self._anew,
            "turn": self._turn,
            "balance": self._balance,
        }
        do, what = content.get("do"), content.get("what")
        answer = answers.get(do) if isinstance(do, str) else None
        if answer is None:
            self._message = "The board did not understand that."
        elif content.get("number") != self._number and do not in ("turn", "balance"):
            self._message = "That was meant for an earlier decision; the board has moved on."
        else:
            answer(what)

    def _play(self, action: Any) -> None:
        if action in self._legal():
            self._session.play(action)
            self._moved()
        else:
            self._message = f"{str(action)[:60]}: not among the actions here."

    def _pick(self, place: Any) -> None:
        if not isinstance(place, str) or place not in self._there:
            self._message = "There is no such place."
        elif not self._session.is_yours:
            self._message = "The match is over." if self.match.is_over else "It is not your turn."
        elif not (self._narrow(place) or self._instead(place)):
            self._message, self._rule = footnoted(self._why(place))
            self._about = place

    def _narrow(self, place: str) -> bool:
        """Pick a place, or let go of it, if there is something legal with it."""
        for picked in ([*self._picked, place], self._swapped(place)):
            left = naming(self._session.game, self._legal(), picked, self._there)
            if left:
                return self._take(picked, left)
            if place in self._picked:
                self._picked = [picked for picked in self._picked if picked != place]
                return True
        begins = not self._picked or kind(place) == kind(self._picked[0])
        if not begins and self._meant(self._swapped(place)):
            return False
        left = naming(self._session.game, self._legal(), [place], self._there)
        return self._take([place], left) if left else False

    def _swapped(self, place: str) -> list[str]:
        """Return what is picked, with a place instead of those of its kind."""
        return [*(picked for picked in self._picked if kind(picked) != kind(place)), place]

    def _take(self, picked: list[str], left: list[str]) -> bool:
        self._picked = picked
        if len(left) == 1:
            self._play(left[0])
        return True

    def _instead(self, place: str) -> bool:
        """Take back what was begun if the place is about something else that could be begun."""
        if place in _PILES:
            return False
        match: Match | None = self.match
        taken = 0
        while match is not None and is_half_made(match, self._session.you):
            match = before(match, self._session.you)
            taken += 1
            left = match and naming(self._session.game, match.legal(), [place], self._there)
            if match is not None and left:
                is_same = left == [self.match.history[len(match.history)]]
                for _ in range(taken):
                    self._undo(None)
                return is_same or self._take([place], left)
        return False

    def _drop(self, _: Any) -> None:
        if not self._picked and is_half_made(self.match, self._session.you):
            self._undo(None)
        self._picked = []

    def _undo(self, _: Any) -> None:
        taken = self._session.undo()
        if taken is None:
            self._message = "There is no decision of yours to take back."
        else:
            self._moved()
            self._message = f"Taken back: {self._label(taken)}."

    def _ask(self, _: Any) -> None:
        if self._session.is_yours:
            hint = self._session.hint()
            self._hint = places(self._session.game, hint.action, self._there)
            self._message = f"Hint: {self._label(hint.action)}, since {hint.reason}."
        else:
            self._message = "There is nothing to decide."

    def _anew(self, _: Any) -> None:
        old = self._session
        options = old.match._batch._options
        match = Match(
            old.game, seed=secrets.randbelow(10**6), limit=old.match.spec.limit, **options
        )
        self._session = Session(match, old.you, old.opponents)
        self._moved()

    def _turn(self, quarters: Any) -> None:
        if isinstance(quarters, int):
            self._look["turn"] = (self._look["turn"] + quarters) % 4

    def _balance(self, drawn: Any) -> None:
        self._look["balance"] = bool(drawn)

    # What places mean.

    def _legal(self) -> list[str]:
        return self.match.legal() if self._session.is_yours else []

    def _label(self, action: str) -> str:
        return named(action, self._session.you, self._session.names)

    def _meant(self, picked: Sequence[str]) -> list[str]:
        """Return all actions, legal or not, that name the picked places and no unseen ones."""
        if not self._texts:
            batch = self.match._batch
            self._texts = [batch.action_text(n) for n in range(self.match.spec.actions.size)]
        game, there = self._session.game, Counter(self._there)
        found = naming(game, self._texts, picked, there)
        return [text for text in found if Counter(places(game, text, there)) <= there]

    def _why(self, place: str) -> str:
        """Say why nothing can be done with a place now."""
        session, legal = self._session, self._legal()
        now = f"Now you can {choices(session.game, legal)}."
        texts = self._meant(self._swapped(place)) or self._meant([place])
        kinds = {choice(session.game, action) for action in legal}
        fitting = [text for text in texts if choice(session.game, text) in kinds]
        whys = [(text, session.why(text) or "") for text in fitting or texts]
        whys = sorted((w for w in whys if w[1]), key=lambda w: ", such as " in w[1])
        if not whys:
            return f"{place}: there is nothing to do with it now. {now}"
        reasons = {why.removeprefix(f"{text}: ") for text, why in whys}
        if len(whys) == 1:
            said = whys[0][1]
        elif len(reasons) == 1:
            said = f"{place}: {reasons.pop()}"
        else:
            said = f"{place}: no action with it is legal now; {whys[0][1]}"
        return f"{said}." if fitting else f"{said}. {now}"

    # What the browser gets.

    def _moved(self) -> None:
        """Note that there is another decision to take."""
        self._number += 1
        self._picked = []

    def _go_on(self) -> None:
        """Show the person's own move, then let the opponents play."""
        shown_at = 0.0
        while (seat := self._session.waiting_for) is not None:
            if time.monotonic() - shown_at > _WAIT:
                self._show(f"{self._session.names[seat]} is thinking …")
                shown_at = time.monotonic()
            self._session.step()
            self._number += 1
        self._message = self._message or self._news()
        self._show()

    def _news(self) -> str:
        """Say what the others have done since the person's last decision."""
        events = self._session.events
        last = [n for n, event in enumerate(events) if event.seat == self._session.you]
        said = self._session.sentences(events[last[-1] + 1 if last else 0 :])
        return "; ".join(said[-_NEWS:])

    def _show(self, thinking: str = "") -> None:
        self._drawn = {"picture": self._picture(), "state": self._state(thinking)}
        with self.hold_sync():
            self.picture = self._drawn["picture"]
            self.state = self._drawn["state"]

    def _picture(self) -> str:
        look = {name: value for name, value in self._look.items() if value}
        svg = self.match.svg(self._session.you, **look)
        self._there = shown(svg)
        return svg

    def _state(self, thinking: str) -> dict[str, Any]:
        session, legal = self._session, self._legal()
        left = naming(session.game, legal, self._picked, self._there)
        actions = [
            {
                "text": action,
                "label": self._label(action),
                "places": list(places(session.game, action, self._there)),
            }
            for action in left
        ]
        if self.match.is_over:
            status = session.result()
        elif session.is_yours:
            status = f"Your turn: {choices(session.game, left)}."
        else:
            status = thinking or "It is not your turn."
        return {
            "number": self._number,
            "title": self.match.spec.title,
            "status": status,
            "message": self._message,
            "rule": self._rule,
            "about": self._about,
            "actions": actions,
            "picked": list(self._picked),
            "hint": list(self._hint),
            "log": session.log[-_LOG:],
            "can_undo": any(event.seat == session.you for event in session.events),
            "look": dict(self._look) if session.game == "domiphun" else None,
            "is_over": self.match.is_over,
            "thinking": bool(thinking),
        }

    @traitlets.validate("picture", "state")
    def _only_ours(self, proposal: dict[str, Any]) -> Any:
        """Whatever is proposed: what the kernel has drawn."""
        return self._drawn[proposal["trait"].name]

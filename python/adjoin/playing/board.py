"""A board to play on in a notebook: a view of a session, which stays in the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from adjoin.playing.scripts import bundle, read

if TYPE_CHECKING:
    from adjoin.core.match import Match
    from adjoin.playing.sessions import Session, Update


class Board(anywidget.AnyWidget):
    """A match to play in a notebook: what ``adjoin.play`` returns.

    The browser gets the picture, the legal actions and the log, as the person's seat sees them;
    what it sends is checked by the session.
    """

    _esm = bundle("board.js")
    _css = read("board.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(self, session: Session) -> None:
        self._session = session
        self._update: Update = {}
        super().__init__()
        self.on_msg(self._receive)
        self._show(session.advance(show=self._show))

    @property
    def match(self) -> Match:
        """The match as it is now: a copy. Set it to go on from another moment, or another match.

        >>> import adjoin
        >>> board = adjoin.play("mapello", setup="othello")
        >>> match = board.match
        >>> match.play("f5")
        >>> board.match = match
        """
        return self._session.match

    @match.setter
    def match(self, match: Match) -> None:
        self._session.match = match
        self._show(self._session.advance(show=self._show))

    @property
    def sentences(self) -> list[str]:
        """What has happened, in sentences."""
        return self._session.log(self._session.facing)

    def replay(self) -> str:
        """Return the match so far, as ``Match.replay`` does."""
        return self.match.replay()

    def __repr__(self) -> str:
        """Return what is played and where you sit."""
        seats = " and ".join(map(str, self._session.people))
        return f"<Board: {self.match!r}, you are seat {seats}>"

    def _repr_mimebundle_(self, **keywords: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**keywords)
        if bundle is not None:
            is_hidden = self.state["curtain"] is not None
            bundle[0]["image/svg+xml"] = "" if is_hidden else self.match.svg(self._session.facing)
        return bundle

    def _receive(self, _: Board, content: Any, buffers: Any) -> None:
        """Do what a message says; whatever it is, nothing breaks and nothing illegal is played."""
        try:
            self._show(self._session.receive(content, show=self._show))
        except Exception as error:
            self._show({**self._session.update(), "message": f"{type(error).__name__}: {error}"})

    def _show(self, update: Update) -> None:
        self._update = self.state = update

    @traitlets.validate("state")
    def _only_ours(self, proposal: dict[str, Any]) -> Update:
        """Whatever is proposed: what the kernel has to show."""
        return self._update

"""A match of the engine, to compare a model with: as a Match, and as a batch of one lane."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pytest

import adjoin


class Rules(Protocol):
    """What every model tells."""

    def legal(self) -> set[str]: ...

    def to_act(self) -> int | None: ...

    def returns(self) -> Sequence[float]: ...


def same(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether these rewards or returns are the same to a float's precision."""
    return len(one) == len(other) and all(
        abs(a - b) < 1e-6 for a, b in zip(one, other, strict=True)
    )


class Engine:
    """The same match twice, and what has been seen of the game."""

    def __init__(
        self, game: str, options: dict[str, Any], names: list[str] | None, seen: Counter[str]
    ) -> None:
        self.game = game
        self.options = options
        self.seen = seen
        self.match = adjoin.Match(game, **options)
        self.batch = adjoin.Batch(game, **options)
        self.out = self.batch.buffers()
        self.batch.observe(self.out)
        size = self.batch.spec.actions.size
        self.names = names or [self.match.notation(n) for n in range(size)]
        self.ids = {name: n for n, name in enumerate(self.names)}
        assert size == len(self.names) == len(self.ids)
        self.last: str | None = None
        self.view = self.match.view("all")

    def agree(self) -> list[str]:
        """Compare both with the model before a decision, and return the legal actions."""
        raise NotImplementedError

    def agree_on_actions(self, model: Rules) -> list[str]:
        """Compare who may do what and has what, and return the legal actions."""
        legal, to_act, returns = model.legal(), model.to_act(), model.returns()
        listed = self.match.legal()
        assert len(listed) == len(set(listed))
        assert set(listed) == legal
        assert [self.names[n] for n in np.flatnonzero(self.out.mask[0])] == listed
        assert self.match.to_act == to_act
        assert self.out.seat[0] == (-1 if to_act is None else to_act)
        assert self.out.status[0] == (adjoin.OVER if to_act is None else adjoin.RUNNING)
        assert same(self.match.returns, returns)
        assert same(self.batch[0].returns, returns)
        return sorted(legal)

    def position(self) -> str:
        """Return the position as text, which is the same in both."""
        text = self.match.position()
        assert self.batch[0].position() == text
        return text

    def go_on_from(self, text: str) -> None:
        """Go on with matches that begin at this position, which is the model's."""
        self.match = adjoin.Match(self.game, position=text, **self.options)
        self.batch.reset(self.options["seed"], self.out)
        self.batch[0] = self.match
        self.batch.observe(self.out)
        self.last = None
        self.view = self.match.view("all")
        self.agree()

    def go_on_from_what_differs(self, position: dict[str, Any], defaults: dict[str, Any]) -> None:
        """Go on from a position that leaves out what is as by default."""
        differs = {
            key: value
            for key, value in position.items()
            if key not in defaults or value != defaults[key]
        }
        self.go_on_from(json.dumps(differs))

    def step(self, action: str) -> None:
        """Play an action in both."""
        self.match.play(action)
        self.batch.step(np.array([self.ids[action]], np.int32), self.out)

    def refuse(self, action: str) -> None:
        """Neither the match nor the batch plays an illegal action, and nothing changes."""
        assert self.match.why_not(action)
        with pytest.raises(adjoin.IllegalActionError):
            self.match.play(action)
        with pytest.raises(adjoin.IllegalActionError):
            self.batch.step(np.array([self.ids[action]], np.int32), self.out)
        self.batch.observe(self.out)
        self.view = self.match.view("all")
        self.agree()

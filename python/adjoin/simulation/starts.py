"""Where simulated matches begin, if not with a deal of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjoin.core.match import Match
from adjoin.core.spec import Spec, options_json
from adjoin.support.arguments import brief, whole


@dataclass(frozen=True)
class Start:
    """A position from which every episode goes on by chance of its own."""

    save: bytes
    """The match, as ``Match.save`` wrote it."""
    viewer: int | None = None
    """The seat whose knowledge it is: what it has not seen is guessed anew in every episode."""
    action: int | None = None
    """What is played first, whoever decides."""

    @property
    def parts(self) -> tuple[bytes, int | None, int | None]:
        """What the core takes."""
        return self.save, self.viewer, self.action

    def to_json(self) -> dict[str, Any]:
        """Return what a file says of it."""
        return {"save": self.save.hex(), "viewer": self.viewer, "action": self.action}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Start:
        """Return what ``to_json`` wrote."""
        return cls(bytes.fromhex(document["save"]), document["viewer"], document["action"])

    def match(self, game: str, options: Mapping[str, Any], seed: int, episode: int) -> Match:
        """Return the match of an episode, as it begins."""
        match = Match(game, **options)
        match.load(self.save)
        return match.branch(seed, episode, self.viewer)


def start_of(
    game: str, options: Mapping[str, Any], start: Match | str, viewer: int | None
) -> tuple[Start, dict[str, Any]]:
    """Return where matches begin, and the options of their game."""
    if isinstance(start, str):
        match = Match(game, position=start, **options)
    elif isinstance(start, Match):
        match = start
    else:
        raise TypeError(f"start = {brief(start)}: must be a match, or a position as text")
    spec = match.spec
    if spec.name != Spec.of(game, {}).name:
        raise ValueError(f"start is a match of {spec.name}: must be one of {game}")
    if match.is_over:
        raise ValueError("start is a match that is over: nothing can follow")
    given = json.loads(options_json(options))
    differing = [
        name for name in given if spec.options[name] != Spec.of(game, options).options[name]
    ]
    if differing:
        raise ValueError(
            f"start is a match with other options ({', '.join(differing)}): leave them out, "
            "those of the match hold"
        )
    if viewer is not None:
        viewer = whole("viewer", viewer, 0, spec.seats - 1)
    return Start(match.save(), viewer), spec.options

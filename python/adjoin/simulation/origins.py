"""Where a table of simulated matches comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjoin.simulation.starts import Start


@dataclass(frozen=True)
class Origin:
    """Where a table comes from: all that is needed to play its matches again."""

    game: str
    options: str
    agents: tuple[str, ...]
    seed: int
    max_decisions: int
    rotate: bool
    record: str
    seats: int
    start: Start | None = None
    plan: Any = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without functions, which often cannot be."""
        plain = self.plan is not None and all(isinstance(agent, str) for agent in self.plan.agents)
        return {**vars(self), "plan": self.plan if plain else None}

    def is_same(self, other: Origin) -> bool:
        """Tell whether it is the same run; functions of the same name are not the same agents."""
        if self != other or self.plan is None or other.plan is None:
            return self == other
        pairs = zip(self.plan.agents, other.plan.agents, strict=True)
        return all(one is two or (isinstance(one, str) and one == two) for one, two in pairs)

    def shifts(self, episodes: NDArray[Any]) -> NDArray[np.uint64]:
        """Return by how many seats the agents have moved on in the given episodes."""
        turns = episodes.astype(np.uint64) + np.uint64(self.seed)
        shifts: NDArray[np.uint64] = turns % np.uint64(self.seats if self.rotate else 1)
        return shifts

    def to_json(self) -> str:
        """Return what a file says of it."""
        names = ("game", "options", "agents", "seed", "max_decisions", "rotate", "record")
        said: dict[str, Any] = {name: getattr(self, name) for name in names}
        if self.start is not None:
            said["start"] = self.start.to_json()
        agents = self.plan.agents if self.plan else [None] * self.seats
        texts = [agent if isinstance(agent, str) else None for agent in agents]
        return json.dumps(said if None not in texts else {**said, "texts": texts})

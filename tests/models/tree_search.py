"""The searches of TreeSearch once more: slowly, on matches, without chance or hidden cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import adjoin

Numbers = NDArray[Any]
Network = Callable[[Numbers], tuple[Numbers, float]]
"""Observation row to logits of all actions and the value for the seat to act."""


class Node:
    """A position with two players."""

    def __init__(self, match: adjoin.Match) -> None:
        self.match = match
        self.seat = match.to_act
        self.children: dict[int, Node] = {}
        self.visits: dict[int, int] = {}
        self.sums: dict[int, float] = {}
        self.is_evaluated = False

    def evaluate(self, network: Network) -> float:
        """Ask the network; return the value for the seat to act."""
        row, mask = self.match.observe()
        logits, self.raw = network(row)
        self.actions = [int(action) for action in np.flatnonzero(mask)]
        chosen = logits[self.actions].astype(float)
        self.logits = dict(zip(self.actions, chosen - np.log(np.exp(chosen).sum()), strict=True))
        self.visits = dict.fromkeys(self.actions, 0)
        self.sums = dict.fromkeys(self.actions, 0.0)
        self.is_evaluated = True
        return self.raw

    def q(self, action: int, otherwise: float) -> float:
        """Return the mean value of an action."""
        visits = self.visits[action]
        return self.sums[action] / visits if visits else otherwise

    def child(self, action: int) -> Node:
        """Return the position after an action."""
        if action not in self.children:
            match = self.match.copy()
            match.play(action)
            self.children[action] = Node(match)
        return self.children[action]

    def puct(self, c_puct: float) -> int:
        """Choose as AlphaZero does."""
        all_visits = 1 + sum(self.visits.values())
        unknown = (self.raw + sum(self.sums.values())) / all_visits

        def score(action: int) -> float:
            prior = np.exp(self.logits[action])
            explore = c_puct * prior * np.sqrt(all_visits) / (1 + self.visits[action])
            return float(self.q(action, unknown) + explore)

        return max(self.actions, key=score)

    def improved(self) -> dict[int, float]:
        """Return logits improved by completed values (Danihelka et al., equations 10 and 33)."""
        tried = [action for action in self.actions if self.visits[action]]
        all_visits = sum(self.visits.values())
        mixed = self.raw
        if tried:
            weights = np.exp([self.logits[action] for action in tried])
            mean = np.dot(weights, [self.q(action, 0) for action in tried]) / weights.sum()
            mixed = (self.raw + all_visits * mean) / (1 + all_visits)
        values = {action: self.q(action, mixed) for action in self.actions}
        low, high = min(values.values()), max(values.values())
        scale = (50 + max(self.visits.values())) * 0.1 / max(high - low, 1e-8)
        return {a: self.logits[a] + (values[a] - low) * scale for a in self.actions}

    def below_root(self) -> int:
        """Choose so that visits follow the improved policy."""
        policy = softmax(self.improved())
        all_visits = sum(self.visits.values())
        return max(self.actions, key=lambda a: policy[a] - self.visits[a] / (1 + all_visits))


def softmax(logits: dict[int, float]) -> dict[int, float]:
    """Return shares of 1."""
    most = max(logits.values())
    powers = {action: float(np.exp(logit - most)) for action, logit in logits.items()}
    return {action: power / sum(powers.values()) for action, power in powers.items()}


def halving(actions: int, simulations: int) -> list[int]:
    """Return for each simulation how often an action must have been visited to be visited."""
    if actions <= 1:
        return list(range(simulations))
    visits = [0] * actions
    sequence: list[int] = []
    considered = actions
    while len(sequence) < simulations:
        rounds = int(np.ceil(np.log2(actions)))
        for _ in range(max(1, simulations // (rounds * considered))):
            sequence += visits[:considered]
            visits[:considered] = [v + 1 for v in visits[:considered]]
        considered = max(2, considered // 2)
    return sequence[:simulations]


def search(
    match: adjoin.Match,
    network: Network,
    simulations: int,
    method: str,
    *,
    c_puct: float = 1.25,
    considered: int = 16,
) -> tuple[dict[int, int], dict[int, float], int]:
    """Return visits, policy and action; Gumbel without noise."""
    root = Node(match)
    root.evaluate(network)
    wanted = halving(min(considered, len(root.actions)), simulations)

    def at_root(visits: int) -> int:
        logits = root.improved()
        allowed = [action for action in root.actions if root.visits[action] == visits]
        return max(allowed, key=lambda action: logits[action])

    for simulation in range(simulations):
        node, path = root, []
        while node.seat is not None and node.is_evaluated:
            if method == "puct":
                action = node.puct(c_puct)
            elif node is root:
                action = at_root(wanted[simulation])
            else:
                action = node.below_root()
            path.append((node, action))
            node = node.child(action)
        if node.seat is None:
            values = [float(np.sign(r - max(node.match.returns))) for r in node.match.returns]
            values = [2 * (v == 0) - 1 for v in values] if -1.0 in values else [0.0, 0.0]
        else:
            value = node.evaluate(network)
            values = [value, -value] if node.seat == 0 else [-value, value]
        for above, action in path:
            assert above.seat is not None
            above.visits[action] += 1
            above.sums[action] += values[above.seat]
    if method == "puct":
        most = max(root.visits.values())
        best = [action for action in root.actions if root.visits[action] == most]
        shares = {action: visits / simulations for action, visits in root.visits.items()}
        return root.visits, shares, max(best, key=lambda action: root.q(action, 0))
    return root.visits, softmax(root.improved()), at_root(max(root.visits.values()))

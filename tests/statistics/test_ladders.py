"""Ladders: who meets whom, and where each stands."""

from adjoin import Spec, agent_ladder
from adjoin.statistics import rungs

SEARCH = "search(iterations=5)"


def test_neighbours_meet_and_all_meet_greedy() -> None:
    """Those that do not meet have no line in the cross-table, and a rating all the same."""
    steps = agent_ladder("connections", num_games=6, searches=[SEARCH], max_turns=4)
    agents = rungs(Spec.of("connections", {"max_turns": 4}), [SEARCH])
    assert {row.agent for row in steps.ratings} == set(agents)
    for number, agent in enumerate(agents):
        met = {*agents[max(number - 1, 0) : number + 2], "greedy"} - {agent}
        expected = set(agents) - {agent} if agent == "greedy" else met
        assert set(steps.cross[agent]) == expected
    assert next(row for row in steps.ratings if row.agent == "greedy").rating == 0
    assert steps.ratings[-1].agent == "random"
    assert "random" in steps.cross_plot().svg
    assert "random" in str(steps)

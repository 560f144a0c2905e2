"""The page of each game: its spec, measured figures, a picture."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
from markup import contents, printed, python, table
from scenes import SCENES, picture

import adjoin

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from adjoin.core.spec import Spec

MATCHES = 1000
"""How many are played to measure a game."""

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "mapello": [{"setup": "free"}],
    "domiphun": [{"variant": "traditional"}, {"variant": "advanced"}],
}
"""Options with other actions and observations than the defaults'."""


def pages(root: Path) -> dict[str, str]:
    """Return the pages and pictures of all games, by path."""
    written = {"games/index.md": index(), "code/gallery.md": gallery()}
    for game in adjoin.games():
        written[f"games/{game}.md"] = page(game)
        written[f"games/{game}_rules.md"] = rules(root, game)
        match = SCENES[game].match(game)
        written[f"pictures/{game}.svg"] = match.svg(match.to_act)
        written[f"pictures/games/{game}.svg"] = picture(game)
    return written


def spec_of(game: str) -> Spec:
    """Return what stays the same with the default options."""
    return adjoin.Spec.of(game, {})


def players(spec: Spec) -> str:
    """Return how many can play."""
    found = re.search(r"(\d+) to (\d+)", spec.option_meanings.get("players", ""))
    return f"{found[1]} to {found[2]}" if found else str(spec.seats)


def gallery() -> str:
    """Return the pictures of the front page, each with its name."""
    cards = []
    for game in adjoin.games():
        spec = spec_of(game)
        cards.append(
            f":::{{container}} game\n"
            f"[![{spec.title}](/pictures/games/{game}.svg)](/games/{game}.md)\n\n"
            f"**[{spec.title}](/games/{game}.md)**, {players(spec)} players\n:::\n"
        )
    return "::::{container} gallery\n" + "\n".join(cards) + "::::\n"


def index() -> str:
    """Return the list of the games."""
    rows = []
    for game in adjoin.games():
        spec = spec_of(game)
        name = f"[{spec.title}]({game}.md)"
        rows.append((name, players(spec), spec.summary, f"[rules]({game}_rules.md)"))
    return f"""# Games

Every game has a page about its environment, and a rule page whose clauses have numbers.
Both are what the code does: one is generated from it, the other is tested clause by clause.

{table(("game", "players", "what it is", ""), rows)}

{contents(page for game in adjoin.games() for page in (game, f"{game}_rules"))}
"""


def rules(root: Path, game: str) -> str:
    """Return the rule page of a game, under a title that tells it from the other page."""
    text = (root / "src" / "games" / game / "RULES.md").read_text("utf-8")
    heading, _, rest = text.partition("\n")
    link = f"The environment: [{spec_of(game).title}]({game}.md)."
    return f"{heading}: the rules\n\n{link}\n{rest}"


def page(game: str) -> str:
    """Return the page of a game."""
    spec = spec_of(game)
    games = adjoin.simulate(game, MATCHES, seed=1)
    sections = {
        "At a glance": at_a_glance(game, spec, games),
        "Play": play(game, spec),
        "Environment": environment(game, spec),
        "Actions": actions(game),
        "Observation": observation(game),
        "Facts about an action": facts(game),
        "Rewards": spec.pay,
        "End": f"{spec.end} A match is cut off after `max_decisions` decisions, 10,000 by default.",
        "Options": options(spec),
        "Agents": agents(spec),
        "Statistics": statistics(games),
        "Versions": spec.describe().rpartition("Versions\n--------\n")[2].strip(),
    }
    text = "\n\n".join(f"## {heading}\n\n{body}" for heading, body in sections.items())
    scene = SCENES[game]
    how = f", {keywords(scene.options)}" if scene.options else ""
    return f"""# {spec.title}

{spec.summary}

![{spec.title}, a match after {scene.decisions} decisions](/pictures/{game}.svg)

*`adjoin.Match("{game}", seed={scene.seed}{how})` after {scene.decisions} decisions
of greedy players, as the seat to act sees it.*

{text}
"""


def at_a_glance(game: str, spec: Spec, games: adjoin.Table) -> str:
    """Return the facts, and what was measured."""
    seats = spec.seats
    duel = adjoin.simulate(game, MATCHES, ["greedy"] + ["random"] * (seats - 1), seed=1)
    win = duel.summary()["win share, greedy"]
    facts = {
        "players": f"{players(spec)}"
        + (f"; {seats} by default" if spec.options.get("players") else ""),
        "Gymnasium": f"`{spec.environment}`",
        "PettingZoo": f"`adjoin.{game}_v{spec.version}`",
        "actions": f"`Discrete({spec.actions.size})`, with masks",
        "observation": f"`uint8` row of {spec.observation.size}",
        "returns": f"{spec.lowest:g} to {spec.highest:g}",
        "greedy against random": f"wins {win.value:.1%} ({win.low:.1%} to {win.high:.1%}), "
        f"where {1 / seats:.0%} would be even",
    }
    greedy = adjoin.simulate(game, MATCHES, "greedy", seed=1)
    random, better = measured(games), measured(greedy)
    rows = [(figure, random[figure], better[figure]) for figure in random]
    return f"""{table(("", ""), facts.items())}

{table(("", "random agents at every seat", "greedy agents at every seat"), rows)}

Measured when this page was made, with the default options, over {MATCHES:,} matches each. The
interval is the 95% one."""


def measured(games: adjoin.Table) -> dict[str, str]:
    """Return figures that depend on who plays."""
    agent = games.agents[0]
    sample = adjoin.simulate(games.game, MATCHES // 10, agent, seed=1, record="decisions")
    legal = sample["legal"]
    own = np.bincount(sample["episode"][sample["seat"] == 0], minlength=MATCHES // 10)
    ended = [
        f"{row.what.removeprefix('ended: ')} {row.value:.1%}"
        for row in games.summary()
        if row.what.startswith("ended: ")
    ]
    return {
        "decisions in a match": length(games["decisions"]),
        "of them by one seat: an episode of its learner": length(own),
        "legal actions": f"{legal.mean():.1f} at a decision on average, {legal.max()} at most",
        "how it ends": ", ".join(ended),
    }


def length(decisions: NDArray[np.integer[Any]]) -> str:
    """Return how long matches typically are."""
    low, median, high = np.quantile(decisions, [0.05, 0.5, 0.95], method="nearest")
    return f"median {median}; nine in ten have {low} to {high}"


def play(game: str, spec: Spec) -> str:
    """Return how to play a match, with what that prints."""
    code = f"""import adjoin

match = adjoin.Match("{game}", seed=1)
print("seat", match.to_act, "may play", match.legal()[:4])
match.play(match.choose("greedy"))
print(match.history)
"""
    return f"""{python(code)}

{printed(code)}

In a notebook, `match` alone draws the table, and `adjoin.play("{game}")` opens a board to click on.
In a terminal, `adjoin play {game}`. The rules, clause by clause:
[{spec.title}: the rules]({game}_rules.md)."""


def environment(game: str, spec: Spec) -> str:
    """Return how to make the environments."""
    module = f"{game}_v{spec.version}"
    code = f"""import gymnasium
import adjoin

env = gymnasium.make("{spec.environment}", opponents="greedy", seat="rotate")
observation, info = env.reset(seed=1)
action = env.action_space.sample(mask=info["action_mask"])
observation, reward, terminated, truncated, info = env.step(action)

envs = gymnasium.make_vec("{spec.environment}", num_envs=16, opponents="random")
observations, infos = envs.reset(seed=1)

from adjoin import {module}  # PettingZoo: every seat an agent

aec = {module}.env()
aec.reset(seed=1)
"""
    more = "See [Train](../guides/train.md) for masks, opponents and many matches at once."
    return f"{python(code)}\n\n{more}"


def actions(game: str) -> str:
    """Return the blocks of action ids."""
    out = ["A mask says which actions are legal now."]
    for match, heading in variants(game, "actions"):
        rows = [
            (*where(block), meaning(block), f"`{match.notation(block.start)}`")
            for block in match.spec.actions.blocks
        ]
        head = ("ids", "block", "shape", "meaning", "the first, in words")
        size = f"`Discrete({match.spec.actions.size})`"
        out += [*heading, size, table(head, rows)]
    return "\n\n".join(out)


def observation(game: str) -> str:
    """Return the blocks of an observation row."""
    what = "What is there by seat begins with the viewer's own and goes on clockwise."
    return "\n\n".join([what, *blocks(game, "observation")])


def facts(game: str) -> str:
    """Return the blocks of a row of facts."""
    what = """What the seat to act can count about each legal action: `Batch.actions`, or
`action_facts=True` in the environments."""
    return "\n\n".join([what, *blocks(game, "facts")])


def blocks(game: str, layout: str) -> list[str]:
    """Return a table of the blocks of a row for every set of options that has its own."""
    out = []
    for match, heading in variants(game, layout):
        row: adjoin.Layout = getattr(match.spec, layout)
        head = ("bytes", "block", "shape", "meaning", "values")
        lines = [(*where(block), meaning(block), values(block)) for block in row.blocks]
        out += [*heading, f"A `uint8` row of {row.size}.", table(head, lines)]
    return out


def values(block: adjoin.Block) -> str:
    """Return what the entries of a block can be."""
    if block.classes is not None:
        return f"one of {block.classes} classes, from 0"
    added = f", written with {block.offset} added" if block.offset else ""
    return f"{-block.offset}\u00a0to\u00a0{block.high - block.offset}{added}"


def variants(game: str, layout: str) -> list[tuple[adjoin.Match, list[str]]]:
    """Return the default options, and those with another layout, each with its heading."""
    default = adjoin.Match(game)
    found: list[tuple[adjoin.Match, list[str]]] = [(default, [])]
    for chosen in VARIANTS.get(game, []):
        match = adjoin.Match(game, **chosen)
        if getattr(match.spec, layout) != getattr(default.spec, layout):
            found.append((match, [f"### {layout.title()} with `{keywords(chosen)}`"]))
    return found


def where(block: adjoin.Block) -> tuple[str, str, str]:
    """Return the range of a block, its name and its shape."""
    ids = f"{block.start}" if block.size == 1 else f"{block.start}\u2060–\u2060{block.stop - 1}"
    return ids, f"`{block.name}`", "\u00a0×\u00a0".join(map(str, block.shape)) or "1"


def meaning(block: adjoin.Block) -> str:
    """Return what the entries of a block mean, with their names if they are few."""
    text = block.meaning + (", by seat" if block.by_seat else "")
    names = block.labels if len(block.labels) <= 9 else ()
    return f"{text}: {', '.join(names)}" if any(len(name) > 1 for name in names) else text


def options(spec: Spec) -> str:
    """Return the options with their defaults."""
    rows = [
        (f"`{name}`", f"`{json.dumps(spec.options[name])}`", text)
        for name, text in spec.option_meanings.items()
    ]
    return f"""Keyword arguments of `Match`, `Batch`, `simulate`, `play` and the environments.

{table(("option", "default", "meaning"), rows)}"""


def agents(spec: Spec) -> str:
    """Return the built-in agents."""
    names = "\n".join(f"- `{agent}`" for agent in spec.agents)
    return f"""Texts for `opponents`, `simulate`, `tournament`, `play` and `match.choose`.
What stands in brackets can be changed.

{names}"""


def statistics(games: adjoin.Table) -> str:
    """Return the columns of a table of matches, those of all seats as one."""
    rows = []
    for name, text in games.meanings.items():
        stem, _, seat = name.rpartition("_")
        if seat == "0":
            rows.append((f"`{name}` … `{stem}_{games.seats - 1}`", f"{text}, by seat"))
        elif not (seat.isdigit() and f"{stem}_0" in games.meanings):
            rows.append((f"`{name}`", text))
    return f"""The columns of `adjoin.simulate`, a row a match.

{table(("column", "meaning"), rows)}"""


def keywords(chosen: dict[str, Any]) -> str:
    """Return options as one writes them in a call."""
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in chosen.items())

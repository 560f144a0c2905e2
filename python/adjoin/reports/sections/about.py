"""What was measured: the game, the few numbers that say most, its own figures, and how."""

from __future__ import annotations

import json
from typing import Any

from adjoin.core.spec import options_json
from adjoin.reports.documents import Grid, Part, Section, as_json, as_text
from adjoin.reports.runs import Runs
from adjoin.statistics.intervals import Interval
from adjoin.statistics.summaries import Summary, summarise


def opening(runs: Runs) -> Part:
    """Return what the game is, and which options were given."""
    spec, given = runs.spec, json.loads(options_json(runs.options))
    words = [spec.summary, f"{spec.seats} players. {spec.end} {spec.rewards}"]
    if given:
        words.append(f"Options: {', '.join(f'{n} = {_short(v)}' for n, v in given.items())}.")
    facts = {
        "game": spec.name,
        "title": spec.title,
        "players": spec.seats,
        "options": spec.options,
        "given": given,
    }
    return Part(Section("", tuple(words)), facts)


def options(runs: Runs) -> Part:
    """Return all options."""
    spec, given = runs.spec, json.loads(options_json(runs.options))
    rows = tuple(
        (name, _short(spec.options[name]) + (" (given)" if name in given else ""), meaning)
        for name, meaning in spec.option_meanings.items()
    )
    return Part(Section("Options", (), Grid(("option", "value", "meaning"), rows)), {})


def repeats(runs: Runs) -> Part:
    """Return which games are one match again and again, if there are any."""
    figures = {
        who: {"games": each.games, "distinct": each.distinct, "counted": each.left}
        for who, each in runs.matches.items()
    }
    rows = tuple(
        (who, f"{each.games:,}", f"{each.distinct:,}", f"{each.left:,}")
        for who, each in runs.matches.items()
        if each.notice
    )
    words = (
        "Some of the games are one match again. Where agents leave nothing to chance from this "
        "start, a match that is repeated counts once."
    )
    grid = Grid(("agents", "games", "distinct matches", "games that count"), rows)
    return Part(Section("Repeated matches", (words,), grid) if rows else None, {"matches": figures})


def glance(figures: dict[str, Any]) -> Section:
    """Return the few numbers that say most."""
    length, choice = figures["length"]["greedy"], figures["choice"]["greedy"]
    rows = [
        ("decisions in a match", as_text(length["decisions"]["mean"])),
        ("legal actions at a decision", as_text(choice["legal actions"])),
        ("shared wins", as_text(figures["endings"]["greedy"]["shared wins"], "%")),
        ("win share of who begins", as_text(figures["seats"]["greedy"]["first"], "%")),
        ("lead changes in a match", as_text(figures["course"]["greedy"]["lead changes"])),
    ]
    if length["turns"] != length["decisions"]:
        rows.insert(1, ("turns in a match", as_text(length["turns"]["mean"])))
    fair = f"{figures['fair share']:.0%}"
    for step in figures["skill"]:
        what = f"win share of {step['agent']} among {step['among']} (fair: {fair})"
        rows.append((what, as_text(step["win share"], "%")))
    for weak, parts in figures["luck"].items():
        what = f"results of greedy among {weak} explained by who plays"
        rows.append((what, as_text(parts["agents"], "%")))
    words = "Greedy agents at every seat, unless said otherwise. Brackets hold 95% intervals."
    return Section("At a glance", (words,), Grid(("figure", "value"), tuple(rows)))


def own_figures(runs: Runs) -> Part:
    """Return what is counted in this game alone."""
    found = {agent: _figures_of(summarise(table), agent) for agent, table in runs.even.items()}
    meanings = {
        row.what.removesuffix(", greedy"): row.note for row in summarise(runs.even["greedy"])
    }
    rows = tuple(
        (
            name.replace("_", " "),
            *(str(figures[name]) for figures in found.values()),
            meanings[name],
        )
        for name in found["greedy"]
    )
    figures = {
        agent: {name: as_json(value) for name, value in own.items()} for agent, own in found.items()
    }
    words = "Means over matches, and over the seats where every seat has its own."
    grid = Grid(("figure", *(f"{agent} agents" for agent in found), "what it is"), rows)
    return Part(Section("The game's own figures", (words,), grid), {"own": figures})


def _figures_of(summary: Summary, agent: str) -> dict[str, Interval]:
    """Return the scores and what is counted in this game alone."""
    elsewhere = {"shared wins", "decisions", "turns", "rounds", "distinct matches"}
    return {
        row.what.removesuffix(f", {agent}"): row.interval
        for row in summary
        if row.what not in elsewhere and not row.what.startswith(("win share, ", "ended: "))
    }


def how_measured(runs: Runs) -> Part:
    """Return how to measure it again."""
    from adjoin import __version__

    spec = runs.spec
    duels = 0 if runs.search is None else runs.matches[f"{runs.search} among greedy"].games
    given = "".join(f", {name}={value!r}" for name, value in runs.options.items())
    again = f'adjoin.report("{spec.name}", episodes={runs.episodes}, seed={runs.seed}'
    again += f", search={runs.search!r}"
    again += f", duels={duels}" if duels else ""
    words = (
        f"adjoin {__version__}, rules v{spec.version}, seed {runs.seed}. {runs.episodes:,} matches "
        "each of random agents, of greedy agents, and of a greedy one among random ones; choice "
        f"and course from the first {runs.sample:,} of the former. Agents move on by a seat from "
        "match to match. Matches are the independent observations.",
        "Shares have score intervals (Wilson's, if no win is shared), means Student's, speeds "
        "Student's of their logarithms, standard deviations, quantiles and parts of the variance "
        "bootstrap intervals; all at 95%. p is how likely chance alone is so far from fair (score "
        "test; where the furthest of more than two seats is meant, times their number).",
        f"To measure the same again (but for the speed): {again}{_cut(given)})",
    )
    figures = {
        "version": __version__,
        "rules": spec.version,
        "seed": runs.seed,
        "episodes": runs.episodes,
        "sample": runs.sample,
        "search": runs.search,
        "duels": duels,
        "threads": runs.threads,
    }
    return Part(Section("How it was measured", words), {"measured": figures})


def _short(value: object) -> str:
    """Return an option as a short text."""
    if value is None:
        return "none"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _cut(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:199]}…"

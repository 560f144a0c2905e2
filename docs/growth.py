"""The tables and charts of the page about growth, from what `make bench-growth` has measured.

``python docs/growth.py`` reads out/growth.json and, if `make bench-cluster` has written it,
out/cluster.json, draws docs/static/growth anew, and puts the tables into the page between its
marks. The sentences around them are written by hand: read them again.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from adjoin.reports.charts import Band, Chart, lines

DOCS = Path(__file__).resolve().parent
OUT = DOCS.parent / "out"
PAGE = DOCS / "pages" / "guides" / "growth.md"
FOLDER = DOCS / "static" / "growth"

Rows = Sequence[Mapping[str, Any]]

WORKERS = 1_000
"""Machines of the cluster on paper, a worker each."""
PARTS_EACH, PART = 4, 65_536
"""Parts that a worker gets by default, and the most games of one."""
NETWORK = 1.25e9
"""Bytes a second that reach the caller: 10 Gbit/s."""
RUNS = {
    "Mapello, random": 10**9,
    "Mapello, greedy": 10**9,
    "Mapominoes, greedy": 10**8,
    "Mapello, 100 iterations a decision": 10**8,
}
"""How many games of each kind are to be played on paper."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown; what is not in the first column is set to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def short(value: float) -> str:
    """Return a number with three digits or so."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def best(row: Mapping[str, Any], kind: str) -> str:
    """Return the least disturbed of what was measured at a point, nothing if it was skipped."""
    return short(min(row[kind])) if row[kind] else ""


def of_line(points: Rows, line: str) -> dict[str, list[Mapping[str, Any]]]:
    """Return the points of a line by their games."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for point in points:
        if point["line"] == line:
            found.setdefault(point["subject"], []).append(point)
    return found


# The tables.


def machine(about: Mapping[str, Any]) -> str:
    """Return what was measured on, in a sentence."""
    caches = ", ".join(f"{level} {size}" for level, size in about["caches"].items())
    return (
        f"Measured on a virtual machine with {about['cores']} cores ({about['model']}; {caches} of "
        f"data cache as one core sees it), {about['memory'] / 2**30:.0f} GiB of memory, Python "
        f"{about['python']}; load {about['load']:.1f} at the end (1 to 2 without other work)."
    )


def by_lanes(points: Rows) -> str:
    """Return nanoseconds per decision, a row for each number of lanes."""
    found = of_line(points, "lanes")
    rows = []
    for places in zip(*found.values(), strict=True):
        cells = (best(place, "step") or place["skipped"] for place in places)
        rows.append([places[0]["value"], *cells])
    return table(["lanes", *found], rows)


def shares(points: Rows) -> str:
    """Return what writing the rows takes, and what the same bytes take that numpy fills."""
    found = of_line(points, "lanes")
    head = ["rows / the same bytes filled", *found]
    rows = []
    for places in zip(*found.values(), strict=True):
        cells = (
            f"{written} / {best(place, 'fill')}" if (written := best(place, "rows")) else ""
            for place in places
        )
        rows.append([places[0]["value"], *cells])
    return table(head, rows)


def memory(about: Mapping[str, Any], rows: Rows) -> str:
    """Return what a lane takes, counted and measured, and how many lanes caches hold."""
    caches = {
        level: int(size.removesuffix("K")) * 1024
        for level, size in about["caches"].items()
        if level != "L1"
    }
    head = ["bytes", "observation", "mask", "row in all", "lane", "both", "resident at the peak"]
    made = []
    for row in rows:
        counted = ("observation", "mask", "row_bytes", "lane_bytes", "bytes")
        cells = [row["subject"], *(f"{row[name]:,}" for name in counted)]
        cells.append(f"{row['resident']:,.0f} of {row['lanes']:,} lanes")
        made.append([*cells, *(f"{size // row['bytes']:,}" for size in caches.values())])
    return table([*head, *(f"lanes in {level}" for level in caches)], made)


def by_threads(points: Rows) -> str:
    """Return nanoseconds per decision with 1, 2 and 4 threads."""
    rows = []
    found = of_line(points, "threads")
    numbers = [place["value"] for place in next(iter(found.values()))]
    for name, places in found.items():
        steps = [best(place, "step") for place in places]
        rows.append([name, *steps, *(best(place, "games") for place in places)])
    head = [f"{kind}, {number}" for kind in ("step", "games") for number in numbers]
    return table(["threads", *head], rows)


def by_value(points: Rows, line: str) -> str:
    """Return all that was measured on a line, a row for each point."""
    head = [line, "decisions a match", "legal actions", "step", "rows", "fill", "games", "bytes"]
    rows = []
    for name, places in of_line(points, line).items():
        for place in places:
            measured = (best(place, kind) for kind in ("step", "rows", "fill", "games"))
            what = f"{name}, {place['value']}"
            about = (short(place[kind]) for kind in ("decisions", "legal"))
            rows.append([what, *about, *measured, f"{place['bytes']:,}"])
    return table(head, rows)


# The charts.


def charts(points: Rows) -> dict[str, Chart]:
    """Return a chart for each line."""
    up = "nanoseconds per decision"

    def steps(line: str, at: str) -> dict[str, Band]:
        found = {}
        for name, places in of_line(points, line).items():
            measured = [place for place in places if place["step"]]
            figures = [min(place["step"]) for place in measured]
            found[name] = Band([where(place, at) for place in measured], figures)
        return found

    threads = {}
    for name, places in of_line(points, "threads").items():
        figures = [min(place["step"]) for place in places]
        times = [figures[0] / figure for figure in figures]
        threads[name] = Band([where(place, "threads") for place in places], times)
    (places,) = of_line(points, "table").values()
    cells = [where(place, "cells") for place in places]
    tables = {
        name: Band(cells, [min(place[kind]) for place in places])
        for name, kind in {
            "step": "step",
            "of it rows": "rows",
            "the same bytes filled": "fill",
        }.items()
    } | {"bytes": Band(cells, [place["bytes"] for place in places])}
    return {
        "lanes": lines(
            steps("lanes", "lanes"), title="Lanes", x="lanes", y=up, marked=True, powers=True
        ),
        "threads": lines(
            threads, title="Threads", x="threads", y="times as fast as one", marked=True
        ),
        "players": lines(
            steps("players", "value"), title="Players", x="players", y=up, marked=True, powers=True
        ),
        "table": lines(
            tables,
            title="Mapominoes: size of the table",
            x="cells",
            y=f"{up}, and bytes",
            marked=True,
            powers=True,
        ),
        "values": lines(
            steps("values", "value"),
            title="Domiphun: values",
            x="values",
            y=up,
            marked=True,
            powers=True,
        ),
        "length": lines(
            steps("length", "decisions"),
            title="Length of a match",
            x="decisions of a match",
            y=up,
            marked=True,
            powers=True,
        ),
    }


def where(place: Mapping[str, Any], at: str) -> float:
    """Return where on its line a point is."""
    if at == "cells":
        wide, high = place["options"]["table"]
        return float(wide * high)
    return float(place[at])


# The cluster.


def cluster(found: Mapping[str, Any]) -> str:
    """Return what calls and parts cost on the cluster."""

    def row(name: str, cost: Mapping[str, Any], count: int) -> list[str]:
        wall, caller = (1e3 * statistics.median(cost[kind]) / count for kind in ("wall", "caller"))
        moved = statistics.median(cost["moved"]) / count
        return [name, f"{wall:.2f}", f"{caller:.2f}", short(moved)]

    rows = [row("an empty call, one after another", found["alone"], found["alone"]["count"])]
    for cost in found["sizes"]:
        name = f"{cost['count']} calls at once that answer with {cost['size']:,} bytes"
        rows.append(row(name, cost, cost["count"]))
    for kind, place in {"shards": "two workers", "here": "one thread, no cluster"}.items():
        for cost in found[kind]:
            name = f"{cost['games']:,} games of Mapello in {cost['parts']} parts, {place}"
            rows.append(row(name, cost, cost["parts"]))
    return table(["each call or part", "ms", "of the caller, ms", "bytes moved"], rows)


def starting(found: Mapping[str, Any]) -> str:
    """Return what it takes until work is done."""
    laps = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in found["starting"].items())
    return f"Ray {found['about']['ray']}. Until work is done: {laps}."


def slope(rows: Rows, kind: str) -> float:
    """Return seconds for each part more."""
    few, many = rows[0], rows[-1]
    more = statistics.median(many[kind]) - statistics.median(few[kind])
    return float(more / (many["parts"] - few["parts"]))


def thousand(found: Mapping[str, Any]) -> str:
    """Return the arithmetic for a thousand machines."""
    games = {game["name"]: game for game in found["references"]}
    largest = found["sizes"][-1]
    a_part = max(0.0, slope(found["shards"], "caller"))
    a_call = statistics.median(found["alone"]["wall"]) / found["alone"]["count"]
    a_byte = statistics.median(largest["wall"]) / (largest["count"] * largest["size"])
    columns = []
    for name, number in RUNS.items():
        seconds, size = games[name]["seconds"], games[name]["bytes"]
        part = min(PART, -(-number // (PARTS_EACH * WORKERS)))
        parts = -(-number // part)
        playing, last, waiting = (
            number * seconds / WORKERS,
            part * seconds,
            parts / WORKERS * a_call,
        )
        results = number * size
        calls, receiving, network = parts * a_part, results * a_byte, results / NETWORK
        ends = {
            "workers": playing + last + waiting,
            "caller": calls + receiving,
            "network": network,
        }
        longest = max(ends, key=lambda end: ends[end])
        columns.append(
            [
                f"{name}, {number:,} games",
                f"{number * seconds:,.0f} s",
                f"{short(playing)} s",
                f"{parts:,} of {part:,}",
                f"{short(last)} s",
                f"{short(waiting)} s",
                f"{short(ends['workers'])} s",
                f"{short(results / 1e9)} GB",
                f"{short(calls)} s",
                f"{short(receiving)} s",
                f"{short(ends['caller'])} s",
                f"{short(network)} s",
                f"{short(ends[longest])} s: {longest}",
                f"{number * seconds / ends[longest]:,.0f}",
            ]
        )
    names = [
        f"{WORKERS:,} workers",
        "a. one core: games × seconds a game",
        f"b. playing: a ÷ {WORKERS:,}",
        f"c. parts: {PARTS_EACH} a worker, {PART:,} games at most",
        "d. straggler: one part",
        f"e. calls: parts ÷ {WORKERS:,} × {1e3 * a_call:.2f} ms",
        "**workers: b + d + e**",
        "f. results: games × bytes a game",
        f"g. the caller hears of them: parts × {1e3 * a_part:.2f} ms",
        f"h. the caller's machine receives them: f × {1e9 * a_byte:.2f} s a GB",
        "**caller: g + h**",
        "**network: f ÷ 1.25 GB/s**",
        "**the longest of the three**",
        "as fast as so many cores: a ÷ the longest",
    ]
    head, *rows = ([name, *cells] for name, *cells in zip(names, *columns, strict=True))
    return table(head, rows)


def put(page: str, name: str, content: str) -> str:
    """Return a page with something new between the marks of that name."""
    marks = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(marks[0])}.*?{re.escape(marks[1])}", re.S)
    made, times = pattern.subn(lambda _: f"{marks[0]}\n\n{content}\n\n{marks[1]}", page)
    if times != 1:
        raise SystemExit(f"{PAGE.name} has the marks of {name} {times} times, not once")
    return made


def main() -> None:
    """Draw, and write the tables."""
    found = json.loads((OUT / "growth.json").read_text("utf-8"))
    points = found["points"]
    made = {
        "machine": machine(found["about"]),
        "lanes": by_lanes(points),
        "rows": shares(points),
        "memory": memory(found["about"], found["memory"]),
        "threads": by_threads(points),
        **{line: by_value(points, line) for line in ("players", "table", "values", "length")},
    }
    measured = OUT / "cluster.json"
    if measured.is_file():
        costs = json.loads(measured.read_text("utf-8"))
        made |= {
            "starting": starting(costs),
            "cluster": cluster(costs),
            "thousand": thousand(costs),
        }
    page = PAGE.read_text("utf-8")
    for name, content in made.items():
        page = put(page, name, content)
    PAGE.write_text(page, "utf-8")
    FOLDER.mkdir(exist_ok=True)
    for name, chart in charts(points).items():
        chart.save(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()

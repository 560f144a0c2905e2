"""A sweep in a folder: its matches as Parquet files, and what is finished as JSON."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from adjoin.simulation.tables import Table
from adjoin.statistics.summaries import Row, Summary
from adjoin.support.arguments import brief
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjoin.simulation.streams import Stream
    from adjoin.statistics.sweep_points import Shown

_ABOUT = "sweep.json"
_SUMMARY = "summary.json"
_LEAST, _PARTS = 100, 32
"""Matches in a file, at least; files of a point, at most."""


class SweepFolder:
    """A folder with ``sweep.json``, which says what the sweep is, and a folder for each point.

    That of a point is named by what was varied, such as ``players=3/table=(14,10)``, which readers
    of Parquet understand as columns, and has ``summary.json`` once the point is finished.
    """

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        need("pyarrow.parquet", "adjoin[parquet]")
        self.path = Path(path)
        self.part = max(_LEAST, -(-int(about["num_games"]) // _PARTS))
        """How many matches are in a file: what is lost when a point is stopped in the middle."""
        self.path.mkdir(parents=True, exist_ok=True)
        file, mine = self.path / _ABOUT, json.loads(json.dumps(about))
        if not file.exists():
            _write(file, mine)
        there = _read(file, "use another folder")
        if there != mine:
            raise ValueError(
                f"{self.path} has another sweep: {_difference(there, mine)}; use another folder"
            )

    def of(self, shown: Mapping[str, Shown]) -> Path:
        """Return the folder of a point."""
        parts = (f"{name}={str(value).replace(', ', ',')}" for name, value in shown.items())
        return self.path.joinpath(*(quote(part, safe="=(),") for part in parts))

    def finished(self, shown: Mapping[str, Shown]) -> Summary | None:
        """Return what came of a point, if it is finished."""
        file = self.of(shown) / _SUMMARY
        if not file.exists():
            return None
        found = _read(file, "remove it, and the same call makes it again")
        rows = tuple(
            Row(what, **{**row, "low": _end(row["low"], -1), "high": _end(row["high"], 1)})
            for what, row in found["figures"].items()
        )
        return Summary(found["title"], rows, found["notice"])

    def play(self, shown: Mapping[str, Shown], stream: Stream) -> Summary:
        """Play what is missing of a point, and keep what came of it."""
        folder = stream.to_parquet(self.of(shown))
        summary = Table.read_parquet(folder).summary()
        kept = {"title": summary.title, "notice": summary.notice, "figures": summary.to_dict()}
        _write(folder / _SUMMARY, kept)
        return summary


def _write(file: Path, document: Any) -> None:
    """Write JSON; the file appears when it is whole."""
    partial = file.with_name(file.name + ".partial")
    partial.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(partial, file)


def _read(file: Path, remedy: str) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file} is damaged ({error}): {remedy}") from error


def _end(value: float | None, sign: int) -> float:
    return sign * math.inf if value is None else value


def _difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Return the first thing in which two sweeps differ, in words."""
    one, two = ({**each, **each["options"], **each["varied"]} for each in (there, here))
    for name in dict.fromkeys([*one, *two]):
        if name not in ("options", "varied") and one.get(name) != two.get(name):
            words = (brief(each[name]) if name in each else "not given" for each in (one, two))
            return "{} is {} there, and {} here".format(name, *words)
    return "there, other things are varied"

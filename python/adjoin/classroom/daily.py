"""The way of the day: from a region to another by borders, the same for everybody on a date.

- ``daily_page("uk-counties")``: a page that stands alone, with the ways of all dates
- ``Daily.make("uk-counties").pair(date(2026, 11, 18))``: from where to where

Which two regions a date has follows from the borders alone; ``screen/daily_way.js`` computes the
same, and a test compares them. Whoever changes that changes what a class has begun to play.
"""

from __future__ import annotations

import datetime
import functools
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.scope import Scope
from adjoin.classroom.screen import FOLDER, page_of
from adjoin.data.atlas import Atlas, Region
from adjoin.playing.scripts import bundle, read

FIRST_DAY = datetime.date(2026, 1, 1)
"""The day with the number 1."""

MOST_BYTES = 250_000
"""How large a page is at most."""

_YEAR = 366
_USUAL = range(3, 10)
"""How many borders lie between the ends of a usual way."""
_LEAST = 2
_SEED = 20260101


@dataclass(frozen=True, eq=False)
class Daily:
    """The ways of all dates on an atlas, or on a part of one."""

    scope: Scope

    @staticmethod
    def make(
        atlas: str | Atlas = "uk-counties",
        *,
        nations: str | Iterable[str] | None = None,
        regions: str | Iterable[str] | None = None,
        editions: str | Iterable[str] | None = None,
        names: str | None = None,
    ) -> Daily:
        """Return the ways on an atlas; what it takes is as in ``Quiz.make``.

        >>> daily = Daily.make("uk-counties")
        >>> daily.pair(datetime.date(2026, 11, 18))
        (<Region Kent>, <Region East Lothian>)
        """
        scope = Scope.make(atlas, nations=nations, regions=regions, editions=editions, names=names)
        daily = Daily(scope)
        if not daily.pairs:
            raise ClassroomError(
                f"a way of the day needs two {scope.noun[1]} that {_LEAST} borders or more lie "
                f"between; there are none among {scope.size()}"
            )
        return daily

    @functools.cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The ids of both ends, from the first day on; after the last the first comes again.

        No two are the same. Ways of 3 to 9 borders; if those are too few for a year, all of 2
        borders and more.
        """
        found = list(self._between(_USUAL))
        if len(found) < _YEAR:
            found = list(self._between(range(_LEAST, len(self.scope.ids) + 1)))
        numbers = _numbers(_SEED)
        for place in range(len(found) - 1, 0, -1):
            other = next(numbers) % (place + 1)
            found[place], found[other] = found[other], found[place]
        return tuple((b, a) if next(numbers) % 2 else (a, b) for a, b in found)

    def _between(self, borders: range) -> Iterator[tuple[str, str]]:
        ids, steps = self.scope.ids, self.scope.steps
        for number, one in enumerate(ids):
            for other in ids[number + 1 :]:
                if steps[one].get(other, 0) in borders:
                    yield one, other

    @property
    def tag(self) -> str:
        """What stands for the atlas and its part, as in the code of a quiz."""
        return "-".join((self.scope.tag, *(area.tag for area in self.scope.areas)))

    def number(self, date: datetime.date) -> int:
        """Return the number of a date; 1 January 2026 has 1."""
        return (date - FIRST_DAY).days + 1

    def pair(self, date: datetime.date) -> tuple[Region, Region]:
        """Return from where to where the way of a date leads."""
        one, other = self.pairs[(self.number(date) - 1) % len(self.pairs)]
        return self.scope.atlas[one], self.scope.atlas[other]

    def allowed(self, date: datetime.date) -> int:
        """Return how many guesses the way of a date has: those needed, and some."""
        start, end = self.pair(date)
        needed = self.scope.steps[start.id][end.id] - 1
        return needed + 3 + needed // 3

    def off(self, date: datetime.date, region: str | Region) -> int | None:
        """Return how many borders a region is off the nearest shortest way; none lead there: None.

        >>> daily, date = Daily.make("uk-counties"), datetime.date(2026, 11, 18)
        >>> [daily.off(date, name) for name in ("Lincolnshire", "Norfolk", "Orkney")]
        [0, 1, None]
        """
        start, end = (found.id for found in self.pair(date))
        steps, key = self.scope.steps, self.scope.atlas[region].id
        if key not in steps:
            raise ClassroomError(f"{self.scope.called(key)} is not {self.scope.where}")
        needed = steps[start][end]
        on_way = (k for k, n in steps[start].items() if n + steps[end][k] == needed)
        return min((steps[key][other] for other in on_way if other in steps[key]), default=None)

    def page(self) -> str:
        """Return the ways of all dates as a page that stands alone."""
        book = self.scope.book
        plain = book.to_json()
        spoken = {key: self.scope.spoken(key) for key in self.scope.ids}
        data = {
            "title": self.scope.title,
            "spoken": {key: text for key, text in spoken.items() if text != book.name(key)},
            "key": self.tag,
            "first": FIRST_DAY.isoformat(),
            "book": {
                **plain,
                **{pools: {"region": plain[pools]["region"]} for pools in ("names", "spellings")},
                "short": {"region": plain["short"]["region"]},
            },
            "map": self.scope.map,
        }
        style = "\n".join(read(name, FOLDER) for name in ("quiz.css", "map.css", "daily.css"))
        title = f"The way of the day · {self.scope.title}"
        text = page_of(title, style, {"quiz": data, "options": {}}, bundle("daily.js", FOLDER))
        if len(text.encode()) > MOST_BYTES:
            size = f"{len(text.encode()) // 1000} kB"
            raise ClassroomError(f"the page has {size}, at most {MOST_BYTES // 1000} are allowed")
        return text


def daily_page(
    atlas: str | Atlas = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    regions: str | Iterable[str] | None = None,
    editions: str | Iterable[str] | None = None,
    names: str | None = None,
) -> str:
    """Return the way of the day as a web page: no Python, no network, no account.

    Two regions are given; what lies between them is typed, appears on the map and is coloured by
    how far it is off a shortest way. Everybody has the same way on a date, and past days can be
    played. ``atlas`` and what follows are as in ``Quiz.make``.
    """
    return Daily.make(
        atlas, nations=nations, regions=regions, editions=editions, names=names
    ).page()


def save_daily_page(
    path: str | os.PathLike[str], atlas: str | Atlas = "uk-counties", **part: Any
) -> Path:
    """Write the page of ``daily_page`` to a file, or to one named after the atlas in a folder."""
    daily = Daily.make(atlas, **part)
    target = Path(path)
    if target.is_dir():
        target /= f"daily-{daily.tag.lower()}.html"
    elif target.suffix.lower() not in (".html", ".htm"):
        raise ClassroomError(f"{target.name}: the name must end in .html")
    target.write_text(daily.page(), encoding="utf-8", newline="\n")
    return target


def _numbers(seed: int) -> Iterator[int]:
    """Go through whole numbers below 2 to the 32nd that look like chance: Marsaglia's xorshift."""
    while True:
        seed ^= seed << 13 & 0xFFFFFFFF
        seed ^= seed >> 17
        seed ^= seed << 5 & 0xFFFFFFFF
        yield seed

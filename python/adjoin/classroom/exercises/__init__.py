"""The kinds of questions.

The level of a question follows from facts:

=============== ========================= ======================== ===========================
kind            level 1                   level 2                  level 3
=============== ========================= ======================== ===========================
borders         1 to 3 neighbours         4 or 5                   6 and more
shared, yes     neither has more than 4   nor more than 6          more, or in two nations
                borders
shared, no      4 borders apart or more   3 borders apart          2 borders apart
odd             the odd one is 4 borders  3 borders away           2 borders away
                away or more
way             2 borders                 3 or 4                   5 to 7
seas            1 sea; none far from one  2 seas; none near one    3 and more
nation          all neighbours in the     at most half of them     more elsewhere, or in two
                same                      elsewhere                nations itself
from_neighbours 5 neighbours and more     3 or 4                   1 or 2
find, marked    the largest third of the  the middle third         the smallest third
                regions on the map
colour          1 to 3 neighbours         4 or 5                   6 and more
trace           2 borders                 3 or 4                   5 to 7
sea_map         1 sea                     2 seas                   3 and more
chain           2 are missing             3                        4
capital         the choices are far away  the choices are near     no choices
city_region     no wrong region is        one of them is           all are
                joined to the right one
link            the wrong ones join       they join one of them    no choices
                neither region
=============== ========================= ======================== ===========================

Regions that no way connects count as far apart.
"""

from __future__ import annotations

from typing import Any

from adjoin.classroom.exercises.borders import Borders, FromNeighbours, Odd, Shared
from adjoin.classroom.exercises.capitals import Capital
from adjoin.classroom.exercises.cities import CityRegion, Link
from adjoin.classroom.exercises.kinds import LEVELS, Candidate, Kind, Stock
from adjoin.classroom.exercises.locations import Nation, Seas
from adjoin.classroom.exercises.on_map import Colour, Find, Marked, SeaMap, Trace
from adjoin.classroom.exercises.paths import Chain, Way
from adjoin.classroom.exercises.question import FORMS, Answer, Grade, Question

__all__ = [
    "FORMS",
    "KINDS",
    "LEVELS",
    "Answer",
    "Candidate",
    "Grade",
    "Kind",
    "Question",
    "Stock",
]

KINDS: dict[str, Kind[Any]] = {
    kind.name: kind
    for kind in (
        Borders(),
        Shared(),
        Odd(),
        Way(),
        Seas(),
        Nation(),
        FromNeighbours(),
        Chain(),
        Capital(),
        Find(),
        Marked(),
        Colour(),
        Trace(),
        SeaMap(),
        CityRegion(),
        Link(),
    )
}
"""Every kind by its name."""

"""The sections of a report: each a function of what was played, in the order of the page."""

from __future__ import annotations

from collections.abc import Callable

from adjoin.reports.documents import Part
from adjoin.reports.runs import Runs
from adjoin.reports.sections.about import (
    glance,
    how_measured,
    opening,
    options,
    own_figures,
    repeats,
)
from adjoin.reports.sections.fairness import agents, luck, seats, skill
from adjoin.reports.sections.inside import cards, places
from adjoin.reports.sections.shape import choice, course, endings, length
from adjoin.reports.sections.speed import speed

SECTIONS: tuple[Callable[[Runs], Part], ...] = (
    opening,
    repeats,
    length,
    choice,
    endings,
    course,
    seats,
    skill,
    luck,
    agents,
    cards,
    places,
    own_figures,
    options,
    speed,
    how_measured,
)
"""A new section is a function of its own, put here where it belongs."""

__all__ = ["SECTIONS", "glance"]

"""Facts of Mapello."""

from __future__ import annotations

from typing import Any

RULEBOOK_SETUP: dict[str, Any] = {
    "setup": "fixed",
    "walls": [(1, 1), (1, 8), (2, 6), (3, 2), (6, 7), (7, 3), (8, 1), (8, 8)],
    "bonuses": [(1, 3), (1, 5), (2, 8), (3, 1), (6, 1), (6, 8), (8, 3), (8, 6)],
    "jokers": [(0, 3), (0, 6), (2, 9), (5, 0), (6, 9), (9, 3), (9, 4), (9, 7)],
}
"""The rulebook's full set-up (MAPE-E2), as options: ``Match("mapello", **RULEBOOK_SETUP)``."""

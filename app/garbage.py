"""How often Python looks for reference cycles, in processes that hold many documents."""

from __future__ import annotations

import gc


YOUNG = 50_000
"""Objects made between two looks; the default of 700 halves the speed of the views."""


def look_rarely() -> None:
    """Leave what was imported alone, and look for cycles among the rest less often."""
    if gc.get_threshold()[0] != YOUNG:
        gc.freeze()
        gc.set_threshold(YOUNG, 10, 10)

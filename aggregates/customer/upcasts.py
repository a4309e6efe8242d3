"""How older facts about customers read today."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def created_before_clocks_had_one_name(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """v1 said ``test_clock_id`` where every other fact says ``test_clock``."""
    newer = dict(content)
    clock = newer.pop("test_clock_id", None)
    return {**newer, "test_clock": clock}

"""The test clock as clients write and read it (design 6)."""

from __future__ import annotations

from typing import Any

from wire.base import In
from wire.fields import Instant, ShortText


class AdvanceIn(In):
    """Where a clock shall stand."""

    frozen_time: Instant


class TestClockIn(AdvanceIn):
    """A new clock."""

    name: ShortText | None = None


def test_clock_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The test clock record; ``targetTime`` is set while it is advancing."""
    return {
        "id": doc["id"],
        "name": doc["name"],
        "frozenTime": doc["frozen_time"],
        "targetTime": doc["target_time"],
        "status": "ready" if doc["target_time"] is None else "advancing",
        "createdOn": doc["created_on"],
        "modifiedOn": doc["modified_on"],
    }

"""The test clock as clients write and read it (design 6)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator

from wire.base import In
from wire.fields import ShortText


FIRST_YEAR, LAST_YEAR = 1970, 8999


def _instant(value: datetime) -> datetime:
    """UTC; a time without a zone is meant in UTC."""
    at = value.replace(tzinfo=UTC) if value.tzinfo is None else value
    if not FIRST_YEAR < at.year <= LAST_YEAR:
        raise ValueError(f"The year must lie between {FIRST_YEAR + 1} and {LAST_YEAR}.")
    return at.astimezone(UTC)


class AdvanceIn(In):
    """Where a clock shall stand."""

    frozen_time: Annotated[datetime, AfterValidator(_instant)]


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

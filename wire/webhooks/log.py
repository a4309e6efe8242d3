"""The row of the delivery log as clients read it (wire 12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from wire.times import instant, seconds


FIELDS = (
    "id",
    "eventId",
    "endpoint",
    "eventType",
    "statusCode",
    "isSuccess",
    "retryCount",
    "lastAttempt",
    "createdOn",
    "payload",
)


def log_out(row: Sequence[Any]) -> bytes:
    """Ten fields; ``payload`` is the envelope, byte for byte as it was sent."""
    *head, attempted, created, payload = row
    times = (seconds(instant(attempted)), seconds(instant(created)))
    return msgspec.json.encode(
        dict(zip(FIELDS, (*head, *times, msgspec.Raw(payload)), strict=True))
    )

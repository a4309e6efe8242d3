"""Facts about the use of features."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from kernel.personal import Personal
from kernel.usage import Behaviour


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReported:
    """A customer used units of a METER feature, as the merchant's application counted them.

    ``SET`` replaces the usage of the present period by ``value``, ``DELTA`` adds it; a negative one
    corrects. ``resource_id`` is the merchant's own note of what was used.
    """

    report_id: UUID
    customer: UUID
    feature_id: UUID
    feature: str
    behaviour: Behaviour
    value: int
    resource_id: Personal[str | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageEventReported:
    """Something happened in the merchant's application that meters of RAW_EVENTS may count.

    ``happened_at`` is when it happened there, ``occurred_at`` when it was reported.
    """

    event_id: UUID
    customer: UUID
    name: str
    idempotency_key: str
    happened_at: datetime
    resource_id: Personal[str | None] = None
    properties: Personal[dict[str, Any] | None] = None
    occurred_at: datetime


UsageEvent = UsageReported | UsageEventReported

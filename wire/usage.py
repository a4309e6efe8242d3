"""Reports of usage as clients send them, and the answers (wire 22)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, NotRequired
from uuid import UUID

from pydantic import Field, ValidationInfo, field_validator
from typing_extensions import TypedDict

from kernel.usage import Behaviour
from wire.base import In, Metadata
from wire.fields import Identifier, Instant, ShortText


MOST_UNITS = 10**12
"""The largest number one report may carry, in either direction."""

EVENT_NAME = "aggregated.usage"


class UsageIn(In):
    """Units of a feature that a customer used."""

    value: Annotated[int, Field(strict=True, ge=-MOST_UNITS, le=MOST_UNITS)]
    customer_id: Identifier
    feature_id: Identifier
    behaviour: Behaviour
    resource_id: ShortText | None = None

    @field_validator("behaviour")
    @classmethod
    def _set_to_a_count(cls, behaviour: Behaviour, info: ValidationInfo) -> Behaviour:
        if behaviour is Behaviour.SET and info.data.get("value", 0) < 0:
            raise ValueError("SET needs a value of 0 or more.")
        return behaviour


class EventIn(In):
    """Something that happened, for meters that count events."""

    customer_id: Identifier
    event_name: Identifier
    idempotency_key: Identifier
    timestamp: Instant
    resource_id: ShortText | None = None
    properties: Annotated[Metadata, Field(max_length=50)] | None = None


class UsageOut(TypedDict):
    """A report that was taken."""

    value: int
    customerId: str
    featureId: str
    behaviour: Behaviour
    resourceId: NotRequired[str]
    orgId: str
    eventName: str
    idempotencyKey: str
    timestamp: str


class EventOut(TypedDict):
    """An event that was taken, now or before."""

    customerId: str
    eventName: str
    idempotencyKey: str
    timestamp: str
    resourceId: NotRequired[str]
    properties: NotRequired[dict[str, Any]]
    orgId: str


def microseconds(at: datetime) -> str:
    """``YYYY-MM-DD HH:MM:SS.ffffff``, in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S.%f}"


def usage_out(body: UsageIn, organization: UUID, report: UUID, at: datetime) -> UsageOut:
    """The report with its id as ``idempotencyKey``, 32 hexadecimal digits."""
    out: UsageOut = {
        "value": body.value,
        "customerId": body.customer_id,
        "featureId": body.feature_id,
        "behaviour": body.behaviour,
        "orgId": str(organization),
        "eventName": EVENT_NAME,
        "idempotencyKey": report.hex,
        "timestamp": microseconds(at),
    }
    if body.resource_id is not None:
        out["resourceId"] = body.resource_id
    return out


def event_out(body: EventIn, organization: UUID) -> EventOut:
    """The event as it was sent."""
    out: EventOut = {
        "customerId": body.customer_id,
        "eventName": body.event_name,
        "idempotencyKey": body.idempotency_key,
        "timestamp": microseconds(body.timestamp),
        "orgId": str(organization),
    }
    if body.resource_id is not None:
        out["resourceId"] = body.resource_id
    if body.properties is not None:
        out["properties"] = body.properties
    return out

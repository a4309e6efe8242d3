"""The webhook endpoint as clients write and read it (spec: Webhook endpoint, design 13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from aggregates.webhook_endpoint.events import SignatureScheme
from wire.base import In, Text
from wire.fields import Instant
from wire.times import instant, seconds


Events = Annotated[list[Text], Field(max_length=100)]
"""Kinds of events, or ``*``; which ones there are is the domain's business."""

Position = Annotated[int, Field(ge=1, le=2**62)]
"""A position of the log."""


class WebhookEndpointIn(In):
    """A new endpoint."""

    url: Text
    events: Events
    enabled: bool = True
    signature_scheme: SignatureScheme | None = None


class WebhookEndpointChangesIn(In):
    """What PATCH may name; what is left out or null stays as it is."""

    url: Text | None = None
    events: Events | None = None
    enabled: bool | None = None
    signature_scheme: SignatureScheme | None = None


class WebhookReplayIn(In):
    """A stretch of history, by the time it was recorded or by positions of the log.

    The end is not part of a stretch of time; a last position is part of its stretch. Without an end
    it is all history there is.
    """

    begin: Instant | None = Field(None, alias="from")
    end: Instant | None = Field(None, alias="to")
    from_position: Position | None = None
    to_position: Position | None = None

    @model_validator(mode="after")
    def _one_stretch(self) -> Self:
        by_time = self.begin is not None
        named_both = by_time and (self.from_position is not None or self.to_position is not None)
        if by_time == (self.from_position is not None) or named_both:
            raise ValueError("Name either from and to, or fromPosition and toPosition.")
        if self.end is not None and (self.begin is None or self.end < self.begin):
            raise ValueError("The end lies before the beginning.")
        if self.to_position is not None and self.to_position < (self.from_position or 0):
            raise ValueError("The end lies before the beginning.")
        return self


def webhook_endpoint_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The endpoint record; the secret is added in the answers to create and rotate alone."""
    return {
        "id": doc["id"],
        "url": doc["url"],
        "events": doc["events"],
        "enabled": doc["enabled"],
        "signatureScheme": doc["signature_scheme"],
        "disabledReason": doc["disabled_reason"],
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }


class WebhookStatisticsOut(TypedDict):
    """How deliveries to an endpoint fare; attempts are counted, a repeated one each time."""

    endpoint: str
    succeeded: int
    failed: int
    last24Hours: WebhookCountsOut
    waiting: int
    oldestWaiting: str | None
    failingSince: str | None
    heldUntil: str | None
    lastSuccess: str | None
    lastFailure: WebhookFailureOut | None


class WebhookCountsOut(TypedDict):
    """Attempts that came through, and that did not."""

    succeeded: int
    failed: int


class WebhookFailureOut(TypedDict):
    """The newest failure: the status, or why there was no answer."""

    at: str
    statusCode: int | None
    problem: str | None


def webhook_statistics_out(endpoint: UUID, found: Mapping[str, Any]) -> WebhookStatisticsOut:
    """The figures of ``projections.webhooks.statistics`` as clients read them."""
    return {
        "endpoint": str(endpoint),
        "succeeded": found["succeeded"],
        "failed": found["failed"],
        "last24Hours": {"succeeded": found["succeeded_today"], "failed": found["failed_today"]},
        "waiting": found["waiting"],
        "oldestWaiting": seconds(instant(found["oldest_waiting"])),
        "failingSince": seconds(instant(found["failing_since"])),
        "heldUntil": seconds(instant(found["held_until"])),
        "lastSuccess": seconds(instant(found["last_success"])),
        "lastFailure": _failure(found),
    }


def _failure(found: Mapping[str, Any]) -> WebhookFailureOut | None:
    at = seconds(instant(found["last_failure"]))
    if at is None:
        return None
    return {"at": at, "statusCode": found["last_status"], "problem": found["last_problem"]}

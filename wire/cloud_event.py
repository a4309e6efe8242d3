"""A fact as a CloudEvent 1.0 in structured JSON, for Kafka and for the feed (design 10).

Personal fields stay sealed: they travel as the base64 text ``sealed``, readable only with the data
key of ``owner``. Times are UTC with microseconds.
"""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from typing import Any, NotRequired
from uuid import UUID

import msgspec
from typing_extensions import TypedDict

from kernel.ports.fact_stream import StoredFact


MEDIA_TYPE = "application/cloudevents+json"
EXTENSIONS = {
    "streamversion": "how many facts the subject has had, this one included",
    "organization": "whose it is",
    "owner": "the customer who owns the subject, else the organization: the partition key",
    "recordedat": "when the fact was appended; `time` is when it happened on the subject's clock",
    "commandid": "the command that recorded it; all its facts share this id",
    "commandindex": "which fact of that command this is, from 0",
    "correlationid": "the request at the beginning of the chain",
    "causationid": "the id of the event that a reaction answered",
    "actor": "who: an API key, a customer in the portal, a buyer, a payer, a worker, an operator",
    "sealed": "personal fields, encrypted; left out when there are none",
}
"""Extension attributes and what they mean."""


class _CloudEvent(msgspec.Struct, omit_defaults=True):
    specversion: str
    id: str
    source: str
    type: str
    subject: str
    time: str
    datacontenttype: str
    streamversion: int
    organization: str
    owner: str
    recordedat: str
    commandid: str
    commandindex: int
    correlationid: str
    actor: str
    data: msgspec.Raw
    causationid: str | None = None
    sealed: str | None = None


class CloudEventOut(TypedDict):
    """A fact as a CloudEvent; ``data`` is as the JSON Schema of its ``type`` says."""

    specversion: str
    id: str
    source: str
    type: str
    subject: str
    time: str
    datacontenttype: str
    streamversion: int
    organization: str
    owner: str
    recordedat: str
    commandid: str
    commandindex: int
    correlationid: str
    actor: str
    data: dict[str, Any]
    causationid: NotRequired[str]
    sealed: NotRequired[str]


class _Occurred(msgspec.Struct):
    occurred_at: str


_encode = msgspec.json.Encoder().encode
_occurred = msgspec.json.Decoder(_Occurred).decode


def source_of(environment: str, log_id: UUID) -> str:
    """Where events come from: one log of one environment."""
    return f"urn:billstream:{environment}:{log_id}"


def cloud_event(fact: StoredFact, source: str) -> bytes:
    """The event as compact JSON. ``id`` is the position: unique and ascending within ``source``."""
    return _encode(
        _CloudEvent(
            specversion="1.0",
            id=str(fact.position),
            source=source,
            type=fact.name,
            subject=str(fact.stream),
            time=_occurred(fact.data).occurred_at,
            datacontenttype="application/json",
            streamversion=fact.version,
            organization=str(fact.organization),
            owner=str(fact.owner),
            recordedat=_instant(fact.recorded_at),
            commandid=str(fact.command_id),
            commandindex=fact.index,
            correlationid=str(fact.correlation_id),
            actor=fact.actor,
            data=msgspec.Raw(fact.data),
            causationid=None if fact.causation is None else str(fact.causation),
            sealed=None if fact.sealed is None else b64encode(fact.sealed).decode(),
        )
    )


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

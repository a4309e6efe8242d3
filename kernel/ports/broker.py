"""Where the event stream is published: ordered partitions, written in transactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class Fenced(Exception):
    """A newer publisher has taken over; what this one did not commit is not in the stream."""


class BrokerUnavailable(Exception):
    """The broker does not answer, or refuses; whether the last transaction holds is not known."""


@dataclass(frozen=True, slots=True)
class Message:
    """One record. No ``value``: a tombstone. ``at`` is the record's timestamp."""

    topic: str
    partition: int
    key: bytes | None
    value: bytes | None
    at: datetime
    headers: tuple[tuple[str, bytes], ...] = ()


class Broker(Protocol):
    """One publisher's connection; whoever begins last is the only one that can commit."""

    async def begin(self) -> None:
        """Connect anew, make the topics that are missing, and fence who published before.

        Raises BrokerUnavailable.
        """

    async def publish(self, messages: Sequence[Message]) -> None:
        """All of them in one transaction, committed on return. Raises Fenced, BrokerUnavailable.

        After an exception nothing may be published before ``begin``.
        """

    async def close(self) -> None:
        """Let go of the connection; a transaction that is open is given up."""

"""Publishes the log to Kafka by position: at least once, in order, never two publishers at a time.

The position is stored after the commit, so a crash repeats at most the tail. A lease lets another
process take over from one that is stopped; the broker's fence keeps the one that wakes again from
committing anything more (design 10).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from kernel.ports.broker import Broker, Message
from kernel.ports.fact_stream import FactStream, Selection, StoredFact
from projections.positions import Positions
from subscribers.leading import Leading, Leases, until
from wire.cloud_event import cloud_event
from wire.stream import PARTITIONS, heartbeat, key_of, partition_of


NAME: Final = "publish_to_kafka"
BATCH: Final = 2_000
POLL_SECONDS: Final = 0.2
HEARTBEAT_SECONDS: Final = 1.0


_EVERYTHING = Selection()


class Publisher(Leading):
    """Drives the stream for as long as this process holds the lease."""

    def __init__(
        self,
        facts: FactStream,
        broker: Broker,
        leases: Leases,
        *,
        topic: str,
        source: str,
        renew_seconds: float = 3.0,
    ) -> None:
        """``source`` names the log in every event; ``positions`` tells others how far it is."""
        super().__init__(NAME, broker, leases, renew_seconds=renew_seconds)
        self.positions = Positions()
        self._facts = facts
        self._topic = topic
        self._source = source
        self._beat = _Beat()

    async def _lead(self, position: int) -> None:
        self.positions.reached(position)
        await self._broker.begin()
        self._beat = _Beat()
        while not self._stopped.is_set():
            self._wake.clear()
            stretch = await self._facts.read(position, BATCH, _EVERYTHING)
            if stretch.until > position:
                await self._publish(stretch.facts, stretch.until)
                position = stretch.until
                continue
            await self._beat_when_due(position)
            await until(self._wake, POLL_SECONDS)

    async def _publish(self, facts: Sequence[StoredFact], until: int) -> None:
        messages = [*map(self.message, facts), *self._heartbeats(until)]
        if messages:
            await self._broker.publish(messages)
        await self._leases.save(NAME, until)
        self._failures = 0
        self.positions.reached(until)

    async def _beat_when_due(self, position: int) -> None:
        """The last facts before a silence are vouched for as well."""
        if messages := self._heartbeats(position):
            await self._broker.publish(messages)

    def message(self, fact: StoredFact) -> Message:
        """The record of a fact."""
        return Message(
            self._topic,
            partition_of(fact.owner),
            key_of(fact.owner),
            cloud_event(fact, self._source),
            fact.recorded_at,
        )

    def _heartbeats(self, position: int) -> list[Message]:
        if not self._beat.due(position):
            return []
        now = datetime.now(UTC)
        return [
            Message(self._topic, each, None, heartbeat(position, each, self._source, now), now)
            for each in range(PARTITIONS)
        ]


class _Beat:
    """When the partitions are told how far the whole stream is: once a second at most.

    A publisher that begins says it again: the one before may have died before it could.
    """

    def __init__(self) -> None:
        self._told_position = 0
        self._told_at = float("-inf")

    def due(self, position: int) -> bool:
        """Whether to tell the position now; it then counts as told."""
        now = time.monotonic()
        if position <= self._told_position or now - self._told_at < HEARTBEAT_SECONDS:
            return False
        self._told_position, self._told_at = position, now
        return True

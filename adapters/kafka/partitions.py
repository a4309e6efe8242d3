"""Reads the event stream: as one of a group, or all partitions alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from kafka import ConsumerRebalanceListener, KafkaConsumer, TopicPartition
from kafka.errors import KafkaError

from adapters.kafka.access import Access
from adapters.kafka.threads import in_thread
from kernel.ports.broker import BrokerUnavailable
from kernel.ports.partitions import Polled, StreamRecord


T = TypeVar("T")
POLL_MS = 200
POLL_RECORDS = 2_000
CALL_SECONDS = 30.0
CONSUMER: Mapping[str, Any] = {
    "isolation_level": "read_committed",
    "enable_auto_commit": False,
    "auto_offset_reset": "earliest",
    "session_timeout_ms": 10_000,
    "heartbeat_interval_ms": 1_000,
    "max_poll_records": POLL_RECORDS,
    "fetch_max_wait_ms": 100,
    "metrics_enabled": False,
}


class KafkaPartitions:
    """Implements kernel.ports.partitions.Partitions. Offsets are kept by who projects, not here."""

    def __init__(
        self, access: Access, topic: str, partitions: int, *, group: str | None = None
    ) -> None:
        """With a ``group``, its members share the partitions; without one, all are read here."""
        self._access = access
        self._topic = topic
        self._all = [TopicPartition(topic, each) for each in range(partitions)]
        self._group = group
        self._consumer: KafkaConsumer | None = None
        self._changes = _Changes()

    async def begin(self) -> None:
        """Join. Raises BrokerUnavailable."""
        await self.close()
        self._consumer = await _call(self._join)

    async def start(self, offsets: Mapping[int, int]) -> None:
        """Read fresh partitions from these offsets on."""
        consumer = self._connected()

        def start() -> None:
            for partition, offset in offsets.items():
                place = TopicPartition(self._topic, partition)
                if place in consumer.assignment():
                    consumer.seek(place, offset)
                    consumer.resume(place)

        self._changes.started(offsets)
        await _call(start)

    async def poll(self) -> Polled:
        """Wait a moment for records. Raises BrokerUnavailable."""
        consumer = self._connected()
        found = await _call(lambda: consumer.poll(timeout_ms=POLL_MS))
        fresh, lost = self._changes.take()
        records = {
            place.partition: [StreamRecord(each.offset, each.value) for each in batch]
            for place, batch in found.items()
            if place.partition not in fresh
        }
        return Polled(records, fresh, lost)

    async def close(self) -> None:
        """Leave the group."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            with suppress(BrokerUnavailable):
                await _call(lambda: consumer.close(autocommit=False, timeout_ms=2_000))

    def _connected(self) -> KafkaConsumer:
        if self._consumer is None:
            raise BrokerUnavailable("there is no connection")
        return self._consumer

    def _join(self) -> KafkaConsumer:
        options = {**CONSUMER, **self._access.options}
        options["request_timeout_ms"] = 15_000  # beyond the session's own
        consumer = KafkaConsumer(group_id=self._group, **options)
        self._changes = _Changes(consumer)
        if self._group is None:
            consumer.assign(self._all)
            self._changes.on_partitions_assigned(self._all)
        else:
            consumer.subscribe([self._topic], listener=self._changes)
        return consumer


class _Changes(ConsumerRebalanceListener):  # type: ignore[misc]
    """What was assigned and revoked since it was asked last; what is new waits to be started."""

    def __init__(self, consumer: KafkaConsumer | None = None) -> None:
        self._consumer = consumer
        self._fresh: set[int] = set()
        self._lost: set[int] = set()

    def on_partitions_assigned(self, assigned: Any) -> None:
        if self._consumer is not None:
            self._consumer.pause(*assigned)
        self._fresh |= {each.partition for each in assigned}

    def on_partitions_revoked(self, revoked: Any) -> None:
        gone = {each.partition for each in revoked}
        self._fresh -= gone
        self._lost |= gone

    def started(self, partitions: Iterable[int]) -> None:
        """They are no longer fresh."""
        self._fresh.difference_update(partitions)

    def take(self) -> tuple[frozenset[int], frozenset[int]]:
        fresh, lost = frozenset(self._fresh), frozenset(self._lost)
        self._fresh.clear()
        self._lost.clear()
        return fresh, lost


async def _call(work: Callable[[], T]) -> T:
    try:
        async with asyncio.timeout(CALL_SECONDS):
            return await in_thread(work)
    except (KafkaError, TimeoutError) as error:
        raise BrokerUnavailable(repr(error)) from error

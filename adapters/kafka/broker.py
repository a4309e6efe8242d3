"""The publisher's side of Kafka: one transactional producer at a time (design 10)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from kafka import KafkaProducer
from kafka.errors import InvalidProducerEpochError, KafkaError, ProducerFencedError

from adapters.kafka.access import Access
from adapters.kafka.threads import in_thread
from adapters.kafka.topics import MAX_MESSAGE_BYTES, Topic, ensure
from kernel.ports.broker import BrokerUnavailable, Fenced, Message


CALL_SECONDS = 15.0
"""A broker that is silent for so long is given up; the facts are sent again."""

CLOSE_SECONDS = 1.0
TRANSACTION_MS = 30_000
"""What a publisher that died left open holds up consumers for no longer than this."""

PRODUCER: Mapping[str, Any] = {
    "acks": "all",
    "batch_size": 256 * 1024,
    "linger_ms": 5,
    "max_request_size": MAX_MESSAGE_BYTES,
    "transaction_timeout_ms": TRANSACTION_MS,
    "max_block_ms": 8_000,
    "delivery_timeout_ms": 10_000,
    "allow_auto_create_topics": False,
    "metrics_enabled": False,
}


class KafkaBroker:
    """Implements kernel.ports.broker.Broker."""

    def __init__(self, access: Access, transactional_id: str, topics: tuple[Topic, ...]) -> None:
        """Connect when the publisher begins; ``transactional_id`` is what fences the older one."""
        self._access = access
        self._transactional_id = transactional_id
        self._topics = topics
        self._producer: KafkaProducer | None = None

    async def begin(self) -> None:
        """Connect anew and fence who published before. Raises BrokerUnavailable."""
        await self.close()
        await self._call(self._begin)

    async def publish(self, messages: Sequence[Message]) -> None:
        """One transaction. Raises Fenced, BrokerUnavailable."""
        producer = self._producer
        if producer is None:
            raise BrokerUnavailable("there is no connection")
        await self._call(lambda: _publish(producer, messages))

    async def close(self) -> None:
        """Let go; the broker gives up a transaction that is open."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await in_thread(lambda: _abandon(producer))

    async def _call(self, work: Callable[[], None]) -> None:
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await in_thread(work)
        except (ProducerFencedError, InvalidProducerEpochError) as error:
            raise Fenced from error
        except (KafkaError, TimeoutError) as error:
            raise BrokerUnavailable(repr(error)) from error

    def _begin(self) -> None:
        ensure(self._access.options, self._topics, self._access.replication)
        producer = KafkaProducer(
            **PRODUCER,
            **self._access.options,
            compression_type=self._access.compression,
            transactional_id=self._transactional_id,
        )
        try:
            producer.init_transactions()
        except BaseException:
            _abandon(producer)
            raise
        self._producer = producer


def _abandon(producer: KafkaProducer) -> None:
    """Close at once. The client's own way first waits for what it cannot send."""
    producer._sender.force_close()  # noqa: SLF001 there is no other way to tell it
    producer._sender.join(CLOSE_SECONDS)  # noqa: SLF001 as above
    with suppress(KafkaError):
        producer.close(timeout=CLOSE_SECONDS)


def _publish(producer: KafkaProducer, messages: Sequence[Message]) -> None:
    producer.begin_transaction()
    sent = [
        producer.send(
            message.topic,
            value=message.value,
            key=message.key,
            partition=message.partition,
            headers=list(message.headers),
            timestamp_ms=int(message.at.timestamp() * 1_000),
        )
        for message in messages
    ]
    producer.flush()
    # The client recovers from some failures by itself and would then commit the rest.
    for future in sent:
        future.get(timeout=0)
    producer.commit_transaction()

"""The log to Kafka, beside the client's producer alone with the same records in the same run.

Uses the broker of ``BILLSTREAM_KAFKA_BOOTSTRAP``; the topics it makes are named for the run and
removed after it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterator, Sequence

import psycopg
import uvloop

from adapters.cannot_start import CannotStart
from adapters.event_store import PostgresEventStore
from adapters.fact_stream import PostgresFactStream
from adapters.migrations import migrate
from app import settings
from app.bench.append import FACTS, MASTER_KEY
from app.bench.ground import server
from app.bench.report import Row
from app.event_stream import stream_publisher
from app.kafka_settings import KafkaSettings
from kernel.ports.broker import Message
from kernel.ports.fact_stream import Selection
from kernel.tenant import Environment
from subscribers.publish_to_kafka import Publisher
from wire.stream import events_topic


FACTS_A_SECOND = 4_000
"""So many facts are made for each second of the measurement."""

OWNERS = 1_000
FILL = """
insert into events (position, recorded_at, causation, version, index, stream, organization, owner,
 command_id, correlation_id, name, actor, data)
select n, now(), null, 1, 0, gen_random_uuid(), '00000000-0000-0000-0000-000000000001',
 md5((n %% %(owners)s)::text)::uuid, gen_random_uuid(), gen_random_uuid(), 'bench.measured.v1',
 'operator', convert_to(json_build_object('subscription', gen_random_uuid(), 'plan', 'premium',
 'text', repeat('x', 280), 'occurred_at', '2026-03-01T00:00:00Z')::text, 'utf8')
from generate_series(1, %(facts)s) n
"""


def broker() -> KafkaSettings | None:
    """Where the stream of this machine goes; None: nowhere."""
    return settings.read().kafka


def measure(seconds: float) -> Iterator[Row]:
    """Publish a log that is there already, from its first fact to its last."""
    given = broker()
    if given is None:
        raise CannotStart("set BILLSTREAM_KAFKA_BOOTSTRAP to the broker to measure")
    chosen = given.model_copy(update={"topic_prefix": f"bench-{secrets.token_hex(4)}"})
    facts = max(round(FACTS_A_SECOND * seconds), 1)
    with server() as url:
        migrate(url, Environment.SANDBOX)
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(FILL, {"facts": facts, "owners": OWNERS})
            db.execute("vacuum analyze events")
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            published, alone = runner.run(_measured(url, chosen))
    yield Row(
        name="log to Kafka",
        unit="facts/s",
        measured=facts / published,
        reference_name="the producer alone, same records",
        reference=facts / alone,
    )


async def _measured(url: str, chosen: KafkaSettings) -> tuple[float, float]:
    """Seconds of the publisher, and of the producer alone."""
    store = await PostgresEventStore.open(url, FACTS, {}, MASTER_KEY)
    publisher = await stream_publisher(url, store.pool, Environment.SANDBOX, chosen)
    try:
        published = await _published(publisher, await store.head())
        messages = await _messages(publisher, PostgresFactStream(store.pool))
        alone = await asyncio.to_thread(_alone, chosen, messages)
    finally:
        await store.close()
        await asyncio.to_thread(_tidy, chosen)
    return published, alone


async def _published(publisher: Publisher, head: int) -> float:
    """From the moment that connection and topics are there."""
    running = asyncio.create_task(publisher.run())
    if not await publisher.positions.wait(1, 60):
        raise CannotStart("the broker does not take what is published")
    first, began = publisher.positions.position, time.perf_counter()
    await publisher.positions.wait(head, 600)
    took = time.perf_counter() - began
    publisher.stop()
    await running
    return took * head / (head - first)


async def _messages(publisher: Publisher, facts: PostgresFactStream) -> list[Message]:
    made: list[Message] = []
    position = 0
    while (stretch := await facts.read(position, 5_000, Selection())).until > position:
        made += map(publisher.message, stretch.facts)
        position = stretch.until
    return made


def _alone(chosen: KafkaSettings, messages: Sequence[Message]) -> float:
    from kafka import KafkaProducer  # noqa: PLC0415 only who measures Kafka pays for it

    from adapters.kafka.broker import PRODUCER  # noqa: PLC0415 as above

    producer = KafkaProducer(
        **{name: value for name, value in PRODUCER.items() if name != "transaction_timeout_ms"},
        **chosen.access.options,
        compression_type=chosen.compression_type,
    )
    began = time.perf_counter()
    for message in messages:
        producer.send(
            message.topic,
            value=message.value,
            key=message.key,
            partition=message.partition,
            timestamp_ms=int(message.at.timestamp() * 1_000),
        )
    producer.flush()
    took = time.perf_counter() - began
    producer.close()
    return took


def _tidy(chosen: KafkaSettings) -> None:
    from kafka import KafkaAdminClient  # noqa: PLC0415 only who measures Kafka pays for it

    admin = KafkaAdminClient(**chosen.access.options)
    admin.delete_topics([events_topic(chosen.topic_prefix, Environment.SANDBOX)])
    admin.close()

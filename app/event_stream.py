"""Builds the publisher of the event stream out of its parts."""

from __future__ import annotations

from typing import Any

from psycopg_pool import AsyncConnectionPool

from adapters.checkpoints import PostgresCheckpoints
from adapters.fact_stream import PostgresFactStream
from app.kafka_settings import KafkaSettings
from kernel.tenant import Environment
from subscribers.publish_to_kafka import Publisher
from wire.cloud_event import source_of
from wire.stream import PARTITIONS, events_topic


async def stream_publisher(
    database_url: str,
    pool: AsyncConnectionPool[Any],
    environment: Environment,
    settings: KafkaSettings | None,
) -> Publisher | None:
    """The publisher of an environment's log; None when there is no Kafka."""
    if settings is None:
        return None
    from adapters.kafka.broker import KafkaBroker  # noqa: PLC0415 only who publishes pays for it
    from adapters.kafka.topics import Topic  # noqa: PLC0415 as above

    topic = events_topic(settings.topic_prefix, environment)
    transactional_id = f"{settings.topic_prefix}-{environment}"
    facts = PostgresFactStream(pool)
    return Publisher(
        facts,
        KafkaBroker(settings.access, transactional_id, (Topic(topic, PARTITIONS),)),
        PostgresCheckpoints(database_url, lease_seconds=settings.lease_seconds),
        topic=topic,
        source=source_of(environment, await facts.log_id()),
        renew_seconds=settings.lease_seconds / 5,
    )

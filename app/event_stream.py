"""Builds the publishers of the event stream out of their parts."""

from __future__ import annotations

from typing import Any

from psycopg_pool import AsyncConnectionPool

from adapters.checkpoints import PostgresCheckpoints
from adapters.fact_stream import PostgresFactStream
from app.kafka_settings import KafkaSettings
from kernel.ports.broker import Broker
from kernel.tenant import Environment
from projections.changed import RESOURCES
from subscribers.leading import Leading
from subscribers.publish_resources_to_kafka import Naming, ResourcePublisher
from subscribers.publish_to_kafka import Publisher
from subscribers.reacting import Tenants
from wire.cloud_event import source_of
from wire.stream import PARTITIONS, RESOURCE_PARTITIONS, events_topic


Pool = AsyncConnectionPool[Any]


async def stream_publisher(
    database_url: str, pool: Pool, environment: Environment, settings: KafkaSettings
) -> Publisher:
    """The publisher of an environment's facts; ``pool`` reads the log."""
    topic = events_topic(settings.topic_prefix, environment)
    facts = PostgresFactStream(pool)
    return Publisher(
        facts,
        _broker(settings, environment, "", {topic: PARTITIONS}),
        _leases(database_url, settings),
        topic=topic,
        source=source_of(environment, await facts.log_id()),
        renew_seconds=settings.lease_seconds / 5,
    )


def resource_publisher(
    database_url: str,
    views: Pool,
    tenants: Tenants,
    environment: Environment,
    settings: KafkaSettings,
) -> ResourcePublisher:
    """The publisher of an environment's resources; ``views`` reads them."""
    naming = Naming(prefix=settings.topic_prefix, environment=environment)
    topics = {naming.topic(resource): RESOURCE_PARTITIONS for resource in RESOURCES}
    return ResourcePublisher(
        views,
        tenants,
        _broker(settings, environment, "-resources", topics),
        _leases(database_url, settings),
        naming=naming,
        renew_seconds=settings.lease_seconds / 5,
    )


def _leases(database_url: str, settings: KafkaSettings) -> PostgresCheckpoints:
    return PostgresCheckpoints(database_url, lease_seconds=settings.lease_seconds)


def _broker(
    settings: KafkaSettings, environment: Environment, kind: str, topics: dict[str, int]
) -> Broker:
    from adapters.kafka.broker import KafkaBroker  # noqa: PLC0415 only who publishes pays for it
    from adapters.kafka.topics import FOR_EVER, NEWEST, Topic  # noqa: PLC0415 as above

    configs = NEWEST if kind else FOR_EVER
    made = tuple(Topic(name, partitions, configs) for name, partitions in topics.items())
    return KafkaBroker(settings.access, f"{settings.topic_prefix}-{environment}{kind}", made)


async def publishers(
    database_url: str,
    pools: tuple[Pool, Pool],
    tenants: Tenants,
    environment: Environment,
    settings: KafkaSettings | None,
) -> list[Leading]:
    """All that publishes; nothing without Kafka. ``pools`` are those of the log and the views."""
    if settings is None:
        return []
    log, views = pools
    return [
        await stream_publisher(database_url, log, environment, settings),
        resource_publisher(database_url, views, tenants, environment, settings),
    ]

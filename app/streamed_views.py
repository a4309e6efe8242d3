"""One process's members of the group that keeps the views from Kafka (ADR 18)."""

from __future__ import annotations

import asyncio

from adapters.cannot_start import CannotStart
from adapters.cloud_facts import CloudFacts
from adapters.database import database_url, open_database
from app.settings import Settings
from app.wiring import Engine, prepare
from projections.streamed.across import AcrossMember
from projections.streamed.keyed import KeyedMember
from projections.streamed.private import prepare as prepare_members
from projections.streamed.running import Member
from wire.stream import PARTITIONS, events_topic


def views_database(settings: Settings) -> str:
    """Where views from Kafka are kept, made and checked. Raises CannotStart."""
    if settings.views_database_url is None:
        raise CannotStart("BILLSTREAM_VIEWS_DATABASE_URL says where to keep views from Kafka")
    url = database_url(settings.views_database_url, settings.environment)
    open_database(url, settings.environment)
    prepare(url, settings.environment)
    return url


def members(engine: Engine, settings: Settings, url: str) -> list[Member]:
    """One that shares the partitions, and one that reads them all when nobody else does."""
    from adapters.kafka.partitions import KafkaPartitions  # noqa: PLC0415 takes time to import

    if settings.kafka is None:
        raise CannotStart("BILLSTREAM_KAFKA_BOOTSTRAP says where the facts come from")
    prefix, environment = settings.kafka.topic_prefix, settings.environment
    topic = events_topic(prefix, environment)
    access, facts = settings.kafka.access, CloudFacts(engine.store)
    group = f"{prefix}-{environment}-views"
    return [
        KeyedMember(url, KafkaPartitions(access, topic, PARTITIONS, group=group), facts),
        AcrossMember(url, KafkaPartitions(access, topic, PARTITIONS), facts),
    ]


class StreamedViews:
    """Runs the members until stopped."""

    def __init__(self, engine: Engine, settings: Settings, url: str) -> None:
        """``url`` is the database of the views, as ``views_database`` gives it."""
        self._url = url
        self._members = members(engine, settings, url)

    async def run(self) -> None:
        """Return after ``stop``."""
        await prepare_members(self._url, PARTITIONS)
        await asyncio.gather(*(member.run() for member in self._members))

    def stop(self) -> None:
        """Finish the batches in hand and leave the group."""
        for member in self._members:
            member.stop()

"""The stream as a consumer of another make sees it, and publishers that feed it."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition

from app.event_stream import stream_publisher
from app.kafka_settings import KafkaSettings
from kernel.tenant import Environment
from tests.log_facts import command, new, stream, ticked
from wire.stream import HEARTBEAT, PARTITIONS, events_topic


@dataclass(frozen=True)
class Record:
    """One committed record."""

    partition: int
    offset: int
    key: str | None
    value: dict | None
    timestamp: int

    @property
    def id(self):
        return int(self.value["id"])


def topic(prefix):
    return events_topic(prefix, Environment.SANDBOX)


def everything(address, name, partitions=PARTITIONS):
    """All committed records of a topic, each partition in order."""
    consumer = Consumer(
        {
            "bootstrap.servers": address,
            "group.id": "reads everything",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "log_level": 0,
        }
    )
    consumer.assign([TopicPartition(name, each, OFFSET_BEGINNING) for each in range(partitions)])
    found, ended = [], set()
    while len(ended) < partitions:
        message = consumer.poll(10)
        assert message is not None, f"silence after {len(found)} records"
        if message.error():
            assert message.error().code() == KafkaError._PARTITION_EOF, message.error()
            ended.add(message.partition())
        else:
            found.append(_record(message))
    consumer.close()
    return found


def _record(message):
    key, value = message.key(), message.value()
    return Record(
        message.partition(),
        message.offset(),
        None if key is None else key.decode(),
        None if value is None else json.loads(value),
        message.timestamp()[1],
    )


def facts_of(records):
    """Without the heartbeats."""
    return [record for record in records if record.value["type"] != HEARTBEAT]


def beats_of(records):
    return [record for record in records if record.value["type"] == HEARTBEAT]


def once(records):
    """What a careful consumer takes: in each partition, ids only ever go up."""
    last, taken = {}, []
    for record in records:
        if record.id > last.get(record.partition, 0):
            last[record.partition] = record.id
            taken.append(record)
    return taken


async def appended(store, number, owners=10, *, first=1):
    """As many facts, of some owners in turn."""
    for count in range(first, first + number):
        owner = stream(f"customer {count % owners}")
        await store.append(command(*new(UUID(int=count), 0, ticked(count), owner=owner)))


@asynccontextmanager
async def publishing(database_url, store, address, prefix, **settings):
    """A publisher in this process, for as long as the block lasts."""
    publisher = await publisher_of(database_url, store, address, prefix, **settings)
    running = asyncio.create_task(publisher.run())
    try:
        yield publisher
    finally:
        publisher.stop()
        await running


async def publisher_of(database_url, store, address, prefix, **settings):
    chosen = KafkaSettings(bootstrap=address, topic_prefix=prefix, **settings)
    return await stream_publisher(database_url, store.pool, Environment.SANDBOX, chosen)


def assert_whole(records, positions):
    """No fact is missing, each partition is in order, and what is doubled is a repeated tail."""
    facts = facts_of(records)
    assert sorted(record.id for record in once(facts)) == sorted(positions)
    for partition in range(PARTITIONS):
        ids = [record.id for record in facts if record.partition == partition]
        order, at = sorted(set(ids)), -1
        for each in ids:
            index = order.index(each)
            assert index <= at + 1, f"{each} came before what precedes it"
            at = index

"""Brokers go away, publishers die or stand still: nothing is missing, nothing is mixed up."""

import asyncio
import random
import signal
import time
from contextlib import asynccontextmanager

import pytest

from adapters.kafka.access import CONNECTION, Access
from adapters.kafka.broker import KafkaBroker
from adapters.kafka.topics import Topic
from kernel.ports.broker import BrokerUnavailable, Fenced, Message
from tests.engines import MASTER_KEY
from tests.kafka.stream import appended, assert_whole, everything, facts_of, publishing, topic
from tests.log_facts import NOON
from tests.processes import running


pytestmark = [pytest.mark.kafka, pytest.mark.anyio, pytest.mark.timeout(300)]
COMMAND_SECONDS = 15
WRITER_PAUSE = 0.03
"""Else all that is written while processes start slowly has to be published, and read again."""


@pytest.fixture
def worker(database_url, kafka, prefix):
    """Starts a publisher as an operator does."""

    def start():
        return running(
            *("worker", "publish-to-kafka"),
            BILLSTREAM_DATABASE_URL=database_url,
            BILLSTREAM_MASTER_KEY="AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            BILLSTREAM_KAFKA_BOOTSTRAP=kafka,
            BILLSTREAM_KAFKA_TOPIC_PREFIX=prefix,
            BILLSTREAM_KAFKA_LEASE_SECONDS="1",
        )

    assert bytes(range(32)) == MASTER_KEY
    return start


@asynccontextmanager
async def writing(store):
    """Somebody appends all the time."""
    stopped = False

    async def write():
        first = 1
        while not stopped:
            await appended(store, 20, first=first)
            first += 20
            await asyncio.sleep(WRITER_PAUSE)

    task = asyncio.create_task(write())
    try:
        yield
    finally:
        stopped = True
        await task


async def published(store, beyond):
    """Wait until the publishers say that they have passed a position."""
    async with asyncio.timeout(120), store.pool.connection() as db:
        while True:
            found = await db.execute("SELECT position FROM checkpoints")
            row = await found.fetchone()
            if row is not None and row[0] >= beyond:
                return row[0]
            await asyncio.sleep(0.05)


async def test_a_broker_that_is_away_delays_the_stream_and_no_command(
    postgres_store, database_url, own_broker, prefix
):
    await appended(postgres_store, 50)
    async with publishing(database_url, postgres_store, own_broker.address, prefix) as publisher:
        assert await publisher.positions.wait(50, 60)
        for how in (own_broker.kill, own_broker.stop):
            how()
            first = await postgres_store.head() + 1
            began = time.monotonic()
            await appended(postgres_store, 50, first=first)
            assert time.monotonic() - began < COMMAND_SECONDS
            assert not await publisher.positions.wait(first, 0.5)
            own_broker.start()
            publisher.wake()
            assert await publisher.positions.wait(first + 49, 60)
    assert_whole(everything(own_broker.address, topic(prefix)), range(1, 151))


async def test_a_publisher_stops_at_once_while_the_broker_is_away(
    postgres_store, database_url, own_broker, prefix
):
    async with publishing(database_url, postgres_store, own_broker.address, prefix) as publisher:
        await appended(postgres_store, 1)
        assert await publisher.positions.wait(1, 60)
        own_broker.kill()
        await appended(postgres_store, 1, first=2)
        publisher.wake()
        assert not await publisher.positions.wait(2, 0.5)
        began = time.monotonic()
    assert time.monotonic() - began < 30


async def test_publishers_killed_at_any_moment_lose_nothing(postgres_store, kafka, prefix, worker):
    chance = random.Random(5)
    async with writing(postgres_store):
        for _ in range(4):
            with worker() as publisher:
                await published(postgres_store, await postgres_store.head())
                await asyncio.sleep(chance.random() / 5)
                publisher.popen.send_signal(signal.SIGKILL)
    head = await postgres_store.head()
    with worker():
        await published(postgres_store, head)
    assert_whole(everything(kafka, topic(prefix)), range(1, head + 1))


async def test_a_publisher_that_stood_still_is_fenced_when_it_wakes(
    postgres_store, kafka, prefix, worker
):
    with worker() as first, worker() as second:
        holder, other = first, second
        async with writing(postgres_store):
            for _ in range(2):
                await published(postgres_store, await postgres_store.head())
                holder.popen.send_signal(signal.SIGSTOP)
                await published(postgres_store, await postgres_store.head() + 100)
                holder.popen.send_signal(signal.SIGCONT)
                await published(postgres_store, await postgres_store.head() + 100)
                holder, other = other, holder
        head = await postgres_store.head()
        await published(postgres_store, head)
        assert first.popen.poll() is None
        assert second.popen.poll() is None
    assert_whole(everything(kafka, topic(prefix)), range(1, head + 1))


async def test_nothing_of_a_fenced_publisher_is_ever_read(kafka, prefix):
    name = topic(prefix)

    def said(word):
        return [Message(name, 0, b"key", b'{"id":"%d","type":"x"}' % word, NOON)]

    access = Access(options=CONNECTION | {"bootstrap_servers": [kafka]})
    older, newer = (KafkaBroker(access, f"{prefix}-id", (Topic(name, 24),)) for _ in range(2))
    await older.begin()
    await older.publish(said(1))
    await newer.begin()
    with pytest.raises((Fenced, BrokerUnavailable)):
        await older.publish(said(2))
    await newer.publish(said(3))
    with pytest.raises(BrokerUnavailable):
        await KafkaBroker(access, f"{prefix}-id", ()).publish(said(4))
    await older.close()
    await newer.close()
    assert [record.id for record in facts_of(everything(kafka, name))] == [1, 3]


async def test_a_transaction_that_was_open_when_another_took_over_is_never_read(kafka, prefix):
    name = topic(prefix)
    access = Access(options=CONNECTION | {"bootstrap_servers": [kafka]})
    older, newer = (KafkaBroker(access, f"{prefix}-id", (Topic(name, 24),)) for _ in range(2))
    await older.begin()
    producer = older._producer
    producer.begin_transaction()
    producer.send(name, value=b'{"id":"1","type":"x"}', key=b"key", partition=0)
    producer.flush()
    await newer.begin()
    with pytest.raises(Exception, match=r"Fenced|newer producer|epoch"):
        producer.commit_transaction()
    await newer.publish([Message(name, 0, b"key", b'{"id":"2","type":"x"}', NOON)])
    await older.close()
    await newer.close()
    assert [record.id for record in everything(kafka, name)] == [2]


async def test_a_topic_with_other_partitions_is_refused(kafka, prefix):
    access = Access(options=CONNECTION | {"bootstrap_servers": [kafka]})
    first = KafkaBroker(access, f"{prefix}-id", (Topic(topic(prefix), 3),))
    await first.begin()
    await first.close()
    with pytest.raises(RuntimeError, match="has 3 partitions, not 24"):
        await KafkaBroker(access, f"{prefix}-id", (Topic(topic(prefix), 24),)).begin()

"""Every fact reaches the stream once, in its owner's partition, as the log has it."""

import base64

import pytest
from kafka.partitioner.default import murmur2 as reference

from adapters.fact_stream import PostgresFactStream
from kernel.ports.fact_stream import Selection
from tests.kafka.stream import (
    appended,
    beats_of,
    everything,
    facts_of,
    publisher_of,
    publishing,
    topic,
)
from tests.log_facts import ALICE, BOB, command, named, new, stream, ticked
from wire.stream import PARTITIONS, key_of, murmur2, partition_of


pytestmark = [pytest.mark.kafka, pytest.mark.anyio]
ALL = Selection()


async def test_all_facts_are_there_in_the_order_of_each_owner(
    postgres_store, database_url, kafka, prefix
):
    await appended(postgres_store, 300)
    async with publishing(database_url, postgres_store, kafka, prefix) as publisher:
        assert await publisher.positions.wait(await postgres_store.head(), 60)
        await appended(postgres_store, 50, first=301)
        publisher.wake()
        assert await publisher.positions.wait(await postgres_store.head(), 60)
    records = facts_of(everything(kafka, topic(prefix)))
    log = await PostgresFactStream(postgres_store.pool).read(0, 1_000, ALL)
    assert sorted(record.id for record in records) == [fact.position for fact in log.facts]
    for partition in range(PARTITIONS):
        ids = [record.id for record in records if record.partition == partition]
        assert ids == sorted(ids)
    for record in records:
        assert record.value["data"]["number"] == record.id
        assert record.key == record.value["owner"]
        assert record.partition == partition_of(stream(f"customer {record.id % 10}"))


async def test_the_record_has_the_time_it_was_recorded_and_personal_fields_stay_sealed(
    postgres_store, database_url, kafka, prefix
):
    await postgres_store.append(command(*new(ALICE, 0, named("Ada"), ticked(), owner=BOB)))
    async with publishing(database_url, postgres_store, kafka, prefix) as publisher:
        assert await publisher.positions.wait(2, 60)
    log = await PostgresFactStream(postgres_store.pool).read(0, 10, ALL)
    records = facts_of(everything(kafka, topic(prefix)))
    for fact, record in zip(log.facts, records, strict=True):
        assert record.timestamp == int(fact.recorded_at.timestamp() * 1_000)
        assert record.value["time"] == "2026-03-01T12:00:00Z"
    assert base64.b64decode(records[0].value["sealed"]) == log.facts[0].sealed
    assert "Ada" not in str(records)


async def test_every_partition_is_told_how_far_the_stream_is(
    postgres_store, database_url, kafka, prefix
):
    await appended(postgres_store, 5)
    async with publishing(database_url, postgres_store, kafka, prefix) as publisher:
        assert await publisher.positions.wait(5, 60)
    beats = beats_of(everything(kafka, topic(prefix)))
    assert {beat.partition for beat in beats} == set(range(PARTITIONS))
    assert {beat.value["data"]["position"] for beat in beats} == {5}
    assert {beat.key for beat in beats} == {None}


async def test_a_publisher_that_starts_again_goes_on_where_it_was(
    postgres_store, database_url, kafka, prefix
):
    for round_ in range(2):
        await appended(postgres_store, 20, first=1 + 20 * round_)
        async with publishing(database_url, postgres_store, kafka, prefix) as publisher:
            assert await publisher.positions.wait(await postgres_store.head(), 60)
    ids = [record.id for record in facts_of(everything(kafka, topic(prefix)))]
    assert sorted(ids) == list(range(1, 41))


async def test_a_crash_between_commit_and_position_repeats_the_tail_under_the_same_ids(
    postgres_store, database_url, kafka, prefix, monkeypatch
):
    await appended(postgres_store, 10)
    publisher = await publisher_of(database_url, postgres_store, kafka, prefix)

    async def dies(name, position):
        publisher.stop()
        raise RuntimeError("killed here")

    monkeypatch.setattr(publisher._leases, "save", dies)
    await publisher.run()
    async with publishing(database_url, postgres_store, kafka, prefix) as second:
        assert await second.positions.wait(10, 60)
    records = facts_of(everything(kafka, topic(prefix)))
    assert sorted(record.id for record in records) == sorted([*range(1, 11)] * 2)
    by_id = {record.id: record.value for record in records}
    assert all(record.value == by_id[record.id] for record in records)


def test_the_partition_of_a_key_is_that_of_kafkas_own_producer():
    for word in ("a", "bc", "def", "any customer", "") * 3:
        assert murmur2(word.encode()) == reference(word.encode())
    for number in range(100):
        owner = stream(str(number))
        assert partition_of(owner) == (reference(key_of(owner)) & 0x7FFFFFFF) % PARTITIONS


def test_no_owner_ever_moves_to_another_partition():
    assert [partition_of(owner) for owner in (ALICE, BOB, stream("customer 1"))] == [10, 2, 12]

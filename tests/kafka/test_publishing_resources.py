"""The topics of resources hold the newest body of each, and nothing that anybody could act by."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from app.event_stream import resource_publisher
from app.kafka_settings import KafkaSettings
from app.wiring import with_views
from kernel.tenant import Environment
from projections.all_views import VIEWS
from replay.rebuild import rebuild
from subscribers.publish_resources_to_kafka import without_bearers
from tests.billing_facts import Histories, a_whole_life
from tests.engines import running
from tests.kafka.stream import everything
from wire.stream import RESOURCE_PARTITIONS, resource_topic


pytestmark = [pytest.mark.kafka, pytest.mark.postgres, pytest.mark.anyio]


@asynccontextmanager
async def publishing(database_url, engine, kafka, prefix):
    settings = KafkaSettings(bootstrap=kafka, topic_prefix=prefix)
    publisher = resource_publisher(
        database_url, engine.pool, engine.tenants, Environment.SANDBOX, settings
    )
    task = asyncio.create_task(publisher.run())
    try:
        yield publisher
    finally:
        publisher.stop()
        await task


async def caught_up(engine, publisher):
    """All that is in the log is in the topics."""
    assert await engine.positions.wait(await engine.store.head(), 60)
    await asyncio.wait_for(publisher.idle.wait(), 60)
    while await left(engine):
        publisher.idle.clear()
        publisher.wake()
        await asyncio.wait_for(publisher.idle.wait(), 60)


async def left(engine):
    async with engine.pool.connection() as db:
        found = await db.execute(
            "SELECT count(*) FROM changed_resources WHERE resource <> 'scanned'"
        )
        return (await found.fetchone())[0]


def newest(kafka, prefix, resource):
    """What a compacted topic comes down to."""
    name = resource_topic(prefix, Environment.SANDBOX, resource)
    kept = {}
    for record in everything(kafka, name, RESOURCE_PARTITIONS):
        kept[record.key] = record.value
    return {key: value for key, value in kept.items() if value is not None}


LIVE = {"status", "nextInvoiceDate"}


def lasting(body):
    """Without what a ``GET`` takes from the subscription as it is by then."""
    sold = {key: value for key, value in body["subscription"].items() if key not in LIVE}
    return {**body, "subscription": sold}


async def a_life(engine, name):
    histories = Histories()
    a_whole_life(histories, name)
    await histories.append_to(engine.store)


async def test_what_was_there_before_and_what_changes_later(database_url, kafka, prefix):
    async with running(database_url, "views") as (engine, client):
        await a_life(engine, "ann")
        async with publishing(database_url, engine, kafka, prefix) as publisher:
            await asyncio.wait_for(publisher.idle.wait(), 60)
            assert {each["customerId"] for each in newest(kafka, prefix, "customers").values()} == {
                "ann"
            }
            await a_life(engine, "bob")
            await caught_up(engine, publisher)
        for resource in ("invoices", "orders"):
            bodies = newest(kafka, prefix, resource)
            assert len(bodies) > 2
            for body in bodies.values():
                shown = (await client.get(f"/{resource}/{body['id']}/")).content
                assert lasting(body) == lasting(json.loads(without_bearers(shown)))
        assert all(
            each["paymentLink"] is None for each in newest(kafka, prefix, "invoices").values()
        )


async def test_what_is_deleted_gets_a_tombstone(database_url, kafka, prefix):
    async with (
        running(database_url, "views") as (engine, client),
        publishing(database_url, engine, kafka, prefix) as publisher,
    ):
        ada = {"customerId": "ada", "name": "Ada", "email": "ada@example.com"}
        assert (await client.post("/customers/", json=ada)).status_code == 201
        await caught_up(engine, publisher)
        assert len(newest(kafka, prefix, "customers")) == 1
        assert (await client.delete("/customers/ada/")).status_code == 204
        await caught_up(engine, publisher)
    assert newest(kafka, prefix, "customers") == {}


async def test_views_that_were_built_anew_are_published_again(database_url, kafka, prefix):
    def silent(*_):
        pass

    async with running(database_url, "views") as (engine, _):
        await a_life(engine, "ann")
        async with publishing(database_url, engine, kafka, prefix) as publisher:
            await asyncio.wait_for(publisher.idle.wait(), 60)
            await caught_up(engine, publisher)
        topic = resource_topic(prefix, Environment.SANDBOX, "orders")
        before = everything(kafka, topic, RESOURCE_PARTITIONS)
        await rebuild(with_views(database_url), engine.store, VIEWS, None, silent)
        async with publishing(database_url, engine, kafka, prefix) as publisher:
            await asyncio.wait_for(publisher.idle.wait(), 60)
        after = everything(kafka, topic, RESOURCE_PARTITIONS)
        async with publishing(database_url, engine, kafka, prefix) as publisher:
            await asyncio.wait_for(publisher.idle.wait(), 60)
            assert len(everything(kafka, topic, RESOURCE_PARTITIONS)) == len(after) > len(before)
            await rebuild(with_views(database_url), engine.store, VIEWS, None, silent)
            async with asyncio.timeout(60):
                while len(everything(kafka, topic, RESOURCE_PARTITIONS)) == len(after):
                    publisher.wake()
                    await asyncio.sleep(0.1)


async def test_nothing_is_noted_while_nobody_publishes(database_url):
    async with running(database_url, "views") as (engine, _):
        await a_life(engine, "ann")
        assert await engine.positions.wait(await engine.store.head(), 60)
        assert await left(engine) == 0


def test_keys_of_licenses_and_links_are_left_out_at_any_depth():
    body = json.dumps({"a": [{"licenseKey": "secret", "b": {"downloadUrl": "u", "c": 1}}]})
    assert json.loads(without_bearers(body.encode())) == {
        "a": [{"licenseKey": None, "b": {"downloadUrl": None, "c": 1}}]
    }

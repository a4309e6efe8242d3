"""A group keeps the views on another database: members killed and added end with the same rows."""

import asyncio
import signal
import sys
from contextlib import ExitStack
from dataclasses import replace

import httpx
import psycopg
import pytest

from app.wiring import Engine, with_views
from projections.all_views import VIEWS
from projections.poller import Poller
from replay.verify import verify
from tests import databases, processes
from tests.api.test_subscriptions import sells
from tests.billing_facts import Histories, a_whole_life
from tests.engines import SERVER_KEY, FixedKeys, place, running
from tests.hosted_buyer import begin
from tests.kafka.stream import publishing


pytestmark = [pytest.mark.kafka, pytest.mark.postgres, pytest.mark.anyio, pytest.mark.timeout(300)]
KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


def silent(*_):
    pass


@pytest.fixture
def replica_url(server_url, template):
    """A database on which there is nothing but the schema."""
    with databases.fresh(server_url, template) as name:
        yield databases.url(server_url, name)


@pytest.fixture
def member(database_url, replica_url, kafka, prefix):
    """Starts members as an operator does; what they said shows when the test fails."""
    started = []
    with ExitStack() as stack:

        def start():
            begun = stack.enter_context(
                processes.running(
                    *("worker", "views", "--from", "kafka"),
                    BILLSTREAM_DATABASE_URL=database_url,
                    BILLSTREAM_VIEWS_DATABASE_URL=replica_url,
                    BILLSTREAM_MASTER_KEY=KEY,
                    BILLSTREAM_KAFKA_BOOTSTRAP=kafka,
                    BILLSTREAM_KAFKA_TOPIC_PREFIX=prefix,
                )
            )
            started.append(begun)
            return begun

        yield start
        for each in started:
            sys.stdout.write(f"member {each.popen.pid}:\n{each.text}\n")


def position(url):
    """Up to where all views are."""
    with psycopg.connect(with_views(url)) as db:
        found = db.execute("SELECT position FROM view_checkpoints WHERE name = 'views'").fetchone()
        return found[0] if found else 0


async def reached(url, wanted):
    await asyncio.to_thread(processes.until, lambda: position(url) >= wanted, 120)


async def live(engine, first, count):
    """Customers, each with a whole life."""
    for number in range(first, first + count):
        histories = Histories()
        a_whole_life(histories, f"customer {number}")
        await histories.append_to(engine.store)


async def checks_out(client, color):
    """The session shows what the organization's settings were when it was made."""
    look = {"customization": {"color": color}}
    answer = await client.patch("/organizations/checkout-settings/", json=look)
    assert answer.status_code == 200, answer.text
    await begin(client)


async def shows_the_same(database_url, replica_url, client, head):
    """A read API on the views from Kafka answers as the one beside the log."""
    reading = await Engine.open(replace(place(database_url), views_database_url=replica_url))
    polling = asyncio.create_task(Poller(reading.pool, reading.positions).run())
    told = {
        "Authorization": f"Bearer {SERVER_KEY}",
        "Billstream-Position": str(head),
    }
    elsewhere = httpx.AsyncClient(
        transport=httpx.ASGITransport(reading.core_app(FixedKeys())),
        base_url=client.base_url,
        headers=told,
    )
    for path in ("/customers/", "/orders/", "/transaction/", "/checkout/sessions/"):
        here, there = await client.get(path), await elsewhere.get(path)
        assert here.status_code == 200, (path, here.text)
        assert here.json()["count"] > 0, path
        assert there.json() == here.json()
    await elsewhere.aclose()
    polling.cancel()
    await asyncio.gather(polling, return_exceptions=True)
    await reading.close()


async def test_members_killed_and_added_end_with_the_rows_of_the_log(
    database_url, replica_url, kafka, prefix, member
):
    async with running(database_url, "views") as (engine, client):
        await sells(client)
        await live(engine, 0, 5)
        await checks_out(client, "red")
        async with publishing(database_url, engine.store, kafka, prefix) as publisher:
            assert await publisher.positions.wait(await engine.store.head(), 60)
            first = await asyncio.to_thread(member)
            await reached(replica_url, await engine.store.head())
            second = await asyncio.to_thread(member)
            for number, killed in enumerate((first, second)):
                await live(engine, 10 * number + 10, 10)
                await checks_out(client, f"blue {number}")
                killed.popen.send_signal(signal.SIGKILL)
                await asyncio.to_thread(member)
                await checks_out(client, f"green {number}")
            head = await engine.store.head()
            assert await publisher.positions.wait(head, 60)
            await reached(replica_url, head)
        verified = await verify(with_views(replica_url), engine.store, VIEWS, None, silent)
        await shows_the_same(database_url, replica_url, client, head)
    assert verified.first == ()
    assert (verified.differing, verified.position) == (0, head)
    assert verified.rows > 200

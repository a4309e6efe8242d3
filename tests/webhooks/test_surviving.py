"""Senders that are killed, stopped, doubled or cut off lose nothing and keep the order."""

import asyncio
import json
import random
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from app.webhook_delivery import Manner, WebhookDelivery
from app.wiring import with_views
from subscribers.deliver_webhooks import RECORDING, Policy
from subscribers.webhooks.schedule import Schedule
from tests.adapters.receiver import Receiver, answer
from tests.engines import running
from tests.webhooks.deliveries import SOON, bodies, drained, names, rows, subscribe, until


pytestmark = pytest.mark.anyio

AGAIN_SOON = Schedule((SOON,) * 9, jitter=0.0)
SHORT_HOLD = Policy(schedule=AGAIN_SOON, hold=timedelta(milliseconds=600), last_call=timedelta())
LONG_HOLD = Policy(schedule=AGAIN_SOON)


@asynccontextmanager
async def without_sender(database_url):
    """An engine whose own sender stands still."""
    async with running(database_url) as (engine, client):
        engine.webhooks.sender.stop()
        await until(lambda: any(t.done() for t in engine.tasks))
        yield engine, client


@asynccontextmanager
async def sender(engine, policy=SHORT_HOLD):
    """Another sender of the same deliveries; at the end it stops as it should."""
    delivery = await WebhookDelivery.open(
        with_views(engine.place.database_url),
        engine.bus,
        engine.store,
        engine.tenants.get,
        Manner(allow_private=True, base_url="", policy=policy),
    )
    task = asyncio.create_task(delivery.sender.run())
    try:
        yield delivery.sender
    finally:
        delivery.sender.stop()
        await asyncio.wait([task])
        await delivery.close()


@asynccontextmanager
async def doomed_sender(engine, step):
    """A sender that gets as far as ``step`` and is then as good as killed: it writes no more."""
    reached = asyncio.Event()

    async def stuck(*_args, **_more):
        reached.set()
        await asyncio.Event().wait()

    delivery = await WebhookDelivery.open(
        with_views(engine.place.database_url),
        engine.bus,
        engine.store,
        engine.tenants.get,
        Manner(allow_private=True, base_url="", policy=SHORT_HOLD),
    )
    step(delivery.sender, stuck)
    running = asyncio.create_task(delivery.sender.run())
    try:
        yield reached
    finally:
        recording = {task for task in asyncio.all_tasks() if task.get_name() == RECORDING}
        killed = {running, *recording, *delivery.sender._drains}
        for task in killed:
            task.cancel()
        await asyncio.wait(killed)
        await delivery.close()


def after_the_claim(sender, stuck):
    sender._deliver = stuck


def before_the_request(sender, stuck):
    sender._attempt = stuck


def after_the_request(sender, stuck):
    sender._recorder._try = stuck


async def customer(client, name):
    made = await client.post("/customers/", json={"customerId": name, "name": f"{name} 0"})
    assert made.status_code == 201, made.text


async def rename(client, name, number):
    body = {"name": f"{name} {number}"}
    assert (await client.patch(f"/customers/{name}/", json=body)).status_code == 200


def firsts(receiver):
    """The names in the order in which they were heard for the first time."""
    return list(dict.fromkeys(names(receiver)))


@pytest.mark.parametrize("step", [after_the_claim, before_the_request, after_the_request])
async def test_a_killed_sender_is_continued_with_the_same_event_ids(database_url, step):
    async with without_sender(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        for number in range(1, 4):
            await rename(client, "ada", number)
        async with doomed_sender(engine, step) as reached:
            await until(reached.is_set)
        async with sender(engine):
            await until(lambda: drained(engine))
        assert firsts(there) == [f"ada {number}" for number in range(4)]
        by_name = {}
        for body in bodies(there):
            by_name.setdefault(body["data"]["object"]["name"], set()).add(body["id"])
        assert all(len(ids) == 1 for ids in by_name.values())
        stored = {str(event) for (event,) in await rows(engine, "SELECT id FROM webhooks.events")}
        assert set().union(*by_name.values()) == stored


async def test_two_senders_share_the_work_and_keep_the_order(database_url):
    chance = random.Random(7)
    heard = {}

    async def moody(request, writer):
        await asyncio.sleep(chance.random() / 100)
        status = 500 if chance.random() < 0.2 else 200
        if status == 200:
            name, number = json.loads(request.body)["data"]["object"]["name"].split()
            heard.setdefault(name, []).append(int(number))
        await answer(status)(request, writer)

    async with without_sender(database_url) as (engine, client), Receiver(moody) as there:
        await subscribe(client, there.url)
        people = [f"c{number}" for number in range(6)]
        async with sender(engine, LONG_HOLD), sender(engine, LONG_HOLD):
            for name in people:
                await customer(client, name)
            for number in range(1, 9):
                for name in people:
                    await rename(client, name, number)
            await until(lambda: drained(engine))
        assert heard == {name: list(range(9)) for name in people}


async def test_a_sender_that_wakes_up_late_does_not_move_the_lane(database_url):
    woken = asyncio.Event()

    async def slow_once(request, writer):
        if len(there.requests) == 1:
            await woken.wait()
        await answer(200)(request, writer)

    async with without_sender(database_url) as (engine, client), Receiver(slow_once) as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        for number in range(1, 4):
            await rename(client, "ada", number)
        async with sender(engine):
            await until(lambda: there.requests)
            async with sender(engine):
                await until(lambda: drained(engine))
                woken.set()
                await until(lambda: drained(engine))
        assert firsts(there) == [f"ada {number}" for number in range(4)]
        assert names(there).count("ada 0") >= 2
        assert await rows(engine, "SELECT waiting FROM webhooks.lanes") == [(0,)]
        states = await rows(engine, "SELECT DISTINCT state FROM webhooks.deliveries")
        assert states == [("done",)]


async def test_connections_that_are_cut_cost_nothing(database_url):
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid() "
        "AND query LIKE '%%webhooks.%%'"
    )
    async with without_sender(database_url) as (engine, client), Receiver() as there:
        cuts = 0
        await subscribe(client, there.url)
        async with sender(engine):
            for name in ("ada", "bob"):
                await customer(client, name)
            for number in range(1, 6):
                for name in ("ada", "bob"):
                    await rename(client, name, number)
                cuts += len(await rows(engine, cut))
            await until(lambda: drained(engine))
        assert cuts > 0
        for name in ("ada", "bob"):
            mine = [each for each in firsts(there) if each.startswith(name)]
            assert mine == [f"{name} {number}" for number in range(6)]


async def test_a_sender_that_is_stopped_writes_down_what_it_sent(database_url):
    async def slow(request, writer):
        await asyncio.sleep(0.3)
        await answer(200)(request, writer)

    async with without_sender(database_url) as (engine, client), Receiver(slow) as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        async with sender(engine, LONG_HOLD):
            await until(lambda: there.requests)
        assert await drained(engine)
        assert len(there.requests) == 1

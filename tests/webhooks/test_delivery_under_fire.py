"""Webhooks while everything fails at once: no event is lost, none is invented, the order stays.

A whole engine as separate processes bills four customers for ten endpoints of which most misbehave;
senders, the views and the database are killed with SIGKILL in the middle.
"""

import asyncio
import json
import os
import random
import signal
import tempfile
from collections import defaultdict
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from adapters.embedded_postgres import EmbeddedPostgres
from aggregates.api_key.events import KeyKind
from app.operations import fresh_key, issue, organization
from app.wiring import Engine
from subscribers.deliver_webhooks import NAME as DELIVER
from tests import databases
from tests.api.test_advancing_clocks import clock
from tests.api.test_subscriptions import PRO, VISA, sells
from tests.engines import place
from tests.webhooks.deliveries import subscribe, until
from tests.webhooks.hostile import WELL, Neighbours
from tests.webhooks.town import (
    PATIENCE,
    PUBLIC_URL,
    SENDERS,
    Town,
    explained,
    merchant,
    variables,
)
from tests.webhooks.what_is_missing import missing
from tests.webhooks.witness import Witness


pytestmark = [
    pytest.mark.postgres,
    pytest.mark.journey,
    pytest.mark.anyio,
    pytest.mark.timeout(560),
]

PEOPLE = ("ada", "bob", "cleo", "dan")
DATABASE = "database"
VICTIMS = (*SENDERS, "views", "others", DATABASE)
MONTHS = ("2024-03-01", "2024-04-01", "2024-05-01", "2024-06-01", "2024-07-01")


@asynccontextmanager
async def engine_of(url):
    """An engine without workers: to begin the organization, and to ask the log in the end."""
    engine = await Engine.open(place(url))
    try:
        yield engine
    finally:
        await engine.close()


async def opened(engine):
    """A server key of a new organization."""
    tenant, _ = await organization(engine, "default", merchant_of_record=True)
    key = fresh_key(KeyKind.SERVER, tenant)
    await issue(engine, tenant, KeyKind.SERVER, key)
    return key, tenant


async def customer(client, name, clock_id):
    body = {"customerId": name, "testClockId": clock_id}
    assert (await client.post("/customers/", json=body)).status_code == 201
    card = {"number": VISA, "expMonth": 4, "expYear": 2090, "cvc": "123"}
    saved = await client.post("/payment-methods/", json={"customerId": name, "card": card})
    assert saved.status_code == 201, saved.text
    sold = await client.post("/subscriptions/create/", json=PRO | {"customerId": name})
    assert sold.status_code == 201, sold.text


async def refund_what_was_heard(client, neighbours, refunded):
    """Give a dollar back of each order whose payment one endpoint has told of."""
    for body in map(json.loads, neighbours.heard("one").values()):
        order = body["data"]["object"]
        if body["type"] == "order.updated" and order["id"] not in refunded:
            refunded.add(order["id"])
            part = {"orderId": order["id"], "amountUnits": 100}
            answer = await client.post("/refunds/", json=part)
            assert answer.status_code == 200, answer.text


async def month(client, clock_id, day):
    """Everybody changes the name, and is billed."""
    for name in PEOPLE:
        changed = await client.patch(f"/customers/{name}/", json={"name": f"{name} {day}"})
        assert changed.status_code == 200, changed.text
    moved = await client.post(
        f"/test-clocks/{clock_id}/advance/", json={"frozenTime": f"{day}T12:00:00Z"}
    )
    assert moved.json()["status"] == "ready", moved.text


async def strike(victim, deliveries, town, postgres, neighbours):
    """Kill it after so many more deliveries, while the next ones are on their way."""

    def heard():
        return sum(len(neighbours.receivers[name].requests) for name in WELL)

    wanted = heard() + deliveries
    await until(lambda: heard() >= wanted, PATIENCE)
    if victim == DATABASE:
        os.kill(postgres.pid, signal.SIGKILL)
    else:
        await town.replace(victim)


def in_order(events, owners):
    """The ids of each customer, in the order given."""
    lanes = defaultdict(list)
    for event in events:
        lanes[owners[event]].append(event)
    return dict(lanes)


@pytest.fixture
def postgres():
    """A server of its own, to be killed."""
    with (
        tempfile.TemporaryDirectory(prefix="bs-", dir=databases.in_memory()) as folder,
        EmbeddedPostgres(Path(folder) / "pg") as server,
    ):
        yield server


async def test_every_event_reaches_every_endpoint_that_works(postgres, tmp_path, seed):
    chance = random.Random(seed)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        url = databases.url(postgres.url(), stack.enter_context(databases.fresh(postgres.url())))
        databases.migrate(url)
        engine = await enter(engine_of(url))
        key, tenant = await opened(engine)
        neighbours = await enter(Neighbours(tmp_path))
        town = await enter(Town(variables(url), engine.workers.keys() - {"views", DELIVER}))
        log = Witness(engine, tenant, PUBLIC_URL)

        async def told():
            await log.look()
            heard = {each: neighbours.heard(each) for each in neighbours.receivers}
            return f"to be had again by --seed {seed}:\n{missing(log.expected, heard)}"

        async with explained(url, town, told), merchant(town, key) as client:
            secrets = {}
            for each, receiver in neighbours.receivers.items():
                secrets[each] = (await subscribe(client, receiver.url))["secret"]
            refunds = await year_under_fire(client, chance, town, postgres, neighbours)

            async def all_told():
                done = await log.look() and log.count("refund.updated") == refunds
                return done and all(neighbours.heard(e).keys() >= log.expected.keys() for e in WELL)

            await until(all_told, PATIENCE)
        assert town.fallen() == []
        assert_all_is_well(neighbours, log)
        assert_signed(neighbours, secrets)


async def year_under_fire(client, chance, town, postgres, neighbours):
    """Month after month in which something is killed; how many refunds were given."""
    await sells(client)
    clock_id, refunded = await clock(client), set()
    await asyncio.gather(*(customer(client, name, clock_id) for name in PEOPLE))
    for day, victim in zip(MONTHS, chance.sample(VICTIMS, len(VICTIMS)), strict=True):
        blow = strike(victim, chance.randint(1, 60), town, postgres, neighbours)
        await asyncio.gather(month(client, clock_id, day), blow)
        await refund_what_was_heard(client, neighbours, refunded)
    assert refunded
    return len(refunded)


def assert_all_is_well(neighbours, log):
    """Complete and in order where it works, nothing invented anywhere."""
    expected, owners = log.expected, log.owners
    order = in_order(expected, owners)
    assert len(order) == len(PEOPLE)
    for each in WELL:
        assert neighbours.heard(each) == expected, each
        assert in_order(neighbours.heard(each), owners) == order, each
    for each in neighbours.receivers:
        assert neighbours.heard(each).items() <= expected.items(), each
    assert neighbours.receivers["bad certificate"].requests == []
    assert log.count("invoice.paid") == len(PEOPLE) * (1 + len(MONTHS))


def assert_signed(neighbours, secrets):
    """Every attempt, the repeated ones too."""
    for each, receiver in neighbours.receivers.items():
        verifier = Webhook(secrets[each])
        for request in receiver.requests:
            assert verifier.verify(request.body, request.headers)

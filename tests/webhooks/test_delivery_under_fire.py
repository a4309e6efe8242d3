"""Webhooks while everything fails at once: no event is lost, none is invented, the order stays.

A whole engine as separate processes bills four customers for ten endpoints of which most misbehave;
senders, the views and the database are killed with SIGKILL in the middle.
"""

import asyncio
import base64
import json
import os
import random
import signal
import tempfile
from collections import defaultdict
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from standardwebhooks import Webhook

from adapters.embedded_postgres import EmbeddedPostgres
from aggregates.api_key.events import KeyKind
from app.operations import fresh_key, issue, organization
from app.wiring import Engine
from projections.webhooks.events import EventMaker
from projections.webhooks.replays import Replay
from subscribers.deliver_webhooks import NAME as DELIVER
from subscribers.webhooks.history import History
from tests import databases
from tests.api.test_advancing_clocks import clock
from tests.api.test_subscriptions import PRO, VISA, sells
from tests.engines import MASTER_KEY, place
from tests.processes import Process
from tests.webhooks.deliveries import subscribe, until
from tests.webhooks.hostile import WELL, Neighbours


pytestmark = [
    pytest.mark.postgres,
    pytest.mark.journey,
    pytest.mark.anyio,
    pytest.mark.timeout(400),
]

PATIENCE = 150
PUBLIC_URL = "https://pay.example"
PEOPLE = ("ada", "bob", "cleo", "dan")
SENDERS = ("one sender", "another sender")
DATABASE = "database"
VICTIMS = (*SENDERS, "views", "others", DATABASE)
MONTHS = ("2024-03-01", "2024-04-01", "2024-05-01", "2024-06-01", "2024-07-01")


class Town:
    """The processes of an engine; each can be killed and is then started anew."""

    def __init__(self, variables, others):
        self._variables = variables
        self._made = {
            "write-api": (("serve", "write-api"), "app"),
            "views": (("worker", "views"), "app"),
            "others": (("worker", *others), "app"),
            **dict.fromkeys(SENDERS, ((), "tests.webhooks.impatient_sender")),
        }
        self.processes = {}

    async def __aenter__(self):
        await asyncio.gather(*map(self.start, self._made))
        return self

    async def __aexit__(self, *_):
        for process in self.processes.values():
            process.popen.kill()
            await asyncio.to_thread(process.end)

    async def start(self, name):
        arguments, module = self._made[name]
        process = Process(*arguments, module=module, **self._variables)
        self.processes[name] = process
        await asyncio.to_thread(process.until_ready)

    async def replace(self, name):
        await asyncio.to_thread(self.processes[name].stop, signal.SIGKILL)
        await self.start(name)

    @property
    def address(self):
        return self.processes["write-api"].ready.split()[-1]

    def fallen(self):
        return [name for name, each in self.processes.items() if each.popen.poll() is not None]


class Insisting(httpx.AsyncClient):
    """A merchant's backend: what fails is asked again under the same Idempotency-Key."""

    async def request(self, method, url, *, headers=None, **more):
        headers = {"Idempotency-Key": str(uuid4()), **(headers or {})}
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    answer = await super().request(method, url, headers=headers, **more)
                except httpx.TransportError:
                    continue
                if answer.status_code < 500:
                    return answer
                await asyncio.sleep(0.05)


def merchant(town, key):
    return Insisting(
        base_url=f"{town.address}/api/v1",
        headers={"Authorization": f"Bearer {key}"},
        timeout=60,
    )


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


def count(bodies, kind):
    return sum(json.loads(body)["type"] == kind for body in bodies.values())


async def announced(engine, tenant):
    """What the log says everybody has to hear: bodies by id in order, and each one's customer."""
    maker = EventMaker(engine.tenants.get, PUBLIC_URL)
    async with engine.store.pool.connection() as db:
        await maker.begin(db)
    everything = Replay(
        id=uuid4(),
        organization=tenant.organization,
        endpoint=uuid4(),
        begin=None,
        end=None,
        first=1,
        last=await engine.store.head(),
        kinds=frozenset({"*"}),
    )
    bodies, owners = {}, {}
    async for _, made in History(engine.store, maker, everything).pages():
        for event in made:
            bodies[str(event.id)] = event.payload
            owners[str(event.id)] = event.owner
    return bodies, owners


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


def variables(url):
    return {
        "BILLSTREAM_DATABASE_URL": url,
        "BILLSTREAM_MASTER_KEY": base64.b64encode(MASTER_KEY).decode(),
        "BILLSTREAM_PORT": "0",
        "BILLSTREAM_PUBLIC_URL": PUBLIC_URL,
        "BILLSTREAM_PRIVATE_WEBHOOKS": "1",
    }


async def test_every_event_reaches_every_endpoint_that_works(postgres, tmp_path, record_property):
    seed = random.SystemRandom().randrange(10**6)
    record_property("seed", seed)
    chance = random.Random(seed)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        url = databases.url(postgres.url(), stack.enter_context(databases.fresh(postgres.url())))
        databases.migrate(url)
        engine = await enter(engine_of(url))
        key, tenant = await opened(engine)
        neighbours = await enter(Neighbours(tmp_path))
        town = await enter(Town(variables(url), engine.workers.keys() - {"views", DELIVER}))
        client = await enter(merchant(town, key))
        secrets = {}
        for each, receiver in neighbours.receivers.items():
            secrets[each] = (await subscribe(client, receiver.url))["secret"]
        await sells(client)
        clock_id, refunded = await clock(client), set()
        await asyncio.gather(*(customer(client, name, clock_id) for name in PEOPLE))
        for day, victim in zip(MONTHS, chance.sample(VICTIMS, len(VICTIMS)), strict=True):
            blow = strike(victim, chance.randint(1, 60), town, postgres, neighbours)
            await asyncio.gather(month(client, clock_id, day), blow)
            await refund_what_was_heard(client, neighbours, refunded)
        assert refunded

        witness = await enter(engine_of(url))

        async def all_told():
            expected, owners = await announced(witness, tenant)
            done = count(expected, "refund.updated") == len(refunded)
            if done and all(neighbours.heard(e).keys() >= expected.keys() for e in WELL):
                return expected, owners
            return None

        expected, owners = await until(all_told, PATIENCE)
        assert town.fallen() == []
        assert_all_is_well(neighbours, expected, owners)
        assert_signed(neighbours, secrets)


def assert_all_is_well(neighbours, expected, owners):
    """Complete and in order where it works, nothing invented anywhere."""
    order = in_order(expected, owners)
    assert len(order) == len(PEOPLE)
    for each in WELL:
        assert neighbours.heard(each) == expected, each
        assert in_order(neighbours.heard(each), owners) == order, each
    for each in neighbours.receivers:
        assert neighbours.heard(each).items() <= expected.items(), each
    assert neighbours.receivers["bad certificate"].requests == []
    assert count(expected, "invoice.paid") == len(PEOPLE) * (1 + len(MONTHS))


def assert_signed(neighbours, secrets):
    """Every attempt, the repeated ones too."""
    for each, receiver in neighbours.receivers.items():
        verifier = Webhook(secrets[each])
        for request in receiver.requests:
            assert verifier.verify(request.body, request.headers)

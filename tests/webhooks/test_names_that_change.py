"""A name that suddenly leads to a private address: nothing goes there, and nothing is lost."""

import asyncio
import json
import socket
from contextlib import asynccontextmanager

import pytest
from aiohttp.abc import AbstractResolver

from adapters.outgoing.http import GuardedHttp
from app.webhook_delivery import Manner, WebhookDelivery
from app.wiring import with_views
from kernel.addresses import Reach, reach
from tests.adapters.receiver import Receiver, answer
from tests.engines import running
from tests.webhooks.deliveries import drained, rows, subscribe, until
from tests.webhooks.test_surviving import SHORT_HOLD, customer, firsts, rename


pytestmark = pytest.mark.anyio

PUBLIC, PRIVATE = "127.0.0.1", "127.0.0.2"
METADATA = "169.254.169.254"


class Turning(AbstractResolver):
    """A name server that answers what it is told to, a moment later something else."""

    def __init__(self):
        self.address = PUBLIC

    async def resolve(self, host, port=0, family=socket.AF_INET):  # noqa: ARG002 (its shape)
        found = {"hostname": host, "host": self.address, "port": port, "proto": 0}
        return [found | {"family": socket.AF_INET, "flags": socket.AI_NUMERICHOST}]

    async def close(self):
        pass


def as_in_production(address):
    """Loopback is what this machine has, so one of its addresses plays a public one."""
    return Reach.PUBLIC if str(address) == PUBLIC else reach(address)


@asynccontextmanager
async def production(engine, names):
    """A sender that may call public addresses alone."""
    delivery = await WebhookDelivery.open(
        with_views(engine.place.database_url),
        engine.bus,
        engine.store,
        engine.tenants.get,
        Manner(allow_private=False, base_url="", policy=SHORT_HOLD),
    )
    await delivery.outgoing.close()
    delivery.sender._outgoing = guard = GuardedHttp(allow_private=False, resolver=names)
    task = asyncio.create_task(delivery.sender.run())
    try:
        yield
    finally:
        delivery.sender.stop()
        await asyncio.wait([task])
        await guard.close()
        await delivery.close()


@pytest.mark.parametrize("elsewhere", [PRIVATE, METADATA])
async def test_a_name_that_turns_private_gets_nothing_until_it_turns_back(
    database_url, monkeypatch, elsewhere
):
    monkeypatch.setattr("adapters.outgoing.http.reach", as_in_production)
    names, there = Turning(), Receiver(answer(headers=["Connection: close"]))

    async def refusals():
        question = "SELECT count(*) FROM webhooks.attempts WHERE problem = 'refused_address'"
        return (await rows(engine, question))[0][0]

    async with running(database_url, "views") as (engine, client), there:
        await subscribe(client, f"http://hooks.example.com:{there.port}/")
        inside = await asyncio.start_server(there._serve, PRIVATE, there.port)
        async with production(engine, names), inside:
            await customer(client, "ada")
            await until(lambda: drained(engine))
            heard = there.connections
            names.address = elsewhere
            await rename(client, "ada", 1)
            await rename(client, "ada", 2)
            await until(refusals)
            assert there.connections == heard
            names.address = PUBLIC
            await until(lambda: drained(engine))
        assert firsts(there) == ["ada 0", "ada 1", "ada 2"]
        assert {json.loads(r.body)["id"] for r in there.requests} == {
            str(event) for (event,) in await rows(engine, "SELECT id FROM webhooks.events")
        }

"""How the deliveries to an endpoint fare, and who hears when one is given up."""

import json
import logging
from datetime import timedelta
from uuid import uuid4

import pytest

from subscribers.operator_events import LOGGER
from tests.adapters.receiver import Receiver, answer
from tests.engines import running
from tests.webhooks.deliveries import ENDPOINTS, drained, impatient, subscribe, until


pytestmark = pytest.mark.anyio


async def create(client, name):
    assert (await client.post("/customers/", json={"customerId": name})).status_code == 201


async def statistics(client, endpoint):
    answered = await client.get(f"{ENDPOINTS}{endpoint['id']}/statistics/")
    assert answered.status_code == 200, answered.text
    return answered.json()


async def test_before_the_first_delivery_all_is_nothing(database_url):
    async with running(database_url) as (_, client):
        endpoint = await subscribe(client, "http://127.0.0.1:9/")
        assert await statistics(client, endpoint) == {
            "endpoint": endpoint["id"],
            "succeeded": 0,
            "failed": 0,
            "last24Hours": {"succeeded": 0, "failed": 0},
            "waiting": 0,
            "oldestWaiting": None,
            "failingSince": None,
            "heldUntil": None,
            "lastSuccess": None,
            "lastFailure": None,
        }


async def test_successes_and_failures_are_counted(database_url):
    statuses = iter([200, 500, 200])

    async def moody(request, writer):
        await answer(next(statuses, 200))(request, writer)

    async with running(database_url) as (engine, client), Receiver(moody) as there:
        impatient(engine)
        endpoint = await subscribe(client, there.url)
        await create(client, "ada")
        await until(lambda: drained(engine))
        await create(client, "bob")
        await until(lambda: drained(engine))
        found = await statistics(client, endpoint)
    assert (found["succeeded"], found["failed"]) == (2, 1)
    assert found["last24Hours"] == {"succeeded": 2, "failed": 1}
    assert (found["waiting"], found["failingSince"]) == (0, None)
    assert found["lastFailure"]["statusCode"] == 500
    assert found["lastSuccess"] >= found["lastFailure"]["at"]


async def test_what_waits_and_since_when_is_shown(database_url):
    async with running(database_url) as (engine, client), Receiver(answer(503)) as there:
        impatient(engine, timedelta(hours=1))
        endpoint = await subscribe(client, there.url)
        await create(client, "ada")
        await until(lambda: there.requests)

        async def failing():
            found = await statistics(client, endpoint)
            return found if found["failed"] else None

        found = await until(failing)
        assert (found["waiting"], found["succeeded"]) == (1, 0)
        assert found["failingSince"] == found["lastFailure"]["at"]
        assert found["oldestWaiting"] is not None


async def test_an_endpoint_of_nobody_has_none(database_url):
    async with running(database_url) as (_, client):
        assert (await client.get(f"{ENDPOINTS}{uuid4()}/statistics/")).status_code == 404


async def test_the_operator_hears_of_an_endpoint_that_is_given_up(database_url, caplog):
    caplog.set_level(logging.ERROR, LOGGER)
    async with running(database_url) as (engine, client), Receiver(answer(410)) as there:
        impatient(engine)
        endpoint = await subscribe(client, there.url)
        await create(client, "ada")
        [told] = await until(lambda: [r for r in caplog.records if r.name == LOGGER])
        kind, _, about = told.getMessage().partition(" ")
        assert kind == "webhook_endpoint_disabled"
        assert json.loads(about)["endpoint"] == endpoint["id"]
        assert json.loads(about)["reason"]

        async def shown():
            record = (await client.get(f"{ENDPOINTS}{endpoint['id']}/")).json()
            return record["disabledReason"] == json.loads(about)["reason"]

        await until(shown)

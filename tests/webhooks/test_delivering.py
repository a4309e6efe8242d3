"""Deliveries to real receivers: signed, at least once, in order per customer, one by one."""

import asyncio
import hmac
import json
from datetime import timedelta

import pytest
from standardwebhooks import Webhook

from tests.adapters.receiver import Receiver, answer
from tests.engines import running
from tests.webhooks.deliveries import (
    ENDPOINTS,
    SOON,
    attempts,
    bodies,
    drained,
    impatient,
    names,
    rows,
    subscribe,
    until,
)


pytestmark = pytest.mark.anyio


async def customer(client, name, **more):
    made = await client.post("/customers/", json={"customerId": name, "name": name, **more})
    assert made.status_code == 201, made.text


async def rename(client, customer_id, name):
    changed = await client.patch(f"/customers/{customer_id}/", json={"name": name})
    assert changed.status_code == 200, changed.text


async def test_a_delivery_verifies_with_the_receivers_own_library(database_url):
    async with running(database_url) as (_, client), Receiver() as there:
        secret = (await subscribe(client, there.url))["secret"]
        await customer(client, "ada")
        await until(lambda: there.requests)
        request = there.requests[0]
        verified = Webhook(secret).verify(request.body, request.headers)
        assert verified["type"] == "customer.created"
        assert verified["id"] == request.headers["webhook-id"]
        assert request.headers["content-type"] == "application/json"
        assert request.line == "POST /hook HTTP/1.1"


async def test_a_hex_delivery_verifies_as_the_reference_client_does(database_url):
    async with running(database_url) as (_, client), Receiver() as there:
        secret = (await subscribe(client, there.url, signatureScheme="HEX"))["secret"]
        await customer(client, "ada")
        await until(lambda: there.requests)
        headers, body = there.requests[0].headers, there.requests[0].body
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        digest = hmac.digest(secret.encode(), signed, "sha256").hex()
        assert headers["webhook-signature"] == f"v1,{digest}"


async def test_events_of_a_customer_arrive_in_order(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        for number in range(30):
            await rename(client, "ada", f"ada {number}")
        await until(lambda: len(there.requests) == 31)
        assert names(there) == ["ada", *(f"ada {number}" for number in range(30))]
        await until(lambda: drained(engine))
        assert len(await attempts(engine)) == 31


async def test_the_next_event_waits_for_the_one_before(database_url):
    refusals = iter([500, 500, 503])

    async def moody(request, writer):
        status = next(refusals, 200) if b'"ada 0"' in request.body else 200
        await answer(status)(request, writer)

    async with running(database_url) as (engine, client), Receiver(moody) as there:
        impatient(engine)
        await subscribe(client, there.url)
        await customer(client, "ada")
        for number in range(3):
            await rename(client, "ada", f"ada {number}")
        await until(lambda: drained(engine))
        assert names(there) == ["ada", "ada 0", "ada 0", "ada 0", "ada 0", "ada 1", "ada 2"]
        ids = [body["id"] for body in bodies(there)]
        assert len(set(ids[1:5])) == 1
        tried = [row[1:] for row in await attempts(engine)]
        assert tried[1:5] == [(500, False, 0), (500, False, 1), (503, False, 2), (200, True, 3)]


async def test_an_exhausted_event_lets_the_next_one_go(database_url):
    async def broken_for_one(request, writer):
        name = json.loads(request.body)["data"]["object"]["name"]
        await answer(500 if name == "ada 0" else 200)(request, writer)

    async with running(database_url) as (engine, client), Receiver(broken_for_one) as there:
        impatient(engine, SOON, SOON)
        await subscribe(client, there.url)
        await customer(client, "ada")
        for number in range(2):
            await rename(client, "ada", f"ada {number}")
        await until(lambda: drained(engine))
        assert names(there) == ["ada", "ada 0", "ada 0", "ada 0", "ada 1"]
        states = await rows(engine, "SELECT state FROM webhooks.deliveries ORDER BY seq")
        assert states == [("done",), ("exhausted",), ("done",)]


async def test_one_customer_does_not_wait_for_another(database_url):
    async def broken_for_one(request, writer):
        await answer(500 if b'"ada"' in request.body else 200)(request, writer)

    async with running(database_url) as (_, client), Receiver(broken_for_one) as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: there.requests)
        for name in ("bob", "cyd", "dan"):
            await customer(client, name)
        await until(lambda: {"bob", "cyd", "dan"} <= set(names(there)))


async def test_a_dead_endpoint_delays_no_other(database_url):
    async def hang(_request, _writer):
        await asyncio.Event().wait()

    async with (
        running(database_url) as (_, client),
        Receiver(hang) as dead,
        Receiver() as alive,
    ):
        await subscribe(client, dead.url)
        await subscribe(client, alive.url)
        for number in range(40):
            await customer(client, f"c{number}")
        await until(lambda: len(alive.requests) == 40)
        assert len(dead.requests) <= 8


async def test_an_endpoint_has_at_most_its_share_of_requests_at_once(database_url):
    most, now = 0, 0

    async def slow(request, writer):
        nonlocal most, now
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.05)
        now -= 1
        await answer()(request, writer)

    async with running(database_url) as (engine, client), Receiver(slow) as there:
        await subscribe(client, there.url)
        for number in range(40):
            await customer(client, f"c{number}")
        await until(lambda: drained(engine))
        assert 1 < most <= 8
        assert sorted(names(there)) == sorted(f"c{number}" for number in range(40))


@pytest.mark.parametrize("status", [301, 302, 400, 404, 500])
async def test_only_2xx_is_success(database_url, status):
    async with running(database_url) as (engine, client), Receiver(answer(status)) as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: attempts(engine))
        assert (await attempts(engine))[0][1:] == (status, False, 0)


async def test_no_answer_is_a_row_without_a_status(database_url):
    async def reset(_request, writer):
        writer.transport.abort()

    async with running(database_url) as (engine, client), Receiver(reset) as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: attempts(engine))
        assert (await attempts(engine))[0][1:] == (None, False, 0)
        problems = await rows(engine, "SELECT problem FROM webhooks.attempts")
        assert problems[0] == ("connection",)


async def test_retry_after_holds_the_endpoint_back(database_url):
    async with (
        running(database_url) as (engine, client),
        Receiver(answer(503, headers=["Retry-After: 3600"])) as there,
    ):
        impatient(engine)
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: attempts(engine))
        await customer(client, "bob")
        (due,) = await rows(
            engine,
            "SELECT min(due_at - now()) FROM webhooks.lanes "
            "WHERE holder IS NULL AND due_at > now()",
        )
        assert timedelta(minutes=59) < due[0] <= timedelta(hours=1)
        held = await rows(engine, "SELECT held_until - now() FROM webhooks.health")
        assert timedelta(minutes=59) < held[0][0] <= timedelta(hours=1)
        assert names(there) == ["ada"]


async def test_410_disables_the_endpoint(database_url):
    async with running(database_url) as (engine, client), Receiver(answer(410)) as there:
        impatient(engine)
        endpoint = await subscribe(client, there.url)
        await customer(client, "ada")

        async def disabled():
            read = await client.get(f"{ENDPOINTS}{endpoint['id']}/")
            return not read.json()["enabled"] and read.json()

        shown = await until(disabled)
        assert shown["disabledReason"] == "GONE"
        await customer(client, "bob")
        assert names(there) == ["ada"]
        assert len(await until(lambda: attempts(engine))) == 1


async def test_what_waited_goes_on_when_the_endpoint_is_enabled_again(database_url):
    async with running(database_url) as (engine, client), Receiver(answer(410)) as there:
        impatient(engine, timedelta(hours=5))
        endpoint = await subscribe(client, there.url)
        path = f"{ENDPOINTS}{endpoint['id']}/"
        await customer(client, "ada")
        await until(lambda: attempts(engine))

        async def disabled():
            return not (await client.get(path)).json()["enabled"]

        await until(disabled)
        there.script = answer(200)
        await client.patch(path, json={"enabled": True})
        await until(lambda: len(there.requests) == 2)
        ids = {body["id"] for body in bodies(there)}
        assert len(ids) == 1


async def test_an_endpoint_that_fails_for_too_long_is_disabled(database_url):
    async with running(database_url) as (engine, client), Receiver(answer(500)) as there:
        impatient(engine, failing_limit=timedelta(milliseconds=120))
        endpoint = await subscribe(client, there.url)
        await customer(client, "ada")

        async def reason():
            read = await client.get(f"{ENDPOINTS}{endpoint['id']}/")
            return read.json()["disabledReason"]

        assert await until(reason) == "FAILING"
        assert len(there.requests) > 1


async def test_a_success_ends_a_stretch_of_failures(database_url):
    statuses = iter([500, 500, 200])

    async def moody(request, writer):
        await answer(next(statuses, 200))(request, writer)

    async with running(database_url) as (engine, client), Receiver(moody) as there:
        impatient(engine)
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        found = await rows(engine, "SELECT failing_since, succeeded, failed FROM webhooks.health")
        assert found == [(None, 1, 2)]
        assert len(there.requests) == 3


async def test_a_rotated_standard_secret_signs_beside_the_new_one(database_url):
    async with running(database_url) as (_, client), Receiver() as there:
        old = await subscribe(client, there.url)
        rotated = await client.post(f"{ENDPOINTS}{old['id']}/rotate-secret/")
        await customer(client, "ada")
        await until(lambda: there.requests)
        request = there.requests[0]
        for secret in (old["secret"], rotated.json()["secret"]):
            Webhook(secret).verify(request.body, request.headers)


async def test_a_rotated_hex_secret_signs_alone_at_once(database_url):
    async with running(database_url) as (_, client), Receiver() as there:
        old = await subscribe(client, there.url, signatureScheme="HEX")
        rotated = await client.post(f"{ENDPOINTS}{old['id']}/rotate-secret/")
        await customer(client, "ada")
        await until(lambda: there.requests)
        headers, body = there.requests[0].headers, there.requests[0].body
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        key = rotated.json()["secret"].encode()
        assert headers["webhook-signature"] == f"v1,{hmac.digest(key, signed, 'sha256').hex()}"


async def test_a_moved_endpoint_gets_what_waits_at_its_new_address(database_url):
    async with (
        running(database_url) as (engine, client),
        Receiver(answer(500)) as old,
        Receiver() as new,
    ):
        impatient(engine, timedelta(hours=5))
        endpoint = await subscribe(client, old.url)
        await customer(client, "ada")
        await until(lambda: attempts(engine))
        await client.patch(f"{ENDPOINTS}{endpoint['id']}/", json={"url": new.url})
        await until(lambda: new.requests)
        assert names(new) == ["ada"]


async def test_a_deleted_endpoint_gets_nothing_more(database_url):
    async with (
        running(database_url) as (engine, client),
        Receiver(answer(500)) as there,
        Receiver() as other,
    ):
        impatient(engine, timedelta(milliseconds=300))
        endpoint = await subscribe(client, there.url)
        await subscribe(client, other.url)
        await customer(client, "ada")
        await until(lambda: attempts(engine))
        await client.delete(f"{ENDPOINTS}{endpoint['id']}/")
        seen = len(there.requests)
        await customer(client, "bob")
        await until(lambda: len(other.requests) == 2)
        await asyncio.sleep(0.5)
        assert len(there.requests) == seen


async def test_the_body_is_what_was_announced(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "zoë", metadata={"k": [1, None, "ü"]})
        await until(lambda: there.requests)
        ((payload,),) = await rows(engine, "SELECT payload FROM webhooks.events")
        assert there.requests[0].body == payload
        assert json.loads(payload)["data"]["object"]["metadata"] == {"k": [1, None, "ü"]}

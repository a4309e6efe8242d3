"""Events are made with the views: for whom is subscribed, in order, once whatever happens."""

import json
from uuid import UUID, uuid5

import pytest

from tests.engines import running


pytestmark = pytest.mark.anyio

PATH = "/webhook/endpoints/"
KILLED = "DELETE FROM view_checkpoints WHERE pg_terminate_backend(pg_backend_pid())"
ADA = {"customerId": "ada", "name": "Ada", "email": "ada@example.com"}


async def subscribe(client, *events, **more):
    asked = {"url": "http://127.0.0.1:9/hook", "events": list(events), **more}
    answered = await client.post(PATH, json=asked)
    assert answered.status_code == 201, answered.text
    return answered.json()


async def rows(engine, sql, *parameters):
    return await engine.reader.rows(sql, parameters)


async def events(engine):
    found = await rows(engine, "SELECT payload FROM webhooks.events ORDER BY position")
    return [json.loads(payload) for (payload,) in found]


async def test_an_event_tells_what_happened_when(database_url):
    async with running(database_url) as (engine, client):
        await subscribe(client, "customer.created")
        made = await client.post("/customers/", json=ADA)
        (event,) = await events(engine)
        body = made.json()
        position = int(made.headers["Billstream-Position"])
        ((log,),) = await rows(engine, "SELECT log_id FROM public.identity")
        assert UUID(event["id"]) == uuid5(log, f"{position}/customer.created")
        assert event["type"] == "customer.created"
        assert event["created_at"] == body["createdOn"][:19] + "Z"
        assert event["data"].keys() == {"object"}
        shown = event["data"]["object"]
        assert shown["object"] == "customer"
        assert (shown["id"], shown["customer_id"]) == (body["id"], "ada")
        assert shown["billing_address"] == {}
        assert shown["subscriptions"] == 0


async def test_an_update_tells_what_was_before(database_url):
    async with running(database_url) as (engine, client):
        await client.post("/customers/", json=ADA)
        await subscribe(client, "customer.updated")
        await client.patch("/customers/ada/", json={"name": "Countess", "metadata": {"a": 1}})
        (event,) = await events(engine)
        assert event["data"]["object"]["name"] == "Countess"
        previous = event["data"]["previous_attributes"]
        assert previous.pop("modified_on") < event["data"]["object"]["modified_on"]
        assert previous == {"name": "Ada", "metadata": {}}


async def test_the_payload_is_compact(database_url):
    async with running(database_url) as (engine, client):
        await subscribe(client, "*")
        await client.post("/customers/", json=ADA)
        ((payload,),) = await rows(engine, "SELECT payload FROM webhooks.events")
        assert payload == json.dumps(json.loads(payload), separators=(",", ":")).encode()


async def test_each_subscribed_and_enabled_endpoint_gets_one_delivery(database_url):
    async with running(database_url) as (engine, client):
        wide = await subscribe(client, "*")
        narrow = await subscribe(client, "customer.created", "invoice.paid")
        await subscribe(client, "invoice.paid")
        await subscribe(client, "*", enabled=False)
        gone = await subscribe(client, "*")
        await client.delete(f"{PATH}{gone['id']}/")
        await client.post("/customers/", json=ADA)
        found = await rows(engine, "SELECT endpoint::text FROM webhooks.deliveries")
        assert sorted(found) == sorted([(wide["id"],), (narrow["id"],)])
        waiting = await rows(engine, "SELECT endpoint::text, waiting FROM webhooks.lanes")
        assert sorted(waiting) == sorted([(wide["id"], 1), (narrow["id"], 1)])


async def test_nobody_subscribed_means_no_event(database_url):
    async with running(database_url) as (engine, client):
        await client.post("/customers/", json=ADA)
        await subscribe(client, "customer.created")
        assert await events(engine) == []


async def test_one_customer_is_one_lane_in_the_order_of_the_log(database_url):
    async with running(database_url) as (engine, client):
        await subscribe(client, "*")
        for name in ("ada", "bob"):
            await client.post("/customers/", json={"customerId": name})
        for number in range(5):
            for name in ("ada", "bob"):
                await client.patch(f"/customers/{name}/", json={"name": f"{name} {number}"})
        assert await rows(engine, "SELECT waiting FROM webhooks.lanes") == [(6,), (6,)]
        found = await rows(
            engine,
            "SELECT e.payload FROM webhooks.deliveries d JOIN webhooks.events e ON e.id = d.event "
            "ORDER BY d.lane, d.seq",
        )
        names = [json.loads(payload)["data"]["object"]["name"] for (payload,) in found]
        for name in ("ada", "bob"):
            mine = [text for text in names if text and text.startswith(name)]
            assert mine == [f"{name} {number}" for number in range(5)]


async def test_views_that_are_built_anew_announce_nothing_again(database_url):
    async with running(database_url) as (engine, client):
        await subscribe(client, "*")
        await client.post("/customers/", json=ADA)
        before = await rows(engine, "SELECT seq, event FROM webhooks.deliveries")
        await rows(
            engine, "UPDATE view_checkpoints SET position = 0, epoch = epoch + 1 RETURNING 1"
        )
    async with running(database_url) as (engine, client):
        made = await client.post("/customers/", json={"customerId": "bob"})
        assert made.status_code == 201
        after = await rows(engine, "SELECT seq, event FROM webhooks.deliveries ORDER BY seq")
        assert after[: len(before)] == before
        assert len(after) == len(before) + 1


async def test_a_batch_that_fails_announces_once_when_it_comes_again(database_url, monkeypatch):
    async with running(database_url) as (engine, client):
        await subscribe(client, "*")
        outbox = engine.projector._outbox
        saving, failures = outbox.saving, []

        def failing(position):
            yield from saving(position)
            if not failures:
                failures.append(position)
                yield KILLED, ()

        monkeypatch.setattr(outbox, "saving", failing)
        await client.post("/customers/", json=ADA)
        assert len(failures) == 1
        found = await rows(engine, "SELECT waiting FROM webhooks.lanes")
        assert found == [(1,)]
        assert len(await events(engine)) == 1

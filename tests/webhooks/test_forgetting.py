"""Old deliveries are forgotten, and nothing that is still needed."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from projections.steps import execute
from projections.webhooks.events import Event, saving
from subscribers.webhooks.pruning import prune
from subscribers.webhooks.spent_secrets import forget_spent
from tests.adapters.receiver import Receiver, answer
from tests.engines import running
from tests.webhooks.deliveries import (
    ENDPOINTS,
    attempts,
    drained,
    impatient,
    rows,
    subscribe,
    until,
)


pytestmark = pytest.mark.anyio


async def age(engine, days):
    """As if everything had happened this many days earlier."""
    by = timedelta(days=days)
    for change in (
        "attempts SET last_attempt = last_attempt - %s RETURNING 1",
        "events SET created_at = created_at - %s RETURNING 1",
        "lanes SET due_at = due_at - %s WHERE waiting = 0 RETURNING 1",
    ):
        await rows(engine, f"UPDATE webhooks.{change}", by)


async def left(engine):
    tables = ("attempts", "deliveries", "events", "lanes")
    return [(await rows(engine, f"SELECT count(*) FROM webhooks.{t}"))[0][0] for t in tables]


async def pruned(engine):
    async with engine.pool.connection() as db:
        while await prune(db):
            pass


async def test_what_is_past_is_forgotten(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        for name in ("ada", "bob"):
            await client.post("/customers/", json={"customerId": name})
        await until(lambda: drained(engine))
        await pruned(engine)
        assert await left(engine) == [2, 2, 2, 2]
        await age(engine, 32)
        await pruned(engine)
        assert await left(engine) == [0, 2, 2, 0]
        await age(engine, 4)
        await pruned(engine)
        assert await left(engine) == [0, 0, 0, 0]
        await client.patch("/customers/ada/", json={"name": "Ada"})
        await until(lambda: len(there.requests) == 3)


async def test_what_still_waits_is_kept(database_url):
    async with running(database_url) as (engine, client), Receiver(answer(500)) as there:
        impatient(engine, timedelta(hours=1))
        await subscribe(client, there.url)
        await client.post("/customers/", json={"customerId": "ada"})
        await until(lambda: attempts(engine))
        await age(engine, 100)
        await pruned(engine)
        assert await left(engine) == [0, 1, 1, 1]


async def test_what_waited_for_a_deleted_endpoint_is_dropped(database_url):
    async with running(database_url) as (engine, client), Receiver(answer(500)) as there:
        impatient(engine, timedelta(hours=1))
        endpoint = await subscribe(client, there.url)
        await client.post("/customers/", json={"customerId": "ada"})
        await client.patch("/customers/ada/", json={"name": "Ada"})
        await until(lambda: attempts(engine))
        await client.delete(f"{ENDPOINTS}{endpoint['id']}/")
        await pruned(engine)
        assert await rows(engine, "SELECT waiting FROM webhooks.lanes") == [(0,)]
        assert await rows(engine, "SELECT count(*) FROM webhooks.deliveries") == [(0,)]


async def queued_again(db, event, endpoint):
    """What a replay does with an event that is still there."""
    found = await db.execute(
        "SELECT organization, owner, kind, position, created_at, payload "
        "FROM webhooks.events WHERE id = %s",
        (event,),
    )
    again = Event(event, *await found.fetchone(), endpoints=(UUID(endpoint["id"]),))
    await execute(db, saving([again]))


async def test_what_is_being_queued_again_is_not_forgotten(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        endpoint = await subscribe(client, there.url)
        await client.post("/customers/", json={"customerId": "ada"})
        await until(lambda: drained(engine))
        ((event,),) = await rows(engine, "SELECT id FROM webhooks.events")
        await age(engine, 36)
        async with engine.pool.connection() as db, db.transaction():
            await queued_again(db, event, endpoint)
            await pruned(engine)
        await until(lambda: len(there.requests) == 2)
        first, again = there.requests
        assert first.body == again.body
        await until(lambda: drained(engine))


async def test_secrets_that_sign_no_more_are_dropped_a_day_later(database_url):
    async with running(database_url, "views") as (engine, client):
        standard = await subscribe(client, "http://127.0.0.1:9/")
        other = await subscribe(client, "http://127.0.0.1:9/", signatureScheme="HEX")
        gone = await subscribe(client, "http://127.0.0.1:9/")

        async def kept(days):
            at = datetime.now(UTC) + timedelta(days=days)
            async with engine.pool.connection() as db:
                await forget_spent(db, engine.store, at)
            return (await rows(engine, "SELECT count(*) FROM public.secrets"))[0][0]

        at_first = await kept(0)
        for endpoint in (standard, standard, other, gone):
            await client.post(f"{ENDPOINTS}{endpoint['id']}/rotate-secret/")
        await client.delete(f"{ENDPOINTS}{gone['id']}/")
        assert await kept(0.9) == at_first + 4
        assert await kept(1.1) == at_first + 1, "that of HEX, and both of the deleted one"
        assert await kept(2.1) == at_first - 1, "and the two that signed beside the new one"
        assert await kept(30) == at_first - 1

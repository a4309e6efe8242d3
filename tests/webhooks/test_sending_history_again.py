"""History goes to an endpoint again: the same ids and bodies, in order, once."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from tests.adapters.receiver import Receiver
from tests.api.test_subscriptions import PRO, VISA, customer, sells
from tests.engines import running
from tests.webhooks.deliveries import ENDPOINTS, bodies, drained, rows, subscribe, until


pytestmark = pytest.mark.anyio
POSITION = "Billstream-Position"


async def live(client):
    """A catalog, a customer with a card and a paid subscription, and a change of name."""
    await sells(client)
    await customer(client, VISA)
    sold = await client.post("/subscriptions/create/", json=PRO)
    assert sold.status_code == 201, sold.text
    assert (await client.patch("/customers/ada/", json={"name": "Ada"})).status_code == 200


async def settled(engine):
    """Whether every wish is fulfilled and everything was sent."""
    open_wishes = "SELECT count(*) FROM webhooks.replays WHERE finished_at IS NULL"
    return await rows(engine, open_wishes) == [(0,)] and await drained(engine)


async def ask(client, endpoint, body, status=202, **headers):
    path = f"{ENDPOINTS}{endpoint['id']}/replay/"
    answered = await client.post(path, json=body, headers=headers)
    assert answered.status_code == status, answered.text
    return answered.json()


async def test_all_history_comes_again_byte_for_byte(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        endpoint = await subscribe(client, there.url)
        await live(client)
        await until(lambda: drained(engine))
        first = [request.body for request in there.requests]
        assert len(first) == 9
        await ask(client, endpoint, {"fromPosition": 1})
        await until(lambda: settled(engine))
        assert [request.body for request in there.requests[9:]] == first


async def test_a_new_endpoint_hears_what_happened_before_it_was_there(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await live(client)
        endpoint = await subscribe(client, there.url, "invoice.paid", "customer.updated")
        await ask(client, endpoint, {"from": "2020-01-01T00:00:00Z"})
        await until(lambda: settled(engine))
        assert [body["type"] for body in bodies(there)] == ["invoice.paid", "customer.updated"]
        paid = bodies(there)[0]["data"]
        assert paid["object"]["customer"]["name"] is None
        assert paid["previous_attributes"]["status"] == "OPEN"


async def test_only_the_stretch_that_was_named_comes_again(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        endpoint = await subscribe(client, there.url)
        await live(client)
        await until(lambda: drained(engine))
        known = await rows(engine, "SELECT position, id FROM webhooks.events ORDER BY position")
        chosen = known[2:5]
        there.requests.clear()
        await ask(client, endpoint, {"fromPosition": chosen[0][0], "toPosition": chosen[-1][0]})
        await until(lambda: settled(engine))
        expected = [str(i) for p, i in known if chosen[0][0] <= p <= chosen[-1][0]]
        assert [body["id"] for body in bodies(there)] == expected
        there.requests.clear()
        soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
        await ask(client, endpoint, {"from": soon})
        await until(lambda: settled(engine))
        assert there.requests == []


async def test_other_endpoints_hear_nothing_of_it(database_url):
    async with running(database_url) as (engine, client), Receiver() as one, Receiver() as other:
        endpoint = await subscribe(client, one.url)
        await subscribe(client, other.url)
        await live(client)
        await until(lambda: drained(engine))
        heard = len(other.requests)
        await ask(client, endpoint, {"fromPosition": 1})
        await until(lambda: settled(engine))
        assert len(other.requests) == heard
        assert len(one.requests) == 2 * heard


async def test_the_same_idempotency_key_is_one_replay(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        endpoint = await subscribe(client, there.url)
        await live(client)
        await until(lambda: drained(engine))
        heard = len(there.requests)
        for _ in range(3):
            await ask(client, endpoint, {"fromPosition": 1}, **{"Idempotency-Key": "once"})
        await until(lambda: settled(engine))
        assert len(there.requests) == 2 * heard


def ids_of(receiver, customer_id):
    """The events that are a customer's, in the order in which they came."""
    shown = [(body["id"], body["data"]["object"]) for body in bodies(receiver)]
    return [i for i, one in shown if one.get("customer", one)["customer_id"] == customer_id]


async def test_a_long_replay_does_not_hold_up_a_short_one(database_url, monkeypatch):
    monkeypatch.setattr("subscribers.webhooks.history.OWNERS", 1)
    async with running(database_url) as (engine, client), Receiver() as one, Receiver() as other:
        for number in range(12):
            await client.post("/customers/", json={"customerId": f"c{number}"})
        long, short = await subscribe(client, one.url), await subscribe(client, other.url)
        first = int((await client.post("/customers/", json={"customerId": "z"})).headers[POSITION])
        await until(lambda: drained(engine))
        replayer, steps = engine.webhooks.replayer, []
        step, both = replayer._step, asyncio.Event()

        async def counting(db, replay):
            await both.wait()
            steps.append(str(replay.endpoint))
            await step(db, replay)

        monkeypatch.setattr(replayer, "_step", counting)
        await ask(client, long, {"fromPosition": 1, "toPosition": first - 1})
        await ask(client, short, {"fromPosition": first, "toPosition": first})
        both.set()
        await until(lambda: settled(engine))
        assert len(one.requests) == 13
        assert len(other.requests) == 2
        last = len(steps) - steps[::-1].index(short["id"])
        assert last < len(steps) - 5, "the short one ends while the long one goes on"


async def test_a_replay_that_was_cut_off_goes_on_where_it_was(database_url, monkeypatch):
    monkeypatch.setattr("subscribers.webhooks.history.PAGE", 3)
    monkeypatch.setattr("subscribers.webhooks.history.OWNERS", 2)
    async with running(database_url) as (engine, client), Receiver() as there:
        endpoint = await subscribe(client, there.url)
        await live(client)
        for name in ("bob", "cyd", "dan"):
            await client.post("/customers/", json={"customerId": name})
        await until(lambda: drained(engine))
        first = sorted(body["id"] for body in bodies(there))
        adas = ids_of(there, "ada")
        replayer, cut = engine.webhooks.replayer, []
        save = replayer._save

        async def cutting(db, *rest):
            await save(db, *rest)
            if not cut:
                cut.append(True)
                await db.close()

        monkeypatch.setattr(replayer, "_save", cutting)
        await ask(client, endpoint, {"fromPosition": 1})
        await until(lambda: settled(engine))
        assert cut
        assert sorted(body["id"] for body in bodies(there)[len(first) :]) == first
        assert ids_of(there, "ada") == [*adas, *adas]


async def test_a_replay_that_cannot_be_made_holds_up_no_other(database_url, monkeypatch, caplog):
    async with running(database_url) as (engine, client), Receiver() as one, Receiver() as other:
        stuck = await subscribe(client, one.url, "customer.created")
        endpoint = await subscribe(client, other.url, "customer.created")
        await live(client)
        await until(lambda: drained(engine))
        replayer = engine.webhooks.replayer
        save = replayer._save

        async def failing(db, replay, *rest):
            if str(replay.endpoint) == stuck["id"]:
                raise LookupError("it cannot be made")
            await save(db, replay, *rest)

        monkeypatch.setattr(replayer, "_save", failing)
        await ask(client, stuck, {"fromPosition": 1})
        await ask(client, endpoint, {"fromPosition": 1})
        await until(lambda: len(other.requests) == 2)
        assert len(one.requests) == 1
        assert "stands still" in caplog.text


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"to": "2026-01-01T00:00:00Z"},
        {"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"},
        {"from": "2026-01-01T00:00:00Z", "fromPosition": 1},
        {"from": "2026-01-01T00:00:00Z", "toPosition": 1},
        {"fromPosition": 0},
        {"fromPosition": 5, "toPosition": 4},
        {"from": "yesterday"},
    ],
)
async def test_a_stretch_that_is_none_is_refused(module_database_url, body):
    async with running(module_database_url) as (engine, client):
        endpoint = await subscribe(client, "http://127.0.0.1:9/")
        await ask(client, endpoint, body, status=400)
        assert await rows(engine, "SELECT count(*) FROM webhooks.replays") == [(0,)]


async def test_who_takes_no_events_gets_no_history(database_url):
    async with running(database_url) as (_, client):
        endpoint = await subscribe(client, "http://127.0.0.1:9/", enabled=False)
        await ask(client, endpoint, {"fromPosition": 1}, status=400)
        await ask(client, {"id": uuid4()}, {"fromPosition": 1}, status=404)

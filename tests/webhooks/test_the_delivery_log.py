"""The log of attempts over HTTP, and sending again."""

import json
import random
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from projections.webhooks.schema import COUNTED_BY_THE_HOUR
from tests.adapters.receiver import Receiver, answer
from tests.engines import running
from tests.webhooks.deliveries import (
    ENDPOINTS,
    attempts,
    bodies,
    drained,
    impatient,
    rows,
    subscribe,
    until,
)


pytestmark = pytest.mark.anyio

LOGS = "/webhook/logs/"


async def customer(client, name):
    made = await client.post("/customers/", json={"customerId": name, "name": name})
    assert made.status_code == 201, made.text


async def logged(client, **query):
    answered = await client.get(LOGS, params=query)
    assert answered.status_code == 200, answered.text
    return answered.json()


async def test_every_attempt_is_a_row_of_ten_fields(database_url):
    statuses = iter([500, 200])

    async def moody(request, writer):
        await answer(next(statuses, 200))(request, writer)

    async with running(database_url) as (engine, client), Receiver(moody) as there:
        impatient(engine)
        endpoint = await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        page = await logged(client)
        assert page["count"] == 2
        newest, first = page["results"]
        event = bodies(there)[0]
        assert first == {
            "id": first["id"],
            "eventId": event["id"],
            "endpoint": endpoint["id"],
            "eventType": "customer.created",
            "statusCode": 500,
            "isSuccess": False,
            "retryCount": 0,
            "lastAttempt": first["lastAttempt"],
            "createdOn": first["createdOn"],
            "payload": event,
        }
        assert (newest["statusCode"], newest["isSuccess"], newest["retryCount"]) == (200, True, 1)
        assert newest["createdOn"] == first["createdOn"]
        assert newest["id"] != first["id"]


async def test_no_answer_has_no_status(database_url):
    async with running(database_url) as (engine, client):
        await subscribe(client, "http://127.0.0.1:9/")
        await customer(client, "ada")
        await until(lambda: attempts(engine))
        (row,) = (await logged(client))["results"]
        assert (row["statusCode"], row["isSuccess"]) == (None, False)


async def log_attempts(engine, *ages):
    """Rows of attempts this long ago, as if they had been made."""
    ((event, organization),) = await rows(
        engine, "SELECT id, organization FROM webhooks.events LIMIT 1"
    )
    for age in ages:
        at = datetime.now(UTC) - age
        await rows(
            engine,
            "INSERT INTO webhooks.attempts VALUES (%s, %s, %s, %s, 'customer.created', 200, true, "
            "0, %s, %s, NULL) RETURNING id",
            *(uuid4(), organization, event, uuid4(), at, at),
        )


async def test_dates_narrow_the_thirty_days_and_never_widen_them(database_url):
    days = [timedelta(days=n, minutes=1) for n in (0, 1, 5, 29, 30, 40)]
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        await rows(engine, "DELETE FROM webhooks.attempts RETURNING id")
        await log_attempts(engine, *days)
        today = datetime.now(UTC).date()
        assert (await logged(client))["count"] == 4
        wide = {"start_date": today - timedelta(days=300), "end_date": today + timedelta(days=1)}
        assert (await logged(client, **wide))["count"] == 4
        begin = (datetime.now(UTC) - days[2]).date()
        assert (await logged(client, start_date=begin))["count"] == 3
        assert (await logged(client, end_date=begin))["count"] == 2
        assert (await logged(client, start_date=begin, end_date=begin))["count"] == 1
        assert (await logged(client, start_date=today + timedelta(days=2)))["count"] == 0


async def test_pages_are_newest_first_and_capped(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        await log_attempts(engine, *(timedelta(minutes=n) for n in range(1, 121)))
        page = await logged(client)
        assert (page["count"], len(page["results"])) == (121, 10)
        times = [row["lastAttempt"] for row in page["results"]]
        assert times == sorted(times, reverse=True)
        assert len((await logged(client, page_size=1000))["results"]) == 100
        assert len((await logged(client, page=13))["results"]) == 1
        assert (await client.get(LOGS, params={"page": 14})).status_code == 404
        assert (await client.get(LOGS, params={"start_date": "soon"})).status_code == 400


async def test_an_event_is_sent_again_under_the_same_id(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        (row,) = (await logged(client))["results"]
        again = await client.post(f"{LOGS}{row['id']}/resend/")
        assert again.status_code == 200
        await until(lambda: len(there.requests) == 2)
        first, second = there.requests
        assert first.body == second.body
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        await until(lambda: drained(engine))
        assert (await logged(client))["count"] == 2


async def test_sending_again_does_not_wait_for_what_is_stuck(database_url):
    async def broken_for_changes(request, writer):
        kind = json.loads(request.body)["type"]
        await answer(500 if kind == "customer.updated" else 200)(request, writer)

    async with running(database_url) as (engine, client), Receiver(broken_for_changes) as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: attempts(engine))
        await client.patch("/customers/ada/", json={"name": "Ada"})
        await until(lambda: len(there.requests) == 2)
        row = (await logged(client))["results"][-1]
        await client.post(f"{LOGS}{row['id']}/resend/")
        await until(lambda: len(there.requests) == 3)
        assert bodies(there)[2]["id"] == bodies(there)[0]["id"]


async def test_the_same_idempotency_key_sends_once(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        (row,) = (await logged(client))["results"]
        headers = {"Idempotency-Key": "again"}
        for _ in range(3):
            again = await client.post(f"{LOGS}{row['id']}/resend/", headers=headers)
            assert again.status_code == 200
        await until(lambda: drained(engine))
        assert len(there.requests) == 2


async def test_what_cannot_be_sent_again_says_why(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        endpoint = await subscribe(client, there.url)
        path = f"{ENDPOINTS}{endpoint['id']}/"
        await customer(client, "ada")
        await until(lambda: drained(engine))
        (row,) = (await logged(client))["results"]
        unknown = await client.post(f"{LOGS}{uuid4()}/resend/")
        assert unknown.status_code == 404
        await client.patch(path, json={"enabled": False})
        disabled = await client.post(f"{LOGS}{row['id']}/resend/")
        assert disabled.status_code == 400
        assert disabled.json()["code"] == "webhook_endpoint_disabled"
        await client.delete(path)
        assert (await client.post(f"{LOGS}{row['id']}/resend/")).status_code == 404


async def test_filters_narrow_the_log(database_url):
    statuses = iter([500, 200, 200])

    async def moody(request, writer):
        await answer(next(statuses, 200))(request, writer)

    async with (
        running(database_url) as (engine, client),
        Receiver(moody) as one,
        Receiver(answer(200)) as other,
    ):
        impatient(engine)
        first = await subscribe(client, one.url, "customer.created")
        second = await subscribe(client, other.url)
        await customer(client, "ada")
        await client.patch("/customers/ada/", json={"name": "Ada L."})
        await until(lambda: drained(engine))
        event = bodies(one)[0]["id"]
        for query, count in (
            ({}, 4),
            ({"endpoint": first["id"]}, 2),
            ({"endpoint": second["id"], "event_type": "customer.updated"}, 1),
            ({"event_id": event}, 3),
            ({"is_success": "false"}, 1),
            ({"is_success": "true", "endpoint": first["id"]}, 1),
            ({"endpoint": str(uuid4())}, 0),
        ):
            page = await logged(client, **query)
            assert (page["count"], len(page["results"])) == (count, count), query
        for wrong in ({"event_type": "customer.born"}, {"endpoint": "x"}, {"is_success": "?"}):
            answered = await client.get(LOGS, params=wrong)
            assert (answered.status_code, list(answered.json())) == (400, list(wrong))


async def spread(engine, chance, number):
    """Attempts of many hours to several endpoints, some on the hour, some in the same moment."""
    ((event, organization),) = await rows(
        engine, "SELECT id, organization FROM webhooks.events LIMIT 1"
    )
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    endpoints = [uuid4() for _ in range(3)]
    for _ in range(number):
        at = hour - timedelta(hours=chance.choice((0, 1, 2, 3, 100, 719, 720, 721, 800)))
        at += timedelta(minutes=chance.choice((0, 0, 7, 59)))
        kind = chance.choice(("customer.created", "customer.updated"))
        values = (uuid4(), organization, event, chance.choice(endpoints), kind)
        await rows(
            engine,
            "INSERT INTO webhooks.attempts VALUES (%s, %s, %s, %s, %s, 200, %s, 0, %s, %s, NULL) "
            "RETURNING id",
            *(*values, chance.random() < 0.8, at, at),
        )
    return endpoints


async def expected_ids(engine, condition, *values):
    """What a plain query finds, newest first."""
    found = await rows(
        engine,
        "SELECT id FROM webhooks.attempts WHERE last_attempt > now() - interval '30 days' AND "
        f"{condition} ORDER BY last_attempt DESC, id",
        *values,
    )
    return [str(attempt) for (attempt,) in found]


async def test_pages_are_those_of_the_plain_list_however_the_hours_fall(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        first, *_ = await spread(engine, random.Random(12), 150)
        for query, condition, values in (
            ({}, "true", ()),
            ({"endpoint": str(first)}, "endpoint = %s", (first,)),
            ({"is_success": "false"}, "NOT is_success", ()),
            ({"event_type": "customer.updated"}, "kind = 'customer.updated'", ()),
            ({"event_id": bodies(there)[0]["id"]}, "true", ()),
        ):
            wanted = await expected_ids(engine, condition, *values)
            assert wanted
            for size in (7, 100):
                ids, count = [], (await logged(client, **query))["count"]
                for page in range(1, -(-len(wanted) // size) + 1):
                    told = await logged(client, page=page, page_size=size, **query)
                    ids += [row["id"] for row in told["results"]]
                assert (count, ids) == (len(wanted), wanted), query


async def test_what_was_logged_before_attempts_were_counted_is_counted(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        await log_attempts(engine, *(timedelta(minutes=n) for n in range(1, 121)))
        async with engine.pool.connection() as db, db.transaction():
            await db.execute("DROP TABLE webhooks.attempt_hours")
            await db.execute("DROP FUNCTION webhooks.count_attempts CASCADE")
            for _ in range(2):
                await db.execute(COUNTED_BY_THE_HOUR)
        await log_attempts(engine, timedelta(minutes=1))
        assert (await logged(client))["count"] == 122
        await rows(
            engine,
            "DELETE FROM webhooks.attempts WHERE last_attempt < now() - interval '1 hour' "
            "RETURNING id",
        )
        left = await expected_ids(engine, "true")
        assert (await logged(client))["count"] == len(left) < 122

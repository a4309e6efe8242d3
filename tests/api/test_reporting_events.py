"""Events over HTTP: counted once, by what meters look for, in their period."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from tests.api.test_advancing_clocks import advance, clock
from tests.engines import ORGANIZATION, running
from tests.metered import buys, counting, edge_of, joins, left, sells_metered
from tests.webhooks.deliveries import subscribe


pytestmark = pytest.mark.anyio

GRANT = {"value": 10, "reset": "EVERY_MONTH"}


def stamp(at):
    return f"{at:%Y-%m-%d %H:%M:%S.%f}"


async def tell(client, key, name="calls", at=None, status=200, **properties):
    """Report an event."""
    body = {
        "customerId": "ada",
        "eventName": name,
        "idempotencyKey": key,
        "timestamp": stamp(at or datetime.now(UTC)),
        "properties": properties,
    }
    answer = await client.post("/report/event/", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_the_answer_is_the_event_with_the_organization(database_url):
    async with running(database_url) as (_, client):
        await joins(client)
        body = {
            "customer_id": "ada",
            "event_name": "calls",
            "idempotency_key": "k",
            "timestamp": "2026-03-01 12:00:00.123456",
            "resource_id": "r",
            "properties": {"featureId": "x", "some_value": 1.5},
        }
        answer = await client.post("/report/event/", json=body)
        assert answer.status_code == 200, answer.text
        assert answer.json() == {
            "customerId": "ada",
            "eventName": "calls",
            "idempotencyKey": "k",
            "timestamp": "2026-03-01 12:00:00.123456",
            "resourceId": "r",
            "properties": {"featureId": "x", "some_value": 1.5},
            "orgId": str(ORGANIZATION),
        }
        bare = {name: body[name] for name in list(body)[:4]}
        assert set((await client.post("/report/event/", json=bare)).json()) == {
            *("customerId", "eventName", "idempotencyKey", "timestamp", "orgId")
        }


async def test_a_key_counts_once_however_often_and_at_once(database_url):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        await sells_metered(client, GRANT, feature=counting())
        await joins(client)
        await buys(client)
        at = datetime.now(UTC)
        answers = await asyncio.gather(*(tell(client, f"k{n % 5}", at=at) for n in range(30)))
        assert await left(edge) == [(5, 10)]
        assert answers[0] == answers[5]
        refused = await tell(client, "k1", name="other", status=409)
        assert refused["code"] == "event_key_reused"
        assert await left(edge) == [(5, 10)]


@pytest.mark.parametrize(
    ("function", "values", "usage"),
    [
        ("COUNT", [1, None, "x"], 3),
        ("SUM", [1, 2.0, 2.5, "x", None, -1], 2),
        ("MAX", [3, 7, 5], 7),
        ("LATEST", [3, 7, 5], 5),
        ("UNIQUE", ["a", "b", "a", 1, 1.0, None], 5),
        ("median", [1, 2, 3], 0),
    ],
)
async def test_what_events_come_to(database_url, function, values, usage):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        await sells_metered(client, GRANT, feature=counting(function, "size"))
        await joins(client)
        await buys(client)
        for number, value in enumerate(values):
            await tell(client, str(number), size=value)
        await tell(client, "without")
        found = [(usage + (function == "COUNT"), 10)]
        assert await left(edge) == found


async def test_filters_choose_and_a_named_feature_is_meant_alone(database_url):
    large = [
        {"field": "eventName", "value": "upload"},
        {"field": "size", "operator": "GREATER_THAN", "value": 5},
    ]
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        await sells_metered(client, GRANT, feature=counting(filters=large))
        await joins(client)
        await buys(client)
        await tell(client, "1", "upload", size=6)
        await tell(client, "2", "upload", size=5)
        await tell(client, "3", "download", size=6)
        await tell(client, "4", "upload", size=6, featureId="calls")
        await tell(client, "5", "upload", size=6, featureId="other")
        assert await left(edge) == [(2, 10)]


async def test_what_happened_before_the_period_does_not_count(database_url):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        await sells_metered(client, GRANT, feature=counting("UNIQUE", "who"))
        clock_id = await clock(client)
        await joins(client, testClockId=clock_id)
        await buys(client)
        begun = datetime(2024, 1, 31, 12, tzinfo=UTC)
        await tell(client, "1", at=begun - timedelta(seconds=1), who="a")
        assert await left(edge) == [(0, 10)]
        await tell(client, "2", at=begun, who="a")
        await tell(client, "3", at=begun, who="a")
        assert await left(edge) == [(1, 10)]
        await advance(client, clock_id, "2024-03-01T00:00:00Z")
        await tell(client, "4", at=begun, who="b")
        assert await left(edge) == [(0, 10)]
        await tell(client, "5", at=datetime(2024, 3, 1, tzinfo=UTC), who="a")
        assert await left(edge) == [(1, 10)], "seen anew in the new period"


async def test_events_reach_thresholds_too(database_url):
    async with running(database_url) as (engine, client):
        await subscribe(client, "http://127.0.0.1:9/", "feature.usage_alert")
        alerts = {"enabled": True, "thresholds": [50, 60], "thresholdType": "PERCENTAGE"}
        await sells_metered(client, GRANT | {"usageAlerts": alerts}, feature=counting("SUM", "n"))
        await joins(client)
        await buys(client)
        await tell(client, "1", n=6)
        await tell(client, "2", n=1)
        rows = await engine.reader.rows("SELECT kind FROM webhooks.events", ())
        assert rows == [("feature.usage_alert",)] * 2


async def test_what_is_refused(database_url):
    async with running(database_url) as (_, client):
        assert (await tell(client, "1", status=404))["code"] == "customer_not_found"
        await joins(client)
        bodies = (
            {"timestamp": "yesterday"},
            {"idempotencyKey": ""},
            {"eventName": ""},
            {"properties": [1]},
            {"properties": {str(n): n for n in range(51)}},
        )
        good = {
            "customerId": "ada",
            "eventName": "x",
            "idempotencyKey": "k",
            "timestamp": "2026-03-01 12:00:00.000000",
        }
        for wrong in bodies:
            answer = await client.post("/report/event/", json=good | wrong)
            assert (answer.status_code, list(answer.json())) == (400, list(wrong)), answer.text

"""Usage through resets, changes of plan, pauses and ends, and the alerts it leads to."""

import pytest

from app.wiring import with_views
from projections.all_views import VIEWS
from replay.verify import verify
from tests.adapters.receiver import Receiver
from tests.api.test_advancing_clocks import advance, clock
from tests.api.test_two_organizations import caller
from tests.engines import running
from tests.metered import buys, edge_of, joins, left, sells_metered, use
from tests.webhooks.deliveries import bodies, drained, subscribe, until
from tests.webhooks.test_sending_history_again import ask, settled


pytestmark = pytest.mark.anyio

MONTHLY = {
    "value": 100,
    "reset": "EVERY_MONTH",
    "rollover": {"enabled": True, "percentage": 50, "limit": 30},
    "usageAlerts": {"enabled": True, "thresholds": [50, 100], "thresholdType": "PERCENTAGE"},
}


SHOWN = {
    *("object", "id", "feature", "usage_limit", "current_usage", "subscription_id"),
    *("threshold_type", "threshold_value", "period_start_time", "period_end_time"),
    *("customer", "organization", "product", "plan", "created_on", "modified_on"),
}


async def verified(engine, database_url):
    await engine.positions.wait(await engine.store.head(), 60)
    found = await verify(with_views(database_url), engine.store, VIEWS, None, lambda *_: None)
    return found.differing == 0


async def told(engine, there):
    """The thresholds that were told so far."""
    await until(lambda: drained(engine))
    alerts = [body["data"]["object"] for body in bodies(there)]
    return [(alert["threshold_value"], alert["current_usage"]) for alert in alerts]


async def test_a_life_over_resets_with_rollover_and_alerts(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        endpoint = await subscribe(client, there.url, "feature.usage_alert")
        await sells_metered(client, MONTHLY)
        clock_id = await clock(client)
        await joins(client, testClockId=clock_id)
        sold = await buys(client)
        async with edge_of(engine) as edge:
            await use(client, 40)
            assert await left(edge) == [(40, 100)]
            assert await told(engine, there) == []
            await use(client, 70)
            await use(client, -80)
            await use(client, 75)
            assert await left(edge) == [(105, 100)]
            assert await told(engine, there) == [(50, 110), (100, 110)]
            await use(client, 90, "SET")

            await advance(client, clock_id, "2024-02-29T11:59:59Z")
            assert await left(edge) == [(90, 100)]
            await advance(client, clock_id, "2024-02-29T12:00:00Z")
            assert await left(edge) == [(0, 105)], "half of the 10 that were left"
            params = {"customer_id": "ada"}
            [item] = (await edge.get("/entitlements", params=params)).json()["entitlements"]
            assert item["resetAt"] == "2024-03-31 12:00:00"
            answer = await use(client, 53)
            assert answer["timestamp"] == "2024-02-29 12:00:00.000000"
            assert await told(engine, there) == [(50, 110), (100, 110), (50, 53)]

            await advance(client, clock_id, "2024-06-01T00:00:00Z")
            assert await left(edge) == [(0, 130)], "at most 30 are carried over"
        alert = bodies(there)[-1]["data"]["object"]
        assert set(alert) == SHOWN
        assert alert["object"] == "feature_usage_alert"
        assert (alert["usage_limit"], alert["threshold_type"]) == (105, "PERCENTAGE")
        assert alert["subscription_id"] == sold["id"]
        assert alert["feature"]["identifier"] == "calls"
        assert alert["period_start_time"] == "2024-02-29T12:00:00Z"
        assert alert["period_end_time"] == "2024-03-31T12:00:00Z"
        assert alert["customer"]["customer_id"] == "ada"
        assert (alert["plan"]["identifier"], alert["product"]["name"]) == ("pro", "Orbit")
        assert len({body["id"] for body in bodies(there)}) == 3
        assert len({body["data"]["object"]["id"] for body in bodies(there)}) == 3

        first = [request.body for request in there.requests]
        await ask(client, endpoint, {"fromPosition": 1})
        await until(lambda: settled(engine))
        assert [request.body for request in there.requests[len(first) :]] == first
        assert await verified(engine, database_url)


async def test_alerts_by_what_is_left(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url, "feature.usage_alert")
        alerts = {"enabled": True, "thresholds": [1, 5], "thresholdType": "BALANCE"}
        await sells_metered(client, {"value": 10, "usageAlerts": alerts})
        await joins(client)
        await buys(client)
        for units, heard in ((4, []), (1, [(5, 5)]), (9, [(5, 5), (1, 14)]), (1, ...)):
            await use(client, units)
            if heard is not ...:
                assert await told(engine, there) == heard
        assert await told(engine, there) == [(5, 5), (1, 14)]
        alert = bodies(there)[0]["data"]["object"]
        assert alert["period_end_time"] is None
        assert alert["period_start_time"] is not None


async def test_a_change_of_plan_keeps_the_usage_and_brings_its_limit(database_url):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        yearly = {"value": 500, "reset": "EVERY_YEAR"}
        await sells_metered(client, MONTHLY, yearly, plans=("pro", "team"))
        await joins(client)
        sold = await buys(client)
        await use(client, 60)
        change = {"planIdentifier": "team", "chargePeriod": "MONTHLY"}
        answer = await client.post(f"/subscriptions/{sold['id']}/update/", json=change)
        assert answer.status_code == 200, answer.text
        assert await left(edge) == [(60, 500)]
        await use(client, 1)
        assert await left(edge) == [(61, 500)]
        assert await verified(engine, database_url)


async def test_a_pause_keeps_the_usage_and_an_end_takes_it_along(database_url):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        await sells_metered(client, MONTHLY)
        await joins(client)
        first, _ = await buys(client), await buys(client)
        path = f"/subscriptions/{first['id']}"
        await use(client, 120)
        assert await left(edge) == [(100, 100), (20, 100)]
        assert (await client.post(f"{path}/pause/", json={"pauseMonths": 1})).status_code == 200
        assert await left(edge) == [(20, 100)]
        await use(client, 7)
        assert await left(edge) == [(27, 100)]
        assert (await client.post(f"{path}/resume/")).status_code == 200
        assert await left(edge) == [(100, 100), (27, 100)]
        now = {"cancellationType": "IMMEDIATE"}
        assert (await client.post(f"{path}/cancel/", json=now)).status_code == 200
        await use(client, 3)
        assert await left(edge) == [(30, 100)]
        assert await verified(engine, database_url)


async def test_a_pause_of_weeks_moves_the_reset_and_forgets_nothing(database_url):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        await sells_metered(client, MONTHLY)
        clock_id = await clock(client)
        await joins(client, testClockId=clock_id)
        path = f"/subscriptions/{(await buys(client))['id']}"
        await use(client, 64)
        await advance(client, clock_id, "2024-02-10T12:00:00Z")
        assert (await client.post(f"{path}/pause/", json={"pauseMonths": 2})).status_code == 200
        await advance(client, clock_id, "2024-03-20T12:00:00Z")
        assert await left(edge) == []
        assert (await client.post(f"{path}/resume/")).status_code == 200
        assert await left(edge) == [(64, 100)]
        await use(client, 2)
        end = (await client.get(f"{path}/")).json()["billingPeriodEndTime"]
        assert end == "2024-04-08T12:00:00Z", "19 days of the period were left"
        await advance(client, clock_id, "2024-04-08T11:59:59Z")
        assert await left(edge) == [(66, 100)]
        await advance(client, clock_id, "2024-04-08T12:00:00Z")
        assert await left(edge) == [(0, 117)]
        assert await verified(engine, database_url)


async def test_what_was_carried_over_is_worth_what_the_plan_was_worth_then(database_url):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        large = MONTHLY | {"value": 1_000, "rollover": MONTHLY["rollover"] | {"limit": 300}}
        await sells_metered(client, MONTHLY, large, plans=("pro", "team"))
        clock_id = await clock(client)
        await joins(client, testClockId=clock_id)
        path = f"/subscriptions/{(await buys(client))['id']}"
        await advance(client, clock_id, "2024-03-10T12:00:00Z")
        assert await left(edge) == [(0, 130)], "nobody ever reported anything"
        change = {"planIdentifier": "team", "chargePeriod": "MONTHLY"}
        answer = await client.post(f"{path}/update/", json=change)
        assert answer.status_code == 200, answer.text
        assert await left(edge) == [(0, 1_030)]
        assert await verified(engine, database_url)


async def test_a_lifetime_deal_counts_until_it_is_refunded(database_url):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        await sells_metered(client, {"value": 10})
        once = {"charges": [{"chargePeriod": "ONE_TIME", "priceData": {"amount": "99.00"}}]}
        body = {"prices": [{"priceType": "PAID", "currency": "USD", "chargeCatalogPrice": [once]}]}
        for path, sent in (("prices/bulk", body), ("publish", {})):
            answer = await client.post(f"/catalog/plans/pro/{path}/", json=sent)
            assert answer.status_code == 200, answer.text
        await joins(client)
        await buys(client, chargePeriod="ONE_TIME")
        await use(client, 4)
        assert await left(edge) == [(4, 10)]
        order = (await client.get("/orders/")).json()["results"][0]["id"]
        assert (await client.post("/refunds/", json={"orderId": order})).status_code == 200
        await until(lambda: _is_empty(edge))
        await use(client, 1)
        assert await left(edge) == []
        assert await verified(engine, database_url)


async def _is_empty(edge):
    return await left(edge) == []


async def test_one_organization_counts_nothing_for_another(database_url):
    async with running(database_url) as (engine, client), edge_of(engine) as edge:
        await sells_metered(client, MONTHLY)
        await joins(client)
        await buys(client)
        async with caller(engine, "other") as other:
            body = {"customerId": "ada", "featureId": "calls", "value": 9, "behaviour": "DELTA"}
            assert (await other.post("/report/usage/", json=body)).status_code == 404
            await joins(other)
            refused = await other.post("/report/usage/", json=body)
            assert refused.json()["code"] == "feature_not_found"
            await sells_metered(other, MONTHLY)
            await buys(other)
            await use(other, 9)
            key = other.headers["Authorization"].removeprefix("Bearer ")
            async with edge_of(engine, engine.keys, key) as theirs:
                assert await left(theirs) == [(9, 100)]
        assert await left(edge) == [(0, 100)]

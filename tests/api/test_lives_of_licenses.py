"""Licenses in time, over HTTP on a test clock: trial, pause, expiry, refund, end."""

import pytest

from app.wiring import with_views
from projections.all_views import VIEWS
from replay.verify import verify
from tests.api.license_life import MONTH, activate, active, licensed, shown, verdict
from tests.api.test_advancing_clocks import advance, clock, subscribe
from tests.catalog_requests import USD_MONTHLY
from tests.engines import running


pytestmark = pytest.mark.anyio


async def sold_on_a_clock(client, terms=None, *prices):
    await licensed(client, terms, *prices)
    clock_id = await clock(client)
    sold = await subscribe(client, clock_id)
    return clock_id, sold, sold["license"][0]


async def test_it_expires_on_the_customers_clock_and_can_be_given_more_time(database_url):
    async with running(database_url) as (engine, client):
        clock_id, sold, license_ = await sold_on_a_clock(client, MONTH)
        assert license_["expiresOn"] == "2024-02-29T12:00:00Z"
        instance = (await active(client, license_, "laptop"))["instanceId"]
        await advance(client, clock_id, "2024-02-29T11:59:59Z")
        assert await verdict(client, license_, instance) == (200, "VALID")
        assert (await shown(client, license_))["status"] == "ACTIVE"
        await advance(client, clock_id, "2024-02-29T12:00:00Z")
        record = await shown(client, license_)
        assert (record["status"], record["enabled"]) == ("EXPIRED", True)
        assert record["modifiedOn"] == "2024-02-29T12:00:00Z"
        assert await verdict(client, license_, instance) == (200, "EXPIRED")
        refused = await activate(client, license_, "laptop")
        assert (refused.status_code, set(refused.json())) == (403, {"error", "code"})
        path = f"/licenses/{license_['id']}/"
        past = await client.patch(path, json={"expiresOn": "2024-02-29T12:00:00Z"})
        assert past.status_code == 200  # the same again changes nothing
        assert (await client.patch(path, json={"expiresOn": "2024-02-01"})).status_code == 400
        back = await client.patch(path, json={"expiresOn": "2024-04-01T00:00:00Z"})
        assert (back.status_code, back.json()["status"]) == (200, "ACTIVE")
        again = await active(client, license_, "laptop")
        assert (again["instanceId"], again["expiresOn"]) == (instance, "2024-04-01T00:00:00Z")
        await advance(client, clock_id, "2024-05-01T00:00:00Z")
        assert await verdict(client, license_, instance) == (200, "EXPIRED")
        assert len((await client.get(f"/subscriptions/{sold['id']}/")).json()["license"]) == 1
        verified = await verify(
            with_views(database_url), engine.store, VIEWS, None, lambda *_: None
        )
        assert verified.differing == 0


async def test_a_trial_has_the_key_from_its_start(database_url):
    async with running(database_url) as (_, client):
        await licensed(client)
        clock_id = await clock(client)
        for path, body in (
            ("/customers/", {"customerId": "ada", "testClockId": clock_id}),
            ("/payment-methods/", {"customerId": "ada", "token": "tok_visa", "isDefault": True}),
        ):
            assert (await client.post(path, json=body)).status_code == 201
        wanted = {
            "planIdentifier": "pro",
            "chargePeriod": "MONTHLY",
            "customerId": "ada",
            "trialEnd": "2024-02-14T12:00:00Z",
        }
        sold = (await client.post("/subscriptions/create/", json=wanted)).json()
        assert (sold["status"], sold["trialDaysRemaining"]) == ("trialing", 14)
        (license_,) = sold["license"]
        answer = await active(client, license_, "laptop")
        assert answer["activatedAt"] == "2024-01-31T12:00:00Z"
        assert answer["license"]["subscription"]["trialDaysRemaining"] == 14
        await advance(client, clock_id, "2024-03-20T00:00:00Z")
        assert (await client.get("/licenses/")).json()["count"] == 1
        trial, *paid = reversed((await client.get("/orders/")).json()["results"])
        assert [each["id"] for each in trial["license"]] == [license_["id"]]
        assert [each["license"] for each in paid] == [[], []]


async def test_a_pause_suspends_it_and_the_end_of_the_subscription_ends_it(database_url):
    async with running(database_url) as (_, client):
        clock_id, sold, license_ = await sold_on_a_clock(client)
        instance = (await active(client, license_, "laptop"))["instanceId"]
        path = f"/subscriptions/{sold['id']}"
        await client.post(f"{path}/pause/", json={"pauseMonths": 1})
        assert await verdict(client, license_, instance) == (200, "INVALID")
        refused = await activate(client, license_, "laptop")
        assert (refused.status_code, refused.json()["code"]) == (403, "subscription_inactive")
        await advance(client, clock_id, "2024-02-29T12:00:00Z")
        assert await verdict(client, license_, instance) == (200, "VALID")
        await client.post(f"{path}/cancel/", json={"cancellationType": "CURRENT_PERIOD_ENDS"})
        assert await verdict(client, license_, instance) == (200, "VALID")
        await advance(client, clock_id, "2024-06-01T00:00:00Z")
        record = (await client.get(f"{path}/")).json()
        assert (record["status"], record["license"][0]["enabled"]) == ("canceled", True)
        assert await verdict(client, license_, instance) == (200, "INVALID")
        freed = {"licenseKey": license_["licenseKey"], "instanceId": instance}
        assert (await client.post("/license/deactivate/", json=freed)).status_code == 200


async def test_a_full_refund_takes_it_away_and_leaves_the_subscription(database_url):
    async with running(database_url) as (_, client):
        clock_id, sold, license_ = await sold_on_a_clock(client, None, USD_MONTHLY)
        (order,) = (await client.get("/orders/")).json()["results"]
        for units, code in ((500, "VALID"), (1500, "INVALID")):
            body = {"orderId": order["id"], "amountUnits": units}
            assert (await client.post("/refunds/", json=body)).status_code == 200
            assert await verdict(client, license_) == (200, code)
        record = await shown(client, license_)
        assert (record["status"], record["disabledReason"]) == ("DISABLED", "REFUNDED")
        now = (await client.get(f"/subscriptions/{sold['id']}/")).json()
        assert (now["status"], now["license"][0]["enabled"]) == ("active", False)
        await advance(client, clock_id, "2024-04-01T00:00:00Z")
        assert (await client.get("/licenses/")).json()["count"] == 1


async def test_an_upgrade_keeps_the_license_in_the_new_record(database_url):
    async with running(database_url) as (_, client):
        yearly = {
            "charges": [
                {"chargePeriod": "MONTHLY", "priceData": {"amount": "20.00"}},
                {"chargePeriod": "YEARLY", "priceData": {"amount": "200.00"}},
            ]
        }
        _, sold, license_ = await sold_on_a_clock(client, None, yearly)
        await active(client, license_, "laptop")
        path = f"/subscriptions/{sold['id']}/update/"
        changed = await client.post(path, json={"chargePeriod": "YEARLY"})
        assert changed.status_code == 200, changed.text
        every = "/subscriptions/?customer_id=ada&status=active,superseded"
        records = (await client.get(every)).json()["results"]
        assert [each["status"] for each in records] == ["active", "superseded"]
        for record in records:
            (brief,) = record["license"]
            assert (brief["id"], brief["activationUsage"]) == (license_["id"], 1)
        assert (await client.get("/licenses/")).json()["count"] == 1

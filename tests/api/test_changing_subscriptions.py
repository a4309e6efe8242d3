"""Changes of subscriptions over HTTP: carried out, previewed, refused, shown as records."""

import asyncio

import pytest

from tests.adapters.receiver import Receiver
from tests.api.test_subscriptions import AUTHENTICATE, DECLINED, VISA, customer, sells
from tests.catalog_requests import create_plan, priced
from tests.engines import positions, running
from tests.webhooks.deliveries import bodies, subscribe, until


pytestmark = pytest.mark.anyio

MAX_MONTHLY = {"charges": [{"chargePeriod": "MONTHLY", "priceData": {"amount": "50.00"}}]}
MAX = {"planIdentifier": "max", "chargePeriod": "MONTHLY"}


async def subscribed(client, number=VISA):
    """Ada pays 20 dollars a month for pro on a clock; max costs 50."""
    await sells(client)
    product = (await client.get("/catalog/products/")).json()["results"][0]
    await create_plan(client, product, name="Max")
    prices = await client.post("/catalog/plans/max/prices/bulk/", json=priced(MAX_MONTHLY))
    assert prices.status_code == 200, prices.text
    assert (await client.post("/catalog/plans/max/publish/")).status_code == 200
    clock = await client.post("/test-clocks/", json={"frozenTime": "2025-04-01T00:00:00Z"})
    body = {"customerId": "ada", "testClockId": clock.json()["id"]}
    await client.post("/customers/", json=body)
    await customer(client, number)
    body = {"planIdentifier": "pro", "chargePeriod": "MONTHLY", "customerId": "ada"}
    record = (await client.post("/subscriptions/create/", json=body)).json()
    assert record["status"] == "active", record
    return record, clock.json()["id"]


async def advance(client, clock, instant):
    answer = await client.post(f"/test-clocks/{clock}/advance/", json={"frozenTime": instant})
    assert answer.status_code == 200, answer.text


async def test_a_plan_changes_and_the_old_record_is_superseded(database_url):
    async with running(database_url) as (_, client):
        record, clock = await subscribed(client)
        await advance(client, clock, "2025-04-16T00:00:00Z")
        path = f"/subscriptions/{record['id']}"
        answer = await client.post(f"{path}/update/", json=MAX)
        assert (answer.status_code, answer.json()) == (200, {"subscriptionId": record["id"]})
        shown = (await client.get(f"{path}/")).json()
        assert (shown["status"], shown["amount"]) == ("active", "50.00")
        assert shown["plan"]["identifier"] == "max"
        assert shown["startDate"] == record["startDate"]
        assert shown["billingPeriodEndTime"] == record["billingPeriodEndTime"]
        of_ada = {"customer_id": "ada"}
        page = (await client.get("/subscriptions/", params=of_ada)).json()
        assert [row["amount"] for row in page["results"]] == ["50.00"]
        every = {**of_ada, "status": "active,superseded"}
        page = (await client.get("/subscriptions/", params=every)).json()
        known = [(row["id"], row["status"], row["endDate"]) for row in page["results"]]
        assert known == [
            (record["id"], "active", None),
            (record["id"], "superseded", "2025-04-16"),
        ]
        invoice = (await client.get("/invoices/")).json()["results"][0]
        assert (invoice["status"], invoice["amountTotal"]) == ("PAID", "15.00")
        assert [line["subTotal"] for line in invoice["details"]["lines"]] == ["-10.00", "25.00"]


async def test_case_108_three_superseded_records_and_one_in_force(database_url):
    async with running(database_url) as (_, client):
        record, _ = await subscribed(client)
        for plan in ("max", "pro", "max"):
            body = {"planIdentifier": plan, "prorationBehavior": "NO_PRORATION"}
            answer = await client.post(f"/subscriptions/{record['id']}/update/", json=body)
            assert answer.status_code == 200, answer.text
        of_ada = {"customer_id": "ada"}
        assert (await client.get("/subscriptions/", params=of_ada)).json()["count"] == 1
        old = {**of_ada, "status": "superseded"}
        assert (await client.get("/subscriptions/", params=old)).json()["count"] == 3


async def test_a_preview_and_the_update_that_sends_it(database_url):
    async with running(database_url) as (engine, client):
        record, clock = await subscribed(client)
        await advance(client, clock, "2025-04-16T00:00:00Z")
        path = f"/subscriptions/{record['id']}/update"
        before = await positions(engine)
        answer = await client.post(f"{path}/preview/", json=MAX)
        assert answer.status_code == 200, answer.text
        assert await positions(engine) == before
        shown = answer.json()
        assert (shown["currency"], shown["recurringAmountUnits"]) == ("usd", 5000)
        assert (shown["amountChargedImmediately"], shown["recurringAmount"]) == (15.0, 50.0)
        assert shown["nextInvoice"] == {
            "amountDue": 50.0,
            "amountDueUnits": 5000,
            "nextPaymentAttempt": "2025-05-01T00:00:00Z",
            "lineItems": [
                {
                    "description": "Max: Monthly, 1 May 2025 to 31 May 2025",
                    "amount": 50.0,
                    "amountUnits": 5000,
                }
            ],
        }
        await advance(client, clock, "2025-04-16T00:20:00Z")
        body = {**MAX, "previewId": shown["previewId"]}
        both = await asyncio.gather(*(client.post(f"{path}/", json=body) for _ in range(2)))
        assert sorted(answer.status_code for answer in both) == [200, 409]
        (refused,) = [answer.json() for answer in both if answer.status_code == 409]
        assert refused["code"] == "preview_outdated"
        invoice = (await client.get("/invoices/")).json()["results"][0]
        assert invoice["amountTotal"] == "15.00"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"prorationBehavior": "LATER"}, "prorationBehavior"),
        ({"probation_behaviour": "PRO_RATA"}, "probationBehaviour"),
        ({"probationBehaviour": "NEXT_BILLING_CYCLE"}, "probationBehaviour"),
    ],
)
async def test_proration_has_three_values(database_url, body, field):
    async with running(database_url) as (_, client):
        answer = await client.post(
            "/subscriptions/00000000-0000-4000-8000-000000000000/update/", json=body
        )
        assert answer.status_code == 400
        (message,) = answer.json()[field]
        for value in ("IMMEDIATE_CHARGE", "PRORATE_NEXT_INVOICE", "NO_PRORATION"):
            assert value in message


async def test_what_cannot_be_changed_is_refused(database_url):
    async with running(database_url) as (engine, client):
        record, _ = await subscribed(client)
        path = f"/subscriptions/{record['id']}/update/"
        before = await positions(engine)
        for body, code in (
            ({"planIdentifier": "none"}, "unknown_plan"),
            ({"planIdentifier": "max", "chargePeriod": "YEARLY"}, "period_not_offered"),
            ({"features": [{"identifier": "seats", "quantity": 2}]}, "unknown_feature"),
            ({"trialEnd": "2030-01-01 00:00:00"}, "not_on_trial"),
            ({"trialEnd": "2020-01-01 00:00:00"}, "not_on_trial"),
        ):
            answer = await client.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (400, code), body
        assert await positions(engine) == before
        await client.post(
            f"/subscriptions/{record['id']}/cancel/", json={"cancellationType": "IMMEDIATE"}
        )
        answer = await client.post(path, json=MAX)
        assert (answer.status_code, answer.json()["code"]) == (400, "subscription_already_ended")


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [(VISA, "superseded", "active"), (DECLINED, "active", "incomplete_expired")],
)
async def test_a_change_that_waits_for_its_payment(database_url, number, old, new):
    async with running(database_url) as (_, client):
        record, clock = await subscribed(client)
        await advance(client, clock, "2025-04-16T00:00:00Z")
        await customer(client, number)
        for method in (await client.get("/payment-methods/")).json()["results"]:
            if method["methodData"]["last4"] == number[-4:]:
                path = f"/payment-methods/{method['id']}/"
                await client.patch(path, json={"isDefault": True})
        body = {**MAX, "paymentBehavior": "activate_on_payment"}
        answer = await client.post(f"/subscriptions/{record['id']}/update/", json=body)
        assert answer.status_code == 200, answer.text
        every = {"customer_id": "ada", "status": "active,superseded,incomplete,incomplete_expired"}
        page = (await client.get("/subscriptions/", params=every)).json()
        amounts = {row["amount"]: row["status"] for row in page["results"]}
        assert amounts == {"20.00": old, "50.00": new}


async def test_a_change_that_must_be_confirmed_expires_after_a_day(database_url):
    async with running(database_url) as (_, client):
        record, clock = await subscribed(client)
        await advance(client, clock, "2025-04-16T00:00:00Z")
        await customer(client, AUTHENTICATE)
        for method in (await client.get("/payment-methods/")).json()["results"]:
            if method["methodData"]["last4"] == AUTHENTICATE[-4:]:
                await client.patch(f"/payment-methods/{method['id']}/", json={"isDefault": True})
        body = {**MAX, "paymentBehavior": "activate_on_payment"}
        answer = await client.post(f"/subscriptions/{record['id']}/update/", json=body)
        assert answer.status_code == 200, answer.text
        incomplete = {"customer_id": "ada", "status": "incomplete"}
        assert (await client.get("/subscriptions/", params=incomplete)).json()["count"] == 1
        again = await client.post(f"/subscriptions/{record['id']}/update/", json=body)
        assert (again.status_code, again.json()["code"]) == (409, "change_pending")
        await advance(client, clock, "2025-04-17T00:00:00Z")
        expired = {"customer_id": "ada", "status": "incomplete_expired"}
        assert (await client.get("/subscriptions/", params=expired)).json()["count"] == 1
        shown = (await client.get(f"/subscriptions/{record['id']}/")).json()
        assert (shown["status"], shown["amount"]) == ("active", "20.00")


async def test_merchants_hear_of_the_whole_old_record_first(database_url):
    async with running(database_url) as (_, client), Receiver() as there:
        record, clock = await subscribed(client)
        await advance(client, clock, "2025-04-16T00:00:00Z")
        await subscribe(client, there.url)
        await client.post(f"/subscriptions/{record['id']}/update/", json=MAX)
        await until(lambda: len(there.requests) >= 6)
        told = bodies(there)
        assert [body["type"] for body in told] == [
            "subscription.plan_changed",
            "subscription.updated",
            "invoice.created",
            "order.created",
            "invoice.paid",
            "order.updated",
        ]
        changed = told[0]["data"]
        assert (changed["object"]["amount_units"], changed["object"]["id"]) == (5000, record["id"])
        before = changed["previous_attributes"]
        assert before.keys() == changed["object"].keys()
        assert (before["amount_units"], before["plan"]["identifier"]) == (2000, "pro")
        assert told[1]["data"]["previous_attributes"]["amount_units"] == 2000


async def test_the_timeline_tells_of_the_change(database_url):
    async with running(database_url) as (_, client):
        record, _ = await subscribed(client)
        (first,) = (await client.get("/orders/")).json()["results"]
        later = {**MAX, "prorationBehavior": "PRORATE_NEXT_INVOICE"}
        changed = await client.post(f"/subscriptions/{record['id']}/update/", json=later)
        assert changed.status_code == 200, changed.text
        told = (await client.get(f"/orders/{first['id']}/events/")).json()["results"]
        [entry] = [each for each in told if each["code"] == "subscription.plan_changed"]
        assert (entry["order"], entry["status"]) == (first["id"], "success")
        assert entry["metadata"] == {"primary": "50.00", "secondary": "Max"}


async def dearer(client, amount, **flags):
    """Another version of pro."""
    row = {"charges": [{"chargePeriod": "MONTHLY", "priceData": {"amount": amount}}]}
    prices = await client.post("/catalog/plans/pro/prices/bulk/", json=priced(row))
    assert prices.status_code == 200, prices.text
    published = await client.post("/catalog/plans/pro/publish/", json=flags)
    assert published.status_code == 200, published.text


async def test_a_subscription_is_migrated(database_url):
    async with running(database_url) as (_, client):
        record, _ = await subscribed(client)
        path = f"/subscriptions/{record['id']}/migrate/"
        answer = await client.post(path, json={"updatePricing": True})
        assert (answer.status_code, answer.json()["code"]) == (400, "already_latest")
        await dearer(client, "24.00")
        answer = await client.post(path, json={})
        assert (answer.status_code, answer.json()["code"]) == (400, "nothing_to_migrate")
        answer = await client.post(path, json={"update_pricing": True, "updateFeatures": True})
        assert answer.status_code == 200, answer.text
        assert (answer.json()["amount"], answer.json()["plan"]["version"]) == ("24.00", 2)
        assert answer.json()["id"] == record["id"]


async def test_a_version_is_published_for_its_subscribers(database_url):
    async with running(database_url) as (engine, client):
        record, _ = await subscribed(client)
        none = await client.get("/catalog/plans/pro/migration/")
        assert (none.status_code, none.json()["code"]) == (404, "migration_not_found")
        unknown = await client.get("/catalog/plans/nope/migration/")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "plan_not_found")
        await dearer(client, "24.00", updatePricing=True)
        for _ in range(2):
            head = await engine.store.head()
            for runner in engine.runners:
                assert await runner.positions.wait(head, 60)
        assert await engine.positions.wait(await engine.store.head(), 60)
        shown = (await client.get(f"/subscriptions/{record['id']}/")).json()
        assert (shown["amount"], shown["plan"]["version"]) == ("24.00", 2)
        done = (await client.get("/catalog/plans/pro/migration/")).json()
        assert (done["version"], done["status"], done["moved"], done["stays"]) == (
            2,
            "FINISHED",
            1,
            [],
        )
        assert done["finishedAt"] >= done["startedAt"]

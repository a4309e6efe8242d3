"""One-time charges over HTTP: paid before the answer, or never (design 8, wire 19)."""

import asyncio
from datetime import timedelta

import pytest

from app.wiring import with_views
from commands import awaiting
from projections import timers
from projections.all_views import VIEWS
from replay.verify import verify
from tests.adapters.receiver import Receiver
from tests.api.test_subscriptions import AUTHENTICATE, DECLINED, VISA, customer
from tests.catalog_requests import create_plan, create_product, priced
from tests.engines import positions, running
from tests.webhooks.deliveries import bodies, drained, subscribe, until


pytestmark = pytest.mark.anyio

SILENT = "4000 0000 0020 0016"
ONCE = {"charges": [{"chargePeriod": "ONE_TIME", "priceData": {"amount": "49.00"}}]}
ASKED = ["invoice.created", "order.created"]
BOOST = {"planIdentifier": "boost", "chargePeriod": "ONE_TIME", "customerId": "ada"}


async def sells_once(client):
    """A published plan called boost at 49 dollars, once."""
    await create_plan(client, await create_product(client), name="Boost")
    answer = await client.post("/catalog/plans/boost/prices/bulk/", json=priced(ONCE))
    assert answer.status_code == 200, answer.text
    assert (await client.post("/catalog/plans/boost/publish/")).status_code == 200


async def shop(client, number=VISA):
    await sells_once(client)
    await customer(client, number)


async def only(client, path):
    (found,) = (await client.get(path)).json()["results"]
    return found


async def test_what_was_charged_is_among_the_transactions(database_url, monkeypatch):
    monkeypatch.setattr(awaiting, "BOOKING_WAIT_SECONDS", 60)
    async with running(database_url) as (_, client):
        await shop(client)
        for count in range(1, 6):
            assert (await client.post("/charges/", json=BOOST)).status_code == 201
            assert (await client.get("/transaction/")).json()["count"] == count


async def test_a_charge_is_a_one_time_record(database_url):
    async with running(database_url) as (engine, client):
        await shop(client)
        answer = await client.post("/charges/", json=BOOST)
        assert answer.status_code == 201, answer.text
        record = answer.json()
        assert record["amount"] == "49.00"
        assert (record["currency"], record["status"]) == ("USD", "active")
        assert (record["recurrence"], record["billingType"]) == ("", "ONE_TIME")
        for nothing in (
            "endDate",
            "billingPeriodStartTime",
            "billingPeriodEndTime",
            "recurrenceUnit",
            "recurrenceType",
        ):
            assert record[nothing] is None
        assert (record["features"], record["trialDaysRemaining"]) == ([], 0)
        assert {"id", "identifier", "name"} <= set(record["product"])
        assert record["plan"]["identifier"] == "boost"
        assert record["customerId"] == "ada"
        shown = (await client.get(f"/subscriptions/{record['id']}/")).json()
        assert (shown["id"], shown["status"]) == (record["id"], "active")
        order = await only(client, "/orders/")
        assert (order["status"], order["billingType"]) == ("COMPLETE", "ONE_TIME")
        assert (await only(client, "/invoices/"))["status"] == "PAID"
        verified = await verify(
            with_views(database_url), engine.store, VIEWS, None, lambda *_: None
        )
        assert verified.differing == 0


@pytest.mark.parametrize("number", [DECLINED, AUTHENTICATE])
async def test_what_is_not_paid_at_once_never_came_about(database_url, number):
    async with running(database_url) as (engine, client):
        await shop(client, number)
        headers = {"Idempotency-Key": "charge-1"}
        answer = await client.post("/charges/", json=BOOST, headers=headers)
        assert answer.status_code == 400
        assert answer.json()["detail"]
        assert (await only(client, "/orders/"))["status"] == "FAILED"
        for query in ("", "&status=incomplete,incomplete_expired,active"):
            page = await client.get(f"/subscriptions/?customer_id=ada{query}")
            assert page.json()["count"] == 0
        invoice = await only(client, "/invoices/")
        assert (invoice["status"], invoice["paymentLink"]) == ("PAYMENT_FAILED", None)
        order = await only(client, "/orders/")
        hidden = await client.get(f"/subscriptions/{order['subscription']['id']}/")
        assert hidden.status_code == 404
        before = await positions(engine)
        card = {"number": VISA, "expMonth": 4, "expYear": 2040, "cvc": "123"}
        newer = {"customerId": "ada", "card": card, "isDefault": True}
        assert (await client.post("/payment-methods/", json=newer)).status_code == 201
        again = await client.post("/charges/", json=BOOST, headers=headers)
        assert (again.status_code, again.content) == (400, answer.content)
        assert (await only(client, "/invoices/"))["status"] == "PAYMENT_FAILED"
        assert await positions(engine) > before  # the new card alone
        anew = await client.post("/charges/", json=BOOST)
        assert anew.status_code == 201


async def test_a_custom_amount_replaces_the_price(database_url):
    async with running(database_url) as (_, client):
        await shop(client)
        body = BOOST | {"custom_amount": 12.34, "currency_code": "usd", "tax_behavior": "INCLUSIVE"}
        answer = await client.post("/charges/", json=body)
        assert answer.status_code == 201, answer.text
        assert (answer.json()["amount"], answer.json()["isCustomPricing"]) == ("12.34", True)
        assert (await only(client, "/orders/"))["amountTotal"] == "12.34"
        assert (await only(client, "/invoices/"))["details"]["lines"][0]["subTotal"] == "12.34"


async def test_a_silent_provider_is_504_and_the_key_tells_later(database_url, monkeypatch):
    monkeypatch.setattr(awaiting, "OUTCOME_WAIT_SECONDS", 0.3)
    monkeypatch.setattr(timers, "FIRST_QUESTION", timedelta(seconds=1))
    async with running(database_url) as (_, client):
        await shop(client, SILENT)
        headers = {"Idempotency-Key": "charge-1"}
        answer = await client.post("/charges/", json=BOOST, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (504, "payment_outcome_unknown")

        async def known():
            again = await client.post("/charges/", json=BOOST, headers=headers)
            return again if again.status_code != 504 else None

        answer = await until(known)
        assert (answer.status_code, answer.json()["status"]) == (201, "active")
        assert (await only(client, "/orders/"))["status"] == "COMPLETE"
        kept = await client.post("/charges/", json=BOOST, headers=headers)
        assert kept.content == answer.content


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"planIdentifier": "none"}, "detail"),
        ({"customerId": "nobody"}, "detail"),
        ({"chargePeriod": "MONTHLY"}, "detail"),
        ({"chargePeriod": "SOMETIMES"}, "chargePeriod"),
        ({"chargePeriod": None}, "chargePeriod"),
        ({"currencyCode": "XXX"}, "currencyCode"),
        ({"currencyCode": "EUR"}, "detail"),
        ({"customAmount": 5}, "currencyCode"),
        ({"customAmount": 0, "currencyCode": "USD"}, "customAmount"),
        ({"customAmount": -5, "currencyCode": "USD"}, "customAmount"),
        ({"customAmount": 1.005, "currencyCode": "USD"}, "customAmount"),
        ({"customAmount": "NaN", "currencyCode": "USD"}, "customAmount"),
        ({"customAmount": 10**20, "currencyCode": "USD"}, "customAmount"),
        ({"taxBehavior": "UNSPECIFIED"}, "taxBehavior"),
        ({"features": [{"identifier": "none", "quantity": 1}]}, "detail"),
        ({"features": [{"identifier": "a", "quantity": 1}] * 2}, None),
        ({"customerId": "a\x00b"}, "customerId"),
    ],
)
async def test_bad_input_leaves_the_log_untouched(database_url, changes, where):
    async with running(database_url) as (engine, client):
        await shop(client)
        before = await positions(engine)
        answer = await client.post("/charges/", json=BOOST | changes)
        assert answer.status_code == 400, answer.text
        assert where is None or where in answer.json()
        assert await positions(engine) == before


async def test_without_a_saved_method_nothing_happens(database_url):
    async with running(database_url) as (engine, client):
        await shop(client, None)
        before = await positions(engine)
        answer = await client.post("/charges/", json=BOOST)
        assert (answer.status_code, answer.json()["code"]) == (400, "no_payment_method")
        assert await positions(engine) == before


async def test_one_key_charges_once_however_often_it_is_sent_at_once(database_url):
    async with running(database_url) as (_, client):
        await shop(client)
        headers = {"Idempotency-Key": "charge-1"}
        answers = await asyncio.gather(
            *(client.post("/charges/", json=BOOST, headers=headers) for _ in range(10))
        )
        assert {answer.status_code for answer in answers} <= {201, 409}
        assert (await client.get("/orders/")).json()["count"] == 1


async def test_a_full_refund_ends_what_a_charge_gave(database_url):
    async with running(database_url) as (engine, client):
        await shop(client)
        await client.post("/charges/", json=BOOST)
        order = await only(client, "/orders/")
        granted = "SELECT count(*) FROM entitlements"
        assert await engine.reader.rows(granted, ()) == [(1,)]
        part = {"orderId": order["id"], "amount": 48.99}
        assert (await client.post("/refunds/", json=part)).status_code == 200
        assert await engine.reader.rows(granted, ()) == [(1,)]
        rest = {"orderId": order["id"]}
        assert (await client.post("/refunds/", json=rest)).status_code == 200
        assert await engine.reader.rows(granted, ()) == [(0,)]


@pytest.mark.parametrize(
    ("number", "heard"),
    [
        (
            VISA,
            [*ASKED, "invoice.paid", "order.updated", "subscription.created"],
        ),
        (
            DECLINED,
            [*ASKED, "invoice.payment_failed", "order.updated"],
        ),
    ],
)
async def test_what_a_merchant_hears_of_a_charge(database_url, number, heard):
    async with running(database_url) as (engine, client), Receiver() as there:
        await shop(client, number)
        await subscribe(client, there.url)
        await client.post("/charges/", json=BOOST)
        await until(lambda: len(there.requests) >= len(heard))
        await until(lambda: drained(engine))
        assert [body["type"] for body in bodies(there)] == heard
        if number == VISA:
            assert bodies(there)[-1]["data"]["object"]["status"] == "active"

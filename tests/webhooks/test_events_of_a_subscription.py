"""What a merchant hears, and in which order, while a subscription lives."""

import pytest

from tests.adapters.receiver import Receiver
from tests.api.test_subscriptions import DECLINED, PRO, VISA, customer, sells
from tests.catalog_requests import create_plan, create_product, priced
from tests.engines import running
from tests.webhooks.deliveries import bodies, drained, subscribe, until


pytestmark = pytest.mark.anyio

CREATED = ["subscription.created", "invoice.created", "order.created"]
PAID = ["invoice.paid", "order.updated", "subscription.updated"]


async def bought(client, **more):
    answered = await client.post("/subscriptions/create/", json={**PRO, **more})
    assert answered.status_code in {200, 201}, answered.text
    return answered.json()


def kinds(receiver):
    return [body["type"] for body in bodies(receiver)]


def shown(receiver, kind):
    return [b["data"]["object"] for b in bodies(receiver) if b["type"] == kind]


def before(receiver, kind):
    data = [b["data"] for b in bodies(receiver) if b["type"] == kind]
    return [each.get("previous_attributes") for each in data]


async def test_a_purchase_tells_of_the_sale_then_of_the_payment(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await sells(client)
        await customer(client, VISA)
        await subscribe(client, there.url)
        record = await bought(client)
        await until(lambda: len(there.requests) >= 6)
        await until(lambda: drained(engine))
        assert kinds(there) == [*CREATED, *PAID]
        (sold,) = shown(there, "subscription.created")
        assert (sold["id"], sold["status"]) == (record["id"], "incomplete")
        assert before(there, "subscription.updated")[0]["status"] == "incomplete"
        (owed,) = shown(there, "invoice.created")
        assert owed["status"] == "OPEN"
        assert owed["payment_link"].startswith("http")
        assert owed["payment_link"] == owed["paymentLink"]
        (paid,) = shown(there, "invoice.paid")
        assert (paid["status"], paid["payment_link"]) == ("PAID", None)
        was = before(there, "invoice.paid")[0]
        assert (was["status"], was["paid_at"]) == ("OPEN", None)
        assert before(there, "order.updated")[0]["status"] == "PENDING"
        (ordered,) = shown(there, "order.created")
        assert owed["order_id"] == ordered["id"]
        assert ordered["subscription_id"] == record["id"]


async def test_the_ids_of_the_customer_are_told_apart(database_url):
    async with running(database_url) as (_, client), Receiver() as there:
        await subscribe(client, there.url)
        await sells(client)
        await customer(client, VISA)
        await bought(client)
        await until(lambda: "order.updated" in kinds(there))
        internal = (await client.get("/customers/ada/")).json()["id"]
        for kind in ("invoice.created", "invoice.paid", "order.created", "order.updated"):
            for each in shown(there, kind):
                assert each["customer_id"] == internal
                assert each["customer"]["customer_id"] == "ada"
        for kind in ("customer.created", "payment_method.created"):
            for each in shown(there, kind):
                assert each["customer_id"] == "ada"
        (method,) = shown(there, "payment_method.created")
        assert isinstance(method["id"], int)
        assert method["method_data"]["exp_month"] == 4


async def test_a_declined_payment_is_told_with_its_reason(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await sells(client)
        await customer(client, DECLINED)
        await subscribe(client, there.url)
        await bought(client)
        await until(lambda: "invoice.payment_failed" in kinds(there))
        await until(lambda: drained(engine))
        assert kinds(there)[:4] == [*CREATED, "invoice.payment_failed"]
        (failed,) = shown(there, "invoice.payment_failed")
        assert failed["status"] == "PAYMENT_FAILED"
        assert failed["attemptCount"] == 1
        assert failed["failureDetails"]["code"]
        assert failed["failureDetails"]["paymentMethodType"] == "card"
        assert failed["paymentLink"]


async def test_an_invoice_with_nothing_due_is_created_and_paid(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await create_plan(client, await create_product(client))
        free = priced({"charges": []}, priceType="FREE")
        priced_free = await client.post("/catalog/plans/pro/prices/bulk/", json=free)
        if priced_free.status_code != 200:
            pytest.fail(priced_free.text)
        await client.post("/catalog/plans/pro/publish/")
        await customer(client)
        await subscribe(client, there.url)
        await bought(client, chargePeriod="ONE_TIME")
        await until(lambda: there.requests)
        await until(lambda: drained(engine))
        heard = kinds(there)
        assert heard[0] == "subscription.created"
        assert heard.count("invoice.created") == heard.count("invoice.paid")
        assert "order.created" in heard


async def test_case_72_what_a_discount_makes_free_is_created_and_paid(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await sells(client)
        await customer(client)
        all_of_it = {"discountType": "PERCENTAGE", "percentageOff": 100, "duration": "ONCE"}
        made = await client.post("/discount/", json={**all_of_it, "code": "ALL"})
        assert made.status_code == 201, made.text
        await subscribe(client, there.url)
        assert (await bought(client, discountCode="all"))["status"] == "active"
        await until(lambda: there.requests)
        await until(lambda: drained(engine))
        told = ["subscription.created", "invoice.created", "invoice.paid", "order.created"]
        assert kinds(there) == told
        for kind in ("invoice.created", "invoice.paid"):
            (invoice,) = shown(there, kind)
            assert (invoice["status"], invoice["attemptCount"]) == ("PAID", 0)
            assert invoice["payment_link"] is None
        (record,) = (await client.get("/invoices/")).json()["results"]
        paid = {name: record[name] for name in ("status", "amountTotal", "attemptCount")}
        assert paid == {"status": "PAID", "amountTotal": "0.00", "attemptCount": 0}
        assert record["paymentId"] is record["paymentLink"] is record["dueDate"] is None


async def test_a_scheduled_end_is_an_update_and_the_end_itself_a_cancellation(database_url):
    async with running(database_url) as (_, client), Receiver() as there:
        await sells(client)
        await customer(client, VISA)
        record = await bought(client)
        await subscribe(client, there.url, "subscription.updated", "subscription.cancelled")
        path = f"/subscriptions/{record['id']}/cancel/"
        assert (await client.post(path, json={})).status_code == 200
        await until(lambda: kinds(there) == ["subscription.updated"])
        previous = before(there, "subscription.updated")[0]
        assert previous["end_date"] is None
        assert "status" not in previous
        now = {"cancellationType": "IMMEDIATE"}
        assert (await client.post(path, json=now)).status_code == 200
        await until(lambda: "subscription.cancelled" in kinds(there))
        assert kinds(there) == ["subscription.updated", "subscription.cancelled"]
        (ended,) = shown(there, "subscription.cancelled")
        assert ended["status"] == "canceled"
        assert before(there, "subscription.cancelled")[0]["status"] == "active"


async def test_the_previous_attributes_lead_back_to_the_event_before(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await subscribe(client, there.url, "*")
        await sells(client)
        await customer(client, VISA)
        await bought(client)
        await until(lambda: "subscription.updated" in kinds(there))
        await until(lambda: drained(engine))
        (created,) = shown(there, "order.created")
        updated = next(b["data"] for b in bodies(there) if b["type"] == "order.updated")
        assert {**updated["object"], **updated["previous_attributes"]} == created


async def on_a_clock(client, number, frozen="2026-01-31T00:00:00Z"):
    """Ada on a test clock, with a card; returns how to move the clock."""
    made = await client.post("/test-clocks/", json={"name": "t", "frozenTime": frozen})
    assert made.status_code == 201, made.text
    clock = made.json()["id"]
    await client.post("/customers/", json={"customerId": "ada", "testClockId": clock})
    card = {"number": number, "expMonth": 4, "expYear": 2040, "cvc": "123"}
    saved = await client.post("/payment-methods/", json={"customerId": "ada", "card": card})
    assert saved.status_code == 201, saved.text

    async def advance(instant):
        path = f"/test-clocks/{clock}/advance/"
        moved = await client.post(path, json={"frozenTime": instant})
        assert moved.status_code == 200, moved.text

    return advance


async def test_a_renewal_tells_of_the_period_the_sale_and_the_payment(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await sells(client)
        advance = await on_a_clock(client, VISA)
        await bought(client)
        await subscribe(client, there.url)
        await advance("2026-03-01T00:00:00Z")
        await until(lambda: "order.updated" in kinds(there))
        await until(lambda: drained(engine))
        assert kinds(there) == [
            "subscription.updated",
            "invoice.created",
            "order.created",
            "invoice.paid",
            "order.updated",
        ]
        assert {body["created_at"] for body in bodies(there)} == {"2026-02-28T00:00:00Z"}
        (renewed,) = shown(there, "subscription.updated")
        assert renewed["billing_period_start_time"] == "2026-02-28T00:00:00Z"
        was = before(there, "subscription.updated")[0]
        assert was["billing_period_start_time"] == "2026-01-31T00:00:00Z"
        assert shown(there, "order.created")[0]["is_renewal"] is True


async def test_a_year_of_renewals_arrives_in_the_order_of_the_calendar(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await sells(client)
        advance = await on_a_clock(client, VISA)
        await bought(client)
        await subscribe(client, there.url)
        await advance("2027-01-30T00:00:00Z")
        await until(lambda: kinds(there).count("order.updated") == 11)
        await until(lambda: drained(engine))
        times = [body["created_at"] for body in bodies(there)]
        assert times == sorted(times)
        assert len({body["id"] for body in bodies(there)}) == len(times) == 55


async def test_a_trial_announces_its_end_and_then_converts(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await sells(client)
        advance = await on_a_clock(client, VISA)
        await subscribe(client, there.url)
        await bought(client, trialEnd="2026-02-10T00:00:00Z")
        await until(lambda: "order.created" in kinds(there))
        assert kinds(there) == ["subscription.created", "order.created"]
        await advance("2026-02-11T00:00:00Z")
        await until(lambda: "order.updated" in kinds(there))
        await until(lambda: drained(engine))
        assert kinds(there)[2:] == [
            "subscription.trial_will_end",
            "subscription.updated",
            "invoice.created",
            "order.created",
            "invoice.paid",
            "order.updated",
        ]
        (soon,) = shown(there, "subscription.trial_will_end")
        assert (soon["status"], soon["trial_end"]) == ("trialing", "2026-02-10T00:00:00Z")
        assert before(there, "subscription.trial_will_end") == [None]
        assert before(there, "subscription.updated")[0]["status"] == "trialing"


async def test_a_payment_that_fails_makes_the_subscription_past_due_until_one_succeeds(
    database_url,
):
    recovers_once = "4000 0000 0010 0018"
    async with running(database_url) as (engine, client), Receiver() as there:
        await sells(client)
        advance = await on_a_clock(client, recovers_once)
        await bought(client, trialEnd="2026-02-10T00:00:00Z")
        await subscribe(client, there.url)
        await advance("2026-03-01T00:00:00Z")
        await until(lambda: "invoice.paid" in kinds(there))
        await until(lambda: drained(engine))
        heard = kinds(there)
        assert heard[:4] == [
            "subscription.trial_will_end",
            "subscription.updated",
            "invoice.created",
            "order.created",
        ]
        statuses = [each["status"] for each in shown(there, "subscription.updated")]
        assert statuses == ["active", "past_due", "active"]
        assert heard.index("invoice.payment_failed") < heard.index("invoice.paid")
        (failed,) = shown(there, "invoice.payment_failed")
        assert failed["nextPaymentAttempt"] is not None
        (paid,) = shown(there, "invoice.paid")
        assert (paid["attemptCount"], paid["failureDetails"]) == (2, None)
        assert before(there, "invoice.paid")[0]["status"] == "PAYMENT_FAILED"

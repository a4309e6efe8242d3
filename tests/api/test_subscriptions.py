"""Subscriptions over HTTP: sold, paid, refused, canceled and taken back."""

import pytest

from tests.catalog_requests import (
    USD_MONTHLY,
    create_plan,
    create_product,
    priced,
)
from tests.engines import positions, running


pytestmark = pytest.mark.anyio

VISA = "4242 4242 4242 4242"
DECLINED = "4000 0000 0000 0002"
AUTHENTICATE = "4000 0025 0000 3155"
PRO = {"planIdentifier": "pro", "chargePeriod": "MONTHLY", "customerId": "ada"}


async def sells(client, *prices):
    """A published plan called pro."""
    await create_plan(client, await create_product(client))
    body = priced(*(prices or (USD_MONTHLY,)))
    answer = await client.post("/catalog/plans/pro/prices/bulk/", json=body)
    assert answer.status_code == 200, answer.text
    answer = await client.post("/catalog/plans/pro/publish/")
    assert answer.status_code == 200, answer.text


async def customer(client, number=None, customer_id="ada"):
    await client.post("/customers/", json={"customerId": customer_id})
    if number:
        card = {"number": number, "expMonth": 4, "expYear": 2040, "cvc": "123"}
        answer = await client.post(
            "/payment-methods/", json={"customerId": customer_id, "card": card}
        )
        assert answer.status_code == 201, answer.text


async def test_a_saved_card_pays_before_the_answer(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        answer = await client.post("/subscriptions/create/", json=PRO)
        assert answer.status_code == 201, answer.text
        record = answer.json()
        assert (record["status"], record["billingType"]) == ("active", "SUBSCRIPTION")
        assert record["amount"] == "20.00"
        shown = await client.get(f"/subscriptions/{record['id']}/")
        assert shown.json() == record
        page = (await client.get("/invoices/")).json()
        assert page["count"] == 1
        assert page["results"][0]["status"] == "PAID"
        position = answer.headers["Billstream-Position"]
        assert int(position) > 0


@pytest.mark.parametrize(
    ("number", "status"), [(None, "OPEN"), (DECLINED, "PAYMENT_FAILED"), (AUTHENTICATE, "OPEN")]
)
async def test_what_is_not_paid_is_incomplete(database_url, number, status):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, number)
        answer = await client.post("/subscriptions/create/", json=PRO)
        assert answer.status_code == 201, answer.text
        assert answer.json()["status"] == "incomplete"
        invoice = (await client.get("/invoices/")).json()["results"][0]
        assert invoice["status"] == status
        assert invoice["attemptCount"] == (1 if number else 0)


async def test_a_new_card_pays_what_is_open(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client, DECLINED)
        record = (await client.post("/subscriptions/create/", json=PRO)).json()
        await customer(client, VISA)
        for runner in engine.runners:
            assert await runner.positions.wait(await engine.store.head(), 60)
        for runner in engine.runners:
            assert await runner.positions.wait(await engine.store.head(), 60)
        await engine.positions.wait(await engine.store.head(), 60)
        shown = (await client.get(f"/subscriptions/{record['id']}/")).json()
        assert shown["status"] == "active"


async def test_cancel_and_take_it_back(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        record = (await client.post("/subscriptions/create/", json=PRO)).json()
        path = f"/subscriptions/{record['id']}"
        answer = await client.post(
            f"{path}/cancel/", json={"cancellation_feedback": "TOO_EXPENSIVE"}
        )
        assert answer.status_code == 200
        assert answer.json()["message"].endswith("at the end of its current period.")
        shown = (await client.get(f"{path}/")).json()
        assert shown["status"] == "active"
        assert shown["endDate"] == record["billingPeriodEndTime"][:10]
        assert shown["cancellationReason"] == "CANCELLED_BY_MERCHANT"
        back = await client.post(f"{path}/reactivate/")
        assert back.status_code == 200
        assert back.json()["endDate"] is None
        assert (await client.post(f"{path}/reactivate/")).status_code == 400
        now = await client.post(f"{path}/cancel/", json={"cancellationType": "IMMEDIATE"})
        assert now.status_code == 200
        assert (await client.get(f"{path}/")).json()["status"] == "canceled"
        assert now.json() == {"message": "The subscription is canceled."}
        again = await client.post(f"{path}/cancel")
        assert (again.status_code, again.json()["code"]) == (400, "subscription_already_ended")


@pytest.mark.parametrize(
    ("changes", "status", "where"),
    [
        ({"planIdentifier": "none"}, 400, "detail"),
        ({"chargePeriod": "YEARLY"}, 400, "detail"),
        ({"currencyCode": "JPY"}, 400, "detail"),
        ({"customerId": "nobody"}, 400, "detail"),
        ({"chargePeriod": "SOMETIMES"}, 400, "chargePeriod"),
        ({"currencyCode": "XXX"}, 400, "currencyCode"),
        ({"features": [{"identifier": "seats", "quantity": -1}]}, 400, None),
        ({"features": [{"identifier": "seats", "quantity": 10**30}]}, 400, None),
        ({"features": [{"identifier": "none", "quantity": 1}]}, 400, "detail"),
        ({"trialEnd": "2001-01-01"}, 400, "detail"),
        ({"startDate": "2900-01-01"}, 400, "detail"),
        ({"customerId": "a\x00b"}, 400, "customerId"),
        ({"discountCode": "HALF"}, 400, "detail"),
        ({"customerId": None}, 400, "customerId"),
    ],
)
async def test_bad_input_leaves_the_log_untouched(database_url, changes, status, where):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client, VISA)
        before = await positions(engine)
        answer = await client.post("/subscriptions/create/", json=PRO | changes)
        assert answer.status_code == status, answer.text
        if where:
            assert where in answer.json()
        assert await positions(engine) == before


async def test_an_idempotency_key_sells_once(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client, VISA)
        headers = {"Idempotency-Key": "order-1"}
        first = await client.post("/subscriptions/create/", json=PRO, headers=headers)
        before = await positions(engine)
        second = await client.post("/subscriptions/create/", json=PRO, headers=headers)
        assert second.content == first.content
        assert await positions(engine) == before


async def test_an_unknown_subscription_is_404(database_url):
    async with running(database_url) as (_, client):
        for number in ("nonsense", "00000000-0000-4000-8000-000000000000"):
            for verb in ("cancel", "reactivate"):
                answer = await client.post(f"/subscriptions/{number}/{verb}/", json={})
                assert (answer.status_code, answer.json()["code"]) == (
                    404,
                    "subscription_not_found",
                )

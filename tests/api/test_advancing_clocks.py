"""Test clocks on the whole engine over PostgreSQL: advance, wait, delete, take over."""

import asyncio
import time

import pytest

from tests.api.test_subscriptions import AUTHENTICATE, DECLINED, PRO, VISA, sells
from tests.catalog_requests import create_plan
from tests.engines import running
from tests.hosted_buyer import HostedBuyer, begin


pytestmark = pytest.mark.anyio

JANUARY = {"frozenTime": "2024-01-31T12:00:00Z"}


async def clock(client):
    return (await client.post("/test-clocks/", json=JANUARY)).json()["id"]


async def subscribe(client, clock_id, customer_id="ada", number=VISA):
    body = {"customerId": customer_id, "testClockId": clock_id}
    assert (await client.post("/customers/", json=body)).status_code == 201
    card = {"number": number, "expMonth": 4, "expYear": 2090, "cvc": "123"}
    body = {"customerId": customer_id, "card": card}
    assert (await client.post("/payment-methods/", json=body)).status_code == 201
    answer = await client.post("/subscriptions/create/", json=PRO | {"customerId": customer_id})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def advance(client, clock_id, instant):
    return await client.post(f"/test-clocks/{clock_id}/advance/", json={"frozenTime": instant})


async def test_an_advance_answers_when_all_is_done_and_visible(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        clock_id = await clock(client)
        subscription = await subscribe(client, clock_id)
        answer = await advance(client, clock_id, "2024-06-01T00:00:00Z")
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] == "ready"
        assert answer.json()["frozenTime"] == "2024-06-01T00:00:00.000000Z"
        invoices = (await client.get("/invoices/")).json()
        assert invoices["count"] == 5
        assert {invoice["status"] for invoice in invoices["results"]} == {"PAID"}
        days = [invoice["createdOn"][:10] for invoice in invoices["results"]]
        assert days == ["2024-05-31", "2024-04-30", "2024-03-31", "2024-02-29", "2024-01-31"]
        assert (await client.get("/transaction/")).json()["count"] == 5
        shown = (await client.get(f"/subscriptions/{subscription['id']}/")).json()
        assert shown["nextInvoiceDate"][:10] == "2024-06-30"


async def test_a_second_advance_meanwhile_and_backwards_are_refused(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        clock_id = await clock(client)
        await subscribe(client, clock_id)
        first, second = await asyncio.gather(
            advance(client, clock_id, "2025-01-31T12:00:00Z"),
            advance(client, clock_id, "2025-01-31T12:00:00Z"),
        )
        answers = {first.status_code: first, second.status_code: second}
        assert set(answers) == {200, 409}
        assert answers[409].json()["code"] == "clock_advancing"
        back = await advance(client, clock_id, "2024-12-31T00:00:00Z")
        assert (back.status_code, back.json()["code"]) == (400, "clock_only_moves_forward")


async def test_a_new_process_goes_on_with_an_advance_that_was_begun(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        clock_id = await clock(client)
        await subscribe(client, clock_id)
        asking = asyncio.create_task(advance(client, clock_id, "2034-01-31T12:00:00Z"))
        while (await client.get("/invoices/")).json()["count"] < 3:
            continue
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        shown = (await client.get(f"/test-clocks/{clock_id}/")).json()
        assert shown["status"] == "advancing"
    async with running(database_url) as (engine, client):
        del engine
        for _ in range(1_000):
            shown = (await client.get(f"/test-clocks/{clock_id}/")).json()
            if shown["status"] == "ready":
                break
            await asyncio.sleep(0.05)
        assert shown["frozenTime"] == "2034-01-31T12:00:00.000000Z"
        assert (await client.get("/invoices/")).json()["count"] == 121
        assert (await client.get("/transaction/")).json()["count"] == 121


async def test_deleting_a_clock_cancels_what_lives_on_it(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        clock_id = await clock(client)
        subscriptions = [await subscribe(client, clock_id, name) for name in ("ada", "bob")]
        answer = await client.delete(f"/test-clocks/{clock_id}/")
        assert answer.status_code == 204, answer.text
        for subscription in subscriptions:
            shown = (await client.get(f"/subscriptions/{subscription['id']}/")).json()
            assert shown["status"] == "canceled"
            assert shown["endDate"][:10] == "2024-01-31"
        assert (await client.get(f"/test-clocks/{clock_id}/")).status_code == 404
        assert (await advance(client, clock_id, "2025-01-01T00:00:00Z")).status_code == 404
        assert (await client.get("/invoices/")).json()["count"] == 2


async def test_what_waits_for_its_payment_on_a_deleted_clock_expires(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        product = (await client.get("/catalog/products/")).json()["results"][0]
        once = {"charges": [{"chargePeriod": "ONE_TIME", "priceData": {"amount": "50.00"}}]}
        for name, rows in (
            ("Once", {"priceType": "PAID", "chargeCatalogPrice": [once]}),
            ("Free", {"priceType": "FREE"}),
        ):
            await create_plan(client, product, name=name)
            path = f"/catalog/plans/{name.lower()}"
            prices = {"prices": [{"currency": "USD", **rows}]}
            assert (await client.post(f"{path}/prices/bulk/", json=prices)).status_code == 200
            assert (await client.post(f"{path}/publish/")).status_code == 200
        clock_id = await clock(client)
        body = {"customerId": "ada", "testClockId": clock_id}
        assert (await client.post("/customers/", json=body)).status_code == 201
        body = {"customerId": "ada", "chargePeriod": "ONE_TIME"}
        for plan in ("once", "free"):
            answer = await client.post(
                "/subscriptions/create/", json=body | {"planIdentifier": plan}
            )
            assert answer.status_code == 201, answer.text
        free = f"/subscriptions/{answer.json()['id']}"
        body = {
            "planIdentifier": "pro",
            "chargePeriod": "MONTHLY",
            "paymentBehavior": "activate_on_payment",
        }
        assert (await client.post(f"{free}/update/", json=body)).status_code == 200
        assert (await client.delete(f"/test-clocks/{clock_id}/")).status_code == 204
        every = {"customer_id": "ada", "status": "active,incomplete,incomplete_expired"}
        page = (await client.get("/subscriptions/", params=every)).json()
        known = [(row["plan"]["identifier"], row["status"]) for row in page["results"]]
        assert sorted(known) == [
            ("free", "active"),
            ("once", "incomplete_expired"),
            ("pro", "incomplete_expired"),
        ]


async def test_checkouts_on_a_deleted_clock_expire(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        clock_id = await clock(client)
        for name in ("ada", "bob"):
            body = {"customerId": name, "testClockId": clock_id}
            assert (await client.post("/customers/", json=body)).status_code == 201
        waiting = await begin(client, customerId="bob")
        assert (await HostedBuyer(engine, waiting).pays(AUTHENTICATE)).awaits_authentication
        sessions = [await begin(client), waiting, await begin(client, customerId="else")]
        assert (await client.delete(f"/test-clocks/{clock_id}/")).status_code == 204
        shown = [(await client.get(f"/checkout/sessions/{each}/")).json() for each in sessions]
        assert [each["status"] for each in shown] == ["expired", "expired", "open"]
        (order,) = (await client.get("/orders/")).json()["results"]
        assert order["status"] == "FAILED"


async def test_customers_side_by_side_with_a_card_that_fails(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        clock_id = await clock(client)
        for number in range(10):
            await subscribe(client, clock_id, f"c{number}")
        await subscribe(client, clock_id, "poor", DECLINED)
        answer = await advance(client, clock_id, "2025-01-31T12:00:00Z")
        assert answer.status_code == 200
        assert (await client.get("/invoices/")).json()["count"] == 10 * 13 + 1
        listed = (
            await client.get("/subscriptions/?status=incomplete_expired&customer_id=poor")
        ).json()
        assert listed.get("count") == 1, listed


async def test_the_past_of_a_subscription_on_a_clock_is_made_up_for(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        clock_id = await clock(client)
        body = {"customerId": "ada", "testClockId": clock_id}
        await client.post("/customers/", json=body)
        card = {"number": VISA, "expMonth": 4, "expYear": 2090, "cvc": "123"}
        await client.post("/payment-methods/", json={"customerId": "ada", "card": card})
        answer = await client.post(
            "/subscriptions/create/", json=PRO | {"startDate": "2023-11-15T00:00:00Z"}
        )
        assert answer.status_code == 201, answer.text
        await advance(client, clock_id, JANUARY["frozenTime"])
        assert (await client.get("/invoices/")).json()["count"] == 3


async def test_ten_years_do_not_take_long(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        clock_id = await clock(client)
        await subscribe(client, clock_id)
        begun = time.monotonic()
        await advance(client, clock_id, "2034-01-31T12:00:00Z")
        seconds = time.monotonic() - begun
        assert (await client.get("/transaction/")).json()["count"] == 121
        print(f"ten years: {seconds:.3f} s")  # noqa: T201 a figure to look at
        assert seconds < 10

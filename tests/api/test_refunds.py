"""Refunds over HTTP: asked for, refused, listed, told of; never more than was paid."""

import asyncio

import pytest

from app.wiring import with_views
from projections.all_views import VIEWS
from replay.verify import verify
from tests.adapters.receiver import Receiver
from tests.api.test_advancing_clocks import advance, clock
from tests.api.test_advancing_clocks import subscribe as subscribe_on
from tests.api.test_subscriptions import PRO, VISA, customer, sells
from tests.engines import positions, running
from tests.webhooks.deliveries import bodies, drained, subscribe, until


pytestmark = pytest.mark.anyio

REFUND_FAILS = "4000 0000 0000 5126"


async def paid_order(client, number=VISA):
    """The order of a subscription at 20 dollars that a card paid."""
    await sells(client)
    await customer(client, number)
    answer = await client.post("/subscriptions/create/", json=PRO)
    assert answer.json()["status"] == "active", answer.text
    (order,) = (await client.get("/orders/")).json()["results"]
    return order


async def results(client, path):
    return (await client.get(path)).json()["results"]


async def test_case_83_over_http(database_url):
    async with running(database_url) as (engine, client):
        order = await paid_order(client)
        parts = [{"amountUnits": 600}, {"amount": 6}, {"amount_units": 600, "amount": 1}]
        for part in parts:
            answer = await client.post("/refunds/", json={"orderId": order["id"], **part})
            assert answer.status_code == 200, answer.text
            assert (answer.json()["status"], answer.json()["amountUnits"]) == ("SUCCEEDED", 600)
        assert answer.json()["order"]["status"] == "PARTIAL_REFUND"
        before = await positions(engine)
        fourth = await client.post("/refunds/", json={"orderId": order["id"], "amountUnits": 400})
        assert fourth.status_code == 400
        assert set(fourth.json()) == {"error", "code"}
        assert await positions(engine) == before
        rest = (await client.post("/refunds/", json={"order_id": order["id"]})).json()
        assert (rest["amount"], rest["amountUnits"]) == (2.0, 200)
        assert rest["reason"] == "REQUESTED_BY_CUSTOMER"
        assert rest["order"]["status"] == "REFUNDED"
        assert rest["order"]["refundedTotalUnits"] == 2000
        assert (await client.get(f"/refunds/{rest['id']}/")).json() == rest
        verified = await verify(
            with_views(database_url), engine.store, VIEWS, None, lambda *_: None
        )
        assert verified.differing == 0


async def test_the_explained_invoice_tells_of_refunds_and_credit(database_url):
    async with running(database_url) as (_, client):
        order = await paid_order(client)
        (invoice,) = await results(client, "/invoices/")
        path = f"/invoices/{invoice['id']}/explain/"
        assert (await client.get(path)).json()["refunds"] == []
        made = await client.post("/refunds/", json={"orderId": order["id"], "amountUnits": 600})
        [told] = (await client.get(path)).json()["refunds"]
        assert (told["refund"], told["status"], told["units"]) == (
            made.json()["id"],
            "SUCCEEDED",
            600,
        )
        assert told["words"] == (
            "6.00 USD, 600 + 0 tax = 600, all to the payment method: given back"
        )
        assert told["endedAt"] >= told["startedAt"]
        record = (await results(client, "/subscriptions/?customer_id=ada"))[0]
        await client.post(
            f"/subscriptions/{record['id']}/cancel/",
            json={"cancellationType": "IMMEDIATE", "creditUnusedTime": True},
        )
        [credit] = (await client.get(path)).json()["credits"]
        assert 0 < credit["units"] <= 1400
        more = await client.post("/refunds/", json={"orderId": order["id"], "amountUnits": 1400})
        assert (more.status_code, set(more.json())) == (400, {"error", "code"})


async def test_lists_are_filtered(database_url):
    async with running(database_url) as (_, client):
        order = await paid_order(client)
        first, second = [
            (await client.post("/refunds/", json={"orderId": order["id"], "amount": n})).json()
            for n in (1, 2)
        ]
        assert await results(client, "/refunds/") == [
            (await client.get(f"/refunds/{each['id']}/")).json() for each in (second, first)
        ]
        today, page = first["createdOn"][:10], "/refunds/?page_size=1"
        assert [each["id"] for each in await results(client, page)] == [second["id"]]
        assert [e["id"] for e in await results(client, f"{page}&page=2")] == [first["id"]]
        counted = {
            f"search={first['id'][:12]}": 1,
            f"search={order['id'].lower()}": 2,
            "search=ADA": 2,
            "search=nobody": 0,
            "status=SUCCEEDED": 2,
            "status=FAILED,CANCELED": 0,
            f"start_date={today}&end_date={today}": 2,
            "start_date=2001-01-01&end_date=2001-01-02": 0,
            "status=SUCCEEDED&search=ada": 2,
        }
        for query, count in counted.items():
            assert (await client.get(f"/refunds/?{query}")).json()["count"] == count, query
        for query, field in (("status=DONE", "status"), ("start_date=soon", "start_date")):
            answer = await client.get(f"/refunds/?{query}")
            assert answer.status_code == 400
            assert field in answer.json()
        assert (await client.get("/refunds/?page=9")).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        ({}, 400, "orderId"),
        ({"orderId": "nonsense"}, 404, "detail"),
        ({"orderId": "ORD-20250101000000-ABCDE"}, 404, "detail"),
        ({"orderId": None, "amountUnits": 1}, 400, "orderId"),
        ({"amountUnits": 0}, 400, "amountUnits"),
        ({"amountUnits": -5}, 400, "amountUnits"),
        ({"amountUnits": 1.5}, 400, "amountUnits"),
        ({"amountUnits": "600"}, 400, "amountUnits"),
        ({"amountUnits": True}, 400, "amountUnits"),
        ({"amountUnits": 10**30}, 400, "amountUnits"),
        ({"amountUnits": 2001}, 400, "error"),
        ({"amount": 20.01}, 400, "error"),
        ({"amount": 0}, 400, "amount"),
        ({"amount": -1}, 400, "amount"),
        ({"amount": "much"}, 400, "amount"),
        ({"amount": 1e400}, 400, "amount"),
        ({"amount": 1.005}, 400, "amount"),
        ({"reason": "BOREDOM"}, 400, "reason"),
        ({"reason": "DASHBOARD_INITIATED"}, 400, "reason"),
        ({"internalNote": "x" * 5001}, 400, "internalNote"),
        ({"internalNote": "a\x00b"}, 400, "internalNote"),
    ],
)
async def test_bad_input_leaves_the_log_untouched(database_url, body, status, where):
    async with running(database_url) as (engine, client):
        order = await paid_order(client)
        before = await positions(engine)
        if body.get("amount") == float("inf"):
            text = f'{{"orderId": "{order["id"]}", "amount": 1e400}}'
            headers = {"Content-Type": "application/json"}
            answer = await client.post("/refunds/", content=text, headers=headers)
        else:
            known = {"orderId": order["id"]} if body and "orderId" not in body else {}
            answer = await client.post("/refunds/", json=known | body)
        assert answer.status_code == status, answer.text
        assert where in answer.json()
        assert await positions(engine) == before


async def test_a_provider_that_refuses_is_a_400_and_a_failed_refund(database_url):
    async with running(database_url) as (engine, client):
        order = await paid_order(client, REFUND_FAILS)
        headers = {"Idempotency-Key": "refund-1"}
        asked = {"orderId": order["id"], "internalNote": "Sorry"}
        answer = await client.post("/refunds/", json=asked, headers=headers)
        assert answer.status_code == 400
        assert answer.json() == {"error": "The refund failed.", "code": "refund_failed"}
        before = await positions(engine)
        again = await client.post("/refunds/", json=asked, headers=headers)
        assert (again.status_code, again.content) == (400, answer.content)
        assert await positions(engine) == before
        (kept,) = await results(client, "/refunds/?status=FAILED")
        assert (kept["failureReason"], kept["internalNote"]) == ("The refund failed.", "Sorry")
        assert kept["order"]["status"] == "COMPLETE"
        assert kept["order"]["refundedTotalUnits"] == 0


async def test_a_transaction_shows_what_went_back(database_url):
    async with running(database_url) as (_, client):
        order = await paid_order(client)
        await client.post("/refunds/", json={"orderId": order["id"], "amountUnits": 500})
        await until(lambda: booked(client, 2))
        back, charge = await results(client, "/transaction/")
        assert (back["transactionType"], charge["transactionType"]) == ("REFUND", "CHARGE")
        assert (back["amountTotal"], back["morFee"], back["netPayout"]) == (-5.0, 0.0, -5.0)
        assert (back["isSettled"], charge["isSettled"]) == (True, False)
        assert back["last4"] == "4242"
        assert charge["morFee"] > 0
        assert back["order"]["id"] == order["id"]


async def booked(client, count):
    return (await client.get("/transaction/")).json()["count"] == count


async def test_the_timeline_tells_of_the_refund(database_url):
    async with running(database_url) as (_, client):
        order = await paid_order(client)
        await client.post("/refunds/", json={"orderId": order["id"], "amountUnits": 500})
        newest = await results(client, f"/orders/{order['id']}/events/")
        assert [each["code"] for each in newest[:2]] == ["order.refunded", "refund.created"]
        assert newest[0]["metadata"]["primary"] == "-5.00"


async def test_an_unknown_refund_is_404(database_url):
    async with running(database_url) as (_, client):
        for number in ("nonsense", "00000000-0000-4000-8000-000000000000"):
            answer = await client.get(f"/refunds/{number}/")
            assert (answer.status_code, answer.json()["code"]) == (404, "refund_not_found")


async def test_fifty_at_once_over_http(database_url):
    async with running(database_url) as (_, client):
        order = await paid_order(client)
        asked = {"orderId": order["id"], "amountUnits": 150}
        answers = await asyncio.gather(*(client.post("/refunds/", json=asked) for _ in range(50)))
        won = [answer for answer in answers if answer.status_code == 200]
        assert {answer.status_code for answer in answers} <= {200, 400, 409}
        assert 1 <= len(won) <= 13
        now = (await client.get(f"/orders/{order['id']}/")).json()
        assert now["refundedTotalUnits"] == 150 * len(won)


async def test_a_merchant_hears_of_refunds_in_order(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        order = await paid_order(client)
        await subscribe(client, there.url)
        for units in (500, 500, 1000):
            refund = {"orderId": order["id"], "amountUnits": units}
            assert (await client.post("/refunds/", json=refund)).status_code == 200
        await until(lambda: len(there.requests) >= 9)
        await until(lambda: drained(engine))
        told = bodies(there)
        three = ["refund.created", "refund.updated", "order.refunded"]
        assert [body["type"] for body in told] == three * 3
        created, updated, refunded = told[:3]
        about = created["data"]["object"]
        assert (about["object"], about["status"]) == ("refund", "PROCESSING")
        assert (about["amount"], about["amount_units"], about["currency"]) == ("5.00", 500, "USD")
        assert about["order_id"] == order["id"]
        assert about["subscription_id"] == order["subscription"]["id"]
        assert about["customer"]["customer_id"] == "ada"
        assert "product" not in about
        assert updated["data"]["object"]["status"] == "SUCCEEDED"
        assert updated["data"]["previous_attributes"]["status"] == "PROCESSING"
        assert refunded["data"]["object"]["status"] == "PARTIAL_REFUND"
        assert refunded["data"]["previous_attributes"]["status"] == "COMPLETE"
        assert told[8]["data"]["object"]["status"] == "REFUNDED"


async def test_on_a_test_clock_money_goes_back_at_its_time_and_charges_settle(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        clock_id = await clock(client)
        await subscribe_on(client, clock_id)
        (order,) = await results(client, "/orders/")
        await advance(client, clock_id, "2024-02-02T09:00:00Z")
        back = await client.post("/refunds/", json={"orderId": order["id"], "amount": 5})
        assert (back.status_code, back.json()["status"]) == (200, "SUCCEEDED")
        assert back.json()["createdOn"] == "2024-02-02T09:00:00Z"
        await until(lambda: booked(client, 2))
        given, taken = await results(client, "/transaction/")
        assert (given["availableOn"], given["isSettled"]) == ("2024-02-02", True)
        assert (taken["availableOn"], taken["isSettled"]) == ("2024-02-07", False)
        await advance(client, clock_id, "2024-02-07T00:00:00Z")
        assert [each["isSettled"] for each in await results(client, "/transaction/")] == [True] * 2
        newest = await results(client, f"/orders/{order['id']}/events/")
        assert newest[0]["timestamp"] == "2024-02-02T09:00:00Z"

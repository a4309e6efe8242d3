"""Orders and transactions over HTTP: who sees what, in which order, with what inside."""

from datetime import timedelta

import pytest

from kernel.interval import ChargePeriod
from tests.billing_facts import JAN_31, Buyer


pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)
CARD = {"paymentMethodType": "card", "paymentMethodName": "visa", "last4": "4242"}


async def ids(client, path, **params):
    answer = await client.get(path, params=params)
    assert answer.status_code == 200, answer.text
    page = answer.json()
    assert page["count"] == len(page["results"])
    return [row["id"] for row in page["results"]]


async def test_a_pending_order_is_nowhere(happened, reading):
    sold = Buyer(happened).subscribes().is_billed(at=JAN_31)
    async with reading(happened) as client:
        assert await ids(client, "/orders/") == []
        assert (await client.get(f"/orders/{sold.order_number}/")).status_code == 404
        asked = await client.get("/orders/", params={"status": "PENDING"})
        assert (asked.status_code, asked.json()["count"]) == (200, 0)
    happened.commands.clear()
    sold.is_paid(at=JAN_31)
    async with reading(happened) as client:
        assert await ids(client, "/orders/", status="PENDING") == []
        known = await ids(client, "/orders/", status="PENDING,COMPLETE")
        assert known == [sold.order_number]
        refused = await client.get("/orders/", params={"status": "pending"})
        assert (refused.status_code, list(refused.json())) == (400, ["status"])


async def test_a_paid_order_has_every_field(happened, reading):
    one = Buyer(happened).subscribes()
    sold = one.is_billed(at=JAN_31, renewal=True)
    sold.is_paid(at=JAN_31 + DAY)
    async with reading(happened) as client:
        record = (await client.get(f"/orders/{sold.order_number}/")).json()
    amounts = {name: record.pop(name) for name in list(record) if name.startswith("amount")}
    assert amounts["amountTotal"] == "29.99"
    assert amounts["amountTotalUnits"] == 2999
    assert len(amounts) == 8
    assert set(record.pop("billingAddress").values()) == {None}
    assert record == {
        "id": sold.order_number,
        "customer": {"customerId": "ada", "name": "Ada", "email": "ada@example.com"},
        "product": {
            "id": "00000000-0000-0000-0000-000000000002",
            "identifier": "orbit",
            "name": "Orbit",
            "taxCode": "saas",
        },
        "plan": {
            "identifier": "pro",
            "name": "Pro",
            "description": "For teams",
            "version": 3,
        },
        "status": "COMPLETE",
        "paidAt": "2026-02-01T10:30:15Z",
        "refundedTotalUnits": 0,
        "saleCurrency": "USD",
        "saleCurrencySymbol": "$",
        "billingType": "SUBSCRIPTION",
        "license": [],
        "isTrial": False,
        "isRenewal": True,
        "subscription": {
            "id": str(one.id),
            "status": "active",
            "amount": "29.99",
            "currency": "usd",
            "interval": "month",
            "currencySymbol": "$",
            "nextInvoiceDate": "2026-02-28T10:30:15Z",
        },
        "invoiceId": sold.invoice_number,
        "customFieldsData": {},
        "paymentMethod": CARD,
        "createdOn": "2026-01-31T10:30:15Z",
        "modifiedOn": "2026-02-01T10:30:15Z",
    }


async def test_the_newest_paid_comes_first_and_filters_narrow(happened, reading):
    ada, bob = Buyer(happened), Buyer(happened, "bob")
    one = ada.subscribes()
    late, renewal = one.is_billed(at=JAN_31), one.is_billed(at=JAN_31 + DAY, renewal=True)
    once = bob.subscribes(period=ChargePeriod.ONE_TIME).is_billed(at=JAN_31)
    once.is_paid(at=JAN_31)
    renewal.is_paid(at=JAN_31 + DAY)
    late.is_paid(at=JAN_31 + 2 * DAY)
    gone = bob.subscribes(name="gone").is_billed(at=JAN_31)
    gone.fails(at=JAN_31 + 3 * DAY)
    gone, late, renewal, once = [sold.order_number for sold in (gone, late, renewal, once)]
    async with reading(happened) as client:
        for params, expected in (
            ({}, [gone, late, renewal, once]),
            ({"status": "COMPLETE"}, [late, renewal, once]),
            ({"status": "FAILED,REFUNDED"}, [gone]),
            ({"billing_type": "ONE_TIME"}, [once]),
            ({"is_renewal": "true"}, [renewal]),
            ({"is_renewal": "false", "status": "COMPLETE"}, [late, once]),
            ({"start_date": "2026-02-01"}, [late, renewal]),
            ({"end_date": "2026-02-01"}, [renewal, once]),
            ({"start_date": "2026-01-31", "end_date": "2026-01-31"}, [once]),
            ({"search": "BOB@"}, [gone, once]),
            ({"search": late[4:]}, [late]),
            ({"search": "_"}, []),
        ):
            assert await ids(client, "/orders/", **params) == expected, params
        for params in ({"status": "paid"}, {"billing_type": "MONTHLY"}, {"is_renewal": "perhaps"}):
            answer = await client.get("/orders/", params=params)
            assert (answer.status_code, list(answer.json())) == (400, list(params))


async def test_a_transaction_shows_its_order_as_it_is_now(happened, reading):
    one = Buyer(happened).subscribes()
    sold = one.is_billed(at=JAN_31)
    sold.is_paid(at=JAN_31)
    sold.is_settled(at=JAN_31, fee=160)
    one.ends(at=JAN_31 + DAY)
    async with reading(happened) as client:
        answer = await client.get("/transaction/")
        order = (await client.get(f"/orders/{sold.order_number}/")).json()
    assert b'"amountTotal":29.99,' in answer.content
    assert b'"netPayout":28.39,' in answer.content
    (record,) = answer.json()["results"]
    assert record.pop("order") == order
    assert order["subscription"]["status"] == "canceled"
    assert record == {
        "id": str(sold.transaction),
        "createdOn": "2026-01-31T10:30:15Z",
        "currency": "USD",
        "currencySymbol": "$",
        "amountTotal": 29.99,
        "morFee": 1.6,
        "morFeeBreakdown": [
            {"name": "fixed_fee", "percentage": None, "valueUnits": 40, "currency": "USD"},
            {"name": "base_fee", "percentage": "2.9", "valueUnits": 120, "currency": "USD"},
        ],
        "collectedTax": 0,
        "netPayout": 28.39,
        "status": "success",
        "transactionType": "CHARGE",
        **CARD,
        "availableOn": "2026-02-07",
        "isSettled": True,
    }


async def test_transactions_are_filtered(happened, reading):
    ada = Buyer(happened)
    good, bad, open_ = [ada.subscribes(name=n).is_billed(at=JAN_31) for n in range(3)]
    good.is_paid(at=JAN_31)
    good.transaction_waits(at=JAN_31)
    bad.is_declined(at=JAN_31 + DAY)
    bad.transaction_fails(at=JAN_31 + DAY)
    open_.is_tried(at=JAN_31 + 2 * DAY)
    open_.transaction_waits(at=JAN_31 + 2 * DAY)
    good.is_settled(at=JAN_31 + 9 * DAY)
    good, bad, open_ = [str(sold.transaction) for sold in (good, bad, open_)]
    async with reading(happened) as client:
        for params, expected in (
            ({}, [open_, bad, good]),
            ({"status": "success"}, [good]),
            ({"status": "failure,pending"}, [open_, bad]),
            ({"start_date": "2026-02-01", "end_date": "2026-02-01"}, [bad]),
            ({"search": "orbit"}, [open_, bad, good]),
            ({"search": "pay-"}, [good]),
            ({"search": "CARD", "status": "success"}, [good]),
        ):
            assert await ids(client, "/transaction/", **params) == expected, params
        refused = await client.get("/transaction/", params={"status": "failed"})
        assert (refused.status_code, list(refused.json())) == (400, ["status"])

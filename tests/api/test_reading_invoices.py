"""Invoices over HTTP: every field, what is live in them, and their list."""

from datetime import timedelta

import pytest

from kernel.payment_link import is_genuine, read
from tests.billing_facts import JAN_31, Buyer
from tests.engines import TENANT


pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


async def the_invoice(client, sold):
    answer = await client.get(f"/invoices/{sold.invoice_number}/")
    assert answer.status_code == 200
    return answer.json()


async def test_an_open_invoice_has_every_field(happened, reading):
    one = Buyer(happened).subscribes()
    sold = one.is_billed(at=JAN_31)
    async with reading(happened) as client:
        record = await the_invoice(client, sold)
    link = record.pop("paymentLink")
    claimed = read(link.removeprefix("http://127.0.0.1:8000/pay/"))
    assert claimed.invoice == sold.invoice
    assert is_genuine(claimed, TENANT)
    nobody = dict.fromkeys(("line1", "line2", "city", "state", "postalCode", "country"))
    assert record == {
        "id": sold.invoice_number,
        "customer": {"customerId": "ada", "name": "Ada", "email": "ada@example.com"},
        "product": {"id": "00000000-0000-0000-0000-000000000002", "name": "Orbit"},
        "status": "OPEN",
        "paidAt": None,
        "amountSubtotal": "29.99",
        "amountDiscount": "0.00",
        "amountTax": "0.00",
        "amountTotal": "29.99",
        "amountSubtotalUnits": 2999,
        "amountDiscountUnits": 0,
        "amountTaxUnits": 0,
        "amountTotalUnits": 2999,
        "currency": "USD",
        "currencySymbol": "$",
        "billingAddress": nobody,
        "plan": {"name": "Pro", "identifier": "pro"},
        "billingType": "SUBSCRIPTION",
        "license": [],
        "subscription": {
            "id": str(one.id),
            "status": "active",
            "amount": "29.99",
            "currency": "usd",
            "interval": "month",
            "currencySymbol": "$",
            "nextInvoiceDate": "2026-02-28T10:30:15Z",
        },
        "paymentId": None,
        "createdOn": "2026-01-31T10:30:15Z",
        "modifiedOn": "2026-01-31T10:30:15Z",
        "dueDate": "2026-01-31T10:30:15Z",
        "attemptCount": 0,
        "nextPaymentAttempt": None,
        "failureDetails": None,
        "customFieldsData": {},
        "details": {
            "lines": [
                {
                    "name": "Pro",
                    "description": "Pro, monthly",
                    "quantity": 1,
                    "unitPrice": "29.99",
                    "subTotal": "29.99",
                }
            ],
            "discounts": [],
            "taxes": [],
            "amountDue": "29.99",
            "appliedBalance": "0.00",
            "startingBalance": "0.00",
            "endingBalance": "0.00",
        },
        "paymentMethod": None,
    }


async def test_a_declined_invoice_tells_why_until_it_is_paid(happened, reading):
    one = Buyer(happened).subscribes()
    sold = one.is_billed(at=JAN_31)
    sold.is_declined(at=JAN_31 + DAY)
    one.falls_behind(at=JAN_31 + DAY, sold=sold)
    async with reading(happened) as client:
        failed = await the_invoice(client, sold)
    assert failed["status"] == "PAYMENT_FAILED"
    assert failed["failureDetails"] == {
        "code": "card_declined",
        "message": "Your card was declined.",
        "paymentMethodType": "card",
    }
    assert failed["attemptCount"] == 1
    assert failed["nextPaymentAttempt"] == "2026-02-02T10:30:15Z"
    assert failed["paymentLink"]
    assert failed["subscription"]["status"] == "past_due"
    happened.commands.clear()
    payment_id = sold.is_paid(at=JAN_31 + 2 * DAY)
    one.recovers(at=JAN_31 + 2 * DAY)
    async with reading(happened) as client:
        paid = await the_invoice(client, sold)
    assert (paid["status"], paid["paidAt"]) == ("PAID", "2026-02-02T10:30:15Z")
    assert paid["failureDetails"] is paid["paymentLink"] is paid["nextPaymentAttempt"] is None
    assert (paid["attemptCount"], paid["paymentId"]) == (2, payment_id)
    card = {"paymentMethodType": "card", "paymentMethodName": "visa", "last4": "4242"}
    assert paid["paymentMethod"] == card
    assert paid["subscription"]["status"] == "active"


async def test_nothing_due_is_paid_at_creation_without_a_link(happened, reading):
    sold = Buyer(happened).subscribes().is_billed(at=JAN_31, due=0)
    async with reading(happened) as client:
        record = await the_invoice(client, sold)
    assert (record["status"], record["paidAt"]) == ("PAID", "2026-01-31T10:30:15Z")
    assert record["paymentLink"] is record["dueDate"] is record["paymentId"] is None
    assert record["details"]["amountDue"] == "0.00"
    assert record["details"]["startingBalance"] == "-29.99"
    assert record["details"]["appliedBalance"] == "29.99"
    assert record["details"]["endingBalance"] == "0.00"


async def test_a_copy_is_as_of_the_last_fact_of_the_invoice(happened, reading):
    ada = Buyer(happened)
    one = ada.subscribes()
    before, during = one.is_billed(at=JAN_31), one.is_billed(at=JAN_31 + DAY)
    before.is_paid(at=JAN_31 + DAY)
    ada.renamed("Ada Lovelace", at=JAN_31 + 2 * DAY)
    during.is_paid(at=JAN_31 + 3 * DAY)
    one.ends(at=JAN_31 + 4 * DAY)
    async with reading(happened) as client:
        old, new = [await the_invoice(client, sold) for sold in (before, during)]
    assert (old["customer"]["name"], new["customer"]["name"]) == ("Ada", "Ada Lovelace")
    assert old["subscription"]["status"] == new["subscription"]["status"] == "canceled"
    assert old["subscription"]["nextInvoiceDate"] is None


async def test_the_list_is_newest_first_and_filtered(happened, reading):
    ada, bob = Buyer(happened), Buyer(happened, "bob")
    one, two = ada.subscribes(), ada.subscribes(name="two")
    first, second = one.is_billed(at=JAN_31), two.is_billed(at=JAN_31 + DAY)
    third = bob.subscribes().is_billed(at=JAN_31 + 2 * DAY)

    async with reading(happened) as client:

        async def numbers(**params):
            page = (await client.get("/invoices/", params=params)).json()
            assert page["count"] >= len(page["results"])
            return [row["id"] for row in page["results"]]

        every = [sold.invoice_number for sold in (third, second, first)]
        assert await numbers() == every
        assert await numbers(page_size=1, page=2) == every[1:2]
        assert await numbers(customer_id="ada") == every[1:]
        assert await numbers(customer_id="nobody") == []
        assert await numbers(subscription_id=str(one.id)) == every[2:]
        assert await numbers(subscription_id="x") == []
        for unknown in ("INV-20260131103015-ZZZZZ", "%00", str(first.invoice)):
            answer = await client.get(f"/invoices/{unknown}/")
            assert (answer.status_code, "detail" in answer.json()) == (404, True)

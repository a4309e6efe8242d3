"""Why an invoice is what it is, over HTTP."""

from datetime import timedelta

import pytest
from pydantic import TypeAdapter

from tests.billing_facts import JAN_31, Buyer, usd
from wire.explanation import ExplanationOut


pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


async def explained(client, sold):
    answer = await client.get(f"/invoices/{sold.invoice_number}/explain/")
    assert answer.status_code == 200
    TypeAdapter(ExplanationOut).validate_python(answer.json(), strict=True)
    return answer.json()


async def test_each_line_names_the_fact_that_set_its_price(happened, reading):
    one = Buyer(happened).subscribes()
    sold = one.is_billed(at=JAN_31)
    async with reading(happened) as client:
        found = await explained(client, sold)
    [line] = found["lines"]
    assert line["words"] == "Pro at 29.99 USD: 2999/1 = 2999"
    assert (line["numerator"], line["denominator"], line["units"]) == (2999, 1, 2999)
    [fact] = line["facts"]
    named = (fact["stream"], fact["version"], fact["name"])
    assert named == (str(one.id), 1, "subscription.created.v1")
    assert fact["occurredAt"] == "2026-01-31T10:30:15.123456Z"
    assert fact["position"] < found["facts"][0]["position"]
    assert [fact["name"] for fact in found["facts"]] == ["invoice.created.v1"]


async def test_the_totals_come_step_by_step(happened, reading):
    sold = Buyer(happened).subscribes().is_billed(at=JAN_31, due=0)
    async with reading(happened) as client:
        steps = (await explained(client, sold))["totals"]
    assert [(step["step"], step["units"]) for step in steps] == [
        ("lines", 2999),
        ("total", 2999),
        ("balance", 2999),
        ("due", 0),
    ]
    assert steps[2]["words"].endswith("from start to end: -2999 + 2999 = 0")
    assert steps[3]["words"] == "2999 - 2999 = 0"


async def test_credit_that_came_later_is_in_the_totals(happened, reading):
    sold = Buyer(happened).subscribes().is_billed(at=JAN_31)
    sold.is_lowered(usd(500), at=JAN_31 + DAY)
    async with reading(happened) as client:
        steps = (await explained(client, sold))["totals"]
        record = (await client.get(f"/invoices/{sold.invoice_number}/")).json()
    balance, due = steps[-2:]
    assert (balance["units"], due["words"], due["units"]) == (500, "2999 - 500 = 2499", 2499)
    assert record["details"]["amountDue"] == due["amount"] == "24.99"


async def test_payments_so_far_are_told_in_order(happened, reading):
    sold = Buyer(happened).subscribes().is_billed(at=JAN_31)
    sold.is_declined(at=JAN_31 + DAY)
    sold.is_paid(at=JAN_31 + 2 * DAY)
    async with reading(happened) as client:
        found = await explained(client, sold)
    assert [(a["attempt"], a["status"], a["amount"]) for a in found["payments"]] == [
        (1, "FAILED", "29.99"),
        (2, "PAID", "29.99"),
    ]
    first = found["payments"][0]["words"]
    assert first.startswith("29.99 USD from Visa ending in 4242: Your card was declined.")
    assert len(found["facts"]) > 3


async def test_an_unknown_invoice_is_not_explained(happened, reading):
    Buyer(happened)
    async with reading(happened) as client:
        for unknown in ("INV-20260131103015-ZZZZZ", "nonsense"):
            answer = await client.get(f"/invoices/{unknown}/explain/")
            assert (answer.status_code, answer.json()["code"]) == (404, "invoice_not_found")

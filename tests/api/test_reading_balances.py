"""The balance of a customer: what stands per currency, and how it came about."""

import pytest

from kernel.money import Money
from tests.billing_facts import JAN_31, Buyer, usd


pytestmark = pytest.mark.anyio


async def test_every_change_and_what_stands(happened, reading):
    ada = Buyer(happened)
    Buyer(happened, "bob").balance_moves(usd(1), usd(1))
    sold = ada.subscribes().is_billed(at=JAN_31)
    ada.balance_moves(usd(-1000), usd(-1000))
    ada.balance_moves(usd(250), usd(-750), reason="applied_to_invoice", sold=sold)
    ada.balance_moves(Money(-300, "JPY"), Money(-300, "JPY"))
    async with reading(happened) as client:
        answer = await client.get("/customers/ada/balance/")
        body = answer.json()
        second = await client.get("/customers/ada/balance", params={"page_size": 1, "page": 2})
    assert body["balances"] == [
        {"currency": "JPY", "balance": "-300", "balanceUnits": -300},
        {"currency": "USD", "balance": "-7.50", "balanceUnits": -750},
    ]
    yen, used, given = body["results"]
    assert body["count"] == 3
    assert yen["amount"] == "-300"
    assert {name: used[name] for name in used if name != "id"} == {
        "amount": "2.50",
        "amountUnits": 250,
        "currency": "USD",
        "balance": "-7.50",
        "balanceUnits": -750,
        "reason": "applied_to_invoice",
        "invoiceId": sold.invoice_number,
        "note": None,
        "createdOn": "2026-01-31T10:30:15Z",
    }
    assert (given["invoiceId"], given["note"]) == (None, "A present")
    assert second.json()["results"] == [used]
    assert second.json()["balances"] == body["balances"]


async def test_a_new_customer_has_none_and_an_unknown_one_is_not_found(happened, reading):
    Buyer(happened)
    async with reading(happened) as client:
        empty = (await client.get("/customers/ada/balance/")).json()
        assert (empty["count"], empty["balances"], empty["results"]) == (0, [], [])
        unknown = await client.get("/customers/nobody/balance/")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "customer_not_found")

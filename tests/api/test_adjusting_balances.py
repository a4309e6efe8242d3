"""Balances changed by hand, and what invoices make of them."""

import asyncio

import pytest

from tests.api.test_subscriptions import PRO, VISA, customer, sells
from tests.engines import positions, running


pytestmark = pytest.mark.anyio

GIFT = {"amount": "-15.00", "currencyCode": "usd", "reason": "A present"}
PATH = "/customers/ada/balance/"


async def test_case_82_a_credit_pays_the_next_invoice(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        answer = await client.post(PATH, json=GIFT | {"amount": "-35.00"})
        assert answer.status_code == 201, answer.text
        entry = answer.json()
        assert {key: entry[key] for key in entry if key not in {"id", "createdOn"}} == {
            "amount": "-35.00",
            "amountUnits": -3500,
            "currency": "USD",
            "balance": "-35.00",
            "balanceUnits": -3500,
            "reason": "adjustment",
            "invoiceId": None,
            "note": "A present",
        }
        record = (await client.post("/subscriptions/create/", json=PRO)).json()
        assert record["status"] == "active"
        (invoice,) = (await client.get("/invoices/")).json()["results"]
        assert (invoice["status"], invoice["attemptCount"]) == ("PAID", 0)
        shown = ("startingBalance", "appliedBalance", "amountDue", "endingBalance")
        assert [invoice["details"][key] for key in shown] == ["-35.00", "20.00", "0.00", "-15.00"]
        page = (await client.get(PATH)).json()
        assert [each["balance"] for each in page["results"]] == ["-15.00", "-35.00"]
        assert page["balances"][0]["balanceUnits"] == -1500
        assert (await client.get("/transaction/")).json()["count"] == 0


async def test_a_debit_is_charged_with_the_next_invoice(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        debit = {"amount_units": 250, "currency_code": "USD", "reason": "Overdraft"}
        assert (await client.post(PATH, json=debit)).status_code == 201
        await client.post("/subscriptions/create/", json=PRO)
        (paid,) = (await client.get("/transaction/")).json()["results"]
        assert paid["amountTotal"] == 22.5


async def test_currencies_have_balances_of_their_own(database_url):
    async with running(database_url) as (_, client):
        await customer(client)
        for currency, amount, units in (("JPY", "-300", -300), ("KWD", "-1.5", -1500)):
            body = GIFT | {"currencyCode": currency, "amount": amount, "amountUnits": units}
            entry = (await client.post(PATH, json=body)).json()
            assert entry["balanceUnits"] == units
        balances = (await client.get(PATH)).json()["balances"]
        assert {each["currency"]: each["balance"] for each in balances} == {
            "JPY": "-300",
            "KWD": "-1.500",
        }


async def test_changes_at_the_same_time_all_count(database_url):
    async with running(database_url) as (_, client):
        await customer(client)
        answers = await asyncio.gather(*(client.post(PATH, json=GIFT) for _ in range(6)))
        assert [answer.status_code for answer in answers] == [201] * 6
        balances = {answer.json()["balanceUnits"] for answer in answers}
        assert balances == {-1500 * number for number in range(1, 7)}


async def test_an_idempotency_key_changes_it_once(database_url):
    async with running(database_url) as (_, client):
        await customer(client)
        headers = {"Idempotency-Key": "gift-1"}
        first = await client.post(PATH, json=GIFT, headers=headers)
        second = await client.post(PATH, json=GIFT, headers=headers)
        assert first.content == second.content
        assert (await client.get(PATH)).json()["count"] == 1


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"amount": None}, "amount"),
        ({"amount": "0.00"}, "amount"),
        ({"amount": "1.001"}, "amount"),
        ({"amount": "much"}, "amount"),
        ({"amount": "NaN"}, "amount"),
        ({"amount": "Infinity"}, "amount"),
        ({"amount": 10**18}, "amount"),
        ({"amount": "99999999999999.00"}, "amount"),
        ({"amountUnits": -1499}, "amountUnits"),
        ({"amount": None, "amountUnits": 1.5}, "amountUnits"),
        ({"amount": None, "amountUnits": 10**15}, "amountUnits"),
        ({"currencyCode": "XXX"}, "currencyCode"),
        ({"currencyCode": None}, "currencyCode"),
        ({"currencyCode": "JPY", "amount": "1.5"}, "amount"),
        ({"reason": ""}, "reason"),
        ({"reason": None}, "reason"),
        ({"reason": "a\x00b"}, "reason"),
    ],
)
async def test_bad_input_leaves_the_log_untouched(database_url, changes, where):
    async with running(database_url) as (engine, client):
        await customer(client)
        before = await positions(engine)
        answer = await client.post(PATH, json=GIFT | changes)
        assert (answer.status_code, list(answer.json())) == (400, [where]), answer.text
        assert await positions(engine) == before


async def test_nobody_can_have_more_than_fits(database_url):
    async with running(database_url) as (engine, client):
        await customer(client)
        most = GIFT | {"amount": None, "amountUnits": -(10**15) + 1}
        assert (await client.post(PATH, json=most)).status_code == 201
        before = await positions(engine)
        answer = await client.post(PATH, json=GIFT)
        assert (answer.status_code, answer.json()["code"]) == (400, "balance_out_of_range")
        assert await positions(engine) == before


async def test_an_unknown_or_archived_customer_is_404(database_url):
    async with running(database_url) as (_, client):
        await customer(client)
        assert (await client.delete("/customers/ada/")).status_code == 204
        for name in ("ada", "nobody"):
            answer = await client.post(f"/customers/{name}/balance/", json=GIFT)
            assert (answer.status_code, answer.json()["code"]) == (404, "customer_not_found")

"""Anybody can write a customerId into a public link: what that customer has stays untouched."""

import pytest

from tests.api.test_subscriptions import PRO, customer, sells
from tests.engines import running
from tests.hosted_buyer import HostedBuyer
from tests.pages.test_buying_by_a_link import hidden, link, visitor


pytestmark = pytest.mark.anyio

CARD = "4242 4242 4242 4242"
FREE_AT_FIRST = {
    "discountType": "PERCENTAGE",
    "percentageOff": 100,
    "duration": "ONCE",
    "code": "GIFT",
}


async def stranger(engine, client, query=""):
    """Somebody whose link names ada, who was known before."""
    path = await link(client, f"?customer_id=ada{query}")
    async with visitor(engine) as browser:
        answer = await browser.post(path, data=hidden(await browser.get(path)))
    session_id = answer.headers["location"].removeprefix("/checkout/").strip("/")
    return HostedBuyer(engine, session_id)


async def credit_of(client, units):
    body = {"amountUnits": -units, "currencyCode": "USD", "reason": "sorry"}
    assert (await client.post("/customers/ada/balance/", json=body)).status_code == 201


async def test_a_stranger_neither_sees_nor_spends_the_credit(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client)
        await credit_of(client, 5000)
        buyer = await stranger(engine, client)
        quote = await buyer.quote()
        assert (quote.due.units, quote.credit.units, quote.needs_card) == (2000, 0, True)
        assert (await buyer.pays(CARD)).status == "success"
        balance = (await client.get("/customers/ada/balance/")).json()
        assert [each["balanceUnits"] for each in balance["balances"]] == [-5000]
        (invoice,) = (await client.get("/invoices/?customer_id=ada")).json()["results"]
        assert invoice["details"]["startingBalance"] == "-50.00"
        assert invoice["details"]["appliedBalance"] == "0.00"
        assert invoice["details"]["endingBalance"] == "-50.00"


async def test_a_stranger_starts_nothing_that_the_saved_card_pays_later(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client, CARD)
        assert (await client.post("/discount/", json=FREE_AT_FIRST)).status_code == 201
        buyer = await stranger(engine, client, "&discount_code=GIFT")
        quote = await buyer.quote()
        assert (quote.due.units, quote.needs_card) == (2000, True)
        assert list(quote.problems) == ["discountCode"]
        refused = await client.get("/subscriptions/?customer_id=ada")
        assert refused.json()["count"] == 0


async def test_a_gift_code_still_works_for_who_is_new(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        assert (await client.post("/discount/", json=FREE_AT_FIRST)).status_code == 201
        buyer = await stranger(engine, client, "&discount_code=GIFT")
        await buyer.enters(email="ada@example.com")
        assert (await buyer.quote()).due.units == 0
        assert (await buyer.pays()).status == "success"


async def test_what_the_customer_never_told_does_not_stop_a_stranger(database_url):
    """No detail of a known customer can be entered, so none can be asked for."""
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client)
        rates = {"taxRates": [{"country": "DE", "percent": 19}]}
        assert (await client.patch("/organizations/settings/", json=rates)).status_code == 200
        buyer = await stranger(engine, client)
        await buyer.enters(billing_address=None, email="mallory@example.com")
        assert (await buyer.pays(CARD)).status == "success"
        ada = (await client.get("/customers/ada/")).json()
        assert (ada["email"], ada["billingAddress"]) == (None, None)


async def test_a_stranger_is_not_told_what_the_customer_has(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client, CARD)
        once = {"oneSubscriptionPerProduct": True}
        assert (await client.patch("/organizations/settings/", json=once)).status_code == 200
        assert (await client.post("/subscriptions/create/", json=PRO)).status_code == 201
        path = await link(client, "?customer_id=ada")
        async with visitor(engine) as browser:
            answer = await browser.post(path, data=hidden(await browser.get(path)))
        assert answer.status_code == 400
        assert "This link does not work" in answer.text

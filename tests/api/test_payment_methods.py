"""Saved payment methods over HTTP (wire 15)."""

import re

import pytest

from tests.engines import positions, running


pytestmark = pytest.mark.anyio

VISA = {"number": "4242 4242 4242 4242", "expMonth": 4, "expYear": 2040, "cvc": "123"}


async def customer(client, customer_id="ada", **words):
    await client.post("/customers/", json={"customerId": customer_id, **words})


async def save(client, customer_id="ada", **words):
    body = {"customerId": customer_id, "card": VISA, **words}
    return await client.post("/payment-methods/", json=body)


async def test_a_card_is_saved_without_its_number(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, name="Ada", email="ada@example.com")
        answer = await save(client)
        assert answer.status_code == 201
        method = answer.json()
        assert isinstance(method["id"], int)
        assert method["customer"] == {
            "customerId": "ada",
            "name": "Ada",
            "email": "ada@example.com",
            "billingAddress": None,
        }
        assert method["methodType"] == "card"
        assert method["methodData"] == {
            "brand": "visa",
            "last4": "4242",
            "expMonth": 4,
            "expYear": 2040,
            "funding": "credit",
            "country": "US",
        }
        assert (method["isDefault"], method["status"]) == (True, "succeeded")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", method["createdOn"])
        page = (await client.get("/payment-methods/")).json()
        assert (page["count"], page["results"]) == (1, [method])
        facts = await engine.store.read(0, 100)
        assert "4242424242424242" not in repr(facts)


async def test_another_method_becomes_the_default_when_asked(database_url):
    async with running(database_url) as (_, client):
        await customer(client)
        first = (await save(client)).json()
        second = (await save(client, card=None, token="tok_sepa-debit")).json()
        third = (await save(client, is_default=True)).json()
        assert [first["isDefault"], second["isDefault"], third["isDefault"]] == [True, False, True]
        assert second["methodType"] == "sepa_debit"
        listed = (await client.get("/payment-methods/")).json()["results"]
        assert [method["id"] for method in listed] == [third["id"], second["id"], first["id"]]
        assert [method["isDefault"] for method in listed] == [True, False, False]
        chosen = await client.patch(f"/payment-methods/{second['id']}/", json={"isDefault": True})
        assert (chosen.status_code, chosen.json()["isDefault"]) == (200, True)
        listed = (await client.get("/payment-methods/")).json()["results"]
        assert [method["isDefault"] for method in listed] == [False, True, False]


async def test_a_renewed_card_shows_its_new_expiry(database_url):
    async with running(database_url) as (_, client):
        await customer(client)
        method = (await save(client)).json()
        path = f"/payment-methods/{method['id']}"
        changed = await client.patch(path, json={"card": {"exp_month": 9, "exp_year": 2044}})
        assert changed.json()["methodData"]["expYear"] == 2044
        past = await client.patch(path, json={"card": {"expMonth": 1, "expYear": 2020}})
        assert (past.status_code, list(past.json())) == (400, ["card.expYear"])


async def test_the_removed_default_leaves_its_place_to_the_newest(database_url):
    async with running(database_url) as (_, client):
        await customer(client)
        first, second = (await save(client)).json(), (await save(client)).json()
        path = f"/payment-methods/{first['id']}/"
        assert (await client.delete(path)).status_code == 204
        listed = (await client.get("/payment-methods/")).json()["results"]
        assert [(m["id"], m["isDefault"]) for m in listed] == [(second["id"], True)]
        assert (await client.delete(path)).status_code == 404
        assert (await client.patch(path, json={"isDefault": True})).status_code == 404


async def test_retries_repeat_the_answer_also_after_the_method_is_gone(database_url):
    async with running(database_url) as (engine, client):
        await customer(client)
        client.headers["Idempotency-Key"] = "save"
        saved = await save(client)
        assert (await save(client)).content == saved.content
        path = f"/payment-methods/{saved.json()['id']}/"
        client.headers["Idempotency-Key"] = "remove"
        assert (await client.delete(path)).status_code == 204
        before = await positions(engine)
        assert (await client.delete(path)).status_code == 204
        client.headers["Idempotency-Key"] = "save"
        assert (await save(client)).content == saved.content
        assert await positions(engine) == before


async def test_methods_are_found_by_customer_and_by_email(database_url):
    async with running(database_url) as (_, client):
        await customer(client, "ada", email="Ada@example.com")
        await customer(client, "bob", email="bob@example.com")
        ada, bob = (await save(client, "ada")).json(), (await save(client, "bob")).json()
        for query, found in (
            ({"customer_id": "ada"}, [ada]),
            ({"customer_email": "ada@EXAMPLE.com"}, [ada]),
            ({"customer_id": "bob", "customer_email": "bob@example.com"}, [bob]),
            ({"customer_id": "bob", "customer_email": "ada@example.com"}, []),
            ({"customer_id": "nobody"}, []),
        ):
            page = (await client.get("/payment-methods/", params=query)).json()
            assert (page["results"], page["count"]) == (found, len(found)), query


async def test_pages_are_ten_by_default_and_a_hundred_at_most(database_url):
    async with running(database_url) as (_, client):
        await customer(client)
        for _ in range(11):
            await save(client)
        page = (await client.get("/payment-methods/")).json()
        assert (page["count"], len(page["results"])) == (11, 10)
        assert (await client.get(page["next"])).json()["next"] is None
        every = (await client.get("/payment-methods/", params={"page_size": 10**6})).json()
        assert len(every["results"]) == 11


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"card": {**VISA, "number": "4242 4242 4242 4241"}}, "card.number"),
        ({"card": {**VISA, "number": "4242"}}, "card.number"),
        ({"card": {**VISA, "number": "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢"}}, "card.number"),
        ({"card": {**VISA, "expMonth": 13}}, "card.expMonth"),
        ({"card": {**VISA, "expYear": 2020}}, "card.expYear"),
        ({"card": {**VISA, "expYear": 10**40}}, "card.expYear"),
        ({"card": {**VISA, "cvc": "12345"}}, "card.cvc"),
        ({"card": {"number": VISA["number"]}}, "card.expMonth"),
        ({"card": None}, "card"),
        ({"token": "tok_visa"}, "card"),
        ({"customerId": None}, "customerId"),
    ],
)
async def test_wrong_cards_name_the_field(module_database_url, body, field):
    async with running(module_database_url) as (engine, client):
        await customer(client)
        before = await positions(engine)
        answer = await save(client, **body)
        assert answer.status_code == 400, answer.text
        assert next(iter(answer.json())) == field
        assert await positions(engine) == before


async def test_what_the_simulator_does_not_know_is_refused(module_database_url):
    async with running(module_database_url) as (_, client):
        await customer(client)
        real = await save(client, card={**VISA, "number": "4111 1111 1111 1111"})
        assert (real.status_code, real.json()["code"]) == (400, "payment_method_not_accepted")
        stranger = await save(client, "nobody")
        assert (stranger.status_code, stranger.json()["code"]) == (404, "customer_not_found")


@pytest.mark.parametrize("number", ["0", "-1", "9" * 40])
async def test_unknown_numbers_are_not_found(module_database_url, number):
    async with running(module_database_url) as (_, client):
        assert (await client.delete(f"/payment-methods/{number}/")).status_code == 404


async def test_leaving_the_default_needs_another_one(module_database_url):
    async with running(module_database_url) as (_, client):
        await customer(client)
        method = (await save(client)).json()
        answer = await client.patch(f"/payment-methods/{method['id']}/", json={"isDefault": False})
        assert (answer.status_code, list(answer.json())) == (400, ["isDefault"])

"""Customers over HTTP: both spellings, both slashes, pages, conflicts, retries."""

import asyncio

import pytest

from tests.engines import CLIENT_KEY, positions, running


pytestmark = pytest.mark.anyio

ADA = {
    "customerId": "ada",
    "name": "Ada",
    "email": "ada@example.com",
    "metadata": {"Some_Key": 1},
    "billing_address": {"country": "gb", "postalCode": "N1"},
}


async def test_a_customer_is_created_and_read(database_url):
    async with running(database_url) as (_, client):
        created = await client.post("/customers/", json=ADA)
        assert created.status_code == 201
        body = created.json()
        assert body["customerId"] == "ada"
        assert body["metadata"] == {"Some_Key": 1}
        assert body["billingAddress"]["country"] == "GB"
        assert body["billingAddress"]["postalCode"] == "N1"
        assert int(created.headers["Billstream-Position"]) > 0
        for path in ("/customers/ada/", "/customers/ada"):
            assert (await client.get(path)).content == created.content


async def test_a_customer_id_is_taken_for_ever(database_url):
    async with running(database_url) as (engine, client):
        await client.post("/customers/", json=ADA)
        again = await client.post("/customers/", json=ADA)
        assert again.status_code == 409
        assert again.json()["code"] == "customer_already_exists"
        assert (await client.delete("/customers/ada/")).status_code == 204
        assert (await client.get("/customers/ada/")).status_code == 404
        before = await positions(engine)
        assert (await client.post("/customers/", json=ADA)).status_code == 409
        assert (await client.delete("/customers/ada/")).status_code == 404
        assert await positions(engine) == before


async def test_a_patch_changes_what_it_names(database_url):
    async with running(database_url) as (_, client):
        await client.post("/customers/", json=ADA)
        changed = await client.patch("/customers/ada/", json={"email": None})
        assert changed.status_code == 200
        assert changed.json()["email"] is None
        assert changed.json()["name"] == "Ada"
        assert (await client.get("/customers/ada/")).json() == changed.json()


async def test_ten_writes_in_a_row_are_all_listed(database_url):
    async with running(database_url) as (_, client):
        for n in range(10):
            await client.post("/customers/", json={"customerId": f"c{n}"})
            page = (await client.get("/customers/", params={"page_size": 3})).json()
            assert page["count"] == n + 1
            assert page["results"][0]["customerId"] == f"c{n}"
        last = (await client.get(page["next"])).json()
        assert last["previous"].startswith("https://billing.example/api/v1/customers/?")
        beyond = await client.get("/customers/", params={"page": 5, "page_size": 3})
        assert (beyond.status_code, beyond.json()["detail"]) == (404, "Invalid page.")


async def test_search_finds_parts_of_name_email_and_id(database_url):
    async with running(database_url) as (_, client):
        await client.post("/customers/", json=ADA)
        await client.post("/customers/", json={"customerId": "100%", "name": "Bob"})
        for text, found in (("AD", 1), ("example.com", 1), ("0%", 1), ("%%", 0), ("b", 1)):
            page = (await client.get("/customers/", params={"search": text})).json()
            assert page["count"] == found, text


async def test_racing_creations_make_one_customer(database_url):
    async with running(database_url) as (_, client):
        answers = await asyncio.gather(*(client.post("/customers/", json=ADA) for _ in range(20)))
        assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19


async def test_the_same_key_gives_the_same_bytes_and_one_fact(database_url):
    async with running(database_url) as (engine, client):
        headers = {"Idempotency-Key": "k1"}
        first = await client.post("/customers/", json=ADA, headers=headers)
        before = await positions(engine)
        shuffled = dict(reversed(ADA.items()))
        again = await client.post("/customers/", json=shuffled, headers=headers)
        assert (again.status_code, again.content) == (201, first.content)
        other = await client.post("/customers/", json={"customerId": "b"}, headers=headers)
        assert other.status_code == 422
        assert await positions(engine) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "customerId"),
        ({"customerId": ""}, "customerId"),
        ({"customerId": "a\x00b"}, "customerId"),
        ({"customerId": 5}, "customerId"),
        ({"customerId": "a", "email": "nobody"}, "email"),
        ({"customerId": "a", "metadata": {"a\x00": 1}}, "metadata"),
        ({"customerId": "a", "billingAddress": {"country": "Utopia"}}, "billingAddress.country"),
    ],
)
async def test_bad_bodies_name_the_field(module_database_url, body, field):
    async with running(module_database_url) as (engine, client):
        before = await positions(engine)
        answer = await client.post("/customers/", json=body)
        assert answer.status_code == 400
        assert list(answer.json()) == [field]
        assert await positions(engine) == before


async def test_malformed_json_and_wrong_methods_and_keys(module_database_url):
    async with running(module_database_url) as (_, client):
        broken = await client.post(
            "/customers/", content=b"{", headers={"Content-Type": "application/json"}
        )
        assert broken.status_code == 400
        assert "detail" in broken.json()
        put = await client.put("/customers/", json={})
        assert (put.status_code, put.headers["Allow"]) == (405, "GET, POST")
        get = await client.get("/nowhere/")
        assert get.status_code == 404
        for key, status in (("wrong", 401), (CLIENT_KEY, 403)):
            headers = {"Authorization": f"Bearer {key}"}
            assert (await client.get("/customers/", headers=headers)).status_code == status
        assert (await client.get("/customers/", headers={"Authorization": ""})).status_code == 401


@pytest.mark.parametrize("country", ["XX", "ZZ", "UK"])
async def test_a_country_that_does_not_exist_is_refused(module_database_url, country):
    async with running(module_database_url) as (_, client):
        body = {"customerId": f"in-{country}", "billingAddress": {"country": country}}
        answer = await client.post("/customers/", json=body)
        assert answer.status_code == 400
        assert "country" in answer.text

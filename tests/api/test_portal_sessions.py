"""Tokens for the customer portal over HTTP (spec: Authentication 5, Errors 3, wire 20)."""

import re

import pytest

from aggregates.portal_session.token import read
from tests.engines import CLIENT_KEY, positions, running


pytestmark = pytest.mark.anyio

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
ADA = {"customerId": "ada", "email": "ada@example.com"}
PATH = "/portal/session/"


async def test_a_customer_with_an_email_address_gets_a_token(database_url):
    async with running(database_url) as (_, client):
        await client.post("/customers/", json=ADA)
        tokens = set()
        for body in ({"customerId": "ada"}, {"customer_id": "ada"}):
            answer = await client.post(PATH, json=body)
            assert answer.status_code == 200
            made = answer.json()
            assert made.keys() == {"token", "email", "customerPortalUrl"}
            assert re.fullmatch(f"cpt-{UUID}:{UUID}", made["token"])
            assert made["email"] == "ada@example.com"
            assert made["customerPortalUrl"] == "http://127.0.0.1:8000/portal/default/"
            tokens.add(made["token"])
        assert len(tokens) == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"customerId": ""},
        {"customerId": None},
        {"customerId": 7},
        {"customerId": "nobody"},
        {"customerId": "mute"},
        {"customerId": "gone"},
    ],
)
async def test_anybody_else_gets_none(database_url, body):
    async with running(database_url) as (engine, client):
        await client.post("/customers/", json={"customerId": "mute"})
        await client.post("/customers/", json={**ADA, "customerId": "gone"})
        assert (await client.delete("/customers/gone/")).status_code == 204
        before = await positions(engine)
        answer = await client.post(PATH, json=body)
        assert answer.status_code == 400
        [(field, [text])] = answer.json().items()
        assert field == "customerId"
        assert text
        assert body != {"customerId": ""} or text == "String should have at least 1 character"
        assert await positions(engine) == before


async def test_a_client_key_gets_no_token(database_url):
    async with running(database_url) as (_, client):
        headers = {"Authorization": f"Bearer {CLIENT_KEY}"}
        assert (await client.post(PATH, json=ADA, headers=headers)).status_code == 403


async def test_the_same_request_gets_the_same_token(database_url):
    async with running(database_url) as (engine, client):
        await client.post("/customers/", json=ADA)
        key = {"Idempotency-Key": "portal"}
        first = await client.post(PATH, json={"customerId": "ada"}, headers=key)
        before = await positions(engine)
        again = await client.post(PATH, json={"customerId": "ada"}, headers=key)
        assert (again.status_code, again.content) == (200, first.content)
        assert await positions(engine) == before
        async with engine.store.pool.connection() as db:
            await db.execute(
                "UPDATE idempotency SET created_at = created_at - interval '25 hours',"
                " secret_until = now()"
            )
        later = await client.post(PATH, json={"customerId": "ada"}, headers=key)
        assert later.json() == {**first.json(), "token": None}


async def test_no_token_is_kept(database_url, caplog):
    async with running(database_url) as (engine, client):
        await client.post("/customers/", json=ADA)
        token = (await client.post(PATH, json={"customerId": "ada"})).json()["token"]
        secret = read(token).secret
        async with engine.store.pool.connection() as db:
            found = await db.execute("SELECT string_agg(encode(data, 'escape'), ' ') FROM events")
            text = (await found.fetchone())[0]
        assert str(read(token).session) not in text
        assert "ada@example.com" not in text
        for kept in (text, caplog.text):
            assert secret not in kept

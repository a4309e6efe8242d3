"""API keys over HTTP: shown once, listed without themselves, ended for good (design 12)."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest

from tests.engines import positions, running


pytestmark = pytest.mark.anyio

FUTURE = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")


def speaking_with(engine, key):
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(engine.core_app(engine.keys)),
        base_url="https://billing.example/api/v1",
        headers={"Authorization": f"Bearer {key}"},
    )


async def test_a_key_is_shown_once_and_works_at_once(database_url):
    async with running(database_url) as (engine, client):
        answer = await client.post("/organizations/keys/", json={"kind": "server", "name": "ci"})
        assert answer.status_code == 201
        made = answer.json()
        assert made["key"].startswith("server_sandbox_")
        assert made["key"].endswith(made["hint"])
        async with speaking_with(engine, made["key"]) as other:
            listed = (await other.get("/organizations/keys/")).json()
        assert listed["count"] == 1
        assert listed["results"] == [{k: v for k, v in made.items() if k != "key"}]
        assert made["key"] not in str(listed)


async def test_a_key_is_renamed_expired_and_revoked(database_url):
    async with running(database_url) as (engine, client):
        made = (await client.post("/organizations/keys/", json={"kind": "server"})).json()
        path = f"/organizations/keys/{made['id']}/"
        changed = await client.patch(path, json={"name": "deploy", "expiresAt": FUTURE})
        assert changed.status_code == 200
        assert changed.json()["name"] == "deploy"
        assert changed.json()["expiresAt"] is not None
        endless = await client.patch(path, json={"expires_at": None, "name": None})
        assert (endless.json()["expiresAt"], endless.json()["name"]) == (None, "deploy")
        async with speaking_with(engine, made["key"]) as other:
            assert (await other.get("/customers/")).status_code == 200
            assert (await client.delete(path)).status_code == 204
            refused = await other.get("/customers/")
        assert refused.status_code == 401
        assert refused.headers["WWW-Authenticate"] == "Bearer"
        assert (await client.get("/organizations/keys/")).json()["count"] == 0
        for again in (client.delete(path), client.patch(path, json={"name": "x"})):
            assert (await again).status_code == 404


async def test_a_client_key_opens_no_core_endpoint(database_url):
    async with running(database_url) as (engine, client):
        made = (await client.post("/organizations/keys/", json={"kind": "client"})).json()
        async with speaking_with(engine, made["key"]) as browser:
            for call in (
                browser.get("/customers/"),
                browser.post("/customers/", json={"customerId": "a"}),
                browser.get("/organizations/keys/"),
                browser.post("/organizations/keys/", json={"kind": "server"}),
            ):
                answer = await call
                assert answer.status_code == 403
                assert answer.json()["code"] == "server_key_required"


async def test_a_retry_shows_the_same_key_and_makes_no_other(database_url):
    async with running(database_url) as (engine, client):
        headers = {"Idempotency-Key": "one"}
        body = {"kind": "client"}
        first = await client.post("/organizations/keys/", json=body, headers=headers)
        before = await positions(engine)
        again = await client.post("/organizations/keys/", json=body, headers=headers)
        assert again.content == first.content
        assert await positions(engine) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "kind"),
        ({"kind": "root"}, "kind"),
        ({"kind": "server", "expiresAt": "2020-01-01T00:00:00Z"}, "expiresAt"),
        ({"kind": "server", "expiresAt": "soon"}, "expiresAt"),
        ({"kind": "server", "name": 5}, "name"),
        ({"kind": "server", "name": "x" * 501}, "name"),
    ],
)
async def test_wrong_keys_are_refused(module_database_url, body, field):
    async with running(module_database_url) as (engine, client):
        before = await positions(engine)
        answer = await client.post("/organizations/keys/", json=body)
        assert answer.status_code == 400, answer.text
        assert list(answer.json()) == [field]
        assert await positions(engine) == before

"""Test clocks over HTTP."""

from uuid import UUID, uuid4

import pytest

from kernel.tenant import Environment, Tenant
from tests.engines import CLIENT_KEY, ORGANIZATION, positions, running
from wire.http.caller import Caller, KeyKind


pytestmark = pytest.mark.anyio

JANUARY = {"name": "a year", "frozenTime": "2025-01-31T10:00:00Z"}


async def test_a_clock_is_created_read_and_listed(database_url):
    async with running(database_url) as (_, client):
        created = await client.post("/test-clocks/", json=JANUARY)
        assert created.status_code == 201
        clock = created.json()
        assert clock["name"] == "a year"
        assert clock["frozenTime"] == "2025-01-31T10:00:00.000000Z"
        assert (clock["status"], clock["targetTime"]) == ("ready", None)
        assert (await client.get(f"/test-clocks/{clock['id']}")).json() == clock
        assert (await client.get("/test-clocks/")).json()["results"] == [clock]


async def test_what_is_no_instant_is_refused(database_url):
    async with running(database_url) as (engine, client):
        before = await positions(engine)
        for wrong in ("tomorrow", "1969-12-31T00:00:00Z", "9999-01-01T00:00:00Z", None, [], 1e300):
            answer = await client.post("/test-clocks/", json={"frozenTime": wrong})
            assert answer.status_code == 400, wrong
            assert list(answer.json()) == ["frozenTime"]
        assert await positions(engine) == before


async def test_a_customer_lives_on_a_clock(database_url):
    async with running(database_url) as (_, client):
        clock = (await client.post("/test-clocks/", json=JANUARY)).json()
        body = {"customerId": "ada", "testClockId": clock["id"]}
        customer = (await client.post("/customers/", json=body)).json()
        assert customer["testClockId"] == clock["id"]
        assert customer["createdOn"] == "2025-01-31T10:00:00.000000Z"
        nowhere = {"customerId": "bob", "testClockId": str(uuid4())}
        assert (await client.post("/customers/", json=nowhere)).status_code == 404


async def test_a_client_key_is_refused(database_url):
    async with running(database_url) as (_, client):
        key = {"Authorization": f"Bearer {CLIENT_KEY}"}
        assert (await client.get("/test-clocks/", headers=key)).status_code == 403
        assert (await client.post("/test-clocks/", json=JANUARY, headers=key)).status_code == 403


async def test_production_has_no_test_clocks(database_url, monkeypatch):
    tenant = Tenant(ORGANIZATION, "default", b"organization secret", Environment.PRODUCTION)

    async def authenticate(self, key):
        return Caller(tenant, UUID(int=7), KeyKind.SERVER)

    monkeypatch.setattr("tests.engines.FixedKeys.authenticate", authenticate)
    async with running(database_url) as (engine, client):
        before = await positions(engine)
        assert (await client.post("/test-clocks/", json=JANUARY)).status_code == 404
        assert (await client.get("/test-clocks/")).status_code == 404
        body = {"customerId": "ada", "testClockId": str(uuid4())}
        assert (await client.post("/customers/", json=body)).status_code == 400
        assert await positions(engine) == before

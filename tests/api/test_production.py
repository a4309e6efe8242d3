"""Production over HTTP: no provider until one is connected, no simulator, keys of its own."""

import secrets
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from adapters.database import open_database
from adapters.payments.none import NoProvider
from aggregates.api_key.events import KeyKind
from aggregates.api_key.secret import spell
from app.operations import fresh_key, issue, organization
from app.place import Place
from app.wiring import Engine, prepare
from kernel.tenant import Environment
from tests.catalog_requests import create_plan, create_product, priced
from tests.engines import MASTER_KEY, positions


pytestmark = pytest.mark.anyio

PRODUCTION = Environment.PRODUCTION
FREE = {"prices": [{"priceType": "FREE", "currency": "USD"}]}


@asynccontextmanager
async def production(database_url, **options):
    """An engine with its workers, and a client with a real key of a real organization."""
    open_database(database_url, PRODUCTION)
    prepare(database_url, PRODUCTION)
    place = Place(
        database_url=database_url,
        environment=PRODUCTION,
        master_key=MASTER_KEY,
        files=Path(tempfile.mkdtemp(prefix="bs-files-")),
        **options,
    )
    engine = await Engine.open(place)
    try:
        tenant, _ = await organization(engine, "acme")
        key = fresh_key(KeyKind.SERVER, tenant)
        await issue(engine, tenant, KeyKind.SERVER, key)
        engine.start_workers()
        await engine.positions.wait(await engine.store.head(), 60)
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(engine.core_app(engine.keys)),
            base_url="https://billing.example/api/v1",
            headers={"Authorization": f"Bearer {key}"},
        ) as client:
            yield engine, client
    finally:
        await engine.close()


async def test_what_needs_a_payment_is_428_and_records_nothing(empty_database_url):
    async with production(empty_database_url) as (engine, client):
        assert isinstance(engine.payments, NoProvider)
        await client.post("/customers/", json={"customerId": "ada"})
        await create_plan(client, await create_product(client))
        answer = await client.post("/catalog/plans/pro/prices/bulk/", json=priced())
        assert answer.status_code == 200, answer.text
        before = await positions(engine)
        card = {"number": "4242424242424242", "expMonth": 4, "expYear": 2040}
        for path, body in (
            ("/payment-methods/", {"customerId": "ada", "token": "tok_visa"}),
            ("/payment-methods/", {"customerId": "ada", "card": card}),
            ("/catalog/plans/pro/publish/", {}),
        ):
            answer = await client.post(path, json=body)
            assert answer.status_code == 428, answer.text
            assert answer.json()["code"] == "payment_provider_missing"
        assert await positions(engine) == before


async def test_what_is_free_is_sold_all_the_same(empty_database_url):
    async with production(empty_database_url) as (_, client):
        await client.post("/customers/", json={"customerId": "ada"})
        await create_plan(client, await create_product(client))
        answer = await client.post("/catalog/plans/pro/prices/bulk/", json=FREE)
        assert answer.status_code == 200, answer.text
        assert (await client.post("/catalog/plans/pro/publish/")).status_code == 200
        sale = {"planIdentifier": "pro", "customerId": "ada", "chargePeriod": "ONE_TIME"}
        answer = await client.post("/subscriptions/create/", json=sale)
        assert answer.status_code == 201, answer.text
        assert answer.json()["status"] == "active"


async def test_keys_of_the_sandbox_and_test_clocks_are_refused(empty_database_url):
    async with production(empty_database_url) as (_, client):
        clock = {"name": "c", "frozenTime": "2026-01-31T00:00:00Z"}
        assert 400 <= (await client.post("/test-clocks/", json=clock)).status_code < 500
        sandbox = spell(KeyKind.SERVER, Environment.SANDBOX, secrets.token_bytes(32))
        client.headers["Authorization"] = f"Bearer {sandbox}"
        answer = await client.get("/customers/")
        assert (answer.status_code, answer.json()["code"]) == (401, "api_key_of_other_environment")
        assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_calls_are_limited_as_the_operator_says(empty_database_url):
    async with production(empty_database_url, rate_limit=1) as (_, client):
        calls = [await client.get("/organizations/settings/") for _ in range(4)]
        assert calls[0].status_code == 200
        assert calls[-1].status_code == 429
        assert calls[-1].headers["Retry-After"] == "1"


@pytest.mark.parametrize(
    ("environment", "rate", "limited"),
    [
        (Environment.SANDBOX, None, False),
        (Environment.SANDBOX, 5, True),
        (PRODUCTION, None, True),
        (PRODUCTION, 0, False),
    ],
)
def test_the_sandbox_is_unlimited_by_default_and_production_is_not(environment, rate, limited):
    place = Place(
        database_url="",
        environment=environment,
        master_key=b"",
        files=Path("unused"),
        rate_limit=rate,
    )
    assert (place.rate_limits() is not None) is limited

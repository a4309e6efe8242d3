"""Licenses as clients meet them: a licensed plan, who bought it, and calls with a key."""

from contextlib import asynccontextmanager

import httpx

from tests.api.test_subscriptions import PRO, VISA, customer
from tests.catalog_requests import create_plan, create_product, priced
from tests.engines import CLIENT_KEY, SERVER_KEY, FixedKeys


THREE = {"enabled": True, "activationLimitEnabled": True, "activationLimit": 3}
MONTH = {"hasExpiry": True, "durationUnit": "MONTH", "durationValue": 1}


async def licensed(client, terms=None, *prices, **fields):
    """A published plan called pro that comes with a license."""
    product = await create_product(client)
    await create_plan(client, product, license={**THREE, **(terms or {})}, **fields)
    answer = await client.post("/catalog/plans/pro/prices/bulk/", json=priced(*prices))
    assert answer.status_code == 200, answer.text
    answer = await client.post("/catalog/plans/pro/publish/")
    assert answer.status_code == 200, answer.text


async def buys(client, card=VISA, customer_id="ada", **fields):
    """The subscription that a customer gets of it."""
    await customer(client, card, customer_id)
    body = PRO | {"customerId": customer_id} | fields
    answer = await client.post("/subscriptions/create/", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def owned(client, terms=None, **fields):
    """The license of a customer who just bought it."""
    await licensed(client, terms)
    (license_,) = (await buys(client, **fields))["license"]
    return license_


async def activate(client, license_, name=None, **fields):
    body = {"licenseKey": license_["licenseKey"], **fields}
    if name is not None:
        body["instanceName"] = name
    return await client.post("/license/activate/", json=body)


async def active(client, license_, name=None, **fields):
    answer = await activate(client, license_, name, **fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def deactivate(client, license_, instance_id):
    body = {"licenseKey": license_["licenseKey"], "instanceId": instance_id}
    return await client.post("/license/deactivate/", json=body)


async def validate(client, license_, instance_id=None):
    body = {"licenseKey": license_["licenseKey"]}
    if instance_id is not None:
        body["instanceId"] = instance_id
    return await client.post("/license/validate/", json=body)


async def verdict(client, license_, instance_id=None):
    """Status and code of a validation."""
    answer = await validate(client, license_, instance_id)
    assert answer.json()["valid"] is (answer.json()["code"] == "VALID")
    return answer.status_code, answer.json()["code"]


async def shown(client, license_):
    return (await client.get(f"/licenses/{license_['id']}/")).json()


def _client(app, key):
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="https://billing.example/api/v1",
        headers={"Authorization": f"Bearer {key}"},
    )


@asynccontextmanager
async def browser(engine):
    """A client of the core API with a client key."""
    async with _client(engine.core_app(FixedKeys()), CLIENT_KEY) as client:
        yield client


@asynccontextmanager
async def device(engine, key=CLIENT_KEY):
    """A client of the edge API."""
    async with _client(engine.edge_app(FixedKeys()), key) as client:
        yield client


SERVER = SERVER_KEY

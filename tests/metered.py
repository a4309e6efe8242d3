"""A merchant who sells a METER feature, a customer who uses it, and the edge that tells of it."""

from contextlib import asynccontextmanager

import httpx

from tests.api.test_subscriptions import PRO, VISA
from tests.catalog_requests import create_feature, create_plan, create_product, priced
from tests.engines import CLIENT_KEY, FixedKeys


CALLS = {
    "name": "Calls",
    "featureDetails": {"units": {"singular": "call", "plural": "calls"}},
}


def counting(function="COUNT", field=None, filters=()):
    """A METER feature that counts events."""
    details = CALLS["featureDetails"] | {"featureSubType": "RAW_EVENTS"}
    meter = {"aggregation": {"function": function, "field": field}, "filters": list(filters)}
    return CALLS | {"featureDetails": details, "meter": meter}


async def sells_metered(client, *details, feature=None, plans=("pro",)):
    """Published plans, each of which grants the feature ``calls`` as its ``details`` say."""
    made = await create_feature(client, **(feature or CALLS))
    product = await create_product(client)
    for name, granted in zip(plans, details, strict=True):
        await create_plan(client, product, name=name, identifier=name)
        grants = {"planEntitlements": [{"feature": made["id"], "details": granted}]}
        for path, body in (("prices/bulk", priced()), ("features", grants), ("publish", {})):
            answer = await client.post(f"/catalog/plans/{name}/{path}/", json=body)
            assert answer.status_code in {200, 201}, answer.text


async def joins(client, customer_id="ada", **fields):
    """A customer with a card."""
    body = {"customerId": customer_id, **fields}
    assert (await client.post("/customers/", json=body)).status_code == 201
    card = {"number": VISA, "expMonth": 4, "expYear": 2090, "cvc": "123"}
    body = {"customerId": customer_id, "card": card}
    assert (await client.post("/payment-methods/", json=body)).status_code == 201


async def buys(client, plan="pro", customer_id="ada", **fields):
    """A paid subscription."""
    body = PRO | {"planIdentifier": plan, "customerId": customer_id} | fields
    answer = await client.post("/subscriptions/create/", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["status"] == "active"
    return answer.json()


async def use(client, value, behaviour="DELTA", customer_id="ada", feature="calls"):
    """Report usage."""
    body = {"customerId": customer_id, "featureId": feature, "value": value}
    answer = await client.post("/report/usage/", json=body | {"behaviour": behaviour})
    assert answer.status_code == 200, answer.text
    return answer.json()


@asynccontextmanager
async def edge_of(engine, keys=None, key=CLIENT_KEY):
    """A client of the edge API."""
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(engine.edge_app(keys or FixedKeys())),
        base_url="https://edge.example/api/v1",
        headers={"Authorization": f"Bearer {key}"},
    ) as client:
        yield client


async def left(edge, customer_id="ada", feature="calls"):
    """Used and limit of each item."""
    params = {"customer_id": customer_id, "feature_id": feature}
    found = (await edge.get("/entitlements/", params=params)).json()["entitlements"]
    return [(item["currentUsage"], item["usageLimit"]) for item in found]

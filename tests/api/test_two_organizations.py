"""One organization cannot see, change or name anything of another, whatever the endpoint."""

from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import httpx
import pytest

from aggregates.api_key.events import KeyKind
from app import documents
from app.operations import fresh_key, issue, organization
from tests.catalog_requests import USD_MONTHLY, create_feature, create_product, priced
from tests.engines import ORGANIZATION, positions, running
from tests.webhooks.deliveries import subscribe, until


pytestmark = pytest.mark.anyio

PATHS = {
    path.removeprefix("/api/v1"): methods for path, methods in documents.core()["paths"].items()
}
LATER = "2040-03-01T00:00:00Z"
SALE = {"planIdentifier": "pro", "chargePeriod": "MONTHLY", "customerId": "ada"}
OFFER = {"offerType": "PAUSE", "pauseMonths": 1, "cancellationFeedback": "TOO_EXPENSIVE"}
GRANT = {"details": {"value": 1}}
BODIES = {
    "/catalog/plans/{identifier}/features/": {
        "planEntitlements": [{"feature": str(UUID(int=1)), **GRANT}]
    },
    "/catalog/plans/{identifier}/features/{feature}/": GRANT,
    "/catalog/plans/{identifier}/prices/bulk/": priced(),
    "/customers/{customer_id}/balance/": {
        "currencyCode": "USD",
        "reason": "a gift",
        "amount": "1.00",
    },
    "/discount/{discount_id}/": {"enabled": False},
    "/licenses/{license_id}/": {"enabled": False},
    "/payment-methods/{number}/": {"isDefault": True},
    "/subscriptions/{subscription_id}/pause/": {"pauseMonths": 1},
    "/subscriptions/{subscription_id}/retention/accept/": OFFER,
    "/subscriptions/{subscription_id}/update/": {"planIdentifier": "pro"},
    "/subscriptions/{subscription_id}/update/preview/": {"planIdentifier": "pro"},
    "/subscriptions/{subscription_id}/migrate/": {"updateFeatures": True},
    "/webhook/endpoints/{endpoint_id}/replay/": {"fromPosition": 1},
    "/test-clocks/{test_clock_id}/advance/": {"frozenTime": LATER},
}
"""What a request needs beyond ``{}`` to get as far as looking for what it is about."""

OWN = {"/organizations/keys/": 1}
"""What an organization has from the beginning."""


@asynccontextmanager
async def caller(engine, slug):
    """A client of another organization."""
    tenant, _ = await organization(engine, slug, merchant_of_record=True)
    key = fresh_key(KeyKind.SERVER, tenant)
    await issue(engine, tenant, KeyKind.SERVER, key)
    await engine.positions.wait(await engine.store.head(), 60)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(engine.core_app(engine.keys)),
        base_url="https://billing.example/api/v1",
        headers={"Authorization": f"Bearer {key}"},
    ) as client:
        yield client


async def make(client, path, body, status=201):
    answer = await client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def everything(client):
    """One of each, and their ids by the name of the path parameter."""
    hook = await subscribe(client, "http://127.0.0.1:9/")
    clock = await make(client, "/test-clocks/", {"name": "c", "frozenTime": "2040-01-31T00:00:00Z"})
    await make(client, "/customers/", {"customerId": "ada", "email": "ada@example.com"})
    method = await make(
        client, "/payment-methods/", {"customerId": "ada", "token": "tok_visa", "isDefault": True}
    )
    feature = await create_feature(client)
    product = await create_product(client)
    await make(
        client,
        "/catalog/plans/",
        {"name": "Pro", "product": product["id"], "license": {"enabled": True}},
    )
    await make(client, "/catalog/plans/pro/prices/bulk/", priced(), 200)
    await make(client, "/catalog/plans/pro/publish/", {"updateFeatures": True}, 200)
    sold = await make(client, "/subscriptions/create/", SALE)
    key = {"licenseKey": sold["license"][0]["licenseKey"]}
    instance = await make(client, "/license/activate/", key, 200)
    assert sold["status"] == "active"
    invoice = (await client.get("/invoices/")).json()["results"][0]["id"]
    order = (await client.get("/orders/")).json()["results"][0]["id"]
    refund = await make(client, "/refunds/", {"orderId": order, "amount": "1.00"}, 200)
    off = {"name": "Ten", "discountType": "PERCENTAGE", "percentageOff": 10, "duration": "FOREVER"}
    discount = await make(client, "/discount/", {"code": "TEN", **off})
    table = await make(client, "/monetization/pricing-tables/", {"name": "Table"})
    shown = {"name": "Offering", "pricingTableId": table["id"]}
    offering = await make(client, "/monetization/offerings/", shown)
    promotion = await make(client, "/monetization/promotions/", {"name": "Promotion"})
    session = await make(client, "/checkout/", SALE | {"successUrl": "https://shop.example/"})

    async def log():
        return (await client.get("/webhook/logs/")).json()["results"]

    [attempt, *_] = await until(log)
    return {
        "customer_id": "ada",
        "number": method["id"],
        "product_id": product["id"],
        "identifier": "pro",
        "subscription_id": sold["id"],
        "feature_id": feature["id"],
        "feature": feature["identifier"],
        "key_id": (await make(client, "/organizations/keys/", {"kind": "client"}))["id"],
        "test_clock_id": clock["id"],
        "endpoint_id": hook["id"],
        "invoice_id": invoice,
        "order_id": order,
        "refund_id": refund["id"],
        "license_id": sold["license"][0]["id"],
        "instance_id": instance["instanceId"],
        "license_key": key["licenseKey"],
        "discount_id": discount["id"],
        "table_id": table["id"],
        "offering_id": offering["id"],
        "promotion_id": promotion["id"],
        "session_id": session["checkoutSessionId"],
        "log_id": attempt["id"],
        "file_id": str(uuid4()),
        "image_id": str(uuid4()),
    }


def requests(ids):
    """Every operation of the document that is about one thing, with an id of the other's."""
    for path, methods in PATHS.items():
        if "{" in path:
            for method in methods:
                body = None if method in {"get", "delete"} else BODIES.get(path, {})
                yield method, path, path.format(**ids), body


async def test_what_another_has_does_not_exist(database_url):
    async with running(database_url) as (engine, client):
        ids = await everything(client)
        async with caller(engine, "other") as other:
            before = await positions(engine)
            for method, path, address, body in requests(ids):
                answer = await other.request(method, address, json=body)
                assert answer.status_code == 404, (method, path, answer.status_code, answer.text)
            assert await positions(engine) == before
            for path, methods in PATHS.items():
                listed = "{" not in path and "get" in methods and "settings" not in path
                if listed and not path.startswith("/events/"):
                    await is_empty(other, path)
        for method, path, address, _ in requests(ids):
            if method == "get" and not path.endswith("/download/"):
                assert (await client.get(address)).status_code == 200, path


async def test_the_feed_gives_each_its_own(database_url):
    async with running(database_url) as (engine, client):
        await make(client, "/customers/", {"customerId": "ada"})
        async with caller(engine, "other") as other:
            for query in ({}, {"customer_id": "ada"}, {"types": "customer.*"}):
                found = (await other.get("/events/", params=query)).json()["events"]
                assert not {event["organization"] for event in found} & {str(ORGANIZATION)}
            [created] = (await client.get("/events/?types=customer.created")).json()["events"]
            params = {"stream": created["subject"]}
            assert (await other.get("/events/", params=params)).json()["events"] == []


async def is_empty(other, path):
    filters = {"customer_id": "ada"} if path.startswith("/subscriptions") else {}
    for more in ({}, {"search": "a"}, {"page_size": "1"}):
        found = (await other.get(path, params=filters | more)).json()
        own = OWN.get(path, 0)
        assert (found["count"], len(found["results"])) == (own, own), (path, more)


async def test_bodies_cannot_name_what_another_has(database_url):
    async with running(database_url) as (engine, client):
        ids = await everything(client)
        async with caller(engine, "other") as other:
            await make(other, "/customers/", {"customerId": "eve"})
            product = await create_product(other)
            await make(other, "/catalog/plans/", {"name": "Own", "product": product["id"]})
            before = await positions(engine)
            metered = priced(USD_MONTHLY | {"feature": ids["feature_id"]})
            off = {"discountType": "PERCENTAGE", "percentageOff": 10, "duration": "FOREVER"}
            for path, body in (
                ("/subscriptions/create/", SALE | {"customerId": "eve"}),
                ("/subscriptions/create/", SALE),
                ("/payment-methods/", {"customerId": "ada", "token": "tok_visa"}),
                ("/portal/session/", {"customerId": "ada"}),
                ("/customers/", {"customerId": "mal", "testClockId": ids["test_clock_id"]}),
                ("/catalog/plans/", {"name": "Pro", "product": ids["product_id"]}),
                ("/catalog/plans/own/prices/bulk/", metered),
                (
                    "/catalog/plans/own/features/",
                    {"planEntitlements": [{"feature": ids["feature_id"], **GRANT}]},
                ),
                ("/refunds/", {"orderId": ids["order_id"], "amount": "1.00"}),
                ("/license/activate/", {"licenseKey": ids["license_key"]}),
                (
                    "/license/deactivate/",
                    {"licenseKey": ids["license_key"], "instanceId": ids["instance_id"]},
                ),
                ("/license/validate/", {"licenseKey": ids["license_key"]}),
                ("/discount/", {"name": "T", **off, "appliesTo": [{"product": ids["product_id"]}]}),
                ("/monetization/offerings/", {"name": "O", "pricingTableId": ids["table_id"]}),
                ("/monetization/pricing-tables/", {"name": "T", "plans": [{"identifier": "pro"}]}),
                ("/monetization/promotions/", {"name": "P", "products": [ids["product_id"]]}),
            ):
                answer = await other.post(path, json=body)
                assert answer.status_code in {400, 404}, (path, answer.text)
            assert await positions(engine) == before


async def test_the_same_words_mean_something_else_in_each(database_url):
    async with running(database_url) as (engine, client):
        mine = await everything(client)
        async with caller(engine, "other") as other:
            theirs = await everything(other)
            words = {"customer_id", "identifier", "feature"}
            assert {name for name in mine if mine[name] == theirs[name]} == words
            key = {"Idempotency-Key": "same"}
            made = [
                (await each.post("/customers/", json={"customerId": "bob"}, headers=key)).json()
                for each in (client, other)
            ]
            assert made[0]["id"] != made[1]["id"]
            await other.delete("/customers/bob/")
            assert (await client.get("/customers/bob/")).json()["id"] == made[0]["id"]

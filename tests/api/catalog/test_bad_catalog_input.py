"""Whatever is wrong with a catalog request is a clear 4xx, and the log stays as it was."""

import json

import pytest

from tests.catalog_requests import (
    PRODUCT,
    SEATS,
    USD_MONTHLY,
    create_feature,
    create_plan,
    create_product,
    plan_on_sale,
    priced,
)
from tests.engines import CLIENT_KEY, positions, running


pytestmark = pytest.mark.anyio

NOBODY = "00000000-0000-4000-8000-00000000dead"
METER = {"name": "Calls", "featureType": "METER"}
UNITS = SEATS["featureDetails"]


def amount(value, period="MONTHLY", **fields):
    return {"charges": [{"chargePeriod": period, "priceData": {"amount": value}, **fields}]}


def seats(seats_id, **fields):
    return {"feature": seats_id, **USD_MONTHLY, **fields}


BAD_PRODUCTS = [
    ({}, "name"),
    ({"name": "Orbit"}, "taxCode"),
    (PRODUCT | {"taxCode": "potatoes"}, "taxCode"),
    (PRODUCT | {"name": ""}, "name"),
    (PRODUCT | {"name": 7}, "name"),
    (PRODUCT | {"name": "x" * 256}, "name"),
    (PRODUCT | {"name": "a\x00b"}, "name"),
    (PRODUCT | {"name": "\ud800"}, "name"),
    (PRODUCT | {"identifier": "Not A Slug"}, "identifier"),
    (PRODUCT | {"identifier": "-a"}, "identifier"),
    (PRODUCT | {"identifier": "a\n"}, "identifier"),
    ([], ""),
]
BAD_SETTINGS = [
    ({"currency": "XXQ"}, "ISO 4217"),
    ({"currency": "DOLLAR"}, "currency"),
    ({"vpn": None}, "vpn"),
    ({"productUrl": "javascript:alert(1)"}, "productUrl"),
    ({"productUrl": "https://"}, "productUrl"),
]
BAD_FEATURES = [
    ({"name": "x"}, "featureType"),
    ({"name": "x", "featureType": "FLAG"}, "featureType"),
    (METER, "featureDetails"),
    (METER | {"featureDetails": {"units": {"singular": "call"}}}, "plural"),
    (METER | {"featureDetails": UNITS | {"featureSubType": "RAW_EVENTS"}}, "meter"),
    (SEATS | {"metadata": {"a": "\x00"}}, "metadata"),
    (SEATS | {"metadata": {"a": "\ud800"}}, "metadata"),
    (SEATS | {"metadata": {"a": 2**70}}, "metadata"),
    (SEATS | {"metadata": []}, "metadata"),
]
BAD_PLANS = [
    ({"name": "Pro"}, "product"),
    ({"name": "Pro", "product": "orbit"}, "product"),
    ({"name": "Pro", "product": NOBODY}, "product"),
    ({"links": [{"name": "x", "url": "ftp://x.example"}]}, "url"),
    ({"links": [{"url": "https://x.example"}]}, "name"),
    ({"license": {"enabled": True, "activationLimitEnabled": True}}, "activationLimit"),
    ({"license": {"activationLimit": 0}}, "activationLimit"),
    ({"license": {"hasExpiry": True, "durationUnit": "MONTH"}}, "duration"),
    ({"license": {"hasExpiry": True, "durationUnit": "WEEK", "durationValue": 1}}, "duration"),
    ({"ordering": 2**40}, "ordering"),
]
BAD_PRICES = [
    ({}, "prices"),
    ({"prices": "cheap"}, "prices"),
    (priced(currency="XXQ"), "ISO 4217"),
    (priced(currency=None), "currency"),
    (priced(priceType="CHEAP"), "priceType"),
    (priced(trialPeriod=0), "trialPeriod"),
    (priced(trialPeriod=366), "trialPeriod"),
    (priced(taxBehavior="MAYBE"), "taxBehavior"),
    (priced(amount(-1)), "out of range"),
    (priced(amount("abc")), "amount"),
    (priced(amount(True)), "amount"),
    (priced(amount("1e999999")), "out of range"),
    (priced(amount("NaN")), "amount"),
    (priced(amount("19.999")), "whole minor units"),
    (priced(amount(10**20)), "out of range"),
    (priced(amount(9.99), currency="JPY"), "whole minor units"),
    (priced(amount(9, "FORTNIGHTLY")), "chargePeriod"),
    (priced({"charges": [{"chargePeriod": "MONTHLY"}]}), "amount is required"),
    (priced({"charges": []}), "at least one charge"),
    (priced(USD_MONTHLY, USD_MONTHLY), "more than once"),
    ({"prices": [*priced()["prices"], *priced()["prices"]]}, "more than one price"),
    (priced(seats(NOBODY)), "no feature"),
    (priced(seats("seats")), "feature"),
]
BAD_DETAILS = [
    ({"value": "many"}, "value"),
    ({"value": 1.5}, "value"),
    ({"value": -1}, "value"),
    ({"value": 10**15}, "value"),
    ({"value": True}, "whole number"),
    ({"reset": "NOW"}, "reset"),
    ({"rollover": {"percentage": 101}}, "percentage"),
    ({"usageAlerts": {"thresholds": [101]}}, "threshold"),
    ({"note": "\x00"}, ""),
    ({"note": 2**70}, ""),
]


async def refused(client, method, path, body, match, status=400):
    """What is wrong about the answer, if anything."""
    content = None if body is None else json.dumps(body)
    headers = {"Content-Type": "application/json"}
    answer = await client.request(method, f"/catalog/{path}/", content=content, headers=headers)
    if answer.status_code == status and match in answer.text:
        return []
    return [f"{method} {path} {body!r:.120}: {answer.status_code} {answer.text[:200]}"]


async def test_bad_bodies_are_refused_and_leave_no_trace(database_url):
    async with running(database_url) as (engine, client):
        product = await create_product(client)
        feature = await create_feature(client)
        await create_plan(client, product)
        before = await positions(engine)
        wrong = []
        for body, match in BAD_PRODUCTS:
            wrong += await refused(client, "POST", "products", body, match)
        for body, match in BAD_SETTINGS:
            wrong += await refused(
                client, "PATCH", f"products/{product['id']}/settings", body, match
            )
        for body, match in BAD_FEATURES:
            wrong += await refused(client, "POST", "features", body, match)
        for fields, match in BAD_PLANS:
            body = fields if "name" in fields else {"name": "x", "product": product["id"]} | fields
            wrong += await refused(client, "POST", "plans", body, match)
        for body, match in BAD_PRICES:
            wrong += await refused(client, "POST", "plans/pro/prices/bulk", body, match)
        for details, match in BAD_DETAILS:
            body = {"planEntitlements": [{"feature": feature["id"], "details": details}]}
            wrong += await refused(client, "POST", "plans/pro/features", body, match)
        assert not wrong, "\n".join(wrong)
        assert await positions(engine) == before


async def test_what_is_not_there_is_not_found(database_url):
    async with running(database_url) as (engine, client):
        product = await create_product(client)
        await create_plan(client, product)
        before = await positions(engine)
        wrong = []
        for path in (
            f"products/{NOBODY}", f"products/{NOBODY}/settings", f"features/{NOBODY}",
            f"features/{product['id']}", "plans/nope", "plans/pro%00", "plans/nope/prices",
            "plans/nope/features",
        ):  # fmt: skip
            wrong += await refused(client, "GET", path, None, "", status=404)
        for method, path, body in (
            ("PATCH", f"products/{NOBODY}", {"name": "x"}),
            ("PATCH", f"products/{NOBODY}/settings", {"vpn": True}),
            ("DELETE", f"products/{NOBODY}", None),
            ("PATCH", f"features/{NOBODY}", {"name": "x"}),
            ("DELETE", f"features/{NOBODY}", None),
            ("DELETE", f"features/{product['id']}", None),
            ("PATCH", "plans/nope", {"name": "x"}),
            ("DELETE", "plans/nope", None),
            ("DELETE", "plans/nope/discard", None),
            ("POST", "plans/nope/publish", None),
            ("POST", "plans/nope/prices/bulk", priced()),
            ("POST", "plans/nope/features", {"planEntitlements": [{"feature": NOBODY}]}),
            ("PATCH", "plans/pro/features/nope", {"details": {"value": 1}}),
            ("DELETE", "plans/pro/features/nope", None),
        ):
            wrong += await refused(client, method, path, body, "", status=404)
        assert not wrong, "\n".join(wrong)
        missing = await client.get("/catalog/plans/pro/", params={"version": 2})
        assert missing.status_code == 404
        for version in ("0", "x", str(2**40)):
            answer = await client.get("/catalog/plans/pro/", params={"version": version})
            assert (answer.status_code, list(answer.json())) == (400, ["version"])
        assert await positions(engine) == before


async def test_what_cannot_be_done_now_says_why(database_url):
    async with running(database_url) as (engine, client):
        await plan_on_sale(client)
        await client.post("/catalog/features/", json=SEATS)
        draft = await create_plan(
            client, (await client.get("/catalog/products/")).json()["results"][0], name="Draft"
        )
        before = await positions(engine)
        wrong = []
        for method, path, body, status, match in (
            ("POST", "products", PRODUCT | {"identifier": "orbit"}, 409, "product_exists"),
            ("POST", "features", SEATS | {"identifier": "seats"}, 409, "feature_exists"),
            (
                "POST",
                "plans",
                {"name": "x", "identifier": "pro", "product": draft["product"]},
                409,
                "plan_exists",
            ),
            ("POST", "plans/pro/publish", None, 400, "plan_already_published"),
            ("POST", "plans/draft/publish", None, 400, "plan_has_no_price"),
            ("DELETE", "plans/pro/discard", None, 400, "plan_has_no_draft"),
            ("DELETE", "plans/draft/discard", None, 400, "plan_never_published"),
            ("PATCH", "plans/pro", {"identifier": "other"}, 400, "fixed"),
            ("PATCH", "plans/pro", {"product": NOBODY}, 400, "fixed"),
            ("PATCH", "plans/pro", {"name": None}, 400, "name"),
        ):
            wrong += await refused(client, method, path, body, match, status=status)
        assert not wrong, "\n".join(wrong)
        assert await positions(engine) == before


async def test_nothing_is_archived_twice(database_url):
    async with running(database_url) as (engine, client):
        await plan_on_sale(client)
        feature = await create_feature(client)
        product = (await client.get("/catalog/products/")).json()["results"][0]
        for path in ("plans/pro", f"features/{feature['id']}", f"products/{product['id']}"):
            assert (await client.delete(f"/catalog/{path}/")).status_code == 204
            before = await positions(engine)
            again = await client.delete(f"/catalog/{path}/")
            assert (again.status_code, list(again.json())) == (400, ["detail", "code"])
            assert await positions(engine) == before
            assert (await client.get(f"/catalog/{path}/")).json()["isArchived"] is True


async def test_a_client_key_does_not_open_the_catalog(database_url):
    async with running(database_url) as (_, client):
        client.headers["Authorization"] = f"Bearer {CLIENT_KEY}"
        assert (await client.get("/catalog/plans/")).status_code == 403
        assert (await client.post("/catalog/products/", json=PRODUCT)).status_code == 403

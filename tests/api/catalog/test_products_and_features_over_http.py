"""Products and features over HTTP: every field, both spellings, lists, settings."""

import pytest

from tests.catalog_requests import PRODUCT, SEATS, create_feature, create_plan, create_product
from tests.engines import running


pytestmark = pytest.mark.anyio


async def test_a_product_has_every_field(database_url):
    async with running(database_url) as (_, client):
        body = {"name": "Orbit", "description": "Planets", "tax_code": "ebook"}
        created = await client.post("/catalog/products/", json=body)
        assert created.status_code == 201
        shown = created.json()
        assert shown.pop("createdOn") == shown.pop("modifiedOn")
        assert shown == {
            "id": shown["id"],
            "identifier": "orbit",
            "name": "Orbit",
            "description": "Planets",
            "taxCode": "ebook",
            "createdBy": "default",
            "isArchived": False,
            "images": [],
            "plans": [],
        }
        for path in (f"/catalog/products/{shown['id']}/", f"/catalog/products/{shown['id']}"):
            assert (await client.get(path)).content == created.content


async def test_a_product_changes_what_is_named_and_keeps_its_identifier(database_url):
    async with running(database_url) as (_, client):
        product = await create_product(client, description="Planets")
        path = f"/catalog/products/{product['id']}/"
        changed = (await client.patch(path, json={"name": "Orbit 2"})).json()
        assert (changed["name"], changed["description"]) == ("Orbit 2", "Planets")
        assert changed["identifier"] == "orbit"
        assert changed["modifiedOn"] > product["modifiedOn"]
        refused = await client.patch(path, json={"identifier": "other"})
        assert (refused.status_code, list(refused.json())) == (400, ["identifier"])


async def test_settings_are_there_from_the_first_read(database_url):
    async with running(database_url) as (_, client):
        product = await create_product(client)
        path = f"/catalog/products/{product['id']}/settings/"
        first = {"vpn": False, "tor": False, "proxy": False, "currency": None, "productUrl": None}
        assert (await client.get(path)).json() == first
        changes = {"currency": "eur", "tor": True, "product_url": "https://orbit.example"}
        changed = await client.patch(path, json=changes)
        after = first | {
            "currency": "EUR",
            "tor": True,
            "productUrl": "https://orbit.example",
        }
        assert (changed.status_code, changed.json()) == (200, after)
        assert (await client.patch(path, json={"currency": None})).json()["currency"] is None


async def test_lists_leave_archived_products_out_and_find_by_any_word(database_url):
    async with running(database_url) as (_, client):
        for name in ("Orbit", "Comet", "50% off_", "Gone"):
            await create_product(client, name=name, description=f"About {name}")
        gone = (await client.get("/catalog/products/?search=gone")).json()["results"][0]
        await client.delete(f"/catalog/products/{gone['id']}/")
        listed = (await client.get("/catalog/products/")).json()
        assert [row["name"] for row in listed["results"]] == ["50% off_", "Comet", "Orbit"]
        assert (listed["count"], listed["next"], listed["previous"]) == (3, None, None)
        for search, found in (("COMET", ["Comet"]), ("about", 3), ("%", ["50% off_"]), ("gone", 0)):
            rows = (await client.get("/catalog/products/", params={"search": search})).json()
            names = [row["name"] for row in rows["results"]]
            assert found in (names, rows["count"])


async def test_pages_are_absolute_capped_and_end(database_url):
    async with running(database_url) as (_, client):
        for _ in range(3):
            await create_feature(client)
        first = (await client.get("/catalog/features/?page_size=2&search=seats")).json()
        assert first["count"] == 3
        assert len(first["results"]) == 2
        assert first["next"].startswith("https://billing.example/api/v1/catalog/features/?")
        second = (await client.get(first["next"])).json()
        assert [row["identifier"] for row in second["results"]] == ["seats"]
        assert (await client.get("/catalog/features/?page=3&page_size=2")).status_code == 404
        assert (await client.get("/catalog/features/?page_size=0")).status_code == 400
        assert (await client.get("/catalog/features/?page_size=5000")).status_code == 200


async def test_a_meter_has_every_field(database_url):
    async with running(database_url) as (_, client):
        meter = {"aggregation": {"function": "SUM", "field": "bytes"}, "filters": [{"a": 1}]}
        body = {
            "name": "Traffic",
            "feature_type": "METER",
            "description": "Out",
            "metadata": {"Keep_Me": 1},
            "feature_details": {
                "feature_sub_type": "RAW_EVENTS",
                "units": {"singular": "byte", "plural": "bytes"},
                "customerUnit": {"name": "GB", "factor": 10**9},
            },
            "meter": meter,
        }
        created = await client.post("/catalog/features/", json=body)
        shown = created.json()
        shown.pop("modifiedOn")
        assert shown == {
            "id": shown["id"],
            "identifier": "traffic",
            "name": "Traffic",
            "description": "Out",
            "featureType": "METER",
            "featureDetails": {
                "featureSubType": "RAW_EVENTS",
                "units": {"singular": "byte", "plural": "bytes"},
                "customerUnit": {"name": "GB", "factor": 10**9},
            },
            "meter": meter,
            "details": {},
            "metadata": {"Keep_Me": 1},
            "isArchived": False,
        }
        assert (await client.get(f"/catalog/features/{shown['id']}/")).content == created.content


async def test_a_feature_changes_its_words_also_where_plans_show_it(database_url):
    async with running(database_url) as (_, client):
        product = await create_product(client)
        seats = await create_feature(client)
        await create_plan(client, product)
        granted = {"plan_entitlements": [{"feature": seats["id"], "details": {"value": 3}}]}
        assert (await client.post("/catalog/plans/pro/features/", json=granted)).status_code == 201
        path = f"/catalog/features/{seats['id']}/"
        changed = await client.patch(path, json={"name": "Members", "metadata": {"a": 1}})
        assert (changed.status_code, changed.json()["name"]) == (200, "Members")
        assert changed.json()["featureType"] == SEATS["featureType"]
        (shown,) = (await client.get("/catalog/plans/pro/features/")).json()["results"]
        assert shown["feature"] == changed.json()


async def test_the_same_request_with_the_same_key_makes_one_product(database_url):
    async with running(database_url) as (_, client):
        headers = {"Idempotency-Key": "make orbit"}
        first = await client.post("/catalog/products/", json=PRODUCT, headers=headers)
        again = await client.post("/catalog/products/", json=PRODUCT, headers=headers)
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.content == again.content
        assert (await client.get("/catalog/products/")).json()["count"] == 1

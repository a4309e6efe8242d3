"""A merchant builds a price list over HTTP, from the first product to the second version."""

import pytest

from tests.catalog_requests import (
    SEATS,
    USD_MONTHLY,
    create_feature,
    create_plan,
    create_product,
    priced,
)
from tests.engines import running


pytestmark = pytest.mark.anyio


async def test_from_nothing_to_a_second_version(database_url):
    async with running(database_url) as (_, client):
        product = await create_product(client)
        seats = await create_feature(client, **SEATS)
        sso = await create_feature(client, identifier="sso", featureType="BOOLEAN")
        plan = await create_plan(client, product)
        assert (plan["identifier"], plan["version"], plan["isLatest"]) == ("pro", 1, False)

        prices = priced(
            USD_MONTHLY,
            {"feature": seats["id"], "charges": [
                {"chargePeriod": "MONTHLY", "priceData": {"amount": 12}}]},
        )  # fmt: skip
        answer = await client.post("/catalog/plans/pro/prices/bulk/", json=prices)
        assert answer.status_code == 200, answer.text
        granted = {"planEntitlements": [
            {"feature": sso["id"], "details": {"value": True}},
            {"feature": seats["id"], "details": {"value": 5, "color": "red"}},
        ]}  # fmt: skip
        answer = await client.post("/catalog/plans/pro/features/", json=granted)
        assert (answer.status_code, answer.json()["version"]) == (201, 1)

        answer = await client.post("/catalog/plans/pro/publish/")
        assert (answer.status_code, answer.json()) == (200, {"status": "published"})
        assert (await client.get("/catalog/plans/pro/")).json()["isLatest"] is True
        shown = (await client.get(f"/catalog/products/{product['id']}/")).json()
        assert shown["plans"] == ["pro"]

        answer = await client.patch("/catalog/plans/pro/", json={"name": "Professional"})
        draft = answer.json()
        assert (draft["version"], draft["isLatest"], draft["name"]) == (2, False, "Professional")
        first = (await client.get("/catalog/plans/pro/", params={"version": 1})).json()
        assert (first["name"], first["isLatest"]) == ("Pro", True)

        answer = await client.delete("/catalog/plans/pro/features/sso/")
        assert answer.status_code == 200
        assert list(answer.json()) == ["message"]
        now = (await client.get("/catalog/plans/pro/features/")).json()
        assert [row["feature"]["identifier"] for row in now["results"]] == ["seats"]
        assert now["results"][0]["details"]["color"] == "red"
        then = (await client.get("/catalog/plans/pro/features/?version=1")).json()
        assert then["count"] == 2

        assert (await client.post("/catalog/plans/pro/publish/", json={})).status_code == 200
        listed = (await client.get("/catalog/plans/")).json()
        assert [(row["version"], row["isLatest"]) for row in listed["results"]] == [(2, True)]
        first = (await client.get("/catalog/plans/pro/", params={"version": 1})).json()
        assert first["isLatest"] is False

"""Plans over HTTP: every field, prices of every model, drafts, lists."""

import pytest

from tests.catalog_requests import (
    USD_MONTHLY,
    create_feature,
    create_plan,
    create_product,
    plan_on_sale,
    priced,
)
from tests.engines import running


pytestmark = pytest.mark.anyio

TIERS = [
    {"upTo": 1000, "unitAmount": 0.1, "flatAmount": 0},
    {"upTo": "inf", "unitAmount": 0.007, "flatAmount": 5},
]


async def set_prices(client, body, plan="pro"):
    answer = await client.post(f"/catalog/plans/{plan}/prices/bulk/", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["prices"]


async def test_a_plan_has_every_field(database_url):
    async with running(database_url) as (_, client):
        product = await create_product(client)
        license_terms = {
            "enabled": True,
            "activationLimitEnabled": True,
            "activationLimit": 3,
            "hasExpiry": True,
            "durationUnit": "YEAR",
            "durationValue": 1,
        }
        words = {
            "name": "Über Pro",
            "description": "All of it",
            "isVisible": False,
            "ordering": 4,
            "metadata": {"Keep_Me": [1]},
            "links": [{"name": "Docs", "url": "https://orbit.example/docs"}],
            "license": license_terms,
        }
        plan = await create_plan(client, product, **words)
        assert plan.pop("createdOn") == plan.pop("modifiedOn")
        assert plan == {
            **words,
            "id": plan["id"],
            "identifier": "uber-pro",
            "product": product["id"],
            "version": 1,
            "isLatest": False,
            "isImported": False,
            "isArchived": False,
            "details": {},
            "countries": [],
            "basePlan": None,
            "files": [],
        }


async def test_a_patch_keeps_what_it_does_not_name(database_url):
    async with running(database_url) as (_, client):
        links = [{"name": "Docs", "url": "https://orbit.example/docs"}]
        await create_plan(client, await create_product(client), links=links, ordering=4)
        changed = await client.patch("/catalog/plans/pro/", json={"is_visible": False})
        assert (changed.json()["links"], changed.json()["ordering"]) == (links, 4)
        assert changed.json()["isVisible"] is False
        cleared = await client.patch("/catalog/plans/pro/", json={"links": None, "ordering": None})
        assert (cleared.json()["links"], cleared.json()["ordering"]) == ([], None)


async def test_a_patch_that_changes_nothing_makes_no_draft(database_url):
    async with running(database_url) as (_, client):
        await plan_on_sale(client)
        same = await client.patch("/catalog/plans/pro/", json={"name": "Pro"})
        assert (same.status_code, same.json()["version"]) == (200, 1)


async def test_prices_of_every_model_come_back_as_they_were_set(database_url):
    async with running(database_url) as (_, client):
        await create_plan(client, await create_product(client))
        rows = [USD_MONTHLY]
        models = {
            "FLAT": {"priceData": {"amount": 9.99}, "advanced": {"min_quantity": 2,
                                                                 "max_quantity": 10}},
            "PACKAGE": {"priceData": {"amount": 6.5, "block_size": 1000}},
            "TIERED": {"priceData": {"currency": "USD"}, "tiers": TIERS},
            "VOLUME": {"priceData": {"currency": "USD"}, "tiers": TIERS},
            "STAIRSTEP": {"priceData": {"currency": "USD"}, "tiers": TIERS},
        }  # fmt: skip
        for model, charge in models.items():
            feature = await create_feature(client, name=model)
            charges = [{"chargePeriod": "MONTHLY", **charge}]
            rows.append({"feature": feature["id"], "priceModel": model, "charges": charges})
        (price,) = await set_prices(client, priced(*rows, freeTrial=True, trialPeriod=14))
        assert (price["priceType"], price["currency"]) == ("PAID", "USD")
        assert (price["freeTrial"], price["trialPeriod"], price["enabled"]) == (True, 14, True)
        assert price["taxBehavior"] == "EXCLUSIVE"
        shown = price["chargeCatalogPrice"]
        assert shown[0]["feature"] is None
        assert shown[0]["charges"][0]["priceData"] == {"amount": 20}
        for row, (model, charge) in zip(shown[1:], models.items(), strict=True):
            assert row["priceModel"] == model
            (kept,) = row["charges"]
            assert {key: kept[key] for key in charge} == charge
        listed = (await client.get("/catalog/plans/pro/prices/")).json()
        assert (listed["count"], listed["results"]) == (1, [price])


async def test_one_price_per_currency_replaces_all_that_were_there(database_url):
    async with running(database_url) as (_, client):
        await create_plan(client, await create_product(client))
        await set_prices(client, priced())
        yen = {"charges": [{"charge_period": "QUARTERLY", "price_data": {"amount": 1050}}]}
        euro = {"charges": [{"chargePeriod": "YEARLY", "priceData": {"amount": "99.90"}}]}
        both = {
            "prices": [
                *priced(euro, currency="eur")["prices"],
                {"price_type": "PAID", "currency": "JPY", "charge_catalog_price": [yen]},
            ]
        }
        prices = await set_prices(client, both)
        assert [price["currency"] for price in prices] == ["EUR", "JPY"]
        charges = [price["chargeCatalogPrice"][0]["charges"][0] for price in prices]
        assert [charge["chargePeriod"] for charge in charges] == ["YEARLY", "THREE_MONTHS"]
        assert [charge["priceData"] for charge in charges] == [{"amount": 99.9}, {"amount": 1050}]


async def test_refused_prices_leave_the_old_ones(database_url):
    async with running(database_url) as (_, client):
        await create_plan(client, await create_product(client))
        before = await set_prices(client, priced())
        bad = {"prices": [*priced(currency="EUR")["prices"], *priced(trialPeriod=400)["prices"]]}
        answer = await client.post("/catalog/plans/pro/prices/bulk/", json=bad)
        assert answer.status_code == 400
        assert (await client.get("/catalog/plans/pro/prices/")).json()["results"] == before


async def test_a_free_plan_has_one_charge_of_nothing(database_url):
    async with running(database_url) as (_, client):
        await create_plan(client, await create_product(client))
        body = {"prices": [{"priceType": "FREE", "currency": "USD"}]}
        (price,) = await set_prices(client, body)
        (row,) = price["chargeCatalogPrice"]
        (charge,) = row["charges"]
        assert (charge["chargePeriod"], charge["priceData"]) == ("ONE_TIME", {"amount": 0})
        assert (await client.post("/catalog/plans/pro/publish/")).status_code == 200


async def test_the_default_currency_of_the_product_must_be_priced(database_url):
    async with running(database_url) as (_, client):
        product = await create_product(client)
        await create_plan(client, product)
        await set_prices(client, priced())
        settings = f"/catalog/products/{product['id']}/settings/"
        await client.patch(settings, json={"currency": "EUR"})
        refused = await client.post("/catalog/plans/pro/publish/")
        assert (refused.status_code, refused.json()["code"]) == (400, "currency_not_covered")
        await set_prices(client, priced(currency="EUR", enabled=False))
        (shown,) = (await client.get("/catalog/plans/pro/prices/")).json()["results"]
        assert shown["enabled"] is True
        assert (await client.post("/catalog/plans/pro/publish/")).status_code == 200


async def test_a_discarded_draft_is_gone_and_the_published_version_is_back(database_url):
    async with running(database_url) as (_, client):
        await plan_on_sale(client)
        published = (await client.get("/catalog/plans/pro/")).content
        assert (await client.patch("/catalog/plans/pro/", json={"name": "X"})).status_code == 200
        assert (await client.get("/catalog/plans/pro/?version=2")).json()["name"] == "X"
        discarded = await client.delete("/catalog/plans/pro/discard/")
        assert (discarded.status_code, discarded.content) == (204, b"")
        assert (await client.get("/catalog/plans/pro/?version=2")).status_code == 404
        assert (await client.get("/catalog/plans/pro/")).content == published
        again = await client.delete("/catalog/plans/pro/discard/")
        assert (again.status_code, again.json()["code"]) == (400, "plan_has_no_draft")


async def test_every_version_is_listed_newest_first(database_url):
    async with running(database_url) as (_, client):
        await plan_on_sale(client)
        for name in ("Second", "Third"):
            await client.patch("/catalog/plans/pro/", json={"name": name})
            await client.post("/catalog/plans/pro/publish/")
        await client.patch("/catalog/plans/pro/", json={"name": "Draft"})
        listed = (await client.get("/catalog/plans/pro/versions/?page_size=3")).json()
        assert (listed["count"], listed["next"] is None) == (4, False)
        shown = [(row["version"], row["name"], row["isLatest"]) for row in listed["results"]]
        assert shown == [(4, "Draft", False), (3, "Third", True), (2, "Second", False)]
        assert (await client.get("/catalog/plans/nope/versions/")).status_code == 404


async def test_one_entitlement_is_changed_and_removed_by_its_slug(database_url):
    async with running(database_url) as (_, client):
        plan = await plan_on_sale(client)
        seats = await create_feature(client)
        granted = {"planEntitlements": [
            {"feature": seats["id"], "details": {"value": 5, "hardLimit": True, "x_y": 1}},
        ]}  # fmt: skip
        added = await client.post("/catalog/plans/pro/features/", json=granted)
        assert (added.status_code, added.json()["version"]) == (201, 2)
        assert added.json()["id"] == plan["id"]
        path = "/catalog/plans/pro/features/seats/"
        changed = await client.patch(path, json={"details": {"reset": "EVERY_MONTH"}})
        assert (changed.status_code, list(changed.json())) == (200, ["details"])
        details = changed.json()["details"]
        assert (details["value"], details["hardLimit"], details["x_y"]) == (5, True, 1)
        assert details["reset"] == "EVERY_MONTH"
        unlimited = await client.patch(path, json={"details": {"hasUnlimitedUsage": True}})
        assert unlimited.json()["details"]["value"] is None
        await client.post("/catalog/plans/pro/publish/")
        removed = await client.delete(path)
        assert (removed.status_code, list(removed.json())) == (200, ["message"])
        assert (await client.get("/catalog/plans/pro/")).json()["version"] == 3
        now = (await client.get("/catalog/plans/pro/features/")).json()
        assert (now["count"], now["results"]) == (0, [])
        assert (await client.get("/catalog/plans/pro/features/?version=2")).json()["count"] == 1
        assert (await client.delete(path)).status_code == 404


async def test_lists_leave_out_archived_plans_and_plans_of_archived_products(database_url):
    async with running(database_url) as (_, client):
        product, other = await create_product(client), await create_product(client)
        await create_plan(client, product, name="Pro", description="For teams")
        await create_plan(client, product, name="Old")
        await create_plan(client, other, name="Lost")
        assert (await client.delete("/catalog/plans/old/")).status_code == 204
        assert (await client.delete(f"/catalog/products/{other['id']}/")).status_code == 204
        listed = (await client.get("/catalog/plans/")).json()
        assert (listed["count"], [row["name"] for row in listed["results"]]) == (1, ["Pro"])
        for search, count in (("TEAMS", 1), ("old", 0)):
            found = await client.get("/catalog/plans/", params={"search": search})
            assert found.json()["count"] == count
        assert (await client.get("/catalog/plans/old/")).json()["isArchived"] is True


async def test_a_product_shows_its_published_plans(database_url):
    async with running(database_url) as (_, client):
        plan = await plan_on_sale(client)
        path = f"/catalog/products/{plan['product']}/"
        await create_plan(client, {"id": plan["product"]}, name="Draft")
        assert (await client.get(path)).json()["plans"] == ["pro"]
        await client.delete("/catalog/plans/pro/")
        assert (await client.get(path)).json()["plans"] == []


async def test_what_is_sold_stays_while_a_draft_is_made(database_url):
    async with running(database_url) as (_, client):
        await plan_on_sale(client)
        dearer = {"charges": [{"chargePeriod": "MONTHLY", "priceData": {"amount": 25}}]}
        await set_prices(client, priced(dearer))
        sold = (await client.get("/catalog/plans/pro/prices/?version=1")).json()["results"]
        draft = (await client.get("/catalog/plans/pro/prices/")).json()["results"]
        amounts = [
            price["chargeCatalogPrice"][0]["charges"][0]["priceData"]["amount"]
            for price in (*sold, *draft)
        ]
        assert amounts == [20, 25]

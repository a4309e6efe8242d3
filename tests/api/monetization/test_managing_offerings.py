"""Offerings, pricing tables and promotions over HTTP: made, changed, archived, refused."""

import pytest

from tests.catalog_requests import create_feature, create_product, plan_on_sale
from tests.engines import positions, running


pytestmark = pytest.mark.anyio

RULE = {
    "conditions": [{"type": "PURCHASING_POWER_GROUP", "values": ["LOWER_MIDDLE_INCOME"]}],
    "adjustment": "DECREASE",
    "percentage": 40,
}
TABLE = {
    "name": "Standard prices",
    "plans": [
        {
            "identifier": "pro",
            "shouldHighlight": True,
            "displayName": "Professional",
            "includes": "All of Free, and:",
            "features": [{"identifier": "seats", "displayName": "People"}],
        }
    ],
    "billingPeriods": [{"chargePeriod": "MONTHLY", "displayName": "Monthly"}],
    "style": {"priceColor": "#0F766E", "primary_color": "#123"},
    "typography": {"priceFontSize": 48},
    "layout": {"gap": 16, "align": "start", "tierSelectionType": "tabs"},
    "pricingOptions": {"showDecimal": False, "minimumDecimalDigits": 2},
}
PROMOTION = {
    "name": "Parity",
    "groups": [{"group": "LOWER_MIDDLE_INCOME", "percentage": 30, "code": "PARITY30"}],
    "countries": [{"country": "br", "percentage": 50}],
    "widgets": [{"countryMessage": "Hello {country}", "placement": "bottom"}],
}
PARITY30 = {
    "code": "PARITY30",
    "discountType": "PERCENTAGE",
    "percentageOff": 30,
    "duration": "FOREVER",
}


async def make(client, path, body):
    answer = await client.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def catalog(client):
    await create_feature(client)
    await plan_on_sale(client)
    await make(client, "/discount/", PARITY30)


async def test_an_offering_is_shown_as_made_and_changed(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        table = await make(client, "/monetization/pricing-tables/", TABLE)
        body = {"name": "World", "pricing_table_id": table["id"], "targetingRule": RULE}
        made = await make(client, "/monetization/offerings/", body)
        rule = made["targetingRule"]
        assert made == {
            "id": made["id"],
            "name": "World",
            "description": "",
            "pricingTableId": table["id"],
            "targetingRule": {"id": rule["id"], **RULE},
            "status": "active",
            "createdOn": made["createdOn"],
            "modifiedOn": made["modifiedOn"],
        }
        path = f"/monetization/offerings/{made['id']}/"
        assert (await client.get(path)).json() == made
        changes = {"targetingRule": {"adjustment": "DECREASE", "percentage": 50}, "status": "draft"}
        changed = (await client.patch(path, json=changes)).json()
        assert changed["targetingRule"] == {"id": rule["id"], **RULE, "percentage": 50}
        assert (changed["status"], changed["name"]) == ("draft", "World")
        other = RULE | {"conditions": [{"type": "COUNTRY", "values": ["IN"]}]}
        refused = await client.patch(path, json={"targetingRule": other})
        assert (refused.status_code, refused.json()["code"]) == (400, "conditions_are_fixed")
        cleared = await client.patch(path, json={"targetingRule": None, "pricingTableId": None})
        assert cleared.json()["targetingRule"] is None
        assert cleared.json()["pricingTableId"] is None
        without = await client.patch(path, json={"targetingRule": changes["targetingRule"]})
        assert without.status_code == 400
        assert "targetingRule" in without.json()


async def test_a_pricing_table_is_shown_as_made_and_changed(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        made = await make(client, "/monetization/pricing-tables/", TABLE)
        assert made["identifier"] == "standard-prices"
        (plan,) = made["plans"]
        assert plan["displayName"] == "Professional"
        assert plan["features"][0] == {
            "identifier": "seats",
            "enabled": True,
            "displayName": "People",
            "displayDescription": "",
            "displayTooltipDescription": False,
        }
        assert (made["style"]["priceColor"], made["style"]["primaryColor"]) == ("#0F766E", "#123")
        assert made["style"]["titleColor"] == "#111827"
        assert (made["typography"]["priceFontSize"], made["layout"]["align"]) == (48, "start")
        assert made["pricingOptions"]["showDecimal"] is False
        path = f"/monetization/pricing-tables/{made['id']}/"
        changed = (await client.patch(path, json={"layout": {"gap": 8}, "plans": []})).json()
        assert (changed["layout"]["gap"], changed["layout"]["align"]) == (8, "center")
        assert changed["plans"] == []
        assert changed["style"] == made["style"]
        taken = await client.post(
            "/monetization/pricing-tables/", json=TABLE | {"identifier": "standard-prices"}
        )
        assert (taken.status_code, taken.json()["code"]) == (409, "pricing_table_exists")
        second = await make(client, "/monetization/pricing-tables/", TABLE)
        assert second["identifier"] == "standard-prices-2"


async def test_a_promotion_is_shown_as_made_and_changed(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        product = await create_product(client, name="Comet")
        body = PROMOTION | {"products": [product["id"]], "plans": ["pro"]}
        made = await make(client, "/monetization/promotions/", body)
        assert made["products"] == [{"id": product["id"], "identifier": "comet"}]
        assert made["plans"][0]["identifier"] == "pro"
        assert made["groups"] == PROMOTION["groups"]
        assert made["countries"] == [{"country": "BR", "percentage": 50, "code": ""}]
        assert made["security"] == dict.fromkeys(
            ("vpn", "tor", "proxy", "relay", "crawler", "billingCountry"), True
        )
        assert made["widgets"][0]["placement"] == "bottom"
        path = f"/monetization/promotions/{made['id']}/"
        changes = {"security": {"vpn": False}, "products": [], "name": "Fair"}
        changed = (await client.patch(path, json=changes)).json()
        assert (changed["name"], changed["products"]) == ("Fair", [])
        assert (changed["security"]["vpn"], changed["security"]["tor"]) == (False, True)
        assert changed["plans"] == made["plans"]


@pytest.mark.parametrize("kind", ["offerings", "pricing-tables", "promotions"])
async def test_archived_once_and_once_per_key(database_url, kind):
    async with running(database_url) as (engine, client):
        await catalog(client)
        body = {"offerings": {"name": "W"}, "pricing-tables": TABLE, "promotions": PROMOTION}[kind]
        key = {"Idempotency-Key": "one"}
        first, again = [
            await client.post(f"/monetization/{kind}/", json=body, headers=key) for _ in range(2)
        ]
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.json() == again.json()
        page = (await client.get(f"/monetization/{kind}/")).json()
        assert page["results"] == [first.json()]
        path = f"/monetization/{kind}/{first.json()['id']}/"
        before = await positions(engine)
        assert (await client.patch(path, json={"name": body["name"]})).status_code == 200
        assert await positions(engine) == before
        assert (await client.delete(path)).status_code == 204
        assert (await client.delete(path)).status_code == 400
        assert (await client.patch(path, json={"name": "x"})).status_code == 400
        assert (await client.get(f"/monetization/{kind}/")).json()["count"] == 0
        archived = (await client.get(f"/monetization/{kind}/?status=archived")).json()
        assert [row["status"] for row in archived["results"]] == ["archived"]
        assert (await client.get(f"/monetization/{kind}/?status=gone")).status_code == 400
        assert (await client.get(path)).json()["status"] == "archived"
        assert (await client.get(f"/monetization/{kind}/none/")).status_code == 404


async def test_an_archived_table_is_shown_by_no_other_offering(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        table = await make(client, "/monetization/pricing-tables/", TABLE)
        body = {"name": "World", "pricingTableId": table["id"]}
        await make(client, "/monetization/offerings/", body)
        await client.delete(f"/monetization/pricing-tables/{table['id']}/")
        refused = await client.post("/monetization/offerings/", json=body)
        assert refused.status_code == 400
        assert "pricingTableId" in refused.json()


NOBODY = "00000000-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    ("kind", "changes", "where"),
    [
        ("offerings", {"name": ""}, "name"),
        ("offerings", {"name": None}, "name"),
        ("offerings", {"pricingTableId": "x"}, "pricingTableId"),
        ("offerings", {"pricingTableId": NOBODY}, "pricingTableId"),
        ("offerings", {"status": "archived"}, "status"),
        ("offerings", {"targetingRule": RULE | {"percentage": 0}}, "targetingRule.percentage"),
        ("offerings", {"targetingRule": RULE | {"percentage": 100}}, "targetingRule"),
        ("offerings", {"targetingRule": RULE | {"percentage": 1.5}}, "targetingRule.percentage"),
        ("offerings", {"targetingRule": RULE | {"adjustment": "GIFT"}}, "targetingRule.adjustment"),
        ("offerings", {"targetingRule": RULE | {"conditions": []}}, "targetingRule"),
        ("offerings", {"targetingRule": RULE | {"conditions": [{"type": "COUNTRY"}]}}, None),
        (
            "offerings",
            {"targetingRule": RULE | {"conditions": [{"type": "COUNTRY", "values": ["DEU"]}]}},
            None,
        ),
        ("pricing-tables", {"name": ""}, "name"),
        ("pricing-tables", {"identifier": "Two Words"}, "identifier"),
        ("pricing-tables", {"plans": [{"identifier": "none"}]}, "plans"),
        ("pricing-tables", {"plans": TABLE["plans"] * 2}, "plans"),
        (
            "pricing-tables",
            {"plans": [{"identifier": "pro", "features": [{"identifier": "none"}]}]},
            "plans",
        ),
        (
            "pricing-tables",
            {"style": {"priceColor": "red; background: url(x)"}},
            "style.priceColor",
        ),
        ("pricing-tables", {"typography": {"priceFontSize": 4}}, "typography.priceFontSize"),
        ("pricing-tables", {"layout": {"align": "left"}}, "layout.align"),
        ("pricing-tables", {"layout": {"minWidth": 900, "maxWidth": 800}}, "layout"),
        ("pricing-tables", {"pricingOptions": {"minimumDecimalDigits": 3}}, "pricingOptions"),
        ("pricing-tables", {"billingPeriods": [{"chargePeriod": "HOURLY"}]}, None),
        ("pricing-tables", {"billingPeriods": TABLE["billingPeriods"] * 2}, "billingPeriods"),
        ("promotions", {"groups": [{"group": "RICH", "percentage": 10}]}, None),
        ("promotions", {"groups": PROMOTION["groups"] * 2}, "groups"),
        ("promotions", {"countries": [{"country": "DE", "percentage": 101}]}, None),
        (
            "promotions",
            {"countries": [{"country": "DE", "percentage": 30, "code": "NONE"}]},
            "countries",
        ),
        (
            "promotions",
            {"countries": [{"country": "DE", "percentage": 20, "code": "PARITY30"}]},
            "countries",
        ),
        ("promotions", {"products": ["none"]}, "products"),
        ("promotions", {"plans": ["none"]}, "plans"),
        ("promotions", {"widgets": [{"fontSize": "large"}]}, None),
    ],
)
async def test_bad_input_leaves_the_log_untouched(database_url, kind, changes, where):
    bodies = {"offerings": {"name": "W"}, "pricing-tables": TABLE, "promotions": PROMOTION}
    async with running(database_url) as (engine, client):
        await catalog(client)
        before = await positions(engine)
        answer = await client.post(f"/monetization/{kind}/", json=bodies[kind] | changes)
        assert answer.status_code == 400, answer.text
        if where:
            assert where in answer.json()
        assert await positions(engine) == before

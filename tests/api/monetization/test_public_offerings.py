"""What pricing pages get: every field, by country, currency and customer."""

import pytest
from pydantic import TypeAdapter

from tests.api.monetization.showing import RULE, catalog, make, offering
from tests.api.test_subscriptions import VISA, customer
from tests.engines import running
from wire.monetization.documented import PlanOut, ProductOfferingOut, PublicOfferingOut


pytestmark = pytest.mark.anyio

TOP = """id name description pricingTable plans countryCode pricingLocale currencyCode
    currencySymbol baseCurrencyCode baseCurrencySymbol subscription isCustomerExists
    billingPeriods"""
PRODUCT_TOP = """organizationId countryCode pricingLocale currencyCode currencySymbol
    baseCurrencyCode baseCurrencySymbol currencyConversionRate plans subscription
    isCustomerExists billingPeriods"""
PLAN = """name description identifier details isVisible metadata basePlan price originalPrice
    features shouldHighlight enabled displayName displayDescription includes"""
PRICE = "id priceType freeTrial trialPeriod currency enabled charges"
CHARGE = "id chargePeriod tiers priceData details advanced featureQuantityPrice"
FEATURE = """id identifier name description details isArchived metadata modifiedOn meter
    featureDetails featureType enabled displayName displayDescription displayTooltipDescription
    hardLimit reset resetTime charges value hasUnlimitedUsage"""
PERIOD = "chargePeriod displayName enabled promoCaption defaultSelected"
TABLE = """name description identifier style typography layout template
    descriptionTooltipEnabled pricingOptions"""
INDIA, GERMANY, JAPAN = "49.36.0.1", "2a00:1450:4001::1", "133.242.0.1"


def keys(text):
    return set(text.split())


async def shown(client, made, **query):
    answer = await client.get(f"/monetization/public-offering/{made['id']}/", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def amounts(plan):
    return {c["chargePeriod"]: c["priceData"]["amount"] for c in plan["price"]["charges"]}


async def test_every_field_is_there(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        body = await shown(client, await offering(client))
        assert set(body) == keys(TOP)
        assert set(body["pricingTable"]) == keys(TABLE)
        pro, free, enterprise = body["plans"]
        for plan in body["plans"]:
            assert set(plan) == keys(PLAN)
            assert set(plan["price"]) == keys(PRICE)
            assert all(set(charge) == keys(CHARGE) for charge in plan["price"]["charges"])
            assert all(set(feature) == keys(FEATURE) for feature in plan["features"])
        assert [set(period) for period in body["billingPeriods"]] == [keys(PERIOD)] * 2
        assert (pro["displayName"], pro["displayDescription"]) == ("Professional", "For teams")
        assert (pro["shouldHighlight"], free["displayDescription"]) == (True, "For one")
        assert (enterprise["enabled"], enterprise["price"]["priceType"]) == (False, "CUSTOM")
        assert amounts(free) == {"ONE_TIME": 0}
        assert amounts(pro) == {"MONTHLY": 20, "YEARLY": 200}
        assert [c["featureQuantityPrice"] for c in pro["price"]["charges"]] == [5, 50]
        assert (pro["price"]["freeTrial"], pro["price"]["trialPeriod"]) == (True, 14)
        seats, sso = pro["features"]
        assert (seats["value"], seats["displayName"]) == (1, "Seats")
        assert [c["priceData"] for c in seats["charges"]] == [{"amount": 5}, {"amount": 50}]
        assert (sso["value"], sso["charges"]) == (True, [])
        yearly, monthly = body["billingPeriods"]
        assert yearly["defaultSelected"] is True
        assert (yearly["displayName"], monthly["displayName"]) == ("Yearly", "Per month")
        assert body["subscription"] == {"hasPreviousSubscription": False}
        assert body["isCustomerExists"] is False


async def test_prices_follow_the_country_and_come_from_the_catalog(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        made = await offering(client)
        nowhere = await shown(client, made)
        place = ("countryCode", "pricingLocale", "currencyCode", "currencySymbol")
        assert [nowhere[key] for key in place] == ["", "en-US", "USD", "$"]
        germany = await shown(client, made, ip_address=GERMANY)
        assert [germany[key] for key in place] == ["DE", "de-DE", "EUR", "€"]
        assert amounts(germany["plans"][0]) == {"MONTHLY": 19, "YEARLY": 190}
        assert (germany["baseCurrencyCode"], germany["baseCurrencySymbol"]) == ("USD", "$")
        assert germany["plans"][0]["originalPrice"] == {}
        japan = await shown(client, made, ip_address=JAPAN)
        assert [japan[key] for key in place] == ["JP", "ja-JP", "USD", "$"]
        india = await shown(client, made, ip_address=INDIA)
        assert [india[key] for key in place] == ["IN", "hi-IN", "USD", "$"]
        pro = india["plans"][0]
        assert amounts(pro) == {"MONTHLY": 12, "YEARLY": 120}
        assert pro["originalPrice"] == {"MONTHLY": 20, "YEARLY": 200}
        assert [c["featureQuantityPrice"] for c in pro["price"]["charges"]] == [3, 30]
        assert pro["features"][0]["charges"][0]["priceData"] == {"amount": 3}
        assert amounts(india["plans"][1]) == {"ONE_TIME": 0}
        again = await shown(client, made, ip_address=INDIA, country_code="de")
        assert (again["countryCode"], again["currencyCode"]) == ("DE", "EUR")


async def test_a_table_may_leave_the_currency_alone(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        made = await offering(client, pricingOptions={"localization": False})
        body = await shown(client, made, country_code="DE")
        assert (body["currencyCode"], body["countryCode"]) == ("USD", "DE")


async def test_a_customer_sees_the_own_plan_and_country(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        made = await offering(client)
        await customer(client, VISA)
        await client.patch("/customers/ada/", json={"billingAddress": {"country": "DE"}})
        nothing = {"planIdentifier", "subscriptionId", "chargePeriod"}
        body = await shown(client, made, customer_id="ada", ip_address=INDIA)
        assert (body["isCustomerExists"], body["countryCode"]) == (True, "DE")
        assert {key: body["subscription"][key] for key in nothing} == dict.fromkeys(nothing)
        sale = {"planIdentifier": "pro", "chargePeriod": "MONTHLY", "customerId": "ada"}
        sold = await make(client, "/subscriptions/create/", sale)
        body = await shown(client, made, customer_id="ada")
        current = body["subscription"]
        assert (current["planIdentifier"], current["chargePeriod"]) == ("pro", "MONTHLY")
        assert current["subscriptionId"] == sold["id"]
        assert current["hasPreviousSubscription"] is False
        assert [f["identifier"] for f in current["features"]] == ["seats", "single-sign-on"]
        await client.post(
            f"/subscriptions/{sold['id']}/cancel/", json={"cancellationType": "IMMEDIATE"}
        )
        body = await shown(client, made, customer_id="ada")
        assert body["subscription"]["planIdentifier"] is None
        assert body["subscription"]["hasPreviousSubscription"] is True
        again = await make(client, "/subscriptions/create/", sale)
        once = {"planIdentifier": "free", "chargePeriod": "ONE_TIME", "customerId": "ada"}
        await make(client, "/subscriptions/create/", once)
        body = await shown(client, made, customer_id="ada")
        assert body["subscription"]["subscriptionId"] == again["id"]
        stranger = await shown(client, made, customer_id="nobody")
        assert stranger["isCustomerExists"] is False
        assert stranger["subscription"] == {"hasPreviousSubscription": False}


async def test_drafts_archived_and_unknown_offerings_are_not_there(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        made = await offering(client)
        path = f"/monetization/offerings/{made['id']}/"
        public = f"/monetization/public-offering/{made['id']}/"
        await client.patch(path, json={"status": "draft"})
        draft = await client.get(public)
        await client.patch(path, json={"status": "active"})
        assert (await client.get(public)).status_code == 200
        await client.delete(path)
        nobody = "00000000-0000-4000-8000-000000000001"
        for answer in (
            draft,
            await client.get(public),
            await client.get(f"/monetization/public-offering/{nobody}/"),
            await client.get("/monetization/public-offering/none/"),
            await client.get(f"/monetization/product-offering/{nobody}/"),
        ):
            assert answer.status_code == 404
            assert set(answer.json()) == {"status", "message"}
            assert answer.json()["status"] == "not_found"


async def test_without_a_table_all_visible_plans_are_shown(database_url):
    async with running(database_url) as (_, client):
        await catalog(client)
        made = await make(
            client, "/monetization/offerings/", {"name": "All", "targetingRule": RULE}
        )
        body = await shown(client, made, country_code="IN")
        assert [plan["identifier"] for plan in body["plans"]] == ["free", "pro"]
        assert body["pricingTable"] is None
        assert [row["chargePeriod"] for row in body["billingPeriods"]] == ["MONTHLY", "YEARLY"]
        assert body["billingPeriods"][0]["defaultSelected"] is True
        assert amounts(body["plans"][1]) == {"MONTHLY": 12, "YEARLY": 120}


async def test_plans_that_are_not_on_sale_are_left_out(database_url):
    async with running(database_url) as (_, client):
        known = await catalog(client)
        made = await offering(client)
        await client.delete("/catalog/plans/free/")
        body = await shown(client, made)
        assert [plan["identifier"] for plan in body["plans"]] == ["pro", "enterprise"]
        await client.delete(f"/catalog/products/{known['product']['id']}/")
        assert (await shown(client, made))["plans"] == []


async def test_a_product_offering_has_every_field_and_its_filters(database_url):
    async with running(database_url) as (_, client):
        known = await catalog(client)
        path = f"/monetization/product-offering/{known['product']['id']}/"
        body = (await client.get(path)).json()
        assert set(body) == keys(PRODUCT_TOP)
        assert [plan["identifier"] for plan in body["plans"]] == ["free", "pro", "enterprise"]
        assert all(set(plan) == keys(PLAN) for plan in body["plans"])
        assert body["currencyConversionRate"] == 1
        assert type(body["organizationId"]) is int
        query = {"plans_enabled": "pro, none", "billing_periods_enabled": "yearly"}
        body = (await client.get(path, params=query | {"ip_address": GERMANY})).json()
        (pro,) = body["plans"]
        assert amounts(pro) == {"YEARLY": 190}
        assert [c["chargePeriod"] for c in pro["features"][0]["charges"]] == ["YEARLY"]
        assert [row["chargePeriod"] for row in body["billingPeriods"]] == ["YEARLY"]
        for wrong in ({"billing_periods_enabled": "HOURLY"}, {"ip_address": "1.2.3"}):
            assert (await client.get(path, params=wrong)).status_code == 400


async def test_bodies_have_the_shapes_that_openapi_says(database_url):
    async with running(database_url) as (_, client):
        known = await catalog(client)
        body = await shown(client, await offering(client), country_code="IN")
        TypeAdapter(PublicOfferingOut).validate_python(body, strict=True)
        path = f"/monetization/product-offering/{known['product']['id']}/"
        TypeAdapter(ProductOfferingOut).validate_python((await client.get(path)).json())
        assert body["plans"][0].keys() == PlanOut.__annotations__.keys()
        assert body.keys() == PublicOfferingOut.__annotations__.keys()

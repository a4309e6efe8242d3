"""Settings and checkout settings over HTTP (spec: Organization settings)."""

import json

import pytest

from kernel import file_keys
from tests.engines import CLIENT_KEY, ORGANIZATION, TENANT, positions, running


pytestmark = pytest.mark.anyio

UPDATE = "updateSubscriptionProrationBehavior"
DEFAULT_FEES = {
    "basePercent": 2.9,
    "basePercentAfter": 3.5,
    "thresholdUnits": 500_000,
    "fixedUnits": {"USD": 40, "EUR": 40, "GBP": 35, "JPY": 60},
    "internationalPercent": 1.5,
    "subscriptionPercent": 0.7,
    "conversionPercent": 1.0,
    "payoutCurrency": "USD",
    "floorPercent": 0,
    "floorFixedUnits": 0,
}


async def test_settings_begin_with_their_defaults(database_url):
    async with running(database_url) as (_, client):
        settings = (await client.get("/organizations/settings/")).json()
        assert settings["slug"] == "default"
        assert settings["merchantOfRecord"] is True
        assert settings["updateSubscriptionProrationBehavior"] == "IMMEDIATE_CHARGE"
        assert settings["migrateSubscriptionProrationBehavior"] == "PRORATE_NEXT_INVOICE"
        assert settings["oneSubscriptionPerProduct"] is False
        assert settings["offSessionCharging"] is True
        assert settings["taxRates"] == []
        assert settings["dunningSchedule"] == [1, 2, 3, 5, 7, 9, 11, 14]
        assert settings["checkoutExpiryHours"] == 24
        assert settings["feeSchedule"] == DEFAULT_FEES
        assert settings["webhookSignatureScheme"] == "STANDARD"


async def test_a_patch_changes_what_it_names_in_either_spelling(database_url):
    async with running(database_url) as (_, client):
        before = (await client.get("/organizations/settings/")).json()
        changed = await client.patch(
            "/organizations/settings",
            json={
                "update_subscription_proration_behavior": "NO_PRORATION",
                "taxRates": [
                    {"country": "de", "percent": 19, "name": "USt"},
                    {"country": "DE", "tax_code": "ebook", "percent": "7.0"},
                ],
                "fee_schedule": {"basePercent": 2.25, "fixed_units": {"usd": 30}},
                "dunningSchedule": [1, 7],
                "checkoutExpiryHours": None,
                "unknown": 1,
            },
        )
        assert changed.status_code == 200
        after = changed.json()
        assert after["updateSubscriptionProrationBehavior"] == "NO_PRORATION"
        assert after["taxRates"] == [
            {"country": "DE", "percent": 19, "taxCode": "", "name": "USt"},
            {"country": "DE", "percent": 7, "taxCode": "ebook", "name": ""},
        ]
        changed_fees = {"basePercent": 2.25, "fixedUnits": {"USD": 30}}
        assert after["feeSchedule"] == {**DEFAULT_FEES, **changed_fees}
        assert after["dunningSchedule"] == [1, 7]
        same = ("migrateSubscriptionProrationBehavior", "checkoutExpiryHours")
        assert [after[name] for name in same] == [before[name] for name in same]
        assert (await client.get("/organizations/settings/")).content == changed.content


async def test_what_invoices_say_of_the_merchant(database_url):
    async with running(database_url) as (_, client):
        said = {"legalName": "Orbit GmbH", "taxId": "DE136695976"}
        address = {"line1": "Ring 1", "postal_code": "10115", "city": "Berlin", "country": "de"}
        changed = await client.patch("/organizations/settings/", json={**said, "address": address})
        assert changed.status_code == 200, changed.text
        after = changed.json()
        assert {name: after[name] for name in said} == said
        assert (after["address"]["postalCode"], after["address"]["country"]) == ("10115", "DE")
        again = await client.patch("/organizations/settings/", json={"taxId": ""})
        assert (again.json()["taxId"], again.json()["address"]) == ("", after["address"])


async def test_the_same_settings_again_record_nothing(database_url):
    async with running(database_url) as (engine, client):
        await client.patch("/organizations/settings/", json={"oneSubscriptionPerProduct": True})
        before = await positions(engine)
        again = await client.patch(
            "/organizations/settings/", json={"oneSubscriptionPerProduct": True}
        )
        assert again.status_code == 200
        assert again.json()["oneSubscriptionPerProduct"] is True
        assert (await client.patch("/organizations/settings/", json={})).status_code == 200
        assert await positions(engine) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (
            {"updateSubscriptionProrationBehavior": "PRO_RATA"},
            "updateSubscriptionProrationBehavior",
        ),
        ({"dunningSchedule": [2, 1]}, "dunningSchedule"),
        ({"dunningSchedule": [0]}, "dunningSchedule.0"),
        ({"checkoutExpiryHours": 0}, "checkoutExpiryHours"),
        ({"checkoutExpiryHours": 1e400}, "checkoutExpiryHours"),
        ({"feeSchedule": {"basePercent": -1}}, "feeSchedule.basePercent"),
        ({"feeSchedule": {"basePercent": "NaN"}}, "feeSchedule.basePercent"),
        ({"feeSchedule": {"thresholdUnits": 10**30}}, "feeSchedule.thresholdUnits"),
        ({"feeSchedule": {"payoutCurrency": "QQQ"}}, "feeSchedule.payoutCurrency"),
        ({"taxRates": [{"country": "Utopia", "percent": 1}]}, "taxRates.0.country"),
        ({"taxRates": [{"country": "DE", "percent": 1}] * 2}, "taxRates"),
        ({"taxRates": "none"}, "taxRates"),
    ],
)
async def test_wrong_settings_name_the_field(module_database_url, body, field):
    async with running(module_database_url) as (engine, client):
        before = await positions(engine)
        answer = await client.patch(
            "/organizations/settings/",
            content=json.dumps(body),
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == 400, answer.text
        assert list(answer.json()) == [field]
        assert await positions(engine) == before


async def test_a_refused_enumeration_names_the_accepted_values(module_database_url):
    async with running(module_database_url) as (_, client):
        answer = await client.patch(
            "/organizations/settings/", json={"updateSubscriptionProrationBehavior": "x"}
        )
        (message,) = answer.json()["updateSubscriptionProrationBehavior"]
        for value in ("IMMEDIATE_CHARGE", "PRORATE_NEXT_INVOICE", "NO_PRORATION"):
            assert value in message


async def uploaded(engine, client, name):
    """The key of an upload."""

    async def pieces():
        yield b"picture"

    ticket = await client.post("/media/", json={"fileName": name, "fileType": "image/png"})
    key = ticket.json()["fileKey"]
    await engine.files.receive(TENANT, file_keys.read(key), pieces())
    return key


async def test_pictures_go_in_as_keys_and_come_out_as_addresses(database_url):
    async with running(database_url) as (engine, client):
        blank = (await client.get("/organizations/checkout-settings/")).json()
        assert blank == {
            "brandName": None,
            "lightLogo": None,
            "darkLogo": None,
            "favicon": None,
            "backgroundImage": None,
            "customization": {},
            "customFields": [],
        }
        logo = await uploaded(engine, client, "acme 1.png")
        changed = await client.patch(
            "/organizations/checkout-settings/",
            json={
                "brandName": "Acme",
                "light_logo": logo,
                "favicon": "https://cdn.example/f.ico",
                "customization": {"Button_Color": "#fff"},
                "customFields": [],
            },
        )
        base = engine.place.base_url
        assert changed.json() == {
            **blank,
            "brandName": "Acme",
            "lightLogo": f"{base}/media/{ORGANIZATION}/public/{logo.split('/')[1]}/acme%201.png",
            "favicon": "https://cdn.example/f.ico",
            "customization": {"Button_Color": "#fff"},
            "customFields": [],
        }
        cleared = await client.patch(
            "/organizations/checkout-settings/", json={"lightLogo": None, "customization": None}
        )
        assert cleared.json()["lightLogo"] is None
        assert cleared.json()["customization"] == {}
        assert cleared.json()["brandName"] == "Acme"


@pytest.mark.parametrize("path", ["/organizations/settings/", "/organizations/checkout-settings/"])
async def test_a_client_key_sees_and_changes_no_settings(module_database_url, path):
    async with running(module_database_url) as (_, client):
        client.headers["Authorization"] = f"Bearer {CLIENT_KEY}"
        assert (await client.get(path)).status_code == 403
        assert (await client.patch(path, json={})).status_code == 403

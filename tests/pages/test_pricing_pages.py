"""Pricing pages without a browser: what is told to whom, from where, and to which other pages."""

import re
from contextlib import asynccontextmanager

import httpx
import pytest

from pages.pricing import NOTHING
from tests.api.monetization.showing import RULE, catalog, make, offering
from tests.api.test_subscriptions import VISA, customer
from tests.engines import running


pytestmark = pytest.mark.anyio

HERE, INDIA, GERMANY = "127.0.0.1", "49.36.0.1", "2a00:1450:4001::1"
NOBODY = "00000000-0000-4000-8000-000000000001"


@asynccontextmanager
async def visitor(engine, address=HERE, **headers):
    await engine.positions.wait(await engine.store.head(), 60)
    transport = httpx.ASGITransport(engine.pages_app(), client=(address, 1234))
    async with httpx.AsyncClient(
        transport=transport, base_url="https://billing.example", headers=headers
    ) as browser:
        yield browser


async def test_the_json_is_the_public_offering_without_a_customer(database_url):
    async with running(database_url) as (engine, client):
        await catalog(client)
        made = await offering(client)
        await customer(client, VISA)
        public = (await client.get(f"/monetization/public-offering/{made['id']}/")).json()
        async with visitor(engine) as browser:
            answer = await browser.get(f"/pricing/{made['id']}.json?customer_id=ada")
        assert answer.json() == public
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "set-cookie" not in answer.headers


async def test_amounts_are_those_of_the_country_in_the_language_of_the_browser(database_url):
    async with running(database_url) as (engine, client):
        await catalog(client)
        path = f"/pricing/{(await offering(client))['id']}/"
        async with visitor(engine, GERMANY, **{"Accept-Language": "de"}) as browser:
            page = (await browser.get(path)).text
            assert "19\xa0€" in page
            assert "+ 4,99\xa0€ pro seat" in page
            assert "pro Monat" in page
        async with visitor(engine, INDIA) as browser:
            page = (await browser.get(path)).text
            assert "$12" in page
            assert "Instead of </span>$20</s>" in page
            assert "14 days free" in page
            assert "offering_id=" in page


async def test_the_period_of_the_address_is_chosen_first(database_url):
    async with running(database_url) as (engine, client):
        await catalog(client)
        path = f"/pricing/{(await offering(client))['id']}/"
        async with visitor(engine) as browser:
            for query, chosen in (
                ("", "YEARLY"),
                ("?period=monthly", "MONTHLY"),
                ("?period=x", "YEARLY"),
            ):
                page = (await browser.get(path + query)).text
                assert page.count(" checked>") == 1
                assert f'value="{chosen}" checked>' in page


async def test_whoever_is_named_buys_under_that_name(database_url):
    """The merchant's own id is handed on to the checkout; nothing of the customer is shown."""
    async with running(database_url) as (engine, client):
        await catalog(client)
        await client.post("/customers/", json={"customerId": "a&b", "name": "Ada"})
        path = f"/pricing/{(await offering(client))['id']}/"
        async with visitor(engine) as browser:
            page = (await browser.get(path, params={"customer_id": "a&b"})).text
            buying = re.findall(r'href="([^"]*/buy/[^"]*)"', page)
            assert buying
            assert all("customer_id=a%26b" in link for link in buying)
            assert "Ada" not in page
            for nobody in ("", "x" * 256):
                page = (await browser.get(path, params={"customer_id": nobody})).text
                buying = re.findall(r'href="([^"]*/buy/[^"]*)"', page)
                assert buying
                assert not any("customer_id" in link for link in buying)


async def test_words_of_a_merchant_are_no_markup(database_url):
    async with running(database_url) as (engine, client):
        await catalog(client)
        evil = "<script>alert(1)</script>"
        plans = [{"identifier": "pro", "displayName": evil, "includes": evil}]
        path = f"/pricing/{(await offering(client, plans=plans))['id']}"
        async with visitor(engine) as browser:
            for address in (f"{path}/", f"{path}/table.json"):
                text = (await browser.get(address)).text
                assert "<script>alert" not in text
                assert "&lt;script&gt;" in text


async def test_a_merchants_look_is_rules_of_checked_values(database_url):
    async with running(database_url) as (engine, client):
        await catalog(client)
        look = {
            "style": {"priceColor": "#0f766e", "buttonBackgroundColor": "#0f766e"},
            "typography": {"priceFontSize": 52, "titleFontWeight": "800"},
            "layout": {"gap": 8, "minWidth": 200},
        }
        path = f"/pricing/{(await offering(client, **look))['id']}"
        plain = f"/pricing/{(await offering(client))['id']}"
        async with visitor(engine) as browser:
            css = (await browser.get(f"{path}.css")).text
            wanted = ("--bs-price: #0f766e", "--bs-price-size: 52px", "--bs-title-weight: 800")
            assert all(rule in css for rule in (*wanted, "--bs-gap: 8px", "--bs-min-width: 200px"))
            assert "--bs-title:" not in css
            assert "bs-colored" in (await browser.get(f"{path}/")).text
            assert "bs-colored" not in (await browser.get(f"{plain}/")).text


async def test_what_is_not_shown_is_not_there_and_other_pages_may_know(database_url):
    async with running(database_url) as (engine, client):
        await catalog(client)
        made = await offering(client)
        await client.patch(f"/monetization/offerings/{made['id']}/", json={"status": "draft"})
        async with visitor(engine) as browser:
            for name in (made["id"], NOBODY, "none"):
                for path in ("/", "", ".json", ".css", "/table.json"):
                    answer = await browser.get(f"/pricing/{name}{path}")
                    assert answer.status_code == 404
                    if path.endswith("json"):
                        assert answer.headers["access-control-allow-origin"] == "*"
                        assert answer.json() == {"status": "not_found", "message": NOTHING}
            assert (await browser.post(f"/pricing/{made['id']}/")).status_code == 405


async def test_an_offering_without_plans_says_so(database_url):
    async with running(database_url) as (engine, client):
        body = {"name": "Soon", "targetingRule": RULE}
        made = await make(client, "/monetization/offerings/", body)
        async with visitor(engine) as browser:
            page = (await browser.get(f"/pricing/{made['id']}/")).text
            assert "There are no plans yet" in page

"""Static product links without a browser: opening one makes nothing, its button one session."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import httpx
import pytest

from tests.api.test_subscriptions import sells
from tests.catalog_requests import PRODUCT, create_plan, create_product, priced
from tests.engines import SERVER_KEY, positions, running
from tests.hosted_buyer import HostedBuyer
from tests.served import served


pytestmark = pytest.mark.anyio

NOBODY = "00000000-0000-4000-8000-000000000001"


@asynccontextmanager
async def visitor(engine, address="85.214.132.117"):
    transport = httpx.ASGITransport(engine.pages_app(), client=(address, 1234))
    async with httpx.AsyncClient(
        transport=transport, base_url="https://billing.example"
    ) as browser:
        yield browser


async def link(client, query="", prefix=""):
    """The static link of the only product."""
    (product,) = (await client.get("/catalog/products/")).json()["results"]
    return f"{prefix}/buy/{product['id']}/{query}"


def hidden(page):
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text)
    return dict(fields)


async def sessions(client):
    return (await client.get("/checkout/sessions/")).json()["results"]


@pytest.mark.parametrize("prefix", ["", "/sandbox"])
async def test_the_button_makes_a_session_and_leads_there(database_url, prefix):
    async with running(database_url) as (engine, client), visitor(engine) as browser:
        await sells(client)
        path = await link(client, "?discounts_enabled=false&customer_id=new", prefix)
        before = await positions(engine)
        page = await browser.get(path)
        assert page.status_code == 200
        assert "Orbit" in page.text
        assert (await browser.head(path)).status_code < 500
        assert await positions(engine) == before
        form = hidden(page)
        answer = await browser.post(path, data=form)
        assert answer.status_code == 303, answer.text
        session_id = answer.headers["location"].removeprefix("/checkout/").strip("/")
        again = await browser.post(path, data=form)
        assert again.headers["location"] == answer.headers["location"]
        await engine.positions.wait(await engine.store.head(), 60)
        (session,) = await sessions(client)
        assert session["id"] == session_id
        assert session["customer"]["customerId"] == "new"
        assert session["data"]["discountsEnabled"] is False
        assert session["billingAddress"]["country"] == "DE"


async def test_a_link_buys(database_url):
    async with running(database_url) as (engine, client), visitor(engine) as browser:
        await sells(client)
        path = await link(client)
        page = await browser.get(path)
        answer = await browser.post(path, data=hidden(page))
        session_id = answer.headers["location"].removeprefix("/checkout/").strip("/")
        buyer = HostedBuyer(engine, session_id)
        await buyer.enters(email="ada@example.com")
        assert (await buyer.pays("4242 4242 4242 4242")).status == "success"
        (session,) = await sessions(client)
        generated = session["customer"]["customerId"]
        known = (await client.get(f"/customers/{generated}/")).json()
        assert known["email"] == "ada@example.com"


async def test_a_form_of_nobody_makes_nothing(database_url):
    async with running(database_url) as (engine, client), visitor(engine) as browser:
        await sells(client)
        path = await link(client)
        form = hidden(await browser.get(path))
        before = await positions(engine)
        browser.cookies.clear()
        assert (await browser.post(path, data=form)).status_code == 403
        await browser.get(path)
        assert (await browser.post(path, data=form | {"once": "other"})).status_code == 403
        assert await positions(engine) == before


@pytest.mark.parametrize(
    "query",
    [
        "?plan_identifier=none",
        "?charge_period=SOMETIMES",
        "?success_url=javascript:alert(1)",
        "?enabled=none",
    ],
)
async def test_a_link_that_cannot_work_says_so(database_url, query):
    async with running(database_url) as (engine, client), visitor(engine) as browser:
        await sells(client)
        assert (await browser.get(await link(client, query))).status_code == 400


async def test_what_is_not_there_is_not_found(database_url):
    async with running(database_url) as (engine, client), visitor(engine) as browser:
        await create_plan(client, await create_product(client))
        for product in (NOBODY, "nothing"):
            assert (await browser.get(f"/buy/{product}/")).status_code == 404
        assert (await browser.get(await link(client))).status_code == 400  # nothing is on sale


async def test_an_offering_moves_the_price_where_the_buyer_is(database_url):
    rule = {
        "conditions": [{"type": "COUNTRY", "values": ["DE"]}],
        "adjustment": "DECREASE",
        "percentage": 25,
    }
    async with running(database_url) as (engine, client), visitor(engine) as browser:
        await sells(client)
        body = {"name": "Offering", "targetingRule": rule}
        made = await client.post("/monetization/offerings/", json=body)
        assert made.status_code == 201, made.text
        path = await link(client, f"?offering_id={made.json()['id']}")
        answer = await browser.post(path, data=hidden(await browser.get(path)))
        session_id = answer.headers["location"].removeprefix("/checkout/").strip("/")
        assert (await HostedBuyer(engine, session_id).quote()).due.units == 1500
        async with visitor(engine, "8.8.8.8") as american:
            answer = await american.post(path, data=hidden(await american.get(path)))
        session_id = answer.headers["location"].removeprefix("/checkout/").strip("/")
        assert (await HostedBuyer(engine, session_id).quote()).due.units == 2000


def test_a_form_that_is_sent_by_many_at_once_makes_one_session(database_url):
    """Over real sockets, from as many connections."""
    with served(database_url) as (core, _):
        api = {
            "base_url": f"{core}/api/v1",
            "headers": {"Authorization": f"Bearer {SERVER_KEY}"},
            "timeout": 60,
        }
        with httpx.Client(**api) as client, httpx.Client(base_url=core, timeout=60) as browser:
            product = client.post("/catalog/products/", json=PRODUCT).json()
            client.post("/catalog/plans/", json={"name": "Pro", "product": product["id"]})
            client.post("/catalog/plans/pro/prices/bulk/", json=priced())
            assert client.post("/catalog/plans/pro/publish/").status_code == 200
            path = f"/buy/{product['id']}/"
            form = hidden(browser.get(path))
            cookies = dict(browser.cookies)

            def press(_):
                with httpx.Client(base_url=core, cookies=cookies, timeout=60) as tab:
                    return tab.post(path, data=form)

            with ThreadPoolExecutor(8) as tabs:
                answers = list(tabs.map(press, range(8)))
            assert {answer.status_code for answer in answers} == {303}
            assert len({answer.headers["location"] for answer in answers}) == 1
            assert client.get("/checkout/sessions/").json()["count"] == 1
            assert client.get("/customers/").json()["count"] == 1

"""Promotions at the edge: by country, by group, never with a code that does not work."""

from contextlib import asynccontextmanager

import httpx
import pytest

from tests.api.monetization.showing import make
from tests.engines import CLIENT_KEY, SERVER_KEY, FixedKeys, running


pytestmark = pytest.mark.anyio

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
INDIA, GERMANY, BRAZIL, NOWHERE = "49.36.0.1", "2a00:1450:4001::1", "177.32.0.1", "10.0.0.1"
CODE = {
    "code": "PARITY30",
    "discountType": "PERCENTAGE",
    "percentageOff": 30,
    "duration": "FOREVER",
}
PROMOTION = {
    "name": "Parity",
    "groups": [
        {"group": "LOWER_MIDDLE_INCOME", "percentage": 30, "code": "PARITY30"},
        {"group": "UPPER_MIDDLE_INCOME", "percentage": 20},
    ],
    "countries": [{"country": "BR", "percentage": 50}],
    "widgets": [{"countryMessage": "Hello {country_flag} {country}: {coupon_code}"}],
}
NO_FLAGS = dict.fromkeys(("vpn", "tor", "proxy", "relay", "crawler"), False)


@asynccontextmanager
async def edge(engine, address, key=CLIENT_KEY, **headers):
    """A visitor at an address."""
    transport = httpx.ASGITransport(engine.edge_app(FixedKeys()), client=(address, 1234))
    headers = {"Authorization": f"Bearer {key}", "User-Agent": BROWSER} | headers
    async with httpx.AsyncClient(
        transport=transport, base_url="https://edge.example/api/v1", headers=headers
    ) as client:
        yield client


async def met(engine, made, address, key=CLIENT_KEY, agent=BROWSER, **query):
    async with edge(engine, address, key, **{"User-Agent": agent}) as client:
        answer = await client.get("/promotions", params={"promotion_id": made["id"]} | query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def promotion(client, **changes):
    await make(client, "/discount/", CODE)
    return await make(client, "/monetization/promotions/", PROMOTION | changes)


async def test_each_country_is_offered_its_own(database_url):
    async with running(database_url) as (engine, client):
        made = await promotion(client)
        assert await met(engine, made, INDIA) == {
            "country": "India",
            "countryCode": "IN",
            "percentage": 30,
            "code": "PARITY30",
            "message": "",
            "widgets": made["widgets"],
            "security": NO_FLAGS,
        }
        brazil = await met(engine, made, BRAZIL)
        assert (brazil["countryCode"], brazil["percentage"], brazil["code"]) == ("BR", 50, "")
        germany = await met(engine, made, GERMANY)
        assert (germany["countryCode"], germany["percentage"]) == ("DE", 0)
        nowhere = await met(engine, made, NOWHERE)
        keys = ("country", "countryCode", "percentage", "code")
        assert [nowhere[key] for key in keys] == ["", "", 0, ""]


async def test_only_a_server_may_ask_for_another_address(database_url):
    async with running(database_url) as (engine, client):
        made = await promotion(client)
        asked = await met(engine, made, GERMANY, SERVER_KEY, "curl/8", ip_address=INDIA)
        assert (asked["countryCode"], asked["code"], asked["security"]) == (
            "IN",
            "PARITY30",
            NO_FLAGS,
        )
        assert (await met(engine, made, GERMANY, ip_address=INDIA))["countryCode"] == "DE"
        async with edge(engine, GERMANY, SERVER_KEY) as visitor:
            wrong = {"promotion_id": made["id"], "ip_address": "1.2"}
            assert (await visitor.get("/promotions/", params=wrong)).status_code == 400


async def test_machines_are_offered_nothing_unless_they_may_be(database_url):
    async with running(database_url) as (engine, client):
        made = await promotion(client)
        crawled = await met(engine, made, INDIA, agent="Examplebot/1.0")
        assert (crawled["percentage"], crawled["security"]["crawler"]) == (0, True)
        path = f"/monetization/promotions/{made['id']}/"
        await client.patch(path, json={"security": {"crawler": False}})
        crawled = await met(engine, made, INDIA, agent="Examplebot/1.0")
        assert (crawled["percentage"], crawled["security"]["crawler"]) == (30, True)


async def test_a_code_that_does_not_work_is_not_offered(database_url):
    async with running(database_url) as (engine, client):
        made = await promotion(client)
        (discount,) = (await client.get("/discount/")).json()["results"]
        await client.patch(f"/discount/{discount['id']}/", json={"enabled": False})
        offered = await met(engine, made, INDIA)
        assert (offered["percentage"], offered["code"]) == (0, "")


async def test_unknown_drafts_and_archived_are_not_there(database_url):
    async with running(database_url) as (engine, client):
        made = await promotion(client, status="draft")
        path = f"/monetization/promotions/{made['id']}/"
        async with edge(engine, INDIA, Origin="https://shop.example") as visitor:
            query = {"promotion_id": made["id"]}
            assert (await visitor.get("/promotions/", params=query)).status_code == 404
            await client.patch(path, json={"status": "active"})
            seen = await visitor.get("/promotions/", params=query)
            assert seen.status_code == 200
            assert seen.headers["access-control-allow-origin"] == "*"
            await client.delete(path)
            assert (await visitor.get("/promotions/", params=query)).status_code == 404
            none = {"promotion_id": "none"}
            assert (await visitor.get("/promotions/", params=none)).status_code == 404
            assert (await visitor.get("/promotions/")).status_code == 400
            assert (await visitor.post("/promotions/")).status_code == 405
        async with edge(engine, INDIA, "wrong") as visitor:
            assert (await visitor.get("/promotions/", params=query)).status_code == 401

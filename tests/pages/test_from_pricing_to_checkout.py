"""From a pricing page to a checkout: the session offers what the page showed."""

import re
from html import unescape

import pytest

from tests.api.monetization.showing import catalog, offering
from tests.engines import running
from tests.pages.test_pricing_pages import GERMANY, HERE, INDIA, visitor


pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("address", "shown", "amount", "currency"),
    [
        (INDIA, "$12", "15.00", "usd"),
        (GERMANY, "€19", "23.99", "eur"),
        (HERE, "$20", "25.00", "usd"),
    ],
)
async def test_what_was_shown_is_offered(database_url, address, shown, amount, currency):
    async with running(database_url) as (engine, client):
        await catalog(client)
        made = await offering(client)
        async with visitor(engine, address) as browser:
            page = (await browser.get(f"/pricing/{made['id']}/?period=MONTHLY")).text
            assert f">{shown}</strong>" in page
            links = [unescape(link) for link in re.findall(r'href="([^"]*/buy/[^"]*)"', page)]
            (link,) = [
                link for link in links if "=pro&" in link and "charge_period=MONTHLY" in link
            ]
            form = (await browser.get(link)).text
            fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
            gone = await browser.post(link, data=fields)
            assert gone.status_code == 303, gone.text
        await engine.positions.wait(await engine.store.head(), 60)
        (session,) = (await client.get("/checkout/sessions/")).json()["results"]
        assert session["offeringData"]["offeringId"] == made["id"]
        assert session["currency"] == currency
        body = (await client.get(f"/checkout/sessions/{session['id']}/")).json()
        (plan,) = body["offeringData"]["plans"]
        with_one_seat = {each["chargePeriod"]: each["amount"] for each in plan["prices"]}
        assert with_one_seat["MONTHLY"] == amount

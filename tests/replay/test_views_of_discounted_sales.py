"""The views of discounts, taxes and adjusted balances can be built anew like all others."""

import pytest

from app.wiring import with_views
from projections.all_views import VIEWS
from replay.verify import verify
from tests.api.test_subscriptions import PRO, VISA, customer, sells
from tests.engines import running


pytestmark = pytest.mark.anyio


async def test_verify_finds_no_difference_after_a_taxed_and_discounted_life(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client, VISA)
        rates = {"taxRates": [{"country": "FR", "percent": "20"}]}
        await client.patch("/organizations/settings/", json=rates)
        await client.patch("/customers/ada/", json={"billingAddress": {"country": "FR"}})
        coupon = {"discountType": "PERCENTAGE", "percentageOff": 25, "duration": "FOREVER"}
        made = (await client.post("/discount/", json=coupon)).json()
        gift = {"amount": "-5.00", "currencyCode": "USD", "reason": "A present"}
        assert (await client.post("/customers/ada/balance/", json=gift)).status_code == 201
        sold = await client.post(
            "/subscriptions/create/", json=PRO | {"discountCode": made["code"]}
        )
        assert sold.json()["status"] == "active", sold.text
        assert (await client.patch(f"/discount/{made['id']}/", json={"enabled": False})).is_success
        assert (await client.delete(f"/discount/{made['id']}/")).status_code == 204
        (invoice,) = (await client.get("/invoices/")).json()["results"]
        assert (invoice["amountTotal"], invoice["details"]["amountDue"]) == ("18.00", "13.00")
        for runner in engine.runners:
            assert await runner.positions.wait(await engine.store.head(), 60)
        await engine.positions.wait(await engine.store.head(), 60)
        verified = await verify(
            with_views(database_url), engine.store, VIEWS, None, lambda *_: None
        )
        assert verified.differing == 0

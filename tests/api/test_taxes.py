"""Tax over HTTP: rates from the settings, addresses and tax ids from customers."""

import pytest

from tests.api.test_subscriptions import PRO, VISA, customer, sells
from tests.catalog_requests import USD_MONTHLY, create_plan, create_product, priced
from tests.engines import positions, running


pytestmark = pytest.mark.anyio

RATES = [
    {"country": "DE", "percent": 19, "name": "USt"},
    {"country": "DE", "percent": "7", "taxCode": "saas"},
    {"country": "FR", "percent": "20"},
]


async def sells_inclusive(client):
    await create_plan(client, await create_product(client))
    prices = priced(USD_MONTHLY, taxBehavior="INCLUSIVE")
    answer = await client.post("/catalog/plans/pro/prices/bulk/", json=prices)
    assert answer.status_code == 200, answer.text
    assert (await client.post("/catalog/plans/pro/publish/")).status_code == 200


async def settings(client, **changes):
    answer = await client.patch("/organizations/settings/", json={"taxRates": RATES} | changes)
    assert answer.status_code == 200, answer.text


async def lives_in(client, country, **fields):
    answer = await client.patch(
        "/customers/ada/", json={"billingAddress": {"country": country}} | fields
    )
    assert answer.status_code == 200, answer.text


async def bought(client, **fields):
    sold = await client.post("/subscriptions/create/", json=PRO | fields)
    assert sold.status_code == 201, sold.text
    return (await client.get("/invoices/")).json()["results"][0]


async def test_tax_is_added_by_country_and_tax_code_and_shown_everywhere(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        await settings(client)
        await lives_in(client, "fr")
        invoice = await bought(client)
        assert (invoice["amountSubtotal"], invoice["amountTax"]) == ("20.00", "4.00")
        assert (invoice["amountTotal"], invoice["amountTaxUnits"]) == ("24.00", 400)
        assert invoice["details"]["taxes"] == [
            {
                "name": "",
                "country": "FR",
                "taxCode": "",
                "percent": 20,
                "taxBehavior": "EXCLUSIVE",
                "relief": None,
                "base": "20.00",
                "baseUnits": 2000,
                "amount": "4.00",
                "amountUnits": 400,
            }
        ]
        (order,) = (await client.get("/orders/")).json()["results"]
        assert (order["amountTax"], order["amountTotal"]) == ("4.00", "24.00")
        (paid,) = (await client.get("/transaction/")).json()["results"]
        assert (paid["amountTotal"], paid["collectedTax"]) == (24.0, 4.0)
        assert paid["netPayout"] == pytest.approx(24 - 4 - paid["morFee"])
        await lives_in(client, "DE")
        invoice = await bought(client)
        assert invoice["details"]["taxes"][0]["percent"] == 7
        await lives_in(client, "US")
        invoice = await bought(client)
        assert (invoice["amountTax"], invoice["details"]["taxes"]) == ("0.00", [])


async def test_discounts_come_before_tax(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        await settings(client)
        await lives_in(client, "FR")
        body = {"discountType": "PERCENTAGE", "percentageOff": 15, "duration": "ONCE", "code": "X"}
        assert (await client.post("/discount/", json=body)).status_code == 201
        invoice = await bought(client, discountCode="x")
        shown = ("amountSubtotal", "amountDiscount", "amountTax", "amountTotal")
        assert [invoice[key] for key in shown] == ["20.00", "3.00", "3.40", "20.40"]
        assert invoice["details"]["discounts"] == [
            {"name": "", "code": "X", "percentageOff": 15, "amount": "3.00", "amountUnits": 300}
        ]
        assert invoice["details"]["lines"][0]["subTotal"] == "20.00"


@pytest.mark.parametrize(
    ("country", "tax_id", "tax"),
    [
        ("FR", "FR40303265045", "0.00"),
        ("FR", "40 303 265 045", "0.00"),
        ("FR", "FR40303265046", "4.00"),
        ("FR", "DE136695976", "4.00"),
        ("FR", "nonsense", "4.00"),
        ("US", "FR40303265045", "0.00"),
    ],
)
async def test_a_valid_tax_id_of_the_country_removes_tax(database_url, country, tax_id, tax):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        await settings(client)
        await lives_in(client, country, taxId=tax_id)
        assert (await bought(client))["amountTax"] == tax


@pytest.mark.parametrize(("lowers", "total"), [(False, "20.00"), (True, "16.67")])
async def test_without_tax_an_inclusive_price_stays_or_drops(database_url, lowers, total):
    async with running(database_url) as (_, client):
        await sells_inclusive(client)
        await customer(client, VISA)
        await settings(client, taxIdLowersInclusivePrice=lowers)
        await lives_in(client, "FR")
        invoice = await bought(client)
        assert (invoice["amountTax"], invoice["amountTotal"]) == ("3.33", "20.00")
        await lives_in(client, "FR", taxId="FR40303265045")
        invoice = await bought(client)
        assert (invoice["amountTax"], invoice["amountTotal"]) == ("0.00", total)
        assert invoice["details"]["taxes"][0]["relief"] == "business_tax_id"


async def test_a_later_rate_does_not_touch_invoices_that_exist(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client, VISA)
        await settings(client)
        await lives_in(client, "FR")
        before = await bought(client)
        await settings(client, taxRates=[{"country": "FR", "percent": 5.5}])
        assert (await client.get(f"/invoices/{before['id']}/")).json() == before
        assert (await bought(client))["amountTax"] == "1.10"
        assert await positions(engine) > 0


async def test_an_explanation_shows_each_discount_and_each_rate_with_its_figures(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        await settings(client)
        await lives_in(client, "FR")
        third = {"discountType": "PERCENTAGE", "percentageOff": 33, "duration": "ONCE", "code": "T"}
        assert (await client.post("/discount/", json=third)).status_code == 201
        invoice = await bought(client, discountCode="T")
        explained = (await client.get(f"/invoices/{invoice['id']}/explain/")).json()
        steps = {step["step"]: (step["words"], step["units"]) for step in explained["totals"]}
        assert steps["discount"] == ("T: 33 % of 2000: 660/1 = 660", 660)
        assert steps["tax"] == ("FR 20 % of 1340: 268/1 = 268", 268)
        assert steps["total"] == ("2000 - 660 + 268 = 1608", 1608)
        await lives_in(client, "FR", taxId="FR40303265045")
        invoice = await bought(client)
        explained = (await client.get(f"/invoices/{invoice['id']}/explain/")).json()
        steps = {step["step"]: (step["words"], step["units"]) for step in explained["totals"]}
        relieved = "FR 20 % of 2000: not taken, the customer has a valid business tax id"
        assert steps["tax"] == (relieved, 0)

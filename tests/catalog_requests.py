"""Catalog requests as a merchant's backend sends them, with every field defaulted."""

PRODUCT = {"name": "Orbit", "taxCode": "saas"}
SEATS = {
    "name": "Seats",
    "featureType": "METER",
    "featureDetails": {"units": {"singular": "seat", "plural": "seats"}},
}
USD_MONTHLY = {"charges": [{"chargePeriod": "MONTHLY", "priceData": {"amount": "20.00"}}]}


async def create(client, path, body):
    answer = await client.post(f"/catalog/{path}/", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def create_product(client, **fields):
    return await create(client, "products", PRODUCT | fields)


async def create_feature(client, **fields):
    return await create(client, "features", SEATS | fields)


async def create_plan(client, product, **fields):
    return await create(client, "plans", {"name": "Pro", "product": product["id"]} | fields)


def priced(*rows, **fields):
    """The body of a bulk request with one price."""
    rows = rows or (USD_MONTHLY,)
    price = {"priceType": "PAID", "currency": "USD", "chargeCatalogPrice": list(rows)}
    return {"prices": [price | fields]}


async def plan_on_sale(client, **fields):
    """A published plan at 20 dollars a month, with a product of its own."""
    product = await create_product(client)
    plan = await create_plan(client, product, **fields)
    path = f"/catalog/plans/{plan['identifier']}"
    assert (await client.post(f"{path}/prices/bulk/", json=priced())).status_code == 200
    assert (await client.post(f"{path}/publish/")).status_code == 200
    return plan

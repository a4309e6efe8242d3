"""A catalog with prices in two currencies, and an offering of it."""

from tests.catalog_requests import create_feature, create_plan, create_product


def charges(**amounts):
    rows = [{"chargePeriod": p, "priceData": {"amount": a}} for p, a in amounts.items()]
    return {"charges": rows}


def paid(currency, *rows, **fields):
    price = {"priceType": "PAID", "currency": currency, "chargeCatalogPrice": list(rows)}
    return price | fields


FREE = {"priceType": "FREE", "currency": "USD", "chargeCatalogPrice": []}
RULE = {
    "conditions": [{"type": "PURCHASING_POWER_GROUP", "values": ["LOWER_MIDDLE_INCOME"]}],
    "adjustment": "DECREASE",
    "percentage": 40,
}


async def make(client, path, body, status=201):
    answer = await client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def publish(client, plan, *prices, entitlements=()):
    path = f"/catalog/plans/{plan['identifier']}"
    await make(client, f"{path}/prices/bulk/", {"prices": list(prices)}, 200)
    if entitlements:
        await make(client, f"{path}/features/", {"planEntitlements": list(entitlements)})
    await make(client, f"{path}/publish/", {}, 200)


async def catalog(client):
    """Free, Pro (base price and seats, in dollars and euros) and Enterprise (on request)."""
    product = await create_product(client)
    seats = await create_feature(client)
    sso = await create_feature(client, name="Single sign-on", featureType="BOOLEAN")
    free = await create_plan(client, product, name="Free")
    granted = [{"feature": seats["id"], "details": {"value": 1}}]
    await publish(client, free, FREE, entitlements=granted)
    pro = await create_plan(client, product, name="Pro", description="For teams")
    per_seat = {"feature": seats["id"]}
    await publish(
        client,
        pro,
        paid(
            "USD",
            charges(MONTHLY="20.00", YEARLY="200.00"),
            per_seat | charges(MONTHLY="5.00", YEARLY="50.00"),
            freeTrial=True,
            trialPeriod=14,
        ),
        paid(
            "EUR",
            charges(MONTHLY="19.00", YEARLY="190.00"),
            per_seat | charges(MONTHLY="4.99", YEARLY="49.90"),
        ),
        entitlements=[*granted, {"feature": sso["id"], "details": {"value": True}}],
    )
    enterprise = await create_plan(client, product, name="Enterprise", isVisible=False)
    custom = {"priceType": "CUSTOM", "currency": "USD", "chargeCatalogPrice": []}
    await publish(client, enterprise, custom)
    return {"product": product, "seats": seats, "sso": sso}


TABLE = {
    "name": "Prices",
    "plans": [
        {"identifier": "pro", "shouldHighlight": True, "displayName": "Professional"},
        {"identifier": "free", "displayDescription": "For one"},
        {"identifier": "enterprise", "enabled": False},
    ],
    "billingPeriods": [
        {"chargePeriod": "YEARLY", "promoCaption": "Two months free", "defaultSelected": True},
        {"chargePeriod": "MONTHLY", "displayName": "Per month"},
        {"chargePeriod": "WEEKLY"},
    ],
}


async def offering(client, **fields):
    table = await make(client, "/monetization/pricing-tables/", TABLE | fields)
    body = {"name": "World", "pricingTableId": table["id"], "targetingRule": RULE}
    return await make(client, "/monetization/offerings/", body)

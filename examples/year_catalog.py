"""Loads examples/catalog.yaml through the REST API, as any client would, and says what it costs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml
from year_client import Client, Refused
from year_lives import Offer


CATALOG = Path(__file__).with_name("catalog.yaml")
EXPONENTS = {"JPY": 0}
SOLD = (
    ("palaver-pro", "MONTHLY", "USD"),
    ("kellerei-family", "MONTHLY", "EUR"),
    ("palaver-business", "MONTHLY", "JPY"),
    ("wachturm-growth", "MONTHLY", "EUR"),
    ("kellerei-plus", "MONTHLY", "USD"),
    ("palaver-pro", "YEARLY", "EUR"),
    ("wachturm-starter", "MONTHLY", "USD"),
    ("postkutsche-standard", "THREE_MONTHS", "USD"),
    ("kellerei-lifetime", "ONE_TIME", "USD"),
    ("schluesselbund-families", "MONTHLY", "EUR"),
    ("reissbrett-professional", "MONTHLY", "JPY"),
    ("palaver-free", "ONE_TIME", "USD"),
    ("schluesselbund-single", "SIX_MONTHS", "USD"),
)
"""What the customers of the year buy: plan, charge period, currency."""

Json = dict[str, Any]


def load_catalog(client: Client) -> list[Offer]:
    """Create whatever is not there yet; the offers of SOLD, from the same file."""
    text = CATALOG.read_text()
    document = yaml.safe_load(text)
    exact = yaml.load(text, Loader=ExactLoader)  # noqa: S506 - a safe loader that keeps decimals
    features = _features(client, document["features"])
    plans: dict[str, Json] = {}
    for identifier, product in exact["products"].items():
        product_id = _product(client, identifier, product)
        for plan, details in product["plans"].items():
            plans[plan] = details
            _plan(client, plan, product_id, details, features)
    return [_offer(plans[plan], plan, period, currency) for plan, period, currency in SOLD]


class ExactLoader(yaml.SafeLoader):
    """Reads 8.75 as the text "8.75": money is never a float."""


ExactLoader.add_constructor(
    "tag:yaml.org,2002:float", lambda loader, node: loader.construct_scalar(node)
)


def _features(client: Client, features: Json) -> dict[str, str]:
    known = {one["identifier"]: one["id"] for one in client.every("/catalog/features/")}
    for identifier, feature in features.items():
        if identifier in known:
            continue
        body = {
            "identifier": identifier,
            "name": feature["name"],
            "description": feature.get("description"),
            "featureType": feature["type"],
        }
        if feature["type"] == "METER":
            body["featureDetails"] = {
                "featureSubType": "PRE_AGGREGATED_USAGE",
                "units": feature["units"],
            }
        known[identifier] = client.post("/catalog/features/", body)["id"]
    return known


def _product(client: Client, identifier: str, product: Json) -> str:
    for one in client.every("/catalog/products/"):
        if one["identifier"] == identifier:
            return str(one["id"])
    body = {"identifier": identifier, "name": product["name"], "taxCode": product["taxCode"]}
    body["description"] = product.get("description")
    created = client.post("/catalog/products/", body)
    if settings := product.get("settings"):
        client.patch(f"/catalog/products/{created['id']}/settings/", settings)
    return str(created["id"])


def _plan(
    client: Client, identifier: str, product: str, plan: Json, features: dict[str, str]
) -> None:
    try:
        client.get(f"/catalog/plans/{identifier}/")
    except Refused:
        pass
    else:
        return
    body = {
        "identifier": identifier,
        "name": plan["name"],
        "product": product,
        "isVisible": plan.get("visible", True),
        "ordering": plan.get("ordering"),
        "links": plan.get("links", []),
    }
    if "license" in plan:
        body["license"] = _license(plan["license"])
    client.post("/catalog/plans/", body)
    prices = [_price(price, features) for price in plan["prices"]]
    client.post(f"/catalog/plans/{identifier}/prices/bulk/", {"prices": prices})
    entitlements = [
        {"feature": features[name], "details": _details(details)}
        for name, details in plan["entitlements"].items()
    ]
    client.post(f"/catalog/plans/{identifier}/features/", {"planEntitlements": entitlements})
    client.post(f"/catalog/plans/{identifier}/publish/", {})


def _license(terms: Json) -> Json:
    return {
        "enabled": True,
        "activationLimitEnabled": True,
        "activationLimit": terms["activationLimit"],
        "hasExpiry": True,
        "durationUnit": terms["duration"]["unit"],
        "durationValue": terms["duration"]["value"],
    }


def _details(details: Any) -> Json:
    if details == "unlimited":
        return {"hasUnlimitedUsage": True}
    return details if isinstance(details, dict) else {"value": details}


def _price(price: Json, features: dict[str, str]) -> Json:
    kind = price.get("type", "PAID")
    body: Json = {
        "currency": price["currency"],
        "priceType": kind,
        "freeTrial": "trialDays" in price,
        "trialPeriod": price.get("trialDays", 7),
        "taxBehavior": price.get("taxBehavior", "EXCLUSIVE"),
        "chargeCatalogPrice": [],
    }
    rows = body["chargeCatalogPrice"]
    base = price.get("base") or ({"ONE_TIME": "0"} if kind == "FREE" else {})
    if base:
        charges = [_charge(period, amount, {}) for period, amount in base.items()]
        rows.append({"feature": None, "priceModel": "FLAT", "charges": charges})
    for name, row in price.get("features", {}).items():
        charges = [_charge(period, amount, row) for period, amount in row["charges"].items()]
        model = row.get("model", "FLAT")
        rows.append({"feature": features[name], "priceModel": model, "charges": charges})
    return body


def _charge(period: str, amount: Any, row: Json) -> Json:
    charge: Json = {"chargePeriod": period}
    if not isinstance(amount, dict):
        charge["priceData"] = {"amount": str(amount)}
    elif "tiers" in amount:
        charge["tiers"] = [
            {
                "upTo": tier["upTo"] if isinstance(tier["upTo"], int) else "inf",
                "unitAmount": tier["unit"],
            }
            for tier in amount["tiers"]
        ]
    else:
        charge["priceData"] = {"amount": amount["amount"], "block_size": amount["blockSize"]}
    if "minimum" in row:
        charge["advanced"] = {"min_quantity": row["minimum"], "max_quantity": row.get("maximum")}
    return charge


def _offer(plan: Json, identifier: str, period: str, currency: str) -> Offer:
    price = next(one for one in plan["prices"] if one["currency"] == currency)
    seat_feature, row = next(iter(price.get("features", {}).items()), (None, {}))
    return Offer(
        plan=identifier,
        period=period,
        currency=currency,
        exponent=EXPONENTS.get(currency, 2),
        base=Fraction(str(price.get("base", {}).get(period, 0))),
        seat_feature=seat_feature,
        per_seat=Fraction(str(row["charges"][period])) if seat_feature else Fraction(0),
        trial_days=price.get("trialDays", 0),
    )

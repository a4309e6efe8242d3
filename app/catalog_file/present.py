"""The catalog as it stands, in the form of a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.catalog_file.client import Api, rows
from app.catalog_file.document import CatalogFile


@dataclass(slots=True)
class Present:
    """What is there: as a file, and by the ids that requests need.

    ``drafts`` are the plans whose newest version is not published.
    """

    document: CatalogFile
    features: dict[str, str] = field(default_factory=dict)
    products: dict[str, str] = field(default_factory=dict)
    drafts: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Names:
    """Identifiers of features by id, archived ones included."""

    api: Api
    known: dict[str, str]

    def of(self, feature_id: str) -> str:
        """The identifier of a feature."""
        if feature_id not in self.known:
            found = self.api.call("GET", f"/catalog/features/{feature_id}/")
            self.known[feature_id] = found["identifier"]
        return self.known[feature_id]


def fetch(api: Api) -> Present:
    """Read products, features and the newest version of each plan; archived ones are left out."""
    features = {row["identifier"]: row for row in rows(api, "/catalog/features/")}
    products = {row["identifier"]: row for row in rows(api, "/catalog/products/")}
    plans = list(rows(api, "/catalog/plans/"))
    names = Names(api, {row["id"]: identifier for identifier, row in features.items()})
    content: dict[str, Any] = {
        "features": {identifier: _feature(row) for identifier, row in _sorted(features)},
        "products": {
            identifier: {
                **_product(row, api.call("GET", f"/catalog/products/{row['id']}/settings/")),
                "plans": {
                    plan["identifier"]: _plan(api, plan, names)
                    for plan in sorted(plans, key=_order)
                    if plan["product"] == row["id"]
                },
            }
            for identifier, row in _sorted(products)
        },
    }
    return Present(
        CatalogFile.model_validate(content),
        {identifier: row["id"] for identifier, row in features.items()},
        {identifier: row["id"] for identifier, row in products.items()},
        {plan["identifier"] for plan in plans if not plan["isLatest"]},
    )


def _sorted(found: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted(found.items())


def _order(plan: dict[str, Any]) -> tuple[int, str]:
    ordering = plan["ordering"]
    return (2**31 if ordering is None else ordering, plan["identifier"])


def _feature(row: dict[str, Any]) -> dict[str, Any]:
    details = row["featureDetails"]
    return {
        "name": row["name"],
        "type": row["featureType"],
        "description": row["description"],
        "units": details.get("units"),
        "customerUnit": details.get("customerUnit"),
        "aggregation": row["meter"].get("aggregation", {}),
        "filters": row["meter"].get("filters", []),
        "metadata": row["metadata"],
    }


def _product(row: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": row["name"],
        "taxCode": row["taxCode"],
        "description": row["description"],
        "settings": settings,
    }


def _plan(api: Api, plan: dict[str, Any], names: Names) -> dict[str, Any]:
    path = f"/catalog/plans/{plan['identifier']}"
    version = {"version": plan["version"]}
    granted = rows(api, f"{path}/features/", version)
    return {
        "name": plan["name"],
        "description": plan["description"],
        "visible": plan["isVisible"],
        "ordering": plan["ordering"],
        "metadata": plan["metadata"],
        "links": plan["links"],
        "license": _license(plan["license"]),
        "prices": [_price(price, names) for price in rows(api, f"{path}/prices/", version)],
        "entitlements": {
            each["feature"]["identifier"]: _details(each["details"]) for each in granted
        },
    }


def _license(terms: dict[str, Any]) -> dict[str, Any] | None:
    if not terms["enabled"]:
        return None
    duration = {"unit": terms["durationUnit"], "value": terms["durationValue"]}
    return {
        "activationLimit": terms["activationLimit"] if terms["activationLimitEnabled"] else None,
        "duration": duration if terms["hasExpiry"] else None,
    }


def _details(details: dict[str, Any]) -> dict[str, Any]:
    """Without what only inheritance sets."""
    return {k: v for k, v in details.items() if k not in {"isInherited", "isValueOverridden"}}


def _price(price: dict[str, Any], names: Names) -> dict[str, Any]:
    priced = price["chargeCatalogPrice"]
    free = price["priceType"] == "FREE"
    base = [row for row in priced if row["feature"] is None and not free]
    return {
        "currency": price["currency"],
        "type": price["priceType"],
        "trialDays": price["trialPeriod"] if price["freeTrial"] else None,
        "taxBehavior": price["taxBehavior"],
        "enabled": price["enabled"],
        "base": {c["chargePeriod"]: c["priceData"]["amount"] for r in base for c in r["charges"]},
        "features": {names.of(row["feature"]): _row(row) for row in priced if row["feature"]},
    }


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "model": row["priceModel"],
        "payment": row["paymentType"],
        "reset": row["reset"],
        "resetTime": row["resetTime"],
        "hasUnlimitedUsage": row["hasUnlimitedUsage"],
        "rollover": row["rollover"],
        "usageAlerts": row["usageAlerts"],
        "charges": {charge["chargePeriod"]: _charge(charge) for charge in row["charges"]},
    }


def _charge(charge: dict[str, Any]) -> dict[str, Any]:
    data, bounds = charge["priceData"], charge["advanced"]
    return {
        "amount": data.get("amount", 0),
        "blockSize": data.get("block_size", 1),
        "tiers": [
            {"upTo": tier["upTo"], "unit": tier["unitAmount"], "flat": tier["flatAmount"]}
            for tier in charge["tiers"]
        ],
        "minimum": bounds["min_quantity"],
        "maximum": bounds["max_quantity"],
    }

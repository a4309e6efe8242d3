"""What most webhook objects share (wire 27.4)."""

from __future__ import annotations

from typing import Any

from kernel.interval import ChargePeriod, recurrence_text
from kernel.money import decimal_string
from wire.times import seconds
from wire.webhooks.customer import customer_copy
from wire.webhooks.envelope import Object


def common(doc: dict[str, Any], customer: dict[str, Any]) -> Object:
    """Whom and what it is about, and when it was made and last changed."""
    return {
        "customer": customer_copy(customer),
        "organization": doc["organization"],
        "product": {"id": doc["product"]["id"], "name": doc["product"]["name"]},
        "plan": {key: doc["plan"][key] for key in ("name", "version", "identifier")},
        "created_on": seconds(doc["created_on"]),
        "modified_on": seconds(doc["modified_on"]),
    }


def amount(name: str, units: int, currency: str) -> Object:
    """An amount as a decimal string and in minor units, under two keys."""
    return {name: decimal_string(units, currency), f"{name}_units": units}


def recurrence(charge_period: str) -> str:
    """``1 month``; empty for one-time records."""
    return recurrence_text(ChargePeriod(charge_period))


def granted(features: list[dict[str, Any]]) -> list[Object]:
    """What a subscription or an order grants."""
    names = ("id", "identifier", "name", "feature_type", "value", "unlimited", "hard_limit")
    return [{name: feature[name] for name in names} for feature in features]

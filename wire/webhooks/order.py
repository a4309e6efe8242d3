"""Orders in webhook bodies (wire 27.4)."""

from __future__ import annotations

from typing import Any

from wire.times import seconds
from wire.webhooks.envelope import Object
from wire.webhooks.subject import amount, common, granted


def order_object(doc: dict[str, Any], customer: dict[str, Any]) -> Object:
    """An order; here ``customer_id`` is the internal id."""
    return {
        "object": "order",
        "id": doc["number"],
        "status": doc["status"],
        "billing_type": doc["billing_type"],
        "customer_id": doc["customer_uuid"],
        "is_renewal": doc["is_renewal"],
        "paid_at": seconds(doc["paid_at"]),
        **amount("amount_total", doc["amount_total_units"], doc["currency"]),
        "currency": doc["currency"],
        "subscription_id": doc["subscription"],
        "features": granted(doc["features"]),
        **common(doc, customer),
    }

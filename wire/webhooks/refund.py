"""Refunds in webhook bodies (spec: Refund, wire 27.4)."""

from __future__ import annotations

from typing import Any

from wire.times import seconds
from wire.webhooks.customer import customer_copy
from wire.webhooks.envelope import Object
from wire.webhooks.subject import amount


def refund_object(doc: dict[str, Any], customer: dict[str, Any]) -> Object:
    """A refund of an order."""
    return {
        "object": "refund",
        "id": doc["id"],
        "status": doc["status"],
        **amount("amount", doc["amount_units"], doc["currency"]),
        "currency": doc["currency"],
        "reason": doc["reason"],
        "failure_reason": doc["failure_reason"],
        "order_id": doc["order_number"],
        "subscription_id": doc["subscription"],
        "customer": customer_copy(customer),
        "organization": doc["organization"],
        "created_on": seconds(doc["created_on"]),
        "modified_on": seconds(doc["modified_on"]),
    }

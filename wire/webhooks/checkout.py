"""Checkout sessions in webhook bodies (wire 27.4)."""

from __future__ import annotations

from typing import Any

from wire.webhooks.envelope import Object
from wire.webhooks.subject import amount, common


def checkout_object(doc: dict[str, Any], customer: dict[str, Any]) -> Object:
    """A session that is complete; here ``customer_id`` is the internal id, metadata is verbatim."""
    terms = doc["terms"]
    return {
        "object": "checkout_session",
        "id": doc["session_id"],
        "status": doc["status"],
        "checkout_type": doc["billing_type"],
        "customer_id": doc["customer_uuid"],
        **amount("amount", doc["amount_units"], doc["currency"]),
        "currency": doc["currency"],
        "discount_code": doc["discount_code"] or "",
        "features": _features(doc["selected"]["quantities"]),
        "billing_address": doc["billing_address"] or {},
        "metadata": doc["metadata"],
        "data": {
            "name": doc["name"],
            "email": doc["email"],
            "referer": None,
            "cancel_url": terms["cancel_url"],
            "success_url": terms["success_url"],
            "tax_behavior": terms["tax_behavior"],
            "discounts_enabled": terms["discounts_enabled"],
        },
        **common(doc, customer),
    }


def _features(quantities: dict[str, int]) -> list[Object] | None:
    """What was bought ahead; null when nothing was."""
    bought = [{"identifier": name, "quantity": count} for name, count in quantities.items()]
    return bought or None

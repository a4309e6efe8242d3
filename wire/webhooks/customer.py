"""Customers in webhook bodies (wire 27.4)."""

from __future__ import annotations

from typing import Any

from wire.webhooks.envelope import Object


ADDRESS = ("line1", "line2", "city", "state", "postal_code", "country")


def address(doc: dict[str, Any] | None) -> Object:
    """An address with every key, or ``{}`` when there is none."""
    return {} if doc is None else {name: doc.get(name) for name in ADDRESS}


def customer_copy(doc: dict[str, Any]) -> Object:
    """The customer inside other objects; here ``customer_id`` is the client-defined one."""
    return {
        "id": doc["id"],
        "name": doc["name"],
        "email": doc["email"],
        "customer_id": doc["customer_id"],
        "billing_address": address(doc["billing_address"]),
    }


def customer_object(doc: dict[str, Any], *, subscriptions: int) -> Object:
    """A customer; ``customer_id`` is the client-defined one, ``subscriptions`` a number."""
    return {
        "object": "customer",
        "id": doc["id"],
        "customer_id": doc["customer_id"],
        "name": doc["name"],
        "email": doc["email"],
        "details": {},
        "metadata": doc["metadata"] or {},
        "billing_address": address(doc["billing_address"]),
        "subscriptions": subscriptions,
        "organization": doc["organization"],
        "created_on": doc["created_on"],
        "modified_on": doc["modified_on"],
    }

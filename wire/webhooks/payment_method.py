"""Payment methods in webhook bodies (wire 27.4)."""

from __future__ import annotations

from typing import Any

from wire.webhooks.customer import customer_copy
from wire.webhooks.envelope import Object


def payment_method_object(doc: dict[str, Any], customer: dict[str, Any]) -> Object:
    """A payment method; here ``customer_id`` is the client-defined one. It has no dates."""
    return {
        "object": "payment_method",
        "id": doc["number"],
        "customer_id": customer["customer_id"],
        "method_type": doc["method_type"],
        "method_data": doc["method_data"],
        "is_default": doc["is_default"],
        "status": doc["status"],
        "customer": customer_copy(customer),
        "organization": doc["organization"],
    }

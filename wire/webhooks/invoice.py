"""Invoices in webhook bodies (spec: Events, wire 27.4)."""

from __future__ import annotations

from typing import Any

from wire.times import seconds
from wire.webhooks.envelope import Object
from wire.webhooks.subject import amount, common


def invoice_object(
    doc: dict[str, Any], customer: dict[str, Any], payment_link: str | None
) -> Object:
    """An invoice; here ``customer_id`` is the internal id. Newer fields come in both spellings."""
    shown = {
        "object": "invoice",
        "id": doc["number"],
        "status": doc["status"],
        "paid_at": seconds(doc["paid_at"]),
        **amount("amount_total", doc["amount_total_units"], doc["currency"]),
        "currency": doc["currency"],
        "due_date": seconds(doc["due_at"]),
        "order_id": doc["order_number"],
        "customer_id": doc["customer_uuid"],
        "subscription_id": doc["subscription"],
        "payment_link": payment_link,
        "attempt_count": doc["attempt_count"],
        "next_payment_attempt": seconds(doc["next_payment_attempt"]),
        "failure_details": _failure(doc["failure"], "payment_method_type"),
        "paymentLink": payment_link,
        "attemptCount": doc["attempt_count"],
        "nextPaymentAttempt": seconds(doc["next_payment_attempt"]),
        "failureDetails": _failure(doc["failure"], "paymentMethodType"),
        **common(doc, customer),
    }
    del shown["plan"]
    return shown


def _failure(failure: dict[str, Any] | None, method_key: str) -> Object | None:
    if failure is None:
        return None
    words = {key: failure[key] for key in ("code", "message")}
    return {**words, method_key: failure["method_type"]}

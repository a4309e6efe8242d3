"""Subscriptions in webhook bodies (wire 27.4)."""

from __future__ import annotations

from typing import Any

from wire.times import date, seconds
from wire.webhooks.envelope import Object
from wire.webhooks.subject import amount, common, granted, recurrence


def subscription_object(doc: dict[str, Any], customer: dict[str, Any]) -> Object:
    """A subscription record as it stood at the event."""
    return {
        "object": "subscription",
        "id": doc["subscription"],
        "status": doc["status"],
        **amount("amount", doc["amount_units"], doc["currency"]),
        "currency": doc["currency"],
        "recurrence": recurrence(doc["charge_period"]),
        "start_date": date(doc["started_at"]),
        "end_date": date(doc["ends_at"]),
        "billing_period_start_time": seconds(doc["period_start"]),
        "billing_period_end_time": seconds(doc["period_end"]),
        "trial_start": seconds(doc["trial_start"]),
        "trial_end": seconds(doc["trial_end"]),
        "resumes_at": seconds(doc["resumes_at"]),
        "features": granted(doc["features"]),
        "canceled_at": seconds(doc["canceled_at"]),
        "cancellation_reason": doc["cancellation_reason"],
        "cancellation_feedback": doc["cancellation_feedback"],
        "cancellation_comment": doc["cancellation_comment"],
        **common(doc, customer),
    }

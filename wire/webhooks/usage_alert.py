"""Usage alerts in webhook bodies (wire 27.4)."""

from __future__ import annotations

from typing import Any

from wire.times import seconds
from wire.webhooks.envelope import Object
from wire.webhooks.subject import common


def usage_alert_object(doc: dict[str, Any], customer: dict[str, Any]) -> Object:
    """A threshold that usage has reached. ``period_end_time`` is null where nothing resets."""
    return {
        "object": "feature_usage_alert",
        "id": doc["id"],
        "feature": doc["feature"],
        "usage_limit": doc["usage_limit"],
        "current_usage": doc["current_usage"],
        "threshold_type": doc["threshold_type"],
        "threshold_value": doc["threshold_value"],
        "period_start_time": seconds(doc["period_start"]),
        "period_end_time": seconds(doc["period_end"]),
        "subscription_id": doc["subscription"],
        **common(doc, customer),
    }

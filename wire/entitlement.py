"""What a customer may use, as the edge tells it (wire 21)."""

from __future__ import annotations

from typing import Any

from kernel.entitlement import FeatureType


def entitlement_out(granted: dict[str, Any], reset_at: Any) -> dict[str, Any]:
    """One feature of one subscription; when it resets is the reader's to say.

    A limit of null is unlimited. BOOLEAN features have nothing to count.
    """
    item = {"featureId": granted["identifier"], "featureType": granted["feature_type"]}
    if granted["feature_type"] == FeatureType.BOOLEAN:
        nothing = ("resetAt", "hardLimit", "usageLimit", "currentUsage", "remaining")
        return {**item, "hasAccess": granted["value"] is True, **dict.fromkeys(nothing)}
    limit = None if granted["unlimited"] else granted["value"]
    return {
        **item,
        "hasAccess": limit is None or limit > 0,
        "resetAt": reset_at,
        "hardLimit": granted["hard_limit"],
        "usageLimit": limit,
        "currentUsage": 0,
        "remaining": limit,
    }

"""What a customer may use, as the edge tells it (wire 21)."""

from __future__ import annotations

from typing import Any

from kernel.entitlement import FeatureType


def entitlement_out(
    granted: dict[str, Any], *, reset_at: str | None = None, used: int = 0, rolled: int = 0
) -> dict[str, Any]:
    """One feature of one subscription, as it stands in the period that ends at ``reset_at``.

    A limit of null is unlimited; units that were ``rolled`` over raise it. BOOLEAN features have
    nothing to count. Used up is no access: whether that is enforced, ``hardLimit`` says.
    """
    item = {"featureId": granted["identifier"], "featureType": granted["feature_type"]}
    if granted["feature_type"] == FeatureType.BOOLEAN:
        nothing = ("resetAt", "hardLimit", "usageLimit", "currentUsage", "remaining")
        return {**item, "hasAccess": granted["value"] is True, **dict.fromkeys(nothing)}
    limit = None if granted["unlimited"] else granted["value"] + rolled
    remaining = None if limit is None else max(0, limit - used)
    return {
        **item,
        "hasAccess": remaining is None or remaining > 0,
        "resetAt": reset_at,
        "hardLimit": granted["hard_limit"],
        "usageLimit": limit,
        "currentUsage": used,
        "remaining": remaining,
    }

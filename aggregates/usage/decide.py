"""Decisions about reports of usage (wire 22)."""

from __future__ import annotations

from aggregates.usage.events import UsageEventReported
from aggregates.usage.state import Report
from kernel.entitlement import FeatureType, FeatureWords
from kernel.errors import Conflict, Invalid


class FeatureIsNotMetered(Invalid):
    """Usage is counted for METER features only."""

    code = "feature_is_not_metered"


class EventKeyReused(Conflict):
    """The idempotencyKey was used before for another event."""

    code = "event_key_reused"


def require_metered(feature: FeatureWords) -> None:
    """Raise FeatureIsNotMetered. What is archived is still used by those who have it."""
    if feature.type is not FeatureType.METER:
        raise FeatureIsNotMetered(
            f"{feature.identifier!r} is {feature.type.value}; usage is counted for METER features."
        )


def report_event(state: Report, reported: UsageEventReported) -> list[UsageEventReported]:
    """Take an event once; its repetition changes nothing.

    Raises EventKeyReused when the key stands for another customer's event or one of another name.
    """
    if state.event is None:
        return [reported]
    if (state.event.customer, state.event.name) != (reported.customer, reported.name):
        raise EventKeyReused
    return []

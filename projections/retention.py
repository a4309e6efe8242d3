"""How subscriptions stand to retention offers, as their view keeps it (design 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec

from aggregates.subscription.eligibility import Standing
from aggregates.subscription.events import Status
from aggregates.subscription.retention_events import SubscriptionRetentionOfferAccepted
from kernel.ports.event_store import Recorded
from kernel.retention import RetentionSettings
from kernel.sale import BillingType
from kernel.tenant import Tenant
from projections import clocks
from projections.documents import Documents
from projections.reader import Reader
from projections.subscription_pauses import view
from projections.subscriptions import SUBSCRIPTIONS
from wire.times import instant, parse


__all__ = ("Found", "settings", "standing", "view")


@view.on(SubscriptionRetentionOfferAccepted)
def offer_accepted(
    docs: Documents, recorded: Recorded, fact: SubscriptionRetentionOfferAccepted
) -> None:
    """Counted; what clients see of the record stays as it is."""
    doc = docs.get(SUBSCRIPTIONS, recorded.stream)
    if doc is None:
        raise LookupError(f"subscription {recorded.stream} is not in the view")
    accepted = f"{doc['accepted_at']} {instant(fact.occurred_at)}".strip()
    docs.put(SUBSCRIPTIONS, recorded.stream, {**doc, "accepted_at": accepted})


_SQL = (
    "SELECT t.status, t.ends_at, t.billing_type, t.accepted_at, c.frozen_time "
    f"FROM subscriptions t {clocks.JOIN} WHERE t.id = %s AND t.organization = %s"
)
_SETTINGS = "SELECT t.doc FROM retention_settings t WHERE t.id = %s"


@dataclass(frozen=True, slots=True)
class Found:
    """A subscription's standing ``at`` the present of its own clock."""

    standing: Standing
    at: datetime


class _Kept(msgspec.Struct):
    settings: RetentionSettings


_decode = msgspec.json.Decoder(_Kept).decode


async def standing(reader: Reader, tenant: Tenant, subscription: UUID) -> Found | None:
    """How a subscription stands now; None when the organization has no such subscription."""
    rows = await reader.rows(_SQL, (subscription, tenant.organization))
    for status, ends_at, billing_type, accepted_at, frozen_time in rows:
        return Found(
            standing=Standing(
                status=Status(status),
                recurs=billing_type == BillingType.SUBSCRIPTION,
                is_ending=ends_at is not None,
                accepted=tuple(parse(each) for each in accepted_at.split()),
            ),
            at=frozen_time or reader.clock.now(),
        )
    return None


async def settings(reader: Reader, tenant: Tenant) -> RetentionSettings:
    """What the organization offers."""
    rows = await reader.rows(_SETTINGS, (tenant.organization,))
    return _decode(rows[0][0]).settings if rows else RetentionSettings()

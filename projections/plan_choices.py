"""Which other plans a subscriber may look at: those of the same product that are on sale."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import msgspec

from kernel.interval import INTERVALS, ChargePeriod
from kernel.price import PriceType
from kernel.tenant import Tenant
from projections.plans import version_of
from projections.reader import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChoice:
    """A published, visible plan and the periods it is sold for in one currency."""

    identifier: str
    name: str
    description: str
    periods: tuple[ChargePeriod, ...]


_OF_PRODUCT = (
    "SELECT v.doc FROM subscriptions s"
    " JOIN plans mine ON mine.id = s.plan_uuid"
    " JOIN plans p ON p.product_id = mine.product_id AND NOT p.archived"
    " JOIN products r ON r.id = p.product_id AND NOT r.archived"
    " JOIN plan_versions v ON v.plan_id = p.id AND v.version = p.published_version"
    " WHERE s.id = %s AND s.organization = %s AND p.organization = %s"
)
_NEWEST = (
    "SELECT p.published_version FROM subscriptions s JOIN plans p ON p.id = s.plan_uuid"
    " WHERE s.id = %s AND s.organization = %s AND NOT p.archived"
)


async def choices(
    reader: Reader, tenant: Tenant, subscription: UUID, currency: str
) -> list[PlanChoice]:
    """The plans beside the one a subscription has, and that one, in the merchant's order."""
    parameters = (subscription, tenant.organization, tenant.organization)
    rows = await reader.rows(_OF_PRODUCT, parameters)
    found = []
    for (doc,) in rows:
        row = msgspec.json.decode(doc)
        version = version_of(row)
        wording = version.wording
        periods = tuple(
            charge.period
            for price in version.prices
            if price.currency == currency and price.enabled and price.type is PriceType.PAID
            for line in price.rows
            for charge in line.charges
            if charge.period in INTERVALS
        )
        if periods and wording.is_visible:
            order = (wording.ordering is None, wording.ordering or 0, row["created"])
            choice = PlanChoice(
                identifier=row["identifier"],
                name=wording.name,
                description=wording.description,
                periods=tuple(period for period in ChargePeriod if period in periods),
            )
            found.append((order, choice))
    return [choice for _, choice in sorted(found, key=lambda each: each[0])]


async def newest_version(reader: Reader, tenant: Tenant, subscription: UUID) -> int | None:
    """The version of a subscription's plan that is on sale; None when none is."""
    rows = await reader.rows(_NEWEST, (subscription, tenant.organization))
    return rows[0][0] if rows else None

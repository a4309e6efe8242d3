"""Who sells, as documents and hosted pages call the organization."""

from __future__ import annotations

import msgspec

from kernel.tenant import Tenant
from projections.organizations import CHECKOUT_SETTINGS
from projections.reader import Reader


async def merchant_of(reader: Reader, tenant: Tenant) -> str:
    """The brand name of the checkout settings, else the slug as a name."""
    body = await reader.find(CHECKOUT_SETTINGS, tenant, tenant.organization)
    brand = None if body is None else msgspec.json.decode(body)["brandName"]
    return str(brand or tenant.slug.replace("-", " ").replace("_", " ").title())

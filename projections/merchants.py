"""Who sells, as documents and hosted pages call the organization."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kernel.tenant import Tenant
from projections.organizations import CHECKOUT_SETTINGS, ORGANIZATION_SETTINGS
from projections.reader import Reader


async def letterhead_of(reader: Reader, tenant: Tenant) -> Mapping[str, Any]:
    """What the settings say of the merchant: ``legalName``, ``address``, ``taxId``."""
    body = await reader.find(ORGANIZATION_SETTINGS, tenant, tenant.organization)
    settings: Mapping[str, Any] = {} if body is None else msgspec.json.decode(body)
    return settings


async def merchant_of(reader: Reader, tenant: Tenant) -> str:
    """The brand name of the checkout settings, else the slug as a name."""
    body = await reader.find(CHECKOUT_SETTINGS, tenant, tenant.organization)
    brand = None if body is None else msgspec.json.decode(body)["brandName"]
    return str(brand or tenant.slug.replace("-", " ").replace("_", " ").title())

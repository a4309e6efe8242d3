"""What the hosted pages work with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from commands.bus import Bus
from kernel.ports.payments import PaymentProvider
from kernel.tenant import Tenant
from projections.reader import Reader


class Tenants(Protocol):
    """The organizations of this environment."""

    async def get(self, organization: UUID) -> Tenant:
        """The organization with this id. Raises NotFound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageServices:
    """Commands, views, organizations, and who takes payments."""

    bus: Bus
    reader: Reader
    tenants: Tenants
    payments: PaymentProvider

"""What the hosted pages work with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from commands.bus import Bus
from kernel.money import Money
from kernel.ports.files import FileStore
from kernel.ports.payments import PaymentProvider
from kernel.ports.typesetting import Typesetter
from kernel.tenant import Tenant
from projections.reader import Reader


class Tenants(Protocol):
    """The organizations of this environment."""

    async def get(self, organization: UUID) -> Tenant:
        """The organization with this id. Raises NotFound."""

    async def by_slug(self, slug: str) -> Tenant:
        """The organization with this slug. Raises NotFound."""


class SimulatedBank(Protocol):
    """The bank of the simulated provider, at which a payer confirms or refuses."""

    async def asked_about(self, key: str) -> Money | None:
        """The amount that it asks about; None: nothing under this key."""

    async def confirm(self, key: str, *, confirmed: bool) -> None:
        """Take the answer; the first one stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageServices:
    """Commands, views, organizations, who takes payments and who prints.

    There is a bank in a sandbox only.
    """

    bus: Bus
    reader: Reader
    tenants: Tenants
    payments: PaymentProvider
    typesetter: Typesetter
    files: FileStore
    bank: SimulatedBank | None = None

"""What downloads need besides views: whose files they are, and where they are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from kernel.ports.files import FileStore
from kernel.tenant import Tenant


class Tenants(Protocol):
    """The organizations of this environment."""

    async def get(self, organization: UUID) -> Tenant:
        """The organization with this id. Raises NotFound."""


@dataclass(frozen=True, slots=True)
class Downloads:
    """Organizations, and their files."""

    tenants: Tenants
    files: FileStore

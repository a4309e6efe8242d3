"""Whose data it is: every stream, row and key belongs to one organization of one environment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from kernel.ports.payments import SIMULATED, ProviderTerms
from kernel.ports.tax import TABLE, TaxEngine


class Environment(StrEnum):
    """Two environments, two databases; nothing of one works in the other (design 12)."""

    SANDBOX = "sandbox"
    PRODUCTION = "production"


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organization as commands need it.

    ``secret`` keys its natural ids and signed links; ``payments`` says what its provider can do,
    ``tax`` how its sales are taxed.
    """

    organization: UUID
    slug: str
    secret: bytes
    environment: Environment
    payments: ProviderTerms = SIMULATED
    tax: TaxEngine = TABLE

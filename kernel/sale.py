"""What a sale copies into its facts, so that nobody has to look it up elsewhere (design 10)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.offer import ProductWords
from kernel.ports.payments import Instrument


class BillingType(StrEnum):
    """Whether what was sold comes back every period (wire 6.1)."""

    SUBSCRIPTION = "SUBSCRIPTION"
    ONE_TIME = "ONE_TIME"


@dataclass(frozen=True, slots=True, kw_only=True)
class SoldPlan:
    """The plan version that was sold; ``version`` is that of its price."""

    id: UUID
    identifier: str
    name: str
    version: int
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoldSubscription:
    """The subscription of a document: ``amount`` per ``period`` before discount and tax."""

    id: UUID
    amount: Money
    period: ChargePeriod


@dataclass(frozen=True, slots=True, kw_only=True)
class Sale:
    """Whom and what a document is about; one-time purchases are subscription records too."""

    customer: UUID
    product: ProductWords
    plan: SoldPlan
    billing_type: BillingType
    subscription: SoldSubscription


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The sums of a document: ``subtotal - discount + tax = total``.

    Tax that prices contain is in ``tax`` too, but is not added once more.
    """

    subtotal: Money
    discount: Money
    tax: Money
    total: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodWords:
    """A payment method as documents show it.

    ``type`` is ``card`` or the provider's word; ``name`` the brand (``visa``); ``country`` that of
    the issuer, two letters, None when unknown.
    """

    id: UUID
    type: str
    name: str | None = None
    last4: str | None = None
    country: str | None = None

    @classmethod
    def of(cls, method_id: UUID, known: Instrument) -> MethodWords:
        """The words for what the provider says of a method."""
        return cls(
            id=method_id,
            type=known.type,
            name=known.brand or None,
            last4=known.last4 or None,
            country=known.country or None,
        )

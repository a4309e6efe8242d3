"""What can happen to the payment methods of one customer; no fact holds a card number."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from kernel.ports.payments import Instrument


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentMethodAdded:
    """The customer saved a way to pay.

    ``reference`` is the provider's name for it. ``needs_action``: the customer still has to confirm
    it. With ``is_default`` it takes over from ``former_default_id``.
    """

    customer_id: UUID
    method_id: UUID
    provider: str
    reference: str
    instrument: Instrument
    needs_action: bool
    is_default: bool
    former_default_id: UUID | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentMethodConfirmed:
    """The customer did what the provider asked for; the method can be charged."""

    method_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentMethodMadeDefault:
    """New charges go to this method first; it takes over from ``former_default_id``."""

    method_id: UUID
    former_default_id: UUID | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentMethodCardChanged:
    """The same card has a new expiry date, or was issued anew under another number."""

    method_id: UUID
    instrument: Instrument
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentMethodRemoved:
    """The method is gone and will not be charged again."""

    method_id: UUID
    occurred_at: datetime


PaymentMethodEvent = (
    PaymentMethodAdded
    | PaymentMethodConfirmed
    | PaymentMethodMadeDefault
    | PaymentMethodCardChanged
    | PaymentMethodRemoved
)

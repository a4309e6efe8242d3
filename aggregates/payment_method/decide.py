"""Decisions about the payment methods of one customer.

The first method becomes the default. A customer cannot remove the default (wire 15); a merchant
can, and then the newest method that can be charged takes its place.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.payment_method.events import (
    PaymentMethodAdded,
    PaymentMethodCardChanged,
    PaymentMethodConfirmed,
    PaymentMethodEvent,
    PaymentMethodMadeDefault,
    PaymentMethodRemoved,
)
from aggregates.payment_method.state import PaymentMethods, SavedMethod
from kernel.errors import Invalid, NotFound
from kernel.ports.payments import Instrument, SavedInstrument


MAX_METHODS = 100
"""A customer saves at most this many methods: streams stay short (design 4)."""


class PaymentMethodNotFound(NotFound):
    """Payment method not found."""

    code = "payment_method_not_found"


class TooManyPaymentMethods(Invalid):
    """The customer has too many saved payment methods. Remove one first."""

    code = "too_many_payment_methods"


class PaymentMethodNotConfirmed(Invalid):
    """The customer has to confirm this payment method first."""

    code = "payment_method_not_confirmed"


class DefaultMethodStays(Invalid):
    """The default payment method cannot be removed. Make another one the default first."""

    code = "default_method_stays"


def add(  # noqa: PLR0913 -- a method is all of this
    state: PaymentMethods,
    *,
    customer_id: UUID,
    method_id: UUID,
    provider: str,
    saved: SavedInstrument,
    make_default: bool,
    at: datetime,
) -> list[PaymentMethodEvent]:
    """Save a method; adding it twice changes nothing."""
    if state.find(method_id) is not None:
        return []
    if len(state.methods) >= MAX_METHODS:
        raise TooManyPaymentMethods
    is_default = not saved.needs_action and (make_default or state.default_id is None)
    return [
        PaymentMethodAdded(
            customer_id=customer_id,
            method_id=method_id,
            provider=provider,
            reference=saved.reference,
            instrument=saved.instrument,
            needs_action=saved.needs_action,
            is_default=is_default,
            former_default_id=state.default_id if is_default else None,
            occurred_at=at,
        )
    ]


def confirm(state: PaymentMethods, method_id: UUID, *, at: datetime) -> list[PaymentMethodEvent]:
    """The provider says that the customer confirmed; the only method becomes the default."""
    method = existing(state, method_id)
    if not method.needs_action:
        return []
    facts: list[PaymentMethodEvent] = [PaymentMethodConfirmed(method_id=method_id, occurred_at=at)]
    if state.default_id is None:
        facts.append(_made_default(state, method_id, at))
    return facts


def make_default(
    state: PaymentMethods, method_id: UUID, *, at: datetime
) -> list[PaymentMethodEvent]:
    """Charge this method from now on; asking twice changes nothing."""
    method = existing(state, method_id)
    if state.default_id == method_id:
        return []
    if method.needs_action:
        raise PaymentMethodNotConfirmed
    return [_made_default(state, method_id, at)]


def change_card(
    state: PaymentMethods, method_id: UUID, *, instrument: Instrument, at: datetime
) -> list[PaymentMethodEvent]:
    """The card was renewed; the same details again change nothing."""
    if existing(state, method_id).instrument == instrument:
        return []
    return [PaymentMethodCardChanged(method_id=method_id, instrument=instrument, occurred_at=at)]


def remove(
    state: PaymentMethods, method_id: UUID, *, by_customer: bool, at: datetime
) -> list[PaymentMethodEvent]:
    """Forget a method; the newest of the others becomes the default if it was that."""
    existing(state, method_id)
    facts: list[PaymentMethodEvent] = [PaymentMethodRemoved(method_id=method_id, occurred_at=at)]
    if state.default_id != method_id:
        return facts
    if by_customer:
        raise DefaultMethodStays
    heirs = [m for m in state.methods if m.id != method_id and not m.needs_action]
    if heirs:
        heir = heirs[-1].id
        facts.append(
            PaymentMethodMadeDefault(method_id=heir, former_default_id=None, occurred_at=at)
        )
    return facts


def existing(state: PaymentMethods, method_id: UUID) -> SavedMethod:
    """The saved method. Raises PaymentMethodNotFound."""
    method = state.find(method_id)
    if method is None:
        raise PaymentMethodNotFound
    return method


def _made_default(state: PaymentMethods, method_id: UUID, at: datetime) -> PaymentMethodMadeDefault:
    return PaymentMethodMadeDefault(
        method_id=method_id, former_default_id=state.default_id, occurred_at=at
    )

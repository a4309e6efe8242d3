"""The payment methods of one customer as its facts leave them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never
from uuid import UUID

from aggregates.payment_method.events import (
    PaymentMethodAdded,
    PaymentMethodCardChanged,
    PaymentMethodConfirmed,
    PaymentMethodEvent,
    PaymentMethodMadeDefault,
    PaymentMethodRemoved,
)
from kernel.fold import Fold
from kernel.ids import derived_id
from kernel.ports.payments import Instrument


@dataclass(frozen=True, slots=True)
class SavedMethod:
    """One saved way to pay."""

    id: UUID
    provider: str
    reference: str
    instrument: Instrument
    needs_action: bool = False


@dataclass(frozen=True, slots=True)
class PaymentMethods:
    """All methods of a customer, oldest first, and which one is the default."""

    customer_id: UUID | None = None
    methods: tuple[SavedMethod, ...] = ()
    default_id: UUID | None = None

    def find(self, method_id: UUID | None) -> SavedMethod | None:
        """The method with this id, if it is still saved."""
        return next((method for method in self.methods if method.id == method_id), None)

    def to_charge(self, preferred: UUID | None = None) -> SavedMethod | None:
        """The preferred method if it can be charged, else the default (wire 15)."""
        for method in (self.find(preferred), self.find(self.default_id)):
            if method is not None and not method.needs_action:
                return method
        return None


def evolve(state: PaymentMethods, event: PaymentMethodEvent) -> PaymentMethods:
    """Total and free of rules: what is recorded is true."""
    match event:
        case PaymentMethodAdded():
            return _added(state, event)
        case PaymentMethodConfirmed(method_id=method_id):
            return _change(state, method_id, needs_action=False)
        case PaymentMethodMadeDefault(method_id=method_id):
            return replace(state, default_id=method_id)
        case PaymentMethodCardChanged(method_id=method_id, instrument=instrument):
            return _change(state, method_id, instrument=instrument)
        case PaymentMethodRemoved(method_id=method_id):
            rest = tuple(method for method in state.methods if method.id != method_id)
            default = None if state.default_id == method_id else state.default_id
            return replace(state, methods=rest, default_id=default)
        case _:
            assert_never(event)


def _added(state: PaymentMethods, event: PaymentMethodAdded) -> PaymentMethods:
    method = SavedMethod(
        event.method_id, event.provider, event.reference, event.instrument, event.needs_action
    )
    default = event.method_id if event.is_default else state.default_id
    return PaymentMethods(event.customer_id, (*state.methods, method), default)


def _change(
    state: PaymentMethods,
    method_id: UUID,
    *,
    instrument: Instrument | None = None,
    needs_action: bool | None = None,
) -> PaymentMethods:
    def changed(method: SavedMethod) -> SavedMethod:
        if method.id != method_id:
            return method
        return replace(
            method,
            instrument=instrument or method.instrument,
            needs_action=method.needs_action if needs_action is None else needs_action,
        )

    return replace(state, methods=tuple(map(changed, state.methods)))


FOLD = Fold("payment_method", PaymentMethods(), evolve)


def payment_methods_of(customer: UUID) -> UUID:
    """The stream of a customer's payment methods."""
    return derived_id(customer, "payment-methods")

"""Forget a saved payment method."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.customer.state import CUSTOMER
from aggregates.payment_method import decide
from aggregates.payment_method.state import FOLD, payment_methods_of
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePaymentMethod:
    """``customer`` is the internal id; a customer may not remove the default, a merchant may."""

    customer: UUID
    method_id: UUID
    by_customer: bool = False


@handles(RemovePaymentMethod)
async def remove_payment_method(work: UnitOfWork, command: RemovePaymentMethod) -> None:
    """Raises PaymentMethodNotFound, DefaultMethodStays."""
    stream = payment_methods_of(command.customer)
    customer = await work.load(CUSTOMER, command.customer)
    state = await work.load(FOLD, stream)
    at = await instant_for(work, customer)
    facts = decide.remove(state, command.method_id, by_customer=command.by_customer, at=at)
    work.record(stream, facts)

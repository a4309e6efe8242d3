"""Make a saved payment method the default, or note that its card was renewed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.customer.state import CUSTOMER
from aggregates.payment_method import decide
from aggregates.payment_method.state import FOLD, payment_methods_of
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePaymentMethod:
    """``customer`` is the internal id; ``card`` holds the fields of Instrument that changed."""

    customer: UUID
    method_id: UUID
    make_default: bool
    card: Mapping[str, Any]


@handles(ChangePaymentMethod)
async def change_payment_method(work: UnitOfWork, command: ChangePaymentMethod) -> UUID:
    """The id of the method. Raises PaymentMethodNotFound, PaymentMethodNotConfirmed."""
    stream = payment_methods_of(command.customer)
    customer = await work.load(CUSTOMER, command.customer)
    state = await work.load(FOLD, stream)
    method = decide.existing(state, command.method_id)
    at = await instant_for(work, customer)
    if command.card:
        renewed = replace(method.instrument, **command.card)
        facts = decide.change_card(state, command.method_id, instrument=renewed, at=at)
        work.record(stream, facts)
    if command.make_default:
        work.record(stream, decide.make_default(state, command.method_id, at=at))
    return command.method_id

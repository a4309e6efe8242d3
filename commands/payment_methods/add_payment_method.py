"""Remember a way to pay that the provider keeps."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.customer import decide as customers
from aggregates.customer.state import CUSTOMER
from aggregates.payment_method import decide
from aggregates.payment_method.state import FOLD, payment_methods_of
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork
from kernel.ports.payments import SavedInstrument


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPaymentMethod:
    """``customer_id`` is the merchant's; ``saved`` is what the provider said of the method."""

    customer_id: str
    method_id: UUID
    provider: str
    saved: SavedInstrument
    make_default: bool = False


@handles(AddPaymentMethod)
async def add_payment_method(work: UnitOfWork, command: AddPaymentMethod) -> UUID:
    """The id of the method. Raises CustomerNotFound, TooManyPaymentMethods."""
    customer_stream = work.natural_id("customer", command.customer_id)
    customer = await work.load(CUSTOMER, customer_stream)
    customers.require(customer)
    stream = payment_methods_of(customer_stream)
    state = await work.load(FOLD, stream)
    facts = decide.add(
        state,
        customer_id=customer_stream,
        method_id=command.method_id,
        provider=command.provider,
        saved=command.saved,
        make_default=command.make_default,
        at=await instant_for(work, customer),
    )
    work.record(stream, facts, owner=customer_stream)
    return command.method_id

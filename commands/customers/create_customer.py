"""Make a customer known under the merchant's own id."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.customer import decide
from aggregates.customer.state import CUSTOMER, Details
from commands.bus import handles
from commands.time import live_clock
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateCustomer:
    """``customer_id`` is the merchant's; ``test_clock_id`` puts the customer on a test clock."""

    customer_id: str
    details: Details
    test_clock_id: UUID | None = None


@handles(CreateCustomer)
async def create_customer(work: UnitOfWork, command: CreateCustomer) -> UUID:
    """The internal id. Raises CustomerAlreadyExists, TestClockNotFound."""
    stream = work.natural_id("customer", command.customer_id)
    state = await work.load(CUSTOMER, stream, absent=True)
    base = await live_clock(work, command.test_clock_id)
    facts = decide.create(
        state,
        customer_id=command.customer_id,
        details=command.details,
        test_clock_id=command.test_clock_id,
        at=work.instant(base, owner=stream),
    )
    work.record(stream, facts, owner=stream)
    return stream

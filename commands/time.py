"""What time it is for a customer: the wall clock, or the test clock the customer lives on."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.customer.state import Customer
from aggregates.test_clock.decide import ClockAdvancing, TestClockNotFound, require
from aggregates.test_clock.state import TEST_CLOCK
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields
from kernel.tenant import Environment


async def live_clock(work: UnitOfWork, test_clock_id: UUID | None) -> datetime | None:
    """Where the test clock of a customer to be stands, or None for the wall clock.

    Raises ClockAdvancing, TestClockNotFound.
    """
    if test_clock_id is None:
        return None
    if work.tenant.environment is not Environment.SANDBOX:
        raise InvalidFields({"testClockId": ["Test clocks exist in the sandbox only."]})
    clock = await work.load(TEST_CLOCK, test_clock_id)
    require(clock)
    if work.owner(test_clock_id) != work.tenant.organization:
        raise TestClockNotFound
    if clock.target is not None:
        raise ClockAdvancing
    return clock.frozen_time


async def instant_for(work: UnitOfWork, customer: Customer) -> datetime:
    """When a command about this customer happens (design 4, 6). Load what it reads first.

    Without a test clock that is now. With one it is where the clock stands; while it moves,
    clients are refused (ClockAdvancing), and timers and reactions, whose context has an
    ``instant``, go on: the timer's due time, the ``occurred_at`` of the fact that is reacted to.
    A deleted clock stands where it stood, for what still has to be recorded.
    """
    if customer.test_clock_id is None:
        return work.instant(work.now())
    moved = work.context.instant
    clock = await work.load(TEST_CLOCK, customer.test_clock_id, guard=moved is None)
    if moved is None and clock.target is not None:
        raise ClockAdvancing
    base = clock.frozen_time if moved is None else max(moved, clock.frozen_time)
    return work.instant(base, owner=work.natural_id("customer", customer.customer_id))

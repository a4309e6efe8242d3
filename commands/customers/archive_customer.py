"""Close a customer for good."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.customer import decide
from aggregates.customer.state import CUSTOMER
from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveCustomer:
    """Archive the customer with the merchant's id."""

    customer_id: str


@handles(ArchiveCustomer)
async def archive_customer(work: UnitOfWork, command: ArchiveCustomer) -> UUID:
    """The internal id. Raises CustomerNotFound, CustomerHasActiveSubscription."""
    stream = work.natural_id("customer", command.customer_id)
    state = await work.load(CUSTOMER, stream)
    decide.require(state)
    portfolio = await work.load(PORTFOLIO, portfolio_id(stream))
    at = await instant_for(work, state)
    facts = decide.archive(state, has_active_subscription=bool(portfolio.open), at=at)
    work.record(stream, facts)
    return stream

"""Change some details of a customer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.customer import decide
from aggregates.customer.state import CUSTOMER
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCustomer:
    """``changes`` holds the fields of Details that the client named."""

    customer_id: str
    changes: Mapping[str, Any]


@handles(ChangeCustomer)
async def change_customer(work: UnitOfWork, command: ChangeCustomer) -> UUID:
    """The internal id. Raises CustomerNotFound."""
    stream = work.natural_id("customer", command.customer_id)
    state = await work.load(CUSTOMER, stream)
    decide.require(state)
    details = replace(state.details, **command.changes)
    at = await instant_for(work, state)
    work.record(stream, decide.change_details(state, details=details, at=at))
    return stream

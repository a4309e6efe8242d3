"""What decisions need to know of a customer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, assert_never
from uuid import UUID

from aggregates.customer.events import (
    CustomerArchived,
    CustomerCreated,
    CustomerDetailsChanged,
    CustomerEvent,
)
from kernel.fold import Fold
from kernel.postal import Address


@dataclass(frozen=True, slots=True)
class Details:
    """What a client may change of a customer."""

    name: str | None = None
    email: str | None = None
    billing_address: Address | None = None
    tax_id: str | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Customer:
    """A customer as decisions see it; ``exists`` is false before the first fact.

    ``email_changes`` counts how often the email address became another.
    """

    exists: bool = False
    archived: bool = False
    customer_id: str = ""
    details: Details = Details()
    test_clock_id: UUID | None = None
    email_changes: int = 0


def evolve(state: Customer, event: CustomerEvent) -> Customer:
    """Total and free of rules: what is recorded is true."""
    match event:
        case CustomerCreated():
            return Customer(
                exists=True,
                customer_id=event.customer_id,
                details=_details(event),
                test_clock_id=event.test_clock,
            )
        case CustomerDetailsChanged():
            changes = state.email_changes + (event.email != state.details.email)
            return replace(state, details=_details(event), email_changes=changes)
        case CustomerArchived():
            return replace(state, archived=True)
        case _:
            assert_never(event)


def _details(event: CustomerCreated | CustomerDetailsChanged) -> Details:
    return Details(
        name=event.name,
        email=event.email,
        billing_address=event.billing_address,
        tax_id=event.tax_id,
        metadata=event.metadata,
    )


CUSTOMER = Fold("customer", Customer(), evolve)

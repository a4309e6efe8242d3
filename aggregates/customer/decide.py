"""What may happen to a customer (wire 17)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.customer.events import CustomerArchived, CustomerCreated, CustomerDetailsChanged
from aggregates.customer.state import Customer, Details
from kernel.errors import Conflict, Invalid, NotFound


class CustomerNotFound(NotFound):
    """No customer has this customerId."""

    code = "customer_not_found"


class CustomerAlreadyExists(Conflict):
    """A customer with this customerId already exists."""

    code = "customer_already_exists"


class CustomerHasActiveSubscription(Invalid):
    """The customer still has a subscription that has not ended; cancel it first."""

    code = "customer_has_active_subscription"


def create(
    state: Customer,
    *,
    customer_id: str,
    details: Details,
    test_clock_id: UUID | None,
    at: datetime,
) -> list[CustomerCreated]:
    """Take a customerId for ever, also when its customer was archived."""
    if state.exists:
        raise CustomerAlreadyExists
    return [
        CustomerCreated(
            customer_id=customer_id,
            name=details.name,
            email=details.email,
            billing_address=details.billing_address,
            tax_id=details.tax_id,
            metadata=details.metadata,
            test_clock=test_clock_id,
            occurred_at=at,
        )
    ]


def change_details(
    state: Customer, *, details: Details, at: datetime
) -> list[CustomerDetailsChanged]:
    """Replace the details; the same details again change nothing."""
    require(state)
    if details == state.details:
        return []
    return [
        CustomerDetailsChanged(
            name=details.name,
            email=details.email,
            billing_address=details.billing_address,
            tax_id=details.tax_id,
            metadata=details.metadata,
            occurred_at=at,
        )
    ]


def archive(
    state: Customer, *, has_active_subscription: bool, at: datetime
) -> list[CustomerArchived]:
    """Close the customer for good; refused while a subscription has not ended."""
    require(state)
    if has_active_subscription:
        raise CustomerHasActiveSubscription
    return [CustomerArchived(occurred_at=at)]


def require(state: Customer) -> None:
    """Refuse what is unknown or archived. Raises CustomerNotFound."""
    if not state.exists or state.archived:
        raise CustomerNotFound

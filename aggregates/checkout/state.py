"""A checkout session as decisions see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, assert_never, get_args
from uuid import UUID

from aggregates.checkout.events import (
    CheckoutAbandoned,
    CheckoutAuthenticationPassed,
    CheckoutAuthenticationRequired,
    CheckoutCompleted,
    CheckoutDetailsChanged,
    CheckoutEvent,
    CheckoutExpired,
    CheckoutPaymentFailed,
    CheckoutPaymentPending,
    CheckoutPaymentStarted,
    CheckoutSelectionChanged,
    CheckoutSessionCreated,
    Origin,
    Selection,
    Status,
    Terms,
)
from kernel.fold import Fold
from kernel.ids import NIL
from kernel.interval import ChargePeriod
from kernel.postal import Address


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOTHING = Selection(plan="", period=ChargePeriod.ONE_TIME)
NO_TERMS = Terms(currency="", plans=())


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyerDetails:
    """Who buys, as entered; ``custom_fields`` are answers by key."""

    email: str | None = None
    name: str | None = None
    billing_address: Address | None = None
    tax_id: str | None = None
    custom_fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why the newest attempt failed, in words for the buyer."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """``attempts`` were begun; ``in_flight`` is the one under way, with all it may still become.

    ``authenticated`` counts how often the buyer confirmed its authorization. ``touched_at`` is when
    the buyer last did something, ``changes`` how often something was entered.
    """

    status: Status = Status.ABSENT
    session_id: str = ""
    customer: UUID = NIL
    is_new_customer: bool = False
    origin: Origin = Origin.API
    terms: Terms = NO_TERMS
    selection: Selection = NOTHING
    details: BuyerDetails = BuyerDetails()
    created_at: datetime = EPOCH
    touched_at: datetime = EPOCH
    expires_at: datetime = EPOCH
    attempts: int = 0
    in_flight: CheckoutPaymentStarted | None = None
    awaits_authentication: bool = False
    authenticated: int = 0
    is_pending: bool = False
    failure: Failure | None = None
    completed: CheckoutCompleted | None = None
    is_abandoned: bool = False
    changes: int = 0

    @property
    def is_live(self) -> bool:
        """Something can still come of it."""
        return self.status in {Status.OPEN, Status.PROCESSING}

    @property
    def is_trusted(self) -> bool:
        """By a link anybody may name any customer: nothing of that one is shown or changed."""
        return self.origin is Origin.API or self.is_new_customer


def evolve(state: Checkout, event: CheckoutEvent) -> Checkout:
    """Total and free of rules: what is recorded is true."""
    match event:
        case CheckoutSessionCreated():
            return _created(event)
        case CheckoutDetailsChanged():
            return replace(_changed(state, event), details=_details(event))
        case CheckoutSelectionChanged():
            return replace(_changed(state, event), selection=event.selection)
        case CheckoutPaymentStarted():
            return replace(
                _at_rest(state, Status.PROCESSING),
                attempts=event.attempt,
                in_flight=event,
                failure=None,
                touched_at=event.occurred_at,
            )
        case CheckoutAuthenticationRequired():
            return replace(state, awaits_authentication=True, is_pending=False)
        case CheckoutAuthenticationPassed():
            return replace(
                state,
                awaits_authentication=False,
                authenticated=event.number,
                touched_at=event.occurred_at,
            )
        case CheckoutPaymentPending():
            return replace(state, is_pending=True)
        case CheckoutPaymentFailed():
            failure = Failure(code=event.code, message=event.message)
            return replace(_at_rest(state, Status.OPEN), failure=failure)
        case CheckoutCompleted():
            return replace(_at_rest(state, Status.SUCCESS), completed=event, failure=None)
        case CheckoutExpired():
            return _at_rest(state, Status.EXPIRED)
        case CheckoutAbandoned():
            return replace(state, is_abandoned=True)
        case _:
            assert_never(event)


def _created(event: CheckoutSessionCreated) -> Checkout:
    return Checkout(
        status=Status.OPEN,
        session_id=event.session_id,
        customer=event.customer,
        is_new_customer=event.is_new_customer,
        origin=event.origin,
        terms=event.terms,
        selection=event.selection,
        details=BuyerDetails(
            email=event.email,
            name=event.name,
            billing_address=event.billing_address,
            tax_id=event.tax_id,
        ),
        created_at=event.occurred_at,
        touched_at=event.occurred_at,
        expires_at=event.expires_at,
    )


def _changed(state: Checkout, event: CheckoutDetailsChanged | CheckoutSelectionChanged) -> Checkout:
    return replace(state, touched_at=event.occurred_at, changes=state.changes + 1)


def _details(event: CheckoutDetailsChanged) -> BuyerDetails:
    return BuyerDetails(
        email=event.email,
        name=event.name,
        billing_address=event.billing_address,
        tax_id=event.tax_id,
        custom_fields=event.custom_fields or {},
    )


def _at_rest(state: Checkout, status: Status) -> Checkout:
    """The session with a status, and nothing under way."""
    return replace(
        state,
        status=status,
        in_flight=None,
        awaits_authentication=False,
        authenticated=0,
        is_pending=False,
    )


CHECKOUT = Fold("checkout", Checkout(), evolve, get_args(CheckoutEvent))

"""Decisions about a checkout session; each changes nothing when asked twice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
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
    Selection,
    Status,
)
from aggregates.checkout.state import BuyerDetails, Checkout
from kernel.errors import Conflict, Invalid, InvalidFields, NotFound
from kernel.sale import MethodWords, Sale, Totals
from kernel.timer import ABANDONED_AFTER, UNTOUCHED_FOR


MOST_ATTEMPTS = 20
"""So often one session is tried: its page is no place to test cards."""

MOST_CHANGES = 500
"""So often something is entered: streams stay short (design 4)."""


class CheckoutNotFound(NotFound):
    """There is no such checkout session."""

    code = "checkout_not_found"


class CheckoutClosed(Conflict):
    """The checkout is no longer open."""

    code = "checkout_closed"


class CheckoutBusy(Conflict):
    """A payment is under way; wait for what comes of it."""

    code = "checkout_busy"


class TriedTooOften(Conflict):
    """Too many payments were tried here. Ask who sent you for a new checkout."""

    code = "checkout_tried_too_often"


class ChangedTooOften(Conflict):
    """Too much was changed here. Ask who sent you for a new checkout."""

    code = "changed_too_often"


class DiscountsNotAllowed(Invalid):
    """Discount codes are not taken here."""

    code = "discounts_not_allowed"


class SelectionFixed(Invalid):
    """The price was agreed on for this selection; it cannot be changed."""

    code = "selection_fixed"


def create(state: Checkout, created: CheckoutSessionCreated) -> list[CheckoutSessionCreated]:
    """Begin a session; the same request makes it once."""
    if state.status is not Status.ABSENT:
        return []
    return [created]


def require_open(state: Checkout, *, at: datetime) -> None:
    """Raise CheckoutNotFound, CheckoutBusy or CheckoutClosed unless a buyer may go on."""
    if state.status is Status.ABSENT:
        raise CheckoutNotFound
    if state.status is Status.PROCESSING:
        raise CheckoutBusy
    if state.status is not Status.OPEN or at >= state.expires_at:
        raise CheckoutClosed


def change_details(
    state: Checkout, details: BuyerDetails, *, at: datetime
) -> list[CheckoutDetailsChanged]:
    """Take what the buyer entered; the same again changes nothing.

    Raises InvalidFields, ChangedTooOften.
    """
    if details == state.details:
        return []
    _require_room(state)
    if state.terms.lock_email and details.email != state.details.email:
        raise InvalidFields({"email": ["The email address cannot be changed here."]})
    return [
        CheckoutDetailsChanged(
            email=details.email,
            name=details.name,
            billing_address=details.billing_address,
            tax_id=details.tax_id,
            custom_fields=dict(details.custom_fields),
            occurred_at=at,
        )
    ]


def change_selection(
    state: Checkout, selection: Selection, *, at: datetime
) -> list[CheckoutSelectionChanged]:
    """Choose something else of what is offered; the same again changes nothing.

    Raises InvalidFields, DiscountsNotAllowed, SelectionFixed, ChangedTooOften.
    """
    if selection == state.selection:
        return []
    _require_room(state)
    before, terms = state.selection, state.terms
    if terms.custom_amount is not None and selection != replace(
        before, discount_code=selection.discount_code
    ):
        raise SelectionFixed
    if selection.discount_code not in (None, before.discount_code) and not terms.discounts_enabled:
        raise DiscountsNotAllowed
    require_offered(state, selection)
    return [CheckoutSelectionChanged(selection=selection, occurred_at=at)]


def require_offered(state: Checkout, selection: Selection) -> None:
    """Raise InvalidFields unless the session offers plan and period (spec: Errors 5)."""
    terms = state.terms
    problems: dict[str, list[str]] = {}
    if selection.plan not in terms.plans:
        problems["planIdentifier"] = [f"Choose one of: {', '.join(terms.plans)}."]
    if terms.periods and selection.period not in terms.periods:
        problems["chargePeriod"] = [f"Choose one of: {', '.join(terms.periods)}."]
    if problems:
        raise InvalidFields(problems)


def start_payment(state: Checkout, started: CheckoutPaymentStarted) -> list[CheckoutPaymentStarted]:
    """The buyer pays, or lets the card be authorized. Raises TriedTooOften."""
    if state.status is not Status.OPEN or started.attempt != state.attempts + 1:
        return []
    if state.attempts >= MOST_ATTEMPTS:
        raise TriedTooOften
    return [started]


def require_authentication(
    state: Checkout, attempt: int, *, message: str, at: datetime
) -> list[CheckoutAuthenticationRequired]:
    """The bank wants the buyer to confirm."""
    if not _is_under_way(state, attempt) or state.awaits_authentication:
        return []
    return [CheckoutAuthenticationRequired(attempt=attempt, message=message, occurred_at=at)]


def pass_authentication(
    state: Checkout, attempt: int, *, provider_key: str, at: datetime
) -> list[CheckoutAuthenticationPassed]:
    """The buyer confirmed."""
    if not _is_under_way(state, attempt) or not state.awaits_authentication:
        return []
    return [
        CheckoutAuthenticationPassed(
            attempt=attempt,
            number=state.authenticated + 1,
            provider_key=provider_key,
            occurred_at=at,
        )
    ]


def await_outcome(state: Checkout, attempt: int, *, at: datetime) -> list[CheckoutPaymentPending]:
    """The provider is silent; nothing else is tried meanwhile."""
    if not _is_under_way(state, attempt) or state.is_pending:
        return []
    asked_here = state.in_flight is not None and state.in_flight.invoice_id is None
    return [CheckoutPaymentPending(attempt=attempt, is_authorization=asked_here, occurred_at=at)]


def fail_payment(
    state: Checkout, attempt: int, *, code: str, message: str, at: datetime
) -> list[CheckoutEvent]:
    """Open again; expired at once if its time ran out meanwhile."""
    if not _is_under_way(state, attempt):
        return []
    failed = CheckoutPaymentFailed(attempt=attempt, code=code, message=message, occurred_at=at)
    if at < state.expires_at:
        return [failed]
    return [failed, CheckoutExpired(session_id=state.session_id, occurred_at=at)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """What was bought."""

    attempt: int
    sale: Sale
    totals: Totals
    order_id: UUID
    order_number: str
    invoice_id: UUID | None
    method: MethodWords | None


def complete(state: Checkout, purchase: Purchase, *, at: datetime) -> list[CheckoutCompleted]:
    """Something was bought, once."""
    if not state.is_live:
        return []
    return [
        CheckoutCompleted(
            session_id=state.session_id,
            attempt=purchase.attempt,
            sale=purchase.sale,
            totals=purchase.totals,
            order_id=purchase.order_id,
            order_number=purchase.order_number,
            invoice_id=purchase.invoice_id,
            method=purchase.method,
            quantities=dict(state.selection.quantities),
            occurred_at=at,
        )
    ]


def expire(state: Checkout, *, at: datetime, early: bool = False) -> list[CheckoutExpired]:
    """Nobody bought anything in time; an unknown outcome is waited for, its money may be there.

    ``early``: its time will never come.
    """
    if not state.is_live or is_charging(state) or (at < state.expires_at and not early):
        return []
    return [CheckoutExpired(session_id=state.session_id, occurred_at=at)]


def abandon(state: Checkout, *, at: datetime) -> list[CheckoutAbandoned]:
    """Nobody did anything for a while; said once."""
    if not state.is_live or state.is_abandoned or at < abandoned_at(state):
        return []
    return [CheckoutAbandoned(session_id=state.session_id, occurred_at=at)]


def abandoned_at(state: Checkout) -> datetime:
    """When it will be abandoned, if nobody does anything until then."""
    return max(state.created_at + ABANDONED_AFTER, state.touched_at + UNTOUCHED_FOR)


def is_charging(state: Checkout) -> bool:
    """The provider was asked and its answer is not known."""
    return state.in_flight is not None and not state.awaits_authentication


def _require_room(state: Checkout) -> None:
    if state.changes >= MOST_CHANGES:
        raise ChangedTooOften


def _is_under_way(state: Checkout, attempt: int) -> bool:
    return state.in_flight is not None and state.in_flight.attempt == attempt

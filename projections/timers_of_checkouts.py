"""When checkout sessions expire, and when they are abandoned (design 6, wire 16.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aggregates.checkout.events import (
    CheckoutAbandoned,
    CheckoutAuthenticationPassed,
    CheckoutAuthenticationRequired,
    CheckoutCompleted,
    CheckoutDetailsChanged,
    CheckoutExpired,
    CheckoutPaymentFailed,
    CheckoutPaymentPending,
    CheckoutPaymentStarted,
    CheckoutSelectionChanged,
    CheckoutSessionCreated,
)
from kernel.ports.event_store import Recorded
from kernel.timer import ABANDONED_AFTER, UNTOUCHED_FOR, TimerKind, timer_id
from projections.checkouts import CHECKOUTS
from projections.documents import Documents
from projections.table import Table
from projections.timers import FIRST_QUESTION, TIMERS, clear_timers, loads, set_timer
from projections.timers_of_licenses import view
from wire.times import parse


__all__ = ("view",)

EXPIRY, ABANDONMENT = TimerKind.CHECKOUT_EXPIRY, TimerKind.CHECKOUT_ABANDONMENT
ASKED = TimerKind.RECONCILIATION


def _loads(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    yield from loads(EXPIRY, ABANDONMENT, ASKED)(recorded, fact)
    yield (CHECKOUTS, recorded.stream)


@view.on(CheckoutSessionCreated, loads=loads())
def session_created(docs: Documents, recorded: Recorded, fact: CheckoutSessionCreated) -> None:
    """Both are ahead."""
    set_timer(docs, recorded, EXPIRY, fact.expires_at)
    set_timer(docs, recorded, ABANDONMENT, fact.occurred_at + ABANDONED_AFTER)


@view.on(CheckoutDetailsChanged, CheckoutSelectionChanged, loads=_loads)
def touched(docs: Documents, recorded: Recorded, fact: Any) -> None:
    """The buyer is there."""
    del fact
    _touch(docs, recorded)


@view.on(CheckoutPaymentStarted, CheckoutAuthenticationPassed, loads=_loads)
def paying(docs: Documents, recorded: Recorded, fact: Any) -> None:
    """What becomes of the payment is waited for, however long that takes."""
    del fact
    clear_timers(docs, recorded, EXPIRY)
    _touch(docs, recorded)


@view.on(CheckoutPaymentFailed, CheckoutAuthenticationRequired, loads=_loads)
def stopped(docs: Documents, recorded: Recorded, fact: Any) -> None:
    """The buyer has the rest of the time."""
    del fact
    clear_timers(docs, recorded, ASKED)
    doc = docs.get(CHECKOUTS, recorded.stream)
    if doc is None:
        raise LookupError(f"checkout {recorded.stream} is not in the view")
    due = parse(doc["expires_at"])
    set_timer(docs, recorded, EXPIRY, due)


@view.on(CheckoutPaymentPending, loads=_loads)
def pending(docs: Documents, recorded: Recorded, fact: CheckoutPaymentPending) -> None:
    """The provider will be asked, in real time; for a payment its invoice does that."""
    if fact.is_authorization:
        set_timer(docs, recorded, ASKED, recorded.recorded_at + FIRST_QUESTION)


@view.on(CheckoutAbandoned, loads=_loads)
def abandoned(docs: Documents, recorded: Recorded, fact: CheckoutAbandoned) -> None:
    """Said once."""
    del fact
    clear_timers(docs, recorded, ABANDONMENT)


@view.on(CheckoutCompleted, CheckoutExpired, loads=_loads)
def over(docs: Documents, recorded: Recorded, fact: Any) -> None:
    """Nothing is ahead."""
    del fact
    clear_timers(docs, recorded, EXPIRY, ABANDONMENT, ASKED)


def _touch(docs: Documents, recorded: Recorded) -> None:
    """Never sooner than it was, and half an hour after the buyer was there."""
    before = docs.get(TIMERS, timer_id(recorded.stream, ABANDONMENT))
    if before is not None:
        due = recorded.fact.occurred_at + UNTOUCHED_FOR
        set_timer(docs, recorded, ABANDONMENT, max(parse(before["due_at"]), due))

"""The timers view: what falls due by itself, and when (design 6).

A timer is there from the fact that sets it to the fact it leads to. Times are those of the
customer's test clock, but for what happens outside: payments are asked after in real time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from aggregates.invoice.events import (
    InvoiceCreated,
    InvoicePaid,
    InvoicePaymentFailed,
    InvoicePaymentPending,
)
from aggregates.refund.events import (
    RefundCreated,
    RefundFailed,
    RefundPending,
    RefundSucceeded,
)
from aggregates.subscription.events import (
    Status,
    SubscriptionActivated,
    SubscriptionBecamePastDue,
    SubscriptionCanceled,
    SubscriptionCancellationScheduled,
    SubscriptionCancellationWithdrawn,
    SubscriptionCreated,
    SubscriptionIncompleteExpired,
    SubscriptionPaymentRetried,
    SubscriptionRecovered,
    SubscriptionRenewed,
    SubscriptionRetriesResumed,
    SubscriptionRetriesStopped,
    SubscriptionTrialConverted,
    SubscriptionTrialEndingSoon,
)
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from kernel.interval import Period
from kernel.ports.event_store import Recorded
from kernel.timer import REMINDER_LEAD, Timer, TimerKind, timer_id
from projections.customers import CUSTOMERS
from projections.documents import Documents
from projections.table import Column, Doc, Table
from projections.view import Loads, View
from wire.ids import id_text
from wire.times import instant, parse


FIRST_QUESTION = timedelta(seconds=10)
"""How long after an unknown outcome the provider is first asked; then see the scheduler."""

REAL_TIME = f"test_clock IS NULL OR kind = '{TimerKind.RECONCILIATION}'"
"""What the wall clock decides; the rest waits for a test clock to move."""

TIMERS = Table(
    name="timers",
    columns=(
        Column("kind"),
        Column("rank", "smallint"),
        Column("due_at", "timestamptz"),
        Column("subject", "uuid"),
        Column("owner", "uuid"),
        Column("test_clock", "uuid"),
    ),
    indexes=(
        f"(due_at, rank, id) WHERE {REAL_TIME}",
        f"(test_clock, due_at, rank, id) WHERE NOT ({REAL_TIME})",
    ),
)

view = View("timers", TIMERS, version=2)

_DUNNING = (TimerKind.PAYMENT_RETRY, TimerKind.UNPAID_CANCELLATION)
_TRIAL = (TimerKind.TRIAL_REMINDER, TimerKind.TRIAL_END)
_OF_SUBSCRIPTION = (
    *_TRIAL,
    *_DUNNING,
    TimerKind.DISCOUNT_END,
    TimerKind.RESUME,
    TimerKind.CANCELLATION,
    TimerKind.INCOMPLETE_EXPIRY,
    TimerKind.RENEWAL,
)


def loads(*clears: TimerKind) -> Loads:
    """What a writer reads that sets timers of the fact's subject and clears these kinds."""

    def found(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
        del fact
        yield (CUSTOMERS, recorded.owner)
        for kind in clears:
            yield (TIMERS, timer_id(recorded.stream, kind))

    return found


@view.on(SubscriptionCreated, loads=loads())
def created(docs: Documents, recorded: Recorded, fact: SubscriptionCreated) -> None:
    """The end of the trial, of the first period, or of the time to pay."""
    if fact.expires_at is not None:
        set_timer(docs, recorded, TimerKind.INCOMPLETE_EXPIRY, fact.expires_at)
    elif fact.status is Status.TRIALING and fact.trial is not None:
        set_timer(docs, recorded, TimerKind.TRIAL_END, fact.trial.end)
        reminder = fact.trial.end - REMINDER_LEAD
        if reminder > fact.occurred_at:  # a shorter trial's is given with its start, or never
            set_timer(docs, recorded, TimerKind.TRIAL_REMINDER, reminder)
    else:
        _renewal(docs, recorded, fact.period)


@view.on(SubscriptionActivated, loads=loads(TimerKind.INCOMPLETE_EXPIRY, TimerKind.RENEWAL))
def activated(docs: Documents, recorded: Recorded, fact: SubscriptionActivated) -> None:
    """Paid in time."""
    clear_timers(docs, recorded, TimerKind.INCOMPLETE_EXPIRY)
    _renewal(docs, recorded, fact.period)


@view.on(SubscriptionTrialEndingSoon, loads=loads(TimerKind.TRIAL_REMINDER))
def reminded(docs: Documents, recorded: Recorded, fact: SubscriptionTrialEndingSoon) -> None:
    """The customer was told."""
    del fact
    clear_timers(docs, recorded, TimerKind.TRIAL_REMINDER)


@view.on(SubscriptionTrialConverted, loads=loads(*_TRIAL))
def converted(docs: Documents, recorded: Recorded, fact: SubscriptionTrialConverted) -> None:
    """The first paid period runs."""
    clear_timers(docs, recorded, *_TRIAL)
    _renewal(docs, recorded, fact.period)


@view.on(SubscriptionRenewed, loads=loads())
def renewed(docs: Documents, recorded: Recorded, fact: SubscriptionRenewed) -> None:
    """The next period runs."""
    _renewal(docs, recorded, fact.period)


@view.on(SubscriptionPaused, loads=loads(TimerKind.RENEWAL))
def paused(docs: Documents, recorded: Recorded, fact: SubscriptionPaused) -> None:
    """Nothing is billed before the pause is over."""
    clear_timers(docs, recorded, TimerKind.RENEWAL)
    set_timer(docs, recorded, TimerKind.RESUME, fact.resumes_at)


@view.on(SubscriptionResumed, loads=loads(TimerKind.RESUME))
def pause_over(docs: Documents, recorded: Recorded, fact: SubscriptionResumed) -> None:
    """The rest of the paid period runs."""
    clear_timers(docs, recorded, TimerKind.RESUME)
    _renewal(docs, recorded, fact.period)


@view.on(SubscriptionCancellationScheduled, loads=loads())
def scheduled(docs: Documents, recorded: Recorded, fact: SubscriptionCancellationScheduled) -> None:
    """The end is set, or set anew."""
    set_timer(docs, recorded, TimerKind.CANCELLATION, fact.ends_at)


@view.on(SubscriptionCancellationWithdrawn, loads=loads(TimerKind.CANCELLATION))
def withdrawn(docs: Documents, recorded: Recorded, fact: SubscriptionCancellationWithdrawn) -> None:
    """It goes on."""
    del fact
    clear_timers(docs, recorded, TimerKind.CANCELLATION)


@view.on(SubscriptionBecamePastDue, loads=loads(*_DUNNING))
def fell_behind(docs: Documents, recorded: Recorded, fact: SubscriptionBecamePastDue) -> None:
    """The first retry, or the end if no new method comes."""
    _move(docs, recorded, TimerKind.PAYMENT_RETRY, fact.next_retry_at)
    _move(docs, recorded, TimerKind.UNPAID_CANCELLATION, fact.cancel_at)


@view.on(SubscriptionPaymentRetried, loads=loads(TimerKind.PAYMENT_RETRY))
def retried(docs: Documents, recorded: Recorded, fact: SubscriptionPaymentRetried) -> None:
    """The next retry, if there is one."""
    _move(docs, recorded, TimerKind.PAYMENT_RETRY, fact.next_retry_at)


@view.on(SubscriptionRetriesStopped, loads=loads(*_DUNNING))
def gave_up(docs: Documents, recorded: Recorded, fact: SubscriptionRetriesStopped) -> None:
    """No retry; the end if no new method comes."""
    _move(docs, recorded, TimerKind.PAYMENT_RETRY, None)
    _move(docs, recorded, TimerKind.UNPAID_CANCELLATION, fact.cancel_at)


@view.on(SubscriptionRetriesResumed, loads=loads(*_DUNNING))
def resumed(docs: Documents, recorded: Recorded, fact: SubscriptionRetriesResumed) -> None:
    """A new method came: the schedule goes on."""
    _move(docs, recorded, TimerKind.PAYMENT_RETRY, fact.next_retry_at)
    _move(docs, recorded, TimerKind.UNPAID_CANCELLATION, None)


@view.on(SubscriptionRecovered, loads=loads(*_DUNNING))
def recovered(docs: Documents, recorded: Recorded, fact: SubscriptionRecovered) -> None:
    """Nothing is open any more."""
    del fact
    clear_timers(docs, recorded, *_DUNNING)


@view.on(SubscriptionCanceled, loads=loads(*_OF_SUBSCRIPTION))
def ended(docs: Documents, recorded: Recorded, fact: SubscriptionCanceled) -> None:
    """Nothing falls due any more."""
    del fact
    clear_timers(docs, recorded, *_OF_SUBSCRIPTION)


@view.on(SubscriptionIncompleteExpired, loads=loads(*_OF_SUBSCRIPTION))
def expired(docs: Documents, recorded: Recorded, fact: SubscriptionIncompleteExpired) -> None:
    """Nothing falls due any more."""
    del fact
    clear_timers(docs, recorded, *_OF_SUBSCRIPTION)


@view.on(InvoiceCreated, RefundCreated, loads=loads(TimerKind.RECONCILIATION))
def begun(docs: Documents, recorded: Recorded, fact: object) -> None:
    """Nothing falls due yet; noted so that no query has to find that out."""
    del docs, recorded, fact


@view.on(InvoicePaymentPending, RefundPending, loads=loads())
def pending(docs: Documents, recorded: Recorded, fact: object) -> None:
    """The provider will be asked what became of the payment or refund, in real time."""
    del fact
    set_timer(docs, recorded, TimerKind.RECONCILIATION, recorded.recorded_at + FIRST_QUESTION)


@view.on(
    InvoicePaid,
    InvoicePaymentFailed,
    RefundSucceeded,
    RefundFailed,
    loads=loads(TimerKind.RECONCILIATION),
)
def known(docs: Documents, recorded: Recorded, fact: object) -> None:
    """What became of the payment or refund is known."""
    del fact
    clear_timers(docs, recorded, TimerKind.RECONCILIATION)


def _renewal(docs: Documents, recorded: Recorded, period: Period | None) -> None:
    if period is not None:
        set_timer(docs, recorded, TimerKind.RENEWAL, period.end)


def _move(docs: Documents, recorded: Recorded, kind: TimerKind, due: datetime | None) -> None:
    if due is None:
        clear_timers(docs, recorded, kind)
    else:
        set_timer(docs, recorded, kind, due)


def set_timer(docs: Documents, recorded: Recorded, kind: TimerKind, due: datetime) -> None:
    customer = docs.get(CUSTOMERS, recorded.owner)
    if customer is None:
        raise LookupError(f"customer {recorded.owner} is not in the view")
    doc = {
        "organization": id_text(recorded.organization),
        "created": recorded.position,
        "kind": kind.value,
        "rank": kind.rank,
        "due_at": instant(due),
        "subject": id_text(recorded.stream),
        "owner": id_text(recorded.owner),
        "test_clock": customer["test_clock_id"],
    }
    docs.put(TIMERS, timer_id(recorded.stream, kind), doc)


def clear_timers(docs: Documents, recorded: Recorded, *kinds: TimerKind) -> None:
    for kind in kinds:
        key = timer_id(recorded.stream, kind)
        if docs.get(TIMERS, key) is not None:
            docs.put(TIMERS, key, None)


def timer_of(key: UUID, doc: Doc) -> Timer:
    """The timer that a document stands for."""
    clock = doc["test_clock"]
    return Timer(
        id=key,
        kind=TimerKind(doc["kind"]),
        due_at=parse(doc["due_at"]),
        subject=UUID(doc["subject"]),
        owner=UUID(doc["owner"]),
        organization=UUID(doc["organization"]),
        set_by=doc["created"],
        test_clock=None if clock is None else UUID(clock),
    )

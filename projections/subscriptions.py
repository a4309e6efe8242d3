"""The subscriptions view: every record of every subscription (design 5).

The row under the subscription's own id is its newest record; a record that was replaced keeps a row
under an id of its own, as ``superseded``. So the record in force is always found by one key.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec

from aggregates.subscription.events import (
    Status,
    SubscriptionActivated,
    SubscriptionBecamePastDue,
    SubscriptionCanceled,
    SubscriptionCancellationScheduled,
    SubscriptionCancellationWithdrawn,
    SubscriptionCreated,
    SubscriptionIncompleteExpired,
    SubscriptionRecovered,
    SubscriptionRenewed,
    SubscriptionTrialConverted,
)
from kernel.interval import Period
from kernel.ports.event_store import Recorded
from kernel.sale import BillingType
from projections import clocks, copies, issued_licenses
from projections.contracts import contract_of, trial_of
from projections.documents import Documents
from projections.reader import Condition, between, on_days, token
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.ids import id_text
from wire.media import plan_files_out
from wire.subscription import subscription_out
from wire.times import instant


SUPERSEDED = "superseded"
STATUSES = (*(status.value for status in Status if status is not Status.ABSENT), SUPERSEDED)
"""Every status of a record; ``superseded`` is known to views alone."""

BILLED = frozenset({Status.ACTIVE, Status.TRIALING, Status.PAST_DUE, Status.PAUSED})
"""What another invoice will come of, if it does not end before."""

TRIAL_DAYS = token("trial_days")
FILES = token("files")


def _files(value: Any, present: Present) -> Any:
    """What came with the plan, with links for the customer."""
    sold, customer = value
    what = msgspec.json.decode(sold)
    reader = UUID(customer)
    return plan_files_out(
        what["files"], what["plan"], present.base_url, present.tenant, reader, present.now
    )


SUBSCRIPTIONS = Table(
    name="subscriptions",
    columns=(
        Column("subscription", "uuid"),
        Column("customer_uuid", "uuid"),
        Column("status"),
        Column("in_force", "boolean"),
        Column("shown", "boolean"),
        Column("started_at", "timestamptz"),
        Column("ends_at", "timestamptz"),
        Column("trialing_until", "timestamptz"),
        Column("next_invoice_at"),
        Column("modified_on", "timestamptz"),
        Column("test_clock", "uuid"),
        Column("plan_uuid", "uuid"),
        Column("billing_type"),
        Column("accepted_at"),
        Column("files"),
    ),
    indexes=("(customer_uuid, created DESC)", "(plan_uuid, id)"),
    render=lambda doc: subscription_out(doc, TRIAL_DAYS, issued_licenses.LICENSES, FILES),
    visible="t.id = t.subscription AND t.shown",
    joins=clocks.JOIN,
    splices=(
        Splice(TRIAL_DAYS, clocks.with_clock("t.trialing_until"), clocks.days_left),
        issued_licenses.splice("subscription", "t.subscription"),
        Splice(FILES, "ARRAY[t.files, t.customer_uuid::text]", _files),
    ),
)

view = View("subscriptions", SUBSCRIPTIONS, version=7)
_LOADS = copies.own_and_customer(SUBSCRIPTIONS)


@view.on(SubscriptionCreated, loads=_LOADS)
def created(docs: Documents, recorded: Recorded, fact: SubscriptionCreated) -> None:
    """The first record."""
    doc: Doc = {
        **copies.head(recorded),
        "subscription": id_text(recorded.stream),
        "began": recorded.position,
        "customer": copies.customer(docs, recorded),
        "customer_uuid": id_text(recorded.owner),
        "test_clock": None if fact.test_clock is None else id_text(fact.test_clock),
        "in_force": True,
        "started_at": instant(fact.started_at),
        "resumes_at": None,
        "resumed_end": None,
        "accepted_at": "",
        "is_tried_once": fact.is_charge or fact.checkout is not None,
        **_open_end(),
        **trial_of(fact.trial),
        **contract_of(fact.contract, fact.anchor),
    }
    docs.put(SUBSCRIPTIONS, recorded.stream, at_present(doc, fact.status, fact.period))


@view.on(SubscriptionActivated, loads=_LOADS)
def activated(docs: Documents, recorded: Recorded, fact: SubscriptionActivated) -> None:
    """The first paid period, counted from the payment."""
    begun = {"anchor": instant(fact.anchor)}
    _change(docs, recorded, begun, status=Status.ACTIVE, period=fact.period)


@view.on(SubscriptionTrialConverted, loads=_LOADS)
def trial_converted(docs: Documents, recorded: Recorded, fact: SubscriptionTrialConverted) -> None:
    """The first paid period, after the trial; an early one ended the trial then."""
    old = docs.get(SUBSCRIPTIONS, recorded.stream) or {}
    begun: Doc = {"anchor": instant(fact.anchor)}
    if old["trial_end"] is not None and begun["anchor"] < old["trial_end"]:
        begun["trial_end"] = begun["anchor"]
    _change(docs, recorded, begun, status=Status.ACTIVE, period=fact.period)


@view.on(SubscriptionIncompleteExpired, loads=_LOADS)
def incomplete_expired(
    docs: Documents, recorded: Recorded, fact: SubscriptionIncompleteExpired
) -> None:
    """No record is in force: the subscription never came about."""
    ended = {"ends_at": instant(fact.occurred_at), "in_force": False}
    _change(docs, recorded, ended, status=Status.INCOMPLETE_EXPIRED)


@view.on(SubscriptionRenewed, loads=_LOADS)
def renewed(docs: Documents, recorded: Recorded, fact: SubscriptionRenewed) -> None:
    """The next period."""
    _change(docs, recorded, period=fact.period)


@view.on(SubscriptionBecamePastDue, loads=_LOADS)
def became_past_due(docs: Documents, recorded: Recorded, fact: SubscriptionBecamePastDue) -> None:
    """The same record, past due."""
    del fact
    _change(docs, recorded, status=Status.PAST_DUE)


@view.on(SubscriptionRecovered, loads=_LOADS)
def recovered(docs: Documents, recorded: Recorded, fact: SubscriptionRecovered) -> None:
    """The same record, active again."""
    del fact
    _change(docs, recorded, status=Status.ACTIVE)


@view.on(SubscriptionCancellationScheduled, loads=_LOADS)
def cancellation_scheduled(
    docs: Documents, recorded: Recorded, fact: SubscriptionCancellationScheduled
) -> None:
    """It has an end; the status stays."""
    why = _cancellation(fact, canceled_at=fact.recorded_at)
    _change(docs, recorded, {**why, "ends_at": instant(fact.ends_at)})


@view.on(SubscriptionCancellationWithdrawn, loads=_LOADS)
def cancellation_withdrawn(
    docs: Documents, recorded: Recorded, fact: SubscriptionCancellationWithdrawn
) -> None:
    """No end again."""
    del fact
    _change(docs, recorded, _open_end())


@view.on(SubscriptionCanceled, loads=_LOADS)
def canceled(docs: Documents, recorded: Recorded, fact: SubscriptionCanceled) -> None:
    """Ended."""
    why = _cancellation(fact, canceled_at=fact.requested_at)
    ended = {"ends_at": instant(fact.ended_at), "resumes_at": None, **why}
    _change(docs, recorded, ended, status=Status.CANCELED)


def of_customer(customer: object) -> Condition:
    """The records of one customer, by the internal id; a charge shows once it is paid."""
    return Condition("t.customer_uuid = %s AND t.shown", (customer,))


def in_force(now: datetime) -> tuple[Condition, ...]:
    """One row per subscription: the record in force, unless its end has passed (design 5)."""
    return (Condition("t.in_force"), clocks.not_past("t.ends_at", now))


def _change(
    docs: Documents,
    recorded: Recorded,
    changes: Doc | None = None,
    *,
    status: Status | None = None,
    period: Period | None = None,
) -> None:
    doc = copies.touch(SUBSCRIPTIONS, docs, recorded, **(changes or {}))
    docs.put(
        SUBSCRIPTIONS, recorded.stream, at_present(doc, status or Status(doc["status"]), period)
    )


def at_present(doc: Doc, status: Status, period: Period | None) -> Doc:
    """The record with a status, a period if there is a new one, and what follows from both."""
    if period is not None or "period_start" not in doc:
        start = None if period is None else instant(period.start)
        end = None if period is None else instant(period.end)
        doc = {**doc, "period_start": start, "period_end": end}
    return {
        **doc,
        "status": status.value,
        "shown": not (doc["is_tried_once"] and status.value.startswith(Status.INCOMPLETE)),
        "trialing_until": doc["trial_end"] if status is Status.TRIALING else None,
        "next_invoice_at": _next_invoice_at(doc, status),
    }


def _next_invoice_at(doc: Doc, status: Status) -> str | None:
    """The end of the period, unless the subscription ends by then; null when nothing will come."""
    period_end: str | None = doc["resumed_end" if status is Status.PAUSED else "period_end"]
    if status not in BILLED or period_end is None or doc["billing_type"] == BillingType.ONE_TIME:
        return None
    ends_first = doc["ends_at"] is not None and doc["ends_at"] <= period_end
    return None if ends_first else period_end


def _open_end() -> Doc:
    return {
        "ends_at": None,
        "canceled_at": None,
        "cancellation_reason": None,
        "cancellation_feedback": None,
        "cancellation_comment": None,
    }


def _cancellation(
    fact: SubscriptionCancellationScheduled | SubscriptionCanceled, *, canceled_at: datetime
) -> Doc:
    return {
        "canceled_at": instant(canceled_at),
        "cancellation_reason": fact.initiator.value,
        "cancellation_feedback": None if fact.feedback is None else fact.feedback.value,
        "cancellation_comment": fact.comment,
    }


def with_status(statuses: Sequence[str]) -> Condition:
    """Every record that has one of the statuses, as it is."""
    return Condition("t.status = ANY(%s::text[])", (list(statuses),))


def changed_between(after: datetime | None, before: datetime | None) -> tuple[Condition, ...]:
    """Records whose last change lies between two instants, both included."""
    return between("t.modified_on", after, before)


def started_on(first: date | None, last: date | None) -> tuple[Condition, ...]:
    """Records of subscriptions that started between two days in UTC, both included."""
    return on_days("t.started_at", first, last)

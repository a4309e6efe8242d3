"""The records of a subscription that others replaced, or that wait to replace one (design 5)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from aggregates.subscription.changes import (
    SubscriptionChangeExpired,
    SubscriptionChangeRequested,
    SubscriptionPlanChanged,
    SubscriptionTrialMoved,
)
from aggregates.subscription.contract import Contract
from aggregates.subscription.events import Status
from kernel.ids import derived_id
from kernel.ports.event_store import Recorded
from projections import copies
from projections.contracts import contract_of, trial_of
from projections.documents import Documents
from projections.subscriptions import (
    SUBSCRIPTIONS,
    SUPERSEDED,
    at_present,
    view,
)
from projections.table import Doc, Table
from wire.times import instant


__all__ = ("view",)

_LOADS = copies.own_and_customer(SUBSCRIPTIONS)


def changed_records(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    """The record in force, the one that waits if there is one, and the customer."""
    yield from _LOADS(recorded, fact)
    if fact.change_id is not None:
        yield (SUBSCRIPTIONS, fact.change_id)


@view.on(SubscriptionPlanChanged, loads=changed_records)
def plan_changed(docs: Documents, recorded: Recorded, fact: SubscriptionPlanChanged) -> None:
    """A new record under the same subscription; the old one keeps a row as superseded."""
    old = _own(docs, recorded)
    record = derived_id(recorded.stream, "record", recorded.position)
    docs.put(SUBSCRIPTIONS, record, superseded(old, record, fact.occurred_at))
    if fact.change_id is not None:
        docs.put(SUBSCRIPTIONS, fact.change_id, None)  # it is the record in force from now on
    trial = {} if fact.trial is None else trial_of(fact.trial)
    doc = {**old, **_record(docs, recorded, fact.contract, fact.anchor), **trial}
    period: Doc = {"period_start": None, "period_end": None} if fact.period is None else {}
    status = _status_after(Status(old["status"]), fact)
    docs.put(SUBSCRIPTIONS, recorded.stream, at_present({**doc, **period}, status, fact.period))


@view.on(SubscriptionTrialMoved, loads=_LOADS)
def trial_moved(docs: Documents, recorded: Recorded, fact: SubscriptionTrialMoved) -> None:
    """The same record with another end of the trial."""
    moved = {"anchor": instant(fact.trial.end), **trial_of(fact.trial)}
    doc = copies.touch(SUBSCRIPTIONS, docs, recorded, **moved)
    docs.put(SUBSCRIPTIONS, recorded.stream, at_present(doc, Status(doc["status"]), fact.trial))


@view.on(SubscriptionChangeRequested, loads=changed_records)
def change_requested(
    docs: Documents, recorded: Recorded, fact: SubscriptionChangeRequested
) -> None:
    """A record that is not in force yet, beside the one that is."""
    record = _record(docs, recorded, fact.contract, fact.anchor)
    waiting = {"id": str(fact.change_id), "in_force": False, "is_tried_once": False}
    doc = {**_own(docs, recorded), **record, **waiting}
    docs.put(SUBSCRIPTIONS, fact.change_id, at_present(doc, Status.INCOMPLETE, fact.period))


@view.on(SubscriptionChangeExpired, loads=changed_records)
def change_expired(docs: Documents, recorded: Recorded, fact: SubscriptionChangeExpired) -> None:
    """The record that waited never came into force."""
    doc = docs.get(SUBSCRIPTIONS, fact.change_id)
    if doc is None:
        raise LookupError(f"record {fact.change_id} is not in the view")
    at = instant(recorded.fact.occurred_at)
    ended = {**doc, "ends_at": at, "modified_on": at}
    docs.put(SUBSCRIPTIONS, fact.change_id, at_present(ended, Status.INCOMPLETE_EXPIRED, None))


def _own(docs: Documents, recorded: Recorded) -> Doc:
    doc = docs.get(SUBSCRIPTIONS, recorded.stream)
    if doc is None:
        raise LookupError(f"subscription {recorded.stream} is not in the view")
    return doc


def _record(docs: Documents, recorded: Recorded, contract: Contract, anchor: datetime) -> Doc:
    """What a new record of a subscription does not take over from the one before."""
    customer = {"customer": copies.customer(docs, recorded)}
    return {**copies.head(recorded), **contract_of(contract, anchor), **customer}


def _status_after(status: Status, fact: SubscriptionPlanChanged) -> Status:
    if fact.trial is not None:
        return Status.TRIALING
    return Status.ACTIVE if fact.period is None and status is Status.TRIALING else status


def superseded(doc: Doc, record: UUID, replaced_at: datetime) -> Doc:
    """A record that another one replaced, to be kept under an id of its own (design 5)."""
    ended = {"ends_at": instant(replaced_at), "next_invoice_at": None, "trialing_until": None}
    return {**doc, "id": str(record), "status": SUPERSEDED, "in_force": False, **ended}

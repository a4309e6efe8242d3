"""The refunds view: every refund, the newest first, each with its order as it is now (wire 14)."""

from __future__ import annotations

from datetime import date
from typing import Any

from aggregates.refund.events import (
    RefundCreated,
    RefundFailed,
    RefundPending,
    RefundSucceeded,
    Status,
)
from kernel.ports.event_store import Recorded
from projections import copies, issued_licenses, sold_subscriptions
from projections.documents import Documents
from projections.reader import Condition, containing, on_days, token
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.ids import id_text
from wire.refund import RefundOut, refund_out


STATUSES = tuple(status.value for status in Status if status is not Status.ABSENT)
ORDER = token("order")


def _order(value: bytes | None, present: Present) -> bytes:
    """The order's own body, whose tokens the next splices fill in."""
    del present
    return value or b"{}"


def _body(doc: Doc) -> RefundOut:
    return refund_out(doc, order=ORDER)


REFUNDS = Table(
    name="refunds",
    columns=(
        Column("status"),
        Column("order_id", "uuid"),
        Column("order_number"),
        Column("created_on", "timestamptz"),
        Column("customer_id"),
        Column("customer_name"),
        Column("customer_email"),
    ),
    indexes=("(organization, created_on)", "(order_id)"),
    buckets=("status",),
    render=_body,
    joins=f"LEFT JOIN orders o ON o.id = t.order_id {sold_subscriptions.join('o')}",
    splices=(
        Splice(ORDER, "o.body", _order),
        *sold_subscriptions.SPLICES,
        issued_licenses.splice("order_id", "t.order_id"),
    ),
)

view = View("refunds", REFUNDS)
_LOADS = copies.own_and_customer(REFUNDS)


@view.on(RefundCreated, loads=_LOADS)
def created(docs: Documents, recorded: Recorded, fact: RefundCreated) -> None:
    """Money is on its way back."""
    doc: Doc = {
        **copies.head(recorded),
        "customer": copies.customer(docs, recorded),
        "status": Status.PROCESSING.value,
        "order_id": id_text(fact.order_id),
        "order_number": fact.order_number,
        "subscription": id_text(fact.sale.subscription.id),
        "currency": fact.shares.amount.currency,
        "amount_units": fact.shares.amount.units,
        "tax_units": fact.shares.tax.units,
        "method_units": fact.shares.method.units,
        "reason": fact.reason.value,
        "internal_note": fact.internal_note,
        "failure_reason": None,
    }
    docs.put(REFUNDS, recorded.stream, _searchable(doc))


@view.on(RefundPending, loads=_LOADS)
def pending(docs: Documents, recorded: Recorded, fact: RefundPending) -> None:
    """Nobody knows yet; it stays as it is."""
    del fact
    _change(docs, recorded)


@view.on(RefundSucceeded, loads=_LOADS)
def succeeded(docs: Documents, recorded: Recorded, fact: RefundSucceeded) -> None:
    """The money is back."""
    del fact
    _change(docs, recorded, status=Status.SUCCEEDED.value)


@view.on(RefundFailed, loads=_LOADS)
def failed(docs: Documents, recorded: Recorded, fact: RefundFailed) -> None:
    """Nothing was given back, and why."""
    _change(docs, recorded, status=Status.FAILED.value, failure_reason=fact.message)


def matching(text: str) -> Condition:
    """Refund id, order number, customer name, email or customerId contains the text."""
    customer = ("t.customer_name", "t.customer_email", "t.customer_id")
    return containing(text, "t.id::text", "t.order_number", *customer)


def created_on(first: date | None, last: date | None) -> tuple[Condition, ...]:
    """Created between two days in UTC, both included."""
    return on_days("t.created_on", first, last)


def _change(docs: Documents, recorded: Recorded, **changes: Any) -> None:
    doc = copies.touch(REFUNDS, docs, recorded, **changes)
    docs.put(REFUNDS, recorded.stream, _searchable(doc))


def _searchable(doc: Doc) -> Doc:
    known = doc["customer"]
    words = {f"customer_{word}": known[word] for word in ("name", "email")}
    return {**doc, **words, "customer_id": known["customer_id"]}

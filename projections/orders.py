"""The orders view: every purchase, the newest paid first (wire 13)."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

from aggregates.order.events import (
    OrderCompleted,
    OrderCreated,
    OrderFailed,
    OrderPaymentFailed,
    OrderRefunded,
    Status,
)
from kernel.ports.event_store import Recorded
from kernel.tenant import Tenant
from projections import copies, issued_licenses, sold_subscriptions
from projections.documents import Documents
from projections.reader import Condition, Reader, containing, on_days
from projections.table import Column, Doc, Table
from projections.view import View
from wire.ids import id_text
from wire.order import OrderOut, order_out
from wire.times import instant


LISTED = (
    *(s.value for s in Status if s not in {Status.ABSENT, Status.PENDING}),
    "FRAUDULENT",
)
"""The statuses of orders that clients may see."""


def _body(doc: Doc) -> OrderOut:
    shape = sold_subscriptions.shape(doc)
    return order_out(doc, subscription=shape, licenses=issued_licenses.LICENSES)


ORDERS = Table(
    name="orders",
    columns=(
        Column("number"),
        Column("status"),
        Column("billing_type"),
        Column("is_renewal", "boolean"),
        Column("paid_at", "timestamptz"),
        Column("subscription", "uuid"),
        Column("customer_id"),
        Column("customer_name"),
        Column("customer_email"),
    ),
    indexes=("(organization, number)", "(organization, paid_at)"),
    buckets=("status", "billing_type", "is_renewal"),
    render=_body,
    joins=sold_subscriptions.join(),
    splices=(*sold_subscriptions.SPLICES, issued_licenses.splice("order_id", "t.id")),
)

view = View("orders", ORDERS, version=3)
_LOADS = copies.own_and_customer(ORDERS)


@view.on(OrderCreated, loads=_LOADS)
def created(docs: Documents, recorded: Recorded, fact: OrderCreated) -> None:
    """A new order; complete at once when nothing is due."""
    complete = fact.status is Status.COMPLETE
    doc: Doc = {
        **copies.head(recorded),
        **copies.sale(docs, recorded, fact.sale),
        **copies.totals(fact.totals),
        "number": fact.number,
        "status": fact.status.value,
        "paid_at": instant(fact.occurred_at) if complete else None,
        "invoice": None if fact.invoice_id is None else id_text(fact.invoice_id),
        "invoice_number": fact.invoice_number,
        "is_trial": fact.is_trial,
        "is_renewal": fact.is_renewal,
        "features": [copies.entitlement(granted) for granted in fact.entitlements],
        "payment_id": None,
        "payment_method": None,
        "refunded_total_units": 0,
        "custom_fields_data": dict(fact.custom_fields or {}),
    }
    docs.put(ORDERS, recorded.stream, _searchable(doc))


@view.on(OrderCompleted, loads=_LOADS)
def completed(docs: Documents, recorded: Recorded, fact: OrderCompleted) -> None:
    """Paid: from now on it is listed, in the order of payment."""
    paid = {
        "created": recorded.position,
        "status": Status.COMPLETE.value,
        "paid_at": instant(fact.occurred_at),
        "payment_id": fact.payment_id,
        "payment_method": copies.method(fact.method),
    }
    _change(docs, recorded, **paid)


@view.on(OrderPaymentFailed, loads=_LOADS)
def payment_failed(docs: Documents, recorded: Recorded, fact: OrderPaymentFailed) -> None:
    """It can still be paid."""
    del fact
    _change(docs, recorded)


@view.on(OrderFailed, loads=_LOADS)
def failed(docs: Documents, recorded: Recorded, fact: OrderFailed) -> None:
    """It will not come about; listed from now on, never paid."""
    del fact
    _change(docs, recorded, created=recorded.position, status=Status.FAILED.value)


@view.on(OrderRefunded, loads=_LOADS)
def refunded(docs: Documents, recorded: Recorded, fact: OrderRefunded) -> None:
    """Part or all of it was given back; its place in the list stays."""
    _change(docs, recorded, status=fact.status.value, refunded_total_units=fact.total.units)


def numbered(number: str) -> tuple[Condition, ...]:
    """The order that people know by this number, unless it is pending."""
    return (Condition("t.number = %s", (number,)), Condition("t.status <> 'PENDING'"))


async def order_numbered(reader: Reader, tenant: Tenant, number: str) -> UUID | None:
    """The internal id of an order that clients can see; None: there is none."""
    sql = "SELECT id FROM orders WHERE organization = %s AND number = %s AND status <> 'PENDING'"
    found = await reader.rows(sql, (tenant.organization, number))
    return found[0][0] if found else None


def matching(text: str) -> Condition:
    """Number, customer name, email or customerId contains the text, without case."""
    return containing(text, "t.number", "t.customer_name", "t.customer_email", "t.customer_id")


def paid_on(first: date | None, last: date | None) -> tuple[Condition, ...]:
    """Paid between two days in UTC, both included."""
    return on_days("t.paid_at", first, last)


def _change(docs: Documents, recorded: Recorded, **changes: Any) -> None:
    doc = copies.touch(ORDERS, docs, recorded, **changes)
    docs.put(ORDERS, recorded.stream, _searchable(doc))


def _searchable(doc: Doc) -> Doc:
    known = doc["customer"]
    words = {f"customer_{word}": known[word] for word in ("name", "email")}
    return {**doc, **words, "customer_id": known["customer_id"]}

"""The order events view: what happened to the orders of each subscription (wire 13).

An entry's id is the position of its fact x 8 + its place among the entries of that fact, so that
ids follow the log and never repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from aggregates.invoice.events import InvoicePaid
from aggregates.order.events import (
    OrderCompleted,
    OrderCreated,
    OrderFailed,
    OrderPaymentFailed,
    OrderRefunded,
    OrderRefundFailed,
    OrderRefundStarted,
    Status,
)
from aggregates.subscription.changes import SubscriptionPlanChanged
from kernel.money import Money
from kernel.ports.event_store import Recorded
from kernel.sale import MethodWords
from kernel.tenant import Tenant
from projections.documents import Documents
from projections.invoices import INVOICES
from projections.orders import ORDERS, numbered
from projections.reader import Condition, Reader
from projections.subscriptions import SUBSCRIPTIONS
from projections.table import Column, Doc, Table
from projections.view import View
from wire.ids import id_text
from wire.order import order_event_out
from wire.times import instant


PLACES = 8
"""No fact makes more entries than this."""

DOTS = "\u2022" * 4


class Outcome(StrEnum):
    """How far the thing that an entry tells of has come."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a timeline; ``primary`` is its amount, ``secondary`` its detail."""

    code: str
    title: str
    status: Outcome = Outcome.SUCCESS
    primary: str | None = None
    secondary: str | None = None


ORDER_EVENTS = Table(
    name="order_events",
    key="bigint",
    columns=(Column("subscription", "uuid"), Column("order_number")),
    indexes=("(subscription, created DESC)",),
    render=order_event_out,
)

NEWEST_ORDERS = Table(name="newest_orders", columns=(Column("order_number"),))
"""The newest order of each subscription: what happens between orders is told with it."""

view = View("order_events", ORDER_EVENTS, NEWEST_ORDERS, version=2)


def _order(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    del fact
    return ((ORDERS, recorded.stream),)


def _order_and_subscription(recorded: Recorded, fact: OrderCreated) -> Iterable[tuple[Table, Any]]:
    subscription = fact.sale.subscription.id
    return ((ORDERS, recorded.stream), (SUBSCRIPTIONS, subscription), (NEWEST_ORDERS, subscription))


def _newest(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    del fact
    return ((NEWEST_ORDERS, recorded.stream),)


def _invoice(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    del fact
    return ((INVOICES, recorded.stream),)


@view.on(OrderCreated, loads=_order_and_subscription)
def created(docs: Documents, recorded: Recorded, fact: OrderCreated) -> None:
    """Ordered; with the subscription, when the same command made that, and complete at once."""
    total = fact.totals.total.decimal()
    complete = fact.status is Status.COMPLETE
    outcome = Outcome.SUCCESS if complete else Outcome.PENDING
    entries = [Entry("order.created", "Order created", outcome, total, fact.sale.plan.name)]
    if _made_by_the_same_command(docs.get(SUBSCRIPTIONS, fact.sale.subscription.id), recorded):
        begun = Entry("subscription.created", "Subscription created", secondary=fact.sale.plan.name)
        entries.insert(0, begun)
    if complete and fact.invoice_number is not None:
        entries.append(Entry("invoice.paid", "Invoice paid", secondary=fact.invoice_number))
    if complete:
        entries.append(Entry("order.completed", "Order completed", primary=total))
    order = _known(docs.get(ORDERS, recorded.stream))
    _put(docs, recorded, order, entries)
    newest: Doc = {
        "id": order["subscription"],
        "organization": id_text(recorded.organization),
        "created": recorded.position,
        "subscription": order["subscription"],
        "order_number": order["number"],
    }
    docs.put(NEWEST_ORDERS, fact.sale.subscription.id, newest)


@view.on(SubscriptionPlanChanged, loads=_newest)
def plan_changed(docs: Documents, recorded: Recorded, fact: SubscriptionPlanChanged) -> None:
    """Another plan, period or quantity; what it charges is an order of its own."""
    newest = docs.get(NEWEST_ORDERS, recorded.stream)
    if newest is not None:
        plan, amount = fact.contract.terms.plan.name, fact.contract.amount.decimal()
        entry = Entry(
            "subscription.plan_changed", "Subscription changed", primary=amount, secondary=plan
        )
        _put(docs, recorded, newest, [entry])


@view.on(InvoicePaid, loads=_invoice)
def invoice_paid(docs: Documents, recorded: Recorded, fact: InvoicePaid) -> None:
    """The money came in."""
    invoice = _known(docs.get(INVOICES, recorded.stream))
    amount, card = f"+{fact.amount.decimal()}", _card(fact.method)
    entries = (
        Entry("payment.succeeded", "Payment succeeded", primary=amount, secondary=card),
        Entry("invoice.paid", "Invoice paid", secondary=invoice["number"]),
    )
    _put(docs, recorded, invoice, entries)


@view.on(OrderCompleted, loads=_order)
def completed(docs: Documents, recorded: Recorded, fact: OrderCompleted) -> None:
    """The order came about."""
    order = _known(docs.get(ORDERS, recorded.stream))
    total = Money(order["amount_total_units"], order["currency"]).decimal()
    entry = Entry("order.completed", "Order completed", primary=total, secondary=_card(fact.method))
    _put(docs, recorded, order, [entry])


@view.on(OrderPaymentFailed, loads=_order)
def payment_failed(docs: Documents, recorded: Recorded, fact: OrderPaymentFailed) -> None:
    """An attempt failed; the order waits."""
    entry = Entry("payment.failed", "Payment failed", Outcome.FAILED, secondary=fact.message)
    _put(docs, recorded, _known(docs.get(ORDERS, recorded.stream)), [entry])


@view.on(OrderFailed, loads=_order)
def failed(docs: Documents, recorded: Recorded, fact: OrderFailed) -> None:
    """The order will not come about."""
    entry = Entry("order.failed", "Order failed", Outcome.FAILED, secondary=fact.reason)
    _put(docs, recorded, _known(docs.get(ORDERS, recorded.stream)), [entry])


@view.on(OrderRefundStarted, loads=_order)
def refund_started(docs: Documents, recorded: Recorded, fact: OrderRefundStarted) -> None:
    """Money is on its way back."""
    amount = f"-{fact.shares.amount.decimal()}"
    entry = Entry("refund.created", "Refund created", Outcome.PENDING, primary=amount)
    _put(docs, recorded, _known(docs.get(ORDERS, recorded.stream)), [entry])


@view.on(OrderRefunded, loads=_order)
def refunded(docs: Documents, recorded: Recorded, fact: OrderRefunded) -> None:
    """Part or all of it was given back."""
    title = "Order refunded" if fact.status is Status.REFUNDED else "Order partly refunded"
    entry = Entry("order.refunded", title, primary=f"-{fact.amount.decimal()}")
    _put(docs, recorded, _known(docs.get(ORDERS, recorded.stream)), [entry])


@view.on(OrderRefundFailed, loads=_order)
def refund_failed(docs: Documents, recorded: Recorded, fact: OrderRefundFailed) -> None:
    """A refund came to nothing."""
    entry = Entry("refund.failed", "Refund failed", Outcome.FAILED, secondary=fact.message)
    _put(docs, recorded, _known(docs.get(ORDERS, recorded.stream)), [entry])


async def subscription_of(reader: Reader, tenant: Tenant, number: str) -> UUID | None:
    """The subscription whose orders' timeline an order shows; None for an unknown order."""
    conditions = (Condition("t.organization = %s", (tenant.organization,)), *numbered(number))
    where = " AND ".join(condition.sql for condition in conditions)
    parameters = [value for condition in conditions for value in condition.parameters]
    rows = await reader.rows(f"SELECT t.subscription FROM orders t WHERE {where}", parameters)
    return rows[0][0] if rows else None


def of_subscription(subscription: UUID) -> Condition:
    """What happened to all orders of a subscription."""
    return Condition("t.subscription = %s", (subscription,))


def _put(docs: Documents, recorded: Recorded, about: Doc, entries: Sequence[Entry]) -> None:
    for place, entry in enumerate(entries):
        key = recorded.position * PLACES + place
        doc: Doc = {
            "id": key,
            "organization": id_text(recorded.organization),
            "created": key,
            "subscription": about["subscription"],
            "order_number": about.get("order_number") or about["number"],
            "title": entry.title,
            "code": entry.code,
            "status": entry.status.value,
            "at": instant(recorded.fact.occurred_at),
            "metadata": {"primary": entry.primary, "secondary": entry.secondary},
        }
        docs.put(ORDER_EVENTS, key, doc)


def _made_by_the_same_command(subscription: Doc | None, recorded: Recorded) -> bool:
    first_of_command = recorded.position - recorded.index
    return subscription is not None and subscription["began"] >= first_of_command


def _card(method: MethodWords) -> str:
    words = (method.name or method.type, method.last4 and f"{DOTS} {method.last4}")
    return " ".join(word for word in words if word)


def _known(doc: Doc | None) -> Doc:
    if doc is None:
        raise LookupError("the record of an order event is not in the view")
    return doc

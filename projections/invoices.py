"""The invoices view: what each customer owes, owed and paid (spec: Invoice)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from aggregates.invoice.events import (
    BalanceUse,
    InvoiceBalanceApplied,
    InvoiceCreated,
    InvoicePaid,
    InvoicePaymentFailed,
    InvoicePaymentPending,
    InvoicePaymentStarted,
    InvoiceRetryScheduled,
    InvoiceWithdrawn,
    Status,
)
from kernel.discount import AppliedDiscount
from kernel.lines import InvoiceLine
from kernel.payment_link import payment_link
from kernel.ports.event_store import Recorded
from kernel.tax import AppliedTax
from projections import copies, issued_licenses, sold_subscriptions
from projections.documents import Documents
from projections.reader import Condition, token
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.ids import id_text
from wire.invoice import InvoiceOut, invoice_out
from wire.times import instant


PAYMENT_LINK = token("payment_link")


def _link(value: Any, present: Present) -> str | None:
    if value is None:
        return None
    return payment_link(present.base_url, present.tenant, UUID(value))


def _body(doc: Doc) -> InvoiceOut:
    shape = sold_subscriptions.shape(doc)
    link = None if doc["is_withdrawn"] else PAYMENT_LINK
    licenses = issued_licenses.LICENSES
    return invoice_out(doc, subscription=shape, payment_link=link, licenses=licenses)


INVOICES = Table(
    name="invoices",
    columns=(
        Column("number"),
        Column("status"),
        Column("customer_uuid", "uuid"),
        Column("subscription", "uuid"),
    ),
    indexes=(
        "(organization, number)",
        "(customer_uuid, created DESC)",
        "(subscription, created DESC)",
    ),
    buckets=(),
    render=_body,
    joins=sold_subscriptions.join(),
    splices=(
        *sold_subscriptions.SPLICES,
        issued_licenses.splice("invoice", "t.id"),
        Splice(PAYMENT_LINK, "CASE WHEN t.status <> 'PAID' THEN t.id::text END", _link),
    ),
)

view = View("invoices", INVOICES, version=3)
_LOADS = copies.own_and_customer(INVOICES)


@view.on(InvoiceCreated, loads=_LOADS)
def created(docs: Documents, recorded: Recorded, fact: InvoiceCreated) -> None:
    """A new invoice; nothing due makes it paid at once."""
    paid = fact.status is Status.PAID
    doc: Doc = {
        **copies.head(recorded),
        **copies.sale(docs, recorded, fact.sale),
        **copies.totals(fact.totals),
        **_balance(fact.balance),
        "number": fact.number,
        "status": fact.status.value,
        "order_id": None if fact.order_id is None else id_text(fact.order_id),
        "order_number": fact.order_number,
        "lines": [_line(line) for line in fact.lines],
        "discounts": [_discount(each) for each in fact.discounts],
        "taxes": [_tax(each) for each in fact.taxes],
        "period_start": None if fact.period is None else instant(fact.period.start),
        "period_end": None if fact.period is None else instant(fact.period.end),
        "due_at": instant(fact.due_at),
        "paid_at": instant(fact.occurred_at) if paid else None,
        "payment_id": None,
        "payment_method": None,
        "attempt_count": 0,
        "next_payment_attempt": None,
        "failure": None,
        "is_withdrawn": False,
        "custom_fields_data": dict(fact.custom_fields or {}),
    }
    docs.put(INVOICES, recorded.stream, doc)


@view.on(InvoicePaymentStarted, loads=_LOADS)
def payment_started(docs: Documents, recorded: Recorded, fact: InvoicePaymentStarted) -> None:
    """One more attempt."""
    tried = {"attempt_count": fact.attempt, "payment_method": copies.method(fact.method)}
    copies.touch(INVOICES, docs, recorded, **tried, next_payment_attempt=None)


@view.on(InvoicePaymentPending, loads=_LOADS)
def payment_pending(docs: Documents, recorded: Recorded, fact: InvoicePaymentPending) -> None:
    """Nobody knows yet; it stays as it is."""
    del fact
    copies.touch(INVOICES, docs, recorded)


@view.on(InvoicePaymentFailed, loads=_LOADS)
def payment_failed(docs: Documents, recorded: Recorded, fact: InvoicePaymentFailed) -> None:
    """Why, and when it is tried again."""
    failure = {
        "kind": fact.failure.kind.value,
        "code": fact.failure.code,
        "message": fact.failure.message,
        "method_type": fact.failure.method_type,
    }
    again = {"next_payment_attempt": instant(fact.next_attempt_at)}
    copies.touch(INVOICES, docs, recorded, status=fact.status.value, failure=failure, **again)


@view.on(InvoiceRetryScheduled, loads=_LOADS)
def retry_scheduled(docs: Documents, recorded: Recorded, fact: InvoiceRetryScheduled) -> None:
    """Another time for the next attempt."""
    copies.touch(INVOICES, docs, recorded, next_payment_attempt=instant(fact.next_attempt_at))


@view.on(InvoicePaid, loads=_LOADS)
def paid(docs: Documents, recorded: Recorded, fact: InvoicePaid) -> None:
    """Settled: no failure and no further attempt."""
    settled = {
        "status": Status.PAID.value,
        "paid_at": instant(fact.occurred_at),
        "payment_id": fact.payment_id,
        "payment_method": copies.method(fact.method),
        "attempt_count": fact.attempt,
        "next_payment_attempt": None,
        "failure": None,
    }
    copies.touch(INVOICES, docs, recorded, **settled)


@view.on(InvoiceBalanceApplied, loads=_LOADS)
def balance_applied(docs: Documents, recorded: Recorded, fact: InvoiceBalanceApplied) -> None:
    """Less is owed, or nothing any more."""
    changes: Doc = {**_balance(fact.balance), "status": fact.status.value}
    if fact.status is Status.PAID:
        changes |= {"paid_at": instant(fact.occurred_at), "next_payment_attempt": None}
        changes |= {"failure": None}
    copies.touch(INVOICES, docs, recorded, **changes)


@view.on(InvoiceWithdrawn, loads=_LOADS)
def withdrawn(docs: Documents, recorded: Recorded, fact: InvoiceWithdrawn) -> None:
    """Nobody can pay it any more."""
    del fact
    failed = {"status": Status.PAYMENT_FAILED.value, "next_payment_attempt": None}
    copies.touch(INVOICES, docs, recorded, **failed, is_withdrawn=True)


def numbered(number: str) -> Condition:
    """The invoice that people know by this number."""
    return Condition("t.number = %s", (number,))


def of_customer(customer: object) -> Condition:
    """The invoices of one customer, by the customer's internal id."""
    return Condition("t.customer_uuid = %s", (customer,))


def of_subscription(subscription: UUID) -> Condition:
    """The invoices of one subscription."""
    return Condition("t.subscription = %s", (subscription,))


def _balance(use: BalanceUse) -> Doc:
    return {
        "starting_balance_units": use.starting.units,
        "applied_balance_units": use.applied.units,
        "ending_balance_units": use.ending.units,
        "amount_due_units": use.due.units,
    }


def _discount(applied: AppliedDiscount) -> Doc:
    return {
        "id": id_text(applied.id),
        "name": applied.name,
        "code": applied.code,
        "percentage": applied.off.percentage,
        "amount_units": applied.amount.units,
    }


def _tax(applied: AppliedTax) -> Doc:
    terms = applied.terms
    return {
        "name": terms.name,
        "country": terms.country,
        "tax_code": terms.tax_code,
        "percent": terms.percent,
        "behavior": terms.behavior.value,
        "relief": terms.relief.value,
        "base_units": applied.base.units,
        "amount_units": applied.amount.units,
    }


def _line(line: InvoiceLine) -> Doc:
    return {
        "name": line.name,
        "description": line.description,
        "quantity": line.quantity,
        "unit_price": line.unit_price,
        "amount_units": line.amount.units,
        "feature": line.feature,
    }

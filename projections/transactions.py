"""The transactions view: what moved, with the Merchant of Record fee (wire 8)."""

from __future__ import annotations

from datetime import date
from typing import Any

from aggregates.transaction.events import (
    Payment,
    TransactionFailed,
    TransactionPending,
    TransactionRefunded,
    TransactionSucceeded,
)
from kernel.ports.event_store import Recorded
from projections import clocks, copies, issued_licenses, sold_subscriptions
from projections.documents import Documents
from projections.reader import Condition, containing, on_days, token
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.ids import id_text
from wire.transaction import TransactionOut, transaction_out


PENDING, SUCCESS, FAILURE = "pending", "success", "failure"
STATUSES = (SUCCESS, FAILURE, PENDING)
ORDER, IS_SETTLED = token("order"), token("is_settled")
AVAILABLE_AT = "t.available_on::timestamp AT TIME ZONE 'UTC'"


def _order(value: bytes | None, present: Present) -> bytes:
    """The order's own body, whose tokens the next splices fill in."""
    del present
    return value or b"{}"


def _body(doc: Doc) -> TransactionOut:
    return transaction_out(doc, order=ORDER, is_settled=IS_SETTLED)


TRANSACTIONS = Table(
    name="transactions",
    columns=(
        Column("status"),
        Column("order_id", "uuid"),
        Column("available_on", "date"),
        Column("created_on", "timestamptz"),
        Column("test_clock", "uuid"),
        Column("provider_key"),
        Column("payment_id"),
        Column("customer_id"),
        Column("customer_name"),
        Column("customer_email"),
        Column("product_name"),
        Column("method_type"),
    ),
    indexes=("(organization, created_on)", "(order_id)"),
    buckets=("status",),
    render=_body,
    joins=f"LEFT JOIN orders o ON o.id = t.order_id {sold_subscriptions.join('o')} {clocks.JOIN}",
    splices=(
        Splice(ORDER, "o.body", _order),
        *sold_subscriptions.SPLICES,
        issued_licenses.splice("order_id", "t.order_id"),
        Splice(IS_SETTLED, clocks.with_clock(AVAILABLE_AT), clocks.has_come),
    ),
)

view = View("transactions", TRANSACTIONS)
_LOADS = copies.own_and_customer(TRANSACTIONS)


@view.on(TransactionPending, loads=_LOADS)
def pending(docs: Documents, recorded: Recorded, fact: TransactionPending) -> None:
    """Nobody knows yet."""
    _put(docs, recorded, fact.payment, PENDING)


@view.on(TransactionFailed, loads=_LOADS)
def failed(docs: Documents, recorded: Recorded, fact: TransactionFailed) -> None:
    """No money moved."""
    why = {"failure": {"code": fact.code, "message": fact.message}}
    _put(docs, recorded, fact.payment, FAILURE, **why)


@view.on(TransactionSucceeded, loads=_LOADS)
def succeeded(docs: Documents, recorded: Recorded, fact: TransactionSucceeded) -> None:
    """The money moved; fee and net are known."""
    parts = [
        {"name": part.name.value, "percentage": part.percentage, **copies.money(part.amount)}
        for part in fact.components
    ]
    known = {
        "payment_id": fact.payment_id,
        "fee_units": fact.fee.units,
        "fee_components": parts,
        "net_units": fact.net.units,
        "available_on": fact.available_on.isoformat(),
    }
    _put(docs, recorded, fact.payment, SUCCESS, **known)


@view.on(TransactionRefunded, loads=_LOADS)
def refunded(docs: Documents, recorded: Recorded, fact: TransactionRefunded) -> None:
    """The money went back, without a fee."""
    known = {
        "payment_id": fact.payment_id,
        "net_units": fact.net.units,
        "available_on": fact.available_on.isoformat(),
    }
    _put(docs, recorded, fact.payment, SUCCESS, **known)


def matching(text: str) -> Condition:
    """Provider ids, the customer's words, the product or the method's type contain the text."""
    ids = ("t.provider_key", "t.payment_id")
    customer = ("t.customer_name", "t.customer_email", "t.customer_id")
    return containing(text, *ids, *customer, "t.product_name", "t.method_type")


def created_on(first: date | None, last: date | None) -> tuple[Condition, ...]:
    """Created between two days in UTC, both included."""
    return on_days("t.created_on", first, last)


def _put(docs: Documents, recorded: Recorded, payment: Payment, status: str, **known: Any) -> None:
    """The newest fact of a transaction tells all; only when it began is older."""
    began = docs.get(TRANSACTIONS, recorded.stream) or copies.head(recorded)
    about = copies.sale(docs, recorded, payment.sale)
    doc: Doc = {
        **copies.head(recorded),
        **{name: began[name] for name in ("created", "created_on")},
        **about,
        **_words(about, payment),
        "status": status,
        "payment_id": None,
        "fee_units": 0,
        "fee_components": [],
        "net_units": 0,
        "available_on": None,
        "failure": None,
        **known,
    }
    docs.put(TRANSACTIONS, recorded.stream, doc)


def _words(about: Doc, payment: Payment) -> Doc:
    return {
        "transaction_type": payment.type.value,
        "order_id": id_text(payment.order_id),
        "order_number": payment.order_number,
        "invoice": id_text(payment.invoice_id),
        "invoice_number": payment.invoice_number,
        "attempt": payment.attempt,
        "currency": payment.amount.currency,
        "amount_units": payment.amount.units,
        "tax_units": payment.tax.units,
        "payment_method": copies.method(payment.method),
        "method_type": payment.method.type,
        "provider_key": payment.provider_key,
        "product_name": about["product"]["name"],
        "customer_id": about["customer"]["customer_id"],
        "customer_name": about["customer"]["name"],
        "customer_email": about["customer"]["email"],
    }

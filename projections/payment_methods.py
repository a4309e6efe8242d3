"""The payment methods view: what customers pay with (wire 15)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from aggregates.payment_method.events import (
    PaymentMethodAdded,
    PaymentMethodCardChanged,
    PaymentMethodConfirmed,
    PaymentMethodEvent,
    PaymentMethodMadeDefault,
    PaymentMethodRemoved,
)
from kernel.ports.event_store import Recorded
from kernel.ports.payments import Instrument
from projections.customers import CUSTOMERS
from projections.documents import Documents
from projections.reader import Condition
from projections.table import Column, Doc, Table
from projections.view import View
from wire.ids import id_text
from wire.payment_method import payment_method_out
from wire.times import instant


PAYMENT_METHODS = Table(
    name="payment_methods",
    columns=(
        Column("number", "bigint"),
        Column("customer_stream", "uuid"),
        Column("status"),
        Column("removed", "boolean"),
    ),
    indexes=("(organization, number)", "(customer_stream, created DESC)"),
    buckets=("removed", "status"),
    render=payment_method_out,
)
LISTED = {"removed": ["false"], "status": ["succeeded"]}
"""Lists hold only what can be charged (spec: Payment method)."""

view = View("payment_methods", PAYMENT_METHODS)


def loads(recorded: Recorded, fact: PaymentMethodEvent) -> Iterable[tuple[Table, Any]]:
    """The method's own row, that of the former default, and the customer's."""
    yield PAYMENT_METHODS, fact.method_id
    yield CUSTOMERS, recorded.owner
    former = getattr(fact, "former_default_id", None)
    if former is not None:
        yield PAYMENT_METHODS, former


@view.on(PaymentMethodAdded, loads=loads)
def added(docs: Documents, recorded: Recorded, fact: PaymentMethodAdded) -> None:
    """A new row; the former default is that no longer."""
    at = instant(fact.occurred_at)
    docs.put(
        PAYMENT_METHODS,
        fact.method_id,
        {
            "id": id_text(fact.method_id),
            "organization": id_text(recorded.organization),
            "created": recorded.position,
            "number": recorded.position * 8 + recorded.index,
            "customer_stream": id_text(recorded.owner),
            "customer": _customer(docs, recorded),
            "method_type": fact.instrument.type,
            "method_data": _data(fact.instrument),
            "is_default": fact.is_default,
            "status": "requires_action" if fact.needs_action else "succeeded",
            "removed": False,
            "created_on": at,
            "modified_on": at,
        },
    )
    _no_longer_default(docs, recorded, fact.former_default_id, at)


@view.on(PaymentMethodMadeDefault, loads=loads)
def made_default(docs: Documents, recorded: Recorded, fact: PaymentMethodMadeDefault) -> None:
    """The default, instead of another."""
    _change(docs, recorded, fact.method_id, instant(fact.occurred_at), {"is_default": True})
    _no_longer_default(docs, recorded, fact.former_default_id, instant(fact.occurred_at))


@view.on(PaymentMethodConfirmed, loads=loads)
def confirmed(docs: Documents, recorded: Recorded, fact: PaymentMethodConfirmed) -> None:
    """Ready to be charged."""
    _change(docs, recorded, fact.method_id, instant(fact.occurred_at), {"status": "succeeded"})


@view.on(PaymentMethodCardChanged, loads=loads)
def card_changed(docs: Documents, recorded: Recorded, fact: PaymentMethodCardChanged) -> None:
    """What is seen of the card now."""
    changes = {"method_data": _data(fact.instrument)}
    _change(docs, recorded, fact.method_id, instant(fact.occurred_at), changes)


@view.on(PaymentMethodRemoved, loads=loads)
def removed(docs: Documents, recorded: Recorded, fact: PaymentMethodRemoved) -> None:
    """Out of the lists; the row stays for answers and events that still show it."""
    changes = {"removed": True, "is_default": False}
    _change(docs, recorded, fact.method_id, instant(fact.occurred_at), changes)


def of_customer(customer: UUID) -> Condition:
    """The methods of a customer, by the internal id."""
    return Condition("t.customer_stream = %s", (customer,))


def of_email(organization: UUID, email: str) -> Condition:
    """The methods of the customers who have this email address now, in either case."""
    customers = "SELECT c.id FROM customers c WHERE c.organization = %s AND lower(c.email) = %s"
    return Condition(f"t.customer_stream IN ({customers})", (organization, email.lower()))


def numbered(number: int) -> Condition:
    """The method with the id that clients use."""
    return Condition("NOT t.removed AND t.number = %s", (number,))


def _no_longer_default(
    docs: Documents, recorded: Recorded, method_id: UUID | None, at: str
) -> None:
    if method_id is not None:
        _change(docs, recorded, method_id, at, {"is_default": False})


def _change(docs: Documents, recorded: Recorded, method_id: UUID, at: str, changes: Doc) -> None:
    doc = docs.get(PAYMENT_METHODS, method_id)
    if doc is None:
        raise LookupError(f"payment method {method_id} is not in the view")
    words = {"customer": _customer(docs, recorded), "modified_on": at}
    docs.put(PAYMENT_METHODS, method_id, {**doc, **words, **changes})


def _customer(docs: Documents, recorded: Recorded) -> Doc:
    doc = docs.get(CUSTOMERS, recorded.owner)
    if doc is None:
        raise LookupError(f"customer {recorded.owner} is not in the view")
    words = ("id", "customer_id", "name", "email", "billing_address")
    return {word: doc[word] for word in words}


def _data(instrument: Instrument) -> Doc:
    if instrument.is_card:
        return {
            "brand": instrument.brand,
            "last4": instrument.last4,
            "exp_month": instrument.exp_month,
            "exp_year": instrument.exp_year,
            "funding": instrument.funding,
            "country": instrument.country or None,
        }
    words = {"last4": instrument.last4, "country": instrument.country}
    return {name: value for name, value in words.items() if value}

"""The checkout sessions view: who is about to buy what, and what came of it (wire 16.2)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

import msgspec

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
    OfferedPlan,
    Selection,
    Status,
)
from kernel.ports.event_store import Recorded
from kernel.postal import Address
from projections import clocks, copies
from projections.customers import CUSTOMERS
from projections.documents import Documents
from projections.organizations import CHECKOUT_SETTINGS
from projections.reader import Condition, containing, on_days, token
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.checkout_session import order_part, session_details_out, session_out
from wire.ids import id_text
from wire.subscription import subscription_brief
from wire.times import instant


STATUSES = tuple(status.value for status in Status if status is not Status.ABSENT)
ORDER, SUBSCRIPTION = token("checkout_order"), token("checkout_subscription")
_COLUMNS = (
    Column("session_id"),
    Column("status"),
    Column("created_on", "timestamptz"),
    Column("customer_id"),
    Column("customer_name"),
    Column("customer_email"),
    Column("product_name"),
    Column("order_uuid", "uuid"),
    Column("subscription", "uuid"),
    Column("test_clock", "uuid"),
)


def _order(doc: Any, present: Present) -> Any:
    del present
    return None if doc is None else order_part(msgspec.json.decode(doc))


def _subscription(value: Any, present: Present) -> Any:
    doc, until, frozen = value
    if doc is None:
        return None
    days = clocks.days_left((until, frozen), present)
    return subscription_brief(msgspec.json.decode(doc), days)


CHECKOUTS = Table(
    name="checkouts",
    columns=_COLUMNS,
    indexes=("(organization, session_id)", "(organization, created_on)"),
    buckets=("status",),
    render=session_out,
)

CHECKOUT_DETAILS = Table(
    name="checkout_details",
    columns=_COLUMNS,
    render=lambda doc: session_details_out(doc, order=ORDER, subscription=SUBSCRIPTION),
    joins=(
        "LEFT JOIN orders o ON o.id = t.order_uuid "
        "LEFT JOIN subscriptions s ON s.id = t.subscription AND s.shown "
        f"{clocks.JOIN}"
    ),
    splices=(
        Splice(ORDER, "o.doc", _order),
        Splice(SUBSCRIPTION, "(s.doc, s.trialing_until, c.frozen_time)", _subscription),
    ),
)

view = View("checkouts", CHECKOUTS, CHECKOUT_DETAILS)


def _loads(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    del fact
    yield (CHECKOUTS, recorded.stream)
    yield (CUSTOMERS, recorded.owner)


def _loads_look(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    yield from _loads(recorded, fact)
    yield (CHECKOUT_SETTINGS, recorded.organization)


@view.on(CheckoutSessionCreated, loads=_loads_look)
def created(docs: Documents, recorded: Recorded, fact: CheckoutSessionCreated) -> None:
    """A new session, with a snapshot of what it offers and how it looks."""
    terms, look = fact.terms, docs.get(CHECKOUT_SETTINGS, recorded.organization) or {}
    doc: Doc = {
        **copies.head(recorded),
        "session_id": fact.session_id,
        "status": Status.OPEN.value,
        "customer_uuid": id_text(recorded.owner),
        "test_clock": copies.owner(docs, recorded)["test_clock_id"],
        "product": copies.product(fact.product),
        "currency": terms.currency,
        "offered": [_offered(plan) for plan in fact.offered],
        "terms": msgspec.to_builtins(terms),
        "origin": fact.origin.value,
        "expires_at": instant(fact.expires_at),
        "metadata": dict(fact.metadata or {}),
        "customization": look.get("customization", {}),
        **_details(fact.email, fact.name, fact.billing_address, fact.tax_id, {}),
        **_selection(fact.selection),
        "order_uuid": None,
        "subscription": None,
        "payment_method": None,
        "amount_units": None,
        "plan": None,
        "billing_type": None,
        "completed_on": None,
    }
    _put(docs, recorded, doc)


@view.on(CheckoutDetailsChanged, loads=_loads)
def details_changed(docs: Documents, recorded: Recorded, fact: CheckoutDetailsChanged) -> None:
    """Who buys, as entered."""
    entered = _details(
        fact.email, fact.name, fact.billing_address, fact.tax_id, dict(fact.custom_fields or {})
    )
    _change(docs, recorded, **entered)


@view.on(CheckoutSelectionChanged, loads=_loads)
def selection_changed(docs: Documents, recorded: Recorded, fact: CheckoutSelectionChanged) -> None:
    """What is bought."""
    _change(docs, recorded, **_selection(fact.selection))


@view.on(CheckoutPaymentStarted, loads=_loads)
def payment_started(docs: Documents, recorded: Recorded, fact: CheckoutPaymentStarted) -> None:
    """Paying, or letting the card be authorized."""
    del fact
    _change(docs, recorded, status=Status.PROCESSING.value)


@view.on(
    CheckoutAuthenticationRequired,
    CheckoutAuthenticationPassed,
    CheckoutPaymentPending,
    CheckoutAbandoned,
    loads=_loads,
)
def went_on(docs: Documents, recorded: Recorded, fact: Any) -> None:
    """As far as it was."""
    del fact
    _change(docs, recorded)


@view.on(CheckoutPaymentFailed, loads=_loads)
def payment_failed(docs: Documents, recorded: Recorded, fact: CheckoutPaymentFailed) -> None:
    """Open again."""
    del fact
    _change(docs, recorded, status=Status.OPEN.value)


@view.on(CheckoutExpired, loads=_loads)
def expired(docs: Documents, recorded: Recorded, fact: CheckoutExpired) -> None:
    """Nobody bought anything."""
    del fact
    _change(docs, recorded, status=Status.EXPIRED.value)


@view.on(CheckoutCompleted, loads=_loads)
def completed(docs: Documents, recorded: Recorded, fact: CheckoutCompleted) -> None:
    """Something was bought."""
    bought = {
        "status": Status.SUCCESS.value,
        "order_uuid": id_text(fact.order_id),
        "subscription": id_text(fact.sale.subscription.id),
        "payment_method": copies.method(fact.method),
        "amount_units": fact.totals.total.units,
        "plan": copies.plan(fact.sale.plan),
        "billing_type": fact.sale.billing_type.value,
        "completed_on": instant(fact.occurred_at),
    }
    _change(docs, recorded, **bought)


def matching(text: str) -> Condition:
    """Session id, customer name, email, customerId or product name contains the text."""
    customer = ("t.customer_name", "t.customer_email", "t.customer_id")
    return containing(text, "t.session_id", *customer, "t.product_name")


def created_on(first: date | None, last: date | None) -> tuple[Condition, ...]:
    """Begun between two days in UTC, both included."""
    return on_days("t.created_on", first, last)


def _change(docs: Documents, recorded: Recorded, **changes: Any) -> None:
    doc = docs.get(CHECKOUTS, recorded.stream)
    if doc is None:
        raise LookupError(f"checkout {recorded.stream} is not in the view")
    _put(docs, recorded, {**doc, **changes, "modified_on": instant(recorded.fact.occurred_at)})


def _put(docs: Documents, recorded: Recorded, doc: Doc) -> None:
    customer = copies.customer(docs, recorded)
    shown = {
        **doc,
        "customer": customer,
        "customer_id": customer["customer_id"],
        "customer_name": customer["name"] or doc["name"],
        "customer_email": customer["email"] or doc["email"],
        "product_name": doc["product"]["name"],
    }
    docs.put(CHECKOUTS, recorded.stream, shown)
    docs.put(CHECKOUT_DETAILS, recorded.stream, shown)


def _details(
    email: str | None,
    name: str | None,
    address: Address | None,
    tax_id: str | None,
    answers: dict[str, Any],
) -> Doc:
    return {
        "email": email,
        "name": name,
        "billing_address": None if address is None else msgspec.to_builtins(address),
        "tax_id": tax_id,
        "custom_fields_data": answers,
    }


def _selection(chosen: Selection) -> Doc:
    return {
        "selected": {
            "plan": chosen.plan,
            "charge_period": chosen.period.value,
            "quantities": dict(chosen.quantities),
        },
        "discount_code": chosen.discount_code,
    }


def _offered(plan: OfferedPlan) -> Doc:
    return {
        "id": id_text(plan.id),
        "identifier": plan.identifier,
        "name": plan.name,
        "version": plan.version,
        "description": plan.description,
        "trial_days": plan.trial_days,
        "periods": [
            {"charge_period": each.period.value, "amount_units": each.amount.units}
            for each in plan.periods
        ],
    }

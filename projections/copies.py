"""What records copy from others: the words of a customer, a sale, its sums and its method.

A copy is as of the last fact of the record's own stream; later renames do not touch it (design 5).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kernel.entitlement import Entitlement, FeatureWords, Rollover, UsageAlerts
from kernel.money import Money
from kernel.offer import ProductWords
from kernel.ports.event_store import Recorded
from kernel.sale import MethodWords, Sale, SoldPlan, Totals
from projections.customers import CUSTOMERS
from projections.documents import Documents
from projections.table import Doc, Table
from projections.view import Loads
from wire.ids import id_text
from wire.times import instant


def own_and_customer(table: Table) -> Loads:
    """The documents of the fact's stream and of the customer who owns it."""

    def loads(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
        del fact
        return ((table, recorded.stream), (CUSTOMERS, recorded.owner))

    return loads


def owner(docs: Documents, recorded: Recorded) -> Doc:
    """The customer's own document. Raises LookupError."""
    doc = docs.get(CUSTOMERS, recorded.owner)
    if doc is None:
        raise LookupError(f"customer {recorded.owner} is not in the view")
    return doc


def customer(docs: Documents, recorded: Recorded) -> Doc:
    """The customer who owns the fact, as copies show it."""
    doc = owner(docs, recorded)
    words = ("id", "customer_id", "name", "email", "billing_address")
    return {word: doc[word] for word in words}


def touch(table: Table, docs: Documents, recorded: Recorded, **changes: Any) -> Doc:
    """Put the stream's document with changes, a fresh copy of the customer and ``modified_on``."""
    doc = docs.get(table, recorded.stream)
    if doc is None:
        raise LookupError(f"{table.name} {recorded.stream} is not in the view")
    copied = {"customer": customer(docs, recorded)}
    modified = {"modified_on": instant(recorded.fact.occurred_at)}
    doc = {**doc, **copied, **modified, **changes}
    docs.put(table, recorded.stream, doc)
    return doc


def head(recorded: Recorded) -> Doc:
    """What every document begins with."""
    at = instant(recorded.fact.occurred_at)
    return {
        "id": id_text(recorded.stream),
        "organization": id_text(recorded.organization),
        "created": recorded.position,
        "created_on": at,
        "modified_on": at,
    }


def sale(docs: Documents, recorded: Recorded, sold: Sale) -> Doc:
    """Whom and what a document is about; ``subscription`` is the id alone."""
    return {
        "customer": customer(docs, recorded),
        "customer_uuid": id_text(recorded.owner),
        "test_clock": owner(docs, recorded)["test_clock_id"],
        "product": product(sold.product),
        "plan": plan(sold.plan),
        "billing_type": sold.billing_type.value,
        "subscription": id_text(sold.subscription.id),
        "sold": {
            "amount_units": sold.subscription.amount.units,
            "currency": sold.subscription.amount.currency,
            "charge_period": sold.subscription.period.value,
        },
    }


def totals(sums: Totals) -> Doc:
    """The sums of a document in minor units."""
    return {
        "currency": sums.total.currency,
        "amount_subtotal_units": sums.subtotal.units,
        "amount_discount_units": sums.discount.units,
        "amount_tax_units": sums.tax.units,
        "amount_total_units": sums.total.units,
    }


def money(amount: Money) -> Doc:
    """An amount in minor units with its currency."""
    return {"units": amount.units, "currency": amount.currency}


def product(words: ProductWords) -> Doc:
    """A product as sold."""
    return {
        "id": id_text(words.id),
        "identifier": words.identifier,
        "name": words.name,
        "tax_code": words.tax_code,
    }


def plan(words: SoldPlan) -> Doc:
    """A plan version as sold."""
    return {
        "id": id_text(words.id),
        "identifier": words.identifier,
        "name": words.name,
        "version": words.version,
        "description": words.description,
    }


def method(words: MethodWords | None) -> Doc | None:
    """A payment method, None as long as there was none."""
    if words is None:
        return None
    return {"id": id_text(words.id), "type": words.type, "name": words.name, "last4": words.last4}


def entitlement(granted: Entitlement) -> Doc:
    """A granted feature with its own words; ``value`` None means unlimited or on."""
    return {
        **feature(granted.feature),
        "value": granted.value,
        "unlimited": granted.unlimited,
        "reset": None if granted.reset is None else granted.reset.value,
        "reset_time": granted.reset_time,
        "hard_limit": granted.hard_limit,
        "rollover": _rollover(granted.rollover),
        "usage_alerts": _usage_alerts(granted.usage_alerts),
    }


def _rollover(rollover: Rollover | None) -> Doc | None:
    if rollover is None or not rollover.enabled:
        return None
    return {"percentage": rollover.percentage, "limit": rollover.limit}


def _usage_alerts(alerts: UsageAlerts | None) -> Doc | None:
    if alerts is None or not alerts.enabled:
        return None
    return {"type": alerts.threshold_type.value, "thresholds": list(alerts.thresholds)}


def feature(words: FeatureWords) -> Doc:
    """A feature as copied into what grants it."""
    meter = words.meter
    return {
        "id": id_text(words.id),
        "identifier": words.identifier,
        "name": words.name,
        "description": words.description,
        "feature_type": words.type.value,
        "metadata": dict(words.metadata),
        "is_archived": words.is_archived,
        "modified_on": instant(words.modified_on),
        "meter": None
        if meter is None
        else {
            "kind": meter.kind.value,
            "singular": meter.singular,
            "plural": meter.plural,
            "aggregation": dict(meter.aggregation),
            "filters": list(meter.filters),
        },
    }

"""The subscription record as clients read it (spec: Subscription, wire 6.1)."""

from __future__ import annotations

from typing import Any

from kernel.interval import INTERVALS, ChargePeriod, recurrence_text
from wire.amounts import decimal, symbol
from wire.times import date, seconds


def subscription_out(doc: dict[str, Any], trial_days_remaining: Any) -> dict[str, Any]:
    """One record of a subscription; days left are the reader's to say."""
    return {
        "id": doc["subscription"],
        "externalSubscriptionId": None,
        "customerId": doc["customer"]["customer_id"],
        "startDate": date(doc["started_at"]),
        "endDate": date(doc["ends_at"]),
        "billingPeriodStartTime": seconds(doc["period_start"]),
        "billingPeriodEndTime": seconds(doc["period_end"]),
        "nextInvoiceDate": seconds(doc["next_invoice_at"]),
        "trialDaysRemaining": trial_days_remaining,
        "amount": decimal(doc["amount_units"], doc["currency"]),
        "currency": doc["currency"].lower(),
        "isCustomPricing": doc["is_custom_pricing"],
        "billingType": doc["billing_type"],
        **recurrence_out(doc["charge_period"]),
        "status": doc["status"],
        "product": product_out(doc["product"]),
        "plan": plan_out(doc["plan"]),
        "features": [feature_out(feature) for feature in doc["features"]],
        "files": doc["files"],
        "links": doc["links"],
        "license": doc["licenses"],
        **cancellation_out(doc),
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }


def recurrence_out(charge_period: str) -> dict[str, Any]:
    """``1 month`` in text and in parts; empty and null for one-time records."""
    interval = INTERVALS.get(ChargePeriod(charge_period))
    return {
        "recurrence": recurrence_text(ChargePeriod(charge_period)),
        "recurrenceUnit": None if interval is None else interval.count,
        "recurrenceType": None if interval is None else interval.unit.value,
    }


def cancellation_out(doc: dict[str, Any]) -> dict[str, Any]:
    """When, by whom and why it was canceled; all null while it was not."""
    return {
        "canceledAt": seconds(doc["canceled_at"]),
        "cancellationReason": doc["cancellation_reason"],
        "cancellationFeedback": doc["cancellation_feedback"],
        "cancellationComment": doc["cancellation_comment"],
    }


def product_out(words: dict[str, Any]) -> dict[str, Any]:
    """A product as sold, in the fields of the catalog record that a sale knows."""
    return {
        "id": words["id"],
        "identifier": words["identifier"],
        "name": words["name"],
        "taxCode": words["tax_code"],
    }


def plan_out(words: dict[str, Any]) -> dict[str, Any]:
    """A plan version as sold, in the fields of the catalog record that a sale knows."""
    return {
        "identifier": words["identifier"],
        "name": words["name"],
        "description": words["description"],
        "version": words["version"],
    }


def feature_out(words: dict[str, Any]) -> dict[str, Any]:
    """A granted feature with the value that the subscription has of it."""
    meter = words["meter"]
    units = {} if meter is None else {key: meter[key] for key in ("singular", "plural")}
    raw = meter is not None and meter["aggregation"]
    return {
        "id": words["id"],
        "identifier": words["identifier"],
        "name": words["name"],
        "description": words["description"],
        "featureType": words["feature_type"],
        "details": {},
        "isArchived": words["is_archived"],
        "metadata": words["metadata"],
        "modifiedOn": words["modified_on"],
        "meter": {key: meter[key] for key in ("aggregation", "filters")} if raw else {},
        "featureDetails": {} if meter is None else {"units": units},
        "reset": words["reset"],
        "resetTime": words["reset_time"],
        "value": words["value"],
        "hasUnlimitedUsage": words["unlimited"],
        "hardLimit": words["hard_limit"],
    }


def sold_subscription_out(
    doc: dict[str, Any], status: Any, next_invoice_date: Any
) -> dict[str, Any]:
    """The subscription inside invoices and orders: its present status, the amount as sold."""
    sold = doc["sold"]
    return {
        "id": doc["subscription"],
        "status": status,
        "amount": decimal(sold["amount_units"], sold["currency"]),
        "currency": sold["currency"].lower(),
        "interval": interval_out(sold["charge_period"]),
        "currencySymbol": symbol(sold["currency"]),
        "nextInvoiceDate": next_invoice_date,
    }


def interval_out(charge_period: str) -> str:
    """``month``, ``3 month``; empty for one-time sales (wire 4)."""
    return recurrence_text(ChargePeriod(charge_period)).removeprefix("1 ")

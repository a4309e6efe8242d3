"""The subscription record as clients read it (spec: Subscription, wire 6.1)."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from kernel.entitlement import FeatureType
from kernel.interval import INTERVALS, ChargePeriod, recurrence_text
from kernel.sale import BillingType
from wire.amounts import decimal, symbol
from wire.media import PlanFileOut
from wire.times import date, seconds


class ProductOut(TypedDict):
    """A product as sold."""

    id: str
    identifier: str
    name: str
    taxCode: str


class SoldPlanOut(TypedDict):
    """A plan version as sold."""

    identifier: str
    name: str
    description: str
    version: int


class SoldFeatureOut(TypedDict):
    """A feature that a subscription grants, with the value it has of it."""

    id: str
    identifier: str
    name: str
    description: str
    featureType: FeatureType
    details: dict[str, Any]
    isArchived: bool
    metadata: dict[str, Any]
    modifiedOn: str
    meter: dict[str, Any]
    featureDetails: dict[str, Any]
    reset: str | None
    resetTime: str | None
    value: bool | int | None
    hasUnlimitedUsage: bool
    hardLimit: bool


class RecurrenceOut(TypedDict):
    """How often it comes back; empty and null for one-time records."""

    recurrence: str
    recurrenceUnit: int | None
    recurrenceType: str | None


class SubscriptionBrief(RecurrenceOut):
    """A subscription in short, as it is now, within what belongs to it."""

    id: str
    billingPeriodStartTime: str | None
    billingPeriodEndTime: str | None
    startDate: str
    endDate: str | None
    status: str
    amount: str
    currency: str
    trialDaysRemaining: int
    billingType: BillingType


class CancellationOut(TypedDict):
    """When, by whom and why it was canceled."""

    canceledAt: str | None
    cancellationReason: str | None
    cancellationFeedback: str | None
    cancellationComment: str | None


class SubscriptionOut(RecurrenceOut, CancellationOut):
    """A record of a subscription."""

    id: str
    externalSubscriptionId: str | None
    customerId: str
    startDate: str
    endDate: str | None
    billingPeriodStartTime: str | None
    billingPeriodEndTime: str | None
    nextInvoiceDate: str | None
    resumesAt: str | None
    trialDaysRemaining: int
    amount: str
    currency: str
    isCustomPricing: bool
    billingType: BillingType
    status: str
    product: ProductOut
    plan: SoldPlanOut
    features: list[SoldFeatureOut]
    files: list[PlanFileOut]
    links: list[dict[str, str]]
    license: list[dict[str, Any]]
    createdOn: str
    modifiedOn: str


class SoldSubscriptionOut(TypedDict):
    """The subscription inside invoices and orders."""

    id: str
    status: str
    amount: str
    currency: str
    interval: str
    currencySymbol: str
    nextInvoiceDate: str | None


def subscription_out(
    doc: dict[str, Any], trial_days_remaining: Any, licenses: Any, files: Any
) -> SubscriptionOut:
    """One record of a subscription; days left, licenses and files are the reader's to say."""
    return {
        "id": doc["subscription"],
        "externalSubscriptionId": None,
        "customerId": doc["customer"]["customer_id"],
        "startDate": date(doc["started_at"]),
        "endDate": date(doc["ends_at"]),
        "billingPeriodStartTime": seconds(doc["period_start"]),
        "billingPeriodEndTime": seconds(doc["period_end"]),
        "nextInvoiceDate": seconds(doc["next_invoice_at"]),
        "resumesAt": seconds(doc["resumes_at"]),
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
        "files": files,
        "links": doc["links"],
        "license": licenses,
        **cancellation_out(doc),
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }


def subscription_brief(doc: dict[str, Any], trial_days_remaining: int) -> SubscriptionBrief:
    """The record in force, in short."""
    return {
        "id": doc["subscription"],
        **recurrence_out(doc["charge_period"]),
        "billingPeriodStartTime": seconds(doc["period_start"]),
        "billingPeriodEndTime": seconds(doc["period_end"]),
        "startDate": date(doc["started_at"]),
        "endDate": date(doc["ends_at"]),
        "status": doc["status"],
        "amount": decimal(doc["amount_units"], doc["currency"]),
        "currency": doc["currency"].lower(),
        "trialDaysRemaining": trial_days_remaining,
        "billingType": doc["billing_type"],
    }


def recurrence_out(charge_period: str) -> RecurrenceOut:
    """``1 month`` in text and in parts; empty and null for one-time records."""
    interval = INTERVALS.get(ChargePeriod(charge_period))
    return {
        "recurrence": recurrence_text(ChargePeriod(charge_period)),
        "recurrenceUnit": None if interval is None else interval.count,
        "recurrenceType": None if interval is None else interval.unit.value,
    }


def cancellation_out(doc: dict[str, Any]) -> CancellationOut:
    """When, by whom and why it was canceled; all null while it was not."""
    return {
        "canceledAt": seconds(doc["canceled_at"]),
        "cancellationReason": doc["cancellation_reason"],
        "cancellationFeedback": doc["cancellation_feedback"],
        "cancellationComment": doc["cancellation_comment"],
    }


def product_out(words: dict[str, Any]) -> ProductOut:
    """A product as sold, in the fields of the catalog record that a sale knows."""
    return {
        "id": words["id"],
        "identifier": words["identifier"],
        "name": words["name"],
        "taxCode": words["tax_code"],
    }


def plan_out(words: dict[str, Any]) -> SoldPlanOut:
    """A plan version as sold, in the fields of the catalog record that a sale knows."""
    return {
        "identifier": words["identifier"],
        "name": words["name"],
        "description": words["description"],
        "version": words["version"],
    }


def feature_out(words: dict[str, Any]) -> SoldFeatureOut:
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
) -> SoldSubscriptionOut:
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

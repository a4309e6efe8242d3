"""The kinds of webhook events that merchants can subscribe to (spec: Events, wire 27.1)."""

from __future__ import annotations

from enum import StrEnum


class EventKind(StrEnum):
    """A kind of event as it stands in ``type``; only the cancelled one has two l."""

    CHECKOUT_COMPLETED = "checkout.completed"
    CUSTOMER_CREATED = "customer.created"
    CUSTOMER_UPDATED = "customer.updated"
    FEATURE_USAGE_ALERT = "feature.usage_alert"
    INVOICE_CREATED = "invoice.created"
    INVOICE_PAID = "invoice.paid"
    INVOICE_PAYMENT_FAILED = "invoice.payment_failed"
    ORDER_CREATED = "order.created"
    ORDER_REFUNDED = "order.refunded"
    ORDER_UPDATED = "order.updated"
    PAYMENT_METHOD_CREATED = "payment_method.created"
    PAYMENT_METHOD_DELETED = "payment_method.deleted"
    PAYMENT_METHOD_UPDATED = "payment_method.updated"
    REFUND_CREATED = "refund.created"
    REFUND_UPDATED = "refund.updated"
    SUBSCRIPTION_CANCELLED = "subscription.cancelled"
    SUBSCRIPTION_CREATED = "subscription.created"
    SUBSCRIPTION_PAUSED = "subscription.paused"
    SUBSCRIPTION_PLAN_CHANGED = "subscription.plan_changed"
    SUBSCRIPTION_RESUMED = "subscription.resumed"
    SUBSCRIPTION_TRIAL_WILL_END = "subscription.trial_will_end"
    SUBSCRIPTION_UPDATED = "subscription.updated"


ALL_EVENTS = "*"
"""Subscribes an endpoint to every kind, those of later releases included."""

"""All views, in the order in which they see a fact: whoever is copied comes first."""

from __future__ import annotations

from projections import (
    api_keys,
    balances,
    checkout_events,
    checkouts,
    customers,
    discounts,
    features,
    invoices,
    licenses,
    offerings,
    order_events,
    orders,
    organizations,
    payment_methods,
    plans,
    pricing_tables,
    products,
    promotions,
    refunds,
    retention,
    test_clocks,
    timers_of_checkouts,
    transactions,
    usage_counting,
    webhook_endpoints,
)
from projections.view import View
from projections.webhooks import counts


VIEWS: tuple[View, ...] = (
    organizations.view,
    api_keys.view,
    customers.view,
    payment_methods.view,
    test_clocks.view,
    checkouts.view,
    checkout_events.view,
    timers_of_checkouts.view,
    webhook_endpoints.view,
    counts.view,
    discounts.view,
    products.view,
    features.view,
    plans.view,
    offerings.view,
    pricing_tables.view,
    promotions.view,
    retention.view,
    usage_counting.view,
    licenses.view,
    invoices.view,
    orders.view,
    order_events.view,
    transactions.view,
    refunds.view,
    balances.view,
)

ACROSS_KEYS: tuple[View, ...] = (checkouts.view,)
"""Views whose writers read what facts of another key made: fed from Kafka, they need one reader of
all partitions (ADR 18)."""

READ_ACROSS: tuple[View, ...] = (organizations.view, customers.view)
"""What those read."""

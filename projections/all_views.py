"""All views, in the order in which they see a fact: whoever is copied comes first."""

from __future__ import annotations

from projections import (
    customers,
    features,
    invoices,
    orders,
    plans,
    products,
    subscriptions,
    test_clocks,
    timers,
    transactions,
    webhook_endpoints,
)
from projections.view import View
from projections.webhooks import counts


VIEWS: tuple[View, ...] = (
    customers.view,
    test_clocks.view,
    timers.view,
    webhook_endpoints.view,
    counts.view,
    products.view,
    features.view,
    plans.view,
    subscriptions.view,
    invoices.view,
    orders.view,
    transactions.view,
)

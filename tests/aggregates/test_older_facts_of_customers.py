"""A customer that was created before clocks had one name still lives on its clock."""

import json
from uuid import UUID

from adapters.codec import Codec
from aggregates.catalog import FACTS, UPCASTS
from aggregates.customer.state import CUSTOMER


CLOCK = UUID("5a3c0e9e-0000-4000-8000-00000000000c")


def test_version_1_named_the_clock_differently():
    stored = {
        "customer_id": "ada",
        "test_clock_id": str(CLOCK),
        "occurred_at": "2026-01-31T09:00:00Z",
    }
    fact = Codec(FACTS, UPCASTS).decode("customer.created.v1", json.dumps(stored).encode(), None)
    assert fact.test_clock == CLOCK
    assert CUSTOMER.of([fact]).test_clock_id == CLOCK


def test_version_1_without_a_clock_has_none_today():
    stored = {"customer_id": "ada", "occurred_at": "2026-01-31T09:00:00Z"}
    fact = Codec(FACTS, UPCASTS).decode("customer.created.v1", json.dumps(stored).encode(), None)
    assert fact.test_clock is None

"""The verb `audit`: what it prints, and what it says when there is nothing to explain."""

import asyncio

import pytest

from app.verbs.audit import _lines
from read_api.explanations import explain
from tests.billing_world import World
from tests.processes import Process


def test_it_prints_lines_sums_payments_and_facts():
    world = World()
    world.monthly("20.00")
    world.customer(card="works")
    number = world.subscribe()
    [invoice] = world.invoices()
    said = list(_lines(asyncio.run(explain(world.store, invoice.invoice_id))))
    assert said[0] == f"{invoice.number}, in minor units of USD"
    assert said[1] == "  Pro at 20.00 USD, from 1 Jan 2025 to 1 Feb 2025: 2000/1 = 2000"
    assert said[2].startswith(f"      from subscription.created.v1 {number} version 1, position ")
    assert "  due       2000 - 0 = 2000" in said
    assert any(line.startswith("  attempt 1: 20.00 USD from Visa") for line in said)
    assert "invoice.paid.v1" in said[-1]


@pytest.mark.postgres
@pytest.mark.journey
def test_an_unknown_invoice_is_said_to_be_unknown(tmp_path):
    made = Process("organizations", "create", "acme", "--data-dir", tmp_path)
    assert made.end() == 0
    asked = Process(
        *("audit", "explain", "INV-20260131103015-ZZZZZ", "--organization", "acme"),
        *("--data-dir", tmp_path),
    )
    assert asked.end() == 1
    assert "Invoice not found." in asked.text

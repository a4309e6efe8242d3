"""Decisions never stand on what this process remembers and another one has changed since."""

import asyncio

import pytest

from aggregates.invoice.events import InvoiceCreated
from commands.billing.selling import CustomerIsArchived
from commands.bus import Bus
from commands.customers.archive_customer import ArchiveCustomer
from commands.customers.change_customer import ChangeCustomer
from commands.organizations.change_settings import ChangeSettings
from kernel.postal import Address
from kernel.settings import TaxRate
from tests.billing_world import World


@pytest.fixture
def world():
    world = World()
    world.monthly("100.00")
    world.customer("ada", "works")
    return world


@pytest.fixture
def elsewhere(world):
    """Another process on the same log."""
    bus = Bus(world.store, world.clock)

    def do(command):
        return asyncio.run(bus.dispatch(command, world.context()))

    return do


def test_nothing_is_sold_to_a_customer_who_was_archived_elsewhere(world, elsewhere):
    world.do(ChangeCustomer(customer_id="ada", changes={"name": "Ada"}))
    elsewhere(ArchiveCustomer(customer_id="ada"))
    with pytest.raises(CustomerIsArchived):
        world.subscribe()
    assert world.provider.calls == []


def test_an_invoice_has_the_tax_rates_that_were_set_elsewhere(world, elsewhere):
    home = Address(country="US")
    world.do(ChangeCustomer(customer_id="ada", changes={"billing_address": home}))
    world.subscribe()
    rate = TaxRate(country="US", percent="10")
    elsewhere(ChangeSettings(changes={"tax_rates": (rate,)}, fees={}))
    world.subscribe()
    before, after = world.facts(InvoiceCreated)
    assert (before.totals.tax.units, after.totals.tax.units) == (0, 10_00)

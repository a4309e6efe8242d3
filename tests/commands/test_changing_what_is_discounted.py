"""Proration after discounts (cases 42, 43, 73)."""

import pytest

from aggregates.invoice.events import Status as InvoiceStatus
from kernel.discount import Duration, PriceOff
from kernel.interval import ChargePeriod
from tests import catalog_builders as catalog
from tests.billing_world import World, at
from tests.commands.test_changing_a_subscription import APRIL, MID_APRIL, NEXT, change, lines, sells
from tests.commands.test_discounts import coupon, fixed


def discounted(off, *amounts, duration=Duration.FOREVER):
    world = World(APRIL)
    sells(world, *amounts)
    world.ada = world.customer(card="works")
    coupon(world, off, duration)
    world.number = world.subscribe(f"plan-{amounts[0]}", discount_code="SAVE")
    return world


@pytest.mark.parametrize(
    ("when", "credit"),
    [(at(2025, 4, 2, 6), -9000), (at(2025, 4, 1), -9041)],
    ids=["three quarters left", "275 of 365 days left"],
)
def test_case_42_the_credit_is_of_what_the_period_is_worth(when, credit):
    world = World(at(2025, 1, 1))
    yearly, monthly = catalog.charge("240.00", ChargePeriod.YEARLY), catalog.charge("25.00")
    world.plan("pro", catalog.price(catalog.row(yearly, monthly)))
    world.customer(card="works")
    coupon(world, PriceOff(percentage=50))
    world.number = world.subscribe(period=ChargePeriod.YEARLY, discount_code="SAVE")
    world.to(when)
    change(world, period=ChargePeriod.MONTHLY)
    assert lines(world.invoices()[-1]) == [credit, 2500]


def test_case_43_a_fixed_discount_is_prorated_with_its_line():
    world = discounted(fixed(500), "20.00", "30.00")
    world.to(MID_APRIL)
    change(world, "30.00")
    invoice = world.invoices()[-1]
    assert (lines(invoice), invoice.totals.total.units) == ([-750, 1250], 500)


def test_proration_uses_no_cycle_up():
    world = discounted(PriceOff(percentage=50), "20.00", "30.00", duration=Duration.ONCE)
    world.to(MID_APRIL)
    change(world, "30.00")
    assert lines(world.invoices()[-1]) == [-500, 750]
    world.to(at(2025, 5, 1))
    assert world.invoices()[-1].totals.total.units == 3000


def test_case_73_a_change_under_100_percent_off_bills_nothing():
    world = discounted(PriceOff(percentage=100), "20.00", "30.00")
    world.to(MID_APRIL)
    change(world, "30.00")
    assert [invoice.totals.total.units for invoice in world.invoices()] == [0]
    assert world.subscription(world.number).contract.amount.units == 3000


def test_what_is_deferred_keeps_out_of_the_discounts_of_the_next_period():
    world = discounted(PriceOff(percentage=50), "20.00", "30.00")
    world.to(MID_APRIL)
    change(world, "30.00", NEXT)
    world.to(at(2025, 5, 1))
    renewal = world.invoices()[-1]
    assert lines(renewal) == [-500, 750, 3000]
    assert (renewal.totals.discount.units, renewal.totals.total.units) == (1500, 1750)
    assert world.invoice(renewal.invoice_id).status is InvoiceStatus.PAID

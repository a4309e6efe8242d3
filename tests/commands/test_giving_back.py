"""Credits and refunds together: per line and rate what was invoiced, never more than was paid."""

from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.customer.state import Details
from aggregates.invoice.events import InvoiceCredited
from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.order.events import OrderRefunded
from aggregates.order.refunding import AlreadyCredited, MoreThanRefundable
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType
from commands.customers.create_customer import CreateCustomer
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.organizations.change_settings import ChangeSettings
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.discount import Duration, PriceOff
from kernel.errors import Refused
from kernel.ids import natural_id
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.postal import Address
from kernel.settings import ProrationBehavior
from tests import catalog_builders as catalog
from tests.billing_world import DECLINED, World, at
from tests.commands.test_refunding import refund
from tests.commands.test_taxes import rates


NOW = ProrationBehavior.IMMEDIATE_CHARGE
NEXT = ProrationBehavior.PRORATE_NEXT_INVOICE
APRIL, MID_APRIL, MAY = at(2025, 4, 1), at(2025, 4, 16), at(2025, 5, 1)
AT_ONCE = Cancellation(type=CancellationType.IMMEDIATE)


def plan(world, identifier, base, seat):
    prices = [
        catalog.row(*(catalog.charge(amount, period) for period in PERIODS), **fields)
        for amount, fields in ((base, {}), (seat, {"feature": catalog.SEATS.id}))
    ]
    world.plan(identifier, catalog.price(*prices), name=identifier.title())


PERIODS = (ChargePeriod.MONTHLY, ChargePeriod.YEARLY)


def shop(percent="20", *, off=None, seats=1, seat="10.00", card="works"):
    """A customer in Germany with a subscription to ``small``: 100.00 and 10.00 per seat."""
    world = World(APRIL, settings={"tax_rates": rates(percent)})
    world.seats()
    plan(world, "small", "100.00", seat)
    plan(world, "large", "200.00", seat)
    details = Details(billing_address=Address(country="DE"))
    world.do(CreateCustomer(customer_id="ada", details=details))
    world.ada = natural_id(world.tenant.secret, "customer", "ada")
    world.card(card)
    fields = {}
    if off is not None:
        new = NewDiscount(name="Off", off=off, duration=Duration.FOREVER)
        world.do(CreateDiscount(seed=uuid4(), code="OFF", new=new))
        fields["discount_code"] = "OFF"
    world.number = world.subscribe("small", quantities={"seats": seats}, **fields)
    return world


def rate(world, percent):
    world.do(ChangeSettings(changes={"tax_rates": rates(percent)}, fees={}))


def change(world, plan=None, behavior=NOW, **fields):
    return world.do(
        UpdateSubscription(subscription_id=world.number, plan=plan, behavior=behavior, **fields)
    )


def cancel(world):
    world.do(
        CancelSubscription(subscription_id=world.number, wish=AT_ONCE, credit_unused_time=True)
    )


def by_rate(invoice):
    return {tax.terms.percent: (tax.base.units, tax.amount.units) for tax in invoice.taxes}


def order(world, number=0):
    return world.invoices()[number].order_id


def refunded(world):
    return sum(fact.amount.units for fact in world.facts(OrderRefunded))


# Tax, part by part


def test_a_credit_after_a_change_has_the_rate_at_which_each_part_was_billed():
    world = shop("20")
    rate(world, "10")
    world.to(MID_APRIL)
    change(world, "large")
    upgrade = world.invoices()[-1]
    assert by_rate(upgrade) == {"20": (-5500, -1100), "10": (10_500, 1050)}
    rate(world, "5")
    cancel(world)
    assert by_rate(world.invoices()[-1]) == {"10": (-10_500, -1050)}
    assert world.balance(world.ada) == -11_550


def test_a_second_change_credits_the_first_at_the_rate_of_the_first():
    world = shop("20")
    rate(world, "10")
    change(world, "large")
    rate(world, "5")
    world.to(MID_APRIL)
    change(world, "small")
    assert by_rate(world.invoices()[-1]) == {"10": (-10_500, -1050), "5": (5500, 275)}


def test_more_seats_at_a_new_rate_leave_the_base_at_the_old_one():
    world = shop("20")
    rate(world, "10")
    change(world, quantities={"seats": 3})
    world.to(MID_APRIL)
    cancel(world)
    assert by_rate(world.invoices()[-1]) == {"20": (-5000, -1000), "10": (-1500, -150)}


def test_what_was_deferred_is_credited_at_the_rate_it_was_settled_at():
    world = shop("20")
    rate(world, "10")
    world.to(MID_APRIL)
    change(world, "large", NEXT)
    cancel(world)
    _, last, note = world.invoices()
    assert by_rate(last) == {"20": (-5500, -1100), "10": (10_500, 1050)}
    assert by_rate(note) == {"10": (-10_500, -1050)}


def test_the_next_period_has_the_rate_of_its_own_invoice():
    world = shop("20")
    rate(world, "10")
    world.to(MID_APRIL)
    change(world, "large", NEXT)
    world.to(MAY)
    cancel(world)
    assert by_rate(world.invoices()[-1]) == {"10": (-21_000, -2100)}


def test_a_credit_is_not_more_than_its_line_was_after_discounts():
    world = shop("0", off=PriceOff(amount=Money(100, "USD")), seats=2, seat="50.00")
    world.to(APRIL)
    billed = {line.feature: line.discounted for line in world.invoices()[0].lines}
    cancel(world)
    credited = {line.feature: -line.amount.units for line in world.invoices()[-1].lines}
    assert credited == billed


def test_credits_of_single_lines_give_back_no_more_tax_than_the_invoice_had():
    world = shop("20", seats=3, seat="0.03")
    assert by_rate(world.invoices()[0]) == {"20": (10_009, 2002)}
    for seats in (2, 1):
        change(world, quantities={"seats": seats})
    cancel(world)
    taxes = sum(tax.amount.units for invoice in world.invoices() for tax in invoice.taxes)
    assert (taxes, world.balance(world.ada)) == (0, -12_011)


# Refunds and credits


@pytest.mark.parametrize(
    ("refunded_units", "expected"), [(None, [500]), (8000, [-1500, 500]), (1, [-3000, 500])]
)
def test_a_downgrade_after_a_refund_credits_the_part_not_refunded(refunded_units, expected):
    world = shop("0", seats=6)
    refund(world, order(world), refunded_units)
    world.to(MID_APRIL)
    change(world, quantities={"seats": 1})
    assert [line.amount.units for line in world.invoices()[-1].lines] == expected


def test_after_a_full_refund_an_upgrade_bills_the_rest_and_credits_nothing():
    world = shop("0")
    refund(world, order(world))
    world.to(MID_APRIL)
    change(world, "large")
    assert [line.amount.units for line in world.invoices()[-1].lines] == [10_000, 500]
    cancel(world)
    assert world.balance(world.ada) == -10_500


def test_a_refund_in_part_lowers_the_credit_of_a_downgrade_in_the_same_part():
    world = shop("20")
    refund(world, order(world), 6600)
    world.to(MID_APRIL)
    change(world, "small", quantities={"seats": 2})
    assert [line.amount.units for line in world.invoices()[-1].lines] == [-250, 1000]
    assert by_rate(world.invoices()[-1]) == {"20": (750, 150)}


def test_what_became_credit_is_not_refunded_as_well():
    world = shop("20", seats=6)
    assert world.invoices()[0].totals.total.units == 19_200
    world.to(MID_APRIL)
    change(world, quantities={"seats": 1})
    assert world.balance(world.ada) == -3000
    (fact,) = world.facts(InvoiceCredited)
    assert (fact.amount.units, fact.credit_id) == (3000, world.invoices()[1].invoice_id)
    with pytest.raises(MoreThanRefundable, match=r"162\.00 USD"):
        refund(world, order(world), 16_201)
    assert refund(world, order(world)).created.shares.amount.units == 16_200
    with pytest.raises(AlreadyCredited):
        refund(world, order(world))
    cancel(world)
    assert world.balance(world.ada) == -3000


def test_credit_that_waits_for_the_next_invoice_is_not_refunded_as_well():
    world = shop("0", seats=6)
    world.to(MID_APRIL)
    change(world, quantities={"seats": 1}, behavior=NEXT)
    assert refund(world, order(world)).created.shares.amount.units == 13_500
    world.to(MAY)
    assert world.invoices()[-1].totals.total.units == 11_000 - 2500
    cancel(world)
    assert world.balance(world.ada) == -11_000
    assert refunded(world) - world.balance(world.ada) == world.money_taken()


@pytest.mark.parametrize("behavior", [NOW, NEXT, ProrationBehavior.NO_PRORATION])
def test_a_charge_that_met_the_waiting_credit_was_paid_with_it(behavior):
    """160 paid; 50 of it wait as credit; the year takes them; all of the year goes back."""
    world = shop("0", seats=6)
    change(world, quantities={"seats": 1}, behavior=NEXT)
    change(world, "large", behavior, period=ChargePeriod.YEARLY)
    cancel(world)
    credited = -sum(line.amount.units for line in world.invoices()[-1].lines)
    assert credited == 21_000


def test_what_the_waiting_credit_paid_can_be_refunded_where_it_was_paid():
    world = shop("0", seats=6)
    world.to(MID_APRIL)
    change(world, quantities={"seats": 1}, behavior=NEXT)
    world.to(MAY)
    assert refund(world, order(world)).created.shares.amount.units == 16_000
    assert refund(world, order(world, 1)).created.shares.amount.units == 8500
    assert refunded(world) == world.money_taken()


def test_a_refund_of_what_an_upgrade_credited_leaves_less_to_credit():
    """Paid 110 and 50; 110 refunded: at most 50 can become credit."""
    world = shop("0")
    world.to(MID_APRIL)
    change(world, "large")
    refund(world, order(world, 0))
    cancel(world)
    assert (world.money_taken(), refunded(world), world.balance(world.ada)) == (
        16_000,
        11_000,
        -5000,
    )


def test_the_tax_on_a_credit_goes_back_with_it_when_not_all_of_it_may():
    """Paid 132 and 60, tax included; 132 refunded: exactly 60 become credit."""
    world = shop("20")
    world.to(MID_APRIL)
    change(world, "large")
    refund(world, order(world, 0))
    cancel(world)
    note = world.invoices()[-1]
    assert (note.totals.subtotal.units, note.totals.tax.units) == (-5000, -1000)
    assert world.balance(world.ada) == -6000


def test_a_refund_to_the_balance_counts_as_one_to_the_card_does():
    world = shop("0")
    world.do(
        CancelSubscription(subscription_id=world.number, wish=AT_ONCE, credit_unused_time=True)
    )
    assert world.balance(world.ada) == -11_000
    world.number = world.subscribe("small", quantities={"seats": 1})
    refund(world, world.invoices()[-1].order_id)
    assert world.balance(world.ada) == -11_000
    cancel(world)
    assert world.balance(world.ada) == -11_000


def test_credit_at_the_end_meets_what_a_change_left_unpaid():
    world = shop("0")
    world.provider.say("works", DECLINED)
    world.to(MID_APRIL)
    change(world, "large")
    owed = world.invoices()[-1]
    assert world.invoice(owed.invoice_id).status is InvoiceStatus.PAYMENT_FAILED
    cancel(world)
    assert world.invoice(owed.invoice_id).status is InvoiceStatus.PAID
    assert world.balance(world.ada) == -5500


@pytest.mark.parametrize("card", ["works", "declined"])
def test_credit_at_the_end_takes_off_the_last_invoice_before_a_card_is_charged(card):
    """110 paid, 50 more for seats that wait: all 160 of the period go back, 110 as credit."""
    world = shop("0")
    change(world, quantities={"seats": 6}, behavior=NEXT)
    if card == "declined":
        world.provider.say("works", DECLINED)
    cancel(world)
    _, last, note = world.invoices()
    assert [line.amount.units for line in note.lines] == [-10_000, -6000]
    assert world.invoice(last.invoice_id).status is InvoiceStatus.PAID
    assert (world.money_taken(), world.balance(world.ada)) == (11_000, -11_000)


def test_a_period_that_was_not_billed_gives_no_credit():
    world = shop("0")
    world.number = world.subscribe(
        "large", quantities={"seats": 1}, started_at=at(2025, 3, 15), bill_past_periods=False
    )
    change(world, "small")
    assert world.balance(world.ada) == 0


# Whatever happens

STEPS = st.one_of(
    st.tuples(st.just("plan"), st.sampled_from(["small", "large"]), st.sampled_from([NOW, NEXT])),
    st.tuples(st.just("seats"), st.integers(1, 5), st.sampled_from([NOW, NEXT])),
    st.tuples(st.just("year"), st.sampled_from(PERIODS), st.just(NOW)),
    st.tuples(st.just("refund"), st.integers(0, 9), st.sampled_from([None, 1, 3333, 9001])),
    st.tuples(st.just("wait"), st.integers(1, 40), st.none()),
    st.tuples(st.just("rate"), st.sampled_from(["0", "7", "19", "20"]), st.none()),
)


@settings(max_examples=60, deadline=None)
@given(
    steps=st.lists(STEPS, max_size=9),
    off=st.sampled_from(
        [
            None,
            PriceOff(percentage=15),
            PriceOff(percentage=100),
            PriceOff(amount=Money(777, "USD")),
        ]
    ),
    seat=st.sampled_from(["0.01", "3.33", "10.00"]),
)
def test_nobody_gets_back_more_than_was_paid(steps, off, seat):
    world = shop("20", off=off, seats=3, seat=seat)
    for kind, what, how in steps:
        try:
            _take(world, kind, what, how)
        except Refused:
            continue
    cancel(world)
    paid = world.money_taken()
    assert refunded(world) - world.balance(world.ada) <= paid
    taxes = Counter()
    for invoice in world.invoices():
        for tax in invoice.taxes:
            taxes[tax.terms] += tax.amount.units
    assert all(units >= 0 for units in taxes.values())


def _take(world, kind, what, how):
    if kind == "plan":
        change(world, what, how)
    elif kind == "seats":
        change(world, quantities={"seats": what}, behavior=how)
    elif kind == "year":
        change(world, period=what, behavior=how)
    elif kind == "refund":
        orders = [each.order_id for each in world.invoices() if each.order_id]
        refund(world, orders[what % len(orders)], how)
    elif kind == "rate":
        rate(world, what)
    else:
        world.to(world.clock.at + timedelta(days=what))

"""Discounts through the life of a subscription (cases.md 5)."""

import asyncio
from uuid import uuid4

import pytest

from aggregates.discount.decide import NotMerchantOfRecord
from aggregates.discount.redeem import (
    DiscountDoesNotApply,
    DiscountHasExpired,
    DiscountIsUsedUp,
    DiscountOtherCurrency,
)
from aggregates.discount.state import DISCOUNT
from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType
from commands.discounts.change_discount import ArchiveDiscount
from commands.discounts.create_discount import CreateDiscount, NewDiscount, Restriction
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.create_subscription import CreateSubscription
from kernel.discount import Duration, PriceOff
from kernel.ids import natural_id
from kernel.interval import ChargePeriod
from kernel.money import Money
from tests import catalog_builders as catalog
from tests.billing_world import World, at


HALF = PriceOff(percentage=50)


def fixed(units, currency="USD"):
    return PriceOff(amount=Money(units, currency))


def coupon(world, off, duration=Duration.ONCE, *, cycles=None, code="SAVE", applies_to=(), **new):
    new = NewDiscount(name="Save", off=off, duration=duration, cycles=cycles, **new)
    world.do(CreateDiscount(seed=uuid4(), code=code, new=new, applies_to=applies_to))
    return natural_id(world.tenant.secret, "discount", code.upper())


def shop(amount="20.00", *, card="works", **fields):
    world = World()
    world.monthly(amount, **fields)
    customer = world.customer(card=card)
    return world, customer


def totals(world):
    return [invoice.totals.total.units for invoice in world.invoices()]


def test_only_a_merchant_of_record_has_discounts():
    world = World(merchant_of_record=False)
    before = len(world.store.log)
    with pytest.raises(NotMerchantOfRecord):
        coupon(world, HALF)
    assert len(world.store.log) == before


def test_case_72_100_percent_off_is_paid_at_creation_without_a_payment():
    world, _ = shop("50.00", card=None)
    coupon(world, PriceOff(percentage=100))
    number = world.subscribe(discount_code="save")
    (invoice,) = world.invoices()
    assert (invoice.status, invoice.totals.total.units) == (InvoiceStatus.PAID, 0)
    assert (invoice.due_at, world.attempts(), world.transactions()) == (None, [], [])
    assert world.subscription(number).status.value == "active"


def test_case_74_a_fixed_discount_is_capped_and_the_rest_is_lost():
    world, _ = shop("20.00")
    coupon(world, fixed(3000))
    world.subscribe(discount_code="SAVE")
    world.to(at(2025, 2, 2))
    assert totals(world) == [0, 2000]


def test_case_79_repeating_counts_invoiced_periods_of_any_length():
    world, _ = shop("20.00")
    coupon(world, HALF, Duration.REPEATING, cycles=3)
    world.subscribe(discount_code="SAVE")
    world.to(at(2025, 5, 2))
    assert totals(world) == [1000, 1000, 1000, 2000, 2000]


def test_case_79_repeating_on_a_yearly_plan_lasts_years():
    world = World()
    world.plan("pro", catalog.price(catalog.row(catalog.charge("240.00", ChargePeriod.YEARLY))))
    world.customer(card="works")
    coupon(world, HALF, Duration.REPEATING, cycles=3)
    world.subscribe(period=ChargePeriod.YEARLY, discount_code="SAVE")
    world.to(at(2028, 1, 2))
    assert totals(world) == [12000, 12000, 12000, 24000]


def test_for_ever_is_for_ever():
    world, _ = shop("20.00")
    coupon(world, fixed(500), Duration.FOREVER)
    world.subscribe(discount_code="SAVE")
    world.to(at(2026, 1, 2))
    assert totals(world) == [1500] * 13


def test_a_trial_uses_no_cycle():
    world, _ = shop("20.00", free_trial=True, trial_days=7)
    coupon(world, HALF)
    world.subscribe(discount_code="SAVE")
    world.to(at(2025, 2, 9))
    assert totals(world) == [1000, 2000]


def test_case_80_the_last_redemption_has_one_winner():
    world, _ = shop("20.00")
    stream = coupon(world, HALF, max_redemptions=1)
    world.customer("bob", card="works")
    world.subscribe(discount_code="SAVE")
    with pytest.raises(DiscountIsUsedUp):
        world.subscribe(customer_id="bob", discount_code="SAVE")
    assert world.state(DISCOUNT, stream).redeemed == 1
    assert len(world.invoices()) == 1


def test_case_81_an_archived_discount_keeps_applying():
    world, _ = shop("20.00")
    stream = coupon(world, HALF, Duration.FOREVER)
    world.subscribe(discount_code="SAVE")
    world.do(ArchiveDiscount(discount_id=stream))
    world.to(at(2025, 2, 2))
    assert totals(world) == [1000, 1000]


def test_expiry_is_asked_of_the_redemption_not_of_the_invoices():
    world, _ = shop("20.00")
    coupon(world, HALF, Duration.FOREVER, expires_at=at(2025, 1, 15))
    world.subscribe(discount_code="SAVE")
    world.to(at(2025, 2, 2))
    assert totals(world) == [1000, 1000]
    with pytest.raises(DiscountHasExpired):
        world.subscribe(discount_code="SAVE")


def test_it_works_up_to_its_last_instant_and_not_at_it():
    for instant, works in ((at(2025, 1, 14, 23, 59), True), (at(2025, 1, 15), False)):
        world, _ = shop("20.00")
        coupon(world, HALF, expires_at=at(2025, 1, 15))
        world.to(instant)
        if works:
            world.subscribe(discount_code="SAVE")
        else:
            with pytest.raises(DiscountHasExpired):
                world.subscribe(discount_code="SAVE")


@pytest.mark.parametrize(
    ("rows", "works"),
    [
        ([Restriction(product=str(catalog.PRODUCT.id))], True),
        ([Restriction(product=str(catalog.PRODUCT.id), plan="pro")], True),
        ([Restriction(product=str(catalog.PRODUCT.id), plan="other")], False),
        ([Restriction(product=str(catalog.PRODUCT.id), period=ChargePeriod.YEARLY)], False),
        (
            [
                Restriction(product=str(catalog.PRODUCT.id), plan="other"),
                Restriction(product=str(catalog.PRODUCT.id), period=ChargePeriod.MONTHLY),
            ],
            True,
        ),
    ],
)
def test_a_restricted_code_works_for_what_one_of_its_rows_names(rows, works):
    world, _ = shop("20.00")
    world.monthly("30.00", "other")
    coupon(world, HALF, applies_to=tuple(rows))
    if works:
        world.subscribe(discount_code="SAVE")
    else:
        with pytest.raises(DiscountDoesNotApply):
            world.subscribe(discount_code="SAVE")


def test_case_70_a_fixed_amount_is_for_prices_of_its_currency():
    world, _ = shop("20.00")
    coupon(world, fixed(500, "EUR"))
    before = len(world.store.log)
    with pytest.raises(DiscountOtherCurrency):
        world.subscribe(discount_code="SAVE")
    assert len(world.store.log) == before


def test_case_42_unused_time_is_worth_what_it_cost_after_the_discount():
    world = World()
    world.plan("pro", catalog.price(catalog.row(catalog.charge("240.00", ChargePeriod.YEARLY))))
    customer = world.customer(card="works")
    coupon(world, HALF)
    number = world.subscribe(period=ChargePeriod.YEARLY, discount_code="SAVE")
    world.to(at(2025, 4, 2, 6))
    now = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=number, wish=now, credit_unused_time=True))
    assert world.balance(customer) == -9000


def test_a_cycle_is_used_once_when_everything_is_delivered_twice():
    world, _ = shop("20.00")
    world.deliver_twice = True
    coupon(world, HALF, Duration.REPEATING, cycles=2)
    number = world.subscribe(discount_code="SAVE")
    world.to(at(2025, 3, 2))
    assert totals(world) == [1000, 1000, 2000]
    (held,) = world.subscription(number).discounts
    assert (held.used, held.is_due) == (2, False)


def test_many_subscriptions_redeem_at_once_and_none_is_lost():
    world, _ = shop("20.00")
    stream = coupon(world, HALF, max_redemptions=4)
    commands = [
        CreateSubscription(
            subscription_id=uuid4(),
            customer_id="ada",
            plan="pro",
            period=ChargePeriod.MONTHLY,
            discount_code="save",
        )
        for _ in range(9)
    ]

    async def rush():
        every = (world.bus.dispatch(command, world.context()) for command in commands)
        return await asyncio.gather(*every, return_exceptions=True)

    outcomes = asyncio.run(rush())
    refused = [each for each in outcomes if isinstance(each, Exception)]
    assert [type(each) for each in refused] == [DiscountIsUsedUp] * 5
    assert world.state(DISCOUNT, stream).redeemed == 4

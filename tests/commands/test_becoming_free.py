"""The way down to a free plan: nothing recurs any more, what is owed is still owed (wire 6.4)."""

import pytest

from aggregates.customer.decide import CustomerHasActiveSubscription
from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.subscription.ending import Cancellation, SubscriptionAlreadyEnded
from aggregates.subscription.events import Status
from commands.customers.archive_customer import ArchiveCustomer
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.interval import ChargePeriod
from kernel.settings import ProrationBehavior
from tests import catalog_builders as catalog
from tests.billing_world import World, at


NEXT, NOTHING = ProrationBehavior.PRORATE_NEXT_INVOICE, ProrationBehavior.NO_PRORATION
MID_JANUARY, FEBRUARY = at(2025, 1, 16, 12), at(2025, 2)


def sold(card="works"):
    world = World(at(2025))
    world.monthly("10.00")
    world.monthly("20.00", "max")
    world.plan("free", catalog.free())
    world.ada = world.customer(card=card)
    world.number = world.subscribe()
    return world


def change(world, plan, behavior=NOTHING, **wanted):
    command = UpdateSubscription(
        subscription_id=world.number, plan=plan, behavior=behavior, **wanted
    )
    world.do(command)


def goes_free(world, behavior=NOTHING):
    change(world, "free", behavior, period=ChargePeriod.ONE_TIME)


def owing():
    """February is not paid, and nothing recurs any more."""
    world = sold()
    world.card("declined")
    world.to(FEBRUARY)
    goes_free(world)
    assert world.subscription(world.number).status is Status.PAST_DUE
    return world


def archive(world):
    world.do(ArchiveCustomer(customer_id="ada"))


def test_a_new_card_pays_what_is_owed():
    world = owing()
    with pytest.raises(CustomerHasActiveSubscription):
        archive(world)
    world.card("works")
    assert world.subscription(world.number).status is Status.ACTIVE
    assert world.money_taken() == 2000
    archive(world)


def test_what_is_owed_can_be_canceled_and_stays_payable():
    world = owing()
    world.do(CancelSubscription(subscription_id=world.number, wish=Cancellation()))
    assert world.subscription(world.number).status is Status.CANCELED
    assert world.invoice(world.invoices()[-1].invoice_id).is_open
    with pytest.raises(SubscriptionAlreadyEnded):
        world.do(CancelSubscription(subscription_id=world.number, wish=Cancellation()))


def test_the_next_try_pays_what_is_owed():
    world = sold()
    world.card("recovers-1")
    world.to(FEBRUARY)
    goes_free(world)
    world.to(at(2025, 2, 3))
    assert (world.subscription(world.number).status, world.money_taken()) == (Status.ACTIVE, 2000)
    archive(world)


def test_what_nobody_pays_ends_it():
    world = owing()
    world.to(at(2025, 3))
    assert world.subscription(world.number).status is Status.CANCELED
    archive(world)


def test_credit_that_covers_what_is_owed_leaves_nothing_open():
    world = sold()
    world.card("declined")
    world.to(FEBRUARY)
    goes_free(world, NEXT)
    assert world.subscription(world.number).status is Status.ACTIVE
    assert (world.money_taken(), world.balance(world.ada)) == (1000, 0)
    archive(world)


@pytest.mark.parametrize("behavior", [NOTHING, NEXT])
def test_what_waited_for_the_next_invoice_is_billed_where_none_will_come(behavior):
    world = sold()
    world.to(MID_JANUARY)
    change(world, "max", NEXT)
    goes_free(world, behavior)
    last = world.invoices()[-1]
    assert sum(line.amount.units for line in last.lines) == (500 if behavior is NOTHING else -500)
    assert world.invoice(last.invoice_id).status is InvoiceStatus.PAID
    assert world.subscription(world.number).deferred == ()

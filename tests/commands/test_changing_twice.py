"""Changes that come twice, at the same time, late or after a crash."""

import asyncio

import pytest

from aggregates.invoice import decide as invoices
from aggregates.payment_method.state import FOLD as PAYMENT_METHODS
from aggregates.payment_method.state import payment_methods_of
from aggregates.subscription.changes import SubscriptionChangeExpired, SubscriptionPlanChanged
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType, Status
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.interval import ChargePeriod
from kernel.sale import MethodWords
from tests import catalog_builders as catalog
from tests.billing_world import at
from tests.commands.test_changing_a_subscription import (
    MID_APRIL,
    NEXT,
    change,
    lines,
    subscribed,
)


def waiting(card, amount="30.00"):
    """A change from 10 dollars that waits for the payment of half the difference."""
    world = subscribed("10.00", amount)
    world.card(card)
    world.to(MID_APRIL)
    change(world, amount, activate_on_payment=True)
    return world


def test_two_at_once_make_one_change():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    update = UpdateSubscription(subscription_id=world.number, plan="plan-20.00")

    async def both():
        await asyncio.gather(*(world.bus.dispatch(update, world.context()) for _ in range(2)))

    asyncio.run(both())
    world.react()
    assert len(world.facts(SubscriptionPlanChanged)) == 1
    assert world.money_taken() == 1500


def test_different_ones_at_once_follow_each_other():
    world = subscribed("10.00", "20.00", "40.00")
    world.to(MID_APRIL)

    async def both():
        await asyncio.gather(
            *(
                world.bus.dispatch(
                    UpdateSubscription(subscription_id=world.number, plan=plan), world.context()
                )
                for plan in ("plan-20.00", "plan-40.00")
            )
        )

    asyncio.run(both())
    world.react()
    assert len(world.facts(SubscriptionPlanChanged)) == 2
    net = sum(invoice.totals.total.units for invoice in world.invoices())
    last = world.subscription(world.number).contract.amount.units
    assert net == 1000 + (last - 1000) // 2


def test_reactions_that_see_facts_twice_charge_once():
    world = subscribed("10.00", "20.00")
    world.deliver_twice = True
    world.to(MID_APRIL)
    change(world, "20.00")
    assert world.money_taken() == 1500


def test_a_change_that_waits_holds_once_it_is_paid():
    world = waiting("works")
    state = world.subscription(world.number)
    assert (state.contract.amount.units, state.pending) == (3000, None)
    assert lines(world.invoices()[-1]) == [-500, 1500]
    world.to(at(2025, 5, 1))
    assert lines(world.invoices()[-1]) == [3000]


def test_a_declined_change_leaves_the_subscription_as_it_was():
    world = waiting("declined")
    state = world.subscription(world.number)
    assert (state.status, state.contract.amount.units) == (Status.ACTIVE, 1000)
    assert len(world.facts(SubscriptionChangeExpired)) == 1


def test_a_change_that_must_be_confirmed_is_paid_by_a_new_card():
    world = waiting("authenticate")
    assert world.subscription(world.number).pending is not None
    world.card("works")
    assert world.subscription(world.number).contract.amount.units == 3000


@pytest.mark.parametrize("card", ["declined", "authenticate"])
def test_credit_that_a_change_used_comes_back(card):
    world = subscribed("30.00", "10.00", "80.00")
    world.to(MID_APRIL)
    change(world, "10.00")
    assert world.balance(world.ada) == -1000
    world.card(card)
    change(world, "80.00", activate_on_payment=True)
    asked = world.invoices()[-1]
    assert (asked.totals.total.units, asked.balance.due.units) == (3500, 2500)
    now = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=world.number, wish=now))
    assert world.balance(world.ada) == -1000


def test_what_waits_goes_with_the_subscription():
    world = waiting("authenticate")
    now = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=world.number, wish=now))
    state = world.subscription(world.number)
    assert (state.status, state.pending) == (Status.CANCELED, None)


def test_nothing_is_lost_between_deferring_and_an_end_by_the_provider():
    world = subscribed("10.00", "30.00")
    world.to(MID_APRIL)
    change(world, "30.00", NEXT)
    world.card("declined")
    world.to(at(2025, 5, 16))
    assert world.subscription(world.number).status is Status.CANCELED
    assert lines(world.invoices()[1]) == [-500, 1500, 3000]
    assert len(world.invoices()) == 2


def test_what_is_paid_too_late_is_the_customers_credit():
    world = waiting("authenticate")
    asked = world.invoices()[-1]
    world.to(at(2025, 4, 17))
    assert world.subscription(world.number).pending is None
    world.card("works")
    method = world.state(PAYMENT_METHODS, payment_methods_of(world.ada)).to_charge()
    facts = invoices.start_payment(
        world.invoice(asked.invoice_id),
        MethodWords(id=method.id, type="card"),
        reference=method.reference,
        off_session=False,
        at=world.clock.at,
    )
    world.put_owned(asked.invoice_id, world.ada, *facts)
    assert world.subscription(world.number).contract.amount.units == 1000
    assert world.balance(world.ada) == -1000


def test_a_credit_that_covers_everything_owed_ends_dunning():
    world = subscribed("100.00", now=at(2025, 3, 1))
    world.plan("plan-free", catalog.free(), name="Free")
    world.card("declined")
    world.to(at(2025, 4, 1))
    assert world.subscription(world.number).status is Status.PAST_DUE
    change(world, "free", period=ChargePeriod.ONE_TIME)
    state = world.subscription(world.number)
    assert (state.status, state.dunning) == (Status.ACTIVE, None)
    assert world.balance(world.ada) == 0
    assert list(world.timers()) == []

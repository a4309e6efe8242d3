"""A checkout that is killed between any two statements sells once, and takes the money once."""

import pytest

from aggregates.checkout.events import CheckoutCompleted, Status
from aggregates.payment_method.events import PaymentMethodAdded
from aggregates.subscription.events import Status as SubscriptionStatus
from aggregates.subscription.events import SubscriptionCreated
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from kernel.discount import Duration, PriceOff
from tests.billing_world import World, at
from tests.checkouts import Buyer
from tests.commands.test_crashes import Mortal


def bought(lives, card, trial_days):
    """A world that was killed at these statements of a checkout, and how many there were."""
    world = World(at(2025, 3, 1))
    world.monthly("20.00")
    off = PriceOff(percentage=50)
    new = NewDiscount(name="Half", off=off, duration=Duration.ONCE, cycles=None, max_redemptions=1)
    world.do(CreateDiscount(seed=world.tenant.organization, code="HALF", new=new))
    buyer = Buyer(world, trial_days=trial_days, discount_code="HALF")
    mortal = Mortal(world, lives)
    mortal.works(lambda: buyer.pays(card, attempt=1))
    if buyer.session.awaits_authentication:
        mortal.works(buyer.confirms)
    return world, buyer, mortal.statements


@pytest.mark.parametrize("card", ["works", "authenticate"])
@pytest.mark.parametrize("trial_days", [None, 10])
def test_it_sells_once(card, trial_days):
    _, _, statements = bought(frozenset(), card, trial_days)
    assert statements > 10
    for last in range(1, statements + 1):
        world, buyer, _ = bought({last}, card, trial_days)
        assert buyer.session.status is Status.SUCCESS, last
        for fact in (CheckoutCompleted, SubscriptionCreated, PaymentMethodAdded):
            assert len(world.facts(fact)) == 1, (last, fact)
        (number,) = world.subscriptions()
        running = SubscriptionStatus.TRIALING if trial_days else SubscriptionStatus.ACTIVE
        assert world.subscription(number).status is running
        assert world.money_taken() == (0 if trial_days else 1000), last


@pytest.mark.parametrize("trial_days", [None, 10])
def test_a_refusal_is_told_once_and_gives_everything_back(trial_days):
    _, _, statements = bought(frozenset(), "declined", trial_days)
    for last in range(1, statements + 1):
        world, buyer, _ = bought({last}, "declined", trial_days)
        assert (buyer.session.status, buyer.session.attempts) == (Status.OPEN, 1), last
        other = Buyer(world, customer_id="bob", discount_code="HALF")
        other.pays("works")
        assert world.money_taken() == 1000

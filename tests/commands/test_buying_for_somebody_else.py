"""A public link names a known customer: what it sells is paid by the card that bought it alone."""

import pytest

from aggregates.checkout.events import Origin
from aggregates.invoice.events import InvoicePaid
from aggregates.payment_method.events import PaymentMethodAdded
from aggregates.subscription.events import Status
from commands.portal.act_as_customer import NotForCustomers
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.migrate_subscription import MigrateSubscription
from commands.subscriptions.preview_migration import PreviewMigration
from commands.subscriptions.preview_update import PreviewUpdate
from commands.subscriptions.update_subscription import UpdateSubscription
from tests.billing_world import DECLINED, World, at
from tests.checkouts import Buyer
from tests.commands.test_acting_as_a_customer import BY_CUSTOMER, Portal


NOW = at(2025, 3, 1, 12)
CREDIT = -50_00


@pytest.fixture
def world():
    """Ada is known, has credit and a card of her own."""
    world = World(NOW)
    world.monthly()
    world.ada = world.customer("ada", card="hers")
    world.begin_balance(world.ada, CREDIT)
    return world


def sold(world, card="strangers", **fields):
    """The subscription that a stranger bought for ada."""
    Buyer(world, origin=Origin.LINK, email=None, **fields).pays(card)
    (subscription,) = world.subscriptions()
    return subscription


def charged(world):
    return [attempt.reference for attempt in world.attempts()]


def test_renewals_use_neither_the_credit_nor_another_card(world):
    sold(world)
    world.to(at(2025, 5, 2))
    assert charged(world) == ["strangers"] * 3
    assert world.balance(world.ada) == CREDIT
    assert [invoice.balance.applied.units for invoice in world.invoices()] == [0, 0, 0]


def test_the_end_of_a_trial_uses_neither(world):
    subscription = sold(world, trial_days=7)
    assert world.subscription(subscription).status is Status.TRIALING
    world.to(at(2025, 3, 9))
    assert charged(world) == ["strangers"]
    assert world.balance(world.ada) == CREDIT
    assert world.money_taken() == 2000


def test_the_card_is_not_saved_for_the_customer(world):
    before = len(world.facts(PaymentMethodAdded))
    sold(world)
    assert len(world.facts(PaymentMethodAdded)) == before


def test_a_debt_of_the_customer_is_not_collected_from_the_stranger():
    world = World(NOW)
    world.monthly()
    world.customer("ada")
    world.subscribe()
    Buyer(world, origin=Origin.LINK, email=None).pays("strangers")
    world.to(at(2025, 3, 3))
    assert charged(world) == ["strangers"]
    assert len(world.invoices()) == 2


def test_what_the_stranger_does_not_pay_any_more_ends_without_the_customers_money(world):
    subscription = sold(world)
    world.provider.say("strangers", DECLINED)
    world.to(at(2025, 4, 2))
    assert world.subscription(subscription).status is Status.PAST_DUE
    world.card("new", "ada")
    world.to(at(2025, 4, 30))
    assert world.subscription(subscription).status is Status.CANCELED
    assert set(charged(world)) == {"strangers"}
    assert len(world.facts(InvoicePaid)) == 1
    assert world.balance(world.ada) == CREDIT


def test_the_customer_ends_it_but_does_not_raise_what_the_stranger_pays():
    portal = Portal()
    before = set(portal.subscriptions())
    Buyer(portal, origin=Origin.LINK, email=None).pays("strangers")
    (subscription,) = set(portal.subscriptions()) - before
    update = UpdateSubscription(subscription_id=subscription, plan="max")
    newest = MigrateSubscription(
        subscription_id=subscription, update_features=True, update_pricing=True
    )
    for change in (update, newest):
        with pytest.raises(NotForCustomers):
            portal.act(change)
    for preview in (PreviewUpdate(update=update), PreviewMigration(migration=newest)):
        with pytest.raises(NotForCustomers):
            portal.look(preview)
    portal.act(CancelSubscription(subscription_id=subscription, wish=BY_CUSTOMER))
    assert portal.subscription(subscription).ending is not None

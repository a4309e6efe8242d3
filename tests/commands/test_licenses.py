"""Licenses through commands: which order issues a key, what takes it away, who may use it."""

import asyncio
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from aggregates.license.decide import Instance
from aggregates.license.events import (
    LicenseActivated,
    LicenseDisabled,
    LicenseExpired,
    LicenseIssued,
)
from aggregates.license.refusals import (
    ActivationLimitReached,
    LicenseIsDisabled,
    SubscriptionGivesNoAccess,
    UnknownLicenseKey,
)
from aggregates.license.state import LICENSE
from aggregates.order.events import OrderCompleted, OrderCreated
from aggregates.refund.decide import Wish
from aggregates.refund.events import RefundCreated
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType, Status, SubscriptionCreated
from commands.billing.licensing import license_of
from commands.charges.create_charge import CreateCharge
from commands.licenses.activate_license import ActivateLicense
from commands.licenses.change_license import ChangeLicense
from commands.licenses.expire_license import ExpireLicense
from commands.licenses.regenerate_license_key import RegenerateLicenseKey
from commands.refunds.create_refund import CreateRefund
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.create_subscription import CreateSubscription
from commands.subscriptions.pause_subscription import PauseSubscription, ResumeSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.interval import ChargePeriod
from kernel.offer import DurationUnit, LicenseTerms
from tests import catalog_builders as catalog
from tests.billing_world import DECLINED, World, at
from tests.commands.test_crashes import Mortal


TERMS = LicenseTerms(
    enabled=True,
    activation_limit_enabled=True,
    activation_limit=3,
    has_expiry=True,
    duration_unit=DurationUnit.MONTH,
    duration_value=1,
)
ONCE = catalog.charge("49.00", period=ChargePeriod.ONE_TIME)


def shop(terms=TERMS, card="works", **price):
    world = World(at(2025, 1, 31, 10))
    row = catalog.row(catalog.charge("20.00"), ONCE)
    world.plan("pro", catalog.price(row, **price), license=terms)
    world.plan("basic", catalog.price(catalog.row(catalog.charge("10.00"))), name="Basic")
    world.customer(card=card)
    return world


def licenses(world):
    return world.facts(LicenseIssued)


def activate(world, issued, name=None, **fields):
    instance = Instance(id=uuid4(), name=name)
    world.do(ActivateLicense(key=issued.key, customer_id=None, instance=instance, **fields))


def license_state(world, subscription):
    return world.state(LICENSE, license_of(subscription))


def test_the_payment_of_the_first_order_issues_the_key():
    world = shop()
    subscription = world.subscribe()
    (issued,) = licenses(world)
    (order,) = world.facts(OrderCreated)
    assert issued.license_id == license_of(subscription)
    assert (issued.order_id, issued.invoice_id) == (order.order_id, order.invoice_id)
    assert (issued.activation_limit, issued.expires_at) == (3, at(2025, 2, 28, 10))
    assert issued.occurred_at == world.facts(OrderCompleted)[0].occurred_at
    names = world.names()
    together = [r.command_id for r in world.store.log]
    assert together[names.index("license.issued")] == together[names.index("order.completed")]


def test_renewals_issue_no_other_key():
    world = shop()
    world.subscribe()
    world.to(at(2025, 6, 1))
    assert len(world.facts(OrderCreated)) == 5
    assert len(licenses(world)) == 1


def test_a_trial_issues_it_at_its_start_and_not_again_at_its_end():
    world = shop(card=None, free_trial=True, trial_days=14)
    world.subscribe()
    (issued,) = licenses(world)
    assert (issued.invoice_id, issued.expires_at) == (None, at(2025, 2, 28, 10))
    world.card("works")
    world.to(at(2025, 4, 1))
    assert len(world.facts(OrderCompleted)) == 2
    assert len(licenses(world)) == 1


def test_a_charge_issues_it_for_good():
    world = shop(replace(TERMS, has_expiry=False))
    number = uuid4()
    world.do(
        CreateCharge(
            subscription_id=number, customer_id="ada", plan="pro", period=ChargePeriod.ONE_TIME
        )
    )
    (issued,) = licenses(world)
    assert issued.expires_at is None
    activate(world, issued)
    world.to(at(2035, 1, 1))
    activate(world, issued)


def test_what_costs_nothing_issues_it_at_once():
    world = World(at(2025, 1, 31, 10))
    world.plan("pro", catalog.free(), license=TERMS)
    world.customer()
    world.subscribe(period=ChargePeriod.ONE_TIME)
    (issued,) = licenses(world)
    assert issued.order_id == world.facts(OrderCreated)[0].order_id
    activate(world, issued)


def test_what_the_balance_pays_issues_it_at_once():
    world = shop(card=None)
    customer = world.customer("eve")
    world.begin_balance(customer, -5000)
    world.subscribe(customer_id="eve")
    assert len(licenses(world)) == 1


def test_an_incomplete_subscription_issues_it_when_it_is_paid():
    world = shop(card="declined")
    subscription = world.subscribe()
    assert world.subscription(subscription).status is Status.INCOMPLETE
    assert licenses(world) == []
    world.to(at(2025, 1, 31, 20))
    world.card("works")
    (issued,) = licenses(world)
    assert issued.occurred_at == at(2025, 1, 31, 20)


def test_one_that_never_came_about_issues_none():
    world = shop(card="declined")
    world.subscribe()
    world.to(at(2025, 3, 1))
    assert licenses(world) == []


def test_one_taken_over_as_prepaid_has_its_first_order_with_the_first_renewal():
    world = shop()
    world.subscribe(started_at=at(2024, 12, 15), bill_past_periods=False)
    assert licenses(world) == []
    world.to(at(2025, 2, 15))
    (issued,) = licenses(world)
    assert issued.occurred_at == at(2025, 2, 15)
    world.to(at(2025, 4, 1))
    assert len(licenses(world)) == 1


def test_a_change_to_a_licensed_plan_issues_none_and_one_away_takes_none():
    world = shop()
    basic = world.subscribe("basic")
    world.do(UpdateSubscription(subscription_id=basic, plan="pro"))
    assert licenses(world) == []
    world.customer("eve", card="works")
    pro = world.subscribe("pro", "eve")
    world.do(UpdateSubscription(subscription_id=pro, plan="basic"))
    (issued,) = licenses(world)
    activate(world, issued)


def test_each_subscription_has_a_key_of_its_own():
    world = shop()
    world.customer("eve", card="works")
    for customer_id in ("ada", "eve"):
        world.subscribe(customer_id=customer_id)
    first, second = licenses(world)
    assert first.key != second.key
    assert first.key.startswith("PRO-")


def refund(world, order_id, units=None):
    number = uuid4()
    world.do(CreateRefund(refund_id=number, order_id=order_id, units=units, wish=Wish()))


def test_a_full_refund_of_its_order_takes_the_license_away():
    world = shop()
    world.subscribe()
    (issued,) = licenses(world)
    refund(world, issued.order_id, 500)
    activate(world, issued)
    assert world.facts(LicenseDisabled) == []
    refund(world, issued.order_id)
    assert len(world.facts(LicenseDisabled)) == 1
    with pytest.raises(LicenseIsDisabled):
        activate(world, issued)


def test_a_full_refund_of_a_renewal_takes_nothing_away():
    world = shop(replace(TERMS, has_expiry=False))
    world.subscribe()
    world.to(at(2025, 3, 1))
    (issued,) = licenses(world)
    refund(world, world.facts(OrderCreated)[-1].order_id)
    activate(world, issued)


def test_a_refund_to_the_balance_alone_takes_it_away_too():
    world = shop(card=None)
    customer = world.customer("eve")
    world.begin_balance(customer, -5000)
    world.subscribe(customer_id="eve")
    (issued,) = licenses(world)
    refund(world, issued.order_id)
    assert len(world.facts(LicenseDisabled)) == 1


def test_a_pause_suspends_it_and_the_end_ends_it():
    world = shop(replace(TERMS, has_expiry=False))
    subscription = world.subscribe()
    (issued,) = licenses(world)
    activate(world, issued, "laptop")
    world.do(PauseSubscription(subscription_id=subscription, months=2))
    with pytest.raises(SubscriptionGivesNoAccess):
        activate(world, issued, "laptop")
    world.do(ResumeSubscription(subscription_id=subscription))
    activate(world, issued, "laptop")
    wish = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=subscription, wish=wish))
    with pytest.raises(SubscriptionGivesNoAccess):
        activate(world, issued, "laptop")
    assert len(world.facts(LicenseActivated)) == 1


def test_past_due_keeps_it():
    world = shop(replace(TERMS, has_expiry=False))
    subscription = world.subscribe()
    world.provider.say("works", DECLINED)
    world.to(at(2025, 3, 1))
    assert world.subscription(subscription).status is Status.PAST_DUE
    activate(world, licenses(world)[0])


def test_fifty_at_once_on_a_limit_of_three():
    world = shop()
    subscription = world.subscribe()
    (issued,) = licenses(world)

    async def all_at_once():
        commands = [
            ActivateLicense(key=issued.key, customer_id="ada", instance=Instance(id=uuid4()))
            for _ in range(50)
        ]
        dispatched = (world.bus.dispatch(each, world.context()) for each in commands)
        return await asyncio.gather(*dispatched, return_exceptions=True)

    answers = asyncio.run(all_at_once())
    refused = [each for each in answers if isinstance(each, Exception)]
    assert {type(each) for each in refused} == {ActivationLimitReached}
    assert len(refused) == 47
    assert len(license_state(world, subscription).instances) == 3


def test_the_old_key_is_unknown_at_once_and_the_new_one_is_empty():
    world = shop()
    subscription = world.subscribe()
    (issued,) = licenses(world)
    activate(world, issued, "laptop")
    world.do(RegenerateLicenseKey(license_id=issued.license_id))
    with pytest.raises(UnknownLicenseKey):
        activate(world, issued, "laptop")
    assert license_state(world, subscription).instances == {}
    world.do(RegenerateLicenseKey(license_id=issued.license_id))
    assert license_state(world, subscription).keys == 3


def test_changes_asked_for_twice_are_recorded_once():
    world = shop()
    world.subscribe()
    number = licenses(world)[0].license_id
    changes = {"activation_limit": 7, "expires_on": at(2026), "enabled": True}
    before = len(world.store.log)
    for _ in range(2):
        world.do(ChangeLicense(license_id=number, changes=changes))
    assert world.names(before) == ["license.limit_changed", "license.expiry_changed"]


def test_it_expires_once_however_often_the_timer_fires():
    world = shop()
    world.subscribe()
    number = licenses(world)[0].license_id
    for day in (at(2025, 2, 27), at(2025, 2, 28, 10), at(2025, 3, 1), at(2025, 3, 1)):
        world.to(day)
        world.do(ExpireLicense(license_id=number))
    assert [fact.occurred_at for fact in world.facts(LicenseExpired)] == [at(2025, 2, 28, 10)]


def lived(lives):
    """Bought, activated and refunded in a world that is killed at these statements."""
    world = shop()
    mortal = Mortal(world, lives)
    mortal._wrap(world.provider, "refund")
    subscription = CreateSubscription(
        subscription_id=UUID(int=500), customer_id="ada", plan="pro", period=ChargePeriod.MONTHLY
    )

    def once(command, *recorded):
        def step():
            if not world.facts(*recorded):
                world.do(command, react=False)

        mortal.works(step)
        mortal.works(world.react)

    once(subscription, SubscriptionCreated)
    (issued,) = licenses(world)
    laptop = Instance(id=UUID(int=600))
    mortal.works(
        lambda: world.do(ActivateLicense(key=issued.key, customer_id="ada", instance=laptop))
    )
    wish = CreateRefund(refund_id=UUID(int=700), order_id=issued.order_id, wish=Wish())
    once(wish, RefundCreated)
    return world, mortal.statements


def summary(world):
    keys = {r.stream for r in world.store.log if r.name == "license_key.assigned.v1"}
    named = sorted(name for name in world.names() if name.startswith("license"))
    return keys, named, license_state(world, UUID(int=500))


def test_killed_at_any_statement_one_key_is_issued_used_and_taken_away():
    calm, statements = lived(set())
    expected = summary(calm)
    assert expected[1] == [
        "license.activated",
        "license.disabled",
        "license.issued",
        "license_key.assigned",
    ]
    for moment in range(1, statements + 1):
        crashed, _ = lived({moment})
        assert summary(crashed) == expected, f"killed at statement {moment}"

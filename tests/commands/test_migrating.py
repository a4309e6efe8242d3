"""Migration to the newest version of a plan (cases 45 to 47; design 13: Migrate)."""

import asyncio
from decimal import Decimal

import pytest

from aggregates.plan.events import PlanDraftOpened, PlanDraftPriced, PlanVersionPublished
from aggregates.plan_migration.events import PlanMigrationProgressed
from aggregates.plan_migration.progress import PLAN_MIGRATION, migration_of
from aggregates.subscription.changes import SubscriptionPlanChanged
from commands.subscriptions.migrate_subscription import (
    AlreadyLatest,
    MigrateSubscription,
    NothingToMigrate,
)
from commands.subscriptions.pause_subscription import PauseSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.ids import natural_id
from kernel.settings import ProrationBehavior
from projections.positions import Positions
from subscribers.migrate_subscribers import NAME, MigrateSubscribers
from subscribers.reacting import Reactor
from tests import catalog_builders as catalog
from tests.billing_world import Tenants, World, at
from tests.commands.test_changing_a_subscription import lines


APRIL, MID_APRIL, MAY = at(2025, 4, 1), at(2025, 4, 16), at(2025, 5, 1)


def publish(world, amount, version=2, identifier="pro", **flags):
    """A newer version of the plan at another price."""
    plan = natural_id(world.tenant.secret, "plan", identifier)
    asked = {"update_features": False, "update_pricing": False} | flags
    price = catalog.price(catalog.row(catalog.charge(amount)))
    facts = (
        PlanDraftOpened(plan_id=plan, version=version, occurred_at=world.clock.at),
        PlanDraftPriced(
            plan_id=plan,
            version=version,
            prices=(price,),
            features=tuple(catalog.FEATURES.values()),
            occurred_at=world.clock.at,
        ),
        PlanVersionPublished(plan_id=plan, version=version, occurred_at=world.clock.at, **asked),
    )
    world.put_more(plan, *facts)


def subscribed(amount="10.00"):
    world = World(APRIL)
    world.monthly(amount)
    world.ada = world.customer(card="works")
    world.number = world.subscribe()
    return world


def migrate(world, number=None, *, features=False, pricing=True):
    command = MigrateSubscription(
        subscription_id=number or world.number, update_features=features, update_pricing=pricing
    )
    return world.do(command)


def test_case_45_the_difference_waits_for_the_next_invoice():
    world = subscribed("10.00")
    world.to(MID_APRIL)
    publish(world, "12.00")
    migrate(world)
    assert len(world.invoices()) == 1
    world.to(MAY)
    renewal = world.invoices()[-1]
    assert (lines(renewal), renewal.totals.total.units) == ([-500, 600, 1200], 1300)


def test_case_47_nothing_asked_is_refused():
    world = subscribed()
    publish(world, "12.00")
    before = len(world.store.log)
    with pytest.raises(NothingToMigrate):
        migrate(world, pricing=False)
    assert len(world.store.log) == before


def test_who_is_there_already_is_refused():
    world = subscribed()
    with pytest.raises(AlreadyLatest):
        migrate(world, features=True)
    publish(world, "12.00")
    migrate(world)
    with pytest.raises(AlreadyLatest):
        migrate(world)


def test_features_and_price_move_apart():
    world = subscribed()
    publish(world, "12.00")
    migrate(world, features=True, pricing=False)
    contract = world.subscription(world.number).contract
    assert (contract.feature_version, contract.terms.plan.version) == (2, 1)
    assert contract.amount.units == 1000
    migrate(world)
    contract = world.subscription(world.number).contract
    assert (contract.feature_version, contract.terms.plan.version) == (2, 2)
    assert contract.amount.units == 1200


def test_features_alone_bill_nothing_that_a_change_before_left_unbilled():
    world = subscribed()
    world.monthly("20.00", "max")
    world.to(MID_APRIL)
    behavior = ProrationBehavior.NO_PRORATION
    world.do(UpdateSubscription(subscription_id=world.number, plan="max", behavior=behavior))
    publish(world, "24.00", identifier="max")
    migrate(world, features=True, pricing=False)
    assert world.subscription(world.number).deferred == ()
    world.to(MAY)
    assert world.invoices()[-1].totals.total.units == 2000


def test_who_stays_on_a_plan_stays_on_its_version():
    world = subscribed()
    publish(world, "12.00")
    update = UpdateSubscription(subscription_id=world.number, plan="pro")
    assert world.do(update) == []
    assert world.subscription(world.number).contract.terms.plan.version == 1


class KilledError(Exception):
    """The process is gone."""


class Known:
    """The subscriptions of the world, as the view would give them."""

    def __init__(self, world):
        self.world = world
        self.asked = 0

    async def of_plan(self, plan, after, limit, position):
        del plan, limit, position
        self.asked += 1
        known = sorted(number for number in self.world.subscriptions())
        return [number for number in known if after is None or number > after][:2]


def publication(world):
    return next(
        recorded
        for recorded in reversed(world.store.log)
        if isinstance(recorded.fact, PlanVersionPublished)
    )


def migrating(world):
    views = Positions()
    views.reached(10**9)
    reactor = Reactor(NAME, world.bus, Tenants(world.tenant))
    return MigrateSubscribers(reactor, Known(world), views)


def test_publishing_for_subscribers_moves_each_once_however_often_it_runs():
    world = subscribed()
    others = [world.subscribe() for _ in range(4)]
    world.to(MID_APRIL)
    publish(world, "12.00", update_pricing=True)
    for _ in range(3):
        asyncio.run(migrating(world).handle(publication(world)))
    assert len(world.facts(SubscriptionPlanChanged)) == 5
    world.to(MAY)
    assert [invoice.totals.total.units for invoice in world.invoices()[5:]] == [1300] * 5
    assert all(len(world.subscription(number).deferred) == 0 for number in others)


def test_a_walk_that_dies_half_way_is_taken_up_again():
    world = subscribed()
    for _ in range(4):
        world.subscribe()
    publish(world, "12.00", update_pricing=True)
    dying = migrating(world)
    whole = dying._subscribers.of_plan

    async def half(plan, after, limit, position):
        if after is not None:
            raise ConnectionError
        return await whole(plan, after, limit, position)

    dying._subscribers.of_plan = half
    with pytest.raises(ConnectionError):
        asyncio.run(dying.handle(publication(world)))
    assert len(world.facts(SubscriptionPlanChanged)) == 2
    asyncio.run(migrating(world).handle(publication(world)))
    assert len(world.facts(SubscriptionPlanChanged)) == 5


def progress(world):
    plan = publication(world).fact
    return world.state(PLAN_MIGRATION, migration_of(plan.plan_id, plan.version))


def test_progress_is_in_the_log_and_says_who_stays_and_why():
    world = subscribed()
    others = [world.subscribe() for _ in range(3)]
    custom = world.subscribe(custom_amount=Decimal("9.00"))
    world.do(PauseSubscription(subscription_id=others[0], months=1))
    publish(world, "12.00", update_pricing=True)
    for _ in range(2):
        asyncio.run(migrating(world).handle(publication(world)))
    found = progress(world)
    assert (found.moved, found.stays) == (
        3,
        {"custom_priced_subscription": 1, "subscription_paused": 1},
    )
    assert found.finished_at == world.clock.at
    assert world.subscription(custom).contract.terms.plan.version == 1
    assert len(world.facts(PlanMigrationProgressed)) == 4


@pytest.mark.parametrize("appends", range(9))
def test_a_walk_killed_between_any_two_steps_moves_and_counts_each_once(appends):
    world = subscribed()
    for _ in range(4):
        world.subscribe()
    publish(world, "12.00", update_pricing=True)
    append, left = world.store.append, [appends]

    async def mortal(command):
        left[0] -= 1
        if left[0] < 0:
            raise KilledError
        return await append(command)

    world.store.append = mortal
    with pytest.raises((KilledError, ExceptionGroup)):
        asyncio.run(migrating(world).handle(publication(world)))
    world.store.append = append
    world.bus.cache = type(world.bus.cache)()
    again = migrating(world)
    asyncio.run(again.handle(publication(world)))
    assert len(world.facts(SubscriptionPlanChanged)) == 5
    found = progress(world)
    assert (found.moved, found.stays, found.finished_at) == (5, {}, world.clock.at)
    asyncio.run(migrating(world).handle(publication(world)))
    assert progress(world) == found


def test_a_walk_goes_on_behind_the_last_who_was_asked():
    world = subscribed()
    for _ in range(4):
        world.subscribe()
    publish(world, "12.00", update_pricing=True)
    asyncio.run(migrating(world).handle(publication(world)))
    again = migrating(world)
    asyncio.run(again.handle(publication(world)))
    assert again._subscribers.asked == 0


def test_publishing_for_nobody_moves_nobody():
    world = subscribed()
    publish(world, "12.00")
    walk = migrating(world)
    asyncio.run(walk.handle(publication(world)))
    assert walk._subscribers.asked == 0

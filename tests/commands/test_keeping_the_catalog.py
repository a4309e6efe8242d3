"""Commands about the catalog: names that clash, tenants, and two that come at the same time."""

import asyncio
from dataclasses import replace

import pytest

from aggregates.feature.decide import FeatureNotFound
from aggregates.plan.decide import PlanAlreadyPublished, PlanExists, PlanNotFound
from aggregates.plan.state import PLAN
from aggregates.product.decide import ProductExists, ProductNotFound
from commands.catalog.add_plan_entitlements import AddPlanEntitlements, Granted
from commands.catalog.archive_feature import ArchiveFeature
from commands.catalog.archive_product import ArchiveProduct
from commands.catalog.change_plan import ChangePlan
from commands.catalog.change_product import ChangeProduct
from commands.catalog.identifiers import slug_of
from commands.catalog.publish_plan import PublishPlan
from commands.catalog.set_plan_prices import SetPlanPrices
from commands.context import Context
from commands.plan_terms import UnknownPlan, Wanted, plan_terms
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields, Refused
from kernel.ids import natural_id
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.ports.payments import NO_PROVIDER, PaymentProviderMissing
from tests.catalog_builders import price, row
from tests.catalog_life import OTHER_TENANT, TENANT, Shop
from tests.memory_store import MemoryStore


pytestmark = pytest.mark.anyio


class SlowStore(MemoryStore):
    """Lets other commands in between a load and an append."""

    async def load(self, stream):
        found = await super().load(stream)
        await asyncio.sleep(0)
        return found

    async def append(self, command):
        await asyncio.sleep(0)
        return await super().append(command)


def plan_of(shop, identifier="pro"):
    stream = natural_id(shop.tenant.secret, "plan", identifier)
    return PLAN.of([recorded.fact for recorded in shop.store.log if recorded.stream == stream])


async def at_once(*doing):
    """What each came to, refusals included."""
    return await asyncio.gather(*doing, return_exceptions=True)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Pro", "pro"),
        ("Über Plan 2000!", "uber-plan-2000"),
        ("--a__b--", "a__b"),
        ("日本", "plan"),
        ("x" * 200, "x" * 100),
    ],
)
def test_an_identifier_is_made_from_the_name(name, slug):
    assert slug_of(name, "plan") == slug


async def test_names_that_clash_get_a_number_and_given_identifiers_are_refused():
    shop = Shop()
    first = await shop.product()
    ids = [first, await shop.product(), await shop.product()]
    identifiers = [recorded.fact.identifier for recorded in shop.store.log]
    assert identifiers == ["orbit", "orbit-2", "orbit-3"]
    assert len(set(ids)) == 3
    with pytest.raises(ProductExists):
        await shop.product(identifier="orbit-2")


async def test_names_that_clash_at_the_same_time_get_a_number_each():
    shop = Shop(store=SlowStore())
    await at_once(*(shop.product() for _ in range(4)))
    identifiers = {recorded.fact.identifier for recorded in shop.store.log}
    assert identifiers == {"orbit", "orbit-2", "orbit-3", "orbit-4"}


async def test_a_given_identifier_goes_to_one_of_two():
    shop = Shop(store=SlowStore())
    product = await shop.product()
    results = await at_once(*(shop.plan(product, identifier="pro") for _ in range(2)))
    assert [type(result) for result in results if isinstance(result, Refused)] == [PlanExists]


async def test_two_edits_at_the_same_time_share_one_draft():
    shop = Shop(store=SlowStore())
    await shop.on_sale(await shop.product())
    await at_once(
        shop.do(ChangePlan(identifier="pro", changes={"name": "Professional"})),
        shop.do(ChangePlan(identifier="pro", changes={"description": "For teams"})),
    )
    newest = plan_of(shop).newest
    assert (newest.number, newest.wording.name, newest.wording.description) == (
        2,
        "Professional",
        "For teams",
    )


async def test_a_draft_is_published_once():
    shop = Shop(store=SlowStore())
    await shop.plan(await shop.product())
    await shop.do(SetPlanPrices(identifier="pro", prices=[price()]))
    results = await at_once(*(shop.do(PublishPlan(identifier="pro")) for _ in range(3)))
    refusals = [type(result) for result in results if isinstance(result, Refused)]
    assert refusals == [PlanAlreadyPublished] * 2


async def test_a_product_of_another_organization_is_not_there():
    ours = Shop()
    product, feature = await ours.product(), await ours.feature()
    theirs = Shop(OTHER_TENANT, ours.store)
    before = len(ours.store.log)
    with pytest.raises(ProductNotFound):
        await theirs.do(ChangeProduct(product_id=product, changes={"name": "Mine"}))
    with pytest.raises(ProductNotFound):
        await theirs.do(ArchiveProduct(product_id=product))
    with pytest.raises(FeatureNotFound):
        await theirs.do(ArchiveFeature(feature_id=feature))
    with pytest.raises(InvalidFields, match="no product"):
        await theirs.plan(product)
    assert len(ours.store.log) == before
    await theirs.plan(await theirs.product())
    with pytest.raises(InvalidFields, match="no feature"):
        await theirs.do(
            AddPlanEntitlements(identifier="pro", granted=[Granted(feature_id=feature, details={})])
        )
    with pytest.raises(PlanNotFound):
        await ours.do(PublishPlan(identifier="pro"))


async def test_an_id_of_another_kind_of_thing_is_not_there():
    shop = Shop()
    product = await shop.product()
    with pytest.raises(FeatureNotFound):
        await shop.do(ArchiveFeature(feature_id=product))
    await shop.plan(product)
    with pytest.raises(InvalidFields, match="no feature"):
        await shop.do(SetPlanPrices(identifier="pro", prices=[price(row(feature=product))]))


async def test_what_is_archived_cannot_be_used_in_a_plan():
    shop = Shop()
    product, feature = await shop.product(), await shop.feature()
    await shop.plan(product)
    await shop.do(ArchiveFeature(feature_id=feature))
    granted = [Granted(feature_id=feature, details={})]
    with pytest.raises(InvalidFields, match="archived"):
        await shop.do(AddPlanEntitlements(identifier="pro", granted=granted))
    await shop.do(ArchiveProduct(product_id=product))
    with pytest.raises(InvalidFields, match="archived"):
        await shop.plan(product, "Team")


async def test_production_without_a_provider_publishes_no_paid_plan():
    shop = Shop(replace(TENANT, payments=NO_PROVIDER))
    with pytest.raises(PaymentProviderMissing):
        await shop.on_sale(await shop.product())


async def terms(shop, **wanted):
    number = shop.tenant.organization
    work = UnitOfWork(shop.store, shop.bus.cache, shop.bus.clock, context(shop, number))
    return await plan_terms(work, Wanted(plan="pro", period=ChargePeriod.MONTHLY, **wanted))


def context(shop, number):

    return Context(tenant=shop.tenant, actor="operator", command_id=number, correlation_id=number)


async def test_terms_are_those_of_the_version_on_sale():
    shop = Shop()
    product = await shop.product()
    await shop.on_sale(product)
    await shop.do(ChangeProduct(product_id=product, changes={"name": "Orbit 2"}))
    await shop.do(ChangePlan(identifier="pro", changes={"name": "Draft"}))
    found = await terms(shop)
    assert (found.plan.version, found.plan.name, found.product.name) == (1, "Pro", "Orbit 2")
    assert found.amount == Money(2000, "USD")


async def test_a_plan_that_is_not_on_sale_has_no_terms_but_subscribers_keep_theirs():
    shop = Shop()
    product = await shop.product()
    with pytest.raises(UnknownPlan):
        await terms(shop)
    await shop.plan(product)
    with pytest.raises(UnknownPlan):
        await terms(shop)
    await shop.do(SetPlanPrices(identifier="pro", prices=[price()]))
    await shop.do(PublishPlan(identifier="pro"))
    await shop.do(ArchiveProduct(product_id=product))
    with pytest.raises(UnknownPlan):
        await terms(shop)
    assert (await terms(shop, version=1)).plan.version == 1

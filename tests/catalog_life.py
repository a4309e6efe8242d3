"""A catalog built by commands on a store in memory, for tests of commands and of views."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

from aggregates.feature.events import FeatureWording
from aggregates.plan.events import PlanWording
from aggregates.product.events import ProductWording, TaxCode
from commands.bus import Bus
from commands.catalog.add_plan_entitlements import AddPlanEntitlements, Granted
from commands.catalog.archive_feature import ArchiveFeature
from commands.catalog.archive_plan import ArchivePlan
from commands.catalog.archive_product import ArchiveProduct
from commands.catalog.change_feature import ChangeFeature
from commands.catalog.change_plan import ChangePlan
from commands.catalog.change_plan_entitlement import ChangePlanEntitlement
from commands.catalog.change_product import ChangeProduct
from commands.catalog.change_product_settings import ChangeProductSettings
from commands.catalog.create_feature import CreateFeature
from commands.catalog.create_plan import CreatePlan
from commands.catalog.create_product import CreateProduct
from commands.catalog.discard_plan_draft import DiscardPlanDraft
from commands.catalog.publish_plan import PublishPlan
from commands.catalog.remove_plan_entitlement import RemovePlanEntitlement
from commands.catalog.set_plan_prices import SetPlanPrices
from commands.context import Context
from kernel.entitlement import FeatureType, MeterKind, MeterWords
from kernel.ids import derived_id
from kernel.tenant import Environment, Tenant
from tests.catalog_builders import price, row
from tests.memory_store import MemoryStore


TENANT = Tenant(UUID(int=100), "default", b"organization secret", Environment.SANDBOX)
OTHER_TENANT = replace(TENANT, organization=UUID(int=101), secret=b"another secret")
SEATS = MeterWords(kind=MeterKind.PRE_AGGREGATED_USAGE, singular="seat", plural="seats")


class StandingClock:
    """It is always noon of the first of March."""

    def now(self):
        return datetime(2026, 3, 1, 12, tzinfo=UTC)


class Shop:
    """A bus over a store in memory, with a word for each thing a merchant does."""

    def __init__(self, tenant=TENANT, store=None):
        self.store = store or MemoryStore()
        self.bus = Bus(self.store, StandingClock())
        self.tenant = tenant
        self._numbers = count()

    async def do(self, command, **context):
        """The result of a command."""
        number = derived_id(self.tenant.organization, "command", next(self._numbers))
        envelope = Context(
            tenant=self.tenant,
            actor="operator",
            command_id=number,
            correlation_id=number,
            **context,
        )
        return (await self.bus.dispatch(command, envelope)).result

    async def product(self, name="Orbit", **fields):
        wording = ProductWording(name=name, description="", tax_code=TaxCode.SAAS)
        return await self.do(CreateProduct(wording=wording, created_by="Ada", **fields))

    async def feature(self, name="Seats", of=FeatureType.METER, **fields):
        meter = SEATS if of is FeatureType.METER else None
        wording = FeatureWording(name=name)
        return await self.do(CreateFeature(type=of, meter=meter, wording=wording, **fields))

    async def plan(self, product, name="Pro", **fields):
        return await self.do(
            CreatePlan(product_id=product, wording=PlanWording(name=name), **fields)
        )

    async def on_sale(self, product, name="Pro", *prices):
        await self.plan(product, name)
        await self.do(SetPlanPrices(identifier=name.lower(), prices=prices or [price()]))
        await self.do(PublishPlan(identifier=name.lower()))


async def a_whole_catalog(shop):
    """Every catalog command at least once."""
    product = await shop.product()
    seats = await shop.feature()
    sso = await shop.feature("SSO", FeatureType.BOOLEAN)
    await shop.do(ChangeProduct(product_id=product, changes={"description": "Planets"}))
    await shop.do(ChangeProductSettings(product_id=product, changes={"currency": "USD"}))
    await shop.on_sale(product, "Pro", price(row(), row(feature=seats)))
    both = [Granted(feature_id=seats, details={"value": 5}), Granted(feature_id=sso, details={})]
    await shop.do(AddPlanEntitlements(identifier="pro", granted=both))
    await shop.do(ChangePlanEntitlement(identifier="pro", feature="seats", details={"value": 7}))
    await shop.do(ChangeFeature(feature_id=seats, changes={"name": "Members"}))
    await shop.do(RemovePlanEntitlement(identifier="pro", feature="sso"))
    await shop.do(PublishPlan(identifier="pro", update_features=True))
    await shop.do(ChangePlan(identifier="pro", changes={"name": "Professional"}))
    await shop.do(DiscardPlanDraft(identifier="pro"))
    await shop.do(ChangePlan(identifier="pro", changes={"is_visible": False}))
    await shop.on_sale(product, "Old")
    await shop.do(ArchivePlan(identifier="old"))
    await shop.do(ArchiveFeature(feature_id=sso))
    await shop.do(ArchiveProduct(product_id=await shop.product("Gone")))

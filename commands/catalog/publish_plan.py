"""Put the draft of a plan on sale."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.plan import decide
from aggregates.plan.state import PLAN
from aggregates.product.state import PRODUCT
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishPlan:
    """``update_features`` and ``update_pricing`` ask to move subscribers of older versions."""

    identifier: str
    update_features: bool = False
    update_pricing: bool = False


@handles(PublishPlan)
async def publish_plan(work: UnitOfWork, command: PublishPlan) -> UUID:
    """The plan's id.

    Raises PlanNotFound, PlanAlreadyPublished, PlanHasNoPrice, CurrencyNotCovered,
    PaymentProviderMissing.
    """
    stream = work.natural_id("plan", command.identifier)
    plan = await work.load(PLAN, stream)
    if plan.product is None:
        raise decide.PlanNotFound
    product = await work.load(PRODUCT, plan.product.id)
    facts = decide.publish(
        plan,
        at=work.instant(),
        default_currency=product.settings.currency,
        provider=work.tenant.payments,
        update_features=command.update_features,
        update_pricing=command.update_pricing,
    )
    work.record(stream, facts)
    return stream

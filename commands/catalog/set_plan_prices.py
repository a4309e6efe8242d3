"""Replace all prices of a plan, in its draft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from aggregates.plan import decide
from aggregates.plan.state import PLAN
from commands.bus import handles
from commands.catalog.lookup import features_for_plan
from commands.unit_of_work import UnitOfWork
from kernel.ids import derived_id
from kernel.price import Price


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPlanPrices:
    """The whole set, one price per currency; their ids are made here."""

    identifier: str
    prices: Sequence[Price]


@handles(SetPlanPrices)
async def set_plan_prices(work: UnitOfWork, command: SetPlanPrices) -> UUID:
    """The plan's id. Raises PlanNotFound, PlanAlreadyArchived, InvalidFields, UnknownCurrency."""
    stream = work.natural_id("plan", command.identifier)
    plan = await work.load(PLAN, stream)
    decide.require_active(plan)
    priced = [row.feature for price in command.prices for row in price.rows if row.feature]
    features = await features_for_plan(work, priced, field="prices")
    prices = [
        replace(price, id=derived_id(stream, "price", price.currency)) for price in command.prices
    ]
    facts = decide.set_prices(plan, at=work.instant(), prices=prices, features=features)
    work.record(stream, facts)
    return stream

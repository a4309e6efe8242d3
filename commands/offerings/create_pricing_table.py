"""Choose plans and how to show them (wire 5.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from aggregates.pricing_table import decide
from aggregates.pricing_table.events import ShownPlan, TableContent
from aggregates.pricing_table.state import PRICING_TABLE
from commands.bus import handles
from commands.catalog.identifiers import choose_identifier
from commands.offerings.references import plan_to_show, require_feature
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePricingTable:
    """``identifier`` None: made from the name. The ids of plans are found by their identifiers."""

    content: TableContent
    identifier: str | None = None


@handles(CreatePricingTable)
async def create_pricing_table(work: UnitOfWork, command: CreatePricingTable) -> UUID:
    """The table's id. Raises PricingTableExists, InvalidFields."""
    identifier, stream = await choose_identifier(
        work, PRICING_TABLE, command.identifier, command.content.name
    )
    state = await work.load(PRICING_TABLE, stream)
    content = replace(command.content, plans=await known_plans(work, command.content.plans))
    facts = decide.create(state, stream, identifier, content, at=work.instant())
    work.record(stream, facts, owner=work.tenant.organization)
    return stream


async def known_plans(work: UnitOfWork, plans: tuple[ShownPlan, ...]) -> tuple[ShownPlan, ...]:
    """The plans with their ids. Raises InvalidFields for plans and features that are not there."""
    found = []
    for shown in plans:
        plan = await plan_to_show(work, shown.identifier)
        for feature in shown.features:
            await require_feature(work, feature.identifier)
        found.append(replace(shown, id=plan.id))
    return tuple(found)

"""Enter a plan into the catalog, as a draft."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from aggregates.plan import decide, files
from aggregates.plan.events import PlanWording
from aggregates.plan.state import PLAN
from commands.bus import handles
from commands.catalog.identifiers import choose_identifier
from commands.catalog.lookup import product_for_plan
from commands.unit_of_work import UnitOfWork
from kernel.file_keys import FileKey


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePlan:
    """``identifier`` None: made from the name. ``uploads`` are where its files are kept."""

    product_id: UUID
    wording: PlanWording
    identifier: str | None = None
    uploads: tuple[FileKey, ...] = ()


@handles(CreatePlan)
async def create_plan(work: UnitOfWork, command: CreatePlan) -> UUID:
    """The plan's id. Raises PlanExists, InvalidFields."""
    product = await product_for_plan(work, command.product_id)
    identifier, stream = await choose_identifier(
        work, PLAN, command.identifier, command.wording.name
    )
    facts = decide.create(
        await work.load(PLAN, stream),
        at=work.instant(),
        plan_id=stream,
        identifier=identifier,
        product=product.words,
        wording=replace(command.wording, files=files.with_uploads((), command.uploads)),
    )
    work.record(stream, facts, owner=work.tenant.organization)
    return stream

"""Change the words of a plan, in its draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.plan import decide, files
from aggregates.plan.state import PLAN
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields
from kernel.file_keys import FileKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlan:
    """``changes`` holds the fields of PlanWording that the client named.

    ``product_id`` and ``new_identifier`` are what the client sent of what is fixed, if anything.
    ``uploads`` are where files to be added are kept.
    """

    identifier: str
    changes: Mapping[str, Any]
    product_id: UUID | None = None
    new_identifier: str | None = None
    uploads: tuple[FileKey, ...] = ()


@handles(ChangePlan)
async def change_plan(work: UnitOfWork, command: ChangePlan) -> UUID:
    """The plan's id. Raises PlanNotFound, PlanAlreadyArchived, InvalidFields."""
    stream = work.natural_id("plan", command.identifier)
    plan = await work.load(PLAN, stream)
    newest = decide.require_active(plan)
    if command.new_identifier not in (None, plan.identifier):
        raise InvalidFields({"identifier": ["The identifier is fixed after creation."]})
    if plan.product and command.product_id not in (None, plan.product.id):
        raise InvalidFields({"product": ["The product is fixed after creation."]})
    kept = files.with_uploads(newest.wording.files, command.uploads)
    wording = replace(newest.wording, files=kept, **command.changes)
    work.record(stream, decide.reword(plan, at=work.instant(), wording=wording))
    return stream

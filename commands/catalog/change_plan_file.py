"""Change or remove a file that comes with a plan, in its draft (wire 18.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.plan import decide, files
from aggregates.plan.files import Files
from aggregates.plan.state import PLAN, Plan
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlanFile:
    """``changes`` holds the fields of PlanFile that the client named."""

    identifier: str
    file_id: UUID
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePlanFile:
    """Who bought the plan with the file keeps it."""

    identifier: str
    file_id: UUID


@handles(ChangePlanFile)
async def change_plan_file(work: UnitOfWork, command: ChangePlanFile) -> None:
    """Raises PlanNotFound, PlanAlreadyArchived, PlanFileNotFound."""
    plan = await work.load(PLAN, work.natural_id("plan", command.identifier))
    known = decide.require_active(plan).wording.files
    _reword(work, plan, files.with_changes(known, command.file_id, command.changes))


@handles(RemovePlanFile)
async def remove_plan_file(work: UnitOfWork, command: RemovePlanFile) -> None:
    """Raises PlanNotFound, PlanAlreadyArchived, PlanFileNotFound."""
    plan = await work.load(PLAN, work.natural_id("plan", command.identifier))
    known = decide.require_active(plan).wording.files
    _reword(work, plan, files.without(known, command.file_id))


def _reword(work: UnitOfWork, plan: Plan, kept: Files) -> None:
    wording = replace(decide.require_active(plan).wording, files=kept)
    work.record(plan.id, decide.reword(plan, at=work.instant(), wording=wording))

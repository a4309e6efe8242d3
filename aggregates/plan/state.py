"""What decisions about a plan read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import get_args
from uuid import UUID

from aggregates.plan.events import PlanArchived, PlanCreated, PlanEvent
from aggregates.plan.versions import PlanVersion, Versions, changed_versions
from kernel.fold import Fold
from kernel.ids import NIL
from kernel.offer import ProductWords


class Status(StrEnum):
    """Where a plan is in its life."""

    ABSENT = "absent"
    ACTIVE = "active"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan with all its versions, oldest first."""

    status: Status = Status.ABSENT
    id: UUID = NIL
    identifier: str = ""
    product: ProductWords | None = None
    versions: Versions = ()

    @property
    def newest(self) -> PlanVersion | None:
        """The draft if there is one, else the published version."""
        return self.versions[-1] if self.versions else None

    @property
    def published(self) -> PlanVersion | None:
        """The version on sale."""
        return next((v for v in reversed(self.versions) if v.is_published), None)

    def version(self, number: int) -> PlanVersion | None:
        """Any version that was not discarded."""
        return next((v for v in self.versions if v.number == number), None)


def evolve(state: Plan, fact: PlanEvent) -> Plan:
    """Total and free of rules: what is recorded is true."""
    versions = changed_versions(state.versions, fact)
    match fact:
        case PlanCreated():
            return Plan(Status.ACTIVE, fact.plan_id, fact.identifier, fact.product, versions)
        case PlanArchived():
            return replace(state, status=Status.ARCHIVED)
        case _:
            return replace(state, versions=versions)


PLAN = Fold("plan", Plan(), evolve, get_args(PlanEvent))

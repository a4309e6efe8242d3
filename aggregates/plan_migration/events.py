"""Facts about the migration of a plan's subscribers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """How many subscriptions stay for one reason: the code of a refusal."""

    reason: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMigrationProgressed:
    """All subscriptions with ids up to ``reached`` were asked to move.

    ``moved`` and ``stays`` count this stretch alone. ``reached`` None: there was none left, the
    migration is finished.
    """

    plan_id: UUID
    version: int
    reached: UUID | None
    moved: int
    stays: tuple[Stay, ...] = ()
    occurred_at: datetime


PlanMigrationEvent = PlanMigrationProgressed

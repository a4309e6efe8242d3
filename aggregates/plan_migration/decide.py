"""Decisions about the migration of a plan's subscribers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.plan_migration.events import PlanMigrationProgressed, Stay
from aggregates.plan_migration.progress import PlanMigration


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The subscriptions beyond ``after`` up to ``reached``, and what became of them."""

    after: UUID | None
    reached: UUID | None
    moved: int = 0
    stays: tuple[Stay, ...] = ()


def progress(
    state: PlanMigration, plan: UUID, version: int, stretch: Stretch, *, at: datetime
) -> Iterable[PlanMigrationProgressed]:
    """Count a stretch once: one that does not begin where the migration is was counted before."""
    if state.finished_at is not None or stretch.after != state.reached:
        return []
    return [
        PlanMigrationProgressed(
            plan_id=plan,
            version=version,
            reached=stretch.reached,
            moved=stretch.moved,
            stays=stretch.stays,
            occurred_at=at,
        )
    ]

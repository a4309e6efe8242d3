"""How far the migration of a plan's subscribers is; known to decisions and to queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from aggregates.plan_migration.events import PlanMigrationEvent, PlanMigrationProgressed
from kernel.fold import Fold
from kernel.ids import derived_id


@dataclass(frozen=True, slots=True)
class PlanMigration:
    """``reached`` is the last subscription that was asked; ``stays`` counts by reason."""

    reached: UUID | None = None
    moved: int = 0
    stays: Mapping[str, int] = field(default_factory=dict)
    finished_at: datetime | None = None


def evolve(state: PlanMigration, event: PlanMigrationEvent) -> PlanMigration:
    """Total and free of rules: what is recorded is true."""
    stays = dict(state.stays)
    for stay in event.stays:
        stays[stay.reason] = stays.get(stay.reason, 0) + stay.count
    return PlanMigration(
        reached=event.reached or state.reached,
        moved=state.moved + event.moved,
        stays=stays,
        finished_at=event.occurred_at if event.reached is None else None,
    )


def migration_of(plan: UUID, version: int) -> UUID:
    """The stream of the migration to one version of a plan."""
    return derived_id(plan, "migration", version)


PLAN_MIGRATION = Fold("plan_migration", PlanMigration(), evolve, (PlanMigrationProgressed,))

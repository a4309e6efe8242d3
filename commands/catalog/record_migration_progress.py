"""How far the migration of a plan's subscribers is, kept in the log."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.plan_migration import decide
from aggregates.plan_migration.decide import Stretch
from aggregates.plan_migration.progress import PLAN_MIGRATION, migration_of
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordMigrationProgress:
    """Everybody in ``stretch`` was asked to move to ``version``."""

    plan_id: UUID
    version: int
    stretch: Stretch


@handles(RecordMigrationProgress)
async def record_migration_progress(work: UnitOfWork, command: RecordMigrationProgress) -> None:
    """Each stretch counts once."""
    stream = migration_of(command.plan_id, command.version)
    state = await work.load(PLAN_MIGRATION, stream)
    facts = decide.progress(
        state, command.plan_id, command.version, command.stretch, at=work.instant()
    )
    work.record(stream, facts, owner=work.tenant.organization)

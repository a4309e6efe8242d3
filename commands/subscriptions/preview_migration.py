"""What moving to the newest version of a plan would cost, by the decision that carries it out."""

from __future__ import annotations

from dataclasses import dataclass

from commands.bus import handles
from commands.subscriptions.migrate_subscription import MigrateSubscription, migrated
from commands.subscriptions.preview_update import Preview, shown
from commands.unit_of_work import UnitOfWork
from kernel.preview_token import sign


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewMigration:
    """The migration to look at."""

    migration: MigrateSubscription


@handles(PreviewMigration)
async def preview_migration(work: UnitOfWork, command: PreviewMigration) -> Preview:
    """To be run by ``Bus.preview`` alone. Raises what ``migrate_subscription`` raises."""
    wanted = command.migration
    token = sign(work.tenant.secret, wanted.subject, await migrated(work, wanted))
    return await shown(work, wanted.subscription_id, token)

"""What moving to the newest version of a plan would cost, by the decision that carries it out."""

from __future__ import annotations

from dataclasses import dataclass

from commands.bus import handles
from commands.subscriptions.migrate_subscription import MigrateSubscription, migrate_subscription
from commands.subscriptions.preview_update import Preview, shown
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewMigration:
    """The migration to look at."""

    migration: MigrateSubscription


@handles(PreviewMigration)
async def preview_migration(work: UnitOfWork, command: PreviewMigration) -> Preview:
    """To be run by ``Bus.preview`` alone; binds nothing, so it has no id.

    Raises what ``migrate_subscription`` raises.
    """
    subscription_id = await migrate_subscription(work, command.migration)
    return await shown(work, subscription_id, "")

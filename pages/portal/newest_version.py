"""Moving one's own subscription to the newest version of its plan (spec: Authentication 7)."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from starlette.responses import Response

from commands.subscriptions.migrate_subscription import MigrateSubscription
from commands.subscriptions.preview_migration import PreviewMigration
from commands.subscriptions.preview_update import Preview
from kernel.preview_token import PreviewOutdated
from pages.portal.acting import act, look_at
from pages.portal.plan_change import costs
from pages.portal.subscriptions import chosen
from pages.portal.visit import Visit


MIGRATE = "newest version"


async def show(visit: Visit) -> Response:
    """What it would cost; nothing happens yet."""
    return await _shown(visit)


async def migrate(visit: Visit) -> Response:
    """Features and price together, for exactly what was shown."""
    key = UUID((await chosen(visit)).id)
    form = await visit.sent(MIGRATE, key)
    command = replace(_command(key), preview_id=form.get("preview", ""))
    try:
        await act(visit, command, form)
    except PreviewOutdated:
        return await _shown(visit, outdated=True)
    return visit.done("migrated", "subscriptions", key)


async def _shown(visit: Visit, *, outdated: bool = False) -> Response:
    subscription = await chosen(visit)
    key, speaks = UUID(subscription.id), visit.look.language
    preview: Preview = await look_at(visit, PreviewMigration(migration=_command(key)))
    values = {
        "it": subscription,
        "outdated": outdated,
        "costs": costs(speaks, preview, subscription.period),
        "preview": preview.preview_id,
        "migrate": visit.form(MIGRATE, key),
    }
    return visit.shown("newest", values, status=409 if outdated else 200)


def _command(key: UUID) -> MigrateSubscription:
    return MigrateSubscription(subscription_id=key, update_features=True, update_pricing=True)

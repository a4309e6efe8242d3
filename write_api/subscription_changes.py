"""Changes of subscriptions (wire 6.4, design 13)."""

from __future__ import annotations

from uuid import UUID

import msgspec
from fastapi import APIRouter, Response

from aggregates.subscription.decide import SubscriptionNotFound
from commands.subscriptions.migrate_subscription import MigrateSubscription
from commands.subscriptions.preview_update import PreviewUpdate
from commands.subscriptions.update_subscription import UpdateSubscription
from projections.subscriptions import SUBSCRIPTIONS
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.subscription import SubscriptionOut
from wire.subscription_changes import ChangeIn, MigrationIn, PreviewOut, UpdatedOut, UpdateIn
from write_api import answers
from write_api.outcomes import settled
from write_api.previews import preview_out
from write_api.write import ServerWrite


router = APIRouter(prefix="/subscriptions", tags=["Subscriptions"])


@router.post("/{subscription_id}/update/", responses=gives(UpdatedOut))
async def update(subscription_id: str, body: UpdateIn, write: ServerWrite) -> Response:
    """Change plan, period, quantities or trial; what is due at once is charged before the answer.

    With ``paymentBehavior`` ``activate_on_payment`` the change holds once it is paid; until then
    the subscription stays as it is and the change is an ``incomplete`` record.
    """
    key = uuid_of(subscription_id, SubscriptionNotFound())
    waits = body.payment_behavior is not None
    command = _command(key, body, waits=waits, preview_id=body.preview_id)
    shown = answers.content({"subscriptionId": str(key)})
    return await write(command, settled(write.services.bus, shown))


@router.post("/{subscription_id}/update/preview/", responses=gives(PreviewOut))
async def preview(subscription_id: str, body: ChangeIn, write: ServerWrite) -> Response:
    """What an update would cost now; nothing is changed or kept.

    An update with the same content and this ``previewId`` costs exactly that, for 30 minutes within
    the same period; when anything it rests on has changed since, it is refused with 409.
    """
    key = uuid_of(subscription_id, SubscriptionNotFound())
    shown = await write.preview(PreviewUpdate(update=_command(key, body)))
    return Response(msgspec.json.encode(preview_out(shown)), media_type="application/json")


@router.post("/{subscription_id}/migrate/", responses=gives(SubscriptionOut))
async def migrate(subscription_id: str, body: MigrationIn, write: ServerWrite) -> Response:
    """Move a subscription to the newest version of its plan, in its features, its price or both."""
    key = uuid_of(subscription_id, SubscriptionNotFound())
    command = MigrateSubscription(
        subscription_id=key,
        update_features=body.update_features,
        update_pricing=body.update_pricing,
    )
    return await write(command, settled(write.services.bus, answers.row(SUBSCRIPTIONS, key)))


def _command(
    key: UUID, body: ChangeIn, *, waits: bool = False, preview_id: str | None = None
) -> UpdateSubscription:
    return UpdateSubscription(
        subscription_id=key,
        plan=body.plan_identifier,
        period=body.charge_period,
        quantities=body.quantities,
        behavior=body.behavior,
        trial_ends_at=body.trial_ends_at,
        ends_trial=body.trial_end == "now",
        activate_on_payment=waits,
        preview_id=preview_id,
    )

"""Changes of subscriptions (wire 6.4, design 13)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from aggregates.subscription.decide import SubscriptionNotFound
from commands.subscriptions.update_subscription import UpdateSubscription
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.subscription_changes import ChangeIn, UpdatedOut, UpdateIn
from write_api import answers
from write_api.outcomes import settled
from write_api.write import ServerWrite


router = APIRouter(prefix="/subscriptions", tags=["Subscriptions"])


@router.post("/{subscription_id}/update/", responses=gives(UpdatedOut))
async def update(subscription_id: str, body: UpdateIn, write: ServerWrite) -> Response:
    """Change plan, period, quantities or trial; what is due at once is charged before the answer.

    With ``paymentBehavior`` ``activate_on_payment`` the change holds once it is paid; until then
    the subscription stays as it is and the change is an ``incomplete`` record.
    """
    key = uuid_of(subscription_id, SubscriptionNotFound())
    command = _command(key, body, waits=body.payment_behavior is not None)
    shown = answers.content({"subscriptionId": str(key)})
    return await write(command, settled(write.services.bus, shown))


def _command(key: UUID, body: ChangeIn, *, waits: bool = False) -> UpdateSubscription:
    return UpdateSubscription(
        subscription_id=key,
        plan=body.plan_identifier,
        period=body.charge_period,
        quantities=body.quantities,
        behavior=body.behavior,
        trial_ends_at=body.trial_ends_at,
        ends_trial=body.trial_end == "now",
        activate_on_payment=waits,
    )

"""Accepting retention offers, and what the organization offers (spec: Retention, design 13)."""

from __future__ import annotations

from uuid import UUID

import msgspec
from fastapi import APIRouter, Response

from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.retention import Choice
from aggregates.subscription.retention_events import SubscriptionRetentionOfferAccepted
from commands.organizations.change_retention import ChangeRetention
from commands.subscriptions.accept_retention_offer import AcceptRetentionOffer
from kernel.errors import InvalidFields
from kernel.retention import OfferType
from projections.organizations import RETENTION_SETTINGS
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.retention import (
    AcceptanceIn,
    AcceptanceOut,
    RetentionSettingsIn,
    RetentionSettingsOut,
    acceptance_out,
)
from write_api import answers
from write_api.write import Done, ServerWrite


router = APIRouter(tags=["Retention"])


@router.post("/subscriptions/{subscription_id}/retention/accept/", responses=gives(AcceptanceOut))
async def accept(subscription_id: str, body: AcceptanceIn, write: ServerWrite) -> Response:
    """Accept the offer configured for a reason to leave; no webhook event is sent for it."""
    if body.offer_type is OfferType.PAUSE and body.pause_months is None:
        raise InvalidFields({"pauseMonths": ["This field is required."]})
    command = AcceptRetentionOffer(
        subscription_id=_id(subscription_id),
        choice=Choice(
            feedback=body.cancellation_feedback,
            offer=body.offer_type,
            pause_months=body.pause_months,
        ),
        discount_id=write.id("discount"),
    )
    return await write(command, _accepted)


@router.patch("/organizations/retention-settings/", responses=gives(RetentionSettingsOut))
async def change_settings(body: RetentionSettingsIn, write: ServerWrite) -> Response:
    """Change the named settings; offers are replaced as a whole, null clears ``supportUrl``."""
    changes: dict[str, object] = {}
    if body.enabled is not None:
        changes["enabled"] = body.enabled
    if "support_url" in body.model_fields_set:
        changes["support_url"] = body.support_url
    if body.offers is not None:
        changes["offers"] = tuple(each.offer for each in body.offers)
    policy = body.repeat_policy
    named = policy.model_fields_set if policy else ()
    command = ChangeRetention(
        changes=changes, policy={name: getattr(policy, name) for name in named}
    )
    return await write(command, answers.row(RETENTION_SETTINGS, write.tenant.organization))


async def _accepted(done: Done) -> Response:
    fact = next(f for f in done.facts if isinstance(f, SubscriptionRetentionOfferAccepted))
    body = msgspec.json.encode(acceptance_out(fact))
    return Response(body, media_type="application/json")


def _id(text: str) -> UUID:
    return uuid_of(text, SubscriptionNotFound())

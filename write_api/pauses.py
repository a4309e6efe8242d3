"""Writes that pause subscriptions and let them go on (design 13)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from aggregates.subscription.decide import SubscriptionNotFound
from commands.subscriptions.pause_subscription import PauseSubscription, ResumeSubscription
from kernel.errors import InvalidFields
from projections.subscriptions import SUBSCRIPTIONS
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.pause_requests import PauseIn
from wire.subscription import SubscriptionOut
from write_api import answers
from write_api.write import ServerWrite


router = APIRouter(prefix="/subscriptions", tags=["Subscriptions"])


@router.post("/{subscription_id}/pause/", responses=gives(SubscriptionOut))
async def pause(subscription_id: str, body: PauseIn, write: ServerWrite) -> Response:
    """Let billing and access stand still; what is left of the paid period is kept."""
    key = _id(subscription_id)
    if body.pause_months is None and body.resumes_at is None:
        raise InvalidFields({"pauseMonths": ["This field or resumesAt is required."]})
    if body.pause_months is not None and body.resumes_at is not None:
        raise InvalidFields({"resumesAt": ["Give either pauseMonths or resumesAt."]})
    command = PauseSubscription(
        subscription_id=key, months=body.pause_months, resumes_at=body.resumes_at
    )
    return await write(command, answers.row(SUBSCRIPTIONS, key))


@router.post("/{subscription_id}/resume/", responses=gives(SubscriptionOut))
async def resume(subscription_id: str, write: ServerWrite) -> Response:
    """Let a paused subscription go on now, before its pause is over."""
    key = _id(subscription_id)
    return await write(ResumeSubscription(subscription_id=key), answers.row(SUBSCRIPTIONS, key))


def _id(text: str) -> UUID:
    return uuid_of(text, SubscriptionNotFound())

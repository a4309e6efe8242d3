"""Writes about subscriptions (wire 6, design 8, 13)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter, Response

from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType, SubscriptionCanceled
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.create_subscription import CreateSubscription
from commands.subscriptions.reactivate_subscription import ReactivateSubscription
from kernel.errors import InvalidFields
from projections.subscriptions import SUBSCRIPTIONS
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.subscription import SubscriptionOut
from wire.subscription_requests import CancellationIn, SubscriptionIn
from write_api import answers
from write_api.outcomes import settled
from write_api.write import Answer, Done, ServerWrite


router = APIRouter(prefix="/subscriptions", tags=["Subscriptions"])


@router.post("/create/", status_code=201, responses=gives(SubscriptionOut, 201))
async def create(body: SubscriptionIn, write: ServerWrite) -> Response:
    """Sell a plan to a customer; the saved payment method pays at once.

    Without one, or when it is declined or asks for authentication, the subscription is
    ``incomplete`` and its open invoice has a payment link.
    """
    if body.custom_amount is not None and body.currency_code is None:
        raise InvalidFields({"currencyCode": ["This field is required with customAmount."]})
    subscription_id = write.id("subscription")
    command = CreateSubscription(
        subscription_id=subscription_id,
        customer_id=body.customer_id,
        plan=body.plan_identifier,
        period=body.charge_period,
        currency=body.currency_code,
        quantities=body.quantities,
        started_at=body.start_date,
        bill_past_periods=body.bill_past_periods,
        trial_ends_at=body.trial_end if isinstance(body.trial_end, datetime) else None,
        no_trial=body.trial_end == "now",
        discount_code=body.discount_code,
        custom_amount=body.custom_amount,
    )
    shown = answers.row(SUBSCRIPTIONS, subscription_id, status=201)
    return await write(command, settled(write.services.bus, shown))


@router.post("/{subscription_id}/cancel/")
async def cancel(
    subscription_id: str, write: ServerWrite, body: CancellationIn | None = None
) -> Response:
    """End a subscription now, with its period, or on a day."""
    wish = body or CancellationIn()
    command = CancelSubscription(
        subscription_id=_id(subscription_id),
        wish=Cancellation(
            type=wish.cancellation_type,
            on=wish.cancellation_date,
            feedback=wish.cancellation_feedback,
            comment=wish.cancellation_comment,
        ),
        credit_unused_time=wish.credit_unused_time,
    )
    return await write(command, _said(wish))


@router.post("/{subscription_id}/reactivate/")
async def reactivate(subscription_id: str, write: ServerWrite) -> Response:
    """Take a scheduled cancellation back."""
    key = _id(subscription_id)
    return await write(ReactivateSubscription(subscription_id=key), answers.row(SUBSCRIPTIONS, key))


def _said(wish: CancellationIn) -> Answer:
    """What came of it: also what does not say so ends at once while paused or not yet paid."""

    async def answer(done: Done) -> Response:
        is_over = any(isinstance(fact, SubscriptionCanceled) for fact in done.facts)
        said = "The subscription is canceled." if is_over else _planned(wish)
        return await answers.message(said)(done)

    return answer


def _planned(wish: CancellationIn) -> str:
    if wish.cancellation_type is CancellationType.SPECIFIC_DATE:
        return f"The subscription will be canceled on {wish.cancellation_date}."
    return "The subscription will be canceled at the end of its current period."


def _id(text: str) -> UUID:
    return uuid_of(text, SubscriptionNotFound())

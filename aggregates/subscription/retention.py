"""Decisions about retention offers: who may accept what, and what it means (spec: Retention)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.discount_events import DiscountSource
from aggregates.subscription.discounts import attach
from aggregates.subscription.eligibility import Standing
from aggregates.subscription.events import Status, SubscriptionEvent
from aggregates.subscription.pausing import pause
from aggregates.subscription.retention_events import (
    DiscountGiven,
    PauseGiven,
    SubscriptionRetentionOfferAccepted,
)
from aggregates.subscription.state import Subscription
from kernel.discount import DiscountTerms, Duration, PriceOff
from kernel.errors import Invalid, InvalidFields
from kernel.interval import INTERVALS, add_months, boundary, period_at
from kernel.money import Money
from kernel.retention import Feedback, OfferType, RetentionOffer, RetentionSettings


class RetentionIsOff(Invalid):
    """Retention offers are switched off."""

    code = "retention_disabled"


class OfferNotConfigured(Invalid):
    """The offer is not the one configured for the reason."""

    code = "offer_not_configured"


class NothingOffered(Invalid):
    """No offer is configured for the reason."""

    code = "nothing_offered"


class NotEligible(Invalid):
    """The subscription is not eligible for this offer."""

    code = "not_eligible"


class OfferAlreadyUsed(Invalid):
    """Retention offers were already used on the subscription as often as they may be."""

    code = "offer_already_used"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a customer chose; ``pause_months`` belongs to PAUSE."""

    feedback: Feedback
    offer: OfferType
    pause_months: int | None = None


def standing_of(state: Subscription) -> Standing:
    """The subscription as eligibility sees it."""
    return Standing(
        status=state.status,
        recurs=state.period is not None,
        is_ending=state.ending is not None,
        accepted=state.acceptances,
    )


def require_offer(
    state: Subscription, settings: RetentionSettings, choice: Choice, *, at: datetime
) -> RetentionOffer:
    """The configured offer, if this subscription may accept it now.

    Raises SubscriptionNotFound, RetentionIsOff, NothingOffered, OfferNotConfigured, NotEligible,
    OfferAlreadyUsed, InvalidFields.
    """
    if state.status is Status.ABSENT:
        raise SubscriptionNotFound
    if not settings.enabled:
        raise RetentionIsOff
    offer = settings.offer(choice.feedback)
    if offer is None or offer.type is OfferType.NONE:
        raise NothingOffered
    if offer.type is not choice.offer:
        raise OfferNotConfigured
    if not standing_of(state).may_have(offer.type):
        raise NotEligible
    if settings.repeat_policy.is_used_up(state.acceptances, at):
        raise OfferAlreadyUsed
    if offer.type is OfferType.PAUSE and choice.pause_months not in offer.durations:
        offered = ", ".join(str(months) for months in offer.durations)
        raise InvalidFields({"pauseMonths": [f"Choose one of the offered durations: {offered}."]})
    return offer


def coupon(offer: RetentionOffer, discount_id: UUID) -> DiscountTerms:
    """The internal coupon of a DISCOUNT: nobody can type it in."""
    cycles = offer.billing_cycles
    return DiscountTerms(
        id=discount_id,
        name=f"{offer.percentage_off}% off",
        off=PriceOff(percentage=offer.percentage_off),
        duration=Duration.ONCE if cycles == 1 else Duration.REPEATING,
        cycles=cycles,
    )


def applies_until(state: Subscription, cycles: int) -> datetime | None:
    """The end of the last of the next ``cycles`` invoiced periods; None for a single one."""
    interval = None if state.contract is None else INTERVALS.get(state.contract.terms.period)
    if cycles == 1 or interval is None or state.period is None:
        return None
    number, _ = period_at(state.anchor, interval, state.period.end)
    return boundary(state.anchor, interval, number + cycles)


def accept_discount(
    state: Subscription,
    feedback: Feedback,
    terms: DiscountTerms,
    *,
    original: Money,
    discounted: Money,
    at: datetime,
) -> list[SubscriptionEvent]:
    """Attach the coupon: the next invoiced periods are reduced."""
    given = DiscountGiven(
        discount_id=terms.id,
        percentage_off=terms.off.percentage or 0,
        billing_cycles=terms.cycles or 0,
        original=original,
        discounted=discounted,
        applies_until=applies_until(state, terms.cycles or 0),
    )
    accepted = SubscriptionRetentionOfferAccepted(
        subscription_id=state.id,
        feedback=feedback,
        offer=OfferType.DISCOUNT,
        discount=given,
        occurred_at=at,
    )
    source = DiscountSource.RETENTION
    return [accepted, *attach(state.discounts, state.id, terms, source=source, at=at)]


def accept_pause(
    state: Subscription, feedback: Feedback, months: int, *, at: datetime
) -> list[SubscriptionEvent]:
    """Pause from now on for whole months; nobody is told of it (design 9)."""
    resumes_at = add_months(at, months)
    accepted = SubscriptionRetentionOfferAccepted(
        subscription_id=state.id,
        feedback=feedback,
        offer=OfferType.PAUSE,
        pause=PauseGiven(months=months, resumes_at=resumes_at),
        occurred_at=at,
    )
    return [accepted, *pause(state, resumes_at=resumes_at, offered=True, at=at)]


def accept_support(
    state: Subscription, feedback: Feedback, url: str | None, *, at: datetime
) -> list[SubscriptionEvent]:
    """Changes nothing but that it is known and counted."""
    return [
        SubscriptionRetentionOfferAccepted(
            subscription_id=state.id,
            feedback=feedback,
            offer=OfferType.SUPPORT,
            url=url,
            occurred_at=at,
        )
    ]

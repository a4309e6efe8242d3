"""Retention as clients write and read it (spec: Retention, design 13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NotRequired

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from aggregates.subscription.retention_events import SubscriptionRetentionOfferAccepted
from kernel.retention import Feedback, OfferType, RetentionOffer, RetentionSettings
from wire.base import In
from wire.catalog.fields import HttpUrl
from wire.times import instant, seconds


LONGEST_MONTHS = 120
MOST_CYCLES = 120

Months = Annotated[int, Field(ge=1, le=LONGEST_MONTHS, strict=True)]
Count = Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
NEEDED = {
    OfferType.DISCOUNT: {"percentageOff": "percentage_off", "billingCycles": "billing_cycles"},
    OfferType.PAUSE: {"durations": "durations"},
    OfferType.SUPPORT: {},
    OfferType.NONE: {},
}


class OfferIn(In):
    """The offer for one reason; what does not belong to its type is ignored."""

    cancellation_feedback: Feedback
    offer_type: OfferType
    percentage_off: Annotated[int, Field(ge=1, le=100, strict=True)] | None = None
    billing_cycles: Annotated[int, Field(ge=1, le=MOST_CYCLES, strict=True)] | None = None
    durations: Annotated[tuple[Months, ...], Field(max_length=LONGEST_MONTHS)] = ()
    url: HttpUrl | None = None

    @model_validator(mode="after")
    def _complete(self) -> OfferIn:
        needed = NEEDED[self.offer_type]
        missing = [word for word, name in needed.items() if not getattr(self, name)]
        if missing:
            named = " and ".join(missing)
            raise ValueError(f"{self.offer_type} needs {named}.")
        if len(set(self.durations)) < len(self.durations):
            raise ValueError("Each duration may be named once.")
        return self

    @property
    def offer(self) -> RetentionOffer:
        """With the fields of its type alone."""
        is_discount = self.offer_type is OfferType.DISCOUNT
        return RetentionOffer(
            feedback=self.cancellation_feedback,
            type=self.offer_type,
            percentage_off=self.percentage_off if is_discount else None,
            billing_cycles=self.billing_cycles if is_discount else None,
            durations=self.durations if self.offer_type is OfferType.PAUSE else (),
            url=self.url if self.offer_type is OfferType.SUPPORT else None,
        )


class RepeatPolicyIn(In):
    """What PATCH may name of the repeat policy; null lifts a limit."""

    max_acceptances: Count | None = None
    within_months: Annotated[int, Field(ge=1, le=1200, strict=True)] | None = None


class RetentionSettingsIn(In):
    """What PATCH may name; offers are replaced as a whole."""

    enabled: bool | None = None
    support_url: HttpUrl | None = None
    repeat_policy: RepeatPolicyIn | None = None
    offers: Annotated[tuple[OfferIn, ...], Field(max_length=len(Feedback))] | None = None

    @model_validator(mode="after")
    def _one_offer_per_reason(self) -> RetentionSettingsIn:
        reasons = [offer.cancellation_feedback for offer in self.offers or ()]
        if len(set(reasons)) < len(reasons):
            raise ValueError("There is one offer per reason.")
        return self


class AcceptanceIn(In):
    """The offer that a customer accepts, and the reason it is the offer for."""

    offer_type: OfferType
    cancellation_feedback: Feedback
    pause_months: Annotated[int, Field(ge=1, strict=True)] | None = None


class OfferOut(TypedDict):
    """One offer, with the fields of its type."""

    cancellationFeedback: Feedback
    offerType: OfferType
    percentageOff: NotRequired[int]
    billingCycles: NotRequired[int]
    durations: NotRequired[list[int]]
    url: NotRequired[str | None]


class OffersOut(TypedDict):
    """What one subscription could accept now."""

    enabled: bool
    offers: list[OfferOut]


class RepeatPolicyOut(TypedDict):
    """How often offers may be accepted; null: no limit."""

    maxAcceptances: int | None
    withinMonths: int | None


class RetentionSettingsOut(TypedDict):
    """What the organization offers."""

    enabled: bool
    supportUrl: str | None
    repeatPolicy: RepeatPolicyOut
    offers: list[OfferOut]


class AcceptanceOut(TypedDict):
    """What was accepted, with the fields of its type."""

    message: str
    subscriptionId: str
    offerType: OfferType
    cancellationFeedback: Feedback
    percentageOff: NotRequired[int]
    billingCycles: NotRequired[int]
    appliesUntil: NotRequired[str | None]
    originalAmount: NotRequired[str]
    discountedAmount: NotRequired[str]
    pauseMonths: NotRequired[int]
    resumesAt: NotRequired[str]
    url: NotRequired[str | None]


def settings_out(settings: RetentionSettings) -> RetentionSettingsOut:
    """The settings as they were written."""
    policy = settings.repeat_policy
    return {
        "enabled": settings.enabled,
        "supportUrl": settings.support_url,
        "repeatPolicy": {
            "maxAcceptances": policy.max_acceptances,
            "withinMonths": policy.within_months,
        },
        "offers": [offer_out(offer, offer.url) for offer in settings.offers],
    }


def offers_out(settings: RetentionSettings, offers: Iterable[RetentionOffer]) -> OffersOut:
    """The offers of one subscription; SUPPORT says where it leads to."""
    shown = [offer_out(offer, settings.url_of(offer)) for offer in offers]
    return {"enabled": settings.enabled, "offers": shown}


def offer_out(offer: RetentionOffer, url: str | None) -> OfferOut:
    """An offer with the fields of its type."""
    shown: OfferOut = {"cancellationFeedback": offer.feedback, "offerType": offer.type}
    if offer.percentage_off is not None and offer.billing_cycles is not None:
        shown["percentageOff"] = offer.percentage_off
        shown["billingCycles"] = offer.billing_cycles
    if offer.type is OfferType.PAUSE:
        shown["durations"] = list(offer.durations)
    if offer.type is OfferType.SUPPORT:
        shown["url"] = url
    return shown


def acceptance_out(fact: SubscriptionRetentionOfferAccepted) -> dict[str, Any]:
    """The answer to an acceptance (spec: Retention offer acceptance response)."""
    return {
        "message": _message(fact),
        "subscriptionId": str(fact.subscription_id),
        "offerType": fact.offer.value,
        "cancellationFeedback": fact.feedback.value,
        **_given(fact),
    }


def _given(fact: SubscriptionRetentionOfferAccepted) -> dict[str, Any]:
    if fact.discount is not None:
        return {
            "percentageOff": fact.discount.percentage_off,
            "billingCycles": fact.discount.billing_cycles,
            "appliesUntil": seconds(instant(fact.discount.applies_until)),
            "originalAmount": fact.discount.original.decimal(),
            "discountedAmount": fact.discount.discounted.decimal(),
        }
    if fact.pause is not None:
        return {
            "pauseMonths": fact.pause.months,
            "resumesAt": seconds(instant(fact.pause.resumes_at)),
        }
    return {"url": fact.url}


def _message(fact: SubscriptionRetentionOfferAccepted) -> str:
    if fact.discount is not None:
        cycles = fact.discount.billing_cycles
        periods = "billing cycle" if cycles == 1 else f"{cycles} billing cycles"
        return f"{fact.discount.percentage_off}% off the next {periods}."
    if fact.pause is not None:
        return f"The subscription is paused until {fact.pause.resumes_at:%Y-%m-%d}."
    return "Please contact support."

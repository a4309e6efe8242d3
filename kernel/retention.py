"""What an organization offers customers who are about to leave (spec: Retention, design 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from kernel.interval import add_months


class Feedback(StrEnum):
    """Why a customer leaves (spec: Retention)."""

    TOO_EXPENSIVE = "TOO_EXPENSIVE"
    MISSING_FEATURES = "MISSING_FEATURES"
    SWITCHED_SERVICE = "SWITCHED_SERVICE"
    UNUSED = "UNUSED"
    CUSTOMER_SERVICE = "CUSTOMER_SERVICE"
    LOW_QUALITY = "LOW_QUALITY"
    TOO_COMPLEX = "TOO_COMPLEX"
    OTHER = "OTHER"


class OfferType(StrEnum):
    """What is offered; NONE says that a reason has no offer."""

    DISCOUNT = "DISCOUNT"
    PAUSE = "PAUSE"
    SUPPORT = "SUPPORT"
    NONE = "NONE"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionOffer:
    """The offer for one reason; only the fields of its type are set.

    DISCOUNT takes ``percentage_off`` (1 to 100) off ``billing_cycles`` invoiced periods, PAUSE
    lasts one of ``durations`` (months), SUPPORT leads to ``url``, or if None to the address of the
    organization.
    """

    feedback: Feedback
    type: OfferType
    percentage_off: int | None = None
    billing_cycles: int | None = None
    durations: tuple[int, ...] = ()
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatPolicy:
    """At most ``max_acceptances`` offers per subscription in ``within_months``; None: no limit."""

    max_acceptances: int | None = 1
    within_months: int | None = None

    def is_used_up(self, accepted: tuple[datetime, ...], at: datetime) -> bool:
        """Whether no more offers may be accepted at an instant, given when others were."""
        if self.max_acceptances is None:
            return False
        if self.within_months is not None:
            since = add_months(at, -self.within_months)
            accepted = tuple(each for each in accepted if each > since)
        return len(accepted) >= self.max_acceptances


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionSettings:
    """Whether and what an organization offers; at most one offer per reason."""

    enabled: bool = False
    support_url: str | None = None
    repeat_policy: RepeatPolicy = RepeatPolicy()
    offers: tuple[RetentionOffer, ...] = ()

    def offer(self, feedback: Feedback) -> RetentionOffer | None:
        """What is configured for a reason."""
        return next((each for each in self.offers if each.feedback is feedback), None)

    def url_of(self, offer: RetentionOffer) -> str | None:
        """Where a SUPPORT offer leads to."""
        return offer.url or self.support_url

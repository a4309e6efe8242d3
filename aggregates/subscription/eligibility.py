"""Which retention offers a subscription may accept; known to decisions and to views (design 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from aggregates.subscription.events import Status
from kernel.retention import OfferType, RetentionOffer, RetentionSettings


ELIGIBLE = {
    OfferType.PAUSE: frozenset({Status.ACTIVE}),
    OfferType.DISCOUNT: frozenset({Status.ACTIVE, Status.TRIALING, Status.PAST_DUE}),
    OfferType.SUPPORT: frozenset({Status.ACTIVE, Status.TRIALING, Status.PAST_DUE}),
    OfferType.NONE: frozenset({Status.ACTIVE, Status.TRIALING, Status.PAST_DUE}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What eligibility depends on: ``accepted`` are the instants of earlier acceptances."""

    status: Status
    recurs: bool
    is_ending: bool
    accepted: tuple[datetime, ...] = ()

    def may_have(self, offer: OfferType) -> bool:
        """Whether a subscription that stands so may accept an offer of this type."""
        return self.recurs and not self.is_ending and self.status in ELIGIBLE[offer]


def offered(
    settings: RetentionSettings, standing: Standing, at: datetime
) -> tuple[RetentionOffer, ...]:
    """The offers that could be accepted now, in the order of the settings."""
    if not settings.enabled or settings.repeat_policy.is_used_up(standing.accepted, at):
        return ()
    return tuple(offer for offer in settings.offers if standing.may_have(offer.type))

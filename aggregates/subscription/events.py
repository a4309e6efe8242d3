"""Facts about a subscription."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from aggregates.subscription.changes import (
    SubscriptionChangeExpired,
    SubscriptionChangeRequested,
    SubscriptionPlanChanged,
    SubscriptionTrialMoved,
)
from aggregates.subscription.contract import Contract
from aggregates.subscription.discount_events import DiscountEvent
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from aggregates.subscription.retention_events import SubscriptionRetentionOfferAccepted
from kernel.interval import Period
from kernel.personal import Personal
from kernel.ports.payments import Instrument
from kernel.retention import Feedback


class Status(StrEnum):
    """Where a subscription is in its life, in the words of the wire (design 5)."""

    ABSENT = "absent"
    TRIALING = "trialing"
    ACTIVE = "active"
    PAST_DUE = "past_due"
    PAUSED = "paused"
    INCOMPLETE = "incomplete"
    INCOMPLETE_EXPIRED = "incomplete_expired"
    CANCELED = "canceled"


GIVE_ACCESS = frozenset({Status.ACTIVE, Status.TRIALING, Status.PAST_DUE})
"""The statuses whose customers may use what they bought (design 13)."""


class Initiator(StrEnum):
    """Who ended a subscription, in the words of the wire (6.1)."""

    CUSTOMER = "CANCELLED_BY_CUSTOMER"
    MERCHANT = "CANCELLED_BY_MERCHANT"
    PROVIDER = "CANCELLED_BY_PROVIDER"


class CancellationType(StrEnum):
    """When a cancellation takes effect (wire 6.5)."""

    IMMEDIATE = "IMMEDIATE"
    CURRENT_PERIOD_ENDS = "CURRENT_PERIOD_ENDS"
    SPECIFIC_DATE = "SPECIFIC_DATE"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCard:
    """A card that pays for one subscription and for nothing else; ``reference`` charges it."""

    method_id: UUID
    provider: str
    reference: str
    instrument: Instrument


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionCreated:
    """A customer has a contract.

    ``incomplete`` gives no access until the first payment, ``trialing`` and ``active`` do.
    ``started_at`` may lie in the past; ``anchor`` is what all periods are counted from. ``period``
    is the present one: the trial itself during a trial, None for one-time sales. ``expires_at``
    ends an incomplete one that nobody pays. ``invoice_id`` is the invoice of that period.
    ``is_charge``: a one-time charge, which is paid by its first attempt or never; so is what a
    buyer pays in the checkout session ``checkout``. With an ``own_card`` nothing else pays for it:
    neither the customer's balance nor what the customer saved (public links, wire 16.3).
    """

    subscription_id: UUID
    customer: UUID
    contract: Contract
    status: Status
    started_at: datetime
    anchor: datetime
    period: Period | None
    trial: Period | None = None
    payment_method: UUID | None = None
    expires_at: datetime | None = None
    test_clock: UUID | None = None
    invoice_id: UUID | None = None
    is_charge: bool = False
    checkout: UUID | None = None
    own_card: OwnCard | None = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionActivated:
    """The first payment came in; the period counts from that payment."""

    subscription_id: UUID
    anchor: datetime
    period: Period | None
    invoice_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionIncompleteExpired:
    """Nobody paid the first invoice in time; the subscription never came about."""

    subscription_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionTrialEndingSoon:
    """The trial ends in a few days: the moment to remind the customer."""

    subscription_id: UUID
    trial_ends_at: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionTrialConverted:
    """The trial ended, the first paid period began; ``number`` 0 at the new ``anchor``."""

    subscription_id: UUID
    anchor: datetime
    period: Period
    invoice_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionRenewed:
    """Period ``number`` after the anchor began and was invoiced."""

    subscription_id: UUID
    number: int
    period: Period
    invoice_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionBecamePastDue:
    """An invoice could not be collected; access is kept while collection goes on.

    ``next_retry_at`` None: no retry before a new payment method; ``cancel_at`` is then the end.
    """

    subscription_id: UUID
    invoice_id: UUID
    next_retry_at: datetime | None
    cancel_at: datetime | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionFellFurtherBehind:
    """Another invoice of a subscription that is past due could not be collected."""

    subscription_id: UUID
    invoice_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionPaymentRetried:
    """Retry ``number`` of the schedule began; ``next_retry_at`` is None for the last one."""

    subscription_id: UUID
    number: int
    next_retry_at: datetime | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionRetriesStopped:
    """The method will never work: no retry until a new one, the end at ``cancel_at``."""

    subscription_id: UUID
    cancel_at: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionRetriesResumed:
    """A new payment method may work later: the schedule goes on at ``next_retry_at``."""

    subscription_id: UUID
    next_retry_at: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionRecovered:
    """Everything that was open is paid; period and anchor stay as they were."""

    subscription_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionCancellationScheduled:
    """The subscription will end at ``ends_at``; until then nothing changes.

    Scheduling another end replaces the one before. ``type`` is never IMMEDIATE. ``requested_at`` is
    set when nobody asked anew: the end only moved with the period that it is the end of.
    """

    subscription_id: UUID
    type: CancellationType
    ends_at: datetime
    initiator: Initiator
    feedback: Feedback | None
    comment: Personal[str | None] = None
    requested_at: datetime | None = None
    occurred_at: datetime

    @property
    def recorded_at(self) -> datetime:
        """When the cancellation was asked for (spec: canceledAt)."""
        return self.requested_at or self.occurred_at


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionCancellationWithdrawn:
    """The scheduled end was taken back; the subscription goes on as before."""

    subscription_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionCanceled:
    """The subscription ended at ``ended_at``; access is gone, nothing is billed any more.

    ``requested_at`` is when the cancellation was recorded: earlier than ``ended_at`` if scheduled.
    """

    subscription_id: UUID
    ended_at: datetime
    requested_at: datetime
    initiator: Initiator
    feedback: Feedback | None
    comment: Personal[str | None] = None
    occurred_at: datetime


SubscriptionEvent = (
    SubscriptionCreated
    | SubscriptionActivated
    | SubscriptionIncompleteExpired
    | SubscriptionTrialEndingSoon
    | SubscriptionTrialConverted
    | SubscriptionRenewed
    | SubscriptionBecamePastDue
    | SubscriptionFellFurtherBehind
    | SubscriptionPaymentRetried
    | SubscriptionRetriesStopped
    | SubscriptionRetriesResumed
    | SubscriptionRecovered
    | SubscriptionPaused
    | SubscriptionResumed
    | SubscriptionRetentionOfferAccepted
    | SubscriptionCancellationScheduled
    | SubscriptionCancellationWithdrawn
    | SubscriptionCanceled
    | SubscriptionPlanChanged
    | SubscriptionTrialMoved
    | SubscriptionChangeRequested
    | SubscriptionChangeExpired
    | DiscountEvent
)

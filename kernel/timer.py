"""Work that falls due by itself: its kinds, and their order at one instant (design 6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID


class TimerKind(StrEnum):
    """What happens when a timer is due; the order of these lines is the order at one instant."""

    TRIAL_REMINDER = "trial_reminder"
    DISCOUNT_END = "discount_end"
    RESUME = "resume"
    CANCELLATION = "cancellation"
    UNPAID_CANCELLATION = "unpaid_cancellation"
    PAYMENT_RETRY = "payment_retry"
    INCOMPLETE_EXPIRY = "incomplete_expiry"
    CHECKOUT_EXPIRY = "checkout_expiry"
    CHECKOUT_ABANDONMENT = "checkout_abandonment"
    TRIAL_END = "trial_end"
    RENEWAL = "renewal"
    RECONCILIATION = "reconciliation"
    LICENSE_EXPIRY = "license_expiry"

    @property
    def rank(self) -> int:
        """The place among timers that are due at one instant, from 0."""
        return RANKS[self]


RANKS: Final = {kind: rank for rank, kind in enumerate(TimerKind)}

REMINDER_LEAD: Final = timedelta(days=3)
"""How long before the end of a trial its customer is told (spec: Events)."""


ABANDONED_AFTER: Final = timedelta(hours=1)
UNTOUCHED_FOR: Final = timedelta(minutes=30)
"""A checkout is abandoned when it is so old and nobody touched it for so long (wire 16.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """One thing that falls due.

    ``subject`` is the stream it is about, ``owner`` the customer, ``set_by`` the position of the
    fact that set it. ``test_clock`` is that of the customer; None: the wall clock.
    """

    id: UUID
    kind: TimerKind
    due_at: datetime
    subject: UUID
    owner: UUID
    organization: UUID
    set_by: int
    test_clock: UUID | None = None

    @property
    def is_real_time(self) -> bool:
        """Payments happen outside: they are asked after in real time, whatever a clock says."""
        return self.test_clock is None or self.kind is TimerKind.RECONCILIATION

    @property
    def order(self) -> tuple[datetime, int, UUID]:
        """Timers of one customer run in this order."""
        return (self.due_at, self.kind.rank, self.id)


def timer_id(subject: UUID, kind: TimerKind) -> UUID:
    """One timer of a kind per subject; ids of one subject lie together in an index.

    The only timer of an invoice or a refund has its id.
    """
    if kind is TimerKind.RECONCILIATION:
        return subject
    return UUID(int=subject.int ^ (kind.rank + 1))

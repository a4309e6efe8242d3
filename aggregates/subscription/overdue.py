"""The collection of what a subscription owes, as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Dunning:
    """The collection of what is overdue: ``invoices`` oldest first, ``tries`` retries so far.

    ``cancel_at`` is set when nothing is retried by itself any more.
    """

    begun_at: datetime
    next_retry_at: datetime | None
    cancel_at: datetime | None
    invoices: tuple[UUID, ...]
    tries: int = 0

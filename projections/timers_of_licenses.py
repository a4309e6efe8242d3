"""When licenses expire (design 6)."""

from __future__ import annotations

from datetime import datetime

from aggregates.license.events import (
    LicenseDisabled,
    LicenseExpired,
    LicenseExpiryChanged,
    LicenseIssued,
)
from kernel.ports.event_store import Recorded
from kernel.timer import TimerKind
from projections.documents import Documents
from projections.timers import clear_timers, loads, set_timer
from projections.timers_of_changes import view


__all__ = ("view",)

_LOADS = loads(TimerKind.LICENSE_EXPIRY)


@view.on(LicenseIssued, loads=_LOADS)
def issued(docs: Documents, recorded: Recorded, fact: LicenseIssued) -> None:
    """It ends at that time, or never."""
    _until(docs, recorded, fact.expires_at)


@view.on(LicenseExpiryChanged, loads=_LOADS)
def expiry_changed(docs: Documents, recorded: Recorded, fact: LicenseExpiryChanged) -> None:
    """It ends at another time, or never."""
    _until(docs, recorded, fact.expires_at)


@view.on(LicenseExpired, LicenseDisabled, loads=_LOADS)
def over(docs: Documents, recorded: Recorded, fact: object) -> None:
    """It has ended."""
    del fact
    clear_timers(docs, recorded, TimerKind.LICENSE_EXPIRY)


def _until(docs: Documents, recorded: Recorded, expires_at: datetime | None) -> None:
    if expires_at is None:
        clear_timers(docs, recorded, TimerKind.LICENSE_EXPIRY)
    else:
        set_timer(docs, recorded, TimerKind.LICENSE_EXPIRY, expires_at)

"""When licenses expire (design 6)."""

from __future__ import annotations

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


@view.on(LicenseIssued, LicenseExpiryChanged, loads=_LOADS)
def expires(
    docs: Documents, recorded: Recorded, fact: LicenseIssued | LicenseExpiryChanged
) -> None:
    """It ends at that time, or never."""
    if fact.expires_at is None:
        clear_timers(docs, recorded, TimerKind.LICENSE_EXPIRY)
    else:
        set_timer(docs, recorded, TimerKind.LICENSE_EXPIRY, fact.expires_at)


@view.on(LicenseExpired, LicenseDisabled, loads=_LOADS)
def over(docs: Documents, recorded: Recorded, fact: object) -> None:
    """It has ended."""
    del fact
    clear_timers(docs, recorded, TimerKind.LICENSE_EXPIRY)

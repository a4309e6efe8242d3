"""What a license key stands for."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.license_key.events import LicenseKeyAssigned, LicenseKeyEvent
from kernel.fold import Fold


@dataclass(frozen=True, slots=True)
class LicenseKey:
    """``license_id`` None: nobody was ever given this key."""

    license_id: UUID | None = None


def evolve(state: LicenseKey, event: LicenseKeyEvent) -> LicenseKey:
    """Total and free of rules: what is recorded is true."""
    del state
    return LicenseKey(event.license_id)


LICENSE_KEY = Fold("license_key", LicenseKey(), evolve, (LicenseKeyAssigned,))

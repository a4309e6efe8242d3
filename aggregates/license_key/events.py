"""Facts about the text of a license key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseKeyAssigned:
    """Whoever has this key has this license; the stream's id is an HMAC of the key (design 4)."""

    key_id: UUID
    license_id: UUID
    occurred_at: datetime


LicenseKeyEvent = LicenseKeyAssigned

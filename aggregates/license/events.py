"""Facts about a license."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from kernel.personal import Personal
from kernel.sale import Sale


class DisableReason(StrEnum):
    """Why a license gives no access any more, for good."""

    MERCHANT = "MERCHANT"
    REFUNDED = "REFUNDED"


class ReleaseReason(StrEnum):
    """Who freed the place of an instance: who holds the key, or the merchant."""

    DEACTIVATED = "DEACTIVATED"
    REVOKED = "REVOKED"


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseIssued:
    """An order of a licensed plan came about; its customer has a key now.

    ``activation_limit`` 0 means no limit, ``expires_at`` None never. ``key`` is a credential and
    sealed; ``key_id`` is the stream of the key.
    """

    license_id: UUID
    order_id: UUID
    order_number: str
    invoice_id: UUID | None
    sale: Sale
    activation_limit: int
    expires_at: datetime | None
    key_id: UUID
    key: Personal[str | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseActivated:
    """One more instance uses the license; ``usage`` is how many do now."""

    license_id: UUID
    instance_id: UUID
    usage: int
    instance_name: Personal[str | None] = None
    metadata: Personal[dict[str, Any] | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseDeactivated:
    """An instance does not use the license any more; ``usage`` is how many still do."""

    license_id: UUID
    instance_id: UUID
    usage: int
    reason: ReleaseReason
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseLimitChanged:
    """Another number of instances is allowed; 0 means no limit."""

    license_id: UUID
    activation_limit: int
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseExpiryChanged:
    """The license ends at another time, or never (None); one that had expired is back."""

    license_id: UUID
    expires_at: datetime | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseExpired:
    """The time of the license is over."""

    license_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseDisabled:
    """The license gives no access any more, for good."""

    license_id: UUID
    reason: DisableReason
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseKeyRegenerated:
    """The license has another key, its ``number``-th; the old one and its instances are dead."""

    license_id: UUID
    number: int
    key_id: UUID
    key: Personal[str | None] = None
    occurred_at: datetime


LicenseEvent = (
    LicenseIssued
    | LicenseActivated
    | LicenseDeactivated
    | LicenseLimitChanged
    | LicenseExpiryChanged
    | LicenseExpired
    | LicenseDisabled
    | LicenseKeyRegenerated
)

"""Decisions about a license; each changes nothing when asked twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from aggregates.license.events import (
    DisableReason,
    LicenseActivated,
    LicenseDeactivated,
    LicenseDisabled,
    LicenseExpired,
    LicenseExpiryChanged,
    LicenseIssued,
    LicenseKeyRegenerated,
    LicenseLimitChanged,
    ReleaseReason,
)
from aggregates.license.refusals import (
    ActivationLimitReached,
    DisabledForGood,
    InstanceNotFound,
    LicenseHasExpired,
    LicenseIsDisabled,
    SubscriptionGivesNoAccess,
)
from aggregates.license.state import License
from kernel.errors import InvalidFields
from kernel.interval import Interval, Unit, boundary
from kernel.offer import LicenseTerms
from kernel.sale import Sale


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """The order that a license comes with; the invoice is None for a trial."""

    order_id: UUID
    order_number: str
    invoice_id: UUID | None
    sale: Sale
    terms: LicenseTerms


@dataclass(frozen=True, slots=True)
class Key:
    """The text of a key and its stream."""

    id: UUID
    text: str


def issue(
    state: License, license_id: UUID, bought: Purchase, key: Key, *, at: datetime
) -> list[LicenseIssued]:
    """Give the customer a key; its life is counted from the purchase, which is now."""
    if state.issued is not None:
        return []
    return [
        LicenseIssued(
            license_id=license_id,
            order_id=bought.order_id,
            order_number=bought.order_number,
            invoice_id=bought.invoice_id,
            sale=bought.sale,
            activation_limit=limit_of(bought.terms),
            expires_at=expiry_of(bought.terms, at),
            key_id=key.id,
            key=key.text,
            occurred_at=at,
        )
    ]


def limit_of(terms: LicenseTerms) -> int:
    """How many instances may use the license; 0: any number (design 13)."""
    return (terms.activation_limit or 0) if terms.activation_limit_enabled else 0


def expiry_of(terms: LicenseTerms, bought_at: datetime) -> datetime | None:
    """When the license ends: calendar arithmetic from the purchase; None: never (wire 3)."""
    if not terms.has_expiry or terms.duration_unit is None or terms.duration_value is None:
        return None
    return boundary(bought_at, Interval(Unit(terms.duration_unit.value), terms.duration_value), 1)


def has_expired(state: License, at: datetime) -> bool:
    """Whether its time is over, recorded or not."""
    return state.is_expired or (state.expires_at is not None and state.expires_at <= at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """What wants to use a license. The same name is the same instance; None is always another."""

    id: UUID
    name: str | None = None
    metadata: dict[str, Any] | None = None


def activate(
    state: License, wanted: Instance, *, has_access: bool, at: datetime
) -> list[LicenseActivated]:
    """Let an instance use the license; one that does already takes no second place.

    ``has_access`` says what the subscription allows. Raises LicenseIsDisabled, LicenseHasExpired,
    SubscriptionGivesNoAccess, ActivationLimitReached.
    """
    if state.is_disabled:
        raise LicenseIsDisabled
    if has_expired(state, at):
        raise LicenseHasExpired
    if not has_access:
        raise SubscriptionGivesNoAccess
    if wanted.id in state.instances or _is_named(state, wanted.name):
        return []
    used = len(state.instances)
    if state.limit and used >= state.limit:
        message = f"The activation limit is reached: {used} of {state.limit} are in use."
        raise ActivationLimitReached(message)
    return [
        LicenseActivated(
            license_id=state.id,
            instance_id=wanted.id,
            usage=used + 1,
            instance_name=wanted.name,
            metadata=wanted.metadata,
            occurred_at=at,
        )
    ]


def _is_named(state: License, name: str | None) -> bool:
    return name is not None and name in state.instances.values()


def deactivate(
    state: License, instance_id: UUID, *, reason: ReleaseReason, at: datetime
) -> list[LicenseDeactivated]:
    """Free the place of an instance, whatever became of the license. Raises InstanceNotFound."""
    if instance_id not in state.instances:
        raise InstanceNotFound
    return [
        LicenseDeactivated(
            license_id=state.id,
            instance_id=instance_id,
            usage=len(state.instances) - 1,
            reason=reason,
            occurred_at=at,
        )
    ]


def change_limit(state: License, limit: int, *, at: datetime) -> list[LicenseLimitChanged]:
    """Allow another number of instances; those that are there stay. Raises DisabledForGood."""
    keep_enabled(state)
    if limit == state.limit:
        return []
    return [LicenseLimitChanged(license_id=state.id, activation_limit=limit, occurred_at=at)]


def change_expiry(
    state: License, expires_at: datetime | None, *, at: datetime
) -> list[LicenseExpiryChanged]:
    """Let it end at another time, or never.

    Raises DisabledForGood, and InvalidFields for a time that has passed.
    """
    keep_enabled(state)
    if expires_at == state.expires_at:
        return []
    if expires_at is not None and expires_at <= at:
        raise InvalidFields({"expiresOn": ["It must lie in the future."]})
    return [LicenseExpiryChanged(license_id=state.id, expires_at=expires_at, occurred_at=at)]


def expire(state: License, *, at: datetime) -> list[LicenseExpired]:
    """Its time is over, once; nothing when it was given more time, or is disabled."""
    if state.expires_at is None or at < state.expires_at or state.is_expired or state.is_disabled:
        return []
    return [LicenseExpired(license_id=state.id, occurred_at=at)]


def disable(state: License, *, reason: DisableReason, at: datetime) -> list[LicenseDisabled]:
    """Take all access away, for good."""
    if state.issued is None or state.is_disabled:
        return []
    return [LicenseDisabled(license_id=state.id, reason=reason, occurred_at=at)]


def keep_enabled(state: License) -> None:
    """What is enabled stays so; raises DisabledForGood for what is not."""
    if state.is_disabled:
        raise DisabledForGood


def regenerate_key(state: License, key: Key, *, at: datetime) -> list[LicenseKeyRegenerated]:
    """Another key; the old one and its instances are dead at once. Raises DisabledForGood."""
    keep_enabled(state)
    return [
        LicenseKeyRegenerated(
            license_id=state.id,
            number=state.keys + 1,
            key_id=key.id,
            key=key.text,
            occurred_at=at,
        )
    ]

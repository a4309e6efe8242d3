"""A license as decisions see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import assert_never, get_args
from uuid import UUID

from aggregates.license.events import (
    LicenseActivated,
    LicenseDeactivated,
    LicenseDisabled,
    LicenseEvent,
    LicenseExpired,
    LicenseExpiryChanged,
    LicenseIssued,
    LicenseKeyRegenerated,
    LicenseLimitChanged,
)
from kernel.fold import Fold
from kernel.ids import NIL


@dataclass(frozen=True, slots=True)
class License:
    """``instances`` are those that use it, with their names; ``keys`` counts its keys so far.

    ``limit`` 0 means no limit, ``expires_at`` None never.
    """

    issued: LicenseIssued | None = None
    id: UUID = NIL
    key_id: UUID = NIL
    keys: int = 0
    limit: int = 0
    expires_at: datetime | None = None
    is_expired: bool = False
    is_disabled: bool = False
    instances: Mapping[UUID, str | None] = field(default_factory=dict)


def evolve(state: License, event: LicenseEvent) -> License:
    """Total and free of rules: what is recorded is true."""
    match event:
        case LicenseIssued():
            return License(
                issued=event,
                id=event.license_id,
                key_id=event.key_id,
                keys=1,
                limit=event.activation_limit,
                expires_at=event.expires_at,
            )
        case LicenseActivated(instance_id=instance, instance_name=name):
            return replace(state, instances={**state.instances, instance: name})
        case LicenseDeactivated(instance_id=gone):
            left = {key: name for key, name in state.instances.items() if key != gone}
            return replace(state, instances=left)
        case LicenseLimitChanged(activation_limit=limit):
            return replace(state, limit=limit)
        case LicenseExpiryChanged(expires_at=expires_at):
            return replace(state, expires_at=expires_at, is_expired=False)
        case LicenseExpired():
            return replace(state, is_expired=True)
        case LicenseDisabled():
            return replace(state, is_disabled=True)
        case LicenseKeyRegenerated(key_id=key_id, number=number):
            return replace(state, key_id=key_id, keys=number, instances={})
        case _:
            assert_never(event)


LICENSE = Fold("license", License(), evolve, get_args(LicenseEvent))

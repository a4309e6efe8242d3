"""What activation and validation answer, from the views alone (wire 3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from aggregates.subscription.events import GIVE_ACCESS
from kernel.ids import natural_id
from kernel.license_key import canonical
from kernel.tenant import Tenant
from projections import clocks
from projections.reader import Reader
from projections.table import Doc
from wire.license import (
    ActivationOut,
    LicenseOut,
    LicenseStatus,
    ValidateIn,
    ValidationCode,
    invalid_key_out,
    license_out,
)
from wire.subscription import subscription_brief
from wire.times import parse, seconds


_decode = msgspec.json.Decoder(dict[str, Any]).decode

_LICENSE = """
SELECT t.doc, s.doc, c.frozen_time, s.trialing_until, i.doc FROM licenses t
JOIN subscriptions s ON s.id = t.subscription
LEFT JOIN license_instances i ON i.license = t.id AND i.is_active
    AND i.key_number = t.key_number AND i.id = %s
LEFT JOIN test_clocks c ON c.id = t.test_clock
WHERE t.organization = %s AND t.key_id = %s
"""
_INSTANCE = """
SELECT i.doc, t.doc, s.doc, c.frozen_time, s.trialing_until FROM license_instances i
JOIN licenses t ON t.id = i.license
JOIN subscriptions s ON s.id = t.subscription
LEFT JOIN test_clocks c ON c.id = t.test_clock
WHERE t.organization = %s AND
"""
_NAMED = "t.key_id = %s AND i.name = %s ORDER BY i.created DESC LIMIT 1"

_WORDS = {
    ValidationCode.VALID: "The license key is valid.",
    ValidationCode.INVALID_KEY: "There is no such license key.",
    ValidationCode.INSTANCE_NOT_FOUND: "The license has no such active instance.",
    ValidationCode.INVALID: "The license was deactivated and cannot be used any more.",
    ValidationCode.EXPIRED: "The license has expired.",
}
_NO_ACCESS = "The subscription of the license gives no access at present."


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a validation; ``instance`` was seen ``at``, None when none was named."""

    status: int
    body: bytes
    instance: UUID | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A license with its subscription, at the instant that counts for its customer."""

    doc: Doc
    subscription: Doc
    at: datetime
    trial_days: int

    @property
    def shown(self) -> LicenseOut:
        """As clients see it."""
        return license_out(self.doc, subscription_brief(self.subscription, self.trial_days))


def key_stream(tenant: Tenant, typed: str) -> UUID:
    """The id of a key; see ``commands.billing.licensing.key_stream``."""
    return natural_id(tenant.secret, "license_key", canonical(typed))


async def validate(reader: Reader, tenant: Tenant, asked: ValidateIn) -> Verdict:
    """What a key is worth now, and whether the instance uses it."""
    key_id = key_stream(tenant, asked.license_key)
    rows = await reader.rows(_LICENSE, (asked.instance_id, tenant.organization, key_id))
    if not rows:
        return _not_found(ValidationCode.INVALID_KEY)
    instance = None if rows[0][4] is None else _decode(rows[0][4])
    if asked.instance_id is not None and instance is None:
        return _not_found(ValidationCode.INSTANCE_NOT_FOUND)
    found = _found(reader, tenant, rows[0][:4])
    code, detail = _judged(found)
    content = {
        "valid": code is ValidationCode.VALID,
        "code": code,
        "detail": detail,
        "metadata": {} if instance is None else instance["metadata"],
        "license": found.shown,
    }
    return Verdict(200, msgspec.json.encode(content), asked.instance_id, found.at)


def _judged(found: Found) -> tuple[ValidationCode, str]:
    """The first thing that is wrong. Time counts, whether its end was recorded or not."""
    license_, expires_at = found.doc, found.doc["expires_at"]
    if license_["status"] == LicenseStatus.DISABLED:
        return _worded(ValidationCode.INVALID)
    if expires_at is not None and parse(expires_at) <= found.at:
        return _worded(ValidationCode.EXPIRED)
    if found.subscription["status"] not in GIVE_ACCESS:
        return ValidationCode.INVALID, _NO_ACCESS
    return _worded(ValidationCode.VALID)


def _worded(code: ValidationCode) -> tuple[ValidationCode, str]:
    return code, _WORDS[code]


def _not_found(code: ValidationCode) -> Verdict:
    return Verdict(404, msgspec.json.encode(invalid_key_out(code, _WORDS[code])))


async def activation(reader: Reader, tenant: Tenant, instance_id: UUID) -> ActivationOut | None:
    """The answer to the activation of an instance; None when the views do not have it yet."""
    return await _activation(reader, tenant, "i.id = %s", (instance_id,))


async def activation_named(
    reader: Reader, tenant: Tenant, key: str, name: str
) -> ActivationOut | None:
    """The same for the instance of this name that was there already."""
    return await _activation(reader, tenant, _NAMED, (key_stream(tenant, key), name))


async def _activation(
    reader: Reader, tenant: Tenant, where: str, parameters: tuple[Any, ...]
) -> ActivationOut | None:
    rows = await reader.rows(_INSTANCE + where, (tenant.organization, *parameters))
    if not rows:
        return None
    instance = _decode(rows[0][0])
    shown = _found(reader, tenant, rows[0][1:]).shown
    return {
        "instanceId": instance["id"],
        "activatedAt": seconds(instance["activated_at"]),
        "expiresOn": shown["expiresOn"],
        "license": shown,
    }


def _found(reader: Reader, tenant: Tenant, row: tuple[Any, ...]) -> Found:
    license_doc, subscription_doc, frozen, trialing_until = row
    present = reader.present(tenant)
    return Found(
        _decode(license_doc),
        _decode(subscription_doc),
        frozen or present.now,
        clocks.days_left((trialing_until, frozen), present),
    )

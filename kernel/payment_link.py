"""Links to the payment page of one invoice: signed, so that nobody can guess another's (design 13).

The token holds organization, invoice and their HMAC under the organization's secret. It tells
nothing and expires never: whether the invoice can still be paid is for the page to ask.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from uuid import UUID

from kernel.tenant import Tenant


PATH = "/pay/"
_PURPOSE = b"payment link\x00"
_ID = 16
_LENGTH = 2 * _ID + 32


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a token says, not yet believed: see ``is_genuine``."""

    organization: UUID
    invoice: UUID
    signature: bytes


def payment_link(base_url: str, tenant: Tenant, invoice: UUID) -> str:
    """The address of the invoice's payment page."""
    signed = tenant.organization.bytes + invoice.bytes + _sign(tenant, invoice)
    return f"{base_url}{PATH}{_spell(signed)}"


def read(token: str) -> Claimed | None:
    """The parts of a token, None when it is none."""
    try:
        signed = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except (NotBase64, ValueError):
        return None
    if len(signed) != _LENGTH or _spell(signed) != token:
        return None
    organization, invoice = signed[:_ID], signed[_ID : 2 * _ID]
    return Claimed(UUID(bytes=organization), UUID(bytes=invoice), signed[2 * _ID :])


def is_genuine(claimed: Claimed, tenant: Tenant) -> bool:
    """Whether the organization made the link."""
    mine = claimed.organization == tenant.organization
    return mine and hmac.compare_digest(claimed.signature, _sign(tenant, claimed.invoice))


def _spell(signed: bytes) -> str:
    """The one spelling of a token: what decodes to the same bytes is none."""
    return urlsafe_b64encode(signed).decode().rstrip("=")


def _sign(tenant: Tenant, invoice: UUID) -> bytes:
    message = _PURPOSE + tenant.organization.bytes + invoice.bytes
    return hmac.digest(tenant.secret, message, "sha256")

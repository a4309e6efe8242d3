"""Links to the payment page of one invoice: signed, so that nobody can guess another's (design 13).

The token holds organization, invoice and their HMAC under the organization's secret. It tells
nothing and expires never: whether the invoice can still be paid is for the page to ask.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from kernel.signing import same, signature, spell, unspell
from kernel.tenant import Tenant


PATH = "/pay/"
_PURPOSE = "payment link"
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
    return f"{base_url}{PATH}{spell(signed)}"


def read(token: str) -> Claimed | None:
    """The parts of a token, None when it is none."""
    signed = unspell(token)
    if signed is None or len(signed) != _LENGTH:
        return None
    organization, invoice = signed[:_ID], signed[_ID : 2 * _ID]
    return Claimed(UUID(bytes=organization), UUID(bytes=invoice), signed[2 * _ID :])


def is_genuine(claimed: Claimed, tenant: Tenant) -> bool:
    """Whether the organization made the link."""
    mine = claimed.organization == tenant.organization
    return mine and same(claimed.signature, _sign(tenant, claimed.invoice))


def _sign(tenant: Tenant, invoice: UUID) -> bytes:
    return signature(tenant.secret, _PURPOSE, tenant.organization.bytes + invoice.bytes)

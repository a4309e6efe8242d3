"""Links to the files of a plan, good for a quarter of an hour for one reader (wire 18.4).

The token names organization and reader, and holds the HMAC of plan, file, reader and end.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from kernel import signed_link
from kernel.tenant import Tenant


VALID = timedelta(minutes=15)
PURPOSE = "plan file"


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a token says, not yet believed: see ``is_genuine``."""

    organization: UUID
    reader: UUID
    until: str
    signed: str


def download_url(
    base_url: str, tenant: Tenant, plan: str, file: UUID, reader: UUID, now: datetime
) -> str:
    """The address that gives the file; ``reader`` is a customer, or the organization itself."""
    until = signed_link.until(now, VALID)
    signed = signed_link.signature(tenant, PURPOSE, _about(plan, file, reader), until)
    token = f"{tenant.organization.hex}.{reader.hex}.{until}.{signed}"
    return f"{base_url}/api/v1/catalog/plans/{plan}/file/{file}/download/?token={token}"


def read(token: str) -> Claimed | None:
    """The parts of a token, None when it is none."""
    try:
        organization, reader, until, signed = token.split(".")
        return Claimed(UUID(hex=organization), UUID(hex=reader), until, signed)
    except ValueError:
        return None


def is_genuine(claimed: Claimed, tenant: Tenant, plan: str, file: UUID, now: datetime) -> bool:
    """Whether the organization made the link for this file, and its time has not passed."""
    about = _about(plan, file, claimed.reader)
    return signed_link.holds(
        tenant, PURPOSE, about, until=claimed.until, signed=claimed.signed, now=now
    )


def _about(plan: str, file: UUID, reader: UUID) -> str:
    return f"{plan}\x00{file}\x00{reader}"

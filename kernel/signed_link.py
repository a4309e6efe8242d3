"""Links that hold until an instant: what they are for, signed with the organization's secret."""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta

from kernel.tenant import Tenant


def signature(tenant: Tenant, purpose: str, about: str, until: int) -> str:
    """Hex of the HMAC over purpose, what it is about and the Unix second it holds until."""
    message = "\x00".join((purpose, str(tenant.organization), about, str(until)))
    return hmac.new(tenant.secret, message.encode(), "sha256").hexdigest()


def until(now: datetime, valid_for: timedelta) -> int:
    """The Unix second at which a link made now ends."""
    return int((now.astimezone(UTC) + valid_for).timestamp())


def holds(
    tenant: Tenant, purpose: str, about: str, *, until: str, signed: str, now: datetime
) -> bool:
    """Whether the organization signed it and its time has not passed; any text is welcome."""
    if not (until.isascii() and until.isdigit() and len(until) < 13):
        return False
    genuine = hmac.compare_digest(
        signed.encode(), signature(tenant, purpose, about, int(until)).encode()
    )
    return genuine and now.timestamp() < int(until)

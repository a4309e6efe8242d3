"""Links that hold until an instant, each signed for one purpose (design 13: Links)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from kernel import signing
from kernel.tenant import Tenant


def signature(tenant: Tenant, purpose: str, about: str, until: int) -> str:
    """Hex of the HMAC over purpose, what it is about and the Unix second it holds until."""
    message = "\x00".join((str(tenant.organization), about, str(until)))
    return signing.signature(tenant.secret, purpose, message.encode()).hex()


def until(now: datetime, valid_for: timedelta) -> int:
    """The Unix second at which a link made now ends."""
    return int((now.astimezone(UTC) + valid_for).timestamp())


def holds(
    tenant: Tenant, purpose: str, about: str, *, until: str, signed: str, now: datetime
) -> bool:
    """Whether the organization signed it and its time has not passed; any text is welcome."""
    if not (until.isascii() and until.isdigit() and len(until) < 13):
        return False
    genuine = signing.same(signed, signature(tenant, purpose, about, int(until)))
    return genuine and now.timestamp() < int(until)

"""Signs a delivery: anew for each attempt, with every secret that signs at that moment."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from standardwebhooks import Webhook

from aggregates.webhook_endpoint.events import SignatureScheme


def signed_headers(
    scheme: SignatureScheme, secrets: Sequence[str], *, event: UUID, body: bytes, at: datetime
) -> dict[str, str]:
    """The three headers of an attempt at ``at``, the newest secret first (wire 27.3)."""
    match scheme:
        case SignatureScheme.STANDARD:
            text = body.decode()
            each = [Webhook(secret).sign(str(event), at, text) for secret in secrets]
            signature = " ".join(each)
        case SignatureScheme.HEX:
            signature = f"v1,{_hex_digest(secrets[0], event, body, at)}"
    return {
        "webhook-id": str(event),
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": signature,
    }


def _hex_digest(secret: str, event: UUID, body: bytes, at: datetime) -> str:
    signed = f"{event}.{int(at.timestamp())}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()

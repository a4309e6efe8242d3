"""The text form of a signing secret, as the merchant gets to see it (design 9, wire 27.3)."""

from __future__ import annotations

from base64 import b64encode
from typing import Final

from aggregates.webhook_endpoint.events import SignatureScheme
from kernel.signing import spell


SEED_LENGTH: Final = 32
"""Random bytes behind a secret; Standard Webhooks wants 24 to 64."""


def secret_text(scheme: SignatureScheme, seed: bytes) -> str:
    """``whsec_<base64 of the key>`` for STANDARD; an opaque text that is itself the key for HEX."""
    if len(seed) < SEED_LENGTH:
        raise ValueError(f"a secret needs {SEED_LENGTH} random bytes")
    match scheme:
        case SignatureScheme.STANDARD:
            return f"whsec_{b64encode(seed).decode()}"
        case SignatureScheme.HEX:
            return f"bs_whsec_{spell(seed)}"

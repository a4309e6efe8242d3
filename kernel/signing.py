"""What an organization's secret signs, and how bytes are spelled in an address (design 13: Links).

Every link, form, preview and fingerprint is signed here, each for a purpose of its own, so that
what was signed for one is never good for another.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode


def signature(secret: bytes, purpose: str, message: bytes) -> bytes:
    """HMAC-SHA256 of the message under its purpose, 32 bytes."""
    return hmac.digest(secret, purpose.encode() + b"\x00" + message, "sha256")


def same(one: str | bytes, other: str | bytes) -> bool:
    """Compare in a time that tells nothing; any text is welcome."""
    return hmac.compare_digest(_bytes(one), _bytes(other))


def spell(content: bytes) -> str:
    """Base64 for addresses, without padding."""
    return urlsafe_b64encode(content).decode().rstrip("=")


def unspell(text: str) -> bytes | None:
    """What ``spell`` spelled; None for any other text, also for another spelling of the same."""
    try:
        content = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return content if spell(content) == text else None


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text

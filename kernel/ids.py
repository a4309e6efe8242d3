"""Ids: natural keys become streams, commands name what they make, numbers people read."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import lru_cache
from uuid import UUID, uuid5

from kernel.signing import signature


NUMBER_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NUMBER_SUFFIX_LENGTH = 5
REMEMBERED = 10_000
"""Ids that are made again and again: a customer's balance, its methods, the timers of one sale."""

NIL = UUID(int=0)
"""The id of what does not exist yet."""


@lru_cache(REMEMBERED)
def natural_id(secret: bytes, kind: str, key: str) -> UUID:
    """The stream of a natural key: HMAC-SHA256(organization secret, kind, key), 16 bytes.

    A plain hash could be confirmed by guessing an email address (design 4).
    """
    return UUID(bytes=signature(secret, kind, key.encode())[:16])


def derived_id(parent: UUID, *words: object) -> UUID:
    """An id that follows from its parent, so that a retry names the same thing."""
    return _derived(parent, "/".join(map(str, words)))


_derived = lru_cache(REMEMBERED)(uuid5)


def document_number(prefix: str, at: datetime, of: UUID, attempt: int = 0) -> str:
    """``INV-<14 digits of the instant>-<5 characters>``: no counter, no hot row (design 7).

    The suffix is base 36 of a hash of (id, attempt); a clash is settled by the append, which asks
    for the next attempt.
    """
    digest = hashlib.sha256(of.bytes + attempt.to_bytes(4, "big")).digest()
    number = int.from_bytes(digest[:8], "big")
    suffix = ""
    for _ in range(NUMBER_SUFFIX_LENGTH):
        number, digit = divmod(number, 36)
        suffix += NUMBER_ALPHABET[digit]
    return f"{prefix}-{at:%Y%m%d%H%M%S}-{suffix}"

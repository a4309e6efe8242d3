"""The id of a preview: signed, and stored nowhere (design 7).

It binds a subscription, a request, the instant it was worked out for, and the versions of all
streams that were read. Who sends it back gets exactly what was shown, or a refusal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from kernel.errors import Conflict
from kernel.signing import same, signature, spell, unspell


VALID_FOR = timedelta(minutes=30)
"""On the clock of the subscription; never across the end of its period."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_INSTANT, _DIGEST = 8, 16
_PURPOSE = "update preview"


class PreviewOutdated(Conflict):
    """The preview no longer holds; ask for a new one."""

    code = "preview_outdated"


@dataclass(frozen=True, slots=True)
class Previewed:
    """What a token says: when it was worked out, and a digest of what was read."""

    instant: datetime
    read: bytes


def digest_of(versions: Mapping[UUID, int]) -> bytes:
    """The same for the same streams at the same versions; streams without facts do not count."""
    content = b"".join(
        stream.bytes + version.to_bytes(8, "big")
        for stream, version in sorted(versions.items())
        if version
    )
    return hashlib.sha256(content).digest()[:_DIGEST]


def sign(secret: bytes, subject: str, previewed: Previewed) -> str:
    """The token; ``subject`` is the subscription and the request in words."""
    micros = (previewed.instant - _EPOCH) // _MICROSECOND
    content = micros.to_bytes(_INSTANT, "big") + previewed.read
    return spell(content + _sign(secret, subject, content))


def verify(secret: bytes, subject: str, token: str) -> Previewed:
    """What the token says. Raises PreviewOutdated if it is not of this subject."""
    raw = unspell(token) or b""
    content, signed = raw[: _INSTANT + _DIGEST], raw[_INSTANT + _DIGEST :]
    if not same(signed, _sign(secret, subject, content)):
        raise PreviewOutdated
    micros = int.from_bytes(content[:_INSTANT], "big")
    return Previewed(_EPOCH + micros * _MICROSECOND, content[_INSTANT:])


def _sign(secret: bytes, subject: str, content: bytes) -> bytes:
    return signature(secret, _PURPOSE, subject.encode() + b"\x00" + content)[:_DIGEST]

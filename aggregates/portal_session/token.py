"""How portal tokens are spelled, and what is kept of them (wire 20)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from uuid import UUID


_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_TOKEN = re.compile(f"cpt-({_UUID}):({_UUID})")


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a token says, not yet believed: the session, and the secret half."""

    session: UUID
    secret: str


def spell(session: UUID, secret: UUID) -> str:
    """``cpt-<uuid>:<uuid>``: the session, and what nobody can guess."""
    return f"cpt-{session}:{secret}"


def read(token: str) -> Claimed | None:
    """The halves of a token, None when it is none."""
    found = _TOKEN.fullmatch(token)
    return None if found is None else Claimed(UUID(found[1]), found[2])


def digest_of(secret: str) -> str:
    """What is kept of a secret half: enough to know it again, too little to use it."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()

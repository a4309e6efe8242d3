"""How keys are spelled, and what is kept of them (design 12)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from uuid import UUID

from aggregates.api_key.events import KeyKind
from kernel import signing
from kernel.tenant import Environment


HINT_LENGTH = 4


def spell(kind: KeyKind, environment: Environment, entropy: bytes) -> str:
    """``server_sandbox_<43 characters>`` of 256 random bits."""
    if len(entropy) != 32:
        raise ValueError("a key is made of 256 bits")
    return f"{kind}_{environment}_{signing.spell(entropy)}"


def environment_of(key: str) -> Environment | None:
    """The environment that a key names, if it is spelled our way."""
    words = key.split("_", 2)
    if len(words) == 3 and words[0] in set(KeyKind) and words[1] in set(Environment):
        return Environment(words[1])
    return None


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a key: enough to know it again, too little to use it."""

    id: UUID
    digest: str
    hint: str


def keep(key: str) -> Kept:
    """The id of a key is the first half of its digest, so that a key finds its own stream."""
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
    return Kept(UUID(bytes=digest[:16]), digest.hex(), key[-HINT_LENGTH:])

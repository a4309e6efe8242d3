"""Ids of checkout sessions: unguessable, and telling the organization, as nobody else asks there.

``cs_`` and 45 letters and digits: the organization (22), then 23 of an HMAC under its secret, which
are 137 bits. The same request names the same session.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from kernel.ids import natural_id
from kernel.signing import signature
from kernel.tenant import Tenant


PREFIX: Final = "cs_"
ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PATH: Final = "/checkout/"
_ORGANIZATION, _SECRET = 22, 23
_PURPOSE = "checkout session"


def new_session_id(tenant: Tenant, request: UUID) -> str:
    """The id of the session that a request makes."""
    digest = signature(tenant.secret, _PURPOSE, request.bytes)
    secret = _spell(int.from_bytes(digest, "big"), _SECRET)
    return f"{PREFIX}{_spell(tenant.organization.int, _ORGANIZATION)}{secret}"


def organization_in(session_id: str) -> UUID | None:
    """The organization that an id names, None when it is no id of a session."""
    said = session_id.removeprefix(PREFIX)
    whole = session_id.startswith(PREFIX) and len(said) == _ORGANIZATION + _SECRET
    if not whole or not all(letter in ALPHABET for letter in said):
        return None
    number = 0
    for letter in said[:_ORGANIZATION]:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return UUID(int=number) if number < 1 << 128 else None


def stream_of(tenant: Tenant, session_id: str) -> UUID:
    """The stream of a session; its id cannot be told from it."""
    return natural_id(tenant.secret, "checkout", session_id)


def checkout_url(base_url: str, session_id: str) -> str:
    """Where the buyer goes (wire 16.3)."""
    return f"{base_url}{PATH}{session_id}/"


def _spell(number: int, length: int) -> str:
    letters = ""
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        letters = ALPHABET[digit] + letters
    return letters

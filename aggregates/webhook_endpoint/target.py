"""What a webhook endpoint may be: its address and its kinds of events (design 9, wire 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from kernel.addresses import Reach, literal_address, reach
from kernel.errors import InvalidFields
from kernel.event_kinds import ALL_EVENTS, EventKind


MAX_URL_LENGTH: Final = 2048
_KINDS: Final = frozenset({ALL_EVENTS, *EventKind})


@dataclass(frozen=True, slots=True)
class TargetRules:
    """What addresses this installation allows: plain http, and private or loopback hosts."""

    allow_http: bool
    allow_private: bool


PUBLIC_HTTPS: Final = TargetRules(allow_http=False, allow_private=False)


def valid_url(url: str, rules: TargetRules) -> str:
    """The address, if deliveries may go there. Raises InvalidFields.

    A name is judged only when it is resolved, at each delivery; an address literal is judged here.
    """
    complaint = _complaint(url, rules)
    if complaint is not None:
        raise InvalidFields({"url": [complaint]})
    return url


def _complaint(url: str, rules: TargetRules) -> str | None:
    if len(url) > MAX_URL_LENGTH:
        return f"Ensure this field has no more than {MAX_URL_LENGTH} characters."
    parts = _split(url)
    if parts is None or not parts.hostname or parts.scheme not in {"http", "https"}:
        return "Enter a valid URL."
    if parts.scheme == "http" and not rules.allow_http:
        return "The URL must use https."
    if parts.username is not None or parts.password is not None:
        return "The URL must not contain credentials."
    return _host_complaint(parts.hostname, rules)


def _split(url: str) -> SplitResult | None:
    if any(character.isspace() or not character.isprintable() for character in url):
        return None
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
    except (ValueError, UnicodeError):
        return None
    return parts if host and _port_is_valid(parts) else None


def _port_is_valid(parts: SplitResult) -> bool:
    try:
        return parts.port != 0
    except ValueError:
        return False


def _host_complaint(host: str, rules: TargetRules) -> str | None:
    address = literal_address(host)
    if address is not None and address != _plain_address(host):
        return "Enter a valid URL."
    name = host.rstrip(".").lower()
    local = name == "localhost" or name.endswith(".localhost")
    found = Reach.PRIVATE if local else Reach.PUBLIC if address is None else reach(address)
    if found is Reach.FORBIDDEN or (found is Reach.PRIVATE and not rules.allow_private):
        return "The URL must lead to a public address."
    return None


def _plain_address(host: str) -> object:
    try:
        return ip_address(host)
    except ValueError:
        return None


def valid_events(events: Sequence[str]) -> tuple[str, ...]:
    """The kinds without repetitions, in the order given. Raises InvalidFields."""
    if not events:
        raise InvalidFields({"events": ["This list may not be empty."]})
    unknown = [f'"{event}" is not a valid choice.' for event in events if event not in _KINDS]
    if unknown:
        raise InvalidFields({"events": unknown})
    return tuple(dict.fromkeys(events))

"""Calls to addresses that merchants chose; whatever is fetched for them goes through here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Silence(StrEnum):
    """Why there was no HTTP answer."""

    REFUSED_ADDRESS = "refused_address"
    UNKNOWN_HOST = "unknown_host"
    TLS = "tls"
    TIMEOUT = "timeout"
    CONNECTION = "connection"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer: header names in lower case, at most 64 KiB of the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class NoAnswer(Exception):
    """The call came to no HTTP answer."""

    def __init__(self, silence: Silence, detail: str) -> None:
        """Take what is missing, and what the network said about it."""
        self.silence = silence
        self.detail = detail
        super().__init__(f"{silence}: {detail}")


class Outgoing(Protocol):
    """One request, to an address that may be called, without redirects (design 9)."""

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """The answer, whatever its status. Raises NoAnswer, after 15 s at the latest."""

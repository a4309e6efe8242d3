"""The answers that requests with an Idempotency-Key got, for ever (design 12)."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID


class KeptRequest(Protocol):
    """A request that got through: its facts are in the log, its answer may not be written yet.

    ``status`` None: not answered yet, finish it from the facts of ``command_id``. ``body`` None
    with a status: the data key of its owner is gone.
    """

    @property
    def request(self) -> bytes:
        """HMAC of what was asked."""

    @property
    def command_id(self) -> UUID:
        """The command that the request became."""

    @property
    def position(self) -> int:
        """Where its facts stand."""

    @property
    def status(self) -> int | None:
        """The HTTP status that was answered."""

    @property
    def body(self) -> bytes | None:
        """The body that was answered."""


class Answers(Protocol):
    """Where answers are kept; the row itself is inserted by the append."""

    async def find(self, organization: UUID, key: bytes) -> KeptRequest | None:
        """The request that took this key, or None when it is free."""

    async def answer(
        self,
        organization: UUID,
        key: bytes,
        status: int,
        body: bytes,
        *,
        secret_body: bytes | None = None,
    ) -> None:
        """Keep an answer; the first one stays.

        ``secret_body`` is what was really answered when it shows a secret, repeated for a day;
        ``body`` is the same with the secret null.
        """

"""Where uploaded files are kept: a folder, or a bucket (design 13, wire 18.5)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol, runtime_checkable
from uuid import UUID

from kernel.errors import NotAllowed, TooLarge
from kernel.file_keys import FileKey
from kernel.tenant import Tenant


MOST_BYTES = 5 * 1024**3
TICKET_VALID = timedelta(hours=1)
LINK_VALID = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class UploadTicket:
    """A form to post to ``url`` as multipart: the ``fields``, then the file as ``file``."""

    url: str
    fields: Mapping[str, str]


class TicketRefused(NotAllowed):
    """The upload ticket is not valid any more."""

    code = "upload_ticket_refused"


class FileTooLarge(TooLarge):
    """The file is larger than the upload ticket allows."""

    code = "file_too_large"


class FileStore(Protocol):
    """Keeps the files of all organizations of an environment; times are real time."""

    def ticket(
        self, tenant: Tenant, key: FileKey, content_type: str, now: datetime
    ) -> UploadTicket:
        """A ticket for one upload under a temporary key, for ``TICKET_VALID``."""

    async def keep(self, tenant: Tenant, key: FileKey, kept: FileKey) -> bool:
        """Move an upload to where it stays; False when nothing was uploaded under the key.

        Doing it again is fine, and so is a crash half-way. What is kept is never replaced, whatever
        is uploaded later with the same ticket.
        """

    def link(self, tenant: Tenant, key: FileKey, now: datetime) -> str:
        """An address that gives the file: for ``LINK_VALID``, or a public one for ever."""

    def origins(self) -> tuple[str, ...]:
        """Where its links lead besides the hosted pages, for their content policy."""


@runtime_checkable
class LocalFiles(Protocol):
    """A store whose uploads and downloads go through the hosted pages."""

    def claimed(self, fields: Mapping[str, str]) -> UUID:
        """The organization that a posted ticket names, not yet believed. Raises TicketRefused."""

    def allowed(self, tenant: Tenant, fields: Mapping[str, str], now: datetime) -> FileKey:
        """The key that a posted ticket is for. Raises TicketRefused."""

    async def receive(self, tenant: Tenant, key: FileKey, pieces: AsyncIterator[bytes]) -> None:
        """Keep an upload, whole or not at all. Raises FileTooLarge."""

    def readable(
        self, tenant: Tenant, key: FileKey, *, until: str, signed: str, now: datetime
    ) -> Path | None:
        """The file that a link leads to; None when it is not there, or the link does not hold."""

"""Files in a folder, uploaded and read through the hosted pages.

A file lies in ``<root>/<organization>/<area>/<uuid>``; its name is in its key alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from pathlib import Path
from urllib.parse import quote
from uuid import UUID, uuid4

from kernel import file_keys, signed_link
from kernel.file_keys import Area, FileKey
from kernel.ports.files import (
    LINK_VALID,
    MOST_BYTES,
    TICKET_VALID,
    FileTooLarge,
    TicketRefused,
    UploadTicket,
)
from kernel.tenant import Tenant


PATH = "/media/"
UPLOAD, DOWNLOAD = "upload", "download"
FORGOTTEN_AFTER_SECONDS = 24 * 3600
"""Uploads that nobody took are deleted after a day."""


class DiskFiles:
    """Implements kernel.ports.files.FileStore, and what the pages need to take and give files."""

    def __init__(self, root: Path, base_url: str, most_bytes: int = MOST_BYTES) -> None:
        """Files live below ``root``; pages are reached at ``base_url``."""
        self._root = root
        self._base_url = base_url
        self._most_bytes = most_bytes
        self._swept = float("-inf")

    def ticket(
        self, tenant: Tenant, key: FileKey, content_type: str, now: datetime
    ) -> UploadTicket:
        """A form for the pages; its policy says what may be uploaded, and until when."""
        until = signed_link.until(now, TICKET_VALID)
        about = {
            "organization": str(tenant.organization),
            "key": str(key),
            "contentType": content_type,
            "expires": until,
            "maxBytes": self._most_bytes,
        }
        policy = b64encode(json.dumps(about).encode()).decode()
        signed = signed_link.signature(tenant, UPLOAD, policy, until)
        fields = {"key": str(key), "Content-Type": content_type}
        return UploadTicket(
            f"{self._base_url}{PATH}", {**fields, "policy": policy, "signature": signed}
        )

    async def keep(self, tenant: Tenant, key: FileKey, kept: FileKey) -> bool:
        """Rename, which is done whole or not at all; what is kept already stays as it is."""
        source, target = self._path(tenant, key), self._path(tenant, kept)
        return await asyncio.to_thread(_move, source, target)

    def link(self, tenant: Tenant, key: FileKey, now: datetime) -> str:
        """An address of the pages; signed unless the file is public."""
        address = f"{self._base_url}{PATH}{tenant.organization}/{quote(str(key))}"
        if key.area is Area.PUBLIC:
            return address
        until = signed_link.until(now, LINK_VALID)
        signed = signed_link.signature(tenant, DOWNLOAD, str(key), until)
        return f"{address}?until={until}&signature={signed}"

    def origins(self) -> tuple[str, ...]:
        """Nowhere else."""
        return ()

    def readable(
        self, tenant: Tenant, key: FileKey, *, until: str, signed: str, now: datetime
    ) -> Path | None:
        """The file that a link leads to; None when it is not there, or the link does not hold."""
        holds = key.area is Area.PUBLIC or signed_link.holds(
            tenant, DOWNLOAD, str(key), until=until, signed=signed, now=now
        )
        path = self._path(tenant, key)
        return path if holds and path.is_file() else None

    def claimed(self, fields: Mapping[str, str]) -> UUID:
        """Whose a posted ticket says that it is. Raises TicketRefused."""
        try:
            return UUID(str(_policy(fields).get("organization")))
        except ValueError:
            raise TicketRefused from None

    def allowed(self, tenant: Tenant, fields: Mapping[str, str], now: datetime) -> FileKey:
        """The key that a posted ticket is for. Raises TicketRefused."""
        about = _policy(fields)
        key = file_keys.read(str(about.get("key")))
        genuine = signed_link.holds(
            tenant,
            UPLOAD,
            fields.get("policy", ""),
            until=str(about.get("expires")),
            signed=fields.get("signature", ""),
            now=now,
        )
        if not genuine or key is None or fields.get("key") != str(key):
            raise TicketRefused
        if fields.get("Content-Type") != about.get("contentType"):
            raise TicketRefused
        return key

    async def receive(self, tenant: Tenant, key: FileKey, pieces: AsyncIterator[bytes]) -> None:
        """Write an upload; it is there whole or not at all. Raises FileTooLarge."""
        await asyncio.to_thread(self._sweep)
        target = self._path(tenant, key)
        part = target.with_name(f"{target.name}.{uuid4().hex}.part")
        part.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with part.open("wb") as file:
                size = 0
                async for piece in pieces:
                    size += len(piece)
                    if size > self._most_bytes:
                        raise FileTooLarge
                    await asyncio.to_thread(file.write, piece)
                await asyncio.to_thread(_to_disk, file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)

    def _path(self, tenant: Tenant, key: FileKey) -> Path:
        return self._root / str(tenant.organization) / key.area / str(key.id)

    def _sweep(self) -> None:
        """Now and then, delete what was uploaded and taken by nobody."""
        now = time.time()
        if now < self._swept + FORGOTTEN_AFTER_SECONDS / 24:
            return
        self._swept = now
        for file in self._root.glob(f"*/{Area.TEMPORARY}/*"):
            with contextlib.suppress(FileNotFoundError):  # it may just have been taken
                if file.stat().st_mtime < now - FORGOTTEN_AFTER_SECONDS:
                    file.unlink()


def _policy(fields: Mapping[str, str]) -> Mapping[str, object]:
    """What a posted ticket says, not yet believed. Raises TicketRefused."""
    try:
        about = json.loads(b64decode(fields.get("policy", ""), validate=True))
    except (NotBase64, ValueError):
        raise TicketRefused from None
    if not isinstance(about, dict):
        raise TicketRefused
    return about


def _move(source: Path, target: Path) -> bool:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if target.is_file():
        source.unlink(missing_ok=True)
        return True
    try:
        source.rename(target)
    except FileNotFoundError:
        return target.is_file()
    return True


def _to_disk(file: int) -> None:
    os.fsync(file)

"""Seals personal data: a data key per owner, wrapped by a master key from outside the database."""

from __future__ import annotations

import base64
import binascii
import os
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool


Pool = AsyncConnectionPool[AsyncConnection[Any]]

KEY_BYTES = 32
NONCE_BYTES = 12
FORMAT = b"\x01"
"""First byte of everything sealed, so that another way of sealing can follow."""


class WrongMasterKeyError(RuntimeError):
    """The master key is not the one that the data was sealed with."""


def master_key(setting: str | None, file: Path) -> bytes:
    """The master key: 32 bytes in base64 from a setting, else from a 0600 file made when absent."""
    if setting:
        try:
            key = base64.b64decode(setting, validate=True)
        except binascii.Error:
            key = b""
        if len(key) != KEY_BYTES:
            raise ValueError("the master key must be 32 bytes in base64")
        return key
    if not file.exists():
        _make_key_file(file)
    return base64.b64decode(file.read_bytes(), validate=True)


def _make_key_file(file: Path) -> None:
    """Whole or not at all, and never over one that another process made meanwhile."""
    draft = file.with_name(f"{file.name}.{os.urandom(8).hex()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
        out.write(base64.b64encode(os.urandom(KEY_BYTES)))
        out.flush()
        os.fsync(out.fileno())
    with suppress(FileExistsError):
        os.link(draft, file)
    draft.unlink()


class DataKey:
    """One owner's key; ``wrapped`` is how it is stored."""

    __slots__ = ("_cipher", "wrapped")

    def __init__(self, key: bytes, wrapped: bytes) -> None:
        """Take the clear key, which never leaves this process."""
        self._cipher = AESGCM(key)
        self.wrapped = wrapped

    def seal(self, clear: bytes, place: bytes) -> bytes:
        """Encrypt; what is sealed opens only with the same ``place``."""
        nonce = os.urandom(NONCE_BYTES)
        return FORMAT + nonce + self._cipher.encrypt(nonce, clear, place)

    def open(self, sealed: bytes, place: bytes) -> bytes | None:
        """Decrypt; None if it was sealed with a key that is gone."""
        try:
            return self._cipher.decrypt(
                sealed[1 : 1 + NONCE_BYTES], sealed[1 + NONCE_BYTES :], place
            )
        except InvalidTag:
            return None


class Vault:
    """The data keys of all owners, those of late in memory."""

    def __init__(self, master: bytes, pool: Pool, capacity: int = 100_000) -> None:
        """Keep at most ``capacity`` opened keys."""
        self._master = DataKey(master, b"")
        self._pool = pool
        self._capacity = capacity
        self._keys: OrderedDict[UUID, DataKey] = OrderedDict()
        self._pending: dict[UUID, DataKey] = {}

    async def load(self, subjects: Iterable[UUID]) -> dict[UUID, DataKey]:
        """The keys of these owners; those that have none, or no longer, are missing."""
        found, unknown = {}, []
        for subject in set(subjects):
            key = self._keys.get(subject)
            if key is None:
                unknown.append(subject)
            else:
                self._keys.move_to_end(subject)
                found[subject] = key
        if unknown:
            async with self._pool.connection() as db:
                rows = await db.execute(
                    "select subject, wrapped from keys where subject = any(%s)",
                    (unknown,),
                    binary=True,
                )
                for subject, wrapped in await rows.fetchall():
                    found[subject] = self._keep(subject, self._unwrap(subject, wrapped))
        return found

    async def to_seal(self, subject: UUID, *, fresh: bool) -> DataKey:
        """The key to seal with; a new one if there is none, which the append must then store.

        ``fresh`` takes for granted that there is none: the append proves it.
        """
        known = self._keys.get(subject) or self._pending.get(subject)
        if known is None and not fresh:
            known = (await self.load([subject])).get(subject)
        # While this waited, another task may have loaded the key or made one.
        known = known or self._keys.get(subject) or self._pending.get(subject)
        if known is None:
            known = self._pending[subject] = self._new(subject)
        return known

    async def create(self, subjects: Iterable[UUID]) -> None:
        """Store a new key for each owner that has none."""
        wrapped = [(subject, self._new(subject).wrapped) for subject in subjects]
        async with self._pool.connection() as db:
            await db.execute(
                "insert into keys select * from unnest(%s::uuid[], %s::bytea[])"
                " on conflict do nothing",
                [list(column) for column in zip(*wrapped, strict=True)],
            )

    def is_stored(self, subject: UUID, key: DataKey) -> bool:
        """Whether this very key of the owner is known to be in the database."""
        return self._keys.get(subject) is key

    def stored(self, subject: UUID, key: DataKey) -> None:
        """The append stored this key, or found it in place."""
        self._pending.pop(subject, None)
        self._keep(subject, key)

    def forget(self, subject: UUID) -> None:
        """Drop what is known about this key: another process made it first, or erased it."""
        self._pending.pop(subject, None)
        self._keys.pop(subject, None)

    def seal_secret(self, secret: UUID, value: bytes) -> bytes:
        """Seal with the master key itself."""
        return self._master.seal(value, secret.bytes)

    def open_secret(self, secret: UUID, sealed: bytes) -> bytes:
        """Open what seal_secret sealed. Raises WrongMasterKeyError."""
        opened = self._master.open(sealed, secret.bytes)
        if opened is None:
            raise WrongMasterKeyError("the master key does not open this")
        return opened

    def _new(self, subject: UUID) -> DataKey:
        key = os.urandom(KEY_BYTES)
        return DataKey(key, self._master.seal(key, subject.bytes))

    def _unwrap(self, subject: UUID, wrapped: bytes) -> DataKey:
        return DataKey(self.open_secret(subject, wrapped), wrapped)

    def _keep(self, subject: UUID, key: DataKey) -> DataKey:
        self._keys[subject] = key
        self._keys.move_to_end(subject)
        if len(self._keys) > self._capacity:
            self._keys.popitem(last=False)
        return key

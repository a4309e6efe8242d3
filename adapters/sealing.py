"""Sealing: a data key per owner, wrapped by a master key from outside the database."""

from __future__ import annotations

import base64
import binascii
import os
from contextlib import suppress
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


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
    """One owner's key; ``wrapped`` is how it is stored, once it is ``stored``."""

    __slots__ = ("_cipher", "stored", "wrapped")

    def __init__(self, key: bytes, wrapped: bytes, *, stored: bool) -> None:
        """Take the clear key, which never leaves this process."""
        self._cipher = AESGCM(key)
        self.wrapped = wrapped
        self.stored = stored

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


class MasterKey:
    """Wraps data keys and seals secrets."""

    def __init__(self, key: bytes) -> None:
        """Take what ``master_key`` returned."""
        self._key = DataKey(key, b"", stored=True)

    def new(self, subject: UUID) -> DataKey:
        """A data key for an owner that has none."""
        key = os.urandom(KEY_BYTES)
        return DataKey(key, self._key.seal(key, subject.bytes), stored=False)

    def unwrap(self, subject: UUID, wrapped: bytes) -> DataKey:
        """A data key as it is stored. Raises WrongMasterKeyError."""
        return DataKey(self.open(subject, wrapped), wrapped, stored=True)

    def seal(self, name: UUID, value: bytes) -> bytes:
        """Seal a value under its id."""
        return self._key.seal(value, name.bytes)

    def open(self, name: UUID, sealed: bytes) -> bytes:
        """Open what was sealed under this id. Raises WrongMasterKeyError."""
        opened = self._key.open(sealed, name.bytes)
        if opened is None:
            raise WrongMasterKeyError("the master key does not open this")
        return opened


def place(stream: UUID, version: int) -> bytes:
    """What sealed bytes are tied to: moved to another fact, they do not open."""
    return stream.bytes + version.to_bytes(8, "big")

